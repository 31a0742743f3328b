"""How small a moment generating function is along a vertical line, from samples at equal steps."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats

Whole = npt.NDArray[np.int64]

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
