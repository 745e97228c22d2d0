"""problem - objectives, problems and their solution."""

from __future__ import annotations

import time
import warnings
from typing import Any, Optional

import numpy as np

from . import _affine, _canon, _linear, _whole, constraints, settings
from ._expression import Expression
from .error import DCPError, ParameterError, SolverError

# Options of solvers that change how long one works, or how near it comes.
_OPTIONS = frozenset(
    "warm_start max_iter max_iters maxiters eps eps_abs eps_rel eps_infeas "
    "eps_prim_inf eps_dual_inf abstol reltol feastol abstol_inacc "
    "reltol_inacc feastol_inacc polish polishing adaptive_rho rho alpha "
    "scale normalize acceleration_lookback check_termination "
    "scaled_termination kktsolver refinement use_indirect use_quad_obj "
    "tol_gap_abs tol_gap_rel tol_feas tol_infeas_abs tol_infeas_rel "
    "time_limit time_limit_secs TimeLimit tm_lim mi_max_iters mi_abs_eps "
    "mi_rel_eps mip_rel_gap mip_gap MIPGap scipy_options highs_options "
    "scip_params maximumSeconds allowableGap ratioGap logLevel "
    "numberThreads threads ignore_dpp enforce_dpp canon_backend "
    "solver_path quiet max_threads".split())
_REFUSED = ("gp", "qcp", "requires_grad", "nlp", "method")


class Minimize:
    """The objective: an expression of one number."""

    NAME, _way = "minimize", 1

    def __init__(self, expr: Any) -> None:
        self.expr: Expression = _affine.expression(expr)
        self.args = [self.expr]
        if not self.expr.is_scalar():
            raise ValueError(f"The '{self.NAME}' objective must resolve to "
                             "a scalar.")

    def is_dcp(self, dpp: bool = False) -> bool:
        if dpp:
            raise NotImplementedError("is_dcp(dpp=True) is not here")
        return bool(self.expr.is_convex())

    @property
    def value(self) -> Any:
        value = self.expr.value
        return None if value is None else np.ravel(value)[0]

    def variables(self) -> list[Any]:
        return self.expr.variables()

    def parameters(self) -> list[Any]:
        return self.expr.parameters()

    def constants(self) -> list[Any]:
        return self.expr.constants()

    def __neg__(self) -> "Minimize":
        return (Maximize if self._way > 0 else Minimize)(-self.expr)

    def __add__(self, other: Any) -> "Minimize":
        if isinstance(other, (int, float)) and other == 0:
            return self
        if not isinstance(other, Minimize):
            raise NotImplementedError("only objectives are added to an "
                                      "objective")
        if type(other) is not type(self):
            raise DCPError("Problem does not follow DCP rules.")
        return type(self)(self.expr + other.expr)

    __radd__ = __add__

    def __mul__(self, other: Any) -> "Minimize":
        kind = type(self) if other >= 0 else type(-self)
        return kind(self.expr * other)

    __rmul__ = __mul__

    def __str__(self) -> str:
        return f"{self.NAME} {self.expr.name()}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.expr!r})"


class Maximize(Minimize):
    """The objective: an expression of one number."""

    NAME, _way = "maximize", -1

    def is_dcp(self, dpp: bool = False) -> bool:
        if dpp:
            raise NotImplementedError("is_dcp(dpp=True) is not here")
        return bool(self.expr.is_concave())


class SolverStats:
    """What is known of the last solution."""

    def __init__(self, name: str, seconds: float, steps: int) -> None:
        self.solver_name, self.solve_time = name, seconds
        self.setup_time, self.num_iters = None, steps
        self.extra_stats = None

    def __repr__(self) -> str:
        return (f"SolverStats(solver_name={self.solver_name!r}, "
                f"solve_time={self.solve_time!r}, setup_time=None, "
                f"num_iters={self.num_iters!r}, extra_stats=None)")


class SizeMetrics:
    """How many numbers there are to find."""

    def __init__(self, problem: "Problem") -> None:
        of_kind: dict[bool, int] = {True: 0, False: 0}
        for one in problem.constraints:
            of_kind[isinstance(one, (constraints.Equality,
                                     constraints.Zero))] += one.size
        self.num_scalar_variables = sum(
            leaf.size for leaf in problem.variables())
        self.num_scalar_eq_constr = of_kind[True]
        self.num_scalar_leq_constr = of_kind[False]


