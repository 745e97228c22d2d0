"""names - the parameters: their aliases, their defaults and their limits."""

from __future__ import annotations

import warnings
from typing import Any

__all__ = ["LightGBMError", "PARAMETERS", "settings", "canonical", "warn",
           "taken"]

# A parameter, its default and its other names.
_TABLE = """
objective=None objective_type app application loss
boosting=gbdt boosting_type boost
data_sample_strategy=bagging
num_iterations=100 num_iteration n_iter num_tree num_trees num_round
    num_rounds nrounds num_boost_round n_estimators max_iter
learning_rate=0.1 shrinkage_rate eta
num_leaves=31 num_leaf max_leaves max_leaf max_leaf_nodes
seed=None random_seed random_state
max_depth=-1
min_data_in_leaf=20 min_data_per_leaf min_data min_child_samples
    min_samples_leaf
min_sum_hessian_in_leaf=0.001 min_sum_hessian_per_leaf min_sum_hessian
    min_hessian min_child_weight
bagging_fraction=1.0 sub_row subsample bagging
bagging_freq=0 subsample_freq
bagging_seed=3 bagging_fraction_seed
feature_fraction=1.0 sub_feature colsample_bytree
feature_fraction_bynode=1.0 sub_feature_bynode colsample_bynode
feature_fraction_seed=2
early_stopping_round=0 early_stopping_rounds early_stopping
    n_iter_no_change
early_stopping_min_delta=0.0
first_metric_only=False
lambda_l1=0.0 reg_alpha l1_regularization
lambda_l2=0.0 reg_lambda lambda l2_regularization
min_gain_to_split=0.0 min_split_gain
drop_rate=0.1 rate_drop
max_drop=50
skip_drop=0.5
drop_seed=4
top_rate=0.2
other_rate=0.1
monotone_constraints=None mc monotone_constraint monotonic_cst
interaction_constraints=None
verbosity=1 verbose
max_bin=255 max_bins
min_data_in_bin=3
data_random_seed=1 data_seed
categorical_feature=None cat_feature categorical_column cat_column
    categorical_features
num_class=1 num_classes
is_unbalance=False unbalance unbalanced_sets
scale_pos_weight=1.0
sigmoid=1.0
boost_from_average=True
alpha=0.9
fair_c=1.0
poisson_max_delta_step=0.7
tweedie_variance_power=1.5
lambdarank_truncation_level=30
lambdarank_norm=True
label_gain=None
objective_seed=5
metric=None metrics metric_types
metric_freq=1 output_freq
is_provide_training_metric=False training_metric is_training_metric
    train_metric
eval_at=None ndcg_eval_at ndcg_at map_eval_at map_at
"""
# Parameters that change the speed, the memory or messages of the original.
_SPEED = """
num_threads num_thread nthread nthreads n_jobs
device_type device
deterministic force_col_wise force_row_wise histogram_pool_size
is_enable_sparse is_sparse enable_sparse sparse
two_round two_round_loading use_two_round_loading
feature_pre_filter pre_partition is_pre_partition
subsample_for_bin bin_construct_sample_cnt
gpu_platform_id gpu_device_id gpu_use_dp num_gpu
enable_bundle is_enable_bundle bundle
importance_type saved_feature_importance_type
extra_seed
""".split()
# Parameters that change a model and are not here, with the values that leave
# the model as it is.
_REFUSED: dict[str, tuple[Any, ...]] = {
    "extra_trees": (False,), "extra_tree": (False,),
    "linear_tree": (False,), "linear_trees": (False,),
    "linear_lambda": (0, 0.0),
    "cat_l2": (10, 10.0), "cat_smooth": (10, 10.0),
    "max_cat_threshold": (32,), "max_cat_to_onehot": (4,),
    "min_data_per_group": (100,), "top_k": (20,), "topk": (20,),
    "path_smooth": (0, 0.0), "max_delta_step": (0, 0.0),
    "max_tree_output": (0, 0.0), "max_leaf_output": (0, 0.0),
    "pos_bagging_fraction": (1, 1.0), "pos_sub_row": (1, 1.0),
    "pos_subsample": (1, 1.0), "neg_bagging_fraction": (1, 1.0),
    "neg_sub_row": (1, 1.0), "neg_subsample": (1, 1.0),
    "bagging_by_query": (False,), "uniform_drop": (False,),
    "monotone_constraints_method": ("basic",), "mc_method": ("basic",),
    "xgboost_dart_mode": (False,), "monotone_penalty": (0, 0.0),
    "monotone_splits_penalty": (0, 0.0), "feature_contri": (None,),
    "forcedsplits_filename": ("", None), "forcedbins_filename": ("", None),
    "refit_decay_rate": (0.9,), "cegb_tradeoff": (1, 1.0),
    "cegb_penalty_split": (0, 0.0), "cegb_penalty_feature_lazy": (None,),
    "cegb_penalty_feature_coupled": (None,), "reg_sqrt": (False,),
    "max_bin_by_feature": (None,), "use_missing": (True,),
    "zero_as_missing": (False,), "use_quantized_grad": (False,),
    "tree_learner": ("serial",), "tree": ("serial",), "num_machines": (1,),
    "input_model": ("", None), "auc_mu_weights": (None,),
    "multi_error_top_k": (1,), "start_iteration_predict": (0,),
    "pred_early_stop": (False,), "predict_disable_shape_check": (False,),
    "lambdarank_position_bias_regularization": (0, 0.0),
}


