"""newer_drawing - newer names and words of libraries that draw.

As newer.py for other libraries: programs are written for matplotlib 3.8,
seaborn 0.13 and plotly 6, while Debian 12 has matplotlib 3.6, seaborn 0.12 and
plotly 5.4. The library's own warnings about newer versions of another are not
for the program, and are left out.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .newer_python import lacks, replace
from .plotly_axes import color_map, ink_on
from .stand_ins import stand_in

import inspect
import os
import warnings
from typing import Any

_is_file = os.path.isfile

# -- matplotlib

_ANCHORS = {"left": 0.0, "lower": 0.0, "center": 0.5, "right": 1.0,
            "upper": 1.0}
_OPPOSITE = {"left": "right", "right": "left", "upper": "lower",
             "lower": "upper"}


def _label(form: Any, value: Any) -> str:
    """A bar's label as matplotlib 3.7 makes it: by %, {} or a function."""
    if callable(form):
        return str(form(value))
    try:
        return form % (value,)
    except (TypeError, ValueError):
        return form.format(value)


def _outside(loc: str) -> dict[str, Any]:
    """Where "outside upper left" and the like put a figure's legend."""
    side, _, along = loc.partition(" ")[2].partition(" ")
    along = along or "center"
    other = _OPPOSITE[side]
    if side in ("upper", "lower"):
        return {"loc": f"{other} {along}",
                "bbox_to_anchor": (_ANCHORS[along], _ANCHORS[side])}
    return {"loc": f"{along} {other}",
            "bbox_to_anchor": (_ANCHORS[side], _ANCHORS[along])}


_MOSAIC = ("sharex", "sharey", "width_ratios", "height_ratios",
           "empty_sentinel", "subplot_kw", "gridspec_kw")


def _each_name(words: Any, in_letters: bool) -> dict[str, Any]:
    """The words of per_subplot_kw= by the label of each subplot. A key may
    name several: in a tuple, or by the letters of a mosaic that is text."""
    found: dict[str, Any] = {}
    for key, options in words.items():
        several = isinstance(key, tuple) or (
            in_letters and isinstance(key, str))
        for name in key if several else (key,):
            found[str(name)] = {**found.get(str(name), {}), **options}
    return found


def _take_each(kind: Any) -> None:
    """per_subplot_kw=, of matplotlib 3.7."""
    plain = kind.subplot_mosaic
    if not lacks(plain, "per_subplot_kw"):
        return

    def subplot_mosaic(self: Any, mosaic: Any, *, per_subplot_kw: Any = None,
                       **options: Any) -> Any:
        words = _each_name(per_subplot_kw or {}, isinstance(mosaic, str))
        place = self.add_subplot

        def add_subplot(*args: Any, **given: Any) -> Any:
            return place(*args, **{**given, **words.get(given["label"], {})})

        self.add_subplot = add_subplot
        try:
            return plain(self, mosaic, **options)
        finally:
            del self.add_subplot

    replace(kind, "subplot_mosaic", subplot_mosaic)


def _take_each_of_new(module: Any) -> None:
    """The same of a new figure."""
    if not lacks(module.subplot_mosaic, "per_subplot_kw"):
        return

    def subplot_mosaic(mosaic: Any, *, per_subplot_kw: Any = None,
                       **options: Any) -> Any:
        own = {name: options.pop(name) for name in _MOSAIC if name in options}
        figure = module.figure(**options)
        return figure, figure.subplot_mosaic(
            mosaic, per_subplot_kw=per_subplot_kw, **own)

    replace(module, "subplot_mosaic", subplot_mosaic)


def _change_figure(module: Any) -> None:
    _take_each(module.FigureBase)
    plain = module.FigureBase.legend

    def legend(self: Any, *args: Any, **options: Any) -> Any:
        loc = options.get("loc")
        if isinstance(loc, str) and loc.startswith("outside "):
            options.update(_outside(loc))
        return plain(self, *args, **options)

    def get_suptitle(self: Any) -> str:
        title = getattr(self, "_suptitle", None)
        return "" if title is None else title.get_text()

    replace(module.FigureBase, "legend", legend)
    if not hasattr(module.FigureBase, "get_suptitle"):
        module.FigureBase.get_suptitle = stand_in(
            get_suptitle, module.FigureBase, "get_suptitle")


