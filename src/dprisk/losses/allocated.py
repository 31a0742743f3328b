"""The loss of normal noise on steps of which a record takes part in one, drawn at random.

With W the likelihood ratio of one step, that of all t is Y, the mean of t independent W: a lattice
for W, spread out or merged, makes one for Y on the safe side (dprisk Proposition 30).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.fft import next_fast_len
from scipy.special import log_ndtr, ndtri

from dprisk._numeric.lognormal import (
    Law,
    cells_of,
    end_of,
    least,
    merged,
    merged_between,
    spacing_to,
    spread_between,
    spread_out,
)
from dprisk._numeric.logspace import Floats
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import ULP, Lattice, Loss, LossPair
from dprisk.losses.lattice import RELATIVE_ERROR, Outcomes, Sided, together
from dprisk.losses.normal import NormalLoss
from dprisk.losses.powers import Enclosed, FewPoints, plus, summed

RARE = 1e-6  # chance that any W counts as large
RARER = 1e-9  # likewise, where large W are left out
OFTEN = 0.1  # likewise, for what small W are worth
STRONGEST = 6.0  # s: whoever sees the step learns nearly all
STRONG = 2.0  # s: W is hardly ever near its mean
FAINT = 1e-30  # probability of the least loss that does no harm
LOG_OFF = 1e-12  # relative error of the logarithm of a normal tail, and of its multiples
FARTHEST = 14.0  # deviations of W under the other normal: beyond, it is left out
FEW_TIMES = 4.0  # as far is near enough for one lattice
PLANNED = 800  # cells of a first look
MOST_POINTS = 2.0**20  # of the lattice of a sum
FEWEST = 2.0**12
SHARE = 850.0  # points for each deviation of W
LOSS_SHARE = 1024.0  # and for each of the loss
MOST_LOSSES = 2.0**19
COARSE = (2**17, 2**12)  # points of the sum of the others, beside one large W, and beside more
NEAR = 4.0  # times as large as the least large W: on a lattice
FAR = 400  # cells of one large W beyond
LARGE = 60  # and of each of several
GROUPS = 200  # points of the sum beside them
ENOUGH = 1e-45  # probability of so many large W that is left out
ROOM = 1.02
LEAST = 1e-60  # probability of a point; less is left out, or counts as outside


class _Lattices(NamedTuple):
    """The lattice of a sum; from where on W is large, and up to where it is looked at."""

    s: float
    steps: int
    large: float
    farthest: float
    spacing: float
    size: int


class _Points(NamedTuple):
    """Values, and their probabilities under Q; and how much of these may be left out."""

    y: Floats
    q: Floats
    outside: float = 0.0


@cache
def allocated(s: float, count: int, finer: float = 1.0, spacing: float = 0.0) -> LossPair:
    """Losses around that of the mean of so many W against 1, both directions at once."""
    if count == 1:
        return LossPair.known(NormalLoss(s))
    if s > STRONGEST:  # no more than if the step were known, no less than the sum of all steps
        # a root, a quotient and a product: three roundings
        ends = NormalLoss(s / math.sqrt(count) * (1.0 - 4.0 * ULP)), NormalLoss(s)
        return LossPair(ends, ends)
    plan = _planned(s, count, finer)
    spacing = spacing or spacing_of(s, count) / finer
    below, _ = _laid(_below(plan), spacing)
    lower = Outcomes.of(below, spacing).lower()
    upper = other = _dominating(plan, spacing)
    if s > STRONG:  # what is small counts in one direction, and what is large in the other
        other = _dominating(_planned(s, count, finer, OFTEN), spacing)
        if other.reverse_masses[0] > FAINT:
            other = _largest_alone(s, count, spacing)
    return LossPair(
        (lower, upper),
        (lower.reverse(), other.reverse()),
        relative_error=RELATIVE_ERROR + count * _off(s),
        shown=(0.0, 0.0),
    )


@cache
def allocated_to_several(s: float, count: int, uses: int) -> LossPair:
    """Losses around that of so many different steps: with one of each of as many blocks above.

    Below, the output is the sum of a lattice's W, whose law is known with and without the record.
    """
    sizes = {count // uses: uses - count % uses, count // uses + 1: count % uses}
    spacing = spacing_of(s, count // uses) if count >= 2 * uses else 0.0
    blocks = [(allocated(s, each, 1.0, spacing), n) for each, n in sizes.items() if n]
    # a root and two products: three roundings
    above = NormalLoss(s * math.sqrt(uses) * (1.0 + 4.0 * ULP))
    lower = _of_sum(s, count, uses, spacing or spacing_of(s, count))
    still = AtomicLoss.of([0.0], [1.0], reverse_masses=[1.0])

    def repeated(times: int, alone: bool) -> tuple[tuple[LossPair, int], ...]:
        silent = [(_with_lower(pair, (still, still)), n) for pair, n in blocks]
        (pair, first), rest = silent[0], silent[1:]
        found = [(_with_lower(pair, lower), times), (pair, (first - 1) * times)]
        found += [(other, n * times) for other, n in rest]
        return tuple((each, n) for each, n in found if n)

    forward, backward = (lower[0], above), (lower[1], above)
    blur = RELATIVE_ERROR + count * _off(s)
    return LossPair(forward, backward, False, relative_error=blur, repeated=repeated)


def _with_lower(pair: LossPair, lower: tuple[Loss, Loss]) -> LossPair:
    forward, backward = (lower[0], pair.forward[1]), (lower[1], pair.backward[1])
    return replace(pair, forward=forward, backward=backward, own=False)


def _of_sum(s: float, count: int, uses: int, spacing: float) -> tuple[Loss, Loss]:
    """The losses of the sum of all W, if none is large: dominated by those of the steps."""
    plan = _planned(s, count, 1.0, RARER)
    law = merged(s, plan.spacing, math.ceil(plan.large / plan.spacing))
    if law is None:
        # a root, a quotient and two products: four roundings
        one = NormalLoss(s * uses / math.sqrt(count) * (1.0 - 4.0 * ULP))
        return one, one
    w = law.origin + law.spacing * np.arange(len(law.masses))
    under_q = summed(law.masses, count, plan.size)
    others = summed(law.masses, count - uses, plan.size)
    under_p = plus(summed(law.masses * w, uses, plan.size), others)
    first = max(under_q.first, under_p.first)
    last = min(each.first + len(each.above) for each in (under_q, under_p))
    q_low, q_high = _cut_to(under_q, first, last)
    p_low, p_high = _cut_to(under_p, first, last)
    return _ratios(p_low, q_high, spacing), _ratios(q_low, p_high, spacing)


def _cut_to(found: Enclosed, first: int, last: int) -> tuple[Floats, Floats]:
    some = slice(first - found.first, last - found.first)
    return found.below[some], found.above[some]


def _ratios(least_one: Floats, other: Floats, spacing: float) -> AtomicLoss:
    """The loss of outcomes with at least the one probability under P, and at most the other."""
    there = (least_one > LEAST) & (other > LEAST)
    laid, _ = _laid([_Points(least_one[there] / other[there], other[there])], spacing)
    return Outcomes.of(laid, spacing).lower()


def _dominating(plan: _Lattices, spacing: float) -> AtomicLoss:
    above, outside = _laid(_above(plan), spacing)
    cut = min(outside + _too_large(plan), 1.0)
    return Outcomes.of(above, spacing, (cut, cut)).upper()


def _largest_alone(s: float, count: int, spacing: float) -> AtomicLoss:
    """Dominates against P: Y is no less than its largest W by the number of them."""
    reach = FARTHEST * s + s * s / 2.0 + math.log(count)
    places = np.arange(-math.ceil(reach / spacing), math.ceil(reach / spacing) + 1)
    loss = places * spacing
    log_below = count * log_ndtr((loss + math.log(count) + s * s / 2.0) / s)
    under_q = np.exp(log_below[1:]) * -np.expm1(log_below[:-1] - log_below[1:])
    under_q[0] = math.exp(log_below[1])
    under_q = np.append(under_q, -math.expm1(log_below[-1]))
    under_p = under_q * np.exp(loss)
    return AtomicLoss.part(
        loss, under_p, 1.0, Lattice(0.0, spacing), LEAST, under_q * (1.0 + count * LOG_OFF)
    )


def _off(s: float) -> float:
    """Relative error of the masses of one W: roundings of a logarithm, of its square up to 20^2,
    and of an exponential."""
    return 4.0 * ULP * (8.0 + 20.0 * (1.0 + s) / s)


def _planned(s: float, count: int, finer: float, rare: float = RARE) -> _Lattices:
    farthest = math.exp(s * s / 2.0 + FARTHEST * s)
    large = math.exp(-s * s / 2.0 - s * float(ndtri(rare / count)))
    large = farthest if farthest <= FEW_TIMES * large else large
    edges = np.geomspace(max(least(s), large * 1e-26), large, PLANNED)
    about = FewPoints.between(edges, *cells_of(s, edges))
    window = about.window(count)
    span = max(window.last - window.first, large - float(edges[0])) * ROOM
    mean = float((about.masses * about.at).sum())
    deviation = math.sqrt(float((about.masses * np.square(about.at - mean)).sum()))
    wanted = min(max(span * SHARE * finer / deviation, FEWEST), MOST_POINTS * finer)
    size = next_fast_len(int(wanted), real=True)
    return _Lattices(s, count, large, farthest, span / size, size)


def spacing_of(s: float, count: int) -> float:
    """The spacing of the loss: a share of the deviation of log Y."""
    deviation = min(math.sqrt(math.expm1(min(s * s, 50.0)) / count), s)
    reach = 2.0 * FARTHEST * s + s * s
    wanted = max(deviation / LOSS_SHARE, reach / MOST_LOSSES, 2e-9)
    return float(min(2.0 ** math.floor(math.log2(wanted)), 0.25))


def _too_large(plan: _Lattices) -> float:
    """Probability under P, or Q, that some W is larger than what is looked at; at most."""
    z = (math.log(plan.farthest) - plan.s**2 / 2.0) / plan.s
    return (1.0 + plan.steps) * math.exp(-z * z / 2.0) + 1e-300


def _above(plan: _Lattices) -> Iterator[_Points]:
    """Values of Y, spread out so that they dominate, by the number of large W."""
    s, count, start = plan.s, plan.steps, least(plan.s)
    law = spread_out(s, plan.spacing, math.ceil((plan.large - start) / plan.spacing))
    yield _mean(_points_of(summed(law.masses, count, plan.size), law, count, True), count)
    if law.end >= plan.farthest:
        return
    cells = _cells(plan, law.end, 1)
    coarse = spread_out(s, (law.end - start) / cells, cells)
    near = spread_between(s, law.end, coarse.spacing, _near(law.end, coarse.spacing))
    yield from _beside_one(plan, coarse, near, True)
    chance, other = (float(each[0]) for each in cells_of(s, np.array([law.end, np.inf])))
    edges = np.geomspace(law.end, plan.farthest, LARGE + 1)
    one = large = _spread(edges, *cells_of(s, edges))
    for n in range(2, count + 1):
        ways = math.comb(count, n) * chance ** (n - 1)
        left_out = ways * (n / count * other + chance)
        if left_out < ENOUGH:
            yield _Points(np.zeros(0), np.zeros(0), left_out)
            return
        large = _regrouped(n * edges, _plus(large, one))
        cells = _cells(plan, law.end, n)
        coarse = spread_out(s, (law.end - start) / cells, cells)
        rest = _sum_of(coarse, count - n, COARSE[1], True)
        found = _plus(_regrouped(_groups(rest), rest), large)
        yield _mean(found._replace(q=found.q * math.comb(count, n)), count)


def _below(plan: _Lattices) -> Iterator[_Points]:
    """Values of Y, merged so that it dominates them; with more than two large W, left out."""
    s, count, cells = plan.s, plan.steps, math.ceil(plan.large / plan.spacing)
    end, few = end_of(s, plan.spacing, cells), _cells(plan, plan.large, 1)
    near = spacing_to(s, end, few)
    gap = (plan.spacing + near) / 2.0 if plan.large < plan.farthest else 0.0
    law = merged(s, plan.spacing, cells, gap)
    if law is None:
        return
    found = summed(law.masses, count, plan.size)
    yield _mean(_points_of(found, law, count, False), count)
    if not gap:
        return
    large = merged_between(s, law.end, near, _near(law.end, near), law.lent)
    coarse = merged(s, near, few)
    if coarse is None or large is None:
        return
    yield from _beside_one(plan, coarse, large, False)
    cells = _cells(plan, law.end, 2)
    coarse = merged(s, spacing_to(s, law.end, cells), cells)
    if coarse is not None:
        one = _merged_cells(s, np.geomspace(law.end + near, plan.farthest, LARGE + 1))
        rest = _sum_of(coarse, count - 2, COARSE[1], False)
        two = _plus(_merged(_groups(rest), rest), _plus(one, one))
        yield _mean(two._replace(q=two.q * math.comb(count, 2)), count)


def _beside_one(plan: _Lattices, coarse: Law, near: Law, above: bool) -> Iterator[_Points]:
    """One large W, near on the lattice of the others or far out, and the sum of the others."""
    s, count = plan.s, plan.steps
    others = summed(coarse.masses, count - 1, COARSE[0], False)
    both = plus(others, Enclosed(0, near.masses, near.masses, (0.0, 0.0)))
    masses = both.above if above else both.below
    places = (both.first + np.arange(len(masses))).astype(float)
    y = (count - 1) * coarse.origin + near.origin + coarse.spacing * places
    outside = sum(both.outside) * count * (1.0 + float(y[-1]))
    yield _mean(_Points(y, masses * count, outside), count)
    if near.end >= plan.farthest:
        return
    edges = np.geomspace(near.end, plan.farthest, FAR + 1)
    rest = _points_of(others, coarse, count - 1, above)
    if above:
        found = _plus(_regrouped(_groups(rest), rest), _spread(edges, *cells_of(s, edges)))
    else:
        found = _plus(_merged(_groups(rest), rest), _merged_cells(s, edges))
    yield _mean(found._replace(q=found.q * count, outside=found.outside * count), count)


def _cells(plan: _Lattices, end: float, large: int) -> int:
    """How many cells of one W suit the lattice of a sum beside so many large ones."""
    size = COARSE[min(large, len(COARSE)) - 1]
    return max(1, int(end / (plan.spacing * plan.size) * size / ROOM))


def _near(start: float, spacing: float) -> int:
    return max(1, int((NEAR - 1.0) * start / spacing))


def _merged_cells(s: float, edges: Floats) -> _Points:
    masses, means = cells_of(s, edges)
    there = masses > 0.0
    return _Points(means[there] / masses[there], masses[there])


def _mean(found: _Points, count: int) -> _Points:
    return found._replace(y=found.y / count)


def _sum_of(law: Law, count: int, size: int, above: bool) -> _Points:
    """The sum of so many; what is outside the window counts at its end, with room for a mean."""
    if count == 0:
        return _Points(np.zeros(1), np.ones(1))
    return _points_of(summed(law.masses, count, size, False), law, count, above)


def _points_of(found: Enclosed, law: Law, count: int, above: bool) -> _Points:
    places = (found.first + np.arange(len(found.above))).astype(float)
    y = count * law.origin + law.spacing * places
    q = found.above if above else found.below
    there = q > 0.0
    return _Points(y[there], q[there], sum(found.outside) * (1.0 + float(y[-1])))


def _plus(one: _Points, two: _Points) -> _Points:
    """Sums of both."""
    y, q = np.add.outer(one.y, two.y), np.multiply.outer(one.q, two.q)
    return _Points(y.ravel(), q.ravel(), one.outside + two.outside)


def _spread(edges: Floats, masses: Floats, means: Floats) -> _Points:
    found = FewPoints.between(edges, masses, means)
    return _Points(found.at, found.masses)


def _groups(points: _Points) -> Floats:
    """Edges around the bulk of the points, and from there on outwards."""
    low, high, total = points.y[0], points.y[-1], points.q.sum()
    mean = (points.q * points.y).sum() / total
    deviation = math.sqrt((points.q * np.square(points.y - mean)).sum() / total)
    if not deviation > 0.0:
        return np.array([low, max(high, math.nextafter(low, math.inf))])
    start, stop = (math.asinh((end - mean) / deviation) for end in (low, high))
    edges = mean + deviation * np.sinh(np.linspace(start, stop, GROUPS))
    edges[[0, -1]] = low, high
    return np.unique(edges)


def _sums_between(edges: Floats, points: _Points) -> tuple[Floats, Floats]:
    """Masses between edges, and their means times the masses."""
    place = np.clip(np.searchsorted(edges, points.y, side="right") - 1, 0, len(edges) - 2)
    size = len(edges) - 1
    weights = points.q, points.q * (points.y - edges[place])
    whole, away = (np.bincount(place, each, size).astype(float) for each in weights)
    return whole, away


def _regrouped(edges: Floats, points: _Points) -> _Points:
    """FewPoints onto edges, with their mean."""
    masses, away = _sums_between(edges, points)
    right = np.clip(away / np.diff(edges), 0.0, masses)
    q = np.append(masses - right, 0.0)
    q[1:] += right
    return _Points(edges, q, points.outside)


def _merged(edges: Floats, points: _Points) -> _Points:
    """Merged between edges, at their mean."""
    masses, away = _sums_between(edges, points)
    there = masses > 0.0
    return _Points(edges[:-1][there] + away[there] / masses[there], masses[there])


def _laid(found: Iterable[_Points], spacing: float) -> tuple[Sided, float]:
    """Outcomes by the point next to their loss, and its side; and how much is outside."""
    parts, outside = [], 0.0
    for y, q, left_out in found:
        outside += left_out
        there = q * np.maximum(y, 1.0) > LEAST
        outside += LEAST * np.count_nonzero(~there)
        if not there.any():
            continue
        loss, under_p = np.log(y[there]), y[there] * q[there]
        nearest = np.rint(loss / spacing)
        away = loss - nearest * spacing
        sides = (3 * nearest + np.sign(away)).astype(np.int64)
        at = sides - sides.min()
        masses, excess = (np.bincount(at, each) for each in (under_p, -under_p * np.expm1(-away)))
        some = np.flatnonzero(masses)
        parts.append((some + sides.min(), masses[some], excess[some]))
    if not parts:
        return Sided(np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0)), outside
    points, sums = together(*(np.concatenate(each) for each in zip(*parts, strict=True)))
    return Sided(points, *sums), outside
