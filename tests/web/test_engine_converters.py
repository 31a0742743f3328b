"""Published conversions from zCDP to (epsilon, delta), beside the page: never tighter than it is.

The formulas are written out here from the papers: Bun and Steinke 2016 (arXiv:1605.02065),
Proposition 1.3 and Lemma 3.6; Mironov 2017 (arXiv:1702.07476), Proposition 3; Canonne, Kamath and
Steinke 2020 (arXiv:2004.00010), Corollary 13. Below stands a Gaussian mechanism with the same rho
(Balle and Wang 2018), which no conversion may undercut.
"""

from __future__ import annotations

import math
from random import Random

import pytest
from scipy.optimize import brentq, minimize_scalar

from dprisk import GaussianDP, ZeroConcentratedDP
from tests.documents.browser import needs_chromium, opened
from tests.web.test_engine import DRAWS, between, outer

pytestmark = needs_chromium

ASKED = (
    "pairs => pairs.map(([rho, delta]) => engine.guarantee('concentrated', {rho}).epsilon(delta))"
)
ROUNDING = 1e-12


def bun_steinke(rho, delta):
    return rho + 2.0 * math.sqrt(rho * math.log(1.0 / delta))


def bun_steinke_sharper(rho, delta):
    """Its delta falls from epsilon = rho on; where it is below delta there, rho is enough."""

    def excess(epsilon):
        far = (epsilon - rho) / (2.0 * rho)
        last = 2.0 / (1.0 + far + math.sqrt((1.0 + far) ** 2 + 4.0 / (math.pi * rho)))
        least = min(1.0, math.sqrt(math.pi * rho), 1.0 / (1.0 + far), last)
        return math.log(least) - far**2 * rho - math.log(delta)

    end = bun_steinke(rho, delta)
    return rho if excess(rho) <= 0.0 else brentq(excess, rho, end + 1.0, xtol=1e-14)


def over_orders(epsilon):
    """The least over orders, searched on the logarithm of the order less 1."""
    at = min((x / 4.0 for x in range(-40, 80)), key=epsilon)
    return minimize_scalar(epsilon, bounds=(at - 0.5, at + 0.5), options={"xatol": 1e-10}).fun


def mironov(rho, delta):
    return over_orders(lambda x: (1.0 + math.exp(x)) * rho - math.log(delta) * math.exp(-x))


def canonne_kamath_steinke(rho, delta):
    def epsilon(x):
        order = 1.0 + math.exp(x)
        rest = math.log1p(-1.0 / order) - (math.log(delta) + math.log(order)) * math.exp(-x)
        return order * rho + rest

    return over_orders(epsilon)


FORMULAS = (bun_steinke, bun_steinke_sharper, mironov, canonne_kamath_steinke)


@pytest.mark.parametrize(
    ("formula", "known"),
    [(bun_steinke, 19.604), (mironov, 19.604), (canonne_kamath_steinke, 18.647)],
    ids=lambda it: getattr(it, "__name__", it),
)
def test_formulas_have_their_known_values(formula, known):
    """A public prototype of a label shows rho = 3.85 beside delta = 1e-7."""
    assert formula(3.85, 1e-7) == pytest.approx(known, abs=1e-2)


def test_never_looser_than_published_conversions_nor_below_what_is_certain(path):
    rng = Random("converters")
    pairs = [(between(rng, 1e-3, 20.0), between(rng, 1e-12, 1e-2)) for _ in range(DRAWS)]
    with opened(path) as page:
        page.goto(path.as_uri())
        found = page.evaluate(ASKED, pairs)
    for (rho, delta), shown in zip(pairs, found, strict=True):
        for formula in FORMULAS:
            most = max(formula(rho, delta), 0.0)
            assert shown <= most * (1.0 + ROUNDING), (formula.__name__, rho, delta)
        gaussian = GaussianDP(math.sqrt(2.0 * rho) * (1.0 - 1e-15), neighbors="add-remove")
        assert shown >= float(gaussian.epsilon(delta)) * (1.0 - ROUNDING)
        low = ZeroConcentratedDP(rho, neighbors="add-remove").epsilon(delta)
        least = low.value if low.bracket is None else low.bracket[0]
        assert (
            shown >= least
            or outer(ZeroConcentratedDP(rho, neighbors="add-remove").delta(shown)) <= delta
        )
