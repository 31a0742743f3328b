"""Two steps of a numeric guarantee, read at one failure: against the curve of its curve."""

from typing import Any

import numpy as np
import pytest

from dprisk import ApproxDP, PureDP, disclosure
from dprisk.accountant.privacy_loss import PrivacyLoss
from dprisk.composition import compose
from dprisk.guarantees.gaussian import GaussianDP
from dprisk.mechanisms import DiscreteGaussian, Gaussian, Laplace
from dprisk.releases import Part, Release
from dprisk.risk.adversary import _points_near_tangents, group_of_two

HERE: dict[str, Any] = {"neighbors": "add-remove"}
WHOLE = {
    "normal": compose([Gaussian(1.0, 1.0, **HERE).loss()], [2]).guarantee,
    "integers": compose([DiscreteGaussian(3.0, 1, **HERE).loss()], [2]).guarantee,
    "bounded": compose([Laplace(0.5, 1.0, **HERE).loss()], [3]).guarantee,
    "points": compose([PureDP(0.3, **HERE), PureDP(0.7, **HERE)], [3, 2]).guarantee,
    "revealed": compose([ApproxDP(0.3, 1e-4, **HERE)], [20]).guarantee,
}


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("failure", [0.3, 0.01, 1e-5])
@pytest.mark.parametrize("sides", ["both", "one"])
def test_as_near_as_a_curve_of_many_points(name, failure, sides):
    """Not above the curve through 300 points, but for a thousandth of what these are off."""
    whole = WHOLE[name]
    assert isinstance(whole, PrivacyLoss)
    near = float(group_of_two(whole, failure, sides).loss_bound(failure, sides=sides))
    full = float(whole.for_neighbors("replace-one").loss_bound(failure, sides=sides))
    assert near <= full * (1.0 + 1e-6)
    assert near >= full * (1.0 - 1e-2) or full == np.inf


@pytest.mark.parametrize("failure", [0.3, 0.01, 1e-5, 1e-9])
def test_never_below_two_steps_of_normal_noise(failure):
    """Of which the truth is known: twice the mu."""
    near = float(group_of_two(WHOLE["normal"], failure).loss_bound(failure))
    truth = float(GaussianDP(2.0 * np.sqrt(2.0), neighbors="replace-one").loss_bound(failure))
    assert truth * (1.0 - 1e-12) <= near <= truth * (1.0 + 2e-3)


def test_a_disclosure_asks_for_few_points(monkeypatch):
    """Some dozens, a third of them at first, where the whole curve takes 301."""
    asked, delta = [], PrivacyLoss._delta

    def spied(self, epsilon):
        asked.append(epsilon.size)
        return delta(self, epsilon)

    monkeypatch.setattr(PrivacyLoss, "_delta", spied)
    whole = compose([DiscreteGaussian(4.0, 1, **HERE).loss()], [2]).guarantee
    disclosure(whole, confidence=0.99, secret="attribute")
    assert 0 < sum(asked) < 150


def test_an_explanation_makes_no_curve_of_two_steps(monkeypatch):
    """It tells what may be learned of a value from the loss at one failure alone."""
    from dprisk.documents import explain

    def never(self):
        raise AssertionError(self)

    monkeypatch.setattr(PrivacyLoss, "_group_of_two", never)
    part = Part.of(Gaussian(2.0, 1.0, **HERE), 3)
    other = Part(ApproxDP(0.1, 1e-7, **HERE))
    release = Release(
        name="Counts",
        unit="person",
        period="once",
        neighbors="add-remove",
        neighbors_stated=True,
        model="central",
        parts=(part, other),
    )
    made = explain(release)
    assert any("learn" in str(one) for each in made.sections for one in each.sentences)


def test_a_level_that_is_nothing_is_no_trouble():
    """Where power comes up to 1, the level on the other side is 0, beside e^epsilon beyond all."""
    epsilon, delta = np.array([0.0, 800.0, np.inf]), np.array([0.999, 0.0, 0.0])
    assert np.isfinite(_points_near_tangents(epsilon, delta, 0.5)).all()
