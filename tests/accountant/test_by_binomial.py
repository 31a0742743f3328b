"""The profile of repeated randomized response: the truth lies in the bracket, which is narrow."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mpmath import mp, mpf

from dprisk import PureDP
from dprisk._numeric import binomial as numeric
from dprisk.accountant.methods.by_binomial import ByBinomial
from dprisk.composition import compose
from dprisk.errors import OutOfRange
from dprisk.losses.normal import ResponseLoss
from tests.oracles.reading import column, grouped, read

NARROW = 1e-12
AT_A_BILLION = 1e-11
PRINTED = Decimal("1e-24")  # the tables have 25 digits
KEY = ("k", "epsilon0", "delta0", "method")


def repeated(k, e, d=0.0):
    return ByBinomial(ResponseLoss(e, d), k)


def at(value):
    return np.array([value], dtype=float)


def answered(method, k, e, d, x):
    """The bracket for a row of the table."""
    if method == "delta":
        return repeated(k, e, d).delta(x)
    return repeated(k, e).exact_tail(x, method == "q")


def holds(lower, exact, upper):
    """Whether a bracket holds a number of which 25 digits are known."""
    room = abs(exact) * PRINTED
    return Decimal(lower) <= exact + room and exact - room <= Decimal(upper)


@pytest.mark.parametrize("method", ["delta", "p", "q"])
def test_the_bracket_holds_the_truth_and_is_narrow(method):
    wrong = []
    for (k, e, d, name), every in grouped("binomial", KEY).items():
        rows = [row for row in every if float(row["argument"]) >= 0.0]
        if name != method or not rows:
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
            float(repeated(k, e, d).epsilon(at(above)).lower[0]),
            float(repeated(k, e, d).epsilon(at(below)).upper[0]),
        )
        revealed = -math.expm1(k * math.log1p(-d)) > 0.5 * float(exact)
        if not (low <= x <= high and (revealed or high - low <= width * max(1.0, x))):
            beyond = x > k * e and low <= k * e <= high * (1 + 1e-15)  # delta is flat there
            wrong.extend([] if beyond else [(row, low, high)])
    assert not wrong, f"{len(wrong)} wrong, such as {wrong[:3]}"


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
        low = float(repeated(k, shrink).delta(at(math.nextafter(x, 9e9))).lower[0])
        high = float(repeated(k, grow).delta(at(max(math.nextafter(x, -1.0), 0.0))).upper[0])
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
    low, high = repeated(3, e0, d0).delta(at(x))
    assert low == pytest.approx(best, rel=1e-14)
    assert high == pytest.approx(best, rel=1e-14)


@given(
    k=st.integers(1, 3000),
    e0=st.floats(1e-8, 30.0),
    d0=st.sampled_from([0.0, 1e-15, 1e-6]),
    d=st.floats(1e-300, 0.5),
)
@example(k=10**6, e0=1e-3, d0=0.0, d=5e-324)
@example(k=10**6, e0=1e-3, d0=0.0, d=3e-323)
@example(k=1000, e0=0.05, d0=1e-15, d=1.1e-12)
def test_the_promise_holds_as_computed(k, e0, d0, d):
    low, high = repeated(k, e0, d0).epsilon(at(d))
    assert low <= high
    if high < np.inf:
        assert repeated(k, e0, d0).delta(high).upper <= d
    if 0.0 < low < np.inf:
        assert repeated(k, e0, d0).delta(low).lower >= d


@pytest.mark.parametrize("k", [1, 4, 5, 1000])
@pytest.mark.parametrize("e0", [1e-8, 0.3, 40.0])
def test_tails_and_delta_agree(k, e0):
    """Delta is the difference of both tails."""
    x = np.array([0.0, 0.5, 1.0, 1.5, max(k - 2.0, 0.0), k]) * e0
    p, q = (repeated(k, e0).exact_tail(x, other) for other in (False, True))
    low, high = repeated(k, e0).delta(x)
    with np.errstate(over="ignore", invalid="ignore"):
        gap = p.upper - np.where(q.lower > 0, np.exp(x) * q.lower, 0.0)
    assert np.all(low <= gap + 1e-13) and np.all(high >= gap - 1e-12)


def test_edges():
    each, ends = np.array([0.0, 1.0]), np.array([3.5, 4.0, np.inf])
    assert repeated(5, 0.0).delta(each).upper.tolist() == [0.0, 0.0]
    assert repeated(5, 0.0).epsilon(each).upper.tolist() == [0.0, 0.0]
    assert repeated(5, 1.0, 1.0).delta(at(np.inf)).lower == 1.0
    assert repeated(5, 1.0, 1.0).epsilon(np.array([0.5, 1.0])).upper.tolist() == [np.inf, 0.0]
    assert repeated(5, 1.0, 1e-9).epsilon(at(0.0)).lower == np.inf
    assert repeated(7, 0.5).epsilon(at(0.0)) == (3.5, 3.5)
    assert repeated(7, 0.5).delta(ends).upper.tolist() == [0.0, 0.0, 0.0]
    assert repeated(7, 0.5).exact_tail(at(np.inf), True) == (0.0, 0.0)
    for shape in ((0,), (2, 3), (0, 2)):
        assert repeated(3, 1.0).delta(np.ones(shape)).upper.shape == shape


def test_the_smallest_doubles_are_bracketed():
    """Far beyond the smallest double the upper end is still positive."""
    low, high = repeated(10**6, 1e-3).delta(at(100.0))
    assert low == 0.0 and 0.0 < high <= 1e-323
    low, high = repeated(10**6, 1e-3).epsilon(np.array([5e-324, 1e-310]))
    assert np.all(low <= high) and np.all(high < 40.0)


def test_the_index_on_the_lattice_is_the_last_that_is_enough():
    for k, e0, d in [(42, 0.05, 1e-6), (10, 1.0, 0.3), (1000, 0.1, 1e-100), (7, 0.5, 0.999)]:
        index = repeated(k, e0).lattice_index(d)
        assert repeated(k, e0).delta(at((k - 2 * index) * e0)).upper <= d * (1 + 1e-12)
        if 2 * (index + 1) <= k:
            assert repeated(k, e0).delta(at((k - 2 * index - 2) * e0)).lower > d
    assert repeated(5, 1.0, 0.1).lattice_index(0.1) == -1


@pytest.mark.parametrize("k", [31, 32, 65, 1000, 10**6, 10**10])
def test_the_weights_have_eighteen_digits_whatever_decimals_do_elsewhere(k):
    from mpmath import exp, log1p, loggamma

    with mp.workdps(50), localcontext(prec=5):
        for m in (0, 1, 31, k // 32, k // 2, k):
            exact = loggamma(k + 1) - loggamma(m + 1) - loggamma(k - m + 1)
            exact -= m * mpf(0.3) + k * log1p(exp(-mpf(0.3)))
            assert abs(mpf(str(numeric.log_weight(k, m, 0.3))) - exact) < mpf(10) ** -18


@pytest.mark.parametrize("k", [0, -1, 1.5, True, 10**10 + 1, "3", None])
def test_a_count_that_is_none_is_refused(k):
    with pytest.raises(OutOfRange, match="k must be a whole number"):
        repeated(k, 1.0)


DELTAS = [1e-300, 1e-30, 1e-6, 0.01, 0.3, 0.9, 1 - 1e-9]
EACH = [1e-8, 1e-3, 0.05, 1.0, 9.0, 50.0]


def exact_delta(k, epsilon0, delta0, epsilon):
    """Sum over the number of wrong answers, term by term."""
    e, x = mpf(epsilon0), mpf(epsilon)
    weight, total = (1 + mp.exp(-e)) ** -k, mpf(0)
    for wrong in range(k + 1):
        loss = (k - 2 * wrong) * e
        if loss <= x:
            break
        total -= weight * mp.expm1(x - loss)
        weight *= mpf(k - wrong) / (wrong + 1) * mp.exp(-e)
    kept = k * mp.log1p(-mpf(delta0))
    return total * mp.exp(kept) - mp.expm1(kept)


@pytest.mark.parametrize("k", [1, 2, 10, 120])
@pytest.mark.parametrize("revealed", [0.0, 1e-9])
def test_the_bracket_of_epsilon_holds_the_truth(k, revealed):
    """Delta is at most what was asked at the upper end and at least that at the lower one."""
    room = mpf(10) ** -45
    with mp.workdps(60):
        for epsilon0 in EACH:
            for delta in DELTAS:
                low, high = (end[0] for end in repeated(k, epsilon0, revealed).epsilon(at(delta)))
                assert low <= high
                if high < math.inf:
                    assert exact_delta(k, epsilon0, revealed, high) <= delta * (1 + room)
                if 0.0 < low < math.inf:
                    assert exact_delta(k, epsilon0, revealed, low) >= delta * (1 - room)


@pytest.mark.parametrize("k", [1, 2, 10, 100, 1000, 10**4, 10**5, 10**6])
@pytest.mark.parametrize("epsilon0", [1e-6, 0.05, 2.0])
def test_the_bracket_is_narrow_at_any_size(k, epsilon0):
    for delta in (1e-300, 1e-15, 1e-6, 1e-3):
        low, high = (end[0] for end in repeated(k, epsilon0).epsilon(at(delta)))
        assert 0.0 <= high - low <= 1e-12 * high


def test_scalars_and_arrays_get_the_same_numbers():
    whole = compose([PureDP(0.05, neighbors="add-remove")], [1000]).guarantee
    deltas = np.array([[1e-9, 1e-6], [0.1, 1.0]])
    found = whole.epsilon(deltas)
    for place in np.ndindex(2, 2):
        one = whole.epsilon(float(deltas[place]))
        assert one.bracket == (found.other_end[place], found.value[place])


@pytest.mark.parametrize(("epsilon", "count"), [(2e9, 3), (1.0, 10**11)])
def test_promises_beyond_what_sums_can_take_are_refused(epsilon, count):
    with pytest.raises(OutOfRange):
        compose([PureDP(epsilon, neighbors="add-remove")], [count]).guarantee.epsilon(1e-6)
