"""Questions about a profile and a power curve, answered by both: one judge for each question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from flint import arb

from sweep.truth.balls import ONE, ZERO, Judge, between, largest

__all__ = ["Curve", "Worst", "judge", "raw_judge"]

Function = Callable[[arb], arb]


class Curve(Protocol):
    """One ordered pair of neighbors, or the worst of a promise."""

    def delta(self, e: arb) -> arb: ...
    def power(self, x: arb) -> arb: ...
    def top(self) -> arb: ...


class Worst:
    """The worst of several ordered pairs."""

    def __init__(self, curves: Sequence[Curve]) -> None:
        self.curves = list(curves)

    def delta(self, e: arb) -> arb:
        return largest([one.delta(e) for one in self.curves])

    def power(self, x: arb) -> arb:
        return largest([one.power(x) for one in self.curves])

    def top(self) -> arb:
        return largest([one.top() for one in self.curves])


def judge(curve: Curve, question: str, x: arb, mirrored: bool = True) -> Judge | None:
    """Of a question whose answers hold after any post-processing.

    `mirrored` says that the power curve is its own mirror image, so that three outputs attain both
    tails together; otherwise only one end of these is known.
    """
    if question.startswith("loss") and x == 0:
        return between(curve.top().max(ZERO))
    if question == "delta":
        return between(curve.delta(x))
    if question == "epsilon":
        return _epsilon(curve.delta, x)
    if question == "power":
        return between(curve.power(x))
    if question == "level":
        return _level(curve.power, x)
    if question == "tail, one":
        return _tail(curve.power, x)
    if question == "loss, one":
        return _loss(curve.power, x)
    if question == "tail, both":
        found = _tail_both(curve.power, x)
    elif question == "loss, both":
        found = _loss_both(curve.power, x)
    else:
        return None
    if mirrored:
        return found
    lower = judge(curve, question.replace("both", "one"), x)
    return Judge(lower.above, found.below) if lower else None


def _epsilon(delta: Function, d: arb) -> Judge:
    """Least e with delta(e) <= d."""

    def above(e: arb) -> bool:
        return bool(e.is_finite()) and bool(delta(e) > d)

    def below(e: arb) -> bool:
        if not e.is_finite():
            return bool(delta(e) < d)
        return bool(e > 0) and bool(delta(_less(e)) <= d)

    return Judge(above, below)


def _level(power: Function, m: arb) -> Judge:
    """Least x with T(x) >= m."""

    def above(x: arb) -> bool:
        return bool(power(x) < m)

    def below(x: arb) -> bool:
        return bool(x > 0) and bool(power(_less(x)) >= m)

    return Judge(above, below)


def _ray(power: Function, y: arb, t: arb) -> int:
    """Whether the curve at the level where the ray y = e^t x has height y is above or below it."""
    x = y * (-t).exp() if t.is_finite() else ZERO
    found = power(x)
    return 1 if found > y else -1 if found < y else 0


def _tail(power: Function, t: arb) -> Judge:
    """The height at which the ray leaves the curve."""
    return Judge(
        lambda y: bool(y < 1) and (bool(y < 0) or _ray(power, y, t) > 0),
        lambda y: bool(y > 0) and (bool(y > 1) or _ray(power, y, t) < 0),
    )


def _tail_both(power: Function, t: arb) -> Judge:
    """(1 + e^-t) times that height, at most 1."""
    one = _tail(power, t)
    both = 1 + (-t).exp() if t.is_finite() else ONE
    return Judge(
        lambda v: bool(v < 1) and one.above(v / both),
        lambda v: bool(v > 1) or one.below(v / both),
    )


def _loss(power: Function, m: arb) -> Judge:
    """log(m / x(m)), with x(m) the least level of power m."""

    def above(e: arb) -> bool:
        return bool(power(m * (-e).exp()) > m) if e.is_finite() else False

    def below(e: arb) -> bool:
        if not e.is_finite():
            return not power(ZERO) >= m and bool(power(arb("1e-1000000")) < m)
        return bool(e > 0) and bool(power(m * (-e).exp()) < m)

    return Judge(above, below)


def _loss_both(power: Function, m: arb) -> Judge:
    """log(y / x) at the point of the curve with x + y = m."""

    def points(e: arb) -> tuple[arb, arb]:
        if not e.is_finite():
            return ZERO, m
        return m / (1 + e.exp()), m / (1 + (-e).exp())

    def above(e: arb) -> bool:
        x, y = points(e)
        return bool(power(x) > y) if e.is_finite() else False

    def below(e: arb) -> bool:
        x, y = points(e)
        if not e.is_finite():
            return bool(power(arb("1e-1000000")) < y)
        return bool(e > 0) and bool(power(x) < y)

    return Judge(above, below)


def _less(x: arb) -> arb:
    """A hair below: an infimum that is not attained is not missed by equality."""
    return x * (1 - arb(2) ** -200)


def raw_judge(
    one: Callable[[arb], arb], both: Callable[[arb], arb], question: str, x: arb
) -> Judge | None:
    """Of the raw output: `one` and `both` are the largest P[Z > t] and P[|Z| > t]."""
    tail = one if question.endswith("one, raw") else both
    if question.startswith("tail"):
        return between(tail(x))
    if question.startswith("loss"):
        return _epsilon(tail, x)
    return None
