"""_atoms - functions that are convex or concave.

The graph of an atom is an expression that takes its place, with constraints:
at least the value of a convex function, at most that of a concave one.
"""

from __future__ import annotations

import builtins
from typing import Any, Callable, Optional, Sequence

import numpy as np

from . import _affine, _smooth
from ._affine import expression, reshape, sum
from ._expression import Expression, Shape
from ._leaves import Constant, Variable, is_symmetric
from .constraints import SOC, Constraint, Smooth

Graph = tuple[Expression, list[Constraint]]


class Atom(Expression):
    """A function that is not affine."""

    def __init__(self, name: str, args: Sequence[Expression], shape: Shape,
                 numeric: Callable[..., Any], graph: Callable[[], Graph], *,
                 convex: bool = True, rising: Sequence[int] = (0,),
                 sign: int = 0, squares: Optional[Expression] = None) -> None:
        self._name, self.args, self.shape = name, list(args), shape
        self._function, self.graph = numeric, graph
        self._convex, self._rising, self._sign = convex, list(rising), sign
        # The squares of these, or their sum if this is a number.
        self.squares = squares

    def _numeric(self, values: list[Any]) -> Any:
        try:
            return np.reshape(self._function(*values), self.shape)
        except np.linalg.LinAlgError:  # of values that are not finite
            return np.full(self.shape, np.nan)

    def is_nonneg(self) -> bool:
        return self._sign > 0

    def is_nonpos(self) -> bool:
        return self._sign < 0

    def is_atom_convex(self) -> bool:
        return self._convex

    def is_atom_concave(self) -> bool:
        return not self._convex

    def rising(self) -> list[int]:
        return self._rising

    def is_quadratic(self) -> bool:
        return self.is_constant() or self.squares is not None and \
            self.squares.is_affine()

    def name(self) -> str:
        return f"{self._name}({', '.join(a.name() for a in self.args)})"


def away(part: Expression) -> int:
    """How a function of the distance from 0 changes with PART."""
    return 1 if part.is_nonneg() else -1 if part.is_nonpos() else 0


def signed(part: Expression) -> int:
    return 1 if part.is_nonneg() else -1 if part.is_nonpos() else 0


def flat(part: Expression) -> Expression:
    return reshape(part, (part.size,), "C")


def product_cones(left: Expression, right: Expression,
                  middle: Expression) -> Constraint:
    """middle ** 2 <= left * right of each entry; both are not negative."""
    count = builtins.max(left.size, right.size, middle.size)
    parts = [_affine.broadcast(flat(part), (count,))
             for part in (left, right, middle)]
    columns = [reshape(part, (count, 1), "C")
               for part in (parts[0] - parts[1], 2 * parts[2])]
    return SOC(parts[0] + parts[1], _affine.hstack(columns), axis=1)


ONE = Constant(1.0)


# Powers.

def _power_graph(part: Expression, p: float) -> Graph:
    t = Variable(part.shape)
    if p == 2:
        return t, [product_cones(t, ONE, part)]
    if p == 0.5:
        return t, [product_cones(part, ONE, t)]
    if p == -1:
        return t, [product_cones(t, part, ONE)]
    if p == 1.5:
        s = Variable(part.shape)
        return t, [product_cones(t, s, part), product_cones(part, ONE, s)]
    if p == 3:
        s = Variable(part.shape)
        return t, [product_cones(s, ONE, part), product_cones(t, part, s)]
    if p > 2 and p % 2 == 0:
        half = power(square(part), p / 2)
        return t, [half <= t]
    bound = -t if 0 < p < 1 else t
    return t, [Smooth(_smooth.power(p), reshape(part, (part.size, 1), "C"),
                      flat(bound))]


def _power_value(p: float) -> Callable[[Any], Any]:
    def of(value: Any) -> Any:
        if p > 1 and p % 2 == 0:
            return value ** p
        outside = np.inf if p < 0 or p > 1 else -np.inf
        if p > 0:  # a solver's 0 may lie below it
            value = np.where((value < 0) & (value > -1e-7), 0.0, value)
        inside = value >= 0 if p > 0 else value > 0
        return np.where(inside, np.where(inside, value, 1.0) ** p, outside)
    return of


