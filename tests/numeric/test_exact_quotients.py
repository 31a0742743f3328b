"""e^-z to the last digits, where z is a quotient."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np

from dprisk._numeric.exact import Double, exp_minus_quotient, product


def test_products_are_exact():
    """Two floats hold all of one."""
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=(2, 500)) * 10.0 ** rng.integers(-20, 20, (2, 500))
    high, low = product(a, b)
    for one, other, h, d in zip(a, b, high, low, strict=True):
        assert Fraction(one) * Fraction(other) == Fraction(h) + Fraction(d)


def test_exponentials_of_large_quotients():
    """With 60 digits, for quotients up to 700; the rounded quotient alone is off by 1e-13."""
    rng = np.random.default_rng(6)
    bottom = 10.0 ** rng.uniform(-4.0, 4.0, 400)
    top = bottom * rng.uniform(0.0, 700.0, 400)
    rest = bottom * rng.uniform(-1e-16, 1e-16, 400)
    found = exp_minus_quotient(top, Double(bottom, rest))
    with mpmath.workdps(60):
        for t, b, r, one in zip(top, bottom, rest, found, strict=True):
            truth = mpmath.exp(-mpmath.mpf(t) / (mpmath.mpf(b) + mpmath.mpf(r)))
            assert abs(one / truth - 1) <= 1e-15


def test_what_underflows_is_zero():
    assert exp_minus_quotient(np.array([1e9]), Double(np.array(1e-3), np.zeros(()))) == 0.0
