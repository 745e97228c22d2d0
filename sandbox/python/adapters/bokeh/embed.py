"""embed - plots as parts of a page."""

from __future__ import annotations

import html
from typing import Any

from ._draw.pages import page, part

__all__ = ["autoload_static", "components", "file_html", "json_item"]


def file_html(models: Any, resources: Any = None, title: Any = None, *,
              template: Any = None, template_variables: Any = None,
              theme: Any = None, suppress_callback_warning: bool = False,
              _always_new: bool = False) -> str:
    """A whole page."""
    if template is not None or theme is not None or template_variables:
        raise NotImplementedError("file_html(template=..., theme=...) is not "
                                  "here")
    roots = getattr(models, "roots", models)
    return page(roots, title)


def components(models: Any, wrap_script: bool = True,
               wrap_plot_info: bool = True, theme: Any = None) -> Any:
    """An empty script, and a picture for each model."""
    if theme is not None:
        raise NotImplementedError("components(theme=...) is not here: use "
                                  "curdoc().theme")
    script = '<script type="text/javascript"></script>' if wrap_script else ""

    def div(one: Any) -> str:
        return (f'<div id="{html.escape(one.id)}" data-root-id="{one.id}" '
                f'style="display: contents;">{part(one)}</div>')

    if isinstance(models, dict):
        return script, {name: div(one) for name, one in models.items()}
    if isinstance(models, (list, tuple)):
        return script, tuple(div(one) for one in models)
    return script, div(models)


def json_item(model: Any, target: Any = None, theme: Any = None) -> Any:
    raise NotImplementedError("json_item() needs the library's script, which "
                              "is not here: use components() or file_html()")


def autoload_static(model: Any, resources: Any, script_path: str) -> Any:
    raise NotImplementedError("autoload_static() needs the library's script, "
                              "which is not here: use components()")
