"""What a table of probabilities keeps, against the same table in fractions."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from mpmath import mp

from dprisk.audit import FiniteMechanism, audit
from dprisk.budget import EpsilonLimit, most_releases
from dprisk.mechanisms import PairOfDistributions

A = {"neighbors": "add-remove"}
ORDERS = mp.mpf("1e-12")


def delta(p, q, epsilon):
    """The privacy profile of both directions."""
    with mp.workdps(60):
        growth = mp.exp(epsilon)
        return max(
            sum(max(mp.mpf(0), number(a) - growth * number(b)) for a, b in zip(*way, strict=True))
            for way in ((p, q), (q, p))
        )


def number(value):
    return mp.mpf(value.numerator) / value.denominator


def largest(p, q):
    """The largest loss of either direction."""
    with mp.workdps(60):
        pairs = [(a, b) for a, b in zip(p, q, strict=True) if a or b]
        if not all(a and b for a, b in pairs):
            return mp.inf
        return max(abs(mp.log(number(a) / number(b))) for a, b in pairs)


def exact(row):
    whole = sum(map(Fraction, row))
    return [Fraction(x) / whole for x in row]


def table(rng):
    """Probabilities of many sizes, some of them zero; or two rows that are almost the same."""
    size = rng.choice([2, 3, 5, 9])

    def row(weights):
        total = math.fsum(weights)
        return [x / total for x in weights]

    p = row([10.0 ** rng.uniform(-18.0, 0.0) for _ in range(size - 1)] + [rng.random()])
    if rng.random() < 0.3:
        return p, row([x * (1.0 + 1e-9 * rng.uniform(-1.0, 1.0)) for x in p])
    zero = rng.random() < 0.3
    return p, row([0.0 if zero else 1e-9] + [10.0 ** rng.uniform(-18.0, 0.0) for _ in p[1:]])


def test_a_rare_output_that_reveals_all():
    """One in 10^16, which a float of 1 - 10^-16 does not hold."""
    kept = PairOfDistributions([1e-16, 0.5, 0.5], [0.0, 0.5, 0.5], **A).guarantee()
    whole = 1 + Fraction(1e-16)
    assert kept.epsilon(0.0).value == math.inf
    for epsilon in (0.0, 1.0, 700.0, math.inf):
        truth = Fraction(1e-16) / whole
        assert truth <= Fraction(kept.delta(epsilon).value) <= truth * (1 + Fraction(1, 10**12))


def test_a_rare_output_that_is_ten_times_as_likely():
    kept = PairOfDistributions([1e-12, 1.0 - 1e-12], [1e-13, 1.0 - 1e-13], **A).guarantee()
    odds = math.exp(kept.epsilon(0.0).value)
    assert 10.0 <= odds < 10.0 * (1.0 + 1e-12)


@pytest.mark.parametrize("seed", range(60))
def test_random_tables(seed):
    """Never below the truth, and almost the same."""
    rng = Random(f"tables {seed}")
    given = table(rng)
    kept = PairOfDistributions(*given, **A).guarantee()
    p, q = map(exact, given)
    top = largest(p, q)
    found = mp.mpf(kept.epsilon(0.0).value)
    assert top <= found <= top * (1 + ORDERS) + mp.mpf("1e-15")
    for epsilon in (0.0, 1e-9, 0.1, 1.0, 5.0, rng.uniform(0.0, 45.0)):
        truth, found = delta(p, q, epsilon), mp.mpf(kept.delta(epsilon).value)
        assert truth <= found <= truth * (1 + ORDERS) + mp.mpf("1e-25")


def test_rows_that_add_up_only_nearly_are_divided_by_their_exact_sums():
    p, q = [0.1, 0.2, 0.7], [0.3, 0.3, 0.4 + 2e-13]
    kept = PairOfDistributions(p, q, **A).guarantee()
    truth = delta(*map(exact, (p, q)), 0.0)
    assert truth <= mp.mpf(kept.delta(0.0).value) <= truth * (1 + ORDERS)
    same = PairOfDistributions(p, p, **A).guarantee()
    assert same.epsilon(0.0).value == same.delta(0.0).value == 0.0


def test_fractions_are_read_as_they_are():
    """Thirds that differ by less than the rounding of a float."""
    tiny = Fraction(1, 10**18)
    p = [Fraction(1, 3) + tiny, Fraction(2, 3) - tiny]
    q = [Fraction(1, 3), Fraction(2, 3)]
    made = FiniteMechanism([p, q], datasets=["yes", "no"]).pair("yes", "no", **A)
    assert made == PairOfDistributions(p, q, **A)
    top = largest(p, q)
    assert top <= mp.mpf(made.guarantee().epsilon(0.0).value) <= top * (1 + ORDERS)
    assert delta(p, q, 0.0) <= mp.mpf(made.guarantee().delta(0.0).value)


def test_an_audit_keeps_what_is_rare():
    """Rounded upwards by what the audit allows for, relative to each probability."""
    rows = [[1e-16, 0.5, 0.5], [1e-17, 0.5, 0.5]]
    kept = audit(FiniteMechanism(rows)).guarantee(**A)
    p, q = map(exact, rows)
    for epsilon in (0.0, 1.0, 2.0):
        truth, found = delta(p, q, epsilon), mp.mpf(kept.delta(epsilon).value)
        assert truth <= found <= truth + mp.mpf("1e-13")
    odds = math.exp(kept.epsilon(0.0).value)
    assert 10.0 <= odds < 10.0 * (1.0 + 1e-11)


def test_releases_that_are_counted_by_the_promise():
    """The promise of one release is no better than the release."""
    pair = PairOfDistributions([1e-12, 1.0 - 1e-12], [1e-13, 1.0 - 1e-13], **A)
    limit = EpsilonLimit(23.1, delta=0.0)
    assert most_releases(limit, pair, own=False).number == 10
    assert most_releases(EpsilonLimit(23.02, delta=0.0), pair, own=False).number == 9


def test_many_outputs():
    """As many as noise on a grid has."""
    at = np.arange(-400.0, 401.0)
    p, q = (np.exp(-((at - shift) ** 2) / 800.0) for shift in (0.0, 1.0))
    p, q = p / p.sum(), q / q.sum()
    kept = PairOfDistributions(p, q, **A).guarantee()
    truth = delta(exact(p.tolist()), exact(q.tolist()), 0.5)
    assert truth <= mp.mpf(kept.delta(0.5).value) <= truth * (1 + ORDERS)


def test_tails_of_rows_that_are_almost_the_same():
    """Corners whose levels and powers differ in the last digits; the truth by ball arithmetic."""
    p = [1.2e-13, 3.0097809335670412e-05, 3.114469545306174e-18, 0.0005983102975384507]
    q = [1.2000000001909278e-13, 3.0097809329604555e-05, 3.1144695455449908e-18]
    p += [0.03749634038681735, 2.7505448692490927e-08, 0.9618752240007399]
    q += [0.0005983102977735805, 0.03749634038127094, 2.750544868649152e-08, 0.9618752240060572]
    kept = PairOfDistributions(p, q, **A).guarantee()
    found = kept.tail(3.929896408294554e-10, sides="one").value
    assert 0.00059831078825822108 <= found <= 0.00059831078825822108 * (1.0 + 1e-12)
