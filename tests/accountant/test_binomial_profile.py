"""The profile of repeated randomized response: the truth lies in the bracket, which is narrow."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dprisk._numeric import weights as numeric
from dprisk.accountant.binomial_profile import RepeatedResponse
from dprisk.errors import OutOfRange
from tests.oracles.reading import column, grouped, read

NARROW = 1e-12
AT_A_BILLION = 1e-11
PRINTED = Decimal("1e-24")  # the tables have 25 digits
KEY = ("k", "epsilon0", "delta0", "method")


def answered(method, k, e, d, x):
    """The bracket for a row of the table."""
    if method == "delta":
        return RepeatedResponse(k, e, d).delta(x)
    return getattr(RepeatedResponse(k, e).tails(x), method)


def holds(lower, exact, upper):
    """Whether a bracket holds a number of which 25 digits are known."""
    room = abs(exact) * PRINTED
    return Decimal(lower) <= exact + room and exact - room <= Decimal(upper)


@pytest.mark.parametrize("method", ["delta", "p", "q"])
def test_the_bracket_holds_the_truth_and_is_narrow(method):
    wrong = []
    for (k, e, d, name), rows in grouped("binomial", KEY).items():
        if name != method:
            continue
        width = NARROW if int(k) <= 10**6 else AT_A_BILLION
        low, high = answered(method, int(k), float(e), float(d), column(rows, "argument"))
        for row, lower, upper in zip(rows, low.tolist(), high.tolist(), strict=True):
            narrow = upper - lower <= width * upper or upper < 1e-300
            if not (holds(lower, Decimal(row["answer"]), upper) and narrow):
                wrong.append((row, lower, upper))
    assert not wrong, f"{len(wrong)} wrong, such as {wrong[:3]}"


def test_the_inverse_holds_the_truth_and_is_narrow():
    """Where delta is known at epsilon, epsilon is known at the doubles on both sides of delta."""
    wrong = []
    for row in read("binomial"):
        exact = Decimal(row["answer"])
        if row["method"] != "delta" or not 0 < exact < Decimal("0.5"):
            continue
        k, e, d = int(row["k"]), float(row["epsilon0"]), float(row["delta0"])
        x, width = float(row["argument"]), NARROW if k <= 10**6 else AT_A_BILLION
        below = math.nextafter(float(exact), 0.0)
        above = math.nextafter(float(exact), 1.0)
        low, high = (
            float(RepeatedResponse(k, e, d).epsilon(above).lower),
            float(RepeatedResponse(k, e, d).epsilon(below).upper),
        )
        revealed = -math.expm1(k * math.log1p(-d)) > 0.5 * float(exact)
        if not (low <= x <= high and (revealed or high - low <= width * max(1.0, x))):
            beyond = x > k * e and low <= k * e <= high * (1 + 1e-15)  # delta is flat there
            wrong.extend([] if beyond else [(row, low, high)])
    assert not wrong, f"{len(wrong)} wrong, such as {wrong[:3]}"


def test_the_weights_of_atoms():
    for row in read("binomial"):
        if row["method"] == "atom":
            ours = RepeatedResponse(int(row["k"]), float(row["epsilon0"])).log_atom(
                int(row["argument"])
            )
            assert ours == pytest.approx(float(row["answer"]), rel=4e-16, abs=1e-16)


@pytest.mark.parametrize("k", [1, 2, 3, 7, 30])
@pytest.mark.parametrize("ratio", [2, 3, 10**6])
def test_exact_fractions(k, ratio):
    """e^epsilon0 and e^epsilon are fractions; both sides of their logarithms bracket the value."""
    e0, wrong = math.log(ratio), Fraction(1, 1 + ratio)
    weights = [math.comb(k, m) * wrong**m * (1 - wrong) ** (k - m) for m in range(k + 1)]
    shrink, grow = math.nextafter(e0, 0.0), math.nextafter(e0, 9e9)
    for number in (Fraction(1), Fraction(5, 2), Fraction(ratio), Fraction(ratio) ** (k // 2)):
        exact = sum(
            max(Fraction(0), weights[m] * (1 - number / Fraction(ratio) ** (k - 2 * m)))
            for m in range(k + 1)
        )
        x = math.log(number)
        low = float(RepeatedResponse(k, shrink).delta(math.nextafter(x, 9e9)).lower)
        high = float(RepeatedResponse(k, grow).delta(max(math.nextafter(x, -1.0), 0.0)).upper)
        assert low <= exact <= high
        assert high - low <= 1e-11 * high + 1e-13


def test_every_set_of_outputs():
    """Four answers and two revelations, each output by itself: delta is a sum over the best set."""
    e0, d0, x = 0.7, 0.01, 0.9
    good = math.exp(e0) / (1 + math.exp(e0))
    p = {"right": (1 - d0) * good, "wrong": (1 - d0) * (1 - good), "yes": d0, "no": 0.0}
    q = {"right": p["wrong"], "wrong": p["right"], "yes": 0.0, "no": d0}
    best = 0.0
    for output in product(p, repeat=3):
        gain = math.prod(p[o] for o in output) - math.exp(x) * math.prod(q[o] for o in output)
        best += max(gain, 0.0)
    low, high = RepeatedResponse(3, e0, d0).delta(x)
    assert low == pytest.approx(best, rel=1e-14)
    assert high == pytest.approx(best, rel=1e-14)


@given(
    k=st.integers(1, 3000),
    e0=st.floats(1e-8, 30.0),
    d0=st.sampled_from([0.0, 1e-15, 1e-6]),
    d=st.floats(1e-300, 0.5),
)
def test_the_promise_holds_as_computed(k, e0, d0, d):
    low, high = RepeatedResponse(k, e0, d0).epsilon(d)
    assert low <= high
    if high < np.inf:
        assert RepeatedResponse(k, e0, d0).delta(high).upper <= d
    if 0.0 < low < np.inf:
        assert RepeatedResponse(k, e0, d0).delta(low).lower >= d


@pytest.mark.parametrize("k", [1, 4, 5, 1000])
@pytest.mark.parametrize("e0", [1e-8, 0.3, 40.0])
def test_tails_of_both_signs_and_delta_agree(k, e0):
    """P[Z > x] = Q[Z < -x], strict and not, and delta is their difference."""
    x = np.array([0.0, 0.5, 1.0, 1.5, max(k - 2.0, 0.0), k]) * e0
    p, q = RepeatedResponse(k, e0).tails(x)
    mirrored = RepeatedResponse(k, e0).tails(-x, strict=False).q
    assert np.all(p.lower <= 1.0 - mirrored.lower + 1e-15)
    assert np.all(p.upper >= 1.0 - mirrored.upper - 1e-15)
    low, high = RepeatedResponse(k, e0).delta(x)
    with np.errstate(over="ignore", invalid="ignore"):
        gap = p.upper - np.where(q.lower > 0, np.exp(x) * q.lower, 0.0)
    assert np.all(low <= gap + 1e-13) and np.all(high >= gap - 1e-12)


def test_an_atom_counts_once():
    """Z = 0 has chance C(2, 1) / (4 cosh(epsilon0 / 2)^2)."""
    at_zero = 2 / (2 * math.cosh(0.5)) ** 2
    strict, loose = (
        RepeatedResponse(2, 1.0).tails(0.0).p,
        RepeatedResponse(2, 1.0).tails(0.0, strict=False).p,
    )
    assert loose.upper - strict.upper == pytest.approx(at_zero, rel=1e-14)
    assert math.exp(RepeatedResponse(2, 1.0).log_atom(1)) == pytest.approx(at_zero, rel=1e-14)


def test_edges():
    assert RepeatedResponse(5, 0.0).delta([0.0, 1.0]).upper.tolist() == [0.0, 0.0]
    assert RepeatedResponse(5, 0.0).epsilon([0.0, 1.0]).upper.tolist() == [0.0, 0.0]
    assert RepeatedResponse(5, 1.0, 1.0).delta(np.inf).lower == 1.0
    assert RepeatedResponse(5, 1.0, 1.0).epsilon([0.5, 1.0]).upper.tolist() == [np.inf, 0.0]
    assert RepeatedResponse(5, 1.0, 1e-9).epsilon(0.0).lower == np.inf
    assert RepeatedResponse(7, 0.5).epsilon(0.0) == (3.5, 3.5)
    assert RepeatedResponse(7, 0.5).delta([3.5, 4.0, np.inf]).upper.tolist() == [0.0, 0.0, 0.0]
    assert RepeatedResponse(7, 0.5).tails(-np.inf).p == (1.0, 1.0)
    assert RepeatedResponse(7, 0.5).tails(np.inf, strict=False).q == (0.0, 0.0)
    assert RepeatedResponse(3, 1.0).delta([]).upper.shape == (0,)
    assert RepeatedResponse(3, 1.0).delta(np.ones((2, 3))).upper.shape == (2, 3)


def test_the_smallest_doubles_are_bracketed():
    """Far beyond the smallest double the upper end is still positive."""
    low, high = RepeatedResponse(10**6, 1e-3).delta(100.0)
    assert low == 0.0 and 0.0 < high <= 1e-323
    low, high = RepeatedResponse(10**6, 1e-3).epsilon([5e-324, 1e-310])
    assert np.all(low <= high) and np.all(high < 40.0)


def test_the_index_on_the_lattice_is_the_last_that_is_enough():
    for k, e0, d in [(42, 0.05, 1e-6), (10, 1.0, 0.3), (1000, 0.1, 1e-100), (7, 0.5, 0.999)]:
        index = RepeatedResponse(k, e0).lattice_index(d)
        assert RepeatedResponse(k, e0).delta((k - 2 * index) * e0).upper <= d * (1 + 1e-12)
        if 2 * (index + 1) <= k:
            assert RepeatedResponse(k, e0).delta((k - 2 * index - 2) * e0).lower > d
    assert RepeatedResponse(5, 1.0, 0.1).lattice_index(0.1) == -1


@pytest.mark.parametrize("k", [31, 32, 65, 1000, 10**6, 10**10])
def test_the_weights_have_eighteen_digits_whatever_decimals_do_elsewhere(k):
    from mpmath import exp, log1p, loggamma, mp, mpf

    with mp.workdps(50), localcontext(prec=5):
        for m in (0, 1, 31, k // 32, k // 2, k):
            exact = loggamma(k + 1) - loggamma(m + 1) - loggamma(k - m + 1)
            exact -= m * mpf(0.3) + k * log1p(exp(-mpf(0.3)))
            assert abs(mpf(str(numeric.log_weight(k, m, 0.3))) - exact) < mpf(10) ** -18


@pytest.mark.parametrize("k", [0, -1, 1.5, True, 10**10 + 1, "3", None])
def test_a_count_that_is_none_is_refused(k):
    with pytest.raises(OutOfRange, match="k must be a whole number"):
        RepeatedResponse(k, 1.0).delta(1.0)


def test_numbers_outside_their_range_are_refused():
    for bad in (-1.0, np.nan, 2e9):
        with pytest.raises(OutOfRange, match="epsilon0"):
            RepeatedResponse(1, bad).delta(1.0)
    for bad in (-1.0, np.nan, 1.1):
        with pytest.raises(OutOfRange, match="delta0"):
            RepeatedResponse(1, 1.0, bad).epsilon(0.1)
        with pytest.raises(OutOfRange, match="delta"):
            RepeatedResponse(1, 1.0).epsilon(bad)
    with pytest.raises(OutOfRange, match="epsilon"):
        RepeatedResponse(1, 1.0).delta(-1.0)
    with pytest.raises(OutOfRange, match="wrong"):
        RepeatedResponse(3, 1.0).log_atom(4)
