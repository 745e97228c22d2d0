"""cvxpy - convex problems, written as they are on paper.

Variables, parameters, constants, affine algebra, the atoms of linear,
quadratic, second-order cone and semidefinite programs, exp, log and their
kin; the rules of DCP; duals. HiGHS (scipy) solves linear programs, also of
whole numbers; cvxopt solves the others, and a branch and bound those with
whole numbers. Every name of a free solver is accepted. Not here: complex
numbers, arrays of 3 dimensions, norms of other powers than 1, 2 and infinity,
geometric (gp) and quasiconvex (qcp) programs, derivatives, DPP.
"""

from __future__ import annotations

from typing import Any

from . import constraints, error, settings
from ._affine import (bmat, concatenate, convolve, cumsum, diag, diff, hstack,
                      kron, matmul, mean, multiply, outer, promote, reshape,
                      scalar_product, sum, trace, transpose, upper_tri, vdot,
                      vec, vstack)
from ._atoms import (abs, cvar, geo_mean, harmonic_mean, huber, inv_pos, max,
                     maximum, min, minimum, mixed_norm, neg, norm, norm1,
                     norm2, norm_inf, pnorm, pos, power, psd_wrap, ptp,
                     quad_form, quad_over_lin, sqrt, square, std,
                     sum_largest, sum_smallest, sum_squares, tv, var)
from ._expression import Expression
from ._leaves import Constant, Parameter, Variable
from ._more import (entr, exp, kl_div, lambda_max, lambda_min, log, log1p,
                    log_det, log_sum_exp, logistic, matrix_frac, normNuc,
                    rel_entr, sigma_max)
from .constraints import PSD, SOC, NonNeg, NonPos, Zero
from .error import DCPError, DGPError, DPPError, ParameterError, SolverError
from .problem import Maximize, Minimize, Problem
from .settings import (INFEASIBLE, INFEASIBLE_INACCURATE,
                       INFEASIBLE_OR_UNBOUNDED, OPTIMAL, OPTIMAL_INACCURATE,
                       SOLVER_ERROR, UNBOUNDED, UNBOUNDED_INACCURATE,
                       USER_LIMIT)

__version__ = "1.5.3"
_SOLVERS = settings.ACCEPTED | settings.ABSENT
_INSTEAD = {
    "ExpCone": "exp, log, entr and rel_entr",
    "PowCone3D": "power and geo_mean", "PowConeND": "power and geo_mean",
    "FiniteSet": "boolean variables", "conv": "convolve",
    "prod": "geo_mean, or log and sum", "dotsort": "sum_largest",
    "cummax": "max of slices", "cumprod": "cumsum of logarithms",
    "lambda_sum_largest": "lambda_max", "tr_inv": "matrix_frac",
    "inv_prod": "geo_mean", "xexp": "exp", "log_normcdf": "log",
    "loggamma": "log", "perspective": "quad_over_lin and rel_entr",
    "partial_trace": "trace of slices", "vec_to_upper_tri": "upper_tri",
    "partial_transpose": "bmat of slices", "real": "real variables",
    "imag": "real variables", "conj": "real variables",
    "ceil": "integer variables", "floor": "integer variables",
    "sign": "boolean variables", "length": "boolean variables",
    "dist_ratio": "bisection over a parameter", "suppfunc": "max",
    "gen_lambda_max": "bisection over a parameter",
    "condition_number": "bisection over a parameter",
    "quantum_rel_entr": "rel_entr", "von_neumann_entr": "entr",
    "one_minus_pos": "1 - x", "eye_minus_inv": "1 - x", "pf_eigenvalue":
    "lambda_max", "gmatmul": "exp and log", "diff_pos": "x - y",
    "trace_inv": "matrix_frac", "CallbackParam": "Parameter",
    "transforms": "constraints", "broadcast_to": "promote",
    "squeeze": "reshape", "stack": "vstack", "swapaxes": "transpose",
    "permute_dims": "transpose", "moveaxis": "transpose",
}


def installed_solvers() -> list[str]:
    """Names of solvers; HiGHS and cvxopt do the work of all."""
    return list(settings.INSTALLED)


def __getattr__(name: str) -> Any:
    if name in _SOLVERS:
        return name
    if name in _INSTEAD:
        raise AttributeError(f"cvxpy.{name} is not here; instead take "
                             f"{_INSTEAD[name]}")
    raise AttributeError(f"module 'cvxpy' has no attribute '{name}'")
