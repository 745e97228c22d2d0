"""pages - plots and layouts as a page of HTML, and as one picture."""

from __future__ import annotations

import html
import io
import re
from typing import Any

from .hover import overlay
from .sheets import drawn, saved, together

_SVG = re.compile(r"<svg[^>]*>", re.S)
_TAG = re.compile(r"<[^>]*>")


def _kind(one: Any) -> str:
    return type(one).__name__


def is_plot(one: Any) -> bool:
    return hasattr(one, "renderers") and hasattr(one, "xaxis")


def svg(plot: Any) -> str:
    """A plot's picture, with its tooltips."""
    sheet = drawn(plot)
    text = saved(sheet, "svg").decode("utf-8")
    text = text[text.index("<svg"):]
    wide, high = sheet.size
    over = overlay(sheet)
    points = wide * 0.72
    text = _SVG.sub(
        f'<svg xmlns="http://www.w3.org/2000/svg" '
        f'xmlns:xlink="http://www.w3.org/1999/xlink" width="{wide}" '
        f'height="{high}" viewBox="0 0 {points:g} {high * 0.72:g}">', text, 1)
    if over:
        end = text.rindex("</svg>")
        text = f'{text[:end]}<g transform="scale(0.72)">\n{over}\n</g></svg>\n'
    return text


# -- parts of a page


def _flex(way: str, parts: list[str], gap: float) -> str:
    inside = "\n".join(parts)
    return (f'<div style="display:flex;flex-direction:{way};'
            f'gap:{gap or 0:g}px;align-items:flex-start">\n{inside}\n</div>')


def cells(layout: Any) -> list[tuple[Any, int, int]]:
    """The children of a grid with their rows and columns."""
    return [(one[0], int(one[1]), int(one[2])) for one in layout.children
            if one[0] is not None]


def _grid(layout: Any) -> str:
    parts = "\n".join(
        f'<div style="grid-row:{row + 1};grid-column:{column + 1}">'
        f"{part(child)}</div>" for child, row, column in cells(layout))
    return f'<div style="display:grid;justify-content:start">{parts}</div>'


def _tabs(layout: Any) -> str:
    """All tabs, one below the other, under their titles."""
    return "\n".join(f"<section><h3>{html.escape(str(one.title))}</h3>\n"
                     f"{part(one.child)}</section>" for one in layout.tabs)


def _table(table: Any) -> str:
    from .hover import shown

    columns = [one for one in table.columns if one.visible]
    source = table.source
    head = "".join(f"<th>{html.escape(str(one.title or one.field))}</th>"
                   for one in columns)
    rows = []
    for at in range(source.length):
        row = ""
        for one in columns:
            value = source.data[one.field][at]
            form = getattr(one.formatter, "format", None) \
                if _kind(one.formatter) == "NumberFormatter" else None
            text = shown(value, form) if form else str(value)
            row += f"<td>{html.escape(text)}</td>"
        rows.append(f"<tr>{row}</tr>")
    return (f'<table class="bk-table"><thead><tr>{head}</tr></thead><tbody>'
            f'{"".join(rows)}</tbody></table>')


def _input(widget: Any) -> str:
    """A control as words: it changes nothing on this page."""
    title = str(getattr(widget, "title", None) or
                getattr(widget, "label", None) or "")
    value = getattr(widget, "value", None)
    if value is None and hasattr(widget, "labels"):
        active = widget.active if isinstance(widget.active, list) else \
            [] if widget.active is None else [widget.active]
        value = ", ".join(str(widget.labels[at]) for at in active)
    text = title if value in (None, "") else f"{title}: {value}" if title \
        else str(value)
    return f'<div class="bk-input">{html.escape(text)}</div>'


def part(one: Any) -> str:
    """A plot, a layout or a control as HTML."""
    if one is None or _kind(one) == "Spacer":
        return "<div></div>" if one is None else \
            f'<div style="width:{one.width or 0}px;' \
            f'height:{one.height or 0}px"></div>'
    if is_plot(one):
        return svg(one)
    kind = _kind(one)
    if kind in ("Row", "Column"):
        return _flex(kind.lower(), [part(each) for each in one.children],
                     one.spacing)
    if kind in ("GridBox", "GridPlot"):
        return _grid(one)
    if kind == "Tabs":
        return _tabs(one)
    if kind == "TabPanel":
        return part(one.child)
    if kind == "Div":
        width = f"width:{one.width}px;" if one.width else ""
        return f'<div style="{width}">{one.text}</div>'
    if kind in ("Paragraph", "PreText"):
        tag = "p" if kind == "Paragraph" else "pre"
        return f"<{tag}>{html.escape(str(one.text))}</{tag}>"
    if kind == "DataTable":
        return _table(one)
    return _input(one)