def _change_legend(module: Any) -> None:
    """reverse=, of matplotlib 3.7: the last entry first."""
    plain = module.Legend.__init__
    if not lacks(plain, "reverse"):
        return

    def __init__(self: Any, parent: Any, handles: Any, labels: Any, *args: Any,
                 reverse: bool = False, **options: Any) -> None:
        if reverse:
            handles, labels = list(handles)[::-1], list(labels)[::-1]
        plain(self, parent, handles, labels, *args, **options)

    replace(module.Legend, "__init__", __init__)


_PETROFF = ("#3f90da", "#ffa90e", "#bd1f01", "#94a4a2", "#832db6", "#a96b59",
            "#e76300", "#b9ac70", "#717581", "#92dadd")


def _change_colors(module: Any) -> None:
    """A sequence of matplotlib 3.10."""
    if "petroff10" not in module._color_sequences:
        module._color_sequences.register("petroff10", _PETROFF)


def _take_hatches(axes: Any) -> None:
    """pie()'s hatch=, of matplotlib 3.7."""
    plain = axes.pie
    if not lacks(plain, "hatch"):
        return

    def pie(self: Any, x: Any, *args: Any, hatch: Any = None,
            **options: Any) -> Any:
        found = plain(self, x, *args, **options)
        marks = [hatch] if isinstance(hatch, str) else list(hatch or ())
        for at, wedge in enumerate(found[0] if marks else ()):
            wedge.set_hatch(marks[at % len(marks)])
        return found

    replace(axes, "pie", pie)


def _ecdf(self: Any, x: Any, weights: Any = None, *,
          complementary: bool = False, orientation: str = "vertical",
          compress: bool = False, **options: Any) -> Any:
    """Axes.ecdf(), of matplotlib 3.8, without its way of compressing."""
    values = sorted(float(value) for value in x)
    parts = [1.0] * len(values) if weights is None else [
        float(part) for _, part in sorted(zip(x, weights))]
    reached, sums = 0.0, [0.0]
    for part in parts:
        reached += part
        sums.append(reached)
    shares = [(1 - one / reached) if complementary else one / reached
              for one in sums]
    values = values[:1] + values
    options.setdefault("drawstyle", "steps-post")
    pair = (values, shares) if orientation == "vertical" else (shares, values)
    return self.plot(*pair, **options)[0]


def _turned(options: dict[str, Any]) -> dict[str, Any]:
    """orientation=, of matplotlib 3.10, under its older name."""
    orientation = options.pop("orientation", None)
    if orientation is not None:
        options["vert"] = orientation == "vertical"
    return options


def _entitle(found: Any, label: Any) -> None:
    """boxplot()'s label, of matplotlib 3.9: of the first box or of each."""
    shown = found["boxes"] or found["medians"]
    for line, text in zip(shown, [label] if isinstance(label, str)
                          else label):
        line.set_label(text)


def _take_box_words(place: Any) -> None:
    """boxplot()'s words of matplotlib 3.9 and 3.10, and violinplot()'s."""
    box, violin = place.boxplot, place.violinplot

    def boxplot(*args: Any, tick_labels: Any = None, label: Any = None,
                **options: Any) -> Any:
        if tick_labels is not None:
            options["labels"] = tick_labels
        found = box(*args, **_turned(options))
        if label is not None:
            _entitle(found, label)
        return found

    def violinplot(*args: Any, **options: Any) -> Any:
        return violin(*args, **_turned(options))

    if lacks(box, "tick_labels"):
        replace(place, "boxplot", boxplot)
    if lacks(violin, "orientation"):
        replace(place, "violinplot", violinplot)


