"""newer_science - newer names and words of scipy, scikit-learn, networkx and
scikit-image.

As newer.py for other libraries: programs are written for scipy 1.15,
scikit-learn 1.6 and networkx 3.4, while Debian 12 has 1.10, 1.2 and 2.8.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .newer_python import add, lacks, replace

import importlib
import inspect
import sys
import warnings
from typing import Any

_import, _modules = importlib.import_module, sys.modules

# -- scipy

# Functions that draw, which take rng= since scipy 1.15.
_DRAWING = {
    "scipy.optimize._differentialevolution": ("differential_evolution",),
    "scipy.optimize._dual_annealing": ("dual_annealing",),
    "scipy.optimize._basinhopping": ("basinhopping",),
    "scipy.stats._fit": ("fit", "goodness_of_fit"),
    "scipy.stats._resampling": (
        "bootstrap", "monte_carlo_test", "permutation_test"),
    "skimage.util.noise": ("random_noise",),
}


def _take_generator(place: Any, name: str) -> None:
    """rng=, under its older name."""
    plain = getattr(place, name, None)
    if plain is None or not lacks(plain, "rng"):
        return
    older = "seed" if lacks(plain, "random_state") else "random_state"
    if lacks(plain, older):
        return

    def draw(*args: Any, **options: Any) -> Any:
        if "rng" in options:
            options[older] = _import("numpy").random.default_rng(
                options.pop("rng"))
        return plain(*args, **options)

    replace(place, name, draw)


def _change_drawing(module: Any) -> None:
    for name in _DRAWING[module.__name__]:
        _take_generator(module, name)


class _Stopped(Exception):
    """A callback of minimize() raised StopIteration."""


def _told_of(callback: Any, fun: Any, args: Any, jac: Any,
             state: dict[str, Any]) -> Any:
    """CALLBACK as of scipy 1.11, which takes an intermediate_result, and whose
    StopIteration ends the search."""
    result = _import("scipy.optimize").OptimizeResult
    whole = list(inspect.signature(callback).parameters) == [
        "intermediate_result"]

    def value(x: Any) -> Any:
        found = fun(x, *(args if isinstance(args, tuple) else (args,)))
        return found[0] if jac is True else found

    def tell(x: Any, *more: Any) -> Any:
        state.update(x=_import("numpy").array(x), nit=state["nit"] + 1)
        try:
            if not whole:
                return callback(x, *more)
            callback(intermediate_result=more[0] if more else result(
                x=state["x"], fun=value(x)))
        except StopIteration:
            state["fun"] = value(x)
            raise _Stopped from None

    return tell


def _change_minimize(module: Any) -> None:
    plain = module.minimize
    halting = "_call_callback_maybe_halt"         # since 1.11
    if hasattr(_import("scipy.optimize._optimize"), halting):
        return

    def minimize(fun: Any, x0: Any, args: Any = (), *rest: Any,
                 callback: Any = None, **options: Any) -> Any:
        if callback is None or len(rest) > 6 or not callable(callback):
            return plain(fun, x0, args, *rest, callback=callback, **options)
        jac = rest[1] if len(rest) > 1 else options.get("jac")
        state: dict[str, Any] = {"nit": 0}
        try:
            return plain(fun, x0, args, *rest, callback=_told_of(
                callback, fun, args, jac, state), **options)
        except _Stopped:
            return module.OptimizeResult(
                **state, success=False, status=99,
                message="`callback` raised `StopIteration`.")

    replace(module, "minimize", minimize)


def _change_engines(module: Any) -> None:
    """The same of quasi-random numbers."""
    for name in ("Halton", "LatinHypercube", "MultinomialQMC",
                 "MultivariateNormalQMC", "PoissonDisk", "Sobol"):
        kind = getattr(module, name, None)
        if kind is not None:
            _take_generator(kind, "__init__")


def _details(a: Any, b: Any, axis: Any, equal_var: bool) -> tuple[Any, ...]:
    """Degrees of freedom, the means' difference and its standard error."""
    numpy = _import("numpy")
    a, b = numpy.asarray(a, float), numpy.asarray(b, float)
    if axis is None:
        a, b, axis = a.ravel(), b.ravel(), 0
    n, m = a.shape[axis], b.shape[axis]
    u, v = a.var(axis, ddof=1), b.var(axis, ddof=1)
    if equal_var:
        df = n + m - 2.0
        error = numpy.sqrt(((n - 1) * u + (m - 1) * v) / df *
                           (1 / n + 1 / m))
        df = df + 0 * u
    else:
        u, v = u / n, v / m
        df = (u + v) ** 2 / (u ** 2 / (n - 1) + v ** 2 / (m - 1))
        error = numpy.sqrt(u + v)
    return df, a.mean(axis) - b.mean(axis), error


