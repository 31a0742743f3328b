"""Both audits against every set of outputs, over random small mechanisms and relations."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest
from mpmath import mp, mpf

from dprisk.audit import ExactAudit
from dprisk.audit.brackets import Audit
from tests.audit import subsets
from tests.oracles import finite

SEEDS = range(8)


def made(seed):
    """A mechanism, its relation, and its ordered pairs."""
    rng = random.Random(seed)
    mechanism = subsets.mechanism(rng)
    relation = subsets.relation(rng, mechanism)
    return mechanism, relation, list(subsets.ordered(mechanism, relation))


def inside(finding, truth, at=()):
    """Whether the bracket holds the truth, and is as wide as rounding."""
    low, high = (float(np.asarray(end)[at]) for end in finding.answer.bracket)
    if math.isinf(truth):
        return math.isinf(low) and math.isinf(high)
    narrow = high - low <= 1e-11 * (1.0 + high)
    return low <= truth <= high and narrow


@pytest.mark.parametrize("seed", SEEDS)
def test_exact(seed):
    """Every rational quantity, as a fraction."""
    mechanism, relation, pairs = made(seed)
    lab = ExactAudit(mechanism, relation)
    for growth in subsets.GROWTHS:
        assert lab.delta(growth).value == subsets.delta(pairs, growth)
        assert lab.delta(growth, kind="pdp").value == subsets.tail(pairs, growth, False)
        assert lab.delta(growth, kind="pdp-both").value == subsets.tail(pairs, growth, True)
        assert lab.delta(growth, kind="pbdp").value == subsets.bounded(pairs, growth)
        assert lab.delta(growth, kind="disclosure").value == subsets.disclosure(
            mechanism, relation, growth
        )
    assert lab.largest_ratio().value == max(subsets.largest_ratio(pairs), 1)
    for slack in (Fraction(0), Fraction(1, 10), Fraction(1, 2), Fraction(1)):
        assert lab.growth(slack).value == subsets.least_growth(pairs, slack)


@pytest.mark.parametrize("seed", SEEDS)
def test_floats(seed):
    """Brackets hold the fractions, at epsilons where no loss lies."""
    mechanism, relation, pairs = made(seed)
    lab = Audit(mechanism, relation)
    limits = np.array([0.0, 0.013, 0.4, 1.1, 2.3, 4.7])
    # the same numbers as fractions: close enough, as nothing jumps there
    growths = [Fraction(float(mp.exp(mpf(float(limit))))) for limit in limits]
    truths = {
        "adp": lambda growth: subsets.delta(pairs, growth),
        "pdp": lambda growth: subsets.tail(pairs, growth, False),
        "pdp-both": lambda growth: subsets.tail(pairs, growth, True),
        "pbdp": lambda growth: subsets.bounded(pairs, growth),
        "disclosure": lambda growth: subsets.disclosure(mechanism, relation, growth),
        "pointwise": lambda growth: subsets.pointwise(pairs, growth),
    }
    for kind, truth in truths.items():
        found = lab.delta(limits, kind=kind)
        for n, growth in enumerate(growths):
            assert inside(found, float(truth(growth)), n), (kind, growth)
    for slack in (0.0, 1e-3, 0.1, 0.5):
        enough = lab.epsilon(slack).value
        assert math.isinf(enough) or lab.delta(enough).value <= slack
        growth = subsets.least_growth(pairs, Fraction(slack))
        assert inside(lab.epsilon(slack), math.log(growth) if growth < math.inf else math.inf)
    ratio = subsets.largest_ratio(pairs)
    assert inside(lab.largest_loss(), max(math.log(ratio), 0.0) if ratio < math.inf else ratio)


@pytest.mark.parametrize("seed", SEEDS)
def test_witnesses_show_the_number(seed):
    """The set that is named has the probabilities that make the number."""
    mechanism, relation, _ = made(seed)
    lab = Audit(mechanism, relation)
    for limit in (0.0, 0.7, 2.0):
        shown = lab.delta(limit)
        witness = shown.witness
        excess = witness.probability_first - math.exp(limit) * witness.probability_second
        assert excess == pytest.approx(shown.value, abs=1e-12)
        for found in (
            lab.delta(limit, kind="pdp"),
            lab.delta(limit, kind="pdp-both"),
            lab.delta(limit, kind="pbdp"),
        ):
            assert found.witness.probability_first == pytest.approx(found.value, abs=1e-12)
        merged = lab.delta(limit, kind="pbdp").witness
        assert merged.probability_first >= math.exp(limit) * merged.probability_second * (1 - 1e-12)
        disclosed = lab.delta(limit, kind="disclosure")
        row = dict(zip(mechanism.outputs, mechanism.row(disclosed.witness.first), strict=True))
        total = sum(row[name] for name in disclosed.witness.outputs)
        assert total == pytest.approx(disclosed.value, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_corners(seed):
    """The corners are those of the most power of any test, by chords between all tests."""
    mechanism, relation, pairs = made(seed)
    corners = ExactAudit(mechanism, relation).corners()
    levels, powers = ([float(c[n]) for c in corners] for n in (0, 1))
    assert corners[-1] == (1, 1)
    for level in (Fraction(0), Fraction(1, 50), Fraction(1, 3), Fraction(4, 5), Fraction(1)):
        truth = float(subsets.most_power(pairs, level))
        assert np.interp(float(level), levels, powers) == pytest.approx(truth, abs=1e-12)
    for x, y, witness in Audit(mechanism, relation).corners:
        assert (witness.probability_second, witness.probability_first) == pytest.approx((x, y))
        assert y == pytest.approx(np.interp(x, levels, powers), abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_guarantee(seed):
    """As a guarantee for the other rooms: delta and power are the mechanism's, or just above."""
    mechanism, relation, pairs = made(seed)
    lab = Audit(mechanism, relation)
    if not relation.symmetric:
        with pytest.raises(ValueError, match="both directions"):
            lab.guarantee(neighbors="replace-one")
        return
    kept = lab.guarantee(neighbors="replace-one")
    for limit in (0.0, 0.7, 2.0):
        low, high = lab.delta(limit).answer.bracket
        assert low <= kept.delta(limit).value <= high + 1e-12
    for level in (Fraction(1, 50), Fraction(1, 3), Fraction(4, 5)):
        truth = float(subsets.most_power(pairs, level))
        assert truth - 1e-15 <= kept.power(float(level)).value <= truth + 1e-11
    growth = Fraction(5, 2)
    tail = kept.tail(math.log(2.5), sides="one").value
    assert tail >= float(subsets.bounded(pairs, growth)) * (1 - 1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_inverse_of_bounded(seed):
    """pbdp at the epsilon that was found: the delta asked for is enough there, and not before."""
    mechanism, relation, pairs = made(seed)
    lab = Audit(mechanism, relation)
    for wanted in (0.05, 0.3, 1.0):
        low, high = lab.epsilon(wanted, kind="pbdp").answer.bracket
        if math.isinf(high):
            assert any(
                sum(a for a, b in zip(p, q, strict=True) if b == 0) >= wanted * (1 - 1e-9)
                for p, q in pairs
            )
            continue
        assert high - low < 1e-9
        assert lab.delta(high + 1e-9, kind="pbdp").value <= wanted * (1 + 1e-9)
        if low > 1e-6:
            assert lab.delta(low - 1e-6, kind="pbdp").answer.bracket[0] >= wanted * (1 - 1e-5)


@pytest.mark.parametrize("seed", SEEDS)
def test_renyi(seed):
    """Divergences of any order to 50 digits; whole orders as fractions."""
    mechanism, relation, pairs = made(seed)
    lab = Audit(mechanism, relation)
    pairs = [(tuple(p), tuple(q)) for p, q in pairs]
    for order in (1.0, 1.001, 1.5, 2.0, 7.3, 50.0):
        truth = max(finite.renyi(pair, 1 if order == 1 else mpf(order)) for pair in pairs)
        low, high = lab.renyi(order).answer.bracket
        assert mpf(low) <= truth <= mpf(high)
        assert math.isinf(low) or high - low <= 1e-11 * (1 + high)
    moment = ExactAudit(mechanism, relation).moment(3).value
    if not math.isinf(moment):
        assert math.log(moment) / 2 == pytest.approx(float(lab.renyi(3.0)), rel=1e-9)
    assert lab.renyi(math.inf).value == pytest.approx(lab.largest_loss().value, rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_rho(seed):
    """The supremum over orders lies in a narrow bracket; a fine grid of orders stays below."""
    mechanism, relation, pairs = made(seed)
    low, high = Audit(mechanism, relation).rho().answer.bracket
    pairs = [(tuple(p), tuple(q)) for p, q in pairs]
    if any(math.isinf(finite.largest_log_ratio(pair)) for pair in pairs):
        assert low == high == math.inf
        return
    assert high - low <= 1e-9 * high + 1e-15
    s = np.geomspace(1e-6, 1e4, 400)
    best = 0.0
    for p, q in pairs:
        one, other = (np.array([float(v) for v in row]) for row in (p, q))
        both = one > 0
        one, other = one[both], other[both]
        loss = np.log(one / other)
        top = np.maximum(s * loss.max(), 0.0)
        moments = top + np.log((one * np.exp(s[:, None] * loss - top[:, None])).sum(axis=1))
        best = max(best, float((moments / (s * (1 + s)))[s > 1e-3].max(initial=0.0)))
        best = max(best, float((one * loss).sum()))
    assert best <= high * (1 + 1e-9) + 1e-15
    assert best >= low * (1 - 1e-3) - 1e-15


@pytest.mark.parametrize("seed", SEEDS)
def test_mu(seed):
    """No test beats two normals that are mu apart, and one reaches them."""
    mechanism, relation, pairs = made(seed)
    found = Audit(mechanism, relation).mu()
    low, high = found.answer.bracket
    needed = 0.0
    for p, q in pairs:
        for chosen in subsets.sets(len(p)):
            power, level = subsets.total(p, chosen), subsets.total(q, chosen)
            if 0 < level < 1 and 0 < power < 1:
                y, x = (
                    mp.sqrt(2) * mp.erfinv(2 * mpf(v.numerator) / v.denominator - 1)
                    for v in (power, level)
                )
                needed = max(needed, float(y - x))
            elif power != level:
                needed = math.inf
    if relation.symmetric or math.isfinite(needed):
        assert math.isinf(needed) == math.isinf(high)
    if math.isfinite(needed):
        assert low - 1e-9 <= needed <= high + 1e-9


@pytest.mark.parametrize("seed", SEEDS)
def test_worst_pair(seed):
    """No pair of neighbors needs a larger delta, and its loss, composed, knows so."""
    mechanism, relation, pairs = made(seed)
    lab = Audit(mechanism, relation)
    limits = [0.013, 0.4, 1.1, 2.3]
    found = lab.delta(limits)
    for n, limit in enumerate(limits):
        growth = Fraction(float(mp.exp(mpf(limit))))
        worst = found.worst[n]
        pair = mechanism.pair(worst.first, worst.second, neighbors="replace-one")
        rows = [
            next(r for r in mechanism.rows if np.array_equal(np.array(r, float), side))
            for side in (pair.p, pair.q)
        ]
        assert tuple(rows) in [(tuple(p), tuple(q)) for p, q in pairs]
        assert float(subsets.delta(pairs, growth) - subsets.delta([rows], growth)) <= 1e-15
        both = float(subsets.delta([rows, rows[::-1]], growth))
        low, high = pair.loss().delta(limit).bracket
        assert low - 1e-15 <= both <= high + 1e-15
