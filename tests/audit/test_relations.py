"""What follows from what: every relation between definitions, over thousands of random pairs."""

from __future__ import annotations

import numpy as np
import pytest

from dprisk import GaussianDP
from dprisk.audit import audit
from dprisk.audit import pairs as divergences
from dprisk.audit import pairs as measures
from dprisk.audit.finite import FiniteMechanism

COUNT = 600
LIMITS = np.array([0.0, 0.05, 0.3, 0.9, 2.0, 4.0])
ROUNDING = 1e-12


@pytest.fixture(scope="module", params=[0.3, 2.0, 30.0])
def pairs(request):
    """Rows 2i and 2i + 1 are a pair; measured in both directions."""
    rng = np.random.default_rng(int(10 * request.param))
    rows = rng.dirichlet(np.full(6, request.param), 2 * COUNT)
    mechanism = FiniteMechanism(rows)
    return mechanism, np.arange(0, 2 * COUNT, 2), np.arange(1, 2 * COUNT, 2)


@pytest.fixture(scope="module")
def measured(pairs):
    """For each pair and limit: the worse of the two directions; and both distributions."""
    mechanism, first, second = pairs
    p, q = (mechanism.probabilities[rows] for rows in (first, second))
    found = {
        name: np.stack(
            [np.maximum(measure(p, q, g), measure(q, p, g)) for g in np.exp(LIMITS)], axis=1
        )
        for name, measure in (
            ("one", measures.beyond),
            ("both", measures.outside),
            ("merged", measures.merged),
            ("delta", measures.excess),
        )
    }
    found["pure"] = np.abs(np.log(p) - np.log(q)).max(-1)
    return found


def test_order(measured):
    """ADP delta <= one-sided tail <= both sides, and <= pbdp."""
    assert np.all(measured["delta"] <= measured["one"] + ROUNDING)
    assert np.all(measured["one"] <= measured["both"] + ROUNDING)
    assert np.all(measured["one"] <= measured["merged"] + ROUNDING)


def test_approximate_bounds_the_tails(measured):
    """P2 Lemma 2.3 (for anything computed later, too) and P0 Theorem 3.9."""
    for n, e in enumerate(LIMITS):
        for m in range(n + 1, len(LIMITS)):
            price = -np.expm1(e - LIMITS[m])
            one = measured["delta"][:, n] / price
            assert np.all(measured["merged"][:, m] <= one * (1 + 1e-9) + ROUNDING)
            both = one * (1 + np.exp(-LIMITS[m]))
            assert np.all(measured["both"][:, m] <= both * (1 + 1e-9) + ROUNDING)


def test_pure_bounds_the_rest(measured, pairs):
    """The worst case of pure DP is randomized response; rho is at most half the square."""
    e = measured["pure"][:, None]
    bound = (np.exp(e) - np.exp(np.minimum(LIMITS, e))) / (1 + np.exp(e))
    assert np.all(measured["delta"] <= bound + ROUNDING)
    mechanism, first, second = pairs
    for order in (1.0, 1.5, 3.0, 20.0):
        value, _ = divergences.divergences(mechanism, first, second, order)
        assert np.all(value <= order * measured["pure"] ** 2 / 2 * (1 + 1e-9) + 1e-13)
        assert np.all(value <= measured["pure"] + 1e-12)


def test_renyi_bounds_the_rest(measured, pairs):
    """RDP => ADP (Canonne et al.) and => pbdp (P1 Section 5.3); divergences rise with the order."""
    mechanism, first, second = pairs
    before = np.zeros(COUNT)
    for order in (1.2, 2.0, 6.0, 30.0):
        both = [
            divergences.divergences(mechanism, *way, order)[0]
            for way in ((first, second), (second, first))
        ]
        value = np.maximum(*both)
        assert np.all(value >= before - 1e-12)
        before = value
        s = order - 1
        exponent = s * (value[:, None] - LIMITS)
        merged = np.minimum(np.exp(np.minimum(exponent, 0)), 1)
        assert np.all(measured["merged"] <= merged + ROUNDING)
        tight = np.exp(np.minimum(exponent, 1)) / s * (1 - 1 / order) ** order
        assert np.all((measured["delta"] <= tight + ROUNDING) | (exponent > 1))


@pytest.mark.parametrize("seed", range(10))
def test_whole_audits(seed):
    """rho, mu, disclosure sets and single outputs beside the profile of the same mechanism."""
    rng = np.random.default_rng(seed)
    lab = audit(rng.dirichlet(np.full(5, rng.choice([0.5, 3.0, 40.0])), 4))
    limits = np.array([0.0, 0.2, 1.0, 2.5])
    delta = np.asarray(lab.delta(limits).value)
    assert np.all(np.asarray(lab.delta(limits, kind="pointwise").answer.bracket[0]) <= delta)
    assert np.all(
        lab.delta(limits, kind="disclosure").value
        >= lab.delta(limits, kind="pdp-both").answer.bracket[0]
    )
    gaussian = GaussianDP(lab.mu().value, neighbors="replace-one")
    assert np.all(lab.delta(limits).answer.bracket[0] <= gaussian.delta(limits).value + 1e-14)
    rho, pure = lab.rho().answer.bracket, lab.largest_loss().value
    assert rho[1] <= pure**2 / 2 * (1 + 1e-9)
    for order in (1.0, 1.7, 4.0, 60.0):
        assert lab.renyi(order).answer.bracket[0] <= rho[1] * order
    assert np.all(np.diff(np.asarray(lab.renyi([1, 1.5, 3, 9, np.inf]).value)) >= -1e-12)


def test_profile_is_the_integral_of_the_tail():
    """delta(epsilon) = integral of e^(epsilon - z) P[Z > z] from epsilon on (P0, Theorem A.2)."""
    p, q = np.random.default_rng(5).dirichlet(np.ones(7), (2, 1))
    z = np.linspace(0.3, 12.0, 20_001)
    tails = np.array([float(measures.beyond(p, q, growth)[0]) for growth in np.exp(z)])
    integral = np.trapezoid(np.exp(0.3 - z) * tails, z)
    assert measures.excess(p, q, np.exp(0.3))[0] == pytest.approx(integral, abs=1e-3)
