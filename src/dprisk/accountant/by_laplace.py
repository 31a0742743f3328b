"""One Laplace mechanism a moderate number of times: the atoms of its loss are still there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, final

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk._numeric.rounding import SMALLEST
from dprisk.accountant.abscissas import MOST_NODES
from dprisk.accountant.base import ComposedLoss, Parts
from dprisk.accountant.binomial_profile import RepeatedResponse
from dprisk.accountant.bracket import Bracket
from dprisk.accountant.by_binomial import ByBinomial
from dprisk.accountant.by_contour import ByContour
from dprisk.accountant.from_profile import inverse, nearby_slope, tail_by_chords
from dprisk.accountant.mgf import ComposedMGF
from dprisk.accountant.randomized_response import Responses, checked
from dprisk.accountant.snapped_to_lattice import SnappedToLattice
from dprisk.losses.base import ULP, Complexes, Lattice, Loss
from dprisk.losses.laplace import LaplaceLoss
from dprisk.losses.response import ResponseLoss
from dprisk.theorems import CONTOUR, Theorem

ALIVE = 40.0  # nats below 1 at which the atoms have become negligible
NODES_FOR_MANY = 2**14  # where many questions are asked
FEW_ATOMS = 2**7  # as many are worth the closed forms in any case
FAINT_LOSSES = 1e-25  # nats: of all losses together, far less than a rounding
TERMS = 24  # of the binomial series: the rest is below 2^-24 / 24!


@final
@dataclass(frozen=True)
class SeveralDraws(Loss):
    """The part of k Laplace losses in which at least two are drawn from the density."""

    ratio: float
    count: int

    @property
    def infinite(self) -> float:
        """None of it."""
        return 0.0

    @property
    def support(self) -> tuple[float, float]:
        """All draws at the same end."""
        most = self.ratio * self.count
        return -most, most

    @property
    def lattice(self) -> Lattice | None:
        """None: it has a density."""
        return None

    def log_moment(self, s: Complexes) -> Complexes:
        """k log A + log((1 + C / A)^k - 1 - k C / A)."""
        return self._log_atoms(s) + np.log(self._several(self._share(s)))

    def measured(self, s: Complexes) -> tuple[Complexes, Floats]:
        """Of k log A, and of the difference."""
        share = self._share(s)
        logs = np.abs(s + 0.5) * self.ratio + self.ratio + 1.0
        several = np.abs(self._several(share))
        size = np.exp(np.minimum(self.count * np.log1p(share).real, 700.0))
        near = self.count * np.abs(share) < 0.5
        lost = np.where(near, several, size + 1.0 + self.count * np.abs(share))
        # log A by its terms, count times, and a logarithm of what cancels: eight roundings, twice
        off = 16 * ULP * (self.count * logs + lost / np.maximum(several, 1e-300))
        return self.log_moment(s), off

    def decay(self, theta: float, start: float, stop: float) -> float:
        """abs(A) and t abs(C) are at most what they are at t = 0, but for a factor."""
        at = np.array([theta + 0j])
        own = float((self.log_moment(at) - self._log_atoms(at)).real[0])
        most = np.log(self._several(np.array([0.5 / start + 0j])).real[0])
        return max(0.0, own - float(most) - 1e-9)

    def reverse(self) -> Loss:
        """Itself: the Laplace loss is its own reverse."""
        return self

    def _log_atoms(self, s: Complexes) -> Complexes:
        """k log A, A = e^(-c/2) cosh(u c)."""
        z = (s + 0.5) * self.ratio
        small = np.abs(z) < 0.5
        with np.errstate(over="ignore", invalid="ignore"):
            near = np.log1p(2.0 * np.sinh(np.where(small, z, 0.0) / 2.0) ** 2)
        far = np.where(small, 0.0, np.where(z.real < 0.0, -z, z))  # cosh is even
        rest = far - np.log(2.0) + np.log1p(np.exp(-2.0 * far))
        return np.asarray(self.count * (np.where(small, near, rest) - self.ratio / 2.0))

    def _share(self, s: Complexes) -> Complexes:
        """C / A = tanh(u c) / (2 u)."""
        u = np.where(s == -0.5, 1e-9, s + 0.5)
        return np.asarray(np.tanh(u * self.ratio) / (2.0 * u))

    def _several(self, share: Complexes) -> Complexes:
        """(1 + r)^k - 1 - k r."""
        k = self.count
        small = k * np.abs(share) < 0.5
        r = np.where(small, share, 0.0)
        term = k * (k - 1.0) / 2.0 * r * r
        series = term.copy()
        for j in range(3, min(k, TERMS) + 1):
            term = term * r * (k - j + 1.0) / j
            series += term
        whole = np.expm1(k * np.log1p(np.where(small, 0.0, share))) - k * share
        return np.asarray(np.where(small, series, whole))


@final
@dataclass(frozen=True, eq=False)
class ByLaplace(ComposedLoss):
    """`count` times the same Laplace loss, atoms first."""

    theorem: ClassVar[Theorem] = CONTOUR

    loss: LaplaceLoss
    count: int
    accuracy: float
    nodes: int = MOST_NODES

    @property
    def infinite(self) -> float:
        """No output is impossible."""
        return 0.0

    @property
    def support(self) -> tuple[float, float]:
        """All at the same atom."""
        # one rounding, of a product
        most = self.loss.ratio * self.count * (1.0 + 4 * ULP)
        return -most, most

    def delta(self, x: Floats) -> Bracket:
        """None, one and several draws from the density; the atoms may lie a little off."""
        # a place of an atom: a product and a sum are rounded
        off = 4 * ULP * self.support[1]
        low = self._delta(x + off).lower
        high = self._delta(np.maximum(x - off, 0.0)).upper + np.maximum(off - x, 0.0)
        inside = x < self.support[1]
        return Bracket(np.where(inside, low, 0.0), np.where(inside, np.minimum(high, 1.0), 0.0))

    def _delta(self, x: Floats) -> Bracket:
        low, high = np.zeros_like(x), np.zeros_like(x)
        for part in (self._none, self._one, self._several.delta if self.count > 1 else None):
            if part is not None:
                found = part(x)
                low, high = low + found.lower, high + found.upper
        # two sums: two roundings, of what was rounded outwards
        return Bracket(low * (1.0 - 4 * ULP), high * (1.0 + 4 * ULP))

    def slope(self, x: Floats) -> Floats:
        """From delta nearby."""
        return nearby_slope(self, x)

    def epsilon(self, delta: Floats) -> Bracket:
        """By search."""
        return inverse(self, delta)

    def tail(self, x: Floats, other: bool = False) -> Bracket:
        """From the slope of delta."""
        away = np.full_like(x, 1e-6 * self.mean_sd_range()[1])
        return tail_by_chords(self._at_any, x, away, other)

    def _at_any(self, x: Floats) -> Bracket:
        """delta at negative x as well, by the reverse pair, which is the same."""
        there = self.delta(np.abs(x))
        down, rest = np.exp(np.minimum(x, 0.0)), -np.expm1(np.minimum(x, 0.0))
        low, high = rest + down * there.lower, rest + down * there.upper
        # six roundings: two of expm1, two of exp, a product and a sum
        return Bracket(low * (1.0 - 8 * ULP), high * (1.0 + 8 * ULP))

    def kinks(self, most: int) -> Floats | None:
        """Not all are known."""
        return None

    def cheap(self) -> ComposedLoss:
        """With fewer nodes for the part that goes by lines."""
        return self if self.nodes == NODES_FOR_MANY else self._cheap

    @cached_property
    def _cheap(self) -> ByLaplace:
        return replace(self, nodes=NODES_FOR_MANY)

    def mean_sd_range(self) -> tuple[float, float, float]:
        """Of k losses between two bounds."""
        c = self.loss.ratio
        mean = c + np.expm1(-c) if c > 1e-4 else c * c / 2.0 - c**3 / 6.0
        spread = float(np.sqrt(self.count) * min(c, 2.0 + 0.0 * c))
        return float(self.count * mean), spread, self.support[1]

    @cached_property
    def _log_kept(self) -> float:
        """log of the probability of an atom: (1 + e^-c) / 2."""
        return float(np.log1p(np.expm1(-self.loss.ratio) / 2.0))

    @cached_property
    def _several(self) -> ByContour:
        several = SeveralDraws(self.loss.ratio, self.count)
        whole = ComposedMGF(((self.loss, self.count),))
        return ByContour(((several, 1),), self.accuracy, whole, self.nodes)

    def _none(self, x: Floats) -> Bracket:
        """All are atoms: randomized response, with less than all of the probability."""
        found = RepeatedResponse(self.count, self.loss.ratio).delta(x)
        return _scaled(found, self.count * self._log_kept)

    def _one(self, x: Floats) -> Bracket:
        """One is not: the window of its density meets at most one atom y of the others."""
        c, others = self.loss.ratio, self.count - 1
        wrong = np.clip(np.round((others - x / c) / 2.0), 0, others)
        y = (others - 2.0 * wrong) * c
        inside = -np.expm1(np.minimum(x - y - c, 0.0) / 2.0)
        outside = -np.expm1(np.minimum(x - y, 0.0))
        partly = np.where(x - y <= -c, -np.expm1(-c) * outside, inside**2) / 2.0
        weight = np.ones_like(x)
        low, high = np.zeros_like(x), np.zeros_like(x)
        if others:
            logs = [RepeatedResponse(others, c).log_atom(int(one)) for one in wrong]
            weight = np.exp(np.array(logs))
            beyond = RepeatedResponse(others, c).tails(y + c).p
            further = RepeatedResponse(others, c).delta(np.maximum(x + c, 0.0))
            whole = -np.expm1(-c)
            low, high = (
                whole / 2.0 * (np.exp(-c) * some + whole * tail)
                for some, tail in zip(further, beyond, strict=True)
            )
        # logarithms up to c count, five of them, and products: roundings
        blur = 64 * ULP * (1.0 + c * self.count)
        # a place: two products and two sums are rounded
        edge = weight * (8 * ULP * (np.abs(x) + np.abs(y)))
        low = low + weight * partly * (1.0 - blur) - edge
        high = high + weight * partly * (1.0 + blur) + edge
        some = Bracket(np.maximum(low, 0.0) * self.count, high * self.count)
        return _scaled(some, others * self._log_kept)


def as_laplace(
    parts: Parts, accuracy: float, nodes: int = MOST_NODES
) -> ByLaplace | SnappedToLattice | None:
    """One Laplace loss, if that is all there is and its atoms are not negligible."""
    loss, count = parts[0]
    if len(parts) != 1 or not isinstance(loss, LaplaceLoss):
        return None
    if 0.0 < count * loss.ratio < FAINT_LOSSES:
        response = ResponseLoss(loss.ratio)
        coins = ByBinomial(response, count, Responses(*checked(count, loss.ratio, 0.0)))
        # a value of the sum: a product and a difference are rounded
        return SnappedToLattice(coins, 4 * ULP * count * loss.ratio + SMALLEST)
    alive = count * np.log1p(loss.ratio / 2.0)
    if loss.ratio <= 0.0 or alive > 10.0 * ALIVE or (count > FEW_ATOMS and alive > ALIVE):
        return None
    return ByLaplace(loss, count, accuracy, nodes)


def _scaled(found: Bracket, exponent: float) -> Bracket:
    # one rounding of the exponent, two of the exponential, one product
    scale, blur = np.exp(exponent), 4 * ULP * (2.0 + abs(exponent))
    return Bracket(found.lower * scale * (1.0 - blur), found.upper * scale * (1.0 + blur))
