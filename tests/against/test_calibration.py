"""Noise scales of riskcal as outside opinions; skipped where it is not installed."""

from __future__ import annotations

from typing import Any

import pytest

from dprisk.budget import AttackLimit, calibrate
from dprisk.composition import compose
from dprisk.mechanisms import Gaussian
from dprisk.risk import attack

pytestmark = pytest.mark.against
A: Any = {"neighbors": "add-remove"}


@pytest.mark.parametrize("count", [1, 12])
def test_power_at_a_level_against_riskcal(count):
    """Power by their reading of a grid of losses, at the scale that we find."""
    analysis = pytest.importorskip("riskcal.analysis")
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    ours = calibrate(AttackLimit("power", 0.2, level=0.05), "gaussian", releases=count)
    theirs = pld.from_gaussian_mechanism(ours.value.value).self_compose(count)
    power = 1.0 - float(analysis.get_beta_from_pld(theirs, alpha=0.05))
    assert power == pytest.approx(0.2, abs=2e-3)


@pytest.mark.parametrize("advantage", [0.05, 0.3])
def test_advantage_against_dp_accounting(advantage):
    """Total variation of Laplace noise."""
    pytest.importorskip("dp_accounting")
    from dp_accounting.pld import privacy_loss_distribution as pld

    found = calibrate(AttackLimit("advantage", advantage), "laplace")
    theirs = pld.from_laplace_mechanism(found.value.value).get_delta_for_epsilon(0.0)
    assert theirs == pytest.approx(advantage, abs=2e-4)


def test_ours_never_misses():
    found = calibrate(AttackLimit("power", 0.2, level=0.05), "gaussian", releases=12)
    whole = compose([Gaussian(found.value.value, 1.0, **A).guarantee()], [12]).guarantee
    assert attack(whole).power(0.05).value <= 0.2
