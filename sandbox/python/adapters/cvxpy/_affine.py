"""_affine - sums, products and everything else that is affine.

An array is flattened by rows. An affine function of its arguments is a sparse
matrix for each of them.
"""

from __future__ import annotations

import builtins
from typing import Any, Callable, Optional, Sequence

import numpy as np
import scipy.sparse as sp

from ._expression import Expression, Shape, once
from ._leaves import Constant, shape_of


def expression(given: Any) -> Expression:
    """GIVEN, or a constant of its value."""
    return given if isinstance(given, Expression) else Constant(given)


def bracketed(part: Expression) -> str:
    text = part.name()
    return f"({text})" if isinstance(part, (Add, Quotient)) else text


class Add(Expression):
    """The sum of arguments that have one shape."""

    def __init__(self, args: list[Expression]) -> None:
        self.args, self.shape = args, args[0].shape

    def _numeric(self, values: list[Any]) -> Any:
        total = values[0]
        for value in values[1:]:
            total = total + value
        return total

    @once
    def is_nonneg(self) -> bool:
        return all(arg.is_nonneg() for arg in self.args)

    @once
    def is_nonpos(self) -> bool:
        return all(arg.is_nonpos() for arg in self.args)

    def is_atom_convex(self) -> bool:
        return True

    is_atom_concave = is_atom_convex

    def rising(self) -> list[int]:
        return [1] * len(self.args)

    @once
    def is_quadratic(self) -> bool:
        return all(arg.is_quadratic() for arg in self.args)

    @once
    def is_psd(self) -> bool:
        return all(arg.is_psd() for arg in self.args)

    @once
    def is_nsd(self) -> bool:
        return all(arg.is_nsd() for arg in self.args)

    def is_symmetric(self) -> bool:
        return self.is_scalar() or all(a.is_symmetric() for a in self.args)

    def name(self) -> str:
        return " + ".join(arg.name() for arg in self.args)


class Linear(Expression):
    """A sum of one constant matrix times each argument."""

    def __init__(self, text: str, args: Sequence[Expression], shape: Shape,
                 maps: Sequence[Any]) -> None:
        self.args, self.shape, self._text = list(args), shape, text
        self.maps = list(maps)

    def _numeric(self, values: list[Any]) -> Any:
        total = builtins.sum(matrix @ np.ravel(value) for matrix, value in
                             zip(self.maps, values))
        return np.reshape(total, self.shape)

    @once
    def rising(self) -> list[int]:
        return [1 if not matrix.nnz or matrix.data.min() >= 0 else
                -1 if matrix.data.max() <= 0 else 0 for matrix in self.maps]

    def _signs(self, way: int) -> bool:
        return all(arg.is_zero() or
                   (arg.is_nonneg() if rise == way else
                    arg.is_nonpos() if rise == -way else False)
                   for arg, rise in zip(self.args, self.rising()))

    @once
    def is_nonneg(self) -> bool:
        return self._signs(1)

    @once
    def is_nonpos(self) -> bool:
        return self._signs(-1)

    def is_atom_convex(self) -> bool:
        return True

    is_atom_concave = is_atom_convex

    @once
    def is_quadratic(self) -> bool:
        return all(arg.is_quadratic() for arg in self.args)

    def _of_square(self, what: str) -> bool:
        """Of a negated or transposed matrix."""
        opposite = {"is_psd": "is_nsd", "is_nsd": "is_psd"}
        if self._text == "-{}":
            return bool(getattr(self.args[0], opposite[what])())
        return self._text == "{}.T" and bool(getattr(self.args[0], what)())

    @once
    def is_psd(self) -> bool:
        return self._of_square("is_psd") or \
            self.is_scalar() and self.is_nonneg()

    @once
    def is_nsd(self) -> bool:
        return self._of_square("is_nsd") or \
            self.is_scalar() and self.is_nonpos()

    def is_symmetric(self) -> bool:
        return self.is_scalar() or self._text in ("-{}", "{}.T") and \
            self.args[0].is_symmetric()

    def name(self) -> str:
        if self._text in ("-{}", "{}.T"):
            return self._text.format(bracketed(self.args[0]))
        return self._text.format(", ".join(a.name() for a in self.args))


