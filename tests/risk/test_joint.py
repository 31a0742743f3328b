"""In the data and with the value: against Theorem 1 of P3 in many digits, against mechanisms with
three worlds, and against the budget that comes back from a profile.
"""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest

from dprisk import (
    ApproxDP,
    ApproxDPCurve,
    GaussianDP,
    ProbabilisticallyBoundedDP,
    PureDP,
    ZeroConcentratedDP,
    disclosure,
)
from dprisk.budget import ProfileLimit, RatioLimit, largest_budget, ratio_or_posterior, solve
from dprisk.composition import compose
from dprisk.errors import InvalidInput, Meaningless, OutOfRange
from dprisk.mechanisms import Gaussian
from dprisk.risk import independent_posterior, independent_ratio, joint_disclosure
from tests.budget.test_limits_profiles import most_failing

A: Any = {"neighbors": "add-remove"}
R: Any = {"neighbors": "replace-one"}
PRIORS = [0.0, 1e-12, 0.05, 0.5, 0.999, 1.0]
VALUES = [1e-9, 0.1, 0.5, 1.0]


def ends(found: Any) -> tuple[float, float]:
    return float(found.lower), float(found.upper)


@pytest.mark.parametrize("epsilon", [0.0, 1e-9, 0.7, 5.0, 300.0])
@pytest.mark.parametrize("p", PRIORS)
@pytest.mark.parametrize("q", VALUES)
def test_theorem_1(epsilon, p, q):
    moved = joint_disclosure(PureDP(epsilon, **A), q)
    with mpmath.workdps(60):
        p_, q_, e = mpmath.mpf(p), mpmath.mpf(q), mpmath.mpf(epsilon)
        of = [
            1 / (p_ * q_ + p_ * (1 - q_) * mpmath.exp(2 * s * e) + (1 - p_) * mpmath.exp(s * e))
            for s in (1, -1)
        ]
        for found, scale in ((moved.ratio(p), 1), (moved.posterior(p), p_ * q_)):
            low, high = ends(found)
            assert low <= of[0] * scale * (1 + mpmath.mpf("1e-16"))
            assert high >= of[1] * scale * (1 - mpmath.mpf("1e-16"))
            assert high <= of[1] * scale * (1 + mpmath.mpf("1e-14")) + mpmath.mpf("1e-320")
            assert low >= of[0] * scale * (1 - mpmath.mpf("1e-14")) - mpmath.mpf("1e-320")
        change, rest = ends(moved.difference(p)), ends(moved.ratio_not(p))
        assert change[0] <= (of[0] - 1) * p_ * q_ + mpmath.mpf("1e-17")
        assert change[1] >= (of[1] - 1) * p_ * q_ - mpmath.mpf("1e-17")
        if p_ * q_ < 1:
            assert rest[1] >= (1 - of[0] * p_ * q_) / (1 - p_ * q_) * (1 - mpmath.mpf("1e-15"))
    assert moved.ratio(p).upper.value == pytest.approx(
        float(independent_ratio(PureDP(epsilon, **A), p, q).upper), rel=1e-13
    )
    assert moved.posterior(p).lower.value == pytest.approx(
        float(independent_posterior(PureDP(epsilon, **A), p, q).lower), rel=1e-13, abs=1e-300
    )


def test_a_value_that_is_known_and_a_person_who_is():
    """Upwards, at q = 1 it is membership; at p = 1 the value, for either kind of neighbors."""
    for kind in (GaussianDP(0.8, **A), ApproxDP(0.5, 1e-4, **A), PureDP(1.0, **A)):
        known = joint_disclosure(kind, 1.0, confidence=0.99)
        of = disclosure(kind, confidence=0.99, sides="one")
        most = float(of.posterior(0.2).upper)
        assert float(known.posterior(0.2).upper) == pytest.approx(most, rel=1e-12)
        inside = joint_disclosure(kind, 0.2, confidence=0.99)
        of = disclosure(kind, confidence=0.99, sides="one", secret="attribute")
        assert ends(inside.posterior(1.0)) == pytest.approx(ends(of.posterior(0.2)), rel=1e-9)
    replaced = joint_disclosure(GaussianDP(0.8, **R), 0.2, confidence=0.99)
    of = disclosure(GaussianDP(0.8, **R), confidence=0.99, sides="one", secret="attribute")
    assert ends(replaced.posterior(1.0)) == pytest.approx(ends(of.posterior(0.2)), rel=1e-12)
    assert ends(replaced.inclusion(1.0)) == (0.0, 1.0)
    assert float(joint_disclosure(PureDP(1.0, **R), 0.2).ratio(1.0).upper) == pytest.approx(
        1.0 / (0.2 + 0.8 * np.exp(-1.0)), rel=1e-14
    )
    with pytest.raises(Meaningless, match="add-remove"):
        replaced.posterior(0.5)


