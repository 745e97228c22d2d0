"""error - the exceptions of cvxpy."""

from __future__ import annotations


class SolverError(Exception):
    """No solver gave an answer that can be trusted."""


class DCPError(Exception):
    """The problem does not keep the rules of convexity."""


class DPPError(Exception):
    """Parameters are used in a way that needs a new compilation."""


class DGPError(Exception):
    """The problem is not log-log convex."""


class DQCPError(Exception):
    """The problem is not quasiconvex."""


class ParameterError(Exception):
    """A parameter has no value."""
