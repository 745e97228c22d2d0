"""figures - makes matplotlib.pyplot show its figures as displays.

Pyplot is adapted whenever it is imported, in the preload or by a program.
show() sends and closes the open figures, and so does the end of a program.
Programs ask for windows, for styles that had other names, and for animations:
there are no windows here, so each of these is given in a picture.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import adopt
from .channels import warn
from .deadline import Timeout, check_clock, guarded
from .display import show_figure
from .errors import format_error
from .job import OWN_BACKEND, Now
from .stand_ins import stand_in
from . import fonts  # adapts matplotlib's search for fonts

import atexit
import os
import shutil
import sys
import warnings
import weakref
from typing import Any

WIDE_SAMPLE = "\u4e2d\u6587 \u65e5\u672c\u8a9e"
_PICTURES = frozenset(["agg", "cairo", "pdf", "pgf", "ps", "svg", "template"])
_FILMS = frozenset([".mp4", ".m4v", ".avi", ".mov", ".mkv", ".webm", ".mpg",
                    ".mpeg", ".flv", ".wmv"])
_NO_FILM = ("there is no ffmpeg here to write a film: save the animation as "
            "a GIF, anim.save('animation.gif', writer='pillow'), or use "
            "anim.to_jshtml()")
_SAVED = (".png", ".svg", ".pdf", ".jpg", ".jpeg", ".gif", ".webp")
_listdir = os.listdir
_fspath, _splitext, _which = os.fspath, os.path.splitext, shutil.which
_warn = warnings.warn
_figures: Any = None  # matplotlib's table of open figures
_animations: Any = weakref.WeakKeyDictionary()  # figure: its animation, weakly


class _Backend:
    """chosen: the program has called matplotlib.use()."""
    chosen = False


def _open_figures() -> list[tuple[int, Any]]:
    """(number, figure) of the open figures, in the order of their numbers."""
    if _figures is None or not _figures.figs:
        return []
    return [(manager.num, manager.canvas.figure)
            for manager in _figures.get_all_fig_managers()]


def _draw_first(figure: Any) -> None:
    """Draw the first frame of a figure's animation, if it has one."""
    reference = _animations.pop(figure, None)
    animation = reference() if reference else None
    if animation is not None:
        animation._init_draw()
        for frame in animation.new_frame_seq():
            animation._draw_frame(frame)
            break


def _show_figure(figure: Any) -> None:
    if _animations:
        _draw_first(figure)
    show_figure(Now.job, figure, False)


def _tell_unsent() -> None:
    """Warn of figures that get lost: the request did not ask for
    results, and the program seems to have saved no picture."""
    if Now.job.shows or not _open_figures():
        return
    try:
        names = _listdir(".")
    except OSError:
        names = []
    if not any(name.lower().endswith(_SAVED) for name in names):
        warn("a figure was shown and not sent: save it with plt.savefig(), "
             "or ask for it with \"results\": true in the request")


def show(*_args: Any, **_options: Any) -> None:
    """plt.show(): send and close all open figures."""
    check_clock()
    _tell_unsent()
    for number, figure in _open_figures():
        try:
            _show_figure(figure)
        finally:
            _figures.destroy(number)


def pause(_interval: float) -> None:
    """plt.pause(): there is no window to be seen meanwhile."""
    check_clock()


def _show_one(figure: Any, warn: bool = True) -> None:
    """Figure.show(): send and close one figure."""
    check_clock()
    _show_figure(figure)
    for number, opened in _open_figures():
        if opened is figure:
            _figures.destroy(number)


def show_left() -> None:
    """Send and close the figures that the program left open."""
    if _Backend.chosen and Now.job.habits & OWN_BACKEND:
        close_left()
        return
    for number, figure in _open_figures():
        _, exc = guarded(_show_figure, figure)
        if exc is not None:
            if type(exc) is Timeout:
                raise exc
            print(f"figure {number} could not be drawn: {format_error(exc)}",
                  file=sys.stderr)


def close_left() -> None:
    """Close the figures that a call left open, so that the next has none."""
    for number, _ in _open_figures():
        _figures.destroy(number)


def _stay_without_windows(pyplot: Any) -> None:
    """Draw with Agg where a program asks for a window."""
    plain = pyplot.switch_backend

    def switch_backend(newbackend: Any) -> None:
        if isinstance(newbackend, str) and \
                newbackend.lower() not in _PICTURES:
            newbackend = "agg"
        plain(newbackend)

    switch_backend.__doc__ = plain.__doc__
    pyplot.switch_backend = switch_backend


def _adopt_backend(matplotlib: Any) -> None:
    """Note that a program chooses the back end itself."""
    plain = matplotlib.use

    def use(backend: Any, *, force: bool = True) -> None:
        _Backend.chosen = True
        plain(backend, force=force)

    use.__doc__ = plain.__doc__
    matplotlib.use = use


def _adopt_pyplot(pyplot: Any) -> None:
    """Make a newly imported pyplot show its figures here."""
    global _figures
    _figures = pyplot._pylab_helpers.Gcf
    pyplot.show = show
    pyplot.pause = pause
    pyplot.Figure.show = _show_one
    # they are shown after the exit hooks
    atexit.unregister(_figures.destroy_all)
    _stay_without_windows(pyplot)


def _present_name(style: Any, library: Any) -> Any:
    """The name that a style of seaborn's has now."""
    if not isinstance(style, str) or style in library or \
            not style.startswith("seaborn"):
        return style
    now = "seaborn-v0_8" + style[len("seaborn"):]
    if now not in library:
        return style
    _warn(f"matplotlib calls the style {style!r} {now!r} now", stacklevel=3)
    return now


def _adopt_styles(core: Any) -> None:
    """Take the names that seaborn's styles had before matplotlib 3.8."""
    plain = core.use

    def use(style: Any) -> None:
        if isinstance(style, str):
            style = _present_name(style, core.library)
        elif isinstance(style, (list, tuple)):
            style = [_present_name(one, core.library) for one in style]
        plain(style)

    use.__doc__ = plain.__doc__
    core.use = stand_in(use, core, "use")
    package = sys.modules.get("matplotlib.style")
    if getattr(package, "use", None) is plain:
        package.use = core.use  # type: ignore[union-attr]


def _adopt_animation(module: Any) -> None:
    """Show an animation's first frame, and refuse films with a sentence."""
    cls = module.Animation
    plain_init, plain_save = cls.__init__, cls.save
    plain_video = cls.to_html5_video

    def init(self: Any, fig: Any, *args: Any, **options: Any) -> None:
        _animations[fig] = weakref.ref(self)
        plain_init(self, fig, *args, **options)

    def save(self: Any, filename: Any, *args: Any, **options: Any) -> Any:
        if _splitext(_fspath(filename))[1].lower() in _FILMS and \
                not _which("ffmpeg"):
            raise ValueError(_NO_FILM)
        if not args and not isinstance(options.get("writer", ""), str):
            return plain_save(self, filename, **options)
        if not args and not _which("ffmpeg"):
            options["writer"] = "pillow"  # without a warning
            options.pop("extra_args", None)  # ffmpeg's
        return plain_save(self, filename, *args, **options)

    def to_html5_video(self: Any, *args: Any, **options: Any) -> str:
        if not _which("ffmpeg"):
            return self.to_jshtml()
        return plain_video(self, *args, **options)

    cls.__init__, cls.save, cls.to_html5_video = init, save, to_html5_video


adopt("matplotlib", _adopt_backend)
adopt("matplotlib.pyplot", _adopt_pyplot)
adopt("matplotlib.style.core", _adopt_styles)
adopt("matplotlib.animation", _adopt_animation)
