"""Files: CSV with DuckDB's guesses, JSON, and Parquet by pandas."""

from __future__ import annotations

import csv
import glob
import json
import os
import re
from typing import Any, Callable

from . import _types as types
from ._casts import caster
from ._errors import (BinderException, ConversionException, Error,
                      InvalidInputException, IOException, fail, lacks)
from ._frames import _objects, kept_columns
from ._names import unique
from ._types import T
from ._values import text_of

_SAMPLE = 20480
_CSV = frozenset(("header", "delim", "sep", "columns", "names", "types",
                  "dtypes", "skip", "nullstr", "quote", "escape", "filename",
                  "auto_detect", "all_varchar", "sample_size", "dateformat",
                  "timestampformat", "ignore_errors", "union_by_name",
                  "encoding", "parallel", "column_names", "decimal_separator",
                  "null_padding", "comment", "maximum_line_size",
                  "max_line_size", "normalize_names", "hive_partitioning"))
_HARMLESS = frozenset(("parallel", "maximum_line_size", "max_line_size"))


def read(function: str, path: Any, options: dict) -> tuple[list, list, list]:
    """Names, types and kept values of the file or files at PATH."""
    paths = _paths(path)
    kind = _kind(function, paths[0])
    tables = [_READERS[kind](one, options) for one in paths]
    if kind == "csv" and options.get("filename"):
        tables = [(names + ["filename"], kinds + [types.VARCHAR],
                   values + [[one] * len(values[0])])
                  for one, (names, kinds, values) in zip(paths, tables)]
    return tables[0] if len(tables) == 1 else _stacked(tables, options)


def _paths(path: Any) -> list[str]:
    found = []
    for one in path if isinstance(path, list) else [path]:
        one = os.fspath(one)
        if "://" in one:
            lacks(f"the address {one}", "a program here has no network")
        made = sorted(glob.glob(one, recursive=True)) if any(
            mark in one for mark in "*?[") else [one]
        if not made or not os.path.exists(made[0]):
            fail(IOException, "No files found that match the pattern "
                 f'"{one}"')
        found += made
    return found


def _kind(function: str, path: str) -> str:
    for kind in ("csv", "parquet", "json"):
        if kind in function:
            return kind
    if function == "read_ndjson" or function == "read_ndjson_auto":
        return "json"
    low = path.lower()
    low = low[:-3] if low.endswith(".gz") else low
    for end, kind in ((".csv", "csv"), (".tsv", "csv"), (".txt", "csv"),
                      (".parquet", "parquet"), (".json", "json"),
                      (".jsonl", "json"), (".ndjson", "json")):
        if low.endswith(end):
            return kind
    return fail(BinderException, f'No extension found that is capable of '
                f'reading the file "{path}"')


def _stacked(tables: list, options: dict) -> tuple[list, list, list]:
    by_name = bool(options.get("union_by_name"))
    names = list(tables[0][0])
    for other, _, _ in tables[1:]:
        if by_name:
            names += [one for one in other if one not in names]
        elif [one.lower() for one in other] != [one.lower()
                                                for one in names]:
            fail(InvalidInputException, "Schema mismatch between files; use "
                 "union_by_name=true")
    kinds, values = [], []
    for name in names:
        parts = [_part(table, name) for table in tables]
        kind = types.NULL
        for one, _ in parts:
            kind = types.union_of(kind, one) or types.VARCHAR
        kinds.append(kind)
        values.append([
            None if one is None else make(one)
            for source, column in parts
            for make in (caster(source, kind),) for one in column])
    return names, kinds, values


def _part(table: tuple, name: str) -> tuple[T, list]:
    names, kinds, values = table
    low = [one.lower() for one in names]
    if name.lower() in low:
        at = low.index(name.lower())
        return kinds[at], values[at]
    return types.NULL, [None] * len(values[0])


# -- CSV


def _open(path: str, encoding: Any = None) -> Any:
    if path.endswith(".gz"):
        import gzip
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    if encoding and str(encoding).lower().replace("_", "-") not in (
            "utf-8", "utf8", "latin-1", "utf-16"):
        lacks(f"the encoding {encoding}")
    return open(path, encoding=encoding or "utf-8-sig", newline="")


def _delimiter(text: str) -> str:
    """The mark that cuts most lines into the same number of parts."""
    lines = [line for line in text.splitlines()[:100] if line.strip()]
    best, chosen = (0, 0), ","
    for mark in ",|;\t":
        counts = [len(row) for row in csv.reader(lines, delimiter=mark)]
        if not counts:
            continue
        common = max(set(counts), key=counts.count)
        score = (counts.count(common) if common > 1 else 0, common)
        if score > best:
            best, chosen = score, mark
    return chosen


