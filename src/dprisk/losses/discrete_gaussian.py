"""The loss between two discrete Gaussian distributions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.losses.base import ULP, Complexes, Lattice, Loss
from dprisk.losses.laplace import log_one_plus

INTEGERS_BELOW = 0.45  # width: there the sum over the integers is the shorter one
TERMS = 7  # of either sum, in each direction
UNSEEN = -60.0  # logarithm of what does not count beside one
REACH = 9.0  # standard deviations: e^(-40) is left out
WIDE_NOISE = 2.0  # from there on e^(-pi^2 sigma^2) is below rounding
NARROW_NOISE = 0.02  # width below which nothing is said about decay


@final
@dataclass(frozen=True)
class DiscreteGaussianLoss(Loss):
    """Z = (2 D k + D^2) / (2 sigma^2), where P[k] is proportional to e^(-k^2 / (2 sigma^2)).

    Over the integers k, with T(x) the sum of e^(-(k - x)^2 / (2 sigma^2)), a function of period 1,

        M(s) = e^(rate s (s + 1)) T(D s) / T(0),    rate = D^2 / (2 sigma^2),

    and by Poisson's summation T(x) is proportional to the sum of e^(-2 pi^2 sigma^2 m^2 + 2 pi i m
    x) over the integers m. D is `sensitivity`.
    """

    sigma: float
    sensitivity: int

    @property
    def support(self) -> tuple[float, float]:
        """The whole line."""
        return (-np.inf, np.inf)

    @property
    def lattice(self) -> Lattice | None:
        """Steps of D / sigma^2 from rate."""
        return Lattice(self.rate, self.sensitivity / self.sigma**2)

    @property
    def period(self) -> float:
        """Period of abs(M) along the imaginary axis."""
        return 2.0 * np.pi * self.sigma**2 / self.sensitivity

    @property
    def rate(self) -> float:
        """Rate of decay: log M(theta + i t) falls as rate t^2 until a quarter of the period."""
        return (self.sensitivity / self.sigma) ** 2 / 2.0

    @cached_property
    def slack(self) -> float:
        """abs(M(theta + i t)) <= M(theta) e^(slack - rate r^2) for all theta and t.

        r is the distance of t to the multiples of the period, at most a quarter of it.
        """
        if self.sigma < NARROW_NOISE:
            return np.inf
        if self.sigma >= WIDE_NOISE:
            # log-sums of a few terms, all but one next to nothing: rounded to an ulp or two each
            return 32.0 * ULP
        y = np.pi / 2.0
        level = float(self._log_wrapped(np.asarray(y))) + (self.sigma * y) ** 2 / 2.0
        even = self._log_even(0.5)
        # three log-sums, each rounded to a few ulps of 1 and of itself
        return level - even + 16.0 * ULP * (1.0 + abs(even))

    def log_moment(self, s: Complexes) -> Complexes:
        """rate s (s + 1) + log(T(D s) / T(0)), at the place in the first period."""
        s, turn = self._reduced(s)
        outside, weights, angles = self._parts(s)
        away = np.zeros_like(angles)
        seen = weights[0] + np.abs(angles.real) > UNSEEN
        if seen.any():
            n, most = np.arange(1.0, TERMS), float(np.abs(angles.real).max())
            count = max(1, int((weights + n * most > UNSEEN).sum()))  # weights fall as n^2
            paired = _paired(weights[:count], angles[seen, None] * n[:count])
            away[seen] = paired / _total(weights)
        near = np.abs(away) < 0.5
        if near.all():
            return np.asarray(outside + log_one_plus(away) + 1j * turn)
        total = 1.0 + away
        total = np.where(np.abs(total) < ULP, ULP, total)  # so that the logarithm is finite
        inside = np.where(near, log_one_plus(np.where(near, away, 0.0)), np.log(total))
        return np.asarray(outside + inside + 1j * turn)

    def measured(self, s: Complexes) -> tuple[Complexes, Floats]:
        """A few roundings of each part, and how much smaller T is than its terms."""
        log_moment, size = self.log_moment(s), np.abs(s)
        known = size * (2.0 * size + 1.0) * self.rate
        inner = self._reduced(s)[0]
        if self.sigma < INTEGERS_BELOW:
            most = self.log_moment(inner.real.astype(np.complex128)).real
            share = size * self.sensitivity / self.sigma**2
        else:
            y = np.minimum(np.abs(inner.imag) * (self.sensitivity / self.sigma**2), np.pi)
            most = self.rate * inner.real * (inner.real + 1.0) + self._log_wrapped(y)
            second = np.minimum(1.0, 3.0 * np.exp(-2.0 * np.pi * self.sigma**2 * (np.pi - y)))
            share = 2.0 * np.pi * self.sensitivity * size * second
        lost = np.exp(np.clip(most - log_moment.real, 0.0, 700.0))
        # near s = 0 both parts vanish, and so does T - 1 where its terms are negligible
        first = np.minimum(1.0, size * (size + 1.0) * (self.rate + self.sensitivity**2))
        if self.sigma >= INTEGERS_BELOW:
            rise = 2.0 * np.pi * self.sensitivity * np.abs(inner.imag)
            first = np.where(rise - 2.0 * (np.pi * self.sigma) ** 2 <= UNSEEN, 0.0, first)
        off = np.log1p(8.0 * ULP * lost * (first + share * np.minimum(1.0, first)))
        return log_moment, off + 8.0 * ULP * (known + np.abs(log_moment))

    def decay(self, theta: float, start: float, stop: float) -> float:
        """Decay by T(D theta) and the sum of e^(-sigma^2 (2 pi m - y)^2 / 2), y = D t / sigma^2."""
        first, last = start / self.period, stop / self.period
        if self.sigma < NARROW_NOISE or not np.isfinite(last) or np.floor(last) > np.floor(first):
            return 0.0
        inside = float(np.floor(first))
        y = 2.0 * np.pi * max(min(first - inside, 1.0 + inside - last), 0.0) * (1.0 - 1e-12)
        level = self._log_even(self.sensitivity * theta)
        # log-sums, each rounded to a few ulps of 1 and of itself; of y^2 it is in the 1e-12 above
        off = 16.0 * ULP * (1.0 + abs(level))
        return max(0.0, level - float(self._log_wrapped(np.asarray(y))) - off)

    def lost(self, t: Floats) -> Floats:
        """log(M(theta) / abs(M(theta + i t))) at least, for any theta."""
        away = np.abs(t - self.period * np.rint(t / self.period))
        return np.maximum(self.rate * np.minimum(away, self.period / 4.0) ** 2 - self.slack, 0.0)

    def reverse(self) -> Loss:
        """Itself: reflection exchanges the two."""
        return self

    def _reduced(self, s: Complexes) -> tuple[Complexes, Floats]:
        """The one of s and -1 - s to the right, moved into the first period, and its turn."""
        s = np.asarray(s, dtype=complex)
        if s.size and s.real.min() < -0.5:
            s = np.where(s.real < -0.5, -1.0 - s, s)
        if not s.size or np.abs(s.imag).max() < self.period / 2.0:
            return s, np.zeros(s.shape)
        steps = np.rint(s.imag / self.period)
        turn = np.pi * np.mod(steps * (self.sensitivity % 2), 2.0)
        return s.real + 1j * (s.imag - steps * self.period), np.asarray(turn)

    def _parts(self, s: Complexes) -> tuple[Complexes, Floats, Complexes]:
        """A term outside of the logarithm, and of the sum inside: log weights and a step."""
        n = np.arange(1.0, TERMS)
        if self.sigma >= INTEGERS_BELOW:
            x = self.sensitivity * s
            angles = 2j * np.pi * (x - np.rint(x.real))
            return self.rate * (s * (s + 1.0)), -2.0 * (np.pi * self.sigma * n) ** 2, angles
        variance = self.sigma**2
        centre = np.rint(self.sensitivity * s.real)
        rest = self.sensitivity * s - centre
        outside = s * (self.sensitivity**2 / 2.0 + self.sensitivity * centre) - centre**2 / 2.0
        return outside / variance, -(n**2) / (2.0 * variance), rest / variance

    def _log_even(self, x: float) -> float:
        """log of T(x), as its Poisson sum, which is 1 on average."""
        x = x - float(np.rint(x))
        if self.sigma >= INTEGERS_BELOW:
            m = np.arange(1, TERMS)
            weights = np.exp(-2.0 * (np.pi * self.sigma * m) ** 2)
            return float(np.log1p(2.0 * (weights * np.cos(2.0 * np.pi * m * x)).sum()))
        away = (np.arange(-TERMS, TERMS + 1) - x) ** 2 / (2.0 * self.sigma**2)
        least = float(away.min())
        norm = np.log(self.sigma) + np.log(2.0 * np.pi) / 2.0
        return float(np.log(np.exp(least - away).sum()) - least - norm)

    def _log_wrapped(self, y: Floats) -> Floats:
        """log of the sum of e^(-sigma^2 (2 pi m - y)^2 / 2) over the integers m, y in [0, pi]."""
        reach = int(np.ceil(REACH / (2.0 * np.pi * self.sigma))) + 1
        m = np.arange(-reach, reach + 1)
        exponent = -2.0 * np.pi * self.sigma**2 * m * (np.pi * m - y[..., None])
        return np.asarray(np.log(np.exp(exponent).sum(axis=-1)) - (self.sigma * y) ** 2 / 2.0)


def _total(weights: Floats) -> float:
    return 1.0 + 2.0 * float(np.exp(weights).sum())


def _paired(weights: Floats, z: Complexes) -> Complexes:
    """Sum of e^w (e^z + e^-z - 2), along the last axis; e^z - 2 + e^-z = 4 sinh^2(z / 2)."""
    close = np.abs(z.real) <= 30.0
    if close.all():
        half = np.sinh(z / 2.0)
        return np.asarray((4.0 * np.exp(weights) * half * half).sum(axis=-1))
    half = np.sinh(np.where(close, z, 0.0) / 2.0)
    ends = np.exp(weights + z) + np.exp(weights - z) - 2.0 * np.exp(weights)
    return np.asarray(np.where(close, 4.0 * np.exp(weights) * half * half, ends).sum(axis=-1))