class Product(Expression):
    """Of entries (*) or of matrices (@); one argument is constant in DCP."""

    def __init__(self, operator: str, left: Expression,
                 right: Expression, shape: Shape) -> None:
        self.operator, self.args, self.shape = operator, [left, right], shape

    def _numeric(self, values: list[Any]) -> Any:
        return values[0] @ values[1] if self.operator == "@" else \
            values[0] * values[1]

    def _same(self, way: bool) -> bool:
        """Is the sign of the product known to be that of WAY?"""
        left, right = self.args
        if left.is_zero() or right.is_zero():
            return True
        same = left.is_nonneg() and right.is_nonneg() or \
            left.is_nonpos() and right.is_nonpos()
        other = left.is_nonneg() and right.is_nonpos() or \
            left.is_nonpos() and right.is_nonneg()
        return same if way else other

    @once
    def is_nonneg(self) -> bool:
        return self._same(True)

    @once
    def is_nonpos(self) -> bool:
        return self._same(False)

    def is_atom_convex(self) -> bool:
        return any(arg.is_constant() for arg in self.args)

    is_atom_concave = is_atom_convex

    def rising(self) -> list[int]:
        return [1 if other.is_nonneg() else -1 if other.is_nonpos() else 0
                for other in reversed(self.args)]

    @once
    def is_quadratic(self) -> bool:
        return self.is_atom_convex() and all(
            arg.is_quadratic() for arg in self.args)

    def _definite(self, same: str, opposite: str) -> bool:
        """Of a number times a matrix."""
        if self.operator == "@" or self.ndim != 2:
            return self.is_scalar() and (
                self.is_nonneg() if same == "is_psd" else self.is_nonpos())
        for number, matrix in (self.args, self.args[::-1]):
            if number.is_constant() and isinstance(number, Linear) and \
                    number._text == "Promote({})":
                return bool(number.is_nonneg() and getattr(matrix, same)() or
                            number.is_nonpos() and
                            getattr(matrix, opposite)())
        return False

    @once
    def is_psd(self) -> bool:
        return self._definite("is_psd", "is_nsd") or self._gram()

    @once
    def is_nsd(self) -> bool:
        return self._definite("is_nsd", "is_psd")

    def _gram(self) -> bool:
        """Is it constant, and its value semidefinite?"""
        return self.is_constant() and not self.parameters() and \
            Constant(self.value).is_psd()

    def is_symmetric(self) -> bool:
        return self.is_scalar() or self.operator == "*" and all(
            arg.is_symmetric() or getattr(arg, "_text", "") == "Promote({})"
            for arg in self.args)

    def matrix(self) -> tuple[Any, Expression]:
        """The matrix of the argument that is not constant, and that."""
        left, right = self.args
        fixed, free = (left, right) if left.is_constant() else (right, left)
        value = fixed.value
        if self.operator == "*":
            return sp.diags(np.ravel(value)), free
        if fixed is left:
            columns = free.shape[1] if free.ndim == 2 else 1
            return sp.kron(np.atleast_2d(value), sp.identity(columns),
                           "csr"), free
        rows = free.shape[0] if free.ndim == 2 else 1
        matrix = value.reshape(-1, 1) if value.ndim == 1 else value
        return sp.kron(sp.identity(rows), matrix.T, "csr"), free

    def name(self) -> str:
        shown = [arg.args[0] if getattr(arg, "_text", "") == "Promote({})"
                 else arg for arg in self.args]
        return f" {self.operator} ".join(map(bracketed, shown))


class Quotient(Expression):
    """Of two expressions. DCP only if it is constant."""

    def __init__(self, left: Expression, right: Expression) -> None:
        self.args, self.shape = [left, right], left.shape

    def _numeric(self, values: list[Any]) -> Any:
        return values[0] / values[1]

    is_nonneg = Product.is_nonneg
    is_nonpos = Product.is_nonpos
    _same = Product._same

    def name(self) -> str:
        return " / ".join(map(bracketed, self.args))


# Places of entries.

def gather(text: str, args: Sequence[Any], places: np.ndarray) -> Linear:
    """Entries of ARGS, one after another, at PLACES; -1 is a zero."""
    parts = [expression(arg) for arg in args]
    if places.ndim > 2:
        raise NotImplementedError(f"{places.ndim} dimensions are not here; "
                                  "use a list of matrices")
    sizes = np.cumsum([0] + [part.size for part in parts])
    flat = places.ravel()
    rows = np.flatnonzero(flat >= 0)
    whole = sp.csr_matrix(
        (np.ones(len(rows)), (rows, flat[rows])), (flat.size, sizes[-1]))
    maps = [whole] if len(parts) == 1 else [
        whole[:, start:end] for start, end in zip(sizes, sizes[1:])]
    return Linear(text, parts, tuple(map(int, places.shape)), maps)


def places_of(part: Expression) -> np.ndarray:
    return np.arange(part.size).reshape(part.shape)


def broadcast(part: Expression, shape: Shape) -> Expression:
    if part.shape == shape:
        return part
    return gather("Promote({})", [part],
                  np.broadcast_to(places_of(part), shape))


def common_shape(parts: Sequence[Expression]) -> Shape:
    shapes = [part.shape for part in parts]
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise ValueError("Cannot broadcast dimensions " +
                         " ".join(map(str, shapes))) from None


