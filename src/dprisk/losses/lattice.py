"""Two losses on a lattice around any loss: one that dominates it, one that it dominates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import Domain
from dprisk._numeric.logspace import EXP_LIMIT, Floats
from dprisk._numeric.rounding import LEAST_NORMAL
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import ULP, Lattice, LossPair
from dprisk.losses.exponential_sums import Whole

Bools = npt.NDArray[np.bool_]

# so close to a point, relative to q, an outcome lies on it: eight roundings, twice
SAME = 16.0 * ULP
LEAST_KEPT = 1.0 / 16.0  # of a cell: if it has to give more, those who ask look elsewhere first
LEAST_SAVED = 0.9  # what changing sides has to save


class Cells(NamedTuple):
    """Merged outcomes at increasing points, and which of them have changed sides."""

    points: Whole
    masses: Floats
    excess: Floats
    turned: Bools


def together(points: Whole, *columns: Floats) -> tuple[Whole, Floats]:
    """Each point once, in increasing order, with the sums of its columns, taken pairwise."""
    if np.any(points[1:] < points[:-1]):
        order = np.argsort(points, kind="stable")
        points, columns = points[order], tuple(column[order] for column in columns)
    start = np.flatnonzero(np.diff(points, prepend=points[:1] - 1))
    return points[start], np.array([np.add.reduceat(column, start) for column in columns])


def moved(p: Floats, excess: Floats, steps: Whole | int, spacing: float) -> Floats:
    """The excess of the same outcomes over a point so many steps further up."""
    shift = steps * spacing
    return np.asarray(excess * np.exp(shift) - p * np.expm1(shift))


def landed(points: Whole, masses: Floats, excess: Floats, spacing: float) -> tuple[Whole, Floats]:
    """Points and what is left there, after every cell has taken what it needs to land."""
    cells = _shifted(Cells(points, masses, excess, np.zeros(len(points), dtype=bool)), spacing)
    merged = [1, 1]  # cells at either end
    while len(cells.points) > 1:
        have, given_up, given_down = _exchanged(cells, spacing)
        steps, turned = _looking_elsewhere(cells, have, given_up, given_down)
        if steps.any():
            cells = _stepped(cells, steps, turned, spacing)
            continue
        left = have - given_up - given_down
        out, short = _bent(cells.points, left, spacing)
        if short is None:
            return _remaining(cells.points, left, out, spacing)
        merged[short] *= 2
        joined = np.zeros(len(left) - 1, dtype=bool)
        joined[slice(1 - merged[1], None) if short else slice(merged[0] - 1)] = True
        cells = _combined(cells, joined, spacing)
    done = np.abs(cells.excess) <= SAME * cells.masses
    return cells.points[done], cells.masses[done]


def _shifted(cells: Cells, spacing: float) -> Cells:
    """Cells that stand alone on the side where landing costs least."""
    if len(cells.points) < 3:
        return cells
    points, p, d, _ = cells
    away = -np.log1p(-d / p)
    gap = np.diff(points) * spacing
    below, above = np.append(EXP_LIMIT, gap), np.append(gap, EXP_LIMIT)
    up = away > 0.0
    here = np.abs(away) * np.where(up, below, above)
    there = (spacing - np.abs(away)) * np.where(up, above, below)
    alone = np.minimum(below, above) > 1.5 * spacing
    better = alone & (np.abs(d) > SAME * p) & (there < LEAST_SAVED * here)
    steps = np.where(better, np.where(up, 1, -1), 0)
    return _stepped(cells, steps, better, spacing)


def _stepped(cells: Cells, steps: Whole, turned: Bools, spacing: float) -> Cells:
    """Moved by so many steps; those on the same point merged, and two that would change places."""
    there = cells.points + steps
    if len(there) == 2 and there[1] < there[0]:  # all losses lie between two points
        return _combined(cells, np.ones(1, dtype=bool), spacing)
    excess = moved(cells.masses, cells.excess, steps, spacing)
    cells = Cells(there, cells.masses, excess, cells.turned | turned)
    return _combined(cells, np.zeros(len(steps) - 1, dtype=bool), spacing)


def _exchanged(cells: Cells, spacing: float) -> tuple[Floats, Floats, Floats]:
    """The mass of each after taking, and what it gives to the one above and to the one below."""
    points, p, excess, _ = cells
    d = np.where(np.abs(excess) <= SAME * p, 0.0, excess)
    gap = np.diff(points) * spacing
    from_next = np.append(np.maximum(-d[:-1], 0.0) / -np.expm1(-gap), 0.0)
    from_last = np.append(0.0, np.maximum(d[1:], 0.0) * np.exp(-gap) / -np.expm1(-gap))
    given_up, given_down = np.append(from_last[1:], 0.0), np.append(0.0, from_next[:-1])
    return p + from_next + from_last, given_up, given_down


def _looking_elsewhere(
    cells: Cells, have: Floats, given_up: Floats, given_down: Floats
) -> tuple[Whole, Bools]:
    """Steps to the other side, for those who ask too much, or nobody; and who has done it now."""
    _, p, d, turned = cells
    short = have - given_up - given_down < LEAST_KEPT * p
    no_next = np.append((short & (given_down >= given_up))[1:], False)
    no_last = np.append(False, (short & (given_down < given_up))[:-1])
    # what would join the first or the last one would have it leave its point
    joins = np.diff(cells.points) == 1
    no_next[1:2] &= ~joins[:1]
    no_last[-2:-1] &= ~joins[-1:]
    now = (no_next | no_last) & ~turned
    steps = np.where(now, no_last.astype(np.int64) - no_next, 0)
    # the first one has nobody below to take from, and the last one nobody above
    if d[0] > SAME * p[0]:
        steps[0] = 1
    if d[-1] < -SAME * p[-1]:
        steps[-1] = -1
    return steps, now


def _bent(points: Whole, masses: Floats, spacing: float) -> tuple[list[int], int | None]:
    """Points to leave out; and 0 or 1 if the first or the last point would have to be."""
    todo: list[int] = np.flatnonzero(masses < 0.0).tolist()
    out: list[int] = []
    if not todo:
        return out, None
    t, m = (points * spacing).tolist(), masses.tolist()
    last = len(m) - 1
    before, after = list(range(-1, last)), list(range(1, last + 2))
    while todo:
        j = todo.pop()
        if j in (0, last):
            return out, int(j == last)
        if not m[j] < 0.0:
            continue
        a, b = before[j], after[j]
        after[a], before[b] = b, a
        lower, upper = (float(share) for share in _shares(t[a], t[j], t[b]))
        m[a], m[b], m[j] = m[a] + m[j] * lower, m[b] + m[j] * upper, 0.0
        out.append(j)
        todo.extend(each for each in (a, b) if m[each] < 0.0)
    return out, None


def _remaining(
    points: Whole, masses: Floats, out: list[int], spacing: float
) -> tuple[Whole, Floats]:
    """The other points, and their masses with what was left out, each from one sum."""
    if not out:
        return points, masses
    kept = np.ones(len(points), dtype=bool)
    kept[out] = False
    at, gone = np.flatnonzero(kept), np.flatnonzero(~kept)
    above, t = np.searchsorted(at, gone), points * spacing
    lower, upper = _shares(t[at[above - 1]], t[gone], t[at[above]])
    left = masses[at]
    left += np.bincount(above, masses[gone] * upper, len(at))
    left += np.bincount(above - 1, masses[gone] * lower, len(at))
    there = left > 0.0
    return points[at[there]], left[there]


def _shares(low: Any, at: Any, high: Any) -> tuple[Any, Any]:
    """Which parts of a probability under P go to two points, so that Q's is kept, too."""
    whole = np.expm1(low - high)
    return np.exp(low - at) * np.expm1(at - high) / whole, np.expm1(low - at) / whole


