"""What the page computes beside what Python computes: never smaller, and almost the same."""

from __future__ import annotations

import math
import os
from decimal import Decimal
from random import Random

from dprisk import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP, disclosure
from dprisk.composition import compose
from dprisk.errors import OutOfRange
from dprisk.risk import attack
from dprisk.risk.adversary import between_hypotheses
from dprisk.text.rounding import chances, rounded
from tests.documents.browser import needs_chromium, opened

pytestmark = needs_chromium

CLOSE = 1e-12
DRAWS = int(os.environ.get("DPRISK_DRAWS", "300"))  # make page: ten thousand
FURTHEST = 20.0  # nats: beyond, a belief is certain to as many digits
PROMISES = {
    "pure": (PureDP, {"epsilon": (1e-3, 30.0)}),
    "approximate": (ApproxDP, {"epsilon": (1e-3, 30.0), "delta": (1e-12, 1e-3)}),
    "concentrated": (ZeroConcentratedDP, {"rho": (1e-3, 20.0)}),
    "gaussian": (GaussianDP, {"mu": (1e-2, 10.0)}),
}
TINY = {"epsilon": 1e-10, "delta": 1e-15, "rho": 1e-14, "mu": 1e-10}
READERS = (("add-remove", "membership"), ("add-remove", "attribute"), ("replace-one", "attribute"))
ASKED = """cases => cases.map(asked => {
    const [kind, parameters, reader, count, sure, prior, level, at, limit] = asked;
    const single = engine.guarantee(kind, parameters);
    const one = (reader === 1 ? single.twice() : single).repeated(count);
    const loss = one.loss(one.certain ? 0 : engine.failure(sure));
    const {posterior, difference, ratio} = engine.beliefs(loss, prior);
    return [loss, ...posterior, ...difference, ...ratio, one.power(level), one.delta(at),
      one.epsilon(limit)].map(value => value === Infinity ? 1e999 : value);
})"""
EPSILON = 9
UPPER = (True, False, True, False, True, False, True, True, True, True)


def between(rng, low, high):
    """A draw whose logarithm is uniform."""
    return math.exp(rng.uniform(math.log(low), math.log(high)))


def drawn(rng, usual=True):
    """A promise and one question of each kind; if unusual, of tiny losses and at special places."""
    kind = rng.choice(list(PROMISES))
    ends = {
        name: (low if usual else TINY[name], high)
        for name, (low, high) in PROMISES[kind][1].items()
    }
    parameters = {name: between(rng, *each) for name, each in ends.items()}
    count = rng.choice([1, 1, 2, 12, int(between(rng, 1, 1000))])
    sure = 100 - Decimal(rng.choice(["10", "5", "1", "0.1", f"{between(rng, 1e-4, 50):.4f}"]))
    prior = rng.choice([0.01, 0.1, 0.5, between(rng, 1e-6, 0.999)])
    level = rng.choice([0.01, 0.05, 0.1, between(rng, 1e-6, 0.99)])
    at = max(0.0, rng.uniform(-0.5, 3.0))
    limit = between(rng, 1e-12, 1e-2)
    if not usual:
        size = next(iter(parameters.values()))
        size = math.sqrt(2.0 * size) if kind == "concentrated" else size
        prior = rng.choice([prior, 0.0, 1.0])
        whole = count * size
        at = rng.choice([0.0, whole, whole * (1.0 + 2.0**-52), rng.uniform(0.0, 4.0) * size])
        limit *= rng.choice([1.0, min(1.0, size)])
    asked = [float(sure), prior, level, at, limit]
    return [kind, parameters, rng.randrange(3), count, *asked]


def whole(kind, parameters, reader, count, *_):
    """What the package says of all releases; two steps are taken in each of them."""
    neighbors, secret = READERS[reader]
    step = between_hypotheses(PROMISES[kind][0](**parameters, neighbors=neighbors), secret)
    return step if count == 1 else compose([step], [count]).guarantee


def in_python(made, kind, reader, sure, prior, level, at, limit):
    """The same answers, from the package."""
    secret = READERS[reader][1]
    confidence = None if kind == "pure" else float(Decimal(repr(sure)) / 100)
    moved = disclosure(made, confidence=confidence, secret=secret)
    ends = [moved.posterior(prior), moved.difference(prior), moved.ratio(prior)]
    beliefs = [float(each) for one in ends for each in (one.lower, one.upper)]
    power = attack(made, secret=secret).power(level)
    return [
        float(moved.loss),
        *beliefs,
        outer(power),
        outer(made.delta(at)),
        outer(made.epsilon(limit)),
    ]


