"""properties - values and fields of properties."""

from __future__ import annotations

from ..transform import field, value

__all__ = ["field", "value", "expr"]


def expr(expression: object, transform: object = None) -> object:
    from ..transform import Spec
    return Spec(expr=expression, transform=transform)
