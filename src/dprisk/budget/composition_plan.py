"""How many releases there are, and how they are read together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, final

from dprisk._checks import Domain, assign, one_of, scalar, whole
from dprisk._numeric.exact import total_as_written
from dprisk._values import result
from dprisk.composition import compose
from dprisk.composition.composing import RULES, Rule
from dprisk.composition.theorems import adds_up
from dprisk.errors import refused
from dprisk.guarantees.approximate import ApproxDP
from dprisk.guarantees.base import Guarantee
from dprisk.guarantees.composed import Composed
from dprisk.guarantees.pure import PureDP
from dprisk.text import english
from dprisk.theorems import ADVANCED_WITHOUT_DELTA, NOTHING_RELEASED

Spent = Sequence[tuple[Guarantee, int]]
ADAPTIVE: Final = english("budget.adaptive")
INSIDE: Final = Domain(
    0.0, 1.0, low_open=True, high_open=True, advice=english("errors.such-as", example=1e-6)
)


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
        How they are composed, as `compose` has it.
    at_delta : float, optional
        The delta at which the whole is read as (epsilon, delta)-DP. (0, 1). Left out, all of its
        curve is used.
    slack : float, optional
        What advanced composition may add to the deltas. (0, 1). Left out, what they leave of
        `at_delta`.
    spent : sequence of (Guarantee, int)
        What has been released about the same people before, and how often. [1, 10^9]

    Raises
    ------
    OutOfRange
        If a number is outside its range.
    InvalidInput
        If `rule` is unknown, or is advanced with nothing to spend on it.

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
    slack: float | None = None
    spent: Spent = ()

    def __post_init__(self) -> None:
        assign(self, releases=whole("releases", self.releases, 1))
        one_of("rule", self.rule, RULES)
        assign(self, spent=tuple((part, int(count)) for part, count in self.spent))
        for name in ("at_delta", "slack"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, scalar(name, value, INSIDE))
        if self.rule == "advanced" and self.at_delta is None and self.slack is None:
            raise refused("budget.advanced", "at_delta", None)

    def of(
        self, one: Guarantee | Spent, releases: int | None = None, *, certain: bool = False
    ) -> Composed:
        """What they all keep, if each of them keeps `one`.

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
        if certain and self.rule != "advanced" and self.at_delta is None and adds_up(parts):
            theorem = compose(parts, counts, rule="simple").theorem
            epsilons = [float(part.loss_bound(0.0)) for part in parts]
            total = total_as_written(epsilons, counts)
            return Composed(PureDP(total, neighbors=parts[0].neighbors), theorem)
        return self._read(parts, counts, len(self.spent) if len(parts) > len(self.spent) else 0)

    def counted(self, one: Guarantee | Spent) -> tuple[Guarantee, ...]:
        """Everything that counts for how surely the whole is read, each once.

        Parameters
        ----------
        one : Guarantee or sequence of (Guarantee, int)
            Of each release, or of its parts. [1, 10^9]

        Returns
        -------
        tuple of Guarantee
            With what was spent before; and if the whole is read at one delta, a promise with that.
        """
        parts = [part for part, _ in (*self.spent, *_parts(one))]
        if self.at_delta is not None:
            parts.append(ApproxDP(1.0, self.at_delta, neighbors=parts[0].neighbors))
        return tuple(parts)

    def _read(self, parts: list[Guarantee], counts: list[int], shared: int) -> Composed:
        slack = None
        if self.rule == "advanced" and (len(parts) > 1 or counts[0] > 1):
            slack = self._slack(parts, counts)
            if slack <= 0.0:
                return Composed(
                    ApproxDP(math.inf, 1.0, neighbors=parts[0].neighbors),
                    ADVANCED_WITHOUT_DELTA,
                )
        made = compose(parts, counts, rule=self.rule, slack=slack, shared=shared)
        if self.at_delta is None:
            return made
        epsilon = float(made.guarantee.epsilon(self.at_delta))
        read = ApproxDP(epsilon, self.at_delta, neighbors=parts[0].neighbors)
        return Composed(read, made.theorem, made.lossy)

    def _slack(self, parts: list[Guarantee], counts: list[int]) -> float:
        if self.slack is not None:
            return self.slack
        pairs = zip(parts, counts, strict=True)
        given = math.fsum(n * part.parameters.get("delta", 0.0) for part, n in pairs)
        return ((self.at_delta or 0.0) - given) * (1.0 - 1e-12)

    def is_tight(self, one: Guarantee | Spent) -> bool:
        """Whether the whole of what releases keep is used: some releases reach it.

        Parameters
        ----------
        one : Guarantee or sequence of (Guarantee, int)
            Of each release, or of its parts. [1, 10^9]

        Returns
        -------
        bool
            False where the rule, the one delta or adding up divergences gives away something.
        """
        if self.at_delta is not None:
            return False
        parts = [part for part, _ in (*self.spent, *_parts(one))]
        if self.releases == 1 and len(parts) == 1:
            return True
        by_orders = any(part.composes_by == "orders" for part in parts)
        return self.rule in ("best", "optimal") and not by_orders


@lru_cache(maxsize=8)  # every search about these releases asks for it
def _spent_alone(how: Together, certain: bool) -> Composed:
    return how._whole(how.spent, certain)


def _parts(one: Guarantee | Spent) -> Spent:
    return ((one, 1),) if isinstance(one, Guarantee) else one


def settled(releases: int | Together) -> Together:
    """A bare number of releases as `Together`."""
    return releases if isinstance(releases, Together) else Together(releases)
