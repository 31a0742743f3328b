"""What other tools state, held against the certified bracket."""

from __future__ import annotations

import json
import math
from pathlib import Path
from types import SimpleNamespace

import mpmath
import numpy as np
import pytest

import dprisk
from dprisk.composition.opinion import check
from dprisk.errors import InvalidInput, Meaningless
from dprisk.mechanisms import Gaussian, Laplace, RandomizedResponse, SubsampledGaussian
from dprisk.releases import Part

WHO = {"sampling": "poisson", "neighbors": "add-remove"}
DATA = Path(__file__).parents[3] / "shared" / "data" / "tools"
GAUSS = Gaussian(1.0, 1.0, neighbors="add-remove")


def one(*args, **given):
    (found,) = check(*args, **given).comparisons
    return found


def normal_epsilon(mu, delta):
    """The ε of a normal loss by 40 digits and bisection, without the package."""
    with mpmath.workdps(40):

        def excess(e):
            return mpmath.ncdf(mu / 2 - e / mu) - mpmath.exp(e) * mpmath.ncdf(-mu / 2 - e / mu)

        low, high = mpmath.mpf(0), mpmath.mpf(100)
        for _ in range(120):
            middle = (low + high) / 2
            low, high = (middle, high) if excess(middle) > delta else (low, middle)
        return high


@pytest.mark.parametrize("mu", [0.1, 1.0, 5.0])
@pytest.mark.parametrize("delta", [1e-3, 1e-6, 1e-12])
def test_statements_about_normal_noise(mu, delta):
    truth = float(normal_epsilon(mu, delta))
    noise = Gaussian(1.0, mu, neighbors="add-remove")
    assert one(noise, epsilon=truth, delta=delta).verdict == "agrees"
    less = one(noise, epsilon=truth * (1 - 1e-9), delta=delta)
    assert less.verdict == "below"
    assert less.by == pytest.approx(truth * 1e-9, rel=1e-3)
    more = one(noise, epsilon=truth * (1 + 1e-9), delta=delta)
    assert more.verdict == "looser"
    assert more.by == pytest.approx(truth * 1e-9, rel=1e-3)


def test_random_statements_raise_no_false_alarm():
    draw = np.random.default_rng(7)
    for _ in range(40):
        epsilon = float(np.exp(draw.uniform(-6, 3)))
        who = {"neighbors": "add-remove"}
        noise, truth = [
            (Laplace(1.0 / epsilon, 1.0, **who), 1.0 / (1.0 / epsilon)),
            (RandomizedResponse(epsilon, **who), epsilon),
        ][draw.integers(2)]
        assert one(noise, epsilon=truth, delta=0.0).verdict == "agrees"
        assert one(noise, epsilon=truth * 1.01, delta=0.0).verdict == "looser"
        assert one(noise, epsilon=truth * 0.99, delta=0.0).verdict == "below"


@pytest.mark.parametrize(
    ("stated", "delta", "least"),
    [
        (2.79155, 1e-12, 1.0e-3),  # a grid of losses that ends too early
        (7.1713, 1e-12, 0.067),
        (7.2145, 1e-12, 0.0239),
        (7.237680, 1e-12, 8.1e-4),
    ],
)
def test_small_deltas_of_other_accountants(stated, delta, least):
    if stated < 3:
        run = Part.of(SubsampledGaussian(1.0, 1.0, 0.01, neighbors="add-remove"), 100)
    else:  # 10,000 steps with σ = 100
        run = Part.of(Gaussian(100.0, 1.0, neighbors="add-remove"), 10_000)
    found = one(run, epsilon=stated, delta=delta)
    assert found.verdict == "below"
    assert found.by >= least


def test_an_approximation_is_named():
    state = {"history": [(1.0, 0.004, 14_062)], "mechanism": "gdp"}
    found = one(state, epsilon=2.54503, delta=1e-5, **WHO)
    assert found.verdict == "below"
    assert found.reasons == ("central-limit",)


def test_conversion_by_orders_is_named():
    state = {"history": [(1.1, 0.01, 5000)], "mechanism": "rdp"}
    found = one(state, epsilon=3.84706, delta=1e-5, **WHO)
    assert found.verdict == "looser"
    assert "orders" in found.reasons


