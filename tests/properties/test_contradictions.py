"""What was run, what was promised and what is stated: verdicts against closed forms, one answer.

Truth is worked out with mpmath alone, from the definitions and the densities.
"""

from __future__ import annotations

import random
from functools import cache

import mpmath as mp
import pytest

from dprisk import (
    ApproxDP,
    GaussianDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
    assess,
)
from dprisk.budget import EpsilonLimit, plan
from dprisk.budget.counting import parts_of
from dprisk.composition import compose
from dprisk.composition.basis import basis_of
from dprisk.curves import ladder
from dprisk.documents import (
    assess_counterfactual,
    assess_tests,
    compose_release,
    explain,
    headline,
    report,
)
from dprisk.ledger.accounts import Account
from dprisk.ledger.charges import costs
from dprisk.ledger.parts import part_key
from dprisk.mechanisms import Gaussian, Laplace, RandomizedResponse, SubsampledGaussian
from dprisk.releases import Part, Release

BOTH = ("add-remove", "replace-one")
FACTORS = (0.3, 0.9, 0.999, 1.0, 1.001, 1.2, 3.0)
DELTAS = (1e-3, 1e-5, 1e-7)


def described(parts, stated, neighbors="add-remove", **changes):
    """A release with all that is compared."""
    about = {
        "name": "Town survey",
        "unit": "person",
        "period": "once",
        "neighbors": neighbors,
        "neighbors_stated": True,
        "model": "central",
        "parts": tuple(parts),
        "stated_also": tuple(map(Part, stated)),
    }
    return Release(**(about | changes))


class NormalNoise:
    """Sums of Gaussian noise: (epsilon, delta) and divergences by P0 and Balle and Wang 2018."""

    def __init__(self, sigma, count):
        self.mu = mp.sqrt(count) / mp.mpf(sigma)
        self.pure = mp.inf

    def delta(self, epsilon):
        half, rest = self.mu / 2, epsilon / self.mu
        return mp.ncdf(half - rest) - mp.exp(epsilon) * mp.ncdf(-half - rest)

    def divergence(self, alpha):
        return alpha * self.mu**2 / 2

    def per_order(self):
        return self.mu**2 / 2


class LaplaceNoise:
    """One Laplace mechanism: P[Z > x] under P is exp(-(e - x)/2)-shaped (P1, Section 4)."""

    def __init__(self, scale, count):
        assert count == 1
        self.pure = 1 / mp.mpf(scale)

    def delta(self, epsilon):
        return 1 - mp.exp((epsilon - self.pure) / 2) if epsilon < self.pure else mp.mpf(0)

    def divergence(self, alpha):
        e, a = self.pure, alpha
        moment = (a * mp.exp((a - 1) * e) + (a - 1) * mp.exp(-a * e)) / (2 * a - 1)
        return mp.log(moment) / (a - 1)

    def per_order(self):
        """Its largest divergence by order; at order 1 it is e - 1 + exp(-e)."""
        orders = [1 + mp.mpf(10) ** (mp.mpf(n) / 20) for n in range(-80, 60)]
        known = [self.divergence(alpha) / alpha for alpha in orders]
        return max(*known, self.pure - 1 + mp.exp(-self.pure))


class Answers:
    """Binary randomized response: a sum of coins."""

    def __init__(self, epsilon, count):
        self.one, self.count, self.pure = mp.mpf(epsilon), count, epsilon * count
        p = mp.exp(self.one) / (1 + mp.exp(self.one))
        self.atoms = [
            (self.one * (2 * k - count), mp.binomial(count, k) * p**k * (1 - p) ** (count - k))
            for k in range(count + 1)
        ]

    def delta(self, epsilon):
        return mp.fsum(m * (1 - mp.exp(epsilon - z)) for z, m in self.atoms if z > epsilon)

    def divergence(self, alpha):
        return mp.log(mp.fsum(m * mp.exp((alpha - 1) * z) for z, m in self.atoms)) / (alpha - 1)

    def per_order(self):
        orders = [1 + mp.mpf(10) ** (mp.mpf(n) / 20) for n in range(-80, 60)]
        return max(self.divergence(alpha) / alpha for alpha in orders)