def power(x: Any, p: Any, max_denom: int = 1024) -> Expression:
    """x ** p of each entry, over x >= 0 unless p is even."""
    part = expression(x)
    if isinstance(p, Expression):
        if not p.is_constant() or p.parameters():
            raise NotImplementedError("power(x, p) with a p that is no "
                                      "number is not here")
        p = float(p.value)
    p = float(p)
    if p == 1:
        return part
    if p == 0:
        return Constant(np.ones(part.shape))
    even = p > 1 and p % 2 == 0
    way = away(part) if even else -1 if p < 0 else 1
    if p > 1 and not even and not part.is_nonneg():
        way = 0  # not defined below 0, where a bound of it may lie
    return Atom(f"power[{p:g}]" if p != 2 else "square", [part], part.shape,
                _power_value(p), lambda: _power_graph(part, p),
                convex=not 0 < p < 1, rising=[way], sign=1,
                squares=part if p == 2 else None)


def square(x: Any) -> Expression:
    return power(x, 2)


def sqrt(x: Any) -> Expression:
    return power(x, 0.5)


def inv_pos(x: Any) -> Expression:
    return power(x, -1)


def quad_over_lin(x: Any, y: Any) -> Expression:
    """The sum of squares of X, divided by the number Y."""
    part, under = expression(x), expression(y)
    if not under.is_scalar():
        raise ValueError("The second argument to quad_over_lin must be a "
                         "scalar.")
    if isinstance(under, Constant) and under.is_nonneg():
        return sum_squares(part) / under

    def graph() -> Graph:
        t = Variable()
        left, right = flat(t + under), flat(t - under)
        return t, [SOC(left, _affine.hstack([right, 2 * flat(part)]))]

    def of(a: Any, b: Any) -> Any:
        return np.sum(a ** 2) / b if np.ravel(b)[0] > 0 else np.inf

    return Atom("quad_over_lin", [part, under], (), of, graph,
                rising=[away(part), -1], sign=1)


def sum_squares(expr: Any) -> Expression:
    part = expression(expr)

    def graph() -> Graph:
        t, size = Variable(), _size(part)
        row = _affine.hstack([flat(t - 1), flat(part) * (2 / size)])
        return size ** 2 * t, [SOC(t + 1, row)]

    return Atom("sum_squares", [part], (), lambda a: np.sum(a ** 2),
                graph, rising=[away(part)], sign=1, squares=part)


def _size(part: Expression) -> float:
    """About the size of PART, if variables are about 1."""
    if part.is_constant():
        return 0.0 if isinstance(part, Constant) else 1.0
    if isinstance(part, _affine.Product):
        found = np.abs(part.matrix()[0].data)
        return float(np.max(found, initial=0)) or 1.0
    if isinstance(part, (_affine.Add, _affine.Linear)):
        return builtins.max(map(_size, part.args)) or 1.0
    return 1.0


def _root(matrix: np.ndarray) -> np.ndarray:
    """R with R.T @ R == MATRIX, which has no negative eigenvalue."""
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    kept = values > 1e-13 * builtins.max(values[-1], 1e-300)
    return (vectors[:, kept] * np.sqrt(values[kept])).T


class _QuadForm(Atom):
    """x.T P x with a constant P that is positive semidefinite."""

    def __init__(self, x: Expression, P: Expression) -> None:
        vector = flat(x)
        super().__init__("QuadForm", [x, P], (), self._of, self._graph,
                         sign=1, rising=[self._way(x, P), 0])
        self.vector = vector

    @staticmethod
    def _way(x: Expression, P: Expression) -> int:
        return away(x) if P.is_nonneg() else 0

    @staticmethod
    def _of(x: Any, P: Any) -> Any:
        return np.ravel(x) @ P @ np.ravel(x)

    def _graph(self) -> Graph:
        return sum_squares(self.rooted()), []

    def rooted(self) -> Expression:
        root = _root(np.reshape(self.args[1].value, (self.vector.size,) * 2))
        if not len(root):
            return Constant(np.zeros(1))
        return _affine.matmul(root, self.vector)

    def is_quadratic(self) -> bool:
        return self.args[0].is_affine()


