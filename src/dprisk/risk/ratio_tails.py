"""How often a ratio of posteriors goes beyond a limit; the shifts of one step and of two."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from dprisk._numeric.logspace import Floats, expit, log
from dprisk._numeric.odds import odds, posteriors, stay
from dprisk._numeric.rounding import down, up
from dprisk.answer import Answer, Bound
from dprisk.guarantees.approximate import ApproxDPCurve
from dprisk.guarantees.base import Guarantee, Sides

Drawn = Literal["certain", "true", "predicted", "averaged"]
"""Source of the output: anything at all; A; B; or A of a record that is drawn as well."""

# of a loss that is asked, a logarithm or a sum of two: five roundings, three times that
ROUNDING = 8 * float(np.finfo(float).eps)
SHARES = np.linspace(0.0, 1.0, 17)
PARTS = np.concatenate([[0.0], expit(np.linspace(-12.0, 12.0, 25)) * (1.0 - 2.0**-51), [1.0]])
FURTHEST = 1e6  # nats: no tail is larger beyond
NEAR = 2.0 * float(np.log(2.0))


class RatioBound(NamedTuple):
    """A bound, the other end of its bracket where it is known, and how it errs."""

    value: Floats
    other: Floats | None
    bound: Bound


class MixedNeighbors(NamedTuple):
    """Promise for mixtures of neighbors, its largest loss, and whether it is the whole promise."""

    kept: Guarantee
    most: float
    whole: bool


def mixture(guarantee: Guarantee) -> MixedNeighbors:
    """Rest of a promise for mixtures of neighbors: all of it, if its power is concave."""
    points = guarantee.mixing_points
    kept = guarantee
    if points is not None:
        delta = np.asarray(guarantee.delta(points).value)
        kept = ApproxDPCurve(points, delta, neighbors=guarantee.neighbors)
    return MixedNeighbors(kept, float(kept.loss_bound(0.0).value), points is None)


def beyond(known: MixedNeighbors, drawn: Drawn, loss: Floats, sides: Sides) -> RatioBound:
    """Most probability of a ratio beyond e^loss (or, on both sides, below e^-loss too)."""
    low, high = loss * (1.0 - ROUNDING), loss * (1.0 + ROUNDING)
    never = high >= _largest(known, drawn)
    if drawn == "certain":
        return RatioBound(np.where(never, 0.0, 1.0), None, "upper")
    if drawn == "averaged":
        value = _averaged(known, np.minimum(low, FURTHEST), sides)
        return RatioBound(np.where(never, 0.0, value), None, "upper")
    answer = known.kept.tail(np.where(np.tile(never, 2), 0.0, np.append(low, high)), sides=sides)
    value, other = np.split(np.asarray(answer.value), 2)[0], None
    if answer.other_end is not None:
        other = np.split(np.asarray(answer.other_end), 2)[1]
    if drawn == "predicted" and sides == "one":
        value = np.minimum(up(value * np.exp(-low)), 1.0)
        other = None if other is None else down(other * np.exp(-high))
    return _found(known, np.where(never, 0.0, value), other, answer)


def reached(known: MixedNeighbors, drawn: Drawn, failure: Floats, sides: Sides) -> RatioBound:
    """Inverse of `beyond`: log of the ratio that is exceeded with at most that probability."""
    most = _largest(known, drawn)
    if drawn == "certain":
        answer = known.kept.loss_bound(0.0)
        return _found(known, np.full_like(failure, most), None, answer)
    if drawn == "averaged":
        found = _averaged_loss(known, failure / 2.0 if sides == "both" else failure)
        return RatioBound(np.minimum(found, most), None, "upper")
    if drawn == "true" or sides == "both":
        answer = known.kept.loss_bound(failure, sides=sides)
        value, other = np.asarray(answer.value), answer.other_end
    else:
        answer = known.kept.power(failure)
        value, other = _predicted_losses(answer, failure, known.most)
    return _found(known, np.minimum(value, most), other, answer)


def predicted_odds(known: MixedNeighbors, failure: Floats, prior: Floats) -> Floats:
    """Shift of the log-odds of a record that is kept with probability 1 - failure, where the rest
    is known and the output as likely as the prior says."""
    most = np.minimum(1.0, failure / np.where(prior > 0.0, prior, 1.0))
    power = failure[:, None] + (most - failure)[:, None] * SHARES
    level = np.asarray(known.kept.level(power.ravel()).value).reshape(power.shape)
    chance = up(prior[:, None] * power + (1.0 - prior[:, None]) * level)
    fits = chance <= failure[:, None]
    fits[:, 0] = True  # the level of a power is never above it
    fits &= power > 0.0
    power, level = np.where(fits, power, 1.0), np.where(fits, level, 1.0)
    shift = np.where(fits, _log_ratios(power, level)[1], np.inf)
    return np.asarray(np.minimum(shift.min(axis=1), known.most))


def rounded_up(loss: Floats) -> Floats:
    """e^loss at least; inf beyond the range of a float."""
    return odds(loss)[1]


def times(belief: Floats, ratio: Floats) -> Floats:
    """ratio times belief, at most 1; 1 where no ratio is kept."""
    endless = np.isinf(ratio)
    product = up(belief * np.where(endless, 1.0, ratio))
    product = np.where((belief == 0.0) | (ratio == 1.0), belief, product)
    return np.where(endless, 1.0, np.minimum(product, 1.0))


def shifted(belief: Floats, loss: Floats) -> Floats:
    """Belief whose odds are e^loss times as large, rounded up; 1 where no loss is kept."""
    endless = np.isinf(loss)
    return np.where(endless, 1.0, posteriors(belief, stay(np.where(endless, 0.0, loss)))[1])


def never_beyond(belief: Floats, loss: float) -> Floats:
    """Belief of which neither it nor its opposite moves by more than a factor e^loss."""
    if loss in (0.0, np.inf):
        return belief if loss == 0.0 else np.ones_like(belief)
    ratio = rounded_up(np.full_like(belief, loss))
    left = belief + (1.0 - belief) * -np.expm1(-loss)  # 1 - (1 - b) e^-loss
    return np.minimum(times(belief, ratio), np.minimum(up(left), 1.0))


def _found(
    known: MixedNeighbors, value: Floats, other: Floats | None, answer: Answer
) -> RatioBound:
    other = None if other is None else np.minimum(other, value)
    return RatioBound(value, other, answer.bound if known.whole else "upper")


def _largest(known: MixedNeighbors, drawn: Drawn) -> float:
    """Log of the ratio that is never exceeded; inf where there is none."""
    return 2.0 * known.most if drawn == "averaged" else known.most


def _predicted_losses(power: Answer, failure: Floats, most: float) -> tuple[Floats, Floats | None]:
    """log(power / level) at the level `failure` (dprisk Proposition 12)."""
    sure = failure == 0.0
    level = np.where(sure, 1.0, failure)

    def loss(end: Floats, side: int) -> Floats:
        reached = _log_ratios(np.maximum(end, level), level)[side]
        return np.asarray(np.where(sure, most, reached))

    other = None if power.other_end is None else loss(np.asarray(power.other_end), 0)
    return loss(np.asarray(power.value), 1), other


def _log_ratios(power: Floats, level: Floats) -> tuple[Floats, Floats]:
    """log(power / level) at least and at most, power >= level; 0 is exact."""
    with np.errstate(divide="ignore", over="ignore"):
        value = np.log1p((power - level) / level)
    value = np.where(np.isfinite(value), value, log(power) - log(level))
    even = power == level
    return np.where(even, 0.0, down(value)), np.where(even, 0.0, up(value))


def _tail(known: MixedNeighbors, loss: Floats) -> Floats:
    """Most probability of A > e^loss B, outputs drawn from A."""
    never = loss >= known.most
    asked, place = np.unique(np.where(never, 0.0, loss), return_inverse=True)
    tail = np.asarray(known.kept.tail(asked, sides="one").value)
    return np.where(never, 0.0, tail[place.reshape(loss.shape)])


def _averaged(known: MixedNeighbors, loss: Floats, sides: Sides) -> Floats:
    """Least T(a) + e^-b T(b) over a + b = loss (dprisk Proposition 13): any a is valid."""

    def total(share: Floats) -> Floats:
        parts = np.concatenate([loss[:, None] * share, loss[:, None] * (1.0 - share)], axis=1)
        tail = _tail(known, parts)
        count = share.shape[1]
        return up(tail[:, :count] + np.exp(-parts[:, count:]) * tail[:, count:])

    coarse = total(np.broadcast_to(SHARES, (loss.size, SHARES.size)))
    best = SHARES[np.argmin(coarse, axis=1)][:, None]
    fine = total(np.clip(best + (2.0 * SHARES - 1.0) * SHARES[1], 0.0, 1.0))
    value: Floats = np.minimum(coarse.min(axis=1), fine.min(axis=1))
    if np.isfinite(known.most):  # a = the most, of which nothing is left
        rest = np.maximum(loss - known.most, 0.0)
        left = up(_tail(known, rest) * np.exp(-rest))
        value = np.where(loss > known.most, np.minimum(value, left), value)
    return np.asarray(np.minimum(value * (2.0 if sides == "both" else 1.0), 1.0))


def _averaged_loss(known: MixedNeighbors, failure: Floats) -> Floats:
    """Inverse of `_averaged`: the least sum of both losses over ways to share the failure."""
    first, second = failure[:, None] * PARTS, (failure[:, None] * PARTS[::-1]).ravel()
    one = np.asarray(known.kept.loss_bound(first, sides="one").value)
    other, _ = _predicted_losses(known.kept.power(second), second, known.most)
    return np.asarray(np.min(up(one + other.reshape(first.shape)), axis=1))


class Shifts(NamedTuple):
    """How far the log-odds may move in one step (in the data or not) and in two (the value)."""

    one: float
    two: float

    def times(self, factor: float) -> Shifts:
        """Both, multiplied."""
        return Shifts(self.one * factor, self.two * factor)

    @property
    def near(self) -> bool:
        """Whether both are so small that differences from 1 are asked about."""
        return self.two < NEAR

    @property
    def larger(self) -> float:
        """Epsilon of pure DP at which it allows both."""
        return max(self.one, self.two / 2.0)


def for_mixtures(guarantee: Guarantee) -> Guarantee:
    """Return what holds for one who does not know the other records: for mixtures of neighbors."""
    return guarantee if guarantee.holds_for_any_rest else mixture(guarantee).kept


def shifts_of(guarantee: Guarantee, failure: float, sides: Sides) -> Shifts:
    """The shifts that a guarantee and mixtures of its neighbors allow, each but with a failure."""
    twice = guarantee.for_neighbors("replace-one")
    one, two = (float(each.loss_bound(failure, sides=sides)) for each in (guarantee, twice))
    return Shifts(one, max(one, two))
