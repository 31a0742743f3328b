"""Lines are what the guarantee answers, against formulas of the literature worked out here."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import product
from typing import Any

import mpmath
import numpy as np
import pytest

from dprisk import (
    ApproxDP,
    GaussianDP,
    ProbabilisticallyBoundedDP,
    PureDP,
    ZeroConcentratedDP,
    counterfactual,
    disclosure,
)
from dprisk.curves import beliefs, counterfactual_line, guarantee_line, noise_curve, two_outputs
from dprisk.curves.lines import KINDS, attack_line
from dprisk.errors import DpriskError, InvalidInput, OutOfRange
from dprisk.mechanisms import (
    DiscreteGaussian,
    Gaussian,
    Geometric,
    Laplace,
    PairOfDensities,
    PairOfDistributions,
    RandomizedResponse,
    SampleRelease,
    VectorGaussian,
)
from dprisk.risk import attack

A: Any = {"neighbors": "add-remove"}
R: Any = {"neighbors": "replace-one"}
PROMISES = [
    PureDP(0.0, **A),
    PureDP(1.0, **A),
    PureDP(20.0, **A),
    ApproxDP(1.0, 1e-5, **A),
    ApproxDP(0.0, 1.0, **A),
    ProbabilisticallyBoundedDP(1.0, 0.01, **A),
    GaussianDP(1.0, **A),
    ZeroConcentratedDP(0.5, **A),
]


def phi(x):
    return mpmath.ncdf(x)


def quantile(p):
    return mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf(p) - 1)


def normal(kind, x, mu):
    """What two normals that are mu apart are, from their distribution function."""
    x = mpmath.mpf(x)
    if kind == "profile":  # Balle and Wang 2018, Theorem 8
        return phi(mu / 2 - x / mu) - mpmath.exp(x) * phi(-mu / 2 - x / mu)
    if kind == "raw tail":  # Z is normal with mean mu^2/2 and variance mu^2
        return phi((mpmath.mpf(mu) ** 2 / 2 - x) / mu)
    power = phi(quantile(x) + mu)
    return 1 - power if kind == "trade-off" else power


@pytest.mark.parametrize("kind", ["profile", "raw tail", "power", "trade-off"])
@pytest.mark.parametrize("mu", [0.1, 1.0, 4.0])
def test_normal_lines_follow_the_normal_distribution(kind, mu):
    x = [0.001, 0.05, 0.5, 0.9]
    known = Gaussian(1.0 / mu, 1.0, **A).loss() if kind == "raw tail" else GaussianDP(mu, **A)
    line = guarantee_line(known, kind, x)
    with mpmath.workdps(40):
        truth = [float(normal(kind, each, mpmath.mpf(mu))) for each in x]
    assert line.value == pytest.approx(truth, rel=1e-9, abs=2e-14)
    ends = line.lower if kind == "trade-off" else line.upper
    side = -1.0 if kind == "trade-off" else 1.0
    assert all(side * (end - true) >= -2e-14 for end, true in zip(ends, truth, strict=True))


def test_loss_line_is_that_of_the_theorem():
    """P0, Theorem 3.9, in fractions of exponentials."""
    failures = [1e-5, 0.01, 0.5]
    line = guarantee_line(ApproxDP(1.0, 1e-6, **A), "loss", failures)
    with mpmath.workdps(40):
        truth = [
            float(mpmath.log((f * mpmath.e + mpmath.mpf(1e-6)) / (f - mpmath.mpf(1e-6))))
            for f in map(mpmath.mpf, failures)
        ]
    assert line.upper == pytest.approx(truth, rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("promise", PROMISES, ids=repr)
def test_lines_of_their_own_choice_are_sound(promise, kind):
    line = guarantee_line(promise, kind)
    assert np.all(np.diff(line.x) > 0.0)
    assert line.value.shape == line.x.shape
    assert not np.isnan(line.value).any()
    assert not line.x.flags.writeable
    if line.lower is not None and line.upper is not None:
        assert np.all(line.lower <= line.upper)
    steps = np.diff(line.value[np.isfinite(line.value)])
    assert np.all(steps >= -1e-12) if kind == "power" else np.all(steps <= 1e-12)
    json.dumps(line.to_dict(), allow_nan=False)


def test_trade_off_and_power_add_up_to_one():
    """Also the two ends of a bracket, which change places."""
    loss = Laplace(1.0, 1.0, **A).loss()
    levels = [0.01, 0.2, 0.7]
    power, error = (guarantee_line(loss, kind, levels) for kind in ("power", "trade-off"))
    assert error.bound == "lower"
    assert np.all(error.lower <= 1.0 - power.upper)
    assert error.lower == pytest.approx(1.0 - power.upper, abs=1e-15)
    assert error.upper == pytest.approx(1.0 - power.lower, abs=1e-15)


def test_names_are_kept_or_found():
    assert guarantee_line(PureDP(1.0, **A), "power", [0.5], name="x").name == "x"
    assert guarantee_line(PureDP(1.0, **A), "power", [0.5]).name.startswith("PureDP(")
    curve = attack(PureDP(1.0, **A)).curve([0.5])
    assert attack_line(curve).name == "membership"
    assert attack_line(curve).upper.tolist() == curve.power.value.tolist()


@pytest.mark.parametrize(
    ("kind", "at", "error"),
    [
        ("profiles", [0.5], InvalidInput),
        ("profile", [-1.0], OutOfRange),
        ("power", [1.5], OutOfRange),
        ("power", [], InvalidInput),
        ("loss", 0.5, InvalidInput),
        ("tail", [float("nan")], OutOfRange),
    ],
)
def test_bad_questions_are_refused(kind, at, error):
    with pytest.raises(error):
        guarantee_line(PureDP(1.0, **A), kind, at)


@pytest.mark.parametrize("adversary", ["true-record", "rest-known", "arbitrary-prior"])
def test_counterfactual_lines_are_its_answers(adversary):
    learned = counterfactual(GaussianDP(1.0, **R), adversary=adversary)
    epsilons = [0.0, 1e-17, 0.3, 1.0, 5.0]
    line = counterfactual_line(learned, epsilons)
    direct = learned.exceeding(np.exp(epsilons)).value
    assert np.all(line.upper >= direct)  # a ratio is never counted as less than e^epsilon
    assert line.upper == pytest.approx(direct, rel=1e-12)
    assert np.all(np.diff(counterfactual_line(learned).upper) <= 1e-12)


def test_counterfactual_at_the_largest_ratio():
    """Under pure DP the ratio is never above e^epsilon, which must not be missed by rounding."""
    learned = counterfactual(PureDP(1.0, **R), adversary="true-record")
    assert counterfactual_line(learned, [0.5, 1.0, 1.5]).upper[1:].tolist() == [0.0, 0.0]


# --- beliefs -------------------------------------------------------------------------------------


@pytest.mark.parametrize("odds", [Fraction(1), Fraction(3, 2), Fraction(20)])
def test_beliefs_follow_bayes_rule(odds):
    """In fractions: the posterior odds are the prior odds times or over `odds`."""
    priors = [Fraction(n, 20) for n in range(21)]
    found = beliefs(disclosure(PureDP(math.log(odds), **A)), [float(p) for p in priors])
    for factor, side in ((odds, "upper"), (1 / odds, "lower")):
        after = [p * factor / (p * factor + 1 - p) for p in priors]
        assert getattr(found.posterior, side).value == pytest.approx([float(a) for a in after])
        assert getattr(found.difference, side).value == pytest.approx(
            [float(a - p) for a, p in zip(after, priors, strict=True)], abs=4e-15
        )
        ratios = [float(a / p) if p else float(factor) for a, p in zip(after, priors, strict=True)]
        assert getattr(found.ratio, side).value == pytest.approx(ratios)


def test_no_prior_is_worse_than_the_worst():
    found = beliefs(disclosure(PureDP(1.7, **A)))
    assert found.difference.upper.value.max() <= found.most.upper.value + 1e-15
    at_worst = found.disclosure.difference(found.worst.upper.value).upper.value
    assert at_worst == pytest.approx(found.most.upper.value, rel=1e-14)


def test_brackets_of_beliefs_come_from_those_of_the_loss():
    moved = disclosure(Laplace(1.0, 1.0, **A).loss(accuracy=1e-3), confidence=0.9)
    found = beliefs(moved, [0.5])
    low, high = found.posterior.upper.bracket
    assert low is not None
    assert np.all(low <= high)
    least, most = moved.loss.bracket
    assert low[0] == pytest.approx(1 / (1 + math.exp(-least)), rel=1e-12)
    assert high[0] == pytest.approx(1 / (1 + math.exp(-most)), rel=1e-12)


def test_beliefs_as_plain_data():
    for epsilon in (0.0, 800.0):
        data = beliefs(disclosure(PureDP(epsilon, **A)), name="x").to_dict()
        json.dumps(data, allow_nan=False)
        assert len(data["priors"]) == len(data["posterior"]["at_most"])


@pytest.mark.parametrize("priors", [0.5, [], [1.5], [[0.1]], [float("nan")]])
def test_bad_priors_are_refused(priors):
    with pytest.raises(DpriskError):
        beliefs(disclosure(PureDP(1.0, **A)), priors)


def test_several_confidences_are_refused():
    with pytest.raises(InvalidInput, match="single confidence"):
        beliefs(disclosure(GaussianDP(1.0, **A), confidence=[0.9, 0.99]))


# --- two outputs ---------------------------------------------------------------------------------

SHOWN = [
    Gaussian(1.0, 1.0, **A),
    Laplace(2.0, 1.0, **A),
    DiscreteGaussian(2.0, 1, **A),
    DiscreteGaussian(0.5, 3, **A),
    Geometric(3.0, 2, **A),
    RandomizedResponse(1.0, 4, **R),
    PairOfDistributions([0.1, 0.1, 0.8], [0.01, 0.06, 0.93], **R),
    PairOfDistributions([0.01, 0.06, 0.93], [0.1, 0.1, 0.8], **R),
]


@pytest.mark.parametrize(("mechanism", "epsilon"), list(product(SHOWN, [0.0, 0.4, 0.9])), ids=repr)
def test_delta_is_the_area_that_is_drawn(mechanism, epsilon):
    """The picture's own numbers, summed, against delta from the privacy loss."""
    made = two_outputs(mechanism, epsilon)
    above = np.maximum(made.first - made.scaled, 0.0)
    area = above.sum() if made.discrete else np.trapezoid(above, made.x)
    assert area == pytest.approx(float(made.delta), abs=2e-3)
    whole = made.first.sum() if made.discrete else np.trapezoid(made.first, made.x)
    assert whole == pytest.approx(1.0, abs=4e-3)
    assert made.scaled == pytest.approx(made.second * math.exp(epsilon))


