"""Sums of losses whose mean lies many standard deviations from zero."""

import numpy as np
import pytest
from mpmath import mp, mpf

from dprisk import PureDP
from dprisk.accountant.duality import spread
from dprisk.accountant.methods.by_binomial import ByBinomial, as_binomial
from dprisk.composition import compose
from dprisk.losses.normal import ResponseLoss


def tail(count, last, odds):
    """P[m <= last] where successes have these odds, from the last term downwards."""
    share = odds / (1 + odds)
    term = mp.binomial(count, last) * share**last * (1 - share) ** (count - last)
    total, m = mpf(0), last
    while m >= 0 and term > total * mpf(10) ** -40:
        total += term
        term *= mpf(m) / (count - m + 1) / odds
        m -= 1
    return total


def most_power(count, epsilon, last, share):
    """Of the best test, which always rejects at m <= last and else with `share` at last + 1."""
    found = []
    for odds in (mp.exp(-mpf(epsilon)), mp.exp(mpf(epsilon))):
        below, above = (tail(count, m, odds) for m in (last, last + 1))
        found.append(below + (above - below) * mpf(share))
    return found  # under P, under Q


@pytest.mark.parametrize("last", [95_500, 96_500, 97_000, 97_400])
def test_power_is_that_of_the_best_test(last):
    """Summed term by term: 200000 responses, the mean 11 deviations from zero."""
    count, epsilon = 200_000, 0.05
    whole = compose([PureDP(epsilon, neighbors="add-remove")], [count]).guarantee
    with mp.workdps(60):
        power, level = most_power(count, epsilon, last, 0.5)
        lower, upper = whole.power(float(level)).bracket
        assert mpf(float(lower)) <= power * (1 + mpf(10) ** -12)
        assert mpf(float(upper)) >= power * (1 - mpf(10) ** -12)
        assert float(upper) - float(lower) <= 1e-6 * float(upper)


@pytest.mark.parametrize("count", [10**6, 10**8, 10**9])
def test_searches_begin_with_few_points(count):
    """About evenly apart near the mean, few where delta is nearly 1."""
    for deep in (False, True):
        points = spread(as_binomial(((ResponseLoss(0.05), count),)), deep)
        assert len(points) < 600
        assert (np.diff(points) > 0.0).all() and points[0] > 0.0


def test_a_billion_releases_are_looked_at_in_few_places(monkeypatch):
    """Each place takes a sum of as many terms as a standard deviation is long."""
    asked, find = [], ByBinomial._delta
    monkeypatch.setattr(ByBinomial, "_delta", lambda one, x: (asked.append(x), find(one, x))[1])
    whole = compose([PureDP(0.05, neighbors="add-remove")], [10**9]).guarantee
    lower, upper = whole.loss_bound(0.05).bracket
    mean, deviation = 1e9 * 0.05 * np.tanh(0.025), np.sqrt(1e9) * 0.05 / np.cosh(0.025)
    assert mean < lower <= upper < mean + 5.0 * deviation
    assert 0 < len(asked) < 1500