class Problem:
    """An objective and constraints."""

    def __init__(self, objective: Any, constraints: Any = None) -> None:
        if not isinstance(objective, Minimize):
            raise DCPError("Problem objective must be Minimize or Maximize.")
        if constraints is not None and not isinstance(constraints,
                                                      (list, tuple, set)):
            if not hasattr(constraints, "__iter__"):
                raise TypeError("constraints are a list")
        self._objective = objective
        self._constraints = [_constraint(one) for one in constraints or ()]
        self._status: Optional[str] = None
        self._value: Any = None
        self._stats: Optional[SolverStats] = None
        self.compilation_time: Optional[float] = None

    @property
    def objective(self) -> Minimize:
        return self._objective

    @property
    def constraints(self) -> list[Any]:
        return self._constraints[:]

    @property
    def status(self) -> Optional[str]:
        return self._status

    @property
    def value(self) -> Any:
        return self._value

    @property
    def solver_stats(self) -> Optional[SolverStats]:
        return self._stats

    @property
    def size_metrics(self) -> SizeMetrics:
        return SizeMetrics(self)

    def _leaves(self, kind: str) -> list[Any]:
        parts = [self.objective, *self._constraints]
        found = [leaf for part in parts for leaf in getattr(part, kind)()]
        return list({id(leaf): leaf for leaf in found}.values())

    def variables(self) -> list[Any]:
        return self._leaves("variables")

    def parameters(self) -> list[Any]:
        return self._leaves("parameters")

    def constants(self) -> list[Any]:
        return self._leaves("constants")

    @property
    def var_dict(self) -> dict[str, Any]:
        return {leaf.name(): leaf for leaf in self.variables()}

    @property
    def param_dict(self) -> dict[str, Any]:
        return {leaf.name(): leaf for leaf in self.parameters()}

    def is_dcp(self, dpp: bool = False) -> bool:
        return all(part.is_dcp(dpp)
                   for part in [self.objective, *self._constraints])

    def is_mixed_integer(self) -> bool:
        return any(leaf.attributes["boolean"] is not False or
                   leaf.attributes["integer"] is not False
                   for leaf in self.variables())

    def is_qp(self) -> bool:
        """Is it a quadratic objective with affine constraints?"""
        return self.is_dcp() and self.objective.expr.is_quadratic() and all(
            one.expr.is_affine() and not isinstance(
                one, (constraints.PSD, constraints.SOC))
            for one in self._constraints) and not any(
            leaf.is_psd() or leaf.is_nsd() for leaf in self.variables())

    # Solution.

    def solve(self, solver: Any = None, verbose: bool = False, *args: Any,
              **options: Any) -> Any:
        """Finds values of the variables, and returns the objective's."""
        name = _solver_of(solver)
        _check_options(args, options)
        if not self.is_dcp():
            raise DCPError(self._faults())
        empty = [leaf.name() for leaf in self.parameters()
                 if leaf.value is None]
        if empty:
            raise ParameterError("A Parameter has no value: "
                                 f"{', '.join(empty)}. Set its value before "
                                 "solving.")
        start = time.perf_counter()
        program = _canon.Program()
        program.minimize(self.objective.expr, self.objective._way)
        for one in self._constraints:
            program.add(one)
        data = _linear.Data(program)
        self.compilation_time = time.perf_counter() - start
        found = self._run(data, verbose)
        seconds = time.perf_counter() - start - self.compilation_time
        self._stats = SolverStats(name or _chosen(data), seconds,
                                  found.steps)
        self._keep(program, data, found)
        return self._value

    def _run(self, data: Any, verbose: bool) -> Any:
        try:
            return _whole.solve(data, verbose)
        except SolverError:
            self._status, self._value = settings.SOLVER_ERROR, None
            self._forget()
            raise

    def _forget(self) -> None:
        for leaf in self.variables():
            leaf.save_value(None)
        for one in self._constraints:
            one.save_dual_value(None)

    def _keep(self, program: Any, data: Any, found: Any) -> None:
        self._status = found.status
        self._forget()
        if not found.is_found():
            worse = found.status == settings.INFEASIBLE
            self._value = self.objective._way * (np.inf if worse else
                                                 -np.inf)
            return
        if found.status == settings.OPTIMAL_INACCURATE:
            warnings.warn("Solution may be inaccurate. Try another solver, "
                          "adjusting the solver settings, or solve with "
                          "verbose=True for more information.",
                          stacklevel=3)
        program.values(found.x)
        value = self.objective.value
        if value is None or not np.isfinite(value):
            value = self.objective._way * float(
                found.x @ (data.P @ found.x) / 2 + data.q @ found.x +
                data.constant)
        self._value = value
        _keep_duals(program.below, found.z)
        _keep_duals(program.equal, found.y)
        if found.duals is not None:
            for (one, _form), dual in zip(program.matrices, found.duals):
                one.save_dual_value(dual)

    def unpack_results(self, *args: Any, **options: Any) -> Any:
        raise NotImplementedError("Problem.unpack_results() is not here")

    def get_problem_data(self, *args: Any, **options: Any) -> Any:
        raise NotImplementedError("Problem.get_problem_data() is not here")

    def _faults(self) -> str:
        lines = ["Problem does not follow DCP rules. Specifically:"]
        if not self.objective.is_dcp():
            lines += [f"The objective is not DCP: {self.objective}",
                      *_culprits(self.objective.expr)]
        bad = [one for one in self._constraints if not one.is_dcp()]
        if bad:
            lines.append("The following constraints are not DCP:")
        for one in bad:
            lines += [str(one)] + _culprits(one.expr)
        return "\n".join(lines)

    def __add__(self, other: Any) -> "Problem":
        if isinstance(other, (int, float)) and other == 0:
            return self
        if not isinstance(other, Problem):
            raise NotImplementedError("only problems are added to a problem")
        both = list(dict.fromkeys([*self._constraints,
                                   *other._constraints]))
        return Problem(self.objective + other.objective, both)

    __radd__ = __add__

    def __str__(self) -> str:
        if not self._constraints:
            return str(self.objective)
        lines = [str(one) for one in self._constraints]
        return f"{self.objective}\nsubject to {lines[0]}" + "".join(
            f"\n           {line}" for line in lines[1:])

    def __repr__(self) -> str:
        return f"Problem({self.objective!r}, {self._constraints!r})"


