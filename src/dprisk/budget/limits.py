"""Limits on all releases together, for every definition of privacy alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Self, final

import numpy as np

from dprisk._checks import (
    INSIDE,
    NONNEGATIVE,
    PROBABILITY,
    assign,
    complement,
    numbers,
    scalar,
    settle,
)
from dprisk._numeric.normal import normal_quantile
from dprisk._values import members, plain
from dprisk.answer import Answer
from dprisk.budget.branch_and_bound import infimum
from dprisk.budget.profile import ASSUMPTIONS, BoxLimit, Clause, FixedLimit, Profile
from dprisk.budget.solving import Budget, solve
from dprisk.errors import InvalidInput, Meaningless, NotConverged, one_of
from dprisk.guarantees.base import SIDES, Guarantee, Neighbors, Sides
from dprisk.risk.adversary import CONFIDENCE_FIX, Secret, between_hypotheses, confidence_for
from dprisk.risk.ratio_tails import Shifts, for_mixtures, shifts_of
from dprisk.text import english
from dprisk.theorems import KNOWN_VALUE_PROFILE, PROFILE_WITH_CONFIDENCE

LATER: Final = english("budget.later")
LEAST: Final = float(np.finfo(float).tiny)
UP: Final = 1.0 + 1e-14  # shifts are divided and multiplied again: four roundings


class Limit(ABC):
    """One number that all releases together must not exceed.

    Ask for the largest budget that keeps it (`largest_budget`), the least noise (`calibrate`) and
    the most releases (`most_releases`).
    """

    __slots__ = ()

    limit: float  # as it was given
    secret: Secret | None = None  # in question; None: the default for the neighbors
    confidence: float | None = None  # with which it holds; None: always, or it is about chances
    takes_confidence: ClassVar[bool] = False  # that may be left out
    kept_in_silence: ClassVar[bool] = False  # a limit that only silence keeps is worth a search

    @property
    def most(self) -> float:
        """The largest value tolerated."""
        return self.limit

    @property
    def certain(self) -> bool:
        """Whether only a bounded privacy loss can keep it."""
        return self.takes_confidence and self.confidence is None

    @property
    def reason(self) -> str:
        """Why nothing keeps it, or everything does, in a sentence; empty where nothing is known."""
        return ""

    @abstractmethod
    def measured(self, guarantee: Guarantee) -> Answer:
        """Measure what is limited, at most, under the guarantee of all releases together."""

    @abstractmethod
    def strength(self, value: float) -> float:
        """About the epsilon of pure DP at which what is limited is a value. [-inf, inf]"""

    @abstractmethod
    def mu(self, value: float) -> float:
        """About the mu of Gaussian DP at which what is limited is a value. [0, inf]"""

    @abstractmethod
    def unprotected(self) -> tuple[str, ...]:
        """Sentences on what the limit leaves unprotected."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, with the key ``metric``."""

    def steps(self, neighbors: Neighbors) -> float:
        """How many steps of these neighbors what is asked is away: 1 or 2."""
        return 2.0 if self.secret == "attribute" and neighbors == "add-remove" else 1.0

    def read_with(self, *guarantees: Guarantee) -> Self:
        """The limit with the confidence with which all that a search is about is read."""
        if not self.takes_confidence or self.confidence is not None:
            return self
        secret = self.secret
        if secret is not None:
            guarantees = tuple(between_hypotheses(each, secret) for each in guarantees)
        found = copy(self)  # with what was solved
        assign(found, confidence=confidence_for(*guarantees))
        return found

    def kept_by(self, guarantee: Guarantee) -> bool:
        """Whether what all releases keep together certainly keeps the limit."""
        return float(self.measured(guarantee)) <= self.most


@final
@dataclass(frozen=True)
class EpsilonLimit(Limit):
    """The epsilon of all releases together at most a constant, at one delta.

    Parameters
    ----------
    limit : float
        Largest epsilon tolerated. [0, inf], nats
    delta : float
        At which delta. [0, 1]

    Examples
    --------
    >>> from dprisk.budget import EpsilonLimit, largest_budget
    >>> found = largest_budget(EpsilonLimit(1.0, delta=1e-6), "gaussian", releases=10)
    >>> round(found.value.value, 5)
    0.07485
    """

    limit: float
    delta: float

    kept_in_silence: ClassVar[bool] = True

    def __post_init__(self) -> None:
        assign(self, limit=scalar("epsilon", self.limit, NONNEGATIVE))
        settle(self, delta=PROBABILITY)

    @property
    def certain(self) -> bool:
        """Whether delta is 0, so that only a bounded privacy loss can keep the limit."""
        return self.delta == 0.0

    def measured(self, guarantee: Guarantee) -> Answer:
        found = guarantee.epsilon(self.delta)
        lines = (assumed_neighbors(guarantee.neighbors), LATER)
        return Answer(found.value, found.bound, found.theorem, lines, found.other_end)

    def strength(self, value: float) -> float:
        return value

    def mu(self, value: float) -> float:
        """About the mu of the normal noise whose delta at this epsilon is the limit's own."""
        if not 0.0 < self.delta < 1.0 or not np.isfinite(value):
            return np.inf if self.delta == 1.0 or np.isinf(value) else 0.0
        return mu_at(value, self.delta)

    def unprotected(self) -> tuple[str, ...]:
        return (english(f"budget.open.epsilon{'' if self.delta else '.pure'}"),)

    def to_dict(self) -> dict[str, Any]:
        return {"metric": "epsilon", **members(self)}


