"""Privacy losses that dominate every mechanism that keeps a promise, by formula."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from dprisk._numeric.envelope import Envelope
from dprisk.losses.base import Loss, LossPair

if TYPE_CHECKING:
    from dprisk.losses.atoms import AtomicLoss


Dominating = tuple[tuple[LossPair, int], ...]

LEAST_LOG_LEVEL = -2000.0  # logarithm of a level: beyond, too many digits of it are gone
LEAST_NORMAL = float(np.finfo(float).tiny)


def dominated_by(loss: Loss, label: str) -> Dominating:
    """Once a loss that is known, and that no mechanism need have itself."""
    return ((LossPair.known(loss, False, label), 1),)


def response(epsilon: float, delta: float = 0.0) -> Dominating:
    """Randomized response that reveals all with probability delta (Kairouz 2015, Theorem 3.3)."""
    from dprisk.losses.response import ResponseLoss

    label = f"(ε = {epsilon:g}" + (f", δ = {delta:g})" if delta else ")")
    loss = ResponseLoss(epsilon, delta) if math.isfinite(epsilon) else ResponseLoss(0.0, 1.0)
    return dominated_by(loss, label)


def polygon_loss(envelope: Envelope) -> AtomicLoss:
    """The pair of distributions whose most powerful tests form the polygon: its own reverse."""
    from dprisk.losses.atoms import AtomicLoss

    log_x = envelope.log_x[: len(envelope.steep)]
    first = int(np.searchsorted(log_x, LEAST_LOG_LEVEL))
    log_x, steep = log_x[first:], envelope.steep[first:]
    if not len(log_x):
        return AtomicLoss.of([], [], infinite=1.0, reverse_infinite=1.0)
    before = np.concatenate([[-np.inf], log_x[:-1]])
    share = -np.expm1(np.minimum(before - log_x, 0.0))
    kept = share > 0.0  # two lines of one slope meet nowhere
    steep, log_x, share = steep[kept], log_x[kept], share[kept]
    level, turned = np.exp(log_x) * share, steep > 0.0
    far = level < LEAST_NORMAL
    with np.errstate(divide="ignore"):
        log_level = np.where(far, log_x + np.log(share), np.log(level))
    power = np.where(turned, np.exp(steep + log_level), level)
    level = np.where(far, LEAST_NORMAL, level)
    revealed = float(envelope.offsets[first])
    return AtomicLoss.of(
        np.concatenate([steep, -steep[turned]]),
        np.concatenate([power, level[turned]]),
        infinite=revealed,
        reverse_infinite=revealed,
        reverse_masses=np.concatenate([level, power[turned]]),
    )
