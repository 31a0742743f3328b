"""Sums that take one value, whatever their number; and steps that floats have no room for."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx

from dprisk.accountant import PrivacyLoss
from dprisk.accountant.loss_sum import Bracket, tail_by_chords
from dprisk.accountant.methods.by_contour import ByContour
from dprisk.losses.atoms import AtomicLoss
from dprisk.mechanisms import SampleRelease

A: Any = {"neighbors": "add-remove"}
COUNTS = [1, 30, 100, 512, 513, 1811, 10**6, 10**9]


@pytest.fixture(autouse=True)
def digits():
    with ctx.workprec(300):
        yield


@pytest.mark.parametrize("count", COUNTS)
def test_where_records_come_out_or_nothing_does(count):
    """With the record: 16/86 of not drawing it, each time. Without it: never drawn."""
    loss = PrivacyLoss([SampleRelease(70, 86, **A).losses()], [count], **A)
    value, hidden = count * (arb(16) / 86).log(), (arb(16) / 86) ** count
    for t in (-1e12, -3000.0, -51.03, -1.0, 0.0, 51.0, 1e5):
        below = arb(1 if value < t else 0)
        for world, truth in (("in", below * hidden), ("out", below)):
            at = loss.distribution(world)
            for (low, high), right in (
                (at.at_most(np.array([t])), truth),
                (at.beyond(np.array([t])), 1 - truth),
            ):
                assert not arb(low[0]) > right and not arb(high[0]) < right, (world, t)
    for x in (0.0, 51.0, 3000.0):
        low, high = loss.delta(x).bracket
        truth = max(1 - hidden, 1 - (value + arb(x)).exp())
        assert not arb(low) > truth and not arb(high) < truth


@pytest.mark.parametrize("count", [600, 10**5])
def test_two_values_that_are_nearly_one(count):
    """Too many for values one by one, and their variance is lost among roundings."""
    near = math.nextafter(1.0, 2.0)
    loss = AtomicLoss.part([1.0, near], [0.5, 0.5])
    found = ByContour(((loss, count),))
    x = np.array([0.0, count * 0.999, count * 1.001])
    value = count * arb(1)  # and 1e-16 of itself more
    for other, scale in ((False, arb(1)), (True, (-value).exp())):
        low, high = found.tail(x, other)
        for a, b, at in zip(low, high, x, strict=True):
            truth = scale if at < count else arb(0)
            assert not arb(a) > truth * (1 + arb(1e-9)) and not arb(b) < truth * (1 - arb(1e-9))
    low, high = found.spread[0], found.spread.reach
    assert low <= count * near and high >= count


@pytest.mark.parametrize(("x", "rate"), [(1.0, 0.7), (51.0, 0.7), (500.0, 0.7), (1e9, 1e-9)])
@pytest.mark.parametrize("away", [0.0, 7e-19, 1e-15, 1e-14, 3.1e-14, 1e-6, 0.3])
def test_chords_of_the_steps_that_floats_take(x, rate, away):
    """A profile known but for 1e-13, P[Z > t] = e^-rt: right, however short a chord is asked."""

    def delta(t):
        low = high = np.exp(-rate * t) / (1.0 + rate)
        return Bracket(low * (1 - 1e-13), high * (1 + 1e-13))

    found = tail_by_chords(delta, np.array([x]), np.array([away]), False)
    truth = (-arb(rate) * arb(x)).exp()
    assert not arb(found.lower[0]) > truth * (1 + arb(1e-12))
    assert not arb(found.upper[0]) < truth * (1 - arb(1e-12))
