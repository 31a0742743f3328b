"""Two losses on a lattice around any loss: one that dominates it, one that it dominates.

The lattice is {j h}. An outcome has probability p under P, q under Q and the loss l = log(p / q);
its *excess* over a lattice point t is d = p - q e^t = p (1 - e^(t - l)). Both constructions keep
the sum of p and the sum of q, so they hold for (P, Q) and for (Q, P) alike.

**Upper** (connect the dots). An outcome between two neighboring points is split between them: with
d taken at the lower end, d / (1 - e^-h) of its probability goes to the upper end and the rest stays
at the lower one. From the new pair the old one is had back by merging the two, so the new one
dominates. An outcome beyond the last point is split between that point and infinity.

**Lower** (merge, then land). Outcomes are merged into cells (p, d) around the points t: a
post-processing. Then each cell is made to land on its point. If d < 0 its loss is too small, and it
takes from the next point above, a distance g away, what has the probability -d / (1 - e^-g) there;
if d > 0 it takes d / (e^g - 1) from the point below. What is left at a point is

    m = p + taken - given,

and if every m > 0 this is a post-processing: *an outcome walks from cell to cell, leaving a point
with the probability given / (p + taken) for those who take from it, until it stays.* It stays in
the end as every m > 0, and the expected numbers of visits solve the same linear equations under P
as under Q, since each cell has after taking the loss of its point exactly. The order of the cells
plays no role. A point that cannot give so much sends the cell that asks to the other side (from
nearest to the next below, or above), and if that fails the two are merged: both are
post-processings again, so whatever is done, the result is below the truth; only how far is at
stake.

Where neighboring cells have nearly the same probability, d is of third order in h, and both sides
differ from the truth by h^2 times its second derivative: the variance of the loss grows by h^2 / 6
in the upper one and shrinks by h^2 / 12 in the lower one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import PROBABILITY, Domain, numbers, scalar
from dprisk._numeric.logspace import Floats
from dprisk.errors import InvalidInput
from dprisk.losses.base import ULP, Complexes, Lattice, LossPair
from dprisk.losses.points import PointLoss

__all__ = [
    "RELATIVE_ERROR",
    "SPACING",
    "TOTAL",
    "LatticeMoments",
    "Outcomes",
    "lattice_moments",
    "pair_on_lattice",
]

Whole = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

RELATIVE_ERROR = 3e-13
"""Both losses are those of a pair of distributions whose probabilities differ from the given ones
by at most this factor, under P and under Q: with k losses composed, delta(x) lies between
(1 - k r) delta_lower(x + 2 k r) and (1 + k r) delta_upper(x - 2 k r), to first order in r."""

SPACING = Domain(1e-9, 1.0, advice="A spacing such as 1e-4 nats suits most uses.")
TOTAL = 1e-13  # how far from one probabilities may add up

SAME = 16.0 * ULP  # so close to a point, relative to q, an outcome lies on it
KEPT = 1.0 / 16.0  # of a cell: less would lose digits
TINY = float(np.finfo(float).tiny)
FAR = 700.0  # exp of it is still finite


def pair_on_lattice(
    p: npt.ArrayLike, q: npt.ArrayLike, *, spacing: float, label: str = ""
) -> LossPair:
    """Losses on a lattice around that of two distributions over the same outcomes.

    Both sides are of second order in `spacing` where losses lie close to each other. The lower
    side is of first order for an outcome that stands alone, or at the end of the support, with a
    loss between two lattice points: no lattice loss can do better. Where losses have a common
    divisor, choose a fraction of it as the spacing; then they are kept as they are.

    Parameters
    ----------
    p, q : array_like of float
        Probability of each outcome under P and under Q; each adds up to one. [0, 1]
    spacing : float
        Distance of the lattice points, in nats. [1e-9, 1]
    label : str
        What was run, for people.

    Returns
    -------
    LossPair
        In each direction a loss that the true one dominates, and one that dominates it. They hold
        up to `RELATIVE_ERROR` in the probabilities.

    Raises
    ------
    OutOfRange
        If a probability or `spacing` is outside its range.
    InvalidInput
        If `p` and `q` are not two lists of the same length, or do not add up to one.

    Examples
    --------
    >>> pair = pair_on_lattice([0.5, 0.3, 0.2], [0.4, 0.3, 0.3], spacing=1 / 64)
    >>> lower, upper = pair.forward
    >>> lower.support, upper.support
    ((-0.390625, 0.21875), (-0.40625, 0.234375))
    """
    spacing = scalar("spacing", spacing, SPACING)
    masses = [numbers(name, value, PROBABILITY) for name, value in (("p", p), ("q", q))]
    shape = masses[0].shape
    if len(shape) != 1 or masses[1].shape != shape or shape == (0,):
        raise InvalidInput("q", masses[1].shape, f"a list as long as p, of the shape {shape}")
    under_p, under_q = (_adding_up(*pair) for pair in zip("pq", masses, strict=True))
    only = (float(under_p[under_q == 0.0].sum()), float(under_q[under_p == 0.0].sum()))
    least = np.minimum(under_p, under_q)
    clear, rare = least >= TINY, (least > 0.0) & (least < TINY)
    loss = _ratios(under_p[clear], under_q[clear])
    far = np.stack([under_p[rare], under_q[rare]], axis=1)
    return Outcomes.of(under_p[clear], loss, spacing, only, far).pair(label)


def _adding_up(name: str, masses: Floats) -> Floats:
    """Exactly one altogether."""
    total = float(masses.sum())
    if abs(total - 1.0) > TOTAL:
        raise InvalidInput(
            f"the sum of {name}", total, f"1, within {TOTAL:g}", "Divide by the sum."
        )
    return np.asarray(masses / total)


def _ratios(p: Floats, q: Floats) -> Floats:
    """log(p / q): of close numbers, the difference is exact."""
    close = (p < 2.0 * q) & (q < 2.0 * p)
    near = np.log1p(np.where(close, p - q, 0.0) / q)
    with np.errstate(over="ignore", under="ignore"):
        ratio = p / q
    fair = (ratio >= TINY) & (ratio < np.inf)
    far = np.where(fair, np.log(np.where(fair, ratio, 1.0)), np.log(p) - np.log(q))
    return np.where(close, near, far)


@final
@dataclass(frozen=True, eq=False)
class Outcomes:
    """Probabilities near the points of a lattice: on a point, above it and below it.

    Parameters
    ----------
    spacing : float
        Distance of the points. (0, 1]
    points : ndarray of int
        The nearest lattice points, in increasing order.
    on, above, below : ndarray
        Probability under P of what has the loss t = spacing point, more, or less, by at most half
        the spacing.
    rise, fall : ndarray
        Sum of p - q e^t over what lies above, of q e^t - p over what lies below. Not negative.
    infinite, reverse_infinite : float
        Probability under P of what is impossible under Q, and the other way round.
    far : ndarray
        Outcomes so rare, p and q in a row each, that no care is spent on them: each is one
        outcome on the lower side, and tells P from Q on the upper one.
    """

    spacing: float
    points: Whole
    on: Floats
    above: Floats
    below: Floats
    rise: Floats
    fall: Floats
    infinite: float
    reverse_infinite: float
    far: Floats

    @classmethod
    def of(
        cls,
        masses: Floats,
        losses: Floats,
        spacing: float,
        only: tuple[float, float] = (0.0, 0.0),
        far: Floats | None = None,
    ) -> Outcomes:
        """Outcomes by the nearest point."""
        nearest = np.rint(losses / spacing)
        away = losses - nearest * spacing
        away[np.abs(away) <= SAME + 2.0 * ULP * np.abs(losses)] = 0.0
        sides = 3 * nearest.astype(np.int64) + np.sign(away).astype(np.int64)
        sides, (p, excess) = _together(sides, masses, masses * -np.expm1(-away))
        point = (sides + 1) // 3
        points, at = np.unique(point, return_inverse=True)
        sums = np.zeros((5, len(points)))
        for side, row in ((0, 0), (1, 1), (-1, 2)):
            some = sides - 3 * point == side
            sums[row, at[some]] = p[some]
            if side:
                sums[row + 2, at[some]] = np.abs(excess[some])
        on, above, below, rise, fall = sums
        # too rare for floats: raised to what they hold, which only brings P and Q closer
        far = np.maximum(np.zeros((0, 2)) if far is None else far, TINY)
        return cls(spacing, points, on, above, below, rise, fall, *only, far)

    def pair(self, label: str) -> LossPair:
        """Both directions at once: p and q of all that is touched are kept."""
        lower, upper = self.lower(), self.upper()
        back = (lower.reverse(), upper.reverse())
        return LossPair((lower, upper), back, True, label, RELATIVE_ERROR)

    def upper(self) -> PointLoss:
        """Dominates: each outcome is split between its two neighbors, or shows who it was."""
        to_next = self.rise / -np.expm1(-self.spacing)
        to_last = self.fall / np.expm1(self.spacing)
        stay = self.on + (self.above - to_next) + (self.below - to_last)
        points = np.concatenate([self.points, self.points + 1, self.points - 1])
        at, sums = _together(points, np.concatenate([stay, to_next, to_last]))
        return self._loss(at, sums[0], *self.far.sum(axis=0))

    def lower(self) -> PointLoss:
        """Is dominated: cells around the points are merged, and take until they land."""
        points, (masses, excess) = _together(*self._cells())
        cells = _Cells(points, masses, excess, np.zeros(len(points), dtype=np.int64))
        points, masses = _landed(cells, self.spacing)
        if len(points) or not len(self.points):
            return self._loss(points, masses)
        return self._single()

    def _single(self) -> PointLoss:
        """All finite outcomes merged: they take from those that are impossible under P or Q.

        If that is not enough either, one outcome for everything is left.
        """
        masses = self.on + self.above + self.below
        under_q = np.exp(np.log(masses - self.rise + self.fall) - self.points * self.spacing)
        p = float(masses.sum() + self.far[:, 0].sum())
        q = float(under_q.sum() + self.far[:, 1].sum())
        point = np.floor(np.log(p / q) / self.spacing)
        other = p * np.exp(-point * self.spacing)
        if other - q < self.reverse_infinite:
            return self._loss(np.array([point]), np.array([p]), 0.0, q - other)
        point += 1.0
        other = q * np.exp(point * self.spacing)
        if other - p < self.infinite:
            return self._loss(np.array([point]), np.array([other]), p - other)
        return PointLoss.of([0.0], [1.0], 0.0, Lattice(0.0, self.spacing))

    def _cells(self) -> tuple[Whole, Floats, Floats]:
        """Points, probabilities and excesses of what is merged.

        What lies on a point, and more than what is near it, stays apart: it has landed. The rest
        of its cell goes to the neighbors; between two such points, to that nearer to zero.
        """
        alone = self.on >= self.above + self.below
        next_to = np.diff(self.points) == 1
        alone_above = np.append(next_to & alone[1:], False)
        alone_below = np.append(False, next_to & alone[:-1])
        up = alone & (self.above > 0.0) & ~(alone_above & (self.points >= 0))
        down = alone & (self.below > 0.0) & ~(alone_below & (self.points <= 0))
        above, rise = np.where(up, 0.0, self.above), np.where(up, 0.0, self.rise)
        below, fall = np.where(down, 0.0, self.below), np.where(down, 0.0, self.fall)
        far_loss = np.log(self.far[:, 0]) - np.log(self.far[:, 1])
        far = np.rint(far_loss / self.spacing).astype(np.int64)
        far_excess = self.far[:, 0] * -np.expm1(far * self.spacing - far_loss)
        raised = _moved(self.above[up], self.rise[up], 1, self.spacing)
        lowered = _moved(self.below[down], -self.fall[down], -1, self.spacing)
        return (
            np.concatenate([self.points, self.points[up] + 1, self.points[down] - 1, far]),
            np.concatenate(
                [self.on + above + below, self.above[up], self.below[down], self.far[:, 0]]
            ),
            np.concatenate([rise - fall, raised, lowered, far_excess]),
        )

    def _loss(
        self, points: Whole | Floats, masses: Floats, shown: float = 0.0, reverse_shown: float = 0.0
    ) -> PointLoss:
        return PointLoss.of(
            points * self.spacing,
            masses,
            self.infinite + shown,
            Lattice(0.0, self.spacing),
            self.reverse_infinite + reverse_shown,
        )


class LatticeMoments(NamedTuple):
    """M(s) / M(theta) at s = theta + 2 pi i n / (N h), n = 0 ... N / 2, and how far it may be off.

    `log_scale` is log M(theta) and `error` bounds the absolute error of every ratio.
    """

    ratios: Complexes
    log_scale: float
    error: float


def lattice_moments(loss: PointLoss, theta: float, nodes: int) -> LatticeMoments:
    """Moments of a loss on the lattice {j h} at all nodes of a line that goes once round it.

    Parameters
    ----------
    loss : PointLoss
        With at least one finite loss, on a lattice whose origin is a multiple of its spacing h.
    theta : float
        Abscissa. (-inf, inf)
    nodes : int
        N, the number of nodes on the whole circle. [1, inf)

    Returns
    -------
    LatticeMoments
        The upper half of the circle; the lower one is conjugate.

    Examples
    --------
    >>> from dprisk.losses.base import Lattice
    >>> from dprisk.losses.points import PointLoss
    >>> coin = PointLoss.of([-1.0, 1.0], [0.25, 0.75], lattice=Lattice(-1.0, 1.0))
    >>> abs(lattice_moments(coin, 0.0, 4).ratios).round(9).tolist()
    [1.0, 0.5, 1.0]
    """
    _, spacing = loss.lattice or Lattice(0.0, 1.0)
    points = np.rint(loss.losses / spacing).astype(np.int64)
    exponent = theta * (points * spacing) + np.log(loss.masses)
    largest = float(exponent.max())
    tilted = np.exp(exponent - largest)
    total = float(tilted.sum())
    folded = np.bincount(points % nodes, tilted / total, nodes)
    return LatticeMoments(
        np.fft.rfft(folded).conj(),
        largest + float(np.log(total)),
        _error_of_moments(loss, tilted / total, theta, nodes),
    )


def _error_of_moments(loss: PointLoss, weights: Floats, theta: float, nodes: int) -> float:
    """At most how far a ratio, or the scale, is off.

    A term is off by its exponent; folding adds as many as there are turns; in a transform each
    output is the sum of all inputs, weights that add up to 1, through one stage for each prime
    factor of N, and a stage of radix r adds up r terms.
    """
    exponent = np.abs(theta * loss.losses) + np.abs(np.log(loss.masses))
    terms = float((weights * exponent).sum()) + float(exponent[np.argmax(weights)])
    turns = float(np.ptp(loss.losses)) / (nodes * (loss.lattice or Lattice(0.0, 1.0)).spacing)
    return ULP * (2.0 * terms + turns + 8.0 + 4.0 * sum(_prime_factors(nodes)))


def _prime_factors(n: int) -> list[int]:
    factors, trial = [], 2
    while trial * trial <= n:
        while n % trial == 0:
            factors.append(trial)
            n //= trial
        trial += 1
    return factors + [n] * (n > 1)


def _together(points: Whole, *columns: Floats) -> tuple[Whole, Floats]:
    """Each point once, in increasing order, with the sums of its columns, taken pairwise."""
    if np.any(points[1:] < points[:-1]):
        order = np.argsort(points, kind="stable")
        points, columns = points[order], tuple(column[order] for column in columns)
    start = np.flatnonzero(np.diff(points, prepend=points[:1] - 1))
    return points[start], np.array([np.add.reduceat(column, start) for column in columns])


def _moved(p: Floats, excess: Floats, steps: Whole | int, spacing: float) -> Floats:
    """The excess of the same outcomes over a point so many steps further up."""
    shift = steps * spacing
    return np.asarray(excess * np.exp(shift) - p * np.expm1(shift))


class _Cells(NamedTuple):
    """Merged outcomes by their points, and how often each has asked in vain."""

    points: Whole
    masses: Floats
    excess: Floats
    failed: Whole


def _landed(cells: _Cells, spacing: float) -> tuple[Whole, Floats]:
    """Points and what is left there, after every cell has taken what it needs to land.

    Nothing if all has to be merged. A cell that asks in vain is sent to the other side, once, and
    then merged with the neighbor that could not give, and with more and more: so there are few
    rounds.
    """
    while len(cells.points) > 1:
        points, p, excess, failed = cells
        d = np.where(np.abs(excess) <= SAME * p, 0.0, excess)
        gap = np.diff(points) * spacing
        from_next = np.append(np.maximum(-d[:-1], 0.0) / -np.expm1(-gap), 0.0)
        from_last = np.append(0.0, np.maximum(d[1:], 0.0) * np.exp(-gap) / -np.expm1(-gap))
        given_down = np.append(0.0, from_next[:-1])
        given_up = np.append(from_last[1:], 0.0)
        left = p + from_next + from_last - given_down - given_up
        short = left < KEPT * p
        no_next = np.append((short & (given_down >= given_up))[1:], False)
        no_last = np.append(False, (short & (given_down < given_up))[:-1])
        stuck = no_next | no_last
        steps = np.where(stuck & (failed == 0), no_last.astype(np.int64) - no_next, 0)
        joined = _joined(np.where(stuck, failed, 0), no_next)
        # the first one has nobody below to take from, and the last one nobody above
        if d[0] > 0.0:
            steps[0] = 1
        if d[-1] < 0.0:
            steps[-1] = -1
        if not (steps.any() or joined.any()):
            return points, left
        excess = _moved(p, excess, steps, spacing)
        cells = _combined(_Cells(points + steps, p, excess, failed + stuck), joined, spacing)
    done = np.abs(cells.excess) <= SAME * cells.masses
    return cells.points[done], cells.masses[done]


def _joined(failed: Whole, upward: Bools) -> Bools:
    """Which cells are merged with the next: those that failed before, one and later several."""
    last = len(failed) - 1
    at = np.flatnonzero(failed)
    reach = np.exp2(np.minimum(failed[at] - 1, 90) / 3.0).astype(np.int64)
    up = upward[at]
    marks = np.zeros(last + 1, dtype=np.int64)
    np.add.at(marks, np.where(up, at, np.maximum(at - reach, 0)), 1)
    np.add.at(marks, np.where(up, np.minimum(at + reach, last), at), -1)
    return np.cumsum(marks)[:-1] > 0


def _combined(cells: _Cells, joined: Bools, spacing: float) -> _Cells:
    """Cells that are joined with the next one are merged, and so are those on the same point."""
    points, p, d, failed = cells
    group = np.concatenate([[0], np.cumsum(~joined)])
    start = np.flatnonzero(np.diff(group, prepend=-1))
    highest = np.maximum.reduceat(points, start)  # from where no loss below is lost
    rise = highest[group] - points
    if rise.max() * spacing > FAR:
        return _Cells(points[:0], p[:0], d[:0], failed[:0])
    d = np.add.reduceat(_moved(p, d, rise, spacing), start)
    p = np.add.reduceat(p, start)
    failed = np.maximum.reduceat(failed, start)
    merged = np.diff(np.append(start, len(group))) > 1
    steps = np.rint(-np.log1p(np.where(merged, -d / p, 0.0)) / spacing).astype(np.int64)
    points, (p, d) = _together(highest + steps, p, _moved(p, d, steps, spacing))
    order = np.argsort(highest + steps, kind="stable")
    first = np.searchsorted((highest + steps)[order], points)
    return _Cells(points, p, d, np.maximum.reduceat(failed[order], first))
