"""_leaves - variables, parameters and constants."""

from __future__ import annotations

import itertools
import numbers
from typing import Any, Optional

import numpy as np

from ._expression import Expression, Shape, convert, once

_numbers = itertools.count(1)
_ATTRIBUTES = ("nonneg", "nonpos", "pos", "neg", "symmetric", "diag", "PSD",
               "NSD", "boolean", "integer", "bounds")
_ABSENT = ("complex", "imag", "hermitian", "sparsity")


def shape_of(given: Any) -> Shape:
    """GIVEN as a tuple of at most two sides."""
    if isinstance(given, numbers.Integral):
        given = (given,)
    shape = tuple(given)
    if not all(isinstance(side, numbers.Integral) and side > 0
               for side in shape):
        raise ValueError(f"Invalid dimensions {shape}.")
    if len(shape) > 2:
        raise NotImplementedError(
            "a variable or parameter of more than 2 dimensions is not here; "
            "use a list of matrices")
    return tuple(int(side) for side in shape)


class Constant(Expression):
    """An array of numbers."""

    kind = "constant"

    def __init__(self, value: Any, name: Optional[str] = None) -> None:
        self._value = convert(value)
        self.shape = self._value.shape
        self.args = []
        self._name = name
        self.known_psd = False

    @property
    def value(self) -> Any:
        return self._value

    def is_constant(self) -> bool:
        return True

    def is_convex(self) -> bool:
        return True

    is_concave = is_convex

    @once
    def is_nonneg(self) -> bool:
        return bool((self._value >= 0).all())

    @once
    def is_nonpos(self) -> bool:
        return bool((self._value <= 0).all())

    def is_symmetric(self) -> bool:
        return is_symmetric(self._value)

    @once
    def is_psd(self) -> bool:
        return self.known_psd or is_psd(self._value)

    @once
    def is_nsd(self) -> bool:
        return not self.known_psd and is_psd(-self._value)

    def name(self) -> str:
        return self._name or str(self._value)

    def __repr__(self) -> str:
        return f"Constant(CONSTANT, {self.sign}, {self.shape})"


def is_symmetric(matrix: np.ndarray) -> bool:
    if matrix.ndim < 2:
        return matrix.size == 1
    return matrix.shape[0] == matrix.shape[1] and bool(
        np.allclose(matrix, matrix.T, rtol=1e-8,
                    atol=1e-10 * max(1e-300, np.abs(matrix).max())))


def is_psd(matrix: np.ndarray) -> bool:
    """Are the eigenvalues not negative, but for rounding?"""
    if not is_symmetric(matrix):
        return False
    if not np.isfinite(matrix).all():
        return False
    square = matrix.reshape(int(matrix.size ** 0.5 + 0.5), -1)
    found = np.linalg.eigvalsh((square + square.T) / 2)
    return bool(found[0] >= -1e-10 * max(abs(found[0]), abs(found[-1])))


