"""Separations: every claim from first principles, and witnesses exactly where theory has them."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from dprisk import ApproxDP
from dprisk.audit import (
    Claim,
    FiniteMechanism,
    Growth,
    NeighborRelation,
)
from dprisk.errors import InvalidInput, Meaningless, NoConversion, NotConverged, OutOfRange
from dprisk.papers import erasure, separate, witness
from dprisk.papers.constructions import (
    Separation,
    four_outcomes,
    leaky,
    limited_difference,
    not_convex,
    one_bit,
)
from dprisk.papers.on_numbers import bounded_penalty, fixed_delta, response, under_penalty
from dprisk.papers.pdp_witness import SEPARATIONS, NoSeparation
from tests.oracles import finite

TWO: Any = "two"
NOT_ASKED: Any = ApproxDP
NUMBER: Any = 3
EXAMPLES = {
    "one-bit": {"epsilon": "0.5"},
    "leaky": {"count": 8},
    "four-outcomes": {"epsilon": 1, "delta": "1e-6"},
    "erasure": {"epsilon": 1, "delta": "1e-6", "failure": "1e-5"},
    "erasure-both": {"epsilon": 1, "delta": "1e-6", "failure": "1e-5"},
    "lemma-3-1": {
        "epsilon": "log(2)",
        "delta": "0.1",
        "beyond": "log(3)",
        "failure": "0.1",
        "count": 10,
        "p": "0.26",
    },
    "theorem-3-2": {"epsilon": 1, "delta": "0.1", "beyond": 2},
    "corollary-3-4": {"epsilon": "0.01", "delta": "0.1", "factor": 3, "beyond": "0.28"},
    "example-a-1": {"epsilon": 1, "delta": "0.01"},
    "example-4-9": {"epsilon": 1},
    "example-5-6": {},
}


def pairs_of(made):
    return list(itertools.permutations([tuple(row) for row in made.exact()], 2))


def most(made, f, *arguments):
    return max(f(pair, *arguments) for pair in pairs_of(made))


def exp(value):
    """e to a decimal, to 60 digits."""
    with mp.workdps(60):
        return mp.exp(mpf(str(value)))


@pytest.mark.parametrize("name", SEPARATIONS)
def test_every_claim_holds(name):
    made = separate(name, **EXAMPLES[name])
    assert made.verified()
    assert made.claims()
    assert all(sum(row) == 1 for row in made.mechanism.exact())
    assert made.to_dict()["name"] == made.name


def test_a_wrong_claim_is_caught():
    made = one_bit(Growth(3))
    wrong = Separation("x", "", made.source, made.mechanism, (Claim.at("adp", Growth(2)),), ())
    assert not wrong.verified()


# --- the price of probabilistic DP is attained ---------------------------------------------------


@pytest.mark.parametrize("b", [Fraction(1), Fraction(11, 10), Fraction(20), Fraction(10**30)])
@pytest.mark.parametrize("delta", [Fraction(1, 5), Fraction(1, 10**6), Fraction(1, 10**300)])
@pytest.mark.parametrize("times", [Fraction(101, 100), Fraction(2), Fraction(10**4)])
def test_erasure_attains_both_theorems(b, delta, times):
    """delta(b) is delta exactly; the loss of the theorem has the failure probability exactly."""
    failure = delta * times
    for sides in ("one", "both"):
        top = b / (1 - delta / failure)
        if sides == "both":
            top = (failure * b + delta) / (failure - delta)
        x = failure if sides == "one" else failure / (1 + 1 / top)
        if x * (1 + 1 / top) > 1 or failure > 1:
            with pytest.raises((Meaningless, OutOfRange)):
                erasure(Growth(b), delta, failure, sides=sides)
            continue
        made = erasure(Growth(b), delta, failure, sides=sides).mechanism
        tail = finite.tail_one if sides == "one" else finite.tail_both
        assert most(made, finite.profile, b) == delta
        assert most(made, tail, top) == 0
        just_below = top * (1 - Fraction(1, 10**400))
        assert most(made, tail, just_below) == failure


@pytest.mark.parametrize("sides", ["one", "both"])
def test_erasure_is_what_the_guarantee_says(sides):
    """The bound of ApproxDP on the loss is the loss of this mechanism."""
    made = erasure(1, "1e-6", "1e-5", sides=sides)
    loss = math.log(made.parameters["B"])
    bound = ApproxDP(1.0, 1e-6, neighbors="replace-one").loss_bound(1e-5, sides=sides).value
    assert loss == pytest.approx(bound, rel=1e-10)


def corner_of(b, delta):
    return (b + delta) / (1 + b)


def test_beyond_the_corner_the_lemma_is_not_attained():
    b, delta = Fraction(2), Fraction(1, 100)
    erasure(Growth(b), delta, corner_of(b, delta)).verified()
    with pytest.raises(Meaningless, match=r"0\.67"):
        erasure(Growth(b), delta, corner_of(b, delta) + Fraction(1, 10**9))
    with pytest.raises(Meaningless, match="above delta"):
        erasure(Growth(b), delta, delta)


# --- witness: it exists exactly where the largest tail is above ----------------------------------


def largest_tail(epsilon, delta, beyond, sides):
    """Propositions 1 and 2 to 60 digits, from the power curve."""
    with mp.workdps(80):
        b, c, d = exp(epsilon), exp(beyond), mpf(str(delta))
        ends = [1 / c]
        if c > b:
            ends.append(d / (c - b))
        if b * c > 1:
            ends.append((b - 1 + d) / (b * c - 1))
        height = c * min(ends)
        if d == 0 and c >= b:
            height = mpf(0)
        return height if sides == "one" else min(mpf(1), height * (1 + 1 / c))


NUMBERS = st.tuples(
    st.sampled_from(["0", "0.01", "0.5", "1", "3", "20", "300"]),
    st.sampled_from(["0", "1e-300", "1e-6", "0.01", "0.3", "1"]),
    st.sampled_from(["0", "0.009", "0.4999", "0.51", "1", "1.2", "4", "25", "310"]),
    st.sampled_from(["0", "1e-301", "2e-300", "1e-6", "1.1e-6", "0.02", "0.31", "0.9", "1"]),
    st.sampled_from(["one", "both"]),
)


@given(NUMBERS)
@settings(max_examples=150, deadline=None)
def test_a_witness_exists_exactly_where_theory_says(numbers):
    epsilon, delta, beyond, often, sides = numbers
    made = witness(epsilon, delta, not_pdp=(beyond, often), sides=sides)
    truth = largest_tail(epsilon, delta, beyond, sides) > mpf(often)
    assert isinstance(made, Separation) == truth
    if isinstance(made, NoSeparation):
        assert made.reason.startswith("Every mechanism")
        assert made.epsilon <= float(beyond) * (1 + 1e-12) + 1e-12
        return
    (pair, *_) = pairs_of(made.mechanism)
    b, c = exp(epsilon), exp(beyond)
    with mp.workdps(400):
        p, q = ([mpf(v.numerator) / v.denominator for v in row] for row in pair)
        for one, other in ((p, q), (q, p)):
            excess = mp.fsum(max(x - b * y, 0) for x, y in zip(one, other, strict=True))
            assert excess <= mpf(delta) * (1 + mpf(10) ** -30)
        up = mp.fsum(x for x, y in zip(p, q, strict=True) if x > c * y)
        down = mp.fsum(x for x, y in zip(p, q, strict=True) if y > c * x)
        assert (up if sides == "one" else up + down) > mpf(often)


@pytest.mark.parametrize("sides", ["one", "both"])
@pytest.mark.parametrize("off", ["1e-3", "1e-9", "1e-15"])
def test_right_at_the_border(off, sides):
    """A hair below the price a mechanism is found, a hair above none."""
    with mp.workdps(60):
        b, d, g = exp(1), mpf("1e-6"), mpf("1e-5")
        price = 1 - mp.log(1 - d / g) if sides == "one" else mp.log((g * b + d) / (g - d))
        below, above = (mp.nstr(price + sign * mpf(off), 40) for sign in (-1, 1))
    made = witness(1, "1e-6", not_pdp=(below, "1e-5"), sides=sides)
    assert isinstance(made, Separation) and made.verified()
    none = witness(1, "1e-6", not_pdp=(above, "1e-5"), sides=sides)
    assert isinstance(none, NoSeparation)
    assert none.epsilon == pytest.approx(float(price), rel=1e-12)
    assert none.to_dict()["mechanism"] is None


def test_beyond_the_corner_two_outputs_do():
    made = witness(1, "0.1", not_pdp=("0.1", "0.9"))
    assert len(made.mechanism.outputs) == 2 and made.verified()
    assert isinstance(witness(1, "0.1", not_pdp=("0.4", "0.9")), NoSeparation)


def test_growths_and_epsilons_can_be_mixed():
    made = witness(Growth(2), "0.01", not_pdp=("0.7", "0.1"))
    assert isinstance(made, Separation) and made.verified()
    assert isinstance(witness(Growth(2), 0, not_pdp=("0.7", "0.1")), NoSeparation)
    assert isinstance(witness(Growth(3), 0, not_pdp=(Growth(3), 0)), NoSeparation)


# --- P2 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", ["0.001", "0.5", "0.99", "6"])
@pytest.mark.parametrize("beyond", ["0.001", "0.5", "2", "6"])
@pytest.mark.parametrize("delta", ["0.49", "0.1", "1e-6", "1e-300"])
def test_theorem_3_2(epsilon, beyond, delta):
    """For every choice of the three numbers, and beyond the paper's epsilon < 1."""
    made = fixed_delta(epsilon, delta, beyond=beyond)
    assert made.verified()
    n, p, q = (made.parameters[name] for name in "npq")
    assert p + (n - 1) * q == 1 and p > Fraction(delta)
    b, c = exp(epsilon), max(exp(beyond), exp(epsilon) / (1 - mpf(delta)))
    with mp.workdps(60):
        expected = (c + b) * (1 - mpf(delta)) / mpf(delta)
        assert abs(mpf(n) - expected) <= 2 + expected / 500  # c of the proof has to be larger yet


