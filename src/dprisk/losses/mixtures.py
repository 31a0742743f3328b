"""Mixtures (1 - rate) Q + rate R against Q, on a lattice: what subsampling makes of a pair."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import EXP_LIMIT, Floats, log
from dprisk.losses.base import LossPair

SHARE = 128.0  # lattice points for each standard deviation of the loss
MOST_POINTS = 2.0**17
STRONG = 12.0  # so far apart, most of the loss is next to its end


def mixed(rate: float, loss: npt.ArrayLike) -> Floats:
    """log(1 - rate + rate e^loss), without overflow, and accurate where it is small."""
    a = np.asarray(loss, dtype=float)
    moved = rate * np.expm1(np.minimum(a, EXP_LIMIT))
    near = np.log1p(np.maximum(moved, -0.5))
    apart = (moved < -0.5) | (a > EXP_LIMIT)
    return np.asarray(np.where(apart, np.logaddexp(log(1.0 - rate), log(rate) + a), near))


def spacing_for(deviation: float, reach: float) -> float:
    """A power of two: a share of the deviation of a loss, and not too many points up to `reach`."""
    wanted = max(deviation / SHARE, reach / MOST_POINTS, 2e-9)
    return min(2.0 ** math.floor(math.log2(wanted)), 0.25)


def shifted_spacing(mu: float, rate: float, negligible: float = 1e-40) -> float:
    """A spacing that suits the loss of (1 - rate) N(0, 1) + rate N(mu, 1) against N(0, 1)."""
    deviation = min(rate * math.sqrt(math.expm1(min(mu * mu, 50.0))), mu)
    return spacing_for(deviation, _reach(mu, rate, negligible))


def shifted_points(mu: float, rate: float, negligible: float = 1e-40) -> float:
    """How many points that lattice has above zero."""
    return _reach(mu, rate, negligible) / shifted_spacing(mu, rate, negligible)


def _reach(mu: float, rate: float, negligible: float) -> float:
    """The loss beyond which only so much probability is."""
    tail = math.sqrt(-2.0 * math.log(negligible))
    return float(mixed(rate, mu * (mu / 2.0 + tail)))


@cache
def shifted_on_lattice(
    mu: float, rate: float, finer: float = 1.0, negligible: float = 1e-40
) -> LossPair:
    """Losses around that of (1 - rate) N(0, 1) + rate N(mu, 1) against N(0, 1)."""
    from dprisk.losses.discretize.density import between

    def log_q(x: Floats) -> Floats:
        return np.asarray(-x * x / 2.0 - math.log(2.0 * math.pi) / 2.0)

    def loss(x: Floats) -> Floats:
        return mixed(rate, mu * (x - mu / 2.0))

    def log_p(x: Floats) -> Floats:
        return np.logaddexp(math.log1p(-rate) + log_q(x), math.log(rate) + log_q(x - mu))

    return between(
        log_p,
        log_q,
        [-np.inf, mu / 2.0, np.inf],
        spacing=shifted_spacing(mu, rate, negligible) / finer,
        loss=loss,
        origin=math.log1p(-rate) if mu > STRONG else 0.0,
        negligible=negligible,
    )