def _change_tests(module: Any) -> None:
    """ttest_ind()'s result with df and confidence_interval(), of 1.11."""
    plain, kind = module.ttest_ind, getattr(module, "TtestResult", None)
    if kind is None or "Ttest_indResult" not in vars(module):
        return
    codes = {"two-sided": 0, "less": -1, "greater": 1}

    def ttest_ind(a: Any, b: Any, axis: Any = 0, equal_var: bool = True,
                  nan_policy: str = "propagate", permutations: Any = None,
                  random_state: Any = None, alternative: str = "two-sided",
                  trim: float = 0) -> Any:
        found = plain(a, b, axis, equal_var, nan_policy, permutations,
                      random_state, alternative, trim)
        if permutations or trim or nan_policy != "propagate":
            return found
        try:
            df, estimate, error = _details(a, b, axis, equal_var)
            return kind(found.statistic, found.pvalue, df=df,
                        alternative=codes[alternative],
                        standard_error=error, estimate=estimate)
        except Exception:  # empty samples, and others that numpy knows
            return found

    replace(module, "ttest_ind", ttest_ind)


def _false_discovery_control(ps: Any, *, axis: int = 0,
                             method: str = "bh") -> Any:
    """Adjusted p-values, by Benjamini and Hochberg or Yekutieli."""
    numpy = _import("numpy")
    ps = numpy.asarray(ps, float)
    if ps.size and not ((0 <= ps) & (ps <= 1)).all():
        raise ValueError("`ps` must include only numbers between 0 and 1.")
    if method not in ("bh", "by"):
        raise ValueError(f"Unrecognized `method` '{method}'.")
    if ps.ndim == 0 or not ps.size:
        return ps[()]
    ps = numpy.moveaxis(ps, axis, -1)
    count = ps.shape[-1]
    order = ps.argsort(-1)
    scale = count / numpy.arange(1, count + 1)
    if method == "by":
        scale = scale * (1 / numpy.arange(1, count + 1)).sum()
    found = numpy.take_along_axis(ps, order, -1) * scale
    found = numpy.minimum.accumulate(found[..., ::-1], -1)[..., ::-1]
    result = numpy.empty_like(found)
    numpy.put_along_axis(result, order, found, -1)
    return numpy.moveaxis(result.clip(0, 1), -1, axis)


def _change_stats(stats: Any) -> None:
    add(stats, false_discovery_control=_false_discovery_control)
    # Power calculations reach the tails, where the older versions are nan.
    warnings.filterwarnings("ignore", "invalid value encountered in _nct_",
                            RuntimeWarning)


# -- scikit-learn and statsmodels

def _change_errors(metrics: Any) -> None:
    def root_mean_squared_error(y_true: Any, y_pred: Any, *,
                                sample_weight: Any = None,
                                multioutput: Any = "uniform_average") -> Any:
        return metrics.mean_squared_error(
            y_true, y_pred, sample_weight=sample_weight,
            multioutput=multioutput, squared=False)

    def root_mean_squared_log_error(
            y_true: Any, y_pred: Any, *, sample_weight: Any = None,
            multioutput: Any = "uniform_average") -> Any:
        return metrics.mean_squared_log_error(
            y_true, y_pred, sample_weight=sample_weight,
            multioutput=multioutput, squared=False)

    add(metrics, root_mean_squared_error=root_mean_squared_error,
        root_mean_squared_log_error=root_mean_squared_log_error)


def _validate_data(_estimator: Any, /, X: Any = "no_validation",
                   y: Any = "no_validation", reset: bool = True,
                   validate_separately: Any = False,
                   skip_check_array: bool = False, **options: Any) -> Any:
    """sklearn.utils.validation.validate_data(), by the method before it."""
    if skip_check_array:
        _estimator._check_feature_names(X, reset=reset)
        return X if isinstance(y, str) or y is None else (X, y)
    if "ensure_all_finite" in options:
        options["force_all_finite"] = options.pop("ensure_all_finite")
    return _estimator._validate_data(
        X, y, reset, validate_separately, **options)


def _change_validation(validation: Any) -> None:
    add(validation, validate_data=_validate_data)


def _change_tsne(module: Any) -> None:
    plain = module.TSNE.__init__
    if not lacks(plain, "max_iter"):
        return

    def __init__(self: Any, *args: Any, **options: Any) -> None:
        if "max_iter" in options:
            options["n_iter"] = options.pop("max_iter")
        plain(self, *args, **options)

    replace(module.TSNE, "__init__", __init__)


_CHANCE = {"color": "k", "linestyle": "--"}


