"""A moment generating function all the way round a lattice, by one transform."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import ULP, Complexes


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