def test_a_table_too_large_is_said_to_be_so():
    made = fixed_delta(1, "1e-300", beyond=2)
    assert made.parameters["n"] > 10**300
    assert "1.01073e+301 rows" in made.note
    assert made.mechanism.outputs == ("1", "2", "others")
    assert fixed_delta(1, "0.3", beyond=2).note == ""


@pytest.mark.parametrize("n", [5, 12, 40])
def test_two_datasets_stand_for_all(n):
    """The short table and the whole one: every definition says the same of both."""
    p = Fraction(1, 3)
    q = (1 - p) / (n - 1)
    kept = (p - Fraction(1, 10)) / q if (p - Fraction(1, 10)) / q > 1 else Fraction(1)
    made = response(Growth(kept), "0.3", not_pdp=(Growth(1), "0.1"), count=n, p=p).mechanism
    short = FiniteMechanism([[p, q, 1 - p - q], [q, p, 1 - p - q]])
    pair = tuple(tuple(row) for row in made.exact()[:2])
    other = tuple(tuple(row) for row in short.exact())
    for growth in (Fraction(1), Fraction(2), Fraction(9)):
        for f in (finite.profile, finite.tail_one, finite.tail_both, finite.merged_one):
            assert f(pair, growth) == f(other, growth)


PENALTIES = {
    "3 x": lambda x: 3 * x,
    "x": lambda x: x,
    "square root": math.sqrt,
    "tenth root": lambda x: x**0.1,
    "x log 1/x": lambda x: -x * math.log(x),
    "nothing": lambda x: 0.0,
    "wiggles": lambda x: x * (2 + math.sin(1 / x)),
}


