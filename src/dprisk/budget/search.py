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
from dprisk.budget.monotone_search import Nearest, nearest
from dprisk.budget.status import Status
from dprisk.composition.composed import Composed
from dprisk.errors import Meaningless
from dprisk.guarantees.base import Guarantee, Neighbors
from dprisk.guarantees.pure import PureDP
from dprisk.text import english

__all__ = ["Found", "Search", "only_bounded", "squared"]

EXACT, BRACKETED = 1e-12, 2e-10  # relative: how closely a budget is found
COARSEST_TOLERANCE: Final = 1e-6  # relative: how closely it is found where brackets are wide
ROUNDED, BY_ORDERS = 1e-11, 2e-8  # relative: how far an exact answer is above the truth, at most
WIDEST_BRACKET: Final = 1e-3  # of a bracket that is still worth mentioning, relative


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
    """What releases are together, along a number that is looked for, beside a limit.

    Parameters
    ----------
    limit : Limit
        What has to be kept, with the confidence that counts.
    how : Together
        How releases are composed.
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors.
    make : callable
        What all of them keep, at a number.
    """

    limit: Limit
    how: Together
    neighbors: Neighbors
    make: Callable[[float], Composed]
    _seen: dict[float, tuple[Composed, Answer]] = field(default_factory=dict, init=False)

    def at(self, x: float) -> tuple[Composed, Answer]:
        """What they keep, and what is limited; composed once."""
        if x not in self._seen:
            made = self.make(x)
            self._seen[x] = made, self.limit.measured(made.guarantee)
        return self._seen[x]

    def measured(self, x: float) -> float:
        """What is limited."""
        return float(self.at(x)[1])

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
        base, gained = self.base, self._gained(self.base)
        if base > self.limit.most:
            return Found("infeasible", "")
        degree = 1.0 if self.limit.certain or one(1.0).composes_by == "orders" else 2.0
        if self.how.spent:
            start *= self._beside_spent(one(start)) ** ((1.0 if rising else -1.0) / degree)
        start = min(max(start, ends[0]), ends[1])
        found = nearest(
            self.measured,
            self.limit.most,
            start,
            rising=rising,
            strength=gained,
            degree=degree,
            tolerance=_closeness(self.at(start)[1], gained),
            ends=ends,
        )
        if not 0.0 < found.kept < math.inf:
            return Found("infeasible", "", found.kept)
        whole, measured = self.at(found.kept)
        tight = self.how.is_tight(one(found.kept)) and not whole.lossy
        other = self._certainly_broken(found, base, one) if tight else None
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
        made = self.how.of(nothing, 0, certain=self.limit.certain)
        return float(self.limit.measured(made.guarantee))

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

    def _certainly_broken(
        self, found: Nearest, base: float, one: Callable[[float], Guarantee]
    ) -> float | None:
        """A number at which even the lower end is above the limit.

        An exact answer has one number for both ends, rounded upwards: by `ROUNDED` at most, or by
        `BY_ORDERS` where it is found from Rényi divergences.
        """
        x, step, most = found.broken, 1.0 if found.broken > found.kept else -1.0, self.limit.most
        if not 0.0 < x < math.inf:
            return None
        by_orders = one(found.kept).composes_by == "orders"
        width = abs(x / found.kept - 1.0)
        for _ in range(4):
            seen = self.at(x)[1]
            end = seen.bracket[0]
            if end is None:
                return None
            rounded = BY_ORDERS if by_orders else ROUNDED
            low = float(end) * (1.0 - (rounded if seen.bound == "exact" else 0.0))
            if low > most:
                return x
            width = max(4.0 * width, 2.0 * (most - low) / (most - base))
            if not width <= WIDEST_BRACKET:
                return None
            x = found.kept * (1.0 + step * width)
        return None


def only_bounded(limit: Limit, one: Guarantee, noise: str = "") -> None:
    """Refuse what has to hold with certainty of a loss that has no largest value."""
    if limit.certain and not math.isfinite(float(one.loss_bound(0.0))):
        key = "noise" if noise else "promise"
        raise Meaningless(english(f"budget.not-certain.{key}", name=noise or repr(one)))


def squared(parts: Sequence[tuple[Guarantee, int]]) -> float:
    """About the square of the mu of Gaussian DP that all of them add up to.

    From the Bhattacharyya coefficients e^(-mu^2 / 8), which multiply; or else from advantages.
    """
    return math.fsum(count * _squared(part) for part, count in parts)


def _squared(one: Guarantee) -> float:
    pairs = one.dominating
    if pairs is None:
        return (2.0 * normal_quantile((1.0 + min(float(one.delta(0.0)), 1.0)) / 2.0)) ** 2
    middle = np.array([-0.5 + 0.0j])
    return sum(-8.0 * n * float(pair.forward[1].log_moment(middle)[0].real) for pair, n in pairs)


def _closeness(seen: Answer, gained: Callable[[float], float]) -> float:
    """How closely to search: no closer than is known what is limited."""
    if seen.bound == "exact":
        return EXACT
    low, high = (0.0 if end is None else gained(float(end)) for end in seen.bracket)
    if not 0.0 < low <= high < math.inf:
        return BRACKETED
    return min(max(BRACKETED, 0.1 * (high - low) / high), COARSEST_TOLERANCE)