def _constraint(given: Any) -> Any:
    if isinstance(given, constraints.Constraint):
        return given
    if isinstance(given, (bool, np.bool_)):
        return constraints.of_bool(bool(given))
    raise ValueError(f"Problem has an invalid constraint of type "
                     f"{type(given)}")


def _culprits(expr: Expression) -> list[str]:
    """The smallest parts of EXPR without a curvature."""
    if expr.is_dcp():
        return []
    found = [line for arg in expr.args for line in _culprits(arg)]
    return found or [f"|--  {expr}"]


def _keep_duals(rows: Any, values: Any) -> None:
    if values is None:
        return
    start = 0
    for one, (_matrix, vector) in rows:
        end = start + len(vector)
        one.save_dual_value(np.reshape(values[start:end] + 0.0, one.shape))
        start = end


def _solver_of(given: Any) -> Optional[str]:
    """The name of a solver that is accepted."""
    if given is None:
        return None
    if not isinstance(given, str):
        raise NotImplementedError("solve(solver=) takes the name of one "
                                  "solver here")
    name = given.upper()
    if name not in settings.ACCEPTED:
        raise SolverError(f"The solver {name} is not installed.")
    return name


def _check_options(args: Any, options: dict[str, Any]) -> None:
    if args:
        raise NotImplementedError("solve(method) is not here; name options")
    for option, given in options.items():
        if option in _REFUSED:
            if given:
                raise NotImplementedError(f"solve({option}=) is not here")
        elif option not in _OPTIONS:
            raise NotImplementedError(
                f"solve({option}=) is not here; this adapter solves by HiGHS "
                "and cvxopt, to their full accuracy")


def _chosen(data: Any) -> str:
    return "HIGHS" if data.is_linear() else "CVXOPT"