class _Indefinite(_QuadForm):
    """x.T P x of unknown curvature."""

    def is_atom_convex(self) -> bool:
        return False

    def is_nonneg(self) -> bool:
        return False

    def is_atom_concave(self) -> bool:
        return False


def quad_form(x: Any, P: Any, assume_PSD: bool = False) -> Expression:
    part, matrix = expression(x), expression(P)
    side = part.size
    if matrix.size != side ** 2 or matrix.ndim != 2 or not part.is_vector():
        if not (side == 1 and matrix.size == 1):
            raise ValueError("Invalid dimensions for arguments.")
    if part.is_constant() and not matrix.is_constant():
        rows = Constant(np.outer(part.value, part.value))
        return sum(_affine.multiply(rows, matrix))
    if not matrix.is_constant():
        raise Exception("At least one argument to quad_form must be "
                        "non-variable.")
    if not matrix.parameters() and not assume_PSD:
        if not is_symmetric(matrix.value):
            raise ValueError("Quadratic form matrices must be "
                             "symmetric/Hermitian.")
        if not isinstance(matrix, Constant):
            matrix = Constant(matrix.value)
    if assume_PSD or matrix.is_psd():
        return _QuadForm(part, matrix)
    if matrix.is_nsd():
        return -_QuadForm(part, -matrix)
    return _Indefinite(part, matrix)


def psd_wrap(arg: Any) -> Expression:
    """ARG, which is taken for positive semidefinite."""
    part = expression(arg)
    if not part.is_constant() or part.parameters():
        raise NotImplementedError("psd_wrap() of other things than numbers "
                                  "is not here")
    if not is_symmetric(part.value):
        raise ValueError("psd_wrap() takes a symmetric matrix")
    found = Constant(part.value)
    found.known_psd = True
    return found


def geo_mean(x: Any, p: Any = None) -> Expression:
    part = expression(x)
    if p is not None and len(set(np.ravel(p))) > 1:
        raise NotImplementedError("geo_mean(x, p) with weights is not here; "
                                  "maximize p @ log(x)")
    if not part.is_vector() or p is not None and len(p) != part.size:
        raise ValueError("x must be a row or column vector.")
    if part.size == 1:
        return sum(part)
    return Atom("geo_mean", [part], (), _geo_mean_value,
                lambda: _geo_mean_graph(part), convex=False, rising=[1],
                sign=1)


def _geo_mean_value(x: Any) -> Any:
    x = np.ravel(x)
    return -np.inf if (x < 0).any() else np.prod(x ** (1 / x.size))


def _geo_mean_graph(part: Expression) -> Graph:
    """Pairs of pairs; the mean itself fills up to a power of two."""
    t = Variable()
    level: list[Any] = [flat(part)[place] for place in range(part.size)]
    level += [t] * ((1 << (part.size - 1).bit_length()) - part.size)
    found = []
    while len(level) > 1:
        above = [t] if len(level) == 2 else \
            [Variable() for _pair in level[::2]]
        found += [product_cones(a, b, top) for a, b, top in
                  zip(level[::2], level[1::2], above)]
        level = above
    return t, found


def harmonic_mean(x: Any) -> Expression:
    part = expression(x)

    def graph() -> Graph:
        t, s = Variable(), Variable(part.size)
        return t, [product_cones(s, part, t), sum(s) <= part.size * t]

    def of(value: Any) -> Any:
        return -np.inf if (value <= 0).any() else \
            value.size / np.sum(1 / value)

    return Atom("harmonic_mean", [part], (), of, graph, convex=False,
                rising=[1], sign=1)


# Largest and smallest.

def abs(x: Any) -> Expression:
    part = expression(x)

    def graph() -> Graph:
        t = Variable(part.shape)
        return t, [part <= t, -part <= t]

    return Atom("abs", [part], part.shape, np.abs, graph,
                rising=[away(part)], sign=1)


