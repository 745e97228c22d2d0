"""newer_texts - newer words of tabulate, which Debian 12 has in version 0.8.9.

That version prints a format that it does not know as "simple", in silence.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .newer_python import lacks, replace

import textwrap
from typing import Any

# The lines of a grid: above, below the header, between rows, below; and the
# stroke between columns.
_GRIDS = {
    "simple": ("\u250c\u2500\u252c\u2510", "\u251c\u2500\u253c\u2524",
               "\u251c\u2500\u253c\u2524", "\u2514\u2500\u2534\u2518",
               "\u2502"),
    "rounded": ("\u256d\u2500\u252c\u256e", "\u251c\u2500\u253c\u2524",
                "\u251c\u2500\u253c\u2524", "\u2570\u2500\u2534\u256f",
                "\u2502"),
    "heavy": ("\u250f\u2501\u2533\u2513", "\u2523\u2501\u254b\u252b",
              "\u2523\u2501\u254b\u252b", "\u2517\u2501\u253b\u251b",
              "\u2503"),
    "mixed": ("\u250d\u2501\u252f\u2511", "\u251d\u2501\u253f\u2525",
              "\u251c\u2500\u253c\u2524", "\u2515\u2501\u2537\u2519",
              "\u2502"),
    "double": ("\u2554\u2550\u2566\u2557", "\u2560\u2550\u256c\u2563",
               "\u2560\u2550\u256c\u2563", "\u255a\u2550\u2569\u255d",
               "\u2551"),
    "fancy": ("\u2552\u2550\u2564\u2555", "\u255e\u2550\u256a\u2561",
              "\u251c\u2500\u253c\u2524", "\u2558\u2550\u2567\u255b",
              "\u2502"),
    "": ("+-++", "+=++", "+-++", "+-++", "|"),
}


def _add_formats(tabulate: Any) -> None:
    known = tabulate._table_formats
    for name, (above, below_header, between, below, stroke) in _GRIDS.items():
        row = tabulate.DataRow(stroke, stroke, stroke)
        grid = tabulate.TableFormat(
            tabulate.Line(*above), tabulate.Line(*below_header),
            tabulate.Line(*between), tabulate.Line(*below), row, row, 1, None)
        for kind, found in (("grid", grid), ("outline", grid._replace(
                linebetweenrows=None))):
            whole = f"{name}_{kind}".lstrip("_")
            known.setdefault(whole, found)
            tabulate.multiline_formats.setdefault(whole, whole)
    tabulate.tabulate_formats[:] = sorted(known)


def _folded(cell: Any, width: Any) -> Any:
    if not width or not isinstance(cell, str):
        return cell
    return "\n".join(textwrap.fill(line, width) for line in cell.split("\n"))


def _widths(given: Any, count: int) -> list[Any]:
    if given is None or isinstance(given, int):
        return [given] * count
    return (list(given) + [None] * count)[:count]


def _change_tabulate(tabulate: Any) -> None:
    plain = tabulate.tabulate
    _add_formats(tabulate)
    if not lacks(plain, "maxcolwidths"):
        return

    def with_widths(tabular_data: Any, headers: Any = (), *args: Any,
                    maxcolwidths: Any = None, maxheadercolwidths: Any = None,
                    **options: Any) -> Any:
        if maxcolwidths is not None or maxheadercolwidths is not None:
            rows, headers = tabulate._normalize_tabular_data(
                tabular_data, headers, options.pop("showindex", "default"))
            rows = [list(row) for row in rows]
            count = max([len(headers), *map(len, rows)])
            kept = _widths(maxcolwidths, count)
            tabular_data = [list(map(_folded, row, kept)) for row in rows]
            headers = list(map(_folded, headers,
                               _widths(maxheadercolwidths, count)))
        return plain(tabular_data, headers, *args, **options)

    replace(tabulate, "tabulate", with_widths)


when_imported({"tabulate": _change_tabulate})
