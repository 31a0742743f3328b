"""The loss between two normal distributions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.losses.base import ULP, Complexes, Lattice, Loss


@final
@dataclass(frozen=True)
class NormalLoss(Loss):
    """N(mu, 1) against N(0, 1): Z is normal with mean mu^2 / 2 and variance mu^2.

    Parameters
    ----------
    mu : float
        Distance of the two normals. [0, 1e9]

    Examples
    --------
    >>> from dprisk.losses.normal import NormalLoss
    >>> float(NormalLoss(2.0).log_moment(1.0 + 0j).real)
    4.0
    """

    mu: float

    @property
    def infinite(self) -> float:
        """No output is impossible."""
        return 0.0

    @property
    def support(self) -> tuple[float, float]:
        """The whole line."""
        return (-np.inf, np.inf) if self.mu * self.mu > 0.0 else (0.0, 0.0)

    @property
    def lattice(self) -> Lattice | None:
        """None: the loss is continuous."""
        return None

    def log_moment(self, s: Complexes) -> Complexes:
        """mu^2 s (s + 1) / 2."""
        return (self.mu * self.mu / 2.0) * (s * (s + 1.0))

    def measured(self, s: Complexes) -> tuple[Complexes, Floats]:
        """A few roundings, each relative."""
        size = np.abs(s)
        return self.log_moment(s), 16.0 * ULP * (self.mu * self.mu / 2.0) * size * (size + 1.0)

    def decay(self, theta: float, start: float, stop: float) -> float:
        """mu^2 t^2 / 2."""
        return (self.mu * start) ** 2 / 2.0

    def reverse(self) -> Loss:
        """Itself: reflection exchanges the two normals."""
        return self
