"""The search ends on the safe side, close to where a monotone measure comes up to a limit."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dprisk._numeric.invert import nearest, odds


def close(tolerance):
    return lambda _: (tolerance, True)


SCALES = {"number": float, "probability": odds}

SHAPES = {
    "line": lambda x: x,
    "square": lambda x: x * x,
    "saturating": lambda x: x / (1.0 + x),
    "steep": lambda x: -math.expm1(-(x**5)),
    "flat": lambda x: 0.1 + 1e-9 * x / (1.0 + x),
    "steps": lambda x: math.floor(x * 7.0) / 7.0 if x < 1e9 else 1e9,
    "endless": lambda x: x if x < 3.0 else math.inf,
}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("start", [1e-250, 1e-3, 1.0, 1e9])
@pytest.mark.parametrize("scale", ["probability", "number"])
def test_keeps_and_breaks(name, start, scale):
    """Kept at one end, broken at the other, both as computed and as close as asked for."""
    measure = SHAPES[name]
    most = measure(0.37)
    found = nearest(measure, most, start, strength=SCALES[scale], closeness=close(1e-10))
    assert measure(found[0]) <= most < measure(found[1])
    assert 0.0 < found[1] / found[0] - 1.0 <= 1.01e-10


def test_noise_falls_where_budgets_rise():
    found = nearest(lambda x: 1.0 / x, 4.0, 1.0, rising=False, strength=float)
    assert 1.0 / found[0] <= 4.0 < 1.0 / found[1]
    assert found[0] == pytest.approx(0.25, rel=1e-11)


def test_nothing_keeps_or_everything_does():
    """0 and infinity stand for them, the other way round for noise."""
    assert nearest(lambda x: 2.0, 1.0, 1.0)[0] == 0.0
    assert nearest(lambda x: 0.5, 1.0, 1.0)[1] == math.inf
    assert nearest(lambda x: 2.0, 1.0, 1.0, rising=False)[0] == math.inf
    assert nearest(lambda x: 0.5, 1.0, 1.0, rising=False)[1] == 0.0


def test_a_good_start_takes_few_calls():
    """Three where it is right, a dozen where it is off by a factor of a hundred."""
    for start, most in ((0.37, 4), (37.0, 16), (0.0037, 16)):
        calls = []

        def measure(x, calls=calls):
            calls.append(x)
            return x / (1.0 + x)

        nearest(measure, 0.37 / 1.37, start, closeness=close(1e-10))
        assert len(calls) <= most


@pytest.mark.parametrize("name", ["line", "square", "saturating", "steep"])
def test_one_number_alone_takes_fewer_calls(name):
    """The one that keeps the limit is as close to it; the other is any that was tried."""
    measure, most = SHAPES[name], SHAPES[name](0.37)

    def calls(closeness):
        seen = []
        found = nearest(lambda x: seen.append(x) or measure(x), most, 0.3, closeness=closeness)
        assert measure(found[0]) <= most < measure(found[1])
        assert found[0] == pytest.approx(0.37, rel=1.01e-10)
        return len(seen)

    assert calls(lambda x: (1e-10, False)) < calls(close(1e-10))


def test_how_close_is_asked_where_it_was_measured():
    """And may depend on the number: what is only known roughly is not searched for closely."""
    asked = []

    def coarse(x):
        asked.append(x)
        return 1e-3, True

    found = nearest(lambda x: x, 0.37, 1.0, strength=float, closeness=coarse)
    assert 1e-8 < found[1] / found[0] - 1.0 <= 1.01e-3
    assert {1.0} < set(asked)


def test_jitter_does_not_deceive_it():
    """A measure that is rough in its last digits is kept at the end all the same."""
    random = np.random.default_rng(1)

    def rough(x):
        return x * (1.0 + 1e-9 * math.sin(1e12 * x))

    for most in random.uniform(0.1, 10.0, 50):
        found = nearest(rough, most, 1.0, strength=float, closeness=close(1e-10))
        assert rough(found[0]) <= most < rough(found[1])


def kept(measure, most, start, last, scale="probability"):
    found = nearest(measure, most, start, whole=True, strength=SCALES[scale], ends=(1.0, last))
    return int(found[0])


RISING = {
    "line": lambda n, k: n / k,
    "root": lambda n, k: math.sqrt(n / k),
    "logarithm": lambda n, k: math.log1p(n) / math.log1p(k),
    "steep": lambda n, k: math.expm1(min(n / k, 50.0)) / math.expm1(1.0),
    "step": lambda n, k: 0.5 if n <= k else 2.0,
}


@pytest.mark.parametrize("name", RISING)
@pytest.mark.parametrize("scale", ["probability", "number"])
@pytest.mark.parametrize("last", [5, 10**9])
def test_the_last_whole_number_that_is_kept(name, scale, last):
    """Wherever the search starts; none at all, and the last of all, are among them."""
    for limit in (0.3, 1.2, 2.5, 4.9, 17.3, 1234.5, 9.87654e8, 2e9):

        def measure(n, limit=limit):
            value = RISING[name](n, limit)
            return value if scale == "number" else -math.expm1(-value)

        most = 1.0 if scale == "number" else -math.expm1(-1.0)
        for start in (1, 3, 5000, 10**9):
            found = kept(measure, most, min(start, last), last, scale)
            assert found == 0 or measure(found) <= most
            assert found == last or measure(found + 1) > most


def test_whole_numbers_are_found_in_few_calls():
    """As what people plan is: a dozen, where halving took thirty."""
    calls = []

    def measure(n):
        calls.append(n)
        return -math.expm1(-math.sqrt(n / 123456.7))

    assert kept(measure, -math.expm1(-1.0), 1000, 10**9) == 123456
    assert len(calls) <= 12