def index(part: Expression, key: Any) -> Expression:
    if isinstance(key, Expression):
        raise TypeError("an index is a number, a slice or an array, no "
                        "expression")
    places = np.asarray(places_of(part)[key])
    keys = key if isinstance(key, tuple) else (key,)
    text = ", ".join(_key_text(one) for one in keys)
    inner = bracketed(part).replace("{", "{{").replace("}", "}}")
    found = gather("", [part], places)
    found._text = f"{inner}[{text}]"
    return found


def _key_text(key: Any) -> str:
    if isinstance(key, slice):
        ends = ["" if end is None else str(end)
                for end in (key.start, key.stop)]
        return ":".join(ends + ([str(key.step)] if key.step else []))
    return str(key)


def transpose(given: Any) -> Expression:
    part = expression(given)
    if part.ndim < 2:
        return part
    return gather("{}.T", [part], places_of(part).T)


def reshape(given: Any, shape: Any, order: str = "F") -> Expression:
    part = expression(given)
    if order not in ("F", "C"):
        raise ValueError(f"order is 'F' or 'C', not {order!r}")
    sides = (shape,) if np.ndim(shape) == 0 else tuple(shape)
    if -1 not in sides:
        sides = shape_of(sides)
    try:
        places = places_of(part).reshape(sides, order=order)
    except ValueError:
        raise ValueError(
            f"Invalid reshape dimensions {part.shape} -> {sides}.") from None
    return gather("reshape({})", [part], places)


def vec(given: Any, order: str = "F") -> Expression:
    return reshape(given, (expression(given).size,), order)


def _stacked(name: str, args: Any, join: Callable[..., Any]) -> Expression:
    if isinstance(args, (Expression, np.ndarray)):
        args = list(args)
    parts = [expression(arg) for arg in args]
    starts = np.cumsum([0] + [part.size for part in parts])
    try:
        places = join([places_of(part) + start
                       for part, start in zip(parts, starts)])
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    return gather(name + "({})", parts, places)


def hstack(args: Any) -> Expression:
    return _stacked("Hstack", args, np.hstack)


def vstack(args: Any) -> Expression:
    return _stacked("Vstack", args, np.vstack)


def concatenate(args: Any, axis: Optional[int] = 0) -> Expression:
    return _stacked("Concatenate", args,
                    lambda parts: np.concatenate(parts, axis))


def bmat(block_lists: Any) -> Expression:
    return vstack([hstack(row) for row in block_lists])


def diag(given: Any, k: int = 0) -> Expression:
    """A vector as a diagonal, or the diagonal of a matrix."""
    part = expression(given)
    if part.ndim == 1 or part.ndim == 2 and 1 in part.shape:
        places = np.diag(places_of(part).ravel() + 1, k) - 1
        return gather("diag({})", [part], places)
    if part.ndim != 2 or part.shape[0] != part.shape[1]:
        raise ValueError("diag() takes a vector or a square matrix")
    return gather("diag({})", [part], np.diag(places_of(part), k))


def upper_tri(given: Any) -> Expression:
    """Entries above the diagonal, by rows."""
    part = expression(given)
    if part.ndim != 2 or part.shape[0] != part.shape[1]:
        raise ValueError("upper_tri() takes a square matrix")
    return gather("upper_tri({})", [part],
                  places_of(part)[np.triu_indices(part.shape[0], 1)])


def promote(given: Any, shape: Any) -> Expression:
    return broadcast(expression(given), shape_of(shape))


# Sums.

def negated(part: Expression) -> Expression:
    if isinstance(part, Constant):
        return Constant(-part.value)
    return Linear("-{}", [part], part.shape, [-sp.identity(part.size, float,
                                                           "csr")])


def add(left: Any, right: Any) -> Expression:
    """LEFT + RIGHT. The arguments of a sum become those of the new one."""
    first, second = expression(left), expression(right)
    shape = common_shape([first, second])
    parts = []
    for part, other in ((first, second), (second, first)):
        if isinstance(part, Constant) and part.is_zero() and \
                other.shape == shape:
            continue
        whole = broadcast(part, shape)
        parts += whole.args if isinstance(whole, Add) else [whole]
    return Add(parts) if len(parts) > 1 else parts[0] if parts else first


def sum(expr: Any, axis: Optional[int] = None,
        keepdims: bool = False) -> Expression:
    part = expression(expr)
    groups = np.sum(places_of(part), axis=axis, keepdims=keepdims)
    shape = tuple(map(int, np.shape(groups)))
    if axis is None:
        rows = np.zeros(part.size, int)
    else:
        kept = np.sum(places_of(part), axis=axis, keepdims=True).shape
        rows = np.broadcast_to(np.arange(int(np.prod(kept))).reshape(kept),
                               part.shape).ravel()
    size = int(np.prod(shape, dtype=int))
    matrix = sp.csr_matrix((np.ones(part.size),
                            (rows, np.arange(part.size))), (size, part.size))
    return Linear(f"Sum({{}}, {axis}, {keepdims})", [part], shape, [matrix])