def _combined(cells: Cells, joined: Bools, spacing: float) -> Cells:
    """Cells that are joined with the next one are merged, and so are those on the same point."""
    points, p, d, turned = cells
    group = np.concatenate([[0], np.cumsum(~joined)])
    start = np.flatnonzero(np.diff(group, prepend=-1))
    highest = np.maximum.reduceat(points, start)  # from where no loss below is lost
    rise = highest[group] - points
    if rise.max() * spacing > EXP_LIMIT:
        return Cells(points[:0], p[:0], d[:0], turned[:0])
    d = np.add.reduceat(moved(p, d, rise, spacing), start)
    p = np.add.reduceat(p, start)
    turned = np.logical_or.reduceat(turned, start)
    merged = np.diff(np.append(start, len(group))) > 1
    steps = np.rint(-np.log1p(np.where(merged, -d / p, 0.0)) / spacing).astype(np.int64)
    points, (p, d) = together(highest + steps, p, moved(p, d, steps, spacing))
    order = np.argsort(highest + steps, kind="stable")
    first = np.searchsorted((highest + steps)[order], points)
    return Cells(points, p, d, np.logical_or.reduceat(turned[order], first))


RELATIVE_ERROR = 3e-13
"""Both losses are those of a pair of distributions whose probabilities differ from the given ones
by at most this factor, under P and under Q: with k losses composed, delta(x) lies between
(1 - k r) delta_lower(x + 2 k r) and (1 + k r) delta_upper(x - 2 k r), to first order in r. Where
one loss stands for both directions it is more: the pair says how much."""

