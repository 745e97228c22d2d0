"""newer_learning - newer words of scikit-learn's linear machines and xgboost.

As newer_science.py: programs are written for scikit-learn 1.3, where the
machine chooses between the primal and the dual problem, and for xgboost 2,
whose trees take categories by default. Debian 12 has 1.2 and 1.7.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .newer_python import lacks, replace

import importlib
from typing import Any

_import = importlib.import_module


def _is_dual(machine: Any, X: Any) -> bool:
    """dual="auto": the dual problem if samples are fewer than features and
    the solver has it, or if it has no other."""
    shape = getattr(X, "shape", None) or _import("numpy").shape(X)
    fewer = bool(shape[0] < shape[1])
    try:
        _import("sklearn.svm._base")._get_liblinear_solver_type(
            getattr(machine, "multi_class", "ovr"),
            getattr(machine, "penalty", "l2"), machine.loss, fewer)
    except ValueError:
        return not fewer
    return fewer


def _choose_dual(kind: Any) -> None:
    """dual="auto", of 1.3, in a class of scikit-learn's."""
    if "auto" in repr(kind._parameter_constraints.get("dual")):
        return
    plain = kind.fit

    def fit(self: Any, X: Any, y: Any, *args: Any, **options: Any) -> Any:
        if not isinstance(self.dual, str) or self.dual != "auto":
            return plain(self, X, y, *args, **options)
        self.dual = _is_dual(self, X)
        try:
            return plain(self, X, y, *args, **options)
        finally:
            self.dual = "auto"

    replace(kind, "fit", fit)


def _change_machines(module: Any) -> None:
    _choose_dual(module.LinearSVC)
    _choose_dual(module.LinearSVR)


def _change_xgboost(module: Any) -> None:
    """The method of 2.0's trees, if categories need it and none is named."""
    if not lacks(module.XGBModel.__init__, "device"):
        return
    plain = module.XGBModel._configure_fit

    def _configure_fit(self: Any, booster: Any, eval_metric: Any, params: Any,
                       *args: Any, **options: Any) -> Any:
        if self.enable_categorical and not params.get("tree_method"):
            params = {**params, "tree_method": "hist"}
        return plain(self, booster, eval_metric, params, *args, **options)

    replace(module.XGBModel, "_configure_fit", _configure_fit)


def _change_boosters(core: Any) -> None:
    """device=, of 2.0: the processor, which 1.7 uses and has no word for."""
    sklearn = _import("xgboost.sklearn")
    if not lacks(sklearn.XGBModel.__init__, "device"):
        return
    plain = core.Booster.set_param

    def set_param(self: Any, params: Any, value: Any = None) -> None:
        if isinstance(params, str):
            params = {params: value}
        items = params.items() if hasattr(params, "items") else params
        plain(self, [(name, one) for name, one in items if name != "device"])

    replace(core.Booster, "set_param", set_param)


when_imported({
    "xgboost": lambda module: _change_boosters(module.core),
    "sklearn.svm._classes": _change_machines,
    "xgboost.sklearn": _change_xgboost,
})
