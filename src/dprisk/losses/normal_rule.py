"""Quadrature for means of powers of r = 1 + q (e^(mu x - mu^2 / 2) - 1), x standard normal.

Where abs(Im x) <= pi / (2 mu), at u + i v with the odds o = q e^(mu u - mu^2 / 2) / (1 - q) and the
angle b = mu v,

    abs(r)^2 = r(u)^2 (1 - 2 o (1 - cos b) / (1 + o)^2),   arg r = atan2(o sin b, 1 + o cos b),

so that abs(r^(a + i t)) on an ellipse around a panel is bounded by its values at the ends.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk._numeric.normal import ndtr
from dprisk.losses.base import ULP, Complexes
from dprisk.losses.near_one import log_one_plus
from dprisk.losses.panels import Ellipses, nodes
from dprisk.losses.swings import swings

__all__ = ["ACCURATE", "Bounds", "Mixture", "Rule"]

ACCURATE = 62.0  # nats below the mean: the error of a rule on one panel
NEAR = 300.0  # nats: powers up to there need no scale
SPLIT_OFF = 1e-11  # relative error of what is split off
STEEPEST = 10.0  # the slope, at least, of the logarithm of a density at the ends
SMALL = 0.05  # of a w, for a series
TERMS = 14  # of it
FAR = 700.0  # nats: exp of it is still finite
ROOT = math.log(2.0 * math.pi) / 2.0


@final
@dataclass(frozen=True)
class Mixture:
    """The ratio r of two densities as a function of x.

    Parameters
    ----------
    mu : float
        (0, inf)
    rate : float
        q. (0, 1)
    """

    mu: float
    rate: float

    def away(self, x: Floats) -> Floats:
        """w = r - 1."""
        return np.asarray(self.rate * np.expm1(self.mu * x - self.mu**2 / 2.0))

    def log(self, x: Floats) -> Floats:
        """log r, however large."""
        exponent = self.mu * x - self.mu**2 / 2.0
        near = np.log1p(self.rate * np.expm1(np.minimum(exponent, FAR)))
        far = np.logaddexp(math.log1p(-self.rate), math.log(self.rate) + exponent)
        return np.asarray(np.where(exponent < FAR, near, far))

    def odds(self, x: Floats) -> Floats:
        """That x comes from the shifted normal."""
        shift = math.log(self.rate) - math.log1p(-self.rate) - self.mu**2 / 2.0
        return np.asarray(np.exp(np.minimum(shift + self.mu * x, 700.0)))

    def log_density(self, x: Floats, a: float) -> Floats:
        """log of r^a times the normal density."""
        return np.asarray(a * self.log(x) - x * x / 2.0 - ROOT)

    def steepness(self, x: Floats, a: float) -> Floats:
        """At most the absolute slope of that."""
        odds = self.odds(x)
        return np.asarray(np.abs(x) + abs(a) * self.mu * odds / (1.0 + odds))

    def peak(self, a: float) -> float:
        """Further out than all peaks of it."""
        if a >= 0.0:
            return a * self.mu
        low, high = a * self.mu, 0.0
        shift = math.log(self.rate) - math.log1p(-self.rate) - self.mu**2 / 2.0
        for _ in range(60):  # x = a mu times the share of the shifted normal, which grows with x
            middle = (low + high) / 2.0
            if a * self.mu / (1.0 + math.exp(min(-shift - self.mu * middle, 700.0))) > middle:
                low = middle
            else:
                high = middle
        return low


@final
@dataclass(frozen=True, eq=False)
class Bounds:
    """How large r^(a + i t), abs(t) <= turn, can be on ellipses around panels: logarithms.

    Parameters
    ----------
    edges : ndarray of float
        Of the panels.
    turn : float
        [0, inf)
    ellipses : Ellipses
        Around them.
    top, bottom : ndarray of float
        Of r, at most and at least.
    turned : ndarray of float
        turn times arg r, at most.
    density : ndarray of float
        Of the normal density.
    """

    edges: Floats
    turn: float
    ellipses: Ellipses
    top: Floats
    bottom: Floats
    turned: Floats
    density: Floats

    @classmethod
    def of(cls, mixture: Mixture, edges: Floats, turn: float) -> Bounds:
        """For panels between these edges."""
        ellipses = Ellipses.of(edges, math.pi / (2.0 * mixture.mu))
        left, right, angle = ellipses.left, ellipses.right, mixture.mu * ellipses.across
        top, bottom = mixture.log(right), mixture.log(left)
        low, high = mixture.odds(left), mixture.odds(right)
        turned = np.arctan2(high * np.sin(angle), 1.0 + high * np.cos(angle))
        bend = 2.0 * np.maximum(low / (1.0 + low) / (1.0 + low), high / (1.0 + high) / (1.0 + high))
        bend = np.where((low < 1.0) & (high > 1.0), 0.5, bend)
        bottom += 0.5 * np.log1p(-bend * (1.0 - np.cos(angle)))
        near = np.where(left * right > 0.0, np.minimum(np.abs(left), np.abs(right)), 0.0)
        density = (ellipses.across**2 - near**2) / 2.0
        return cls(edges, turn, ellipses, top, bottom, turn * turned, density)

    def of_power(self, a: float) -> Floats:
        """log of the error of the rule on each panel, for r^(a + i t) - 1 - (a + i t) w."""
        size = a * (self.top if a >= 0.0 else self.bottom) + self.turned
        plain = math.log(1.0 + 2.0 * (abs(a) + self.turn)) + np.maximum(self.top, 0.0)
        return self.ellipses.error(np.maximum(size, plain) + self.density + math.log(2.0))


@final
@dataclass(frozen=True, eq=False)
class Rule:
    """Nodes for means of powers of min(r, largest r).

    Parameters
    ----------
    mixture : Mixture
        What r is.
    bounds : Bounds
        Of what is left out.
    last, split : float
        x at the largest r, and 1 - E[min(r, largest r)].
    w, z : ndarray of float
        r - 1 and log r at the nodes; the last stands for all x beyond.
    weights : ndarray of float
        Probabilities.
    shaky : ndarray of float
        At most how many ULP w is off.
    """

    mixture: Mixture
    bounds: Bounds
    last: float
    split: float
    w: Floats
    z: Floats
    weights: Floats
    shaky: Floats

    @classmethod
    def of(cls, mixture: Mixture, bounds: Bounds, last: float, split: float) -> Rule:
        """Gauss-Legendre nodes on the panels."""
        x, weights = nodes(bounds.edges)
        weights = np.append(weights * np.exp(-x * x / 2.0 - ROOT), float(ndtr(-last)))
        x = np.append(x, last)
        w = mixture.away(x)
        moved = 4.0 * (mixture.mu * np.abs(x) + mixture.mu**2)
        shaky = 2.0 * np.abs(w) + (w + mixture.rate) * moved
        return cls(mixture, bounds, last, split, w, np.log1p(w), weights, shaky)

    def mean(self, a: float) -> tuple[float, float]:
        """log F(a), and how far it is off."""
        left, exponent = self._left_out(a), a * self.z
        most, roundings = float(exponent.max()), 16.0 + len(self.z) / 64.0
        if most < NEAR:
            away, size = self._away(a)
            total = float((self.weights * away).sum()) - a * self.split
            steep = np.abs(a * np.expm1((a - 1.0) * self.z)) * self.shaky
            off = ULP * float((self.weights * (roundings * size + steep)).sum())
            off += SPLIT_OFF * abs(a) * self.split + math.exp(left)
            if total > -0.5 and off < 0.25:
                value = math.log1p(total)
                return value, 2.0 * off / (1.0 + total) + 4.0 * ULP * abs(value)
        with np.errstate(divide="ignore"):
            logs = np.log(self.weights) + exponent
        largest = float(logs.max())
        value = largest + math.log(float(np.exp(logs - largest).sum()))
        moved = float((self.shaky * np.exp(-self.z)).max())
        off = ULP * (roundings + 4.0 * (abs(most) + abs(value) + 800.0) + abs(a) * moved)
        return value, off + math.log1p(math.exp(min(left - value, 600.0)))

    def _away(self, a: float) -> tuple[Floats, Floats]:
        """r^a - 1 - a w, by its binomial series where that is small; and what its parts add to."""
        exponent = a * self.z
        away = np.expm1(exponent) - a * self.w
        size = np.exp(exponent) * np.abs(exponent) + np.abs(a * self.w)
        small = np.abs(self.w) * (1.0 + abs(a)) < SMALL
        x, series = self.w[small], np.zeros(int(small.sum()))
        for k in range(TERMS, 1, -1):
            series = (1.0 + series) * x * ((a - k) / (k + 1.0))
        away[small] = a * (a - 1.0) / 2.0 * x * x * (1.0 + series)
        size[small] = np.abs(away[small])
        return away, size

    def line(self, a: float, t: Floats) -> tuple[Complexes, Floats]:
        """log F(a + i t), and how far it is off."""
        base, off = self.mean(a)
        shares = self.weights * np.exp(np.minimum(a * self.z - base, NEAR))  # add up to one
        moved = swings(shares, self.z, t)
        away, grown = shares * np.abs(self.z), 1.0 + np.abs(a * self.z)
        roundings = 16.0 + len(shares) / 64.0
        steady = ((roundings + grown) * away + self.shaky * np.exp(-self.z) * shares * grown).sum()
        lost = ULP * np.abs(t) * float(steady)
        lost += math.exp(min(self._left_out(a) - base, 600.0))
        lost += math.expm1(min(off, 600.0))  # of F(a), to which all of the difference is added
        whole = np.maximum(np.abs(1.0 + moved), 1e-300)
        near = np.abs(moved) < 0.5
        value = np.log(np.where(whole > 1e-300, 1.0 + moved, 1e-300))
        value = np.where(near, log_one_plus(np.where(near, moved, 0.0)), value)
        error = np.log1p(lost / whole) + 4.0 * ULP * (np.abs(value) + abs(base))
        return np.asarray(base + value, dtype=np.complex128), error

    def _left_out(self, a: float) -> float:
        """log of what the rule and its ends leave out, at most."""
        edges, turn = self.bounds.edges, self.bounds.turn
        found = [self.bounds.of_power(a)]
        ends = edges[[0, -1]] if edges[-1] < self.last else edges[:1]
        plain = math.log(1.0 + 2.0 * (abs(a) + turn)) - ends**2 / 2.0
        plain += np.maximum(np.log1p(self.mixture.away(ends)), 0.0)
        found.append(np.logaddexp(plain, self.mixture.log_density(ends, a)) - math.log(STEEPEST))
        return float(np.logaddexp.reduce(np.concatenate(found)))