def test_densities_are_those_of_the_mechanism():
    x = np.linspace(-2.0, 3.0, 11)
    made = two_outputs(Gaussian(2.0, 1.0, **A), 0.0, x)
    truth = [float(mpmath.npdf(mpmath.mpf(each), 0, 2)) for each in x]
    shifted = [float(mpmath.npdf(mpmath.mpf(each), 1, 2)) for each in x]
    pair = sorted([made.first.tolist(), made.second.tolist()])
    assert pair[0] == pytest.approx(min(truth, shifted))
    assert pair[1] == pytest.approx(max(truth, shifted))


def test_a_pair_of_densities_can_be_shown():
    def log_density(x):
        return -np.abs(x) - 2.0 * np.log1p(np.exp(-np.abs(x)))

    pair = PairOfDensities(
        lambda x: log_density(x - 1.0),
        log_density,
        [-np.inf, 0.0, 1.0, np.inf],
        spacing=0.01,
        neighbors="add-remove",
    )
    made = two_outputs(pair, 0.0, np.linspace(-20.0, 20.0, 4001))
    area = np.trapezoid(np.maximum(made.first - made.second, 0.0), made.x)
    assert area == pytest.approx(float(made.delta), abs=1e-4)


@pytest.mark.parametrize(
    "many", [DiscreteGaussian(1e6, 1, **A), RandomizedResponse(1.0, 10**6, **R)]
)
def test_many_outputs_are_thinned(many):
    assert two_outputs(many, 0.5).x.size <= 400


