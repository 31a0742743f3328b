"""Random numbers, ordinary and extreme."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

__all__ = ["chance", "chances", "count", "loss", "losses", "relation", "spread"]

Random = random.Random
RELATIONS = ("add-remove", "replace-one")
CHANCES = (
    0.0,
    1.0,
    0.5,
    5e-324,
    1e-320,
    1e-308,
    1e-300,
    1e-100,
    1e-16,
    1.0 - 2.0**-53,
    1.0 - 1e-9,
    0.25,
)
LOSSES = (0.0, math.inf, 5e-324, 1e-300, 1e-16, 1e-8, 1.0, 700.0, 710.0, 1e5, 1e300)


def spread(rng: Random, low: float, high: float) -> float:
    """Evenly over orders of magnitude; now and then a round number."""
    value = math.exp(rng.uniform(math.log(low), math.log(high)))
    value = float(f"{value:.2g}") if rng.random() < 0.2 else value
    return min(max(value, low), high)


def chance(rng: Random) -> float:
    """A probability."""
    kind = rng.random()
    if kind < 0.35:
        return rng.random()
    if kind < 0.65:
        return spread(rng, 1e-12, 1.0)
    if kind < 0.8:
        return spread(rng, 1e-300, 1.0)
    if kind < 0.9:
        return 1.0 - spread(rng, 1e-15, 0.5)
    return rng.choice(CHANCES)


def loss(rng: Random, size: float = 1.0, most: float = math.inf) -> float:
    """A loss in nats, of about a size; sometimes one around `most`."""
    kind = rng.random()
    if kind < 0.5:
        return rng.uniform(0.0, 3.0) * size
    if kind < 0.65:
        return spread(rng, 1e-6, 100.0) * size
    if kind < 0.75:
        return spread(rng, 1e-300, 1e4)
    if kind < 0.9 and math.isfinite(most):
        return _near(rng, most)
    return rng.choice(LOSSES)


def _near(rng: Random, value: float) -> float:
    """The number itself, or one a few or many places of rounding away."""
    steps = rng.choice((0, 0, 1, -1, 2, -2, 8, -8, 1000, -1000))
    for _ in range(min(abs(steps), 8)):
        value = math.nextafter(value, math.inf if steps > 0 else -math.inf)
    if abs(steps) > 8:
        value *= 1.0 + math.copysign(spread(rng, 1e-15, 1e-2), steps)
    return max(value, 0.0)


def losses(rng: Random, number: int, size: float = 1.0, most: float = math.inf) -> list[float]:
    return [loss(rng, size, most) for _ in range(number)]


def chances(rng: Random, number: int, near: Sequence[float] = ()) -> list[float]:
    found = [chance(rng) for _ in range(number)]
    found += [min(_near(rng, value), 1.0) for value in near if rng.random() < 0.3]
    return found


def count(rng: Random, most: float) -> int:
    """A number of runs; small ones more often."""
    return rng.choice((1, 2, 2, 3)) if rng.random() < 0.3 else round(spread(rng, 1, most))


def relation(rng: Random) -> str:
    return rng.choice(RELATIONS)
