"""viewers - libraries that would open a window or a browser show here instead.

Each is changed when it is imported.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .deadline import check_clock
from .display import display, show_bundle
from .forms import ask
from .job import PNG, Now
from .plotly_pictures import picture, without_picture

import importlib.util
import itertools
import json
import os
import sys
from typing import Any, Optional

_find_spec, _import = importlib.util.find_spec, importlib.import_module
_loads = json.loads
HTML_BYTES = 256 << 10      # of a chart's page, which repeats its data
_NO_ANALYSIS = ("the defaults that plotly fills in are known to kaleido "
                "alone, which is not installed here: use fig.to_dict()")
_NO_CHART = ("pictures of altair's charts need a browser, which is not here: "
             "use chart.save('chart.html') or chart.save('chart.json'), or "
             "draw the chart with matplotlib")


def _plotly_picture(figure: dict[str, Any]) -> Any:
    """A figure as PNG if that is asked for and can be drawn."""
    job = Now.job
    if job.shows and job.wants(PNG) and _find_spec("matplotlib") and \
            not without_picture(figure):
        return ask(type(figure), "image/png",
                   lambda: picture(figure, "png"))
    return None


def _plotly_bundle(figure: dict[str, Any]) -> dict[str, Any]:
    """A figure as plotly's JSON, as a page that loads plotly's script, and as
    a picture."""
    pio = _import("plotly.io")
    text = pio.to_json(figure, validate=False)
    kinds = [str(trace.get("type", "scatter"))
             for trace in figure.get("data", ())][:10]
    bundle = {"text/plain": f"Figure of plotly: {', '.join(kinds)}",
              "application/vnd.plotly.v1+json": _loads(text),
              "image/png": _plotly_picture(figure)}
    if len(text) <= HTML_BYTES:
        bundle["text/html"] = pio.to_html(
            figure, include_plotlyjs="cdn", full_html=False, validate=False)
    return bundle


def _adopt_plotly(module: Any) -> None:
    def show(fig: Any, renderer: Any = None, validate: bool = True,
             **_options: Any) -> None:
        show_bundle(_plotly_bundle(
            module.validate_coerce_fig_to_dict(fig, validate)))

    module.show = show


def _adopt_plotly_figures(module: Any) -> None:
    """A final figure is sent whatever renderer a program has set."""
    def bundle(self: Any, include: Any = None, exclude: Any = None,
               **_options: Any) -> dict[str, Any]:
        return _plotly_bundle(self.to_dict())

    module.BaseFigure._repr_mimebundle_ = bundle


def _adopt_plotly_pictures(module: Any) -> None:
    def to_image(fig: Any, format: Any = None, width: Any = None,
                 height: Any = None, scale: Any = None, validate: bool = True,
                 **_options: Any) -> bytes:
        return picture(_import("plotly.io._utils").validate_coerce_fig_to_dict(
            fig, validate), format, width, height, scale)

    def write_image(fig: Any, file: Any, format: Any = None, scale: Any = None,
                    width: Any = None, height: Any = None,
                    validate: bool = True, **_options: Any) -> None:
        opened = hasattr(file, "write")
        if format is None and not opened:
            format = os.path.splitext(file)[1] or None
        data = to_image(fig, format, width, height, scale, validate)
        if opened:
            file.write(data)
        else:
            with open(file, "wb") as stream:
                stream.write(data)

    def refuse(*_args: Any, **_options: Any) -> None:
        raise ValueError(_NO_ANALYSIS)

    if not _find_spec("kaleido"):
        module.to_image, module.write_image = to_image, write_image
        module.full_figure_for_development = refuse


def _show_chart(chart: Any, *_args: Any, **_options: Any) -> None:
    display(chart)


def _adopt_altair(module: Any) -> None:
    mixin = module.TopLevelMixin
    plain, plain_bundle = mixin.save, mixin._repr_mimebundle_
    version = module.__name__.split(".")[2]  # "v4" or "v5"

    def bundle(self: Any, include: Any = None, exclude: Any = None) -> Any:
        found = plain_bundle(self, include, exclude)
        if isinstance(found, tuple):
            found = found[0]
        media = f"application/vnd.vegalite.{version}+json"
        return {media: self.to_dict(), **found}

    def save(self: Any, fp: Any, format: Optional[str] = None,
             *args: Any, **options: Any) -> Any:
        kind = format or str(getattr(fp, "name", fp)).rpartition(".")[2]
        if str(kind).lower() in ("png", "svg", "pdf") and \
                not _find_spec("vl_convert"):
            raise ValueError(_NO_CHART)
        return plain(self, fp, format, *args, **options)

    mixin.show = mixin.serve = _show_chart
    mixin.save, mixin._repr_mimebundle_ = save, bundle


def _show_image(image: Any, title: Optional[str] = None,
                **_options: Any) -> bool:
    """Image.show()"""
    if image.mode not in ("1", "L", "LA", "P", "RGB", "RGBA", "I;16"):
        image = image.convert("RGB")
    display(image)
    return True


def _adopt_images(module: Any) -> None:
    module.show = _show_image


def _adopt_opencv(module: Any) -> None:
    """imshow() sends a picture. waitKey() answers with the two keys that
    programs wait for to end."""
    keys = itertools.cycle((ord("q"), 27))

    def imshow(winname: str, mat: Any) -> None:
        if getattr(mat, "dtype", None) is not None and mat.dtype.kind == "f":
            mat = mat * 255
        _, data = module.imencode(".png", mat)
        show_bundle({"text/plain": f"Image {str(winname)[:100]}",
                     "image/png": data.tobytes()})

    def wait(*_args: Any) -> int:
        check_clock()
        return next(keys)

    def nothing(*_args: Any, **_options: Any) -> None:
        """There are no windows."""

    module.imshow, module.waitKey, module.waitKeyEx = imshow, wait, wait
    module.pollKey = wait
    for name in ("namedWindow", "moveWindow", "resizeWindow",
                 "setWindowTitle", "destroyWindow", "destroyAllWindows",
                 "setMouseCallback", "createTrackbar", "startWindowThread"):
        setattr(module, name, nothing)


def _open_address(url: Any, *_args: Any, **_options: Any) -> bool:
    print(f"webbrowser: there is no browser here to open {str(url)[:200]}",
          file=sys.stderr)
    return False


def _adopt_browser(module: Any) -> None:
    module.open = module.open_new = module.open_new_tab = _open_address
    module.get = lambda using=None: module  # with the same functions


when_imported({
    "plotly.basedatatypes": _adopt_plotly_figures,
    "plotly.io._renderers": _adopt_plotly,
    "plotly.io._kaleido": _adopt_plotly_pictures,
    "altair.vegalite.v4.api": _adopt_altair,
    "altair.vegalite.v5.api": _adopt_altair,
    "cv2": _adopt_opencv,
    "PIL.ImageShow": _adopt_images,
    "webbrowser": _adopt_browser,
})
