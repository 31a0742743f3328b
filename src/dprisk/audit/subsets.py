"""Claims about one pair that are decided by looking at all sets of outputs."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Final

from dprisk.audit.finite import Row
from dprisk.errors import InvalidInput

Predicate = Callable[[Row, Row], bool]
MOST_OUTPUTS: Final = 12
ROUNDING: Final = 1e-9  # a Rényi divergence is beyond its bound by more than that


def _few(count: int) -> None:
    if count > MOST_OUTPUTS:
        raise InvalidInput(
            "the outputs",
            count,
            f"at most {MOST_OUTPUTS}: all their subsets are tried",
            "First merge outputs that do not matter.",
        )


def excepting(p: Row, q: Row, delta: Fraction, predicate: Predicate) -> bool:
    """P4, Definition 5: all sets of outputs keep the predicate, but for a bad one of mass delta."""
    some = [(a, b) for a, b in zip(p, q, strict=True) if a or b]
    _few(len(some))
    sets = [
        each
        for size in range(len(some) + 1)
        for each in itertools.combinations(range(len(some)), size)
    ]
    failing = [
        frozenset(each)
        for each in sets[1:]
        if not predicate(tuple(some[n][0] for n in each), tuple(some[n][1] for n in each))
    ]
    return not failing or any(
        sum(some[n][0] for n in bad) <= delta and all(not each.isdisjoint(bad) for each in failing)
        for bad in sets
    )


def concentrated(p: Row, q: Row, rho: float, xi: float, delta: Fraction) -> bool:
    """Whether some set of outputs holds all but delta of both, and is (xi, rho)-zCDP by itself."""
    some = [n for n, (a, b) in enumerate(zip(p, q, strict=True)) if a and b]
    _few(len(some))
    for size in range(len(some), 0, -1):
        for kept in itertools.combinations(some, size):
            a, b = (tuple(row[n] for n in kept) for row in (p, q))
            if min(sum(a), sum(b)) >= 1 - delta and all(
                _within(*way, rho, xi) for way in ((a, b), (b, a))
            ):
                return True
        if not delta:
            return False
    return False


def _within(p: Row, q: Row, rho: float, xi: float) -> bool:
    """Whether D_alpha <= xi + rho alpha for all alpha, up to rounding."""
    weights = [float(a / sum(p)) for a in p]
    ratios = [a * sum(q) / (b * sum(p)) for a, b in zip(p, q, strict=True)]
    losses = [math.log(ratio.numerator) - math.log(ratio.denominator) for ratio in ratios]
    if math.fsum(w * z for w, z in zip(weights, losses, strict=True)) > xi + rho + ROUNDING:
        return False
    top = max(losses)
    if top <= xi + ROUNDING:
        return True
    if rho == 0.0:
        return False

    def moment(s: float) -> float:
        if not s:
            return 0.0
        return s * top + math.log(
            math.fsum(w * math.exp(s * (z - top)) for w, z in zip(weights, losses, strict=True))
        )

    left = [(0.0, (top - xi) / rho)]  # from that order on the largest loss is within the bound
    while left:
        a, b = left.pop()
        middle = (a + b) / 2.0
        if moment(middle) - middle * (xi + rho * (1.0 + middle)) > ROUNDING * middle:
            return False
        slope = (moment(b) - moment(a)) / (b - a)
        peak = min(max((slope - xi - rho) / (2.0 * rho), a), b)
        above = moment(a) + slope * (peak - a) - peak * (xi + rho * (1.0 + peak))
        if above > ROUNDING * peak and b - a > 1e-7 * b and b > 1e-6:
            left += [(a, middle), (middle, b)]
    return True
