"""What the least concave curve above all power curves says: the privacy profile, mu, f-DP."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from dprisk._numeric.invert import keep
from dprisk._numeric.logspace import Floats
from dprisk._numeric.majorant import whole_numbers
from dprisk.audit import tails, witnesses
from dprisk.audit.curve import Corners
from dprisk.audit.findings import FloatFinding, Witness, between
from dprisk.audit.finite import FiniteMechanism
from dprisk.audit.pairwise import scaled
from dprisk.audit.relation import NeighborRelation, Whole
from dprisk.guarantees.approximate import ApproxDPCurve, of_tests
from dprisk.guarantees.base import Neighbors
from dprisk.losses.base import ULP


@final
@dataclass(frozen=True, eq=False)
class MostPower:
    """The most power that any test has at each level, as corners, and whose tests those are."""

    mechanism: FiniteMechanism
    relation: NeighborRelation
    corners: Corners

    def delta(self, limits: Floats) -> FloatFinding:
        """The privacy profile at each limit."""
        high, _ = _support(self.corners, limits, self._slack)
        low, at = _support(self.corners, limits, -self._slack)
        return between("adp", low, high, self._beyond(at, limits))

    def epsilon(self, wanted: Floats) -> FloatFinding:
        """Its inverse at each slack."""
        high, _ = _slopes(self.corners, wanted, self._slack)
        high = keep(high, lambda e: _support(self.corners, e, self._slack)[0] <= wanted)
        low, at = _slopes(self.corners, wanted, -self._slack)
        return between("adp", low, high, self._beyond(at, low), quantity="epsilon")

    def mu(self) -> FloatFinding:
        """How far apart two normals have to be so that no test does better than on them."""
        high, _ = _normals(self.corners, self._slack)
        low, at = _normals(self.corners, -self._slack)
        return between("gdp", low, high, (self._test(at),))

    def tests(self) -> list[tuple[float, float, Witness]]:
        """Level, power and test of each corner."""
        return [
            (float(x), float(y), self._test(n))
            for n, (x, y) in enumerate(zip(self.corners.x, self.corners.y, strict=True))
        ]

    def guarantee(self, neighbors: Neighbors) -> ApproxDPCurve:
        """The lines that the most power touches: never below the truth."""
        levels, powers = _moved(self.corners, self._slack)
        both = np.concatenate([levels, np.minimum(powers, 1.0)]).tolist()
        whole, one = whole_numbers(both)
        tests = zip(whole[: len(levels)], whole[len(levels) :], strict=True)
        return of_tests(tests, one, neighbors)

    @cached_property
    def _slack(self) -> float:
        return tails.slack(self.mechanism)

    def _beyond(self, at: Whole, limits: Floats) -> tuple[Witness, ...]:
        """The outputs with a loss above each limit, of the pairs whose corners those are."""
        return tuple(
            witnesses.beyond(self.mechanism, *self._owner(int(n)), limit)
            for n, limit in zip(at, limits.tolist(), strict=True)
        )

    def _owner(self, at: int) -> tuple[int, int]:
        if not self.corners.x.size:
            return int(self.relation.first[0]), int(self.relation.second[0])
        return int(self.corners.first[at]), int(self.corners.second[at])

    def _test(self, at: int) -> Witness:
        """The test at a corner."""
        if not self.corners.x.size:
            return witnesses.at_order(self.mechanism, *self._owner(0), None)
        power = float(self.corners.y[at])
        return witnesses.powerful(self.mechanism, *self._owner(at), power)


def most_power(
    mechanism: FiniteMechanism, relation: NeighborRelation, corners: Corners
) -> MostPower:
    """The corners, where pairs count in both directions only up to where they rise by 45 degrees:
    from there on the curve is its own mirror image."""
    if relation.symmetric:
        run = np.diff(corners.x, prepend=0.0)
        corners = corners.take(np.diff(corners.y, prepend=0.0) >= run * (1.0 - 1e-12))
    return MostPower(mechanism, relation, corners)


def _support(corners: Corners, limits: Floats, slack: float) -> tuple[Floats, Whole]:
    """Largest y - e^limit x over the corners, and at which of them."""
    if not corners.x.size:
        return np.zeros(limits.size), np.zeros(limits.size, dtype=np.intp)
    x, y = _moved(corners, slack)
    excess = y - scaled(x[None, :], limits[:, None])
    at = np.argmax(excess, axis=1)
    return np.clip(excess[np.arange(limits.size), at], 0.0, 1.0), at


def _slopes(corners: Corners, wanted: Floats, slack: float) -> tuple[Floats, Whole]:
    """Least limit with y - e^limit x at most as wanted for all corners, and which of them binds."""
    if not corners.x.size:
        return np.zeros(wanted.size), np.zeros(wanted.size, dtype=np.intp)
    x, y = _moved(corners, slack)
    over = y > wanted[:, None]
    with np.errstate(divide="ignore"):
        power, level = np.log(np.where(over, y - wanted[:, None], 1.0)), np.log(np.maximum(x, 0.0))
    rise = np.where(over, power - level, -np.inf)
    at = np.argmax(rise, axis=1)
    found = rise[np.arange(wanted.size), at]
    size = 1.0 + np.abs(power[np.arange(wanted.size), at])
    size = size + np.where(np.isfinite(found), np.abs(level[at]), 0.0)
    # two logarithms and their difference: five roundings, by the size of either
    found = found + np.sign(slack) * 4 * ULP * size
    return np.where(wanted >= 1.0, 0.0, np.maximum(found, 0.0)), at


def _normals(corners: Corners, slack: float) -> tuple[float, int]:
    """How far apart two normals have to be so that no corner lies above their power curve."""
    from dprisk._numeric.normal import ndtri

    if not corners.x.size:
        return 0.0, 0
    x, y = _moved(corners, slack)
    with np.errstate(invalid="ignore"):
        apart = ndtri(np.minimum(y, 1.0)) - ndtri(np.clip(x, 0.0, 1.0))
    apart = np.where(corners.x < 1.0 - 2 * abs(slack), apart, 0.0)  # (1, 1) is no test
    apart = apart * (1.0 + np.sign(slack) * 1e-12)
    at = int(np.argmax(apart))
    return max(float(apart[at]), 0.0), at


def _moved(corners: Corners, slack: float) -> tuple[Floats, Floats]:
    return corners.x * (1.0 - slack), corners.y * (1.0 + slack)
