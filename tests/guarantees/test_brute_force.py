"""No answer of any guarantee is contradicted by a finite mechanism that keeps it."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest

from tests.guarantees.witnesses import GROWTHS, polygons, smooth, tails, violations
from tests.oracles import finite


def processed_both(pairs):
    """Two-sided tails after the best randomised post-processing, on the grid of growths."""
    best = [max(finite.merged_both(p, float(g)) for p in pairs) for g in GROWTHS[1:]]
    return np.array(best)


def check(kinds, seed, families, size, zeros):
    rng = random.Random(seed)
    wrong = []
    for _ in range(families):
        pairs = finite.ordered_pairs(finite.random_family(rng, size, zeros))
        both = processed_both(pairs)
        for guarantee in kinds(pairs, "replace-one"):
            wrong += violations(guarantee, pairs, both)
    assert not wrong, "\n".join(wrong[:10])


@pytest.mark.parametrize("seed", range(3))
def test_polygons_hold_for_every_pair(seed):
    """Pure, approximate, curves of points and f-DP: profile, power, level and all tails."""
    check(polygons, seed, 15, 2, True)


@pytest.mark.parametrize("seed", range(3))
def test_tail_guarantees_hold_for_every_pair(seed):
    """Probabilistic (raw and processed readings) and probabilistically bounded DP."""
    check(tails, 100 + seed, 15, 2, True)


@pytest.mark.parametrize("seed", range(3))
def test_smooth_guarantees_hold_for_every_pair(seed):
    """Gaussian, Rényi (one order, many orders) and concentrated DP."""
    check(smooth, 200 + seed, 3, 2, False)


def test_families_of_three_datasets_hold():
    """The same for the worst of all ordered pairs of three datasets."""
    check(polygons, 300, 10, 3, True)
    check(tails, 301, 10, 3, True)
    check(smooth, 302, 2, 3, False)


def test_merging_outcomes_never_passes_the_processed_tails():
    """The oracle itself: deterministic merging lies below the ray and the linear program."""
    rng = random.Random(7)
    for _ in range(60):
        pair = finite.random_family(rng, 2, True)
        for g in GROWTHS[1:6]:
            one, both = finite.merged_one(pair, g), finite.merged_both(pair, float(g))
            for groups in finite.partitions(list(range(len(pair[0])))):
                after = finite.merge(pair, groups)
                assert finite.tail_one(after, g) <= one
                assert float(finite.tail_both(after, g)) <= both + 1e-9


def test_merging_can_raise_a_tail_that_the_profile_lowers():
    """The example of the design page: .1 becomes .2 while the profile falls from .075 to .028."""
    pair = finite.distribution((10, 10, 80)), finite.distribution((1, 6, 93))
    g = Fraction(np.exp(0.9))
    after = finite.merge(pair, [[0, 1], [2]])
    assert [float(finite.tail_one(p, g)) for p in (pair, after)] == [0.1, 0.2]
    assert [round(float(finite.profile(p, g)), 3) for p in (pair, after)] == [0.075, 0.028]


def test_the_oracle_of_rates_of_renyi_agrees_with_two_coins():
    """The 50-digit divergence against its definition for a pair of coins, order by order."""
    pair = finite.distribution((3, 1)), finite.distribution((1, 1))
    for order in (1.5, 2.0, 7.0):
        direct = np.log(0.75**order * 0.5 ** (1 - order) + 0.25**order * 0.5 ** (1 - order))
        assert float(finite.renyi(pair, order)) == pytest.approx(direct / (order - 1), rel=1e-12)


def test_partitions_are_counted_by_bell():
    """Four outcomes can be merged in fifteen ways."""
    assert [len(list(finite.partitions(list(range(n))))) for n in range(1, 5)] == [1, 2, 5, 15]
    assert list(itertools.chain(*next(iter(finite.partitions([0, 1]))))) == [0, 1]
