"""_words - linear expressions over integer variables, domains, bounds."""

from __future__ import annotations

import numbers
from typing import Any, Iterable, Sequence

INT_MIN, INT_MAX = -(2 ** 63), 2 ** 63 - 1
INT32_MIN, INT32_MAX = -(2 ** 31), 2 ** 31 - 1
Spans = list[tuple[int, int]]


def whole(value: Any, what: str = "a constant") -> int:
    """VALUE as int; TypeError if it is none."""
    if isinstance(value, numbers.Integral) or (
            hasattr(value, "dtype") and getattr(value, "ndim", 1) == 0
            and value.dtype.kind in "iub"):
        return int(value)
    raise TypeError(f"{what} is no integer: {value!r}")


def merged(spans: Iterable[Sequence[int]]) -> Spans:
    """SPANS in order, those that touch joined."""
    found: Spans = []
    for low, high in sorted((int(one[0]), int(one[-1])) for one in spans):
        if low > high:
            continue
        if found and low <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(high, found[-1][1]))
        else:
            found.append((low, high))
    return found


def shown(spans: Spans) -> str:
    return ", ".join(str(low) if low == high else f"{low}..{high}"
                     for low, high in spans)


class Domain:
    """A set of integers, as spans."""

    def __init__(self, *bounds: int) -> None:
        self._spans: Spans = []
        if bounds:
            self._spans = merged([(bounds[0], bounds[-1])])

    @classmethod
    def from_intervals(cls, intervals: Iterable[Sequence[int]]) -> "Domain":
        found = cls()
        found._spans = merged(intervals)
        return found

    @classmethod
    def from_values(cls, values: Iterable[int]) -> "Domain":
        return cls.from_intervals([(one, one) for one in values])

    @classmethod
    def from_flat_intervals(cls, flat: Sequence[int]) -> "Domain":
        return cls.from_intervals(list(zip(flat[::2], flat[1::2])))

    @classmethod
    def all_values(cls) -> "Domain":
        return cls(INT_MIN, INT_MAX)

    def flattened_intervals(self) -> list[int]:
        return [bound for span in self._spans for bound in span]

    def size(self) -> int:
        return sum(high - low + 1 for low, high in self._spans)

    def min(self) -> int:
        return self._spans[0][0]

    def max(self) -> int:
        return self._spans[-1][1]

    def is_empty(self) -> bool:
        return not self._spans

    def contains(self, value: int) -> bool:
        return any(low <= value <= high for low, high in self._spans)

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Domain) and self._spans == other._spans

    __hash__ = None                                 # type: ignore[assignment]

    def __str__(self) -> str:
        return "".join(f"[{low}]" if low == high else f"[{low},{high}]"
                       for low, high in self._spans) or "[]"

    def __repr__(self) -> str:
        return f"Domain({self.flattened_intervals()})"

    FromIntervals, FromValues = from_intervals, from_values
    FromFlatIntervals, AllValues = from_flat_intervals, all_values
    FlattenedIntervals, Size, Min, Max = flattened_intervals, size, min, max
    IsEmpty, Contains = is_empty, contains