class LightGBMError(Exception):
    """An error of the library."""

    __module__ = "lightgbm.basic"


def _read() -> tuple[dict[str, Any], dict[str, str]]:
    import ast

    defaults, names = {}, {}
    for row in _TABLE.replace("\n    ", " ").split("\n"):
        first, *others = row.split() or [""]
        if not first:
            continue
        name, _, text = first.partition("=")
        try:
            defaults[name] = ast.literal_eval(text)
        except ValueError:
            defaults[name] = text
        for other in (name, *others):
            names[other] = name
    return defaults, names


PARAMETERS, _NAMES = _read()


def warn(text: str) -> None:
    warnings.warn(text, UserWarning, stacklevel=3)


def canonical(name: str) -> str:
    """The main name of a parameter."""
    return _NAMES.get(name, name)


def taken(params: dict[str, Any], name: str, default: Any,
          quiet: bool = False) -> Any:
    """The value of NAME or of one of its aliases, taken out of PARAMS."""
    found = default
    for other in [one for one in params if canonical(one) == name]:
        value = params.pop(other)
        if value is None:
            continue
        found = value
        if not quiet:
            warn(f"Found `{other}` in params. Will use it instead of argument")
    return found


def _number(name: str, value: Any) -> Any:
    """VALUE with the type of the default."""
    default = PARAMETERS[name]
    if isinstance(value, str) and isinstance(default, (bool, int, float)):
        if isinstance(default, bool):
            return value.lower() in ("true", "1", "+")
        value = float(value)
    if isinstance(default, bool) or default is None:
        return value
    if isinstance(default, int):
        return int(value)
    return float(value) if isinstance(default, float) else value


_RANGES = {
    "num_leaves": (2, 131072), "learning_rate": (1e-300, None),
    "bagging_fraction": (1e-300, 1.0), "feature_fraction": (1e-300, 1.0),
    "feature_fraction_bynode": (1e-300, 1.0), "min_data_in_leaf": (0, None),
    "min_sum_hessian_in_leaf": (0, None), "lambda_l1": (0, None),
    "lambda_l2": (0, None), "min_gain_to_split": (0, None),
    "max_bin": (2, None), "num_class": (1, None), "drop_rate": (0, 1.0),
    "top_rate": (0, 1.0), "other_rate": (0, 1.0), "sigmoid": (1e-300, None),
    "scale_pos_weight": (1e-300, None), "num_iterations": (0, None),
}


def _check(found: dict[str, Any]) -> None:
    for name, (least, most) in _RANGES.items():
        value = found[name]
        if value < least:
            sign = ">" if least == 1e-300 else ">" if name == "num_leaves" \
                or name == "max_bin" else ">="
            bound = {"num_leaves": 1, "max_bin": 1}.get(
                name, 0 if least == 1e-300 else least)
            raise LightGBMError(f"Check failed: ({name}) {sign} ({bound})")
        if most is not None and value > most:
            raise LightGBMError(f"Check failed: ({name}) <= ({most})")
    if found["max_bin"] > 255:
        raise NotImplementedError("max_bin above 255 is not here")
    if found["boosting"] not in ("gbdt", "gbrt", "goss", "dart", "rf",
                                 "random_forest"):
        raise LightGBMError(f"Unknown boosting type {found['boosting']}")
    if found["boosting"] == "goss":
        found.update(boosting="gbdt", data_sample_strategy="goss")
    if found["boosting"] in ("rf", "random_forest"):
        found["boosting"] = "rf"
        if not (found["bagging_freq"] > 0 and
                found["bagging_fraction"] < 1 or
                found["feature_fraction"] < 1):
            raise LightGBMError(
                "Check failed: (config->bagging_freq > 0 && "
                "config->bagging_fraction < 1.0f && "
                "config->bagging_fraction > 0.0f) || "
                "(config->feature_fraction < 1.0f && "
                "config->feature_fraction > 0.0f)")


def _refuse(name: str, value: Any) -> bool:
    """Whether NAME is known and changes nothing; raises if it does."""
    if name in _SPEED:
        if name in ("device", "device_type") and value not in (None, "cpu"):
            raise NotImplementedError(f"{name}={value!r}: there is only the "
                                      "processor here")
        return True
    if name not in _REFUSED:
        return False
    if value is not None and value not in _REFUSED[name]:
        raise NotImplementedError(f"the parameter {name}={value!r} is not "
                                  "here")
    return True


def settings(params: dict[str, Any]) -> dict[str, Any]:
    """All parameters by their main names, checked."""
    found = dict(PARAMETERS)
    unknown, given = [], {}
    for name, value in params.items():
        main = canonical(name)
        if main not in PARAMETERS:
            if not _refuse(name, value):
                unknown.append(name)
        elif value is not None and (main == name or main not in given):
            given[main] = value
    for main, value in given.items():
        found[main] = value if callable(value) else _number(main, value)
    _seeds(found, given)
    if found["verbosity"] >= 0:
        for name in unknown:
            print(f"[LightGBM] [Warning] Unknown parameter: {name}")
    _check(found)
    return found


def _seeds(found: dict[str, Any], given: dict[str, Any]) -> None:
    """A seed gives all other seeds."""
    if found["seed"] is None:
        return
    for step, name in enumerate(("data_random_seed", "bagging_seed",
                                 "drop_seed", "feature_fraction_seed",
                                 "objective_seed"), 1):
        if name not in given:
            found[name] = int(found["seed"]) * 7919 + step
