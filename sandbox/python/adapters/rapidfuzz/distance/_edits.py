"""_edits - edits that make one sequence of another, as lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Iterator, Union


class _Fields:
    """A value that can be unpacked, indexed and compared with a tuple."""

    def _values(self) -> tuple[Any, ...]:
        return tuple(vars(self).values())

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values())

    def __len__(self) -> int:
        return len(self._values())

    def __getitem__(self, index: Any) -> Any:
        return self._values()[index]

    def __eq__(self, other: Any) -> bool:
        try:
            return len(other) == len(self) and self._values() == tuple(other)
        except TypeError:
            return False

    def __hash__(self) -> int:
        return hash(self._values())


@dataclass(eq=False)
class MatchingBlock(_Fields):
    """SIZE equal items."""

    a: int
    b: int
    size: int


@dataclass(eq=False)
class Editop(_Fields):
    """One edit of one item."""

    tag: str
    src_pos: int
    dest_pos: int


@dataclass(eq=False)
class Opcode(_Fields):
    """One edit of neighbouring items."""

    tag: str
    src_start: int
    src_end: int
    dest_start: int
    dest_end: int


@dataclass(eq=False)
class ScoreAlignment(_Fields):
    """The score of a part, and its places."""

    score: float
    src_start: int
    src_end: int
    dest_start: int
    dest_end: int


class _Edits:
    """What both lists have in common."""

    def __init__(self, found: Any = None, src_len: int = 0,
                 dest_len: int = 0) -> None:
        self._list = [self._one(item) for item in found or ()]
        self._src_len, self._dest_len = src_len, dest_len

    @staticmethod
    def _one(item: Any) -> Any:
        raise NotImplementedError

    src_len = property(lambda self: self._src_len)
    dest_len = property(lambda self: self._dest_len)

    def as_list(self) -> list[Any]:
        return [tuple(one) for one in self._list]

    def __len__(self) -> int:
        return len(self._list)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._list)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)(self._list[index], self._src_len,
                              self._dest_len)
        return self._list[index]

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, type(self)):
            return False
        return (self._src_len, self._dest_len, self._list) == (
            other._src_len, other._dest_len, other._list)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (f"{type(self).__name__}({self._list!r}, "
                f"src_len={self._src_len}, dest_len={self._dest_len})")

    def copy(self) -> Any:
        return type(self)(self._list, self._src_len, self._dest_len)

    def inverse(self) -> Any:
        """The edits that lead back."""
        other = {"insert": "delete", "delete": "insert"}
        back = []
        for tag, *at in self._list:
            half = len(at) // 2
            back.append((other.get(tag, tag), *at[half:], *at[:half]))
        return type(self)(back, self._dest_len, self._src_len)


class Editops(_Edits):
    """Edits of single items, in the order of their places."""

    @staticmethod
    def _one(item: Any) -> Editop:
        return Editop(*item)

    @classmethod
    def from_opcodes(cls, opcodes: "Opcodes") -> "Editops":
        return opcodes.as_editops()

    def as_opcodes(self) -> "Opcodes":
        """With the equal parts, and neighbours joined."""
        found: list[tuple[str, int, int, int, int]] = []
        src = dest = at = 0
        while at < len(self._list):
            tag, one, two = self._list[at]
            if (one, two) != (src, dest):
                found.append(("equal", src, one, dest, two))
            src, dest = one, two
            while at < len(self._list) and self._list[at] == (tag, src, dest):
                src += tag != "insert"
                dest += tag != "delete"
                at += 1
            found.append((tag, one, src, two, dest))
        if (src, dest) != (self._src_len, self._dest_len):
            found.append(("equal", src, self._src_len, dest, self._dest_len))
        return Opcodes(found, self._src_len, self._dest_len)

    def as_matching_blocks(self) -> list[MatchingBlock]:
        return self.as_opcodes().as_matching_blocks()

    def remove_subsequence(self, subsequence: "Editops") -> "Editops":
        raise NotImplementedError("Editops.remove_subsequence is not here; "
                                  "apply() and inverse() are")

    def apply(self, source_string: str, destination_string: str) -> str:
        return self.as_opcodes().apply(source_string, destination_string)


class Opcodes(_Edits):
    """Edits of neighbouring items, with the equal parts."""

    @staticmethod
    def _one(item: Any) -> Opcode:
        return Opcode(*item)

    @classmethod
    def from_editops(cls, editops: Editops) -> "Opcodes":
        return editops.as_opcodes()

    def as_editops(self) -> Editops:
        found = []
        for tag, one, one_end, two, two_end in self._list:
            if tag == "equal":
                continue
            for at in range(max(one_end - one, two_end - two)):
                found.append((tag, one + (at if tag != "insert" else 0),
                              two + (at if tag != "delete" else 0)))
        return Editops(found, self._src_len, self._dest_len)

    def as_matching_blocks(self) -> list[MatchingBlock]:
        found = [MatchingBlock(one, two, end - one) for tag, one, end, two, _
                 in self._list if tag == "equal" and end > one]
        return found + [MatchingBlock(self._src_len, self._dest_len, 0)]

    def apply(self, source_string: str, destination_string: str) -> str:
        """SOURCE_STRING with the edits, out of DESTINATION_STRING."""
        found = []
        for tag, one, one_end, two, two_end in self._list:
            if tag == "equal":
                found.append(source_string[one:one_end])
            elif tag != "delete":
                found.append(destination_string[two:two_end])
        return "".join(found)


Edits = Union[Editops, Opcodes]


def backtrack(one: Any, two: Any, begin: int, end: int,
              deleted: Callable[[int, int], Any],
              inserted: Callable[[int, int], Any]) -> Editops:
    """The edits that make TWO of ONE, from their last items to the first.
    BEGIN and END items are common at the ends. DELETED(row, col) and
    INSERTED(row, col) tell the step at an item of TWO and one of ONE, both
    counted from BEGIN."""
    col, row = len(one) - begin - end, len(two) - begin - end
    found = []
    while row and col:
        if deleted(row - 1, col - 1):
            col -= 1
            found.append(("delete", col + begin, row + begin))
            continue
        row -= 1
        if row and inserted(row - 1, col - 1):
            found.append(("insert", col + begin, row + begin))
            continue
        col -= 1
        if one[begin + col] != two[begin + row]:
            found.append(("replace", col + begin, row + begin))
    while col:
        col -= 1
        found.append(("delete", col + begin, row + begin))
    while row:
        row -= 1
        found.append(("insert", col + begin, row + begin))
    return Editops(found[::-1], len(one), len(two))
