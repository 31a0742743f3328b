"""Theorem 2 of P3 in a stable form: never above the truth, and never far below it."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from dprisk import PureDP
from dprisk.budget import largest_epsilon
from dprisk.budget.profile import PURE, largest, of_ratio, product, room
from dprisk.errors import OutOfRange
from dprisk.risk import independent_ratio
from tests.budget.profiles import most

MORE = 1 + mpmath.mpf("1e-9")


def extreme(random):
    """Priors and ratios near 0, near 1, near what makes the limit void, and ordinary ones."""
    priors = []
    for _ in range(2):
        tiny, near = 10.0 ** random.uniform(-300, 0), 1.0 - 10.0 ** random.uniform(-16, 0)
        priors.append(float(random.choice([random.uniform(0.01, 1), tiny, near, 1.0])) or 1.0)
    void = min(1e307, 1.0 / max(priors[0] * priors[1], 1e-307))
    off = 10.0 ** random.uniform(-16, 0)
    ratio = random.choice([1 + off, void * (1 - off), void * (1 + off), random.uniform(1, 20)])
    return priors[0], priors[1], float(max(ratio, 1.0))


@pytest.mark.parametrize("seed", range(4))
def test_epsilon_keeps_the_ratio_exactly_and_no_larger_one_does(seed):
    random = np.random.default_rng(seed)
    p, q, r = np.array([extreme(random) for _ in range(300)]).T
    found = largest_epsilon(r, p, q).value
    with mpmath.workdps(120):
        for a, b, ratio, epsilon in zip(p, q, r, found, strict=True):
            limit = mpmath.mpf(ratio)
            if np.isinf(epsilon):
                assert mpmath.mpf(a) * mpmath.mpf(b) * limit >= 1
                continue
            assert most(a, b, float(epsilon)) <= limit
            assert ratio == 1.0 or most(a, b, mpmath.mpf(float(epsilon)) * MORE) > limit


def test_the_ratio_is_kept_as_computed():
    random = np.random.default_rng(3)
    p, q = random.uniform(0.001, 1.0, (2, 5000))
    r = 1.0 + (1.0 / (p * q) - 1.0) * random.uniform(1e-3, 0.999, 5000)
    found = largest_epsilon(r, p, q).value
    for a, b, ratio, epsilon in zip(p[:500], q[:500], r[:500], found[:500], strict=True):
        known = PureDP(float(epsilon), neighbors="add-remove")
        assert independent_ratio(known, a, b).upper.value <= ratio


def test_cases_of_the_theorem_as_printed():
    """The printed form is fine away from q = 1 and from cancellation; q = 1 has a case."""
    p, q, r = 0.3, 0.2, 2.5
    root = np.sqrt((1 - p) ** 2 + 4 * p * (1 - q) * (1 / r - p * q))
    printed = np.log(2 * p * (1 - q) / (root - (1 - p)))
    assert largest_epsilon(r, p, q).value == pytest.approx(printed, rel=1e-9)
    known = np.log((1 - p) / (1 / r - p))
    assert largest_epsilon(r, p, 1.0).value == pytest.approx(known, rel=1e-9)
    member = 0.5 * np.log((1 - q) / (1 / r - q))
    assert largest_epsilon(r, 1.0, q).value == pytest.approx(member, rel=1e-9)


@pytest.mark.parametrize(
    ("ratio", "p", "q", "expected"),
    [
        (1.0, 0.5, 0.5, 0.0),  # nothing may be learned
        (0.5, 0.5, 0.5, 0.0),  # not even that is enough
        (0.0, 0.5, 0.5, 0.0),
        (4.0, 0.5, 0.5, np.inf),  # the posterior may reach 1
        (3.999, 0.5, 0.5, 0.5 * np.log(1e4) + 0.0),  # about
        (np.inf, 1e-300, 1e-300, np.inf),
        (1.0, 1.0, 1.0, np.inf),  # certainty does not move
        (1e300, 5e-324, 1.0, 300 * np.log(10)),
    ],
)
def test_edges(ratio, p, q, expected):
    found = largest_epsilon(ratio, p, q).value
    assert isinstance(found, float)
    assert found == pytest.approx(expected, rel=1.0 if ratio == 3.999 else 1e-9)


def test_arrays_scalars_and_nothing():
    p, q, r = np.array([0.1, 0.9]), 0.5, np.array([[1.5], [2.0], [9.0]])
    found = largest_epsilon(r, p, q).value
    assert found.shape == (3, 2)
    assert found[2, 0] == largest_epsilon(9.0, 0.1, 0.5).value
    assert largest_epsilon([], 0.5, 0.5).value.shape == (0,)
    with pytest.raises(ValueError, match="read-only"):
        found[0, 0] = 1.0


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((2.0, 0.0, 0.5), "membership_prior"),
        ((2.0, 0.5, 1.5), "value_prior"),
        ((np.nan, 0.5, 0.5), "ratio"),
        ((-1.0, 0.5, 0.5), "ratio"),
    ],
)
def test_bad_numbers_are_refused_by_name(arguments, name):
    with pytest.raises(OutOfRange, match=name):
        largest_epsilon(*arguments)


def test_a_product_knows_what_it_lost():
    random = np.random.default_rng(4)
    a, b = random.uniform(0.0, 1.0, (2, 200))
    whole, lost = product(a, b)
    with mpmath.workdps(60):
        for x, y, high, low in zip(a, b, whole, lost, strict=True):
            assert mpmath.mpf(x) * mpmath.mpf(y) == mpmath.mpf(high) + mpmath.mpf(low)


@pytest.mark.parametrize("size", [1e-9, 1e-3, 1.0, 20.0])
def test_clearing_is_certain(size):
    """What is cleared is kept in exact arithmetic; a little less than the largest is cleared."""
    random = np.random.default_rng(5)
    p, q = random.uniform(0.01, 0.9, (2, 200))
    with mpmath.workdps(60):
        r = np.array([float(most(a, b, size)) for a, b in zip(p, q, strict=True)])
        point = of_ratio(p, q, r)
        sure = room(point, PURE.times(size)) >= 0.0
        for a, b, ratio, said in zip(p, q, r, sure, strict=True):
            assert not said or most(a, b, size) <= mpmath.mpf(ratio)
    fine = largest(point)
    nearly = [PURE.times(each * (1 - 1e-4)) for each in fine]
    keeps = [room(of_ratio(p[i], q[i], r[i]), nearly[i]) >= 0.0 for i in range(len(p))]
    assert all(k for k, e in zip(keeps, fine, strict=True) if np.isfinite(e))
