"""P0: every number of Examples 1.1 and 4.3 and of Section 4.4, and the curve of Figure 1."""

from __future__ import annotations

import numpy as np
import pytest
from mpmath import mp, mpf

from dprisk import ApproxDP, PureDP, disclosure
from dprisk.composition import compose
from dprisk.mechanisms import Laplace
from dprisk.papers import verdict
from dprisk.papers.reproduction import printed_in
from tests.papers.p0 import NUMBERS, company


@pytest.mark.parametrize(
    ("label", "what", "ours"), NUMBERS, ids=[f"{n[0]}, {n[1]}" for n in NUMBERS]
)
def test_number(label, what, ours):
    """Our number, rounded as printed, is the printed one; or the erratum's."""
    printed = printed_in("P0", label)[what]
    assert verdict(printed, ours()) == printed.expected


def test_the_factor_nears_its_limit_as_the_prior_goes_to_zero():
    """Erratum of Section 4.4: at p near 1 the factor is at most 1 / p, so near 1."""
    limit = company().odds().upper.value
    assert company().ratio(1e-9).upper.value == pytest.approx(limit, rel=1e-7)
    assert company().ratio(1 - 1e-9).upper.value == pytest.approx(1.0, rel=1e-8)


def test_both_counts_of_the_survey_are_two_steps():
    """Erratum of Example 1.1: an answer that changes moves two counts with Laplace noise.

    From the densities: Z = (|y - 1| - |y|) / 10 for a count that is one less without the record.
    """
    with mp.workdps(30):
        b, beyond = mpf(10), mp.log(mpf(53) / 47)

        def exceeds(z):
            if z >= 1 / b:
                return mpf(0)
            return mpf(1) if z < -1 / b else 1 - mp.exp(-(1 - b * z) / (2 * b)) / 2

        ends = exceeds(beyond - 1 / b) / 2 + exceeds(beyond + 1 / b) * mp.exp(-1 / b) / 2
        between = mp.quad(
            lambda y: mp.exp(-y / b) / (2 * b) * exceeds(beyond - (1 - 2 * y) / b),
            [0, 1 - b * beyond / 2, 1],
        )
        often, most = float(ends + between), float(1 / (1 + mp.exp(-2 / b)))
    assert (round(often, 2), round(most, 4)) == (0.27, 0.5498)
    count = Laplace(10, 1, neighbors="replace-one")
    low, high = (
        compose([count], [2]).guarantee.tail(float(beyond), sides="one", post_processing=False)
    ).bracket
    assert low <= often <= high <= often * (1 + 1e-9)
    survey = PureDP(0.1, neighbors="add-remove")
    asked = {secret: disclosure(survey, secret=secret) for secret in ("membership", "attribute")}
    posteriors = {secret: float(one.posterior(0.5).upper) for secret, one in asked.items()}
    assert posteriors["membership"] < 0.53 < most <= posteriors["attribute"] < most + 1e-12


def test_figure_1():
    """epsilon' = log((delta' e^epsilon + delta) / (delta' - delta)) falls towards epsilon."""
    g = ApproxDP(1.0, 1e-5, neighbors="add-remove")
    more = np.geomspace(1.1e-5, 0.5, 50)
    plain = np.log((more * np.e + 1e-5) / (more - 1e-5))
    assert np.allclose(g.loss_bound(more).value, plain, rtol=1e-12)
    assert g.loss_bound(1e-5).value == np.inf
    assert np.all(np.diff(plain) < 0) and plain[-1] > 1.0


def test_difference_bounds_invert_to_the_epsilon_of_theorem_3_5():
    """tanh(epsilon / 4) = d gives epsilon = 2 log((1 + d) / (1 - d)), and 0.81 for 20 %."""
    e = 2 * np.log(1.2 / 0.8)
    moved = disclosure(PureDP(e, neighbors="add-remove"))
    assert moved.difference().upper.value == pytest.approx(0.2, rel=1e-12)
    assert round(e, 2) == 0.81
