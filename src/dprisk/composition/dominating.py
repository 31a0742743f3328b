"""The privacy losses that dominate every mechanism which keeps a promise."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from dprisk._numeric.envelope import Envelope
from dprisk.guarantees.approximate import ApproxDP, ApproxDPCurve
from dprisk.guarantees.base import Guarantee
from dprisk.guarantees.gaussian import GaussianDP
from dprisk.guarantees.loss import PrivacyLoss
from dprisk.guarantees.piecewise import PiecewiseLinear
from dprisk.guarantees.probabilistic import ProbabilisticDP
from dprisk.guarantees.pure import PureDP
from dprisk.losses.base import LossPair

if TYPE_CHECKING:
    from dprisk.losses.points import PointLoss

__all__ = ["STATED", "dominating"]

STATED = (PureDP, ApproxDP, ProbabilisticDP)
LEAST = -2000.0  # logarithm of a level: beyond, too many digits of it are gone
TINY = float(np.finfo(float).tiny)
CHANCES = np.concatenate([np.geomspace(1e-300, 1e-20, 100), np.geomspace(1e-20, 0.999, 400)])


def dominating(part: Guarantee) -> tuple[tuple[tuple[LossPair, int], ...], str]:
    """Losses that dominate all mechanisms that keep a promise, and what that gave away.

    Returns
    -------
    pairs, note : tuple of (LossPair, int), str
        The note is empty where some mechanism that keeps the promise has just these losses.
    """
    from dprisk.losses.normal import NormalLoss
    from dprisk.losses.response import ResponseLoss

    if isinstance(part, STATED):
        epsilon, delta = part.stated_epsilon, getattr(part, "stated_delta", 0.0)
        label = f"epsilon {epsilon:g}" + (f", delta {delta:g}" if delta else "")
        loss = ResponseLoss(epsilon, delta) if math.isfinite(epsilon) else ResponseLoss(0.0, 1.0)
        read = isinstance(part, ProbabilisticDP)
        note = "read as approximate DP with the same numbers (P0 Theorem 2.5)" if read else ""
        return _one(LossPair.known(loss, False, label)), note
    if isinstance(part, PrivacyLoss):
        return part.pairs, ""
    if isinstance(part, GaussianDP):
        return _one(LossPair.known(NormalLoss(part.mu), False, f"mu {part.mu:g}")), ""
    if isinstance(part, PiecewiseLinear):
        return _one(LossPair.known(_polygon(part._envelope), False, part.definition)), ""
    return _by_profile(part)


@lru_cache(maxsize=64)
def _by_profile(part: Guarantee) -> tuple[tuple[tuple[LossPair, int], ...], str]:
    found = np.asarray(part.epsilon(CHANCES).value)
    curve = np.concatenate([[0.0], found[np.isfinite(found)]])
    sampled = ApproxDPCurve(curve, part.delta(curve).value, neighbors=part.neighbors)
    pair = LossPair.known(_polygon(sampled._envelope), False, part.definition)
    return _one(pair), f"read by {len(curve)} points of its privacy profile"


def _one(pair: LossPair) -> tuple[tuple[LossPair, int], ...]:
    return ((pair, 1),)


def _polygon(envelope: Envelope) -> PointLoss:
    """The pair of distributions whose most powerful tests form the polygon: its own reverse.

    Levels too small for floats are rounded upwards. Where even their logarithms lose digits, the
    line beyond goes on to level 0: what it gains there is revealed.
    """
    from dprisk.losses.points import PointLoss

    log_x = envelope.log_x[: len(envelope.steep)]
    first = int(np.searchsorted(log_x, LEAST))
    log_x, steep = log_x[first:], envelope.steep[first:]
    if not len(log_x):
        return PointLoss.of([], [], infinite=1.0, reverse_infinite=1.0)
    before = np.concatenate([[-np.inf], log_x[:-1]])
    share = -np.expm1(np.minimum(before - log_x, 0.0))
    kept = share > 0.0  # two lines of one slope meet nowhere
    steep, log_x, share = steep[kept], log_x[kept], share[kept]
    level, turned = np.exp(log_x) * share, steep > 0.0
    far = level < TINY
    with np.errstate(divide="ignore"):
        log_level = np.where(far, log_x + np.log(share), np.log(level))
    power = np.where(turned, np.exp(steep + log_level), level)
    level = np.where(far, TINY, level)
    revealed = float(envelope.offsets[first])
    return PointLoss.of(
        np.concatenate([steep, -steep[turned]]),
        np.concatenate([power, level[turned]]),
        infinite=revealed,
        reverse_infinite=revealed,
        reverse_masses=np.concatenate([level, power[turned]]),
    )
