"""How budgets, noise and numbers of releases are found: the last that keeps a limit.

`Together` says how releases are composed. `Search` follows what is limited along a number, to where
it comes up to the limit; what it finds is a `LimitSolution`.
"""

from __future__ import annotations

import math
from abc import ABC
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import Final, TypeAlias, final

import numpy as np

from dprisk._checks import INSIDE, assign, scalar, whole
from dprisk._numeric.exact import total_as_written
from dprisk._numeric.invert import Closeness, nearest
from dprisk._numeric.normal import normal_quantile
from dprisk._values import result
from dprisk.answer import Answer
from dprisk.budget.limits import Limit, assumed_neighbors
from dprisk.budget.solving import Solution, Status
from dprisk.composition.composing import RULES, Rule, compose
from dprisk.composition.theorems import adds_up
from dprisk.errors import InvalidInput, Meaningless, one_of
from dprisk.guarantees.approximate import ApproxDP
from dprisk.guarantees.base import Composed, Guarantee, Neighbors
from dprisk.guarantees.pure import PureDP
from dprisk.guarantees.words import in_words
from dprisk.text import english
from dprisk.theorems import ADVANCED_WITHOUT_DELTA, NOTHING_RELEASED

Spent = Sequence[tuple[Guarantee, int]]
"""Guarantees, and how often each is used."""

ADAPTIVE: Final = english("budget.adaptive")
EXACT, BRACKETED = 1e-12, 2e-10  # relative: how closely a budget is found
COARSEST_TOLERANCE: Final = 1e-6  # relative: how closely it is found where brackets are wide


@final
@result
@dataclass(frozen=True, repr=False)
class Together:
    """How releases are read together.

    Parameters
    ----------
    releases : int
        How many of the kind that is asked about. [1, 10^9]
    rule : {"best", "simple", "advanced", "optimal"}
        How they are composed, as `compose` has it; advanced needs `at_delta`.
    at_delta : float, optional
        The delta at which the whole is read as (epsilon, delta)-DP. (0, 1). Left out, all of its
        curve is used.
    spent : sequence of (Guarantee, int)
        What has been released about the same people before, and how often. [1, 10^9]

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.budget import Together
    >>> year = Together(releases=12, at_delta=1e-6)
    >>> round(year.of(PureDP(0.1, neighbors="add-remove")).guarantee.stated_epsilon, 3)
    1.198
    """

    releases: int = 1
    rule: Rule = "best"
    at_delta: float | None = None
    spent: Spent = ()

    def __post_init__(self) -> None:
        assign(self, releases=whole("releases", self.releases, 1))
        one_of("rule", self.rule, RULES)
        assign(self, spent=tuple((part, int(count)) for part, count in self.spent))
        if self.at_delta is not None:
            assign(self, at_delta=scalar("at_delta", self.at_delta, INSIDE, "Such as 1e-06."))
        elif self.rule == "advanced":
            fix = "Advanced composition costs a delta: give it, such as 1e-6."
            raise InvalidInput("at_delta", None, "given for the advanced rule", fix)

    def of(
        self, one: Guarantee | Spent, releases: int | None = None, *, certain: bool = False
    ) -> Composed:
        """Compose all releases, if each of them keeps `one`.

        Parameters
        ----------
        one : Guarantee or sequence of (Guarantee, int)
            Of each release; or of its parts, and how often each is used. [1, 10^9]
        releases : int, optional
            Another number of them. [0, 10^9]
        certain : bool
            Whether it is read with certainty: epsilons that add up then say all there is.

        Returns
        -------
        Composed
            With the rule that was used, and what it gave away.
        """
        number = self.releases if releases is None else releases
        each = _parts(one)
        if number > 0:
            return self._whole([*self.spent, *((part, n * number) for part, n in each)], certain)
        if self.spent:
            return _spent_alone(self, certain)
        return Composed(PureDP(0.0, neighbors=each[0][0].neighbors), NOTHING_RELEASED)

    def _whole(self, everything: Spent, certain: bool) -> Composed:
        parts, counts = [part for part, _ in everything], [n for _, n in everything]
        neighbors = parts[0].neighbors
        if certain and self.rule != "advanced" and self.at_delta is None and adds_up(parts):
            theorem = compose(parts, counts, rule="simple").theorem
            epsilons = [float(part.loss_bound(0.0)) for part in parts]
            return Composed(
                PureDP(total_as_written(epsilons, counts), neighbors=neighbors), theorem
            )
        slack = None
        if self.rule == "advanced" and (len(parts) > 1 or counts[0] > 1):
            given = math.fsum(n * part.parameters.get("delta", 0.0) for part, n in everything)
            slack = ((self.at_delta or 0.0) - given) * (1.0 - 1e-12)
            if slack <= 0.0:
                return Composed(
                    ApproxDP(math.inf, 1.0, neighbors=neighbors), ADVANCED_WITHOUT_DELTA
                )
        shared = len(self.spent) if len(parts) > len(self.spent) else 0
        made = compose(parts, counts, rule=self.rule, slack=slack, shared=shared)
        if self.at_delta is None:
            return made
        epsilon = float(made.guarantee.epsilon(self.at_delta))
        read = ApproxDP(epsilon, self.at_delta, neighbors=neighbors)
        return Composed(read, made.theorem, made.lossy)


