"""Tilted sums over a vertical line of the complex plane, with everything that they leave out.

With M the moment generating function of the finite privacy loss Z and s = theta + i t,

    delta(x) = E[(1 - e^(x - Z))+] = (1 / 2 pi) integral M(s) e^(-s x) / (s (s + 1)) dt.

The sum over t = n h, with period L = 2 pi / h, is *exactly* the sum of e^(theta m L) delta(x + m L)
over all whole m: too large, by terms that Chernoff's inequality bounds (dprisk Proposition 6). On
a lattice the sum is finite and nothing is cut off; elsewhere the discarded part of the line is
bounded by the decay of M.

Symbols: docs/notation.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk._numeric.rounding import SMALLEST
from dprisk.accountant.bracket import Bracket
from dprisk.accountant.equispaced_nodes import EvenNodes
from dprisk.accountant.lattice_fft import TURN, LatticeTable, turns_off
from dprisk.losses.base import ULP, Complexes, Lattice

__all__ = ["EXP_LIMIT", "TURN", "Chernoff", "Contour", "penalty", "rounded"]

BLOCK = 2**19  # complex numbers in memory at a time
EXP_LIMIT = 700.0  # exp of it is still finite
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

Factor = Callable[[Complexes, Floats, float], Complexes]


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
    """Samples of a moment generating function on one vertical line.

    Parameters
    ----------
    theta, period : float
        Abscissa, and 2 pi over the distance of the nodes.
    log_scale : float
        log M(theta).
    s : ndarray of complex
        Nodes in the upper half plane, from the real axis upwards.
    terms : ndarray of complex
        M(s) / M(theta) over the period; twice that where the mirror image counts as well.
    error : ndarray
        Relative error of each term.
    beyond, beyond_flat : float
        At most the sum of abs(terms / s^2), and of abs(terms), over the nodes that were left out.
    lattice : Lattice or None
        Of the loss, if the nodes go once round it.
    smoothing : float
        Variance of a normal loss that was composed with this one.
    """

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
            low, high = (self._on_lattice(e, chernoff, _both) for e in (x + off, x - off))
            return Bracket(low.lower, high.upper)
        beyond = np.array([[self.beyond], [self.beyond_flat]])
        middle, error = self._sums(2 if self.smoothing else 1, x, beyond)
        lower = middle[0] - error[0] - self._aliases(x, chernoff)
        if self.smoothing:  # dprisk Proposition 7
            lower = lower - penalty(self.smoothing, middle[1] + error[1])
        middle, error = middle[0], error[0]
        return Bracket(np.maximum(lower, 0.0), np.maximum(middle + error, 0.0))

    def rough(self, x: Floats) -> tuple[Floats, Floats]:
        """delta and its derivative as computed, for root finding."""
        at, below, slope = x, 1.0 / (self.s * (self.s + 1.0)), -1.0 / (self.s + 1.0)
        if self._table is not None:
            return self._rough_by_table(self._table, x)
        if self.lattice is not None:
            at, before = self._first(x, 0.0)
            s, spacing = self.s[:, None], self.lattice.spacing
            down = np.exp(x - at)
            below = _both(s, before, spacing)
            slope = -_under_q(s, before, spacing) * down
        elif self._even is not None:
            scale = self._scaled(self.log_scale - self.theta * x)
            found = self._even.sums(x, 0, 3)
            return _times(found[0], scale), _times(found[2], scale)
        phase = np.exp(-1j * turns_off(np.outer(self.s.imag, at)))
        terms = self.terms[:, None] * phase
        scale = self._scaled(self.log_scale - self.theta * at)
        sums = [(terms * f.reshape(len(terms), -1)).real.sum(axis=0) for f in (below, slope)]
        return _times(sums[0], scale), _times(sums[1], scale)

    def tail(self, x: Floats, chernoff: Chernoff, other: bool) -> Bracket:
        """Probability of a finite loss beyond x, on a lattice: under P, or under the other, Q."""
        return self._on_lattice(x, chernoff, _under_q if other else _under_p)

    def _on_lattice(self, x: Floats, chernoff: Chernoff, factor: Factor) -> Bracket:
        origin, spacing = self.lattice or Lattice(0.0, 1.0)
        near = 0.0 if factor is _both else PLACE * (np.abs(x) + abs(origin))
        first, before = self._first(x, near)  # for a tail, a loss so close counts as x itself
        largest = np.abs(factor(np.array([[self.theta + 0j]]), before, spacing))[0]
        beyond = self.beyond_flat * largest
        if factor is _both and self._table is not None:
            middle, error = self._by_table(self._table, first, before, beyond)
        else:
            kernel = factor(self.s[:, None], before, spacing)
            middle, error = self._sum(kernel, first, beyond, abs(origin))
        alias = self._aliases(x, chernoff)
        if factor is _under_q:
            down = np.exp(-first)
            middle, error, alias = middle * down, error * down, alias * down
        return Bracket(np.maximum(middle - error - alias, 0.0), np.maximum(middle + error, 0.0))

    def _aliases(self, x: Floats, chernoff: Chernoff) -> Floats:
        """What the sum has too much, at most."""
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

    def _by_table(
        self, table: LatticeTable, first: Floats, before: Floats, beyond: Floats
    ) -> tuple[Floats, Floats]:
        """What two neighboring steps of the table make of delta, times the scale; its error."""
        origin, spacing = self.lattice or Lattice(0.0, 1.0)
        j = np.rint((first - origin) / spacing)
        here, there = _steps(before, spacing)
        there = there * np.exp(-self.theta * spacing)
        total = here * table.at(j) + there * table.at(j + 1.0)
        exponent = self.log_scale - self.theta * first
        scale = self._scaled(exponent)
        error = (here + there) * (table.fixed + table.moving * (np.abs(first) + abs(origin)))
        error = error + beyond + np.abs(total) * SCALE * (2.0 + np.abs(exponent))
        return total * scale, error * scale + _faint(total, error)

    def _rough_by_table(self, table: LatticeTable, x: Floats) -> tuple[Floats, Floats]:
        origin, spacing = self.lattice or Lattice(0.0, 1.0)
        first, before = self._first(x, 0.0)
        j, (here, there) = np.rint((first - origin) / spacing), _steps(before, spacing)
        step = np.exp(-self.theta * spacing)
        near, next_ = table.at(j), step * table.at(j + 1.0)
        scale = self._scaled(self.log_scale - self.theta * first)
        return (here * near + there * next_) * scale, (next_ - near) * np.exp(x - first) * scale

    def _sum(
        self, factor: Complexes, x: Floats, beyond: float | Floats, offset: float = 0.0
    ) -> tuple[Floats, Floats]:
        """Sum of terms * factor * e^(-s x), times the scale, and its error.

        `factor` has a row for every node and a column for every x.
        """
        weighted = self.terms[:, None] * factor
        total = np.empty_like(x)
        rows = max(1, BLOCK // len(self.s))
        for start in range(0, len(x), rows):
            block = slice(start, start + rows)
            w, phase = weighted[:, block], turns_off(np.outer(self.s.imag, x[block]))
            total[block] = (w.real * np.cos(phase) + w.imag * np.sin(phase)).sum(axis=0)
        return self._with_error(np.abs(weighted).T, total, x, beyond, offset)

    def _sums(self, count: int, x: Floats, beyond: Floats) -> tuple[Floats, Floats]:
        """The same for delta, and for the density if that is wanted, too."""
        if self._even is not None:
            total = self._even.sums(x, 0, count)
        else:
            total = np.empty((count, len(x)))
            real, imaginary = (part[:count] for part in self._weighted)
            rows = max(1, BLOCK // len(self.s))
            for start in range(0, len(x), rows):
                block = slice(start, start + rows)
                phase = turns_off(np.outer(self.s.imag, x[block]))
                total[:, block] = np.einsum("fn,nx->fx", real, np.cos(phase))
                total[:, block] += np.einsum("fn,nx->fx", imaginary, np.sin(phase))
        fixed, moving = (part[:count, None] for part in self._roundings)
        return self._scaled_up(fixed, moving, total, x, beyond[:count], 0.0)

    @property
    def _factors(self) -> Complexes:
        """Of delta, of the density, and of the derivative of delta."""
        return np.stack(
            [1.0 / (self.s * (self.s + 1.0)), np.ones_like(self.s), -1.0 / (self.s + 1.0)]
        )

    @cached_property
    def _weighted(self) -> tuple[Floats, Floats]:
        """Terms times the first two factors."""
        weighted = self._factors[:2] * self.terms
        return weighted.real.copy(), weighted.imag.copy()

    @cached_property
    def _roundings(self) -> tuple[Floats, Floats]:
        """What their roundings come to: of terms and sum, and of the phases for each x."""
        return self._rounded(np.hypot(*self._weighted))

    @cached_property
    def _even(self) -> EvenNodes | None:
        """The same terms in a grid, where they are many."""
        return EvenNodes.of(self.s.imag, TURN / self.period, self._factors * self.terms)

    def _with_error(
        self, size: Floats, total: Floats, x: Floats, beyond: float | Floats, offset: float
    ) -> tuple[Floats, Floats]:
        """Rounding of the terms, of their phases, and of their sum; what is beyond; the scale."""
        fixed, moving = self._rounded(size)
        return self._scaled_up(fixed, moving, total, x, beyond, offset)

    def _rounded(self, size: Floats) -> tuple[Floats, Floats]:
        steady = self.error + rounded(len(self.s))
        moved = PHASE * np.abs(self.s)  # with x, and with where the lattice begins
        fixed, moving = (np.einsum("...n,n->...", size, each) for each in (steady, moved))
        return fixed, moving

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
        error = error + np.abs(total) * SCALE * (1.0 + np.abs(exponent))
        return _times(total, scale), 2.0 * _times(error / 2.0, scale) + _faint(total, error)

    @staticmethod
    def _scaled(exponent: Floats) -> Floats:
        return np.exp(np.minimum(exponent, EXP_LIMIT))


def _times(value: Floats, scale: Floats) -> Floats:
    """The product; where it overflows nothing is known, and twice that is a sure error."""
    with np.errstate(over="ignore"):
        return np.clip(value * scale, -LARGEST_SUM, LARGEST_SUM)


def _faint(total: Floats, error: Floats) -> Floats:
    """What is lost below the range of normal floats: of the scale, and of both products."""
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


def _both(s: Complexes, before: Floats, spacing: float) -> Complexes:
    """Sum over lattice points r, r + g, ... above x of e^(-s (z - r)) (1 - e^(x - z))."""
    first, rest = _steps(before, spacing)
    step = np.exp(-s * spacing)
    both = _gap(s, spacing) * _gap(s + 1.0, spacing)
    return np.asarray((first + step * rest) / both)


def _steps(before: Floats, spacing: float) -> tuple[Floats, Floats]:
    """1 - e^(x - r) at the first point above x, and what the next ones have beyond that."""
    return -np.expm1(-before), -np.expm1(before - spacing) * np.exp(-before)


def _under_p(s: Complexes, before: Floats, spacing: float) -> Complexes:
    return 1.0 / _gap(s, spacing) + 0.0 * before


def _under_q(s: Complexes, before: Floats, spacing: float) -> Complexes:
    return 1.0 / _gap(s + 1.0, spacing) + 0.0 * before


def _gap(s: Complexes, spacing: float) -> Complexes:
    """1 - e^(-s g)."""
    return np.asarray(-np.expm1(-s * spacing))
