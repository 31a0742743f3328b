"""How budgets, noise and numbers of releases are found: the last that keeps a limit."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, final

from dprisk._numeric.normal import ndtri
from dprisk.answer import Answer
from dprisk.budget.composition_plan import ADAPTIVE, Together
from dprisk.budget.limits import Limit, neighbors_said
from dprisk.budget.monotone_search import Nearest, nearest
from dprisk.budget.status import Status
from dprisk.composition.values import Composed
from dprisk.errors import Meaningless
from dprisk.guarantees.approximate import ApproxDP
from dprisk.guarantees.base import Guarantee, Neighbors
from dprisk.guarantees.pure import PureDP
from dprisk.text import english

__all__ = ["Found", "Search", "only_bounded", "squared"]

EXACT, BRACKETED = 1e-12, 2e-10  # relative: how closely a budget is found
COARSEST: Final = 1e-6  # relative: how closely it is found where brackets are wide
ROUNDED, BY_ORDERS = 1e-11, 2e-8  # relative: how far an exact answer is above the truth, at most
WIDEST: Final = 1e-3  # of a bracket that is still worth mentioning, relative

Parts = Guarantee | Sequence[tuple[Guarantee, int]]


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
        if float(limit.measured(ApproxDP(math.inf, 1.0, neighbors=self.neighbors))) <= limit.most:
            return Found("no limit", english("budget.certainty-keeps"))
        return None

    @property
    def silent(self) -> Answer:
        """What is limited where nothing is released."""
        return self.limit.measured(PureDP(0.0, neighbors=self.neighbors))

    def start(self, *, pure: bool) -> float:
        """Mu, or an epsilon, of each release with which all of them come up to the limit, about."""
        limit, number = self.limit, self.how.releases
        left = (limit.separation / limit.steps(self.neighbors)) ** 2 - squared(self.how.spent)
        mu = math.sqrt(max(left, 0.0) / number)
        if pure and not self.how.spent:
            mu = max(mu, limit.shift / limit.steps(self.neighbors) / number)
        return mu if 0.0 < mu < math.inf else 1.0

    def run(
        self,
        start: float,
        ends: tuple[float, float],
        parts: Callable[[float], Parts],
        *,
        rising: bool = True,
    ) -> Found:
        """The number nearest to the limit; `kept` is 0, or infinite for noise, where none is."""
        start = min(max(start, ends[0]), ends[1])
        base = self._before()
        if base > self.limit.most:
            return Found("infeasible", "")
        first = self.at(start)[1]
        found = nearest(
            self.measured,
            self.limit.most,
            start,
            rising=rising,
            strength=self._gained(base),
            tolerance=_closeness(first, base),
            ends=ends,
        )
        if not 0.0 < found.kept < math.inf:
            return Found("infeasible", "", found.kept)
        whole, measured = self.at(found.kept)
        tight = self.how.is_tight(parts(found.kept)) and not whole.lossy
        other = self._certainly_broken(found, base, parts) if tight else None
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

    def _before(self) -> float:
        """What is limited by what was spent before."""
        nothing = PureDP(0.0, neighbors=self.neighbors)
        if not self.how.spent:
            return float(self.silent)
        made = self.how.of(nothing, 0, certain=self.limit.certain)
        return float(self.limit.measured(made.guarantee))

    def _gained(self, base: float) -> Callable[[float], float]:
        """By how much what is limited is stronger than at first."""
        first = max(self.limit.strength(base), 0.0)
        return lambda value: self.limit.strength(value) - first

    def _certainly_broken(
        self, found: Nearest, base: float, parts: Callable[[float], Parts]
    ) -> float | None:
        """A number at which even the lower end is above the limit.

        An exact answer has one number for both ends, rounded upwards: by `ROUNDED` at most, or by
        `BY_ORDERS` where it is found from Rényi divergences.
        """
        x, step, most = found.broken, 1.0 if found.broken > found.kept else -1.0, self.limit.most
        if not 0.0 < x < math.inf:
            return None
        one = parts(found.kept)
        by_orders = isinstance(one, Guarantee) and one.composes_by == "orders"
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
            if not width <= WIDEST:
                return None
            x = found.kept * (1.0 + step * width)
        return None


def only_bounded(limit: Limit, one: Guarantee, noise: str = "") -> None:
    """Refuse what has to hold with certainty of a loss that has no largest value."""
    if limit.certain and not math.isfinite(float(one.loss_bound(0.0))):
        key = "noise" if noise else "promise"
        raise Meaningless(english(f"budget.not-certain.{key}", name=noise or repr(one)))


def squared(parts: Sequence[tuple[Guarantee, int]]) -> float:
    """Sum of the squares of the mu at which Gaussian DP has the same advantages."""
    return math.fsum(count * _normal(part) ** 2 for part, count in parts)


def _normal(one: Guarantee) -> float:
    return 2.0 * float(ndtri((1.0 + min(float(one.delta(0.0)), 1.0)) / 2.0))


def _closeness(seen: Answer, base: float) -> float:
    """How closely to search: no closer than is known what is limited."""
    low, high = seen.bracket
    if seen.bound == "exact":
        return EXACT
    gain = float(high) - base
    if low is None or not gain > 0.0 or not math.isfinite(gain):
        return BRACKETED
    return min(max(BRACKETED, 0.1 * (float(high) - float(low)) / gain), COARSEST)
