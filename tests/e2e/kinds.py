"""The kinds of files that programs write and that are not the same bytes each
time: named in the header `files-kinds` of programs/*.py."""

from __future__ import annotations

BEGINS = {
    "7z": b"7z\xbc\xaf\x27\x1c",
    "bmp": b"BM",
    "flac": b"fLaC",
    "gif": b"GIF89a",
    "gz": b"\x1f\x8b",
    "hdf5": b"\x89HDF\r\n\x1a\n",
    "jpeg": b"\xff\xd8\xff",
    "ole": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    "parquet": b"PAR1",
    "pdf": b"%PDF-1.",
    "pickle": b"\x80",
    "png": b"\x89PNG\r\n\x1a\n",
    "sqlite": b"SQLite format 3\0",
    "text": b"",
    "wave": b"RIFF",
    "xz": b"\xfd7zXZ\0",
    "zip": b"PK\x03\x04",
}


def check(files: dict[str, bytes], wanted: dict[str, str]) -> None:
    """FILES are those that are WANTED; each begins as its kind does and has
    more than that. Text is UTF-8."""
    assert set(files) == set(wanted), sorted(files)
    for name, kind in wanted.items():
        data = files[name]
        assert data.startswith(BEGINS[kind]), (name, data[:16])
        assert len(data) > len(BEGINS[kind]), name
        if kind == "text":
            data.decode("utf-8", "strict")
