"""The product of moment generating functions: what composition makes of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.accountant.contour import TURN, Chernoff
from dprisk.accountant.loss_sum import Parts
from dprisk.accountant.mgf_nodes import ALL_ROUNDING, WORTH_FACTORS, factors, lattice_moments, suits
from dprisk.losses.atoms import MANY_POINTS, AtomicLoss
from dprisk.losses.base import ULP, Complexes, Lattice
from dprisk.losses.discrete_gaussian import DiscreteGaussianLoss
from dprisk.losses.exponential_sums import steps_of
from dprisk.losses.normal import NormalLoss
from dprisk.losses.subsampled_normal import SubsampledNormalLoss

ABSCISSAS_PER_OCTAVE = 4  # abscissas to an octave
OCTAVES = (-2, 18)  # around one over the standard deviation
LEAST_OCTAVE = -24  # how far to the left is looked, where large losses are rare
FEWEST_ABSCISSAS = 8  # abscissas
TAKING_OVER = np.arange(-16.0, 17.0)  # nats around where one large loss outweighs all others
STEEP = 2.0**13  # the largest power of the ratio of two densities
HEAVY = 0.5  # nats; a normal loss has 1/32
FRACTIONS = 12  # of the smallest spacing, tried as a common one
TERMS_PER_NODE = 4  # terms of a sum on a lattice that cost as much as a node of a transform
NODES_PER_POINT = 24.0  # that cost as much as a point that is on no lattice, at a few nodes
DEARER_PER_DEVIATION = 0.125  # how much dearer a point becomes along the line
# of r s (s + 1): five roundings of complex numbers
ROUNDINGS = 16 * ULP
MOST_TURNS = 2**29  # of points, one for each node: about half a second
MOST_LOSS = 1e300


@final
@dataclass(frozen=True, eq=False)
class ComposedMGF:
    """M(s) of a sum of independent losses, and bounds for it."""

    parts: Parts

    @cached_property
    def infinite(self) -> float:
        """Probability under P that some loss is infinite."""
        with np.errstate(divide="ignore"):
            logs = [count * np.log1p(-loss.infinite) for loss, count in self.parts]
        return float(-np.expm1(np.sum(logs))) + 0.0  # no -0

    @cached_property
    def support(self) -> tuple[float, float]:
        """Smallest and largest finite sum, rounded outwards."""
        (low, high), off = self._ends
        return low - off[0], high + off[1]

    @property
    def largest(self) -> float:
        """Largest finite sum, rounded downwards."""
        (_, high), (_, off) = self._ends
        return high if np.isinf(high) else high - off

    @property
    def _ends(self) -> tuple[list[float], list[float]]:
        """Smallest and largest finite sum, and how far each is off."""
        # a product and a sum for each part: one rounding each
        blur, found, off = 4 * ULP * len(self.parts), [], []
        for i in (0, 1):
            ends = [(count, loss.support[i]) for loss, count in self.parts]
            found.append(sum(count * end for count, end in ends))
            off.append(blur * sum(count * abs(end) for count, end in ends))
        return found, off

    @cached_property
    def lattice(self) -> Lattice | None:
        """The common lattice of all sums, where there is one."""
        found = [(loss.lattice, count) for loss, count in self.parts]
        lattices = [lattice for lattice, _ in found if lattice is not None]
        if len(lattices) < len(found):
            return None
        spacing = _common(np.array([lattice.spacing for lattice in lattices]))
        if spacing is None or self._is_too_fine(spacing):
            return None
        origin = sum(
            lattice.origin * count for lattice, (_, count) in zip(lattices, found, strict=True)
        )
        return Lattice(float(origin), spacing)

    def _is_too_fine(self, spacing: float) -> bool:
        """Whether a circle has too many nodes for losses of many points that no transform suits."""
        points = [(loss, n) for loss, n in self.parts if isinstance(loss, AtomicLoss)]
        turned = [
            len(loss.losses)
            for loss, _ in points
            if (own := _multiples_of(loss)) and math.fmod(own, spacing) != 0.0
        ]
        width = sum(n * (loss.support[1] - loss.support[0]) for loss, n in points)
        return sum(turned) * width > MOST_TURNS * spacing

    def log(self, s: Complexes) -> Complexes:
        """log M(s)."""
        rate, rest = self._split(s)
        total = rate * (s * (s + 1.0))
        for loss, count in rest:
            total = total + count * loss.log_moment(s)
        return np.asarray(total, dtype=np.complex128)

    def _split(self, s: Complexes) -> tuple[float, Parts]:
        """The sum of r over parts whose log M is r s (s + 1) at all these s; the other parts."""
        rates, until = self._normal
        near = until >= float(np.abs(s.imag).max(initial=0.0))
        rest = tuple(part for part, out in zip(self.parts, ~near, strict=True) if out)
        return float(rates[near].sum()), rest

    @cached_property
    def _normal(self) -> tuple[Floats, Floats]:
        """For each part its r, and how far from the real axis it is normal up to e^-60."""
        rates, until = np.zeros(len(self.parts)), np.full(len(self.parts), -1.0)
        for i, (loss, count) in enumerate(self.parts):
            if isinstance(loss, NormalLoss):
                rates[i], until[i] = count * loss.mu * loss.mu / 2.0, np.inf
            elif isinstance(loss, DiscreteGaussianLoss):
                rates[i] = count * loss.rate
                spare = 2.0 * (np.pi * loss.sigma) ** 2 - 60.0 - np.log(float(count))
                until[i] = spare / (2.0 * np.pi * loss.sensitivity)
        return rates, until

    def real(self, theta: Floats) -> Floats:
        """log M at real arguments."""
        return np.asarray(self.log(theta.astype(complex)).real)

    @property
    def ends(self) -> Floats:
        """log M at 0, -1/2 and -1."""
        return self._left[1][:3]

    @cached_property
    def unit(self) -> float:
        """One over the standard deviation, as the affinity of P and Q shows it."""
        variance = 8.0 * float((self.ends[0] + self.ends[2]) / 2.0 - self.ends[1])
        variance = max(variance, 2.0 * float(self._normal[0].sum()))  # which cannot cancel
        return float(1.0 / np.sqrt(variance)) if variance > 0 else float("inf")

    @cached_property
    def _on_axis(self) -> tuple[Floats, Floats, Floats]:
        """Abscissas to choose from, log M there, and how far it may be off."""
        theta = self._abscissas(OCTAVES[0])
        if not np.isfinite(self.unit):
            return theta, *self._measured(theta)
        total, blur = self._measured(theta)
        start, half = self.ends[:2]
        rise = float(total[0] - start)
        if rise - theta[0] * 2.0 * (start - half) < HEAVY:  # the mean is no less than that
            return theta, total, blur
        small = 1e-9 * self.unit
        mean = float(self.log(np.array([1j * small])).imag[0]) / small
        if rise - theta[0] * mean < HEAVY:
            return theta, total, blur
        octaves = np.arange(OCTAVES[0], LEAST_OCTAVE, -2)
        further = self.unit * 2.0 ** octaves.astype(float)
        light = np.flatnonzero(self.real(further) - start - further * mean < HEAVY)
        theta = self._abscissas(int(octaves[light[0] if len(light) else -1]))
        return theta, *self._measured(theta)

    def _abscissas(self, first: int) -> Floats:
        exponents = (
            np.arange(first * ABSCISSAS_PER_OCTAVE, OCTAVES[1] * ABSCISSAS_PER_OCTAVE + 1)
            / ABSCISSAS_PER_OCTAVE
        )
        unit = self.unit if np.isfinite(self.unit) else 1.0  # any will do for what is constant
        found = np.asarray(unit * 2.0**exponents)
        return found if not self._cut else self._with_cut(found)

    @cached_property
    def _cut(self) -> list[tuple[SubsampledNormalLoss, int]]:
        return [(part, n) for part, n in self.parts if isinstance(part, SubsampledNormalLoss)]

    def _with_cut(self, theta: Floats) -> Floats:
        """Without those that are too steep, and with more where single losses take over."""
        most = max(part.largest for part, _ in self._cut)
        found = [theta[: max(FEWEST_ABSCISSAS, int((theta * most < STEEP).sum()))]]
        for part, count in self._cut:
            if part.infinite > 0.0:
                middle = -(np.log(part.infinite) + np.log(float(count)))
                found.append((middle + TAKING_OVER) / part.largest)
        together = np.unique(np.concatenate(found))
        return np.asarray(together[(together >= theta[0]) & (together <= found[0][-1])])

    def _measured(self, theta: Floats) -> tuple[Floats, Floats]:
        """log M, and how far it may be off."""
        s = theta.astype(complex)
        rate, rest = self._split(s)
        total = rate * (theta * (theta + 1.0)) if rate else np.zeros_like(theta)
        blur = 1e-12 + ROUNDINGS * np.abs(total)
        for loss, count in rest:
            value, off = loss.measured(s)
            total += count * value.real
            blur += count * off + ULP * np.abs(total)  # each sum is rounded
        return total, blur

    @property
    def theta(self) -> Floats:
        """Abscissas to choose from."""
        return self._on_axis[0]

    @property
    def at_theta(self) -> Floats:
        """log M there."""
        return self._on_axis[1]

    @cached_property
    def above(self) -> Floats:
        """log M there, rounded upwards."""
        return np.asarray(self._on_axis[1] + self._on_axis[2])

    @cached_property
    def profile(self) -> Chernoff:
        """For delta: with the largest value of (1 - e^-u) e^(-theta u)."""
        theta = self.theta
        near = np.minimum(theta, 1e6)  # beyond, two large numbers cancel
        entropy = near * np.log(near) - (1.0 + near) * np.log1p(near)
        return self._chernoff(np.where(theta < 1e6, entropy, -np.log(theta)))

    @cached_property
    def tails(self) -> Chernoff:
        """For P[Z > x], and for e^x Q[Z > x], which is no larger."""
        return self._chernoff(np.zeros_like(self.theta))

    def _chernoff(self, constant: Floats) -> Chernoff:
        return Chernoff(
            np.concatenate([[0.0], self.theta]), np.concatenate([[0.0], self.above + constant])
        )

    def complement(self, x: Floats) -> Floats:
        """At most E[min(1, e^(x - Z))] over finite Z, by Chernoff on the other side."""
        theta, logs, blur = self._left
        exponent = (logs + blur)[:, None] - theta[:, None] * np.minimum(x, MOST_LOSS)
        # a product and a difference: two roundings, half an ulp each
        moved = 2 * ULP * np.abs(theta).max() * np.minimum(x, MOST_LOSS)
        return np.asarray(np.exp(np.minimum(exponent.min(axis=0) + moved, 0.0)))

    @property
    def least_finite(self) -> float:
        """Probability of a finite Z, rounded downwards."""
        _, logs, blur = self._left
        return float(np.exp(np.minimum(logs[0] - blur[0], 0.0)) * (1.0 - 2 * ULP))

    @cached_property
    def _left(self) -> tuple[Floats, Floats, Floats]:
        """Abscissas from 0 down to -1, log M there, and how far it may be off."""
        theta = -np.array([0.0, 0.5, 1.0, 0.25, 0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5])
        return theta, *self._measured(theta)

    def curvature(self, index: int) -> float:
        """Second derivative of log M at an abscissa, roughly."""
        i = min(max(index, 1), len(self.theta) - 2)
        near = slice(i - 1, i + 2)
        slopes = np.diff(self.at_theta[near]) / np.diff(self.theta[near])
        second = 2.0 * float(np.diff(slopes)[0] / (self.theta[i + 1] - self.theta[i - 1]))
        return max(second, 1e-12 / self.unit**2)

    def sampled(
        self, s: Complexes, scale: float, nodes: int = 0, smoothing: float = 0.0
    ) -> tuple[Complexes, Floats]:
        """M(s) / e^scale and its relative error, at nodes that may go round a lattice."""
        rate, rest = self._split(s)
        exponent = (rate + smoothing / 2.0) * (s * (s + 1.0)) - scale
        size = np.abs(s)
        # a difference, and two roundings of the exponential
        error = 4 * ULP * (abs(scale) + 1.0) + ROUNDINGS * (rate + smoothing) * size * (size + 1.0)
        turning = [part for part in rest if suits(*part)] if len(s) >= WORTH_FACTORS else []
        for loss, count in rest:
            if (loss, count) in turning:
                continue
            if isinstance(loss, AtomicLoss) and self._suits_transform(loss, s, nodes):
                value, off = _by_transform(loss, s, nodes, self.spacing)
            else:
                value, off = loss.measured(s)
            exponent += count * value
            # a product and a sum of complex numbers: a rounding each, in either part
            error += count * (off + 4 * ULP * np.abs(value)) + ULP * np.abs(exponent)
        if not turning:
            return np.exp(exponent), np.expm1(np.minimum(error, 600.0))
        several = factors(turning, s, steps_of(s.imag))
        error += several.error
        size = np.exp(exponent + several.log_scale)
        return size * several.value, np.expm1(np.minimum(error, 600.0))

    @property
    def transformed(self) -> bool:
        """Whether a part is sampled by a transform, which takes all nodes of a circle."""
        return any(isinstance(p, AtomicLoss) and self._is_whole(p) for p, _ in self.parts)

    def _suits_transform(self, loss: AtomicLoss, s: Complexes, nodes: int) -> bool:
        """Whether so many nodes of a circle are found fastest all at once."""
        if not nodes or not self._is_whole(loss):
            return False
        if loss.is_dense:
            return len(s) * len(loss.losses) > TERMS_PER_NODE * nodes
        spread = float(np.sqrt((loss.masses * loss.losses**2).sum()))
        turns = 1.0 + DEARER_PER_DEVIATION * spread * float(np.abs(s.imag).max())
        return NODES_PER_POINT * len(loss.losses) * turns > nodes

    def _is_whole(self, loss: AtomicLoss) -> bool:
        """Whether it has many points, all of them whole multiples of the spacing."""
        own = _multiples_of(loss)
        return bool(self.spacing and own and math.fmod(own, self.spacing) == 0.0)

    @cached_property
    def spacing(self) -> float:
        """Spacing of the common lattice; if there is none, of losses with many points; else 0."""
        if self.lattice is not None:
            return self.lattice.spacing
        points = [loss for loss, _ in self.parts if isinstance(loss, AtomicLoss)]
        many = [spacing for loss in points if (spacing := _multiples_of(loss))]
        if many and all(math.fmod(each, min(many)) == 0.0 for each in many):
            return min(many)
        most = max(points, key=lambda a: len(a.losses), default=None)
        return _multiples_of(most) if most is not None else 0.0


def _multiples_of(loss: AtomicLoss) -> float:
    """The spacing of which all losses are whole multiples, if they are many; else 0."""
    if loss.lattice is None or len(loss.losses) <= MANY_POINTS:
        return 0.0
    shift = loss.lattice.origin / loss.lattice.spacing
    return loss.lattice.spacing if abs(shift - np.rint(shift)) < 1e-9 else 0.0


def _by_transform(
    loss: AtomicLoss, s: Complexes, nodes: int, spacing: float
) -> tuple[Complexes, Floats]:
    """log M at nodes of a line that go round the lattice, and how far it is off."""
    found = lattice_moments(loss, float(s[0].real), nodes, spacing)
    place = np.rint(s.imag * (nodes * spacing / TURN)).astype(np.intp) % nodes
    above = 2 * place > nodes
    ratios = found.ratios[np.where(above, nodes - place, place)]
    ratios = np.where(above, ratios.conj(), ratios)
    size, least = np.abs(ratios), np.maximum(2.0 * found.error, 1e-300)
    lost = size < least  # then the truth is less than 3 errors, so within 2.5 times `least` of it
    ratios = np.where(lost, least, ratios)
    off = np.where(lost, ALL_ROUNDING, least / np.maximum(size, least))
    return np.asarray(np.log(ratios) + found.log_scale), np.asarray(off, dtype=float)


def _common(spacing: Floats) -> float | None:
    """The largest number of which all these are whole multiples, if it is not too small."""
    least = float(spacing.min())
    for part in range(1, FRACTIONS + 1):
        ratio = spacing / (least / part)
        # a whole number, but for two roundings
        if np.all(np.abs(ratio - np.rint(ratio)) <= 2 * ULP * ratio):
            return least / part
    return None