@pytest.mark.parametrize(("p", "q"), [(0.0, 0.5), (0.5, 1.0), (1e-9, 1.0), (0.3, 0.7), (1.0, 0.2)])
@pytest.mark.parametrize("sides", ["one", "both"])
def test_a_world_that_is_ruled_out_may_be_the_true_one(p, q, sides):
    """Normal outputs with means 1 (the value), 0 (not in) and -1: each end fails in 1 of 100."""
    moved = joint_disclosure(GaussianDP(1.0, **A), q, confidence=0.99, sides=sides)
    x = np.linspace(-9.0, 10.0, 200_001)
    laws = [np.exp(-((x - mean) ** 2) / 2.0) for mean in (1.0, -1.0, 0.0)]
    whole = sum(w * law for w, law in zip((p * q, p * (1.0 - q), 1.0 - p), laws, strict=True))
    low, high = ends(moved.ratio(p))
    for law in laws:
        chances = [
            law[there].sum() / law.sum()
            for there in (laws[0] < low * whole, laws[0] > high * whole)
        ]
        assert (max(chances) if sides == "one" else sum(chances)) <= 0.01 + 1e-6


@pytest.mark.filterwarnings("error")
def test_ratios_beyond_the_range_of_a_float_are_infinite():
    assert float(joint_disclosure(PureDP(1e3, **A), 5e-324).ratio(1.0).upper) == np.inf


def test_who_is_known_to_be_in_is_not_said_to_be_out():
    """A promise for replace-one neighbors says nothing about data without the person."""
    moved = joint_disclosure(GaussianDP(0.8, **R), 0.2, confidence=0.99)
    assert not any("not in the data" in each for each in moved.assumptions)
    assert any("0.99" in each for each in moved.assumptions)


# --- there and back ------------------------------------------------------------------------------

AGENCY = [ratio_or_posterior(3.0, a, membership_prior=0.05) for a in (0.025, 0.15, 0.3)]
BACK = [
    ("pure", None, lambda e: PureDP(e, **A)),
    ("approximate", 0.99, lambda e: ApproxDP(e, 1e-4, **A)),
    ("concentrated", 0.99, lambda rho: ZeroConcentratedDP(rho, **A)),
    ("gaussian", 0.99, lambda mu: GaussianDP(mu, **A)),
]


@pytest.mark.parametrize(("definition", "confidence", "make"), BACK)
@pytest.mark.parametrize(
    ("profile", "q"),
    [*zip(AGENCY, (1.0 / 6.0, 1.0, 1.0), strict=True), (RatioLimit(3.0, 0.2), 1e-9)],
)
def test_a_budget_keeps_its_profile_forwards_and_slightly_more_does_not(
    definition, confidence, make, profile, q
):
    found = largest_budget(
        ProfileLimit(profile, confidence),
        definition,
        **({"delta": 1e-4} if definition == "approximate" else {}),
    )
    p = profile.clauses()[0].box.p0
    for value in (1e-6, 0.05, 1.0 / 6.0, 0.4, 0.9, 1.0):
        kept = joint_disclosure(make(float(found.value)), value, confidence=confidence)
        assert float(kept.ratio(p).upper) <= profile.ratio(p, value)
    more = joint_disclosure(make(float(found.value) * 1.00001), q, confidence=confidence)
    assert float(more.ratio(p).upper) > profile.ratio(p, q)


# --- three worlds --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mu", "p", "q", "used"),
    [
        (0.4, 0.05, 1.0 / 6.0, 0.8),
        (0.4, 0.05, 1.0, 0.999),
        (0.5, 1.0, 0.3, 0.999),
        (0.5, 0.5, 0.3, 0.5),
    ],
)
def test_no_mechanism_goes_beyond_it_more_often_in_any_world(mu, p, q, used):
    """A linear program over all mechanisms with three worlds that keep mu-GDP."""
    ratio = float(joint_disclosure(GaussianDP(mu, **A), q, confidence=0.99).ratio(p).upper)
    failing = [most_failing(mu, p, q, ratio, world) for world in range(3)]
    assert max(failing) <= 0.01 * 1.0001  # tangents leave a little between them
    assert failing[0] >= used * 0.01


POINTS = np.array([0.0, 0.1, 0.3, 0.6, 1.0, 1.5, 2.5])


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("sides", ["one", "both"])
def test_random_worlds_go_beyond_it_as_often_as_is_said(seed, sides):
    """Laws of eight outputs in three worlds, read by the curve that they just keep."""
    random = np.random.default_rng(seed)
    laws = random.dirichlet(np.full(8, 1.0 + seed % 4), size=3)
    pairs = [(0, 2), (2, 0), (1, 2), (2, 1)]
    delta = [
        max(np.maximum(laws[a] - np.exp(e) * laws[b], 0.0).sum() for a, b in pairs) for e in POINTS
    ]
    curve = ApproxDPCurve(POINTS, np.minimum(np.array(delta) * (1.0 + 1e-12), 1.0), **A)
    left = float(curve.for_neighbors("replace-one").delta(np.inf))
    for failure in (0.05, 0.2, 0.4):
        for p, q in ((0.05, 0.2), (0.5, 0.5), (0.9, 0.1), (0.3, 1.0), (1.0, 0.4)):
            if failure / (2.0 if sides == "both" else 1.0) <= left:
                continue
            moved = joint_disclosure(curve, q, confidence=1.0 - failure, sides=sides)
            weights = np.array([p * q, p * (1.0 - q), 1.0 - p])
            whole = weights @ laws
            after = weights[0] * laws[0] / whole
            inside = weights[:2] @ laws[:2] / whole
            low, high = ends(moved.posterior(p))
            up, down = after > high * (1.0 + 1e-12), after < low * (1.0 - 1e-12)
            of_inclusion = inside / p > float(moved.inclusion(p).upper) * (1.0 + 1e-12)
            least, most = ends(moved.value())
            value = laws[0] / (q * laws[0] + (1.0 - q) * laws[1])
            events = [up, down, of_inclusion]
            events += [value > most * (1.0 + 1e-12), value < least * (1.0 - 1e-12)]
            for world in laws[weights > 0.0]:
                assert all(world[event].sum() <= failure * (1.0 + 1e-9) for event in events)
                if sides == "both":
                    assert world[up | down].sum() <= failure * (1.0 + 1e-9)


