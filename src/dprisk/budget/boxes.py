"""Limits inside a rectangle of priors: on a ratio, a posterior, odds, a difference; or on epsilon.

The first four depend on p q alone; a test's power and a counterfactual allow one epsilon.
"""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Final, final

import numpy as np

from dprisk._checks import NONNEGATIVE, PROBABILITY, Domain, settle
from dprisk._numeric.logspace import Floats
from dprisk.budget.profile import (
    Box,
    Boxes,
    BoxLimit,
    FixedLimit,
    Point,
    Priors,
    in_file,
    of_ratio,
    pair_priors,
    priors_in_file,
    product,
)
from dprisk.risk.ratio_tails import Shifts
from dprisk.text import english
from dprisk.theorems import (
    CONSTANT_RATIO_BOX,
    CORNERS_OF_BOX,
    DIFFERENCE_IN_BOX,
    LARGEST_PRIORS_BIND,
    PURE_POWER_AT_LEVEL,
    TWO_STEPS,
    Theorem,
)

ANY: Final = (0.0, 1.0)
DOWN: Final = 1.0 - 4e-15  # rounding of the logarithms that give an epsilon


class PriorLimit(BoxLimit, ABC):
    """A limit that depends on p and q by their product alone, inside a rectangle of priors."""

    __slots__ = ()

    by_prior: ClassVar[bool] = True
    domain: ClassVar[Domain]
    """Range of the number in its first field, whose name begins with its key in files."""
    membership_prior: Priors
    value_prior: Priors

    def __post_init__(self) -> None:
        settle(self, **{fields(self)[0].name: self.domain})  # type: ignore[arg-type]
        pair_priors(self)

    def box(self) -> Box:
        """The rectangle that its priors make."""
        return Box(*self.membership_prior, *self.value_prior)  # type: ignore[misc]

    def to_tree(self) -> dict[str, Any]:
        """Its number under its key, and its priors."""
        name = fields(self)[0].name  # type: ignore[arg-type]
        key = name.rpartition("_")[0]
        return {key: in_file(getattr(self, name)), **priors_in_file(self)}


