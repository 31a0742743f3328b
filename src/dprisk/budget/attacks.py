"""Limits that hold for epsilon itself, whatever the priors: a test's power, a counterfactual."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from dprisk._checks import NONNEGATIVE, PROBABILITY, settle
from dprisk._numeric.logspace import Floats
from dprisk.budget.formula import Point, greatest_ratio
from dprisk.budget.profile import Box, Boxes, BoxLimit
from dprisk.text import english
from dprisk.theorems import PURE_POWER_AT_LEVEL, TWO_STEPS, Theorem

DOWN = 1.0 - 4e-15  # rounding of the logarithms below


class FixedLimit(BoxLimit, ABC):
    """A limit that allows one epsilon, the same at every prior."""

    __slots__ = ()

    @property
    @abstractmethod
    def fixed(self) -> float:
        """The largest epsilon, -inf where there is none."""

    def box(self) -> Box:
        """Every prior."""
        return Box(0.0, 1.0, 0.0, 1.0)

    def at(self, p: Floats, q: Floats) -> Point:
        """What has to be asked so that this is the largest epsilon."""
        shape, epsilon = np.shape(p), self.fixed
        if epsilon == np.inf:
            return Point(p, q, np.ones(shape), -np.ones(shape))
        if epsilon < 0.0:
            return Point(p, q, -np.ones(shape), np.ones(shape))
        A, B = p * (1.0 - q), 1.0 - p
        t, x = -np.expm1(-epsilon), np.exp(-epsilon)
        return Point(p, q, t * (2.0 * A + B - A * t), x * (A * x + B))

    def worst(self, cells: Boxes, top: Point, epsilon: float) -> tuple[Point, ...]:
        """Any point: the epsilon is the same everywhere."""
        return (top,)

    def corners(self, cells: Boxes, top: Point) -> tuple[Point, ...]:
        """None are needed."""
        return ()

    def _ratio(self, p: Floats, q: Floats) -> Floats:
        epsilon = self.fixed
        if epsilon == np.inf:
            return np.full(np.shape(p), np.inf)
        if epsilon < 0.0:
            return np.zeros(np.shape(p))
        return greatest_ratio(p, q, epsilon)


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

    Raises
    ------
    OutOfRange
        If a number is outside its range.

    Notes
    -----
    The largest power is min(e^epsilon level, 1 - e^-epsilon (1 - level)), so epsilon may be the
    larger of log(power/level) and log((1 - level)/(1 - power)). Guessing has the power of the
    level: no limit below it can be kept.

    References
    ----------
    .. [1] P1, Section 6 (pure DP).

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
        """The larger of two logarithms; -inf below the level."""
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

    Notes
    -----
    In the counterfactual world the record is drawn anew from what the other records say. Drawing
    it anew is two steps of add-remove, so P1 Theorem 7.3 holds with 2 epsilon. It holds for every
    prior and every output.

    References
    ----------
    .. [1] P1, Theorem 7.3.

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
        """Half the logarithm; -inf below 1."""
        ratio = self.ratio_limit
        return float(0.5 * np.log1p(ratio - 1.0)) * DOWN if ratio >= 1.0 else -np.inf

    def leaves_open(self) -> tuple[str, ...]:
        return (english("budget.open.counterfactual"),)
