"""numpy_financial - present values, payments and rates of interest.

The ten functions of numpy-financial 1.0: fv, pv, pmt, ipmt, ppmt, nper, rate,
irr, npv, mirr, over numbers and arrays. Money that is paid has a minus. Decimal
numbers raise NotImplementedError.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np

__version__ = "1.0.0"
__all__ = ["fv", "ipmt", "irr", "mirr", "nper", "npv", "pmt", "ppmt", "pv",
           "rate"]

_WHEN = {"end": 0, "e": 0, "finish": 0, 0: 0,
         "begin": 1, "b": 1, "beginning": 1, "start": 1, 1: 1}


def _number(name: str, value: Any) -> Any:
    array = np.asarray(value)
    if array.dtype == object and any(isinstance(one, Decimal)
                                     for one in array.flat):
        raise NotImplementedError(
            f"numpy_financial.{name}() of Decimal is not here; give floats")
    return array


def _numbers(name: str, *values: Any) -> list[Any]:
    return [_number(name, value) for value in values]


def _when(when: Any) -> Any:
    """0 for payments at the end of each period, 1 at the beginning."""
    if isinstance(when, np.ndarray) and when.dtype.kind in "iuf":
        return when
    try:
        return np.asarray(_WHEN[when])
    except (KeyError, TypeError):
        return np.asarray([_WHEN[one] for one in when])


def _growth(rate: Any, nper: Any, when: Any) -> tuple[Any, Any]:
    """What 1 becomes after NPER periods, and what payments of 1 become."""
    grown = (1 + rate) ** nper
    none = rate == 0
    divisor = np.where(none, 1, rate)
    paid = np.where(none, nper, (1 + divisor * when) * (grown - 1) / divisor)
    return grown, paid


def fv(rate: Any, nper: Any, pmt: Any, pv: Any, when: Any = "end") -> Any:
    """The value after NPER periods of PV and payments of PMT."""
    given = _numbers("fv", rate, nper, pmt, pv)
    rate, nper, pmt, pv, due = np.broadcast_arrays(*given, _when(when))
    if (rate == 0).all() and all(one.dtype.kind in "iu" for one in given):
        value = -(pv + pmt * nper)
    else:
        grown, paid = _growth(rate, nper, due)
        value = -pv * grown - pmt * paid
    return value.item() if np.ndim(value) == 0 else value


def pv(rate: Any, nper: Any, pmt: Any, fv: Any = 0, when: Any = "end") -> Any:
    """The value now of payments of PMT, and of FV at the end."""
    rate, nper, pmt, fv = _numbers("pv", rate, nper, pmt, fv)
    grown, paid = _growth(rate, nper, _when(when))
    return -(fv + pmt * paid) / grown


def pmt(rate: Any, nper: Any, pv: Any, fv: Any = 0, when: Any = "end") -> Any:
    """The payment of each period that turns PV into FV."""
    rate, nper, pv, fv = _numbers("pmt", rate, nper, pv, fv)
    grown, paid = _growth(rate, nper, _when(when))
    return -(fv + pv * grown) / paid


def ipmt(rate: Any, per: Any, nper: Any, pv: Any, fv: Any = 0,
         when: Any = "end") -> Any:
    """The part of the payment of period PER that is interest."""
    given = _numbers("ipmt", rate, per, nper, pv, fv)
    rate, per, nper, pv, fv, due = np.broadcast_arrays(*given, _when(when))
    payment = pmt(rate, nper, pv, fv, due)
    grown, paid = _growth(rate, per - 1, due)
    interest = (-pv * grown - payment * paid) * rate
    interest = np.where(due == 1, interest / (1 + rate), interest)
    interest = np.where((due == 1) & (per == 1), 0, interest)
    interest = np.where(per < 1, np.nan, interest)
    return interest.item() if interest.ndim == 0 else interest


def ppmt(rate: Any, per: Any, nper: Any, pv: Any, fv: Any = 0,
         when: Any = "end") -> Any:
    """The part of the payment of period PER that repays the loan."""
    return pmt(rate, nper, pv, fv, when) - ipmt(rate, per, nper, pv, fv, when)


def nper(rate: Any, pmt: Any, pv: Any, fv: Any = 0, when: Any = "end") -> Any:
    """How many payments of PMT turn PV into FV."""
    given = _numbers("nper", rate, pmt, pv, fv)
    rate, pmt, pv, fv, due = np.broadcast_arrays(*given, _when(when))
    count = np.empty(rate.shape, dtype=float)
    none = rate == 0
    with np.errstate(divide="ignore"):
        count[none] = -(fv[none] + pv[none]) / pmt[none]
    some = rate[~none]
    worth = pmt[~none] * (1 + some * due[~none]) / some
    count[~none] = (np.log((worth - fv[~none]) / (pv[~none] + worth))
                    / np.log(1 + some))
    # A plain number: round() takes no array, not even of no dimension.
    return count.item() if count.ndim == 0 else count


def rate(nper: Any, pmt: Any, pv: Any, fv: Any, when: Any = "end",
         guess: Any = None, tol: Any = None, maxiter: int = 100) -> Any:
    """The rate of a period, by Newton's steps from GUESS; nan without one."""
    nper, pmt, pv, fv = _numbers("rate", nper, pmt, pv, fv)
    due = _when(when)
    now = 0.1 if guess is None else guess
    tol = 1e-6 if tol is None else tol
    for _ in range(maxiter):
        grown = (1 + now) ** nper
        slope = nper * (1 + now) ** (nper - 1)
        paid = (grown - 1) / now
        value = fv + pv * grown + pmt * paid * (1 + now * due)
        change = pv * slope + pmt * (
            (slope - paid) / now * (1 + now * due) + paid * due)
        then = now - value / change
        close = np.all(np.abs(then - now) < tol)
        now = then
        if close:
            return now
    return np.nan + now


def irr(values: Any) -> Any:
    """The rate with a net present value of 0, nearest to 0; nan if none."""
    flows = np.atleast_1d(_number("irr", values))
    if flows.ndim != 1:
        raise ValueError("Cashflows must be a rank-1 array")
    some = np.nonzero(flows)[0]
    if not len(some):
        return np.nan
    roots = np.roots(flows[some[0]:some[-1] + 1][::-1].astype(float))
    real = roots.real[(roots.imag == 0) & (roots.real > 0)]
    if not len(real):
        return np.nan
    rates = 1 / real - 1
    return rates.item(np.argmin(np.abs(rates)))


def npv(rate: Any, values: Any) -> Any:
    """The value now of VALUES, the first of which is paid now."""
    flows = _number("npv", values)
    rate = _number("npv", rate)
    return (flows / (1 + rate) ** np.arange(len(flows))).sum(axis=0)


def mirr(values: Any, finance_rate: Any, reinvest_rate: Any) -> Any:
    """The rate if gains are reinvested and losses financed."""
    flows = _number("mirr", values)
    _numbers("mirr", finance_rate, reinvest_rate)
    gains, losses = flows > 0, flows < 0
    if not (gains.any() and losses.any()):
        return np.nan
    gained = np.abs(npv(reinvest_rate, flows * gains))
    lost = np.abs(npv(finance_rate, flows * losses))
    return ((gained / lost) ** (1 / (flows.size - 1)) * (1 + reinvest_rate)
            - 1)
