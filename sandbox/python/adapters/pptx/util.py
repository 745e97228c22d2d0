"""util - lengths: integers of English Metric Units (EMU)."""

from __future__ import annotations


class Length(int):
    """A length in EMU, with its value in other units."""

    inches = property(lambda self: self / 914400.0)
    centipoints = property(lambda self: self // 127)
    cm = property(lambda self: self / 360000.0)
    emu = property(lambda self: self)
    mm = property(lambda self: self / 36000.0)
    pt = property(lambda self: self / 12700.0)


def _unit(name: str, size: int, words: str) -> type:
    def new(cls: type, value: float) -> Length:
        return Length.__new__(cls, int(value * size))

    return type(name, (Length,), {"__new__": new, "__doc__": words,
                                  "__module__": __name__})


Inches = _unit("Inches", 914400, "A length that was given in inches.")
Cm = _unit("Cm", 360000, "A length that was given in centimetres.")
Mm = _unit("Mm", 36000, "A length that was given in millimetres.")
Pt = _unit("Pt", 12700, "A length that was given in points.")
Emu = _unit("Emu", 1, "A length that was given in EMU.")
Centipoints = _unit("Centipoints", 127, "A length in hundredths of a point.")
