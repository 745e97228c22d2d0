"""_expression - expressions: shape, sign, curvature and operators."""

from __future__ import annotations

import warnings
from typing import Any, Callable, Iterator, Optional

import numpy as np
import scipy.sparse as sp

Shape = tuple[int, ...]


def convert(value: Any) -> np.ndarray:
    """VALUE as an array of floats, of at most two dimensions."""
    if sp.issparse(value):
        value = value.toarray()
    array = np.asarray(value)
    if array.dtype == object and any(
            isinstance(part, Expression) for part in array.flat):
        raise ValueError("a list of expressions is no expression; join them "
                         "by hstack, vstack or bmat")
    if array.dtype.kind == "c":
        raise NotImplementedError("complex numbers are not here")
    try:
        array = array.astype(float)
    except (TypeError, ValueError):
        raise ValueError(f"{value!r} is no number and no array of "
                         "numbers") from None
    if array.ndim > 2:
        raise NotImplementedError("arrays of more than 2 dimensions are not "
                                  "here; use a list of matrices")
    return array


def once(method: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Keeps the answer of METHOD, which depends on the object alone."""
    name = "_once_" + method.__name__

    def kept(self: Any) -> Any:
        answer = self.__dict__.get(name)
        if answer is None:
            answer = self.__dict__[name] = method(self)
        return answer

    kept.__name__ = method.__name__
    return kept


class Expression:
    """A tree: leaves are constants, parameters and variables."""

    __array_priority__ = 100
    shape: Shape = ()
    args: list[Any] = []

    # What a kind of expression defines.

    @property
    def value(self) -> Any:
        values = [arg.value for arg in self.args]
        if any(value is None for value in values):
            return None
        with np.errstate(all="ignore"):
            return self._numeric(values)

    def _numeric(self, values: list[Any]) -> Any:
        raise NotImplementedError

    def name(self) -> str:
        raise NotImplementedError

    def is_nonneg(self) -> bool:
        return False

    def is_nonpos(self) -> bool:
        return False

    def is_atom_convex(self) -> bool:
        return False

    def is_atom_concave(self) -> bool:
        return False

    def rising(self) -> list[int]:
        """Of each argument: 1 if the value rises with it, -1 if it falls."""
        return [0] * len(self.args)

    # Curvature by the rule of composition.

    @once
    def is_constant(self) -> bool:
        return all(arg.is_constant() for arg in self.args)

    @once
    def is_affine(self) -> bool:
        return self.is_constant() or self.is_convex() and self.is_concave()

    @once
    def is_convex(self) -> bool:
        return self.is_constant() or self.is_atom_convex() and all(
            arg.is_affine() or way > 0 and arg.is_convex() or
            way < 0 and arg.is_concave()
            for arg, way in zip(self.args, self.rising()))

    @once
    def is_concave(self) -> bool:
        return self.is_constant() or self.is_atom_concave() and all(
            arg.is_affine() or way > 0 and arg.is_concave() or
            way < 0 and arg.is_convex()
            for arg, way in zip(self.args, self.rising()))

    def is_dcp(self, dpp: bool = False) -> bool:
        if dpp:
            raise NotImplementedError("is_dcp(dpp=True) is not here")
        return self.is_convex() or self.is_concave()

    def is_zero(self) -> bool:
        return self.is_nonneg() and self.is_nonpos()

    @property
    def curvature(self) -> str:
        for found, word in ((self.is_constant, "CONSTANT"),
                            (self.is_affine, "AFFINE"),
                            (self.is_convex, "CONVEX"),
                            (self.is_concave, "CONCAVE")):
            if found():
                return word
        return "UNKNOWN"

    @property
    def sign(self) -> str:
        up, down = self.is_nonneg(), self.is_nonpos()
        return ("ZERO" if up and down else "NONNEGATIVE" if up else
                "NONPOSITIVE" if down else "UNKNOWN")

    @once
    def is_psd(self) -> bool:
        return False

    @once
    def is_nsd(self) -> bool:
        return False

    def is_symmetric(self) -> bool:
        return self.is_scalar()

    def is_real(self) -> bool:
        return True

    def is_complex(self) -> bool:
        return False

    @once
    def is_quadratic(self) -> bool:
        return self.is_affine()

    def is_scalar(self) -> bool:
        return all(side == 1 for side in self.shape)

    def is_vector(self) -> bool:
        return self.ndim <= 1 or min(self.shape) == 1

    def is_matrix(self) -> bool:
        return self.ndim == 2 and min(self.shape) > 1

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=int))

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def expr(self) -> "Expression":
        return self

    def _leaves(self) -> Iterator[Any]:
        """Each leaf once, from left to right."""
        seen: set[int] = set()
        stack: list[Expression] = [self]
        while stack:
            node = stack.pop()
            if id(node) not in seen:
                seen.add(id(node))
                if not node.args:
                    yield node
                stack.extend(reversed(node.args))

    def variables(self) -> list[Any]:
        return [leaf for leaf in self._leaves() if leaf.kind == "variable"]

    def parameters(self) -> list[Any]:
        return [leaf for leaf in self._leaves() if leaf.kind == "parameter"]

    def constants(self) -> list[Any]:
        return [leaf for leaf in self._leaves() if leaf.kind == "constant"]

    def atoms(self) -> list[type]:
        raise NotImplementedError("Expression.atoms() is not here")

    def __str__(self) -> str:
        return self.name()

    def __repr__(self) -> str:
        return f"Expression({self.curvature}, {self.sign}, {self.shape})"

    # Operators.

    def __add__(self, other: Any) -> "Expression":
        return affine().add(self, other)

    def __radd__(self, other: Any) -> "Expression":
        return affine().add(other, self)

    def __sub__(self, other: Any) -> "Expression":
        return affine().add(self, -affine().expression(other))

    def __rsub__(self, other: Any) -> "Expression":
        return affine().add(other, -self)

    def __neg__(self) -> "Expression":
        return affine().negated(self)

    def __mul__(self, other: Any) -> "Expression":
        return star(self, affine().expression(other))

    def __rmul__(self, other: Any) -> "Expression":
        return star(affine().expression(other), self)

    def __truediv__(self, other: Any) -> "Expression":
        return affine().divided(self, other)

    def __rtruediv__(self, other: Any) -> "Expression":
        return affine().divided(other, self)

    def __matmul__(self, other: Any) -> "Expression":
        return affine().matmul(self, other)

    def __rmatmul__(self, other: Any) -> "Expression":
        return affine().matmul(other, self)

    def __pow__(self, power: Any) -> "Expression":
        from . import _atoms
        return _atoms.power(self, power)

    def __rpow__(self, base: Any) -> "Expression":
        raise NotImplementedError("a number to the power of an expression is "
                                  "exp(log(number) * expression)")

    def __abs__(self) -> "Expression":
        raise TypeError("use cvxpy.abs(), not Python's abs()")

    def __getitem__(self, key: Any) -> "Expression":
        return affine().index(self, key)

    __hash__ = object.__hash__

    def __eq__(self, other: Any) -> Any:
        return constraints().Equality(self, other)

    def __le__(self, other: Any) -> Any:
        return constraints().Inequality(self, other)

    def __ge__(self, other: Any) -> Any:
        return constraints().Inequality(other, self)

    def __lt__(self, other: Any) -> Any:
        raise NotImplementedError("strict inequalities mean nothing to a "
                                  "solver: use <= or >=")

    __gt__ = __lt__

    def __rshift__(self, other: Any) -> Any:
        return constraints().PSD(self - other)

    def __lshift__(self, other: Any) -> Any:
        return constraints().PSD(other - self)

    __rrshift__, __rlshift__ = __lshift__, __rshift__

    def __array_ufunc__(self, ufunc: Any, method: str, *args: Any,
                        **options: Any) -> Any:
        """An operator with an array of numpy on its left side."""
        handler = _UFUNCS.get(ufunc)
        if handler and method == "__call__" and not options and \
                len(args) == 2 and args[1] is self:
            return handler(self, args[0])
        raise RuntimeError(f"numpy.{ufunc.__name__} does not work with an "
                           "expression of cvxpy; use cvxpy's function")

    # Methods that are functions too.

    @property
    def T(self) -> "Expression":
        return affine().transpose(self)

    def sum(self, axis: Optional[int] = None, *,
            keepdims: bool = False) -> "Expression":
        return affine().sum(self, axis, keepdims)

    def mean(self, axis: Optional[int] = None, *,
             keepdims: bool = False) -> "Expression":
        return affine().mean(self, axis, keepdims)

    def max(self, axis: Optional[int] = None, *,
            keepdims: bool = False) -> "Expression":
        from . import _atoms
        return _atoms.max(self, axis, keepdims)

    def min(self, axis: Optional[int] = None, *,
            keepdims: bool = False) -> "Expression":
        from . import _atoms
        return _atoms.min(self, axis, keepdims)

    def cumsum(self, axis: int = 0) -> "Expression":
        return affine().cumsum(self, axis)

    def trace(self) -> "Expression":
        return affine().trace(self)

    def reshape(self, shape: Any, order: str = "F") -> "Expression":
        return affine().reshape(self, shape, order)

    def flatten(self, order: str = "F") -> "Expression":
        return affine().vec(self, order)


def affine() -> Any:
    from . import _affine
    return _affine


def constraints() -> Any:
    from . import constraints as module
    return module


def star(left: Expression, right: Expression) -> Expression:
    """LEFT * RIGHT: by a number, else the product of matrices."""
    if left.shape == () or right.shape == () or (
            left.shape[-1] != right.shape[0] and
            (left.is_scalar() or right.is_scalar())):
        return affine().multiply(left, right)
    warnings.warn("* of two arrays is the product of matrices, as @ is; for "
                  "a product of each pair of entries use cvxpy.multiply()",
                  UserWarning, stacklevel=3)
    return affine().matmul(left, right)


_UFUNCS = {
    np.add: Expression.__radd__,
    np.subtract: Expression.__rsub__,
    np.multiply: Expression.__rmul__,
    np.divide: Expression.__rtruediv__,
    np.matmul: Expression.__rmatmul__,
    np.power: Expression.__rpow__,
    np.equal: Expression.__eq__,
    np.less_equal: Expression.__ge__,
    np.greater_equal: Expression.__le__,
    np.less: Expression.__gt__,
    np.greater: Expression.__lt__,
    np.left_shift: Expression.__rlshift__,
    np.right_shift: Expression.__rrshift__,
}