@pytest.mark.parametrize("name", PENALTIES)
@pytest.mark.parametrize("delta", ["0.3", "1e-6", "1e-200"])
def test_theorem_3_3(name, delta):
    """With the same epsilon no penalty on delta is enough: Corollary 3.4 (1)."""
    g = PENALTIES[name]
    if delta == "1e-200" and name.endswith("root"):  # at a delta that floats do not have
        with pytest.raises(NotConverged, match="5e-324"):
            under_penalty("0.5", delta, g, beyond="0.5")
        return
    made = under_penalty("0.5", delta, g, beyond="0.5")
    assert made.verified()
    found, failure = made.parameters["delta"], made.parameters["delta_hat"]
    assert 0 < found < Fraction(delta)
    assert failure == Fraction(g(float(found)))
    n, p, q = (made.parameters[key] for key in "npq")
    assert p + (n - 1) * q == 1
    assert float(p) == pytest.approx(float(failure + found), rel=1e-6)  # the proof's equation
    with pytest.raises(Meaningless, match=r"Theorem 3\.3 does not cover"):
        under_penalty(1, "0.01", lambda x: 2 * x, beyond=2)


@pytest.mark.parametrize("factor", ["0.1", "1", "3", "1000"])
def test_corollary_3_4(factor):
    """eps_hat just below ln(1 + 1/K), however small epsilon and delta: excluded."""
    just_below = f"{math.log1p(1 / float(factor)) * (1 - 1e-9):.17g}"
    made = bounded_penalty("1e-12", "1e-12", factor, beyond=just_below)
    assert made.verified()
    assert made.parameters["delta_hat"] == Fraction(factor) * made.parameters["delta"]
    with pytest.raises(Meaningless, match="not below"):
        bounded_penalty("1e-12", "1e-12", factor, beyond=math.log1p(1 / float(factor)) * 1.1)