@lru_cache(maxsize=8)  # every search about these releases asks for it
def _spent_alone(how: Together, certain: bool) -> Composed:
    return how._whole(how.spent, certain)


def _parts(one: Guarantee | Spent) -> Spent:
    return ((one, 1),) if isinstance(one, Guarantee) else one


def as_together(releases: int | Together) -> Together:
    """A bare number of releases, with nothing beside them, or what was given."""
    return releases if isinstance(releases, Together) else Together(releases)


def counted(how: Together, one: Guarantee | Spent) -> tuple[Guarantee, ...]:
    """Everything that counts for how surely the whole is read, each once."""
    parts = [part for part, _ in (*how.spent, *_parts(one))]
    if how.at_delta is not None:
        parts.append(ApproxDP(1.0, how.at_delta, neighbors=parts[0].neighbors))
    return tuple(parts)


def is_tight(how: Together, one: Guarantee | Spent) -> bool:
    """Whether nothing is given away by the rule, by one delta, or by adding up divergences."""
    parts = [part for part, _ in (*how.spent, *_parts(one))]
    if how.at_delta is not None:
        return False
    if how.releases == 1 and len(parts) == 1:
        return True
    by_orders = any(part.composes_by == "orders" for part in parts)
    return how.rule in ("best", "optimal") and not by_orders


@dataclass(frozen=True, repr=False)
class LimitSolution(Solution, ABC):
    """A solution for a limit on all releases together; how they are, and what they keep then."""

    limit: Limit  # with the confidence that counts
    whole: Composed | None  # what all releases keep then
    measured: Answer | None  # what is limited, then
    together: Together


Fields: TypeAlias = tuple[Status, Answer, str, Limit, Composed | None, Answer | None, Together]
"""Fields that every `LimitSolution` has."""


