"""How arrays are printed: as Arrow's own printer does."""

from __future__ import annotations

import math
from typing import Any, Callable

import numpy as np

from . import _types as t


def _float(value: float) -> str:
    """The shortest digits; an exponent below 1e-5 and from 1e15 on."""
    if not math.isfinite(value):
        return "nan" if value != value else "inf" if value > 0 else "-inf"
    if value == 0:
        return "-0" if math.copysign(1, value) < 0 else "0"
    text = np.format_float_scientific(value, trim="-", unique=True)
    digits, _, power = text.partition("e")
    if -5 <= int(power) < 15:
        return np.format_float_positional(value, trim="-", unique=True)
    return f"{digits}e{int(power):+d}"


def _quoted(value: Any) -> str:
    return f'"{value}"'


def _hex(value: bytes) -> str:
    return value.hex().upper()


def _moment(type: Any) -> Callable[[Any], str]:
    unit = type.unit

    def text(value: Any) -> str:
        found = str(np.datetime64(int(value), unit)).replace("T", " ")
        return found + "Z" if type.tz else found
    return text


def _clock(type: Any) -> Callable[[Any], str]:
    def text(value: Any) -> str:
        return str(np.datetime64(int(value), type.unit)).split("T")[1]
    return text


def _day(value: Any) -> str:
    return str(np.datetime64(int(value), "D"))


def _milliday(value: Any) -> str:
    return _day(int(value) // 86_400_000)


def writer_of(type: Any) -> Callable[[Any], str]:
    """The function that prints a stored value of TYPE."""
    kind = type._kind
    if kind in t.FLOATS:
        return _float
    if kind in t.TEXTS:
        return _quoted
    if kind in t.BYTES:
        return _hex
    if kind == "timestamp":
        return _moment(type)
    if kind in ("time32", "time64"):
        return _clock(type)
    return {"date32": _day, "date64": _milliday,
            "bool": lambda value: str(bool(value)).lower()}.get(kind, str)


class _Lines:
    """The text of values, in lines or in one."""

    def __init__(self, window: int, containers: int, single: bool,
                 step: int) -> None:
        self.window, self.containers = window, containers
        self.single, self.step = single, step

    def new_line(self, indent: int) -> str:
        return "" if self.single else "\n" + " " * indent

    def block(self, texts: Callable[[int], str], size: int, indent: int,
              window: int) -> str:
        """'[', the items, those amid left out, and ']'."""
        if not size:
            return "[]"
        inner, parts = indent + self.step, []
        last = size - 1
        i = 0
        while i < size:
            if window <= i < size - window and size != 2 * window + 1:
                parts.append(self.new_line(inner) + "..." +
                             ("," if self.single else ""))
                i = size - window
                continue
            text = texts(i)
            start = "\n" if text[:1] == "\n" else self.new_line(inner)
            parts.append(start + text + ("," if i != last else ""))
            i += 1
        return "[" + "".join(parts) + self.new_line(indent) + "]"

    def array(self, one: Any, indent: int) -> str:
        kind = one.type._kind
        if kind == "dictionary":
            return self.dictionary(one, indent)
        if kind == "struct":
            return self.struct(one, indent)
        if kind in ("list", "map"):
            return self.lists(one, indent)
        write = writer_of(one.type)

        def text(i: int) -> str:
            if one._valid is not None and not one._valid[i]:
                return "null"
            return write(one._values[i])
        if kind == "null":
            return f"{len(one)} nulls" if len(one) else "[]"
        return self.block(text, len(one), indent, self.window)

    def lists(self, one: Any, indent: int) -> str:
        from ._build import array
        inner = t.struct(one.type._children()) if one.type._kind == "map" \
            else one.type.value_type

        def text(i: int) -> str:
            row = one._values[i]
            if row is None:
                return "null"
            if one.type._kind == "map":
                names = [child.name for child in inner]
                row = [dict(zip(names, pair)) for pair in row]
            return self.array(array(row, inner), indent + self.step)
        return self.block(text, len(one), indent, self.containers)

    def part(self, title: str, one: Any, indent: int) -> str:
        line = "\n" + " " * indent if not self.single else ""
        inner = "\n" + " " * (indent + self.step) if not self.single else ""
        return f"{line}{title}{inner}{self.array(one, indent + self.step)}"

    def dictionary(self, one: Any, indent: int) -> str:
        if self.single:
            return (f"  -- dictionary:\n{self.array(one.dictionary, 0)}"
                    f"  -- indices:\n{self.array(one.indices, 0)}")
        return self.part("-- dictionary:", one.dictionary, indent) + \
            self.part("-- indices:", one.indices, indent)

    def struct(self, one: Any, indent: int) -> str:
        if self.single:
            text = "\n  -- is_valid:" + (
                " all not null" if one._valid is None else
                "\n" + self.array(one.is_valid(), 0))
            return text + "".join(
                f"\n  -- child {i} type: {child.type}\n" +
                self.array(one.field(child.name), 0)
                for i, child in enumerate(one.type))
        if one._valid is None:
            text = "-- is_valid: all not null"
        else:
            text = "-- is_valid:" + self.new_line(
                indent + self.step) + self.array(one.is_valid(),
                                                 indent + self.step)
        for i, child in enumerate(one.type):
            text += self.part(f"-- child {i} type: {child.type}",
                              one.field(child.name), indent)
        return text


def array_text(one: Any, indent: int, window: int, containers: int,
               single: bool, step: int) -> str:
    pen = _Lines(window, containers, single, step)
    text = pen.array(one, indent)
    if one.type._kind in ("dictionary", "struct"):
        return text
    return ("" if single else " " * indent) + text


def chunks_text(chunks: list[Any], indent: int, window: int,
                containers: int, single: bool) -> str:
    """The text of a chunked array."""
    pen = _Lines(window, containers, single, 2)
    return ("" if single else " " * indent) + pen.block(
        lambda i: pen.array(chunks[i], indent + 2), len(chunks), indent,
        containers)
