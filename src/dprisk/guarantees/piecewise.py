"""Guarantees whose most powerful tests form a polygon: pure, approximate, curves, f-DP."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from dprisk._numeric.envelope import Envelope
from dprisk._numeric.invert import keep
from dprisk._numeric.logspace import Floats
from dprisk._numeric.rounding import LEAST_NORMAL, up
from dprisk.answer import Answer
from dprisk.guarantees.base import Guarantee, Sides
from dprisk.losses.base import Loss, LossPair
from dprisk.theorems import Theorem

if TYPE_CHECKING:
    from dprisk.losses.atoms import AtomicLoss

Dominating = tuple[tuple[LossPair, int], ...]

LEAST_LOG_LEVEL = -2000.0  # logarithm of a level: beyond, too many digits of it are gone


def dominated_by(loss: Loss, label: str) -> Dominating:
    """Once a loss that is known, and that no mechanism need have itself."""
    return ((LossPair.known(loss, False, label), 1),)


def response(epsilon: float, delta: float = 0.0) -> Dominating:
    """Randomized response that reveals all with probability delta (Kairouz 2015, Theorem 3.3)."""
    from dprisk.losses.normal import ResponseLoss

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


class PiecewiseLinear(Guarantee):
    """A guarantee that is the same as a set of lines above the power curve."""

    __slots__ = ()

    _sources: ClassVar[Mapping[str, Theorem]]

    @property
    @abstractmethod
    def _envelope(self) -> Envelope:
        """The lines."""

    def _delta(self, epsilon: Floats) -> Answer:
        return Answer(self._envelope.gap(epsilon), "exact", self._sources["delta"])

    def _epsilon(self, delta: Floats) -> Answer:
        gap = self._envelope.gap
        epsilon = keep(self._envelope.gap_slope(delta), lambda e: gap(e) <= delta)
        return Answer(epsilon, "exact", self._sources["delta"])

    def _power(self, level: Floats) -> Answer:
        return Answer(self._envelope.y(level), "exact", self._sources["power"])

    def _level(self, power: Floats) -> Answer:
        return Answer(self._envelope.x(power), "exact", self._sources["power"])

    def _tail(self, epsilon: Floats, sides: Sides, post_processing: bool) -> Answer:
        return Answer(ray_tail(self._envelope, epsilon, sides), "exact", self._sources[sides])

    def _loss_bound(self, failure: Floats, sides: Sides, post_processing: bool) -> Answer:
        return Answer(ray_loss(self._envelope, failure, sides), "exact", self._sources[sides])


def ray_tail(envelope: Envelope, epsilon: Floats, sides: Sides) -> Floats:
    """Most probability of a loss beyond epsilon under a power curve (dprisk Propositions 1, 2)."""
    height = envelope.ray(epsilon)
    return height if sides == "one" else on_both_sides(height, epsilon)


def on_both_sides(height: Floats, epsilon: Floats) -> Floats:
    """(1 + e^-epsilon) times as much, at most 1, at least."""
    both = up(height * (1.0 + np.exp(-epsilon)), (height == 0.0) | np.isinf(epsilon))
    return np.minimum(1.0, both)


def ray_loss(envelope: Envelope, failure: Floats, sides: Sides) -> Floats:
    """Inverse of `ray_tail` in epsilon."""
    return envelope.ray_at_height(failure) if sides == "one" else envelope.ray_at_sum(failure)
