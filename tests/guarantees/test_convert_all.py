"""Every class of guarantee converts, or is refused for a reason that is true."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
import pytest

from dprisk import FDP, GaussianDP, PrivacyLoss, PureDP, RenyiDP, convert
from dprisk.allocation.places import WorstPlace
from dprisk.composition import compose
from dprisk.errors import NoConversion
from dprisk.guarantees import LaplaceDP
from dprisk.guarantees.base import Guarantee
from dprisk.guarantees.convert import TARGETS
from dprisk.mechanisms import Laplace
from tests.properties.zoo import EXAMPLES

A: Any = {"neighbors": "add-remove"}
LAPLACE = Laplace(10.0, 1.0, **A).loss()
PLACES = WorstPlace((GaussianDP(0.5, **A), LaplaceDP(0.7, **A)), "add-remove")
KNOWN: list[Guarantee] = [*EXAMPLES, PLACES, LAPLACE, compose([LAPLACE], [100]).guarantee]
POINTS = ("approximate", "probabilistic", "bounded")


def final(kind: Any) -> list[Any]:
    """Final classes, each once: one with slots leaves a shadow of itself."""
    ours = [one for one in kind.__subclasses__() if one.__module__.startswith("dprisk.")]
    below = [vars(sys.modules[one.__module__])[one.__name__] for one in ours]
    found = {last for one in below for last in final(one)} if below else {kind}
    return sorted(found, key=lambda one: one.__name__)


def test_no_class_is_missing():
    """All final subclasses of Guarantee that the package has, found by looking."""
    assert set(final(Guarantee)) == {type(g) for g in KNOWN}


@pytest.mark.parametrize("kind", final(Guarantee), ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("to", TARGETS)
def test_every_guarantee_converts_or_says_why_not(kind, to):
    """At delta 0.3 the three that are curves are reached wherever the guarantee has a bound."""
    for known in (g for g in KNOWN if type(g) is kind):
        options = {"delta": 0.3} if to in POINTS else {"alpha": 2.0} if to == "renyi" else {}
        bound = math.inf
        if to in POINTS:
            side = "both" if to == "probabilistic" else "one"
            bound = known.loss_bound(0.3, sides=side).value
            bound = known.epsilon(0.3).value if to == "approximate" else bound
        try:
            after = convert(known, to, **options).guarantee
        except NoConversion as refused:
            assert ("no finite epsilon" in str(refused)) == (to in POINTS and math.isinf(bound))
            assert to not in POINTS or math.isinf(bound) or (to == "bounded" and bound == 0.0)
        else:
            assert after.neighbors == known.neighbors


def test_a_hundred_laplace_counts_become_approximate():
    """epsilon = 4.6927 at 1e-6, which the guarantee itself says."""
    known = KNOWN[-1]
    assert isinstance(known, PrivacyLoss)
    after = convert(known, "approximate", delta=1e-6).guarantee
    assert after.parameters["epsilon"] == known.epsilon(1e-6).value == pytest.approx(4.6927, 1e-4)
    assert convert(known, "pure").guarantee.parameters["epsilon"] == pytest.approx(10.0)


def test_points_of_a_power_curve_imply_the_curve():
    """f-DP of the Laplace mechanism: never below its power, and close."""
    after = convert(LAPLACE, "tradeoff").guarantee
    assert isinstance(after, FDP)
    x = np.array([0.0, 1e-9, 1e-3, 0.1, 0.4, 0.5, 0.9])
    most = np.where(x <= 0.5 * np.exp(-0.1), np.exp(0.1) * x, 0.0)
    most = np.maximum(most, np.where(x >= 0.5, 1 - np.exp(-0.1) * (1 - x), 0.0))
    assert np.all(after.power(x).value >= most)
    assert np.all(after.power(x).value <= LAPLACE.power(x).value * 1.2 + 1e-12)


def test_the_reason_is_not_guessed():
    """No theorem leads from one divergence to Gaussian DP, but that is all that is known."""
    with pytest.raises(NoConversion, match="no theorem in the table leads there"):
        convert(RenyiDP(2.0, 1.0, **A), "gaussian")
    with pytest.raises(NoConversion, match="no finite epsilon"):
        convert(GaussianDP(1.0, **A), "approximate", delta=0.0)


@pytest.mark.parametrize("to", ["gaussian", "concentrated", "renyi"])
def test_a_bounded_loss_implies_what_pure_dp_implies(to):
    """Laplace noise at ratio 0.1: the same as epsilon 0.1, and no test does better under it."""
    at = {"alpha": 2.0} if to == "renyi" else {}
    levels = np.array([1e-6, 1e-3, 0.1, 0.5, 0.9])
    for known in (LAPLACE, LaplaceDP(0.1, **A)):
        after = convert(known, to, **at)
        exact = convert(PureDP(0.1, **A), to, **at).guarantee.parameters
        if known is LAPLACE and to != "gaussian":  # its own divergences are smaller
            name = {"renyi": "gamma", "concentrated": "rho"}[to]
            assert 0.9 * exact[name] < after.guarantee.parameters[name] < exact[name]
        else:
            assert after.guarantee.parameters == pytest.approx(exact)
        assert after.by.exactness == "upper"
        assert np.all(after.guarantee.power(levels).value >= known.power(levels).value)