def _take_dates(axes: Any) -> None:
    """Bars that begin at dates have an axis of dates, as in matplotlib 3.8;
    3.6 looks at their lengths alone."""
    if _version() >= (3, 8):
        return
    plain = axes.bar

    def bar(self: Any, x: Any, height: Any, width: Any = 0.8,
            bottom: Any = None, **options: Any) -> Any:
        if options.get("data") is None:
            across = options.get("orientation") == "horizontal"
            start = x if across else bottom
            if start is not None:
                self._process_unit_info([("x" if across else "y", start)],
                                        convert=False)
        return plain(self, x, height, width, bottom, **options)

    replace(axes, "bar", bar)


def _version() -> tuple[int, ...]:
    import matplotlib
    return tuple(int(part) for part in matplotlib.__version__.split(".")[:2])


def _change_axes(module: Any) -> None:
    axes = module.Axes
    _take_dates(axes)
    if not hasattr(axes, "ecdf"):
        axes.ecdf = stand_in(_ecdf, axes, "ecdf")
    _take_box_words(axes)
    _take_hatches(axes)
    bar = axes.bar_label

    def bar_label(self: Any, container: Any, labels: Any = None, *,
                  fmt: Any = "%g", **options: Any) -> Any:
        if labels is None and (callable(fmt) or "{" in str(fmt)):
            labels = ["" if value != value else _label(fmt, value)
                      for value in container.datavalues]
        return bar(self, container, labels, **options) if labels is not None \
            else bar(self, container, fmt=fmt, **options)

    replace(axes, "bar_label", bar_label)


def _change_pyplot(module: Any) -> None:
    """Its functions name the words of the methods above."""
    _take_box_words(module)
    _take_each_of_new(module)
    if lacks(module.pie, "hatch"):
        replace(module, "pie", lambda *args, **options: module.gca().pie(
            *args, **options))
    if not hasattr(module, "ecdf"):
        module.ecdf = stand_in(lambda *args, **options: module.gca().ecdf(
            *args, **options), module, "ecdf")


# -- seaborn

# Words that change no value that is shown.
_LOOKS = ("formatter", "gap", "native_scale")


def _has_one_color_each(options: dict[str, Any]) -> bool:
    """Whether hue repeats an axis, to colour its bars."""
    hue = options.get("hue")
    return hue is not None and any(
        axis is hue or (isinstance(hue, str) and isinstance(axis, str) and
                        axis == hue)
        for axis in (options.get("x"), options.get("y")))


def _show_shares(ax: Any, stat: str) -> None:
    """Turn the counts of countplot() into shares."""
    upright = len({bar.get_width() for bar in ax.patches}) < 2
    sizes = [bar.get_height() if upright else bar.get_width()
             for bar in ax.patches]
    scale = (100 if stat == "percent" else 1) / (sum(sizes) or 1)
    for bar, size in zip(ax.patches, sizes):
        (bar.set_height if upright else bar.set_width)(size * scale)
    ax.relim()
    ax.autoscale()
    (ax.set_ylabel if upright else ax.set_xlabel)(stat)


# Words of 0.13, and those of 0.12.
_SEABORN = {"bw_method": "bw", "density_norm": "scale",
            "width_method": "scale", "linestyle": "linestyles",
            "marker": "markers"}


def _take_bars(options: dict[str, Any]) -> None:
    """The looks of error bars: err_kws=, of 0.13."""
    looks = options.pop("err_kws", None) or {}
    for name, older in (("linewidth", "errwidth"), ("color", "errcolor")):
        if name in looks:
            options[older] = looks[name]


def _take_lines(options: dict[str, Any], names: Any) -> None:
    """A pointplot without lines."""
    if "join" in names and options.get("linestyles") in ("none", "None", ""):
        del options["linestyles"]
        options["join"] = False


def _take_line_color(options: dict[str, Any], names: Any) -> None:
    """linecolor=, of the lines of boxes."""
    if "linecolor" not in options or "linecolor" in names:
        return
    color = options.pop("linecolor")
    if "whis" in names:
        for part, word in (("box", "edgecolor"), ("whisker", "color"),
                           ("cap", "color"), ("median", "color")):
            options[part + "props"] = {
                word: color, **(options.get(part + "props") or {})}


