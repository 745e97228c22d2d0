"""_print - values, columns and frames as polars prints them.

A frame is a table of at most 100 characters across (where no terminal tells
another width): cells of texts too long for that are broken at spaces.
"""

from __future__ import annotations

import datetime as dt
import html
import unicodedata
from decimal import Decimal
from typing import Any

import numpy as np

from . import _types as t
from ._config import STATE

# Of each style: the lines over, under the head, between rows and below, each
# as left, stroke, crossing, right; and the signs of a row. None for no line.
STYLES: dict[str, Any] = {
    "UTF8_FULL_CONDENSED": ("┌─┬┐", "╞═╪╡", None, "└─┴┘", "│┆│"),
    "UTF8_FULL": ("┌─┬┐", "╞═╪╡", "├╌┼┤", "└─┴┘", "│┆│"),
    "UTF8_NO_BORDERS": (None, " ═╪ ", " ╌┼ ", None, " ┆ "),
    "UTF8_BORDERS_ONLY": ("┌──┐", "╞══╡", None, "└──┘", "│ │"),
    "ASCII_FULL_CONDENSED": ("+-++", "+=++", None, "+-++", "|||"),
    "ASCII_FULL": ("+-++", "+=++", "|-+|", "+-++", "|||"),
    "ASCII_MARKDOWN": (None, "|-||", None, None, "|||"),
    "MARKDOWN": (None, "|-||", None, None, "|||"),
    "NOTHING": (None, None, None, None, "   "),
}


# -- values


def _grouped(text: str) -> str:
    sign = STATE["thousands_separator"]
    if not sign or not text.strip("-").isdigit():
        return text
    return f"{int(text):,}".replace(",", sign)


def _shown_float(text: str) -> str:
    whole, dot, rest = text.partition(".")
    return _grouped(whole) + (STATE["decimal_separator"] if dot else "") + rest


def _plain(value: float) -> str:
    """The shortest digits, without an exponent."""
    if value != value or value in (float("inf"), float("-inf")):
        return "NaN" if value != value else repr(value)
    text = repr(value)
    if "e" in text:
        text = format(Decimal(text), "f")
    return text[:-2] if text.endswith(".0") else text


def _exponent(text: str) -> str:
    digits, _, power = text.partition("e")
    return f"{digits}e{int(power)}"


def float_text(value: float) -> str:
    value = float(value)
    digits = STATE["float_precision"]
    if digits is not None and np.isfinite(value):
        text = f"{value:.{digits}f}"
        if len(text) > 19:
            return _exponent(f"{value:.{digits}e}")
        return _shown_float(text)
    plain = _plain(value)
    if STATE["fmt_float"] == "full":
        return _shown_float(plain)
    whole = np.isfinite(value) and value == int(value)
    if whole and abs(value) < 999999:
        return _shown_float(f"{value:.1f}")
    if len(plain) <= 9 or not np.isfinite(value):
        return _exponent(f"{Decimal(repr(value)).normalize():e}") if whole \
            else _shown_float(plain)
    if not 0.000001 <= abs(value) <= 999999 and \
            not STATE["thousands_separator"]:
        return _exponent(f"{value:.4e}")
    text = f"{value:.6f}"
    if text.endswith("0"):
        text = text.rstrip("0")
        text += "0" if text.endswith(".") else ""
    return _shown_float(text)


def _fraction(micros: int) -> str:
    if not micros:
        return ""
    return f".{micros // 1000:03d}" if micros % 1000 == 0 else \
        f".{micros:06d}"


def _moment(value: dt.datetime) -> str:
    text = f"{value:%Y-%m-%d %H:%M:%S}" if value.year > 999 else \
        value.replace(tzinfo=None, microsecond=0).isoformat(" ")
    zone = f" {value.tzname()}" if value.tzinfo else ""
    return text + _fraction(value.microsecond) + zone


def _clock(value: dt.time) -> str:
    return f"{value:%H:%M:%S}" + _fraction(value.microsecond)


