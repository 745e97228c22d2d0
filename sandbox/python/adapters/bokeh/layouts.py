"""layouts - plots beside each other, below each other and in grids."""

from __future__ import annotations

from typing import Any, Optional

from .models import _NAMES as M

__all__ = ["column", "grid", "gridplot", "layout", "row", "Spacer"]
Spacer = M["Spacer"]


def _children(args: Any, given: Any) -> list[Any]:
    found = list(given) if given is not None else list(args)
    if len(found) == 1 and isinstance(found[0], list):
        found = found[0]
    for one in found:
        if not isinstance(one, M["LayoutDOM"]):
            raise ValueError("Only LayoutDOM items can be inserted into a "
                             f"row or column. Tried to insert: {one} of type "
                             f"{type(one)}")
    return found


def row(*args: Any, children: Any = None, sizing_mode: Any = None,
        **kwargs: Any) -> Any:
    return M["Row"](children=_children(args, children),
                    sizing_mode=sizing_mode, **kwargs)


def column(*args: Any, children: Any = None, sizing_mode: Any = None,
           **kwargs: Any) -> Any:
    return M["Column"](children=_children(args, children),
                       sizing_mode=sizing_mode, **kwargs)


def layout(*args: Any, children: Any = None, sizing_mode: Any = None,
           **kwargs: Any) -> Any:
    """Rows of lists, columns of rows."""
    found = list(children) if children is not None else list(args)
    if len(found) == 1 and isinstance(found[0], list):
        found = found[0]

    def build(parts: Any, flat: bool) -> Any:
        each = [build(one, not flat) if isinstance(one, list) else one
                for one in parts]
        return (row if flat else column)(children=each,
                                         sizing_mode=sizing_mode)

    top = build(found, False)
    top.update(**kwargs)
    return top


def gridplot(children: Any, *, sizing_mode: Any = None,
             toolbar_location: Any = "above", ncols: Optional[int] = None,
             width: Any = None, height: Any = None,
             toolbar_options: Any = None, merge_tools: bool = True) -> Any:
    """Plots in rows and columns."""
    if ncols:
        flat = list(children)
        if any(isinstance(one, list) for one in flat):
            raise ValueError("Cannot provide a nested list when using ncols")
        children = [flat[at:at + ncols] for at in range(0, len(flat), ncols)]
    placed = []
    for at, line in enumerate(children):
        for place, one in enumerate(line):
            if one is None:
                continue
            if not isinstance(one, M["LayoutDOM"]):
                raise ValueError("Only LayoutDOM items can be inserted into a "
                                 "grid")
            if hasattr(one, "toolbar"):
                one.toolbar_location = None
            if width is not None:
                one.width = width
            if height is not None:
                one.height = height
            placed.append((one, at, place))
    return M["GridPlot"](children=placed, sizing_mode=sizing_mode,
                         toolbar_location=toolbar_location)


def grid(children: Any = (), sizing_mode: Any = None,
         nrows: Optional[int] = None, ncols: Optional[int] = None) -> Any:
    """Like gridplot(), of any layouts."""
    flat = list(children)
    if nrows and not ncols:
        ncols = -(-len(flat) // nrows)
    if ncols:
        return gridplot(flat, ncols=ncols, sizing_mode=sizing_mode)
    return layout(flat, sizing_mode=sizing_mode)
