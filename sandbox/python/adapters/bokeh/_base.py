"""base - models: objects whose attributes are declared.

A table of text declares the classes (models/_tables.py): a name and a default
for each property. An attribute that is not declared is refused in the library's
words.
"""

from __future__ import annotations

import ast
import difflib
import itertools
import warnings
from typing import Any, Callable, Iterable, Optional

import numpy as np

_numbers = itertools.count(1001)
_COMMON = {"name": None, "tags": [], "js_event_callbacks": {},
           "js_property_callbacks": {}, "subscribed_events": set(),
           "syncable": True}
_GROUPS = {
    "line": "color=black alpha=1.0 width=1 join=bevel cap=butt dash=[] "
            "dash_offset=0",
    "fill": "color=gray alpha=1.0",
    "hatch": "color=black alpha=1.0 scale=12.0 pattern=None weight=1.0 "
             "extra={}",
    "text": "color=#444444 outline_color=None alpha=1.0 font=helvetica "
            "font_size=16px font_style=normal align=left baseline=bottom "
            "line_height=1.2",
}


class BokehUserWarning(UserWarning):
    """A warning of the library."""


class BokehDeprecationWarning(DeprecationWarning):
    """A name that is going away."""


# Warnings of this kind are shown, unlike others of the language.
warnings.simplefilter("default", BokehDeprecationWarning, append=True)


def value_of(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def declared(text: str) -> dict[str, Any]:
    """Names and defaults of a row such as `x y=0 @line @title_text`."""
    found: dict[str, Any] = {}
    for word in text.split():
        if word[0] != "@":
            name, given, default = word.partition("=")
            found[name] = value_of(default) if default else \
                "" if given else None
            continue
        prefix, _, group = ("_" + word[1:]).rpartition("_")
        prefix = (prefix[1:] + "_" if prefix[1:] else "") + group + "_"
        for one in _GROUPS[group].split():
            name, _, default = one.partition("=")
            found[prefix + name] = value_of(default)
    return found


def nice_join(words: Iterable[str]) -> str:
    words = list(words)
    return words[0] if len(words) == 1 else \
        ", ".join(words[:-1]) + " or " + words[-1]


class Model:
    """An object of properties."""

    _props: dict[str, Any] = _COMMON
    _hidden = frozenset(["document"])

    def __init_subclass__(cls, **_options: Any) -> None:
        own = cls.__dict__.get("_table")
        if own is not None:
            cls._props = {**cls._props, **declared(own)}

    def __init__(self, **kwargs: Any) -> None:
        self.__dict__["id"] = kwargs.pop("id", None) or f"p{next(_numbers)}"
        self.__dict__["_values"] = {}
        for name, value in kwargs.items():
            setattr(self, name, value)

    @classmethod
    def properties(cls) -> set[str]:
        return set(cls._props)

    @classmethod
    def _refuse(cls, name: str) -> None:
        names = sorted(cls._props)
        near, kind = difflib.get_close_matches(name.lower(), names), "similar"
        if not near:
            near, kind = names, "possible"
        raise AttributeError(f"unexpected attribute {name!r} to "
                             f"{cls.__name__}, {kind} attributes are "
                             f"{nice_join(near)}")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        values = self.__dict__.get("_values", {})
        if name in values:
            return values[name]
        if name in self._props:
            default = self._props[name]
            if isinstance(default, (list, dict, set)):
                default = values[name] = type(default)(default)
            return default
        raise AttributeError(f"'{type(self).__name__}' object has no "
                             f"attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_") or name in self._hidden:
            self.__dict__[name] = value
        elif name in self._props:
            self._values[name] = self._checked(name, value)
        elif isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
        else:
            self._refuse(name)

    def _checked(self, name: str, value: Any) -> Any:
        """VALUE if it may be that of NAME."""
        if name.endswith("color") and isinstance(value, str) and \
                not self._free_colors:
            from ._colors import is_color
            if not is_color(value):
                raise ValueError(
                    f"failed to validate {self!r}.{name}: expected a color, "
                    f"got {value!r}")
        return value

    _free_colors = False        # a color may be a column's name

    def is_set(self, name: str) -> bool:
        """Whether the program gave NAME a value."""
        return name in self._values

    def properties_with_values(self, *_args: Any, **_options: Any,
                               ) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._props}

    def update(self, **kwargs: Any) -> None:
        for name, value in kwargs.items():
            setattr(self, name, value)

    def clone(self, **overrides: Any) -> Any:
        found = type(self).__new__(type(self))
        found.__dict__.update(self.__dict__, id=f"p{next(_numbers)}",
                              _values={**self._values, **overrides})
        return found

    def __repr__(self) -> str:
        return f"{type(self).__name__}(id={self.id!r}, ...)"

    __str__ = __repr__

    # A page without a script has no events: these keep nothing.

    def js_on_change(self, event: str, *callbacks: Any) -> None:
        """Nothing changes on a page without a script."""

    def js_on_event(self, event: Any, *callbacks: Any) -> None:
        """Nothing happens on a page without a script."""

    def js_link(self, attr: str, other: Any, other_attr: str,
                attr_selector: Any = None) -> None:
        """Nothing changes on a page without a script."""

    def on_change(self, attr: str, *callbacks: Callable[..., None]) -> None:
        """Nothing changes on a page without a script."""

    def on_event(self, event: Any, *callbacks: Callable[..., None]) -> None:
        """Nothing happens on a page without a script."""

    def on_click(self, handler: Callable[..., None]) -> None:
        """Nothing happens on a page without a script."""

    def select(self, *args: Any, **kwargs: Any) -> list[Any]:
        """The models below this one of a type or with a name."""
        wanted = args[0] if args else kwargs
        if isinstance(wanted, type):
            wanted = {"type": wanted}
        elif isinstance(wanted, str):
            wanted = {"name": wanted}
        return [one for one in self.references() if all(
            isinstance(one, value) if name == "type"
            else getattr(one, name, None) == value
            for name, value in wanted.items())]

    def select_one(self, selector: Any) -> Any:
        found = self.select(selector)
        if len(found) > 1:
            raise ValueError(f"Found more than one object matching {selector}:"
                             f" {found!r}")
        return found[0] if found else None

    def references(self) -> list[Any]:
        found: dict[int, Any] = {}
        todo = [self]
        while todo:
            one = todo.pop()
            if isinstance(one, Model):
                if id(one) in found:
                    continue
                found[id(one)] = one
                todo += list(one._values.values())
            elif isinstance(one, (list, tuple)):
                todo += list(one)
            elif isinstance(one, dict):
                todo += list(one.values())
        return list(found.values())