def mean(expr: Any, axis: Optional[int] = None,
         keepdims: bool = False) -> Expression:
    total = sum(expr, axis, keepdims)
    return total / (expression(expr).size / total.size)


def trace(expr: Any) -> Expression:
    part = expression(expr)
    if part.ndim != 2 or part.shape[0] != part.shape[1]:
        raise ValueError("trace() takes a square matrix")
    return sum(diag(part) if part.size > 1 else part)


def cumsum(expr: Any, axis: int = 0) -> Expression:
    part = expression(expr)
    if axis not in range(max(part.ndim, 1)):
        raise ValueError(f"cumsum() has no axis {axis}")
    ones = np.tril(np.ones((part.shape[axis],) * 2))
    return matmul(ones, part) if axis == 0 else matmul(part, ones.T)


def diff(x: Any, k: int = 1, axis: int = 0) -> Expression:
    part = expression(x)
    if part.ndim <= axis or k < 0 or k >= part.shape[axis]:
        raise ValueError(f"diff() cannot take {k} differences of axis {axis} "
                         f"of {part.shape}")
    for _time in range(k):
        part = part[1:] - part[:-1] if axis == 0 else \
            part[:, 1:] - part[:, :-1]
    return part


# Products.

def multiply(lh_expr: Any, rh_expr: Any) -> Expression:
    """The product of each pair of entries."""
    left, right = expression(lh_expr), expression(rh_expr)
    shape = common_shape([left, right])
    return Product("*", broadcast(left, shape), broadcast(right, shape),
                   shape)


def matmul(left: Any, right: Any) -> Expression:
    first, second = expression(left), expression(right)
    if first.shape == () or second.shape == ():
        raise ValueError("Scalar operands are not allowed, use '*' instead")
    if first.shape[-1] != second.shape[0]:
        raise ValueError(f"Incompatible dimensions {first.shape} "
                         f"{second.shape}")
    if isinstance(first, Product) and first.operator == "@" and \
            first.args[0] is second and not second.is_constant() and \
            first.args[1].is_constant():
        from . import _atoms
        return _atoms.quad_form(second, first.args[1])
    return Product("@", first, second, first.shape[:-1] + second.shape[1:])


def divided(left: Any, right: Any) -> Expression:
    first, second = expression(left), expression(right)
    shape = common_shape([first, second])
    first, second = broadcast(first, shape), broadcast(second, shape)
    if second.is_constant() and not first.is_constant():
        if not second.parameters():
            return multiply(first, 1 / second.value)
        return multiply(first, Quotient(Constant(np.ones(shape)), second))
    return Quotient(first, second)


def scalar_product(x: Any, y: Any) -> Expression:
    return sum(multiply(vec(x), vec(y)))


vdot = scalar_product


def outer(x: Any, y: Any) -> Expression:
    left, right = expression(x), expression(y)
    if left.ndim > 1 or right.ndim > 1:
        raise ValueError("outer() takes vectors")
    return matmul(reshape(left, (left.size, 1)),
                  reshape(right, (1, right.size)))


def kron(a: Any, b: Any) -> Expression:
    left, right = expression(a), expression(b)
    shapes = [np.atleast_2d(places_of(part)) for part in (left, right)]
    ones = [np.ones_like(places) for places in shapes]
    if left.is_constant():
        fixed, places = left, np.kron(ones[0], shapes[1])
        spread, free = np.kron(shapes[0], ones[1]), right
    elif right.is_constant():
        fixed, places = right, np.kron(shapes[0], ones[1])
        spread, free = np.kron(ones[0], shapes[1]), left
    else:
        raise ValueError("The first or the second argument of kron() must "
                         "be constant.")
    return multiply(gather("Entries({})", [fixed], spread),
                    gather("Entries({})", [free], places))


def convolve(a: Any, b: Any) -> Expression:
    """The convolution of a constant vector A and B."""
    fixed, free = expression(a), expression(b)
    if not fixed.is_constant() or fixed.parameters():
        raise ValueError("The first argument of convolve() must be constant.")
    if fixed.ndim > 1 or free.ndim > 1:
        raise ValueError("convolve() takes vectors")
    taps = np.ravel(fixed.value)
    matrix = np.zeros((len(taps) + free.size - 1, free.size))
    for column in range(free.size):
        matrix[column:column + len(taps), column] = taps
    return matmul(matrix, reshape(free, (free.size,)))
