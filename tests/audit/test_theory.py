"""Mechanisms whose numbers are known: the audit says what theory says, and catches one percent."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from dprisk import PureDP
from dprisk.audit import ExactAudit, FiniteMechanism, NeighborRelation, audit, check, examine
from dprisk.audit.brackets import Audit
from tests.audit import tables

GROWTHS = [Fraction(11, 10), Fraction(2), Fraction(7)]


def exact(mechanism, neighbors="all"):
    lab = audit(mechanism, neighbors=neighbors)
    return ExactAudit(lab.mechanism, lab.relation)


@pytest.mark.parametrize("growth", GROWTHS)
@pytest.mark.parametrize("size", [2, 3, 20])
def test_randomized_response(growth, size):
    """delta = max(0, P(truth) - g P(lie)), and every tail is P(truth) below the largest loss."""
    lab = exact(tables.response(growth, size))
    rest = 1 / (growth + size - 1)
    assert lab.largest_ratio().value == growth
    for g in (Fraction(1), Fraction(21, 20), growth):
        assert lab.delta(g).value == max((growth - g) * rest, 0)
        tail = growth * rest if g < growth else 0
        assert lab.delta(g, kind="pdp").value == tail
        assert lab.delta(g, kind="pdp-both").value == (tail + rest if tail else 0)
    assert lab.delta(1).value == (growth - 1) * rest
    # merged with the truth, halfway to it: one answer that says nothing, or some of the lies
    g = (1 + growth) / 2
    more = Fraction(1) if size > 2 else (growth - g) / (g * growth - 1)
    assert lab.delta(g, kind="pbdp").value == (growth + more) * rest


@pytest.mark.parametrize("growth", GROWTHS)
def test_geometric(growth):
    """Clamped or not, one step is randomized response with the same epsilon (P1, Example 4.4)."""
    mechanism = tables.geometric(growth, 9)
    lab = exact(mechanism, tables.steps(mechanism))
    worst = PureDP(math.log(growth), neighbors="add-remove")
    for g in (Fraction(1), Fraction(21, 20), (1 + growth) / 2):
        truth = max(Fraction(0), (growth - g) / (1 + growth))
        assert lab.delta(g).value == truth
        assert float(truth) == pytest.approx(worst.delta(math.log(g)).value, rel=1e-12)
        assert lab.delta(g, kind="pdp").value == (growth / (1 + growth) if g < growth else 0)
    assert lab.largest_ratio().value == growth
    two = exact(
        mechanism,
        [(a, b) for a, b in zip(mechanism.datasets, mechanism.datasets[2:], strict=False)],
    )
    assert two.largest_ratio().value == growth**2


@pytest.mark.parametrize("root", [Fraction(1, 2), Fraction(9, 10)])
def test_permute_and_flip(root):
    """epsilon-DP, attained: scores move by one, one candidate's down, the other's up."""
    scores = [(0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (1, 2)]
    mechanism = tables.permute_and_flip(root, scores)
    assert mechanism.exact()[4].tolist() == [root**2 / 2, 1 - root**2 / 2]
    pairs = [
        (mechanism.datasets[i], mechanism.datasets[j])
        for i, a in enumerate(scores)
        for j, b in enumerate(scores[:i])
        if max(abs(x - y) for x, y in zip(a, b, strict=True)) == 1
    ]
    lab = exact(mechanism, pairs)
    found = lab.largest_ratio()
    assert found.value == root**-2
    three = tables.permute_and_flip(root, [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 1), (0, 1, 0)])
    assert exact(three).largest_ratio().value <= root**-2


@pytest.mark.parametrize("growth", GROWTHS)
def test_erasure_attains_both_theorems(growth):
    """P0 Theorem 3.9 and P2 Lemma 2.3 cannot be improved."""
    wanted, delta = growth * Fraction(3, 2), Fraction(1, 1000)
    lab = exact(tables.erasure(growth, wanted, delta))
    x = delta / (1 - growth / wanted)
    just_below = wanted * (1 - Fraction(1, 10**9))
    assert lab.delta(growth).value == delta
    assert lab.delta(just_below, kind="pdp").value == x
    assert lab.delta(just_below, kind="pdp-both").value == x * (1 + 1 / wanted)
    shift = math.log(
        (float(x * (1 + 1 / wanted) * growth + delta)) / float(x * (1 + 1 / wanted) - delta)
    )
    assert shift == pytest.approx(math.log(wanted), rel=1e-12)
    assert math.log(growth) - math.log1p(-float(delta / x)) == pytest.approx(math.log(wanted))


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 8.0])
def test_one_percent_too_little_noise_is_caught(epsilon):
    """The claim holds for the right noise and fails by one percent for the wrong one."""
    for strength, decision in ((1.0, "holds"), (1.01, "fails")):
        a = math.exp(-epsilon * strength)
        ends = range(-60, 68)
        rows = [
            [a ** abs(x - y) * (1 / (1 + a) if y in (-60, 67) else (1 - a) / (1 + a)) for y in ends]
            for x in range(8)
        ]
        mechanism = FiniteMechanism(rows, datasets=[f"x{x}" for x in range(8)])
        lab = audit(mechanism, neighbors=tables.steps(mechanism))
        half = math.expm1(epsilon) / (1 + math.exp(epsilon))
        claims = [f"epsilon={epsilon}", f"epsilon={epsilon / 2}, delta=0", f"tv={half}"]
        found = check(lab, claims)
        assert [one.decision for one in found] == [decision, "fails", decision]
        if decision == "fails":
            assert found[0].excess == pytest.approx(0.01 * epsilon, rel=1e-6)
            assert found[0].witness.outputs


def test_examples_of_p1():
    """Example 5.6: each mechanism keeps (1.01, 0.02)-pbdp, their mixture does not."""
    e = Fraction(2718281828, 10**9)
    one = [[e / (1 + e), 1 / (1 + e), 0, 0], [1 / (1 + e), e / (1 + e), 0, 0]]
    other = [[0, 0, 0, 1], [0, 0, Fraction(1, 100), Fraction(99, 100)]]
    mixed = [
        [(a + b) / 2 for a, b in zip(*rows, strict=True)] for rows in zip(one, other, strict=True)
    ]
    claim = ["epsilon=1.01, delta=0.02, kind=pbdp"]
    assert [
        check(audit(table), claim, exact=True)[0].decision for table in (one, other, mixed)
    ] == [
        "holds",
        "holds",
        "fails",
    ]


def test_four_outcomes_of_p4():
    """Theorem 1: PDP, with disclosure sets or not, before the merge and not after it; ADP both."""
    g, delta = Fraction(2), Fraction(1, 100)
    table = FiniteMechanism(
        [
            [0, g * (1 - delta) / (1 + g), (1 - delta) / (1 + g), delta],
            [delta, (1 - delta) / (1 + g), g * (1 - delta) / (1 + g), 0],
        ]
    )
    claims = [
        f"epsilon=log(2), delta=0.01, kind={kind}" for kind in ("pdp", "pdp-both", "disclosure")
    ]
    before = check(audit(table), claims, exact=True)
    assert [one.decision for one in before] == ["holds", "holds", "holds"]
    assert before[2].witness.outputs == ("y1", "y4")  # {0, 3}, whatever x is
    assert exact(table).delta(g, kind="disclosure").value == delta
    merged = table.merged({"merged": ["y2", "y4"]})
    after = check(audit(merged), claims, exact=True)
    assert [one.decision for one in after] == ["fails", "fails", "fails"]
    assert after[0].witness.outputs == ("merged",)
    assert after[0].lower == pytest.approx(0.01 + 2 / 3 * 0.99)
    for lab in (audit(table), audit(merged)):
        assert check(lab, ["epsilon=log(2), delta=0.01"], exact=True)[0].holds
    assert (
        exact(table).delta(g * Fraction(999, 1000), kind="pbdp").value
        >= exact(merged).delta(g * Fraction(999, 1000), kind="pdp").value
    )


def test_leaky_mechanism_of_p4():
    """Definition 3 looks at single outputs: small, with a warning, where everything is revealed."""
    size = 64
    rows = np.zeros((2, 2 * size))
    rows[0, :size] = rows[1, size:] = 1 / size
    lab = audit(rows)
    found = lab.delta(0.0, kind="pointwise")
    assert found.value == pytest.approx(1 / size)
    assert "not a definition of privacy" in found.warning
    assert lab.delta(50.0).value == 1.0
    assert not lab.delta(50.0).warning


@pytest.mark.parametrize(("growth", "wanted"), [(2, Fraction(21, 10)), (Fraction(11, 10), 2)])
def test_lemma_3_1_of_p2(growth, wanted):
    """ADP, and not the PDP asked for, with the p and q of Theorem 3.2."""
    delta = Fraction(1, 10)
    wanted = min(Fraction(wanted), growth / (1 - delta))
    n = math.ceil((wanted + growth) * (1 - delta) / delta)
    q = (2 - delta) / (2 * (n - 1) + wanted + growth)
    p = (wanted * q + growth * q + delta) / 2
    lab = exact([[p if a == b else q for b in range(n)] for a in range(n)])
    assert lab.delta(growth).value <= delta
    if wanted * q < p:
        assert lab.delta(wanted, kind="pdp").value == p > delta


def test_two_coins_speak_for_a_relation():
    """Only the listed pairs count, in the direction in which they are listed."""
    table = FiniteMechanism([[0.5, 0.5], [0.9, 0.1], [0.1, 0.9]], datasets=["a", "b", "c"])
    near = NeighborRelation.edges(table, [("a", "b")], symmetric=False)
    assert Audit(table, near).largest_loss().value == pytest.approx(math.log(5))
    back = NeighborRelation.edges(table, [("b", "a")], symmetric=False)
    assert Audit(table, back).largest_loss().value == pytest.approx(math.log(9 / 5))
    assert audit(table).largest_loss().value == pytest.approx(math.log(9))


@pytest.mark.parametrize(
    ("rows", "delta", "least"),
    [
        ([["9/10", "1/10", 0], ["9/10", 0, "1/10"]], 0.1, 0.0),
        ([["6/10", "3/10", "1/10"], ["3/10", "7/10", 0]], 0.1, math.log(2.0)),
    ],
)
def test_at_what_is_revealed_outright_fractions_find_epsilon(rows, delta, least):
    """What is left has no larger ratio; a unit below that delta, no epsilon is enough."""
    (line,) = examine(rows, epsilon=[], delta=[delta], exact=True).lines[-1:]
    assert (line.quantity, line.at) == ("epsilon", delta)
    assert line.lower <= least * (1 + 1e-12) and least <= line.upper <= least + 1e-8
    below = math.nextafter(delta, 0.0)
    assert math.isinf(examine(rows, epsilon=[], delta=[below], exact=True).lines[-1].upper)
