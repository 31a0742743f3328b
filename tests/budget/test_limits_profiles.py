"""Profiles with a confidence: kept at every pair of priors, and by linear programs.

What the shifts are comes from tails worked out here, with many digits or by a program over all
mechanisms with three worlds (the value, another value, not in the data), not from the package.
"""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.special import log_ndtr, ndtr, ndtri

from dprisk import (
    ApproxDP,
    GaussianDP,
    ProbabilisticallyBoundedDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from dprisk.budget import (
    AllOf,
    AnyOf,
    DifferenceLimit,
    InformedLimit,
    OddsLimit,
    PosteriorLimit,
    ProfileLimit,
    RatioFunction,
    RatioLimit,
    RatioTable,
    Together,
    largest_budget,
    ratio_or_posterior,
    solve,
)
from dprisk.errors import Meaningless

A: Any = {"neighbors": "add-remove"}
R: Any = {"neighbors": "replace-one"}
FAILURE = 0.01
AGENCY = [ratio_or_posterior(3.0, a, membership_prior=0.05) for a in (0.025, 0.15, 0.3)]
TABLE = RatioTable([(0.1, 0.2, 9.0), (0.1, 0.9, 4.0), (1.0, 0.2, 4.0), (1.0, 0.9, 2.0)])
PROFILES = [
    *AGENCY,
    RatioLimit(3.0),
    RatioLimit(2.0, membership_prior=(0.01, 0.4)),
    PosteriorLimit(0.4, membership_prior=(0.0, 0.3), value_prior=(0.0, 0.8)),
    OddsLimit(4.0, value_prior=(0.2, 1.0)),
    DifferenceLimit(0.2),
    DifferenceLimit(0.3, membership_prior=(0.0, 0.5)),
    AllOf([RatioLimit(3.0), DifferenceLimit(0.15, membership_prior=0.4)]),
    AnyOf([OddsLimit(2.0, membership_prior=(0.1, 0.7)), PosteriorLimit(0.25)]),
    TABLE,
    RatioTable(TABLE.rows, between="harmonic"),
    RatioFunction(lambda p, q: 1.0 + 2.0 / (1.0 + p * q), membership_prior=(0.0, 0.9)),
    PosteriorLimit(0.3, membership_prior=1.0, value_prior=0.1),
    RatioLimit(3.0, value_prior=1.0),
]


def of_normals(mu: float, failure: float) -> float:
    """What the loss exceeds that often at most, whatever is made of the output: one direction."""
    return float(np.log(failure) - log_ndtr(ndtri(failure) - mu))


def least_room(profile: Any, mu: float, failure: float) -> float:
    """The least, over priors, of what is left of the alternatives minus what has to be left."""
    sides = []
    for low, high in (_corners(profile)[:2], _corners(profile)[2:]):
        least = max(low, 1e-6)
        sides.append(np.append(np.geomspace(least, high, 60), np.linspace(least, high, 60)))
    p, q = (np.ravel(each) for each in np.meshgrid(*sides))
    p, q = np.append(p, 0.05), np.append(q, 1.0 / 6.0)
    ratio = np.maximum(profile.ratio(p, q), 1e-300)
    one, two = of_normals(mu, failure), of_normals(2.0 * mu, failure)
    kept = p * (1.0 - q) * np.exp(-two) + (1.0 - p) * np.exp(-one)
    return float(np.min(kept + p * q - 1.0 / ratio))


def _corners(profile: Any) -> tuple[float, float, float, float]:
    boxes = np.array([clause.box for clause in profile.clauses()])
    return (boxes[:, 0].min(), boxes[:, 1].max(), boxes[:, 2].min(), boxes[:, 3].max())


BY_PRIOR = PROFILES[:11]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("failure", [0.01, 0.2])
def test_what_is_found_is_kept_at_every_pair_of_priors(profile, failure):
    """On a grid of priors; a little more is too much somewhere."""
    found = largest_budget(ProfileLimit(profile, confidence=1.0 - failure), "gaussian")
    mu = float(found.value)
    assert least_room(profile, mu, failure) >= -1e-12
    if profile in BY_PRIOR:
        assert least_room(profile, mu * 1.02, failure) < 0.0


@pytest.mark.parametrize(("mu", "failure"), [(0.3, 0.2), (0.05, 0.2), (0.19, 0.01), (2.0, 0.5)])
def test_where_the_value_alone_is_asked_about(mu, failure):
    """At p = 1 and q = 0 the shift of two steps counts, which is never less than that of one."""
    found = float(ProfileLimit(RatioLimit(3.0), 1.0 - failure).measured(GaussianDP(mu, **A)))
    both = of_normals(2.0 * mu, failure)
    assert both / 2.0 * (1.0 - 1e-12) <= found <= both / 2.0 * (1.0 + 2e-7)


def test_of_several_clauses_the_worst_counts():
    parts = [RatioLimit(3.0), OddsLimit(2.0, membership_prior=(0.1, 0.7)), *AGENCY]
    for guarantee in (GaussianDP(0.3, **A), ZeroConcentratedDP(0.02, **A)):
        every = [ProfileLimit(each, 0.99) for each in (AllOf(parts), *parts)]
        beyond = [float(each.measured(guarantee)) / each.most for each in every]
        assert beyond[0] == pytest.approx(max(beyond[1:]), rel=1e-12)


# --- linear programs over all mechanisms with three worlds ---------------------------------------


def most_failing(mu: float, p: float, q: float, ratio: float, world: int) -> float:
    """Most probability, in a world, of outputs at which the ratio of beliefs is a limit or more.

    Laws of three outputs with the value, with another one, and not in the data. Each test that
    tells the last from one of the others is below the tangents of the curve of mu-GDP: slightly
    more mechanisms than there are.
    """
    z = np.append(np.linspace(-6.0, 6.0, 97), np.linspace(-3.5, -1.9, 321))
    slope, level, power = np.exp(-mu * z - mu * mu / 2.0), ndtr(z), ndtr(z + mu)
    rows, most = [], []
    for chosen in itertools.product((0.0, 1.0), repeat=3):
        for a, b in ((0, 2), (2, 0), (1, 2), (2, 1)):
            row = np.zeros((z.size, 3, 3))
            row[:, a], row[:, b] = chosen, -slope[:, None] * np.array(chosen)
            rows.append(row.reshape(z.size, 9))
            most.append(power - slope * level)
    beyond = np.zeros((1, 3, 3))
    beyond[0, :, 0] = ratio * p * q - 1.0, ratio * p * (1.0 - q), ratio * (1.0 - p)
    wanted = np.zeros((3, 3))
    wanted[world, 0] = -1.0
    found: Any = linprog(
        wanted.ravel(),
        A_ub=np.concatenate([*rows, beyond.reshape(1, 9)]),
        b_ub=np.concatenate([*most, [0.0]]),
        A_eq=np.repeat(np.eye(3), 3, axis=1),
        b_eq=np.ones(3),
    )
    return float(-found.fun)


BINDING = [  # and how much of the failure is used, at least
    (AGENCY[0], 0.05, 1.0 / 6.0, 0.999),
    (AGENCY[1], 0.05, 1.0, 0.999),
    (AGENCY[1], 0.05, 0.5, 0.0),
    (AGENCY[2], 0.05, 1.0, 0.999),
    (RatioLimit(3.0), 1.0, 1e-4, 0.99),
    (RatioLimit(3.0), 0.7, 0.01, 0.0),
    (OddsLimit(3.0), 1.0, 0.5, 0.999),
    (OddsLimit(3.0), 0.3, 0.5, 0.0),
    (DifferenceLimit(0.2), 1.0, 0.4, 0.999),
    (PosteriorLimit(0.3, membership_prior=1.0, value_prior=0.1), 1.0, 0.1, 0.999),
]


@pytest.mark.parametrize(("profile", "p", "q", "used"), BINDING)
def test_no_mechanism_fails_more_often_in_any_world(profile, p, q, used):
    """And at the priors that bind, some mechanism fails nearly as often: no larger mu is right."""
    mu = float(largest_budget(ProfileLimit(profile, 1.0 - FAILURE), "gaussian").value)
    ratio = float(profile.ratio(p, q))
    failing = [most_failing(mu, p, q, ratio, world) for world in range(3)]
    assert max(failing) <= FAILURE * 1.0001  # tangents leave a little between them
    assert failing[0] >= used * FAILURE


# --- zCDP, with many digits ----------------------------------------------------------------------


@cache
def most_heads(rho: Any, t: Any) -> Any:
    """The most that an event of loss t or more has: the largest y of coins y and y e^-t.

    With s = order - 1, what their divergence leaves of the limit is s^-1 times g(s) = rho s (s + 1)
    - log(y e^(s t) + (1 - y) e^(-s v)), v = log((1 - y e^-t) / (1 - y)). It falls in y at every
    order, so g(s) = 0 at one s > 0 excludes larger y. g'' = 2 rho - (t + v)^2 w (1 - w), w
    logistic in s: g is convex, concave, convex. So y keeps all orders if g(s) = g'(s) = 0 in the
    last part and g'(0) >= 0; in the other direction the divergence is at most v.
    """

    def touching(log_heads: Any, s: Any) -> Any:
        y = mpmath.exp(log_heads)
        v = mpmath.log((1 - y * mpmath.exp(-t)) / (1 - y))
        first, second = y * mpmath.exp(s * t), (1 - y) * mpmath.exp(-s * v)
        slope = (first * t - second * v) / (first + second)
        return rho * s * (s + 1) - mpmath.log(first + second), rho * (2 * s + 1) - slope

    start = (-((t - rho) ** 2) / (4 * rho), (t - rho) / (2 * rho))
    log_heads, s = mpmath.findroot(touching, start)
    y = mpmath.exp(log_heads)
    v = mpmath.log((1 - y * mpmath.exp(-t)) / (1 - y))
    w = 1 / (1 + (1 - y) / y * mpmath.exp(-s * (t + v)))
    assert s > 0
    assert w > 0.5
    assert 2 * rho > (t + v) ** 2 * w * (1 - w)
    assert y * t - (1 - y) * v <= rho
    assert v <= rho
    return y


def least_shift(rho: Any) -> Any:
    """The loss that the likeliest event of so much loss has with the failure probability."""
    start = rho + 2 * mpmath.sqrt(-rho * mpmath.log(FAILURE))
    wanted = mpmath.log(FAILURE)
    return mpmath.findroot(
        lambda t: mpmath.log(most_heads(rho, t)) - wanted, (0.9 * start, start), solver="anderson"
    )


def kept_at(rho: float, p: Any, q: Any, ratio: float) -> Any:
    """What is left of the alternatives, minus what has to be left."""
    one, two = (least_shift(steps * mpmath.mpf(rho)) for steps in (1, 4))
    left = p * (1 - q) * mpmath.exp(-two) + (1 - p) * mpmath.exp(-one)
    return left + p * q - 1 / mpmath.mpf(ratio)


AT = [(0.05747, mpmath.mpf(1) / 6), (0.07055, mpmath.mpf(1)), (0.19631, mpmath.mpf(1))]


@pytest.mark.parametrize(("profile", "rho", "q"), [(AGENCY[i], *AT[i]) for i in range(3)])
def test_the_agency_of_table_4(profile, rho, q):
    """P3, Table 4, under zCDP: by the exact tail at the priors that bind, 1e-4 more is too much."""
    found = float(largest_budget(ProfileLimit(profile, 0.99), "concentrated").value)
    assert found == pytest.approx(rho, abs=6e-6)
    with mpmath.workdps(30):
        p = mpmath.mpf("0.05")
        ratio = float(profile.ratio(float(p), float(q)))
        assert kept_at(found, p, q, ratio) >= 0
        assert kept_at(found * 1.0001, p, q, ratio) < 0


def test_beside_what_was_spent():
    """Adding up the epsilon of 0.5 and a loss of zCDP is worse than composing them."""
    before = Together(spent=[(PureDP(0.5, **A), 1)])
    found = largest_budget(ProfileLimit(AGENCY[1], 0.99), "concentrated", releases=before)
    assert found.value.value >= 0.02543
    room = np.log(0.95 / (1.0 / 3.0 - 0.05)) - 0.5  # P[Z > t] of both, the first at most a coin
    heads = 1.0 / (1.0 + np.exp(-0.5))
    rho = found.value.value
    assert heads * np.exp(-((room - rho) ** 2) / (4.0 * rho)) == pytest.approx(FAILURE, rel=0.02)


def test_the_person_is_known_to_be_in_the_data():
    """One question, one answer: the profile at the membership prior 1 is a limit on the value."""
    profile = PosteriorLimit(0.3, membership_prior=1.0, value_prior=0.1)
    for sides in ("one", "both"):
        informed = InformedLimit("posterior", 0.3, 0.1, 0.99, "attribute", sides)
        for definition in ("concentrated", "gaussian", "laplace"):
            one = largest_budget(ProfileLimit(profile, 0.99, sides), definition).value.value
            assert one == pytest.approx(largest_budget(informed, definition).value.value, rel=1e-8)


@pytest.mark.parametrize(
    "profile",
    [
        RatioLimit(3.0, membership_prior=1.0),
        ratio_or_posterior(3.0, 0.25, membership_prior=1.0),
        DifferenceLimit(0.2, membership_prior=1.0),
        AllOf([OddsLimit(4.0, 1.0), PosteriorLimit(0.5, 1.0, (0.0, 0.3))]),
        RatioTable([(1.0, 0.1, 9.0), (1.0, 0.5, 1.5)]),
        RatioFunction(lambda p, q: 2.0 - q / 2.0, membership_prior=1.0, value_prior=(0.0, 0.9)),
    ],
)
def test_a_replacement_at_the_membership_prior_1(profile):
    """P3, Corollary 2: one replacement is two steps, for every form of profile."""
    two_steps = 2.0 * float(solve(profile).epsilon)
    for definition, confidence, apart in (("pure", None, 2.0), ("gaussian", 0.99, 2.0)):
        limit = ProfileLimit(profile, confidence)
        one = float(largest_budget(limit, definition, neighbors="replace-one").value)
        assert one == pytest.approx(apart * float(largest_budget(limit, definition).value))
        loss = one if confidence is None else of_normals(one, FAILURE)
        assert loss == pytest.approx(two_steps, rel=1e-8)
    said = " ".join(ProfileLimit(profile, 0.99).measured(GaussianDP(0.1, **R)).assumptions)
    assert "whether the person has the value or another one" in said


def test_a_replacement_says_nothing_about_membership():
    mixed = AllOf([RatioLimit(3.0, membership_prior=1.0), RatioLimit(9.0, membership_prior=0.5)])
    with pytest.raises(Meaningless, match="write the membership prior 1"):
        largest_budget(ProfileLimit(mixed, 0.99), "gaussian", neighbors="replace-one")


def test_one_direction_is_what_a_profile_limits():
    for definition in ("concentrated", "gaussian"):
        one, both = (
            largest_budget(ProfileLimit(RatioLimit(3.0), 0.99, sides), definition).value.value
            for sides in ("one", "both")
        )
        assert one > both
    assert ProfileLimit(RatioLimit(3.0)).sides == "one"


@pytest.mark.parametrize(
    "guarantee",
    [
        GaussianDP(0.0, **A),
        GaussianDP(30.0, **A),
        GaussianDP(1e-9, **A),
        ApproxDP(0.3, 1e-7, **A),
        ApproxDP(0.3, 0.007, **A),
        ApproxDP(0.3, 0.5, **A),
        ZeroConcentratedDP(0.01, **A),
        RenyiDP([2.5, 8.0, 32.0], [0.01, 0.03, 0.2], **A),
    ],
)
@pytest.mark.parametrize("profile", [AGENCY[0], RatioLimit(3.0), TABLE, DifferenceLimit(0.2)])
def test_never_more_than_halves(guarantee, profile):
    """As if one step and two could not fail together."""
    limit = ProfileLimit(profile, 0.99)
    one = float(guarantee.loss_bound(FAILURE / 2.0, sides="one"))
    two = float(guarantee.for_neighbors("replace-one").loss_bound(FAILURE / 2.0, sides="one"))
    found = float(limit.measured(guarantee))
    assert 0.0 <= found <= max(one, two / 2.0) * (1.0 + 1e-12)
    if one == 0.0:
        assert found == 0.0


def test_deltas_too_large_for_half_of_the_failure():
    """All of it for one step is finite where nothing is asked about the value."""
    guarantee = ApproxDP(0.3, 0.007, **A)
    assert float(ProfileLimit(AGENCY[1], 0.99).measured(guarantee)) < np.inf
    assert float(ProfileLimit(RatioLimit(3.0), 0.99).measured(guarantee)) == np.inf


def test_whoever_does_not_know_the_other_records_mixes_neighbors():
    """Bounds on the loss of each pair of neighbors are none for mixtures (Proposition 4)."""
    bounded = ProbabilisticallyBoundedDP(1.0, 0.01, **A)
    found = float(ProfileLimit(RatioLimit(3.0, value_prior=1.0), 0.99).measured(bounded))
    # half of the others give it away with .01, the other half say e to 1: 1.0 is exceeded
    high = np.e / (1.0 + np.e)
    with_it = 0.5 * (0.01 + 0.99 * high) + 0.5 * high
    without = 0.5 * 0.99 * (1.0 - high) + 0.5 * (1.0 - high)
    assert with_it / without > np.e
    assert found > np.log(with_it / without)


def test_what_was_solved_for_is_a_number_that_keeps_it():
    for profile in (AGENCY[0], OddsLimit(4.0)):
        limit = ProfileLimit(profile, 0.99)
        for definition in ("gaussian", "concentrated", "approximate"):
            found = largest_budget(limit, definition)
            assert float(found.measured) <= float(solve(profile).epsilon)
            assert float(found.measured) >= float(solve(profile).epsilon) * (1.0 - 1e-5)
