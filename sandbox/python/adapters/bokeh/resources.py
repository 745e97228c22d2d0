"""resources - where scripts come from: pages here have none."""

from __future__ import annotations

from typing import Any

__all__ = ["CDN", "INLINE", "Resources"]


class Resources:
    """Names no script."""

    def __init__(self, mode: str = "cdn", **_options: Any) -> None:
        self.mode = mode
        self.js_files: list[str] = []
        self.css_files: list[str] = []

    def render(self) -> str:
        return ""

    render_js = render_css = render


CDN, INLINE = Resources("cdn"), Resources("inline")