def least_epsilon(truth, delta):
    """Where the profile crosses a delta, to 30 digits."""
    low, high = mp.mpf(0), mp.mpf(200)
    if truth.delta(low) <= delta:
        return low
    for _ in range(150):
        middle = (low + high) / 2
        low, high = (middle, high) if truth.delta(middle) > delta else (low, middle)
    return high


@cache
def run_of(kind, number):
    """A mechanism by kind, with the truth about all its uses."""
    rng = random.Random(f"{kind} {number}")
    mp.mp.dps = 40
    if kind == "gaussian":
        sigma, count = rng.choice((0.7, 1.0, 2.5, 8.0)), rng.choice((1, 2, 9))
        return sigma, count, NormalNoise(sigma, count)
    if kind == "laplace":
        scale = rng.choice((0.4, 1.0, 3.0, 10.0))
        return scale, 1, LaplaceNoise(scale, 1)
    epsilon, count = rng.choice((0.25, 1.0, 2.0)), rng.choice((1, 3, 8))
    return epsilon, count, Answers(epsilon, count)


def part_of(kind, size, count, neighbors):
    if kind == "gaussian":
        return Part.of(Gaussian(sigma=size, sensitivity=1.0, neighbors=neighbors), count)
    if kind == "laplace":
        return Part.of(Laplace(scale=size, sensitivity=1.0, neighbors=neighbors), count)
    return Part.of(RandomizedResponse(epsilon=size, categories=2, neighbors=neighbors), count)


def statement(rng, kind, truth, neighbors):
    """A statement around the truth, and whether it certainly cannot hold."""
    factor = rng.choice(FACTORS)
    forms = ["pure", "approximate", "zcdp", "renyi"] + (["mu"] if kind == "gaussian" else [])
    form = rng.choice(forms)
    if form == "pure":
        if truth.pure == mp.inf:
            return PureDP(20.0 * factor, neighbors=neighbors), True
        said = above(truth.pure, factor)
        return PureDP(said, neighbors=neighbors), said < truth.pure
    if form == "approximate":
        delta = rng.choice(DELTAS)
        said = above(least_epsilon(truth, mp.mpf(delta)), factor)
        return ApproxDP(said, delta, neighbors=neighbors), truth.delta(mp.mpf(said)) > delta
    if form == "zcdp":
        most = truth.per_order()
        said = above(most, 1.001 if 0.99 < factor <= 1.001 and kind != "gaussian" else factor)
        return ZeroConcentratedDP(said, neighbors=neighbors), said < most
    if form == "renyi":
        alpha = rng.choice((1.5, 2.0, 16.0))
        most = truth.divergence(mp.mpf(alpha))
        said = above(most, factor)
        return RenyiDP(alpha, said, neighbors=neighbors), said < most
    said = above(truth.mu, factor)
    return GaussianDP(said, neighbors=neighbors), said < truth.mu


def above(value, factor):
    """The truth by a factor; at 1, rounded up to six printed digits."""
    wanted = value * factor
    if factor != 1.0:
        return float(wanted)
    step = mp.mpf(10) ** (mp.floor(mp.log10(wanted)) - 5)
    return float(mp.nstr(mp.ceil(wanted / step) * step, 6))


def promise(rng, neighbors):
    """Another part, which can only reveal more."""
    made = rng.choice((PureDP, ZeroConcentratedDP, GaussianDP, ApproxDP))
    more = {"delta": 1e-8} if made is ApproxDP else {}
    return Part(made(rng.choice((0.01, 0.3, 1.0)), **more, neighbors=neighbors))