def _change_curve(display: Any) -> None:
    """plot_chance_level= and despine= of a curve's plot, of 1.3 and 1.6."""
    plain = display.plot
    knows_chance = not lacks(plain, "plot_chance_level")
    if not lacks(plain, "despine"):
        return

    def plot(self: Any, ax: Any = None, *, plot_chance_level: bool = False,
             chance_level_kw: Any = None, despine: bool = False,
             **options: Any) -> Any:
        if knows_chance:
            options.update(plot_chance_level=plot_chance_level,
                           chance_level_kw=chance_level_kw)
        plain(self, ax, **options)
        if plot_chance_level and not knows_chance and hasattr(self, "fpr"):
            look = {"label": "Chance level (AUC = 0.5)", **_CHANCE,
                    **(chance_level_kw or {})}
            self.chance_level_, = self.ax_.plot((0, 1), (0, 1), **look)
            self.ax_.legend(loc="lower right")
        if despine:
            for side in ("top", "right"):
                self.ax_.spines[side].set_visible(False)
        return self

    replace(display, "plot", plot)


def _change_pacf(_tsaplots: Any) -> None:
    # It names a default of a later version, which programs cannot choose.
    warnings.filterwarnings("ignore", "The default method 'yw' can produce",
                            FutureWarning)


# -- networkx

def _layers(graph: Any) -> list[list[Any]]:
    """The nodes in layers from the sources down, or from the first node."""
    networkx = _modules["networkx"]
    if graph.is_directed() and networkx.is_directed_acyclic_graph(graph):
        return [list(layer)
                for layer in networkx.topological_generations(graph)]
    layers: dict[int, list[Any]] = {}
    plain, seen = graph.to_undirected(as_view=True), set()
    for first in graph:
        if first not in seen:
            depths = networkx.single_source_shortest_path_length(plain, first)
            seen.update(depths)
            for node, depth in depths.items():
                layers.setdefault(depth, []).append(node)
    return [layers[depth] for depth in sorted(layers)]


def _beneath(graph: Any, layers: list[list[Any]]) -> list[list[Any]]:
    """The same, each layer in the order of its nodes' neighbours above."""
    place: dict[Any, float] = {}
    ordered = []
    for layer in layers:
        def middle(node: Any) -> float:
            near = graph.pred if graph.is_directed() else graph.adj
            above = [place[one] for one in near[node] if one in place]
            return sum(above) / len(above) if above else 0.5

        layer = sorted(layer, key=middle)
        place.update({node: (at + 0.5) / len(layer)
                      for at, node in enumerate(layer)})
        ordered.append(layer)
    return ordered


def _in_layers(graph: Any) -> dict[Any, tuple[float, float]]:
    """Positions in points, as Graphviz's dot gives them: the first layer is
    the highest."""
    layers = _beneath(graph, _layers(graph))
    width = 72.0 * max(map(len, layers), default=0)
    return {node: (width * (at + 0.5) / len(layer),
                   72.0 * (len(layers) - level - 0.5))
            for level, layer in enumerate(layers)
            for at, node in enumerate(layer)}


def _graphviz_layout(G: Any, prog: str = "neato", root: Any = None,
                     args: str = "") -> Any:
    """A layout of networkx's own in the place of Graphviz, a program that
    cannot be started here."""
    networkx = _modules["networkx"]
    if prog == "dot":
        return _in_layers(G)
    if prog == "circo":
        found = networkx.circular_layout(G)
    elif prog == "twopi":
        found = networkx.shell_layout(G, _layers(G))
    else:
        found = networkx.kamada_kawai_layout(G)
    return {node: (float(x) * 200 + 200, float(y) * 200 + 200)
            for node, (x, y) in found.items()}


def _change_layouts(module: Any) -> None:
    module.graphviz_layout = _graphviz_layout


def _forceatlas2_layout(G: Any, pos: Any = None, *, max_iter: int = 100,
                        weight: Any = None, seed: Any = None, dim: int = 2,
                        **_options: Any) -> Any:
    """A layout by forces, in the place of another one."""
    return _modules["networkx"].spring_layout(
        G, pos=pos, iterations=max_iter, weight=weight, seed=seed, dim=dim)


def _bfs_layout(G: Any, start: Any, *, align: str = "vertical",
                scale: float = 1, center: Any = None) -> Any:
    networkx = _modules["networkx"]
    depths = networkx.single_source_shortest_path_length(G, start)
    if len(depths) != len(G):
        raise networkx.NetworkXError(
            "bfs_layout didn't include all nodes. Perhaps use input graph:\n"
            "        G.subgraph(nx.node_connected_component(G, start))")
    plain = networkx.Graph()
    for node, depth in depths.items():
        plain.add_node(node, layer=depth)
    return networkx.multipartite_layout(
        plain, subset_key="layer", align=align, scale=scale, center=center)


