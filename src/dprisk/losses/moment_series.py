"""M(s) of finitely many losses as a power series around s = 0, where it is all but M(0)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from dprisk._numeric.logspace import Floats, log
from dprisk.losses.base import ULP, Complexes
from dprisk.losses.complex_log1p import log_one_plus
from dprisk.losses.exponential_sums import FACTORIALS, TERMS, moments
from dprisk.losses.log_moments import excess

LEAST_SCALE = 1e-290  # losses: smaller ones are measured by this


@final
@dataclass(frozen=True, eq=False)
class MomentSeries:
    """The series of one loss."""

    losses: Floats
    masses: Floats
    reverse_masses: Floats
    infinite: float
    reverse_infinite: float

    def log_moment(self, s: Complexes) -> tuple[Complexes, Floats]:
        """log M(s) within the radius, and its error."""
        z, c = s * self.widest, self._coefficients[:TERMS]
        powers = np.vander(z, TERMS, increasing=True)
        total = np.einsum("kn,n->k", powers.real, c) + 1j * np.einsum("kn,n->k", powers.imag, c)
        near_one: Complexes = np.asarray(log_one_plus(total / self._finite), np.complex128)
        roundings = 16.0 + 4.0 * np.log2(len(self.losses)) + 4.0 * np.arange(TERMS)
        sizes = np.vander(np.abs(z), TERMS, increasing=True)
        off = np.einsum("kn,n->k", sizes, self._sizes[:TERMS] * roundings)
        known = abs(self._log_finite) if self.infinite < 0.5 else 1.0 + abs(self._log_finite)
        # each term has a few roundings, and so has M(0)
        return near_one + self._log_finite, ULP * (2.0 * off + roundings[0] * known)

    @cached_property
    def radius(self) -> float:
        """For abs(s) up to there M is M(0) up to a half, and the power series is all of it."""
        if not self._finite > 0.0:
            return 0.0
        size = 2.0 ** np.arange(-8.0, 4.5, 0.25)
        powers = np.vander(size, TERMS + 1, increasing=True)
        rest = powers[:, -1] * self._sizes[-1] * np.exp(size)
        # no rounding: what the series leaves out is far below an ulp
        good = (np.einsum("kn,n->k", powers, self._sizes) <= 0.5) & (
            rest <= 0.01 * ULP * powers[:, 2] * self._sizes[2]
        )
        return float(size[good].max(initial=0.0)) / self.widest

    @cached_property
    def widest(self) -> float:
        """Largest absolute loss; at least LEAST_SCALE, by which a probability can be divided."""
        return max(float(np.abs(self.losses).max(initial=0.0)), LEAST_SCALE)

    @cached_property
    def _finite(self) -> float:
        """M(0), without cancellation."""
        return 1.0 - self.infinite if self.infinite < 0.5 else float(self.masses.sum())

    @cached_property
    def _log_finite(self) -> float:
        return float(np.log1p(-self.infinite) if self.infinite < 0.5 else log(self._finite))

    @cached_property
    def _coefficients(self) -> Floats:
        """Of M(s) = M(0) + sum of c_n (s widest)^n, n = 0, 1, ...; the first is not used."""
        found = moments([self.masses], self.losses / self.widest)[0] / FACTORIALS
        sure = max(self.infinite, self.reverse_infinite) < 0.5
        parts = excess(self.losses, self.masses, self.reverse_masses)
        gap = self.reverse_infinite - self.infinite
        mean = parts.sum() + gap if sure else (self.masses * self.losses).sum()
        found[0], found[1] = 0.0, float(mean) / self.widest if self.losses.any() else 0.0
        return np.asarray(found)

    @cached_property
    def _sizes(self) -> Floats:
        """What each c_n / M(0) is made of: absolute moments, odd ones by their neighbors."""
        sizes = np.abs(self._coefficients) / self._finite
        n = np.arange(3, TERMS, 2)
        sizes[n] = np.sqrt(sizes[n - 1] * sizes[n + 1] * (n + 1.0) / n)
        if not self.losses.any():
            return sizes  # M is M(0), and no mean is to be found
        apart = self.infinite + self.reverse_infinite
        if max(self.infinite, self.reverse_infinite) >= 0.5:
            apart += float((self.masses * np.abs(self.losses)).sum())
        sizes[1] += apart / (self.widest * self._finite)
        return sizes
