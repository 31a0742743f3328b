"""The loss between two normal distributions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from dprisk._numeric.logspace import Floats, expit
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import ULP, Complexes, Lattice, Loss


@final
@dataclass(frozen=True)
class NormalLoss(Loss):
    """N(mu, 1) against N(0, 1): Z is normal with mean mu^2 / 2 and variance mu^2."""

    mu: float

    @property
    def support(self) -> tuple[float, float]:
        """The whole line."""
        return (-np.inf, np.inf) if self.mu * self.mu > 0.0 else (0.0, 0.0)

    @property
    def has_density(self) -> bool:
        """The density of a normal distribution."""
        return True

    @property
    def normal_mu(self) -> float | None:
        """Its own."""
        return self.mu

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


@final
@dataclass(frozen=True)
class ResponseLoss(Loss):
    """Z is +-epsilon, its sign right with probability 1 / (1 + e^-epsilon); or infinite.

    It dominates the loss of every (epsilon, delta)-DP mechanism (Kairouz 2015, Theorem 3.3), with
    `revealed` = delta.
    """

    epsilon: float
    revealed: float = 0.0

    @property
    def infinite(self) -> float:
        """Probability of an infinite loss, as stated."""
        return self.revealed

    @property
    def support(self) -> tuple[float, float]:
        """The two values."""
        return (-self.epsilon, self.epsilon)

    @property
    def lattice(self) -> Lattice | None:
        """The two values, if they differ."""
        return Lattice(-self.epsilon, 2.0 * self.epsilon) if self.epsilon else None

    @cached_property
    def points(self) -> AtomicLoss:
        """The same, value by value."""
        share = (1.0 - self.revealed) * expit(np.array([-self.epsilon, self.epsilon]))
        return AtomicLoss.part(
            [-self.epsilon, self.epsilon],
            share,
            self.revealed,
            self.lattice,
            self.revealed,
            share[::-1],
        )

    def log_moment(self, s: Complexes) -> Complexes:
        """log M(s), by the losses as points."""
        return self.points.log_moment(s)

    def measured(self, s: Complexes) -> tuple[Complexes, Floats]:
        """log M(s) and how far it may be off, by the losses as points."""
        return self.points.measured(s)

    def decay(self, theta: float, start: float, stop: float) -> float:
        """None: the two phases come together again and again."""
        return 0.0

    def reverse(self) -> Loss:
        """Itself: the two answers change places."""
        return self
