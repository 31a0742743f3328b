"""The least of finitely many rising lines on the unit square, and of their mirror images."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, final

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats, below_complement, log, log1mexp
from dprisk._numeric.rounding import FORMULA, UNIT, down, sum_up, times_exp, unless, up

Lines = npt.NDArray[np.intp]
CLOSE = 1e-3  # nats


@final
@dataclass(frozen=True, eq=False, slots=True)
class Envelope:
    """Lines by falling slope (hence rising offset), and the corners between neighbors."""

    slopes: Floats
    offsets: Floats
    log_x: Floats
    log_y: Floats
    steep: Floats
    slack: Floats

    @classmethod
    def of(cls, slopes: Floats, offsets: Floats) -> Envelope:
        """Envelope of lines with slopes >= 0, their mirror images and y = 1."""
        useful = np.isfinite(slopes) & (offsets < 1.0)
        s, b = _hull(slopes[useful], offsets[useful])
        log_x, log_y = _corners(s, b)
        before = np.logaddexp(log_x, log_y) < 0.0  # the antidiagonal
        count = 1 + int(before.sum()) if len(s) else 0
        s, b = s[:count], b[:count]
        turned = s > 0.0
        below = log_x[: max(count - 1, 0)], log_y[: max(count - 1, 0)]
        return cls(
            np.concatenate([s, -s[turned][::-1], [-np.inf]]),
            np.concatenate([b, _mirrored(s, b)[turned][::-1], [1.0]]),
            *_mirrored_corners(s, b, *below),
            s,
            b,
        )

    def y(self, x: Floats) -> Floats:
        """Height of the curve over x in [0, 1], at least."""

        def height(line: Lines) -> Floats:
            s, b, steep = self._line(line)
            rising = up(up(times_exp(x, s), (x == 0.0) | (s == 0.0)) + b, b == 0.0, 0)
            turned = -np.expm1(-s) + np.exp(-s) * (x + b)
            return np.where(steep, np.where(x == 0.0, b, rising), up(turned))

        return np.minimum(self._nearby(self.log_x, log(x), height, np.min, 1.0), 1.0)

    def x(self, y: Floats) -> Floats:
        """Least x at which the curve reaches y in [0, 1], at most."""

        def level(line: Lines) -> Floats:
            s, b, steep = self._line(line)
            along = times_exp(np.maximum(y - b, 0.0), -s)
            rising = down(along, (s == 0.0) & (b == 0.0))
            return np.where(steep, rising, turned_level(s, b, y))

        return self._nearby(self.log_y, log(y), level, np.max, 0.0)

    def gap(self, log_slope: Floats) -> Floats:
        """Largest ``y(x) - exp(log_slope) x``, for log_slope >= 0, at least."""
        if not len(self.steep):
            return np.ones_like(log_slope)
        last = len(self.steep) - 1
        line = last - np.minimum(np.searchsorted(self.steep[::-1], log_slope), last)
        s, b, rest = self._chord(line)
        part = -np.expm1(np.minimum(log_slope - s, 0.0))
        risen = up(rest * part, part == 0.0)
        return np.minimum(up(b + risen, (b == 0.0) | (part == 0.0), 0), 1.0)

    def gap_slope(self, gap: Floats) -> Floats:
        """Least log_slope >= 0 with ``gap(log_slope) <= gap``, or a few units more; inf if none."""
        if not len(self.steep):
            return np.where(gap >= 1.0, 0.0, np.inf)
        line = np.maximum(np.searchsorted(self.slack, gap, side="right") - 1, 0)
        s, b, rest = self._chord(line)
        passed = np.clip(down(down(gap, units=2) - b), 0.0, rest)  # as `gap` is rounded
        ahead, lost = self._ahead(line, b + passed, passed)
        with np.errstate(divide="ignore"):
            near, far = np.log1p(-passed / rest), np.log(ahead + FORMULA * UNIT * lost)
        slope = np.clip(s + np.where(passed < rest / 2.0, near, far), 0.0, self.steep[0])
        slope = np.where(self.gap(np.zeros(1)) <= gap, 0.0, slope)
        return np.where(gap >= self.slack[0], slope, np.inf)

    def _ahead(self, line: Lines, gap: Floats, passed: Floats) -> tuple[Floats, Floats]:
        """``exp(t - s)`` where the gap is met, and the size of the terms it is made of."""
        last = len(self.steep) - 1
        gentler = np.minimum(line + 1, last)
        s, b = self.steep[line], self.slack[line]
        whole = np.where(line < last, self.slack[gentler] - b, 1.0 - b)
        behind = np.where(line < last, self.slack[gentler] - gap, 1.0 - gap) / whole
        other = passed / whole * np.exp(np.where(line < last, self.steep[gentler] - s, -s))
        left = behind + np.where(line < last, other, -other)
        return np.maximum(left, 0.0), np.abs(behind) + other

    def _chord(self, line: Lines) -> tuple[Floats, Floats, Floats]:
        """s, b and r with ``gap(t) = b - r expm1(t - s)`` from a steep line to the next one."""
        s, b, last = self.steep[line], self.slack[line], len(self.steep) - 1
        gentler = np.minimum(line + 1, last)
        apart = np.where(line < last, self.steep[gentler] - s, -1.0)
        by_next = (self.slack[gentler] - b) / -np.expm1(apart)
        return s, b, np.where(line < last, by_next, (1.0 - b) / (1.0 + np.exp(-s)))

    def ray(self, log_slope: Floats) -> Floats:
        """Height at which the ray ``y = exp(log_slope) x`` leaves the curve, for log_slope >= 0."""

        def height(line: Lines) -> Floats:
            s, b, steep = self._line(line)
            signed, offset = np.where(steep, s, -s), np.where(steep, b, _mirrored(s, b))
            with np.errstate(over="ignore"):
                apart = np.minimum(signed - log_slope, 0.0)
            found = np.divide(
                np.minimum(offset, -np.expm1(apart)),
                -np.expm1(apart),
                out=np.ones_like(apart),
                where=apart < 0,
            )
            return up(found, (found == 0.0) | (np.isinf(log_slope) & steep))

        if not len(self.steep):
            return np.ones_like(log_slope)
        found = np.minimum(self._nearby(self._log_ratios(), -log_slope, height, np.min, 1.0), 1.0)
        gentler = np.searchsorted(-self.steep, -log_slope, side="right")  # steep lines only
        some = np.minimum(gentler, len(self.steep) - 1)
        found = np.where(gentler <= some, np.minimum(found, height(some)), found)
        nothing = (self.slack[0] == 0.0) & (log_slope >= self.steep[0])
        return np.where(nothing, 0.0, found)

    def _log_ratios(self) -> Floats:
        """log(x / y) of the corners: their difference has few digits where both are alike."""
        plain, last = self.log_x - self.log_y, len(self.steep) - 1
        close = plain > -CLOSE
        if not close[:-1].any():
            return plain
        first = len(plain) - last - 1  # corners up to the antidiagonal; the others mirror them
        s, b, x = self.steep[:first], self.slack[:first], np.exp(self.log_x[:first])
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            before = -(s + np.log1p(b * np.exp(-s) / x))
            after = np.log1p(-(np.expm1(s) * x + b)[:last] / (1.0 - x[:last]))
        found = np.concatenate([before, after[::-1], plain[-1:]])
        return np.maximum.accumulate(np.where(close, found, plain))

    def ray_at_height(self, height: Floats) -> Floats:
        """Log-slope of the ray that leaves the curve at y = height, at least; inf if none does."""

        def slope(line: Lines) -> Floats:
            s, b, steep = self._line(line)
            turned = turned_slope(s, b, height)
            return np.where(steep, widened(s, b, height, np.zeros_like(s)), turned)

        return self._nearby(self.log_y, log(height), slope, np.min, np.inf)

    def ray_at_sum(self, total: Floats) -> Floats:
        """Log-slope of the ray that leaves the curve where x + y = total <= 1, at least."""

        def slope(line: Lines) -> Floats:
            s, b, steep = self._line(line)
            return np.where(steep, widened(s, b, total, np.exp(-s)), np.inf)

        corners = np.logaddexp(self.log_x, self.log_y)[: max(len(self.steep) - 1, 0)]
        return self._nearby(corners, log(total), slope, np.min, np.inf)

    def twice(self) -> tuple[Floats, Floats]:
        """Log-slopes, at least 0, and offsets of the lines that the curve of the curve touches."""
        turns = np.concatenate([self.log_x, self.log_y])
        pairs = [
            np.stack([np.searchsorted(at, turns, side=side) for at in (self.log_y, self.log_x)])
            for side in ("left", "right")
        ]
        first, second = np.unique(np.concatenate(pairs, axis=1), axis=1)
        slopes = sum_up(self.slopes[first], self.slopes[second])
        rising = slopes >= 0.0
        slopes, first, second = slopes[rising], first[rising], second[rising]
        begun = times_exp(self.offsets[first], self.slopes[second])
        as_given = (self.offsets[first] == 0.0) & (second < len(self.steep))
        return slopes, up(begun + self.offsets[second], as_given)

    def corners(self) -> tuple[Floats, Floats]:
        """x at most and 1 - y at most, of the corners and of their mirror images."""
        log_x, log_y = self.log_x[: len(self.steep)], self.log_y[: len(self.steep)]
        x = down(np.exp(log_x), units=FORMULA * (1.0 - log_x))
        y = np.minimum(up(np.exp(log_y), units=FORMULA * (1.0 - log_y)), 1.0)
        left = np.concatenate([np.zeros(1), x])
        low = below_complement(np.concatenate([self.offsets[:1], y]))
        others = slice(len(self.steep) - 1 if np.all(self.steep > 0.0) else None, None, -1)
        return np.concatenate([left, low[others]]), np.concatenate([low, left[others]])

    def _line(self, line: Lines) -> tuple[Floats, Floats, npt.NDArray[np.bool_]]:
        """s, b, and whether it is the line itself or its mirror image."""
        steep = line < len(self.steep)
        own = np.where(steep, line, len(self.slopes) - 2 - line)
        return self.steep[own], self.slack[own], steep

    def _nearby(
        self,
        corners: Floats,
        at: Floats,
        f: Callable[[Lines], Floats],
        best: Callable[..., Floats],
        nothing: float,
    ) -> Floats:
        """The best of a line and its two neighbors: where two meet, the better conditioned."""
        if not len(self.steep):
            return np.full_like(at, nothing)
        line = np.searchsorted(corners, at) + np.array([[-1], [0], [1]])
        return np.asarray(best(f(np.clip(line, 0, len(self.slopes) - 2)), axis=0))


def turned_level(s: npt.ArrayLike, b: npt.ArrayLike, y: Floats) -> Floats:
    """Level ``y - b - (exp(s) - 1) (1 - y)`` at y on a mirror image, at most, and at least 0."""
    s, b = np.asarray(s), np.asarray(b)
    rest, grown = np.maximum(y - b, 0.0), np.expm1(np.minimum(s, 700.0)) * (1.0 - y)
    found = rest - grown - FORMULA * UNIT * (rest + grown)
    return np.where(y == 1.0, below_complement(b), np.maximum(found, 0.0))


def turned_slope(s: npt.ArrayLike, b: npt.ArrayLike, height: Floats) -> Floats:
    """log(y / x) at y = height on a mirror image, at least; inf where it lies left of x = 0."""
    s, b = np.asarray(s), np.asarray(b)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        share = (b + np.expm1(np.minimum(s, 700.0)) * (1.0 - height)) / height
        near, far = -np.log1p(-np.minimum(share, 0.5)), -np.log(turned_level(s, b, height) / height)
    found = up(np.where(share < 0.5, near, far), (height == 1.0) & (b == 0.0))
    return np.where(height > 0.0, found, np.inf)


def widened(s: Floats, b: Floats, reached: Floats, other: Floats) -> Floats:
    """``s + log1p(b (1 + other) / (reached - b))``, at least; inf where it is not reached."""
    short = ~(reached > b)
    with np.errstate(over="ignore"):
        share = b / unless(short, reached - b, np.inf)
    found = up(s + np.log1p(share * (1.0 + other)), b == 0.0)
    return unless(short & (b != 0.0), found, np.inf)


def _mirrored(s: Floats, b: Floats) -> Floats:
    """Offsets ``1 - exp(-s) (1 - b)`` of the mirror images."""
    return np.asarray(-np.expm1(-s) + np.exp(-s) * b)


def _corners(s: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Points where neighbors meet: their heights have more digits than x times a large slope."""
    with np.errstate(over="ignore"):
        risen = np.log(np.diff(b) / -np.expm1(np.diff(s)))
    return risen - s[:-1], np.logaddexp(risen, log(b[:-1]))


