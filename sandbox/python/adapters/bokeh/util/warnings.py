"""warnings - the library's warnings."""

from __future__ import annotations

from .._base import BokehDeprecationWarning, BokehUserWarning

__all__ = ["BokehDeprecationWarning", "BokehUserWarning"]