def test_the_gap_of_p2_is_closed_by_erasures():
    """Between epsilon + ln(1 + delta/g) and epsilon - ln(1 - delta/g) P2 has nothing; we do."""
    delta, g = 0.01, 0.02
    inside = f"{(1 + math.log1p(delta / g) + 1 - math.log1p(-delta / g)) / 2:.12f}"
    made = witness(1, "0.01", not_pdp=(inside, "0.02"))
    assert isinstance(made, Separation) and made.verified()
    with pytest.raises(Meaningless, match=r"Corollary 3\.4 does not cover"):
        bounded_penalty(1, "0.01", 2, beyond=inside)


# --- P0, P1, P4 ----------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", ["0.001", "1", "2", "2.197"])
def test_example_a_1_at_irrational_growths(epsilon):
    assert limited_difference(epsilon, "0.01").verified()


def test_example_a_1_ends_at_two_log_three():
    with pytest.raises(OutOfRange, match="2 log 3"):
        limited_difference(Growth(9), "0.01")
    with pytest.raises(OutOfRange, match="2 log 3"):
        limited_difference("2.1973", "0.01")
    with pytest.raises(OutOfRange, match="delta"):
        limited_difference(1, "0.9")


@pytest.mark.parametrize("b", [Fraction(11, 10), Fraction(3), Fraction(100)])
def test_one_bit(b):
    made = one_bit(Growth(b))
    assert most(made.mechanism, finite.profile, Fraction(1)) == (b - 1) / (b + 1)
    assert most(made.mechanism, finite.profile, b) == 0
    assert most(made.mechanism, finite.tail_one, Fraction(1)) == b / (1 + b)


def test_leaky():
    made = leaky(64)
    assert most(made.mechanism, finite.profile, Fraction(10**6)) == 1
    assert max(made.mechanism.exact()[0]) == Fraction(1, 64)


def test_example_5_6():
    made = not_convex()
    assert made.verified()
    growth = Fraction(math.exp(1.01))
    assert most(made.mechanism, finite.merged_one, growth) > Fraction(23, 1000)
    assert all(most(part, finite.merged_one, growth) <= Fraction(2, 100) for part in made.parts)


# --- growths -------------------------------------------------------------------------------------


def test_signs_are_exact():
    """2 against e^epsilon, at log 2 with 60 digits cut off and rounded up."""
    with mp.workdps(70):
        digits = mp.nstr(mp.log(2), 62)[:62]
    below = Growth.of(Fraction(digits))
    above = Growth.of(Fraction(digits) + Fraction(1, 10**59))
    assert below.sign(2, -1) == 1 and above.sign(2, -1) == -1
    assert Growth.of("log(2)").sign(2, -1) == 0
    assert Growth.of(0).sign(1, -1) == 0 and Growth.of("0.5").sign(0, 0) == 0


