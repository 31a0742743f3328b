"""Where on a vertical line a composed moment generating function is known to be negligible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from dprisk._numeric.logspace import Floats

__all__ = ["Periodic", "is_quiet"]

MOST = 200_000  # intervals to look at


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
    ends = np.append(np.geomspace(start, stop, max(2, int(8 * np.log2(stop / start)))), stop)
    low, high = np.array([start, *ends[1:-1]]), ends[1:]
    period, rate, slack, count = parts.period, parts.rate, parts.slack, parts.count
    seen = 0
    while low.size:
        seen += low.size
        if seen > MOST:
            return False
        away = np.minimum(_distance(low, high, period), period / 4.0)
        decay = (count * np.maximum(rate * away**2 - slack, 0.0)).sum(axis=0) + smooth * low**2
        open_ = decay < need
        low, high = low[open_], high[open_]
        if np.any(high - low < 1e-4 * start):
            return False
        middle = (low + high) / 2.0
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
    return True


def _distance(low: Floats, high: Floats, period: Floats) -> Floats:
    """From the interval [low, high] to the nearest multiple of the period."""
    below = low - period * np.floor(low / period)
    above = period * np.ceil(high / period) - high
    crossed = np.floor(high / period) >= np.ceil(low / period)
    return np.where(crossed, 0.0, np.minimum(below, above))