# The axis of the values' groups, and the direction of 0.12.
_DIRECTIONS = {"x": "v", "y": "h"}


def _take_direction(options: dict[str, Any]) -> None:
    orient = options.get("orient")
    if isinstance(orient, str):
        options["orient"] = _DIRECTIONS.get(orient, orient)


def _take_older(options: dict[str, Any], names: Any) -> None:
    """The words of 0.13 as a function with NAMES has them."""
    _take_direction(options)
    _take_line_color(options, names)
    for name, older in _SEABORN.items():
        if name in options and name not in names and older in names:
            options[older] = options.pop(name)
    if "err_kws" in options and "err_kws" not in names:
        _take_bars(options)
    if "errcolor" in options and "errcolor" not in names:
        del options["errcolor"]
    _take_lines(options, names)
    for name in _LOOKS:
        if name not in names:
            options.pop(name, None)


def _empty(boxes: Any) -> None:
    """fill=False: BOXES with lines of their colour alone."""
    for box in boxes:
        box.set_edgecolor(box.get_facecolor())
        box.set_facecolor("none")


def _scale(ax: Any, log_scale: Any, orient: Any) -> None:
    """log_scale=, of the axis with the values."""
    if log_scale is True or type(log_scale) in (int, float):
        across = orient in ("h", "y")
        base = 10 if log_scale is True else log_scale
        (ax.set_xscale if across else ax.set_yscale)("log", base=base)


def _handles(ax: Any) -> list[Any]:
    return list(ax.get_legend_handles_labels()[0])


def _take_legend(ax: Any, before: list[Any]) -> None:
    """No legend, nor one that a later drawing would make of what is new."""
    if ax.legend_ is not None:
        ax.legend_.remove()
    for handle in _handles(ax):
        if not any(handle is one for one in before):
            handle.set_label("_nolegend_")


def _as_newer(plain: Any) -> Any:
    """A function of seaborn 0.12 that takes the words of 0.13."""
    names = inspect.signature(plain).parameters
    dodges = "dodge" in names and names["dodge"].default is True

    def draw(*args: Any, legend: Any = "auto", fill: bool = True,
             log_scale: Any = None, **options: Any) -> Any:
        one_each = _has_one_color_each(options)
        stat = options.pop("stat", "count") if "stat" not in names else "count"
        _take_older(options, names)
        if one_each and dodges:
            options.setdefault("dodge", False)
        given = options.get("ax")
        if given is None:
            from matplotlib import pyplot
            given = pyplot.gca()
        before, known = set(given.patches), _handles(given)
        ax = plain(*args, **options)
        if not fill:
            _empty([one for one in ax.patches if one not in before])
        _scale(ax, log_scale, options.get("orient"))
        if legend is False or (one_each and legend == "auto"):
            _take_legend(ax, known)
        if stat != "count":
            _show_shares(ax, stat)
        return ax

    return draw


def _change_categories(module: Any) -> None:
    for name in ("barplot", "boxenplot", "boxplot", "countplot", "pointplot",
                 "stripplot", "swarmplot", "violinplot"):
        plain = getattr(module, name)
        if lacks(plain, "legend"):
            replace(module, name, _as_newer(plain))
    _change_grids(module)


_GRIDS = ("strip", "swarm")  # 0.12 knows words of their grids


def _directed(plain: Any) -> Any:
    def draw(*args: Any, **options: Any) -> Any:
        _take_direction(options)
        return plain(*args, **options)
    return draw


def _change_grids(module: Any) -> None:
    """catplot() with the words of 0.13, which its function of a kind takes."""
    plain = module.catplot
    if not lacks(plain, "log_scale"):
        return
    for name in _GRIDS:
        replace(module, name + "plot", _directed(
            getattr(module, name + "plot")))

    def catplot(*args: Any, **options: Any) -> Any:
        _take_direction(options)
        if options.get("kind", "strip") in _GRIDS:
            return plain(*args, **options)
        for name in _LOOKS:
            options.pop(name, None)
        if _has_one_color_each(options):
            options.setdefault("dodge", False)
            if options.get("legend", "auto") == "auto":
                options["legend"] = False
        return plain(*args, **options)

    replace(module, "catplot", catplot)