class _Leaf(Expression):
    """A variable or a parameter: attributes say which values it takes."""

    kind = ""

    def __init__(self, shape: Any, name: Optional[str], value: Any,
                 options: dict[str, Any]) -> None:
        self.shape = shape_of(shape)
        self.args = []
        self.id = next(_numbers)
        if name is not None and not isinstance(name, str):
            raise TypeError(f"the name {name!r} is no text")
        self._name = name or f"{self._letters}{self.id}"
        self.attributes = dict.fromkeys(_ATTRIBUTES, False) | self._set(
            options)
        self._value: Any = None
        if value is not None:
            self.value = value

    def _set(self, options: dict[str, Any]) -> dict[str, Any]:
        """OPTIONS that are set; at most one, or boolean and integer."""
        for option, given in options.items():
            if option in _ABSENT and given:
                raise NotImplementedError(f"{type(self).__name__}({option}=) "
                                          "is not here")
            if option not in _ATTRIBUTES + _ABSENT:
                raise TypeError(f"{type(self).__name__}() has no argument "
                                f"'{option}'")
        chosen = {option: given for option, given in options.items()
                  if given is not None and given is not False}
        if len(chosen) > 1 and set(chosen) != {"boolean", "integer"} and \
                set(chosen) != {"nonneg", "nonpos"}:
            raise ValueError("Cannot set more than one special attribute in "
                             f"{type(self).__name__}.")
        square = len(self.shape) == 2 and self.shape[0] == self.shape[1]
        if not square and {"PSD", "NSD", "symmetric", "diag"} & set(chosen):
            raise ValueError(f"Invalid dimensions {self.shape}. Must be a "
                             "square matrix.")
        if "bounds" in chosen:
            chosen["bounds"] = self._bounds(chosen["bounds"])
        return chosen

    def _bounds(self, bounds: Any) -> list[np.ndarray]:
        if len(bounds) != 2:
            raise ValueError("bounds are two: a lower and an upper one")
        ends = [np.full(self.shape, rest) if end is None else
                np.broadcast_to(convert(end), self.shape)
                for end, rest in zip(bounds, (-np.inf, np.inf))]
        if (ends[0] > ends[1]).any() or np.isnan(ends).any():
            raise ValueError("a lower bound is above its upper bound")
        return ends

    @property
    def bounds(self) -> Any:
        return self.attributes["bounds"] or None

    def _has(self, *names: str) -> bool:
        return any(self.attributes[name] is not False for name in names)

    def is_convex(self) -> bool:
        return True

    is_concave = is_convex

    def is_nonneg(self) -> bool:
        return self._has("nonneg", "pos") or \
            self.attributes["boolean"] is True or \
            self._has("bounds") and bool((self.bounds[0] >= 0).all())

    def is_nonpos(self) -> bool:
        return self._has("nonpos", "neg") or \
            self._has("bounds") and bool((self.bounds[1] <= 0).all())

    def is_psd(self) -> bool:
        return self._has("PSD")

    def is_nsd(self) -> bool:
        return self._has("NSD")

    def is_symmetric(self) -> bool:
        return self.is_scalar() or self._has("PSD", "NSD", "symmetric",
                                             "diag")

    def name(self) -> str:
        return self._name

    @property
    def value(self) -> Any:
        return self._value

    @value.setter
    def value(self, given: Any) -> None:
        self._value = None if given is None else self._checked(given)

    def _checked(self, given: Any) -> np.ndarray:
        value = convert(given)
        if value.shape != self.shape:
            raise ValueError(f"Invalid dimensions {value.shape} for "
                             f"{type(self).__name__} value.")
        for name in self.attributes:
            if self._has(name) and not self._fits(name, value):
                word = _WORDS.get(name, name)
                raise ValueError(f"{type(self).__name__} value must be "
                                 f"{word}.")
        return value

    def _fits(self, name: str, value: np.ndarray) -> bool:
        near = 1e-6
        if name in ("nonneg", "pos"):
            return bool((value >= -near).all())
        if name in ("nonpos", "neg"):
            return bool((value <= near).all())
        if name in ("PSD", "NSD"):
            return is_symmetric(value) and bool(np.linalg.eigvalsh(
                value if name == "PSD" else -value)[0] >= -near)
        if name == "symmetric":
            return is_symmetric(value)
        if name == "diag":
            return bool(np.allclose(value, np.diag(np.diag(value))))
        if name == "bounds":
            low, high = self.bounds
            return bool(((value >= low - near) & (value <= high + near)
                         ).all())
        if self.attributes[name] is not True:
            return True
        whole = bool(np.allclose(value, np.round(value), atol=near))
        return whole and (name == "integer" or bool(
            ((value > -0.5) & (value < 1.5)).all()))


_WORDS = {"nonneg": "nonnegative", "pos": "positive", "nonpos": "nonpositive",
          "neg": "negative", "PSD": "positive semidefinite",
          "NSD": "negative semidefinite", "diag": "diagonal",
          "bounds": "in bounds"}


class Variable(_Leaf):
    """Numbers that the solver finds."""

    kind, _letters = "variable", "var"

    def __init__(self, shape: Any = (), name: Optional[str] = None,
                 value: Any = None, **options: Any) -> None:
        super().__init__(shape, name, value, options)

    def is_constant(self) -> bool:
        return False

    def is_affine(self) -> bool:
        return True

    def save_value(self, value: Any) -> None:
        self._value = value

    def __repr__(self) -> str:
        shown = "".join(f", {name}={given}" for name, given in
                        self.attributes.items() if given is not False)
        return f"Variable({self.shape}, {self.name()}{shown})"


class Parameter(_Leaf):
    """Numbers that are given before each solution."""

    kind, _letters = "parameter", "param"

    def __init__(self, shape: Any = (), name: Optional[str] = None,
                 value: Any = None, **options: Any) -> None:
        super().__init__(shape, name, value, options)

    def is_constant(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"Parameter({self.shape})"
