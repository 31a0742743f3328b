"""DP-SGD for a tolerated risk: the least noise, or the most steps or records in a batch."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final, Literal, final

from dprisk._values import members, plain, result
from dprisk.answer import Answer
from dprisk.budget.counting import one_release
from dprisk.budget.limits import Limit, assumed_neighbors
from dprisk.budget.search import (
    ADAPTIVE,
    Fields,
    LimitSolution,
    Search,
    Together,
    as_together,
    counted,
    only_bounded,
)
from dprisk.budget.secants import Secants
from dprisk.errors import Meaningless, refused
from dprisk.guarantees.base import Composed, Guarantee
from dprisk.releases.release import Release
from dprisk.releases.training import MOST_STEPS, Training, as_release
from dprisk.text import english

Unknown = Literal["noise_multiplier", "steps", "batch_size", "sample_rate"]
NOISES: Final = (1e-3, 1e12)
RATES: Final = (1e-12, 1.0)
LEAST: Final = 1e-30  # mu squared: where to start at the least


@final
@result
@dataclass(frozen=True, repr=False)
class TrainingFound(LimitSolution):
    """A training with DP-SGD that keeps a limit. Made by `solve_training` and `calibrate`."""

    unknown: Unknown  # the value is of it: the least noise, the most of the others
    training: Training | None  # with the value; None where there is none

    @property
    def release(self) -> Release:
        """The training as a release; refused where there is none."""
        if self.training is None:
            raise Meaningless(f"There is no training to run: {self.reason}")
        return as_release(self.training)

    @property
    def breaks_at(self) -> float | None:
        """The number next to it that certainly breaks the limit, where that is known."""
        low, high = self.value.bracket
        end = low if self.unknown == "noise_multiplier" else high
        return None if end is None or end == float(self.value) else float(end)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: ``value`` keeps the limit, ``breaks_at`` breaks it."""
        return {
            "kind": "dp-sgd",
            **members(self, "status", "limit", "unknown"),
            "value": plain(float(self.value)),
            **members(self, "breaks_at", "together.releases"),
            "training": None if self.training is None else plain(self.training.given),
            "measured": None if self.measured is None else plain(float(self.measured)),
            **self._cited(),
            "assumptions": list(self.value.assumptions),
        }


def unknown_of(training: Training) -> Unknown:
    """The one of noise, steps and batch that is left out; refused where it is not one."""
    missing = training.missing
    if len(missing) != 1:
        name = " and ".join(missing) or "noise_multiplier"
        value = None if missing else training.noise_multiplier
        raise refused("budget.training.one", name, value)
    (name,) = missing
    if name == "sample_rate" and training.steps is None:
        raise refused("budget.training.epochs", "epochs", training.epochs)
    if name == "sample_rate" and training.examples is not None:
        return "batch_size"
    return name  # type: ignore[return-value]


def solve_training(limit: Limit, training: Training, releases: int | Together = 1) -> TrainingFound:
    """The least noise, or the most steps or records in a batch, with which a limit is kept.

    Parameters
    ----------
    limit : Limit
        What everything together has to keep.
    training : Training
        The run, without exactly one of its noise multiplier, its steps and its rate.
    releases : int or Together
        How many such runs; or that with what was spent before. [1, 10^9]

    Returns
    -------
    TrainingFound
        A number that keeps the limit as computed, and one at most a millionth beyond that
        certainly does not, where that is known.

    Raises
    ------
    InvalidInput
        If none, or more than one of the three is left out.
    Meaningless
        If the limit has no meaning under these neighbors, or only a bounded loss keeps it.

    Notes
    -----
    Each is monotone: more noise is post-processing, fewer steps are some of more, and of a
    Poisson sample another one takes a smaller one.
    """
    unknown, how = unknown_of(training), as_together(releases)
    run = _Run(training, unknown, how)
    example = run.one(1.0)
    limit = limit.read_with(*counted(how, example))
    search = Search(limit, how, training.neighbors, run.composed)
    only_bounded(limit, example, "normal")
    none, every = (english(f"budget.training.{each}.{unknown}") for each in ("none", "every"))
    found = solved(search, run.along, none, every)
    made = run.with_number(float(found[1])) if found[4] is not None else None
    return TrainingFound(*found, unknown, made)


@final
@dataclass(frozen=True, eq=False)
class Along:
    """A line of releases, along a number that is looked for."""

    ends: tuple[float, float]
    place: Callable[[float], float]
    """About the logarithm of the mu of Gaussian DP that one release adds up to, at a number."""
    number: Callable[[float], float]
    """The number at a place, within the ends; the nearest one, of those that are counted."""
    least: bool = True
    """Whether the least number that keeps a limit is looked for, or the largest."""
    whole: bool = False
    """Whether it is counted."""
    many: bool = True
    """Whether there are several releases or steps."""


