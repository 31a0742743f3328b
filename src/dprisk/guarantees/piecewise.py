"""Guarantees whose most powerful tests form a polygon: pure, approximate, curves, f-DP."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from dprisk._numeric.envelope import Envelope
from dprisk._numeric.invert import keep
from dprisk._numeric.logspace import Floats
from dprisk._numeric.rounding import up
from dprisk.answer import Answer
from dprisk.guarantees.base import Guarantee, Sides
from dprisk.theorems import Theorem


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
