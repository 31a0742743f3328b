"""Mixtures of normals against their profile with thirty digits, in both directions."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest

from dprisk.composition import compose
from dprisk.errors import InvalidInput
from dprisk.mechanisms import Gaussian, GaussianMixture, SubsampledGaussian

A: Any = {"neighbors": "add-remove"}
CASES = [
    ([0.0, 1.0, 2.0], [0.9, 0.09, 0.01]),
    ([0.5, 1.0, 3.0], [0.2, 0.3, 0.5]),
    ([0.0, 1e-3, 2e-3], [0.5, 0.25, 0.25]),
    ([0.0, 4.0, 9.0], [0.99, 0.009, 0.001]),
    ([0.0, 1.0, 20.0], [0.9, 0.05, 0.05]),
]


def truth(lengths, shares, epsilon):
    """The larger of both directions: the ratio of the densities rises with the output."""
    with mpmath.workdps(30):
        s, p = ([mpmath.mpf(each) for each in some] for some in (lengths, shares))
        grown = mpmath.exp(mpmath.mpf(epsilon))

        def reached(ratio):
            low, high = mpmath.mpf(-80), mpmath.mpf(80)
            for _ in range(130):
                x = (low + high) / 2
                found = sum(b * mpmath.exp(a * x - a * a / 2) for a, b in zip(s, p, strict=True))
                low, high = (x, high) if found < ratio else (low, x)
            return low

        x = reached(grown)
        under_p = sum(b * mpmath.ncdf(a - x) for a, b in zip(s, p, strict=True))
        removed = under_p - grown * mpmath.ncdf(-x)
        x = reached(1 / grown)
        below = sum(b * mpmath.ncdf(x - a) for a, b in zip(s, p, strict=True))
        return max(removed, mpmath.ncdf(x) - grown * below)


@pytest.mark.parametrize(("lengths", "shares"), CASES)
def test_the_profile_is_inside_its_bracket(lengths, shares):
    mechanism = GaussianMixture(1.0, lengths, shares, **A)
    loss, promise = mechanism.loss(), mechanism.guarantee()
    for epsilon in (0.0, 0.1, 1.0, 3.0):
        known = truth(lengths, shares, epsilon)
        low, high = loss.delta(epsilon).bracket
        assert low <= known * (1 + mpmath.mpf(1e-12)) + 1e-16 and known <= high
        assert high <= float(known) * 1.01 + 1e-12
        assert known <= promise.delta(epsilon).value
    assert loss.delta(np.inf).value <= 1e-30


def test_the_order_repetitions_and_the_unit_do_not_matter():
    one = GaussianMixture(2.0, [0.0, 2.0, 4.0], [0.9, 0.09, 0.01], **A)
    other = GaussianMixture(1.0, [2.0, 1.0, 0.0, 1.0, 7.0], [0.01, 0.04, 0.9, 0.05, 0.0], **A)
    assert one.loss().delta(0.7).bracket == pytest.approx(other.loss().delta(0.7).bracket, rel=1e-9)


def test_special_cases_are_known_mechanisms():
    sampled = GaussianMixture(1.0, [0.0, 1.0], [0.99, 0.01], **A).loss()
    known = SubsampledGaussian(1.0, 1.0, 0.01, **A).loss()
    assert sampled.epsilon(1e-6).bracket == known.epsilon(1e-6).bracket
    always = GaussianMixture(2.0, [1.0, 1.0], [0.5, 0.5], **A)
    assert always.guarantee() == Gaussian(2.0, 1.0, **A).guarantee()
    assert always.loss().delta(0.3).bracket == Gaussian(2.0, 1.0, **A).loss().delta(0.3).bracket
    assert GaussianMixture(2.0, 0.0, 1.0, **A).loss().delta(0.0).value == 0.0


def test_steps_add_up_between_more_and_less():
    """A record that takes part once or twice is between always once and always twice."""
    steps = [
        GaussianMixture(1.0, [0.0, length, 2.0], [0.98, share, 0.02 - share], **A)
        for length, share in ((1.0, 0.02), (1.0, 0.019), (1.0, 0.0))
    ]
    found = [compose([step], [100]).guarantee.epsilon(1e-5).value for step in steps]
    assert found[0] < found[1] < found[2]


@pytest.mark.parametrize(
    ("lengths", "shares", "said"),
    [
        ([0.0, 1.0], [0.5, 0.6], "add up to 1"),
        ([0.0, 1.0], [1.0], "as many as there are sensitivities"),
        ([], [], "sensitivities"),
        ([-1.0, 1.0], [0.5, 0.5], "sensitivities"),
        ([0.0, np.nan], [0.5, 0.5], "sensitivities"),
        ([[0.0, 1.0]], [0.5, 0.5], "sensitivities"),
        ([0.0, 1.0], [1.5, -0.5], "probabilities"),
    ],
)
def test_wrong_lists_are_named(lengths, shares, said):
    with pytest.raises(InvalidInput, match=said):
        GaussianMixture(1.0, lengths, shares, **A)
    with pytest.raises(InvalidInput, match="neighbors"):
        GaussianMixture(1.0, [0.0], [1.0], neighbors="replace-one")