@final
@dataclass(frozen=True, eq=False)
class _Run:
    """A training along the number that is left out."""

    training: Training
    unknown: Unknown
    how: Together

    def composed(self, x: float) -> Composed:
        """All of the runs, with a number."""
        return self.how.of([(self.one(x), self.with_number(x).uses() or 1)])

    def one(self, x: float) -> Guarantee:
        """One use of the mechanism, with a number."""
        made = self.with_number(x)
        rate = made.rate or 1.0
        run = made.run(made.noise_multiplier, rate)
        return one_release(run) if rate == 1.0 or made.sampling == "shuffled" else run.loss()

    def with_number(self, x: float) -> Training:
        """The training with it."""
        value: dict[str, Any] = {self.unknown: int(x) if self.whole else x}
        return replace(self.training, **value)

    @property
    def least(self) -> bool:
        """Whether it is the noise."""
        return self.unknown == "noise_multiplier"

    @property
    def whole(self) -> bool:
        """Whether it is steps or records."""
        return self.unknown in ("steps", "batch_size")

    @property
    def along(self) -> Along:
        """The line along which it is looked for."""
        return Along(self.ends, self.place, self.number, self.least, self.whole)

    @property
    def ends(self) -> tuple[float, float]:
        """The numbers between which it is looked for."""
        known: dict[str, tuple[float, float]] = {
            "noise_multiplier": NOISES,
            "steps": (1.0, MOST_STEPS),
            "batch_size": (1.0, float(self.training.examples or 1)),
            "sample_rate": RATES,
        }
        return known[self.unknown]

    def place(self, x: float) -> float:
        """About the logarithm of mu at a number."""
        if self.least:
            return self._log_mu(x)
        first = self.ends[0]
        return self._log_mu(first) + math.log(x / first) / self.degree

    def number(self, u: float) -> float:
        """The number at a place."""
        low, high = self.ends
        if self.least:
            made = self.with_number(1.0)
            x = made.reach * noise_at(u, made.rate or 1.0, made.count() or 1)
        else:
            x = math.exp(min(self.degree * (u - self.place(low)), 700.0)) * low
        return min(max(float(round(x)) if self.whole else x, low), high)

    @property
    def degree(self) -> float:
        """The power of mu with which a number of steps, or of records in a batch, rises."""
        return 2.0 if self.unknown == "steps" else 1.0

    def _log_mu(self, x: float) -> float:
        made = self.with_number(x)
        return log_mu(made.noise_multiplier / made.reach, made.rate or 1.0, made.count() or 1)


def log_mu(noise: float, rate: float, steps: int) -> float:
    """About the logarithm of the mu of so many steps, by a central limit theorem.

    References
    ----------
    .. [1] Z. Bu, J. Dong, Q. Long, W. Su, Deep learning with Gaussian differential privacy, 2020.
    """
    apart = 1.0 / (noise * noise)
    bent = apart + math.log(-math.expm1(-apart)) if rate < 1.0 else math.log(apart)
    return math.log(rate) + 0.5 * (bent + math.log(steps))


def noise_at(u: float, rate: float, steps: int) -> float:
    """The noise for which `log_mu` is u."""
    left = 2.0 * (u - math.log(rate)) - math.log(steps)
    if rate == 1.0:
        return math.exp(-0.5 * min(max(left, -700.0), 700.0))
    apart = left + math.log1p(math.exp(-left)) if left > 0.0 else math.log1p(math.exp(left))
    return 1.0 / math.sqrt(max(apart, 1e-300))


def solved(search: Search, run: Along, why_none: str, why_all: str) -> Fields:
    """Fields of a solution: the last number that keeps a limit, in few evaluations."""
    limit, how = search.limit, search.how
    status, reason = search.ended() or ("limited", "")
    kept, broken = None, None
    if status == "limited" and search.base > limit.most:
        status, reason = "infeasible", english("budget.spent")
    if status == "limited":
        most = search.gained(limit.most) or limit.mu(limit.most) ** 2
        start = 0.5 * math.log(min(max(most, LEAST), 1e6) / how.releases)
        kept, broken = _curve(search, run).last(start)
        if kept is None:
            status, reason = "infeasible", why_none
        elif broken is None:
            status, reason = "no limit", why_all
    if status != "limited" or kept is None:
        ends = (run.ends[0], math.inf) if run.least else (0.0, run.ends[1])
        end = ends[run.least == (status == "infeasible")]
        lines = (assumed_neighbors(search.neighbors),)
        value = Answer(end, "exact", search.silent.theorem, lines)
        return status, value, reason, limit, None, None, how
    at, other = search.measured(kept), None
    if broken is not None and (low := search.measured(broken).bracket[0]) is not None:
        other = broken if float(low) > limit.most else None  # even the lower end breaks it
    lines = (*at.assumptions, *((ADAPTIVE,) if run.many else ()))
    value = Answer(kept, "upper" if run.least else "lower", at.theorem, lines, other)
    return status, value, "", limit, search.composed(kept), at, how


def _curve(search: Search, run: Along) -> Secants:
    @cache
    def height(value: float) -> float:
        gained = search.gained(value)
        return 0.5 * math.log(gained) if 0.0 < gained < math.inf else math.copysign(1e3, gained)

    first, last = sorted(map(run.place, run.ends))
    return Secants(
        lambda x: float(search.measured(x)),
        search.limit.most,
        run.number,
        run.place,
        height,
        (first, last),
        run.whole,
    )