@final
@dataclass(frozen=True)
class ProfileLimit(Limit):
    """A risk profile that is kept with a probability, so that more than pure DP can keep it.

    Parameters
    ----------
    profile : Profile
        The ratios of posterior to prior that are tolerated.
    confidence : float, optional
        Probability with which they are kept, over the mechanism's coins. (0, 1). Left out: always
        where the privacy loss is bounded, otherwise 0.99.
    sides : {"one", "both"}
        Whether the beliefs are bounded from above only, which is what a profile asks, or from
        below at once (as in P0).

    Notes
    -----
    What is measured is E, such that E over the epsilon that pure DP may have is how much smaller
    the log-odds shifts would have to be: at most 1 keeps the profile. One step (in the data or not)
    and two (the value) may each exceed their shifts as often as the profile may fail. At the value
    prior 1 alone one step is all there is (P0, Section 4.3), at the membership prior 1 alone two.

    References
    ----------
    .. [1] P0, Section 4.3; P3, Theorem 1; dprisk, Proposition 16.

    Examples
    --------
    >>> from dprisk.budget import ProfileLimit, RatioLimit, largest_budget
    >>> known = ProfileLimit(RatioLimit(3.0, value_prior=1.0), confidence=0.99)
    >>> round(largest_budget(known, "approximate", delta=1e-6).value.value, 4)
    1.0985
    """

    profile: Profile
    confidence: float | None = None
    sides: Sides = "one"
    takes_confidence: ClassVar[bool] = True
    budget: Budget = field(init=False, repr=False, compare=False)
    """Budget of pure DP, with certainty: the shift is compared with its epsilon."""

    def __post_init__(self) -> None:
        if not isinstance(self.profile, Profile):
            raise InvalidInput("profile", self.profile, "a Profile, such as RatioLimit(3.0)")
        one_of("sides", self.sides, SIDES)
        failure_of(self.confidence)
        assign(self, budget=solve(self.profile))

    @property
    def most(self) -> float:
        """The epsilon of pure DP; infinite without a limit, below 0 where nothing keeps it."""
        return -1.0 if self.budget.status == "infeasible" else float(self.budget.epsilon)

    @property
    def reason(self) -> str:
        return self.budget.reason

    @property
    def value_known(self) -> bool:
        """Whether the profile speaks of the value prior 1 only."""
        return all(box.q0 == box.q1 == 1.0 for box, _ in self.profile.clauses())

    @property
    def membership_known(self) -> bool:
        """Whether the profile speaks of the membership prior 1 only: of the value alone."""
        return all(box.p0 == 1.0 for box, _ in self.profile.clauses())

    def measured(self, guarantee: Guarantee) -> Answer:
        """E, in nats."""
        self._check(guarantee)
        confidence = confidence_for(guarantee, asked=self.confidence)
        if confidence != self.confidence:
            return self.read_with(guarantee).measured(guarantee)
        failure, chance = failure_of(confidence), english("budget.profile.certain")
        if confidence is not None:
            known = "known" if self.value_known else "in" if self.membership_known else "any"
            chance = english(f"budget.profile.mostly.{known}", chance=f"{confidence:.12g}")
        lines = (assumed_neighbors(guarantee.neighbors), *ASSUMPTIONS[1:], chance, LATER)
        guarantee = for_mixtures(guarantee)
        if guarantee.neighbors == "replace-one":  # what pure DP with E keeps in two steps
            two = guarantee.loss_bound(failure, sides=self.sides)
            other = None if two.other_end is None else np.asarray(two.other_end) / 2.0
            half = np.asarray(two.value) / 2.0
            return Answer(half, two.bound, PROFILE_WITH_CONFIDENCE, lines, other)
        if self.value_known:
            one = guarantee.loss_bound(failure, sides=self.sides)
            return Answer(one.value, one.bound, KNOWN_VALUE_PROFILE, lines, one.other_end)
        if "pure" in guarantee.additive_parameters:
            one = guarantee.loss_bound(0.0)
            return Answer(one.value, one.bound, PROFILE_WITH_CONFIDENCE, lines, one.other_end)
        found = _shift(self.profile, self.most, guarantee, failure, self.sides)
        return Answer(found, "upper", PROFILE_WITH_CONFIDENCE, lines)

    def strength(self, value: float) -> float:
        return value

    def mu(self, value: float) -> float:
        return normals_apart(max(value, 0.0), failure_of(self.confidence), self.sides)

    def unprotected(self) -> tuple[str, ...]:
        return (*self.profile.unprotected(), *beyond(self.confidence))

    def to_dict(self) -> dict[str, Any]:
        try:
            tree = self.profile.to_tree()
        except InvalidInput:  # a function of Python has no text
            tree = None
        return {
            "metric": "profile",
            "limit": plain(self.most),
            "profile": tree,
            "binding": self.budget.to_dict()["binding"],
            **members(self, "confidence", "sides"),
        }

    def _check(self, guarantee: Guarantee) -> None:
        if guarantee.neighbors != "add-remove" and not self.membership_known:
            raise Meaningless(
                "A risk profile asks whether the person is in the data and has some value. Under "
                "replace-one neighbors every dataset has the same size, so a guarantee of that "
                "kind does not limit learning who is in it. Give a guarantee for add-remove "
                "neighbors, or write the membership prior 1 into every part of the profile: the "
                "question is then about the value alone."
            )
        fixed = any(
            isinstance(each, FixedLimit) for _, held in self.profile.clauses() for each in held
        )
        if fixed and "pure" not in guarantee.additive_parameters:
            raise Meaningless(
                "Power at a level and counterfactual ratios in a profile are read as limits on the "
                "epsilon of pure DP. Ask about pure DP and leave out the confidence, or limit the "
                "power itself (AttackLimit)."
            )


