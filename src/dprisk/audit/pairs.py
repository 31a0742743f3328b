"""Two distributions over the same outputs, in exact fractions: what a definition says of them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Final

from dprisk.audit.exp_epsilon import Growth
from dprisk.errors import InvalidInput

__all__ = [
    "Predicate",
    "Row",
    "approximate",
    "bounded",
    "concentrated",
    "excepting",
    "pointwise",
    "probabilistic",
    "tail",
]

Row = tuple[Fraction, ...]
Predicate = Callable[[Row, Row], bool]
MOST: Final = 12  # outputs of which all subsets are looked at
TOLERANCE: Final = 1e-9  # a Rényi divergence is beyond its bound by more than rounding


def tail(p: Row, q: Row, growth: Growth, *, both: bool = False) -> Fraction:
    """P[Z > epsilon], or P[abs(Z) > epsilon]."""
    return sum(
        (a for a, b in zip(p, q, strict=True) if beyond(a, b, growth, both=both)), Fraction(0)
    )


def beyond(a: Fraction, b: Fraction, growth: Growth, *, both: bool = False) -> bool:
    """Whether the loss at an output exceeds epsilon."""
    return growth.exceeded(a, b) or (both and growth.exceeded(b, a))


def approximate(p: Row, q: Row, growth: Growth, delta: Fraction) -> bool:
    """Whether P(S) <= e^epsilon Q(S) + delta for every set S."""
    bad = [(a, b) for a, b in zip(p, q, strict=True) if growth.exceeded(a, b)]
    return growth.sign(delta - sum(a for a, _ in bad), sum(b for _, b in bad)) >= 0


def pointwise(p: Row, q: Row, growth: Growth, delta: Fraction) -> bool:
    """Whether P(y) <= e^epsilon Q(y) + delta for every single output y: no definition."""
    return all(growth.sign(delta - a, b) >= 0 for a, b in zip(p, q, strict=True))


def probabilistic(p: Row, q: Row, growth: Growth, delta: Fraction, *, both: bool) -> bool:
    """Whether the loss of the raw output exceeds epsilon with probability delta at most."""
    return tail(p, q, growth, both=both) <= delta


def bounded(p: Row, q: Row, growth: Growth, delta: Fraction) -> bool:
    """Whether that holds after every post-processing: P1, Definition 5.2.

    Outputs by falling ratio are merged as long as the ratio of all stays above e^epsilon; of the
    last one only a share. Where power and level are the sums before it, its share of p leaves the
    whole at delta or below just if delta p <= e^epsilon (level p + (delta - power) q).
    """
    items = [(a, b) for a, b in zip(p, q, strict=True) if a or b]
    items.sort(key=lambda item: item[0] / (item[0] + item[1]), reverse=True)
    if not growth.exceeded(*items[0]):
        return True
    power = level = Fraction(0)
    for a, b in items:
        if growth.sign(power + a, -(level + b)) < 0:
            return growth.sign(delta * a, -(level * a + (delta - power) * b)) <= 0
        power, level = power + a, level + b
    return power <= delta


def concentrated(p: Row, q: Row, rho: float, xi: float, delta: Fraction) -> bool:
    """Whether some set of outputs holds all but delta of both, and is (xi, rho)-zCDP by itself.

    Divergences are of the distributions given the set, in both directions (P4, Definition 6, with
    its exponent). The set is the same for both: a divergence is infinite where supports differ.
    """
    some = [n for n, (a, b) in enumerate(zip(p, q, strict=True)) if a and b]
    _few(len(some))
    for size in range(len(some), 0, -1):
        for kept in itertools.combinations(some, size):
            a, b = (tuple(row[n] for n in kept) for row in (p, q))
            inside = min(sum(a), sum(b))
            if inside < 1 - delta:
                continue
            if _within(a, b, rho, xi) and _within(b, a, rho, xi):
                return True
        if not delta:
            return False
    return False


def excepting(delta: Fraction, predicate: Predicate) -> Predicate:
    """P4, Definition 5: all sets of outputs keep the predicate, but for a bad one of mass delta.

    The predicate is asked about P and Q restricted to a set, not divided by its mass.
    """
    known: dict[tuple[Row, Row], bool] = {}

    def asked(p: Row, q: Row) -> bool:
        if (p, q) not in known:
            known[p, q] = bool(predicate(p, q))
        return known[p, q]

    def holds(p: Row, q: Row) -> bool:
        some = [(a, b) for a, b in zip(p, q, strict=True) if a or b]
        _few(len(some))
        failing = [
            frozenset(each)
            for size in range(1, len(some) + 1)
            for each in itertools.combinations(range(len(some)), size)
            if not asked(tuple(some[n][0] for n in each), tuple(some[n][1] for n in each))
        ]
        if not failing:
            return True
        return any(
            sum(some[n][0] for n in bad) <= delta
            and all(not each.isdisjoint(bad) for each in failing)
            for size in range(len(some) + 1)
            for bad in itertools.combinations(range(len(some)), size)
        )

    return holds


def _few(count: int) -> None:
    if count > MOST:
        fix = "Merge outputs that do not matter first."
        raise InvalidInput(
            "the outputs", count, f"at most {MOST}: all their subsets are tried", fix
        )


def _within(p: Row, q: Row, rho: float, xi: float) -> bool:
    """Whether D_alpha <= xi + rho alpha for all alpha, up to the tolerance.

    With s = alpha - 1 and the moments K(s) = s D, K is convex: between two orders it lies below its
    chord, and below that the excess K - s xi - rho s (1 + s) is largest in closed form.
    """
    whole = [float(a / sum(p)) for a in p], [float(b / sum(q)) for b in q]
    losses = [_log(a / sum(p)) - _log(b / sum(q)) for a, b in zip(p, q, strict=True)]
    weights = whole[0]
    if math.fsum(w * z for w, z in zip(weights, losses, strict=True)) > xi + rho + TOLERANCE:
        return False
    top = max(losses)
    if top <= xi + TOLERANCE:
        return True
    if rho == 0.0:
        return False
    last = (top - xi) / rho  # from this order on the largest loss is within the bound

    def moment(s: float) -> float:
        return s * top + math.log(
            math.fsum(w * math.exp(s * (z - top)) for w, z in zip(weights, losses, strict=True))
        )

    def excess(s: float) -> float:
        return moment(s) - s * (xi + rho * (1.0 + s))

    left = [(0.0, last)] if last > 0.0 else []
    while left:
        a, b = left.pop()
        middle = (a + b) / 2.0
        if excess(middle) > TOLERANCE * middle:
            return False
        slope = (moment(b) - (moment(a) if a else 0.0)) / (b - a)
        peak = min(max((slope - xi - rho) / (2.0 * rho), a), b)
        above = (moment(a) if a else 0.0) + slope * (peak - a) - peak * (xi + rho * (1.0 + peak))
        if above > TOLERANCE * peak and b - a > 1e-7 * b and b > 1e-6:
            left += [(a, middle), (middle, b)]
    return True


def _log(value: Fraction) -> float:
    """The logarithm of a fraction that may be too small for a float."""
    return math.log(value.numerator) - math.log(value.denominator)