def _csv(path: str, options: dict) -> tuple[list, list, list]:
    for name in options:
        if name not in _CSV:
            fail(BinderException, "Invalid named parameter "
                 f'"{name}" for function read_csv')
    for name in ("comment", "hive_partitioning", "null_padding",
                 "decimal_separator"):
        if options.get(name):
            lacks(f"read_csv({name}=...)")
    with _open(path, options.get("encoding")) as file:
        text = file.read()
    mark = options.get("delim", options.get("sep"))
    mark = (mark or _delimiter(text)).replace("\\t", "\t")
    quote = options.get("quote") or '"'
    escape = options.get("escape") or quote
    reader = csv.reader(
        text.splitlines(True), delimiter=mark, quotechar=quote,
        doublequote=escape == quote,
        escapechar=None if escape == quote else escape)
    rows = [row for row in reader if row or mark == "\n"]
    return _table(path, rows[int(options.get("skip") or 0):], options)


def _table(path: str, rows: list, options: dict) -> tuple[list, list, list]:
    if not rows:
        return ["column0"], [types.VARCHAR], [[]]
    count = len(rows[0])
    if options.get("ignore_errors"):
        rows = [row for row in rows if len(row) == count]
    for at, row in enumerate(rows):
        if len(row) != count:
            word = "Expected" if len(row) < count else "Too many"
            fail(InvalidInputException, f"CSV Error on Line: {at + 1}\n"
                 f"Expected Number of Columns: {count} Found: {len(row)} "
                 f"({word.lower()} columns) in {path}")
    nulls = options.get("nullstr", "")
    nulls = set(nulls if isinstance(nulls, list) else [nulls]) | {""}
    columns = [[None if one in nulls else one for one in column]
               for column in zip(*rows)]
    guesses = [_guess(column[1:], options) for column in columns]
    header = options.get("header")
    if header is None:
        header = _has_header(columns, guesses, rows)
    if _truth(header):
        heads = [one or f"column{k}" for k, one in enumerate(rows[0])]
        columns = [column[1:] for column in columns]
    else:
        heads = [f"column{k:0{len(str(count - 1))}d}" for k in range(count)]
        guesses = [_guess(column, options) for column in columns]
    return _typed(heads, guesses, columns, options)


def _truth(value: Any) -> bool:
    return value in (True, 1) or str(value).lower() in ("true", "1", "t")


def _has_header(columns: list, guesses: list, rows: list) -> bool:
    if any(one == "" for one in rows[0]):
        return False
    if len(rows) == 1:
        return all(_guess([one], {}) == types.VARCHAR for one in rows[0])
    other = [kind for kind in guesses if kind != types.VARCHAR]
    if not other:
        return True
    return any(kind != types.VARCHAR and not _is(column[0], kind)
               for column, kind in zip(columns, guesses))


def _is(text: str, kind: T) -> bool:
    try:
        _strict(kind)(text)
    except Error:
        return False
    return True


def _reads(text: str, form: str) -> bool:
    from ._dates import strptime
    try:
        strptime(text, form)
    except Error:
        return False
    return True


def _strict(kind: T) -> Callable[[str], Any]:
    """As the guesses read a text: less may be a truth or a number."""
    cast = caster(types.VARCHAR, kind)

    def read_one(text: str) -> Any:
        if kind.id == "BOOLEAN" and text.lower() not in ("true", "false"):
            fail(ConversionException, text)
        if kind.id == "BIGINT" and not text.strip().lstrip("+-").isdigit():
            fail(ConversionException, text)
        if kind.id == "DOUBLE" and text.strip().lower().lstrip("+-") in (
                "nan", "inf", "infinity"):
            if "nan" in text.lower():
                lacks("NaN in a CSV file", "name it in nullstr")
        if kind.id == "TIME" and text.count(":") < 2:
            fail(ConversionException, text)
        if kind.id == "DATE" and len(text.strip()) > 10:
            fail(ConversionException, text)
        return cast(text)
    return read_one


_GUESSES = (types.BOOLEAN, types.BIGINT, types.DOUBLE, types.TIME,
            types.DATE, types.TIMESTAMP)


_DAY = re.compile(r"\d{1,2}([-/. ])\d{1,2}\1(\d{4}|\d{2})$")
_ODD = (re.compile(r"\d{1,2}:\d{2}$"), re.compile(
    r"\d{1,2}([-/. ])\d{1,2}\1(\d{4}|\d{2})[ T]\d{1,2}:\d{2}.*$"))


def _unclear(sample: list) -> None:
    """Refuse dates that DuckDB reads in a form that is not known here."""
    if sample and any(all(form.match(one) for one in sample)
                      for form in (_DAY, *_ODD)):
        lacks(f"a CSV column of texts as {sample[0]!r} without a form",
              "give dateformat='%d/%m/%Y' (timestampformat), or "
              "all_varchar=true and strptime()")


def _guess(column: list, options: dict) -> T:
    if _truth(options.get("all_varchar")):
        return types.VARCHAR
    sample = [one for one in column[:_SAMPLE] if one is not None]
    for name, kind in (("dateformat", types.DATE),
                       ("timestampformat", types.TIMESTAMP)):
        if options.get(name) and sample and all(
                _reads(one, options[name]) for one in sample):
            return kind
    for kind in _GUESSES if sample else ():
        if all(_is(one, kind) for one in sample):
            return kind
    return types.VARCHAR


