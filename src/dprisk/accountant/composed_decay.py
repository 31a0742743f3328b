"""How a product of moment generating functions decays along a vertical line, and returns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import final

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.accountant.loss_sum import Parts
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import Loss
from dprisk.losses.discrete_gaussian import DiscreteGaussianLoss
from dprisk.losses.mgf_decay import MGFDecay, Periodic, noise
from dprisk.losses.normal import NormalLoss

NONE = np.zeros(1)


@final
@dataclass(frozen=True, eq=False)
class ComposedDecay:
    """log(M(theta) / abs(M(theta + i t))) of a sum of independent losses, from below."""

    parts: Parts
    samples: int

    def decay(self, theta: float, start: float) -> float:
        """Some d with abs(M(theta + i t)) <= e^-d M(theta) for all t >= start."""
        return float(sum(n * loss.decay(theta, start, np.inf) for loss, n in self.parts))

    def lost(self, t: Floats) -> Floats:
        """log(M(theta) / abs(M(theta + i t))) at least, by what is quickly told."""
        found = self._steady[0] * t * t
        for loss, count in self.parts:
            if isinstance(loss, DiscreteGaussianLoss):
                found += count * loss.lost(t)
        return np.asarray(found)

    def lost_between(
        self, theta: float, until: float, start: Floats, stop: Floats
    ) -> Floats | None:
        """The same for all t between these, by whatever fades; None if that has no points."""
        periodic = self._fading(theta, until) if self._of_points else None
        if periodic is None:
            return None
        return np.asarray(self._steady[0] * start * start + periodic.decay(start, stop))

    @property
    def fades(self) -> bool:
        """Whether a part decays like a normal moment, at least for a while."""
        lasting = (loss for loss, _ in self.parts if isinstance(loss, DiscreteGaussianLoss))
        rates = [self._steady[0], *(loss.rate for loss in lasting)]
        return max(rates) > 0.0 or bool(self._of_points)

    @property
    def returns(self) -> bool:
        """Whether whatever decays comes back, each part on its lattice or on none."""
        kinds = {type(loss) for loss, _ in self.parts}
        return bool(self._returning or self._of_points) and kinds <= {
            DiscreteGaussianLoss,
            AtomicLoss,
        }

    def loud_at(self, theta: float, start: float, stop: float, need: float) -> float | None:
        """A place in [start, stop] where M may not have lost `need` nats; None if it has in all."""
        normal, others = self._steady
        for loss, count in others:
            need -= count * loss.decay(theta, start, stop)
        if need <= 0 or normal * start**2 >= need:
            return None
        periodic = self._fading(theta, stop) if np.isfinite(stop) else None
        return np.inf if periodic is None else noise(periodic, start, stop, need, normal)

    @cached_property
    def _steady(self) -> tuple[float, list[tuple[Loss, int]]]:
        """Decay of the normal losses over t^2; and the parts that neither fade so nor return."""
        normal = [(loss.mu, n) for loss, n in self.parts if isinstance(loss, NormalLoss)]
        known = NormalLoss | DiscreteGaussianLoss | AtomicLoss
        others = [part for part in self.parts if not isinstance(part[0], known)]
        return sum(n * mu * mu / 2.0 for mu, n in normal), others

    @cached_property
    def _returning(self) -> list[tuple[MGFDecay, float]]:
        return [
            (
                MGFDecay(part.period, part.period / 4.0, (part.rate, 0.0, 0.0), part.slack, NONE),
                count,
            )
            for part, count in self.parts
            if isinstance(part, DiscreteGaussianLoss)
        ]

    @cached_property
    def _of_points(self) -> list[tuple[AtomicLoss, int]]:
        return [(loss, count) for loss, count in self.parts if isinstance(loss, AtomicLoss)]

    def horizon(self, theta: float) -> float:
        """How far along a line all parts can be followed that are points on no lattice."""
        found = [loss.horizon(theta, self.samples) for loss, _ in self._of_points]
        return min(found, default=float("inf"))

    @cached_property
    def _fading(self) -> Callable[[float, float], Periodic | None]:
        """The parts that fade and return on a line, up to some height; made once for each line."""

        @cache
        def made(theta: float, stop: float) -> Periodic | None:
            points = [
                (loss.fading(theta, stop, self.samples), float(count))
                for loss, count in self._of_points
            ]
            parts = [(fading, count) for fading, count in points if fading is not None]
            parts += self._returning
            return Periodic.of(parts) if parts else None

        return lambda theta, stop: made(theta, stop) if self._of_points else made(0.0, 0.0)
