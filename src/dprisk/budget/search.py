"""How budgets, noise and numbers of releases are found: the last that keeps a limit."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, Literal, NamedTuple, final

import numpy as np

from dprisk._numeric.normal import normal_quantile
from dprisk.answer import Answer
from dprisk.budget.composition_plan import ADAPTIVE, Together
from dprisk.budget.limits import Limit, neighbors_said
from dprisk.budget.monotone_search import Closeness, Nearest, nearest
from dprisk.budget.status import Status
from dprisk.errors import Meaningless
from dprisk.guarantees.base import Guarantee, Neighbors, in_words
from dprisk.guarantees.composed import Composed
from dprisk.guarantees.pure import PureDP
from dprisk.text import english

EXACT, BRACKETED = 1e-12, 2e-10  # relative: how closely a budget is found
COARSEST_TOLERANCE: Final = 1e-6  # relative: how closely it is found where brackets are wide
ROUNDED, BY_ORDERS = 1e-11, 2e-8  # relative: how far an exact answer is above the truth, at most
WIDEST_BRACKET: Final = 1e-3  # of a bracket that is still worth mentioning, relative
FAR: Final = 0.1  # of the way to the limit: a wider bracket does not show how far that is


class Found(NamedTuple):
    """What a search found; without `whole` where there was nothing to search for, or nothing."""

    status: Status
    reason: str
    kept: float = 0.0
    other_end: float | None = None  # certainly breaks the limit
    whole: Composed | None = None
    measured: Answer | None = None


@final
@dataclass(frozen=True, eq=False)
class Search:
    """What releases are together, along a number that is looked for, beside a limit."""

    limit: Limit
    how: Together
    neighbors: Neighbors
    make: Callable[[float], Composed]
    _made: dict[float, Composed] = field(default_factory=dict, init=False)
    _seen: dict[float, Answer] = field(default_factory=dict, init=False)

    def at(self, x: float) -> tuple[Composed, Answer]:
        """What they keep, and what is limited; composed once."""
        made = self._composed(x)
        if x not in self._seen:
            self._seen[x] = self.limit.measured(made.guarantee)
        return made, self._seen[x]

    def measured(self, x: float) -> float:
        """What is limited; roughly, where that shows how far it is from the limit."""
        guarantee = self._composed(x).guarantee
        if x not in self._seen and guarantee.quick is not guarantee:
            rough = self.limit.measured(guarantee.quick)
            if self._is_far(rough):
                return float(rough)
        return float(self.at(x)[1])

    def _composed(self, x: float) -> Composed:
        if x not in self._made:
            self._made[x] = self.make(x)
        return self._made[x]

    def _is_far(self, rough: Answer) -> bool:
        """Whether all of a bracket is on one side of the limit, and narrow beside the way there."""
        low, high = rough.bracket
        if low is None or high is None or low <= self.limit.most <= high:
            return False
        ends, most = (self._size(float(low)), self._size(float(high))), self._size(self.limit.most)
        way = min(abs(end - most) for end in ends)
        return ends[1] - ends[0] <= FAR * way < math.inf

    def ended(self) -> Found | None:
        """What needs no search: nothing keeps the limit, or everything does."""
        limit, silent = self.limit, float(self.silent)
        if silent > limit.most:
            above = english("budget.above", silent=f"{silent:.6g}", most=f"{limit.most:.6g}")
            return Found("infeasible", limit.reason or above)
        if silent == limit.most and not limit.kept_in_silence:
            return Found("infeasible", english("budget.only-silence"))
        if limit.most == math.inf:
            return Found("no limit", limit.reason or english("budget.infinite"))
        if float(limit.measured(PureDP(math.inf, neighbors=self.neighbors))) <= limit.most:
            return Found("no limit", english("budget.certainty-keeps"))
        return None

    @property
    def silent(self) -> Answer:
        """What is limited where nothing is released."""
        return self.limit.measured(PureDP(0.0, neighbors=self.neighbors))

    def start(self, *, pure: bool) -> float:
        """Mu, or an epsilon, of each release with which all of them come up to the limit, about."""
        limit, how = self.limit, self.how
        steps, left = limit.steps(self.neighbors), max(self._gained(self.base)(limit.most), 0.0)
        mu = math.sqrt(left / how.releases) / steps
        if limit.certain or (pure and not how.spent):
            mu = max(mu * (not limit.certain), limit.strength(limit.most) / steps / how.releases)
        return mu if 0.0 < mu < math.inf else 1.0

    def run(
        self,
        start: float,
        ends: tuple[float, float],
        one: Callable[[float], Guarantee],
        *,
        rising: bool = True,
    ) -> Found:
        """The number nearest to the limit; `kept` is 0, or infinite for noise, where none is."""
        if self.base > self.limit.most:
            return Found("infeasible", "")
        by_orders = one(1.0).composes_by == "orders"
        degree = 1.0 if self.limit.certain or by_orders else 2.0
        if self.how.spent:
            start *= self._beside_spent(one(start)) ** ((1.0 if rising else -1.0) / degree)
        start = min(max(start, ends[0]), ends[1])
        found = nearest(
            self.measured,
            self.limit.most,
            start,
            rising=rising,
            strength=self._gained(self.base),
            degree=degree,
            tolerance=self._closeness,
            ends=ends,
        )
        if not 0.0 < found.kept < math.inf:
            return Found("infeasible", "", found.kept)
        whole, measured = self.at(found.kept)
        other = None
        if 0.0 < found.broken < math.inf and self.how.is_tight(one(found.kept)) and not whole.lossy:
            other = self._certainly_broken(found, degree, BY_ORDERS if by_orders else ROUNDED)
        return Found("limited", "", found.kept, other, whole, measured)

    def last_kept(self, start: int, last: int) -> int:
        """The largest whole number that keeps the limit, given that 0 does. [0, last]"""
        found = nearest(
            self.measured,
            self.limit.most,
            start,
            whole=True,
            strength=self._gained(self.measured(0)),
            ends=(1.0, last),
        )
        return int(found.kept)

    def answer(self, found: Found, bound: Literal["lower", "upper"], end: float) -> Answer:
        """The number that was looked for; `end` where there is none."""
        if found.whole is None or found.measured is None:
            lines = (neighbors_said(self.neighbors),)
            return Answer(end, "exact", self.silent.theorem, lines)
        at, how = found.measured, self.how
        more = (ADAPTIVE,) if how.releases > 1 or how.spent else ()
        return Answer(found.kept, bound, at.theorem, (*at.assumptions, *more), found.other_end)

    @cached_property
    def base(self) -> float:
        """What is limited by what was spent before."""
        if not self.how.spent:
            return float(self.silent)
        nothing = PureDP(0.0, neighbors=self.neighbors)
        spent = self.how.of(nothing, 0, certain=self.limit.certain).guarantee
        rough = float(self.limit.measured(spent.quick))
        return rough if rough <= self.limit.most else float(self.limit.measured(spent))

    def _size(self, value: float) -> float:
        """About what adds up where a value is measured: mu squared, or an epsilon."""
        return self.limit.strength(value) if self.limit.certain else self.limit.mu(value) ** 2

    def _gained(self, base: float) -> Callable[[float], float]:
        """By how much more it is than at first."""
        first = max(self._size(base), 0.0)
        return lambda value: self._size(value) - first

    def _beside_spent(self, one: Guarantee) -> float:
        """What is left beside what was spent, as a share of what releases are by themselves."""
        alone = replace(self.how, spent=()).of(one, certain=self.limit.certain)
        taken = self._size(float(self.limit.measured(alone.guarantee)))
        left = self._gained(self.base)(self.limit.most)
        return left / taken if min(left, taken) > 0.0 and max(left, taken) < math.inf else 1.0

    def _closeness(self, x: float) -> Closeness:
        """No closer than is known what is limited; on the one side where that takes a sum each."""
        seen = self._seen.get(x)
        if seen is None:
            return Closeness(BRACKETED, both=False)
        if seen.bound == "exact":
            return Closeness(EXACT)
        gained = self._gained(self.base)
        low, high = (0.0 if end is None else gained(float(end)) for end in seen.bracket)
        width = 0.1 * (high - low) / high if 0.0 < low <= high < math.inf else 0.0
        return Closeness(min(max(BRACKETED, width), COARSEST_TOLERANCE), both=False)

    def _certainly_broken(self, found: Nearest, degree: float, rounded: float) -> float | None:
        """A number at which even the lower end is above the limit; None where none is near."""
        x, apart, width = found.kept, found.broken / found.kept - 1.0, 0.0
        gained = self._gained(self.base)
        most = gained(self.limit.most)
        for _ in range(4):
            seen = self.at(x)[1]
            end = seen.bracket[0]
            if end is None:
                return None
            low = float(end) * (1.0 - (rounded if seen.bound == "exact" else 0.0))
            if low > self.limit.most:
                return x
            short = 1.0 - gained(low) / most if most > 0.0 else 0.0
            width = max(4.0 * width, 2.0 * short / degree) or abs(apart)
            if not width <= WIDEST_BRACKET:
                return None
            x = found.kept * (1.0 + math.copysign(width, apart))
        return None


def only_bounded(limit: Limit, one: Guarantee, noise: str = "") -> None:
    """Refuse what has to hold with certainty of a loss that has no largest value."""
    if limit.certain and not math.isfinite(float(one.loss_bound(0.0))):
        key = "noise" if noise else "promise"
        fix = "confidence" if limit.takes_confidence else "delta"
        raise Meaningless(
            english(f"budget.not-certain.{key}", name=noise or in_words(one)),
            english(f"budget.not-certain.{key}.{fix}"),
        )


def squared(parts: Sequence[tuple[Guarantee, int]]) -> float:
    """About the square of the mu of Gaussian DP that all of them add up to."""
    return math.fsum(count * _squared(part) for part, count in parts)


def _squared(one: Guarantee) -> float:
    pairs = one.dominating
    if pairs is None:
        return (2.0 * normal_quantile((1.0 + min(float(one.delta(0.0)), 1.0)) / 2.0)) ** 2
    middle = np.array([-0.5 + 0.0j])
    return sum(-8.0 * n * float(pair.forward[1].log_moment(middle)[0].real) for pair, n in pairs)
