"""Stretches of a vertical line where a composed moment generating function is negligible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats
from dprisk.losses.base import ULP

MOST_INTERVALS = 400_000  # intervals to look at
MOST_STEPS = 2**20  # steps of a lattice
LONGEST_PERIODS = 4  # of the longest periods: mostly enough
MORE_PERIODS = 16  # at a time, of the others
CACHED = 2**15  # numbers in an array that stays in a core's cache
PROBES = 64
WORST_INTERVALS = 16  # open ones, to probe
ZOOMS = 6  # times nearer to where least is lost
SPLIT = 8  # parts of an interval that is left open

DIVISORS = 12  # of the smallest gap, tried as a spacing
SAME_LOSS = 1e-10  # of the range: losses so close are one
OFF_LATTICE = 1e-3  # of the spacing
SPARSE = 64  # points of a lattice to one that is taken

LEAST_VARIANCE = 1e-100  # in steps or nats
NEAR_MEAN = 0.5  # standard deviations, by moments
STEP = 0.5  # over the standard deviation: between samples where there is no period
MOST_LOST = 1e-2  # what being off the lattice may cost

Whole = npt.NDArray[np.int64]


class Steps(NamedTuple):
    """Losses as whole multiples of a spacing, from some origin."""

    origin: float
    spacing: float
    multiples: Whole
    off: Floats

    @classmethod
    def of(cls, losses: Floats, masses: Floats) -> Steps | None:
        """Fit a lattice."""
        gaps = np.diff(losses)
        apart = gaps[gaps > SAME_LOSS * float(np.abs(losses).max(initial=0.0))]
        if not apart.size:
            return None
        for divisor in range(1, DIVISORS + 1):
            ratio = gaps * (divisor / float(apart.min()))
            if np.all(np.abs(ratio - np.rint(ratio)) <= OFF_LATTICE):
                index = np.concatenate([[0.0], np.cumsum(np.rint(ratio))])
                if index[-1] > min(SPARSE * len(losses), MOST_STEPS):
                    return None
                return cls._fitted(losses, masses, index)
        return None

    @classmethod
    def _fitted(cls, losses: Floats, masses: Floats, index: Floats) -> Steps | None:
        """Fit a lattice by least squares; None if the losses are too far off it."""
        weights = masses / masses.sum()
        middle, mean = float((weights * index).sum()), float((weights * losses).sum())
        away = index - middle
        spacing = float((weights * away * (losses - mean)).sum() / (weights * away * away).sum())
        if not np.isfinite(spacing) or spacing <= 0.0:
            return None
        origin = mean - spacing * middle
        off = np.abs(losses - (origin + spacing * index))
        # a product, a sum and a difference: three roundings
        off += 4.0 * ULP * (np.abs(losses) + abs(origin) + spacing * index)
        if np.any(off > OFF_LATTICE * spacing):
            return None
        return cls(origin, spacing, index.astype(np.int64), off)


@final
@dataclass(frozen=True, eq=False)
class MGFDecay:
    """abs(M(theta + i t)) <= M(theta) e^-d, with d a function of the distance r to the period."""

    period: float
    reach: float
    terms: tuple[float, float, float]
    slack: float
    known: Floats

    @classmethod
    def of(cls, steps: Steps, weights: Floats, blur: float, stop: float) -> MGFDecay | None:
        """Build the bound from the weights p e^(theta l); None where no decay can be shown."""
        size = float(weights.sum())
        if not size > 0.0:
            return None
        share = weights / size
        off = float((share * steps.off).sum()) * stop
        if not off + blur <= MOST_LOST:
            return None
        away = steps.multiples - float((share * steps.multiples).sum())
        square, h = away * away, steps.spacing
        if not float((share * square).sum()) > LEAST_VARIANCE:
            return None
        known = on_steps(steps.multiples, share, square, off + 2.0 * blur)
        return cls._made(share, square * (h * h), 2.0 * np.pi / h, known, (off, blur))

    @classmethod
    def scattered(
        cls, losses: Floats, weights: Floats, blur: float, until: tuple[float, int]
    ) -> MGFDecay | None:
        """Build the bound for losses on no lattice; None where they cannot be followed so far."""
        size = float(weights.sum())
        if not size > 0.0:
            return None
        share = weights / size
        away = losses - float((share * losses).sum())
        square = away * away
        v = float((share * square).sum())
        stop, most = until
        # a phase, and the mean it is taken from: four roundings of the largest
        off = 8.0 * ULP * stop * float((share * np.abs(losses)).sum())
        steady = v > LEAST_VARIANCE and off + blur <= MOST_LOST
        if not (steady and stop * np.sqrt(v) <= most * STEP):
            return None
        count = 2 ** int(np.ceil(np.log2(max(stop * np.sqrt(v) / STEP, 32.0))))
        step = STEP / float(np.sqrt(v))
        known = scattered(away, share, step, count, off + 2.0 * blur)
        return cls._made(share, square, 2.0 * count * step, known, (off, blur))

    @classmethod
    def _made(
        cls, share: Floats, square: Floats, period: float, known: Floats, lost: tuple[float, float]
    ) -> MGFDecay:
        """With moments where they are better; `square` is that of the distance to the mean."""
        v = float((share * square).sum())
        fourth = float((share * (square / v) ** 2).sum())
        off, blur = lost
        blur = 8.0 * blur + 1e-12
        bend = (fourth + 3.0) / 12.0 * (1.0 + blur)
        reach = _reach(bend, known, 2.0 / (period * np.sqrt(v)))
        a, b, c = _near(bend)
        scale = v * (1.0 - blur)
        terms = (a * scale, b * scale**2, c * scale**3)
        return cls(period, float(np.sqrt(reach / scale)), terms, 2.0 * off, known)


def _near(bend: float) -> tuple[float, float, float]:
    """Coefficients of d in x = v r^2, by moments."""
    return 0.5, (0.5 - bend) / 2.0, -bend / 2.0


def _reach(bend: float, known: Floats, share: float) -> float:
    """Until where in x that grows and stays below what is known of all that comes later."""
    a, b, c = _near(bend)
    x = min(NEAR_MEAN * NEAR_MEAN, 0.5 / bend)
    while a + 2.0 * b * x + 3.0 * c * x * x < 0.0:
        x /= 2.0
    place = min(np.sqrt(x) * share, 1.0) * (len(known) - 1)
    least = float(np.interp(place, np.arange(len(known)), known))
    while x > 1e-9 and x * (a + x * (b + x * c)) > least:
        x *= 0.95
    return x if x > 1e-9 else 0.0


@final
@dataclass(frozen=True, eq=False)
class Periodic:
    """Several that fade, each so many times, in columns."""

    period: Floats
    reach: Floats
    terms: Floats
    slack: Floats
    count: Floats
    known: Floats
    first: Whole
    pace: Floats

    @classmethod
    def of(cls, parts: Sequence[tuple[MGFDecay, float]]) -> Periodic:
        """Put them side by side, the longest period first."""
        ordered = sorted(parts, key=lambda part: -part[0].period)
        fading = [part for part, _ in ordered]
        sizes = [len(each.known) for each in fading]
        halves = np.array([each.period / 2.0 for each in fading])
        return cls(
            2.0 * halves[:, None],
            np.array([each.reach for each in fading])[:, None],
            np.array([each.terms for each in fading]).T[:, :, None],
            np.array([each.slack for each in fading])[:, None],
            np.array([count for _, count in ordered])[:, None],
            np.concatenate([np.append(each.known, each.known[-1:]) for each in fading]),
            np.cumsum([0, *(size + 1 for size in sizes[:-1])])[:, None],
            np.array([size - 1.0 for size in sizes])[:, None] / halves[:, None],
        )

    def some(self, chosen: slice) -> Periodic:
        """A few of them."""
        floats = (self.period, self.reach, self.slack, self.count, self.pace)
        period, reach, slack, count, pace = (each[chosen] for each in floats)
        terms, first = self.terms[:, chosen], self.first[chosen]
        return Periodic(period, reach, terms, slack, count, self.known, first, pace)

    def decay(self, low: Floats, high: Floats) -> Floats:
        """Sum of d, at least, on the intervals [low, high]; some at a time, as caches hold."""
        size = max(CACHED // len(self.count), 1)
        some = [slice(start, start + size) for start in range(0, len(low), size)]
        found = [self._decay(low[each], high[each]) for each in some]
        return np.concatenate(found) if found else np.zeros(0)

    def _decay(self, low: Floats, high: Floats) -> Floats:
        r = _distance(low, high, self.period)
        near = np.minimum(r, self.reach) ** 2
        a, b, c = self.terms
        bent = b.any() or c.any()
        d = near * (a + near * (b + near * c) if bent else a) - self.slack
        if self.pace.any():
            place = r * self.pace
            whole = place.astype(np.int64)
            place -= whole
            whole += self.first
            d = np.maximum(d, self.known[whole] * (1.0 - place) + self.known[whole + 1] * place)
        return np.asarray((self.count * np.maximum(d, 0.0)).sum(axis=0))


def noise(
    parts: Periodic, start: float, stop: float, need: float, smooth: float = 0.0
) -> float | None:
    """Find where the decays may not add up to `need` in [start, stop]; None if they do
    everywhere."""
    if stop <= start:
        return None
    first = np.geomspace(start, min(stop, 2.0 * start), PROBES)  # where it fails, mostly
    short = np.flatnonzero(parts.decay(first, first) + smooth * first**2 < need)
    if short.size:
        return float(first[short[-1]])
    ends = np.append(np.geomspace(start, stop, max(2, int(8 * np.log2(stop / start)))), stop)
    low, high = np.array([start, *ends[1:-1]]), ends[1:]
    groups, seen = list(_groups(parts)), 0
    while low.size:
        seen += low.size
        lost = need - smooth * low**2
        for some in groups:
            lost = lost - some.decay(low, high)
            low, high, lost = (each[lost > 0.0] for each in (low, high, lost))
        if not low.size:
            return None
        worst = np.argsort(lost)[-WORST_INTERVALS:]
        found = _short(parts, low[worst], high[worst], need, smooth)
        if found is not None:
            return found
        open_ = (high - low < 1e-4 * start) | (seen + SPLIT * low.size > MOST_INTERVALS)
        if open_.any():
            return float(low[open_].max())
        low, high = _split(low, high)
    return None


def _short(parts: Periodic, low: Floats, high: Floats, need: float, smooth: float) -> float | None:
    """A place in these where that is too little, if one is come across on the way to the least."""
    for _ in range(ZOOMS):
        middle = (low + high) / 2.0
        lost = need - smooth * middle**2 - parts.decay(middle, middle)
        if lost.max() > 0.0:
            return float(middle[lost > 0.0].max())
        worst = np.argsort(lost)[-WORST_INTERVALS:]
        low, high = _split(low[worst], high[worst])
    return None


def _split(low: Floats, high: Floats) -> tuple[Floats, Floats]:
    edges = low + (high - low) * np.linspace(0.0, 1.0, SPLIT + 1)[:, None]
    edges[-1] = high
    return edges[:-1].ravel(), edges[1:].ravel()


def _groups(parts: Periodic) -> Iterator[Periodic]:
    """The longest periods, then the others, some at a time."""
    start, stop = 0, LONGEST_PERIODS
    while start < len(parts.count):
        yield parts.some(slice(start, stop))
        start, stop = stop, stop + MORE_PERIODS


def _distance(low: Floats, high: Floats, period: Floats) -> Floats:
    """Distance from [low, high] to the nearest multiple of the period, 0 if one may be inside."""
    middle = (low + high) / 2.0
    away = middle - period * np.rint(middle / period)
    half = (high - low) / 2.0 + 8.0 * ULP * high  # the roundings of t and of the period
    return np.asarray(np.maximum(np.abs(away) - half, 0.0))


SAMPLES = 32  # to one over the standard deviation, in a period; or twice that
ROUNDING = 1e-13  # of a sample, relative to M(theta)
OVER = 4  # points of the fine lattice to a sample


def on_steps(index: Whole, share: Floats, square: Floats, off: float) -> Floats:
    """d at equal steps of half a period, so that a chord is at most -log abs(M / M(theta))."""
    v, fourth = float((share * square).sum()), float((share * square * square).sum())
    count = 2 ** int(np.ceil(np.log2(max(SAMPLES * np.sqrt(v), 32.0))))
    at, eighth = index % count, (2.0 * np.pi / count) ** 2 / 8.0
    size, bend = (
        np.abs(np.fft.rfft(np.bincount(at, weights, count))) for weights in (share, share * square)
    )
    most = np.maximum(bend[1:], bend[:-1]) + eighth * fourth  # between two samples
    most = np.maximum(np.append(most, 0.0), np.append(0.0, most))
    return _chords(size + eighth * most * (1.0 + off) + off + ROUNDING)


def scattered(away: Floats, share: Floats, step: float, count: int, off: float) -> Floats:
    """The same at t = 0, step, ..., count step, of losses on no lattice."""
    points = OVER * count
    place = away * (step * points / (2.0 * np.pi))
    before = np.floor(place)
    at = np.mod(before, points)[:, None].astype(np.int64) + np.arange(-1, 3)
    weights = share[:, None] * _spline(place - before)
    grid = np.bincount(at.ravel() % points, weights.ravel(), points)
    u = np.arange(count + 1) / points
    images = u**4 * ((1.0 - u) ** -4 + (1.0 + u) ** -4 + 0.3)  # u is at most 1/4
    size = np.abs(np.fft.rfft(grid)[: count + 1]) / np.sinc(u) ** 4
    between = step * step / 8.0 * float((share * away * away).sum())
    return _chords(size + images + between * (1.0 + off) + off + ROUNDING)


def _spline(u: Floats) -> Floats:
    """Cubic B-spline at -1 - u, -u, 1 - u and 2 - u."""
    v = 1.0 - u
    inner = [(4.0 - 3.0 * a * a * (1.0 + b)) / 6.0 for a, b in ((u, v), (v, u))]
    return np.stack([v**3 / 6.0, *inner, u**3 / 6.0], axis=1)


def _chords(size: Floats) -> Floats:
    """-log of the largest from there on, less what a chord is above it between two samples."""
    largest = np.maximum.accumulate(size[::-1])[::-1]
    d = -np.log(largest)
    gap = np.diff(d) ** 2 / 8.0  # by which the logarithm of a chord is above that of its ends
    return np.asarray(d - np.maximum(np.append(gap, 0.0), np.append(0.0, gap)))
