"""Power at many levels from polynomials for delta, certified by convexity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats, log
from dprisk._numeric.polynomials import product, shortened, value
from dprisk.accountant.duality_guesses import Crossing
from dprisk.accountant.taylor_profile import INNER, ORDER, TaylorProfile
from dprisk.losses.base import ULP

ENOUGH_COEFFICIENTS = 8  # coefficients that are enough here
BELOW_ROUNDING = 36.0  # e^-36 is below the rounding of 1
LONG_PIECE = 8.0  # nats: half a piece on which e^t is no polynomial
MARGIN = 0.9 * (1.0 - INNER)  # of half a piece: d
# a polynomial of a few terms, an exponential, products and sums: rounded 64 times at most
ROUNDING = 32 * ULP


class Run(NamedTuple):
    """Pieces of delta by rising t: where each has its middle and how far it goes to either side."""

    middle: Floats
    half: Floats
    coefficients: Floats
    below: Floats
    above: Floats


@final
@dataclass(frozen=True, eq=False)
class TaylorPower:
    """Power at any level, as far as the pieces reach."""

    to_left: int
    widths: tuple[float, float]
    run: Run
    steepest: Floats
    gap: Floats
    guesses: Crossing

    @classmethod
    def of(cls, forward: TaylorProfile, backward: TaylorProfile) -> TaylorPower | None:
        """From delta of a pair, and of the reverse pair; None where there are too few pieces."""
        down = _reflected(backward, BELOW_ROUNDING if backward.laid.half < LONG_PIECE else 0.0)
        run = _shortened(_joined(down, _run(forward)))
        n = np.arange(1.0, ENOUGH_COEFFICIENTS)[:, None]
        slope = run.coefficients[1:] * n / run.half
        bend = slope[1:] * n[:-1] / run.half
        slope[:-1] = bend - slope[:-1]  # the density p'' - p', by powers of u
        slope[-1] *= -1.0
        least = slope[0] - np.abs(slope[1:]).sum(axis=0)
        d = MARGIN * run.half
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            gap = np.exp(2.0 * d) / (2.0 * least)
            rise = least * (np.expm1(-d) * np.exp(-d)) ** 2 / 2.0 - run.below - run.above
            good = (least > 0.0) & np.isfinite(gap)
            gap, steepest = np.where(good, gap, 0.0), np.where(good, rise / np.expm1(d), -1.0)
        guesses = _guesses(run)
        if guesses is None:
            return None
        widths = backward.laid.width, forward.laid.width
        return cls(len(down.middle), widths, run, steepest, gap, guesses)

    def at(self, level: Floats, tolerance: float) -> tuple[Floats, Floats, npt.NDArray[np.bool_]]:
        """Power at least, at most, and where that is not known up to the tolerance."""
        run = self.run
        t = np.clip(self.guesses.at(log(level))[0], run.middle[0], run.middle[-1])
        place = np.floor(t / np.where(t < 0.0, *self.widths)) + self.to_left
        piece = np.clip(place, 0, len(run.middle) - 1).astype(np.intp)
        half = run.half.take(piece)
        u = (t - run.middle.take(piece)) / half
        p, slope = run.coefficients[-1].take(piece), np.zeros_like(t)
        for row in run.coefficients[-2::-1]:
            slope = slope * u + p
            p = p * u + row.take(piece)
        with np.errstate(over="ignore", invalid="ignore"):  # e^t, where there is no answer
            tilt = np.exp(t) * level
            steep, total = np.abs(slope / half + tilt), p + tilt
            high = total * (1.0 + ROUNDING) + run.above.take(piece)
            low = total * (1.0 - ROUNDING) - run.below.take(piece) - self.gap.take(piece) * steep**2
            sure = (steep <= self.steepest.take(piece)) & (np.abs(u) <= 1.0 - MARGIN)
            return low, high, ~(sure & (high - low <= tolerance * high))


def _run(pieces: TaylorProfile) -> Run:
    """To the right of 0."""
    _, half, middle, *polynomials = pieces.laid
    return Run(middle, np.full_like(middle, half), *polynomials)


def _reflected(pieces: TaylorProfile, most: float) -> Run:
    """To the left of 0, where delta(t) = 1 - e^t (1 - delta(-t)) with that of the reverse pair."""
    run = _run(pieces)
    run = Run(*(each[..., run.middle <= most] for each in run))
    powers = np.arange(float(ORDER))[:, None]
    turned = np.where(powers % 2.0 == 1.0, 1.0, -1.0) * run.coefficients
    turned[0] += 1.0  # 1 - delta(-t), by powers of u
    size = np.exp(-run.middle)
    ratios = np.where(powers > 0.0, run.half / np.maximum(powers, 1.0), size)
    rising = np.asarray(np.cumprod(ratios, axis=0), dtype=float)  # e^t, likewise
    found, rest = product(turned, rising)
    found *= -1.0
    found[0] += 1.0
    rest += 4.0 * rising[-1] * np.abs(turned).sum(axis=0) * np.exp(run.half)  # beyond all powers
    rest += ROUNDING
    most_size = size * np.exp(run.half)
    below, above = run.below * most_size + rest, run.above * most_size + rest
    columns = Run(-run.middle, run.half, found, below, above)
    return Run(*(each[..., ::-1] for each in columns))


def _joined(left: Run, right: Run) -> Run:
    return Run(*(np.concatenate(both, axis=-1) for both in zip(left, right, strict=True)))


def _shortened(run: Run) -> Run:
    coefficients, lost = shortened(run.coefficients, ENOUGH_COEFFICIENTS)
    return Run(run.middle, run.half, coefficients, run.below + lost, run.above + lost)


def _guesses(run: Run) -> Crossing | None:
    """From P[Z > t] under Q at the left end of each piece."""
    n = np.arange(1.0, ENOUGH_COEFFICIENTS)[:, None]
    t = run.middle - INNER * run.half
    slope = value(run.coefficients[1:] * n, np.full_like(t, -INNER)) / run.half
    level = np.maximum(-slope, 0.0) * np.exp(-t)
    return Crossing.of(t, log(level), np.zeros_like(t))
