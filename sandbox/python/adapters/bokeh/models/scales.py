"""scales - the models, by another way to their names."""

from __future__ import annotations

from . import _NAMES

globals().update(_NAMES)
__all__ = sorted(_NAMES)