def _spanning_trees(G: Any, *, root: Any = None, weight: Any = None) -> float:
    """number_of_spanning_trees(), by Kirchhoff's theorem."""
    networkx, numpy = _modules["networkx"], _import("numpy")
    if len(G) == 0:
        raise networkx.NetworkXPointlessConcept("Graph G must contain at "
                                                "least one node.")
    laplacian = networkx.laplacian_matrix(G, weight=weight).toarray()
    return float(numpy.linalg.det(laplacian[1:, 1:]))


def leave_out(place: Any, name: str, *words: str) -> None:
    """Let PLACE's function NAME ignore WORDS that it does not know."""
    plain = getattr(place, name)
    unknown = [word for word in words if lacks(plain, word)]
    if not unknown:
        return

    def call(*args: Any, **options: Any) -> Any:
        for word in unknown:
            options.pop(word, None)
        return plain(*args, **options)

    replace(place, name, call)


def _take_edges(place: Any, name: str) -> None:
    """edges=, of networkx 3.4, under its older name."""
    plain = getattr(place, name)
    if not lacks(plain, "edges") or lacks(plain, "link"):
        return

    def call(*args: Any, **options: Any) -> Any:
        if "edges" in options:
            options["link"] = options.pop("edges")
        return plain(*args, **options)

    replace(place, name, call)


def _change_networkx(networkx: Any) -> None:
    for name in ("node_link_data", "node_link_graph"):
        _take_edges(networkx, name)
    # It tells of a later version's results.
    warnings.filterwarnings("ignore", ".*will return a scipy.sparse array",
                            FutureWarning)
    add(networkx, bfs_layout=_bfs_layout,
        forceatlas2_layout=_forceatlas2_layout)
    if not hasattr(networkx, "number_of_spanning_trees"):
        networkx.number_of_spanning_trees = _spanning_trees
    leave_out(networkx, "spring_layout", "method", "gravity", "store_pos_as")
    leave_out(networkx, "draw_networkx_edge_labels", "connectionstyle",
               "nodelist", "node_size", "hide_ticks")
    for name in ("draw_networkx_labels", "draw_networkx_nodes",
                 "draw_networkx_edges", "draw_networkx"):
        leave_out(networkx, name, "hide_ticks")


# -- scikit-image

def _change_objects(morphology: Any) -> None:
    """max_size=, of 0.26, which counts the largest that is removed."""
    for name, older in (("remove_small_objects", "min_size"),
                        ("remove_small_holes", "area_threshold")):
        plain = getattr(morphology, name)
        if not lacks(plain, "max_size"):
            continue

        def remove(*args: Any, plain: Any = plain, older: str = older,
                   **options: Any) -> Any:
            if "max_size" in options:
                options[older] = options.pop("max_size") + 1
            return plain(*args, **options)

        replace(morphology, name, remove)

    def footprint_rectangle(shape: Any, *, dtype: Any = "uint8",
                            decomposition: Any = None) -> Any:
        import numpy
        if decomposition is None:
            return numpy.ones(shape, dtype)
        return tuple((numpy.ones([1] * place + [size] + [1] * (
            len(shape) - place - 1), dtype), 1)
            for place, size in enumerate(shape))

    if not hasattr(morphology, "footprint_rectangle"):
        add(morphology, footprint_rectangle=footprint_rectangle)


def _change_graphs(graph: Any) -> None:
    """Graphs of regions, which were in skimage.future.graph until 0.20. That
    needs networkx, so it is imported when it is asked for."""
    names = ("RAG cut_normalized cut_threshold merge_hierarchical rag_boundary "
             "rag_mean_color show_rag").split()
    if hasattr(graph, "__getattr__") or hasattr(graph, "rag_mean_color"):
        return

    def __getattr__(name: str) -> Any:
        if name not in names:
            raise AttributeError(
                f"module 'skimage.graph' has no attribute {name!r}")
        import importlib
        return getattr(importlib.import_module("skimage.future.graph"), name)

    add(graph, __getattr__=__getattr__)


when_imported({
    **{name: _change_drawing for name in _DRAWING},
    "networkx": _change_networkx,
    "networkx.drawing.nx_agraph": _change_layouts,
    "networkx.drawing.nx_pydot": _change_layouts,
    "scipy.optimize._minimize": _change_minimize,
    "scipy.stats": _change_stats,
    "scipy.stats._qmc": _change_engines,
    "scipy.stats._stats_py": _change_tests,
    "skimage.graph": _change_graphs,
    "skimage.morphology": _change_objects,
    "sklearn.manifold._t_sne": _change_tsne,
    "sklearn.metrics": _change_errors,
    "sklearn.metrics._plot.precision_recall_curve":
        lambda module: _change_curve(module.PrecisionRecallDisplay),
    "sklearn.metrics._plot.roc_curve":
        lambda module: _change_curve(module.RocCurveDisplay),
    "sklearn.utils.validation": _change_validation,
    "statsmodels.graphics.tsaplots": _change_pacf,
})
