"""_canon - from expressions to matrices.

A program is: minimize x.T P x / 2 + q x + constant, where linear rows, cones
and smooth functions bound x. Of each expression there is one form, a sparse
matrix and a vector: the expression is matrix @ x + vector. A function that is
not affine gets variables of its own, which its graph bounds.
"""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
import scipy.sparse as sp

from . import _affine
from ._expression import Expression
from .constraints import (PSD, SOC, Constraint, Equality, Inequality, Smooth,
                          Zero)

Form = tuple[Any, np.ndarray]


def widened(matrix: Any, columns: int) -> Any:
    """MATRIX with zeros up to COLUMNS."""
    if matrix.shape[1] == columns:
        return matrix
    return sp.csr_matrix((matrix.data, matrix.indices, matrix.indptr),
                         (matrix.shape[0], columns))


class Program:
    """Matrices of a problem; columns come as variables are met."""

    def __init__(self) -> None:
        self.columns = 0
        self.places: dict[int, tuple[Any, slice, Any]] = {}
        self._forms: dict[int, tuple[Expression, Form]] = {}
        self._graphs: dict[int, tuple[Any, Expression]] = {}
        self._queue: list[Constraint] = []
        self._bounds: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        self.equal: list[tuple[Constraint, Form]] = []
        self.below: list[tuple[Constraint, Form]] = []
        self.cones: list[tuple[Form, Form]] = []
        self.matrices: list[tuple[Constraint, Form]] = []
        self.smooth: list[tuple[Any, Form, Form]] = []
        self._objective: list[Form] = []
        self._squares: list[tuple[Form, np.ndarray]] = []

    # Forms of expressions.

    def form(self, expr: Expression) -> Form:
        """The form of EXPR: at least a convex one, at most a concave one."""
        kept = self._forms.get(id(expr))
        if kept is None:
            kept = self._forms[id(expr)] = (expr, self._form(expr))
        return kept[1]

    def _form(self, expr: Expression) -> Form:
        if expr.is_constant():
            value = np.ravel(expr.value).astype(float)
            if not np.isfinite(value).all():
                raise ValueError("a constant of the problem is not finite: "
                                 f"{expr.name()}")
            return sp.csr_matrix((value.size, self.columns)), value
        if not expr.args:
            return self._variable(expr)
        if isinstance(expr, _affine.Add):
            return self._sum([self.form(arg) for arg in expr.args])
        if isinstance(expr, _affine.Linear):
            return self._sum([self._times(matrix, self.form(arg))
                              for matrix, arg in zip(expr.maps, expr.args)])
        if isinstance(expr, _affine.Product):
            return self._times(*self._product(expr))
        return self.form(self.graph(expr))

    def _product(self, expr: Any) -> tuple[Any, Form]:
        matrix, free = expr.matrix()
        if not np.isfinite(matrix.data).all():
            raise ValueError("a constant of the problem is not finite, in "
                             f"{expr.name()[:200]}")
        return sp.csr_matrix(matrix), self.form(free)

    def graph(self, atom: Any) -> Expression:
        """The expression in the place of ATOM, once."""
        if id(atom) not in self._graphs:
            found, constraints = atom.graph()
            self._graphs[id(atom)] = (atom, found)
            self._queue += constraints
        return self._graphs[id(atom)][1]

    def _times(self, matrix: Any, form: Form) -> Form:
        return sp.csr_matrix(matrix @ form[0]), matrix @ form[1]

    def _sum(self, forms: list[Form]) -> Form:
        if len(forms) == 1:
            return forms[0]
        parts = [form[0].tocoo() for form in forms]
        matrix = sp.csr_matrix(
            (np.concatenate([part.data for part in parts]),
             (np.concatenate([part.row for part in parts]),
              np.concatenate([part.col for part in parts]))),
            (parts[0].shape[0], self.columns))
        return matrix, np.sum([form[1] for form in forms], axis=0)

    def _variable(self, leaf: Any) -> Form:
        if leaf.id not in self.places:
            basis = _basis(leaf)
            end = self.columns + basis.shape[1]
            self.places[leaf.id] = (leaf, slice(self.columns, end), basis)
            self.columns = end
            self._bounds.append(_bounds(leaf, basis.shape[1]))
            if leaf.attributes["PSD"] or leaf.attributes["NSD"]:
                self._queue.append(PSD(
                    leaf if leaf.attributes["PSD"] else -leaf))
        _leaf, place, basis = self.places[leaf.id]
        matrix = sp.csr_matrix((basis.data, basis.indices + place.start,
                                basis.indptr), (leaf.size, place.stop))
        return matrix, np.zeros(leaf.size)

    # Constraints and the objective.

    def add(self, constraint: Constraint) -> None:
        self._queue.append(constraint)
        while self._queue:
            self._add(self._queue.pop())

    def _add(self, one: Constraint) -> None:
        if isinstance(one, Inequality):
            self.below.append((one, self.form(one.expr)))
        elif isinstance(one, (Equality, Zero)):
            self.equal.append((one, self.form(one.expr)))
        elif isinstance(one, SOC):
            self.cones.append((self.form(one.args[0]), self.form(one.rows)))
        elif isinstance(one, PSD):
            self.matrices.append((one, self.form(one.expr)))
        elif isinstance(one, Smooth):
            self.smooth.append((one.kind, self.form(one.args[0]),
                                self.form(one.args[1])))
        else:
            raise NotImplementedError(f"{type(one).__name__} is not here")

    def minimize(self, expr: Expression, way: int) -> None:
        """Adds EXPR times WAY, as squares as far as it is some."""
        self._target(expr, np.full(expr.size, float(way)))
        while self._queue:
            self._add(self._queue.pop())

    def _target(self, expr: Expression, weights: np.ndarray) -> None:
        if expr.is_affine():
            matrix, vector = self.form(expr)
            self._objective.append((sp.csr_matrix(weights @ matrix),
                                    np.array([weights @ vector])))
        elif isinstance(expr, _affine.Add):
            for arg in expr.args:
                self._target(arg, weights)
        elif isinstance(expr, _affine.Linear):
            for matrix, arg in zip(expr.maps, expr.args):
                self._target(arg, weights @ matrix)
        elif isinstance(expr, _affine.Product):
            matrix, free = expr.matrix()
            self._target(free, weights @ sp.csr_matrix(matrix))
        elif getattr(expr, "squares", None) is not None:
            inner = self.form(expr.squares)
            whole = np.broadcast_to(weights, len(inner[1])).copy()
            self._squares.append((inner, whole))
        else:
            self._target(self.graph(expr), weights)

    # The matrices.

    def stack(self, forms: list[Form]) -> Form:
        """FORMS, one below another."""
        if not forms:
            return sp.csr_matrix((0, self.columns)), np.zeros(0)
        return (sp.vstack([widened(form[0], self.columns)
                           for form in forms], "csr"),
                np.concatenate([form[1] for form in forms]))

    def objective(self) -> tuple[Any, np.ndarray, float]:
        """P, q and the constant."""
        linear, constants = self.stack(self._objective)
        q = np.asarray(linear.sum(axis=0)).ravel().astype(float)
        constant = float(builtins.sum(constants))
        P = sp.csr_matrix((self.columns, self.columns))
        for (matrix, vector), weights in self._squares:
            if (weights < 0).any():
                raise AssertionError("a square has a negative weight")
            wide = widened(matrix, self.columns)
            P = sp.csr_matrix(P + 2 * (wide.T @ sp.diags(weights) @ wide))
            q = q + 2 * (wide.T @ (weights * vector))
            constant += float(weights @ vector ** 2)
        P.eliminate_zeros()
        return P, q, constant

    def bounds(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Lower and upper bounds, and which columns are whole numbers."""
        if not self._bounds:
            return np.zeros(0), np.zeros(0), np.zeros(0, bool)
        return tuple(map(np.concatenate, zip(*self._bounds)))  # type: ignore

    def values(self, x: np.ndarray) -> None:
        """Gives their values to variables."""
        for leaf, place, basis in self.places.values():
            leaf.save_value(np.reshape(basis @ x[place] + 0.0, leaf.shape))


def _basis(leaf: Any) -> Any:
    """Entries of LEAF from its free numbers."""
    given = leaf.attributes
    side = leaf.shape[0] if leaf.shape else 1
    if given["diag"]:
        columns = np.arange(side)
        return sp.csr_matrix((np.ones(side), (columns * (side + 1), columns)),
                             (leaf.size, side))
    if not (given["symmetric"] or given["PSD"] or given["NSD"]):
        return sp.identity(leaf.size, float, "csr")
    row, column = np.tril_indices(side)
    number = np.zeros((side, side), int)
    number[row, column] = number[column, row] = np.arange(len(row))
    return sp.csr_matrix((np.ones(leaf.size),
                          (np.arange(leaf.size), number.ravel())))


def _bounds(leaf: Any, count: int) -> tuple[np.ndarray, ...]:
    given = leaf.attributes
    low, high = np.full(count, -np.inf), np.full(count, np.inf)
    whole = np.zeros(count, bool)
    if given["nonneg"] or given["pos"]:
        low[:] = 0
    if given["nonpos"] or given["neg"]:
        high[:] = 0
    if given["bounds"] is not False:
        low, high = (np.array(np.ravel(end), float)
                     for end in given["bounds"])
    for kind in ("integer", "boolean"):
        if given[kind] is not False:
            places = _chosen(given[kind], leaf)
            whole[places] = True
            if kind == "boolean":
                low[places], high[places] = 0, 1
    return low, high, whole


def _chosen(given: Any, leaf: Any) -> np.ndarray:
    """The places of entries: all, or those of a list of indices."""
    places = _affine.places_of(leaf)
    if given is True:
        return places.ravel()
    return np.array([places[tuple(np.atleast_1d(one))] for one in given],
                    int)

