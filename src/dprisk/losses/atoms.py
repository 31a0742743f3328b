"""A loss with finitely many values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final
from zlib import crc32

import numpy as np
import numpy.typing as npt

from dprisk._checks import PROBABILITY, REAL, fixed, numbers, scalar
from dprisk._numeric.logspace import Floats, log
from dprisk.errors import InvalidInput
from dprisk.losses.base import ULP, Complexes, Lattice, Loss
from dprisk.losses.exponential_sums import Turned, turned, turned_steps
from dprisk.losses.log_moments import MomentSeries, Weighted, log_sums, tilted
from dprisk.losses.mgf_decay import STEP, MGFDecay, Steps

Whole = npt.NDArray[np.intp]

DENSE = 3  # steps of the lattice to a point
MANY_POINTS = 2**8  # points
ADDS_UP = 1e-6  # how far off one probabilities may add up to


@final
@dataclass(frozen=True, eq=False, repr=False)
class AtomicLoss(Loss):
    """Finitely many losses l with their probabilities p under P and q = p e^-l under Q.

    Losses increase, and no two are the same. The origin of their lattice, `on`, is the smallest.
    """

    losses: Floats
    masses: Floats
    reverse_masses: Floats
    infinite: float = 0.0
    reverse_infinite: float = 0.0
    on: Lattice | None = None

    @classmethod
    def of(
        cls,
        losses: npt.ArrayLike,
        masses: npt.ArrayLike,
        infinite: float = 0.0,
        lattice: Lattice | None = None,
        reverse_infinite: float = 0.0,
        reverse_masses: npt.ArrayLike | None = None,
    ) -> AtomicLoss:
        """Sorted, equal losses together, none without probability.

        All the probabilities under P, with `infinite`, add up to 1, and so do those under Q with
        `reverse_infinite`.
        """
        value = numbers("losses", losses, REAL).ravel()
        p = _one_each("masses", masses, value)
        q = tilted(p, -value)
        if reverse_masses is not None:
            q = _one_each("reverse_masses", reverse_masses, value)
        _must_add_up("masses", p, "infinite", infinite)
        _must_add_up("reverse_masses", q, "reverse_infinite", reverse_infinite)
        return cls.part(value, p, infinite, lattice, reverse_infinite, q)

    @classmethod
    def part(
        cls,
        losses: npt.ArrayLike,
        masses: npt.ArrayLike,
        infinite: float = 0.0,
        lattice: Lattice | None = None,
        reverse_infinite: float = 0.0,
        reverse_masses: npt.ArrayLike | None = None,
    ) -> AtomicLoss:
        """Make the same of some of the probabilities, unchecked: for the engine itself."""
        value, p = (np.array(a, dtype=float).ravel() + 0.0 for a in (losses, masses))  # no -0
        if reverse_masses is None:
            q = tilted(p, -value)
        else:
            q = np.array(reverse_masses, dtype=float).ravel()
        there = (p > 0.0) | (q > 0.0)
        value, p, q = value[there], p[there], q[there]
        if np.any(value[1:] <= value[:-1]):
            value, where = np.unique(value, return_inverse=True)
            p, q = (np.bincount(where.ravel(), a, len(value)).astype(float) for a in (p, q))
        value, p, q = map(fixed, (value, p, q))
        on = None if lattice is None or not len(value) else Lattice(float(value[0]), lattice[1])
        return cls(value, p, q, infinite, reverse_infinite, on)

    def __repr__(self) -> str:
        low, high = self.support
        seen = crc32(b"".join(self._key[:3]))
        return f"AtomicLoss({len(self.losses)} from {low} to {high}, {self.infinite}, {seen:x})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AtomicLoss) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest loss."""
        return (float(self.losses[0]), float(self.losses[-1])) if len(self.losses) else (0.0, 0.0)

    @property
    def lattice(self) -> Lattice | None:
        """The lattice that was given."""
        return self.on

    def log_moment(self, s: Complexes) -> Complexes:
        """log of the sum of p e^(s l): a power series near s = 0, else around the largest term."""
        return self.measured(s)[0]

    def measured(self, s: Complexes) -> tuple[Complexes, Floats]:
        """Each term has a few roundings and its phase; the sum may be smaller than its terms."""
        s = np.asarray(s, dtype=complex)
        flat = s.ravel()
        value, error = np.full(flat.shape, -np.inf, dtype=complex), np.zeros(flat.shape)
        if len(self.losses):
            near = np.abs(flat) <= self._series.radius
            if near.any():
                value[near], error[near] = self._series.log_moment(flat[near])
            if near.all():
                return value.reshape(s.shape), error.reshape(s.shape)
            for theta, some in _lines(flat, ~near):
                if theta is None:
                    value[some], error[some] = self._on_axis(flat[some].real)
                else:
                    value[some], error[some] = self._on_line(theta, flat[some].imag)
        return value.reshape(s.shape), error.reshape(s.shape)

    def decay(self, theta: float, start: float, stop: float) -> float:
        """None: finitely many phases come together again and again."""
        return 0.0

    def reverse(self) -> Loss:
        """Minus the losses, with the probabilities of the other."""
        q, infinite = self.reverse_masses, self.reverse_infinite
        return AtomicLoss.part(-self.losses, q, infinite, self.on, self.infinite, self.masses)

    @cached_property
    def _key(self) -> tuple[Any, ...]:
        arrays = (self.losses, self.masses, self.reverse_masses)
        return (*(a.tobytes() for a in arrays), self.infinite, self.reverse_infinite, self.on)

    @cached_property
    def _series(self) -> MomentSeries:
        return MomentSeries(
            self.losses, self.masses, self.reverse_masses, self.infinite, self.reverse_infinite
        )

    def _on_axis(self, theta: Floats) -> tuple[Floats, Floats]:
        """log M at real arguments, each around its largest term; and how far it is off."""
        value, error = np.empty(theta.shape), np.empty(theta.shape)
        left = theta < -0.5
        for side, some in ((0, ~left), (1, left)):
            masses = self.reverse_masses if side else self.masses
            of = Weighted(self.losses, masses, self._logs[side], self._places, self._spacing)
            value[some], error[some] = log_sums(of, theta[some] + side)
        return value, error

    def _on_line(self, theta: float, t: Floats) -> tuple[Complexes, Floats]:
        """log M(theta + i t); and how far M may be off, as the logarithm of a factor."""
        scale, mean, weights = self._around(theta)
        size = float(weights.sum())
        if size == 0.0:
            return np.full(t.shape, -np.inf, dtype=complex), np.zeros(t.shape)
        lengths = np.hypot(theta, t)
        steps = 8.0 + np.log2(len(weights)) + abs(scale)
        steps = steps + 2.0 * lengths * float((weights * np.abs(self.losses)).sum()) / size
        found = self._turned(weights, mean, t)
        total = found.total
        total = np.where(np.abs(total) < ULP * size, ULP * size, total)  # the logarithm is finite
        value = scale + 1j * t * mean + np.log(total)
        # four ulps for each of `steps` roundings of a term, what adding up rounds, one of the faint
        lost = ULP * size / np.abs(total) * (4.0 * steps * found.growth + found.terms + 1.0)
        outside = abs(scale) + np.abs(t * mean) + np.abs(value)
        # two sums, a product and a logarithm: five roundings of their sizes
        return np.asarray(value, dtype=np.complex128), np.log1p(lost) + 4.0 * ULP * outside

    def _turned(self, weights: Floats, mean: float, t: Floats) -> Turned:
        """Sums of w e^(i t (l - mean))."""
        if self._places is None:
            heavy = weights > ULP * weights.sum() / len(weights)  # the faint add up to an ulp
            return turned(weights[heavy], self.losses[heavy] - mean, t)
        centre = int(np.rint((mean - self.losses[0]) / self._spacing))
        found = turned_steps(weights, self._places, t * self._spacing, centre)
        rest = t * (self.losses[0] + centre * self._spacing - mean)  # half a step at most
        return found._replace(total=found.total * np.exp(1j * rest))

    @property
    def is_dense(self) -> bool:
        """Whether the losses fill much of their lattice."""
        return self._places is not None

    @property
    def _spacing(self) -> float:
        return self.on.spacing if self.on is not None else 0.0

    @cached_property
    def _places(self) -> Whole | None:
        """Multiples of the spacing, if the losses are on a lattice and fill much of it."""
        if self.on is None or len(self.losses) < MANY_POINTS:
            return None
        places = np.rint((self.losses - self.losses[0]) / self._spacing)
        off = np.abs(self.losses[0] + places * self._spacing - self.losses)
        # what counts as on the lattice: five roundings of a place, of the largest loss
        near = bool(np.all(off <= 8 * ULP * self._series.widest))
        full = near and places[-1] < DENSE * len(places)
        return places.astype(np.int64) if full else None

    def fading(self, theta: float, stop: float, samples: int) -> MGFDecay | None:
        """How the moment fades, and on a lattice returns, up to t = stop; None if unknown."""
        # roundings of an exponent up to 800, and of the place of a loss
        blur = 4.0 * ULP * (800.0 + 2.0 * abs(theta) * self._series.widest)  # p e^745 > 1 for all p
        weights = self._around(theta)[2]
        if self.steps is None:
            return MGFDecay.scattered(self.losses, weights, blur, (stop, samples))
        return MGFDecay.of(self.steps, weights, blur, stop)

    def horizon(self, theta: float, samples: int) -> float:
        """How far along a vertical line so many samples follow it; infinite on a lattice."""
        if self.steps is not None:
            return float("inf")
        _, mean, weights = self._around(theta)
        size = float(weights.sum())
        variance = float((weights * (self.losses - mean) ** 2).sum() / size) if size else 0.0
        return 0.99 * samples * STEP / float(np.sqrt(variance)) if variance else float("inf")

    @cached_property
    def steps(self) -> Steps | None:
        """The lattice that the losses are near, given or not."""
        return Steps.of(self.losses, self.masses + self.reverse_masses)

    def _around(self, theta: float) -> tuple[float, float, Floats]:
        """Logarithm of a scale, mean and weights: p e^(theta l) is e^scale times its weight."""
        right = theta >= -0.5
        masses, power = (self.masses, theta) if right else (self.reverse_masses, theta + 1.0)
        logs = self._logs[0 if right else 1]
        largest = float(self.losses[np.argmax(power * self.losses + logs)])
        weights = tilted(masses, power * (self.losses - largest))
        size = float(weights.sum())
        mean = float((weights * self.losses).sum() / size) if size else largest
        return power * largest, mean, weights

    @cached_property
    def _logs(self) -> tuple[Floats, Floats]:
        return log(self.masses), log(self.reverse_masses)


def _lines(s: Complexes, wanted: npt.NDArray[np.bool_]) -> Iterator[tuple[float | None, Whole]]:
    """Abscissas, and which of the wanted lie on them; None if all are real."""
    at = np.flatnonzero(wanted)
    if not s.imag[at].any():
        yield None, at
        return
    for theta in np.unique(s.real[at]).tolist():
        yield theta, at[s.real[at] == theta]


def _one_each(name: str, masses: npt.ArrayLike, losses: Floats) -> Floats:
    found = numbers(name, masses, PROBABILITY).ravel()
    if len(found) != len(losses):
        raise InvalidInput(name, len(found), f"one probability for each of {len(losses)} losses")
    return found


def _must_add_up(name: str, masses: Floats, rest: str, infinite: float) -> None:
    """With the infinite losses, all probabilities of one distribution are there."""
    total = float(masses.sum()) + scalar(rest, infinite, PROBABILITY)
    if not abs(total - 1.0) <= ADDS_UP:
        got = f"with `{rest}` a total of {total:.9g}"
        raise InvalidInput(
            name,
            got,
            "probabilities that add up to 1",
            ("What is never seen under the other distribution belongs to the infinite losses."),
        )
