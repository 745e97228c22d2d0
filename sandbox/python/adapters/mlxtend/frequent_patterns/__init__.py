"""mlxtend.frequent_patterns - sets of items that often come together.

fpgrowth() finds what apriori() finds, in the same order: by size, then by the
order of the columns.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy
import pandas

__all__ = ["apriori", "association_rules", "fpgrowth", "fpmax"]
_METRICS = ["antecedent support", "consequent support", "support",
            "confidence", "lift", "representativity", "leverage",
            "conviction", "zhangs_metric", "jaccard", "certainty",
            "kulczynski"]


def _values(df: Any, min_support: float, null_values: bool) -> Any:
    if min_support <= 0:
        raise ValueError("`min_support` must be a positive number within the "
                         f"interval `(0, 1]`. Got {min_support}.")
    if null_values:
        raise NotImplementedError("null_values= is not in this mlxtend: "
                                  "fillna() first")
    found = df.to_numpy()
    if found.dtype != bool:
        wrong = ~numpy.isin(found, [0, 1])
        if wrong.any():
            raise ValueError("The allowed values for a DataFrame are True, "
                             f"False, 0, 1. Found value {found[wrong][0]}")
    return found.astype(bool)


def _frequent(found: Any, least: float,
              max_len: Any) -> dict[tuple[int, ...], float]:
    """Sets of columns, each from two of its subsets, and their supports."""
    rows = {(at,): found[:, at] for at in range(found.shape[1])}
    kept: dict[tuple[int, ...], float] = {}
    size = 1
    while rows and (max_len is None or size <= max_len):
        rows = {one: where for one, where in rows.items()
                if where.mean() >= least}
        kept.update({one: where.mean() for one, where in rows.items()})
        size += 1
        rows = {a + b[-1:]: rows[a] & rows[b]
                for a, b in itertools.combinations(sorted(rows), 2)
                if a[:-1] == b[:-1] and all(
                    one in rows for one in itertools.combinations(
                        a + b[-1:], size - 1))}
    return kept


def _table(df: Any, sets: Any, use_colnames: bool) -> Any:
    names = list(df.columns) if use_colnames else range(len(df.columns))
    return pandas.DataFrame({
        "support": pandas.Series(list(sets.values()), dtype=float),
        "itemsets": pandas.Series([frozenset(names[at] for at in one)
                                   for one in sets], dtype=object)})


def apriori(df: Any, min_support: float = 0.5, use_colnames: bool = False,
            max_len: Any = None, verbose: int = 0,
            low_memory: bool = False) -> Any:
    return _table(df, _frequent(_values(df, min_support, False), min_support,
                                max_len), use_colnames)


def fpgrowth(df: Any, min_support: float = 0.5, null_values: bool = False,
             use_colnames: bool = False, max_len: Any = None,
             verbose: int = 0) -> Any:
    _values(df, min_support, null_values)
    return apriori(df, min_support, use_colnames, max_len)


def fpmax(df: Any, min_support: float = 0.5, null_values: bool = False,
          use_colnames: bool = False, max_len: Any = None,
          verbose: int = 0) -> Any:
    """Those sets that are part of no other one."""
    sets = _frequent(_values(df, min_support, null_values), min_support,
                     max_len)
    inner = {part for one in sets if len(one) > 1
             for part in itertools.combinations(one, len(one) - 1)}
    return _table(df, {one: share for one, share in sets.items()
                       if one not in inner}, use_colnames)


def _measures(both: Any, first: Any, second: Any) -> dict[str, Any]:
    """The metrics of rules, of the supports of both sides and of each."""
    with numpy.errstate(divide="ignore", invalid="ignore"):
        sure = both / first
        zhang = numpy.maximum(both * (1 - first), first * (second - both))
        lever = both - first * second
        rest = 1 - second
        return {
            "antecedent support": first, "consequent support": second,
            "support": both, "confidence": sure, "lift": sure / second,
            "representativity": numpy.ones(len(both)), "leverage": lever,
            "conviction": numpy.where(sure < 1, rest / (1 - sure),
                                      numpy.inf),
            "zhangs_metric": numpy.where(zhang == 0, 0, lever / zhang),
            "jaccard": both / (first + second - both),
            "certainty": numpy.where(rest == 0, 0, (sure - second) / rest),
            "kulczynski": (sure + both / second) / 2}


def association_rules(df: Any, num_itemsets: Any = None, df_orig: Any = None,
                      null_values: bool = False, metric: str = "confidence",
                      min_threshold: float = 0.8, support_only: bool = False,
                      return_metrics: Any = None) -> Any:
    """Which items follow from which, from a table of frequent sets."""
    if null_values or support_only or df_orig is not None:
        raise NotImplementedError("null_values=, support_only= and df_orig= "
                                  "are not in this mlxtend")
    if not len(df):
        raise ValueError("The input DataFrame `df` containing the frequent "
                         "itemsets is empty.")
    if metric not in _METRICS:
        raise ValueError(f"Metric must be 'confidence' or 'lift', got "
                         f"{metric!r}")
    shares = dict(zip(map(frozenset, df["itemsets"]), df["support"]))
    sides = [(frozenset(one), whole - frozenset(one)) for whole in shares
             for size in range(len(whole) - 1, 0, -1)
             for one in itertools.combinations(whole, size)]
    missing = {part for pair in sides for part in pair} - set(shares)
    if missing:
        raise KeyError(f"{next(iter(missing))}You are likely getting this "
                       "error because the DataFrame is missing  antecedent "
                       "and/or consequent  information.")
    values = _measures(*(numpy.array([shares[one] for one in part], float)
                         for part in ([a | b for a, b in sides],
                                      [a for a, _ in sides],
                                      [b for _, b in sides])))
    found = pandas.DataFrame({
        "antecedents": pandas.Series([a for a, _ in sides], dtype=object),
        "consequents": pandas.Series([b for _, b in sides], dtype=object),
        **values})
    found = found[found[metric] >= min_threshold].reset_index(drop=True)
    return found if return_metrics is None else \
        found[["antecedents", "consequents", *return_metrics]]
