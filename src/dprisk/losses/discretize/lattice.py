"""Two losses on a lattice around any loss: one that dominates it, one that it dominates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import Domain
from dprisk._numeric.logspace import Floats
from dprisk._numeric.rounding import LEAST_NORMAL
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import ULP, Lattice, LossPair
from dprisk.losses.discretize.merge import SAME, landed, moved, together
from dprisk.losses.exponential_sums import Whole

Bools = npt.NDArray[np.bool_]

RELATIVE_ERROR = 3e-13
"""Both losses are those of a pair of distributions whose probabilities differ from the given ones
by at most this factor, under P and under Q: with k losses composed, delta(x) lies between
(1 - k r) delta_lower(x + 2 k r) and (1 + k r) delta_upper(x - 2 k r), to first order in r. Where
one loss stands for both directions it is more: the pair says how much."""

SPACING = Domain(1e-9, 1.0, advice="A spacing such as 1e-4 nats suits most uses.")
TOTAL = 1e-13  # how far from one probabilities may add up

ALIKE = 1e-3  # of h^2: how much two directions that are alike may differ


class Sided(NamedTuple):
    """Outcomes by the lattice point next to them, and the side of it on which they are."""

    sides: Whole
    masses: Floats
    excess: Floats

    @classmethod
    def of(cls, masses: Floats, losses: Floats, spacing: float) -> Sided:
        """Rows of outcomes that lie on the same side of the same point, each summed."""
        middle = losses[:, losses.shape[1] // 2]
        nearest = np.rint(middle / spacing)
        away = losses - (nearest * spacing)[:, None]
        side = np.sign(away[:, losses.shape[1] // 2]).astype(np.int64)
        # a product and a difference: two roundings
        side[np.abs(middle - nearest * spacing) <= SAME + 2.0 * ULP * np.abs(middle)] = 0
        excess = np.einsum("ij,ij->i", masses, -np.expm1(-away))
        excess[side == 0] = 0.0
        return cls(3 * nearest.astype(np.int64) + side, np.einsum("ij->i", masses), excess)


@final
@dataclass(frozen=True, eq=False)
class Outcomes:
    """Probabilities near the points of a lattice: on a point, above it and below it."""

    spacing: float
    points: Whole
    on: Floats
    above: Floats
    below: Floats
    rise: Floats
    fall: Floats
    infinite: float
    reverse_infinite: float
    far: Floats
    origin: float = 0.0

    @classmethod
    def of(
        cls,
        sided: Sided,
        spacing: float,
        only: tuple[float, float] = (0.0, 0.0),
        far: Floats | None = None,
        origin: float = 0.0,
    ) -> Outcomes:
        """Outcomes by the nearest point."""
        sides, (p, excess) = together(*sided)
        point = (sides + 1) // 3
        new = np.append(True, point[1:] > point[:-1])[: len(point)]
        points, at = point[new], np.cumsum(new) - 1
        sums = np.zeros((5, len(points)))
        for side, row in ((0, 0), (1, 1), (-1, 2)):
            some = np.flatnonzero(sides - 3 * point == side)
            sums[row, at[some]] = p[some]
            if side:
                sums[row + 2, at[some]] = np.abs(excess[some])
        on, above, below, rise, fall = sums
        # too rare for floats: raised to what they hold, which only brings P and Q closer
        far = np.maximum(np.zeros((0, 2)) if far is None else far, LEAST_NORMAL)
        return cls(spacing, points, on, above, below, rise, fall, *only, far, origin)

    def pair(self, label: str) -> LossPair:
        """Both directions at once: p and q of all that is touched are kept."""
        lower, upper = self.lower(), self.upper()
        shown = self.infinite, self.reverse_infinite  # `far` is possible under both
        tolerance = ALIKE * self.spacing**2
        below, above = mirrored(lower, tolerance, False), mirrored(upper, tolerance, True)
        if self.origin or below is None or above is None:
            back = (lower.reverse(), upper.reverse())
            return LossPair((lower, upper), back, True, label, RELATIVE_ERROR, shown)
        both = (below[0], above[0])
        blur = RELATIVE_ERROR + max(below[1], above[1])
        return LossPair(both, both, True, label, blur, (max(shown), max(shown)))

    def upper(self) -> AtomicLoss:
        """Dominates: each outcome is split between its two neighbors, or shows who it was."""
        to_next = self.rise / -np.expm1(-self.spacing)
        to_last = self.fall / np.expm1(self.spacing)
        stay = self.on + (self.above - to_next) + (self.below - to_last)
        points = np.concatenate([self.points, self.points + 1, self.points - 1])
        at, sums = together(points, np.concatenate([stay, to_next, to_last]))
        return self._loss(at, sums[0], *self.far.sum(axis=0))

    def lower(self) -> AtomicLoss:
        """Is dominated: cells around the points are merged, and take until they land."""
        points, (masses, excess) = together(*self._cells())
        points, masses = landed(points, masses, excess, self.spacing)
        if len(points) or not len(self.points):
            return self._loss(points, masses)
        return self._single()

    def _single(self) -> AtomicLoss:
        """All finite outcomes merged: they take from those that are impossible under P or Q."""
        masses = self.on + self.above + self.below
        under_q = np.exp(np.log(masses - self.rise + self.fall) - self._at(self.points))
        p = float(masses.sum() + self.far[:, 0].sum())
        q = float(under_q.sum() + self.far[:, 1].sum())
        point = np.floor((np.log(p / q) - self.origin) / self.spacing)
        other = p * np.exp(-self._at(point))
        if other - q < self.reverse_infinite:
            return self._loss(np.array([point]), np.array([p]), 0.0, float(q - other))
        point += 1.0
        other = q * np.exp(self._at(point))
        if other - p < self.infinite:
            return self._loss(np.array([point]), np.array([other]), float(p - other))
        return AtomicLoss.part([0.0], [1.0], 0.0, Lattice(0.0, self.spacing))

    def _cells(self) -> tuple[Whole, Floats, Floats]:
        """Points, probabilities and excesses of what is merged."""
        alone = self.on >= self.above + self.below
        next_to = np.diff(self.points) == 1
        alone_above = np.append(next_to & alone[1:], False)
        alone_below = np.append(False, next_to & alone[:-1])
        up = alone & (self.above > 0.0) & ~(alone_above & (self.points >= 0))
        down = alone & (self.below > 0.0) & ~(alone_below & (self.points <= 0))
        above, rise = np.where(up, 0.0, self.above), np.where(up, 0.0, self.rise)
        below, fall = np.where(down, 0.0, self.below), np.where(down, 0.0, self.fall)
        far_loss = np.log(self.far[:, 0]) - np.log(self.far[:, 1]) - self.origin
        far = np.rint(far_loss / self.spacing).astype(np.int64)
        far_excess = self.far[:, 0] * -np.expm1(far * self.spacing - far_loss)
        raised = moved(self.above[up], self.rise[up], 1, self.spacing)
        lowered = moved(self.below[down], -self.fall[down], -1, self.spacing)
        return (
            np.concatenate([self.points, self.points[up] + 1, self.points[down] - 1, far]),
            np.concatenate(
                [self.on + above + below, self.above[up], self.below[down], self.far[:, 0]]
            ),
            np.concatenate([rise - fall, raised, lowered, far_excess]),
        )

    def _at(self, points: Whole | Floats) -> Floats:
        return np.asarray(points * self.spacing + self.origin)

    def _loss(
        self, points: Whole | Floats, masses: Floats, shown: float = 0.0, reverse_shown: float = 0.0
    ) -> AtomicLoss:
        return AtomicLoss.part(
            self._at(points),
            masses,
            self.infinite + shown,
            Lattice(0.0, self.spacing),
            self.reverse_infinite + reverse_shown,
        )


FAINT_PROBABILITY = 1e-90  # that both directions may differ by: next to nothing


def mirrored(loss: AtomicLoss, tolerance: float, above: bool) -> tuple[AtomicLoss, float] | None:
    """One loss for both directions."""
    shown = (loss.infinite, loss.reverse_infinite)
    if loss.on is None or not max(shown) <= min(shown) * (1.0 + tolerance) + FAINT_PROBABILITY:
        return None
    places = np.rint(loss.losses / loss.on.spacing).astype(np.int64)
    opposite = np.minimum(np.searchsorted(places, -places), len(places) - 1)
    own = loss.masses
    other = np.where(places[opposite] == -places, loss.reverse_masses[opposite], 0.0)
    apart, least = np.abs(own - other), np.minimum(own, other)
    differ = apart > tolerance * least
    furthest = np.abs(places[differ]).min(initial=np.abs(places).max() + 1)
    core = np.abs(places) < furthest
    outside = float(max(own[~core].sum(), loss.reverse_masses[~core].sum()))
    if outside > FAINT_PROBABILITY or not core.any():
        return None
    off = apart[core] / np.maximum(least[core], np.finfo(float).tiny)
    both = max(shown) + outside if above else min(shown)
    one = AtomicLoss.part(
        loss.losses[core],
        loss.masses[core],
        both,
        loss.on,
        both,
        loss.reverse_masses[core],
    )
    return one, float(off.max())
