"""boost - rounds of trees: scikit-learn grows each, leaf by leaf.

scikit-learn's histogram trees follow the library's own way: the leaf with the
largest gain is split next, and the least rows and the least sum of second
derivatives of a leaf count. The loop around them, the samples of rows and
columns and the values of leaves are of this module.
"""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from sklearn.ensemble._hist_gradient_boosting.grower import TreeGrower

from ._bins import MISSING, Bins
from ._names import LightGBMError

_FEW = 4_000_000            # values of a table that one thread is for


class Tree:
    """A grown tree: nodes by number, and sets of categories."""

    def __init__(self, grown: Any, bins: Bins) -> None:
        made = grown.make_predictor(
            [np.append(edges, np.inf) for edges in bins.edges])
        self.nodes, self.bits = made.nodes, made.binned_left_cat_bitsets
        self._made, self.bins = made, bins
        self.threads = 1

    def values(self, binned: Any) -> Any:
        return self._made.predict_binned(binned, MISSING, self.threads)

    def places(self, binned: Any) -> Any:
        """The number of the node that each row ends in."""
        kept = self.nodes["value"].copy()
        self.nodes["value"] = np.arange(len(kept))
        found = self.values(binned).astype(int)
        self.nodes["value"] = kept
        return found

    def leaves(self, binned: Any) -> Any:
        """The number of each row's leaf, among the leaves."""
        number = np.cumsum(self.nodes["is_leaf"]) - 1
        return number[self.places(binned)]

    def scale(self, factor: float) -> None:
        self.nodes["value"] *= factor

    @property
    def inner(self) -> Any:
        """The nodes that are split."""
        return self.nodes[self.nodes["is_leaf"] == 0]


def _soft(total: float, least: float) -> float:
    return float(np.sign(total) * max(abs(total) - least, 0.0))


def _thin(grown: Any, setup: dict[str, Any]) -> None:
    """Values of leaves by L1, and no splits that gain nothing with it."""
    l1, l2 = setup["lambda_l1"], setup["lambda_l2"]

    def worth(node: Any) -> float:
        return _soft(node.sum_gradients, l1) ** 2 / (node.sum_hessians + l2)

    def visit(node: Any) -> float:
        own = worth(node)
        if not node.is_leaf:
            below = visit(node.left_child) + visit(node.right_child)
            if below - own > setup["min_gain_to_split"]:
                return below
            grown.n_nodes -= _count(node) - 1
            node.is_leaf, node.left_child, node.right_child = True, None, None
        node.value = -_soft(node.sum_gradients, l1) / \
            (node.sum_hessians + l2)
        return own

    visit(grown.root)


def _count(node: Any) -> int:
    return 1 if node.is_leaf else \
        1 + _count(node.left_child) + _count(node.right_child)


def _columns(setup: dict[str, Any], count: int, chance: Any) -> Any:
    """The sets of columns that may be split on together, or None."""
    sets = setup["interaction_constraints"]
    sets = [set(one) for one in sets] if sets else None
    if setup["feature_fraction"] < 1:
        taken = set(chance.choice(
            count, max(1, int(round(count * setup["feature_fraction"]))),
            replace=False).tolist())
        sets = [one & taken for one in sets] if sets else [taken]
        sets = [one for one in sets if one] or [taken]
    return sets


