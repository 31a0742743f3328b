"""Posterior with a record over posterior without it: every theorem, in worlds and by itself."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from mpmath import mp, mpf

from dprisk import (
    FDP,
    ApproxDP,
    GaussianDP,
    ProbabilisticallyBoundedDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
    counterfactual,
    disclosure,
)
from dprisk.errors import InvalidInput, Meaningless, NoConversion, OutOfRange
from dprisk.mechanisms import DiscreteGaussian, Gaussian, Geometric, PairOfDistributions
from dprisk.risk import enumerate_world
from dprisk.risk.counterfactual import KNOWLEDGE, REPLACEMENTS
from tests.oracles import finite
from tests.risk import random_worlds as worlds

R: Any = {"neighbors": "replace-one"}
A: Any = {"neighbors": "add-remove"}
RIGHT = ("true-record", "rest-known", "arbitrary-prior")
SEARCH = 1 + 1e-7  # a search over orders ends a little above its infimum
COUNT, BATCHES = 60, 5


@pytest.fixture(scope="module")
def made():
    """Random worlds for each promise: 60 for each of five shapes."""
    return {
        name: [worlds.worlds(promise, COUNT, seed) for seed in range(BATCHES)]
        for name, promise in worlds.PROMISES.items()
    }


def most(batches, *question):
    """The largest probability of a ratio above each limit."""
    return np.max([worlds.attained(each, *question) for each in batches], axis=0)


# --- every bound, in random worlds ---------------------------------------------------------------


@pytest.mark.parametrize("sides", ["one", "both"])
@pytest.mark.parametrize("adversary", RIGHT)
@pytest.mark.parametrize("name", worlds.PROMISES)
def test_no_world_exceeds_a_bound(made, name, adversary, sides):
    """3300 correlated worlds, each as revealing as the promise allows; and some come close."""
    learned = counterfactual(worlds.PROMISES[name], adversary=adversary)
    bound = learned.exceeding(worlds.LIMITS, sides=sides).value
    reached = most(made[name], adversary, "resampled", sides)
    assert np.all(reached <= bound * SEARCH + 1e-15)
    near = 0.9 if sides == "one" else 0.35
    if bound[bound < 0.9].max() > 0.0:
        assert worlds.share(bound, reached) > near


@pytest.mark.parametrize("name", ["pure", "approximate", "curve", "f", "Gaussian", "Rényi"])
def test_no_world_exceeds_a_bound_with_another_record_in_its_place(made, name):
    """With a default record: on average over the true record, and where the rest is known."""
    promise = worlds.PROMISES[name]
    for adversary, sides in itertools.product(("arbitrary-prior", "true-record"), ("one", "both")):
        learned = counterfactual(promise, adversary=adversary, replacement="default-record")
        bound = learned.exceeding(worlds.LIMITS, sides=sides).value
        reached = most(made[name], adversary, "default-record", sides)
        assert np.all(reached <= bound * SEARCH + 1e-15)


@pytest.mark.parametrize("world", ["resampled", "default-record"])
@pytest.mark.parametrize("name", ["pure", "pure, weak", "loss of Laplace noise"])
def test_a_wrong_prior_does_not_exceed_certainty(made, name, world):
    learned = counterfactual(worlds.PROMISES[name], adversary="wrong-prior", replacement=world)
    for each in made[name]:
        ratio, _ = worlds.ratios(each, world)
        largest = learned.ratio().value
        assert ratio.max() <= largest
        assert ratio.min() >= 1 / largest


@pytest.mark.parametrize("adversary", ["true-record", "rest-known", "arbitrary-prior"])
@pytest.mark.parametrize("name", ["pure", "approximate", "Gaussian", "loss of discrete noise"])
def test_beliefs_stay_below_their_bound(made, name, adversary):
    """Counted belief by belief; where the rest is known, the odds are used."""
    learned = counterfactual(worlds.PROMISES[name], adversary=adversary)
    for each in made[name]:
        known = each if adversary == "arbitrary-prior" else worlds.rest_known(each)
        actual, other = worlds.likelihoods(known)
        held = known.prior.sum(axis=2)[:, :, None]
        total = (held * actual).sum(axis=1, keepdims=True)
        before, after = held * other / total, held * actual / total
        drawn = np.broadcast_to(total, after.shape) if adversary == "rest-known" else actual
        for failure in (0.3, 0.05, 0.003):
            bound = learned.belief(np.minimum(before, 1.0), 1.0 - failure).value
            beyond = (drawn * (after > bound * (1 + 1e-9))).sum(axis=-1)
            assert beyond.max() <= failure * (1 + 1e-9)


# --- the bounds are attained ---------------------------------------------------------------------


def two_coins(guarantee, level, rare):
    """The best test at a level as a mechanism on one record, and a prior that finds it rare."""
    power = guarantee.power(level).value
    laws = {("r",): [power, 1 - power], ("s",): [level, 1 - level]}
    return enumerate_world({("r",): rare, ("s",): 1 - rare}, laws), power


@pytest.mark.parametrize(
    "guarantee",
    [ApproxDP(1.0, 0.01, **R), GaussianDP(1.0, **R), ZeroConcentratedDP(0.5, **R)],
    ids=repr,
)
@pytest.mark.parametrize("adversary", RIGHT)
def test_the_bounds_are_approached(guarantee, adversary):
    """A rare record and two coins: within a thousandth of what is called exact."""
    learned = counterfactual(guarantee, adversary=adversary)
    for level in (1e-4, 0.01, 0.1):
        world, power = two_coins(guarantee, level, 1e-10)
        limit = power / level * (1 - 1e-6)
        drawn = "prior" if adversary == "rest-known" else "true-record"
        reached = world.law("r", drawn=drawn).exceeding(limit)
        bound = learned.exceeding(limit)
        assert bound.bound == "exact"
        assert 0.999 * bound.value < reached <= bound.value


def test_pure_dp_with_a_wrong_prior_is_attained():
    """P1, Theorem 7.3: e^epsilon, at an output that the truth makes nearly certain."""
    high, low = Fraction(9, 10), Fraction(1, 10)  # epsilon = log 9, randomized response each
    laws = {
        data: {
            out: math.prod((high if d == y else low) for d, y in zip(data, out, strict=True))
            for out in itertools.product("ab", repeat=2)
        }
        for data in itertools.product("ab", repeat=2)
    }
    rare = Fraction(1, 10**9)
    world = enumerate_world({("a", "b"): rare, ("b", "b"): 1 - rare}, laws)
    law = world.law("a", truth=("a", "a"))
    learned = counterfactual(PureDP(math.log(9.0), **R), adversary="wrong-prior")
    assert law.exceeding(Fraction(9) * (1 - 10 * rare)) == high
    assert law.largest < Fraction(learned.ratio().value) < 9 + Fraction(1, 10**13)
    assert learned.ratio().bound == "exact"
    assert (learned.exceeding(8.9).value, learned.exceeding(9.0).value) == (1.0, 0.0)


def test_pure_dp_with_a_default_record_comes_to_twice_epsilon():
    """P1, Section 7.3, footnote: the numerator and the total each move by e^epsilon."""
    q, k = Fraction(1, 100), 9  # all outputs y have probability q or k q
    laws = {("r", "s"): k * q, ("d", "s"): q, ("o", "t"): q * q, ("d", "t"): k * q * q}
    rare = q**6
    prior = {("r", "s"): rare, ("o", "t"): 1 - rare}
    world = enumerate_world(prior, {d: {"y": p, "n": 1 - p} for d, p in laws.items()})
    ratio = world.ratio("default-record", default="d")[0, 0]
    learned = counterfactual(
        PureDP(math.log(k), **R), adversary="wrong-prior", replacement="default-record"
    )
    assert 0.999 * k**2 < ratio < k**2 <= learned.ratio().value < k**2 * (1 + 1e-13)


# --- what each adversary takes for granted -------------------------------------------------------


def test_a_wrong_belief_about_the_person_does_no_harm_where_the_rest_is_known(made):
    """``true-record``: only the other records have to be right."""
    learned = counterfactual(worlds.PROMISES["Gaussian"], adversary="true-record")
    bound = learned.exceeding(worlds.LIMITS).value
    rng = np.random.default_rng(5)
    for each in made["Gaussian"]:
        known = worlds.rest_known(each)
        wrong = rng.dirichlet(np.full(known.prior.shape[1], 0.1), size=len(known.prior)) + 1e-9
        believed = known._replace(prior=(wrong / wrong.sum(axis=1, keepdims=True))[:, :, None])
        ratio, actual = worlds.ratios(believed)
        assert np.all(worlds.exceeding(ratio, actual) <= bound + 1e-15)


def test_rest_known_needs_the_belief_about_the_person_to_be_right():
    """It may be exceeded where the record is drawn otherwise: from the true one, say."""
    guarantee = GaussianDP(2.0, **R)
    world, power = two_coins(guarantee, 0.01, 1e-6)
    limit = power / 0.01 * (1 - 1e-4)
    bound = counterfactual(guarantee, adversary="rest-known").exceeding(limit).value
    assert world.law("r").exceeding(limit) > 10 * bound


def test_no_bound_at_a_given_record_with_a_default_in_its_place():
    """dprisk Proposition 13: a right prior, a rare record, and a ratio as large as you like."""
    grid = np.arange(-40.0, 160.0)

    def noisy(data):  # the target counts 0 or 1, everybody else together what the rest says
        logs = -((grid - sum(data)) ** 2) / 8.0
        return logs - math.log(np.exp(logs).sum())

    loss = DiscreteGaussian(2.0, 1, **R).loss()
    resampled = counterfactual(loss, adversary="arbitrary-prior")
    averaged = counterfactual(loss, adversary="arbitrary-prior", replacement="default-record")
    for far in (30, 45, 60):
        prior = {(1, far): 1e-300, (0, 0): 1.0}
        world = enumerate_world(prior, noisy, outputs=grid.tolist(), given="log-probabilities")
        limit = math.exp(far / 4 - 3)
        assert world.law(1, replacement="default-record", default=1).exceeding(limit) > 0.99
        assert world.law(1).exceeding(30.0) <= resampled.exceeding(30.0).value
        on_average = world.law(replacement="default-record", default=1).exceeding(limit)
        assert on_average <= averaged.exceeding(limit).value < 0.01


@pytest.mark.parametrize("confidence", [0.9, 0.99])
def test_averaged_over_records_both_sides_share_the_failure(confidence):
    """dprisk Proposition 13, once for each side: at most half of the failure is left to either."""
    half = mpf(1 - confidence) / 2
    learned = counterfactual(
        GaussianDP(1.0, **R), adversary="arbitrary-prior", replacement="default-record"
    )
    found = mp.log(mpf(learned.ratio(confidence, sides="both").value))

    def tail(t):  # the most power at a level that is e^-t of it
        if t == 0:
            return mpf(1)
        z = mp.findroot(lambda z: mp.log(mp.ncdf(z + 1)) - mp.log(mp.ncdf(z)) - t, -t)
        return mp.ncdf(z + 1)

    parts = [(found * n / 60, found * (60 - n) / 60) for n in range(61)]
    rest = min(tail(a) + mp.exp(-b) * tail(b) for a, b in parts)
    assert half * mpf("0.9") <= rest <= half * mpf("1.01")


@pytest.mark.parametrize("adversary", KNOWLEDGE)
def test_every_answer_says_what_it_takes_for_granted(adversary):
    learned = counterfactual(PureDP(1.0, **R), adversary=adversary)
    for answer in (learned.exceeding(2.0), learned.ratio(0.9), learned.belief(0.1, 0.9)):
        said = " ".join(answer.assumptions)
        assert "Without the record" in said
        assert "anything computed from it" in said
        assert any(word in said for word in ("correct", "right", "true"))
        assert ("rightly or wrongly" in said) == (adversary == "wrong-prior")


# --- closed forms, from elsewhere ----------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [2.7, 5.0, 10.0, 25.0])
@pytest.mark.parametrize("rho", [0.01, 0.5, 2.63])
def test_zcdp_is_never_above_the_formulas_of_the_paper(rho, epsilon):
    """Theorems 7.4.1 and 7.4.2; e^-epsilon times one is the other."""
    census = ZeroConcentratedDP(rho, **R)
    known, any_prior = (
        counterfactual(census, adversary=each).exceeding(math.exp(epsilon)).value
        for each in ("rest-known", "arbitrary-prior")
    )
    under = 1e-322  # what rounding upwards makes of e^-2500
    assert any_prior <= math.exp(-((epsilon - rho) ** 2) / (4 * rho)) * SEARCH + under
    assert known <= math.exp(-((epsilon + rho) ** 2) / (4 * rho)) * SEARCH + under
    assert known == pytest.approx(any_prior * math.exp(-epsilon), rel=1e-12, abs=under)


@pytest.mark.parametrize(("alpha", "gamma"), [(2.0, 0.5), (1.1, 0.1), (16.0, 1.0)])
def test_renyi_is_never_above_the_formulas_of_the_paper(alpha, gamma):
    for e in (gamma + 0.01, 2.0, 6.0, 20.0):
        known, any_prior = (
            counterfactual(RenyiDP(alpha, gamma, **R), adversary=each).exceeding(math.exp(e)).value
            for each in ("rest-known", "arbitrary-prior")
        )
        assert any_prior <= math.exp((alpha - 1) * (gamma - e)) * SEARCH
        assert known <= math.exp(-(e - gamma) * alpha - gamma) * SEARCH


def test_gaussian_in_closed_form():
    """ "Theorem 3" there and back, and power over level where the rest is known, to 50 digits."""

    def cdf(x):
        return mp.erfc(-x / mp.sqrt(2)) / 2

    def quantile(p):
        return mp.findroot(lambda x: cdf(x) - p, -mp.sqrt(-2 * mp.log(p)) / 1.1)

    for mu, failure in itertools.product((0.3, 1.0, 2.2934689882359427), (1e-8, 1e-3, 0.04)):
        m, mu_exact = mpf(failure), mpf(mu)
        x = quantile(m)
        true, predicted = m / cdf(x - mu_exact), cdf(x + mu_exact) / m
        for adversary, exact in (("true-record", true), ("rest-known", predicted)):
            learned = counterfactual(GaussianDP(mu, **R), adversary=adversary)
            limit = learned.ratio(1.0 - failure) if failure > 1e-7 else learned.ratio(0.99999999)
            assert float(limit) == pytest.approx(float(exact), rel=1e-11)
            assert learned.exceeding(float(exact)).value == pytest.approx(failure, rel=1e-9)


def test_pure_dp_in_closed_form():
    e, m = 1.0, 0.5
    known = counterfactual(PureDP(e, **R), adversary="rest-known")
    assert known.ratio(1 - m).value == pytest.approx((1 - math.exp(-e) * (1 - m)) / m, rel=1e-14)
    assert known.ratio(0.99).value == pytest.approx(math.e, rel=1e-14)
    assert known.ratio().value == pytest.approx(math.e, rel=1e-14)


def test_attribute_disclosure_is_the_belief_where_the_rest_is_known():
    """The posterior without the record is the prior: the informed adversary of P0."""
    for guarantee in (ApproxDP(1.0, 1e-3, **R), GaussianDP(1.0, **R), ApproxDP(0.5, 1e-6, **A)):
        learned = counterfactual(guarantee, adversary="true-record")
        priors = np.array([0.0, 0.01, 0.5, 0.99, 1.0])
        moved = disclosure(guarantee, confidence=0.95, secret="attribute", sides="one")
        assert learned.belief(priors, 0.95).value == pytest.approx(
            moved.posterior(priors).upper.value, rel=1e-13
        )


# --- promises that do not survive mixing ---------------------------------------------------------


def test_one_point_of_pbdp_does_not_survive_mixing():
    """P1, Example 5.6: a toss between two rests breaks the raw promise, and not our bound."""
    epsilon, delta = 1.01, 0.02
    e = Fraction(math.e)
    first = ((e / (1 + e), 1 / (1 + e)), (1 / (1 + e), e / (1 + e)))
    second = ((Fraction(1, 100), Fraction(99, 100)), (Fraction(0), Fraction(1)))
    grow = Fraction(math.exp(epsilon))
    for pair in (first, second):
        assert finite.merged_one(pair, grow) <= Fraction(delta)
    weight = Fraction(1, 20)
    mix = tuple(
        (weight * p, (1 - weight) * q, weight * (1 - p), (1 - weight) * (1 - q))
        for p, q in ((first[0][0], second[0][0]), (first[1][0], second[1][0]))
    )
    assert finite.merged_one(mix, grow) > Fraction(delta)
    guarantee = ProbabilisticallyBoundedDP(epsilon, delta, **R)
    learned = counterfactual(guarantee, adversary="arbitrary-prior")
    for limit in (2.0, 2.7, float(grow), 5.0):
        reached = float(finite.merged_one(mix, Fraction(limit)))
        assert reached <= learned.exceeding(limit).value
    assert learned.exceeding(2.0).bound == "upper"
    assert learned.exceeding(float(grow)).value > guarantee.tail(epsilon, sides="one").value


def test_a_loss_with_two_directions_does_not_survive_mixing():
    """Two rests, one for each direction: above the tail of either, and not above our bound."""
    pair = PairOfDistributions([0.3, 0.7, 0.0], [0.0, 0.9, 0.1], **R)
    p, q = [0.3, 0.7, 0.0], [0.0, 0.9, 0.1]
    laws = {
        ("r", 0): p + [0] * 3,
        ("s", 0): q + [0] * 3,
        ("r", 1): [0] * 3 + q,
        ("s", 1): [0] * 3 + p,
    }
    rare = 1e-9
    prior = {
        ("r", 0): rare / 2,
        ("r", 1): rare / 2,
        ("s", 0): 0.5 - rare / 2,
        ("s", 1): 0.5 - rare / 2,
    }
    world = enumerate_world(prior, laws)
    loss = pair.loss()
    learned = counterfactual(loss, adversary="arbitrary-prior")
    mixed = tuple(tuple(Fraction(x) / 2 for x in a + b) for a, b in ((p, q), (q, p)))
    broken = False
    for limit in (1.05, 1.2, 1.5, 2.0, 3.0):
        reached = float(finite.merged_one(mixed, Fraction(limit)))
        assert world.law("r").exceeding(limit) <= reached + 1e-6
        bound = learned.exceeding(limit)
        assert bound.bracket[0] is None
        assert reached <= bound.value
        assert bound.value <= 1.3 * max(reached, loss.tail(math.log(limit), sides="one").value)
        broken |= reached > loss.tail(math.log(limit), sides="one").value
    assert broken


# --- neighbors -----------------------------------------------------------------------------------


def test_add_remove_is_brought_over():
    """Two steps, an upper bound, and it says so."""
    one = counterfactual(PureDP(0.5, **A), adversary="true-record")
    two = counterfactual(PureDP(1.0, **R), adversary="true-record")
    assert one.exceeding(2.0).value == two.exceeding(2.0).value
    assert (one.exceeding(2.0).bound, two.exceeding(2.0).bound) == ("upper", "exact")
    assert any("two steps" in line for line in one.assumptions)
    assert not any("two steps" in line for line in two.assumptions)
    with pytest.raises(NoConversion, match="order"):
        counterfactual(RenyiDP(2.0, 1.0, **A), adversary="true-record")


def test_a_record_that_is_dropped_takes_one_step():
    """Under add-remove the data without the record are neighbors: e^(2 epsilon) is enough."""
    dropped = counterfactual(PureDP(0.5, **A), adversary="wrong-prior", replacement="dropped")
    assert dropped.ratio().value == pytest.approx(math.e, rel=1e-14)
    default = counterfactual(
        PureDP(0.5, **A), adversary="wrong-prior", replacement="default-record"
    )
    assert default.ratio().value == pytest.approx(math.exp(2.0), rel=1e-14)
    averaged = counterfactual(PureDP(0.5, **A), adversary="arbitrary-prior", replacement="dropped")
    assert averaged.ratio().value == pytest.approx(math.e, rel=1e-14)


@pytest.mark.parametrize("adversary", KNOWLEDGE)
def test_replace_one_says_nothing_about_a_record_less(adversary):
    with pytest.raises(Meaningless, match="one record fewer"):
        counterfactual(PureDP(1.0, **R), adversary=adversary, replacement="dropped")


@pytest.mark.parametrize("world", ["resampled", "default-record"])
def test_a_wrong_prior_needs_certainty(world):
    for guarantee in (ApproxDP(1.0, 1e-9, **R), GaussianDP(1.0, **R), ZeroConcentratedDP(1.0, **R)):
        with pytest.raises(Meaningless, match=r"Example 7\.1"):
            counterfactual(guarantee, adversary="wrong-prior", replacement=world)
    certain = [
        ApproxDP(1.0, 0.0, **R),
        FDP([0, 0.25, 1], [1, 0.25, 0], **R),
        Geometric(1.0, 1, **R).loss(),
    ]
    for guarantee in certain:
        made = counterfactual(guarantee, adversary="wrong-prior", replacement=world)
        whole = guarantee.loss_bound(0.0).value * (2 if world == "default-record" else 1)
        assert made.ratio().value == pytest.approx(math.exp(whole), rel=1e-13)


# --- there and back, edges, bad input ------------------------------------------------------------

ZOO = [
    PureDP(0.0, **R),
    PureDP(1.0, **R),
    PureDP(math.inf, **R),
    ApproxDP(1.0, 1e-3, **R),
    ApproxDP(0.0, 1.0, **R),
    ProbabilisticDP(1.0, 1e-3, **R),
    ProbabilisticallyBoundedDP(1.0, 0.1, **R),
    ProbabilisticallyBoundedDP(1.0, 1.0, **R),
    GaussianDP(0.0, **R),
    GaussianDP(1.0, **R),
    ZeroConcentratedDP(0.5, **R),
    ZeroConcentratedDP(0.5, delta=0.01, **R),
    RenyiDP(2.0, 0.5, **R),
    Gaussian(2.0, 1.0, **R).loss(),
    DiscreteGaussian(1.0, 1, **R).loss(),
]
ASKED = [
    (adversary, world)
    for adversary, world in itertools.product(RIGHT, REPLACEMENTS[:2])
    if world == "resampled" or adversary == "arbitrary-prior"
]


@pytest.mark.parametrize(("adversary", "world"), ASKED)
@pytest.mark.parametrize("guarantee", ZOO, ids=repr)
def test_there_and_back_and_at_the_edges(guarantee, adversary, world):
    learned = counterfactual(guarantee, adversary=adversary, replacement=world)
    asked = [0.0, 0.5, 1.0, 1.5, 20.0, 1e300, math.inf]
    low, high = learned.exceeding(asked).bracket
    assert np.all((high >= 0.0) & (high <= 1.0))
    assert np.all(np.diff(high) <= 0.0)
    assert high[:2].tolist() == [1.0, 1.0]
    assert high[-1] == 0.0
    assert low is None or np.all(low <= high)
    confidences = np.array([1e-9, 0.1, 0.9, 0.999])
    low, limit = learned.ratio(confidences).bracket
    assert np.all(limit >= 1.0)
    assert low is None or np.all(low <= limit)
    assert np.all(limit[1:] >= limit[:-1])
    finite_limit = limit[np.isfinite(limit)]
    if world == "resampled":
        back = learned.exceeding(finite_limit).value
        assert np.all(back <= (1 - confidences[np.isfinite(limit)]) * (1 + 1e-8))
    belief = learned.belief([[0.0], [1e-300], [0.5], [1.0]], confidences).value
    assert belief.shape == (4, 4)
    assert np.all((belief >= 0.0) & (belief <= 1.0))
    assert np.all(belief[3] == 1.0)


@pytest.mark.parametrize(
    "guarantee", [GaussianDP(1.0, **R), PureDP(1.0, **R), ApproxDP(1, 1e-4, **R)]
)
def test_both_ways_of_the_average_agree(guarantee):
    """Different searches: nearly inverse, and never better together than one split allows."""
    learned = counterfactual(guarantee, adversary="arbitrary-prior", replacement="default-record")
    for confidence in (0.5, 0.9, 0.99, 0.999):
        limit = learned.ratio(confidence).value
        assert learned.exceeding(limit).value == pytest.approx(1 - confidence, rel=0.1) or (
            limit == pytest.approx(learned.ratio().value)
        )
    tail = guarantee.tail(np.linspace(0.0, 4.0, 4001), sides="one").value
    split = np.min(tail + np.exp(-np.linspace(4.0, 0.0, 4001)) * tail[::-1])
    assert learned.exceeding(math.exp(4.0)).value == pytest.approx(min(split, 1.0), rel=0.02)


def test_shapes():
    learned = counterfactual(GaussianDP(1.0, **R), adversary="rest-known")
    assert isinstance(learned.exceeding(2.0).value, float)
    assert learned.exceeding([[2.0, 3.0]]).value.shape == (1, 2)
    assert learned.exceeding([]).value.shape == (0,)
    assert learned.ratio([]).value.shape == (0,)
    assert learned.belief([], 0.9).value.shape == (0,)
    assert learned.exceeding([2.0, 3.0]).value.tolist() == [
        learned.exceeding(2.0).value,
        learned.exceeding(3.0).value,
    ]
    assert repr(learned).startswith("<Counterfactual of GaussianDP(mu=1.0")


def test_brackets_of_an_exact_loss():
    """Gaussian noise by its own loss: both ends, and the closed form between them."""
    loss, known = Gaussian(1.0, 1.0, **R).loss(), GaussianDP(1.0, **R)
    for adversary in RIGHT:
        found = counterfactual(loss, adversary=adversary)
        exact = counterfactual(known, adversary=adversary)
        low, high = found.exceeding([1.5, 5.0, 50.0]).bracket
        truth = exact.exceeding([1.5, 5.0, 50.0]).value
        assert np.all((low * (1 - 1e-12) <= truth) & (truth <= high * (1 + 1e-12)))
        assert np.all(high - low <= 1e-6 * high)
        low, high = found.ratio([0.5, 0.99]).bracket
        truth = exact.ratio([0.5, 0.99]).value
        assert np.all((low * (1 - 1e-12) <= truth) & (truth <= high * (1 + 1e-12)))


def test_no_tail_is_asked_twice_in_one_go(monkeypatch):
    """A sum of two losses is split in many ways, of which half are the same the other way round."""
    asked: list[np.ndarray] = []
    tail = GaussianDP.tail

    def counted(self, epsilon, **sides):
        asked.append(np.asarray(epsilon))
        return tail(self, epsilon, **sides)

    monkeypatch.setattr(GaussianDP, "tail", counted)
    world: Any = {"adversary": "arbitrary-prior", "replacement": "default-record"}
    learned = counterfactual(GaussianDP(1.0, **R), **world)
    learned.to_dict(ratios=[1.0, 1.0, 2.0, 4.0])
    assert asked
    assert all(len(np.unique(each)) == each.size for each in asked)
    assert len(asked) == 2  # whatever the number of ratios


def test_plain_data():
    learned = counterfactual(ApproxDP(1.0, 1e-3, **R), adversary="true-record")
    data = learned.to_dict(ratios=[2.0], confidences=[0.9, 0.9999], without=[0.1])
    assert data["exceeding"][0]["at_most"] == learned.exceeding(2.0).value
    assert [each["at_most"] for each in data["kept"]] == [learned.ratio(0.9).value, None]
    assert data["kept"][1]["beliefs"][0]["at_most"] == 1.0
    assert learned.to_dict()["kept"] == []
    sure = counterfactual(PureDP(1.0, **R), adversary="wrong-prior").to_dict(without=[0.1])
    assert sure["kept"][0]["confidence"] is None
    drawn = learned.curve([0.0, 2.0, math.inf])
    assert drawn["epsilon"] == [None, pytest.approx(math.log(2)), None]
    assert drawn["at_most"][1] == learned.exceeding(2.0).value
    assert drawn["at_least"] == drawn["at_most"]


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda g: asked(g, "anybody"), InvalidInput, "one of 'true-record'"),
        (
            lambda g: asked(g, "true-record", "none"),
            InvalidInput,
            "one of",
        ),
        (lambda g: asked(1.0, "true-record"), InvalidInput, "a Guarantee"),
        (lambda g: learned(g).exceeding(-1.0), OutOfRange, "ratio must be"),
        (lambda g: learned(g).exceeding(math.nan), OutOfRange, "ratio must be"),
        (lambda g: learned(g).exceeding(2.0, sides="two"), InvalidInput, "sides"),
        (lambda g: learned(g).ratio(1.0), OutOfRange, "confidence must be"),
        (lambda g: learned(g).ratio(0.9, sides="two"), InvalidInput, "sides"),
        (lambda g: learned(g).belief(1.1, 0.9), OutOfRange, "without must be"),
        (lambda g: learned(g).belief(0.1, 0.0), OutOfRange, "confidence must be"),
        (lambda g: learned(g).curve([-1.0]), OutOfRange, "ratio must be"),
    ],
)
def test_bad_input(call, error, says):
    with pytest.raises(error, match=says):
        call(GaussianDP(1.0, **R))


def asked(guarantee: Any, adversary: Any, world: Any = "resampled") -> Any:
    return counterfactual(guarantee, adversary=adversary, replacement=world)


def learned(guarantee: Any) -> Any:
    return asked(guarantee, "true-record")
