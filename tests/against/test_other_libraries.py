"""Other libraries as outside opinions; skipped where they are not installed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dprisk import ApproxDP, GaussianDP, ZeroConcentratedDP

pytestmark = pytest.mark.against
A: Any = {"neighbors": "add-remove"}


@pytest.mark.parametrize("mu", [0.2, 1.0, 3.0])
def test_gaussian_profile_against_dp_accounting(mu):
    """Analytic Gaussian: delta at epsilon."""
    pytest.importorskip("dp_accounting")
    from dp_accounting.pld import privacy_loss_mechanism

    theirs = privacy_loss_mechanism.GaussianPrivacyLoss(1.0 / mu)
    for e in (0.1, 1.0, 4.0):
        ours = GaussianDP(mu, **A).delta(e).value
        assert ours == pytest.approx(theirs.get_delta_for_epsilon(e), rel=1e-8)


def test_renyi_conversion_against_dp_accounting():
    """Canonne's conversion on their orders: ours, over all orders, is never larger."""
    pytest.importorskip("dp_accounting")
    from dp_accounting.rdp import rdp_privacy_accountant as rdp

    orders = np.concatenate([np.linspace(1.1, 11, 100), np.arange(12, 200)])
    for rho in (0.1, 2.63):
        theirs, _ = rdp.compute_epsilon(orders, rho * orders, 1e-9)
        ours = ZeroConcentratedDP(rho, **A).epsilon(1e-9).value
        assert theirs * (1 - 1e-3) <= ours <= theirs * (1 + 1e-12)


@pytest.mark.parametrize("level", [0.01, 0.2, 0.7])
def test_trade_off_against_riskcal(level):
    """Type II error of an (epsilon, delta) promise at a level."""
    pytest.importorskip("riskcal")
    analysis = pytest.importorskip("riskcal.analysis")
    theirs = analysis.get_beta_from_adp(epsilon=1.0, delta=1e-5, alpha=level)
    ours = 1 - ApproxDP(1.0, 1e-5, **A).power(level).value
    assert ours == pytest.approx(float(theirs), rel=1e-9)