_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ font-family: Helvetica, Arial, sans-serif; }}
.bk-table {{ border-collapse: collapse; font-size: 12px; }}
.bk-table th, .bk-table td {{ border: 1px solid #ddd; padding: 3px 8px; }}
.bk-input {{ font-size: 13px; padding: 4px; color: #444; }}
</style>
</head>
<body>
{body}
</body>
</html>
"""


def page(models: Any, title: Any = None) -> str:
    """A whole page: pictures without a script."""
    every = models if isinstance(models, (list, tuple)) else [models]
    return _PAGE.format(title=html.escape(str(title or "Bokeh Plot")),
                        body="\n".join(part(one) for one in every))


# -- one picture


def _text_image(text: str, width: int, scale: float) -> Any:
    from PIL import Image, ImageDraw, ImageFont
    from matplotlib import font_manager

    size = int(14 * scale)
    font = ImageFont.truetype(font_manager.findfont("DejaVu Sans"), size)
    lines = [line for line in text.split("\n")]
    image = Image.new("RGB", (int(width * scale),
                              int(len(lines) * size * 1.4) + 10), "white")
    brush = ImageDraw.Draw(image)
    for at, line in enumerate(lines):
        brush.text((5, 5 + at * size * 1.4), line, font=font, fill="#444444")
    return image


def _plain_text(one: Any) -> str:
    source = str(one.text) if hasattr(one, "text") else _input(one)
    source = re.sub(r"<br\s*/?>|</(?:p|h\d|div|li)>", "\n", source)
    return html.unescape(_TAG.sub("", source)).strip() or " "


def _joined(images: list[Any], across: bool, gap: float) -> Any:
    from PIL import Image

    gap = int(gap or 0)
    sizes = [one.size for one in images]
    if not sizes:
        return Image.new("RGB", (1, 1), "white")
    wide = sum(w for w, _ in sizes) + gap * (len(sizes) - 1) if across \
        else max(w for w, _ in sizes)
    high = max(h for _, h in sizes) if across else \
        sum(h for _, h in sizes) + gap * (len(sizes) - 1)
    found = Image.new("RGB", (wide, high), "white")
    at = 0
    for one in images:
        found.paste(one, (at, 0) if across else (0, at))
        at += one.size[not across] + gap
    return found


def _grid_image(layout: Any, scale: float) -> Any:
    from PIL import Image

    placed = [(image(child, scale), row, column)
              for child, row, column in cells(layout)]
    wide: dict[int, int] = {}
    high: dict[int, int] = {}
    for one, row, column in placed:
        wide[column] = max(wide.get(column, 0), one.size[0])
        high[row] = max(high.get(row, 0), one.size[1])
    found = Image.new("RGB", (sum(wide.values()) or 1,
                              sum(high.values()) or 1), "white")
    for one, row, column in placed:
        found.paste(one, (sum(size for at, size in wide.items()
                              if at < column),
                          sum(size for at, size in high.items() if at < row)))
    return found


def image(one: Any, scale: float = 1.0) -> Any:
    """A picture of PIL's."""
    from PIL import Image

    if is_plot(one):
        return Image.open(io.BytesIO(saved(drawn(one), "png", scale))
                          ).convert("RGB")
    kind = _kind(one)
    if kind in ("Row", "Column"):
        return _joined([image(each, scale) for each in one.children
                        if each is not None], kind == "Row",
                       (one.spacing or 0) * scale)
    if kind in ("GridBox", "GridPlot"):
        return _grid_image(one, scale)
    if kind == "Tabs":
        parts = [each for tab in one.tabs for each in
                 (_text_image(str(tab.title), 600, scale),
                  image(tab.child, scale))]
        return _joined(parts, False, 0)
    if kind == "TabPanel":
        return image(one.child, scale)
    if kind == "Spacer":
        return Image.new("RGB", (int((one.width or 1) * scale),
                                 int((one.height or 1) * scale)), "white")
    if kind == "DataTable":
        raise NotImplementedError("a picture of a DataTable is not here: use "
                                  "save(), which writes a page")
    return _text_image(_plain_text(one), one.width or 600, scale)


def png(model: Any, scale: float = 1.0) -> bytes:
    stream = io.BytesIO()
    image(model, scale).save(stream, "PNG")
    return stream.getvalue()


def bundle(model: Any) -> dict[str, Any]:
    """A plot in the forms that a notebook shows."""
    with together():
        found: dict[str, Any] = {"text/html": part(model),
                                 "text/plain": repr(model)}
        try:
            found["image/png"] = png(model)
        except NotImplementedError:
            # A table has a page alone.
            pass
    return found
