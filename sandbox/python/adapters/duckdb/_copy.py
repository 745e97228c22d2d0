"""COPY: tables to files, and files to tables."""

from __future__ import annotations

import json
from typing import Any

from . import _nodes as n
from ._errors import lacks
from ._files import write_csv
from ._result import Result
from ._values import python_of, text_of

_CSV = frozenset(("format", "header", "delimiter", "delim", "sep", "quote",
                  "null", "nullstr", "force_quote", "overwrite"))


def _format(file: str, options: dict) -> str:
    given = str(options.get("format", "")).lower()
    low = file.lower()
    for kind, ends in (("parquet", (".parquet",)),
                       ("json", (".json", ".jsonl", ".ndjson"))):
        if given == kind or not given and low.endswith(ends):
            return kind
    if given not in ("", "csv"):
        lacks(f"COPY of the format {given}")
    return "csv"


def is_true(value: Any) -> bool:
    return str(value).lower() in ("true", "1", "t", "on")


def copy_to(result: Result, file: str, options: dict) -> None:
    kind = _format(file, options)
    if kind == "parquet":
        for name in options:
            if name not in ("format", "compression", "codec", "overwrite"):
                lacks(f"COPY of Parquet with {name}")
        result.frame().to_parquet(file)
    elif kind == "json":
        _write_json(result, file, options)
    else:
        _write_csv(result, file, options)


def _write_csv(result: Result, file: str, options: dict) -> None:
    for name in options:
        if name not in _CSV:
            lacks(f"COPY of CSV with {name}")
    if options.get("force_quote") not in (None, "*", True):
        lacks("FORCE_QUOTE of some columns")
    mark = options.get("delimiter", options.get("delim",
                                                options.get("sep", ",")))
    write_csv(file, result.names, result.kinds, result.rows,
              str(mark).replace("\\t", "\t"),
              is_true(options.get("header", True)),
              str(options.get("null", options.get("nullstr", ""))),
              str(options.get("quote", '"')),
              "force_quote" in options)


def _write_json(result: Result, file: str, options: dict) -> None:
    for name in options:
        if name not in ("format", "array"):
            lacks(f"COPY of JSON with {name}")
    plain = ("VARCHAR", "BOOLEAN", "LIST", "INTEGER", "BIGINT", "DOUBLE",
             "SMALLINT", "TINYINT", "HUGEINT", "FLOAT", "DECIMAL", "STRUCT")
    makers = [(python_of(kind) if kind.id in plain else text_of(kind))
              for kind in result.kinds]
    lines = [json.dumps({
        name: None if one is None else make(one)
        for name, one, make in zip(result.names, row, makers)},
        separators=(",", ":"), ensure_ascii=False, default=float)
        for row in result.rows]
    with open(file, "w", encoding="utf-8") as out:
        if is_true(options.get("array", False)):
            out.write("[\n\t" + ",\n\t".join(lines) + "\n]\n")
        else:
            out.write("".join(line + "\n" for line in lines))


def copy_from(runner: Any, table: str, columns: tuple, file: str,
              options: dict) -> Result:
    kind = _format(file, options)
    names = {"delimiter": "delim", "null": "nullstr"}
    given = tuple((names.get(name, name), n.Const("python", (None, value)))
                  for name, value in options.items() if name != "format")
    given = tuple((name, n.Const("text", str(one.value[1])
                                 if one.value[1] is not True else "true"))
                  for name, one in given)
    function = n.TableFunc(f"read_{kind}" + "_auto" * (kind != "parquet"),
                           (n.Const("text", file),), given)
    query = n.Query(n.Select((n.Named(n.Star()),), function))
    return runner.r_insert("", table, columns, query, "", None, False, None)