def max(x: Any, axis: Optional[int] = None,
        keepdims: bool = False) -> Expression:
    part = expression(x)
    shape = np.max(_affine.places_of(part), axis, keepdims=keepdims).shape
    kept = np.max(_affine.places_of(part), axis, keepdims=True).shape

    def graph() -> Graph:
        t = Variable(kept)
        return reshape(t, shape, "C"), [
            part <= _affine.broadcast(t, part.shape)]

    return Atom("max", [part], shape,
                lambda a: np.max(a, axis, keepdims=keepdims), graph,
                rising=[1], sign=signed(part))


def min(x: Any, axis: Optional[int] = None,
        keepdims: bool = False) -> Expression:
    return -max(-expression(x), axis, keepdims)


def maximum(arg1: Any, arg2: Any, *args: Any) -> Expression:
    parts = [expression(arg) for arg in (arg1, arg2, *args)]
    shape = _affine.common_shape(parts)
    parts = [_affine.broadcast(part, shape) for part in parts]
    signs = [signed(part) for part in parts]
    zeros = all(part.is_nonpos() for part in parts)

    def graph() -> Graph:
        t = Variable(shape)
        return t, [part <= t for part in parts]

    return Atom("maximum", parts, shape,
                lambda *values: np.maximum.reduce(values), graph,
                rising=[1] * len(parts),
                sign=1 if 1 in signs else -1 if zeros else 0)


def minimum(arg1: Any, arg2: Any, *args: Any) -> Expression:
    return -maximum(*[-expression(arg) for arg in (arg1, arg2, *args)])


def pos(x: Any) -> Expression:
    return maximum(x, 0)


def neg(x: Any) -> Expression:
    return maximum(-expression(x), 0)


def ptp(x: Any, axis: Optional[int] = None,
        keepdims: bool = False) -> Expression:
    return max(x, axis, keepdims) - min(x, axis, keepdims)


def sum_largest(x: Any, k: Any) -> Expression:
    """The sum of the K largest entries; K need not be whole."""
    part, count = expression(x), float(k)
    if not 0 < count:
        raise ValueError("Second argument must be a positive number.")

    def graph() -> Graph:
        q = Variable()
        return count * q + sum(pos(flat(part) - q)), []

    def of(value: Any) -> Any:
        ordered = np.sort(np.ravel(value))[::-1]
        return np.sum(ordered * np.clip(count - np.arange(ordered.size),
                                        0, 1))

    if count >= part.size:
        return sum(part)
    return Atom("sum_largest", [part], (), of, graph, rising=[1],
                sign=signed(part))


def sum_smallest(x: Any, k: Any) -> Expression:
    return -sum_largest(-expression(x), k)


def cvar(x: Any, beta: float) -> Expression:
    """The mean of the worst part 1 - BETA of X."""
    if not 0 <= beta < 1:
        raise ValueError("The quantile level beta must be in the range "
                         "[0, 1).")
    count = (1 - beta) * expression(x).size
    return sum_largest(x, count) / count


def huber(x: Any, M: Any = 1) -> Expression:
    """Squares near 0, and 2 M |x| - M ** 2 beyond M."""
    part, edge = expression(x), expression(M)
    if not (edge.is_nonneg() and edge.is_scalar() and edge.is_constant()):
        raise ValueError("M must be a non-negative scalar constant.")

    def graph() -> Graph:
        near, far = Variable(part.shape), Variable(part.shape)
        return square(near) + 2 * edge * abs(far), [part == near + far]

    def of(value: Any, limit: Any) -> Any:
        size = np.abs(value)
        return np.where(size <= limit, size ** 2,
                        2 * limit * size - limit ** 2)

    return Atom("huber", [part, edge], part.shape, of, graph,
                rising=[away(part), 0], sign=1)


# Norms.

def norm1(x: Any, axis: Optional[int] = None,
          keepdims: bool = False) -> Expression:
    return sum(abs(x), axis, keepdims)


def norm_inf(x: Any, axis: Optional[int] = None,
             keepdims: bool = False) -> Expression:
    return max(abs(x), axis, keepdims)


