"""_expr - expressions: trees that say how columns are made of columns.

A node is an operation of _registry on its arguments, or one of these: col (a
column), cols (some columns, by a picker), lit, len, alias, rename, over.
"""

from __future__ import annotations

import re
from typing import Any, Callable

from . import _types as t
from ._series import Series, as_series
from .exceptions import not_here


class Expr:
    """An expression."""

    __slots__ = ("op", "args", "more")
    __hash__ = None  # type: ignore[assignment]
    _accessors = frozenset({"str", "dt", "list", "struct", "cat", "name"})

    def __init__(self, op: str, args: tuple[Any, ...] = (),
                 more: Any = None) -> None:
        self.op, self.args, self.more = op, args, more or {}

    def alias(self, name: str) -> "Expr":
        return Expr("alias", (self, name))

    def cast(self, dtype: Any, *, strict: bool = True) -> "Expr":
        return Expr("cast", (self, t.as_dtype(dtype)), {"strict": strict})

    def over(self, partition_by: Any = None, *more_exprs: Any,
             order_by: Any = None, descending: bool = False,
             nulls_last: bool = False,
             mapping_strategy: str = "group_to_rows") -> "Expr":
        if mapping_strategy == "explode":
            raise not_here("over(mapping_strategy='explode')")
        keys = [] if partition_by is None else exprs_of(partition_by)
        by = [] if order_by is None else exprs_of(order_by)
        return Expr("over", (self, keys + exprs_of(*more_exprs), by),
                    {"descending": descending, "nulls_last": nulls_last,
                     "lists": mapping_strategy == "join"})

    def exclude(self, columns: Any, *more: Any) -> "Expr":
        if self.op != "cols":
            raise TypeError("`exclude` needs an expression of many columns")
        return Expr("cols", (self.args[0].without(picker_of(columns, *more)),))

    def filter(self, *predicates: Any, **constraints: Any) -> "Expr":
        tests = predicates_of(predicates, constraints)
        return Expr("filter", (self, *tests))

    def pipe(self, function: Callable[..., Any], *args: Any,
             **more: Any) -> Any:
        return function(self, *args, **more)

    def meta_name(self) -> str:
        from ._eval import name_of
        return name_of(self)

    @property
    def meta(self) -> Any:
        return _Meta(self)

    def rolling(self, *_: Any, **__: Any) -> Any:
        raise not_here("Expr.rolling", "rolling_mean and the like")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any,
                        **more: Any) -> Any:
        """np.log(pl.col("a")) and the like."""
        if method != "__call__" or more or len(inputs) != 1:
            return NotImplemented
        return self.map_batches(ufunc)  # type: ignore[operator]

    def __bool__(self) -> bool:
        raise TypeError(
            "the truth value of an Expr is ambiguous\n\nYou probably got here "
            "by using a Python standard library function instead of the native"
            " expressions API.\nHere are some things you might want to try:\n"
            "- instead of `pl.col('a') and pl.col('b')`, use `pl.col('a') & "
            "pl.col('b')`\n- instead of `pl.col('a') in [y, z]`, use "
            "`pl.col('a').is_in([y, z])`\n- instead of `max(pl.col('a'), "
            "pl.col('b'))`, use `pl.max_horizontal(pl.col('a'), "
            "pl.col('b'))`\n")

    def __iter__(self) -> Any:
        raise TypeError("'Expr' object is not iterable")

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"'Expr' object has no attribute {name!r}")

    def __repr__(self) -> str:
        return text_of(self)

    def __invert__(self) -> "Expr":
        return Expr("not_", (self,))

    def __neg__(self) -> "Expr":
        return Expr("neg", (self,))

    def __pos__(self) -> "Expr":
        return self

    def __abs__(self) -> "Expr":
        return Expr("abs", (self,))


class _Meta:
    def __init__(self, of: Expr) -> None:
        self.of = of

    def output_name(self) -> str:
        return self.of.meta_name()

    def root_names(self) -> list[str]:
        from ._eval import leaves
        return [one.args[0] for one in leaves(self.of) if one.op == "col"]


_SIGNS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/",
          "floordiv": "//", "mod": "%", "pow": ".pow", "eq": "==",
          "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
          "and_": "&", "or_": "|", "xor": "^"}


def _literal_text(series: Any) -> str:
    if len(series) != 1:
        return "Series"
    value = series.to_list()[0]
    kind = {int: "dyn int: ", float: "dyn float: "}.get(type(value), "")
    return f"{kind}{value!r}" if kind or value is not None else "null"


def text_of(expr: Any) -> str:
    """About as polars prints an expression."""
    if not isinstance(expr, Expr):
        return repr(expr)
    if expr.op == "col":
        return f'col("{expr.args[0]}")'
    if expr.op == "cols":
        return "*"
    if expr.op == "lit":
        return _literal_text(expr.args[0])
    if expr.op in _SIGNS:
        sign = _SIGNS[expr.op]
        return f"[({text_of(expr.args[0])}) {sign} ({text_of(expr.args[1])})]"
    rest = ", ".join(map(text_of, expr.args[1:]))
    head = text_of(expr.args[0]) if expr.args else ""
    return f"{head}.{expr.op.strip('_')}({rest})"


