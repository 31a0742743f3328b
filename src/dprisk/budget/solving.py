"""Largest epsilons for risk profiles, and what every search for a budget results in.

`solve` has the one epsilon of a profile, `budget_curve` and `budget_map` the epsilon at each prior.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import reduce
from typing import Any, Literal, NamedTuple, final, get_args

import numpy as np
import numpy.typing as npt

from dprisk._checks import fixed, numbers, scalar
from dprisk._numeric.logspace import Floats
from dprisk._values import members, plain, result, rounded
from dprisk.answer import Answer
from dprisk.budget.boxes import PosteriorLimit, RatioLimit
from dprisk.budget.branch_and_bound import LEAST_EPSILON, infimum, whole
from dprisk.budget.profile import (
    ASSUMPTIONS,
    PURE,
    Box,
    BoxLimit,
    Clause,
    FixedLimit,
    Point,
    Profile,
    largest,
    largest_epsilon,
    lowered,
)
from dprisk.errors import Meaningless, one_of, refused
from dprisk.guarantees.pure import PureDP
from dprisk.risk.adversary import VALUE_PRIOR as PRIOR
from dprisk.text import english
from dprisk.theorems import (
    CONSTANT_RATIO,
    CONSTANT_RATIO_RECTANGLE,
    CORNERS_AND_KINKS,
    INFIMUM_BY_CELLS,
    MEMBERSHIP_RATIO,
    ONE_MEMBERSHIP_PRIOR,
    ONE_VALUE_PRIOR,
    Theorem,
)

Status = Literal["limited", "no limit", "infeasible"]
"""There is a largest one, or every one keeps the limit, or none does."""
Along = Literal["membership_prior", "value_prior"]


@dataclass(frozen=True, repr=False)
class Solution(ABC):
    """Outcome of a search for a number that keeps a limit.

    Parameters
    ----------
    status : {"limited", "no limit", "infeasible"}
        ``no limit``: every number keeps the limit. ``infeasible``: none does.
    value : Answer
        The number, on the side that keeps the limit. The other end of its bracket certainly breaks
        the limit, where that is known. Without a limit, or where infeasible: the end of the range.
    reason : str
        Why it is infeasible, or why nothing is limited; empty otherwise.
    """

    status: Status
    value: Answer
    reason: str

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; infinite numbers are None."""

    def _cited(self) -> dict[str, Any]:
        return members(self, "reason", "value.theorem", "value.theorem.citation")


@final
@result
@dataclass(frozen=True, repr=False)
class Binding:
    """Priors at which a profile is tightest, and the ratio tolerated there. Made by `solve`."""

    membership_prior: float  # [0, 1]; 0 where it binds as p goes to 0
    value_prior: float  # [0, 1]; 0 where it binds as q goes to 0
    ratio: float  # [0, inf]

    @property
    def approached(self) -> bool:
        """Whether the place is a limit, because a prior of 0 is no prior."""
        return self.membership_prior == 0.0 or self.value_prior == 0.0

    def __str__(self) -> str:
        said = {
            name: english(f"budget.binding.{'at' if at > 0.0 else 'towards'}.{name}", at=f"{at:g}")
            for name, at in (("membership", self.membership_prior), ("value", self.value_prior))
        }
        return english("budget.binding", **said)