def rows_along(part: Expression, axis: Optional[int],
               keepdims: bool) -> tuple[Expression, Shape]:
    """PART with a row for each vector along AXIS, and the shape of what has
    one number for each of them."""
    shape = np.max(_affine.places_of(part), axis, keepdims=keepdims).shape
    if part.ndim == 2 and axis is not None:
        return (part if axis % 2 == 1 else part.T), shape
    return reshape(part, (1, part.size), "C"), shape


def norm2(x: Any, axis: Optional[int] = None,
          keepdims: bool = False) -> Expression:
    """The Euclidean norm, of all entries or along AXIS."""
    part = expression(x)
    if axis not in (None, *range(-part.ndim, part.ndim)):
        raise ValueError(f"norm() has no axis {axis} of {part.shape}")
    rows, shape = rows_along(part, axis, keepdims)

    def graph() -> Graph:
        t = Variable(rows.shape[0])
        return reshape(t, shape, "C"), [SOC(t, rows, axis=1)]

    return Atom("norm2", [part], shape, lambda a: np.sqrt(
        np.sum(np.square(a), axis, keepdims=keepdims)), graph,
        rising=[away(part)], sign=1)


def pnorm(x: Any, p: Any = 2, axis: Optional[int] = None,
          keepdims: bool = False, max_denom: int = 1024) -> Expression:
    if p == 1:
        return norm1(x, axis, keepdims)
    if p == 2:
        return norm2(x, axis, keepdims)
    if p in ("inf", "Inf", np.inf):
        return norm_inf(x, axis, keepdims)
    raise NotImplementedError(f"norms with p={p} are not here; 1, 2, 'inf', "
                              "'fro' and 'nuc' are")


def norm(x: Any, p: Any = 2, axis: Optional[int] = None,
         keepdims: bool = False) -> Expression:
    """A norm of a vector; of a matrix the operator's, 'fro' or 'nuc'."""
    part = expression(x)
    if axis is not None or part.ndim < 2:
        if p in ("fro", "nuc"):
            raise ValueError(f"norm(p='{p}') is for matrices alone")
        return pnorm(part, p, axis, keepdims)
    if p == "fro" or p == 2 and 1 in part.shape:
        return norm2(flat(part))
    if p == 2:
        return _matrices().sigma_max(part)
    if p == "nuc":
        return _matrices().normNuc(part)
    if p == 1:
        return max(norm1(part, 0))
    if p in ("inf", "Inf", np.inf):
        return max(norm1(part, 1))
    raise NotImplementedError(f"norm(p={p}) of a matrix is not here; 1, 2, "
                              "'inf', 'fro' and 'nuc' are")


def _matrices() -> Any:
    from . import _more
    return _more


def mixed_norm(X: Any, p: Any = 2, q: Any = 1) -> Expression:
    return pnorm(pnorm(X, p, axis=1), q)


def tv(value: Any, *args: Any) -> Expression:
    """Total variation of a vector, a matrix or several matrices."""
    part = expression(value)
    if part.ndim < 2:
        return norm1(part[1:] - part[:-1])
    steps = []
    for one in (part, *map(expression, args)):
        inner = one[:-1, :-1]
        steps += [flat(one[:-1, 1:] - inner), flat(one[1:, :-1] - inner)]
    return sum(norm2(_affine.vstack(steps), axis=0))


def var(x: Any, axis: Optional[int] = None, keepdims: bool = False,
        ddof: int = 0) -> Expression:
    part = expression(x)
    if axis is not None:
        raise NotImplementedError("var(axis=) is not here; take var() of "
                                  "each row")
    return sum_squares(part - _affine.mean(part)) / (part.size - ddof)


def std(x: Any, axis: Optional[int] = None, keepdims: bool = False,
        ddof: int = 0) -> Expression:
    part = expression(x)
    count = part.size if axis is None else part.shape[axis]
    middle = _affine.mean(part, axis, axis is not None)
    return norm2(part - middle, axis, keepdims) / (count - ddof) ** 0.5
