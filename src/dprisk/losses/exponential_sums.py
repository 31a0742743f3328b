"""Sums of weights whose phases turn: sums of w e^{i t x} for many t."""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats
from dprisk.losses.base import ULP, Complexes
from dprisk.progress import report

Rows = npt.NDArray[np.intp]

TERMS = 36  # N
RADIUS = 1.25  # standard deviations to either side of a center
LEFT_OUT = ULP / 4.0
WORTHWHILE = 2**12  # turns of a point
ONE_BY_ONE = 4  # points that are turned one after the other, however often
MANY_PHASES = 2**7
MANY_TURNS = 16.0  # of the points, as far apart as their standard deviation: many centers
FEW_POINTS = 2**8  # added up one by one
FEW_ROWS = 2**5  # whose phases are multiplied by that of the first
FARTHEST_POINT = 1e8  # standard deviations: its 36th power is still finite
GROWTH_STEPS = 64  # of the growth
BASES = 2 ** np.arange(4, 12)  # of two digits
MOST_STEPS = 2.0**53  # whole numbers that are floats
ROTATION_COST = 128.0  # products of a matrix that cost as much as an exponential
BLOCK = 2**20  # numbers in memory at a time
AT_ONCE = 2**11  # points: their powers fit into a cache

FACTORIALS = np.array([float(factorial(n)) for n in range(TERMS + 1)])
TURNS = np.array([1.0, 1j, -1.0, -1j])[np.arange(TERMS + 1) % 4]


class Turned(NamedTuple):
    """The sums; and by which factors roundings, and those of powers, count more than in one sum."""

    total: Complexes
    growth: Floats
    terms: Floats


def turned(weights: Floats, x: Floats, t: Floats) -> Turned:
    """Sums over the points for each t."""
    if len(x) > ONE_BY_ONE and len(t) * len(x) > WORTHWHILE:
        spread = float(np.sqrt((weights * x * x).sum() / weights.sum()))
        turns = spread * float(np.ptp(t))
        n = steps_of(t) if turns > MANY_TURNS and len(t) >= MANY_PHASES else None
        if n is not None:
            return _by_digits(weights, x, t, n)
        if 0.0 < float(np.abs(x).max()) <= FARTHEST_POINT * spread:
            found = _by_series(weights, x, t, spread)
            if found is not None:
                return found
    return _directly(weights, x, t)


def steps_of(t: Floats) -> Floats | None:
    """Whole numbers n, rising from 0, with t = t_0 + n step up to a rounding, if there are such."""
    apart = np.diff(t)
    if not apart.size or not (apart.min() > 0.0 or apart.max() < 0.0):
        return None
    n = np.rint((t - t[0]) / apart[np.argmin(np.abs(apart))])
    if not n[-1] < MOST_STEPS:
        return None
    even = t[0] + n * ((t[-1] - t[0]) / n[-1])
    return n if np.all(np.abs(t - even) <= 4.0 * ULP * (np.abs(t) + abs(t[0]))) else None


