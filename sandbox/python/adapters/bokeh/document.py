"""document - the models of a page."""

from __future__ import annotations

from typing import Any

__all__ = ["Document"]


class Document:
    """Models that are shown together."""

    def __init__(self, theme: Any = None, title: str = "Bokeh Application",
                 ) -> None:
        self.roots: list[Any] = []
        self.title, self._theme = title, theme

    @property
    def theme(self) -> Any:
        return self._theme

    @theme.setter
    def theme(self, theme: Any) -> None:
        from .themes import use
        use(theme)
        self._theme = theme

    def add_root(self, model: Any) -> None:
        self.roots.append(model)

    def remove_root(self, model: Any) -> None:
        self.roots.remove(model)

    def clear(self) -> None:
        self.roots.clear()

    def add_periodic_callback(self, callback: Any, period: int) -> None:
        """A page without a server calls nothing."""

    def add_next_tick_callback(self, callback: Any) -> None:
        """A page without a server calls nothing."""
