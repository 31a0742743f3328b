"""Sampled Gaussians beside a randomized response: against integrals of closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mpmath import mp

from dprisk.accountant.methods.by_shifts import ByShifts
from dprisk.accountant.profiles import add_up
from dprisk.losses.normal import ResponseLoss
from dprisk.losses.subsampled_normal import SubsampledNormalLoss

EPSILON = 1.1
FEW = ((1.0, 0.01), (1.25, 0.02))
AROUND = (-12, -6, -3, -1, 0, 1, 2, 4, 6, 9, 12, 16)


def loss(mu, rate, y):
    return mp.log(1 - rate + rate * mp.exp(mu * y - mu * mu / 2))


def chances(mu, rate, y):
    """Density with the record, and without."""
    return (1 - rate) * mp.npdf(y) + rate * mp.npdf(y, mu), mp.npdf(y)


def beyond(mu, rate, t, turned):
    """P and Q of a loss above t; turned, they and the sign of the loss are exchanged."""
    share = (mp.exp(-t if turned else t) - 1 + rate) / rate
    if share <= 0:
        return (mp.mpf(0), mp.mpf(0)) if turned else (mp.mpf(1), mp.mpf(1))
    y = mp.log(share) / mu + mu / 2
    side = 1 if turned else -1
    without = mp.ncdf(side * y)
    mixed = (1 - rate) * without + rate * mp.ncdf(side * (y - mu))
    return (without, mixed) if turned else (mixed, without)


def kink(x, turned):
    """Where, along the first of both Gaussians, the second starts or stops to count."""
    (mu, rate), (_, other) = FEW
    share = (math.exp((-x if turned else x) - math.log1p(-other)) - 1 + rate) / rate
    return [math.log(share) / mu + mu / 2] if share > 0 else []


def delta(x, turned):
    """E[(1 - e^(x - Z))+], value by value of the response, along the first of both Gaussians."""
    (first, *one), (second, *other) = ([*map(mp.mpf, each)] for each in FEW)

    def integrand(y, a):
        z, (p, q) = loss(first, *one, y), chances(first, *one, y)
        if turned:
            z, p, q = -z, q, p
        above, under = beyond(second, *other, x - a - z, turned)
        return p * above - mp.exp(x - a) * q * under

    with mp.workdps(20):
        values = [mp.mpf(EPSILON), -mp.mpf(EPSILON)]
        return mp.fsum(
            mp.quad(lambda y, a=a: integrand(y, a), sorted([*AROUND, *kink(float(x - a), turned)]))
            / (1 + mp.exp(-a))
            for a in values
        )


@pytest.mark.parametrize("turned", [False, True])
def test_beside_a_response(turned):
    """Delta is enclosed in both directions; epsilon is where it is delta."""
    made = ((SubsampledNormalLoss(*each), 1) for each in FEW)
    sampled = tuple((each.reverse() if turned else each, n) for each, n in made)
    whole = add_up((*sampled, (ResponseLoss(EPSILON), 1)), 1e-9)
    x = np.array([0.0, 1.0, 1.2])
    low, high = whole.delta(x)
    for i, at in enumerate(x.tolist()):
        assert low[i] <= delta(at, turned) <= high[i]
    assert np.all(high[:2] - low[:2] <= 1e-6 * high[:2])
    wanted = (low[:2] + high[:2]) / 2.0 * (1.0 - 1e-7)
    found = whole.epsilon(wanted)
    assert np.all(found.upper - found.lower <= 1e-5)
    for i, target in enumerate(wanted.tolist()):
        assert delta(float(found.lower[i]), turned) >= target or found.lower[i] == 0.0
        assert delta(float(found.upper[i]), turned) <= target


@pytest.mark.parametrize("turned", [False, True])
def test_one_step_beside_hundreds_of_values(turned):
    """What many responses add up to only shifts a closed form."""
    (mu, rate), several = FEW[0], ((1.1, 60), (0.3, 3), (0.0126, 2))
    step = SubsampledNormalLoss(mu, rate)
    few = tuple((ResponseLoss(each), n) for each, n in several)
    whole = add_up((((step.reverse() if turned else step), 1), *few), 1e-9)
    assert isinstance(whole, ByShifts) and len(whole.few.losses) > 512
    x = np.array([0.5, 30.0, 55.0])
    low, high = whole.delta(x)
    with mp.workdps(30):
        values = {mp.mpf(0): mp.mpf(1)}
        for each, n in several:
            e = mp.mpf(each)
            ones = [
                ((2 * k - n) * e, mp.binomial(n, k) * mp.exp(k * e) / (1 + mp.exp(e)) ** n)
                for k in range(n + 1)
            ]
            values = {a + b: p * q for a, p in values.items() for b, q in ones}
        for i, at in enumerate(x.tolist()):
            tails = [(a, p, *beyond(mu, rate, at - a, turned)) for a, p in values.items()]
            right = mp.fsum(p * (own - mp.exp(at - a) * other) for a, p, own, other in tails)
            assert low[i] <= right <= high[i]
    assert np.all(high - low <= 1e-9 * high)