def in_rows(n: Floats, angle: float) -> tuple[int, Floats, Rows]:
    """Whole numbers n >= 0, rising, as row * base + rest: base, rows that occur, and which has
    n."""
    whole = n.astype(np.intp)
    counts = np.array([1 + np.count_nonzero(np.diff(whole // base)) for base in BASES.tolist()])
    base = int(BASES[np.argmin(angle * (BASES + counts) + BASES * counts)])
    rows = n // base
    new = np.append(True, np.diff(rows) > 0.0)
    return base, rows[new], np.cumsum(new) - 1


def _by_digits(weights: Floats, x: Floats, t: Floats, n: Floats) -> Turned:
    """At t = t_0 + n step, n = (a B + B / 2) + k, so that the sums are a product of two
    matrices."""
    base, rows, row = in_rows(n, ROTATION_COST)
    half, step = base // 2, float(t[-1] - t[0]) / float(n[-1])
    sums = np.zeros((2 * len(rows), 2 * half + 2))
    for start in range(0, len(x), FEW_POINTS):
        some = x[start : start + FEW_POINTS]
        middles = _phases(some, t[0] + step * half, step * base, rows)
        middles *= weights[start : start + FEW_POINTS]
        angle = np.multiply.outer(some, step * np.arange(half + 1))
        around = np.concatenate([np.cos(angle), np.sin(angle)], axis=1)
        sums += np.concatenate([middles.real, middles.imag]) @ around
    (cc, cs), (sc, ss) = (np.split(each, 2, axis=1) for each in np.split(sums, 2))
    total = np.empty((len(rows), base), dtype=np.complex128)
    total[:, half:] = ((cc - ss) + 1j * (sc + cs))[:, :half]
    total[:, :half] = ((cc + ss) + 1j * (sc - cs))[:, :0:-1]
    away = float((weights * np.abs(x)).sum() / weights.sum())
    longest = np.abs(t) + abs(t[0]) + base * abs(step)
    # sums; three phases and their products; angles
    terms = 2.0 * min(len(x), FEW_POINTS) + len(x) / FEW_POINTS + 12.0 + 16.0 * away * longest
    return Turned(total[row, (n % base).astype(np.intp)], np.ones(t.shape), terms)


def _phases(x: Floats, start: float, step: float, rows: Floats) -> Complexes:
    """e^(i t x) at t = start + step row: a row for each, as a product of two."""
    many, number = np.unique(rows // FEW_ROWS, return_inverse=True)
    near = np.exp(np.multiply.outer(start + step * np.arange(FEW_ROWS), 1j * x))
    far = np.exp(np.multiply.outer(step * FEW_ROWS * many, 1j * x))
    return np.asarray(far[number] * near[(rows % FEW_ROWS).astype(np.intp)])


def _directly(weights: Floats, x: Floats, t: Floats) -> Turned:
    total = np.zeros(t.shape, dtype=np.complex128)
    if len(x) <= ONE_BY_ONE:
        for weight, point in zip(weights.tolist(), x.tolist(), strict=True):
            phase = t * point
            total.real += np.cos(phase) * weight
            total.imag += np.sin(phase) * weight
        return Turned(total, np.ones(t.shape), np.zeros(t.shape))
    rows = max(1, BLOCK // len(x))
    for start in range(0, len(t), rows):
        block = slice(start, start + rows)
        phase = t[block, None] * x
        total.real[block] = (np.cos(phase) * weights).sum(axis=1)
        total.imag[block] = (np.sin(phase) * weights).sum(axis=1)
    return Turned(total, np.ones(t.shape), np.zeros(t.shape))


def _by_series(weights: Floats, x: Floats, t: Floats, spread: float) -> Turned | None:
    """Nothing where it would take nearly as many centers as there are t."""
    scaled = x / spread
    powers = _powers(scaled) if len(x) <= AT_ONCE else None
    around_zero = moments([weights], scaled, powers)[0]
    even = around_zero[0::2] / around_zero[0]
    last = (LEFT_OUT * FACTORIALS[TERMS] / even[-1]) ** (1.0 / TERMS)
    width = 2.0 * min(RADIUS, float(last)) / spread
    centers, where = np.unique(np.rint(t / width), return_inverse=True)
    if 4 * len(centers) > len(t):
        return None
    centers = centers * width
    around = np.empty((len(centers), TERMS + 1), dtype=np.complex128)
    around[centers == 0.0] = around_zero
    others, rows = np.flatnonzero(centers != 0.0), max(1, BLOCK // len(x))
    for start in range(0, len(others), rows):
        some = others[start : start + rows]
        phases = centers[some, None] * x
        columns = np.concatenate([weights * np.cos(phases), weights * np.sin(phases)])
        found = moments([*columns], scaled, powers)
        around[some] = found[: len(some)] + 1j * found[len(some) :]
    where = where.ravel()
    z, total = (t - centers[where]) * spread, np.empty(t.shape, dtype=np.complex128)
    series = (around * (TURNS / FACTORIALS))[:, :TERMS]
    real, imaginary = series.real.copy(), series.imag.copy()
    for start in range(0, len(t), AT_ONCE):
        block = slice(start, start + AT_ONCE)
        turns = _powers(z[block])[:TERMS]
        total.real[block] = np.einsum("kn,nk->k", real[where[block]], turns)
        total.imag[block] = np.einsum("kn,nk->k", imaginary[where[block]], turns)
    return Turned(total, *_growth(even, np.abs(z)))


def moments(columns: Sequence[Floats], x: Floats, powers: Floats | None = None) -> Floats:
    """Sums of w x^n."""
    found = np.zeros((len(columns), TERMS + 1))
    for start in range(0, len(x), AT_ONCE):
        block = slice(start, start + AT_ONCE)
        here = _powers(x[block]) if powers is None else powers
        for i, weights in enumerate(columns):
            found[i] += (here * weights[block]).sum(axis=1)
    return found


def _powers(x: Floats) -> Floats:
    powers = np.empty((TERMS + 1, len(x)))
    powers[0] = 1.0
    for n in range(TERMS):
        np.multiply(powers[n], x, out=powers[n + 1])
    return powers


def _growth(even: Floats, z: Floats) -> tuple[Floats, Floats]:
    """Sums of abs(x z)^n / n!, and of 4 n times that; in a few steps, rounded upwards."""
    n = np.arange(TERMS + 1)
    absolute = np.empty(TERMS + 1)
    absolute[0::2] = even
    absolute[1::2] = np.sqrt(even[:-1]) * np.sqrt(even[1:])  # Cauchy-Schwarz
    width = float(z.max()) / GROWTH_STEPS or 1.0
    grid = np.arange(GROWTH_STEPS + 2) * width
    sizes = np.vander(grid, TERMS + 1, increasing=True) * (absolute / FACTORIALS)
    above = np.ceil(z / width).astype(np.intp)
    terms = (sizes * 4.0 * n).sum(axis=1) + LEFT_OUT / ULP
    return sizes.sum(axis=1)[above], terms[above]


Whole = npt.NDArray[np.int64]

BASE = 32
ONES = np.arange(BASE)
PHASE_DIGITS_BLOCK = 2**18  # numbers in memory at a time


def turned_steps(weights: Floats, places: Whole, t: Floats, centre: int) -> Turned:
    """Sums of w e^(i t (j - centre)) over the places j."""
    table, tens = _digits(weights, places)
    total = np.empty(t.shape, dtype=np.complex128)
    rows = max(1, PHASE_DIGITS_BLOCK // max(BASE, len(tens)))
    for start in range(0, len(t), rows):
        here = t[start : start + rows, None]
        units = _unit(here * ONES)
        inner: Complexes = np.einsum("nb,ab->na", units.real.copy(), table) + 1j * np.einsum(
            "nb,ab->na", units.imag.copy(), table
        )
        total[start : start + rows] = (inner * _unit(here * (tens - centre))).sum(axis=1)
    return Turned(total, np.ones(t.shape), 2.0 * BASE * (1.0 + 8.0 * np.abs(t)))


def grown(weights: Floats, places: Whole, rate: Floats) -> Floats:
    """Sums of w e^(r j) over the places j, each over its largest e^(r j)."""
    table, tens = _digits(weights, places)
    shift = np.where(rate > 0.0, places[-1], 0)[:, None]
    inner = np.einsum("nb,ab->na", np.exp(rate[:, None] * ONES), table)
    return np.asarray((inner * np.exp(rate[:, None] * (tens - shift))).sum(axis=1))


def _digits(weights: Floats, places: Whole) -> tuple[Floats, Whole]:
    """The weights, a row for each first digit, and what it stands for."""
    rows = int(places[-1]) // BASE + 1
    table = np.zeros(rows * BASE)
    table[places] = weights
    return table.reshape(rows, BASE), BASE * np.arange(rows)


def _unit(phase: Floats) -> Complexes:
    return np.asarray(np.cos(phase) + 1j * np.sin(phase))


SMALL_PHASES_BLOCK = 2**18
FEW_NODES = 8  # that are multiplied out one by one
SMALL_PHASES_ANGLE = 64.0  # products of a matrix that cost as much as a sine and a cosine


def swings(shares: Floats, z: Floats, t: Floats) -> Complexes:
    """Sum of w (e^(i t z) - 1) for each t."""
    n = steps_of(t) if len(t) > FEW_NODES else None
    if n is None:
        each = np.empty(t.shape, dtype=np.complex128)
        size = max(1, SMALL_PHASES_BLOCK // len(z))
        for start in range(0, len(t), size):
            some = np.multiply.outer(t[start : start + size], z)
            each[start : start + size] = _turn(some) @ shares
        return each
    step, (base, rows, row) = (t[-1] - t[0]) / n[-1], in_rows(n, SMALL_PHASES_ANGLE)
    tens, ones = t[0] + step * base * rows, step * np.arange(base)
    found = np.zeros((len(rows), base), dtype=np.complex128)
    size = max(1, SMALL_PHASES_BLOCK // (len(rows) + base))
    for start in range(0, len(z), size):
        here, w = z[start : start + size], shares[start : start + size]
        first, second = (_turn(np.multiply.outer(*each)) for each in ((tens, here), (here, ones)))
        weighted = first * w
        found += weighted @ second + weighted.sum(axis=1)[:, None] + w @ second
        report("sampling", min(start + size, len(z)), len(z))
    return found[row, (n % base).astype(np.intp)]


def _turn(phase: Floats) -> Complexes:
    """e^(i phase) - 1 = 2 i sin(phase / 2) e^(i phase / 2)."""
    sine, cosine = np.sin(phase / 2.0), np.cos(phase / 2.0)
    found = np.empty(phase.shape, dtype=np.complex128)
    found.real, found.imag = -2.0 * sine * sine, 2.0 * sine * cosine
    return found