@pytest.mark.parametrize("epsilon", ["1e-300", "0.1", "1", "20", "700"])
@pytest.mark.parametrize("digits", [3, 12, 100])
def test_decimals_next_to_a_growth(epsilon, digits):
    growth = Growth.of(epsilon)
    low, high = growth.near(digits), growth.near(digits, above=True)
    assert growth.sign(low, -1) <= 0 <= growth.sign(high, -1)
    assert high - low <= growth.bracket()[1] * Fraction(10) ** (1 - digits)


@pytest.mark.parametrize("bad", ["x", -1, 701, float("nan"), None, True, "log(0.5)"])
def test_epsilons_out_of_range(bad):
    with pytest.raises(OutOfRange):
        Growth.of(bad)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: witness(1, 2, not_pdp=(1, 0)), OutOfRange),
        (lambda: witness(1, 0, not_pdp=(1, -1)), OutOfRange),
        (lambda: witness(1, 0, not_pdp=(1, 1), sides=TWO), InvalidInput),
        (lambda: fixed_delta(1, "0.5", beyond=1), OutOfRange),
        (lambda: under_penalty(1, "0.1", lambda x: -1.0, beyond=1), OutOfRange),
        (lambda: bounded_penalty(1, "0.1", 0, beyond=1), OutOfRange),
        (lambda: response(1, "0.1", not_pdp=(2, "0.1"), count=1, p="0.5"), OutOfRange),
        (lambda: response(1, "0.1", not_pdp=(2, "0.1"), count=9, p="0.1"), Meaningless),
        (lambda: response(1, "0.1", not_pdp=(1, "0.1"), count=9, p="0.9"), Meaningless),
        (lambda: response(2, "0.1", not_pdp=(1, "0.5"), count=9, p="0.45"), Meaningless),
        (lambda: leaky(1), OutOfRange),
        (lambda: one_bit(0), InvalidInput),
        (lambda: four_outcomes(1, 0), OutOfRange),
        (lambda: not_convex(digits=1), OutOfRange),
        (lambda: separate("one-bit"), InvalidInput),
        (lambda: separate("one-bit", epsilon=1, delta=1), InvalidInput),
        (lambda: separate("one-but", epsilon=1), InvalidInput),
        (lambda: Claim.of(NOT_ASKED), NoConversion),
        (lambda: Claim.of(NUMBER), NoConversion),
        (lambda: Claim.of("alpha=2, gamma=1").holds(one_bit(1).mechanism), NoConversion),
    ],
)
def test_bad_input(call, error):
    with pytest.raises(error):
        call()


def test_properties_come_from_guarantees_and_claims():
    from dprisk import ProbabilisticallyBoundedDP, ProbabilisticDP, PureDP, ZeroConcentratedDP

    some = "replace-one"
    names = {
        ApproxDP(1.0, 0.25, neighbors=some): "(1, 0.25)-ADP",
        PureDP(0.5, neighbors=some): "(0.5, 0)-ADP",
        ProbabilisticDP(1.0, 0.25, neighbors=some): "two-sided (1, 0.25)-PDP",
        ProbabilisticDP(1.0, 0.25, sides="one", neighbors=some): "one-sided (1, 0.25)-PDP",
        ProbabilisticallyBoundedDP(1.0, 0.25, neighbors=some): "(1, 0.25)-pbdp",
        ZeroConcentratedDP(0.25, neighbors=some): "(0, 0.25)-zCDP",
    }
    assert {g: Claim.of(g).name for g in names} == names
    assert Claim.of("rho=0.25").name == "(0, 0.25)-zCDP"
    assert Claim.of("epsilon=log(3), delta=0.1, kind=pbdp").name == "(log(3), 0.1)-pbdp"
    made = NeighborRelation.all_pairs(one_bit(Growth(3)).mechanism)
    assert Claim.of("epsilon=log(3)").holds(one_bit(Growth(3)).mechanism, made)
    with pytest.raises(NoConversion, match="concentrated"):
        Claim.of(ZeroConcentratedDP(0.1, delta=0.1, neighbors=some))