def _span(value: dt.timedelta, unit: str) -> str:
    micros = value // dt.timedelta(microseconds=1)
    if not micros:
        return {"us": "0µs", "ms": "0ms", "ns": "0ns"}[unit]
    sign = "-" if micros < 0 else ""
    micros = abs(micros)
    parts = []
    for size, word in ((86_400_000_000, "d"), (3_600_000_000, "h"),
                       (60_000_000, "m"), (1_000_000, "s")):
        count, micros = divmod(micros, size)
        if count:
            parts.append(f"{sign}{count}{word}")
    if micros:
        parts.append(f"{sign}{micros // 1000}ms" if micros % 1000 == 0
                     else f"{sign}{micros}µs")
    return " ".join(parts)


def cell(value: Any, kind: Any, quoted: bool = False) -> str:
    """A value as a cell has it."""
    if value is None:
        return "null"
    if isinstance(kind, t.List):
        return _list(value, kind.inner)
    if isinstance(kind, t.Struct):
        return "{" + ",".join(cell(value[one.name], one.dtype, True)
                              for one in kind.fields) + "}"
    if t.is_text(kind):
        return f'"{value}"' if quoted else value
    if kind.is_float():
        return float_text(value)
    if kind.is_integer():
        return _grouped(str(value))
    if isinstance(kind, t.Boolean):
        return "true" if value else "false"
    if isinstance(kind, t.Datetime):
        return _moment(value)
    if isinstance(kind, t.Time):
        return _clock(value)
    if isinstance(kind, t.Duration):
        return _span(value, kind.time_unit)
    if isinstance(kind, t.Binary):
        return "b\"" + repr(value)[2:-1] + "\""
    return str(value)


def _list(values: Any, inner: Any) -> str:
    limit = STATE["fmt_table_cell_list_len"]
    if limit < 0:
        limit = len(values)
    if len(values) <= limit:
        return "[" + ", ".join(cell(x, inner, True) for x in values) + "]"
    if limit == 0:
        return "[…]"
    head = ", ".join(cell(x, inner, True) for x in values[:max(limit - 1, 1)])
    tail = f" {cell(values[-1], inner, True)}" if limit > 1 else ""
    return f"[{head}, …{tail}]"


def as_text(value: Any) -> str:
    from ._store import kind_of
    return cell(value, kind_of(value))


# -- columns


def _rows(length: int) -> Any:
    """The rows that are shown; -1 for the dots."""
    limit = STATE["tbl_rows"]
    if limit < 0 or length <= limit:
        return list(range(length))
    half = limit // 2
    return [*range(half + limit % 2), -1, *range(length - half, length)]


def series_text(series: Any) -> str:
    rows = _rows(len(series))
    shown = series._take(np.array([one for one in rows if one >= 0], "i8"))
    values = iter(shown.to_list())
    limit = STATE["fmt_str_lengths"]
    lines = []
    for row in rows:
        text = "…" if row < 0 else cell(next(values), series.dtype, True)
        if t.is_text(series.dtype) and len(text) > limit + 2:
            text = text[:limit + 1] + "…"
        lines.append(f"\t{text}\n")
    return (f"shape: ({len(series):_},)\nSeries: '{series.name}' "
            f"[{series.dtype.text()}]\n[\n{''.join(lines)}]")


# -- tables


def width_of(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(sign) else
               1 + (unicodedata.east_asian_width(sign) in "WF")
               for sign in text)


def _cut(text: str) -> str:
    limit = STATE["fmt_str_lengths"]
    return text if len(text) <= limit else text[:limit] + "…"


def _word_parts(word: str, width: int) -> tuple[str, str]:
    size = 0
    for at, sign in enumerate(word):
        size += width_of(sign)
        if size > width:
            return word[:at], word[at:]
    return word, ""


def split_line(line: str, width: int) -> list[str]:
    """LINE in parts of WIDTH, broken at spaces where it can be."""
    left = line.split(" ")[::-1]
    lines, now = [], ""
    while left:
        word = left.pop()
        gap = 1 if now else 0
        if width_of(now) + gap + width_of(word) <= width:
            now += " " * gap + word
            if width_of(now) >= width:
                lines.append(now)
                now = ""
            continue
        room = width - width_of(now) - gap
        if width_of(word) > width:
            if now and room <= 2:
                lines.append(now)
                now = ""
                left.append(word)
                continue
            head, rest = _word_parts(word, max(room, 1))
            lines.append(now + " " * gap + head)
            now = ""
            left.append(rest)
            continue
        lines.append(now)
        now = word
        if width_of(now) >= width:
            lines.append(now)
            now = ""
    return lines + ([now] if now else [])


