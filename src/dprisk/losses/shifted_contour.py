"""How fast means of r^(a + i t) decay, from a line of integration that is off the real axis."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk._numeric.normal import log_ndtr
from dprisk.losses.gaussian_quadrature import ACCURATE, Mixture

COARSE = 2**11  # points to see where anything is
STEP = 0.08  # nats by which the integrand changes on a cell
MOST_CELLS = 2**17  # cells
USUAL = 2.0 ** np.arange(-2.0, 5.0)  # shifts, over what suits a normal loss
PARTS = 2.0 ** np.arange(-5.0, 1.0)  # and over the largest
OUTSIDE = 1e-22  # share of what no cell has
USEFUL_EXPONENT = 50.0  # nats: what is e^50 times too large is of no use, however it goes on
LARGEST_EXPONENT = 600.0  # nats: times any share, more than one


@final
@dataclass(frozen=True, eq=False)
class Shifted:
    """Cells with their shares of F(a)."""

    mixture: Mixture
    a: float
    shares: Floats
    off: Floats
    shifted: Floats
    plain: Floats
    at_cut: float
    beyond_cut: float

    @classmethod
    def of(cls, mixture: Mixture, a: float, base: float, ends: tuple[float, float]) -> Shifted:
        """Cells between two ends, the midpoint rule on each; `base` is log F(a)."""
        coarse = np.linspace(*ends, COARSE)
        logs, steep = mixture.log_density(coarse, a), mixture.steepness(coarse, a)
        seen = np.flatnonzero(logs > logs.max() - ACCURATE)
        start, stop = coarse[max(seen[0] - 1, 0)], coarse[min(seen[-1] + 1, COARSE - 1)]
        count = int(min((stop - start) * steep[seen].max() / STEP, MOST_CELLS)) + 1
        edges, width = np.linspace(start, stop, count + 1), (stop - start) / count
        logs = mixture.log_density((edges[1:] + edges[:-1]) / 2.0, a)
        steep = mixture.steepness(edges, a) * width
        steep = 2.0 * np.maximum(steep[1:], steep[:-1])
        bend = steep**2 + width**2 * (1.0 + abs(a) * mixture.mu**2 / 4.0)
        off = bend / 12.0 * np.exp(np.minimum(steep, USEFUL_EXPONENT))
        last = float(mixture.log_density(np.array(ends[1]), a)) - base
        at_cut = math.exp(min(last, USEFUL_EXPONENT))
        beyond = a * mixture.log_ratio(np.array(ends[1])) + log_ndtr(-ends[1]) - base
        beyond_cut = math.exp(min(float(beyond), USEFUL_EXPONENT))
        shares = np.exp(np.minimum(logs - base, USEFUL_EXPONENT)) * width
        return cls(mixture, a, shares, off, *mixture.shares(edges), at_cut, beyond_cut)

    def decay(self, t: float) -> float:
        """Some d with abs(F(a + i t')) <= e^-d F(a) for all t' >= t."""
        mu, middle = self.mixture.mu, (self.shifted[1:] + self.shifted[:-1]) / 2.0
        usual = t * mu * float((self.shares * middle).sum())
        most = math.pi / (2.0 * mu)
        shifts = np.minimum(np.concatenate([usual * USUAL, most * PARTS]), most)
        return max(self._moved(t, b) for b in np.unique(shifts).tolist())

    def _moved(self, t: float, b: float) -> float:
        """The decay with the line moved by b."""
        if b * b / 2.0 > USEFUL_EXPONENT:
            return 0.0
        angle, shifted, plain = self.mixture.mu * b, self.shifted, self.plain
        sine, cosine = math.sin(angle), math.cos(angle)
        bend = 2.0 * shifted * plain
        if self.a >= 0.0:
            bend = np.minimum(bend[1:], bend[:-1])
        else:
            across = (shifted[:-1] < 0.5) & (shifted[1:] > 0.5)
            bend = np.where(across, 0.5, np.maximum(bend[1:], bend[:-1]))
        size = self.a / 2.0 * np.log1p(-bend * 2.0 * math.sin(angle / 2.0) ** 2)
        turned = np.arctan2(shifted[:-1] * sine, plain[:-1] + shifted[:-1] * cosine)
        exponent = np.minimum(b * b / 2.0 + size - t * turned, LARGEST_EXPONENT)
        beyond = math.exp(min(b * b / 2.0 + self._outside(angle), LARGEST_EXPONENT))
        beyond *= OUTSIDE + self.at_cut * self._way_back(t, b)
        change = np.expm1(exponent)
        near = float((self.shares * (change + self.off * np.abs(change))).sum()) + beyond
        if near > -0.5:
            return max(-math.log1p(near), 0.0)
        turning = float((self.shares * (1.0 + self.off) * np.exp(exponent)).sum())
        return max(-math.log(turning + beyond + self.beyond_cut), 0.0)

    def _outside(self, angle: float) -> float:
        """log of how much larger abs(r)^a is where there are no cells than on the real axis."""
        if self.a >= 0.0:
            return 0.0
        low, high = float(self.shifted[0]), float(self.shifted[-1])
        bend = max(
            0.5 if low > 0.5 else 2.0 * low * float(self.plain[0]),
            0.5 if high < 0.5 else 2.0 * high * float(self.plain[-1]),
        )
        return self.a / 2.0 * math.log1p(-bend * 2.0 * math.sin(angle / 2.0) ** 2)

    def _way_back(self, t: float, b: float) -> float:
        """Integral over [0, b] of e^(-t arg r) at the cut: arg r is above a chord or a tangent."""
        angle, shifted, plain = self.mixture.mu * b, float(self.shifted[-1]), float(self.plain[-1])
        last = math.atan2(shifted * math.sin(angle), plain + shifted * math.cos(angle))
        turns = t * min(last, angle * shifted)
        return b * (-math.expm1(-turns) / turns) if turns > 1e-3 else b
