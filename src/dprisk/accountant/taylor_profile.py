"""delta as polynomials on short pieces: for many questions about one smooth loss."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import factorial
from typing import ClassVar, NamedTuple, final

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats
from dprisk.accountant.base import ComposedLoss
from dprisk.accountant.bracket import Bracket
from dprisk.accountant.contour import EXP_LIMIT, PHASE, SCALE, Chernoff, Contour, penalty, rounded
from dprisk.accountant.equispaced_nodes import EvenNodes
from dprisk.accountant.lattice_fft import TURN, turns_off
from dprisk.losses.base import ULP
from dprisk.theorems import CONTOUR, Theorem

ORDER = 12  # coefficients of a polynomial
WIDTH = 0.1  # of a standard deviation
MOST_PIECES = 2048  # pieces
LEFT_OUT = 1e-11  # of delta, by a polynomial, at most
INNER = 0.8  # of a piece, from its middle, until the next one takes over
UNSURE = 1e-9  # of delta: where a bracket is as wide, the loss may know better
MOST_PHASE = 20.0  # radians within a piece: no polynomial will do
NODES = 2**13  # on a line at most
BLOCK = 2**19  # numbers in memory at a time
LAST_DEVIATION = 10.0  # standard deviations above the mean: there the pieces end

Abscissas = Callable[[Floats], Iterator[tuple[Contour, npt.NDArray[np.intp]]]]


class Polynomials(NamedTuple):
    """delta(x + h u) is the sum of c_m u^m for u in [-1, 1], but for what is said here."""

    coefficients: Floats
    below: Floats
    above: Floats
    rest: Floats


def polynomials(line: Contour, x: Floats, half: float, chernoff: Chernoff) -> Polynomials:
    """Taylor polynomials of delta on a line that is not round a lattice."""
    sums = _derivatives(line, x, half)
    scale = np.exp(np.minimum(line.log_scale - line.theta * x, EXP_LIMIT))
    blur = (4 + np.abs(line.log_scale - line.theta * x)) * SCALE
    size = np.abs(sums[:ORDER]).sum(axis=0)
    fixed, moving, rest, flat = _absolute(line, half, float(x.max()) + half)
    # two roundings a term, four times that
    error = fixed + moving * (x + half) + (blur + 4 * ORDER * ULP) * size + rest
    error = (error + line.beyond * np.exp(line.theta * half)) * scale
    below = error + np.exp(
        np.minimum(chernoff.aliases(line.theta, line.period, x - half), EXP_LIMIT)
    )
    if line.smoothing:  # density = delta'' - delta', in powers of u like delta itself
        second, first = sums[2:] / half**2, sums[1:-1] / half
        n = np.arange(1.0, ORDER + 1.0)[:, None]
        density = np.abs(second * n * (n + 1.0) - first * n)[:ORDER].sum(axis=0)
        below = below + penalty(line.smoothing, (density + flat) * scale)
    return Polynomials(sums[:ORDER] * scale, below, error, rest * scale)


def _derivatives(line: Contour, x: Floats, half: float) -> Floats:
    """Coefficients of one order more than is needed, without the scale."""
    step = -line.s * half
    weights = np.empty((ORDER + 2, len(step)), dtype=np.complex128)
    weights[0] = line.terms / (line.s * (line.s + 1.0))
    for m in range(1, ORDER + 2):
        weights[m] = weights[m - 1] * (step / m)
    even = EvenNodes.of(line.s.imag, TURN / line.period, weights)
    if even is not None:
        return even.sums(x, 0, len(weights))
    phase = turns_off(np.outer(line.s.imag, x))
    found = np.einsum("mn,nx->mx", weights.real.copy(), np.cos(phase))
    found += np.einsum("mn,nx->mx", weights.imag.copy(), np.sin(phase))
    return np.asarray(found)


def _absolute(line: Contour, half: float, most: float) -> tuple[float, float, float, float]:
    """Rounding, fixed and by x; what a polynomial leaves out; and all of it for the density."""
    turned = np.abs(line.s) * half
    size, grown = np.abs(line.terms), np.exp(turned)
    small = size / np.abs(line.s * (line.s + 1.0))
    steady = line.error + rounded(len(size), 8 * ORDER)
    steady *= grown
    moved = PHASE * np.abs(line.s) * grown
    raised = turned**ORDER / factorial(ORDER) * np.exp(line.theta * half)
    flat = float(size @ (steady + moved * most + raised))
    flat += line.beyond_flat * float(np.exp(line.theta * half))
    return float(small @ steady), float(small @ moved), float(small @ raised), flat


class Laid(NamedTuple):
    """Pieces side by side from 0 on: their distance, half of what each covers, and their
    middles."""

    width: float
    half: float
    middle: Floats
    coefficients: Floats
    below: Floats
    above: Floats


@final
@dataclass(frozen=True, eq=False)
class TaylorProfile(ComposedLoss):
    """A loss whose delta is read off polynomials, wherever it is smooth enough."""

    theorem: ClassVar[Theorem] = CONTOUR

    loss: ComposedLoss
    directly: Callable[[Floats], Bracket]
    lines: Abscissas
    chernoff: Chernoff
    off: float

    @property
    def infinite(self) -> float:
        """As of the loss."""
        return self.loss.infinite

    @property
    def support(self) -> tuple[float, float]:
        """As of the loss."""
        return self.loss.support

    @property
    def largest(self) -> float:
        """As of the loss."""
        return self.loss.largest

    def delta(self, x: Floats) -> Bracket:
        """By the polynomials, or by the loss where they leave out too much."""
        laid, piece, u = self._placed(x)
        asked = self._asked.take(piece)
        if asked.all():
            return self.directly(x)
        value = laid.coefficients[-1].take(piece, mode="clip")
        for row in laid.coefficients[-2::-1]:
            value *= u
            value += row.take(piece, mode="clip")
        low = value - laid.below.take(piece, mode="clip")
        high = value + laid.above.take(piece, mode="clip")
        if asked.any():
            low[asked], high[asked] = self.directly(x[asked])
        return Bracket(np.maximum(low, 0.0), np.minimum(high, 1.0))

    def slope(self, x: Floats) -> Floats:
        """Derivatives of the polynomials."""
        laid, piece, u = self._placed(x)
        found = np.zeros_like(x)
        for m in range(ORDER - 1, 0, -1):
            found = found * u + m * laid.coefficients[m].take(piece, mode="clip")
        found /= laid.half
        asked = self._asked.take(piece)
        if asked.any():
            found[asked] = self.loss.slope(x[asked])
        return found

    def epsilon(self, delta: Floats) -> Bracket:
        """As of the loss."""
        return self.loss.epsilon(delta)

    def tail(self, x: Floats, other: bool = False) -> Bracket:
        """As of the loss."""
        return self.loss.tail(x, other)

    def kinks(self, most: int) -> Floats | None:
        """None of its own."""
        return self.loss.kinks(most)

    @property
    def corners_off(self) -> float:
        """As far as those of the loss."""
        return self.loss.corners_off

    def cheap(self) -> ComposedLoss:
        """Itself."""
        return self

    def mean_sd_range(self) -> tuple[float, float, float]:
        """As of the loss."""
        return self.loss.mean_sd_range()

    def _placed(self, x: Floats) -> tuple[Laid, npt.NDArray[np.intp], Floats]:
        """The piece of each x, or a number too many; and where on it."""
        laid = self.laid
        piece = np.minimum(x / laid.width, float(len(laid.middle))).astype(np.intp)
        return laid, piece, (x - laid.middle.take(piece, mode="clip")) / laid.half

    @cached_property
    def _asked(self) -> npt.NDArray[np.bool_]:
        """For each piece, and for what is beyond, whether the loss is to be asked itself."""
        return np.append(np.isnan(self.laid.below), True)

    @cached_property
    def laid(self) -> Laid:
        """The pieces; made once."""
        mean, deviation, most = self.loss.mean_sd_range()
        end = min(mean + LAST_DEVIATION * deviation, most * (1.0 - 1e-12))
        count = int(np.clip(end / (WIDTH * deviation), 1, MOST_PIECES))
        width = end / count
        half = width / (2.0 * INNER)
        x = np.asarray((np.arange(count) + 0.5) * width, dtype=float)
        coefficients = np.zeros((ORDER, count))
        below, above, rest = np.full((3, count), np.inf)
        for line, chosen in self.lines(x):
            if len(line.s) > NODES or float(np.abs(line.s[-1])) * width > MOST_PHASE:
                continue
            for some in np.array_split(chosen, 1 + len(chosen) * len(line.s) // BLOCK):
                coefficients[:, some], below[some], above[some], rest[some] = polynomials(
                    line, x[some], half, self.chernoff
                )
        coefficients[0] += self.loss.infinite
        poor = ~((rest <= LEFT_OUT * coefficients[0]) & (below <= UNSURE * coefficients[0]))
        blur = 2.0 * self.off * self.loss.infinite
        below, above = (np.where(poor, np.nan, off + blur) for off in (below, above))
        return Laid(width, half, x, coefficients, below, above)