@final
@dataclass(frozen=True, eq=False)
class Search:
    """Releases composed along a number that is looked for, and measured against a limit."""

    limit: Limit
    how: Together
    neighbors: Neighbors
    make: Callable[[float], Composed]

    # what they keep, and what is limited: each computed once

    @cached_property
    def composed(self) -> Callable[[float], Composed]:
        """Composition of the releases at a number, computed once."""
        return cache(self.make)

    @cached_property
    def measured(self) -> Callable[[float], Answer]:
        """Limited quantity at a number, computed once."""
        return cache(lambda x: self.limit.measured(self.composed(x).guarantee))

    @cached_property
    def _read(self) -> Callable[[float], tuple[Answer, bool]]:
        @cache
        def read(x: float) -> tuple[Answer, bool]:
            """Measure the limited quantity; roughly, if that suffices so far from the limit."""
            guarantee = self.composed(x).guarantee
            if guarantee.coarse is not guarantee:
                rough = self.limit.measured(guarantee.coarse)
                if self._is_far(rough):
                    return rough, True
            return self.measured(x), False

        return read

    def size(self, x: float) -> float:
        """Limited quantity at a number, as closely as a search has to know it."""
        return float(self._read(x)[0])

    def _is_far(self, rough: Answer) -> bool:
        """Whether all of a bracket is on one side of the limit, and narrow beside the way there."""
        low, high = rough.bracket
        if low is None or high is None or low <= self.limit.most <= high:
            return False
        low, high, most = (self._adding(float(each)) for each in (low, high, self.limit.most))
        return high - low <= 0.1 * min(abs(low - most), abs(high - most)) < math.inf

    @cached_property
    def silent(self) -> Answer:
        """Limited quantity where nothing is released."""
        return self.limit.measured(PureDP(0.0, neighbors=self.neighbors))

    @cached_property
    def base(self) -> float:
        """Limited quantity under what was spent before."""
        if not self.how.spent:
            return float(self.silent)
        nothing = PureDP(0.0, neighbors=self.neighbors)
        spent = self.how.of(nothing, 0, certain=self.limit.certain).guarantee
        rough = float(self.limit.measured(spent.coarse))
        return rough if rough <= self.limit.most else float(self.limit.measured(spent))

    # searches

    def ended(self) -> tuple[Status, str] | None:
        """Status and reason where no search is needed: nothing keeps the limit, or everything."""
        limit, silent = self.limit, float(self.silent)
        if silent > limit.most:
            above = english("budget.above", silent=f"{silent:.6g}", most=f"{limit.most:.6g}")
            return "infeasible", limit.reason or above
        if silent == limit.most and not limit.kept_in_silence:
            return "infeasible", english("budget.only-silence")
        if limit.most == math.inf:
            return "no limit", limit.reason or english("budget.infinite")
        if float(limit.measured(PureDP(math.inf, neighbors=self.neighbors))) <= limit.most:
            return "no limit", english("budget.certainty-keeps")
        return None

    def start(self, *, pure: bool) -> float:
        """Mu, or an epsilon, of each release with which all of them come up to the limit, about."""
        limit, how = self.limit, self.how
        steps, left = limit.steps(self.neighbors), max(self.gained(limit.most), 0.0)
        mu = math.sqrt(left / how.releases) / steps
        if limit.certain or (pure and not how.spent):
            mu = max(mu * (not limit.certain), limit.strength(limit.most) / steps / how.releases)
        return mu if 0.0 < mu < math.inf else 1.0

    def solve(
        self,
        one: Callable[[float], Guarantee],
        start: Callable[[], float],
        ends: tuple[float, float],
        why_none: Callable[[], str],
        *,
        rising: bool = True,
    ) -> Fields:
        """Fields of a solution: the number nearest to the limit at which each release keeps it."""
        limit, how, broken = self.limit, self.how, 0.0
        status, reason = self.ended() or ("limited", "")
        kept = math.inf if (status == "no limit") == rising else 0.0
        by_orders = one(1.0).composes_by == "orders"
        degree = 1.0 if limit.certain or by_orders else 2.0
        if status == "limited":
            if self.base <= limit.most:
                kept, broken = self._nearest(one, start(), ends, degree, rising=rising)
            if not 0.0 < kept < math.inf:
                status, reason = "infeasible", why_none()
                kept = 0.0 if rising else math.inf
        if status != "limited":
            lines = (assumed_neighbors(self.neighbors),)
            value = Answer(kept, "exact", self.silent.theorem, lines)
            return status, value, reason, limit, None, None, how
        whole, at, other = self.composed(kept), self.measured(kept), None
        if 0.0 < broken < math.inf and is_tight(how, one(kept)) and not whole.lossy:
            # how far an exact answer is above the truth, at most
            rounded = 2e-8 if by_orders else 1e-11
            other = self._certainly_broken(kept, broken, degree, rounded)
        lines = (*at.assumptions, *((ADAPTIVE,) if how.releases > 1 or how.spent else ()))
        value = Answer(kept, "lower" if rising else "upper", at.theorem, lines, other)
        return status, value, "", limit, whole, at, how

    def _nearest(
        self,
        one: Callable[[float], Guarantee],
        start: float,
        ends: tuple[float, float],
        degree: float,
        *,
        rising: bool,
    ) -> tuple[float, float]:
        if self.how.spent:
            start *= self._beside_spent(one(start)) ** ((1.0 if rising else -1.0) / degree)
        return nearest(
            self.size,
            self.limit.most,
            start,
            rising=rising,
            strength=self.gained,
            degree=degree,
            closeness=self._closeness,
            ends=ends,
        )

    def last_kept(self, start: int, last: int) -> int:
        """The largest whole number that keeps the limit, given that 0 does. [0, last]"""
        first = max(self._adding(self.size(0)), 0.0)
        kept, _ = nearest(
            self.size,
            self.limit.most,
            start,
            whole=True,
            strength=lambda value: self._adding(value) - first,
            closeness=lambda _: (1e-15, True),
            ends=(1.0, last),
        )
        return int(kept)

    def _adding(self, value: float) -> float:
        """About what adds up where a value is measured: mu squared, or an epsilon."""
        return self.limit.strength(value) if self.limit.certain else self.limit.mu(value) ** 2

    def gained(self, value: float) -> float:
        """How much more that is than what was spent before."""
        return self._adding(value) - self._at_base

    @cached_property
    def _at_base(self) -> float:
        return max(self._adding(self.base), 0.0)

    def _beside_spent(self, one: Guarantee) -> float:
        """Room left beside what was spent, as a share of what the releases take by themselves."""
        alone = replace(self.how, spent=()).of(one, certain=self.limit.certain)
        taken = self._adding(float(self.limit.measured(alone.guarantee)))
        left = self.gained(self.limit.most)
        return left / taken if min(left, taken) > 0.0 and max(left, taken) < math.inf else 1.0

    def _closeness(self, x: float) -> Closeness:
        """No closer than is known what is limited; on the one side where that takes a sum each."""
        seen, rough = self._read(x)
        if rough:
            return BRACKETED, False
        if seen.bound == "exact":
            return EXACT, True
        low, high = (0.0 if end is None else self.gained(float(end)) for end in seen.bracket)
        width = 0.1 * (high - low) / high if 0.0 < low <= high < math.inf else 0.0
        return min(max(BRACKETED, width), COARSEST_TOLERANCE), False

    def _certainly_broken(
        self, kept: float, broken: float, degree: float, rounded: float
    ) -> float | None:
        """A number at which even the lower end is above the limit; None where none is near."""
        x, apart, width = kept, broken / kept - 1.0, 0.0
        most = self.gained(self.limit.most)
        for _ in range(4):
            seen = self.measured(x)
            end = seen.bracket[0]
            if end is None:
                return None
            low = float(end) * (1.0 - (rounded if seen.bound == "exact" else 0.0))
            if low > self.limit.most:
                return x
            short = 1.0 - self.gained(low) / most if most > 0.0 else 0.0
            width = max(4.0 * width, 2.0 * short / degree) or abs(apart)
            if not width <= 1e-3:  # a wider bracket is not worth mentioning
                return None
            x = kept * (1.0 + math.copysign(width, apart))
        return None


