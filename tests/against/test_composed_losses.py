"""Composed losses: other libraries agree within their own error, and where they fail ours holds."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest

from dprisk import PureDP
from dprisk.accountant.privacy_loss import PrivacyLoss
from dprisk.composition import compose
from dprisk.mechanisms import (
    DiscreteGaussian,
    Gaussian,
    Laplace,
    PairOfDistributions,
    RandomizedResponse,
)

pytestmark = [pytest.mark.against, pytest.mark.filterwarnings("ignore")]
A: Any = {"neighbors": "add-remove"}
GRID = 1e-3


@pytest.fixture
def pld():
    """The module of dp_accounting that makes privacy loss distributions."""
    pytest.importorskip("dp_accounting")
    from dp_accounting.pld import privacy_loss_distribution

    return privacy_loss_distribution


def composed(mechanism: Any, count: int) -> Any:
    return compose([mechanism.loss()], [count]).guarantee


def one_gaussian(delta: float) -> mpmath.mpf:
    """epsilon of Gaussian DP with mu = 1, by the closed profile at 60 digits."""
    with mpmath.workdps(60):

        def off(x):
            half = mpmath.mpf(1) / 2
            return mpmath.log(
                mpmath.ncdf(half - x) - mpmath.exp(x) * mpmath.ncdf(-half - x)
            ) - mpmath.log(mpmath.mpf(delta))

        return mpmath.findroot(off, (0.1, 40), solver="anderson", tol=1e-40)


def sides(make: Any, count: int, delta: float) -> list[float]:
    """The optimistic and the pessimistic estimate of dp_accounting."""
    return [make(end).self_compose(count).get_epsilon_for_delta(delta) for end in (False, True)]


CASES = {
    "laplace": (
        lambda: Laplace(10.0, 1.0, **A),
        lambda pld, end: pld.from_laplace_mechanism(
            10.0, pessimistic_estimate=end, value_discretization_interval=GRID
        ),
    ),
    "gaussian": (
        lambda: Gaussian(50.0, 1.0, **A),
        lambda pld, end: pld.from_gaussian_mechanism(
            50.0, pessimistic_estimate=end, value_discretization_interval=GRID
        ),
    ),
    "discrete Gaussian": (
        lambda: DiscreteGaussian(5.0, 1, **A),
        lambda pld, end: pld.from_discrete_gaussian_mechanism(
            5.0, pessimistic_estimate=end, value_discretization_interval=GRID
        ),
    ),
    "randomized response": (
        lambda: RandomizedResponse(0.1, 2, **A),
        lambda pld, end: pld.from_randomized_response(
            2.0 / (1.0 + np.exp(0.1)),
            2,
            pessimistic_estimate=end,
            value_discretization_interval=GRID,
        ),
    ),
}


@pytest.mark.parametrize("count", [1, 20, 300])
@pytest.mark.parametrize("name", CASES)
def test_brackets_meet_those_of_dp_accounting(pld, name, count):
    """Their truth is between their estimates, ours in the bracket: so the two overlap."""
    ours, theirs = CASES[name]
    for delta in (1e-3, 1e-7):
        lower, upper = composed(ours(), count).epsilon(delta).bracket
        low, high = sides(lambda end: theirs(pld, end), count, delta)
        assert low - 1e-7 <= upper
        assert lower <= high + 1e-7
        assert upper - lower < 1e-9


def test_any_probabilities_between_the_estimates_of_dp_accounting(pld):
    """Two lists of probabilities, in both directions."""
    random = np.random.default_rng(3)
    p, q = random.dirichlet(np.full(12, 5.0), 2)
    whole = composed(PairOfDistributions(p, q, **A), 10)
    forward, backward = (
        [
            pld.from_two_probability_mass_functions(
                dict(enumerate(np.log(b).tolist())),
                dict(enumerate(np.log(a).tolist())),
                pessimistic_estimate=end,
                value_discretization_interval=1e-4,
            ).self_compose(10)
            for end in (False, True)
        ]
        for a, b in ((p, q), (q, p))
    )
    for epsilon in (0.0, 1.0, 3.0):
        lower, upper = whole.delta(epsilon).bracket
        ends = [
            max(one.get_delta_for_epsilon(epsilon) for one in both)
            for both in zip(forward, backward, strict=True)
        ]
        assert ends[0] - 1e-12 <= upper
        assert lower <= ends[1] + 1e-12


@pytest.mark.parametrize("count", [10, 100, 1000])
def test_optimal_composition_against_dp_accounting(pld, count):
    """On a grid that holds the lattice of the theorem, they are right up to rounding."""
    from dp_accounting.pld import common

    promise = common.DifferentialPrivacyParameters(0.05, 0.0)
    theirs = pld.from_privacy_parameters(promise, value_discretization_interval=0.05)
    whole = compose([PureDP(0.05, **A)], [count]).guarantee
    expected = theirs.self_compose(count).get_epsilon_for_delta(1e-6)
    assert whole.epsilon(1e-6).value == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("delta", [1e-10, 1e-12, 1e-13])
def test_ten_thousand_gaussians_where_dp_accounting_falls_below(pld, delta):
    """Exactly 1-GDP: their pessimistic epsilon is too small, our bracket holds the truth."""
    truth = one_gaussian(delta)
    lower, upper = composed(Gaussian(100.0, 1.0, **A), 10_000).epsilon(delta).bracket
    assert lower <= truth <= upper
    assert upper - lower < 1e-9
    theirs = pld.from_gaussian_mechanism(100.0).self_compose(10_000)
    assert theirs.get_epsilon_for_delta(delta) < truth


def test_no_upper_value_of_ours_is_below():
    """From 1e-2 to 1e-30."""
    whole = composed(Gaussian(100.0, 1.0, **A), 10_000)
    for power in range(2, 31):
        delta = float(f"1e-{power}")
        lower, upper = whole.epsilon(delta).bracket
        assert lower <= one_gaussian(delta) <= upper


@pytest.mark.parametrize("count", [10, 200])
def test_brackets_meet_those_of_prv_accountant(count):
    """Laplace: theirs is 0.02 wide or more."""
    prv = pytest.importorskip("prv_accountant")
    accountant = prv.PRVAccountant(
        prvs=[prv.LaplaceMechanism(mu=0.1)],
        max_self_compositions=[count],
        eps_error=0.01,
        delta_error=1e-9,
    )
    low, _, high = accountant.compute_epsilon(1e-6, [count])
    lower, upper = composed(Laplace(10.0, 1.0, **A), count).epsilon(1e-6).bracket
    assert low <= lower
    assert upper <= high


def test_autodp_gives_a_negative_epsilon_where_ours_holds():
    """Ten Laplace mechanisms of scale 1 at delta 1e-5: the truth is a little below 10."""
    zoo = pytest.importorskip("autodp.mechanism_zoo")
    transformers = pytest.importorskip("autodp.transformer_zoo")
    one = zoo.LaplaceMechanism(b=1.0, phi_off=False)
    assert transformers.ComposeAFA()([one], [10]).approxDP(1e-5) < 1.0
    lower, upper = composed(Laplace(1.0, 1.0, **A), 10).epsilon(1e-5).bracket
    assert 9.98 < lower <= upper < 10.0


def test_power_against_riskcal(pld):
    """The trade-off of a composed loss at many levels: theirs from a pessimistic grid."""
    pytest.importorskip("riskcal")
    from riskcal.analysis import get_beta_from_pld

    levels = np.logspace(-6, -0.05, 40)
    for name in ("laplace", "discrete Gaussian"):
        ours, theirs = CASES[name]
        whole = composed(ours(), 50)
        lower, upper = whole.power(levels).bracket
        least, most = (
            1.0 - get_beta_from_pld(theirs(pld, end).self_compose(50), alpha=levels)
            for end in (False, True)
        )
        assert np.all(lower <= most + 1e-9)
        assert np.all(least - 1e-9 <= upper)


def test_a_grid_that_does_not_divide_the_loss_misleads_riskcal(pld):
    """One response with epsilon = ln 3 at level .05: the power is .15, they say .75."""
    pytest.importorskip("riskcal")
    from riskcal.analysis import get_beta_from_pld

    theirs = pld.from_randomized_response(0.5, 2, value_discretization_interval=1e-3)
    assert 1.0 - get_beta_from_pld(theirs, alpha=0.05) > 0.5
    whole = PrivacyLoss([(RandomizedResponse(np.log(3.0), 2, **A)).losses()], [1], **A)
    lower, upper = whole.power(0.05).bracket
    assert lower <= 0.15 + 1e-15
    assert 0.15 - 1e-15 <= upper < 0.15 + 1e-9
