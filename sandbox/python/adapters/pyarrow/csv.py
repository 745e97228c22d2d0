"""pyarrow.csv: read_csv() and write_csv()."""

from __future__ import annotations

import csv as _csv
import io
import os
from typing import Any

from . import _types as t
from ._array import objects
from ._build import of_rows
from ._chunks import chunked
from ._errors import ArrowInvalid, lacks
from ._schema import Schema
from ._table import Table
from ._text import writer_of

_NULLS = ["", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN",
          "-nan", "1.#IND", "1.#QNAN", "N/A", "NA", "NULL", "NaN", "n/a",
          "nan", "null"]
_TRUE, _FALSE = ["1", "True", "TRUE", "true"], ["0", "False", "FALSE",
                                                "false"]


class ReadOptions:
    def __init__(self, *, use_threads: Any = None, block_size: Any = None,
                 skip_rows: int = 0, skip_rows_after_names: int = 0,
                 column_names: Any = None,
                 autogenerate_column_names: bool = False,
                 encoding: str = "utf8") -> None:
        self.skip_rows, self.skip_more = skip_rows, skip_rows_after_names
        self.column_names = column_names
        self.autogenerate_column_names = autogenerate_column_names
        self.encoding = encoding


class ParseOptions:
    def __init__(self, *, delimiter: str = ",", quote_char: Any = '"',
                 double_quote: bool = True, escape_char: Any = False,
                 newlines_in_values: bool = False,
                 ignore_empty_lines: bool = True,
                 invalid_row_handler: Any = None) -> None:
        if invalid_row_handler is not None:
            raise lacks("invalid_row_handler=")
        self.delimiter, self.quote_char = delimiter, quote_char
        self.double_quote, self.escape_char = double_quote, escape_char
        self.ignore_empty_lines = ignore_empty_lines


class ConvertOptions:
    def __init__(self, *, check_utf8: bool = True, column_types: Any = None,
                 null_values: Any = None, true_values: Any = None,
                 false_values: Any = None, decimal_point: str = ".",
                 strings_can_be_null: bool = False,
                 quoted_strings_can_be_null: bool = True,
                 include_columns: Any = None,
                 include_missing_columns: bool = False,
                 auto_dict_encode: bool = False,
                 timestamp_parsers: Any = None) -> None:
        for name, given in (("decimal_point", decimal_point != "."),
                            ("timestamp_parsers", timestamp_parsers),
                            ("include_missing_columns",
                             include_missing_columns),
                            ("quoted_strings_can_be_null=False",
                             not quoted_strings_can_be_null)):
            if given:
                raise lacks(f"ConvertOptions with {name}")
        if isinstance(column_types, Schema):
            column_types = {one.name: one.type for one in column_types}
        self.column_types = {name: t.ensure_type(kind) for name, kind in
                             dict(column_types or {}).items()}
        self.null_values = _NULLS if null_values is None else null_values
        self.true_values = _TRUE if true_values is None else true_values
        self.false_values = _FALSE if false_values is None else false_values
        self.strings_can_be_null = strings_can_be_null
        self.include_columns = include_columns
        self.auto_dict_encode = auto_dict_encode


class WriteOptions:
    def __init__(self, *, include_header: bool = True, batch_size: int = 1024,
                 delimiter: str = ",", quoting_style: str = "needed") -> None:
        if quoting_style not in ("needed", "all_valid", "none"):
            raise ValueError(f"Unknown quoting style: {quoting_style}")
        self.include_header, self.delimiter = include_header, delimiter
        self.quoting_style = quoting_style


def read_csv(input_file: Any, read_options: Any = None,
             parse_options: Any = None, convert_options: Any = None,
             memory_pool: Any = None) -> Table:
    """A file of comma-separated values as a table."""
    reads = read_options or ReadOptions()
    rules = parse_options or ParseOptions()
    converts = convert_options or ConvertOptions()
    rows = _rows(_text(input_file, reads.encoding), rules)[reads.skip_rows:]
    if reads.column_names is not None:
        names = list(reads.column_names)
    elif not rows:
        raise ArrowInvalid("Empty CSV file")
    elif reads.autogenerate_column_names:
        names = [f"f{i}" for i in range(len(rows[0]))]
    else:
        names, rows = rows[0], rows[1:]
    rows = rows[reads.skip_more:]
    for i, row in enumerate(rows):
        if len(row) != len(names):
            raise ArrowInvalid(
                f"CSV parse error: Expected {len(names)} columns, got "
                f"{len(row)}: {rules.delimiter.join(row)}")
    columns = dict(zip(names, map(list, zip(*rows)) if rows else
                       [[] for _ in names]))
    wanted = converts.include_columns or names
    for one in wanted:
        if one not in columns:
            raise KeyError(f"Column '{one}' in include_columns does not exist "
                           "in CSV file")
    made = [_converted(name, columns[name], converts) for name in wanted]
    return Table.from_arrays(made, wanted)


def _text(source: Any, encoding: str) -> str:
    if hasattr(source, "read"):
        data = source.read()
    else:
        import gzip
        path = os.fspath(source)
        opened: Any = gzip.open if path.endswith(".gz") else open
        with opened(path, "rb") as file:
            data = file.read()
    if isinstance(data, str):
        return data
    try:
        return bytes(data).decode("utf-8-sig" if encoding in (
            "utf8", "utf-8") else encoding)
    except UnicodeDecodeError:
        raise ArrowInvalid("CSV file is not in the encoding "
                           f"{encoding}") from None