SPACING = Domain(1e-9, 1.0, advice="A spacing such as 1e-4 nats suits most uses.")
TOTAL = 1e-13  # how far from one probabilities may add up

ALIKE = 1e-3  # of h^2: how much two directions that are alike may differ


class Sided(NamedTuple):
    """Outcomes by the lattice point next to them, and the side of it on which they are."""

    sides: Whole
    masses: Floats
    excess: Floats

    @classmethod
    def of(cls, masses: Floats, losses: Floats, spacing: float) -> Sided:
        """Rows of outcomes that lie on the same side of the same point, each summed."""
        nearest = np.rint(losses[:, losses.shape[1] // 2] / spacing)
        away = losses - (nearest * spacing)[:, None]
        # a product and a difference: two roundings
        on = np.abs(away) <= SAME + 2.0 * ULP * np.abs(losses)
        split = on.any(axis=1) & ~on.all(axis=1)
        if split.any():  # some of a row lies on the point, and some beside it: one by one
            parts = [(masses[~split], losses[~split])]
            parts.append((masses[split].reshape(-1, 1), losses[split].reshape(-1, 1)))
            found = zip(*(cls.of(*part, spacing) for part in parts), strict=True)
            return cls(*map(np.concatenate, found))
        side = np.sign(away[:, losses.shape[1] // 2]).astype(np.int64)
        side[on[:, 0]] = 0
        excess = np.einsum("ij,ij->i", masses, -np.expm1(-away))
        excess[side == 0] = 0.0
        return cls(3 * nearest.astype(np.int64) + side, np.einsum("ij->i", masses), excess)


@final
@dataclass(frozen=True, eq=False)
class Outcomes:
    """Probabilities near the points of a lattice: on a point, above it and below it."""

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
    origin: float = 0.0

    @classmethod
    def of(
        cls,
        sided: Sided,
        spacing: float,
        only: tuple[float, float] = (0.0, 0.0),
        far: Floats | None = None,
        origin: float = 0.0,
    ) -> Outcomes:
        """Outcomes by the nearest point."""
        sides, (p, excess) = together(*sided)
        point = (sides + 1) // 3
        new = np.append(True, point[1:] > point[:-1])[: len(point)]
        points, at = point[new], np.cumsum(new) - 1
        sums = np.zeros((5, len(points)))
        for side, row in ((0, 0), (1, 1), (-1, 2)):
            some = np.flatnonzero(sides - 3 * point == side)
            sums[row, at[some]] = p[some]
            if side:
                sums[row + 2, at[some]] = np.abs(excess[some])
        on, above, below, rise, fall = sums
        # too rare for floats: raised to what they hold, which only brings P and Q closer
        far = np.maximum(np.zeros((0, 2)) if far is None else far, LEAST_NORMAL)
        return cls(spacing, points, on, above, below, rise, fall, *only, far, origin)

    def pair(self, label: str) -> LossPair:
        """Both directions at once: p and q of all that is touched are kept."""
        lower, upper = self.lower(), self.upper()
        shown = self.infinite, self.reverse_infinite  # `far` is possible under both
        tolerance = ALIKE * self.spacing**2
        below, above = mirrored(lower, tolerance, False), mirrored(upper, tolerance, True)
        if self.origin or below is None or above is None:
            back = (lower.reverse(), upper.reverse())
            return LossPair((lower, upper), back, True, label, RELATIVE_ERROR, shown)
        both = (below[0], above[0])
        blur = RELATIVE_ERROR + max(below[1], above[1])
        return LossPair(both, both, True, label, blur, (max(shown), max(shown)))

    def upper(self) -> AtomicLoss:
        """Dominates: each outcome is split between its two neighbors, or shows who it was."""
        to_next = self.rise / -np.expm1(-self.spacing)
        to_last = self.fall / np.expm1(self.spacing)
        stay = self.on + (self.above - to_next) + (self.below - to_last)
        points = np.concatenate([self.points, self.points + 1, self.points - 1])
        at, sums = together(points, np.concatenate([stay, to_next, to_last]))
        return self._loss(at, sums[0], *self.far.sum(axis=0))

    def lower(self) -> AtomicLoss:
        """Is dominated: cells around the points are merged, and take until they land."""
        points, (masses, excess) = together(*self._cells())
        points, masses = landed(points, masses, excess, self.spacing)
        if len(points) or not len(self.points):
            return self._loss(points, masses)
        return self._single()

    def _single(self) -> AtomicLoss:
        """All finite outcomes merged: they take from those that are impossible under P or Q."""
        masses = self.on + self.above + self.below
        under_q = np.exp(np.log(masses - self.rise + self.fall) - self._at(self.points))
        p = float(masses.sum() + self.far[:, 0].sum())
        q = float(under_q.sum() + self.far[:, 1].sum())
        point = np.floor((np.log(p / q) - self.origin) / self.spacing)
        other = p * np.exp(-self._at(point))
        if other - q < self.reverse_infinite:
            return self._loss(np.array([point]), np.array([p]), 0.0, float(q - other))
        point += 1.0
        other = q * np.exp(self._at(point))
        if other - p < self.infinite:
            return self._loss(np.array([point]), np.array([other]), float(p - other))
        return AtomicLoss.part([0.0], [1.0], 0.0, Lattice(0.0, self.spacing))

    def _cells(self) -> tuple[Whole, Floats, Floats]:
        """Points, probabilities and excesses of what is merged."""
        alone = self.on >= self.above + self.below
        next_to = np.diff(self.points) == 1
        alone_above = np.append(next_to & alone[1:], False)
        alone_below = np.append(False, next_to & alone[:-1])
        up = alone & (self.above > 0.0) & ~(alone_above & (self.points >= 0))
        down = alone & (self.below > 0.0) & ~(alone_below & (self.points <= 0))
        above, rise = np.where(up, 0.0, self.above), np.where(up, 0.0, self.rise)
        below, fall = np.where(down, 0.0, self.below), np.where(down, 0.0, self.fall)
        far_loss = np.log(self.far[:, 0]) - np.log(self.far[:, 1]) - self.origin
        far = np.rint(far_loss / self.spacing).astype(np.int64)
        far_excess = self.far[:, 0] * -np.expm1(far * self.spacing - far_loss)
        raised = moved(self.above[up], self.rise[up], 1, self.spacing)
        lowered = moved(self.below[down], -self.fall[down], -1, self.spacing)
        return (
            np.concatenate([self.points, self.points[up] + 1, self.points[down] - 1, far]),
            np.concatenate(
                [self.on + above + below, self.above[up], self.below[down], self.far[:, 0]]
            ),
            np.concatenate([rise - fall, raised, lowered, far_excess]),
        )

    def _at(self, points: Whole | Floats) -> Floats:
        return np.asarray(points * self.spacing + self.origin)

    def _loss(
        self, points: Whole | Floats, masses: Floats, shown: float = 0.0, reverse_shown: float = 0.0
    ) -> AtomicLoss:
        return AtomicLoss.part(
            self._at(points),
            masses,
            self.infinite + shown,
            Lattice(0.0, self.spacing),
            self.reverse_infinite + reverse_shown,
        )


FAINT_PROBABILITY = 1e-90  # that both directions may differ by: next to nothing


def mirrored(loss: AtomicLoss, tolerance: float, above: bool) -> tuple[AtomicLoss, float] | None:
    """One loss for both directions."""
    shown = (loss.infinite, loss.reverse_infinite)
    if loss.on is None or not max(shown) <= min(shown) * (1.0 + tolerance) + FAINT_PROBABILITY:
        return None
    places = np.rint(loss.losses / loss.on.spacing).astype(np.int64)
    opposite = np.minimum(np.searchsorted(places, -places), len(places) - 1)
    own = loss.masses
    other = np.where(places[opposite] == -places, loss.reverse_masses[opposite], 0.0)
    apart, least = np.abs(own - other), np.minimum(own, other)
    differ = apart > tolerance * least
    furthest = np.abs(places[differ]).min(initial=np.abs(places).max() + 1)
    core = np.abs(places) < furthest
    outside = float(max(own[~core].sum(), loss.reverse_masses[~core].sum()))
    if outside > FAINT_PROBABILITY or not core.any():
        return None
    off = apart[core] / np.maximum(least[core], np.finfo(float).tiny)
    both = max(shown) + outside if above else min(shown)
    one = AtomicLoss.part(
        loss.losses[core],
        loss.masses[core],
        both,
        loss.on,
        both,
        loss.reverse_masses[core],
    )
    return one, float(off.max())
