"""How a few questions about a sum are answered without many samples of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.accountant.base import ComposedLoss
from dprisk.accountant.by_atoms import ByAtoms
from dprisk.accountant.by_contour import UNDERFLOW, ByContour, slopes
from dprisk.accountant.by_lattice import ByLattice
from dprisk.accountant.by_shifts import ByShifts
from dprisk.accountant.by_truncation import ByTruncation
from dprisk.accountant.lattice_fft import TURN

FAINT_LOG_TAIL = -690.0  # nats: the logarithm of a tail that is not told from smaller ones
MOST_GROUPS = 2**7  # of values that shift a tail
MOST_SHIFTS, MOST_PLACES = 2**3, 2**7  # of these from which places come, and of places

Falling = Callable[[Floats, Floats], Floats]
"""Of the tails under P and under Q: never rising with x."""


class RoughTails(NamedTuple):
    """P[Z > x] and Q[Z > x] at rising x, roughly; and about the standard deviation of Z."""

    x: Floats
    own: Floats
    other: Floats
    deviation: float

    def place(self, falling: Falling, goal: Floats) -> Floats:
        """About where a falling function of both is `goal`."""
        rising = np.minimum.accumulate(falling(self.own, self.other))[::-1]
        return np.asarray(np.interp(goal, rising, self.x[::-1]))


def quick(loss: ComposedLoss) -> ComposedLoss:
    """The same sum, in brackets that are cheap for a few questions."""
    if isinstance(loss, ByContour):
        return loss.with_few_nodes
    if isinstance(loss, ByShifts):
        return loss.beside(quick(loss.many), quick(loss.back))
    return loss


def rough_tails(loss: ComposedLoss) -> RoughTails | None:
    """Both tails, without a question to the loss; None where nothing is known of them."""
    if isinstance(loss, ByTruncation):
        return _expanded(loss.for_the_bulk)
    if isinstance(loss, ByShifts):
        return _shifted(loss)
    if isinstance(loss, ByLattice):
        return _expanded(loss.lines)
    return _expanded(loss) if isinstance(loss, ByContour) else None


def _expanded(loss: ByContour) -> RoughTails | None:
    """By saddle-point expansions at the abscissas."""
    moments = loss.moments
    if not np.isfinite(moments.unit):
        return None
    theta, log_m = moments.theta, moments.at_theta
    x = slopes(log_m, theta)
    wide = np.sqrt(TURN * np.maximum(slopes(x, theta), UNDERFLOW))
    own, other = (
        np.exp(np.clip(log_m - at * x - np.log1p(at * wide), FAINT_LOG_TAIL, 0.0))
        for at in (theta, theta + 1.0)
    )
    rising = np.maximum.accumulate(x)
    return RoughTails(rising, own + moments.infinite, other, 1.0 / moments.unit)


def _shifted(loss: ByShifts) -> RoughTails | None:
    """Means over the few values."""
    there = rough_tails(loss.many)
    if there is None:
        return None
    a, p, q = _grouped(loss.few)
    x = _some(np.unique(np.add.outer(_some(a, MOST_SHIFTS), there.x)), MOST_PLACES)
    own, other = (
        np.exp(np.interp(np.subtract.outer(x, a), there.x, np.log(np.maximum(tail, UNDERFLOW))))
        for tail in (there.own, there.other)
    )
    return RoughTails(x, own @ p + loss.few.mass_at_infinity, other @ q, there.deviation)


def _grouped(few: ByAtoms) -> tuple[Floats, Floats, Floats]:
    """Values, and probabilities under P and under Q: neighbors together, where they are many."""
    a, p = few.losses, few.masses
    first = np.arange(0, len(a), -(-len(a) // MOST_GROUPS))
    together = np.add.reduceat(p, first)
    means = np.add.reduceat(p * a, first) / np.maximum(together, UNDERFLOW)
    values = np.clip(means, a[first], a[np.append(first[1:], len(a)) - 1])
    return values, together, np.add.reduceat(p * np.exp(-a), first)


def _some(x: Floats, most: int) -> Floats:
    """So many of them at most, evenly."""
    return x[:: -(-len(x) // most)]