def _mirrored_corners(s: Floats, b: Floats, log_x: Floats, log_y: Floats) -> tuple[Floats, Floats]:
    """All corners: those below the antidiagonal, the one on it, their mirror images, the end."""
    if not len(s):
        return np.empty(0), np.empty(0)
    on = np.log1p(-b[-1:]) - np.logaddexp(0.0, s[-1:])
    on = on[s[-1:] > 0.0]  # a line of slope one is its own image
    with np.errstate(divide="ignore"):
        turned_x, turned_y = log1mexp(np.maximum(-log_y, 0.0)), log1mexp(np.maximum(-log_x, 0.0))
    x = np.concatenate([log_x, on, turned_x[::-1], np.log1p(-b[:1])])
    y = np.concatenate([log_y, log1mexp(-on), turned_y[::-1], [0.0]])
    return np.maximum.accumulate(np.minimum(x, 0.0)), np.maximum.accumulate(np.minimum(y, 0.0))


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


Point = tuple[int, int]
Exact = Sequence[tuple[Any, Any]]
"""Points in whole numbers or fractions, or in floats where rounding does no harm."""
QUOTIENT = 10  # units: 1.5 of the quotient, of which the logarithm is at least log 2; 8 of the log


def whole_numbers(values: Sequence[float | Fraction]) -> tuple[list[int], int]:
    """The same numbers in units of 1 / scale, exactly; and the scale."""
    parts = [value.as_integer_ratio() for value in values]
    scale = math.lcm(*{under for _, under in parts})
    return [over * (scale // under) for over, under in parts], scale


def majorant(points: Exact) -> list[int]:
    """Which points, by rising x, are corners of the polygon; of one x the highest."""
    kept: list[int] = []
    for i, point in enumerate(points):
        if kept and point[0] == points[kept[-1]][0]:
            if point[1] <= points[kept[-1]][1]:
                continue
            kept.pop()
        while len(kept) > 1 and _below_chord(points[kept[-2]], points[kept[-1]], point):
            kept.pop()
        kept.append(i)
    return kept


def sides(points: Sequence[Point], one: int) -> tuple[Floats, Floats]:
    """Its sides or their mirror images: logarithms of slopes, at least 0, and heights at x = 0."""
    slopes, offsets = [], []
    for (left, low), (right, high) in pairwise([points[i] for i in majorant(points)]):
        start, run, rise = (left, low), right - left, high - low
        if rise < run:  # the mirror image
            start, run, rise = (one - high, one - right), rise, run
        if run > 0:
            slopes.append(_log_above(rise, run))
            offset = max(start[1] * run - start[0] * rise, 0)
            offsets.append(min(_above(offset, run * one), 1.0))
    return np.array(slopes), np.array(offsets)


def _below_chord(left: tuple[Any, Any], middle: tuple[Any, Any], right: tuple[Any, Any]) -> bool:
    rise = (right[1] - left[1]) * (middle[0] - left[0])
    return bool((middle[1] - left[1]) * (right[0] - left[0]) <= rise)


def _above(top: int, bottom: int) -> float:
    """top / bottom, rounded upwards."""
    found = top / bottom
    over, under = found.as_integer_ratio()
    return found if over * bottom >= top * under else math.nextafter(found, math.inf)


def _log_above(top: int, bottom: int) -> float:
    """log(top / bottom) for top >= bottom, rounded upwards."""
    if top < 2 * bottom:
        return float(up(math.log1p((top - bottom) / bottom), top == bottom, QUOTIENT))
    if top > bottom << 900:
        shift = top.bit_length() - bottom.bit_length()
        near = shift * math.log(2.0) + math.log(top / (bottom << shift))
        return float(up(near, units=QUOTIENT))
    return float(up(math.log(top / bottom), units=QUOTIENT))
