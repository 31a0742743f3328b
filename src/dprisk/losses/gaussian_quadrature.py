"""Quadrature for means of powers of r = 1 + q (e^(mu x - mu^2 / 2) - 1), x standard normal."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, final

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import EXP_LIMIT, Floats, expit
from dprisk._numeric.normal import log_ndtr
from dprisk.losses.base import ULP, Complexes
from dprisk.losses.density import mixed
from dprisk.losses.exponential_sums import swings
from dprisk.losses.laplace import log_one_plus

ACCURATE = 62.0  # nats below the mean: the error of a rule on one panel
UNSCALED = 300.0  # nats: up to there no scale is needed
SPLIT_UNDERFLOW = 2.0**-1060  # of what was split off: smaller, it has few digits
SPLIT_OFF = 1e-11  # relative error of what is split off
STEEPEST = 10.0  # the slope, at least, of the logarithm of a density at the ends
SERIES_BELOW = 0.05  # of a w, for a series
TERMS = 14  # of it
BISECTIONS = 30
PIECE = 2**14  # numbers at once: they stay in the cache
ROOT = math.log(2.0 * math.pi) / 2.0


@final
@dataclass(frozen=True)
class Mixture:
    """The ratio r of two densities as a function of x."""

    mu: float
    rate: float

    def log_ratio(self, x: Floats) -> Floats:
        """log r, however large r is."""
        return mixed(self.rate, self.mu * x - self.mu**2 / 2.0)

    def shares(self, x: Floats) -> tuple[Floats, Floats]:
        """Odds o that x comes from the shifted normal, as shares: o / (1 + o), and 1 / (1 + o)."""
        shift = math.log(self.rate) - math.log1p(-self.rate) - self.mu**2 / 2.0
        return expit(shift + self.mu * x), expit(-shift - self.mu * x)

    def log_density(self, x: Floats, a: float | Floats) -> Floats:
        """log of r^a times the normal density."""
        return np.asarray(a * self.log_ratio(x) - x * x / 2.0 - ROOT)

    def steepness(self, x: Floats, a: float) -> Floats:
        """At most the absolute slope of that."""
        return np.asarray(np.abs(x) + abs(a) * self.mu * self.shares(x)[0])

    def peak(self, a: Floats) -> Floats:
        """Further out than all peaks of it."""
        low, high = a * self.mu, np.zeros_like(a)
        shift = math.log(self.rate) - math.log1p(-self.rate) - self.mu**2 / 2.0
        for _ in range(BISECTIONS if np.any(a < 0.0) else 0):
            middle = (low + high) / 2.0  # a mu times the share of the shifted normal grows with x
            share = 1.0 + np.exp(np.minimum(-shift - self.mu * middle, EXP_LIMIT))
            above = a * self.mu / share > middle
            low, high = np.where(above, middle, low), np.where(above, high, middle)
        return np.where(a >= 0.0, a * self.mu, low)


@final
@dataclass(frozen=True, eq=False)
class Bounds:
    """How large r^(a + i t), abs(t) <= turn, can be on ellipses around panels: logarithms."""

    edges: Floats
    turn: float
    ellipses: Ellipses
    top: Floats
    bottom: Floats
    turned: Floats
    density: Floats

    @classmethod
    def of(cls, mixture: Mixture, edges: Floats, turn: float) -> Bounds:
        """Build the bounds for panels between these edges."""
        ellipses = Ellipses.of(edges, math.pi / (2.0 * mixture.mu))
        left, right, angle = ellipses.left, ellipses.right, mixture.mu * ellipses.across
        top, bottom = mixture.log_ratio(right), mixture.log_ratio(left)
        (low, rest), (high, few) = mixture.shares(left), mixture.shares(right)
        turned = np.arctan2(high * np.sin(angle), few + high * np.cos(angle))
        bend = 2.0 * np.maximum(low * rest, high * few)
        bend = np.where((low < 0.5) & (high > 0.5), 0.5, bend)
        bottom += 0.5 * np.log1p(-bend * (1.0 - np.cos(angle)))
        near = np.where(left * right > 0.0, np.minimum(np.abs(left), np.abs(right)), 0.0)
        density = (ellipses.across**2 - near**2) / 2.0
        return cls(edges, turn, ellipses, top, bottom, turn * turned, density)

    def of_powers(self, a: Floats) -> Floats:
        """log of the error of the rule for r^(a + i t) - 1 - (a + i t) w: powers by panels."""
        a = a[:, None, None]
        size = np.where(a >= 0.0, a * self.top, a * self.bottom) + self.turned
        plain = np.log(1.0 + 2.0 * (np.abs(a) + self.turn)) + np.maximum(self.top, 0.0)
        return self.ellipses.error(np.maximum(size, plain) + self.density + math.log(2.0))

    def exceed(self, a: Floats, most: Floats) -> npt.NDArray[np.bool_]:
        """On which panels that is more, for any of the powers, than each of them allows."""
        found = np.zeros(len(self.edges) - 1, dtype=bool)
        for some in pieces(len(a), self.top.size):
            found |= np.any(self.of_powers(a[some]) > most[some, None], axis=0)
        return found


def pieces(rows: int, columns: int) -> list[slice]:
    """Slices of the rows of an array of this shape, none of them too much at once."""
    each = max(PIECE // max(columns, 1), 1)
    return [slice(i, i + each) for i in range(0, rows, each)]


@final
@dataclass(frozen=True, eq=False)
class Rule:
    """Nodes for means of powers of min(r, largest r)."""

    mixture: Mixture
    bounds: Bounds
    last: float
    split: float
    w: Floats
    z: Floats
    logs: Floats
    grown: Floats
    shaky: Floats

    @classmethod
    def of(cls, mixture: Mixture, bounds: Bounds, last: float, split: float) -> Rule:
        """Gauss-Legendre nodes on the panels."""
        x, weights = nodes(bounds.edges)
        logs = np.append(np.log(weights) - x * x / 2.0 - ROOT, log_ndtr(-last))
        x = np.append(x, last)
        z = mixture.log_ratio(x)
        plain = np.minimum(mixture.mu * x - mixture.mu**2 / 2.0, EXP_LIMIT)
        near = mixture.rate * np.expm1(plain)
        w = np.where(z <= 1.0, near, np.expm1(np.clip(z, 1.0, EXP_LIMIT)))
        grown = np.where(z <= 1.0, near * np.exp(logs), np.exp(logs + z) - np.exp(logs))
        moved = 4.0 * (mixture.mu * np.abs(x) + mixture.mu**2)
        shaky = 4.0 * np.abs(z) + moved * mixture.shares(x)[0]
        return cls(mixture, bounds, last, split, w, z, logs, grown, shaky)

    def means(self, a: Floats) -> tuple[Floats, Floats]:
        """log F(a) for each power, and how far it is off."""
        value, off = np.empty_like(a), np.empty_like(a)
        for some in pieces(len(a), max(len(self.z), self.bounds.top.size)):
            value[some], off[some] = self._means(a[some])
        return value, off

    def mean(self, a: float) -> tuple[float, float]:
        """log F(a), and how far it is off."""
        value, off = self.means(np.array([a]))
        return float(value[0]), float(off[0])

    def _means(self, a: Floats) -> tuple[Floats, Floats]:
        left, exponent = self._left_out(a), a[:, None] * self.z + self.logs
        most = exponent.max(axis=1)
        value, error = np.empty_like(a), np.full_like(a, np.inf)
        some = np.flatnonzero(most < UNSCALED)
        if some.size:
            total, off = self._near_one(a[some], exponent[some], left[some])
            near = (total > -0.5) & (off < 0.25)
            some, total, off = some[near], total[near], off[near]
            value[some] = np.log1p(total)
            # a logarithm, which has two roundings; 2 x is more than -log(1 - x)
            error[some] = 2.0 * off / (1.0 + total) + 4.0 * ULP * np.abs(value[some])
        some = np.flatnonzero(np.isinf(error))
        if some.size:
            value[some], error[some] = self._scaled(a[some], exponent[some], left[some])
        return value, error

    def _near_one(self, a: Floats, exponent: Floats, left: Floats) -> tuple[Floats, Floats]:
        """F(a) - 1, and how far it is off."""
        raised = np.exp(exponent)
        away, size = self._away(a, raised)
        total = away.sum(axis=1) - a * self.split
        # roundings of terms and of their sum, and what roundings of log r make of them
        off = ULP * (self._roundings * size + self._steep(a, raised)).sum(axis=1)
        off += np.abs(a) * (SPLIT_OFF * self.split + SPLIT_UNDERFLOW) + np.exp(left)
        return total, off

    def _scaled(self, a: Floats, exponent: Floats, left: Floats) -> tuple[Floats, Floats]:
        """log F(a), and how far it is off, where F(a) is far from 1."""
        most, turn = exponent.max(axis=1), np.abs(a)[:, None]
        shares = np.exp(exponent - most[:, None])
        whole = shares.sum(axis=1)
        value = most + np.log(whole)
        moved = self._roundings + turn * (4.0 * np.abs(self.z) + self.shaky)
        # a sum and a logarithm: three roundings of each
        off = (shares * moved).sum(axis=1) / whole + 4.0 * (np.abs(most) + np.abs(value))
        return value, ULP * off + np.log1p(np.exp(np.minimum(left - value, 600.0)))

    @property
    def _roundings(self) -> Floats:
        """Roundings of a term and of the sum, in ULP."""
        return 16.0 + len(self.z) / 64.0 + 4.0 * np.abs(self.logs)

    def _away(self, a: Floats, raised: Floats) -> tuple[Floats, Floats]:
        """Weights times r^a - 1 - a w, and what its parts add to."""
        weights, turn, grown = np.exp(self.logs), a[:, None] * self.z, a[:, None] * self.grown
        near = np.abs(turn) < 1.0
        turn = np.where(near, turn, 0.0)
        away = np.where(near, weights * np.expm1(turn), raised - weights) - grown
        size = np.where(near, weights * np.abs(turn) * math.e, raised) + np.abs(grown)
        row, column = np.nonzero(np.abs(self.w) * (1.0 + np.abs(a))[:, None] < SERIES_BELOW)
        x, power, series = self.w[column], a[row], np.zeros(len(row))
        for k in range(TERMS, 1, -1):
            series = (1.0 + series) * x * ((power - k) / (k + 1.0))
        small = weights[column] * (power * (power - 1.0) / 2.0 * x * x * (1.0 + series))
        away[row, column], size[row, column] = small, np.abs(small)
        return away, size

    def _steep(self, a: Floats, raised: Floats) -> Floats:
        """How much the same changes with z: weights times a (r^a - r), in ULP."""
        tilted, turn = np.exp(self.logs + self.z), (a - 1.0)[:, None] * self.z
        near = np.abs(turn) < 1.0
        change = tilted * np.abs(np.expm1(np.where(near, turn, 0.0)))
        change = np.where(near, change, raised + tilted)
        return np.asarray(np.abs(a)[:, None] * self.shaky * change)

    def line(self, a: float, t: Floats) -> tuple[Complexes, Floats]:
        """log F(a + i t), and how far it is off."""
        base, off = self.mean(a)
        shares = np.exp(np.minimum(a * self.z + self.logs - base, EXP_LIMIT))  # add up to one
        away, grown = shares * np.abs(self.z), 2.0 + np.abs(a * self.z)
        steady = ((self._roundings + grown) * away + self.shaky * shares * grown).sum()
        heavy = away >= ULP * away.sum() / len(away)  # the others add up to an ULP: one more above
        moved = swings(shares[heavy], self.z[heavy], t)
        lost = ULP * np.abs(t) * float(steady)
        lost += math.exp(min(float(self._left_out(np.array([a]))[0]) - base, 600.0))
        lost += math.expm1(min(off, 600.0))  # of F(a), to which all of the difference is added
        whole = np.maximum(np.abs(1.0 + moved), 1e-300)
        near = np.abs(moved) < 0.5
        value = np.log(np.where(whole > 1e-300, 1.0 + moved, 1e-300))
        value = np.where(near, log_one_plus(np.where(near, moved, 0.0)), value)
        # a logarithm and a sum: three roundings
        error = np.log1p(lost / whole) + 4.0 * ULP * (np.abs(value) + abs(base))
        return np.asarray(base + value, dtype=np.complex128), error

    def _left_out(self, a: Floats) -> Floats:
        """log of what the rule and its ends leave out, at most."""
        edges, turn, power = self.bounds.edges, self.bounds.turn, a[:, None]
        ends = edges[[0, -1]] if edges[-1] < self.last else edges[:1]
        plain = np.log(1.0 + 2.0 * (np.abs(power) + turn)) - ends**2 / 2.0
        plain = plain + np.maximum(self.mixture.log_ratio(ends), 0.0)
        beyond = np.logaddexp(plain, self.mixture.log_density(ends, power)) - math.log(STEEPEST)
        found = np.concatenate([self.bounds.of_powers(a), beyond], axis=1)
        return np.asarray(np.logaddexp.reduce(found, axis=1))


NODES = 20  # on a panel
SIZES = 1.0 + np.geomspace(0.3, 60.0, 14)[:, None]


class Ellipses(NamedTuple):
    """Around each panel (columns), of several sizes (rows): how far they reach."""

    left: Floats
    right: Floats
    across: Floats
    fixed: Floats

    @classmethod
    def of(cls, edges: Floats, most: float) -> Ellipses:
        """At most so far across: 64 / 15 h x^(-2 n) / (1 - x^-2) with n + 1 nodes [1]_."""
        half, middle = np.diff(edges) / 2.0, (edges[1:] + edges[:-1]) / 2.0
        along, across = half * (SIZES + 1.0 / SIZES) / 2.0, half * (SIZES - 1.0 / SIZES) / 2.0
        fixed = np.log(64.0 / 15.0 * half) - 2.0 * (NODES - 1) * np.log(SIZES)
        fixed = np.where(across <= most, fixed - np.log1p(-(SIZES**-2.0)), np.inf)
        return cls(middle - along, middle + along, np.minimum(across, most), fixed)

    def error(self, size: Floats) -> Floats:
        """log of the error of the rule for a function that is at most e^size on an ellipse."""
        return np.asarray((size + self.fixed).min(axis=-2))


@cache
def _legendre() -> tuple[Floats, Floats]:
    x, weights = np.polynomial.legendre.leggauss(NODES)
    return x, weights


def nodes(edges: Floats) -> tuple[Floats, Floats]:
    """Nodes and weights on each panel, one after the other."""
    x, weights = _legendre()
    half = np.diff(edges)[:, None] / 2.0
    return ((edges[:-1, None] + half) + half * x).ravel(), (half * weights).ravel()


def halved(edges: Floats, bad: npt.NDArray[np.bool_]) -> Floats:
    """The edges, with a new one in the middle of each bad panel."""
    return np.sort(np.concatenate([edges, (edges[1:] + edges[:-1])[bad] / 2.0]))


COARSE = 2**11  # points to see where anything is
STEP = 0.08  # nats by which the integrand changes on a cell
MOST_CELLS = 2**17  # cells
USUAL = 2.0 ** np.arange(-2.0, 5.0)  # shifts, over what suits a normal loss
PARTS = 2.0 ** np.arange(-5.0, 1.0)  # and over the largest
OUTSIDE = 1e-22  # share of what no cell has
USEFUL_EXPONENT = 50.0  # nats: what is e^50 times too large is of no use, however it goes on
LARGEST_EXPONENT = 600.0  # nats: times any share, more than one


@final
@dataclass(frozen=True, eq=False)
class Shifted:
    """Cells with their shares of F(a)."""

    mixture: Mixture
    a: float
    shares: Floats
    off: Floats
    shifted: Floats
    plain: Floats
    at_cut: float
    beyond_cut: float

    @classmethod
    def of(cls, mixture: Mixture, a: float, base: float, ends: tuple[float, float]) -> Shifted:
        """Cells between two ends, the midpoint rule on each; `base` is log F(a)."""
        coarse = np.linspace(*ends, COARSE)
        logs, steep = mixture.log_density(coarse, a), mixture.steepness(coarse, a)
        seen = np.flatnonzero(logs > logs.max() - ACCURATE)
        start, stop = coarse[max(seen[0] - 1, 0)], coarse[min(seen[-1] + 1, COARSE - 1)]
        count = int(min((stop - start) * steep[seen].max() / STEP, MOST_CELLS)) + 1
        edges, width = np.linspace(start, stop, count + 1), (stop - start) / count
        logs = mixture.log_density((edges[1:] + edges[:-1]) / 2.0, a)
        steep = mixture.steepness(edges, a) * width
        steep = 2.0 * np.maximum(steep[1:], steep[:-1])
        bend = steep**2 + width**2 * (1.0 + abs(a) * mixture.mu**2 / 4.0)
        off = bend / 12.0 * np.exp(np.minimum(steep, USEFUL_EXPONENT))
        last = float(mixture.log_density(np.array(ends[1]), a)) - base
        at_cut = math.exp(min(last, USEFUL_EXPONENT))
        beyond = a * mixture.log_ratio(np.array(ends[1])) + log_ndtr(-ends[1]) - base
        beyond_cut = math.exp(min(float(beyond), USEFUL_EXPONENT))
        shares = np.exp(np.minimum(logs - base, USEFUL_EXPONENT)) * width
        return cls(mixture, a, shares, off, *mixture.shares(edges), at_cut, beyond_cut)

    def decay(self, t: float) -> float:
        """Some d with abs(F(a + i t')) <= e^-d F(a) for all t' >= t."""
        mu, middle = self.mixture.mu, (self.shifted[1:] + self.shifted[:-1]) / 2.0
        usual = t * mu * float((self.shares * middle).sum())
        most = math.pi / (2.0 * mu)
        shifts = np.minimum(np.concatenate([usual * USUAL, most * PARTS]), most)
        return max(self._moved(t, b) for b in np.unique(shifts).tolist())

    def _moved(self, t: float, b: float) -> float:
        """The decay with the line moved by b."""
        if b * b / 2.0 > USEFUL_EXPONENT:
            return 0.0
        angle, shifted, plain = self.mixture.mu * b, self.shifted, self.plain
        sine, cosine = math.sin(angle), math.cos(angle)
        bend = 2.0 * shifted * plain
        if self.a >= 0.0:
            bend = np.minimum(bend[1:], bend[:-1])
        else:
            across = (shifted[:-1] < 0.5) & (shifted[1:] > 0.5)
            bend = np.where(across, 0.5, np.maximum(bend[1:], bend[:-1]))
        size = self.a / 2.0 * np.log1p(-bend * 2.0 * math.sin(angle / 2.0) ** 2)
        turned = np.arctan2(shifted[:-1] * sine, plain[:-1] + shifted[:-1] * cosine)
        exponent = np.minimum(b * b / 2.0 + size - t * turned, LARGEST_EXPONENT)
        beyond = math.exp(min(b * b / 2.0 + self._outside(angle), LARGEST_EXPONENT))
        beyond *= OUTSIDE + self.at_cut * self._way_back(t, b)
        change = np.expm1(exponent)
        near = float((self.shares * (change + self.off * np.abs(change))).sum()) + beyond
        if near > -0.5:
            return max(-math.log1p(near), 0.0)
        turning = float((self.shares * (1.0 + self.off) * np.exp(exponent)).sum())
        return max(-math.log(turning + beyond + self.beyond_cut), 0.0)

    def _outside(self, angle: float) -> float:
        """log of how much larger abs(r)^a is where there are no cells than on the real axis."""
        if self.a >= 0.0:
            return 0.0
        low, high = float(self.shifted[0]), float(self.shifted[-1])
        bend = max(
            0.5 if low > 0.5 else 2.0 * low * float(self.plain[0]),
            0.5 if high < 0.5 else 2.0 * high * float(self.plain[-1]),
        )
        return self.a / 2.0 * math.log1p(-bend * 2.0 * math.sin(angle / 2.0) ** 2)

    def _way_back(self, t: float, b: float) -> float:
        """Integral over [0, b] of e^(-t arg r) at the cut: arg r is above a chord or a tangent."""
        angle, shifted, plain = self.mixture.mu * b, float(self.shifted[-1]), float(self.plain[-1])
        last = math.atan2(shifted * math.sin(angle), plain + shifted * math.cos(angle))
        turns = t * min(last, angle * shifted)
        return b * (-math.expm1(-turns) / turns) if turns > 1e-3 else b
