"""Pairs in exact fractions, against all events and all randomized tests."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from dprisk.papers.p2 import response
from dprisk.papers.p4 import four_outputs
from dprisk.papers.pairs import loss_above, loss_above_merged, merged, profile

PAIRS = [
    ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4))),
    ((Fraction(0), Fraction(1)), (Fraction(1, 100), Fraction(99, 100))),
    four_outputs(Fraction(2), Fraction(1, 100)),
    response(5, Fraction(1, 3)),
    (
        (Fraction(1, 10), Fraction(1, 10), Fraction(8, 10)),
        (Fraction(1, 100), Fraction(6, 100), Fraction(93, 100)),
    ),
]


def events(pair):
    """Both probabilities of every event, in both directions."""
    for first, second in (pair, pair[::-1]):
        for size in range(len(first) + 1):
            for chosen in itertools.combinations(range(len(first)), size):
                yield (
                    sum((first[i] for i in chosen), Fraction(0)),
                    sum((second[i] for i in chosen), Fraction(0)),
                )


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("growth", [Fraction(1), Fraction(3, 2), Fraction(2), Fraction(5)])
def test_against_every_event(pair, growth):
    assert all(sum(side) == 1 for side in pair)
    assert profile(pair, growth) == max(p - growth * q for p, q in events(pair))
    merging = max([p for p, q in events(pair) if p > growth * q], default=Fraction(0))
    assert loss_above(pair, growth) <= merging <= loss_above_merged(pair, growth)


@pytest.mark.parametrize("pair", PAIRS)
def test_merged_tails_against_randomized_events(pair):
    """An event that takes each output with some probability, on a grid of them."""
    growth = Fraction(3, 2)
    most = loss_above_merged(pair, growth)
    shares = [Fraction(n, 4) for n in range(5)]
    best = Fraction(0)
    for first, second in (pair, pair[::-1]):
        for chosen in itertools.product(shares, repeat=len(first)):
            p = sum((s * x for s, x in zip(chosen, first, strict=True)), Fraction(0))
            q = sum((s * x for s, x in zip(chosen, second, strict=True)), Fraction(0))
            if p > growth * q:
                best = max(best, p)
    assert best <= most
    assert most - best <= Fraction(1, 4)


def test_merging_outputs():
    assert merged(PAIRS[2], [[0, 3], [1], [2]])[0][0] == Fraction(1, 100)
    assert merged(PAIRS[0], [[0, 1]]) == ((Fraction(1),), (Fraction(1),))