def drawn(number):
    """A release of several parts and statements, with the verdict on each of these."""
    truth = None
    rng = random.Random(f"contradictions {number}")
    neighbors = rng.choice(BOTH)
    kind = rng.choice(("gaussian", "gaussian", "laplace", "response", "promised"))
    stated: list = []
    verdicts: list = []
    if kind == "promised":
        parts = [promise(rng, neighbors)]
        guarantee = promise(rng, neighbors).guarantee
        stated, verdicts = [guarantee], [False]
    else:
        size, count, truth = run_of(kind, rng.randrange(8))
        parts = [part_of(kind, size, count, neighbors)]
        for _ in range(rng.choice((1, 1, 2))):
            said, false = statement(rng, kind, truth, neighbors)
            stated.append(said)
            verdicts.append(bool(false))
        if rng.random() < 0.15:  # the rest may reveal more, never less
            parts.append(promise(rng, neighbors))
    releases = rng.choice((1, 1, 1, 3))
    return described(parts, stated, neighbors, releases=releases), verdicts, truth


LIMIT = EpsilonLimit(2.0, 1e-6)
NUMBER = 500
ALL = [drawn(number) for number in range(NUMBER)]
QUICK = [number for number, (each, *_) in enumerate(ALL) if len(each.parts) == 1][::50]


@pytest.mark.parametrize("start", range(0, NUMBER, 50))
def test_one_document_one_answer(start):
    """Each verdict is the true one, and every function takes the same parts from one place."""
    for at, (release, verdicts, truth) in enumerate(ALL[start : start + 50], start):
        counted = basis_of(release)
        false = [each.stated for each in counted.contradicted]
        expected = [part for part, each in zip(release.stated_also, verdicts, strict=True) if each]
        assert false == expected, (at, release, counted)
        check_numbers(counted.contradicted, truth)
        made = assess(release)
        whole = compose_release(release, delta=[1e-6])
        assert whole.to_dict()["contradicted"] == made.to_dict()["contradicted"]
        assert made.kept == whole.kept == (not expected)
        if at % 10 == 0:
            planned = plan([LIMIT], release)
            assert planned.contradicted == counted.contradicted
            assert not (planned.kept and expected)
            (_, count), *_ = planned.best.each
            assert count == counted.parts[0].count * release.releases
        assert made.basis.parts == counted.parts
        listed = made.to_dict()["statements"][0]["parts"]
        assert listed == whole.to_dict()["parts"]
        keys = [part_key(part) for part in counted.parts]
        account = Account("town", "all", "person", release.neighbors, "2026", "fixed", (LIMIT,))
        assert set(costs(release, account)) == set(keys)
        (reading,) = whole.readings
        times = [part.count * release.releases for part in counted.parts]
        assert [count for _, count in parts_of(release, True)] == times
        both = (least_of(parts, release.releases) for parts in (counted.parts, *counted.others))
        assert min(both) == pytest.approx(reading.upper, rel=1e-12)
        said = headline(made)
        assert said.startswith("This release cannot keep") == bool(expected)


def least_of(parts, releases):
    """Epsilon at a delta of 1e-6 of what may hold."""
    times = [part.count * releases for part in parts]
    whole = compose([part.for_composition() for part in parts], times)
    return whole.epsilon(1e-6).bracket[1]


@pytest.mark.parametrize("number", QUICK)
def test_documents_say_the_same(number):
    """Report, summary, explanations, ladders, tests and comparisons, of the same releases."""
    release, verdicts, _ = ALL[number]
    false, counted = any(verdicts), basis_of(release)
    made = report(release, upto=1)
    data = assess(release).to_dict()
    first = made.to_dict()["assessments"][0]
    assert first["statements"][0] == data["statements"][0]
    assert first["contradicted"] == data["contradicted"]
    assert made.kept == (not false)
    cannot = "This release cannot keep"
    assert (cannot in made.to_markdown()) == (cannot in made.summary().to_markdown()) == false
    for audience in ("data-subject", "regulator"):
        told = explain(release, audience)
        assert told.kept == (not false)
        start = str(told.sections[0].sentences[0])
        assert (cannot in start or "cannot be true" in start) == false
    for each in (assess_tests(release, levels=[0.05]), assess_counterfactual(release)):
        assert each.kept == (not false)
        assert each.to_dict()["parts"] == data["statements"][0]["parts"]
    assert ladder(release, [1]).rungs
    assert counted == basis_of(release)


