"""cp_model - constraint programs with the words of OR-Tools 9.12.

Models with integers, Booleans, intervals and all constraints but reservoirs,
in both spellings (NewIntVar, new_int_var). CryptoMiniSat and HiGHS solve
them, and each solution is checked. Where several solutions are best, it may
be another one than OR-Tools'. Counts of conflicts and branches are 0. Not
here: assumptions, the model's proto and its files, new_..._series, logs,
max_deterministic_time.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import lcm
from typing import Any, Iterable, Optional

from .._solver import (CpSolver, CpSolverSolutionCallback,
                       ObjectiveSolutionPrinter,
                       VarArrayAndObjectiveSolutionPrinter,
                       VarArraySolutionPrinter)
from .._words import (INT32_MAX, INT32_MIN, INT_MAX, INT_MIN,
                      BoundedLinearExpression, Domain, IntVar, LinearExpr,
                      NotBooleanVariable, _listed, whole)

UNKNOWN, MODEL_INVALID, FEASIBLE, INFEASIBLE, OPTIMAL = range(5)
(CHOOSE_FIRST, CHOOSE_LOWEST_MIN, CHOOSE_HIGHEST_MAX, CHOOSE_MIN_DOMAIN_SIZE,
 CHOOSE_MAX_DOMAIN_SIZE) = range(5)
(SELECT_MIN_VALUE, SELECT_MAX_VALUE, SELECT_LOWER_HALF, SELECT_UPPER_HALF,
 SELECT_MEDIAN_VALUE) = range(5)
(AUTOMATIC_SEARCH, FIXED_SEARCH, PORTFOLIO_SEARCH, LP_SEARCH,
 PSEUDO_COST_SEARCH, PORTFOLIO_WITH_QUICK_RESTART_SEARCH, HINT_SEARCH,
 PARTIAL_FIXED_SEARCH, RANDOMIZED_SEARCH) = range(9)

__all__ = ["BoundedLinearExpression", "Constraint", "CpModel", "CpSolver",
           "CpSolverSolutionCallback", "Domain", "IntVar", "IntervalVar",
           "LinearExpr", "NotBooleanVariable", "ObjectiveSolutionPrinter",
           "VarArrayAndObjectiveSolutionPrinter", "VarArraySolutionPrinter",
           "INT_MIN", "INT_MAX", "INT32_MIN", "INT32_MAX"]


def _old_names(cls: Any) -> Any:
    """Give methods such as new_int_var the name NewIntVar, too."""
    for name, method in list(vars(cls).items()):
        if re.fullmatch(r"[a-z]+(_[a-z0-9]+)*", name) and callable(method):
            old = "".join(part.title() for part in name.split("_"))
            setattr(cls, old, method)
    return cls


class Constraint:
    """A row of a model: its kind, what it is about, and its conditions."""

    def __init__(self, model: Any, kind: str, *args: Any) -> None:
        self._model, self._kind, self._args = model, kind, args
        self._given: list[int] = []
        self._name = ""
        self._index = len(model._rows)
        model._rows.append(self)

    def only_enforce_if(self, *literals: Any) -> "Constraint":
        """Let the constraint hold only where all LITERALS are true."""
        if self._kind not in ("linear", "or", "and", "xor", "at_most_one",
                              "exactly_one"):
            raise NotImplementedError(
                f"only_enforce_if() of {self._kind} is not here; it is for "
                "linear constraints and those of Booleans")
        self._given += self._model._literals(literals)
        return self

    def with_name(self, name: str) -> "Constraint":
        self._name = name
        return self

    @property
    def name(self) -> str:
        return self._name

    @property
    def index(self) -> int:
        return self._index

    OnlyEnforceIf, WithName = only_enforce_if, with_name

    def Name(self) -> str:
        return self._name

    def Index(self) -> int:
        return self._index


class IntervalVar:
    """A start, a size and an end; the literal says whether it is there."""

    def __init__(self, model: Any, start: Any, size: Any, end: Any,
                 literal: Any, name: str) -> None:
        self._start, self._size, self._end = start, size, end
        self._literal, self._name = literal, name or ""
        self.begin, self.length, self.stop = map(model._lin,
                                                 (start, size, end))
        self.lit = None if literal is None else model._literal(literal)
        row = Constraint(model, "interval", self.begin, self.length, self.stop)
        self._index = row._index
        if self.lit is not None:
            row._given.append(self.lit)

    @property
    def name(self) -> str:
        return self._name

    @property
    def index(self) -> int:
        return self._index

    def start_expr(self) -> Any:
        return self._start

    def size_expr(self) -> Any:
        return self._size

    def end_expr(self) -> Any:
        return self._end

    def presence_literals(self) -> list[Any]:
        return [] if self._literal is None else [self._literal]

    StartExpr, SizeExpr, EndExpr = start_expr, size_expr, end_expr
    PresenceLiterals = presence_literals

    def Name(self) -> str:
        return self._name

    def Index(self) -> int:
        return self._index

    def __str__(self) -> str:
        return self._name

    def __repr__(self) -> str:
        there = "" if self._literal is None else \
            f", is_present = {self._literal}"
        return (f"{self._name}(start = {self._start}, size = {self._size}, "
                f"end = {self._end}{there})")


@_old_names
class CpModel:
    """Variables, constraints, and what is made least or most."""

    def __init__(self) -> None:
        self._vars: list[IntVar] = []
        self._rows: list[Constraint] = []
        self._goal: Optional[tuple[Any, bool]] = None
        self._constants: dict[int, IntVar] = {}
        self.name = ""

    def __getattr__(self, name: str) -> Any:
        if re.match(r"add_|new_|Add|New|export|Export|proto$|Proto$|"
                    r"model_stats|ModelStats|clone|Clone|get_", name):
            raise NotImplementedError(f"CpModel.{name} is not here")
        raise AttributeError(f"'CpModel' object has no attribute '{name}'")

    # -- variables

    def _variable(self, domain: Domain, name: str) -> IntVar:
        self._vars.append(IntVar(len(self._vars), domain._spans, name))
        self._vars[-1]._model = self            # type: ignore[attr-defined]
        return self._vars[-1]

    def new_int_var(self, lb: int, ub: int, name: str = "") -> IntVar:
        return self._variable(Domain(whole(lb, "the lower bound"),
                                     whole(ub, "the upper bound")), name)

    def new_int_var_from_domain(self, domain: Domain,
                                name: str = "") -> IntVar:
        return self._variable(domain, name)

    def new_bool_var(self, name: str = "") -> IntVar:
        return self._variable(Domain(0, 1), name)

    def new_constant(self, value: int) -> IntVar:
        value = whole(value)
        if value not in self._constants:
            self._constants[value] = self._variable(Domain(value, value), "")
        return self._constants[value]

    # -- what constraints are made of

    def _lin(self, expr: Any) -> Any:
        """EXPR as terms and a constant."""
        if not isinstance(expr, LinearExpr):
            return ((), whole(expr))
        for one in expr._variables():
            if getattr(one, "_model", None) is not self:
                raise ValueError(f"{one!r} is a variable of another model")
        terms, constant = expr._flat()
        if any(isinstance(by, float) and not by.is_integer()
               for by in (*terms.values(), constant)):
            raise TypeError("a constraint needs integers; multiply it by a "
                            f"power of ten: {expr}")
        return (tuple((var, int(by)) for var, by in terms.items() if by),
                int(constant))

    def _literal(self, one: Any) -> int:
        if isinstance(one, IntVar):
            if not one._is_bool():
                raise TypeError(f"{one!r} is no Boolean variable")
            self._lin(one)
            return one._index + 1
        if isinstance(one, NotBooleanVariable):
            return -self._literal(one._variable)
        if isinstance(one, LinearExpr):
            raise TypeError(f"not a Boolean variable: {one}")
        value = whole(one, "a literal")
        if value in (-1, -2):                   # ~False, ~True
            value += 2
        if value not in (0, 1):
            raise TypeError(f"a literal is 0 or 1, not {one!r}")
        literal = self.new_constant(1)._index + 1
        return literal if value else -literal

    def _literals(self, given: Any) -> list[int]:
        return [self._literal(one) for one in _listed(given)]

    def _lins(self, given: Any) -> list[Any]:
        return [self._lin(one) for one in _listed(given)]

    # -- constraints

    def add(self, ct: Any) -> Constraint:
        if isinstance(ct, BoundedLinearExpression):
            return Constraint(self, "linear", self._lin(ct._expr),
                              ct._spans)
        if isinstance(ct, bool) or type(ct).__name__ in ("bool_", "bool"):
            return Constraint(self, "and" if ct else "or", [])
        raise TypeError(f"not a constraint: {ct!r}; write a comparison of "
                        "linear expressions")

    def add_linear_constraint(self, linear_expr: Any, lb: int,
                              ub: int) -> Constraint:
        return self.add_linear_expression_in_domain(linear_expr,
                                                    Domain(lb, ub))

    def add_linear_expression_in_domain(self, linear_expr: Any,
                                        domain: Domain) -> Constraint:
        return Constraint(self, "linear", self._lin(linear_expr),
                          domain._spans)

    def add_all_different(self, *expressions: Any) -> Constraint:
        return Constraint(self, "all_different", self._lins(expressions))

    def add_element(self, index: Any, expressions: Any,
                    target: Any) -> Constraint:
        items = self._lins([expressions])
        if not items:
            raise ValueError("add_element expects a non-empty list")
        return Constraint(self, "element", self._lin(index), items,
                          self._lin(target))

    def add_circuit(self, arcs: Any) -> Constraint:
        return Constraint(self, "circuit", self._arcs(arcs))

    def add_multiple_circuit(self, arcs: Any) -> Constraint:
        return Constraint(self, "routes", self._arcs(arcs))

    def _arcs(self, arcs: Any) -> list[Any]:
        found = [(whole(tail), whole(head), self._literal(one))
                 for tail, head, one in arcs]
        if not found:
            raise ValueError("a circuit expects a non-empty list of arcs")
        return found

    def _tuples(self, variables: Any, rows: Any) -> tuple[Any, Any]:
        items = self._lins([variables])
        if not items:
            raise ValueError("a table expects a non-empty list of variables")
        found = [tuple(whole(one) for one in row) for row in rows]
        for row in found:
            if len(row) != len(items):
                raise TypeError(f"the tuple {row} has another length than "
                                f"the {len(items)} variables")
        return items, found

    def add_allowed_assignments(self, expressions: Any,
                                tuples_list: Any) -> Constraint:
        return Constraint(self, "table",
                          *self._tuples(expressions, tuples_list), False)

    def add_forbidden_assignments(self, expressions: Any,
                                  tuples_list: Any) -> Constraint:
        return Constraint(self, "table",
                          *self._tuples(expressions, tuples_list), True)

    def add_automaton(self, transition_expressions: Any, starting_state: int,
                      final_states: Any, transition_triples: Any,
                      ) -> Constraint:
        items = self._lins([transition_expressions])
        finals = [whole(one) for one in final_states]
        moves = [tuple(whole(one) for one in move)
                 for move in transition_triples]
        if not items or not finals or not moves:
            raise ValueError("an automaton needs expressions, final states "
                             "and transitions")
        if any(len(move) != 3 for move in moves):
            raise TypeError("a transition has a tail, a label and a head")
        return Constraint(self, "automaton", items, whole(starting_state),
                          finals, moves)

    def add_inverse(self, variables: Any,
                    inverse_variables: Any) -> Constraint:
        one, two = self._lins([variables]), self._lins([inverse_variables])
        if not one or not two:
            raise TypeError("add_inverse needs variables in both lists")
        if len(one) != len(two):
            raise TypeError("both lists of add_inverse need the same length")
        return Constraint(self, "inverse", one, two)

    def add_implication(self, a: Any, b: Any) -> Constraint:
        row = Constraint(self, "or", [self._literal(b)])
        row._given.append(self._literal(a))
        return row

    def add_bool_or(self, *literals: Any) -> Constraint:
        return Constraint(self, "or", self._literals(literals))

    add_at_least_one = add_bool_or

    def add_at_most_one(self, *literals: Any) -> Constraint:
        return Constraint(self, "at_most_one", self._literals(literals))

    def add_exactly_one(self, *literals: Any) -> Constraint:
        return Constraint(self, "exactly_one", self._literals(literals))

    def add_bool_and(self, *literals: Any) -> Constraint:
        return Constraint(self, "and", self._literals(literals))

    def add_bool_xor(self, *literals: Any) -> Constraint:
        return Constraint(self, "xor", self._literals(literals))

    AddBoolXOr = add_bool_xor

    def add_map_domain(self, var: IntVar, bool_var_array: Iterable[Any],
                       offset: int = 0) -> None:
        for place, one in enumerate(bool_var_array):
            literal = self._literal(one)
            for row, given in ((var == place + offset, literal),
                               (var != place + offset, -literal)):
                self.add(row)._given.append(given)

    def _most(self, target: Any, items: Any, sign: int) -> Constraint:
        found = [self._lin(sign * one) for one in _listed(items)]
        if not found:
            raise ValueError("a minimum or maximum needs expressions")
        return Constraint(self, "max", self._lin(sign * target), found)

    def add_max_equality(self, target: Any, *exprs: Any) -> Constraint:
        return self._most(target, exprs, 1)

    def add_min_equality(self, target: Any, *exprs: Any) -> Constraint:
        return self._most(target, exprs, -1)

    def add_abs_equality(self, target: Any, expr: Any) -> Constraint:
        return self._most(target, [[expr, -1 * expr]], 1)

    def add_division_equality(self, target: Any, num: Any,
                              denom: Any) -> Constraint:
        return Constraint(self, "divide", *map(self._lin,
                                               (target, num, denom)))

    def add_modulo_equality(self, target: Any, expr: Any,
                            mod: Any) -> Constraint:
        return Constraint(self, "modulo", *map(self._lin,
                                               (target, expr, mod)))

    def add_multiplication_equality(self, target: Any,
                                    *expressions: Any) -> Constraint:
        return Constraint(self, "multiply", self._lin(target),
                          self._lins(expressions))

    # -- intervals

    def new_interval_var(self, start: Any, size: Any, end: Any,
                         name: str = "") -> IntervalVar:
        return IntervalVar(self, start, size, end, None, name)

    def new_fixed_size_interval_var(self, start: Any, size: int,
                                    name: str = "") -> IntervalVar:
        return IntervalVar(self, start, size, start + size, None, name)

    def new_optional_interval_var(self, start: Any, size: Any, end: Any,
                                  is_present: Any,
                                  name: str = "") -> IntervalVar:
        return IntervalVar(self, start, size, end, is_present, name)

    def new_optional_fixed_size_interval_var(
            self, start: Any, size: int, is_present: Any,
            name: str = "") -> IntervalVar:
        return IntervalVar(self, start, size, start + size, is_present, name)

    def _intervals(self, given: Any) -> list[IntervalVar]:
        found = list(given)
        for one in found:
            if not isinstance(one, IntervalVar):
                raise TypeError(f"not an interval: {one!r}")
        return found

    def add_no_overlap(self, intervals: Any) -> Constraint:
        return Constraint(self, "no_overlap", self._intervals(intervals))

    def add_no_overlap_2d(self, x_intervals: Any,
                          y_intervals: Any) -> Constraint:
        return Constraint(self, "no_overlap_2d", self._intervals(x_intervals),
                          self._intervals(y_intervals))

    def add_cumulative(self, intervals: Any, demands: Any,
                       capacity: Any) -> Constraint:
        found, needs = self._intervals(intervals), self._lins([demands])
        if len(found) != len(needs):
            raise ValueError(f"{len(found)} intervals, {len(needs)} demands")
        return Constraint(self, "cumulative", found, needs,
                          self._lin(capacity))

    # -- the goal, and what only changes how a search runs

    def minimize(self, obj: Any) -> None:
        self._goal = (obj, False)

    def maximize(self, obj: Any) -> None:
        self._goal = (obj, True)

    def has_objective(self) -> bool:
        return self._goal is not None

    def clear_objective(self) -> None:
        self._goal = None

    def add_hint(self, var: Any, value: Any) -> None:
        """A hint changes how long a search takes."""

    def clear_hints(self) -> None:
        """There are none."""

    def add_decision_strategy(self, variables: Any, var_strategy: int,
                              domain_strategy: int) -> None:
        """A strategy changes how long a search takes."""

    def validate(self) -> str:
        """What is wrong with the model."""
        empty = [one for one in self._vars if not one._spans]
        return f"the domain of {empty[0]} is empty" if empty else ""

    def negated(self, index: int) -> int:
        return -index - 1

    def _whole_goal(self) -> tuple[Any, Any, Fraction]:
        """The goal to make least, times a factor; and the factor."""
        assert self._goal is not None
        expr, most = self._goal
        terms, constant = expr._flat() if isinstance(expr, LinearExpr) else \
            ({}, expr)
        exact = {var: Fraction(str(by)) for var, by in terms.items() if by}
        scale = lcm(*(by.denominator for by in exact.values()))
        if scale > 10 ** 9:
            raise NotImplementedError(
                "the objective's coefficients have too many digits; round "
                "them to nine or fewer places")
        sign = -1 if most else 1
        return ((tuple((var, int(by * scale) * sign)
                       for var, by in exact.items()), 0),
                constant, Fraction(sign, scale))


def object_is_a_true_literal(literal: Any) -> bool:
    """Whether LITERAL is the constant 1."""
    return not isinstance(literal, LinearExpr) and literal == 1


def object_is_a_false_literal(literal: Any) -> bool:
    """Whether LITERAL is the constant 0."""
    return not isinstance(literal, LinearExpr) and literal == 0


def __getattr__(name: str) -> object:
    raise AttributeError(
        f"module 'ortools.sat.python.cp_model' has no attribute '{name}' here")
