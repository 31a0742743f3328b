"""A risk profile kept with a probability: the failure is split anew at every pair of priors.

One step (in the data or not) may fail with d1, two steps (the value) with d2, where d1 + d2 is what
may fail in all (dprisk, Proposition 16).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from dprisk.budget.branch_and_bound import infimum
from dprisk.budget.profile import BoxLimit, Clause, Point, Profile, factor
from dprisk.errors import NotConverged
from dprisk.guarantees.base import Guarantee, Sides
from dprisk.risk.splits import LEAST, SHARES, Shifts, Splits, Tried, Weights, closer, splits_of

AT_HALF: Final = int(np.flatnonzero(SHARES == 0.5)[0])
ROUNDS: Final = 12
GAIN: Final = 1e-6  # relative: what another split must be good for
UP: Final = 1.0 + 1e-14  # shifts are divided and multiplied again: four roundings


def shift(
    profile: Profile, most: float, guarantee: Guarantee, failure: float, sides: Sides
) -> float:
    """E of Proposition 16: the profile is kept where it is at most `most`, what pure DP may have.

    It is `most`, times what the shifts are, over the largest multiple of them that keeps it.
    """
    splits = splits_of(guarantee, failure, sides)
    tried = Tried.of(splits)
    even = float(tried.larger[AT_HALF])
    if even == 0.0 or not 0.0 < most < np.inf:
        return even
    clauses = [_of_clause(clause, most, splits, tried) for clause in profile.clauses()]
    bounds, at = np.full(len(clauses), np.inf), 0
    while (lower := next(clauses[at], None)) is not None:  # only what binds is looked at closer
        bounds[at] = lower
        at = int(np.argmax(bounds))
    return min(even, float(bounds[at]))


def _of_clause(clause: Clause, most: float, splits: Splits, tried: Tried) -> Iterator[float]:
    """Bounds on E of one clause, falling, by as many splits as are good for something.

    One split for all priors where what is tolerated depends on more than the prior p q: there the
    search over both priors would take seconds for each split.
    """
    box, limits = clause.box, [each for each in clause.limits if isinstance(each, BoxLimit)]
    if box.p0 == 1.0:  # in the data for sure: nothing is asked about one step
        yield float(splits(np.zeros(1))[1][0]) / 2.0
        return
    unit = tried.unit
    if not all(each.by_prior for each in limits) or not 0.0 < unit < np.inf:
        yield unit if np.isfinite(tried.two[tried.even]) else np.inf
        return
    chosen, best, place = [tried.shifts(tried.even)], 0.0, (-1.0, -1.0)
    for _ in range(ROUNDS):
        try:
            found = infimum(box, limits, tuple(each.times(1.0 / unit) for each in chosen))
        except NotConverged:
            return
        if found.lower == np.inf:
            yield 0.0
            return
        gain, best = found.lower - best, max(found.lower, best)
        yield unit * most / best * UP if best > 0.0 else np.inf
        if gain <= GAIN * best or (found.p, found.q) == place:
            return
        place = found.p, found.q
        asked = [limit.at(*np.array(place)[:, None]) for limit in limits]

        def least(shifts: Shifts, asked: Sequence[Point] = asked) -> float:
            return max(float(factor(each, shifts)[0]) for each in asked)

        weights = Weights.at(*place, max(found.upper, LEAST) / unit, rising=True)
        tried, at, weights = closer(tried, splits, weights, least)
        more = tried.shifts(at)
        kept = max(weights.kept(each.one, each.two) for each in chosen)
        if weights.kept(more.one, more.two) <= kept * (1.0 + 1e-9):
            return
        chosen.append(more)