def _typed(heads: list, guesses: list, columns: list,
           options: dict) -> tuple[list, list, list]:
    wanted = options.get("columns")
    names = options.get("names", options.get("column_names"))
    if isinstance(wanted, dict):
        heads = list(wanted)
        guesses = [types.parse(one) for one in wanted.values()]
    if names:
        heads = list(names) + heads[len(names):]
    given = options.get("types", options.get("dtypes")) or {}
    if isinstance(given, list):
        given = dict(zip(heads, given))
    low = {str(name).lower(): types.parse(str(kind))
           for name, kind in given.items()}
    heads = unique(heads)
    kinds = [low.get(name.lower(), kind) for name, kind in zip(heads,
                                                               guesses)]
    for name, kind, column in zip(heads, kinds, columns):
        if kind == types.VARCHAR and name.lower() not in low and not wanted \
                and not _truth(options.get("all_varchar")):
            _unclear([one for one in column[:_SAMPLE] if one is not None])
    values = [_cast_column(name, kind, column, options) for name, kind,
              column in zip(heads, kinds, columns)]
    return heads, kinds, values


def _cast_column(name: str, kind: T, column: list, options: dict) -> list:
    if kind == types.VARCHAR:
        return list(column)
    cast = caster(types.VARCHAR, kind)
    form = {"DATE": options.get("dateformat"),
            "TIMESTAMP": options.get("timestampformat")}.get(kind.id)
    if form:
        from ._dates import strptime
        size = 86_400_000_000 if kind.id == "DATE" else 1
        cast = lambda text: strptime(text, form) // size
    made = []
    for at, text in enumerate(column):
        try:
            made.append(None if text is None else cast(text))
        except Error:
            fail(ConversionException, f"CSV Error on Line: {at + 2}\nError "
                 f'when converting column "{name}". Could not convert string '
                 f'"{text}" to \'{kind}\'')
    return made


# -- JSON, Parquet


def _json(path: str, options: dict) -> tuple[list, list, list]:
    for name in options:
        if name not in ("format", "columns", "auto_detect"):
            lacks(f"read_json({name}=...)")
    with _open(path) as file:
        text = file.read().strip()
    if text.startswith("["):
        rows = json.loads(text)
    else:
        rows = _several(text)
    if not all(isinstance(row, dict) for row in rows):
        lacks("JSON of other values than objects")
    names = list(dict.fromkeys(name for row in rows for name in row))
    pairs = [_json_column([row.get(name) for row in rows])
             for name in names]
    return names, [kind for kind, _ in pairs], [one for _, one in pairs]


def _several(text: str) -> list:
    decoder, at, found = json.JSONDecoder(), 0, []
    while at < len(text):
        one, at = decoder.raw_decode(text, at)
        found.append(one)
        while at < len(text) and text[at] in " \r\n\t,":
            at += 1
    return found


def _json_column(values: list) -> tuple[T, list]:
    if any(isinstance(one, dict) for one in values):
        lacks("a nested object in JSON", "use pandas.json_normalize()")
    kinds = {type(one) for one in values if one is not None}
    if kinds == {int}:
        return types.BIGINT, values
    if kinds and kinds <= {int, float}:
        return types.DOUBLE, [None if one is None else float(one)
                              for one in values]
    if kinds == {str}:
        kind = next((one for one in (types.DATE, types.TIMESTAMP)
                     if all(_is(text, one) for text in values
                            if text is not None)), types.VARCHAR)
        cast = caster(types.VARCHAR, kind)
        return kind, [None if one is None else cast(one) for one in values]
    if len(kinds) > 1:
        lacks("a JSON column of several types")
    return _objects(values)


def _parquet(path: str, options: dict) -> tuple[list, list, list]:
    import pandas as pd
    for name in options:
        lacks(f"read_parquet({name}=...)")
    return kept_columns(pd.read_parquet(path), path)


_READERS: dict[str, Any] = {"csv": _csv, "json": _json, "parquet": _parquet}


# -- writing


def write_csv(path: Any, names: list, kinds: list, rows: list,
              mark: str = ",", header: bool = True, null: str = "",
              quote: str = '"', always: bool = False) -> None:
    writers = [text_of(kind) for kind in kinds]

    def cell(text: str) -> str:
        if always or text == null or any(
                one in text for one in (mark, quote, "\n", "\r")):
            return quote + text.replace(quote, quote * 2) + quote
        return text
    try:
        with open(path, "w", encoding="utf-8", newline="") as file:
            if header:
                file.write(mark.join(map(cell, names)) + "\n")
            for row in rows:
                file.write(mark.join(
                    null if one is None else cell(write(one))
                    for one, write in zip(row, writers)) + "\n")
    except FileNotFoundError:
        fail(IOException, f'Cannot open file "{path}": No such file or '
             "directory")