class Each(list):  # type: ignore[type-arg]
    """Models whose attributes are set together."""

    def __init__(self, models: Iterable[Any], what: str = "") -> None:
        super().__init__(models)
        self.__dict__["_what"] = what

    def __setattr__(self, name: str, value: Any) -> None:
        if not self and self._what == "legend":
            warnings.warn(
                f"\nYou are attempting to set `plot.legend.{name}` on a plot "
                "that has zero legends added, this will have no effect.\n\n"
                "Before legend properties can be set, you must add a Legend "
                "explicitly, or call a glyph method with a legend parameter "
                "set.\n", BokehUserWarning, stacklevel=2)
        for one in self:
            setattr(one, name, value)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if len(self) == 1:
            return getattr(self[0], name)
        if not self:
            raise AttributeError("Trying to access "
                                 f"{name!r} attribute on an empty "
                                 "'splattable' list")
        found = [getattr(one, name) for one in self]
        return found[0] if all(one == found[0] for one in found) else \
            Each(found)


def is_list(value: Any) -> bool:
    """Whether VALUE is a sequence of data."""
    import pandas as pd

    return isinstance(value, (list, tuple, range, np.ndarray, pd.Series,
                              pd.Index)) or \
        type(value).__module__.startswith("pandas.core.arrays")


def length(value: Any) -> Optional[int]:
    try:
        return len(value)
    except TypeError:
        return None
