"""The exact kernel of one pair, against all events and all randomized tests."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from dprisk.audit import FiniteMechanism, Growth, audit
from dprisk.audit.pairs import pair_of_rows
from dprisk.papers.constructions import four_outcomes
from dprisk.papers.on_numbers import on_numbers

TABLES = [
    FiniteMechanism([["3/4", "1/4"], ["1/4", "3/4"]]),
    FiniteMechanism([[0, 1], ["0.01", "0.99"]]),
    four_outcomes(Growth(2), "0.01").mechanism,
    FiniteMechanism(on_numbers(5, Fraction(1, 3), Fraction(1, 6)).rows[:2]),
    FiniteMechanism([["1/10", "1/10", "8/10"], ["1/100", "6/100", "93/100"]]),
]
GROWTHS = [Fraction(1), Fraction(3, 2), Fraction(2), Fraction(5)]


def events(table):
    """Both probabilities of every event, in both directions."""
    for first, second in itertools.permutations(table.rows):
        for size in range(len(first) + 1):
            for chosen in itertools.combinations(range(len(first)), size):
                yield (
                    sum((first[i] for i in chosen), Fraction(0)),
                    sum((second[i] for i in chosen), Fraction(0)),
                )


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("growth", GROWTHS)
def test_against_every_event(table, growth):
    exact = audit(table).exact
    assert exact.delta(growth).value == max(p - growth * q for p, q in events(table))
    merging = max([p for p, q in events(table) if p > growth * q], default=Fraction(0))
    raw, later = (exact.delta(growth, kind=kind).value for kind in ("pdp", "pbdp"))
    assert raw <= merging <= later


@pytest.mark.parametrize("table", TABLES)
def test_merged_tails_against_randomized_events(table):
    """An event that takes each output with some probability, on a grid of them."""
    growth = Fraction(3, 2)
    most = audit(table).exact.delta(growth, kind="pbdp").value
    shares = [Fraction(n, 4) for n in range(5)]
    best = Fraction(0)
    for first, second in itertools.permutations(table.rows):
        for chosen in itertools.product(shares, repeat=len(first)):
            p = sum((s * x for s, x in zip(chosen, first, strict=True)), Fraction(0))
            q = sum((s * x for s, x in zip(chosen, second, strict=True)), Fraction(0))
            if p > growth * q:
                best = max(best, p)
    assert best <= most
    assert most - best <= Fraction(1, 4)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("epsilon", ["0", "0.4", "log(2)", "log(3)", "1.1"])
def test_bisection_counts_what_a_walk_finds(table, epsilon):
    """Rational and irrational growths alike: the conditions hold for a prefix of the outputs."""
    growth = Growth.of(epsilon)
    for p, q in itertools.permutations(table.rows):
        pair = pair_of_rows(p, q)
        assert sorted(pair.order) == [
            n for n, (a, b) in enumerate(zip(p, q, strict=True)) if a or b
        ]
        both = list(zip(pair.p, pair.q, strict=True))
        assert pair.beyond(growth) == sum(growth.exceeded(a, b) for a, b in both)
        assert len(both) - pair.below(growth) == sum(growth.exceeded(b, a) for a, b in both)
        sums = zip(pair.power[1:], pair.level[1:], strict=True)
        inside = [growth.sign(power, -level) >= 0 for power, level in sums]
        assert inside == sorted(inside, reverse=True)
        assert pair.merged(growth) == (sum(inside) if growth.exceeded(*both[0]) else 0)
