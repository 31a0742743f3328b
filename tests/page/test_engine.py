"""What the page computes beside what Python computes: never smaller, and almost the same."""

from __future__ import annotations

import math
from random import Random

import pytest

from dprisk import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP, disclosure
from dprisk.errors import OutOfRange
from dprisk.explain import chances
from dprisk.explain.rounding import rounded
from dprisk.page import whole_page
from dprisk.risk import attack
from dprisk.risk.adversary import between_hypotheses
from tests.report.browser import needs_chromium, opened

pytestmark = needs_chromium

CLOSE = 1e-12
DRAWS = 300  # ten thousand take some minutes
FURTHEST = 20.0  # nats: beyond, a belief is certain to as many digits
PROMISES = {
    "pure": (PureDP, {"epsilon": (1e-3, 30.0)}),
    "approximate": (ApproxDP, {"epsilon": (1e-3, 30.0), "delta": (1e-12, 1e-3)}),
    "concentrated": (ZeroConcentratedDP, {"rho": (1e-3, 20.0)}),
    "gaussian": (GaussianDP, {"mu": (1e-2, 10.0)}),
}
ASKED = """cases => cases.map(([kind, parameters, two, failure, prior, level, at, limit]) => {
    const single = engine.guarantee(kind, parameters);
    const one = two ? single.twice() : single;
    const loss = one.loss(one.certain ? 0 : failure);
    const {posterior, difference, ratio} = engine.beliefs(loss, prior);
    return [loss, ...posterior, ...difference, ...ratio, one.power(level), one.delta(at),
      one.epsilon(limit)].map(value => value === Infinity ? 1e999 : value);
})"""
UPPER = (True, False, True, False, True, False, True, True, True, True)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    where = tmp_path_factory.mktemp("page") / "dprisk.html"
    where.write_text(whole_page(), encoding="utf-8")
    return where


def drawn(rng):
    """A promise and one question of each kind."""

    def between(low, high):
        return math.exp(rng.uniform(math.log(low), math.log(high)))

    kind = rng.choice(list(PROMISES))
    parameters = {name: between(*ends) for name, ends in PROMISES[kind][1].items()}
    failure = rng.choice([0.1, 0.05, 0.01, 0.001])
    prior = rng.choice([0.01, 0.1, 0.5, between(1e-6, 0.999)])
    level = rng.choice([0.01, 0.05, 0.1, between(1e-6, 0.99)])
    asked = [failure, prior, level, rng.uniform(0.0, 3.0), between(1e-12, 1e-2)]
    return [kind, parameters, rng.random() < 0.5, *asked]


def in_python(kind, parameters, two, failure, prior, level, at, limit):
    """The same answers, from the package."""
    promise = PROMISES[kind][0](**parameters, neighbors="add-remove")
    secret = "attribute" if two else "membership"
    sure = None if kind == "pure" else 1.0 - failure
    moved = disclosure(promise, confidence=sure, secret=secret)
    ends = [moved.posterior(prior), moved.difference(prior), moved.ratio(prior)]
    beliefs = [float(each) for one in ends for each in (one.lower, one.upper)]
    relevant = between_hypotheses(promise, secret)
    power = attack(promise, secret=secret).power(level)
    curve = [float(power), float(relevant.delta(at)), float(relevant.epsilon(limit))]
    return [float(moved.loss), *beliefs, *curve]


def test_never_on_the_unsafe_side_and_almost_the_same(path):
    rng = Random("engine")
    cases = [drawn(rng) for _ in range(DRAWS)]
    with opened(path) as page:
        page.goto(path.as_uri())
        found = page.evaluate(ASKED, cases)
    worst = 0.0
    for case, answers in zip(cases, found, strict=True):
        try:
            truths = in_python(*case)
        except OutOfRange:  # nothing holds with this confidence
            assert answers[0] == math.inf
            continue
        for shown, truth, upper in zip(answers, truths, UPPER, strict=True):
            if truth == shown:
                continue
            assert (shown >= truth) if upper else (shown <= truth), (case, shown, truth)
            if truths[0] < FURTHEST and abs(truth) > 1e-12:
                worst = max(worst, abs(shown - truth) / abs(truth))
    assert worst < CLOSE


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
