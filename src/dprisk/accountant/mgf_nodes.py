"""Moments of losses with few values, and of Laplace losses, at very many nodes of one line."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import ULP, Complexes, Loss
from dprisk.losses.exponential_sums import Rows
from dprisk.losses.laplace import LaplaceLoss

WORTH_FACTORS = 2**10  # nodes from which on this is worth it
FEW_VALUES = 6  # values
FEW_TIMES = 8  # times the same loss
BLOCK = 2**13  # nodes at a time
LEAST_FACTOR = 1e-17  # a smaller one counts as that, and as unknown
LEAST_PRODUCT = 1e-280  # likewise, of all factors
ALL_ROUNDING = float(np.log(3.5))  # nats by which it may then be off


class Factors(NamedTuple):
    """M / e^log_scale at the nodes, and at most how far its logarithm is off."""

    value: Complexes
    error: Floats
    log_scale: float


class Turning(NamedTuple):
    """One loss."""

    often: int
    first: float
    gaps: Floats
    steady: float
    sizes: Floats
    log_scale: float
    fixed: float
    moving: float
    laplace: bool


def suits(loss: Loss, count: int) -> bool:
    """Whether a loss is made of few turning terms."""
    if isinstance(loss, AtomicLoss):
        return 0 < len(loss.losses) <= FEW_VALUES and count <= FEW_TIMES
    return isinstance(loss, LaplaceLoss) and loss.ratio > 0.0 and count <= FEW_TIMES


def factors(parts: list[tuple[Loss, int]], s: Complexes, n: Floats | None) -> Factors:
    """The moments of some losses together, at rising nodes of one line."""
    theta, t = float(s[0].real), s.imag
    turning = [
        _points(loss, often, theta)
        if isinstance(loss, AtomicLoss)
        else _laplace(loss, often, theta)
        for loss, often in parts
        if isinstance(loss, AtomicLoss | LaplaceLoss)
    ]
    tables = [] if n is None else _tables(turning, n, float(t[-1] - t[0]))
    value, error = np.ones(len(t), dtype=np.complex128), np.zeros(len(t))
    for block in _in_blocks(len(t), n):
        whole, off = value[block], error[block]
        r, away = 0.5 / (s[block] + 0.5), t[block] - t[block.start]
        place = None if n is None else _places(n[block])
        for i, each in enumerate(turning):
            turns = (
                [np.exp(1j * gap * away) for gap in each.gaps]
                if place is None
                else [table[place] for table in tables[i]]
            )
            found, lost = _factor(each, turns, t[block], r)
            off += each.often * lost
            for _ in range(each.often):
                whole *= found
    first = sum(each.often * each.first for each in turning)
    value *= np.exp(1j * first * t)
    sizes = sum(each.often * (1.0 + abs(each.log_scale)) for each in turning)
    # a phase: four roundings, twice; for each factor a complex product, and its scale
    error += ULP * (8.0 + 4.0 * abs(first) * np.abs(t) + 4.0 * sizes + 4.0 * len(parts))
    faint = np.abs(value) < LEAST_PRODUCT
    value[faint], error[faint] = LEAST_PRODUCT, error[faint] + ALL_ROUNDING
    return Factors(value, error, sum(each.often * each.log_scale for each in turning))


def _tables(turning: list[Turning], n: Floats, length: float) -> list[list[Complexes]]:
    """Turns by a step, two steps, and so on, of each term of each loss."""
    most = min(BLOCK, int(n[-1]) + 1)
    steps = 1j * (length / max(float(n[-1]), 1.0)) * np.arange(most)
    return [[np.exp(gap * steps) for gap in each.gaps] for each in turning]


def _in_blocks(count: int, n: Floats | None) -> list[slice]:
    """Nodes at a time: as many as fit into a table."""
    places = np.arange(count) if n is None else n
    edges = np.flatnonzero(np.diff(places // BLOCK)) + 1
    ends = [0, *edges.tolist(), count]
    return [slice(*pair) for pair in pairwise(ends)]


def _places(n: Floats) -> slice | Rows:
    """The rows of the tables that hold the turns of a block."""
    if n[-1] - n[0] == len(n) - 1:
        return slice(0, len(n))
    return np.asarray(n - n[0], dtype=np.intp)


def _points(loss: AtomicLoss, count: int, theta: float) -> Turning:
    """p e^(theta l), around the largest."""
    log_scale, _, weights = loss._around(theta)
    size = float(weights.sum())
    share, gaps = weights / size, loss.losses - loss.losses[0]
    far = float((share * np.abs(loss.losses)).sum())
    fixed = 48.0 + 4.0 * abs(log_scale) + 8.0 * (abs(theta) + 1.0) * far
    moving = 8.0 * float((share * gaps).sum())
    first, total = float(loss.losses[0]), log_scale + float(np.log(size))
    steady, sizes = float(share[0]), share[1:]
    return Turning(count, first, gaps[1:], steady, sizes, total, fixed, moving, False)


def _laplace(loss: LaplaceLoss, count: int, theta: float) -> Turning:
    """M = e^(sc) / 2 (1 + r + e^(-2 u c) (1 - r)), u = s + 1/2 and r = 1 / 2u; for theta > -1/2."""
    c, u = loss.ratio, theta + 0.5
    down, r = float(np.exp(-2.0 * u * c)), 0.5 / u
    whole = 1.0 + r + down * (1.0 - r)
    sizes = np.array([down / whole])
    log_scale = theta * c + float(np.log(whole / 2.0))
    return Turning(
        count, c, np.array([-2.0 * c]), 1.0 / whole, sizes, log_scale, 64.0, 32.0 * c, True
    )


def _factor(
    each: Turning, turned: list[Complexes], t: Floats, r: Complexes
) -> tuple[Complexes, Floats]:
    """One loss, once, at a block of nodes."""
    found: Complexes = np.zeros(len(t), dtype=np.complex128)
    for gap, size, turns in zip(each.gaps, each.sizes, turned, strict=True):
        found += turns * (size * np.exp(1j * gap * t[0]))
    if each.laplace:
        found *= 1.0 - r
        found += each.steady * (1.0 + r)
    else:
        found += each.steady
    size = np.sqrt(found.real**2 + found.imag**2)
    lost = ULP * (each.fixed + each.moving * np.abs(t)) / np.maximum(size, LEAST_FACTOR)
    if size.min() < LEAST_FACTOR:
        found[size < LEAST_FACTOR] = LEAST_FACTOR
    return found, np.log1p(lost) if lost.max() > 0.01 else lost


class LatticeMoments(NamedTuple):
    """M(s) / M(theta) at s = theta + 2 pi i n / (N h), n = 0 ..."""

    ratios: Complexes
    log_scale: float
    error: float


def lattice_moments(loss: AtomicLoss, theta: float, nodes: int, spacing: float) -> LatticeMoments:
    """Moments of a loss on the lattice {j h} at all nodes of a line that goes once round it."""
    there = loss.masses > 0.0  # some underflow
    points, logs = (
        np.rint(loss.losses[there] / spacing).astype(np.int64),
        np.log(loss.masses[there]),
    )
    exponent = theta * (points * spacing) + logs
    largest = float(exponent.max())
    tilted = np.exp(exponent - largest)
    total = float(tilted.sum())
    folded = np.bincount(points % nodes, tilted / total, nodes)
    return LatticeMoments(
        np.fft.rfft(folded).conj(),
        largest + float(np.log(total)),
        _error_of_moments(loss, there, tilted / total, theta, nodes, spacing),
    )


def _error_of_moments(
    loss: AtomicLoss,
    there: npt.NDArray[np.bool_],
    weights: Floats,
    theta: float,
    nodes: int,
    spacing: float,
) -> float:
    """At most how far a ratio, or the scale, is off."""
    exponent = np.abs(theta * loss.losses[there]) + np.abs(np.log(loss.masses[there]))
    terms = float((weights * exponent).sum()) + float(exponent[np.argmax(weights)])
    turns = float(np.ptp(loss.losses)) / (nodes * spacing)
    # roundings, as said above; 8 for weights, their sum and the scale
    return ULP * (2.0 * terms + turns + 8.0 + 4.0 * sum(_prime_factors(nodes)))


def smooth_number(least: int) -> int:
    """The smallest such number of nodes without a prime factor beyond 5: transforms are quick."""
    best = 1 << (least - 1).bit_length()
    fives = 1
    while fives < best:
        threes = fives
        while threes < best:
            best = min(best, threes << max(0, (-(-least // threes) - 1).bit_length()))
            threes *= 3
        fives *= 5
    return best


def _prime_factors(n: int) -> list[int]:
    factors, trial = [], 2
    while trial * trial <= n:
        while n % trial == 0:
            factors.append(trial)
            n //= trial
        trial += 1
    return factors + [n] * (n > 1)
