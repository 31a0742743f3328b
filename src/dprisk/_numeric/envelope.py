"""The least of finitely many rising lines on the unit square, kept in logarithms.

A concave, piecewise linear curve ``y(x) = min_j exp(slope_j) x + offset_j``, symmetric under
``(x, y) -> (1 - y, 1 - x)``. Each line alone bounds the curve from above, so an answer read off
any single line errs on the same side as the whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from dprisk._numeric.logspace import Floats, exp_capped, log, log1mexp

__all__ = ["Envelope"]


@final
@dataclass(frozen=True, eq=False, slots=True)
class Envelope:
    """Lines by falling slope (hence rising offset), and the corners between neighbors.

    Parameters
    ----------
    slopes : ndarray
        Natural logarithms of the slopes, strictly falling; the last is -inf (the line y = 1).
    offsets : ndarray
        Values at x = 0, strictly rising to 1.
    log_x, log_y : ndarray
        Corners, one fewer than lines.
    """

    slopes: Floats
    offsets: Floats
    log_x: Floats
    log_y: Floats

    @classmethod
    def of(cls, slopes: Floats, offsets: Floats) -> Envelope:
        """Envelope of the lines, their mirror images and y = 1; redundant lines are dropped."""
        bounded = np.isfinite(slopes)
        slopes, offsets = slopes[bounded], offsets[bounded]
        mirrored = _mirrored(slopes, offsets)
        useful = offsets < 1.0, mirrored < 1.0
        s, b = _hull(
            np.concatenate([slopes[useful[0]], -slopes[useful[1]], [-np.inf]]),
            np.concatenate([offsets[useful[0]], mirrored[useful[1]], [1.0]]),
        )
        log_x = np.log(np.diff(b)) - s[:-1] - log1mexp(s[:-1] - s[1:])
        with np.errstate(divide="ignore"):
            log_y = np.logaddexp(s[:-1] + log_x, np.log(b[:-1]))
        log_y[-1:] = 0.0  # the ceiling
        return cls(s, b, np.minimum(log_x, 0.0), np.minimum(log_y, 0.0))

    def y(self, x: Floats) -> Floats:
        """Height of the curve over x in [0, 1]."""
        j = np.searchsorted(self.log_x, log(x))
        return np.minimum(1.0, exp_capped(self.slopes[j] + log(x)) + self.offsets[j])

    def x(self, y: Floats) -> Floats:
        """Least x at which the curve reaches y in [0, 1]."""
        j = np.searchsorted(self.log_y, log(y))
        j = np.minimum(j, max(len(self.slopes) - 2, 0))
        rise = np.maximum(y - self.offsets[j], 0.0)
        return exp_capped(log(rise) - np.where(rise > 0, self.slopes[j], 0.0))

    def gap(self, log_slope: Floats) -> Floats:
        """Largest ``y(x) - exp(log_slope) x``, for log_slope >= 0."""
        if len(self.slopes) == 1:  # nothing but y = 1
            return np.ones_like(log_slope)
        rising_slopes, falling_offsets = self.slopes[::-1], self.offsets[::-1]
        above = np.searchsorted(rising_slopes, log_slope)  # first line at least as steep
        last = len(rising_slopes) - 1
        high = np.minimum(above, last)
        low = high - 1
        steepest = rising_slopes[high]
        whole = np.expm1(rising_slopes[low] - steepest)
        weight = np.expm1(np.minimum(log_slope, steepest) - steepest) / whole
        mixed = falling_offsets[high] + weight * (falling_offsets[low] - falling_offsets[high])
        return np.asarray(np.where(above > last, falling_offsets[last], mixed))

    def gap_slope(self, gap: Floats) -> Floats:
        """Least log_slope >= 0 with ``gap(log_slope) <= gap``; inf where there is none."""
        if len(self.slopes) == 1:
            return np.where(gap >= 1.0, 0.0, np.inf)
        j = np.searchsorted(self.offsets, gap, side="right") - 1  # steepest line that is enough
        j = np.clip(j, 0, len(self.offsets) - 2)
        share = np.maximum(gap - self.offsets[j], 0.0) / (self.offsets[j + 1] - self.offsets[j])
        with np.errstate(divide="ignore"):
            slope = self.slopes[j] + np.log1p(share * np.expm1(self.slopes[j + 1] - self.slopes[j]))
        return np.where(gap >= self.offsets[0], np.maximum(slope, 0.0), np.inf)

    def ray(self, log_slope: Floats) -> Floats:
        """Height at which the ray ``y = exp(log_slope) x`` leaves the curve, for log_slope >= 0."""
        crossed = np.searchsorted(self.log_x - self.log_y, -log_slope)
        gentler = np.searchsorted(-self.slopes, -log_slope, side="right")
        j = np.minimum(np.maximum(crossed, gentler), len(self.slopes) - 1)
        height = self.offsets[j] / -np.expm1(self.slopes[j] - log_slope)
        nothing = (self.offsets[0] == 0.0) & (log_slope >= self.slopes[0])
        return np.where(nothing, 0.0, np.minimum(height, 1.0))

    def ray_at_height(self, height: Floats) -> Floats:
        """Log-slope of the ray that leaves the curve at y = height; inf where none does."""
        j = np.minimum(np.searchsorted(self.log_y, log(height)), max(len(self.slopes) - 2, 0))
        b = self.offsets[j]
        share = np.divide(b, height, out=np.zeros_like(height), where=(b > 0) & (height > b))
        return self._slope_or_inf(self.slopes[j] - np.log1p(-share), b, height)

    def ray_at_sum(self, total: Floats) -> Floats:
        """Log-slope of the ray that leaves the curve where x + y = total <= 1; inf where none."""
        upper_half = max(int(np.sum(self.slopes >= 0)) - 1, 0)
        j = np.searchsorted(np.logaddexp(self.log_x, self.log_y), log(total))
        j = np.minimum(j, upper_half)
        b = self.offsets[j]
        extra = np.zeros_like(total)
        np.divide(b, total - b, out=extra, where=(b > 0) & (total > b))
        widened = np.log1p(extra * (1.0 + np.exp(-np.maximum(self.slopes[j], 0.0))))
        return self._slope_or_inf(self.slopes[j] + widened, b, total)

    def twice(self) -> tuple[Floats, Floats]:
        """Log-slopes, at least 0, and offsets of the lines that the curve of the curve touches.

        Each pair of lines, one after the other, bounds it from above. Those that touch it follow
        one another like the corners of both, by the height between the two; the rest are their
        mirror images.
        """
        turns = np.concatenate([self.log_x, self.log_y])
        pairs = [
            np.stack([np.searchsorted(at, turns, side=side) for at in (self.log_y, self.log_x)])
            for side in ("left", "right")
        ]
        first, second = np.unique(np.concatenate(pairs, axis=1), axis=1)
        slopes = self.slopes[first] + self.slopes[second]
        rising = slopes >= 0.0
        slopes, first, second = slopes[rising], first[rising], second[rising]
        begun = exp_capped(self.slopes[second] + log(self.offsets[first]))
        return slopes, (begun + self.offsets[second]) * (1.0 + 8.0 * np.finfo(float).eps)

    @staticmethod
    def _slope_or_inf(slope: Floats, offset: Floats, reached: Floats) -> Floats:
        exists = (offset == 0.0) | (reached > offset)
        return np.where(exists, np.maximum(slope, 0.0), np.inf)


def _mirrored(slopes: Floats, offsets: Floats) -> Floats:
    """Offsets ``1 - exp(-s) (1 - b)`` of the mirror images; what cancellation loses is added."""
    with np.errstate(over="ignore"):
        growth = np.exp(-slopes)
    lost = np.where(slopes < 0, 4 * np.finfo(float).eps * growth, 0.0)
    return np.asarray(np.maximum(-np.expm1(-slopes) + growth * offsets + lost, 0.0))


def _hull(slopes: Floats, offsets: Floats) -> tuple[Floats, Floats]:
    """Lines that touch the envelope, by falling slope: the lower hull of (exp(slope), offset)."""
    order = np.lexsort((offsets, -slopes))
    kept: list[tuple[float, float]] = []
    for s, b in zip(slopes[order].tolist(), offsets[order].tolist(), strict=True):
        if kept and s == kept[-1][0]:
            continue
        while kept and b <= kept[-1][1]:
            kept.pop()
        while len(kept) > 1 and kept[-1][1] >= _between(kept[-2], kept[-1][0], (s, b)):
            kept.pop()
        kept.append((s, b))
    return np.array([s for s, _ in kept]), np.array([b for _, b in kept])


def _between(steep: tuple[float, float], slope: float, gentle: tuple[float, float]) -> float:
    """Offset at `slope` on the chord between two lines, linear in exp(slope)."""
    weight = float(np.expm1(slope - steep[0]) / np.expm1(gentle[0] - steep[0]))
    return steep[1] + weight * (gentle[1] - steep[1])
