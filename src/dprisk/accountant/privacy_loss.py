"""The numeric guarantee: privacy losses, composed, and every answer in a certified bracket."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, final

import numpy as np

from dprisk._checks import assign, scalar
from dprisk._numeric.invert import keep
from dprisk._numeric.logspace import Floats, below_complement
from dprisk.accountant.duality import Ends, ratio_bound, tail_of
from dprisk.accountant.loss_sum import (
    DELTA,
    EPSILON,
    WIDE_BRACKET,
    Bracket,
    Question,
    where_asked,
    worse,
)
from dprisk.accountant.refinement import (
    BYTES,
    MEMORY,
    WIDTHS,
    Profiles,
    Refining,
    one_sided,
)
from dprisk.answer import Answer, least
from dprisk.errors import Meaningless, one_of, refused
from dprisk.guarantees.approximate import ApproxDP, ApproxDPCurve
from dprisk.guarantees.base import NEIGHBORS, Guarantee, Neighbors, Sides
from dprisk.guarantees.pure import PureDP
from dprisk.losses.base import ULP, LossPair
from dprisk.text import fill
from dprisk.theorems import CONTOUR, LEAST_OVER_PROFILE, OWN_LOSS_TAIL, Theorem

if TYPE_CHECKING:
    from dprisk.accountant.loss_distribution import LossDistribution


MOST_ONE_SIDED = 8  # 2^7 ways for them to lie
NEAR_ONE = 1e-9  # of a level: where its bracket is as wide, the reverse test may know better
MIXING_SHARES = np.concatenate([np.geomspace(1e-60, 1e-3, 60), np.linspace(0.01, 1.0, 100)])
LAST_MIXING_POINT = 1e6  # nats: no tail is larger beyond
TWO_STEP_POINTS = 300  # points of the curve that two steps are read from


@final
@dataclass(frozen=True, init=False, repr=False, eq=False)
class PrivacyLoss(Guarantee):
    """The guarantee that mechanisms with known privacy losses keep together.

    Parameters
    ----------
    pairs : sequence of LossPair
        The losses of each mechanism on its worst pair of neighbors, in both directions.
    counts : sequence of int, optional
        How often each is run; once each if left out. [1, inf)
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors.
    accuracy : float, optional
        How wide a bracket of epsilon may be, in nats; and one of delta, relative to itself or in
        nats, whichever is wider. It is kept: grids become finer until it is, and if that is in
        vain, `TooWide` says why. Left out, brackets are about 1e-9 wide where that costs little,
        and wider where it costs more. [1e-13, 1]
    memory : float
        Bytes that finer grids may take where an accuracy is asked for. [1e8, 1e15]
    shared : int
        How many of the first pairs are added up by themselves, and remembered: for whoever makes
        one sum after another of these and a few others. [0, n)
    also : sequence of Guarantee
        What is known to hold as well, such as what a rule about parameters gives: of each delta and
        epsilon the least counts.

    Raises
    ------
    InvalidInput
        If nothing is given, a count is not a positive whole number, `neighbors` is not one of
        the relations, or too many losses differ by direction under replace-one.
    OutOfRange
        If `accuracy` or `memory` is outside its range.

    Notes
    -----
    Every answer is a bracket: `value` is its safe end, `other_end` the other one. Rounding, nodes
    that were left out, aliases and the discretisation of densities are inside it. Power, levels
    and tails are read off delta: they become tighter with it, but have brackets of their own.

    Under add-remove, P is the same side for all mechanisms. Under replace-one there are no sides:
    of two different mechanisms whose losses differ by direction, either may lie either way, and
    the worst is taken; runs of one and the same mechanism lie the same way.

    References
    ----------
    .. [1] P1, Section 4; P0, Theorem A.2.

    Examples
    --------
    >>> from dprisk.mechanisms import Laplace
    >>> loss = Laplace(scale=1.0, sensitivity=1.0, neighbors="add-remove").loss()
    >>> lower, upper = loss.delta(0.5).bracket
    >>> bool(0.2211 < lower <= upper < 0.2213)
    True
    """

    pairs: tuple[tuple[LossPair, int], ...]
    accuracy: float | None
    memory: float
    shared: int
    also: tuple[Guarantee, ...]
    neighbors: Neighbors

    definition: ClassVar[str] = "privacy-loss"
    is_stated: ClassVar[bool] = False

    def __init__(
        self,
        pairs: Sequence[LossPair],
        counts: Sequence[int] | None = None,
        *,
        neighbors: Neighbors,
        accuracy: float | None = None,
        memory: float = MEMORY,
        shared: int = 0,
        also: Sequence[Guarantee] = (),
    ) -> None:
        times = [1] * len(pairs) if counts is None else list(counts)
        if not pairs or len(times) != len(pairs):
            raise refused("errors.pairs", "pairs", len(pairs))
        counted = tuple(zip(pairs, times, strict=True))
        if neighbors == "replace-one" and len(one_sided(counted)) > MOST_ONE_SIDED:
            found = fill("errors.one-sided.found", count=len(one_sided(counted)))
            raise refused("errors.one-sided", "pairs", found, most=MOST_ONE_SIDED)
        assign(
            self,
            pairs=counted,
            accuracy=None if accuracy is None else scalar("accuracy", accuracy, WIDTHS),
            memory=scalar("memory", memory, BYTES),
            shared=shared,
            also=tuple(also),
            neighbors=one_of("neighbors", neighbors, NEIGHBORS),
        )

    @property
    def parameters(self) -> dict[str, Any]:
        """The mechanisms composed, how often each runs, and whether the loss is their own."""
        parts = [f"{count} x {pair.label or 'loss'}" for pair, count in self.pairs]
        return {"parts": parts, "own": self.own}

    @property
    def own(self) -> bool:
        """Whether this is the mechanisms' own loss; otherwise it only dominates theirs."""
        return all(pair.own for pair, _ in self.pairs)

    @property
    def dominating(self) -> tuple[tuple[LossPair, int], ...]:
        """Itself."""
        return self.pairs

    @property
    def bounds_raw_output(self) -> bool:
        """Merging outputs can raise a tail, so that dominating losses do not."""
        return self.own

    @property
    def symmetric_tradeoff(self) -> bool:
        """Whether no loss differs by direction: then its power curve is its own mirror image."""
        return all(pair.symmetric for pair, _ in self.pairs)

    @property
    def holds_for_any_rest(self) -> bool:
        """Adding a record has one direction, the same whatever the rest is."""
        return self.symmetric_tradeoff or self.neighbors == "add-remove"

    @property
    def mixing_points(self) -> Floats | None:
        """Epsilons where delta is a share of what is not given away, and one far out."""
        if self.symmetric_tradeoff:
            return None
        floor = float(self.delta(np.inf).value)
        points = np.asarray(self.epsilon(floor + (1.0 - floor) * MIXING_SHARES).value)
        return np.unique(np.append(points[np.isfinite(points)], [0.0, LAST_MIXING_POINT]))

    @property
    def has_few_values(self) -> bool:
        """Whether delta and epsilon are sums of few terms, each answered at once."""
        return all(loss.has_few_values for each in self._profiles for loss in each.forward)

    @cached_property
    def coarse(self) -> PrivacyLoss:
        """The same, in brackets that are wider and cost less; itself where there are none."""
        few = tuple(each.coarse for each in self._profiles)
        if all(each is rough for each, rough in zip(self._profiles, few, strict=True)):
            return self
        return self._again({"_profiles": few})

    def beside(self, also: Sequence[Guarantee]) -> PrivacyLoss:
        """The same, of which more is known: used for delta and epsilon only.

        Parameters
        ----------
        also : sequence of Guarantee
            What is known to hold as well, such as what a rule about parameters gives.

        Returns
        -------
        PrivacyLoss
            With the same losses, already added up if they are.

        Examples
        --------
        >>> from dprisk import PureDP
        >>> from dprisk.mechanisms import Laplace
        >>> loss = Laplace(scale=1.0, sensitivity=1.0, neighbors="add-remove").loss()
        >>> loss.beside([PureDP(1.0, neighbors="add-remove")]).also
        (PureDP(epsilon=1.0, neighbors='add-remove'),)
        """
        known = {name: each for name, each in vars(self).items() if name == "_profiles"}
        all_known = (*self.also, *also)
        return self._again(known, accuracy=self.accuracy, memory=self.memory, also=all_known)

    def _again(self, known: Mapping[str, Any], **given: Any) -> PrivacyLoss:
        """The same losses with other parameters, and with what is worked out already."""
        losses, counts = zip(*self.pairs, strict=True)
        same = {"neighbors": self.neighbors, "shared": self.shared, "also": self.also}
        found = PrivacyLoss(losses, counts, **{**same, **given})
        assign(found, **known)
        return found

    def distribution(self, world: Literal["in", "out"] = "in") -> LossDistribution:
        """How the loss of the raw output is distributed.

        Parameters
        ----------
        world : {"in", "out"}
            Whether the output is drawn from the first of the two distributions, P, or from Q.

        Returns
        -------
        LossDistribution
            Probabilities and quantiles of Z = log(P / Q), in certified brackets.

        Raises
        ------
        InvalidInput
            If `world` is neither "in" nor "out".
        Meaningless
            If this is not the mechanisms' own loss.
        """
        other = one_of("world", world, ("in", "out")) == "out"
        return self._distributions(other)[0]

    @property
    def _renyi_limit(self) -> Callable[[float], float]:
        from dprisk.accountant.divergences import renyi

        return lambda alpha: float(renyi(self.pairs, np.array([alpha - 1.0]))[0])

    @property
    def _rho_limit(self) -> float:
        from dprisk.accountant.divergences import concentrated

        return concentrated(self.pairs)

    @cached_property
    def _known(self) -> dict[Any, Answer]:
        """Answers to earlier questions: the same question is worked out once."""
        return {}

    @cached_property
    def _profiles(self) -> Profiles:
        """One for each ordered pair of neighbors; a single one where they are alike."""
        from dprisk.accountant.profiles import profiles

        given = self.pairs, self.neighbors, self.accuracy, self.memory
        return profiles(*given, shared=self.shared)

    @cached_property
    def _theorem(self) -> Theorem:
        """The theorem behind delta and epsilon: what a direction needs beyond a vertical line."""
        found = (each.theorem for each in self._profiles)
        return next((one for one in found if one != CONTOUR), CONTOUR)

    @cached_property
    def _refining(self) -> Refining:
        from dprisk.accountant.profiles import profiles

        given = self.pairs, self.neighbors, self.accuracy, self.memory
        finer = partial(profiles, *given, shared=self.shared)
        return Refining(self.pairs, self.accuracy or 1.0, self.memory, finer)

    def _kept(self, question: Question, asked: Floats, refuse: bool = True) -> Bracket:
        """Answer as narrowly as was asked, if it was; where that fails, refuse if `refuse`."""
        found = question.ask(self._profiles, asked)
        if self.accuracy is None:
            return found
        return self._refining.narrowed(question, asked, self._profiles, found, refuse)

    def _delta(self, epsilon: Floats) -> Answer:
        found = self._kept(DELTA, epsilon)
        known = [each.delta(epsilon) for each in self._asked_as_well(found)]
        return least(_above(found, self._theorem), known)

    def _epsilon(self, delta: Floats) -> Answer:
        directions = self._profiles
        found = self._kept(EPSILON, delta)
        upper = found.upper
        alone = delta.size == 1 and len(directions) == 1 and not directions[0].relative_error
        if self.accuracy is not None or not alone:  # a single search has seen to that
            upper = keep(upper, lambda e: self._kept(DELTA, e, refuse=False).upper <= delta)
        if self.accuracy is not None:
            self._refining.confirmed(EPSILON, delta, Bracket(found.lower, upper))
        found = Bracket(found.lower, upper)
        known = [each.epsilon(delta) for each in self._asked_as_well(found)]
        return least(_above(found, self._theorem), known)

    def _asked_as_well(self, found: Bracket) -> list[Guarantee]:
        """Other guarantees that may give less; for a narrow own loss, only those that may tie."""
        low, high = found
        if not self.own or np.any(high > low + WIDE_BRACKET * (1.0 + low)):
            return list(self.also)
        return [each for each in self.also if isinstance(each, PureDP | ApproxDP | PrivacyLoss)]

    def _power(self, level: Floats) -> Answer:
        searched = (level > 0.0) & (level < 1.0)
        found = where_asked(
            searched, lambda x: worse([each.power(x) for each in self._profiles]), level
        )
        low, high = (
            np.where(level == 0.0, revealed, np.maximum(end, level))
            for revealed, end in zip(self._infinite, found, strict=True)
        )
        low = np.minimum(low, np.where(level < 1.0, 1.0 - ULP, 1.0))
        return _above(Bracket(low, np.minimum(high, 1.0)), LEAST_OVER_PROFILE)

    def _level(self, power: Floats) -> Answer:
        none = power <= self._infinite[0]  # all of that is never a false alarm
        low, high = where_asked(~none & (power < 1.0), self._least_level, power)
        low, high = (np.where(power == 1.0, end, e) for end, e in ((0.0, low), (1.0, high)))
        wide = np.flatnonzero(~none & (power > 0.5) & (high - low > NEAR_ONE * high))
        if wide.size:  # what the reverse test misses at the level 1 - power
            missed = self._power(1.0 - power[wide]).bracket
            # a difference and a sum of numbers up to 1: one rounding each
            above = 1.0 - missed[0] + ULP * (missed[0] > 0.0)
            low[wide] = np.maximum(low[wide], below_complement(missed[1]))
            high[wide] = np.minimum(np.minimum(high[wide], above), power[wide])
        low, high = (np.where(none, 0.0, end) for end in (low, high))
        return Answer(np.minimum(low, high), "lower", LEAST_OVER_PROFILE, (), high)

    def _least_level(self, power: Floats) -> Bracket:
        found = [each.level(power) for each in self._profiles]
        low = np.minimum.reduce([one.lower for one in found])
        high = np.minimum(np.minimum.reduce([one.upper for one in found]), power)
        return Bracket(np.minimum(low, high), high)

    @cached_property
    def _infinite(self) -> Ends:
        """Most probability, of all ordered pairs, of outputs that are impossible under the
        other."""
        low, high = zip(*(each.mass_at_infinity[0] for each in self._profiles), strict=True)
        return max(low), max(high)

    def _tail(self, epsilon: Floats, sides: Sides, post_processing: bool) -> Answer:
        if not post_processing:
            return _above(self._raw_tail(epsilon, sides), OWN_LOSS_TAIL)
        low, high = worse([tail_of(each, epsilon) for each in self._profiles])
        low, high = (
            np.where(np.isposinf(epsilon), revealed, end)
            for revealed, end in zip(self._infinite, (np.minimum(low, high), high), strict=True)
        )
        if sides == "both":
            # two roundings of exp, a sum, two products
            factor = (1.0 + np.exp(-epsilon)) * (1.0 + 4 * ULP)
            high = high * factor
            # the factor is rounded upwards by 4, and off by as many roundings
            low = low * factor * (1.0 - 8 * ULP) if self._is_alike else low
        most = 1.0 if self._infinite[0] == 1.0 else 1.0 - ULP  # certain only if all is revealed
        return _above(Bracket(np.minimum(low, most), np.minimum(high, 1.0)), LEAST_OVER_PROFILE)

    def _loss_bound(self, failure: Floats, sides: Sides, post_processing: bool) -> Answer:
        if not post_processing:
            return _above(self._raw_loss(failure, sides), OWN_LOSS_TAIL)
        if not failure.any():
            return _above(
                self._at_zero_failure(failure, Bracket(failure, failure)), LEAST_OVER_PROFILE
            )
        asked = np.where(failure == 0.0, 0.5, failure)  # at 0 no search is needed
        both = sides == "both"
        found = worse([ratio_bound(each, asked, both) for each in self._profiles])
        if both and not self._is_alike:
            least = worse([ratio_bound(each, asked, False) for each in self._profiles]).lower
            found = Bracket(np.minimum(least, found.upper), found.upper)
        low = np.where(failure == 1.0, 0.0, found.lower)  # nothing has a larger chance
        found = Bracket(low, found.upper)
        return _above(self._at_zero_failure(failure, found), LEAST_OVER_PROFILE)

    @property
    def _is_alike(self) -> bool:
        """Whether a pair is its own reverse: then both tails can be large at once."""
        return len(self._profiles) == 1

    def _at_zero_failure(self, failure: Floats, found: Bracket) -> Bracket:
        """With certainty, only the largest loss bounds the loss."""
        losses = [each.forward[1] for each in self._profiles]
        most = np.inf if any(loss.mass_at_infinity for loss in losses) else self._largest()
        low, high = (np.clip(end, 0.0, most) for end in found)
        never = failure == 0.0
        if never.any():
            least = EPSILON.ask(self._profiles, np.zeros(1)).lower
            low, high = np.where(never, np.minimum(least, most), low), np.where(never, most, high)
        return Bracket(low, high)

    def _largest(self) -> float:
        """The largest finite loss, rounded upwards."""
        tops = (min(each.forward[1].support[1], each.tops[0]) for each in self._profiles)
        return max(*tops, 0.0)

    def _raw_tail(self, epsilon: Floats, sides: Sides) -> Bracket:
        past = [
            each.past(epsilon) if sides == "one" else each.past_either(epsilon)
            for each in self._distributions()
        ]
        ends = zip(self._infinite, worse(past), strict=True)
        return Bracket(*(np.where(np.isposinf(epsilon), shown, end) for shown, end in ends))

    def _raw_loss(self, failure: Floats, sides: Sides) -> Bracket:
        return worse([each.loss_bound(failure, sides == "both") for each in self._distributions()])

    def _distributions(self, other: bool = False) -> list[LossDistribution]:
        """How the loss of the raw output is distributed, in both directions."""
        from dprisk.accountant.loss_distribution import LossDistribution

        if not self.own:
            raise Meaningless(fill("errors.dominates"), fill("errors.dominates.fix"))
        return [LossDistribution(each, other) for each in self._profiles]

    def _group_of_two(self) -> ApproxDPCurve:
        return self._twice

    @cached_property
    def _twice(self) -> ApproxDPCurve:
        """The curve applied twice, from points on it: never below the truth."""
        reach = max(each.forward[1].spread.reach for each in self._profiles)
        epsilon = np.concatenate([[0.0], reach * np.geomspace(1e-3, 1.0, TWO_STEP_POINTS)])
        delta = np.asarray(self._delta(epsilon).value)
        return ApproxDPCurve(epsilon, delta, neighbors=self.neighbors)._group_of_two()


def _above(found: Bracket, theorem: Theorem) -> Answer:
    return Answer(found.upper, "upper", theorem, (), np.minimum(found.lower, found.upper))
