"""Topic by topic: what is said to whom, in which case."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest

import dprisk
from dprisk import (
    Adversary,
    ApproxDP,
    GaussianDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
    assess,
    counterfactual,
)
from dprisk.documents import explain
from dprisk.documents.explaining import AUDIENCES
from dprisk.errors import InvalidFile, InvalidInput, Meaningless, OutOfRange
from dprisk.mechanisms import Gaussian, Laplace, SubsampledGaussian, TruncatedLaplace
from dprisk.releases import Part, Release
from dprisk.releases.notes import Note
from dprisk.text import fill
from dprisk.text.rounding import at_most
from tests.documents.test_explaining import CLAIM, release

A: Any = {"neighbors": "add-remove"}
R: Any = {"neighbors": "replace-one"}


def said(guarantee, audience="data-subject", topic="with-without", **asked):
    """One section, as one text."""
    changes = asked.pop("release", {})
    made = explain(release(guarantee, **changes), audience, **asked)
    (section,) = [section for section in made.sections if section.topic == topic]
    return " ".join(map(str, section.sentences))


def test_the_survey_of_p0():
    """Example 1.1: what P0 prints as 48 to 52 is 47.5 to 52.5, and whole numbers go outwards."""
    asked = {"claim": CLAIM, "priors": [0.5], "secret": "membership"}
    survey = ApproxDP(0.1, 1e-7, **A)
    words = said(survey, **asked)
    assert words.startswith("Suppose your manager can see everyone else's data. Before seeing ")
    assert "the results, they think there is a 50 in 100 chance that you answered No." in words
    assert "can raise that chance to at most 53 in 100." in words
    assert "in at least 99 of 100 cases" in words
    moved = said(survey, topic="beliefs", **asked)
    assert (
        "The chance can also fall. From 50 in 100, it is still at least 47 in 100 afterwards."
        in moved
    )
    assert (
        "the chances before and after differ by at most 3 in 100." in moved
    )  # P0 prints 2%; it is 2.5%
    factor = said(survey, "regulator", topic="beliefs", **asked)
    assert "is at least 0.904 times the prior and at most 1.11 times the prior" in factor
    pure = said(PureDP(0.1, **A), **asked)
    assert "to at most 53 in 100. This limit holds whatever the results show." in pure


def test_a_value_has_a_looser_limit_than_being_in_the_data():
    """Two steps, where no limit for every adversary says it already."""
    who = Adversary(secret="attribute", priors=(0.1,), confidence=0.99)
    census = ZeroConcentratedDP(0.0728, **A)
    most = assess(census, who).statements[0].find("posterior", 0.1).upper
    assert 0.60 < most <= 0.61
    for audience in AUDIENCES:
        words = said(census, audience, topic="value")
        assert ("at most 61 in 100" in words) or (f"at most {at_most(most)}" in words)
    for other in (PureDP(0.1, **A), ZeroConcentratedDP(0.1, **R)):
        made = explain(release(other))
        assert "value" not in {section.topic for section in made.sections}


def test_a_claim_is_about_the_record_unless_said():
    """Under add-remove neighbors another answer is two steps away."""
    one, two = (
        said(ApproxDP(0.1, 1e-7, **A), claim=CLAIM, priors=[0.5], secret=secret)
        for secret in ("membership", None)
    )
    assert "to at most 53 in 100" in one
    assert "to at most 55 in 100" in two


def test_almost_no_limit_of_noise_that_is_named():
    """Whoever names a mechanism has promised nothing."""
    noise = Part.of(Gaussian(1.0, 9.0, **A))
    words = said(GaussianDP(9.0, **A), "regulator", release={"parts": (noise,)})
    assert "There is almost no limit. The chance afterwards is possibly" in words
    assert "romise" not in words


@pytest.mark.parametrize(
    ("promise", "start"),
    [
        (PureDP(0.5, **A), "Whatever the results show"),
        (GaussianDP(0.5, **A), "In at least 99 of 100 cases"),
    ],
)
def test_how_surely_the_log_odds_are_limited(promise, start):
    words = said(promise, "researcher", "computed")
    assert f"{start}, the log-odds change by at most ε′ = " in words


def test_everybody_where_the_promise_has_no_exceptions():
    """For add-remove the odds move by twice epsilon, for replace-one the ratio by e^epsilon."""
    every: Any = {"topic": "any-reader", "claim": CLAIM, "priors": [0.1]}
    plain = said(PureDP(0.5, **A), **every)
    learned = counterfactual(PureDP(0.5, **A), adversary="wrong-prior", replacement="dropped")
    most = learned.belief(0.1)
    assert math.isclose(most.value, 0.1 / (0.1 + math.exp(-1.0) * 0.9))
    assert (
        "Imagine results made without your data. Suppose they suggest a 10 in 100 chance that "
        "you answered No." in plain
    )
    assert "With your data, the results can raise that chance to at most 24 in 100." in plain
    assert "even for someone whose beliefs are wrong" in plain
    other = said(PureDP(0.5, **R), **every)
    assert (
        "Imagine your data replaced by invented data, drawn at random to resemble other "
        "people's." in other
    )
    assert "Suppose the results then suggest a 10 in 100 chance that" in other
    assert "to at most 17 in 100" in other  # 0.1 e^0.5
    assert "There is no limit for an adversary" in said(
        GaussianDP(0.5, **R), "regulator", "any-reader"
    )
    assert "This promise sets no limit for an adversary" not in said(
        PureDP(0.5, **R), "regulator", "any-reader"
    )


def answers(epsilon):
    """Three answers, each given truthfully with odds of e^epsilon; a third each for nobody."""
    true, false = np.exp(epsilon), 1.0
    given_by = np.where(np.eye(3) > 0, true, false) / (true + 2.0 * false)
    return given_by, np.full(3, 1.0 / 3.0)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_everybody_means_everybody(epsilon):
    """By enumeration: any prior, any output and any claim, one of two people left out."""
    given_by, missing = answers(epsilon)
    rng = np.random.default_rng(7)
    claims = [[True, False, False], [True, True, False]]
    for _ in range(200):
        prior = rng.dirichlet(np.full(9, 0.2)).reshape(3, 3) + 1e-12  # target, other
        out = rng.integers(3, size=2)
        other = prior * given_by[:, out[1]]  # what the other one's answer says
        actual = (other * given_by[:, [out[0]]]).sum(axis=1)
        dropped = (other * missing[out[0]]).sum(axis=1)
        mixed = (prior.T @ given_by[:, out[0]]) / prior.sum(axis=0)  # a stand-in's answer
        resampled = (other * mixed).sum(axis=1)
        for guarantee, world, without in (
            (PureDP(epsilon, **A), "dropped", dropped),
            (PureDP(epsilon, **R), "resampled", resampled),
        ):
            most = counterfactual(guarantee, adversary="wrong-prior", replacement=world)
            for claim in claims:
                before = without[claim].sum() / without.sum()
                after = actual[claim].sum() / actual.sum()
                assert after <= most.belief(min(before, 1.0)).value * (1 + 1e-12)


def test_neighbors_and_units_for_lay_readers():
    """What is not a person is not you; being in the data is not covered under replace-one."""
    day = {"release": {"unit": "user-day"}}
    words = said(ApproxDP(0.5, 1e-6, **A), **day)
    assert "someone knows all the data except your data from one day." in words
    assert "that those data were used" in words
    whole = said(ApproxDP(0.5, 1e-6, **A), topic="guarantee", **day)
    assert "is only for your data from one day." in whole
    assert "Whether your data were used at all." in said(PureDP(0.5, **R), topic="not-covered")
    several = {"release": {"unit": "user-day", "releases": 2}}
    words = said(ApproxDP(0.1, 1e-6, **A), **several)
    assert "except your data from one day in each release." in words
    home = {"release": {"unit": "household", "releases": 2}}
    assert "except your household's data." in said(ApproxDP(0.1, 1e-6, **A), **home)
    device = {"release": {"unit": "device-day"}}
    words = said(PureDP(0.1, **R), topic="not-covered", **device)
    assert "Whether your data from one day on one device were used at all." in words


@pytest.mark.parametrize("model", ["central", "local", "varies", None])
def test_who_sees_the_data(model):
    words = said(PureDP(1.0, **A), topic="guarantee", release={"model": model})
    assert fill(f"guarantee.{model or 'nobody'}", "plain") in words


def test_the_record_is_that_of_the_unit():
    """What assumptions call the record, whom a limit is for, and what a test tells apart."""
    release = {"unit": "device-day"}
    words = said(ApproxDP(0.5, 1e-6, **A), "regulator", "assumptions", release=release)
    assert "“This record” means the record of this device-day." in words
    assert "person" not in words
    assert "means" not in said(ApproxDP(0.5, 1e-6, **A), "regulator", "assumptions")
    words = said(ApproxDP(0.5, 1e-6, **A), "regulator", "exceptions", release=release)
    assert "holds whether or not the record of this device-day is in the data." in words
    home = {"unit": "person and housing unit"}
    words = said(ApproxDP(0.5, 1e-6, **A), "regulator", "tests", release=home)
    data = "the records of this person and this housing unit"
    assert f"a chance of 10 in 100 that the results were made with {data} can rise to" in words
    words = said(ApproxDP(0.5, 1e-6, **R), "regulator", "tests", release=home)
    assert f"Take two possible values of {data}." in words
    assert "10 in 100 that the second value is true can rise to at most" in words
    assert "90 in 100 that the first value is true can rise to at most" in words


def test_several_releases():
    """Singular and plural, the chosen numbers, and where nothing is left."""
    words = said(ApproxDP(0.1, 1e-6, **A), topic="time", after=[1, 30])
    assert (
        "After 1 release like this one, a chance of 100 in 1,000 can rise to at most 110 in "
        "1,000." in words
    )
    assert re.search(
        r"After a total of 30 releases like this one, a chance of 100 in 1,000 "
        r"can rise to at most \d{3} in 1,000\.",
        words,
    )
    none = said(ApproxDP(0.1, 5e-3, **A), topic="time", after=[1, 3])
    assert "After a total of 3 releases like this one, no limit is left." in none
    yearly = said(PureDP(1e-3, **A), topic="time", release={"period": "day"})
    assert "After a total of 365 releases" in yearly
    daily = said(PureDP(0.1, **A), topic="time", release={"unit": "user-day", "period": "day"})
    assert (
        "The numbers below assume that each release uses your data from one day. The day can "
        "differ each time. After a total of 7" in daily
    )
    open_ended = said(PureDP(8.0, **A), topic="time")
    assert open_ended.startswith("Even for this release alone, there is almost no limit.")
    certain = said(PureDP(0.05, **A), "curator", topic="time", after=[100])
    (always,) = re.findall(r"a chance of 0\.1 can rise to at most (\S+), whatever", certain)
    (mostly,) = re.findall(
        r"In at least 99 of 100 cases, a stricter limit holds: these 100 releases "
        r"can raise a chance of 0\.1 to at most (\S+)\.(?:\s|$)",
        certain,
    )
    assert float(mostly) < float(always)


@pytest.mark.parametrize("audience", ["curator", "regulator", "researcher"])
def test_a_limit_is_lost_once(audience):
    """The first number of releases that leaves almost nothing, and no later one repeats it."""
    words = said(PureDP(0.2, **A), audience, topic="time", after=[60, 70, 3650])
    assert words.count("almost no limit is left") == 1
    (first,) = re.findall(r"a total of (\d+) releases like this one, almost no limit is", words)
    assert 1 < int(first) < 60
    before = said(PureDP(0.2, **A), audience, topic="time", after=[int(first) - 1])
    assert "almost no limit" not in before
    assert re.search(
        r"After a total of 70 releases like this one, a chance of \S.* can rise to at most \S.*, "
        r"in at least 99 of 100 cases\.",
        words,
    )
    assert "3,650" not in words


def test_limits_that_were_asked_for():
    """Kept or not, at which prior, and which shift of the log-odds would keep it."""
    asked = {"priors": [0.1, 0.5], "limits": {"posterior": 0.7, "odds": 8.0}}
    words = said(ApproxDP(1.0, 1e-6, **A), "curator", topic="limits", **asked)
    assert "The limit of 0.7 on the posterior is not kept: the release allows" in words
    assert "at most 0.732, from a prior of 0.5." in words
    largest = math.log(0.7 / 0.3)
    shown = re.search(r"change by at most (\S+) nats \(Kazan et al. 2025, Theorem 3.2\)", words)
    assert float(shown[1]) <= largest < float(shown[1]) + 1e-5
    assert "The limit of 8.0 on the factor on the odds is kept" in words
    pure = said(PureDP(1.0, **A), "curator", topic="limits", secret="attribute", **asked)
    assert "each step may use half of this loss" in pure
    free = said(PureDP(1.0, **A), "curator", topic="limits")
    assert (
        "For a belief that starts at 0.1, this release keeps any limit of 0.232 or higher" in free
    )


def test_delta_is_explained_as_what_it_is():
    outright = said(ApproxDP(1.0, 1e-6, **A), "curator", topic="delta")
    assert "On average, up to δ times the number of records may be revealed" in outright
    assert "δ is not the probability that the log-odds move by more than ε" in outright
    assert "Here (δ = 0), the limit holds for every result." in said(
        PureDP(1.0, **A), "curator", topic="delta"
    )
    plain = said(ApproxDP(1.0, 1e-6, **A), "regulator", topic="delta")
    assert plain.startswith("A method that publishes a record unchanged with probability δ = ")
    assert "On average, up to δ times the number of records may be revealed" in plain
    assert said(PureDP(1.0, **A), "regulator", topic="delta").endswith(
        "A δ above 0 would allow exceptions. Here δ = 0, so the limit holds for every result."
    )
    assert "ε depends on the δ" in said(GaussianDP(1.0, **A), "regulator", topic="delta")
    lay = said(ApproxDP(0.1, 0.02, **A), topic="exceptions", confidence=0.9)
    assert (
        "In some of these cases, there may be no limit at all. Without further releases, the "
        "chance of that is at most 5 in 100. Some methods" in lay
    )  # the page has a limit on a guess about a value too, two steps away
    value = said(ApproxDP(0.1, 0.02, **R), topic="exceptions", confidence=0.9)
    assert "the chance of that is at most 2 in 100." in value


def test_named_noise_makes_no_promise():
    """What may reveal everything is the noise itself, not some method that keeps its promise."""
    noise = TruncatedLaplace(1.0, 1.0, 5.0, **A)
    for audience in ("data-subject", "curator"):
        made = explain(release(noise.guarantee(), parts=(Part.of(noise),)), audience)
        told = [s for s in made.sentences if s.key.startswith(("exceptions.", "delta."))]
        assert {s.key for s in told} & {"delta.known.plain", "delta.left.full"}
        assert not any("promise" in str(s) for s in told)


def test_a_mechanism_that_is_known():
    noise = Laplace(scale=2.0, sensitivity=1.0, **A)
    described = release(noise.guarantee(), parts=(Part.of(noise, 4),))
    made = explain(described, "researcher", after=[2])
    text = str(made)
    assert "Laplace noise (scale 2.0, sensitivity 1.0)" in text
    assert "compose([Laplace(" in text and ".loss()], [4]).guarantee" in text


def test_only_definitions_that_are_stated_are_defined():
    """Sampled noise satisfies Rényi DP at many orders, which no text names."""
    noise = SubsampledGaussian(2.0, 1.0, 0.1, **A)
    described = release(noise.guarantee(), parts=(Part.of(noise, 4),))
    made = explain(described, "researcher", after=[2])
    assert "Rényi DP:" not in str(made)
    assert "(ε, δ)-DP at every point (ε, δ) of the privacy profile:" in str(made)
    stated = explain(release(RenyiDP([2.0], [0.1], **A)), "researcher", after=[2])
    assert "Rényi DP:" in str(stated)


def test_the_python_that_is_printed_gives_the_same_numbers():
    made = explain(ApproxDP(1.0, 1e-6, **A), "researcher")
    (line,) = [str(s) for s in made.sentences if s.key.startswith("computed.python")]
    names = {name: getattr(dprisk, name) for name in ("Adversary", "ApproxDP", "assess")}
    again = eval(line.removeprefix("In Python: "), names)
    most = again.statements[0].find("posterior", 0.1).upper
    values = [n.value for s in made.sentences for n in s.numbers if n.quantity == "posterior"]
    assert most in values


def test_nothing_to_say():
    """No promise, no number: one reason, and what is never covered."""
    for audience in AUDIENCES:
        made = explain(ApproxDP(1.0, 1.0, **A), audience)
        assert [section.topic for section in made.sections] == ["silent", "not-covered"]
        silent = release(PureDP(1.0, **A), parts=(), notes=(Note("unusable", "It has none."),))
        made = explain(silent, audience)
        assert "It has none." in str(made.sections[0].sentences[0])


def test_notes_invariants_and_silence_about_neighbors():
    changes = {
        "neighbors_stated": False,
        "invariants": ("totals",),
        "notes": (Note("warning", "Odd."),),
    }
    out = said(PureDP(1.0, **A), "regulator", topic="not-covered", release=changes)
    assert "(invariants): totals." in out
    notes = said(PureDP(1.0, **A), "regulator", topic="notes", release=changes)
    assert notes == "Warning: Odd."
    assert "We assumed" in said(PureDP(1.0, **A), "curator", topic="assumptions", release=changes)


def test_plain_data():
    data = explain(PureDP(1.0, **A), claim=CLAIM, priors=[0.1]).to_dict()
    assert data["schema"] == "dprisk/explanation/1"
    assert (data["claim"], data["observer"]) == ("you answered No", "your manager")
    after = data["sections"][0]["sentences"][1]
    assert after["key"] == "headline.after.plain"
    (number,) = after["numbers"]
    assert number["quantity"] == "posterior" and number["direction"] == "at most"
    assert number["shown"] == "46 in 100" and math.isclose(number["value"], 0.4508531, rel_tol=1e-6)
    assert number["source"] == "P0 Theorem 3.2"


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"audience": "everybody"}, InvalidInput),
        ({"secret": "name"}, InvalidInput),
        ({"claim": ""}, InvalidInput),
        ({"priors": [2.0]}, OutOfRange),
        ({"confidence": 1.0}, OutOfRange),
        ({"after": [0]}, InvalidInput),
        ({"after": [1.5]}, InvalidInput),
        ({"limits": {"posterior": 2.0}}, OutOfRange),
        ({"limits": {"belief": 0.5}}, InvalidInput),
    ],
)
def test_bad_input(asked, error):
    with pytest.raises(error):
        explain(ApproxDP(1.0, 0.1, **A), **asked)


def test_a_confidence_that_a_promise_does_not_allow_is_refused():
    """One that was asked for; left out, the next lower one is taken."""
    with pytest.raises(OutOfRange, match="confidence"):
        explain(ApproxDP(1.0, 0.1, **A), confidence=0.99)
    assert "in at least 75 of 100 cases" in said(ApproxDP(1.0, 0.1, **A))
    with pytest.raises(InvalidInput, match="release"):
        explain(3.0)  # type: ignore[arg-type]
    with pytest.raises(InvalidFile, match="a file: There is no such file"):
        explain("a file")  # type: ignore[arg-type]
    with pytest.raises(Meaningless):
        explain(PureDP(1.0, **R), secret="membership")


def test_a_unit_of_several_records_is_not_one_record():
    """Neighbors differ in the records of all of them, and so they are said to."""
    home = {"unit": "person; housing unit"}
    for promise, words in ((PureDP(0.5, **R), "differ in"), (PureDP(0.5, **A), "removing")):
        text = said(promise, "curator", "guarantee", release=home)
        assert f"{words} the records of one person and one housing unit" in text
        assert "one record" not in text


def test_the_worst_case_is_over_what_is_not_known():
    """Part by part: over every mechanism only where none is named."""
    noise, promise = Part.of(Laplace(5.0, 1.0, **A)), Part(PureDP(0.2, **A))
    for parts, words in (
        ((noise,), "for this mechanism"),
        ((promise,), "over every mechanism that keeps the promise"),
        ((noise, promise), "For every other part, it is the worst case over every mechanism"),
    ):
        text = said(PureDP(1.0, **A), "curator", "worst-case", release={"parts": parts})
        assert words in text


def test_noise_that_limits_nothing_is_not_said_to_limit():
    """Whether it is the promise that sets almost no limit, or the noise itself."""
    weak = said(PureDP(8.0, **A), topic="guarantee")
    assert "the promise sets almost no limit on what your data can reveal" in weak
    parts = (Part.of(Laplace(0.1, 1.0, **A)),)
    known = said(PureDP(8.0, **A), topic="guarantee", release={"parts": parts})
    assert "this noise sets almost no limit on what your data can reveal" in known
    assert "The noise limits what" in said(PureDP(0.5, **A), topic="guarantee")


def test_noise_reveals_nothing_outright_of_which_a_computation_cuts_off_a_tail():
    """A value takes two steps, read off points of a profile, the last at a delta of 1e-289."""
    step = SubsampledGaussian(1.1, 1.0, 0.004267, **A)
    text = str(explain(Release.of(Part.of(step, count=14062))))
    assert "the larger the change, the rarer it is" in text
    assert "no limit at all" not in text