@final
@dataclass(frozen=True)
class RatioLimit(PriorLimit):
    """Posterior over prior at most a constant: Equation 10 of P3, or 11 inside a rectangle.

    Parameters
    ----------
    ratio_limit : float
        Largest posterior over prior tolerated. [0, inf]
    membership_prior, value_prior : float or pair of float
        p and q where it holds: for each, one prior, or the least and the largest. [0, 1]

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

    domain: ClassVar[Domain] = NONNEGATIVE
    linear: ClassVar[bool] = True
    tight: ClassVar[bool] = True
    theorem: ClassVar[Theorem] = CONSTANT_RATIO_BOX

    def at(self, p: Floats, q: Floats, cells: Boxes | None = None) -> Point:
        return of_ratio(p, q, np.full(np.shape(p), self.ratio_limit))

    def worst(self, cells: Boxes, top: Point, shifts: Shifts) -> tuple[Point, ...]:
        """The least value prior, at either end of the membership priors (P3, Lemma 4)."""
        return self.at(cells.p0, cells.q0), self.at(cells.p1, cells.q0)

    def leaves_open(self) -> tuple[str, ...]:
        return _open_from(self, 1.0 / max(self.ratio_limit, 1.0), "ratio", self.ratio_limit)

    def _inside(self, p: Floats, q: Floats) -> Any:
        return self.ratio_limit


@final
@dataclass(frozen=True)
class PosteriorLimit(PriorLimit):
    """Posterior at most a constant, whatever the prior; the absolute risk of P3.

    Parameters
    ----------
    posterior_limit : float
        Largest belief tolerated after the release. [0, 1]
    membership_prior, value_prior : float or pair of float
        p and q where it holds: for each, one prior, or the least and the largest. [0, 1]

    References
    ----------
    .. [1] P3, Definition 4 and Lemma 3; Section 3.1: give priors whose product is below the limit.

    Examples
    --------
    >>> from dprisk.budget import PosteriorLimit, solve
    >>> round(solve(PosteriorLimit(0.5, membership_prior=(0.0, 0.1))).epsilon.value, 4)
    2.1972
    """

    posterior_limit: float
    membership_prior: Priors = ANY
    value_prior: Priors = ANY

    domain: ClassVar[Domain] = PROBABILITY
    linear: ClassVar[bool] = True
    tight: ClassVar[bool] = True
    theorem: ClassVar[Theorem] = LARGEST_PRIORS_BIND

    def at(self, p: Floats, q: Floats, cells: Boxes | None = None) -> Point:
        a = self.posterior_limit
        if a == 0.0:
            return of_ratio(p, q, np.zeros(np.shape(p)))
        s = np.maximum(p * q, 1e-306)  # a smaller belief counts as this: it never underflows
        s = np.where((p > 0.0) & (q > 0.0), s, 0.0)
        return Point(p, q, _less_product(a, p, q) / a, s * ((1.0 - a) / a))

    def worst(self, cells: Boxes, top: Point, shifts: Shifts) -> tuple[Point, ...]:
        """The largest priors (P3, Lemma 3)."""
        return (top,)

    def leaves_open(self) -> tuple[str, ...]:
        return () if self.posterior_limit < 1.0 else (english("budget.open.posterior"),)

    def _inside(self, p: Floats, q: Floats) -> Any:
        return self.posterior_limit / (p * q) if self.posterior_limit else 0.0


@final
@dataclass(frozen=True)
class OddsLimit(PriorLimit):
    """Posterior odds over prior odds at most a constant.

    Parameters
    ----------
    odds_limit : float
        Largest factor on the odds tolerated. [0, inf]
    membership_prior, value_prior : float or pair of float
        p and q where it holds: for each, one prior, or the least and the largest. [0, 1]

    References
    ----------
    .. [1] dprisk, Proposition 10: the ratio is o / (1 - s + o s) at s = p q, so 1/r* is linear.

    Examples
    --------
    >>> from dprisk.budget import OddsLimit, solve
    >>> round(solve(OddsLimit(3.0, value_prior=1.0)).epsilon.value, 4)
    1.0986
    """

    odds_limit: float
    membership_prior: Priors = ANY
    value_prior: Priors = ANY

    domain: ClassVar[Domain] = NONNEGATIVE
    linear: ClassVar[bool] = True
    tight: ClassVar[bool] = True
    theorem: ClassVar[Theorem] = CORNERS_OF_BOX

    def at(self, p: Floats, q: Floats, cells: Boxes | None = None) -> Point:
        o = self.odds_limit
        rest = p * (1.0 - q) + (1.0 - p)  # 1 - p q
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            gain = 1.0 if np.isinf(o) else np.divide(o - 1.0, o)
            D, c = np.where(rest > 0.0, rest * gain, 0.0), np.where(rest > 0.0, rest / o, 0.0)
        return Point(p, q, D, np.where(np.isinf(c), np.finfo(float).max, c))

    def worst(self, cells: Boxes, top: Point, shifts: Shifts) -> tuple[Point, ...]:
        """Corners; the one with the least membership and largest value prior never binds alone."""
        return self.at(cells.p0, cells.q0), self.at(cells.p1, cells.q0), top

    def leaves_open(self) -> tuple[str, ...]:
        return ()

    def _inside(self, p: Floats, q: Floats) -> Any:
        o, rest = self.odds_limit, p * (1.0 - q) + (1.0 - p)
        return np.inf if np.isinf(o) else o / np.maximum(rest + o * (p * q), np.finfo(float).tiny)


@final
@dataclass(frozen=True)
class DifferenceLimit(PriorLimit):
    """Posterior minus prior at most a constant.

    Parameters
    ----------
    difference_limit : float
        Largest gain of belief tolerated. [0, 1]
    membership_prior, value_prior : float or pair of float
        p and q where it holds: for each, one prior, or the least and the largest. [0, 1]

    References
    ----------
    .. [1] dprisk, Proposition 10: log((1 + d)/(1 - d)), at p = 1 and q = (1 - d)/2, over every
       prior. P0, Theorem 3.5: twice that for q = 1.

    Examples
    --------
    >>> from dprisk.budget import DifferenceLimit, solve
    >>> round(solve(DifferenceLimit(0.2)).epsilon.value, 4)
    0.4055
    """

    difference_limit: float
    membership_prior: Priors = ANY
    value_prior: Priors = ANY

    domain: ClassVar[Domain] = PROBABILITY
    tight: ClassVar[bool] = False
    theorem: ClassVar[Theorem] = DIFFERENCE_IN_BOX

    def at(self, p: Floats, q: Floats, cells: Boxes | None = None) -> Point:
        d, s = self.difference_limit, p * q
        if d == 0.0:
            return of_ratio(p, q, np.ones(np.shape(p)))
        room = -_less_product(d - 1.0, -p, q)  # 1 - d - s
        return Point(p, q, d / (s + d), s * room / (s + d))

    def worst(self, cells: Boxes, top: Point, shifts: Shifts) -> tuple[Point, ...]:
        """The largest gain along the edges of least value and of largest membership prior."""
        x, y = float(np.exp(-shifts.one)), float(np.exp(-shifts.two))
        with np.errstate(all="ignore"):
            q = cells.q0  # denominator x + s k along this edge
            k = ((1.0 - q) * np.expm1(-shifts.two) - np.expm1(-shifts.one)) / q
            p = (np.sqrt(x) - x) / k / q
            p = np.where((k > 0.0) & (q > 0.0), np.clip(p, cells.p0, cells.p1), cells.p1)
            P = cells.p1  # and m + s (1 - y) along this one
            m = P * y + (1.0 - P) * x
            top_q = (np.sqrt(m) - m) / (P * (1.0 - y))
            top_q = np.where(y < 1.0, np.clip(top_q, cells.q0, cells.q1), cells.q1)
        return self.at(p, q), self.at(P, top_q), self.at(P, q), top

    def leaves_open(self) -> tuple[str, ...]:
        return _open_from(self, 1.0 - self.difference_limit, "gain", self.difference_limit)

    def _inside(self, p: Floats, q: Floats) -> Any:
        return 1.0 + (self.difference_limit / (p * q) if self.difference_limit else 0.0)


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


@final
@dataclass(frozen=True)
class PowerLimit(FixedLimit):
    """Power of any test of membership at most a constant, at one level.

    Parameters
    ----------
    power_limit : float
        Largest probability tolerated that a target who is in the data is found out. [0, 1]
    level : float
        Probability of a false alarm of the test. [0, 1]

    References
    ----------
    .. [1] P1, Section 6: power min(e^epsilon level, 1 - e^-epsilon (1 - level)), level by guessing.

    Examples
    --------
    >>> from dprisk.budget import PowerLimit, solve
    >>> round(solve(PowerLimit(0.2, level=0.05)).epsilon.value, 4)
    1.3863
    """

    power_limit: float
    level: float

    tight: ClassVar[bool] = True
    theorem: ClassVar[Theorem] = PURE_POWER_AT_LEVEL

    def __post_init__(self) -> None:
        settle(self, power_limit=PROBABILITY, level=PROBABILITY)

    @property
    def fixed(self) -> float:
        """The larger of log(power/level) and log((1 - level)/(1 - power)); -inf below the level."""
        power, level = self.power_limit, self.level
        if power < level:
            return -np.inf
        if power == 1.0 or level == 0.0:
            return np.inf
        low = np.log1p((power - level) / level)
        high = np.log1p((power - level) / (1.0 - power))
        return float(max(low, high)) * DOWN

    def leaves_open(self) -> tuple[str, ...]:
        silent = self.fixed == np.inf and self.level == 0.0
        first = (english("budget.open.no-alarms"),) if silent else ()
        return (*first, english("budget.open.power", level=f"{self.level:g}"))

    def to_tree(self) -> dict[str, Any]:
        return {"power": self.power_limit, "level": self.level}


@final
@dataclass(frozen=True)
class CounterfactualLimit(FixedLimit):
    """Belief after the release over belief had the record been another's, at most a constant.

    Parameters
    ----------
    ratio_limit : float
        Largest ratio of actual to counterfactual posterior tolerated. [0, inf]

    Raises
    ------
    OutOfRange
        If the number is outside its range.

    References
    ----------
    .. [1] P1, Theorem 7.3 with 2 epsilon: drawing the record anew is two steps of add-remove.

    Examples
    --------
    >>> from dprisk.budget import CounterfactualLimit, solve
    >>> round(solve(CounterfactualLimit(2.0)).epsilon.value, 4)
    0.3466
    """

    ratio_limit: float

    tight: ClassVar[bool] = False
    theorem: ClassVar[Theorem] = TWO_STEPS

    def __post_init__(self) -> None:
        settle(self, ratio_limit=NONNEGATIVE)

    @property
    def fixed(self) -> float:
        """Half the logarithm of the ratio; -inf below 1."""
        ratio = self.ratio_limit
        return float(0.5 * np.log1p(ratio - 1.0)) * DOWN if ratio >= 1.0 else -np.inf

    def leaves_open(self) -> tuple[str, ...]:
        return (english("budget.open.counterfactual"),)

    def to_tree(self) -> dict[str, Any]:
        return {"counterfactual": in_file(self.ratio_limit)}