def _widths(cells: list[list[list[str]]], limits: list[Any]) -> list[int]:
    """The width of each column, so that all fit into the table's width.

    CELLS are columns of cells of lines; LIMITS the least and the greatest
    width of each, with a space at both sides.
    """
    longest = [max(width_of(line) for one in column for line in one)
               for column in cells]
    fixed: dict[int, int] = {}
    total = STATE["tbl_width_chars"]
    total = 65535 if total < 0 else total
    for at, (low, high, exact) in enumerate(limits):
        if exact or longest[at] + 2 <= low:
            fixed[at] = low - 2
    space = max(0, total - len(cells) - 1 - sum(
        fixed[at] + 2 if at in fixed else 2 for at in range(len(cells))))
    left = [at for at in range(len(cells)) if at not in fixed]

    def fix(at: int, width: int) -> None:
        nonlocal space
        fixed[at] = width
        left.remove(at)
        space = max(0, space - width)

    _enforce_least(left, limits, fix, lambda: space)
    _fix_short(left, limits, longest, fix, lambda: space)
    _shrink(left, cells, fix, lambda: space)
    if left:
        each, more = divmod(max(space, len(left)), len(left))
        for place, at in enumerate(left):
            fixed[at] = each + (place < more)
    return [max(1, fixed[at]) for at in range(len(cells))]


def _enforce_least(left: Any, limits: Any, fix: Any, space: Any) -> None:
    again = True
    while again and left:
        again = False
        for at in list(left):
            if left and space() // len(left) < limits[at][0]:
                fix(at, limits[at][0] - 2)
                again = True


def _fix_short(left: Any, limits: Any, longest: Any, fix: Any,
               space: Any) -> None:
    again = True
    while again and left:
        again = False
        for at in list(left):
            average = space() // len(left)
            if not average:
                return
            high = limits[at][1]
            if high <= average + 2 and longest[at] + 2 >= high:
                fix(at, high - 2)
                again = True
            elif longest[at] <= average:
                fix(at, longest[at])
                again = True


def _shrink(left: Any, cells: Any, fix: Any, space: Any) -> None:
    """Columns that need less after they are broken at spaces."""
    again = True
    average = space() // len(left) if left else 0
    while again and left:
        again = False
        for at in list(left):
            size = max(width_of(part) for one in cells[at] for line in one
                       for part in (split_line(line, average) or [""]))
            if average - size >= 3:
                fix(at, size)
                if not left:
                    return
                average = space() // len(left)
                again = True


def _line(signs: Any, widths: list[int]) -> str:
    start, stroke, cross, end = signs
    return start + cross.join(stroke * (one + 2) for one in widths) + end