# Data that seaborn would download, and that plotly's package has.
_SAMPLES = "/usr/share/python3-plotly/datasets/"
_SAMPLE_COLUMNS = {
    "iris": ["sepal_length", "sepal_width", "petal_length", "petal_width",
             "species"],
    "tips": ["total_bill", "tip", "sex", "smoker", "day", "time", "size"],
}


def _change_samples(module: Any) -> None:
    """load_dataset() reads from a folder what it has downloaded before."""
    plain = module.load_dataset

    def load_dataset(name: Any, cache: bool = True, data_home: Any = None,
                     **options: Any) -> Any:
        path = f"{_SAMPLES}{name}.csv.gz"
        if name not in _SAMPLE_COLUMNS or data_home or not _is_file(path):
            return plain(name, cache, data_home, **options)
        import pandas
        import tempfile
        with tempfile.TemporaryDirectory() as folder:
            pandas.read_csv(path)[_SAMPLE_COLUMNS[name]].to_csv(
                f"{folder}/{name}.csv", index=False)
            return plain(name, True, folder, **options)

    replace(module, "load_dataset", load_dataset)


# -- plotly and altair

def _ignore_warnings(module: Any) -> None:
    """Its own calls of pandas, which have other names in newer versions."""
    top = module.__name__.partition(".")[0]
    warnings.filterwarnings("ignore", category=FutureWarning,
                            module=top + r"\.")


def _contrast(figure: Any, values: Any) -> Any:
    """The colour of a text on a cell of a map with VALUES."""
    scheme = figure.layout.coloraxis
    known = [float(value) for row in values for value in row
             if value == value]
    low = min(known) if scheme.cmin is None else scheme.cmin
    high = max(known) if scheme.cmax is None else scheme.cmax
    colors = color_map(scheme.colorscale or "Plasma", scheme.reversescale)

    return lambda value: ink_on(colors((value - low) / ((high - low) or 1)))


def _write_cells(figure: Any, trace: Any, form: str) -> None:
    contrast = _contrast(figure, trace.z)
    rows = range(len(trace.z)) if trace.y is None else trace.y
    for y, row in zip(rows, trace.z):
        columns = range(len(row)) if trace.x is None else trace.x
        for x, z in zip(columns, row):
            figure.add_annotation(
                x=x, y=y, xref=trace.xaxis or "x", yref=trace.yaxis or "y",
                text=format(z, form or "g"), showarrow=False,
                font={"color": contrast(z)})


def _write_values(figure: Any, text_auto: Any) -> None:
    """What text_auto asks for: values on bars, or on the cells of a map."""
    form = "" if text_auto is True else str(text_auto)
    for trace in figure.data:
        if trace.type == "bar":
            name = "x" if trace.orientation == "h" else "y"
            trace.texttemplate = "%{" + name + (form and ":" + form) + "}"
        elif trace.type == "heatmap" and trace.z is not None:
            _write_cells(figure, trace, form)


def _change_express(express: Any) -> None:
    """text_auto, which plotly has since 5.5."""
    def with_text(plain: Any) -> Any:
        def draw(*args: Any, text_auto: Any = False, **options: Any) -> Any:
            figure = plain(*args, **options)
            if text_auto:
                _write_values(figure, text_auto)
            return figure
        return draw

    for name in ("bar", "histogram", "imshow"):
        plain = getattr(express, name)
        if lacks(plain, "text_auto"):
            replace(express, name, with_text(plain))
    _ignore_warnings(express)


when_imported({
    "altair": _ignore_warnings,
    "matplotlib.axes._axes": _change_axes,
    "matplotlib.colors": _change_colors,
    "matplotlib.legend": _change_legend,
    "matplotlib.figure": _change_figure,
    "matplotlib.pyplot": _change_pyplot,
    "plotly.express": _change_express,
    "seaborn.categorical": _change_categories,
    "seaborn.utils": _change_samples,
})
