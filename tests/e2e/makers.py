"""Input files that programs want and text cannot hold, and the checks of
output files that are not the same bytes each time. Used by name from the
headers of programs/*.py."""

from __future__ import annotations

import io
import sqlite3
import tempfile
import zipfile
from pathlib import Path


def workbook() -> dict[str, bytes]:
    """numbers.xlsx: a header and three rows."""
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    sheet.title = "figures"
    for row in (["name", "amount"], ["a", 1], ["b", 2], ["c", 39]):
        sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return {"numbers.xlsx": out.getvalue()}


def database() -> dict[str, bytes]:
    """data/store.sqlite: one table with three rows."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "store.sqlite")
        base = sqlite3.connect(path)
        base.execute("CREATE TABLE stock (item TEXT, count INTEGER)")
        base.executemany("INSERT INTO stock VALUES (?, ?)",
                         [("bolt", 5), ("nut", 7), ("nail", 30)])
        base.commit()
        base.close()
        return {"data/store.sqlite": path.read_bytes()}


def archive() -> dict[str, bytes]:
    """in.zip: two members, one of them in a folder."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("one.txt", "first")
        packed.writestr("sub/two.txt", "second")
    return {"in.zip": out.getvalue()}


def picture() -> dict[str, bytes]:
    """in.png: 8 by 4, red on the left and blue on the right."""
    from PIL import Image

    image = Image.new("RGB", (8, 4), (255, 0, 0))
    image.paste((0, 0, 255), (4, 0, 8, 4))
    out = io.BytesIO()
    image.save(out, "PNG")
    return {"in.png": out.getvalue()}


# -- checks: they get the output files and the answer


def check_database(files: dict[str, bytes], answer: dict) -> None:
    """The row that the program added is in the database it gave back."""
    assert set(files) == {"data/store.sqlite"}, set(files)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "store.sqlite")
        path.write_bytes(files["data/store.sqlite"])
        base = sqlite3.connect(path)
        rows = base.execute("SELECT * FROM stock ORDER BY item").fetchall()
        base.close()
    assert rows == [("bolt", 5), ("nail", 30), ("nut", 7), ("screw", 58)]


def check_picture(files: dict[str, bytes], answer: dict) -> None:
    """out.png is the picture turned a quarter."""
    from PIL import Image

    assert set(files) == {"out.png"}, set(files)
    image = Image.open(io.BytesIO(files["out.png"]))
    assert image.size == (4, 8)
    assert image.getpixel((0, 0)) == (0, 0, 255)
    assert image.getpixel((0, 7)) == (255, 0, 0)


def check_archive(files: dict[str, bytes], answer: dict) -> None:
    assert set(files) == {"out/packed.zip"}, set(files)
    with zipfile.ZipFile(io.BytesIO(files["out/packed.zip"])) as packed:
        assert packed.namelist() == ["b.txt"]
        assert packed.read("b.txt") == b"again" * 1000


def check_svg(files: dict[str, bytes], answer: dict) -> None:
    assert set(files) == {"plots/line.svg"}, set(files)
    text = files["plots/line.svg"].decode("utf-8")
    assert text.lstrip().startswith("<?xml") and "</svg>" in text


def check_workbook(files: dict[str, bytes], answer: dict) -> None:
    from openpyxl import load_workbook

    assert set(files) == {"report.xlsx"}, set(files)
    sheet = load_workbook(io.BytesIO(files["report.xlsx"])).active
    assert [[cell.value for cell in row] for row in sheet.rows] == [
        ["x", "square"], [2, 4], [3, 9]]


def check_pdf(files: dict[str, bytes], answer: dict) -> None:
    assert set(files) == {"page.pdf"}, set(files)
    assert files["page.pdf"].startswith(b"%PDF-")
    assert b"%%EOF" in files["page.pdf"][-32:]
