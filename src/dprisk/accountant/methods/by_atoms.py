"""Losses that add up to few values: sums of positive terms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import ClassVar, cast, final

import numpy as np

from dprisk._numeric.exact import exp_minus_quotient, product
from dprisk._numeric.invert import keep
from dprisk._numeric.logspace import Floats
from dprisk._numeric.rounding import SMALLEST
from dprisk.accountant.loss_sum import FAINT_PRODUCT, MOST_CORNERS, Bracket, LossSum, Parts, Spread
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import ULP, Loss
from dprisk.losses.discrete_gaussian import DiscreteGaussianLoss
from dprisk.losses.normal import ResponseLoss
from dprisk.theorems import LOSS_COMPOSITION, Theorem

MOST_VALUES = 2**12  # values of the sum
FEW_STEPS = 2**20  # where no two of its values need be added up again: few steps
SPAN = 16.0  # nats: e^-l is summed up relative to the largest l so near
MOST_CONVOLUTIONS = 2**9  # convolutions
NARROW = 8.0  # standard deviations up to which discrete Gaussians have few values
REACH = 37.4  # standard deviations: e^-(37.4^2 / 2) is e^-700
LEFT_OUT = 1e-302  # more than lies beyond
# relative error of a value, and of a sum of two: a quotient, a logarithm, a sum are rounded
VALUE = 4 * ULP


@final
@dataclass(frozen=True, eq=False)
class ByAtoms(LossSum):
    """A sum with few values."""

    theorem: ClassVar[Theorem] = LOSS_COMPOSITION

    losses: Floats
    masses: Floats
    known_infinite: float
    terms: int
    off: float = 0.0
    lost: float = 0.0
    faint: float = 0.0
    merged: int = 0

    @classmethod
    def nothing(cls) -> ByAtoms:
        """The loss is 0: nothing comes out."""
        return cls(np.zeros(1), np.ones(1), 0.0, 0)

    @classmethod
    def everything(cls) -> ByAtoms:
        """The loss is infinite: everything comes out."""
        return cls(np.zeros(0), np.zeros(0), 1.0, 1)

    @property
    def mass_at_infinity(self) -> float:
        """The mass at infinity as computed, rounded upwards, with what was lost on the way."""
        return min(1.0, self.known_infinite * (1.0 + 4 * ULP * self.terms) + self.lost)

    @property
    def cut_off(self) -> float:
        """The probability that was lost."""
        return self.lost

    @property
    def roundings(self) -> int:
        """Four of a value for each term."""
        return self.terms

    @property
    def has_few_values(self) -> bool:
        """One term for each."""
        return True

    @property
    def has_closed_form(self) -> bool:
        """A sum."""
        return True

    @property
    def support(self) -> tuple[float, float]:
        """First and last value, with the roundings of the sum."""
        if not len(self.losses):
            return 0.0, 0.0
        return float(self.losses[0]) - self.off, float(self.losses[-1]) + self.off

    @property
    def largest(self) -> float:
        """The last value, at least."""
        return float(self.losses[-1]) - self.off if len(self.losses) else 0.0

    def delta(self, x: Floats) -> Bracket:
        """Linear in e^x from one value to the next; a value may lie a little off."""
        low = self._delta(x + self.off) * (1.0 - self._relative) - self._faint
        high = self._delta(x - self.off) * (1.0 + self._relative) + self._faint
        low, high = (
            np.maximum(low, 0.0),
            np.where(x >= self.support[1], 0.0, high) + self.mass_at_infinity,
        )
        low = low + self.known_infinite * (1.0 - self._relative)
        return Bracket(np.minimum(low, 1.0), np.minimum(high, 1.0))

    def epsilon(self, delta: Floats) -> Bracket:
        """Closed form inside a segment, for delta a little more and a little less."""
        revealed = self.known_infinite * (1.0 - self._relative)
        low = np.where(delta < revealed, np.inf, self._inverse(delta - revealed, 1.0))
        high = self._inverse(delta - self.mass_at_infinity, -1.0)
        top = max(self.support[1], 0.0)
        high = np.where(delta >= self.mass_at_infinity, np.minimum(high, top), np.inf)
        least = max(float(self.losses[-1]) - self.off, 0.0) if len(self.losses) else 0.0
        never = (delta == 0.0) & (revealed == 0.0)
        high = keep(high, lambda x: self.delta(x).upper <= delta)
        return Bracket(np.where(never, least, np.minimum(low, high)), high)

    def tail(self, x: Floats, other: bool = False) -> Bracket:
        """Sums of probabilities; a value that equals x up to rounding is not beyond it."""
        near = 4 * ULP * self.terms * (np.abs(x) + self._size)
        after = np.searchsorted(self.losses, x + near, side="right")
        sums = self._tails[1 if other else 0][after]
        blur = self._relative + (2.0 * self.off if other else 0.0)  # e^-l is off as l is
        faint = np.where(after < len(self.losses), self._faint, 0.0)
        low, high = np.maximum(sums * (1.0 - blur) - faint, 0.0), sums * (1.0 + blur) + faint
        if not other:
            low = low + self.known_infinite * (1.0 - self._relative)
            high = high + self.mass_at_infinity
        return Bracket(np.minimum(low, 1.0), np.minimum(high, 1.0))

    @property
    def corners(self) -> Floats | None:
        """The positive values."""
        found = self.losses[self.losses > 0.0]
        return found if len(found) <= MOST_CORNERS else None

    @property
    def corners_off(self) -> float:
        """The rounding of a sum of losses."""
        return self.off

    def coarse(self) -> LossSum:
        """Itself."""
        return self

    @property
    def spread(self) -> Spread:
        """Mean, deviation and reach, from the values themselves."""
        total = self.masses.sum() or 1.0
        mean = float((self.masses * self.losses).sum() / total)
        spread = float(np.sqrt((self.masses * (self.losses - mean) ** 2).sum() / total))
        return Spread(max(mean, 0.0), spread, max(self.support[1], 0.0))

    @cached_property
    def _relative(self) -> float:
        added = 2.0 * (2.0 * np.sqrt(len(self.losses)) + 2.0) + 48.0 * len(self._spans)
        # a rounding for each product, and for each term that is added up
        return float(4 * ULP * (added + self.merged + self.terms + 8))

    @property
    def _faint(self) -> float:
        """At most how far a sum of terms is off, where some have few digits."""
        return self.faint + 8 * SMALLEST * len(self.losses)

    @property
    def _size(self) -> float:
        return float(np.abs(self.losses).max(initial=0.0))

    @cached_property
    def _next(self) -> Floats:
        """Each value, and what comes after the last."""
        return np.append(self.losses, self.losses[-1:] if len(self.losses) else 0.0)

    @cached_property
    def _sums(self) -> tuple[Floats, Floats]:
        """Sums from each value on: delta there, and minus its slope there."""
        n, losses = len(self.losses), self.losses
        gain = np.zeros(n + 1)
        for start, end in reversed(self._spans):
            last = losses[end - 1]
            up = np.exp(last - losses[start:end])
            rest = gain[end] * np.exp(last - losses[end]) if end < n else 0.0
            gain[start:end] = (from_each_on(self.masses[start:end] * up) + rest) / up
        fall = -np.expm1(-np.diff(losses, append=losses[-1:])) * gain[1:]
        return np.append(from_each_on(fall), 0.0), gain

    @cached_property
    def _spans(self) -> list[tuple[int, int]]:
        """Runs of losses that are close to one another."""
        if not len(self.losses):
            return []
        cell = np.floor((self.losses - self.losses[0]) / SPAN)
        turns = np.flatnonzero(np.diff(cell)) + 1
        return list(zip([0, *turns.tolist()], [*turns.tolist(), len(cell)], strict=True))

    @cached_property
    def _tails(self) -> tuple[Floats, Floats]:
        """Probability of each value and all larger ones, under P and under Q."""
        under_q = self.masses * np.exp(-np.maximum(self.losses, 0.0))
        under_p, under_q = (np.append(from_each_on(p), 0.0) for p in (self.masses, under_q))
        return under_p, under_q

    def _delta(self, x: Floats) -> Floats:
        """Delta of the finite values, as computed."""
        at, gain = self._sums
        after = np.searchsorted(self.losses, x, side="right")
        room = -np.expm1(np.minimum(x - self._next[after], 0.0))
        return at[after] + room * gain[after]

    def _inverse(self, delta: Floats, sign: float) -> Floats:
        """x >= 0 at which the finite part of delta is delta, moved down (1) or up (-1)."""
        at, gain = self._sums
        target = (delta + sign * self._faint) * (1.0 + sign * 2.0 * self._relative)
        rising = at[:-1][::-1]
        j = len(rising) - np.searchsorted(rising, np.maximum(target, 0.0), side="right")
        j = np.minimum(j, len(at) - 2) if len(rising) else np.zeros(len(delta), dtype=int)
        left = np.maximum(target - at[j], 0.0)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # at most 1 counts
            share = np.where(gain[j] > 0.0, left / gain[j], 0.0)
            x = self._next[j] + np.log1p(-np.minimum(share, 1.0))
        # a share and its logarithm: five roundings; those of a sum are in `off`
        moved = x * (1.0 - sign * 8 * ULP) - sign * self.off
        return np.where(target < 0.0, self.support[1], np.maximum(moved, 0.0))


def from_each_on(terms: Floats) -> Floats:
    """Sums from each term to the last, with about 2 sqrt(n) roundings."""
    n = len(terms)
    width = max(int(np.sqrt(n)), 1)
    padded = np.zeros(-(-n // width) * width)
    padded[len(padded) - n :] = terms
    rows = np.cumsum(padded.reshape(-1, width)[:, ::-1], axis=1)[:, ::-1]
    later = np.append(np.cumsum(rows[:0:-1, 0])[::-1], 0.0) if n else np.zeros(0)
    return np.asarray((rows + later[:, None]).ravel()[len(padded) - n :])


def as_atoms(parts: Parts) -> ByAtoms | None:
    """The sum itself, where it has few values and takes few steps."""
    if not all(_is_few(loss) for loss, _ in parts):
        return None
    points = [_points(loss) for loss, _ in parts]
    runs = [(loss, n) for loss, (_, n) in zip(points, parts, strict=True)]
    steps = [(loss, n, 1) if len(loss.losses) > 1 else (_run(loss, n), 1, n) for loss, n in runs]
    if sum(count for _, count, _ in steps) > MOST_CONVOLUTIONS:
        return None
    most = FEW_STEPS if _takes_few_steps(points, parts) else MOST_VALUES
    # sums of a and of b numbers take at least a + b - 1 values
    if sum(n * (len(loss.losses) - 1) for loss, (_, n) in zip(points, parts, strict=True)) >= most:
        return None
    losses, masses, infinite, terms, merged = np.zeros(1), np.ones(1), 0.0, 0, 0
    off, faint = 0.0, 0.0
    lost = sum(n * LEFT_OUT for loss, n in parts if isinstance(loss, DiscreteGaussianLoss))
    for loss, count, each in steps:
        for _ in range(count):
            if len(losses) * len(loss.losses) > 64 * most:
                return None
            sums = np.add.outer(losses, loss.losses).ravel()
            both = len(losses) and len(loss.losses)
            if both and masses.min() * loss.masses.min() < FAINT_PRODUCT:
                faint += SMALLEST * len(sums)
            losses, masses, widest = _merged(sums, np.multiply.outer(masses, loss.masses).ravel())
            sizes = [float(np.abs(of).max(initial=0.0)) for of in (loss.losses, losses)]
            off += widest + VALUE * sum(sizes)
            if len(losses) > most:
                return None
            infinite += (1.0 - infinite) * loss.infinite
            merged += min(len(losses), len(loss.losses))
            terms += each
    return ByAtoms(losses, masses, infinite, terms, off, lost, faint, merged)


def _run(loss: AtomicLoss, count: int) -> AtomicLoss:
    """So many losses of one value, or of none, at once."""
    hidden = count * float(np.log1p(-loss.infinite)) if loss.infinite < 1.0 else -np.inf
    return AtomicLoss.part(count * loss.losses, loss.masses**count, -np.expm1(hidden))


def _takes_few_steps(points: list[AtomicLoss], parts: Parts) -> bool:
    """Whether even all sums together, equal or not, are few; on a lattice lines are as good."""
    size = prod(len(loss.losses) ** min(n, 64) for loss, (_, n) in zip(points, parts, strict=True))
    return bool(size <= FEW_STEPS)


def _is_few(loss: Loss) -> bool:
    """Whether all its values, or all that are not negligible, are few."""
    if isinstance(loss, DiscreteGaussianLoss):
        return loss.sigma <= NARROW
    return isinstance(loss, AtomicLoss | ResponseLoss)


def _points(loss: Loss) -> AtomicLoss:
    """All values of a loss that has few."""
    if isinstance(loss, DiscreteGaussianLoss):
        return _discrete_gaussian(loss.sigma, loss.sensitivity)
    return loss.points if isinstance(loss, ResponseLoss) else cast(AtomicLoss, loss)


def _discrete_gaussian(sigma: float, sensitivity: int) -> AtomicLoss:
    """Z = D (2 k + D) / (2 sigma^2) for all k with a probability above e^-700."""
    most = int(np.ceil(REACH * sigma)) + 1
    k = np.arange(-most, most + 1.0)
    weight = exp_minus_quotient(k * k / 2.0, product(np.asarray(sigma), np.asarray(sigma)))
    losses = sensitivity * (2.0 * k + sensitivity) / (2.0 * sigma * sigma)
    return AtomicLoss.part(losses, weight / weight.sum())


def _merged(losses: Floats, masses: Floats) -> tuple[Floats, Floats, float]:
    """Values that are equal up to rounding, together at the largest; how far they are moved."""
    order = np.argsort(losses)
    losses, masses = losses[order], masses[order]
    if not len(losses):
        return losses, masses, 0.0
    near = 4 * ULP * np.abs(losses).max()
    last = np.append(np.diff(losses) > near, True)
    group = np.concatenate([[0], np.cumsum(last[:-1])])
    first = np.append(True, last[:-1])
    widest = float((losses[last] - losses[first]).max())
    return losses[last], np.bincount(group, masses).astype(float), widest
