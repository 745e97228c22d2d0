"""numpy_financial - annuities, rates of return, present values.

All ten functions of numpy-financial 1.0, of numbers and of arrays. irr() of
payments that never change their sign is nan; of several rates it is the one
that is closest to 0.
"""

from __future__ import annotations

from typing import Any

import numpy

__version__ = "1.0.0"
__all__ = ["fv", "pmt", "nper", "ipmt", "ppmt", "pv", "rate", "irr", "npv",
           "mirr"]
_WHEN = {"end": 0, "e": 0, "finish": 0, 0: 0,
         "begin": 1, "b": 1, "beginning": 1, "start": 1, 1: 1}


def _at(when: Any) -> Any:
    """0 for payments at the end of each period, 1 for those at its begin."""
    if isinstance(when, (str, int, numpy.integer)):
        return numpy.array(_WHEN[when])
    return numpy.array([_WHEN[one] for one in when])


def _arrays(*values: Any) -> list[Any]:
    return [numpy.asarray(value, float) for value in values]


def _annuity(rate: Any, nper: Any, when: Any) -> tuple[Any, Any]:
    """What 1 grows to, and what a payment of 1 in each period grows to."""
    grown = (1 + rate) ** nper
    with numpy.errstate(divide="ignore", invalid="ignore"):
        paid = numpy.where(rate == 0, nper,
                           (1 + rate * when) * (grown - 1) / rate)
    return grown, paid


def fv(rate: Any, nper: Any, pmt: Any, pv: Any, when: Any = "end") -> Any:
    rate, nper, pmt, pv = _arrays(rate, nper, pmt, pv)
    grown, paid = _annuity(rate, nper, _at(when))
    return -(pv * grown + pmt * paid)


def pmt(rate: Any, nper: Any, pv: Any, fv: Any = 0,
        when: Any = "end") -> Any:
    rate, nper, pv, fv = _arrays(rate, nper, pv, fv)
    grown, paid = _annuity(rate, nper, _at(when))
    return -(fv + pv * grown) / paid


def pv(rate: Any, nper: Any, pmt: Any, fv: Any = 0, when: Any = "end") -> Any:
    rate, nper, pmt, fv = _arrays(rate, nper, pmt, fv)
    grown, paid = _annuity(rate, nper, _at(when))
    return -(fv + pmt * paid) / grown


def nper(rate: Any, pmt: Any, pv: Any, fv: Any = 0, when: Any = "end") -> Any:
    rate, pmt, pv, fv = _arrays(rate, pmt, pv, fv)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        each = pmt * (1 + rate * _at(when)) / rate
        found = numpy.where(
            rate == 0, -(fv + pv) / pmt,
            numpy.log((each - fv) / (each + pv)) / numpy.log1p(rate))
    return found[()]


def ipmt(rate: Any, per: Any, nper: Any, pv: Any, fv: Any = 0,
         when: Any = "end") -> Any:
    """The part of payment PER that is interest."""
    at = _at(when)
    rate, per, nper, pv, fv, at = numpy.broadcast_arrays(
        *_arrays(rate, per, nper, pv, fv), at)
    grown, paid = _annuity(rate, nper, at)
    each = -(fv + pv * grown) / paid
    grown, paid = _annuity(rate, per - 1, at)
    found = -(pv * grown + each * paid) * rate
    found = numpy.where(at == 1, found / (1 + rate), found)
    found = numpy.where((at == 1) & (per == 1), 0.0, found)
    return numpy.where(per < 1, numpy.nan, found)[()]


def ppmt(rate: Any, per: Any, nper: Any, pv: Any, fv: Any = 0,
         when: Any = "end") -> Any:
    """The part of payment PER that pays the loan back."""
    return pmt(rate, nper, pv, fv, when) - ipmt(rate, per, nper, pv, fv, when)


def rate(nper: Any, pmt: Any, pv: Any, fv: Any, when: Any = "end",
         guess: Any = 0.1, tol: Any = 1e-6, maxiter: int = 100) -> Any:
    """The interest of a period, by Newton's steps from GUESS."""
    nper, pmt, pv, fv, found = _arrays(
        nper, pmt, pv, fv, 0.1 if guess is None else guess)
    at, tol, close = _at(when), 1e-6 if tol is None else tol, False
    for _ in range(maxiter):
        grown, less = (1 + found) ** nper, (1 + found) ** (nper - 1)
        value = fv + grown * pv + pmt * (grown - 1) * (
            found * at + 1) / found
        slope = nper * less * pv - pmt * (grown - 1) * (
            found * at + 1) / found ** 2 + nper * pmt * less * (
            found * at + 1) / found + pmt * (grown - 1) * at / found
        step = value / slope
        found = found - step
        close = numpy.abs(step) < tol
        if numpy.all(close):
            break
    return numpy.where(close, found, numpy.nan)[()]


def irr(values: Any) -> float:
    values = numpy.atleast_1d(numpy.asarray(values, float))
    if values.ndim != 1:
        raise ValueError("Cashflows must be a rank-1 array")
    if not (values > 0).any() or not (values < 0).any():
        return float("nan")
    roots = numpy.roots(values[::-1])
    real = roots.real[(numpy.abs(roots.imag) < 1e-12) & (roots.real > 0)]
    if not len(real):
        return float("nan")
    rates = 1 / real - 1
    return float(rates[numpy.abs(rates).argmin()])


def npv(rate: Any, values: Any) -> Any:
    """The value of payments at the time of the first."""
    values = numpy.asarray(values, float)
    if values.ndim > 1 or numpy.ndim(rate):
        raise NotImplementedError(
            "npv() of several rates or rows is not in this numpy_financial: "
            "call it for each")
    return (values / (1 + rate) ** numpy.arange(len(values))).sum()


def mirr(values: Any, finance_rate: Any, reinvest_rate: Any) -> Any:
    values = numpy.asarray(values, float)
    if not (values > 0).any() or not (values < 0).any():
        return numpy.nan
    gained = abs(npv(reinvest_rate, values * (values > 0)))
    spent = abs(npv(finance_rate, values * (values < 0)))
    return (gained / spent) ** (1 / (len(values) - 1)) * (
        1 + reinvest_rate) - 1
