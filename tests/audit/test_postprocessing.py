"""Maps that break a definition: against all set partitions, and against the direct value."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dprisk.audit import (
    Claim,
    ExactAudit,
    FiniteMechanism,
    Growth,
    NeighborRelation,
    breaking_map,
    postprocessing,
    worst_map,
)
from dprisk.audit.postprocessing import OutputMap
from dprisk.errors import InvalidInput, Meaningless, OutOfRange
from dprisk.papers.constructions import four_outcomes
from tests.audit import subsets
from tests.oracles import finite

GROWTHS = (Fraction(11, 10), Fraction(3, 2), Fraction(4))
SEEDS = range(16)
PDP = {"one": "pdp", "both": "pdp-both"}


def pairs_of(made):
    return list(itertools.permutations([tuple(row) for row in made.exact()], 2))


def tail_of(pair, growth, sides):
    return finite.tail_one(pair, growth) if sides == "one" else finite.tail_both(pair, growth)


def fewest_merged(made, growth, delta, sides):
    """By every partition: the fewest outputs in groups of two or more that break it, or None."""
    best = None
    for groups in finite.partitions(list(range(len(made.outputs)))):
        merged = sum(len(group) for group in groups if len(group) > 1)
        if best is not None and merged >= best:
            continue
        after = (finite.merge(pair, groups) for pair in pairs_of(made))
        if any(tail_of(pair, growth, sides) > delta for pair in after):
            best = merged
    return best


def small(seed):
    """A random mechanism, a growth, and a delta that it barely keeps."""
    rng = random.Random(seed)
    made, growth = subsets.mechanism(rng), rng.choice(GROWTHS)
    sides = rng.choice(("one", "both"))
    least = max(tail_of(pair, growth, sides) for pair in pairs_of(made))
    delta = min(Fraction(1), least * rng.choice((1, Fraction(21, 20), Fraction(3, 2))))
    return made, growth, delta, sides


@pytest.mark.parametrize("seed", SEEDS)
def test_smallest_map_is_that_of_all_partitions(seed):
    made, growth, delta, sides = small(seed)
    found = breaking_map(made, Claim.at(PDP[sides], Growth(growth), delta))
    expected = fewest_merged(made, growth, delta, sides)
    assert found.complete
    if expected is None:
        assert found.map is None and found.after is None and found.merged == ()
        return
    assert len(found.merged) == expected
    before, after = found.tails()
    assert before <= delta < after
    rows = dict(zip(made.datasets, made.exact(), strict=True))
    names = list(made.outputs)
    groups = [
        [names.index(o) for o, (new,) in found.map.sends.items() if new == target]
        for target in {new for (new,) in found.map.sends.values()}
    ]
    groups += [[n] for n, name in enumerate(names) if name not in found.map.sends]
    pair = finite.merge((tuple(rows[found.first]), tuple(rows[found.second])), groups)
    assert tail_of(pair, growth, sides) == after


def test_maps_are_found_and_missed():
    """The sample above has both, on either side: it would not be a test otherwise."""
    seen = {
        (sides, breaking_map(made, Claim.at(PDP[sides], Growth(g), d)).map is None)
        for made, g, d, sides in map(small, SEEDS)
    }
    assert seen == {("one", True), ("one", False), ("both", True), ("both", False)}


@pytest.mark.parametrize("seed", range(12))
def test_search_over_all_maps_meets_pbdp(seed):
    """Every set of outputs, and one of which a share joins: their supremum is the direct value."""
    made, growth, _, _ = small(seed)
    direct = ExactAudit(made, NeighborRelation.all_pairs(made)).delta(growth, kind="pbdp").value
    assert subsets.bounded(pairs_of(made), growth) == direct
    found = worst_map(made, Growth(growth), within="1e-6")
    assert found.supremum == (direct, direct)
    if direct == 0:
        assert found.map is None and found.reached == 0
        return
    assert found.reached <= direct
    assert found.reached >= direct * (1 - Fraction(2, 10**6))
    rows = dict(zip(made.datasets, found.map.apply(made).exact(), strict=True))
    after = tuple(rows[found.first]), tuple(rows[found.second])
    assert finite.tail_one(after, growth) == found.reached


@pytest.mark.parametrize("seed", range(12))
def test_deterministic_maps_stay_below_pbdp(seed):
    """They come closer when each output is split into more and more equal parts."""
    made, growth, _, _ = small(seed)
    pairs = pairs_of(made)
    if all(finite.tail_one(pair, growth) == 0 for pair in pairs):
        return
    direct = max(finite.merged_one(pair, growth) for pair in pairs)
    best = max(
        finite.tail_one(finite.merge(pair, groups), growth)
        for pair in pairs
        for groups in finite.partitions(list(range(len(made.outputs))))
    )
    assert best <= direct
    assert best >= max(finite.tail_one(pair, growth) for pair in pairs)


def test_pbdp_of_a_ray_that_ends_at_a_corner():
    """P(y1, y2) = 2 Q(y1, y2) exactly: all of it is the supremum, and never reached."""
    made = FiniteMechanism([["0.3", "0.1", "0.6"], ["0.1", "0.1", "0.8"]])
    found = worst_map(made, Growth(2))
    assert found.supremum[1] == Fraction(4, 10)
    assert Fraction(4, 10) * (1 - Fraction(1, 10**8)) < found.reached < Fraction(4, 10)


def test_pbdp_at_an_irrational_growth():
    made = FiniteMechanism([["0.3", "0.1", "0.6"], ["0.1", "0.2", "0.7"]])
    low, high = worst_map(made, "0.5").supremum
    growth = Fraction(np.exp(0.5))
    pair = tuple(tuple(row) for row in made.exact())
    assert low <= high <= low * (1 + Fraction(1, 10**50))
    assert float(high) == pytest.approx(float(finite.merged_one(pair, growth)), rel=1e-12)


MASSES = st.lists(st.integers(0, 30), min_size=2, max_size=6).filter(any)


@given(data=st.data(), growth=st.sampled_from([Fraction(1), *GROWTHS]))
@settings(max_examples=25, deadline=None)
def test_no_map_raises_the_delta_of_approximate_dp(data, growth):
    """Deterministic or with coins: the profile after a map is never above the one before."""
    first = data.draw(MASSES)
    second = data.draw(
        st.lists(st.integers(0, 30), min_size=len(first), max_size=len(first)).filter(any)
    )
    rows = [[Fraction(n, sum(row)) for n in row] for row in (first, second)]
    made = FiniteMechanism(rows)
    sends = {}
    for output in made.outputs:
        weights = data.draw(st.lists(st.integers(0, 4), min_size=3, max_size=3).filter(any))
        sends[output] = {
            f"z{n}": Fraction(weight, sum(weights)) for n, weight in enumerate(weights) if weight
        }
    after = OutputMap(sends).apply(made)
    everyone = NeighborRelation.all_pairs
    before, later = (ExactAudit(table, everyone(table)).delta(growth) for table in (made, after))
    assert later.value <= before.value


@pytest.mark.parametrize("epsilon", ["0.1", "1", "5"])
@pytest.mark.parametrize("delta", ["0.2", "1e-6", "1e-300"])
def test_four_outcomes_are_merged_in_two(epsilon, delta):
    """P4, Theorem 1: delta before, delta + e^eps (1 - delta) / (1 + e^eps) after; ADP unmoved."""
    made = four_outcomes(epsilon, delta)
    found = breaking_map(made.mechanism, Claim.at("pdp", epsilon, delta))
    assert len(found.merged) == 2
    before, after = found.tails()
    growth = np.exp(float(epsilon))
    assert before == Fraction(delta)
    assert float(after) == pytest.approx(
        float(delta) + growth / (1 + growth) * (1 - float(delta)), rel=1e-9
    )
    b = Growth.of(epsilon).near(400)
    old, new = found.profile(b)
    assert new <= old


def test_what_does_not_survive_is_broken_by_its_own_map():
    made = four_outcomes(1, "0.1")
    for wanted in (made.keeps[0], made.keeps[1]):
        found = breaking_map(made.mechanism, wanted)
        assert found.map is not None and not wanted.holds(found.after)
    assert breaking_map(made.mechanism, made.keeps[2]).map is None


@pytest.mark.parametrize("seed", range(6))
def test_pbdp_and_adp_are_never_broken(seed):
    made, growth, _, _ = small(seed)
    pairs = pairs_of(made)
    promises = [
        Claim.at("pbdp", Growth(growth), max(finite.merged_one(pair, growth) for pair in pairs)),
        Claim.at("adp", Growth(growth), max(finite.profile(pair, growth) for pair in pairs)),
    ]
    for promise in promises:
        assert promise.holds(made)
        found = breaking_map(made, promise)
        assert found.map is None and found.complete
        assert found.searched.startswith("all ")


def test_many_outputs():
    """Forty outputs: the smallest map, and it is one."""
    rng = random.Random(5)
    rows = [[rng.randint(1, 50) for _ in range(40)] for _ in range(2)]
    made = FiniteMechanism([[Fraction(n, sum(row)) for n in row] for row in rows])
    pairs = pairs_of(made)
    for sides in ("one", "both"):
        delta = max(tail_of(pair, Fraction(8), sides) for pair in pairs)
        found = breaking_map(made, Claim.at(PDP[sides], Growth(8), delta))
        before, after = found.tails()
        assert found.complete and before <= delta < after
        assert len(found.merged) == 2


def test_a_search_that_is_cut_short_says_so(monkeypatch):
    monkeypatch.setattr(postprocessing, "MAPS", 3)
    made = FiniteMechanism([["0.2", "0.8", "0"], ["0.05", "0.9", "0.05"]])
    assert breaking_map(made, Claim.at("adp", 3)).complete
    search = breaking_map(made, Claim.at("pdp", Growth(2), "0.2"))
    assert search.map is None and not search.complete and "3 deterministic maps" in search.searched


def test_a_mechanism_that_never_kept_it_needs_no_map():
    made = FiniteMechanism([["0.9", "0.1"], ["0.1", "0.9"]])
    found = breaking_map(made, Claim.at("pdp", 1, "0.5"))
    assert found.map is not None and found.merged == ()
    assert found.tails() == (Fraction(9, 10), Fraction(9, 10))
    assert "itself" in found.searched


# --- P4, Theorem 2 -------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_probabilistic_dp_is_such_a_property(seed):
    """With the predicate P(S) <= b Q(S) on sets: the same answers as the definition itself."""
    made, growth, delta, _ = small(seed)
    masses = Claim.excepting(delta, lambda p, q: sum(p) <= growth * sum(q), name="ratio")
    direct = Claim.at("pdp", Growth(growth), delta)
    assert masses.holds(made) == direct.holds(made)
    if direct.holds(made):
        ours, known = breaking_map(made, masses), breaking_map(made, direct)
        assert (ours.map is None) == (known.map is None)
        assert len(ours.merged) == len(known.merged)


def second_moment(p, q):
    """Sum of P^2 / Q on a set of outputs, which is at most two."""
    return all(q) and sum(a * a / b for a, b in zip(p, q, strict=True)) <= 2


def test_theorem_2_needs_a_property_of_totals():
    """All four conditions of Definition 5 hold, and no map at all breaks the property."""
    p = Fraction(1, 100), Fraction(99, 200), Fraction(99, 200)
    q = Fraction(1, 10**6), Fraction(1, 2), Fraction(1, 2) - Fraction(1, 10**6)
    delta = Fraction(1, 100)
    made = FiniteMechanism([p, q])
    one_way = NeighborRelation.edges(made, [made.datasets], symmetric=False)
    bad, borderline = (0,), (1,)
    assert p[0] <= delta  # 1
    for size in (1, 2):  # 2
        for chosen in itertools.combinations((1, 2), size):
            assert second_moment([p[n] for n in chosen], [q[n] for n in chosen])
    both = bad + borderline
    assert not second_moment([p[n] for n in both], [q[n] for n in both])  # 3
    assert sum(p[n] for n in both) > delta  # 4
    wanted = Claim.excepting(delta, second_moment, name="limit on a second moment")
    assert wanted.holds(made, one_way)
    found = breaking_map(made, wanted, neighbors=one_way)
    assert found.map is None and found.complete
    merged = Fraction(101, 200) ** 2 / Fraction(500001, 10**6)
    assert merged < 2  # what T of the proof makes of them: the property holds


# --- approximate zCDP with a set of outputs as its event -----------------------------------------


def test_approximate_zcdp_tied_to_outputs_is_broken():
    """Randomized response at its exact rho, and a reveal with probability 0.1: two are merged."""
    made = four_outcomes(1, "0.1").mechanism
    rho = response_rho(1.0)
    wanted = Claim.concentrated(rho * (1 + 1e-6), delta="0.1")
    assert wanted.holds(made)
    assert not Claim.concentrated(rho * (1 - 1e-4), delta="0.1").holds(made)
    found = breaking_map(made, wanted)
    assert found.map is not None and len(found.merged) == 2
    assert not wanted.holds(found.after)


def response_rho(epsilon):
    """Least rho of randomized response, on a fine grid of orders."""
    p = np.exp(epsilon) / (1 + np.exp(epsilon))
    s = np.geomspace(1e-6, 1e4, 400_001)
    moment = s * epsilon + np.log(p + (1 - p) * np.exp(-(2 * s + 0) * epsilon))
    return float((moment / (s * (1 + s))).max())


@pytest.mark.parametrize("xi", [0.0, 0.3])
@pytest.mark.parametrize("seed", range(8))
def test_zcdp_is_decided_as_a_grid_of_orders_decides_it(seed, xi):
    rng = random.Random(seed)
    rows = [[rng.randint(1, 30) for _ in range(3)] for _ in range(2)]
    made = FiniteMechanism([[Fraction(n, sum(row)) for n in row] for row in rows])
    p, q = made.probabilities
    s = np.geomspace(1e-4, 1e4, 4001)[:, None]
    least = 0.0
    for a, b in ((p, q), (q, p)):
        loss = np.log(a / b)
        top = loss.max()
        moment = s[:, 0] * top + np.log((a * np.exp(s * (loss - top))).sum(axis=1))
        least = max(least, float(((moment / s[:, 0] - xi) / (1 + s[:, 0])).max()))
    if least > 0:
        assert Claim.concentrated(least * 1.001, xi=xi).holds(made)
        assert not Claim.concentrated(least * 0.999, xi=xi).holds(made)
    else:
        assert Claim.concentrated(1e-3, xi=xi).holds(made)


# --- bad input -----------------------------------------------------------------------------------


def test_maps_refuse_what_is_no_map():
    made = FiniteMechanism([["1/2", "1/2"], ["1/4", "3/4"]])
    with pytest.raises(InvalidInput, match="add up to 1"):
        OutputMap({"y1": {"a": "1/2", "b": "1/3"}})
    with pytest.raises(OutOfRange, match=r"\[0, 1\]"):
        OutputMap({"y1": {"a": 2, "b": -1}})
    with pytest.raises(InvalidInput, match="Did you mean"):
        OutputMap({"y3": "a"}).apply(made)
    with pytest.raises(Meaningless, match="no map"):
        breaking_map(made, Claim.at("adp", 1)).tails()
    with pytest.raises(Meaningless, match="no map"):
        breaking_map(made, Claim.at("adp", 2)).profile(2)
    with pytest.raises(InvalidInput, match="within"):
        worst_map(made, 1, within=1)


def test_coins_are_kept_apart_from_merges():
    toss = OutputMap({"y1": {"a": "1/4", "b": "3/4"}})
    assert str(toss) == "y1 → a (0.25) or b (0.75)"
    assert toss.to_dict() == {"y1": {"a": "0.25", "b": "0.75"}}
