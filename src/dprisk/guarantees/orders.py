"""What Rényi bounds say: a search over orders, each of which alone gives a valid answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dprisk._numeric.bernoulli import Path
from dprisk._numeric.logspace import Floats, below_complement, log1mexp
from dprisk._numeric.rounding import FORMULA, UNIT, down, times_exp, up
from dprisk.guarantees.base import Sides
from dprisk.guarantees.piecewise import on_both_sides
from dprisk.sources import Theorem

__all__ = [
    "ADVANTAGE",
    "ONE_SIDED",
    "POWER",
    "TWO_SIDED",
    "Bound",
    "Search",
    "canonne",
    "level",
    "loss_bound",
    "power",
    "tail",
]

POWER = Theorem("P1", "Theorem 6.3", "power of a test under Rényi bounds (Balle et al. 2020)")
ADVANTAGE = Theorem("P1", "Theorem 6.3", "power minus level is largest where they add up to one")
ONE_SIDED = Theorem("dprisk", "Proposition 3", "the tail under Rényi bounds is that of two coins")
TWO_SIDED = Theorem(
    "dprisk", "Proposition 3", "the tail of two coins on one side, doubled for both"
)

BELOW_ONE = 1.0 - UNIT

Bound = Callable[[Floats, Floats], Floats]
"""From orders and their limits, shape (n, m), to values of that shape."""


class Search(NamedTuple):
    """How to look through the orders at which a divergence is limited, once for each row."""

    least: Callable[[Bound, int], Floats]
    """Least of a bound over the orders; of the bound and the number of rows."""

    first: Callable[[Path, Floats, Floats, bool], Floats]
    """First position on a path that some order surely forbids; of the path, a position that all
    allow and one that some order forbids, shape (n, 1), and whether the root of a divergence is
    nearly a line in the position."""


def canonne(search: Search, delta: Floats) -> Floats:
    """Epsilon at delta > 0 by the conversion of Canonne et al. (2020, Proposition 12)."""

    def bound(order: Floats, limit: Floats) -> Floats:
        extra = order - 1.0
        near, far = extra * np.log(extra) - order * np.log(order), order * np.log1p(-1.0 / order)
        constant = np.where(order < 2.0, near, far - np.log(extra))
        return limit + (constant - np.log(delta)[:, None]) / extra

    return np.maximum(search.least(bound, delta.size), 0.0)


def power(search: Search, level: Floats) -> Floats:
    """Most power at a level strictly between 0 and 1, at least."""
    found = _power_below(search, level)
    far = level + found > 1.0  # there the mirror image of the curve is the smoother question
    if far.any():
        missing = _level_below(search, below_complement(level[far]))
        found[far] = np.minimum(found[far], np.nextafter(1.0 - missing, 2.0))
    return np.minimum(found, 1.0)


def level(search: Search, power: Floats) -> Floats:
    """Least level at which a test can have a power strictly between 0 and 1, at most."""
    found = _level_below(search, power)
    far = power + found > 1.0
    if far.any():
        rest = np.minimum(np.nextafter(1.0 - power[far], 1.0), 1.0 - UNIT)
        found[far] = np.maximum(
            found[far], below_complement(np.minimum(_power_below(search, rest), 1.0))
        )
    return found


def _power_below(search: Search, level: Floats) -> Floats:
    units = FORMULA + 2.0 * np.abs(np.log(level))
    return up(times_exp(level, _gap(search, level)), units=units)


def _gap(search: Search, level: Floats) -> Floats:
    """log(power / level) at a level, in (0, 1)."""
    log_level = np.log(level)[:, None]

    def ceiling(order: Floats, limit: Floats) -> Floats:  # from the first term alone
        largest = (limit * (order - 1.0) - log_level) / order
        return np.minimum(largest, -log_level)

    path: Path = lambda gap: (np.minimum(log_level + gap, 0.0), gap)  # noqa: E731
    return _furthest(search, path, np.zeros_like(log_level), ceiling, True)


def _level_below(search: Search, power: Floats) -> Floats:
    log_power = np.log(power)[:, None]

    def floor(order: Floats, limit: Floats) -> Floats:
        return limit - log_power / (order - 1.0)

    path: Path = lambda gap: (np.broadcast_to(log_power, gap.shape), gap)  # noqa: E731
    gap = _furthest(search, path, np.zeros_like(log_power), floor, True)
    return down(times_exp(power, -gap), units=FORMULA + 2.0 * np.abs(log_power[:, 0]))


def loss_bound(search: Search, failure: Floats, sides: Sides) -> Floats:
    """Loss that is exceeded with probability `failure`, in (0, 1]."""
    log_failure = np.log(failure)[:, None]
    spread = np.log(2.0) if sides == "both" else 0.0

    def markov(order: Floats, limit: Floats) -> Floats:
        return limit + (spread - log_failure) / (order - 1.0)

    def path(loss: Floats) -> tuple[Floats, Floats]:
        share = np.logaddexp(0.0, -loss) if sides == "both" else 0.0
        return log_failure - share + 0.0 * loss, loss

    found = _furthest(search, path, np.zeros_like(log_failure), markov)
    if sides == "one":  # where level + power > 1, from the mirror image of the curve
        far = failure * (1.0 + np.exp(-found)) > 1.0
        found[far] = np.minimum(found[far], _mirrored_loss(search, failure[far]))
    return found


def _mirrored_loss(search: Search, power: Floats) -> Floats:
    """log(power / level) with 1 - level = T(1 - power)."""
    missing = 1.0 - power
    gain = missing * np.expm1(_gap(search, np.where(missing > 0.0, missing, 0.5))) / power
    return up(-np.log1p(-np.minimum(up(gain, missing == 0.0), BELOW_ONE)), missing == 0.0)


def tail(search: Search, epsilon: Floats, sides: Sides, revealed: float = 0.0) -> Floats:
    """Most probability of a loss beyond a positive epsilon.

    With probability `revealed` nothing is promised: the pair (level, power) of a test is that of
    two coins, scaled by 1 - revealed, and the power has `revealed` on top.
    """
    t, log_rest = epsilon[:, None], np.log1p(-revealed)
    log_revealed = np.log(revealed) if revealed else -np.inf

    def path(u: Floats) -> tuple[Floats, Floats]:
        on_top = log1mexp(u - log_revealed)
        return np.minimum(u + on_top - log_rest, 0.0), t + on_top

    def markov(order: Floats, limit: Floats) -> Floats:
        return np.minimum((order - 1.0) * (limit - t), 0.0) if not revealed else 0.0 * order

    log_height = _furthest(search, path, np.full_like(t, max(log_revealed, -2000.0)), markov)
    height = np.minimum(up(np.exp(log_height), units=FORMULA + 2.0 * np.abs(log_height)), 1.0)
    return height if sides == "one" else on_both_sides(height, epsilon)


def _furthest(
    search: Search, path: Path, inside: Floats, markov: Bound, smooth: bool = False
) -> Floats:
    """Least position on a path that some order forbids.

    `markov` is the position that the larger of the two terms of the divergence forbids by itself.
    """
    outside = search.least(markov, inside.shape[0])[:, None]
    outside = outside + 32.0 * UNIT * (1.0 + np.abs(outside))
    return search.first(path, inside, np.maximum(outside, inside), smooth)[:, 0]
