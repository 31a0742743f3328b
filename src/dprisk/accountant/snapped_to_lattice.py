"""A loss on a lattice but for rounding, again and again: moved onto it, and back in the bracket."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, final

import numpy as np

from dprisk._numeric.invert import keep
from dprisk._numeric.logspace import Floats
from dprisk.accountant.abscissas import MOST_NODES
from dprisk.accountant.base import ComposedLoss, Parts
from dprisk.accountant.bracket import Bracket
from dprisk.accountant.by_contour import ByContour
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import ULP, Lattice
from dprisk.losses.mgf_decay import Steps
from dprisk.theorems import CONTOUR, Theorem

WORTHWHILE = 1e3  # of the accuracy: what else there is costs more


@final
@dataclass(frozen=True, eq=False)
class SnappedToLattice(ComposedLoss):
    """A sum whose values lie near those of one on a lattice."""

    theorem: ClassVar[Theorem] = CONTOUR

    near: ComposedLoss
    off: float

    @property
    def infinite(self) -> float:
        """The same."""
        return self.near.infinite

    @property
    def support(self) -> tuple[float, float]:
        """A little wider."""
        low, high = self.near.support
        return low - self.off, high + self.off

    @property
    def largest(self) -> float:
        """A little less."""
        return self.near.largest - self.off

    def delta(self, x: Floats) -> Bracket:
        """That on the lattice a little up and down; below 0 it grows by less than 1 a nat."""
        before = x - self.off
        ends = np.concatenate([x + self.off, np.maximum(before, 0.0)])
        found = self.near.delta(ends)
        high = found.upper[len(x) :] + np.maximum(-before, 0.0)
        high = np.where(x >= self.support[1], self.infinite, high)
        return Bracket(found.lower[: len(x)], np.minimum(high, 1.0))

    def slope(self, x: Floats) -> Floats:
        """The slope on the lattice."""
        return self.near.slope(x)

    def epsilon(self, delta: Floats) -> Bracket:
        """Epsilon on the lattice, and a little more to either side."""
        low, high = self.near.epsilon(delta)
        high = np.where(np.isfinite(high), np.minimum(high + self.off, self.support[1]), high)
        high = keep(np.maximum(high, 0.0), lambda x: self.delta(x).upper <= delta)
        return Bracket(np.maximum(low - self.off, 0.0), high)

    def tail(self, x: Floats, other: bool = False) -> Bracket:
        """That on the lattice a little up and down; under Q a loss so near weighs e^-off more."""
        low = self.near.tail(x + self.off, other).lower
        high = self.near.tail(np.maximum(x - self.off, 0.0), other).upper
        high = np.where(x < self.off, 1.0, high)
        if other:
            low, high = low * np.exp(-self.off), np.minimum(high * np.exp(self.off), 1.0)
        return Bracket(low, high)

    def kinks(self, most: int) -> Floats | None:
        """None: each is many."""
        return None

    def cheap(self) -> ComposedLoss:
        """By fewer nodes of the other."""
        quick = self.near.cheap()
        return self if quick is self.near else replace(self, near=quick)

    def mean_sd_range(self) -> tuple[float, float, float]:
        """Those of the sum on the lattice."""
        mean, deviation, most = self.near.mean_sd_range()
        return mean, deviation, most + self.off


def as_snapped_to_lattice(
    parts: Parts, accuracy: float, nodes: int = MOST_NODES
) -> SnappedToLattice | None:
    """The sum of one loss, moved, where that costs next to nothing."""
    if len(parts) != 1:
        return None
    loss, count = parts[0]
    if not isinstance(loss, AtomicLoss) or loss.on is not None or loss.steps is None:
        return None
    moved, off = _moved(loss, loss.steps)
    if not count * off <= WORTHWHILE * accuracy:
        return None
    return SnappedToLattice(ByContour(((moved, count),), accuracy, nodes=nodes), count * off)


def _moved(loss: AtomicLoss, steps: Steps) -> tuple[AtomicLoss, float]:
    """On the lattice, with Q's probabilities so that they still add up to one; how far at most."""
    origin, spacing, multiples, _ = steps
    there = loss.masses > 0.0
    losses = origin + spacing * multiples
    rest = float(loss.reverse_masses[there].sum())
    if rest > 0.0:  # to a few ulp of the origin, as all places of the lattice are
        most = loss.masses[there] * np.expm1(-losses[there])
        origin += float(np.log1p((most.sum() + loss.reverse_infinite - loss.infinite) / rest))
    losses = origin + spacing * multiples
    # a product, a sum and a difference: three roundings
    off = np.abs(loss.losses - losses) + 4.0 * ULP * (np.abs(loss.losses) + abs(origin))
    on = Lattice(origin, spacing)
    reverse = np.where(there, loss.masses * np.exp(-losses), loss.reverse_masses)
    moved = AtomicLoss.part(losses, loss.masses, loss.infinite, on, loss.reverse_infinite, reverse)
    return moved, float(off.max()) * (1.0 + 1e-9)