@final
@result
@dataclass(frozen=True, repr=False)
class Budget(Solution):
    """The largest epsilon that keeps a risk profile. Made by `solve`."""

    profile: Profile
    binding: Binding | None  # None without a limit, and where it is the same at every prior

    def __repr__(self) -> str:
        if self.status != "limited":
            return f"<Budget: {self.status}; {self.reason}>"
        return f"<Budget: epsilon at most {rounded(float(self.epsilon), 'at least')}>"

    @property
    def epsilon(self) -> Answer:
        """The value, in nats, never above the truth. [0, inf]; 0 where infeasible"""
        return self.value

    @property
    def unprotected(self) -> tuple[str, ...]:
        """Sentences on what the profile leaves unprotected (P3, Section 3.1)."""
        return self.profile.unprotected()

    @property
    def guarantee(self) -> PureDP:
        """Pure DP at this epsilon, for add-remove neighbors; refused where there is none."""
        if self.status == "limited":
            return PureDP(float(self.epsilon), neighbors="add-remove")
        raise Meaningless(f"There is no largest epsilon here: {self.reason}")

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: `at_most` is the other end of the bracket of epsilon."""
        priors = ("membership_prior", "value_prior", "ratio", "approached")
        return {
            "schema": "dprisk/profile-budget/1",
            "status": self.status,
            "epsilon": plain(float(self.epsilon)),
            "bound": self.epsilon.bound,
            "at_most": plain(self.epsilon.bracket[1]),
            "neighbors": "add-remove",
            "binding": None if self.binding is None else members(self.binding, *priors),
            **self._cited(),
            **members(self, "epsilon.assumptions", "unprotected"),
        }


class Least(NamedTuple):
    """The least epsilon of one clause: a bracket, the point that binds, and why."""

    lower: float
    upper: float
    point: Point | None
    theorem: Theorem
    exact: bool
    assumed: tuple[str, ...] = ()


def solve(profile: Profile) -> Budget:
    """The largest epsilon at which pure DP keeps a risk profile, at every pair of priors.

    Parameters
    ----------
    profile : Profile
        How large a ratio of posterior to prior is tolerated.

    Returns
    -------
    Budget
        The largest epsilon, exact where there is a closed form, otherwise the lower end of a
        certified bracket; and the priors at which it binds, one of which may go to 0.

    Raises
    ------
    InvalidInput
        If a function turns out not to be what was assumed of it.
    NotConverged
        If no bracket above 0 could be closed.

    References
    ----------
    .. [1] P3, Section 4, Equation 36, whose minimum is an infimum, Theorems 3 to 6 and Corollary 2.

    Examples
    --------
    >>> from dprisk.budget import ratio_or_posterior, solve
    >>> clinic = solve(ratio_or_posterior(3.0, 0.25, value_prior=1.0))
    >>> round(clinic.epsilon.value, 4), str(clinic.epsilon.theorem)
    (1.2993, 'P3 Theorem 6')
    >>> str(clinic.binding)
    'membership prior 0.0833333 and value prior 1'
    """
    found = [_of_clause(clause) for clause in profile.clauses()]
    assumptions = (*ASSUMPTIONS, *dict.fromkeys(said for each in found for said in each.assumed))
    if not found or min(each.upper for each in found) == np.inf:
        reason = english("budget.reaches-one" if found else "budget.no-priors")
        theorem = found[0].theorem if found else CORNERS_AND_KINKS
        answer = Answer(np.inf, "exact", theorem, assumptions)
        return Budget("no limit", answer, reason, profile, None)
    least = min(found, key=lambda each: each.lower)
    upper = min(each.upper for each in found)
    if upper <= 0.0 or (not least.exact and upper < LEAST_EPSILON):
        return _infeasible(profile, least)
    exact = least.exact and all(each.exact or each.lower > upper for each in found)
    binding, value = None, least.lower
    if least.point is not None:
        value = float(lowered(np.array(value), least.point))
        binding = _binding(least.point)
    other = None if exact or least.point is None else upper
    answer = Answer(value, "exact" if exact else "lower", least.theorem, assumptions, other)
    return Budget("limited", answer, "", profile, binding)


def _infeasible(profile: Profile, least: Least) -> Budget:
    answer = Answer(0.0, "exact", least.theorem, (*ASSUMPTIONS, *least.assumed))
    if least.point is None:
        reason = english("budget.only-silence" if least.lower == 0.0 else "budget.guess")
        return Budget("infeasible", answer, reason, profile, None)
    binding = _binding(least.point)
    where = "below" if binding.ratio < 1.0 else "at-one"
    reason = english(f"budget.binds.{where}", binding=binding, ratio=f"{binding.ratio:.6g}")
    return Budget("infeasible", answer, reason, profile, binding)


def _binding(point: Point) -> Binding:
    D = float(point.D)
    ratio = 1.0 / (1.0 - D) if D < 1.0 else np.inf  # 1/inf is 0
    return Binding(float(point.p), float(point.q), float(f"{ratio:.13g}"))


def _of_clause(clause: Clause) -> Least:
    """The least epsilon in a box in which any one of the limits is enough."""
    always = [limit for limit in clause.limits if isinstance(limit, FixedLimit)]
    rest = tuple(limit for limit in clause.limits if isinstance(limit, BoxLimit))
    found = _by_priors(clause.box, rest) if rest else None
    for limit in always:
        epsilon = limit.fixed
        if found is None or epsilon >= found.lower:
            upper = epsilon if found is None else max(epsilon, found.upper)
            found = Least(epsilon, upper, None, limit.theorem, limit.tight)
    return found or Least(np.inf, np.inf, None, CORNERS_AND_KINKS, True)


def _by_priors(box: Box, limits: tuple[BoxLimit, ...]) -> Least:
    assumed = tuple(dict.fromkeys(said for limit in limits for said in limit.assumed))
    if len(limits) == 1 and limits[0].tight:
        return _at_corners(box, limits[0], assumed)
    ratios = [limit for limit in limits if isinstance(limit, RatioLimit)]
    posteriors = [limit for limit in limits if isinstance(limit, PosteriorLimit)]
    if len(ratios) + len(posteriors) == len(limits):
        return _at_kinks(box, ratios, posteriors)
    return by_cells(box, limits, assumed)


def by_cells(box: Box, limits: tuple[BoxLimit, ...], assumed: tuple[str, ...] = ()) -> Least:
    """The least epsilon by splitting cells; a prior that was found by closing in on 0 is 0."""
    found = infimum(box, limits)
    asked = [limit.at(np.array(found.p), np.array(found.q)) for limit in limits]
    point = asked[int(np.argmax([float(largest(each)) for each in asked]))]
    p = 0.0 if box.p0 == 0.0 and found.p < 1e-7 else found.p
    q = 0.0 if box.q0 == 0.0 and found.q < 1e-7 else found.q
    binds = Point(np.array(p), np.array(q), point.D, point.c)
    return Least(found.lower, found.upper, binds, INFIMUM_BY_CELLS, False, assumed)


def _at_corners(box: Box, limit: BoxLimit, assumed: tuple[str, ...]) -> Least:
    cells = whole(box, (limit,))
    points = limit.worst(cells, limit.at(cells.p1, cells.q1), PURE)
    theorem = limit.theorem
    if isinstance(limit, RatioLimit):
        theorem = CONSTANT_RATIO if box == (0.0, 1.0, 0.0, 1.0) else CONSTANT_RATIO_RECTANGLE
        theorem = MEMBERSHIP_RATIO if box.p0 == 1.0 else theorem
    return _least_of(points, theorem, assumed)


def _least_of(points: tuple[Point, ...], theorem: Theorem, assumed: tuple[str, ...]) -> Least:
    flat = [np.concatenate([np.ravel(each[i]) for each in points]) for i in range(4)]
    epsilon = largest(Point(*flat))
    at = int(np.argmin(epsilon))
    point = Point(*(np.array(each[at]) for each in flat))
    return Least(float(epsilon[at]), float(epsilon[at]), point, theorem, True, assumed)


def _at_kinks(box: Box, ratios: list[RatioLimit], posteriors: list[PosteriorLimit]) -> Least:
    """P3, Theorems 5 and 6, for any box: the least is at a corner or where r = a / (p q)."""
    limits: list[BoxLimit] = []
    if ratios:
        limits.append(max(ratios, key=lambda limit: limit.ratio_limit))
    if posteriors:
        limits.append(max(posteriors, key=lambda limit: limit.posterior_limit))
    if len(limits) == 1:
        return _at_corners(box, limits[0], ())
    corners = [(box.p0, box.q0), (box.p1, box.q0), (box.p1, box.q1)]
    points = [_weaker([limit.at(np.array(p), np.array(q)) for limit in limits]) for p, q in corners]
    r, a = limits[0].ratio_limit, limits[1].posterior_limit  # type: ignore[attr-defined]
    if 1.0 <= r < np.inf and 0.0 < a < 1.0:
        points += _kinks(box, r, a)
    one_value = ONE_VALUE_PRIOR if box.q0 == box.q1 else CORNERS_AND_KINKS
    theorem = ONE_MEMBERSHIP_PRIOR if box.p0 == box.p1 else one_value
    return _least_of(tuple(points), theorem, ())


def _weaker(points: list[Point]) -> Point:
    return reduce(lambda one, other: one if largest(one) >= largest(other) else other, points)


def _kinks(box: Box, r: float, a: float) -> list[Point]:
    """Points where both limits meet: at the least value prior, and the largest membership prior."""
    s = a / r
    found = []
    if box.p0 * box.q0 < s < box.p1 * box.q0:
        found.append((s / box.q0, box.q0))
    if box.p1 * box.q0 < s < box.p1 * box.q1:
        found.append((box.p1, s / box.p1))
    D, c = np.array((r - 1.0) / r), np.array((1.0 - a) / r)
    return [Point(np.array(p), np.array(q), D, c) for p, q in found]


# --- at many priors ------------------------------------------------------------------------------


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class BudgetCurve:
    """Tolerated ratios along one prior, and the largest epsilon at each. Made by `budget_curve`."""

    along: Along
    other_prior: float  # the one that stays. (0, 1]
    priors: Floats  # (0, 1]
    ratios: Floats  # tolerated there; inf where nothing is limited. [0, inf]
    epsilons: Floats  # the largest there, rounded down; inf without a limit. [0, inf], nats
    budget: Budget  # of the whole profile: no point of the curve is below it

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: what the figures of P3 are drawn from; infinity is None."""
        return {"schema": "dprisk/budget-curve/1", **members(self)}

    def __repr__(self) -> str:
        return f"<BudgetCurve along {self.along}: {self.priors.size} points>"


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class BudgetMap:
    """Tolerated ratios over both priors, and the largest epsilon at each. Made by `budget_map`."""

    membership_priors: Floats  # rising. (0, 1], shape (m,)
    value_priors: Floats  # rising. (0, 1], shape (n,)
    ratios: Floats  # tolerated there; inf where nothing is limited. [0, inf], shape (m, n)
    epsilons: Floats  # the largest there, rounded down. [0, inf], nats, shape (m, n)
    budget: Budget  # of the whole profile: no point of the map is below it

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, a list for each membership prior; infinity is None."""
        return {"schema": "dprisk/budget-map/1", **members(self)}

    def __repr__(self) -> str:
        shape = "{} by {}".format(*self.ratios.shape)
        return f"<BudgetMap of {shape} pairs of priors>"


def budget_curve(
    profile: Profile,
    along: Along,
    other_prior: float = 1.0,
    priors: npt.ArrayLike | None = None,
) -> BudgetCurve:
    """A profile along one prior, with the largest epsilon at each point: Figures 1 to 3 of P3.

    Parameters
    ----------
    profile : Profile
        The ratios tolerated.
    along : {"membership_prior", "value_prior"}
        Which prior changes.
    other_prior : float
        The other one. (0, 1]
    priors : array_like of float, optional
        Where to look. (0, 1]. Left out, at 1/200, 2/200 and so on up to 1.

    Returns
    -------
    BudgetCurve
        Its ``ratios`` and ``epsilons``, and the ``budget`` of the whole profile.

    Examples
    --------
    >>> from dprisk.budget import budget_curve, ratio_or_posterior
    >>> agency = ratio_or_posterior(3.0, 0.1, membership_prior=0.05)
    >>> drawn = budget_curve(agency, "value_prior", 0.05, [0.1, 0.5, 2 / 3, 1.0])
    >>> drawn.ratios.round(2).tolist(), drawn.epsilons.round(3).tolist()
    ([20.0, 4.0, 3.0, 3.0], [3.052, 1.447, 1.158, 1.21])
    """
    which = one_of("along", along, get_args(Along))
    other = scalar("other_prior", other_prior, PRIOR)
    default = np.arange(1, 201) / 200.0
    at = fixed(np.ravel(default if priors is None else numbers("priors", priors, PRIOR)))
    p, q = (at, other) if which == "membership_prior" else (other, at)
    ratios = fixed(profile.ratio(p, q))
    epsilons = fixed(largest_epsilon(ratios, p, q).value)
    return BudgetCurve(which, other, at, ratios, epsilons, solve(profile))


def budget_map(
    profile: Profile,
    membership_priors: npt.ArrayLike | None = None,
    value_priors: npt.ArrayLike | None = None,
) -> BudgetMap:
    """A profile over both priors, with the largest epsilon at each pair.

    Parameters
    ----------
    profile : Profile
        The ratios tolerated.
    membership_priors, value_priors : array_like of float, optional
        Where to look, each rising. (0, 1]. Left out, at 1/100, 2/100 and so on up to 1.

    Returns
    -------
    BudgetMap
        Its ``ratios`` and ``epsilons``, one row for each membership prior, and the ``budget``.

    Examples
    --------
    >>> from dprisk.budget import budget_map, ratio_or_posterior
    >>> drawn = budget_map(ratio_or_posterior(3.0, 0.25), [0.1, 1.0], [0.1, 1.0])
    >>> drawn.epsilons.round(3).tolist()
    [[3.405, 1.35], [0.675, inf]]
    """
    p = _rising("membership_priors", membership_priors)
    q = _rising("value_priors", value_priors)
    ratios = fixed(profile.ratio(p[:, None], q[None, :]))
    epsilons = fixed(largest_epsilon(ratios, p[:, None], q[None, :]).value)
    return BudgetMap(p, q, ratios, epsilons, solve(profile))


def _rising(name: str, priors: npt.ArrayLike | None) -> Floats:
    default = np.arange(1, 101) / 100.0
    found = fixed(default if priors is None else numbers(name, priors, PRIOR))
    if found.ndim != 1 or found.size == 0 or np.any(np.diff(found) <= 0.0):
        raise refused("errors.rising", name, priors, least=1)
    return found
