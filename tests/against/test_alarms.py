"""Random mechanisms with closed forms: no false alarm, and none missed; without any library."""

from __future__ import annotations

import math

import pytest
from mpmath import mp, mpf, workdps

from bench import alarms
from bench.accountants import Case


@pytest.mark.parametrize(
    ("part", "delta", "expected"),
    [
        (("gaussian", 1.0, 1), 1e-5, 4.377178095681234),
        (("gaussian", 100.0, 10_000), 1e-12, 7.2384944201788715),
        (("laplace", 1.0, 1), 1e-5, 0.99997999990),
        (("laplace", 1.0, 1), 0.5, 0.0),
        (("pure", 0.1, 100), 1e-6, 4.774567588),
        (("response", 0.5, 10), 0.0, 5.0),
        (("response", 1.0, 3), 0.99, 0.0),
        (("sampled", 1.0, 0.01, 1), 1e-5, 0.19945044779600668),
    ],
)
def test_closed_forms(part, delta, expected):
    """Numbers that are published, or certified."""
    assert float(alarms.truth(Case((part,), delta))) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("delta", [0.0, 1e-9, 0.01, 0.3])
def test_coins_by_all_outcomes(delta):
    """The δ at the ε found is summed over every sequence of three responses."""
    with workdps(40):
        epsilon = mpf("0.7")
        found = alarms.truth(Case((("response", 0.7, 3),), delta))
        right = 1 / (1 + mp.exp(-mpf(0.7)))
        total = mpf(0)
        for outcome in range(8):
            ones = outcome.bit_count()
            p, q = (
                right**ones * (1 - right) ** (3 - ones),
                right ** (3 - ones) * (1 - right) ** ones,
            )
            total += max(mpf(0), p - mp.exp(found) * q)
        assert abs(total - delta) < mpf(10) ** -14
        assert found <= 3 * epsilon + mpf(10) ** -14


@pytest.mark.parametrize("number", range(40))
def test_statements_around_the_closed_form(number):
    """The next double at or above it is true; a millionth below it is not."""
    case = alarms.drawn("prv_accountant", number)
    least = alarms.truth(case)
    up = float(least)
    up = up if up >= least else math.nextafter(up, math.inf)
    at = alarms.judged(case, up)
    assert not at.false_alarm and at.verdict == "agrees"
    above = alarms.judged(case, up * (1 + 1e-6) + 1e-12)
    assert above.verdict == "looser"
    if up:
        assert alarms.judged(case, up * (1 - 1e-6)).verdict == "below"


def test_a_row_counts_what_is_wrong():
    case = Case((("gaussian", 1.0, 1),), 1e-5)
    some = [
        alarms.Judged(case, 1.0, mpf(2), "below"),
        alarms.Judged(case, 2.0, mpf(1), "below"),
        alarms.Judged(case, 1.0, mpf(2), "looser"),
    ]
    assert alarms.row("tool", some) == "| tool | 3 | 2 | 2 | 0 | 1 | 0 | 1 | 1 |\n"
