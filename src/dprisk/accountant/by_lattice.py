"""Discrete Gaussians on a lattice: delta at its points, and a line in e^x from one to the next."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple, final

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk._numeric.rounding import SMALLEST
from dprisk.accountant.base import ComposedLoss, Parts
from dprisk.accountant.bracket import Bracket
from dprisk.accountant.by_contour import ByContour
from dprisk.accountant.contour import PLACE
from dprisk.losses.base import ULP
from dprisk.losses.discrete_gaussian import DiscreteGaussianLoss
from dprisk.theorems import LATTICE_CORNERS, Theorem

FARTHEST = 300.0  # nats
NARROWEST = 1.0  # sigma: below, probabilities of neighbors differ by too much for a common slack
SCALE = 2.0**600  # of delta, so that no slope in e^x is too small or too large for a float
UNSEEN = 751.0  # nats: what is so rare is less than any float
# of e^x, and of a corner in it: two roundings each, and one of a product
SHIFT = 4 * ULP
# of a value between two corners, relative to the larger one: six roundings, four of a mirror image
BETWEEN = 8 * ULP


class Polygon(NamedTuple):
    """Values times `SCALE` at rising u = e^x, the first of them at 0; and the one beyond."""

    u: Floats
    values: Floats
    beyond: float

    @classmethod
    def of(cls, before: Floats, after: Floats, values: Floats, blur: float) -> Polygon:
        """From delta at rising x >= 0: there at `after`, its mirror image at minus `before`."""
        below = -np.expm1(-after[1:]) + np.exp(-after[1:]) * values[1:]
        u = np.concatenate([[0.0], np.exp(-before[:0:-1]), np.exp(after)])
        whole = SCALE * np.concatenate([[1.0], below[::-1], values])
        whole = whole + blur * (whole + np.append(SCALE, whole[:-1]))
        return cls(u, whole, SCALE * float(values[-1]))

    def value(self, u: Floats) -> Floats:
        """At any u, as computed."""
        return np.interp(u, self.u, self.values, right=self.beyond) / SCALE


@final
@dataclass(frozen=True, eq=False)
class ByLattice(ComposedLoss):
    """A sum whose positive values are `corners`; what else is asked is known by `lines`."""

    theorem: ClassVar[Theorem] = LATTICE_CORNERS

    lines: ByContour
    corners: Floats

    @property
    def infinite(self) -> float:
        """No output is impossible."""
        return 0.0

    @property
    def support(self) -> tuple[float, float]:
        """Without an end."""
        return self.lines.support

    def delta(self, x: Floats) -> Bracket:
        """Between two corners."""
        return Bracket(self.anywhere(x, False), self.anywhere(x, True))

    def anywhere(self, x: Floats, upper: bool) -> Floats:
        """delta at any x, negative or not, at least or at most."""
        with np.errstate(over="ignore"):
            u = np.exp(x)
        low, high = self._polygons
        if upper:
            return np.minimum(high.value(u * (1.0 - SHIFT)) + SMALLEST, 1.0)
        return np.maximum(low.value(u * (1.0 + SHIFT)) - SMALLEST, 0.0)

    @cached_property
    def _polygons(self) -> tuple[Polygon, Polygon]:
        """At least and at most, from delta a little beyond each corner, wherever that is."""
        lattice, chernoff = self.lines.moments.lattice, self.lines.moments.profile
        end = float(((chernoff.bound[1:] + UNSEEN) / chernoff.theta[1:]).min())
        x = np.concatenate([[0.0], self.corners, [max(end, 1.01 * float(self.corners[-1]))]])
        off = PLACE * (x + (abs(lattice.origin) if lattice else 0.0))
        low, high = self.lines.delta(np.append(0.0, x + off))
        low = np.append(low[1:-2], [0.0, 0.0])  # of which the mirror image is at most 1 - e^x
        after = np.append(0.0, (x + off)[1:])
        return (
            Polygon.of(x + off, x - off, low, -BETWEEN),
            Polygon.of(after, after, np.append(high[0], high[2:]), BETWEEN),
        )

    def slope(self, x: Floats) -> Floats:
        """As computed on the lines."""
        return self.lines.slope(x)

    def epsilon(self, delta: Floats) -> Bracket:
        """By the lines."""
        return self.lines.epsilon(delta)

    def tail(self, x: Floats, other: bool = False) -> Bracket:
        """By the lines."""
        return self.lines.tail(x, other)

    def kinks(self, most: int) -> Floats | None:
        """The corners."""
        return self.corners if len(self.corners) <= most else None

    @property
    def corners_off(self) -> float:
        """The same as for the lines."""
        return self.lines.corners_off

    def cheap(self) -> ComposedLoss:
        """Itself."""
        return self

    def mean_sd_range(self) -> tuple[float, float, float]:
        """By the moments."""
        return self.lines.mean_sd_range()


def as_lattice(parts: Parts, accuracy: float, most: int) -> ByLattice | None:
    """Discrete Gaussians on one lattice, with so many points of it within reach at most."""
    noise = [loss for loss, _ in parts if isinstance(loss, DiscreteGaussianLoss)]
    if len(noise) < len(parts) or min(loss.sigma for loss in noise) < NARROWEST:
        return None
    lines = ByContour(parts, accuracy)
    lattice = lines.moments.lattice
    if lattice is None or not lines.mean_sd_range()[2] < FARTHEST:
        return None
    corners = lines.kinks(most)
    if corners is None:
        return None
    return ByLattice(lines, corners[corners > lattice.spacing / 4.0])  # 0 is one anyway
