"""The truncated Laplace mechanism around its probabilities in ball arithmetic."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from flint import arb
from scipy.integrate import quad

from dprisk.composition import compose
from dprisk.curves import two_outputs
from dprisk.errors import OutOfRange
from dprisk.guarantees import ApproxDP
from dprisk.mechanisms import Laplace, TruncatedLaplace
from sweep.truth.truncated import Truncated

A: Any = {"neighbors": "add-remove"}
EACH = [
    (1.0, 1.0, 10.0),
    (2.0, 1.0, 5.0),
    (1.0, 1.0, 1.0),
    (1.0, 2.0, 1.5),  # no two outputs have the largest loss
    (1.0, 1e-3, 20.0),
    (1.0, 30.0, 40.0),
    (1.0, 1.0, 600.0),
]


def truth(scale, sensitivity, bound):
    return Truncated(arb(sensitivity) / arb(scale), arb(bound) / arb(scale))


@pytest.mark.parametrize("given", EACH)
def test_the_profile_is_bracketed(given):
    """Both ends, at 0, inside, at the largest loss and beyond; and never more than 1e-4 apart."""
    known, loss = truth(*given), TruncatedLaplace(*given, **A).loss()
    top = float(known.largest.mid())
    for e in (0.0, 0.1 * top, 0.5 * top, 0.9 * top, 1.5 * top, math.inf):
        low, high = loss.delta(e).bracket
        exact = known.delta(arb(e) if math.isfinite(e) else arb.pos_inf())
        assert not exact < low, (e, low)
        assert not exact > high, (e, high)
        assert high - low <= 1e-4 * high + 1e-99


@pytest.mark.parametrize("given", EACH)
def test_tests_are_bracketed(given):
    known, loss = truth(*given), TruncatedLaplace(*given, **A).loss()
    for x in (0.0, 1e-6, 0.05, 0.5, 0.9, 1.0):
        low, high = loss.power(x).bracket
        assert not known.power(arb(x)) < low
        assert not known.power(arb(x)) > high


@pytest.mark.parametrize("given", EACH)
def test_the_promise_is_a_point_of_the_profile(given):
    """Never below it, and within rounding of it: Geng et al. (2020), where the bound is larger."""
    scale, sensitivity, bound = given
    promise = TruncatedLaplace(*given, **A).guarantee()
    assert isinstance(promise, ApproxDP)
    revealed = truth(*given).revealed
    assert promise.stated_delta >= revealed
    assert arb(promise.stated_delta) * (1 - 1e-14) <= revealed
    if bound >= sensitivity:
        assert promise.stated_epsilon == sensitivity / scale
        known = math.expm1(sensitivity / scale) / (2.0 * math.expm1(bound / scale))
        assert promise.stated_delta == pytest.approx(known, rel=1e-12)


def test_two_answers_that_no_output_joins():
    noise = TruncatedLaplace(1.0, 1.0, 0.5, **A)
    assert noise.guarantee() == ApproxDP(0.0, 1.0, **A)
    assert noise.loss().delta([0.0, 5.0]).value.tolist() == [1.0, 1.0]


def test_all_that_is_revealed_adds_up():
    """Of a hundred releases 1 - (1 - delta)^100 at least, whatever epsilon is."""
    noise = TruncatedLaplace(1.0, 1.0, 10.0, **A)
    low, high = compose([noise], [100]).delta(math.inf).bracket
    revealed = -math.expm1(100 * math.log1p(-noise.guarantee().parameters["delta"]))
    assert low <= revealed * (1 + 1e-12)
    assert high >= revealed * (1 - 1e-12)
    assert high == pytest.approx(low, rel=1e-6)


def test_far_bounds_are_no_bounds():
    """With a bound of 600 scales it is the Laplace mechanism."""
    ours, laplace = TruncatedLaplace(1.0, 1.0, 600.0, **A), Laplace(1.0, 1.0, **A)
    assert ours.loss().delta(0.3).value == pytest.approx(laplace.loss().delta(0.3).value, rel=1e-4)
    assert ours.noise_sd == pytest.approx(laplace.noise_sd, rel=1e-12)
    with pytest.raises(OutOfRange, match="700 scale"):
        TruncatedLaplace(1.0, 1.0, 701.0, **A)


@pytest.mark.parametrize("given", EACH[:4])
def test_the_noise_is_that_of_its_density(given):
    """Its standard deviation, and its total, by quadrature; and both can be drawn."""
    noise = TruncatedLaplace(*given, **A)
    density = noise.outputs.second
    ends = {"limit": 200, "points": [0.0]}
    total = quad(lambda x: float(density(np.array(x))), -noise.bound, noise.bound, **ends)[0]
    square = quad(lambda x: x * x * float(density(np.array(x))), -noise.bound, noise.bound, **ends)
    assert total == pytest.approx(1.0, rel=1e-9)
    assert noise.noise_sd == pytest.approx(math.sqrt(square[0]), rel=1e-9)
    drawn = two_outputs(noise, 0.3)
    assert drawn.first.max() == pytest.approx(drawn.second.max(), rel=0.1)
    assert np.all(np.isinf(noise.renyi([1.5, 8.0])))


@pytest.mark.parametrize(
    "given",
    [
        (0.2950651630744397, 9.407972129228742, 76.20457424675281),
        (0.1, 0.3, 69.7),
        (0.3, 7.1, 209.3),
        (0.7, 100.1, 73.3),
        (0.3, 1e-3, 180.7),
    ],
)
def test_what_is_revealed_has_the_digits_of_large_exponents(given):
    """Though e^(bound / scale) moves by hundreds of units when the quotient is rounded."""
    mechanism, revealed = TruncatedLaplace(*given, **A), truth(*given).revealed
    promised = mechanism.guarantee().stated_delta
    assert promised >= revealed >= arb(promised) * (1 - 1e-14)
    loss = mechanism.loss()
    beyond = 1.01 * float(truth(*given).largest.mid())
    for found in (
        loss.delta([beyond, math.inf]),
        loss.tail([beyond, math.inf], sides="one", post_processing=False),
        loss.tail([beyond, math.inf], sides="one"),
    ):
        for low, high in zip(*found.bracket, strict=True):
            assert low <= revealed <= high
