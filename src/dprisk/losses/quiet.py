"""Where on a vertical line a composed moment generating function is known to be negligible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats

__all__ = ["Periodic", "is_quiet"]

MOST = 200_000  # intervals to look at
FEW = 8
PROBES = 64


@final
@dataclass(frozen=True, eq=False)
class Periodic:
    """abs(M) <= M(theta) e^-d with d = count (rate distance^2 - slack), in columns.

    The distance is that of t to the nearest multiple of the period; up to a quarter of it counts.
    """

    period: Floats
    rate: Floats
    slack: Floats
    count: Floats

    def some(self, chosen: npt.NDArray[np.intp]) -> Periodic:
        """A few of them."""
        columns = (self.period, self.rate, self.slack, self.count)
        return Periodic(*(each[chosen] for each in columns))

    def decay(self, low: Floats, high: Floats) -> Floats:
        """Sum of d, at least, on the intervals [low, high]."""
        away = np.minimum(_distance(low, high, self.period), self.period / 4.0)
        return np.asarray(
            (self.count * np.maximum(self.rate * away**2 - self.slack, 0.0)).sum(axis=0)
        )


def is_quiet(parts: Periodic, start: float, stop: float, need: float, smooth: float = 0.0) -> bool:
    """Whether the decays add up to `need` everywhere in [start, stop].

    Parameters
    ----------
    parts : Periodic
        What decays and returns.
    start, stop : float
        Positive.
    need : float
        Sum of the decays that is asked for.
    smooth : float
        Decay that comes on top: smooth t^2.
    """
    if stop <= start:
        return True
    first = np.geomspace(start, min(stop, 2.0 * start), PROBES)  # where it fails, mostly
    if np.any(parts.decay(first, first) + smooth * first**2 < need):
        return False
    ends = np.append(np.geomspace(start, stop, max(2, int(8 * np.log2(stop / start)))), stop)
    low, high = np.array([start, *ends[1:-1]]), ends[1:]
    order = np.argsort(-parts.period[:, 0])  # the longest first: they mostly are enough
    few, rest = parts.some(order[:FEW]), parts.some(order[FEW:])
    seen = 0
    while low.size:
        seen += low.size
        if seen > MOST:
            return False
        lost = need - smooth * low**2
        for some in (few, rest):
            lost = lost - some.decay(low, high)
            low, high, lost = (each[lost > 0.0] for each in (low, high, lost))
        if np.any(high - low < 1e-4 * start):
            return False
        middle = (low + high) / 2.0
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
    return True


def _distance(low: Floats, high: Floats, period: Floats) -> Floats:
    """From the interval [low, high] to the nearest multiple of the period, if outside of it."""
    middle = (low + high) / 2.0
    away = middle - period * np.rint(middle / period)
    return np.asarray(np.maximum(np.abs(away) - (high - low) / 2.0, 0.0))
