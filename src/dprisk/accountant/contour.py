"""Tilted sums over a vertical line of the complex plane, with everything that they leave out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, final

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import EXP_LIMIT, Floats
from dprisk._numeric.rounding import SMALLEST
from dprisk.accountant.loss_sum import Bracket
from dprisk.losses.base import ULP, Complexes, Lattice
from dprisk.losses.exponential_sums import in_rows

BLOCK = 2**19  # complex numbers in memory at a time
LARGEST_SUM = 1e300  # of a sum; a larger one is all rounding
NODES_FOR_FFT = 2**10  # nodes from which on all points of a lattice are summed up at once
MOST_POINTS = 2**22  # points of it that are kept
UNDERFLOW_EXPONENT = -750.0  # e to that, 2e-326, is less than half of the smallest float

# Slack, in units of the last place: what each bounds is in docs/error-budget.md.
# of s x, for each unit of it: roundings that come to 4 ulp, twice that
PHASE = 8 * ULP
# of a point of a lattice, relative to x and the origin: three roundings
PLACE = 8 * ULP
# of e^z, absolute and for each unit of z: one rounding of z, two of the exponential
SCALE = 4 * ULP

UNDER_P, TWO_STEPS, UNDER_Q = slice(0, 1), slice(1, 3), slice(3, 4)  # of a lattice's factors


@final
@dataclass(frozen=True, eq=False)
class Chernoff:
    """f(x) <= exp(bound - theta x) for each theta: how large a tail can be at most."""

    theta: Floats
    bound: Floats

    def tail(self, x: Floats) -> Floats:
        """f(x) at most."""
        with np.errstate(over="ignore"):
            exponent = (self.bound[:, None] - self.theta[:, None] * x).min(axis=0)
        found = np.exp(np.minimum(exponent, 0.0)) + 1e-322
        return np.where(exponent < UNDERFLOW_EXPONENT, SMALLEST, found)

    def aliases(self, theta: float, period: float, x: Floats) -> Floats:
        """log of the sum over m != 0 of e^(theta m L) f(x + m L), at most."""
        with np.errstate(divide="ignore", over="ignore"):
            gap = np.abs(self.theta - theta) * period
            whole: Floats = np.where(
                gap > EXP_LIMIT, gap, np.log(np.expm1(np.minimum(gap, EXP_LIMIT)))
            )
        sides = []
        for side in (self.theta < theta, self.theta > theta):
            exponent = (self.bound - whole)[side, None] - self.theta[side, None] * x
            sides.append(exponent.min(axis=0, initial=np.inf))
        return np.asarray(np.logaddexp(*sides))

    def period(self, theta: float, x: Floats, small: Floats) -> float:
        """Period at which the nearest alias on each side is at most exp(small) at every x."""
        longest = 0.0
        for side in (self.theta < theta, self.theta > theta):
            apart = np.abs(self.theta[side] - theta)[:, None]
            excess = self.bound[side, None] - self.theta[side, None] * x - small
            longest = max(longest, float((np.maximum(excess, 1.0) / apart).min(axis=0).max()))
        return longest


@final
@dataclass(frozen=True, eq=False)
class Contour:
    """Samples of a moment generating function on one vertical line."""

    theta: float
    period: float
    log_scale: float
    s: Complexes
    terms: Complexes
    error: Floats
    beyond: float
    beyond_flat: float = 0.0
    lattice: Lattice | None = None
    smoothing: float = 0.0

    def delta(self, x: Floats, chernoff: Chernoff) -> Bracket:
        """delta of the finite loss at x >= 0, at least and at most."""
        if self.lattice is not None:  # whose points may lie a little off
            off = PLACE * (np.abs(x) + abs(self.lattice.origin))
            low, high = (self._on_lattice(e, chernoff, TWO_STEPS) for e in (x + off, x - off))
            return Bracket(low.lower, high.upper)
        which = slice(0, 2 if self.smoothing else 1)
        beyond = np.array([[self.beyond], [self.beyond_flat]])[which]
        fixed, moving = (part[which, None] for part in self._roundings)
        total = self._sums(x, which)
        middle, error = self._scaled_up(fixed, moving, total, x, beyond, 0.0)
        lower = middle[0] - error[0] - self._aliases(x, chernoff)
        if self.smoothing:  # dprisk Proposition 7
            lower = lower - penalty(self.smoothing, middle[1] + error[1])
        middle, error = middle[0], error[0]
        return Bracket(np.maximum(lower, 0.0), np.maximum(middle + error, 0.0))

    def rough(self, x: Floats) -> tuple[Floats, Floats]:
        """delta and its derivative as computed, for root finding."""
        if self.lattice is None:
            found = self._sums(x, slice(0, 3))
            scale = self._scaled(self.log_scale - self.theta * x)
            return _times(found[0], scale), _times(found[2], scale)
        first, before = self._first(x, 0.0)
        if self._table is not None:
            steps = self._from_table(self._table, first)
            slope = steps[1] - steps[0]
        else:
            near, far, under_q = self._sums(first, slice(1, 4))
            steps, slope = np.stack([near, far]), -under_q
        scale = self._scaled(self.log_scale - self.theta * first)
        value = (_steps(before, self.lattice.spacing) * steps).sum(axis=0)
        return _times(value, scale), _times(slope * np.exp(x - first), scale)

    def tail(self, x: Floats, chernoff: Chernoff, other: bool) -> Bracket:
        """Probability of a finite loss beyond x, on a lattice: under P, or under the other, Q."""
        return self._on_lattice(x, chernoff, UNDER_Q if other else UNDER_P)

    def _on_lattice(self, x: Floats, chernoff: Chernoff, which: slice) -> Bracket:
        """Sums with these factors, in the shares that suit delta at x, or as they are."""
        origin, spacing = self.lattice or Lattice(0.0, 1.0)
        near = 0.0 if which == TWO_STEPS else PLACE * (np.abs(x) + abs(origin))
        first, before = self._first(x, near)  # for a tail, a loss so close counts as x itself
        shares = _steps(before, spacing) if which == TWO_STEPS else np.ones((1, len(x)))
        if which == TWO_STEPS and self._table is not None:
            sums = self._from_table(self._table, first)
            step = np.array([1.0, np.exp(-self.theta * spacing)])
            fixed, moving = self._table.fixed * step, self._table.moving * step
        else:
            sums = self._sums(first, which)
            fixed, moving = (part[which] for part in self._roundings)
        beyond = self.beyond_flat * (self._largest_factors[which] @ shares)
        total = (shares * sums).sum(axis=0)
        middle, error = self._scaled_up(
            fixed @ shares, moving @ shares, total, first, beyond, abs(origin)
        )
        alias = self._aliases(x, chernoff)
        if which == UNDER_Q:
            down = np.exp(-first)
            middle, error, alias = middle * down, error * down, alias * down
        return Bracket(np.maximum(middle - error - alias, 0.0), np.maximum(middle + error, 0.0))

    def _aliases(self, x: Floats, chernoff: Chernoff) -> Floats:
        """Upper bound on what aliases add to the sum."""
        return self._scaled(chernoff.aliases(self.theta, self.period, x))

    def _first(self, x: Floats, near: float | Floats) -> tuple[Floats, Floats]:
        """The first point of the lattice above x, and how far it is."""
        origin, spacing = self.lattice or Lattice(0.0, 1.0)
        first = origin + spacing * (np.floor((x + near - origin) / spacing) + 1.0)
        return first, np.clip(first - x, 0.0, spacing)

    @cached_property
    def _table(self) -> LatticeTable | None:
        """The lattice sum of one step of delta, where there are many nodes."""
        if self.lattice is None or len(self.s) < NODES_FOR_FFT:
            return None
        spacing = self.lattice.spacing
        if self.period / spacing > MOST_POINTS:
            return None
        weights = self.terms / (_gap(self.s, spacing) * _gap(self.s + 1.0, spacing))
        return LatticeTable.of(self.s, weights, self.error, self.period, self.lattice)

    def _from_table(self, table: LatticeTable, first: Floats) -> Floats:
        """The same as the two sums of `TWO_STEPS`, at these points of the lattice."""
        origin, spacing = self.lattice or Lattice(0.0, 1.0)
        j = np.rint((first - origin) / spacing)
        return np.stack([table.at(j), np.exp(-self.theta * spacing) * table.at(j + 1.0)])

    def _sums(self, x: Floats, which: slice) -> Floats:
        """Real parts of the sums of terms * factor * e^(-i t x): a row for each factor."""
        if self._even is not None:
            return self._even.sums(x, which.start, which.stop)
        real, imaginary = (part[which] for part in self._weighted)
        total = np.empty((len(real), len(x)))
        rows = max(1, BLOCK // len(self.s))
        for start in range(0, len(x), rows):
            block = slice(start, start + rows)
            phase = turns_off(np.outer(self.s.imag, x[block]))
            total[:, block] = np.einsum("fn,nx->fx", real, np.cos(phase))
            total[:, block] += np.einsum("fn,nx->fx", imaginary, np.sin(phase))
        return total

    @property
    def _factors(self) -> Complexes:
        """Factors of delta, of the density and of the derivative of delta; or lattice factors."""
        if self.lattice is not None:
            return _lattice_factors(self.s, self.lattice.spacing)
        return np.stack(
            [1.0 / (self.s * (self.s + 1.0)), np.ones_like(self.s), -1.0 / (self.s + 1.0)]
        )

    @cached_property
    def _largest_factors(self) -> Floats:
        """Largest factors of a lattice on the whole circle: where it crosses the real axis."""
        spacing = (self.lattice or Lattice(0.0, 1.0)).spacing
        return np.abs(_lattice_factors(np.array([self.theta + 0j]), spacing))[:, 0]

    @cached_property
    def _weighted(self) -> tuple[Floats, Floats]:
        """Terms times the factors."""
        weighted = self._factors * self.terms
        return weighted.real.copy(), weighted.imag.copy()

    @cached_property
    def _roundings(self) -> tuple[Floats, Floats]:
        """Size of the roundings of terms and sum, and of those of the phases for each x."""
        size = np.hypot(*self._weighted)
        steady = self.error + rounded(len(self.s))
        moved = PHASE * np.abs(self.s)  # with x, and with where the lattice begins
        return np.einsum("fn,n->f", size, steady), np.einsum("fn,n->f", size, moved)

    @cached_property
    def _even(self) -> EvenNodes | None:
        """The same terms in a grid, where they are many."""
        return EvenNodes.of(self.s.imag, TURN / self.period, self._factors * self.terms)

    def _scaled_up(
        self,
        fixed: Floats,
        moving: Floats,
        total: Floats,
        x: Floats,
        beyond: float | Floats,
        offset: float,
    ) -> tuple[Floats, Floats]:
        """Sums and what they may be off, times the scale."""
        exponent = self.log_scale - self.theta * x
        scale = np.exp(np.minimum(exponent, EXP_LIMIT))
        error = fixed + moving * (np.abs(x) + offset) + beyond
        error = error + np.abs(total) * SCALE * (2.0 + np.abs(exponent))
        return _times(total, scale), 2.0 * _times(error / 2.0, scale) + _faint(total, error)

    @staticmethod
    def _scaled(exponent: Floats) -> Floats:
        return np.exp(np.minimum(exponent, EXP_LIMIT))


def _times(value: Floats, scale: Floats) -> Floats:
    """The product; where it overflows nothing is known, and twice that is a sure error."""
    with np.errstate(over="ignore"):
        return np.clip(value * scale, -LARGEST_SUM, LARGEST_SUM)


def _faint(total: Floats, error: Floats) -> Floats:
    """Amount lost below the range of normal floats, by the scale and by both products."""
    return np.minimum(4.0 + np.abs(total) + error, LARGEST_SUM) * SMALLEST


def rounded(many: int, steps: int = 0) -> float:
    """Relative rounding of a term, in so many further steps, and of adding up so many."""
    return float((16 + steps + np.log2(many) + many / 64) * ULP)


def penalty(variance: float, density: Floats) -> Floats:
    """At most how much a normal loss of that variance adds to delta."""
    if variance > 4.0 * EXP_LIMIT:
        return np.ones_like(density)
    with np.errstate(over="ignore"):  # more than all there is
        return np.asarray(np.minimum(variance * np.exp(variance / 8.0) * density, 1.0))


def _lattice_factors(s: Complexes, spacing: float) -> Complexes:
    """Sums of e^(-s (z - r)) over points z = r, r + g, ...: a row for each that is wanted."""
    under_p, under_q = 1.0 / _gap(s, spacing), 1.0 / _gap(s + 1.0, spacing)
    both = under_p * under_q
    return np.stack([under_p, both, np.exp(-s * spacing) * both, under_q])


def _steps(before: Floats, spacing: float) -> Floats:
    """1 - e^(x - r) at the first point above x, and what the next ones have beyond that."""
    return np.stack([-np.expm1(-before), -np.expm1(before - spacing) * np.exp(-before)])


def _gap(s: Complexes, spacing: float) -> Complexes:
    """1 - e^(-s g)."""
    return np.asarray(-np.expm1(-s * spacing))


TURN = 2.0 * np.pi
STAGE = 8.0  # roundings in each stage of a transform


@final
@dataclass(frozen=True, eq=False)
class LatticeTable:
    """The real part of the sum of w e^(-i t x) at x = origin + spacing j, for all whole j."""

    values: Floats
    fixed: float
    moving: float

    @classmethod
    def of(
        cls, s: Complexes, weights: Complexes, error: Floats, period: float, lattice: Lattice
    ) -> LatticeTable:
        """Build the table from nodes at multiples of a whole fraction of the circle."""
        count = int(np.rint(period / lattice.spacing))
        size, t = np.abs(weights), s.imag
        n = np.rint(t * (period / TURN)).astype(np.int64)
        turned = np.conj(weights * np.exp(-1j * turns_off(t * lattice.origin))) * (count / 2.0)
        turned[(n == 0) | (2 * n == count)] *= 2.0
        spectrum = np.zeros(count // 2 + 1, dtype=np.complex128)
        spectrum[n] = turned
        # 8 ulps for each stage of the transform; roundings lie on both sides
        steady = error + (16.0 + STAGE * np.log2(count)) * ULP
        # as PHASE: roundings that come to 4 ulp, twice that
        moved = 8 * ULP * np.abs(s)
        return cls(np.fft.irfft(spectrum, count), float(size @ steady), float(size @ moved))

    def at(self, j: Floats) -> Floats:
        """The sums at these points of the lattice."""
        return self.values.take(np.mod(j, float(len(self.values))).astype(np.int64))


def turns_off(phase: Floats) -> Floats:
    """By whole turns into [-pi, pi], where sine and cosine are fast; off by an ulp of the phase."""
    return np.asarray(phase - TURN * np.rint(phase / TURN))


FEWEST_NODES = 2**7  # with as many this is faster, and has no more roundings than one long sum
MOST_PLACES = 2**20  # in the grid
ANGLE = 32.0  # products that cost as much as a sine and a cosine
SUMS_AT_ONCE = 2**6
MOST_PRODUCTS = 2**18  # of two matrices: with more, BLAS starts threads that wait


class EvenNodes(NamedTuple):
    """Weights in a grid, shape (factors, rows, base); which rows those are, and the step."""

    grid: npt.NDArray[np.complex128]
    rows: Floats
    step: float

    @classmethod
    def of(cls, t: Floats, step: float, weights: Complexes) -> EvenNodes | None:
        """A row of weights for each factor; None where the nodes are few, or far apart."""
        if len(t) < FEWEST_NODES:
            return None
        n = np.rint(t / step)
        base, rows, row = in_rows(n, ANGLE)
        count = len(rows)
        if base * count > MOST_PLACES or base + count > len(t):
            return None
        grid = np.zeros((len(weights), count, base), dtype=np.complex128)
        grid[:, row, (n % base).astype(np.intp)] = weights
        return cls(grid, rows * base, step)

    def sums(self, x: Floats, first: int, last: int) -> Floats:
        """Real parts for the factors from the first to before the last, a column for each x."""
        grid = self.grid[first:last]
        _, rows, base = grid.shape
        found = np.zeros((len(grid), len(x)))
        for start in range(0, len(x), SUMS_AT_ONCE):
            some = slice(start, start + SUMS_AT_ONCE)
            angle = -self.step * x[some]
            near = turns(np.arange(float(base)), angle)
            size = MOST_PRODUCTS // (base * len(angle)) or 1
            for first_row in range(0, rows, size):
                block = slice(first_row, first_row + size)
                far = turns(self.rows[block], angle)
                found[:, some] += ((grid[:, block] @ near) * far).sum(axis=1).real
        return found


def turns(n: Floats, angle: Floats) -> Complexes:
    """e^(i n angle), a row for each n."""
    phase = turns_off(np.multiply.outer(n, angle))
    found = np.empty(phase.shape, dtype=np.complex128)
    np.cos(phase, out=found.real)
    np.sin(phase, out=found.imag)
    return found