class Rounds:
    """Training: the scores of all tables, and the trees so far."""

    def __init__(self, setup: dict[str, Any], loss: Any, train: Any,
                 past: Any = None) -> None:
        self.setup, self.loss, self.train = setup, loss, train
        self.binned, self.bins = train.binned, train.bins
        self.width = loss.width if loss else max(1, setup["num_class"])
        self.trees: list[list[Tree]] = []
        self.start = np.zeros(self.width)
        self.rows: Any = None
        self.weights: list[float] = []
        self.dropped: list[int] = []
        self._stopped = False
        seeds = ("bagging_seed", "feature_fraction_seed", "drop_seed")
        self.chances = [np.random.RandomState(setup[name] % 2 ** 32)
                        for name in seeds]
        self.scores = [self._first(train, past)]
        self.sets = [train]
        self._begin(past)

    def _first(self, data: Any, past: Any) -> Any:
        shape = (len(data.y),) if self.width == 1 else \
            (len(data.y), self.width)
        score = np.zeros(shape)
        if data.init_score is not None:
            given = np.asarray(data.init_score, dtype=float)
            if given.size != score.size:
                raise LightGBMError("Initial score size doesn't match data "
                                    "size")
            score += given.reshape(shape, order="F") if given.ndim == 1 \
                else given.reshape(shape)
        if past is not None:
            score += past.predict(data.raw, raw_score=True,
                                  num_iteration=-1)
        return score

    def _begin(self, past: Any) -> None:
        loss, setup = self.loss, self.setup
        if past is not None:
            self.trees = list(past.rounds.trees)
            self.start = past.rounds.start
        elif loss and setup["boost_from_average"] and \
                self.train.init_score is None:
            self.start = np.atleast_1d(loss.start()).astype(float)
        self.old = len(self.trees)
        self.weights = [1.0] * self.old
        if past is None:
            self.scores[0] += self.base()

    def add(self, data: Any, past: Any) -> None:
        """A table to be scored."""
        score = self._first(data, past)
        if past is None:
            score += self.base()
        for row in self.trees[self.old:]:
            self._score(score, data.binned, row, 1.0)
        self.sets.append(data)
        self.scores.append(score)

    def _score(self, score: Any, binned: Any, row: list[Tree], factor: float,
               ) -> None:
        for at, tree in enumerate(row):
            place = score if self.width == 1 else score[:, at]
            place += factor * tree.values(binned)

    # -- one round

    def step(self, own: Any = None) -> bool:
        """One round more; whether no tree could be grown."""
        self._drop()
        base = self.scores[0]
        if self.setup["boosting"] == "rf":
            base = np.zeros_like(base) + self.base()
        first, second = own(base) if own else self.loss.gradients(base)
        first, second = self._shaped(first), self._shaped(second)
        rows, first, second = self._sample(first, second)
        grown = [self._grow(first, second, rows, at, base)
                 for at in range(self.width)]
        if all(len(tree.nodes) == 1 for tree in grown) and \
                len(self.trees) > 0:
            self._restore(False)
            self._say_stop()
            return True
        self._keep(grown)
        return False

    def _say_stop(self) -> None:
        if self.setup["verbosity"] >= 0 and not self._stopped:
            print("[LightGBM] [Warning] Stopped training because there are no "
                  "more leaves that meet the split requirements")
        self._stopped = True

    def _shaped(self, slopes: Any) -> Any:
        """SLOPES as rows and classes."""
        if slopes is None:
            return None
        slopes = np.asarray(slopes, dtype=float)
        if slopes.size != self.scores[0].size:
            raise ValueError(
                f"Lengths of gradients ({slopes.size}) and scores "
                f"({self.scores[0].size}) don't match")
        if slopes.ndim == 1:
            return slopes.reshape(len(self.train.y), self.width, order="F")
        return slopes

    def _sample(self, first: Any, second: Any) -> tuple[Any, Any, Any]:
        setup, chance = self.setup, self.chances[0]
        count, done = len(first), len(self.trees)
        if setup["data_sample_strategy"] == "goss":
            return self._by_slopes(first, second)
        if setup["bagging_freq"] > 0 and setup["bagging_fraction"] < 1:
            if done % setup["bagging_freq"] == 0 or self.rows is None:
                self.rows = np.sort(chance.choice(
                    count, max(1, int(count * setup["bagging_fraction"])),
                    replace=False))
            return self.rows, first[self.rows], \
                None if second is None else second[self.rows]
        return None, first, second

    def _by_slopes(self, first: Any, second: Any) -> tuple[Any, Any, Any]:
        """The rows of the largest slopes, and some of the others."""
        setup, count = self.setup, len(first)
        if len(self.trees) < int(1 / setup["learning_rate"]):
            return None, first, second
        second = np.ones_like(first) if second is None else second
        order = np.argsort(-np.abs(first * second).sum(axis=1),
                           kind="stable")
        top = max(1, int(count * setup["top_rate"]))
        more = max(1, int(count * setup["other_rate"]))
        others = self.chances[0].choice(order[top:], min(more, count - top),
                                        replace=False)
        factor = np.ones(count)
        factor[others] = (count - top) / max(len(others), 1)
        rows = np.sort(np.concatenate([order[:top], others]))
        return rows, (first * factor[:, None])[rows], \
            (second * factor[:, None])[rows]

    def _threads(self, binned: Any) -> Optional[int]:
        return 1 if binned.size < _FEW else None

    def _grow(self, first: Any, second: Any, rows: Any, at: int,
              base: Any) -> Tree:
        setup, bins = self.setup, self.bins
        binned = self.binned if rows is None else \
            np.asfortranarray(self.binned[rows])
        depth = setup["max_depth"] if setup["max_depth"] > 0 else None
        mono = setup["monotone_constraints"]
        if mono and setup["lambda_l1"] > 0:
            raise NotImplementedError("lambda_l1 with monotone_constraints is "
                                      "not here")
        l2 = setup["lambda_l2"]
        grown = TreeGrower(
            binned, np.ascontiguousarray(first[:, at], dtype=np.float32),
            np.ones(1, dtype=np.float32) if second is None else
            np.ascontiguousarray(second[:, at], dtype=np.float32),
            max_leaf_nodes=setup["num_leaves"], max_depth=depth,
            min_samples_leaf=max(1, setup["min_data_in_leaf"]),
            min_gain_to_split=setup["min_gain_to_split"],
            n_bins_non_missing=bins.counts, has_missing_values=bins.missing,
            is_categorical=bins.categorical, monotonic_cst=mono or None,
            interaction_cst=_columns(setup, binned.shape[1],
                                     self.chances[1]),
            l2_regularization=l2,
            min_hessian_to_split=setup["min_sum_hessian_in_leaf"],
            n_threads=self._threads(binned))
        grown.grow()
        if setup["lambda_l1"] > 0 and not grown.root.is_leaf:
            _thin(grown, setup)
        tree = Tree(grown, bins)
        if len(tree.nodes) == 1:
            tree.nodes["value"] = 0.0
        elif self.loss and self.loss.renews:
            self._renew(tree, binned, rows, base)
        return tree

    def _renew(self, tree: Tree, binned: Any, rows: Any, base: Any) -> None:
        rows = np.arange(len(base)) if rows is None else rows
        rest, places = (self.loss.y - base)[rows], tree.places(binned)
        order = np.argsort(places, kind="stable")
        leaves, begins = np.unique(places[order], return_index=True)
        for leaf, members in zip(leaves, np.split(order, begins[1:])):
            tree.nodes["value"][leaf] = self.loss.renewed(rest[members],
                                                          rows[members])

    def _keep(self, grown: list[Tree]) -> None:
        """Add trees, with their rate, to the trees and the scores."""
        done, rate = len(self.trees), self.setup["learning_rate"]
        kind = self.setup["boosting"]
        if kind == "rf":
            for score in self.scores:
                score -= self.base()
                score *= done / (done + 1)
                score += self.base()
            for data, score in zip(self.sets, self.scores):
                self._score(score, data.binned, grown, 1 / (done + 1))
            self.trees.append(grown)
            return
        rate /= 1 + len(self.dropped)
        for tree in grown:
            tree.scale(rate)
        for data, score in zip(self.sets, self.scores):
            self._score(score, data.binned, grown, 1.0)
        self.trees.append(grown)
        self.weights.append(rate)
        self._restore(True)

    def base(self) -> Any:
        return self.start if self.width > 1 else self.start[0]

    # -- trees that are left out for a round

    def _drop(self) -> None:
        self.dropped = []
        if self.setup["boosting"] != "dart":
            return
        chance, setup = self.chances[2], self.setup
        if chance.random_sample() < setup["skip_drop"]:
            return
        weights = np.array(self.weights[self.old:])
        if not len(weights):
            return
        shares = setup["drop_rate"] * weights * len(weights) / weights.sum()
        found = np.flatnonzero(chance.random_sample(len(weights)) < shares)
        if setup["max_drop"] > 0:
            found = found[:setup["max_drop"]]
        self.dropped = [self.old + int(at) for at in found]
        for at in self.dropped:
            self._score(self.scores[0], self.binned, self.trees[at], -1.0)

    def _restore(self, grew: bool) -> None:
        """Put the trees that were left out back, each a little smaller if
        another GREW."""
        count = len(self.dropped)
        factor = count / (count + 1) if grew else 1.0
        for at in self.dropped:
            for data, score in zip(self.sets[1:], self.scores[1:]):
                self._score(score, data.binned, self.trees[at], factor - 1)
            for tree in self.trees[at]:
                tree.scale(factor)
            self.weights[at] *= factor
            self._score(self.scores[0], self.binned, self.trees[at], 1.0)
        self.dropped = []

    def undo(self) -> None:
        """Take the last round back."""
        if not self.trees:
            return
        if self.setup["boosting"] != "gbdt":
            raise NotImplementedError("rollback_one_iter() of "
                                      f"{self.setup['boosting']} is not here")
        row = self.trees.pop()
        for data, score in zip(self.sets, self.scores):
            self._score(score, data.binned, row, -1.0)

    def average(self) -> bool:
        return bool(self.setup["boosting"] == "rf")
