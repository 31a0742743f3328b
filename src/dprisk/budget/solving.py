"""Solutions of every search for a budget, and the search for a risk profile's largest epsilon.

The result of each search is a `Solution`: a status, a number with its direction and theorem, what
is measured there, and the reason if there is no number.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, final

import numpy as np

from dprisk._values import members, plain, result, rounded
from dprisk.answer import Answer
from dprisk.budget.boxes import PosteriorLimit, RatioLimit
from dprisk.budget.branch_and_bound import LEAST_EPSILON, infimum, whole
from dprisk.budget.profile import (
    ASSUMPTIONS,
    Box,
    BoxLimit,
    Clause,
    Point,
    Profile,
    largest,
    lowered,
)
from dprisk.errors import Meaningless
from dprisk.guarantees.composed import Composed
from dprisk.guarantees.pure import PureDP
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

if TYPE_CHECKING:
    from dprisk.budget.limits import Limit
    from dprisk.budget.search import Together

Status = Literal["limited", "no limit", "infeasible"]
"""There is a largest one, or every one keeps the limit, or none does."""


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

    def cited(self) -> dict[str, Any]:
        """Its reason and its theorem, as JSON has them.

        Returns
        -------
        dict
            ``reason``, ``theorem`` and ``citation``.
        """
        return members(self, "reason", "value.theorem", "value.theorem.citation")


@dataclass(frozen=True, repr=False)
class LimitSolution(Solution, ABC):
    """A solution for a limit on all releases together.

    Parameters
    ----------
    limit : Limit
        What all releases together have to keep, with the confidence that counts.
    whole : Composed or None
        What all releases keep then.
    measured : Answer or None
        What is limited, then.
    together : Together
        How many releases, how they are composed, and what was spent before.
    """

    limit: Limit
    whole: Composed | None
    measured: Answer | None
    together: Together


@final
@result
@dataclass(frozen=True, repr=False)
class Binding:
    """Priors at which a profile is tightest. Made by `solve`.

    Parameters
    ----------
    membership_prior : float
        p; 0 where it binds as p goes to 0. [0, 1]
    value_prior : float
        q; 0 where it binds as q goes to 0. [0, 1]
    ratio : float
        The ratio tolerated there. [0, inf]
    """

    membership_prior: float
    value_prior: float
    ratio: float

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
    """The largest epsilon that keeps a risk profile. Made by `solve`.

    Parameters
    ----------
    profile : Profile
        What was asked for.
    binding : Binding or None
        Where it binds; None without a limit, and where the limit is the same at every prior.
    """

    profile: Profile
    binding: Binding | None

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
            **self.cited(),
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
        The largest epsilon, exact by a closed form where there is one, otherwise the lower end of
        a certified bracket; never above the truth. With it the priors at which it binds, which may
        be a limit (a prior that goes to 0).

    Raises
    ------
    InvalidInput
        If a function turns out not to be what was assumed of it.
    NotConverged
        If no bracket above 0 could be closed.

    Notes
    -----
    The minimum over priors in Equation 36 of P3 is an infimum: it may lie at priors that go to 0,
    which a grid misses. Theorem 4 is undefined, and Theorem 5 is 0/0 at the border between its
    cases, where the truth is an ordinary number; Theorem 6 is misprinted in its middle case and
    wrong where a > q r. What is computed here is the infimum itself.

    References
    ----------
    .. [1] P3, Section 4, Equation 36, Theorems 3 to 6 and Corollary 2.

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
    always = [limit for limit in clause.limits if limit.fixed is not None]
    rest = tuple(limit for limit in clause.limits if limit.fixed is None)
    found = _by_priors(clause.box, rest) if rest else None
    for limit in always:
        fixed = float(limit.fixed or 0.0)
        if found is None or fixed >= found.lower:
            upper = fixed if found is None else max(fixed, found.upper)
            found = Least(fixed, upper, None, limit.theorem, limit.tight)
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
    """The least epsilon by splitting cells, whether there is a closed form or not.

    A prior that was found by closing in on 0 is 0.
    """
    found = infimum(box, limits)
    asked = [limit.at(np.array(found.p), np.array(found.q)) for limit in limits]
    point = asked[int(np.argmax([float(largest(each)) for each in asked]))]
    p = 0.0 if box.p0 == 0.0 and found.p < 1e-7 else found.p
    q = 0.0 if box.q0 == 0.0 and found.q < 1e-7 else found.q
    binds = Point(np.array(p), np.array(q), point.D, point.c)
    return Least(found.lower, found.upper, binds, INFIMUM_BY_CELLS, False, assumed)


def _at_corners(box: Box, limit: BoxLimit, assumed: tuple[str, ...]) -> Least:
    cells = whole(box, (limit,))
    points = limit.worst(cells, limit.at(cells.p1, cells.q1), 0.0)
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
    if 1.0 < r < np.inf and 0.0 < a < 1.0:
        points += _kinks(box, r, a)
    theorem = (
        ONE_MEMBERSHIP_PRIOR
        if box.p0 == box.p1
        else ONE_VALUE_PRIOR
        if box.q0 == box.q1
        else CORNERS_AND_KINKS
    )
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
