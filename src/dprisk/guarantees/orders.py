"""What Rényi bounds say: a search over orders, each of which alone gives a valid answer."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dprisk._numeric.bernoulli import Path, boundary
from dprisk._numeric.logspace import Floats, exp_capped, log1mexp
from dprisk.guarantees.base import Sides
from dprisk.sources import Theorem

__all__ = [
    "ADVANTAGE",
    "ONE_SIDED",
    "POWER",
    "PROFILE",
    "TWO_SIDED",
    "Least",
    "advantage",
    "delta",
    "epsilon",
    "level",
    "loss_bound",
    "power",
    "tail",
]

PROFILE = Theorem("Canonne 2020", "Proposition 12", "Rényi bounds imply approximate DP")
POWER = Theorem("P1", "Theorem 6.3", "power of a test under Rényi bounds (Balle et al. 2020)")
ADVANTAGE = Theorem("P1", "Theorem 6.3", "power minus level is largest where they add up to one")
ONE_SIDED = Theorem("dprisk", "Proposition 3", "the tail under Rényi bounds is that of two coins")
TWO_SIDED = Theorem(
    "dprisk", "Proposition 3", "the tail of two coins on one side, doubled for both"
)

Bound = Callable[[Floats, Floats], Floats]
"""From orders and their limits, shape (n, m), to values of that shape."""


Least = Callable[[Bound, int, bool], Floats]
"""Least of a bound over the orders at which a divergence is limited: the bound, the number of rows
(each with a search of its own), and whether the limit at order 1 takes part."""


def delta(least: Least, epsilon: Floats) -> Floats:
    """Least additive slack over the orders (Canonne et al. 2020, Proposition 12)."""

    def bound(order: Floats, limit: Floats) -> Floats:
        return (order - 1.0) * (limit - epsilon[:, None]) + _constant(order)

    return exp_capped(least(bound, epsilon.size, False))


def epsilon(least: Least, delta: Floats) -> Floats:
    """Inverse of `delta` for delta > 0."""

    def bound(order: Floats, limit: Floats) -> Floats:
        return limit + (_constant(order) - np.log(delta)[:, None]) / (order - 1.0)

    return np.maximum(least(bound, delta.size, False), 0.0)


def _constant(order: Floats) -> Floats:
    """log((1 - 1/order)^order / (order - 1))."""
    extra = order - 1.0
    near, far = extra * np.log(extra) - order * np.log(order), order * np.log1p(-1.0 / order)
    return np.where(order < 2.0, near, far - np.log(extra))


def power(least: Least, level: Floats) -> Floats:
    """Most power at a level strictly between 0 and 1."""
    log_level = np.log(level)[:, None]

    def ceiling(order: Floats, limit: Floats) -> Floats:  # from the first term alone
        largest = (limit * (order - 1.0) - log_level) / order
        return np.minimum(largest, -log_level)

    path: Path = lambda gap: (log_level + gap, gap)  # noqa: E731
    gap = _furthest(least, path, np.zeros_like(log_level), ceiling)
    return np.asarray(np.minimum(level * np.exp(gap), 1.0))


def level(least: Least, power: Floats) -> Floats:
    """Least level at which a test can have a power strictly between 0 and 1."""
    log_power = np.log(power)[:, None]

    def floor(order: Floats, limit: Floats) -> Floats:
        return limit - log_power / (order - 1.0)

    path: Path = lambda gap: (np.broadcast_to(log_power, gap.shape), gap)  # noqa: E731
    gap = _furthest(least, path, np.zeros_like(log_power), floor)
    return np.asarray(power * np.exp(-gap))


def advantage(least: Least) -> Floats:
    """Most power minus level: at level 1 - y and power y, as the curve is its own mirror image."""

    def ceiling(order: Floats, limit: Floats) -> Floats:  # from the first term, as y >= 1/2
        return np.asarray(limit + np.log(2.0) / (order - 1.0))

    path: Path = lambda gap: (-np.logaddexp(0.0, -gap), gap)  # noqa: E731
    return np.asarray(np.tanh(_furthest(least, path, np.zeros((1, 1)), ceiling) / 2.0))


def loss_bound(least: Least, failure: Floats, sides: Sides) -> Floats:
    """Loss that is exceeded with probability `failure`, in (0, 1]."""
    log_failure = np.log(failure)[:, None]
    spread = np.log(2.0) if sides == "both" else 0.0

    def markov(order: Floats, limit: Floats) -> Floats:
        return limit + (spread - log_failure) / (order - 1.0)

    def path(loss: Floats) -> tuple[Floats, Floats]:
        share = np.logaddexp(0.0, -loss) if sides == "both" else 0.0
        return log_failure - share + 0.0 * loss, loss

    return _furthest(least, path, np.zeros_like(log_failure), markov)


def tail(least: Least, epsilon: Floats, sides: Sides, revealed: float = 0.0) -> Floats:
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

    height = np.exp(_furthest(least, path, np.full_like(t, max(log_revealed, -2000.0)), markov))
    return height if sides == "one" else np.minimum(1.0, height * (1.0 + np.exp(-epsilon)))


def _furthest(least: Least, path: Path, inside: Floats, markov: Bound) -> Floats:
    """Least position on a path that some order forbids.

    `markov` is the position that the larger of the two terms of the divergence forbids by itself;
    at order 1, where there is no such term, the best of the other orders stands in.
    """
    count = inside.shape[0]
    best = least(markov, count, False)[:, None]

    def bound(order: Floats, limit: Floats) -> Floats:
        above = order > 1.0
        outside = np.where(above, markov(np.where(above, order, 2.0), limit), best)
        return boundary(path, inside, np.maximum(outside, inside), order, limit)

    return np.minimum(least(bound, count, True), best[:, 0])
