"""Where searches for a least value over a privacy profile begin: from a table of the profile."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, final

import numpy as np

from dprisk._numeric.logspace import Floats, log
from dprisk.accountant.base import ComposedLoss
from dprisk.accountant.duality_shapes import Shape
from dprisk.accountant.few_questions import Falling

MOST_CORNERS = 2048  # so many can be looked at one by one
SPREAD = 0.1  # of a standard deviation, between points
POINTS = 6  # to guess from: a polynomial of order 5 through them
LEAST_ASIDE = 3e-5  # of the distance of two points: how near a guess is, mostly
RISE = 6.0  # so many widths of its bracket a function rises from its least value, far enough aside


def by_own(own: Floats, other: Floats) -> Floats:
    """Logarithm of the tail under P."""
    return log(own)


def by_other(own: Floats, other: Floats) -> Floats:
    """Logarithm of the tail under Q."""
    return log(other)


def by_ratio(own: Floats, other: Floats) -> Floats:
    """Logarithm of the tail under Q over that under P."""
    return log(np.divide(other, own, out=np.zeros_like(other), where=own > 0.0))


def by_sum(own: Floats, other: Floats) -> Floats:
    """Logarithm of both together."""
    return log(own + other)


def spread(loss: ComposedLoss, deep: bool) -> Floats:
    """Points about evenly apart where delta falls from 1 to little; ever further on both sides."""
    middle, deviation, most = loss.mean_sd_range()
    if not deviation > 0.0:  # there is no loss
        return np.array([0.5, 1.0])
    step, near = SPREAD * deviation, min(middle + 9.0 * deviation, most)
    first = max(middle - 9.0 * deviation, 0.0)
    count = int(np.clip((near - first) / step, 16, MOST_CORNERS))
    points = [np.linspace(first, near, count + 1)[1:]]
    if first > step:  # delta is nearly 1 there
        points.insert(0, first - step * np.exp2(np.arange(int(np.log2(first / step)), -1, -1)))
    if deep and most > near:
        points.append(np.geomspace(near, most, 2 + int(20.0 * np.log(most / near)))[1:])
    if deep or near >= most:
        points.append(np.array([1.001 * most]))  # beyond a last corner there is nothing
    return np.concatenate(points)


class Crossing(NamedTuple):
    """Where a falling function takes a value: a polynomial through six points, the axes
    exchanged."""

    ends: tuple[float, float]
    turns: Floats
    first: Floats
    coefficients: Floats
    aside: Floats

    @classmethod
    def of(cls, t: Floats, falling: Floats, rise: Floats) -> Crossing | None:
        """From at least six points; (2 rise)^(1/2) is how far aside of it f is seen to rise."""
        useful = np.flatnonzero(np.isfinite(falling))
        x = np.maximum.accumulate(-falling[useful])
        useful = useful[np.append(True, np.diff(x) > 0.0)[: len(useful)]]
        if len(useful) < POINTS:
            return None
        x, y = -falling[useful], t[useful]
        middle, after = (useful[i : i - POINTS + 1] for i in (POINTS // 2 - 1, POINTS // 2))
        apart = t[after] - t[middle]
        flat = np.sqrt(np.maximum(rise[middle], rise[after]))
        aside = np.clip(flat, LEAST_ASIDE * apart, apart / 4.0)
        turns = x[POINTS // 2 : -(POINTS // 2)]
        ends = float(x[0]), float(x[-1])
        return cls(ends, turns, x[: len(apart)], _interpolating(x, y), aside)

    def at(self, goal: Floats) -> tuple[Floats, Floats]:
        """About where, and how far aside to look."""
        x = np.clip(-goal, *self.ends)
        k = np.searchsorted(self.turns, x)
        x = x - self.first.take(k)
        found = self.coefficients[-1].take(k)
        for row in self.coefficients[-2::-1]:
            found = found * x + row.take(k)
        return found, self.aside.take(k)


def _interpolating(x: Floats, y: Floats) -> Floats:
    """Coefficients of the polynomials through each run of points, in x minus the first of it."""
    count = len(x) - POINTS + 1
    divided = [y]
    for order in range(1, POINTS):
        divided.append(np.diff(divided[-1]) / (x[order:] - x[:-order]))
    found = np.zeros((POINTS, count))
    for order in range(POINTS - 1, -1, -1):  # from Newton's form
        gap = x[order : order + count] - x[:count]
        found[1:] = found[:-1] - gap * found[1:]
        found[0] = divided[order][:count] - gap * found[0]
    return found


@final
@dataclass(frozen=True, eq=False)
class ProfileTable:
    """delta at rising t, at least and at most, and roughly P[Z > t] and Q[Z > t]."""

    t: Floats
    low: Floats
    high: Floats
    own: Floats
    other: Floats
    complete: bool
    deep: bool
    _crossings: dict[Falling, Crossing | None] = field(default_factory=dict, repr=False)

    def least_corner(self, shape: Shape, asked: Floats) -> tuple[Floats, Floats]:
        """The least value at a corner, at least and at most."""
        form, low, high = shape(self.t[:, None], asked), self.low[:, None], self.high[:, None]
        return form.values(low, low)[0].min(axis=0), form.values(high, high)[1].min(axis=0)

    def guess(self, falling: Falling, goal: Floats) -> tuple[Floats, Floats]:
        """Where the falling function is `goal`, roughly, and how far aside of it to look."""
        if falling not in self._crossings and not self.complete:
            self._crossings[falling] = Crossing.of(
                self.t, falling(self.own, self.other), self._rise
            )
        crossing = self._crossings.get(falling)
        if crossing is None:
            return np.full_like(goal, np.nan), np.full_like(goal, np.nan)
        return crossing.at(goal)

    @property
    def _rise(self) -> Floats:
        """Over a second derivative, which is that of delta times the same factor as the bracket."""
        if len(self.t) < 2:
            return np.zeros_like(self.t)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            density = -np.gradient(self.own, self.t)
            found = RISE * (self.high - self.low) / density
        return np.where((density > 0.0) & np.isfinite(found), found, 0.0)