def test_twice_the_sensitivity_is_named():
    truth = float(normal_epsilon(2.0, 1e-5))
    found = one(GAUSS, epsilon=truth, delta=1e-5)
    assert "twice-as-far" in found.reasons
    found = one(
        Gaussian(1.0, 2.0, neighbors="replace-one"),
        epsilon=float(normal_epsilon(1.0, 1e-5)),
        delta=1e-5,
    )
    assert found.verdict == "below"
    assert "half-as-far" in found.reasons


def test_a_promise_has_an_upper_end_that_some_release_reaches():
    found = one(dprisk.PureDP(1.0, neighbors="add-remove"), epsilon=0.5, delta=0.0)
    assert found.verdict == "below"
    orders = dprisk.RenyiDP([2.0, 8.0], [0.5, 2.0], neighbors="add-remove")
    found = one(orders, epsilon=1e-3, delta=1e-5)
    assert found.verdict in ("below", "undecided")


def test_what_is_revealed_outright_is_infinite():
    shown = dprisk.ApproxDP(1.0, 1e-3, neighbors="add-remove")
    found = one(shown, epsilon=5.0, delta=1e-6)
    assert (found.verdict, found.lower, found.by) == ("below", math.inf, math.inf)


def test_an_object_is_asked_itself():
    accountant = SimpleNamespace(history=[(1.0, 1.0, 1)], get_epsilon=lambda delta: 4.0)
    found = one(accountant, delta=1e-5, **WHO)
    assert found.said.epsilon == 4.0
    assert found.verdict == "below"


def test_an_object_that_wants_the_name_of_delta():
    accountant = SimpleNamespace(history=[(1.0, 1.0, 1)], get_epsilon=lambda *, delta: 5.0)
    assert one(accountant, delta=1e-5, **WHO).verdict == "looser"


def test_an_object_that_fails_is_named():
    def fails(delta):
        raise ZeroDivisionError("no orders")

    accountant = SimpleNamespace(history=[(1.0, 1.0, 1)], get_epsilon=fails)
    with pytest.raises(Meaningless, match="no orders"):
        check(accountant, delta=1e-5, **WHO)


def test_without_a_statement_the_bracket_is_shown():
    found = check(GAUSS, delta=[1e-5, 1e-6])
    assert found.comparisons == ()
    assert found.kept
    ((delta, low, high), _) = found.certified
    assert delta == 1e-5
    truth = float(normal_epsilon(1.0, 1e-5))
    assert low * (1 - 1e-13) <= truth <= high


def test_it_is_plain_data():
    made = check(GAUSS, epsilon=4.0, delta=1e-5).to_dict()
    assert json.loads(json.dumps(made)) == made
    assert made["comparisons"][0]["verdict"] == "below"
    assert not made["kept"]


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({}, Meaningless),
        ({"epsilon": -1.0, "delta": 0.1}, InvalidInput),
        ({"epsilon": 1.0, "delta": 2.0}, InvalidInput),
        ({"epsilon": math.nan, "delta": 0.1}, InvalidInput),
        ({"epsilon": 1.0, "delta": [0.1, 0.2]}, InvalidInput),
        ({"epsilon": 1.0, "delta": 0.1, "sampling": "poisson"}, InvalidInput),
    ],
)
def test_bad_input(given, error):
    with pytest.raises(error):
        check(GAUSS, **given)


@pytest.mark.skipif(not DATA.exists(), reason="the files of other tools are not beside the project")
@pytest.mark.parametrize(
    ("name", "stated", "verdict"),
    [
        ("opacus-rdp-one-run.pt", 3.84706, "looser"),
        ("opacus-prv-noise-lowered.pt", 2.95423, "looser"),
        ("opacus-gdp.pt", 2.54503, "below"),
        ("opacus-rdp-ulp.json", 2.10137, "looser"),
        ("more/opacus-gdp.pt", 1.329194, "below"),
    ],
)
def test_files_of_opacus(name, stated, verdict):
    assert one(DATA / name, epsilon=stated, delta=1e-5, **WHO).verdict == verdict