def check_numbers(found, truth):
    """Above what was stated, never above the truth, and close to it."""
    for each in found:
        assert each.certified > each.claimed, each
        at = mp.mpf(each.at)
        if each.quantity == "divergence":
            most = truth.divergence(at)
        else:
            most = least_epsilon(truth, at) if at else truth.pure
        assert most * (1 - mp.mpf("1e-9")) <= each.certified <= most, each
        assert each.theorem.citation


LAPLACE = Laplace(scale=1.0, sensitivity=1.0, neighbors="add-remove")
NORMAL = Gaussian(sigma=1.0, sensitivity=1.0, neighbors="add-remove")
FALSE = [
    (LAPLACE, PureDP, (0.1,), 1.0),
    (NORMAL, PureDP, (5000.0,), mp.inf),
    (NORMAL, ApproxDP, (3.0, 1e-5), 4.377178),
    (NORMAL, GaussianDP, (0.9999,), 4.377178),
    (
        LAPLACE,
        ZeroConcentratedDP,
        (0.36,),
        0.3678827,
    ),
    (
        NORMAL,
        ProbabilisticDP,
        (3.2, 1e-3),
        0.003574774,
    ),
]


@pytest.mark.parametrize(("noise", "made", "numbers", "least"), FALSE)
def test_certainly_false_statements(noise, made, numbers, least):
    """What was stated is below what was run; where a closed form is known, by so much."""
    release = described([Part.of(noise)], [made(*numbers, neighbors="add-remove")])
    (found,) = basis_of(release).contradicted
    assert found.certified > found.claimed
    if least is not None:
        assert found.certified == pytest.approx(float(least), rel=1e-6)
    assert not assess(release).kept
    assert basis_of(release).parts == release.parts


def test_training_is_compared_at_the_delta_that_is_stated():
    """DP-SGD, 5,000 steps: at least 3.527 at 1e-5."""
    noise = SubsampledGaussian(sigma=1.1, sensitivity=1.0, rate=0.01, neighbors="add-remove")
    training = [Part.of(noise, 5000)]
    (found,) = basis_of(
        described(training, [ApproxDP(3.0, 1e-5, neighbors="add-remove")])
    ).contradicted
    assert (found.quantity, found.at, found.claimed) == ("epsilon", 1e-5, 3.0)
    assert found.certified == pytest.approx(3.5272278, rel=1e-6)
    for epsilon in (3.528, 5.0):  # a larger one, or a larger delta, may well hold
        said = described(training, [ApproxDP(epsilon, 1e-5, neighbors="add-remove")])
        assert basis_of(said).contradicted == ()
    looser = described(training, [ApproxDP(3.0, 1e-3, neighbors="add-remove")])
    assert basis_of(looser).contradicted == ()


def test_promises_never_contradict_each_other():
    """Whoever promises 20 may keep 0.1; then the statement counts, and the headline says so."""
    said = ZeroConcentratedDP(0.1, neighbors="add-remove")
    release = described([Part(PureDP(20.0, neighbors="add-remove"))], [said])
    counted = basis_of(release)
    assert (counted.contradicted, counted.rests_on) == ((), "statement")
    assert counted.parts == release.stated_also
    made = assess(release, prior=0.1, limits={"posterior": 0.5})
    assert made.kept
    assert "rests on the statement zCDP with ρ = 0.1. It does not use pure DP" in headline(made)
    assert made.basis.find("posterior", 0.1).upper == pytest.approx(
        assess(said, prior=0.1).basis.find("posterior", 0.1).upper
    )


def test_what_is_published_exactly_is_part_of_the_headline():
    exact = described([Part(PureDP(0.5, neighbors="add-remove"))], [], invariants=("state totals",))
    for said in (headline(assess(exact)), compose_release(exact, delta=[1e-6])):
        text = said if isinstance(said, str) else readings_of(said)
        assert "This limit does not cover what is published exactly: state totals." in text


def readings_of(composition):
    from dprisk.documents.results import readings

    return " ".join(readings(composition))
