"""newer_clusters - scikit-learn's HDBSCAN, which it has since 1.3.

Clusters by density: points are joined by the shortest edges first, where an
edge is as long as the wider of the spaces around its ends. A part that is too
small for a cluster falls off; the clusters that last longest are chosen.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .newer_python import add

import importlib
from typing import Any, Iterator, NamedTuple

_import = importlib.import_module
_NOISE = -1


class _Row(NamedTuple):
    """A point or a cluster leaves its parent at a density."""
    parent: int
    child: int
    density: float
    size: int


def _distances(X: Any, machine: Any) -> Any:
    """All distances, and from them how far points are to reach each other."""
    numpy = _import("numpy")
    if machine.metric == "precomputed":
        far = numpy.array(X, float)
    else:
        far = _import("sklearn.metrics").pairwise_distances(
            X, metric=machine.metric, **(machine.metric_params or {}))
    count = machine.min_samples or machine.min_cluster_size
    if count > len(far):
        raise ValueError(f"min_samples ({count}) must be at most the number "
                         f"of samples in X ({len(far)})")
    core = numpy.partition(far, count - 1, axis=1)[:, count - 1]
    return numpy.maximum(numpy.maximum(far / machine.alpha, core[:, None]),
                         core[None])


def _shortest_edges(reach: Any) -> list[tuple[float, int, int]]:
    """The edges of a tree of all points, the shortest first."""
    numpy = _import("numpy")
    count, at = len(reach), 0
    best, source = numpy.full(count, numpy.inf), numpy.zeros(count, int)
    there, edges = numpy.zeros(count, bool), []
    for _ in range(count - 1):
        there[at] = True
        closer = (reach[at] < best) & ~there
        best[closer], source[closer] = reach[at][closer], at
        end = int(numpy.where(there, numpy.inf, best).argmin())
        edges.append((float(best[end]), int(source[end]), end))
        at = end
    return sorted(edges)


class _Tree:
    """How points join: node N + i is made by the edge i."""

    def __init__(self, edges: list[tuple[float, int, int]]) -> None:
        self.points = len(edges) + 1
        self.ends: list[tuple[int, int]] = []
        self.lengths = [length for length, _, _ in edges]
        self.sizes = [1] * self.points
        above = list(range(2 * self.points - 1))

        def top(node: int) -> int:
            while above[node] != node:
                above[node] = above[above[node]]
                node = above[node]
            return node

        for place, (_, a, b) in enumerate(edges):
            a, b = top(a), top(b)
            self.ends.append((a, b))
            self.sizes.append(self.sizes[a] + self.sizes[b])
            above[a] = above[b] = self.points + place

    def below(self, node: int) -> Iterator[int]:
        """NODE and all nodes below it, the highest first."""
        level = [node]
        while level:
            yield from level
            level = [end for one in level if one >= self.points
                     for end in self.ends[one - self.points]]


def _condense(tree: _Tree, least: int) -> list[_Row]:
    """The tree of clusters: parts smaller than LEAST fall off as points."""
    root = 2 * tree.points - 2
    name, following = {root: tree.points}, tree.points + 1
    rows: list[_Row] = []
    for node in tree.below(root):
        if node < tree.points or node not in name:
            continue
        length = tree.lengths[node - tree.points]
        density = 1 / length if length > 0 else float("inf")
        ends = tree.ends[node - tree.points]
        large = [end for end in ends if tree.sizes[end] >= least]
        for end in ends:
            if end not in large:
                rows += [_Row(name[node], one, density, 1)
                         for one in tree.below(end) if one < tree.points]
            elif len(large) == 1:
                name[end] = name[node]
            else:
                name[end], following = following, following + 1
                rows.append(_Row(name[node], name[end], density,
                                 tree.sizes[end]))
    return rows


class _Clusters:
    """The clusters of a condensed tree, of which some are chosen."""

    def __init__(self, rows: list[_Row], machine: Any) -> None:
        self.rows, self.machine = rows, machine
        self.root = min(row.parent for row in rows)
        self.children: dict[int, list[int]] = {
            row.parent: [] for row in rows}
        self.parent: dict[int, int] = {}
        self.birth, self.size = {self.root: 0.0}, {self.root: self.root}
        for row in rows:
            if row.child >= self.root:
                self.children[row.parent].append(row.child)
                self.parent[row.child] = row.parent
                self.birth[row.child] = row.density
                self.size[row.child] = row.size

    def below(self, node: int) -> Iterator[int]:
        yield node
        for child in self.children.get(node, ()):
            yield from self.below(child)

    def lasting(self) -> set[int]:
        """Those that last longer than their parts together."""
        worth = dict.fromkeys(self.children, 0.0)
        for row in self.rows:
            worth[row.parent] += (
                row.density - self.birth[row.parent]) * row.size
        most = self.machine.max_cluster_size or float("inf")
        chosen: set[int] = set()
        for node in sorted(self.children, reverse=True):
            if node == self.root and not self.machine.allow_single_cluster:
                continue
            parts = sum(worth[child] for child in self.children[node])
            if parts > worth[node] or self.size[node] > most:
                worth[node] = parts
            else:
                chosen.difference_update(self.below(node))
                chosen.add(node)
        return chosen

    def leaves(self) -> set[int]:
        found = {node for node, parts in self.children.items()
                 if not parts and node != self.root}
        return found or {self.root}

    def joined(self, chosen: set[int]) -> set[int]:
        """The same, but none that is born below the least length."""
        longest, found = self.machine.cluster_selection_epsilon, set()
        for node in sorted(chosen):
            while node != self.root and self.birth[node] * longest > 1:
                above = self.parent[node]
                if above == self.root and not \
                        self.machine.allow_single_cluster:
                    break
                node = above
            found.add(node)
        return {node for node in found if not any(
            one in found for one in self._above(node))}

    def _above(self, node: int) -> Iterator[int]:
        while node in self.parent:
            node = self.parent[node]
            yield node

    def chosen(self) -> list[int]:
        found = self.leaves() if \
            self.machine.cluster_selection_method == "leaf" else self.lasting()
        if self.machine.cluster_selection_epsilon > 0:
            found = self.joined(found)
        if not self.machine.allow_single_cluster:
            found.discard(self.root)
        return sorted(found)

    def _floor(self) -> float:
        """The density of a point that is in a cluster of all."""
        longest = self.machine.cluster_selection_epsilon
        return 1 / longest if longest > 0 else max(
            row.density for row in self.rows if row.parent == self.root)

    def labels(self) -> tuple[Any, Any]:
        """Of each point its cluster, and how surely it belongs there."""
        numpy, chosen = _import("numpy"), self.chosen()
        labels = numpy.full(self.root, _NOISE)
        sure = numpy.zeros(self.root)
        label_of = {one: label for label, node in enumerate(chosen)
                    for one in self.below(node)}
        top = numpy.zeros(len(chosen))
        for row in self.rows:
            if row.parent in chosen:
                label = label_of[row.parent]
                top[label] = max(top[label], row.density)
        single = chosen == [self.root]
        for row in self.rows:
            label = label_of.get(row.parent, _NOISE)
            if row.child >= self.root or label == _NOISE or (
                    single and row.density < self._floor()):
                continue
            labels[row.child] = label
            sure[row.child] = 1.0 if top[label] in (0, numpy.inf) else min(
                row.density, top[label]) / top[label]
        return labels, sure


def _centers(machine: Any, X: Any) -> None:
    """store_centers: the weighted mean and the middle point of each."""
    numpy, kinds = _import("numpy"), machine.store_centers
    metrics, means, middles = _import("sklearn.metrics"), [], []
    for label in range(machine.labels_.max() + 1):
        mine = machine.labels_ == label
        weights = machine.probabilities_[mine]
        means.append(numpy.average(X[mine], weights=weights, axis=0))
        far = metrics.pairwise_distances(X[mine], metric=machine.metric)
        middles.append(X[mine][(far * weights).sum(1).argmin()])
    if kinds in ("centroid", "both"):
        machine.centroids_ = numpy.array(means)
    if kinds in ("medoid", "both"):
        machine.medoids_ = numpy.array(middles)


def _change_clusters(cluster: Any) -> None:
    if hasattr(cluster, "HDBSCAN"):
        return
    base = _import("sklearn.base")

    class HDBSCAN(base.ClusterMixin, base.BaseEstimator):
        def __init__(self, min_cluster_size: int = 5, min_samples: Any = None,
                     cluster_selection_epsilon: float = 0.0,
                     max_cluster_size: Any = None, metric: Any = "euclidean",
                     metric_params: Any = None, alpha: float = 1.0,
                     algorithm: str = "auto", leaf_size: int = 40,
                     n_jobs: Any = None, cluster_selection_method: str = "eom",
                     allow_single_cluster: bool = False,
                     store_centers: Any = None, copy: bool = False) -> None:
            given = dict(locals())
            for name in self._get_param_names():
                setattr(self, name, given[name])

        def fit(self, X: Any, y: Any = None) -> Any:
            X = self._validate_data(X, dtype=float)
            rows = _condense(_Tree(_shortest_edges(_distances(X, self))),
                             self.min_cluster_size)
            self.labels_, self.probabilities_ = _Clusters(rows, self).labels()
            if self.store_centers:
                _centers(self, X)
            return self

        def fit_predict(self, X: Any, y: Any = None) -> Any:
            return self.fit(X).labels_

    add(cluster, HDBSCAN=HDBSCAN)


when_imported({"sklearn.cluster": _change_clusters})