def only_bounded(limit: Limit, one: Guarantee, noise: str = "") -> None:
    """Refuse what has to hold with certainty of a loss that has no largest value."""
    if limit.certain and not math.isfinite(float(one.loss_bound(0.0))):
        why = f"A promise of {in_words(one)} bounds the privacy loss only up to a probability"
        if noise:
            why = f"The privacy loss of {noise} noise has no largest value"
        other = ", or take geometric or Laplace noise" if noise else ""
        if limit.takes_confidence:
            fix = f"Say with which confidence the limit has to be kept, such as 0.99{other}."
        else:
            fix = "Limit ε at a δ above 0, such as 1e-6"
            fix = f"{fix}{other or ', and above any δ that is promised'}."
        raise Meaningless(f"{why}, so nothing certain follows from it.", fix)


def mu_squared(parts: Sequence[tuple[Guarantee, int]]) -> float:
    """About the square of the mu of Gaussian DP that all of them add up to."""
    return math.fsum(count * _mu_squared(part) for part, count in parts)


def _mu_squared(one: Guarantee) -> float:
    pairs = one.dominating
    if pairs is None:
        return (2.0 * normal_quantile((1.0 + min(float(one.delta(0.0)), 1.0)) / 2.0)) ** 2
    middle = np.array([-0.5 + 0.0j])
    return sum(-8.0 * n * float(pair.forward[1].log_moment(middle)[0].real) for pair, n in pairs)