def _rows(text: str, rules: ParseOptions) -> list[list[str]]:
    quoted = rules.quote_char is not False
    reader = _csv.reader(
        io.StringIO(text, newline=""), delimiter=rules.delimiter,
        quotechar=rules.quote_char if quoted else None,
        quoting=_csv.QUOTE_MINIMAL if quoted else _csv.QUOTE_NONE,
        doublequote=rules.double_quote,
        escapechar=rules.escape_char or None)
    limit = _csv.field_size_limit(2**31 - 1)
    try:
        return [row or [""] for row in reader
                if row or not rules.ignore_empty_lines]
    finally:
        _csv.field_size_limit(limit)


def _converted(name: str, texts: list[str], rules: ConvertOptions) -> Any:
    nulls = set(rules.null_values)
    kind = rules.column_types.get(name)
    if kind is not None and kind._kind in t.TEXTS | t.BYTES:
        return _strings(texts, rules, nulls).cast(kind)
    given = [None if one in nulls else one for one in texts]
    if kind is not None and kind._kind == "bool":
        return _booleans(given, rules, name)
    plain = of_rows(objects(given), t.string(), False)
    if kind is not None:
        try:
            return plain.cast(kind)
        except ArrowInvalid as error:
            raise ArrowInvalid(f"In CSV column #{name}: CSV conversion error "
                               f"to {kind}: {error}") from None
    return _guessed(plain, given, texts, rules, nulls)


def _strings(texts: list[str], rules: ConvertOptions, nulls: set[str]) -> Any:
    if rules.strings_can_be_null:
        texts = [None if one in nulls else one  # type: ignore[misc]
                 for one in texts]
    return of_rows(objects(texts), t.string(), False)


def _booleans(given: list[Any], rules: ConvertOptions, name: str) -> Any:
    known = {**dict.fromkeys(rules.true_values, True),
             **dict.fromkeys(rules.false_values, False), None: None}
    for one in given:
        if one not in known:
            raise ArrowInvalid(f"In CSV column '{name}': CSV conversion error "
                               f"to bool: invalid value '{one}'")
    return of_rows(objects([known[one] for one in given]), t.bool_(), False)


def _guessed(plain: Any, given: list[Any], texts: list[str],
             rules: ConvertOptions, nulls: set[str]) -> Any:
    """The first type that all values have, in Arrow's order."""
    if all(one is None for one in given):
        return of_rows(objects(given), t.null(), False)
    kept = [one for one in given if one is not None]
    ways = [lambda: plain.cast(t.int64()),
            lambda: _booleans(given, rules, ""),
            lambda: plain.cast(t.date32()),
            lambda: plain.cast(t.time32("s")) if all(
                one.count(":") in (1, 2) and "." not in one
                for one in kept) else None,
            lambda: _moments(plain, kept),
            lambda: plain.cast(t.float64())]
    for way in ways:
        try:
            found = way()
        except ArrowInvalid:
            continue
        if found is not None:
            return found
    made = _strings(texts, rules, nulls)
    return made.dictionary_encode() if rules.auto_dict_encode else made


def _moments(plain: Any, kept: list[str]) -> Any:
    """Times of a day; with 'Z' they are of UTC."""
    zones = {one.endswith("Z") or "+" in one[10:] or "-" in one[10:]
             for one in kept}
    if len(zones) > 1:
        return None
    unit = "ns" if any("." in one for one in kept) else "s"
    return plain.cast(t.timestamp(unit, "UTC" if zones.pop() else None))


def write_csv(data: Any, output_file: Any, write_options: Any = None,
              memory_pool: Any = None) -> None:
    """Write a table; texts have quotes, as Arrow writes them."""
    rules = write_options or WriteOptions()
    lines = []
    if rules.include_header:
        lines.append(rules.delimiter.join(
            f'"{name}"' if rules.quoting_style != "none" else name
            for name in data.column_names))
    columns = [_printed(chunked(one).combine_chunks(), rules)
               for one in data.columns]
    lines += [rules.delimiter.join(row) for row in zip(*columns)]
    text = "".join(f"{line}\n" for line in lines).encode()
    if hasattr(output_file, "write"):
        output_file.write(text)
        return
    with open(os.fspath(output_file), "wb") as file:
        file.write(text)


def _printed(one: Any, rules: WriteOptions) -> list[str]:
    if one.type._kind == "dictionary":
        one = one.dictionary_decode()
    kind = one.type._kind
    if kind in ("list", "struct", "map"):
        raise ArrowInvalid(f"Unsupported Type:{one.type}")
    write: Any = writer_of(one.type)
    style = rules.quoting_style
    if kind in t.TEXTS and style != "none":
        def write(value: str) -> str:
            return '"' + value.replace('"', '""') + '"'
    elif kind in t.TEXTS:
        write = _bare
    elif style == "all_valid":
        plain = write

        def write(value: Any) -> str:
            return f'"{plain(value)}"'
    return [write(value) if ok else ""
            for value, ok in zip(one._values, one._mask)]


def _bare(value: str) -> str:
    if any(sign in value for sign in '",\r\n'):
        raise ArrowInvalid("CSV values may not contain structural characters "
                           "if quoting style is \"None\". See RFC4180. "
                           f"Invalid value: {value}")
    return value
