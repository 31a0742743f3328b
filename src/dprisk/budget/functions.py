"""A risk profile as a function of Python, with what has to be assumed to be certain of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from dprisk._checks import FINITE, NONNEGATIVE, PROBABILITY, numbers, settle
from dprisk._numeric.logspace import Floats
from dprisk.budget.formula import LOG_TWO, Point, of_ratio
from dprisk.budget.profile import (
    Box,
    Boxes,
    BoxLimit,
    Priors,
    framed,
    limited_by,
    pair_priors,
)
from dprisk.errors import InvalidInput, OutOfRange, refused
from dprisk.text import english, fill
from dprisk.theorems import INFIMUM_BY_CELLS, Theorem

BLUR = 1e-12  # relative: what a function may rise or bend by its own rounding


@final
@dataclass(frozen=True)
class RatioFunction(BoxLimit):
    """Tolerated ratios by a function of both priors, about which something is assumed.

    Values alone certify nothing: between two points a function can do anything. So say what is
    true of it; what is seen of it is checked against that, and the answer repeats it.

    Parameters
    ----------
    function : callable
        From membership prior p and value prior q to the ratio tolerated, [0, inf]. It is called
        with arrays; a function that takes numbers only is called point by point, which is slow.
    membership_prior : float or pair of float
        Where the function is to hold: one belief, or the least and the largest. [0, 1]
    value_prior : float or pair of float
        Likewise. [0, 1]
    falling : bool
        The ratio never rises with either prior: who knows more may gain no larger a factor. Jumps
        and kinks are allowed. Holds for every limit that this package has a name for.
    bending : float, optional
        The second derivatives of 1/r* along either prior stay within +-bending between the breaks.
        Any number that is certainly large enough will do. [0, inf)
    membership_breaks, value_breaks : sequence of float
        Where 1/r* may bend more sharply, or jump; used with `bending`. (0, 1)

    Raises
    ------
    OutOfRange
        If a number is outside its range.
    InvalidInput
        If neither `falling` nor `bending` is assumed.

    Notes
    -----
    Where the least epsilon is at an edge, a kink or a jump, `falling` is enough to find it to nine
    digits at once. At the bottom of a smooth valley it takes longer and may leave a wider bracket;
    `bending` closes it. With `falling` alone the function is never called at a prior of 0.

    References
    ----------
    .. [1] dprisk, Proposition 11. P3, Equation 36.

    Examples
    --------
    >>> import numpy as np
    >>> from dprisk.budget import RatioFunction, solve
    >>> gentle = RatioFunction(lambda p, q: 1.0 + 8.0 / (3.0 * (1.0 + q)))
    >>> round(solve(gentle).epsilon.value, 5)
    0.64964
    """

    function: Callable[[Any, Any], Any]
    membership_prior: Priors = (0.0, 1.0)
    value_prior: Priors = (0.0, 1.0)
    falling: bool = True
    bending: float | None = None
    membership_breaks: tuple[float, ...] = ()
    value_breaks: tuple[float, ...] = ()

    tight: ClassVar[bool] = False
    theorem: ClassVar[Theorem] = INFIMUM_BY_CELLS

    def __post_init__(self) -> None:
        pair_priors(self)
        if not callable(self.function):
            raise refused("budget.function", "function", self.function)
        if self.bending is not None:
            settle(self, bending=FINITE)
        elif not self.falling:
            raise refused("budget.function.between", "falling", self.falling)
        for name in ("membership_breaks", "value_breaks"):
            breaks = np.atleast_1d(numbers(name, getattr(self, name), PROBABILITY))
            object.__setattr__(self, name, tuple(sorted(set(breaks.tolist()))))

    def box(self) -> Box:
        return framed(self.membership_prior, self.value_prior)

    @property
    def assumed(self) -> tuple[str, ...]:
        """What was assumed, in sentences; what was seen of the function agrees with it."""
        found = [english("budget.function.falling")] if self.falling else []
        if self.bending is not None:
            which = "breaks" if self.membership_breaks + self.value_breaks else "bending"
            found.append(english(f"budget.function.{which}", bending=f"{self.bending:g}"))
        if self.box().p1 == self.box().q1 == 1.0:
            found.append(english("budget.function.certain"))
        return tuple(found)

    @property
    def breaks(self) -> tuple[Sequence[float], Sequence[float]]:
        return self.membership_breaks, self.value_breaks

    def at(self, p: Floats, q: Floats) -> Point:
        return of_ratio(p, q, self._called(p, q))

    def worst(self, cells: Boxes, top: Point, epsilon: float) -> tuple[Point, ...]:
        """Falling: the ratio at the upper corner for the whole cell. Bending: corners, and more."""
        if self.falling:
            _check_falling(cells, top)
        if self.bending is None:
            return _carried(top, cells, epsilon)
        _check_bending(cells, top, self.bending)
        corners = [(p, q) for p in (cells.p0, cells.p1) for q in (cells.q0, cells.q1)][:-1]
        wide = (cells.p1 - cells.p0) ** 2 + (cells.q1 - cells.q0) ** 2
        more = self.bending * wide / 8.0
        points = [*(self.at(p, q) for p, q in corners), top]
        return tuple(Point(p, q, D - more, c + more) for p, q, D, c in points)

    def corners(self, cells: Boxes, top: Point) -> tuple[Point, ...]:
        return ()

    def leaves_open(self) -> tuple[str, ...]:
        """Looked at over a grid of 64 by 64 priors."""
        box = self.box()
        p, q = (
            np.unique(np.linspace(low, high, 65)[1:])
            for low, high in ((box.p0, box.p1), (box.q0, box.q1))
        )
        P, Q = np.meshgrid(p, q, indexing="ij")
        count = int(np.sum(self._called(P, Q) * P * Q >= 1.0))
        if not count:
            return ()
        return (english("budget.open.function", count=count, of=P.size),)

    def _ratio(self, p: Floats, q: Floats) -> Floats:
        inside = self.box().holds(p, q)
        if not np.any(inside):
            return np.full(np.shape(p), np.inf)
        ratios = np.full(np.shape(p), np.inf)
        ratios[inside] = self._called(np.asarray(p)[inside], np.asarray(q)[inside])
        return limited_by(self, p, q, ratios)

    def _called(self, p: Floats, q: Floats) -> Floats:
        """The function at points, its values checked."""
        p, q = np.broadcast_arrays(p, q)
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            try:
                found = np.asarray(self.function(p, q), dtype=float)
            except (TypeError, ValueError):  # it takes numbers, not arrays
                pairs = zip(np.ravel(p).tolist(), np.ravel(q).tolist(), strict=True)
                found = np.array([self.function(*pair) for pair in pairs], dtype=float)
                found = found.reshape(p.shape)
        ratios = found if found.shape == p.shape else np.broadcast_to(found, p.shape)
        right = ratios >= 0.0
        if not right.all():
            wrong = ~right
            at = (float(p[wrong].flat[0]), float(q[wrong].flat[0]))
            name = fill("budget.function.ratio", at=at)
            fix = fill("budget.fix.infinite")
            raise OutOfRange(name, float(ratios[wrong].flat[0]), str(NONNEGATIVE), fix)
        return ratios


def _carried(top: Point, cells: Boxes, epsilon: float) -> tuple[Point, ...]:
    """The ratio of the upper corner, asked at the least value prior and either end of the other."""
    q = cells.q0
    if epsilon < LOG_TWO:  # c is not read, and which end is worse is known from q (P3, Lemma 4)
        x = np.exp(-epsilon)
        return (Point(np.where(q > (1.0 - q) * x, cells.p0, cells.p1), q, top.D, top.c),)
    steps = [top.p * (top.q - q) + q * (top.p - p) for p in (cells.p0, cells.p1)]
    asked = [top.c + step + 4e-16 * (np.abs(top.c) + step) for step in steps]
    return Point(cells.p0, q, top.D, asked[0]), Point(cells.p1, q, top.D, asked[1])


def _check_falling(cells: Boxes, top: Point) -> None:
    if np.ndim(top.D) < 3:  # single cells have no neighbors
        return
    for name, first, last in (
        ("membership", top.D[:, :-1], top.D[:, 1:]),
        ("value", top.D[..., :-1], top.D[..., 1:]),
    ):
        rises = last - first > BLUR
        if not rises.any():
            continue
        at = tuple(np.argwhere(rises)[0])
        p, q = (float(np.broadcast_to(each, top.D.shape)[at]) for each in (cells.p1, cells.q1))
        fix = fill("budget.fix.falling")
        said = fill(f"budget.function.rises.{name}", at=f"({p:g}, {q:g})", fix=fix)
        raise InvalidInput("falling", True, fill("budget.function.rises"), said)


def _check_bending(cells: Boxes, top: Point, bending: float) -> None:
    if np.ndim(top.D) < 3:
        return
    for axis, name, high in ((-2, "membership", cells.p1), (-1, "value", cells.q1)):
        step = np.diff(high, axis=axis)
        if step.shape[axis] < 2:
            continue
        count = step.shape[axis] - 1
        first, second = (np.take(step, range(i, i + count), axis=axis) for i in (0, 1))
        even = np.abs(first - second) <= 1e-9 * (first + second)
        bend = np.abs(np.diff(top.D, 2, axis=axis))
        if np.any(even & (bend > bending * first**2 * (1.0 + 1e-6) + 8.0 * BLUR)):
            allowed = fill(f"budget.function.bends.{name}")
            raise InvalidInput("bending", bending, allowed, fill("budget.fix.bending"))