def _operator(word: str, swap: bool = False) -> Any:
    def method(self: Expr, other: Any) -> Expr:
        other = literal(other)
        return Expr(word, (other, self) if swap else (self, other))
    return method


for _word in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow"):
    setattr(Expr, f"__{_word}__", _operator(_word))
    setattr(Expr, f"__r{_word}__", _operator(_word, True))
for _word in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Expr, f"__{_word}__", _operator(_word))
for _word in ("and", "or", "xor"):
    _inner = _word if _word == "xor" else _word + "_"
    setattr(Expr, f"__{_word}__", _operator(_inner))
    setattr(Expr, f"__r{_word}__", _operator(_inner, True))


# -- pickers: the columns that an expression is repeated for


class Picker:
    """Tells for a name and a type of a column whether it is picked."""

    def __init__(self, test: Callable[[str, Any], bool],
                 names: Any = None) -> None:
        self.test, self.names = test, names

    def pick(self, schema: dict[str, Any]) -> list[str]:
        if self.names is not None:
            return [name for name in self.names]
        return [name for name, kind in schema.items()
                if self.test(name, kind)]

    def without(self, other: "Picker") -> "Picker":
        names = self.names and [one for one in self.names
                                if not other.test(one, t.Null())]
        return Picker(lambda name, kind: self.test(name, kind) and
                      not other.test(name, kind), names)


def everything() -> Picker:
    return Picker(lambda name, kind: True)


def _is_pattern(name: Any) -> bool:
    return isinstance(name, str) and name.startswith("^") and \
        name.endswith("$")


def flat(*values: Any) -> list[Any]:
    """VALUES, with the lists among them opened."""
    found: list[Any] = []
    for one in values:
        if isinstance(one, (list, tuple, set, frozenset, dict)) or \
                hasattr(one, "__next__") or type(one).__name__ in (
                    "dict_keys", "dict_values"):
            found += flat(*one)
        else:
            found.append(one)
    return found


def picker_of(*wanted: Any) -> Picker:
    """Names, patterns, types and selectors as one picker."""
    tests: list[Callable[[str, Any], bool]] = []
    names: list[str] = []
    plain = True
    for one in flat(*wanted):
        if isinstance(one, Expr):
            plain = False
            if one.op == "col":
                tests.append(lambda name, kind, at=one.args[0]: name == at)
            elif one.op == "cols":
                tests.append(one.args[0].test)
            else:
                raise TypeError(f"cannot exclude {one!r}")
        elif _is_pattern(one):
            plain = False
            find = re.compile(one).search
            tests.append(lambda name, kind, find=find: bool(find(name)))
        elif isinstance(one, str):
            names.append(one)
            tests.append(lambda name, kind, at=one: name == at)
        else:
            plain = False
            tests.append(lambda name, kind, at=t.as_dtype(one),
                         given=one: kind == (given if isinstance(given, type)
                                             and issubclass(given, t.DataType)
                                             else at))
    return Picker(lambda name, kind: any(test(name, kind) for test in tests),
                  names if plain else None)


def column(name: Any, *more: Any) -> Expr:
    wanted = flat(name, *more)
    if len(wanted) == 1 and isinstance(wanted[0], str) and not more and \
            not isinstance(name, (list, tuple)) and \
            not _is_pattern(wanted[0]):
        return Expr("cols", (everything(),)) if wanted[0] == "*" else \
            Expr("col", (wanted[0],))
    return Expr("cols", (picker_of(*wanted),))


# -- values as expressions


def literal(value: Any, dtype: Any = None) -> Expr:
    """VALUE as an expression; a text is itself."""
    if isinstance(value, Expr):
        return value
    if hasattr(value, "_chain"):        # when().then(), without otherwise()
        return value._chain()
    if isinstance(value, (list, tuple)):
        series = Series("literal", [list(value)])
    elif value.__class__.__module__ == "numpy" and \
            getattr(value, "ndim", 0) == 0:
        series = as_series(value.item())
    else:
        series = as_series(value)
    if dtype is not None:
        series = series.cast(dtype)
    return Expr("lit", (series,))


def expr_of(value: Any) -> Expr:
    """VALUE as an expression; a text is a column's name."""
    if isinstance(value, str):
        return column(value)
    return literal(value)


def exprs_of(*values: Any, **named: Any) -> list[Expr]:
    found = []
    for one in values:
        many = isinstance(one, (list, tuple, set)) or hasattr(one, "__next__")
        found += [expr_of(each) for each in (one if many else [one])]
    return found + [expr_of(one).alias(name) for name, one in named.items()]


def predicates_of(predicates: Any, constraints: dict[str, Any]) -> list[Expr]:
    """Tests, and columns that must have values, as expressions."""
    found = []
    for one in predicates:
        if isinstance(one, (list, tuple)) and not all(
                isinstance(each, bool) for each in one) or \
                hasattr(one, "__next__"):
            found += [expr_of(each) for each in one]
        elif isinstance(one, (list, tuple)) or \
                type(one).__name__ == "ndarray":
            found.append(literal(Series("", list(one))))
        else:
            found.append(expr_of(one))
    return found + [column(name) == value
                    for name, value in constraints.items()]