def _aligned(text: str, width: int, how: str) -> str:
    room = width - width_of(text)
    left = {"RIGHT": room, "CENTER": room // 2}.get(how, 0)
    return " " * left + text + " " * (room - left)


def _row(cells: list[list[str]], widths: list[int], signs: str,
         sides: list[str]) -> list[str]:
    parts = [[part for line in one for part in
              (split_line(line, width) if width_of(line) > width else [line])]
             for one, width in zip(cells, widths)]
    lines = []
    for at in range(max(map(len, parts))):
        texts = [f" {_aligned(one[at] if at < len(one) else '', width, how)} "
                 for one, width, how in zip(parts, widths, sides)]
        lines.append(signs[0] + signs[1].join(texts) + signs[2])
    return lines


def _head(series: Any) -> list[str]:
    name = [] if STATE["tbl_hide_column_names"] else [_cut(series.name)]
    kind = [] if STATE["tbl_hide_column_data_types"] else \
        [series.dtype.text()]
    if STATE["tbl_column_data_type_inline"] and name and kind:
        return [f"{name[0]} ({kind[0]})"]
    line = ["---"] if name and kind and \
        not STATE["tbl_hide_dtype_separator"] else []
    return name + line + kind


def _limits(head: list[str], cells: list[str], cut: bool) -> Any:
    size = max([width_of(one) for one in head] + [
        width_of(one) for one in cells if one != "…"] + [0]) + 2
    size = min(STATE["fmt_str_lengths"] + 3, size)
    if size <= 5:
        return (size, 5, not cut)
    return (5, size, False)


def _columns(frame: Any) -> list[Any]:
    limit = STATE["tbl_cols"]
    columns = list(frame._columns.values())
    if limit < 0 or len(columns) <= limit:
        return columns
    return [*columns[:(limit + 1) // 2], None,
            *columns[len(columns) - limit // 2:]]


def table_of(frame: Any) -> tuple[Any, Any, Any]:
    """The heads, the cells and the limits of a frame's columns."""
    rows = _rows(frame.height)
    taken = np.array([one for one in rows if one >= 0], "i8")
    heads, cells, limits = [], [], []
    for series in _columns(frame):
        if series is None:
            heads.append(["…"])
            cells.append(["…"] * len(rows))
            limits.append((3, 5, not -1 in rows))
            continue
        texts = iter([_cut(cell(one, series.dtype)) for one in
                      series._take(taken).to_list()])
        column = ["…" if row < 0 else next(texts) for row in rows]
        heads.append(_head(series))
        cells.append(column)
        limits.append(_limits(heads[-1], column, -1 in rows))
    return heads, cells, limits


def frame_text(frame: Any) -> str:
    shape = f"shape: ({frame.height:_}, {frame.width:_})"
    top, under, between, below, signs = STYLES[STATE["tbl_formatting"]]
    heads, cells, limits = table_of(frame)
    if not heads:
        table = "\n".join(one[0] + one[3] for one in (top, under, below)
                          if one)
    else:
        table = _table(frame, heads, cells, limits, (
            top, under, between, below, signs))
    if STATE["tbl_hide_dataframe_shape"]:
        return table
    return f"{table}\n{shape}" if STATE["tbl_dataframe_shape_below"] \
        else f"{shape}\n{table}"


def _table(frame: Any, heads: Any, cells: Any, limits: Any,
           style: Any) -> str:
    top, under, between, below, signs = style
    columns = [[head] * bool(head) + [one.split("\n") for one in column]
               for head, column in zip(heads, cells)]
    widths = _widths([one or [[""]] for one in columns], limits)
    sides = [STATE["tbl_cell_numeric_alignment"] or STATE[
        "tbl_cell_alignment"] if series is not None and
        series.dtype.is_numeric() else STATE["tbl_cell_alignment"]
        for series in _columns(frame)]
    lines = [_line(top, widths)] if top else []
    if any(heads):
        lines += _row(heads, widths, signs, ["LEFT"] * len(widths)
                      if STATE["tbl_cell_alignment"] == "LEFT" and not
                      STATE["tbl_cell_numeric_alignment"] else sides)
        lines += [_line(under, widths)] if under else []
    rows = list(zip(*cells))
    for at, row in enumerate(rows):
        lines += _row([one.split("\n") for one in row], widths, signs, sides)
        if between and at < len(rows) - 1:
            lines.append(_line(between, widths))
    lines += [_line(below, widths)] if below else []
    return "\n".join(lines)


def frame_html(frame: Any) -> str:
    """For notebooks."""
    heads, cells, _ = table_of(frame)
    out = [f"<small>shape: ({frame.height:_}, {frame.width:_})</small>",
           '<table border="1" class="dataframe"><thead><tr>']
    out += [f"<th>{html.escape(one[0])}</th>" for one in heads]
    out.append("</tr><tr>")
    out += [f"<td>{html.escape(one[-1])}</td>" for one in heads]
    out.append("</tr></thead><tbody>")
    for row in zip(*cells):
        out.append("<tr>" + "".join(f"<td>{html.escape(one)}</td>"
                                    for one in row) + "</tr>")
    return "".join(out) + "</tbody></table>"