def test_the_factors():
    """Each is bounded by itself; their product is no less than the bound on both."""
    for kind, confidence in ((PureDP(1.0, **A), None), (ZeroConcentratedDP(0.1, **A), 0.95)):
        for p in (0.01, 0.5, 1.0):
            for q in (0.01, 0.5, 1.0):
                moved = joint_disclosure(kind, q, confidence=confidence)
                product = float(moved.inclusion(p).upper) * float(moved.value().upper)
                assert product >= float(moved.ratio(p).upper) * (1.0 - 1e-12)
    assert float(joint_disclosure(PureDP(1.0, **A), 0.1).value().upper) == pytest.approx(
        1.0 / (0.1 + 0.9 * np.exp(-2.0)), rel=1e-14
    )


def test_more_priors_are_more_of_the_same():
    """It never falls with more failure or less belief in the value, and never beats two steps."""
    kind = ZeroConcentratedDP(0.1, **A)
    by_value = [float(joint_disclosure(kind, q, confidence=0.95).ratio(0.3).upper) for q in VALUES]
    assert by_value == sorted(by_value, reverse=True)
    sure = [float(joint_disclosure(kind, 0.2, confidence=c).ratio(0.3).upper) for c in (0.5, 0.99)]
    assert sure == sorted(sure)
    moved = joint_disclosure(kind, 0.2, confidence=0.95)
    for p in PRIORS:
        assert float(moved.ratio(p).upper) <= float(moved.anywhere.ratio(0.2 * p).upper) * (
            1 + 1e-12
        )


def test_of_what_was_run_and_of_sums():
    own = joint_disclosure(Gaussian(sigma=2.0, sensitivity=1.0, **A).loss(), 0.3, confidence=0.99)
    promised = joint_disclosure(GaussianDP(0.5, **A), 0.3, confidence=0.99)
    assert ends(own.posterior(0.1)) == pytest.approx(ends(promised.posterior(0.1)), rel=1e-5)
    assert float(own.posterior(0.1).upper) >= float(promised.posterior(0.1).upper) * (1 - 1e-9)
    several = compose(
        [PureDP(0.1, **A), Gaussian(sigma=20.0, sensitivity=1.0, **A).loss()], [5, 12]
    )
    moved = joint_disclosure(several.guarantee, 0.3, confidence=0.99)
    assert 0.03 < float(moved.posterior(0.1).upper) < 0.12
    mixed = joint_disclosure(ProbabilisticallyBoundedDP(0.5, 1e-4, **A), 0.3, confidence=0.99)
    assert mixed.ratio(0.1).upper.bound == "upper"


@pytest.mark.parametrize("bad", [0.0, -0.1, 1.5, np.nan])
def test_a_value_prior_is_a_chance_above_0(bad):
    with pytest.raises(OutOfRange, match="value_prior"):
        joint_disclosure(PureDP(1.0, **A), bad)


def test_what_is_refused():
    moved = joint_disclosure(PureDP(1.0, **A), 0.5)
    with pytest.raises(OutOfRange, match="prior"):
        moved.posterior(1.5)
    with pytest.raises(OutOfRange, match="confidence"):
        joint_disclosure(ApproxDP(1.0, 0.1, **A), 0.5, confidence=0.99)
    for kind in (GaussianDP(1.0, **A), PureDP(1.0, **A)):
        with pytest.raises(InvalidInput, match="sides"):
            joint_disclosure(kind, 0.5, sides="neither")  # type: ignore[arg-type]
    assert moved.belief(0.1) == 0.05
    assert repr(moved).startswith("<JointDisclosure: log-odds move by at most 2")


def test_the_profile_of_pure_dp_is_that_of_theorem_2():
    """Forwards from the epsilon of `solve`, at a membership prior and at every prior."""
    for profile in AGENCY:
        epsilon = float(solve(profile).epsilon)
        found = [
            joint_disclosure(PureDP(epsilon, **A), q).ratio(0.05).upper.value for q in (0.1, 1.0)
        ]
        assert all(x <= profile.ratio(0.05, q) for x, q in zip(found, (0.1, 1.0), strict=True))