def outer(answer):
    """The end of a bracket that holds, or the value where there is none."""
    return float(answer.value if answer.bracket is None else answer.bracket[1])


def looser_by(cases, found):
    """Relative differences at most, as shares of what they may be; an unsafe number fails."""
    worst = [0.0] * len(UPPER)
    for case, answers in zip(cases, found, strict=True):
        made, limit = whole(*case), case[-1]
        try:
            truths = in_python(made, case[0], case[2], *case[4:])
        except OutOfRange:  # nothing holds with this confidence
            assert answers[0] in {None, math.inf}
            continue
        numbers = (math.inf if each is None else each for each in answers)
        for n, (shown, truth) in enumerate(zip(numbers, truths, strict=True)):
            if truth == shown:
                continue
            outwards = shown - truth if UPPER[n] else truth - shown
            if n == EPSILON and outwards < 0.0:  # a search that stopped early: delta decides
                assert outer(made.delta(shown)) <= limit, (case, shown, truth)
                continue
            assert outwards > 0.0, (case, n, shown, truth)
            if truths[0] < FURTHEST and abs(truth) > 1e-12:
                worst[n] = max(worst[n], outwards / abs(truth))
    print(f"{len(cases)} draws; relative differences at most {worst}")
    return max(worst) / CLOSE


def asked_on(path, cases):
    with opened(path) as page:
        page.goto(path.as_uri())
        return page.evaluate(ASKED, cases)


def test_never_on_the_unsafe_side_and_almost_the_same(path):
    rng = Random("engine")
    cases = [drawn(rng) for _ in range(DRAWS)]
    assert looser_by(cases, asked_on(path, cases)) < 1.0


def test_never_on_the_unsafe_side_of_tiny_losses_and_special_places(path):
    """Where terms cancel, at priors of 0 and 1, and at the largest loss."""
    rng = Random("tiny")
    cases = [drawn(rng, usual=False) for _ in range(DRAWS)]
    cases += [
        ["gaussian", {"mu": 4e-9}, 0, 1, 95.0, 0.5, 0.05, 0.0, 1e-9],
        ["concentrated", {"rho": 1e-9}, 0, 1, 95.0, 0.5, 0.05, 0.0, 1e-9],
        ["concentrated", {"rho": 2e-13}, 0, 1, 95.0, 0.5, 0.05, 2e-6, 1e-9],
        ["pure", {"epsilon": 29.7}, 0, 22, 95.0, 0.5, 0.05, 22 * 29.7, 1e-9],
    ]
    assert looser_by(cases, asked_on(path, cases)) < 1e6  # of CLOSE: where terms cancel


def test_what_is_certain_stays_certain_without_a_bound(path):
    """A prior of 0 or 1, whatever the loss."""
    with opened(path) as page:
        page.goto(path.as_uri())
        found = page.evaluate("[0, 1].map(prior => engine.beliefs(Infinity, prior).posterior)")
    assert found == [[0, 0], [1, 1]]


def test_words_round_as_the_reports_do(path):
    """The functions are inside the page; what they say is read off it."""
    rng = Random("words")
    values = [rng.random() for _ in range(20)] + [0.25, 1e-4, 0.9999, 0.5]
    with opened(path) as page:
        for value in values:
            loss = math.log(value / (1 - value)) - math.log(0.1 / 0.9)
            if loss <= 0:
                continue
            page.goto(f"{path.as_uri()}#epsilon={loss!r}")
            said = page.inner_text("#headline")
            most = disclosure(PureDP(loss, neighbors="add-remove")).posterior(0.1).upper
            if float(most) - 0.1 > 0.01:
                assert chances(float(most), upper=True).removeprefix("more than ") in said
            cell = page.inner_text("table tbody tr:nth-child(2) td:nth-child(3)")
            assert cell == rounded(float(most), 3, upper=True)


def test_the_worst_prior_is_another_question(path):
    """A prior of 1 moves nothing; the largest change over all priors stays."""
    with opened(path) as page:
        page.goto(path.as_uri())
        found = page.evaluate("[0, 0.5, 1].map(prior => engine.beliefs(2, prior).anywhere)")
    assert found == [found[0]] * 3
    assert math.tanh(0.5) <= found[0] <= math.tanh(0.5) * (1.0 + CLOSE)
