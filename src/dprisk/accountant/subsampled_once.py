"""A normal distribution that is shifted with a small probability, once: closed forms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from dprisk._numeric.logspace import Floats, log
from dprisk._numeric.normal import gap, ndtr
from dprisk.accountant.base import ComposedLoss, Parts
from dprisk.accountant.bracket import Bracket
from dprisk.accountant.from_profile import enclosed
from dprisk.losses.base import ULP
from dprisk.losses.subsampled_normal import SubsampledNormalLoss
from dprisk.theorems import CUT_LOSS, Theorem

UNDERFLOW = 8 * 5e-324  # eight roundings of what is hardly a float
ROUNDING = 5e-14  # of a normal tail, or a difference of two, relatively
LAST_DEVIATION = 40.0  # standard deviations: Phi(-39) is below the smallest float
# of t: a logarithm, expm1 and quotients next to the largest loss: ten roundings at most
NEXT = 16 * ULP
BISECTIONS = 1100  # of a bisection of doubles
EXP_LIMIT = 700.0


@final
@dataclass(frozen=True)
class SubsampledOnce(ComposedLoss):
    """One subsampled normal loss."""

    theorem: ClassVar[Theorem] = CUT_LOSS

    loss: SubsampledNormalLoss

    @property
    def infinite(self) -> float:
        """No output is impossible."""
        return 0.0

    @property
    def support(self) -> tuple[float, float]:
        """On one side -log(1 - q) at most; without an end on the other."""
        # two roundings of the logarithm, one of its argument
        edge = -float(np.log1p(-self.loss.rate)) * (1.0 + 4 * ULP)
        return (-np.inf, edge) if self.loss.added else (-edge, np.inf)

    def delta(self, x: Floats) -> Bracket:
        """In closed form, with its rounding."""
        (low, far), (high, near) = (self._delta(each) for each in self._beside(x))
        low = low * np.maximum(1.0 - ROUNDING * (1.0 + far * far), 0.0) - UNDERFLOW
        high = np.minimum(high * (1.0 + ROUNDING * (1.0 + near * near)) + UNDERFLOW, 1.0)
        high, low = (np.where(x < self.support[1], each, 0.0) for each in (high, low))
        return Bracket(np.maximum(low, 0.0), high)

    def _delta(self, t: Floats) -> tuple[Floats, Floats]:
        """delta, and how many standard deviations out it is a tail."""
        plain, inside = self._plain(t)
        value = self.loss.rate * gap(plain, self.loss.mu)
        if self.loss.added:
            value = value * np.exp(np.minimum(np.where(inside, t, 0.0) - plain, EXP_LIMIT))
        far = np.abs(plain) / self.loss.mu + self.loss.mu
        return np.where(inside, value, 0.0), np.minimum(far, LAST_DEVIATION + 2.0 * self.loss.mu)

    def _plain(self, t: Floats) -> tuple[Floats, np.ndarray]:
        """t', where there is one."""
        rate = self.loss.rate
        with np.errstate(over="ignore", divide="ignore"):
            if self.loss.added:
                share = np.expm1(np.minimum(-t, EXP_LIMIT)) / rate
                left = 1.0 + share
                if rate > 0.5:  # where 1 - rate is exact
                    left = (np.exp(np.minimum(-t, EXP_LIMIT)) - (1.0 - rate)) / rate
                plain = -np.where(
                    share > -0.5, np.log1p(np.maximum(share, -0.5)), log(np.maximum(left, 0.0))
                )
                return np.where(left > 0.0, plain, 0.0), left > 0.0
            share = np.expm1(np.minimum(t, 30.0)) / rate
        inside = share > -1.0
        plain = np.log1p(np.where(inside, np.minimum(share, 1e300), 0.0))
        huge = t - log(np.asarray(rate))
        return np.where((t > 30.0) | (share > 1e300), huge, plain), inside

    def _beside(self, t: Floats) -> tuple[Floats, Floats]:
        """A little further, and not so far: next to the largest loss, t' has few digits of t."""
        near = np.where(np.isfinite(t), np.abs(t), 0.0)
        off = (NEXT if self.loss.added else 0.0) * near
        return t + off, t - off

    def slope(self, x: Floats) -> Floats:
        """Minus e^x times the tail under Q."""
        return -np.exp(np.minimum(x, EXP_LIMIT)) * self._tails(x)[1]

    def epsilon(self, delta: Floats) -> Bracket:
        """By bisection, then checked."""
        some = np.flatnonzero((delta > 0.0) & (delta < 1.0))
        low, high = np.zeros_like(delta), np.zeros_like(delta)
        low[delta == 0.0], high[delta == 0.0] = max(self.largest, 0.0), self.support[1]
        if some.size:
            wanted = delta[some]
            left = np.zeros(wanted.shape)
            right = np.full(wanted.shape, min(self.support[1], self.mean_sd_range()[2]))
            for _ in range(BISECTIONS):
                middle = np.where(left > 0.0, np.sqrt(left) * np.sqrt(right), right / 1024.0)
                close = right < 2.0 * left
                middle = np.where(close, (left + right) / 2.0, middle)
                if not np.any((middle > left) & (middle < right)):
                    break
                above = self._delta(middle)[0] > wanted
                left, right = np.where(above, middle, left), np.where(above, right, middle)
            low[some], high[some] = enclosed(self.delta, left, right, wanted, self.support[1])
        return Bracket(low, high)

    def tail(self, x: Floats, other: bool = False) -> Bracket:
        """In closed form."""
        further, before = self._beside(x)
        low, high = (self._tails(each)[1 if other else 0] for each in (further, before))
        low = low * np.maximum(1.0 - ROUNDING * (1.0 + self._delta(further)[1] ** 2), 0.0)
        high = high * (1.0 + ROUNDING * (1.0 + self._delta(before)[1] ** 2)) + UNDERFLOW
        high = np.where(x < self.support[1], np.minimum(high, 1.0), 0.0)
        return Bracket(np.maximum(low - UNDERFLOW, 0.0), high)

    def _tails(self, t: Floats) -> tuple[Floats, Floats]:
        """Under P and under Q."""
        mu, rate = self.loss.mu, self.loss.rate
        plain, inside = self._plain(t)
        if not self.loss.added:
            x = plain / mu + mu / 2.0
            zero = ndtr(-x)
            return (1.0 - rate) * zero + rate * ndtr(mu - x), zero
        x = mu / 2.0 - plain / mu
        zero = np.where(inside, ndtr(x), 0.0)
        return zero, (1.0 - rate) * zero + rate * np.where(inside, ndtr(x - mu), 0.0)

    def kinks(self, most: int) -> Floats | None:
        """None: it is smooth."""
        return None

    def cheap(self) -> ComposedLoss:
        """Itself."""
        return self

    def mean_sd_range(self) -> tuple[float, float, float]:
        """Those of the mixture of the two normals."""
        mu, rate = self.loss.mu, self.loss.rate
        spread = min(rate * float(np.sqrt(np.expm1(min(mu * mu, EXP_LIMIT)))), mu)
        end = mu * (LAST_DEVIATION + mu / 2.0)
        most = (
            float(np.log1p(rate * np.expm1(end)))
            if end < EXP_LIMIT
            else end + float(log(np.asarray(rate)))
        )
        most = max(most, 1e-300)
        return 0.0, max(spread, 1e-300), min(most, self.support[1])


def as_subsampled_once(parts: Parts) -> SubsampledOnce | None:
    """If that is all there is."""
    loss, count = parts[0]
    if len(parts) == 1 and count == 1 and isinstance(loss, SubsampledNormalLoss):
        return SubsampledOnce(loss)
    return None