class LinearExpr:
    """A sum of variables with coefficients, and a constant."""

    def _parts(self) -> list[tuple[Any, Any]]:
        """Expressions or numbers, each with a coefficient."""
        raise NotImplementedError

    def _flat(self) -> tuple[dict[Any, Any], Any]:
        """Coefficients by variable, and the constant."""
        terms: dict[Any, Any] = {}
        constant: Any = 0
        rest: list[tuple[Any, Any]] = [(self, 1)]
        while rest:
            one, factor = rest.pop()
            if isinstance(one, IntVar):
                terms[one._index] = terms.get(one._index, 0) + factor
            elif isinstance(one, LinearExpr):
                rest += [(part, factor * by) for part, by in one._parts()]
            else:
                constant += factor * one
        return terms, constant

    def _variables(self) -> list[Any]:
        found, rest = {}, [self]
        while rest:
            one = rest.pop()
            if isinstance(one, IntVar):
                found[one._index] = one
            elif isinstance(one, LinearExpr):
                rest += [part for part, _ in one._parts()]
        return list(found.values())

    def __str__(self) -> str:
        terms, constant = self._flat()
        names = {one._index: str(one) for one in self._variables()}
        words = [names[var] if by == 1 else f"-{names[var]}" if by == -1
                 else f"({by} * {names[var]})" for var, by in
                 sorted(terms.items()) if by]
        if constant or not words:
            words.append(str(constant))
        text = " + ".join(words).replace("+ -", "- ")
        return text if len(words) == 1 else f"({text})"

    __repr__ = __str__

    @classmethod
    def sum(cls, *items: Any) -> Any:
        """The sum of a list, or of the arguments."""
        return _Sum(_listed(items))

    @classmethod
    def weighted_sum(cls, items: Iterable[Any], factors: Iterable[Any]) -> Any:
        left, right = list(items), list(factors)
        if len(left) != len(right):
            raise ValueError("weighted_sum() needs as many coefficients as "
                             f"expressions: {len(right)}, {len(left)}")
        return _Sum([_number(by) * one for one, by in zip(left, right)])

    @classmethod
    def term(cls, item: Any, factor: Any) -> Any:
        return item * factor

    @classmethod
    def affine(cls, item: Any, factor: Any, constant: Any) -> Any:
        return item * factor + constant

    Sum, WeightedSum, Term, Affine = sum, weighted_sum, term, affine
    ScalProd = weighted_sum

    def __add__(self, other: Any) -> Any:
        return _Sum([self, other])

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return _Sum([self, _Product(_operand(other), -1)])

    def __rsub__(self, other: Any) -> Any:
        return _Sum([_Product(self, -1), other])

    def __mul__(self, factor: Any) -> Any:
        return _Product(self, _number(factor))

    __rmul__ = __mul__

    def __neg__(self) -> Any:
        return _Product(self, -1)

    def __eq__(self, other: Any) -> Any:
        if not _is_operand(other):
            return False
        return BoundedLinearExpression(self - other, [(0, 0)])

    def __ne__(self, other: Any) -> Any:
        if not _is_operand(other):
            return True
        return BoundedLinearExpression(
            self - other, [(INT_MIN, -1), (1, INT_MAX)])

    def __le__(self, other: Any) -> Any:
        return BoundedLinearExpression(self - other, [(INT_MIN, 0)])

    def __lt__(self, other: Any) -> Any:
        return BoundedLinearExpression(self - other, [(INT_MIN, -1)])

    def __ge__(self, other: Any) -> Any:
        return BoundedLinearExpression(self - other, [(0, INT_MAX)])

    def __gt__(self, other: Any) -> Any:
        return BoundedLinearExpression(self - other, [(1, INT_MAX)])

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise NotImplementedError(
            "a linear expression has no truth value before it is solved; use "
            "solver.value(), or only_enforce_if() for conditions")


def _refuse(sign: str, instead: str) -> Any:
    def method(self: Any, *_others: Any) -> Any:
        raise NotImplementedError(
            f"{sign} of a linear expression is not linear; use {instead}")
    return method


for _name, _sign, _instead in (
        ("truediv", "/", "model.add_division_equality"),
        ("floordiv", "//", "model.add_division_equality"),
        ("mod", "%", "model.add_modulo_equality"),
        ("pow", "**", "model.add_multiplication_equality"),
        ("abs", "abs()", "model.add_abs_equality"),
        ("and", "&", "model.add_bool_and"), ("or", "|", "model.add_bool_or"),
        ("xor", "^", "model.add_bool_xor")):
    setattr(LinearExpr, f"__{_name}__", _refuse(_sign, _instead))


def _is_operand(value: Any) -> bool:
    return isinstance(value, (LinearExpr, numbers.Number)) or (
        hasattr(value, "dtype") and getattr(value, "ndim", 1) == 0)


def _operand(value: Any) -> Any:
    if isinstance(value, (LinearExpr, int)):
        return value
    return _number(value)


def _number(value: Any) -> Any:
    """VALUE as a Python number."""
    if isinstance(value, LinearExpr):
        raise TypeError("a product of two variables is not linear; use "
                        "model.add_multiplication_equality")
    if not _is_operand(value) or isinstance(value, complex):
        raise TypeError(f"not a number or linear expression: {value!r}")
    return int(value) if isinstance(value, numbers.Integral) or (
        getattr(getattr(value, "dtype", None), "kind", "") in "iub"
        and hasattr(value, "dtype")) else float(value)


