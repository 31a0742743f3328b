"""Testers of definitions: the known answers come out, and counterexamples are ones."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from dprisk import ApproxDP, ProbabilisticallyBoundedDP, ProbabilisticDP
from dprisk.audit import (
    Claim,
    FiniteMechanism,
    Growth,
    breaks_by_composition,
    breaks_by_mixing,
    breaks_by_processing,
)
from dprisk.audit.finite import both_of, mixture
from dprisk.errors import InvalidInput, Meaningless
from dprisk.papers.constructions import four_outcomes, not_convex, one_bit, two_responses
from tests.oracles import finite


def table(*rows, outputs=None):
    return FiniteMechanism(rows, datasets=["D1", "D2"], outputs=outputs)


def some(seed, count=4, size=3):
    """Random mechanisms on two datasets."""
    rng = random.Random(seed)
    made = []
    for _ in range(count):
        rows = [[rng.randint(0, 9) + (n == 0) for n in range(size)] for _ in range(2)]
        made.append(table(*[[Fraction(n, sum(row)) for n in row] for row in rows]))
    return made


PDP = Claim.at("pdp", 1, "0.1")
PBDP = Claim.at("pbdp", "1.01", "0.02")
ADP = Claim.at("adp", 1, "0.1")
SAMPLE = [
    table(*four_outcomes(1, "0.1").mechanism.exact()),
    table(*one_bit(1).mechanism.exact()),
    *not_convex().parts,
    *some(1),
]


def test_probabilistic_dp_does_not_survive_processing():
    found = breaks_by_processing(PDP, SAMPLE)
    shown = found
    assert found.found and str(found).startswith("one-sided (1, 0.1)-PDP does not survive: the map")
    assert PDP.holds(shown.mechanisms[0]) and not PDP.holds(shown.result)
    assert shown.map.apply(shown.mechanisms[0]).exact().tolist() == shown.result.exact().tolist()


def test_a_coin_breaks_what_no_deterministic_map_does():
    """The merged pair keeps it, a share of an output with the bad one does not."""
    made = table(["0.2", "0.8", "0"], ["0.05", "0.9", "0.05"])
    wanted = Claim.at("pdp", Growth(2), "0.2")
    assert wanted.holds(made)
    found = breaks_by_processing(wanted, [made])
    shown = found
    assert max(len(parts) for parts in shown.map.sends.values()) > 1
    assert not wanted.holds(shown.result)
    assert shown.map.apply(made).exact().tolist() == shown.result.exact().tolist()


@pytest.mark.parametrize("promise", [ADP, PBDP, Claim.at("adp", 1)])
def test_adp_and_pbdp_survive_processing(promise):
    found = breaks_by_processing(promise, SAMPLE)
    assert not found.found
    assert str(found).startswith(f"No counterexample found for {promise}: all ")
    assert "deterministic maps" in found.searched


def test_pbdp_does_not_survive_mixing():
    """P1, Example 5.6, with a weight of one half."""
    found = breaks_by_mixing(
        ProbabilisticallyBoundedDP(1.01, 0.02, neighbors="replace-one"), SAMPLE
    )
    shown = found
    assert found.found and shown.weight == Fraction(1, 2)
    growth = Growth.of("1.01").near(20)
    pair = tuple(tuple(row) for row in shown.result.exact())
    worst = max(finite.merged_one(each, growth) for each in (pair, pair[::-1]))
    assert worst > Fraction(2, 100)


@pytest.mark.parametrize("seed", range(2))
def test_adp_passes_all(seed):
    sample = [*SAMPLE, *some(seed)]
    promise = ApproxDP(1.0, 0.25, neighbors="replace-one")
    for test in (breaks_by_processing, breaks_by_mixing, breaks_by_composition):
        found = test(promise, sample)
        assert not found.found and "No counterexample" in str(found)


def test_raw_tails_survive_mixing_that_tells():
    """The loss of a mixture that tells which was run is the mixture of losses."""
    raw = ProbabilisticDP(1.0, 0.1, sides="one", neighbors="replace-one")
    parts = [part for seed in range(4) for part in some(seed)]
    told = [
        table(*part.exact(), outputs=[f"{n}:{y}" for y in part.outputs])
        for n, part in enumerate(parts)
    ]
    assert not breaks_by_mixing(raw, told).found


def test_raw_tails_do_not_survive_mixing_that_does_not_tell():
    """The same outputs under both: what was bad in one is merged with what is borderline."""
    one = table(["0.1", "0.9"], ["0", "1"], outputs=["a", "b"])
    g = Growth.of(1).near(20)
    p = 1 / (1 + g)
    other = table([1 - p, p], [p, 1 - p], outputs=["a", "b"])
    assert PDP.holds(one) and PDP.holds(other)
    found = breaks_by_mixing(PDP, [one, other])
    assert found.found and len(found.result.outputs) == 2


def test_composition_at_the_same_numbers_fails():
    """Two randomized responses: twice the loss, so the promise of one is not kept."""
    made = one_bit(1).mechanism
    kept = breaks_by_composition(Claim.at("adp", 1), [made])
    assert not kept.found and kept.kept.name == "(2, 0)-ADP"
    lost = breaks_by_composition(Claim.at("adp", 1), [made], kept=Claim.at("adp", "1.5"))
    assert lost.found
    assert str(lost) == "(1, 0)-ADP does not survive: the two together breaks (1.5, 0)-ADP."


def test_predicates_need_to_say_what_two_keep():
    never = Claim("given", (), lambda p, q: True, "anything")
    with pytest.raises(Meaningless, match="kept"):
        breaks_by_composition(never, SAMPLE)
    assert not breaks_by_composition(never, SAMPLE, kept=never).found
    lost = breaks_by_processing(lambda p, q: len(p) > 2, SAMPLE)
    assert lost.found


def test_what_does_not_have_it_is_passed_over():
    bad = table(["0.9", "0.1"], ["0.1", "0.9"])
    found = breaks_by_processing(PDP, [bad])
    assert not found.found
    assert found.searched == "nothing of 0 mechanisms with the property (1 without it passed over)"


def test_combining():
    """P1, Example 4.9 is a composition; mixtures add up, apart or together."""
    bit = one_bit(Growth(3)).mechanism
    both = both_of(bit, bit)
    assert (
        both.exact().tolist()
        == two_responses(Growth(3)).mechanism.exact()[:, [0, 1, 2, 3]].tolist()
    )
    again = mixture(bit, bit, "0.3")
    assert again.outputs == bit.outputs and again.exact().tolist() == bit.exact().tolist()
    assert len(mixture(bit, bit, "0.3", tells=True).outputs) == 4
    with pytest.raises(InvalidInput, match="same datasets"):
        both_of(bit, table(["1", "0"], ["0", "1"]))
