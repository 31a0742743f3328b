"""The exact posterior against Bayes' rule by brute force, and against closed forms in mpmath."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import erfinv, exp, log, mp, mpf, ncdf, quad, sqrt

from dprisk import PrivacyLoss, PureDP
from dprisk.composition import compose
from dprisk.errors import DpriskError, InvalidInput, Meaningless, OutOfRange
from dprisk.mechanisms import Gaussian, Geometric, Laplace, RandomizedResponse
from dprisk.mechanisms.pairs import PairOfDistributions
from dprisk.mechanisms.sample_release import SampleRelease
from dprisk.mechanisms.subsampled import SubsampledGaussian, SubsampledLaplace
from dprisk.risk import exact_posterior

HYPOTHESES = ("in", "out")
PRIORS = (1e-12, 0.01, 0.5, 0.9, 1.0 - 1e-12)
METRICS = ("posterior", "odds", "ratio", "difference")


@pytest.fixture(autouse=True)
def many_digits():
    with mp.workdps(120):
        yield


def composed(mechanism, count):
    """A mechanism run so many times, still its own loss."""
    return compose([mechanism.loss()], [count]).guarantee


def membership(mechanism):
    return exact_posterior(mechanism.loss())


def inside(truth, answer, slack=0.0):
    """Whether the truth lies in the bracket; `slack` is relative, for a truth known in floats."""
    low, high = answer.bracket
    room = slack * abs(truth)
    return low - room <= truth <= high + room


def read(metric, posterior, p):
    """A metric of a posterior, in whatever arithmetic the two are in."""
    return {
        "posterior": lambda: posterior,
        "odds": lambda: posterior / (1 - posterior) * (1 - p) / p,
        "ratio": lambda: posterior / p,
        "difference": lambda: posterior - p,
    }[metric]()


# --- randomized response: what the paper's reader can do in the head ------------------------------


def test_a_truthful_answer_three_times_in_four():
    """At prior 1/2 the posterior is 3/4 or 1/4."""
    answer = RandomizedResponse(math.log(3.0), neighbors="replace-one")
    belief = exact_posterior(answer.loss(), secret="attribute")
    for h, high in (("in", 0.75), ("out", 0.25)):
        for b, truth in ((0.2, 0.0), (0.25, 1.0 - high), (0.5, 1.0 - high), (0.75, 1.0), (1, 1)):
            assert belief.distribution(b, prior=0.5, hypothesis=h).value == pytest.approx(truth)
            assert belief.exceeds(b, prior=0.5, hypothesis=h).value == pytest.approx(1.0 - truth)
        for q, truth in ((0.0, 0.25), (1e-12, 0.25), (0.24, 0.25), (0.76, 0.75), (1.0, 0.75)):
            found = belief.quantile(q, prior=0.5, hypothesis=h)
            assert inside(truth, found, 1e-15)
            assert np.ptp(found.bracket) < 1e-14
    assert inside(0.625, belief.mean(prior=0.5), 1e-15)
    assert inside(0.375, belief.mean(prior=0.5, hypothesis="out"), 1e-15)
    assert belief.bounds().raw.posterior(0.5).upper.value == pytest.approx(0.75, rel=1e-14)


# --- any finite mechanism, by Bayes' rule ---------------------------------------------------------


@st.composite
def finite_mechanisms(draw, most=4):
    """Probabilities of a few outputs in both worlds, with a prior; eighths, so floats hold them."""
    size = draw(st.integers(2, most))
    whole = 64
    weights = []
    for _ in range(2):
        cuts = sorted(draw(st.lists(st.integers(0, whole), min_size=size - 1, max_size=size - 1)))
        weights.append([Fraction(b - a, whole) for a, b in itertools.pairwise([0, *cuts, whole])])
    return (*weights, Fraction(draw(st.integers(1, 63)), 64))


def beliefs(p, q, prior):
    """Posterior of each output that can occur, with its probability in either hypothesis."""
    law = {}
    for a, b in zip(p, q, strict=True):
        if a or b:
            x = prior * a / (prior * a + (1 - prior) * b)
            law[x] = tuple(old + new for old, new in zip(law.get(x, (0, 0)), (a, b), strict=True))
    return law


@settings(max_examples=5, deadline=None)
@given(finite_mechanisms())
def test_finite_mechanisms_by_bayes_rule(drawn):
    p, q, prior = drawn
    pair = PairOfDistributions([*map(float, p)], [*map(float, q)], neighbors="add-remove")
    found, law = membership(pair), beliefs(p, q, prior)
    between = [float((a + b) / 2) for a, b in itertools.pairwise(sorted(law))]
    for index, h in enumerate(HYPOTHESES):
        here = {"prior": float(prior), "hypothesis": h}
        at = sorted((x, chances[index]) for x, chances in law.items() if chances[index])
        below = [float(sum(chance for x, chance in at if x <= b)) for b in between]
        assert found.distribution(between, **here).value == pytest.approx(below, abs=1e-11)
        above = [1.0 - chance for chance in below]
        assert found.exceeds(between, **here).value == pytest.approx(above, abs=1e-11)
        heights = np.cumsum([float(chance) for _, chance in at])
        for b, height in zip(
            (min(float(x) * (1 + 1e-12), 1.0) for x, _ in at), heights, strict=True
        ):
            assert found.distribution(b, **here).value == pytest.approx(height, abs=1e-11)
        middles = heights - np.diff(heights, prepend=0.0) / 2.0
        for metric in METRICS:
            truth = [float(read(metric, x, prior)) for x, _ in at if metric != "odds" or x < 1]
            low, high = found.quantile(middles[: len(truth)], **here, metric=metric).bracket
            assert np.all(low <= truth + 1e-13 * np.abs(truth))
            assert np.all(high >= truth - 1e-13 * np.abs(truth))
            assert high == pytest.approx(low, rel=1e-9, abs=1e-13)
        mean = found.mean(**here)
        truth = float(sum(x * chance for x, chance in at))
        assert inside(truth, mean, 1e-11)
        assert mean.value == pytest.approx(truth, rel=1e-9, abs=1e-11)


@pytest.mark.parametrize("prior", [1e-300, 1e-15, 1e-9, 3.15e-6, 0.3, 1.0 - 1e-9, 1.0 - 2.0**-53])
@pytest.mark.parametrize("count", [1, 12, 40])
def test_means_for_priors_next_to_0_and_1(prior, count):
    """One minus the prior does not keep the digits of the prior."""
    laws = (0.964111328125, 0.035888671875), (0.013427734375, 0.986572265625)
    pair = PairOfDistributions(*map(list, laws), neighbors="add-remove")
    found = exact_posterior(compose([pair], [count]).guarantee)
    (a, b), (c, d) = (map(Fraction, law) for law in laws)
    start = Fraction(prior)
    outputs = [
        [math.comb(count, k) * x**k * y ** (count - k) for x, y in ((a, b), (c, d))]
        for k in range(count + 1)
    ]
    beliefs = [start * x / (start * x + (1 - start) * y) for x, y in outputs]
    for index, h in enumerate(HYPOTHESES):
        truth = sum(belief * each[index] for belief, each in zip(beliefs, outputs, strict=True))
        low, high = found.mean(prior=prior, hypothesis=h).bracket
        assert Fraction(float(low)) <= truth <= Fraction(float(high))
        if prior == 0.3 or h == "in":
            assert high - low <= 1e-11


@settings(max_examples=6, deadline=None)
@given(finite_mechanisms(), st.integers(1, 31))
def test_bounds_of_finite_mechanisms(drawn, numerator):
    """The smallest e with P[abs(Z) > e] <= 1 - confidence in the worse hypothesis."""
    p, q, _ = drawn
    confidence = 1.0 - (numerator + 0.5) / 64.0  # never the height of a step
    pair = PairOfDistributions([*map(float, p)], [*map(float, q)], neighbors="add-remove")
    outputs = [(a, b) for a, b in zip(p, q, strict=True) if a or b]
    losses = [float("inf") if not (a and b) else abs(math.log(a / b)) for a, b in outputs]
    worst = 0.0
    for h in (0, 1):
        allowed = [
            e
            for e in [0.0, *losses]
            if sum(o[h] for o, z in zip(outputs, losses, strict=True) if z > e * (1 + 1e-12))
            <= 1.0 - confidence
        ]
        worst = max(worst, min(allowed))
    try:
        found = membership(pair).bounds(confidence)
    except OutOfRange:  # nothing is promised of what is computed from it
        assert pair.loss().loss_bound(1.0 - confidence).value == math.inf
        return
    assert found.raw.loss.value == pytest.approx(worst, rel=1e-12, abs=1e-13)
    assert found.raw.loss.value >= worst * (1.0 - 1e-15)
    assert found.universal.loss.value >= found.raw.loss.value


# --- mechanisms with a closed form ----------------------------------------------------------------


def normal_quantile(q):
    return sqrt(2) * erfinv(2 * q - 1)


def posterior_at(loss, p):
    return p / (p + (1 - p) * exp(-loss))


@pytest.mark.parametrize("count", [1, 16])
@pytest.mark.parametrize("sigma", [0.3, 2.0, 500.0])
def test_gaussian_quantiles(sigma, count):
    """Z is normal: mean +-mu^2 / 2, variance mu^2, mu^2 = count / sigma^2."""
    belief = exact_posterior(composed(Gaussian(sigma, 1.0, neighbors="add-remove"), count))
    mu = sqrt(count) / mpf(sigma)
    shares, p = (1e-12, 0.025, 0.5, 0.999), np.array(PRIORS)
    normal = [normal_quantile(mpf(q)) for q in shares]
    for h in HYPOTHESES:
        half = mu**2 / 2 if h == "in" else -(mu**2) / 2
        truths = [[posterior_at(half + mu * z, mpf(prior)) for prior in PRIORS] for z in normal]
        for metric in METRICS:
            asked = np.array(shares)[:, None]
            low, high = belief.quantile(asked, prior=p, hypothesis=h, metric=metric).bracket
            want = np.array(
                [
                    [
                        float(read(metric, x, mpf(prior)))
                        for x, prior in zip(row, PRIORS, strict=True)
                    ]
                    for row in truths
                ]
            )
            room = 1e-15 * np.abs(want)
            assert np.all((low - room <= want) & (want <= high + room))
            size = np.maximum(np.abs(want), p * (1 - p) if metric == "difference" else 0.0)
            assert np.all(high - low <= 1e-9 * size * max(1.0, float(mu) ** 2))


@pytest.mark.parametrize("h", HYPOTHESES)
def test_gaussian_distribution(h):
    belief = membership(Gaussian(1.0, 1.0, neighbors="add-remove"))
    half = mpf(1) / 2 if h == "in" else -mpf(1) / 2
    for b, p in itertools.product((1e-12, 0.1, 0.5, 0.99), PRIORS):
        t = log(mpf(b)) - log(1 - mpf(b)) - log(mpf(p)) + log(1 - mpf(p))
        for found, truth in (
            (belief.distribution(b, prior=p, hypothesis=h), ncdf(t - half)),
            (belief.exceeds(b, prior=p, hypothesis=h), ncdf(half - t)),
        ):
            assert inside(float(truth), found, 1e-11)
            assert found.value == pytest.approx(float(truth), rel=1e-9, abs=1e-280)


@pytest.mark.parametrize("p", [1e-12, 0.2, 0.5, 0.8])
@pytest.mark.parametrize("h", HYPOTHESES)
def test_gaussian_mean(p, h):
    belief = membership(Gaussian(1.0, 1.0, neighbors="add-remove"))
    half = mpf(1) / 2 if h == "in" else -mpf(1) / 2
    truth = quad(
        lambda z: posterior_at(half + z, mpf(p)) * exp(-(z**2) / 2) / sqrt(2 * mp.pi),
        [-38, -8, 0, 8, 38],
    )
    found = belief.mean(prior=p, hypothesis=h)
    assert inside(float(truth), found)
    assert np.ptp(found.bracket) <= 1e-3 * float(truth)


def laplace_at_most(t, c, h):
    """Half of the outputs have the largest loss under "in", half the least under "out"."""
    if t < -c or t >= c:
        return mpf(t >= c)
    return exp((t - c) / 2) / 2 if h == "in" else 1 - exp(-(t + c) / 2) / 2


@pytest.mark.parametrize("c", [1e-6, 1.0, 30.0])
@pytest.mark.parametrize("h", HYPOTHESES)
def test_laplace_and_its_atoms(c, h):
    belief = membership(Laplace(scale=1.0, sensitivity=c, neighbors="add-remove"))
    for share, p in itertools.product((-1.5, -0.9, 0.0, 0.5, 0.99, 1.5), (1e-12, 0.3)):
        b = float(posterior_at(mpf(share) * c, mpf(p)))
        t = log(mpf(b)) - log(1 - mpf(b)) - log(mpf(p)) + log(1 - mpf(p))
        truth = float(laplace_at_most(t, mpf(c), h))
        found = belief.distribution(b, prior=p, hypothesis=h)
        assert found.value == pytest.approx(truth, rel=1e-11, abs=1e-13 / c)
    top, bottom = (float(posterior_at(sign * mpf(c), mpf("0.5"))) for sign in (1, -1))
    atoms = {"in": ((0.75, top), (1e-15, bottom)), "out": ((1 - 1e-15, top), (0.25, bottom))}
    for q, truth in atoms[h]:
        found = belief.quantile(q, prior=0.5, hypothesis=h)
        assert inside(truth, found, 1e-15)
        assert found.value == pytest.approx(truth, rel=1e-13)
    below = belief.distribution(top * (1 - 1e-9 * min(c, 1.0)), prior=0.5, hypothesis="in")
    if c == 1.0:
        assert below.value == pytest.approx(0.5, abs=1e-8)


def test_two_laplace_answers():
    """The sum of two losses, by quadrature over the one of them that is not an atom."""
    c = mpf(1)
    belief = exact_posterior(composed(Laplace(1.0, 1.0, neighbors="add-remove"), 2))
    for t, p in ((-1.3, 0.5), (-0.2, 0.1), (0.7, 0.5), (1.9, 0.01)):
        part = quad(
            lambda z, t=t: exp((z - c) / 2) / 4 * laplace_at_most(t - z, c, "in"),
            sorted({-c, c, *(x for x in (t - c, t + c) if -c < x < c)}),
        )
        truth = (
            part
            + laplace_at_most(t - c, c, "in") / 2
            + exp(-c) / 2 * laplace_at_most(t + c, c, "in")
        )
        found = belief.distribution(float(posterior_at(mpf(t), mpf(p))), prior=p)
        assert inside(float(truth), found, 1e-10)
        assert np.ptp(found.bracket) < 1e-4


def test_geometric_answers_by_enumeration():
    """Five counts of sensitivity 2, noise 2^-abs(k): every sequence of losses, in fractions."""
    belief = exact_posterior(composed(Geometric(1.0 / math.log(2.0), 2, neighbors="add-remove"), 5))
    mass = {2: Fraction(2, 3), 0: Fraction(1, 6), -2: Fraction(1, 6)}  # in units of log 2
    assert sum(mass.values()) == 1
    law = {}
    for steps in itertools.product(mass, repeat=5):
        chance = math.prod((mass[s] for s in steps), start=Fraction(1))
        law[sum(steps)] = law.get(sum(steps), 0) + chance
    p = Fraction(1, 5)
    for h in HYPOTHESES:
        sums = {s: a if h == "in" else a / Fraction(2) ** s for s, a in law.items()}
        assert sum(sums.values()) == 1
        below = Fraction(0)
        for s, chance in sorted(sums.items()):
            x = p / (p + (1 - p) * Fraction(2) ** -s)
            short = belief.exceeds(float(x) * (1 - 1e-9), prior=0.2, hypothesis=h)
            assert inside(float(1 - below), short, 1e-14)
            found = belief.quantile(float(below + chance / 2), prior=0.2, hypothesis=h)
            assert inside(float(x), found, 1e-15)
            assert np.ptp(found.bracket) < 1e-12
            below += chance
            at = belief.distribution(float(x), prior=0.2, hypothesis=h)
            assert at.value == pytest.approx(float(below), rel=1e-12)
        mean = belief.mean(prior=0.2, hypothesis=h)
        truth = sum(a * p / (p + (1 - p) * Fraction(2) ** -s) for s, a in sums.items())
        assert inside(float(truth), mean, 1e-12)
        assert mean.value == pytest.approx(float(truth), rel=1e-9)


def part_at_most(posterior, rate, h):
    """Probability of such a posterior or less, at the prior 0.3, of a subsampled Gaussian."""
    t = log(mpf(posterior) / (1 - mpf(posterior))) - log(mpf(0.3) / (1 - mpf(0.3)))
    x = log((exp(t) - 1 + rate) / rate) + mpf(1) / 2
    return ncdf(x) if h == "out" else rate * ncdf(x - 1) + (1 - rate) * ncdf(x)


def test_a_part_of_the_records():
    """Different in either hypothesis; it rises with the output, so its law is a normal one."""
    rate = mpf(0.1)
    belief = membership(SubsampledGaussian(1.0, 1.0, 0.1, neighbors="add-remove"))
    for h, t in itertools.product(HYPOTHESES, (-0.09, -0.03, 0.05, 0.4, 2.0)):
        b = float(posterior_at(mpf(t), mpf("0.3")))
        truth = part_at_most(b, rate, h)
        found = belief.distribution(b, prior=0.3, hypothesis=h)
        assert inside(truth, found, 1e-12)
        assert np.ptp(found.bracket) < 1e-11
        asked = float(truth)
        low, high = belief.quantile(asked, prior=0.3, hypothesis=h).bracket
        written = mpf(repr(asked))
        assert part_at_most(low, rate, h) <= written <= part_at_most(high, rate, h)
        assert high - low < 1e-8


# --- records that are released as they are --------------------------------------------------------


def test_a_released_record_is_certain():
    """Posterior 1 with probability m / n; otherwise less than the prior."""
    belief = membership(SampleRelease(10, 100, neighbors="add-remove"))
    assert belief.exceeds(0.9999, prior=0.5).value == pytest.approx(0.1)
    assert belief.exceeds(1.0, prior=0.5).value == 0.0
    assert belief.quantile(0.95, prior=0.5).bracket == (1.0, 1.0)
    assert belief.quantile(0.95, prior=0.5, metric="odds").bracket == (math.inf, math.inf)
    assert belief.quantile(0.5, prior=0.5).value == pytest.approx(0.9 / 1.9)
    assert belief.quantile(1.0, prior=0.5, hypothesis="out").value == pytest.approx(0.9 / 1.9)
    with pytest.raises(OutOfRange):
        belief.bounds(0.95)
    assert belief.bounds(0.8).raw.loss.value == pytest.approx(-math.log(0.9))


def test_a_step_between_a_probability_as_stored_and_as_written():
    """0.9999999999999999 is stored as 1 - 1.11e-16; the other answer has probability 1.05e-16."""
    other = 1.05e-16
    belief = membership(RandomizedResponse(math.log(1.0 / other - 1.0), neighbors="add-remove"))
    low, high = belief.quantile(0.9999999999999999, prior=0.5, hypothesis="out").bracket
    assert low <= other and high >= 1.0 - 2.0 * other


def test_impossible_outputs_exclude_the_secret():
    belief = membership(PairOfDistributions([1.0, 0.0], [0.75, 0.25], neighbors="add-remove"))
    assert belief.distribution(0.0, prior=0.5, hypothesis="out").value == pytest.approx(0.25)
    assert belief.distribution(0.0, prior=0.5).value == 0.0
    assert belief.quantile([0.0, 0.2], prior=0.5, hypothesis="out").bracket[1].tolist() == [
        0.0,
        0.0,
    ]
    assert belief.quantile(0.0, prior=0.5).value == pytest.approx(1.0 / 1.75)


# --- both worlds together -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "mechanism",
    [
        Laplace(1.0, 1.0, neighbors="add-remove"),
        SampleRelease(1, 5, neighbors="add-remove"),
        SubsampledLaplace(1.0, 1.0, 0.1, neighbors="add-remove"),
    ],
    ids=lambda mechanism: type(mechanism).__name__,
)
def test_the_mean_over_both_worlds_is_the_prior(mechanism):
    """Above one half each hypothesis is computed on its own."""
    belief, p = membership(mechanism), np.array([0.6, 0.9, 0.999])
    ends = zip(*(belief.mean(prior=p, hypothesis=h).bracket for h in HYPOTHESES), strict=True)
    low, high = (p * a + (1 - p) * b for a, b in ends)
    assert np.all(low <= p * (1 + 1e-14)) and np.all(p <= high * (1 + 1e-14))
    assert np.all(high - low < 1e-5)


@pytest.mark.parametrize("sides", ["both", "one"])
def test_gaussian_bounds(sides):
    belief = membership(Gaussian(1.0, 1.0, neighbors="add-remove"))
    for confidence in (0.5, 0.99, 1.0 - 1e-12):
        m = 1 - mpf(repr(confidence))
        found = belief.bounds(confidence, sides=sides)
        for end, holds in zip(reversed(found.raw.loss.bracket), (True, False), strict=True):
            tail = ncdf(mpf(1) / 2 - mpf(end))
            tail += ncdf(-mpf(end) - mpf(1) / 2) if sides == "both" else 0
            assert (tail <= m) == holds
        assert found.universal.loss.value > found.raw.loss.value
    several = belief.bounds([0.9, 0.99])
    assert several.raw.posterior(0.5).upper.value.shape == (2,)


def test_what_is_computed_from_it_may_be_worse():
    """P1, Example 4.9: merging outputs raises a tail; the universal bound covers it."""
    fine = PairOfDistributions([0.02, 0.06, 0.92], [0.01, 0.05, 0.94], neighbors="add-remove")
    merged = PairOfDistributions([0.08, 0.92], [0.06, 0.94], neighbors="add-remove")
    confidence = 0.95
    raw, coarse = (membership(pair).bounds(confidence) for pair in (fine, merged))
    assert raw.raw.loss.value < coarse.raw.loss.value <= raw.universal.loss.value


# --- edges, and what is refused -------------------------------------------------------------------


def test_certain_adversaries_stay():
    belief = membership(Laplace(1.0, 1.0, neighbors="add-remove"))
    for p, h in itertools.product((0.0, 1.0), HYPOTHESES):
        here = {"prior": p, "hypothesis": h}
        assert belief.quantile([0.0, 0.3, 1.0], **here).bracket[1].tolist() == [p] * 3
        assert belief.quantile(0.3, **here, metric="difference").bracket == (0.0, 0.0)
        assert belief.distribution([0.0, 0.5, 1.0], **here).value.tolist() == [1 - p, 1 - p, 1]
        assert belief.exceeds([0.0, 0.5, 1.0], **here).value.tolist() == [p, p, 0]
        assert belief.mean(**here).bracket == (p, p)
    assert belief.quantile(0.9, prior=1.0, metric="ratio").bracket == (1.0, 1.0)
    limit = belief.quantile(0.9, prior=0.0, metric="ratio").value
    assert limit == pytest.approx(math.e, rel=1e-13)


@pytest.mark.parametrize("metric", METRICS)
def test_metrics_agree_on_probabilities(metric):
    belief, p = membership(Gaussian(1.0, 1.0, neighbors="add-remove")), 0.2
    b = np.array([0.05, 0.2, 0.5, 0.8])
    for ask in (belief.distribution, belief.exceeds):
        here, there = ask(b, prior=p), ask(read(metric, b, p), prior=p, metric=metric)
        assert there.value == pytest.approx(here.value, rel=1e-9)
    low, high = {"odds": (0.0, math.inf), "ratio": (0.0, 9.0), "difference": (-1.0, 1.0)}.get(
        metric, (0.0, 1.0)
    )
    assert belief.distribution([low, high], prior=p, metric=metric).value.tolist() == [0.0, 1.0]


def test_shapes():
    belief = membership(Laplace(1.0, 1.0, neighbors="add-remove"))
    assert isinstance(belief.distribution(0.5, prior=0.5).value, float)
    assert belief.quantile([[0.1], [0.9]], prior=[0.1, 0.2, 0.3]).value.shape == (2, 3)
    assert belief.distribution([], prior=0.5).value.shape == (0,)
    assert belief.quantile([], prior=0.5).value.shape == (0,)


def test_losses_that_only_dominate_are_refused():
    promised = compose([PureDP(1.0, neighbors="add-remove")] * 2, rule="optimal").guarantee
    if isinstance(promised, PrivacyLoss):
        with pytest.raises(Meaningless, match="raw"):
            exact_posterior(promised)
    with pytest.raises(InvalidInput, match=r"mechanism\.loss"):
        exact_posterior(PureDP(1.0, neighbors="add-remove"))


@pytest.mark.parametrize(
    ("neighbors", "secret"), [("add-remove", "attribute"), ("replace-one", "membership")]
)
def test_secrets_that_the_neighbors_do_not_fit(neighbors, secret):
    with pytest.raises(Meaningless):
        exact_posterior(Gaussian(1.0, 1.0, neighbors=neighbors).loss(), secret=secret)


@pytest.mark.parametrize(
    "ask",
    [
        lambda b: b.distribution(1.5, prior=0.5),
        lambda b: b.distribution(math.nan, prior=0.5),
        lambda b: b.distribution(-2.0, prior=0.5, metric="difference"),
        lambda b: b.exceeds(0.5, prior=-0.1),
        lambda b: b.quantile(1.1, prior=0.5),
        lambda b: b.quantile(0.5, prior=0.5, hypothesis="both"),
        lambda b: b.quantile(0.5, prior=0.5, metric="ratio_not"),
        lambda b: b.mean(prior=2.0),
        lambda b: b.bounds(0.0),
        lambda b: b.bounds(0.9, sides="left"),
    ],
)
def test_bad_questions_are_refused(ask):
    with pytest.raises(DpriskError):
        ask(membership(Laplace(1.0, 1.0, neighbors="add-remove")))


def test_usual():
    """Normal noise: the log-odds are normal, with half the square of mu as mean either way."""
    sigma, count = 4.0, 10
    made = compose([Gaussian(sigma, 1.0, neighbors="replace-one").loss()], [count]).guarantee
    usual = exact_posterior(made, secret="attribute").usual((0.1, 0.5, 0.1))
    square = mpf(count) / mpf(sigma) ** 2
    assert [(each.prior, each.hypothesis, each.share) for each in usual] == [
        (prior, hypothesis, share)
        for prior in (0.1, 0.5)
        for hypothesis in HYPOTHESES
        for share in (0.5, 0.95)
    ]
    for each in usual:
        sign = 1 if each.hypothesis == "in" else -1
        normal = sqrt(mpf(2)) * erfinv(2 * mpf(each.share) - 1)
        odds = exp(sign * square / 2 + sqrt(square) * normal) * each.prior / (1 - mpf(each.prior))
        truth = odds / (1 + odds)
        assert each.lower <= truth <= each.upper <= each.lower + 1e-9


def test_usual_stays_where_no_evidence_moves_it():
    usual = membership(Laplace(1.0, 1.0, neighbors="add-remove")).usual((0.0, 1.0))
    assert {(each.prior, each.lower, each.upper) for each in usual} == {(0, 0, 0), (1, 1, 1)}
