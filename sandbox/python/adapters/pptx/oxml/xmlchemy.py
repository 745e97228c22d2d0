"""xmlchemy - OxmlElement, where programs look for it."""

from . import Element as BaseOxmlElement
from . import OxmlElement

__all__ = ["BaseOxmlElement", "OxmlElement"]