def checked_limits(limits: Sequence[Limit]) -> tuple[Limit, ...]:
    """Return the limits as a tuple; refuse none at all, and anything that is not a limit."""
    found = tuple(limits)
    wrong = [each for each in found if not isinstance(each, Limit)]
    if not found or wrong:
        fix = 'Such as AttackLimit("power", 0.2, level=0.05).'
        raise InvalidInput("limits", wrong[0] if wrong else None, "a list of limits", fix)
    return found


def unprotected_by(limits: Sequence[Limit]) -> list[str]:
    """Sentences on what limits leave unprotected, each once."""
    return list(dict.fromkeys(said for limit in limits for said in limit.unprotected()))


def failure_of(confidence: float | None) -> float:
    """One minus the confidence; 0 for certainty."""
    if confidence is None:
        return 0.0
    return float(complement(numbers("confidence", confidence, INSIDE, CONFIDENCE_FIX)))


def _shift(
    profile: Profile, most: float, guarantee: Guarantee, failure: float, sides: Sides
) -> float:
    """E of Proposition 16: the profile is kept where it is at most `most`, what pure DP may have.

    It is `most`, times what the shifts are, over the largest multiple of them that keeps it.
    """
    kept = shifts_of(guarantee, failure, sides)
    if kept.larger == 0.0 or not 0.0 < most < np.inf:
        return kept.larger
    return max(_of_clause(clause, most, kept) for clause in profile.clauses())


def _of_clause(clause: Clause, most: float, kept: Shifts) -> float:
    """E of one clause; that of all priors where more than the prior p q decides what is tolerated.

    The search over both priors would take seconds there.
    """
    box, limits = clause.box, [each for each in clause.limits if isinstance(each, BoxLimit)]
    if box.p0 == 1.0:  # in the data for sure: nothing is asked about one step
        return kept.two / 2.0
    unit = max(kept.larger if np.isfinite(kept.two) else kept.one, LEAST)
    if not all(each.by_prior for each in limits) or unit == np.inf:
        return kept.larger
    scaled = Shifts(max(kept.one, LEAST), kept.two).times(1.0 / unit)
    try:
        least = infimum(box, limits, (scaled,)).lower
    except NotConverged:
        return kept.larger
    return min(kept.larger, unit * most / least * UP if least > 0.0 else np.inf)


def normals_apart(shift: float, failure: float, sides: Sides) -> float:
    """The mu at which the log-odds shift by that much with that probability (Proposition 2)."""
    if failure == 0.0 or np.isinf(shift):
        return np.inf if np.isinf(shift) else 0.0
    faint = float(np.exp(-shift))
    power = failure / (1.0 + faint) if sides == "both" else failure
    if power >= 1.0:
        return 0.0
    return max(normal_quantile(power) - normal_quantile(power * faint), 0.0)


def mu_at(epsilon: float, delta: float) -> float:
    """About the mu of normal noise at a point of its profile. [0, inf)

    The loss exceeds epsilon about as often as delta says: epsilon = mu z + mu^2 / 2.
    """
    z, least = -normal_quantile(delta), 2.0 * normal_quantile((1.0 + delta) / 2.0)
    return max(float(np.sqrt(z * z + 2.0 * epsilon)) - z, least)


def beyond(confidence: float | None) -> tuple[str, ...]:
    """Sentence on the chance that a confidence leaves open; none without a confidence."""
    if confidence is None:
        return ()
    return (english("budget.open.confidence", rest=f"{failure_of(confidence):.3g}"),)


def assumed_neighbors(neighbors: Neighbors) -> str:
    """Which datasets are neighbors, as an assumption."""
    return english("assumptions.neighbors", neighbors=neighbors)
