"""Limits that depend on the prior belief p q alone: a ratio, a posterior, odds, a difference."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from dprisk._checks import NONNEGATIVE, PROBABILITY, settle
from dprisk._numeric.logspace import Floats
from dprisk.budget.formula import Point, of_ratio, product
from dprisk.budget.profile import (
    Box,
    Boxes,
    BoxLimit,
    Priors,
    at_corners,
    framed,
    limited_by,
    pair_priors,
)
from dprisk.text import english
from dprisk.theorems import (
    CONSTANT_RATIO_BOX,
    CORNERS_OF_BOX,
    DIFFERENCE_IN_BOX,
    LARGEST_PRIORS_BIND,
    Theorem,
)

ANY: tuple[float, float] = (0.0, 1.0)
LEAST_PRIOR = 1e-306  # a smaller prior belief counts as this: never loosens, never underflows


class PriorLimit(BoxLimit, ABC):
    """A limit that depends on p and q by their product alone, inside a rectangle of priors."""

    __slots__ = ()

    by_prior: ClassVar[bool] = True
    membership_prior: Priors
    value_prior: Priors

    def box(self) -> Box:
        """The rectangle that its priors make."""
        return framed(self.membership_prior, self.value_prior)


@final
@dataclass(frozen=True)
class RatioLimit(PriorLimit):
    """Posterior over prior at most a constant: Equation 10 of P3, or 11 inside a rectangle.

    Parameters
    ----------
    ratio_limit : float
        Largest posterior over prior tolerated. [0, inf]
    membership_prior : float or pair of float
        Belief that the target is in the data: one, or the least and the largest. [0, 1]
    value_prior : float or pair of float
        Belief that the value is in the set, likewise. [0, 1]

    Raises
    ------
    OutOfRange
        If a number is outside its range.

    References
    ----------
    .. [1] P3, Equations 10 and 11, Theorems 3 and 4.

    Examples
    --------
    >>> from dprisk.budget import RatioLimit, solve
    >>> round(solve(RatioLimit(3.0)).epsilon.value, 4)
    0.5493
    """

    ratio_limit: float
    membership_prior: Priors = ANY
    value_prior: Priors = ANY

    tight: ClassVar[bool] = True
    theorem: ClassVar[Theorem] = CONSTANT_RATIO_BOX

    def __post_init__(self) -> None:
        settle(self, ratio_limit=NONNEGATIVE)
        pair_priors(self)

    def at(self, p: Floats, q: Floats) -> Point:
        return of_ratio(p, q, np.full(np.shape(p), self.ratio_limit))

    def worst(self, cells: Boxes, top: Point, epsilon: float) -> tuple[Point, ...]:
        """The least value prior, at either end of the membership priors (P3, Lemma 4)."""
        return self.at(cells.p0, cells.q0), self.at(cells.p1, cells.q0)

    def corners(self, cells: Boxes, top: Point) -> tuple[Point, ...]:
        return at_corners(self, cells, top)

    def leaves_open(self) -> tuple[str, ...]:
        return _open_from(self, 1.0 / max(self.ratio_limit, 1.0), "ratio", self.ratio_limit)

    def _ratio(self, p: Floats, q: Floats) -> Floats:
        return limited_by(self, p, q, self.ratio_limit)


@final
@dataclass(frozen=True)
class PosteriorLimit(PriorLimit):
    """Posterior at most a constant, whatever the prior; the absolute risk of P3.

    Parameters
    ----------
    posterior_limit : float
        Largest belief tolerated after the release. [0, 1]
    membership_prior : float or pair of float
        Belief that the target is in the data: one, or the least and the largest. [0, 1]
    value_prior : float or pair of float
        Belief that the value is in the set, likewise. [0, 1]

    Raises
    ------
    OutOfRange
        If a number is outside its range.

    Notes
    -----
    Where the prior p q has reached the limit already nothing may be learned, so no epsilon above 0
    is left: give the rectangle in which the prior is below it (P3, Section 3.1).

    References
    ----------
    .. [1] P3, Definition 4 and Lemma 3.

    Examples
    --------
    >>> from dprisk.budget import PosteriorLimit, solve
    >>> round(solve(PosteriorLimit(0.5, membership_prior=(0.0, 0.1))).epsilon.value, 4)
    2.1972
    """

    posterior_limit: float
    membership_prior: Priors = ANY
    value_prior: Priors = ANY

    tight: ClassVar[bool] = True
    theorem: ClassVar[Theorem] = LARGEST_PRIORS_BIND

    def __post_init__(self) -> None:
        settle(self, posterior_limit=PROBABILITY)
        pair_priors(self)

    def at(self, p: Floats, q: Floats) -> Point:
        a = self.posterior_limit
        if a == 0.0:
            return of_ratio(p, q, np.zeros(np.shape(p)))
        s = np.where((p > 0.0) & (q > 0.0), np.maximum(p * q, LEAST_PRIOR), 0.0)
        return Point(p, q, _less_product(a, p, q) / a, s * ((1.0 - a) / a))

    def worst(self, cells: Boxes, top: Point, epsilon: float) -> tuple[Point, ...]:
        """The largest priors (P3, Lemma 3)."""
        return (top,)

    def corners(self, cells: Boxes, top: Point) -> tuple[Point, ...]:
        return at_corners(self, cells, top)

    def leaves_open(self) -> tuple[str, ...]:
        return () if self.posterior_limit < 1.0 else (english("budget.open.posterior"),)

    def _ratio(self, p: Floats, q: Floats) -> Floats:
        with np.errstate(divide="ignore", over="ignore"):
            if self.posterior_limit == 0.0:
                return limited_by(self, p, q, 0.0)
            return limited_by(self, p, q, self.posterior_limit / (p * q))


@final
@dataclass(frozen=True)
class OddsLimit(PriorLimit):
    """Posterior odds over prior odds at most a constant.

    Parameters
    ----------
    odds_limit : float
        Largest factor on the odds tolerated. [0, inf]
    membership_prior : float or pair of float
        Belief that the target is in the data: one, or the least and the largest. [0, 1]
    value_prior : float or pair of float
        Belief that the value is in the set, likewise. [0, 1]

    Raises
    ------
    OutOfRange
        If a number is outside its range.

    Notes
    -----
    With prior belief s the ratio is o / (1 - s + o s), so 1/r* is linear in s.

    References
    ----------
    .. [1] dprisk, Proposition 10.

    Examples
    --------
    >>> from dprisk.budget import OddsLimit, solve
    >>> round(solve(OddsLimit(3.0, value_prior=1.0)).epsilon.value, 4)
    1.0986
    """

    odds_limit: float
    membership_prior: Priors = ANY
    value_prior: Priors = ANY

    tight: ClassVar[bool] = True
    theorem: ClassVar[Theorem] = CORNERS_OF_BOX

    def __post_init__(self) -> None:
        settle(self, odds_limit=NONNEGATIVE)
        pair_priors(self)

    def at(self, p: Floats, q: Floats) -> Point:
        o = self.odds_limit
        rest = p * (1.0 - q) + (1.0 - p)  # 1 - p q
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            gain = 1.0 if np.isinf(o) else np.divide(o - 1.0, o)
            D, c = np.where(rest > 0.0, rest * gain, 0.0), np.where(rest > 0.0, rest / o, 0.0)
        return Point(p, q, D, np.where(np.isinf(c), np.finfo(float).max, c))

    def worst(self, cells: Boxes, top: Point, epsilon: float) -> tuple[Point, ...]:
        """Corners; the one with the least membership and largest value prior never binds alone."""
        return self.at(cells.p0, cells.q0), self.at(cells.p1, cells.q0), top

    def corners(self, cells: Boxes, top: Point) -> tuple[Point, ...]:
        return at_corners(self, cells, top)

    def leaves_open(self) -> tuple[str, ...]:
        return ()

    def _ratio(self, p: Floats, q: Floats) -> Floats:
        o, s = self.odds_limit, p * q
        if np.isinf(o):
            return limited_by(self, p, q, np.inf)
        rest = p * (1.0 - q) + (1.0 - p)
        return limited_by(self, p, q, o / np.maximum(rest + o * s, np.finfo(float).tiny))


@final
@dataclass(frozen=True)
class DifferenceLimit(PriorLimit):
    """Posterior minus prior at most a constant.

    Parameters
    ----------
    difference_limit : float
        Largest gain of belief tolerated. [0, 1]
    membership_prior : float or pair of float
        Belief that the target is in the data: one, or the least and the largest. [0, 1]
    value_prior : float or pair of float
        Belief that the value is in the set, likewise. [0, 1]

    Raises
    ------
    OutOfRange
        If a number is outside its range.

    Notes
    -----
    With prior belief s the ratio is 1 + d/s. Over every prior epsilon is log((1 + d)/(1 - d)), at
    p = 1 and q = (1 - d)/2; with the value known (q = 1) it is twice that.

    References
    ----------
    .. [1] dprisk, Proposition 10. P0, Theorem 3.5, for q = 1.

    Examples
    --------
    >>> from dprisk.budget import DifferenceLimit, solve
    >>> round(solve(DifferenceLimit(0.2)).epsilon.value, 4)
    0.4055
    """

    difference_limit: float
    membership_prior: Priors = ANY
    value_prior: Priors = ANY

    tight: ClassVar[bool] = False
    theorem: ClassVar[Theorem] = DIFFERENCE_IN_BOX

    def __post_init__(self) -> None:
        settle(self, difference_limit=PROBABILITY)
        pair_priors(self)

    def at(self, p: Floats, q: Floats) -> Point:
        d, s = self.difference_limit, p * q
        total = s + d
        if d == 0.0:
            return of_ratio(p, q, np.ones(np.shape(p)))
        room = -_less_product(d - 1.0, -p, q)  # 1 - d - s
        return Point(p, q, d / total, s * room / total)

    def worst(self, cells: Boxes, top: Point, epsilon: float) -> tuple[Point, ...]:
        """The largest gain along the edges of least value and of largest membership prior."""
        x = float(np.exp(-epsilon))
        with np.errstate(all="ignore"):
            q = cells.q0  # denominator x + s k along this edge
            k = (1.0 - x) * (q - (1.0 - q) * x) / q
            p = (np.sqrt(x) - x) / k / q
            p = np.where((k > 0.0) & (q > 0.0), np.clip(p, cells.p0, cells.p1), cells.p1)
            P = cells.p1  # and m + s (1 - x^2) along this one
            m = x * (P * x + (1.0 - P))
            top_q = (np.sqrt(m) - m) / (P * (1.0 - x * x))
            top_q = np.where(x < 1.0, np.clip(top_q, cells.q0, cells.q1), cells.q1)
        edges = [self.at(p, q), self.at(P, top_q)]
        return *edges, self.at(P, q), top

    def corners(self, cells: Boxes, top: Point) -> tuple[Point, ...]:
        return ()

    def leaves_open(self) -> tuple[str, ...]:
        return _open_from(self, 1.0 - self.difference_limit, "gain", self.difference_limit)

    def _ratio(self, p: Floats, q: Floats) -> Floats:
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            gain = np.where(p * q > 0.0, self.difference_limit / (p * q), np.inf)
        if self.difference_limit == 0.0:
            gain = np.zeros(np.shape(p))
        return limited_by(self, p, q, 1.0 + gain)


def _open_from(limit: BoxLimit, start: float, what: str, most: float) -> tuple[str, ...]:
    box = limit.box()
    if box.p1 * box.q1 < start:
        return ()
    where = "all" if start == 0.0 or box.p0 * box.q0 >= start else "from"
    said = {"most": f"{most:g}", "start": f"{start:.3g}"}
    return (english(f"budget.open.{where}.{what}", **said),)


def _less_product(a: float, p: Floats, q: Floats) -> Floats:
    """``a - p q``, accurate where it nearly cancels."""
    whole, lost = product(p, q)
    return np.asarray((a - whole) - lost)