def _listed(items: Sequence[Any]) -> list[Any]:
    """The items of one list, or of the arguments."""
    if len(items) == 1 and not _is_operand(items[0]):
        return list(items[0])
    return list(items)


class _Sum(LinearExpr):
    def __init__(self, items: list[Any]) -> None:
        self._items = [_operand(one) for one in items]

    def _parts(self) -> list[tuple[Any, Any]]:
        return [(one, 1) for one in self._items]


class _Product(LinearExpr):
    def __init__(self, item: Any, factor: Any) -> None:
        self._item, self._factor = item, factor

    def _parts(self) -> list[tuple[Any, Any]]:
        return [(self._item, self._factor)]


class IntVar(LinearExpr):
    """A variable of a model."""

    def __init__(self, index: int, spans: Spans, name: str) -> None:
        self._index, self._spans, self._name = index, spans, name or ""
        self._inverse: Any = None

    @property
    def index(self) -> int:
        return self._index

    @property
    def name(self) -> str:
        return self._name

    @property
    def domain(self) -> Domain:
        return Domain.from_intervals(self._spans)

    def _is_bool(self) -> bool:
        return bool(self._spans) and self._spans[0][0] >= 0 and \
            self._spans[-1][1] <= 1

    def negated(self) -> Any:
        if not self._is_bool():
            raise TypeError(
                f"cannot call negated on a non boolean variable: {self}")
        if self._inverse is None:
            self._inverse = NotBooleanVariable(self)
        return self._inverse

    __invert__ = Not = negated

    def Index(self) -> int:
        return self._index

    def Name(self) -> str:
        return self._name

    def __str__(self) -> str:
        if self._name:
            return self._name
        if len(self._spans) == 1 and self._spans[0][0] == self._spans[0][1]:
            return str(self._spans[0][0])
        return f"unnamed_var_{self._index}"

    def __repr__(self) -> str:
        return f"{self._name}({shown(self._spans)})"

    __hash__ = object.__hash__


class NotBooleanVariable(LinearExpr):
    """1 where its variable is 0."""

    def __init__(self, variable: IntVar) -> None:
        self._variable = variable

    @property
    def index(self) -> int:
        return -self._variable._index - 1

    @property
    def name(self) -> str:
        return f"not({self._variable})"

    def _parts(self) -> list[tuple[Any, Any]]:
        return [(1, 1), (self._variable, -1)]

    def negated(self) -> IntVar:
        return self._variable

    __invert__ = Not = negated

    def Index(self) -> int:
        return self.index

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__
    __hash__ = object.__hash__


class BoundedLinearExpression:
    """An expression, and the spans of its allowed values."""

    def __init__(self, expr: Any, spans: Any) -> None:
        if isinstance(spans, Domain):
            spans = spans._spans
        elif spans and not isinstance(spans[0], tuple):
            spans = list(zip(spans[::2], spans[1::2]))
        self._expr, self._spans = expr, spans

    def __bool__(self) -> bool:
        """For `in` and list.index(): whether both sides are one variable."""
        terms, constant = self._expr._flat()
        left = [by for by in terms.values() if by]
        equal = self._spans == [(0, 0)]
        if not constant and (equal or len(self._spans) == 2):
            if not left:
                return equal
            if sorted(left) == [-1, 1]:
                return not equal
        raise NotImplementedError(
            f"the constraint {self} has no truth value; give each one to "
            "model.add(), and a <= x <= b in two parts")

    def __str__(self) -> str:
        low, high = self._spans[0][0], self._spans[-1][1]
        if len(self._spans) == 2:
            return f"{self._expr} != {self._spans[0][1] + 1}"
        if low == high:
            return f"{self._expr} == {low}"
        if low == INT_MIN:
            return f"{self._expr} <= {high}"
        if high == INT_MAX:
            return f"{self._expr} >= {low}"
        return f"{low} <= {self._expr} <= {high}"

    __repr__ = __str__
