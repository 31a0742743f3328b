"""A loss with finitely many values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import factorial
from typing import Any, final

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats, log
from dprisk.losses.base import ULP, Complexes, Lattice, Loss
from dprisk.losses.near_one import log_one_plus

__all__ = ["PointLoss"]

BLOCK = 2**20  # complex numbers in memory at a time
TERMS = 20  # of the power series: the rest is below 1 / 20!


@final
@dataclass(frozen=True, eq=False)
class PointLoss(Loss):
    """Finitely many losses l with their probabilities p under P and q = p e^-l under Q.

    Made by `PointLoss.of`.

    Parameters
    ----------
    losses : ndarray
        In increasing order, no two the same.
    masses, reverse_masses : ndarray
        Probability of each under P and under Q.
    infinite, reverse_infinite : float
        Probability under P of what is impossible under Q, and the other way round. [0, 1]
    on : Lattice or None
        The lattice of the losses; its origin is the smallest of them.
    """

    losses: Floats
    masses: Floats
    reverse_masses: Floats
    infinite: float = 0.0
    reverse_infinite: float = 0.0
    on: Lattice | None = None

    @classmethod
    def of(
        cls,
        losses: npt.ArrayLike,
        masses: npt.ArrayLike,
        infinite: float = 0.0,
        lattice: Lattice | None = None,
        reverse_infinite: float = 0.0,
        reverse_masses: npt.ArrayLike | None = None,
    ) -> PointLoss:
        """Sorted, equal losses together, none without probability.

        All the probabilities under P, with `infinite`, add up to 1, and so do those under Q with
        `reverse_infinite`.

        Parameters
        ----------
        losses : array_like of float
            The finite losses, in any order. (-inf, inf)
        masses : array_like of float
            Probability of each under P. [0, 1]
        infinite : float
            Probability under P of what is impossible under Q. [0, 1]
        lattice : Lattice, optional
            One that has all the losses, whatever its origin.
        reverse_infinite : float
            Probability under Q of what is impossible under P. [0, 1]
        reverse_masses : array_like of float, optional
            Probability of each under Q, if it is known better than from `masses`. [0, 1]

        Returns
        -------
        PointLoss
            The loss.

        Examples
        --------
        >>> from dprisk.losses import PointLoss
        >>> loss = PointLoss.of([1.0, 0.0], [0.25, 0.5], infinite=0.25, reverse_infinite=0.4)
        >>> loss.support, loss.infinite
        ((0.0, 1.0), 0.25)
        """
        value, p = (np.array(a, dtype=float).ravel() + 0.0 for a in (losses, masses))  # no -0
        if reverse_masses is None:
            q = _tilted(p, -value)
        else:
            q = np.array(reverse_masses, dtype=float).ravel()
        there = (p > 0.0) | (q > 0.0)
        value, where = np.unique(value[there], return_inverse=True)
        p, q = (np.bincount(where.ravel(), a[there], len(value)).astype(float) for a in (p, q))
        for array in (value, p, q):
            array.flags.writeable = False
        on = None if lattice is None or not len(value) else Lattice(float(value[0]), lattice[1])
        return cls(value, p, q, infinite, reverse_infinite, on)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PointLoss) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest loss."""
        return (float(self.losses[0]), float(self.losses[-1])) if len(self.losses) else (0.0, 0.0)

    @property
    def lattice(self) -> Lattice | None:
        """As it was given."""
        return self.on

    def log_moment(self, s: Complexes) -> Complexes:
        """log of the sum of p e^(s l): a power series near s = 0, else around the largest term."""
        s = np.asarray(s, dtype=complex)
        flat = s.ravel()
        answer = np.full(flat.shape, -np.inf, dtype=complex)
        if len(self.losses):
            near = self._is_near(flat)
            answer[near] = self._series(flat[near])
            answer[~near] = self._summed(flat[~near])
        return answer.reshape(s.shape)

    def rounding(self, s: Complexes, log_moment: Complexes) -> Floats:
        """Each term has a few roundings and its phase; the sum may be smaller than its terms."""
        s = np.asarray(s, dtype=complex)
        flat = s.ravel()
        if not len(self.losses):
            return np.zeros(s.shape)
        near = self._is_near(flat)
        answer = np.empty(flat.shape)
        answer[near] = self._rounding_of_series(flat[near])
        answer[~near] = self._rounding_of_sum(flat[~near], log_moment.ravel()[~near])
        return answer.reshape(s.shape)

    def decay(self, theta: float, start: float, stop: float) -> float:
        """None: finitely many phases come together again and again."""
        return 0.0

    def reverse(self) -> Loss:
        """Minus the losses, with the probabilities of the other."""
        return PointLoss.of(
            -self.losses,
            self.reverse_masses,
            self.reverse_infinite,
            self.on,
            self.infinite,
            self.masses,
        )

    @cached_property
    def _key(self) -> tuple[Any, ...]:
        arrays = (self.losses, self.masses, self.reverse_masses)
        return (*(a.tobytes() for a in arrays), self.infinite, self.reverse_infinite, self.on)

    @cached_property
    def _widest(self) -> float:
        """Largest absolute loss; never zero."""
        return max(float(np.abs(self.losses).max(initial=0.0)), float(np.finfo(float).tiny))

    @cached_property
    def _finite(self) -> float:
        """M(0), without cancellation."""
        return 1.0 - self.infinite if self.infinite < 0.5 else float(self.masses.sum())

    @cached_property
    def _log_finite(self) -> float:
        return float(np.log1p(-self.infinite) if self.infinite < 0.5 else log(self._finite))

    @cached_property
    def _coefficients(self) -> Floats:
        """Of M(s) = M(0) + sum of c_n (s widest)^n, n = 0, 1, ...; the first is not used.

        The mean is a sum of p (e^-l - 1 + l) >= 0, since p and p e^-l both add up to one: what
        makes it so small is not left to cancel.
        """
        x = self.losses / self._widest
        powers = [float((self.masses * x**n).sum()) / factorial(n) for n in range(2, TERMS)]
        sure = max(self.infinite, self.reverse_infinite) < 0.5
        excess = _excess(self.losses, self.masses, self.reverse_masses)
        gap = self.reverse_infinite - self.infinite
        mean = excess.sum() + gap if sure else (self.masses * self.losses).sum()
        return np.array([0.0, float(mean) / self._widest, *powers])

    def _is_near(self, s: Complexes) -> Any:
        """Where the power series is taken."""
        return (np.abs(s) * self._widest <= 1.0) & (self._finite > 0.0)

    def _series(self, s: Complexes) -> Complexes:
        """Power series in s widest, at most one."""
        z = s * self._widest
        total = np.zeros_like(z)
        for coefficient in self._coefficients[:0:-1]:
            total = (total + coefficient) * z
        return log_one_plus(total / self._finite) + self._log_finite

    def _rounding_of_series(self, s: Complexes) -> Floats:
        """Each coefficient has a few roundings, and so has M(0)."""
        size = np.abs(s) * self._widest
        first, second = abs(self._coefficients[1]), self._coefficients[2]
        apart = (self.infinite + self.reverse_infinite) / self._widest
        growth = (size * (first + apart) + size * size * second) / self._finite
        known = abs(self._log_finite) if self.infinite < 0.5 else 1.0 + abs(self._log_finite)
        return np.asarray((16.0 + 4.0 * np.log2(len(self.losses))) * ULP * (growth + known))

    def _summed(self, s: Complexes) -> Complexes:
        """Sum of the terms, the largest of them taken out."""
        answer = np.empty_like(s)
        rows = max(1, BLOCK // len(self.losses))
        for theta in np.unique(s.real).tolist():
            centre, away, weights = self._around(theta)
            here, size = np.flatnonzero(s.real == theta), float(weights.sum())
            left = 0.0 if theta >= -0.5 else 1.0
            if size == 0.0:
                answer[here] = -np.inf
                continue
            for start in range(0, len(here), rows):
                block = here[start : start + rows]
                total = _turned(weights, away, s[block].imag)
                faint = np.abs(total) < ULP * size  # so that the logarithm is finite
                total = np.where(faint, ULP * size, total)
                answer[block] = (s[block] + left) * centre + np.log(total)
        return answer

    def _rounding_of_sum(self, s: Complexes, log_moment: Complexes) -> Floats:
        """The phase of each term, and how much smaller the sum is than its terms.

        It is the logarithm of how far the factor M / (M as computed) may be from one.
        """
        answer = np.empty(s.shape)
        for theta in np.unique(s.real).tolist():
            centre, away, weights = self._around(theta)
            here, size = s.real == theta, float(weights.sum())
            if size == 0.0:
                answer[here] = 0.0
                continue
            spread = float((weights * np.abs(away)).sum()) / size
            power = theta if theta >= -0.5 else theta + 1.0
            excess = power * centre + np.log(size) - log_moment[here].real
            lost = np.exp(np.clip(excess, 0.0, 700.0))
            steps = 8.0 + np.log2(len(away)) + 2.0 * np.abs(s[here]) * spread
            outside = np.abs(s[here] * centre) + np.abs(log_moment[here])
            answer[here] = np.log1p(4.0 * ULP * steps * lost) + 4.0 * ULP * outside
        return answer

    def _around(self, theta: float) -> tuple[float, Floats, Floats]:
        """The loss of the largest term, how far the others are from it, and their weights.

        To the left of -1/2 the weights are q e^((theta + 1) ...): there those of Q are the larger.
        """
        right = theta >= -0.5
        masses, power = (self.masses, theta) if right else (self.reverse_masses, theta + 1.0)
        logs = self._logs[0 if right else 1]
        centre = float(self.losses[np.argmax(power * self.losses + logs)])
        away = self.losses - centre
        return centre, away, _tilted(masses, power * away)

    @cached_property
    def _logs(self) -> tuple[Floats, Floats]:
        return log(self.masses), log(self.reverse_masses)


def _turned(weights: Floats, away: Floats, t: Floats) -> Complexes:
    """Sum of w e^(i t x) for each t."""
    if not t.any():
        return np.full(t.shape, weights.sum(), dtype=complex)
    phase = t[:, None] * away
    return np.asarray(np.cos(phase) @ weights + 1j * (np.sin(phase) @ weights))


def _tilted(masses: Floats, exponent: Floats) -> Floats:
    """p e^x, also where e^x alone is too large."""
    half = np.exp(np.clip(exponent / 2.0, -700.0, 700.0))
    return np.asarray(half * masses * half)


def _excess(losses: Floats, masses: Floats, reverse_masses: Floats) -> Floats:
    """p (e^-l - 1 + l), as a power series where it is small."""
    small = np.abs(losses) < 1.0
    x = np.where(small, -losses, 0.0)
    series = np.zeros_like(x)
    for n in range(TERMS, 2, -1):
        series = (series + 1.0) * x / n
    large = reverse_masses - masses + masses * losses
    return np.where(small, masses * (series + 1.0) * x * x / 2.0, large)
