"""Shuffled responses against every table of counts, whatever the others answer."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

from dprisk.composition import compose
from dprisk.errors import InvalidInput
from dprisk.mechanisms import RandomizedResponse, ShuffledResponse, randomized_response

B: Any = {"neighbors": "replace-one"}
SHARES = np.array([0.0, 0.3, 0.6, 0.9])


def counts(epsilon, categories, truths):
    """Probability of each table of counts, report by report."""
    rare = 1.0 / (math.exp(epsilon) + categories - 1)
    found = {(0,) * categories: 1.0}
    for truth in truths:
        new: Counter[tuple[int, ...]] = Counter()
        for table, chance in found.items():
            for report in range(categories):
                grown = tuple(n + (i == report) for i, n in enumerate(table))
                new[grown] += chance * (math.exp(epsilon) * rare if report == truth else rare)
        found = new
    return found


def worst(epsilon, categories, people):
    """The largest delta over all answers of the others, and both directions."""
    best = np.zeros(len(SHARES))
    for others in itertools.combinations_with_replacement(range(categories), people - 1):
        p, q = (counts(epsilon, categories, (*others, own)) for own in (0, 1))
        for i, share in enumerate(SHARES):
            grown = math.exp(share * epsilon)
            best[i] = max(best[i], sum(max(p[each] - grown * q[each], 0.0) for each in p))
    return best


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
@pytest.mark.parametrize(("categories", "people"), [(2, 1), (2, 2), (2, 9), (3, 4), (4, 3)])
def test_every_table_of_counts(monkeypatch, epsilon, categories, people):
    known = worst(epsilon, categories, people)
    for exact in (48, 0):
        monkeypatch.setattr(randomized_response, "EXACT", exact)
        mechanism = ShuffledResponse(epsilon, people, categories, **B)
        low, high = (np.asarray(e) for e in mechanism.loss().delta(SHARES * epsilon).bracket)
        assert np.all(low <= known * (1.0 + 1e-9) + 1e-14)
        assert np.all(known <= high * (1.0 + 1e-12))
        assert np.all(known <= mechanism.guarantee().delta(SHARES * epsilon).value * (1.0 + 1e-12))
        if exact and categories == 2:
            assert high == pytest.approx(known, rel=1e-7) and np.all(low >= 0.7 * known - 1e-14)


@pytest.mark.parametrize(("epsilon", "people"), [(0.772, 2), (1.0, 2), (0.1, 5), (2.0, 8)])
def test_no_single_pair_has_the_power_of_the_hull(epsilon, people):
    """The lower end is below the best test of one pair at each level, also between corners."""
    loss = ShuffledResponse(epsilon, people, **B).loss()
    for level in np.geomspace(1e-6, 0.9, 25):
        best = 0.0
        for truths in itertools.combinations_with_replacement((0, 1), people - 1):
            p, q = (counts(epsilon, 2, (*truths, own)) for own in (0, 1))
            best = max(best, power(p, q, level), power(q, p, level))
        low, high = loss.power(level).bracket
        assert low <= best * (1.0 + 1e-12) and best <= high * (1.0 + 1e-12)


def power(p, q, level):
    """The most telling tables first, the last one by a coin."""
    found = left = 0.0
    for each in sorted(p, key=lambda table: -p[table] / q[table]):
        if left + q[each] >= level:
            return found + p[each] * (level - left) / q[each]
        found, left = found + p[each], left + q[each]
    return 1.0


def test_few_and_many_people_agree():
    """The same 48 people, counted and by the reports made at random."""
    counted = ShuffledResponse(1.0, 48, **B).loss().epsilon(1e-4).bracket
    more = ShuffledResponse(1.0, 49, **B).loss().epsilon(1e-4).bracket
    assert more[0] <= counted[1] * 1.01 and counted[0] <= more[1] * 1.01


@pytest.mark.parametrize(
    ("people", "epsilon", "categories"), [(1000, 1.0, 2), (10_000, 1.0, 10), (10**6, 4.0, 2)]
)
def test_brackets_of_many_people(people, epsilon, categories):
    loss = ShuffledResponse(epsilon, people, categories, **B).loss()
    low, high = loss.epsilon(1e-6).bracket
    assert 0.0 < low < high < 0.2 * epsilon
    assert loss.epsilon(0.0).value == pytest.approx(epsilon, rel=1e-6)
    fewer = ShuffledResponse(epsilon, people // 10, categories, **B).loss().epsilon(1e-6).value
    assert high < fewer


def test_several_shuffles():
    """All others answer the same twice: at most what two worst cases tell together."""
    epsilon, people = 1.0, 6
    whole = compose([ShuffledResponse(epsilon, people, **B)], [2]).guarantee
    p, q = (counts(epsilon, 2, (*(1,) * 5, own)) for own in (0, 1))
    known = np.zeros((2, len(SHARES)))
    for one, two in itertools.product(p, repeat=2):
        known[0] += np.maximum(p[one] * p[two] - np.exp(SHARES) * q[one] * q[two], 0.0)
        known[1] += np.maximum(q[one] * q[two] - np.exp(SHARES) * p[one] * p[two], 0.0)
    known = known.max(axis=0)
    low, high = (np.asarray(end) for end in whole.delta(SHARES).bracket)
    assert np.all(low <= known * (1.0 + 1e-8)) and np.all(known <= high)
    assert np.all(high > np.asarray(ShuffledResponse(1.0, 6, **B).loss().delta(SHARES).value))


def test_ends():
    alone = ShuffledResponse(1.0, 1, 5, **B)
    assert alone.guarantee() == RandomizedResponse(1.0, 5, **B).guarantee()
    assert ShuffledResponse(0.0, 10, **B).loss().delta(0.0).value == 0.0
    for wrong in ({"people": 0}, {"epsilon": -1.0}, {"epsilon": 31.0}, {"categories": 1}):
        with pytest.raises(InvalidInput, match=next(iter(wrong))):
            ShuffledResponse(**{"epsilon": 1.0, "people": 10, **wrong}, **B)
    with pytest.raises(InvalidInput, match="neighbors"):
        ShuffledResponse(1.0, 10, neighbors="add-remove")
