"""A sum of privacy losses, whatever method answers, and what its answers rest on."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from operator import methodcaller
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats
from dprisk._numeric.rounding import SMALLEST
from dprisk.losses.base import ULP, Loss, LossPair
from dprisk.theorems import Theorem

if TYPE_CHECKING:
    from dprisk.accountant.refinement import Profiles

UNDERFLOW = 1e-300
WIDE_BRACKET = 1e-9  # relative width of a bracket from which chords may help
FAINT_PRODUCT = 1e-290  # a smaller one has fewer digits
LARGEST_LOSS = 1e300  # nats: no probability is beyond that is not at infinity
MOST_CORNERS = 2048  # so many can be looked at one by one
LARGEST_EXPONENT = 700.0  # exp of it is still finite
DOWNWARDS = 32 * ULP  # of what was rounded upwards by a third of that or less

Parts = tuple[tuple[Loss, int], ...]
"""Each loss, and how often it occurs."""


class Bracket(NamedTuple):
    """A number between two ends, elementwise."""

    lower: Floats
    upper: Floats


def worse(found: Sequence[Bracket]) -> Bracket:
    """The worse of both directions."""
    if len(found) == 1:
        return found[0]
    return Bracket(*(np.maximum.reduce(ends) for ends in zip(*found, strict=True)))


def complement(found: Bracket) -> Bracket:
    """One minus a probability."""
    # differences of numbers up to 1: one rounding each
    low, high = 1.0 - found.upper - ULP * (found.upper > 0.0), 1.0 - found.lower + ULP
    return Bracket(np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0))


class Spread(NamedTuple):
    """The mean of Z, if positive; its standard deviation; and where next to nothing is left."""

    mean: float
    deviation: float
    reach: float


Formula = Callable[[Floats, bool], tuple[Bracket, Bracket]]
"""Probability of Z <= t and of Z > t, under P, or under Q if the second argument is true."""


ExactTail = Callable[[Floats, bool], Bracket]


class LossSum(ABC):
    """The sum Z of independent privacy losses, one ordered pair of distributions each."""

    __slots__ = ()

    @property
    @abstractmethod
    def theorem(self) -> Theorem:
        """The theorem that delta and epsilon rest on."""

    @property
    @abstractmethod
    def mass_at_infinity(self) -> float:
        """Probability under P that some loss is infinite, rounded upwards."""

    @property
    @abstractmethod
    def support(self) -> tuple[float, float]:
        """Smallest and largest finite loss, rounded outwards."""

    @property
    @abstractmethod
    def spread(self) -> Spread:
        """Mean, deviation and reach of the bulk of Z, roughly."""

    @abstractmethod
    def delta(self, x: Floats) -> Bracket:
        """E[(1 - e^(x - Z))+] over finite and infinite Z, for x >= 0."""

    @abstractmethod
    def epsilon(self, delta: Floats) -> Bracket:
        """Least x >= 0 with delta(x) <= delta; as computed, too, at the upper end."""

    @abstractmethod
    def tail(self, x: Floats, other: bool = False) -> Bracket:
        """Probability of Z > x >= 0 under P; or of a finite Z > x under the other, Q."""

    @abstractmethod
    def coarse(self) -> LossSum:
        """The same sum in wider brackets that cost less; itself if none do."""

    @property
    def largest(self) -> float:
        """Largest finite loss, rounded downwards."""
        top = self.support[1]
        return top * (1.0 - math.copysign(DOWNWARDS, top))

    @property
    def cut_off(self) -> float:
        """Probability, at most, of finite losses that count as infinite."""
        return 0.0

    @property
    def corners(self) -> Floats | None:
        """All x > 0 at which delta has a corner; None if they are many, or not known."""
        return None

    @property
    def corners_off(self) -> float:
        """Distance of a corner from where it is said to be, beyond the roundings of its value."""
        return 0.0

    @property
    def has_few_values(self) -> bool:
        """Whether delta and epsilon are sums of few terms, each answered at once."""
        return False

    @property
    def has_closed_form(self) -> bool:
        """Whether thousands of questions about delta cost little."""
        return False

    @property
    def has_density(self) -> bool:
        """Whether no finite value has a probability."""
        return False

    @property
    def roundings(self) -> int:
        """How often the place of a value is rounded, in units of four."""
        return 1

    @property
    def exact_tail(self) -> ExactTail | None:
        """`tail` where no value counts as equal to x but x itself, if that can be told."""
        return None

    @property
    def formula(self) -> Formula | None:
        """The distribution of Z in closed form, if there is one."""
        return None

    def equal_within(self, t: Floats | float) -> Floats:
        """Distance from t at which values count as equal to it; 0 if no value has a probability."""
        if self.has_density:
            return np.zeros_like(t)
        size = max(map(abs, self.support))
        size = size if np.isfinite(size) else self.spread.reach
        # four roundings of a value for each term; eight times that counts as equal
        return np.asarray(
            32 * ULP * self.roundings * (np.where(np.isfinite(t), np.abs(t), 0.0) + size)
        )


AddUp = Callable[[Parts, float, float], LossSum]
"""`add_up`, for a method that asks for other sums: parts, accuracy, finer."""

Sides = tuple[LossSum, LossSum]
"""Sums that the true one dominates, and that dominate it; one object where it is known."""


def revealed_off(parts: Parts) -> float:
    """Relative error, at most, of the probability that some loss is infinite."""
    # expm1 two roundings, each logarithm two, each part a product and a sum; four times that
    return 4 * ULP * (2.0 + len(parts))


def probabilities_off(pairs: Iterable[tuple[LossPair, int]]) -> float:
    """Relative error of products of probabilities, at most."""
    exponent = sum(count * pair.relative_error for pair, count in pairs)  # k r >= k log(1 + r)
    return math.expm1(min(exponent, LARGEST_EXPONENT))


SHARP_BRACKET = 1e-3  # of delta: so narrow a bracket at x tells both ends of x
LONGEST_CHORD = 1.0  # nats


def inverse(loss: LossSum, delta: Floats, known: Bracket | None = None) -> Bracket:
    """Least x >= 0 with delta(x) <= delta, which is more than what is revealed."""
    top = max(loss.support[1], 0.0)
    end = top if np.isfinite(top) else loss.spread.reach
    left, right = np.zeros_like(delta), np.full_like(delta, end)
    x, other = right / 2.0, right
    if known is not None:
        x, other = (np.clip(each, 0.0, end) for each in known)
    elif loss.coarse() is not loss:  # most of the way on the cheap
        guess = inverse(loss.coarse(), delta)
        x = (guess.lower + guess.upper) / 2.0
        other = np.maximum(x - 1e-6 * loss.spread.deviation, 0.0)
    here, there = loss.delta(x), loss.delta(other)
    for _ in range(100):
        value = (here.lower + here.upper) / 2.0
        left, right = np.where(value > delta, x, left), np.where(value > delta, right, x)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            rise = np.log(value) - np.log((there.lower + there.upper) / 2.0)
            new = x - (np.log(value) - np.log(delta)) * (x - other) / rise
        poor = ~np.isfinite(new) | (new <= left) | (new >= right)
        new = np.where(poor, (left + right) / 2.0, new)
        # no bound: the ends are next to each other, but for rounding, or no nearer is told apart
        done = (np.abs(new - x) <= 1e-13 * np.abs(x)) | (right - left <= 4 * ULP * right)
        sharp = here.upper - here.lower <= SHARP_BRACKET * here.upper
        done |= sharp & (here.lower <= delta) & (delta <= here.upper)
        if np.all(done):
            break
        other = np.where(done, other, x)
        there = Bracket(*(np.where(done, *ends) for ends in zip(there, here, strict=True)))
        x = np.where(done, x, new)
        here = loss.delta(x)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = (there.lower - here.lower) / (other - x)
    found = certified(loss, x, slope, delta, top)
    least = np.where(delta == 0.0, max(loss.largest, 0.0), found.lower)
    return Bracket(np.minimum(least, found.upper), np.where(delta == 0.0, top, found.upper))


def certified(loss: LossSum, x: Floats, slope: Floats, delta: Floats, most: float) -> Bracket:
    """Certify a bracket of epsilon, guessed by steps from x along the slope of delta."""
    here, step = loss.delta(x), loss.spread.deviation
    with np.errstate(divide="ignore", invalid="ignore"):
        up, down = (here.upper - delta) / -slope, (delta - here.lower) / -slope
    up, down = (np.clip(np.where(np.isfinite(far), far, 0.0), -step, step) for far in (up, down))
    # to begin with: both ends are tried, whatever was rounded
    blur = 0.05 * np.maximum(up + down, 0.0) + 4 * ULP * np.abs(x)
    low, high = np.minimum(x - down, x + up) - blur, np.maximum(x - down, x + up) + blur
    return enclosed(loss.delta, np.clip(low, 0.0, most), np.clip(high, 0.0, most), delta, most)


def nearby_slope(loss: LossSum, x: Floats) -> Floats:
    """Difference of delta over a thousandth of a standard deviation."""
    away = 1e-3 * loss.spread.deviation
    before, after = loss.delta(np.maximum(x - away, 0.0)), loss.delta(x + away)
    fall = before.lower + before.upper - after.lower - after.upper
    return np.asarray(-fall / 2.0 / (x + away - np.maximum(x - away, 0.0)))


def enclosed(
    profile: Callable[[Floats], Bracket], low: Floats, high: Floats, delta: Floats, most: float
) -> Bracket:
    """Both ends moved outwards until delta is certainly reached at one, and kept at the other."""
    low, high = low.copy(), high.copy()
    early, late = low > 0.0, high < most
    # to begin with: doubled until an end is certain, whatever was rounded
    step = 4 * ULP * np.maximum(np.abs(high), 1e-300)
    for _ in range(1100):
        down, up = np.flatnonzero(early), np.flatnonzero(late)
        if not (down.size or up.size):
            break
        found = profile(np.concatenate([low[down], high[up]]))
        early[down] = found.lower[: len(down)] < delta[down]
        late[up] = found.upper[len(down) :] > delta[up]
        low = np.where(early, np.maximum(low - step, 0.0), low)
        high = np.where(late, np.minimum(high + step, most), high)
        early, late = early & (low > 0.0), late & (high < most)
        step = np.minimum(2.0 * step, 1e300)
    return Bracket(np.where(early, 0.0, low), np.where(late, most, high))


def tail_of_density(
    delta: Callable[[Floats], Bracket], x: Floats, deviation: float, other: bool
) -> Bracket:
    """The same where the loss has a density: over chords that are as long as delta is unsure."""
    here = delta(x)
    unsure = (here.upper - here.lower) / np.maximum(here.upper, 1e-300)
    return tail_by_chords(delta, x, np.sqrt(unsure + 1e-14) * deviation, other)


def tail_by_chords(
    delta: Callable[[Floats], Bracket], x: Floats, away: Floats, other: bool
) -> Bracket:
    """Q[Z > x] is minus the slope of delta in e^x, which is convex; P[Z > x] follows."""
    at = np.where(np.isfinite(x), x, 0.0)
    # no bound: a step so long has six bits that rounding leaves
    away = np.maximum(np.minimum(away, LONGEST_CHORD), 64 * ULP * at)
    up, down = (at + away) - at, at - (at - away)  # steps of floats, without rounding
    here, after, before = delta(x), delta(x + up), delta(x - down)
    with np.errstate(over="ignore"):  # a chord without end has no slope
        rise, fall = np.expm1(up), -np.expm1(-down)
    low = np.maximum(here.lower - after.upper, 0.0) / rise  # times e^x
    high = np.maximum(before.upper - here.lower, 0.0) / fall
    if other:
        share = np.exp(-x)
        return Bracket(low * share, np.minimum(high * share + SMALLEST, 1.0))
    return Bracket(np.minimum(here.lower + low, 1.0), np.minimum(here.upper + high, 1.0))


def where_asked(
    some: npt.NDArray[np.bool_], ask: Callable[[Floats], Bracket], asked: Floats
) -> Bracket:
    """Asked only where that is needed."""
    low, high = np.zeros_like(asked), np.ones_like(asked)
    if some.any():
        low[some], high[some] = ask(asked[some])
    return Bracket(low, high)


FAINT_PROBABILITY = 1e-290  # below it nothing relative is promised


class Question(NamedTuple):
    """A question: the method that answers it, and how wide an answer is."""

    name: Literal["delta", "epsilon"]
    width: Callable[[Profiles, Floats, Bracket, float], Floats]

    def ask(self, profiles: Profiles, asked: Floats) -> Bracket:
        """The worst of all directions."""
        return worse(list(map(methodcaller(self.name, asked), profiles)))


def in_nats(profiles: Profiles, asked: Floats, found: Bracket, accuracy: float) -> Floats:
    """Width of a bracket of nats; none if both ends are infinite."""
    same = found.lower == found.upper
    with np.errstate(invalid="ignore"):
        return np.where(same, 0.0, found.upper - found.lower)


def of_size(profiles: Profiles, asked: Floats, found: Bracket, accuracy: float) -> Floats:
    """Width of a bracket of a probability, relative to itself; or in nats, if that is less."""
    size = np.maximum(found.upper, FAINT_PROBABILITY)
    width = np.where(found.upper <= FAINT_PROBABILITY, 0.0, found.upper - found.lower)
    some = np.flatnonzero((width > accuracy * size) & np.isfinite(asked))
    if some.size:
        slopes = [-nearby_slope(each.forward[1], asked[some]) for each in profiles]
        size[some] = np.maximum.reduce([size[some], *slopes])
    return np.asarray(width / size)


DELTA, EPSILON = Question("delta", of_size), Question("epsilon", in_nats)