def test_a_large_epsilon_does_not_overflow():
    made = two_outputs(Laplace(1.0, 1.0, **A), 800.0)
    assert float(made.delta) == 0.0
    json.dumps(made.to_dict(), allow_nan=False)


@pytest.mark.parametrize(
    ("mechanism", "at"),
    [
        (SampleRelease(1, 10, **A), None),
        (VectorGaussian, None),
        (Laplace(1.0, 1.0, **A), [1.0, 0.0]),
        (Laplace(1.0, 1.0, **A), [1.0]),
    ],
)
def test_what_cannot_be_shown_is_refused(mechanism, at):
    with pytest.raises(InvalidInput):
        two_outputs(mechanism, 0.5, at)


# --- noise ---------------------------------------------------------------------------------------


def test_noise_beside_risk_follows_the_formulas():
    scales = [4.0, 1.0, 0.5]
    found = noise_curve([Laplace(scale, 1.0, **A) for scale in scales], prior=0.2)
    assert found.noise_sd == pytest.approx([math.sqrt(2.0) * s for s in sorted(scales)])
    odds = [0.25 * math.exp(1.0 / scale) for scale in sorted(scales)]
    assert found.posterior == pytest.approx([o / (1.0 + o) for o in odds])
    assert np.all(np.diff(found.posterior) < 0.0)
    json.dumps(found.to_dict(), allow_nan=False)


def test_own_losses_say_no_more_than_promises():
    ran = [DiscreteGaussian(sigma, 1, **A) for sigma in (1.0, 3.0)]
    own, promised = (noise_curve(ran, confidence=0.95, own=own).posterior for own in (True, False))
    assert np.all(own < promised)


@pytest.mark.parametrize(
    "mechanisms",
    [
        [],
        [Laplace(1.0, 1.0, **A), Laplace(1.0, 1.0, **R)],
        [RandomizedResponse(1.0, **R)],
    ],
)
def test_bad_mechanisms_are_refused(mechanisms):
    with pytest.raises(InvalidInput):
        noise_curve(mechanisms)
