"""In every document one question has one number, and that is the one which assess gives."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from dprisk import Adversary, ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP, assess
from dprisk.budget import InformedLimit, plan
from dprisk.composition.analysis import Analysis, natural_secret
from dprisk.curves import ladder
from dprisk.documents import Labels, explain, headline, report
from dprisk.mechanisms import Gaussian, Laplace
from dprisk.releases import Part, Release

mp.dps = 40
PRIOR = 0.3


def described(parts, neighbors, **changes):
    stated: dict[str, Any] = {
        "name": "Town survey",
        "unit": "person",
        "period": "once",
        "neighbors": neighbors,
        "neighbors_stated": True,
        "model": "central",
    }
    return Release(parts=tuple(parts), **(stated | changes))


@st.composite
def releases(draw):
    """Some promises of one kind or of several, of files that say how often as well."""
    neighbors = draw(st.sampled_from(["add-remove", "replace-one"]))
    related: dict[str, Any] = {"neighbors": neighbors}
    small = st.floats(0.01, 0.6)
    promises = st.one_of(
        st.builds(PureDP, small, **{"neighbors": st.just(neighbors)}),
        st.builds(ApproxDP, small, st.sampled_from([1e-9, 1e-4, 0.004]), **_just(related)),
        st.builds(ZeroConcentratedDP, st.floats(1e-4, 0.05), **_just(related)),
    )
    kinds = draw(st.lists(promises, min_size=1, max_size=2))
    parts = [Part(each, count=draw(st.sampled_from([1, 1, 3]))) for each in kinds]
    return described(parts, neighbors, releases=draw(st.sampled_from([1, 1, 2])))


def _just(named):
    return {name: st.just(value) for name, value in named.items()}


def known(release, times, confidence, secret):
    """What assess says of so many such files, with that confidence."""
    many = replace(release, releases=release.releases * times)
    who = Adversary(secret=secret, priors=(PRIOR,), confidence=confidence)
    statement = assess(many, who).statements[0]
    return statement.confidence, statement.find("posterior", PRIOR).upper


@given(releases(), st.sampled_from([1, 2]), st.sampled_from([None, 0.9]))
@settings(max_examples=6, deadline=None)
def test_one_question_has_one_number(release, times, confidence):
    secret = natural_secret(release)
    who = Adversary(secret=secret, priors=(PRIOR,), confidence=confidence)
    many = replace(release, releases=release.releases * times)
    made = report(many, who, limits={"posterior": 0.9}, upto=3, labels=Labels(times=times))
    sure, after = known(release, times, confidence, secret)
    assert made.asked.confidence == sure
    # the verdict, the headline and the picture
    assert made.assessments[0].limits[0].at_most == after
    first, picture, *_ = made.sections()[0].blocks
    assert first.text == headline(made.assessments[0])
    assert re.search(r"at most (\S+ in \S+)\.", picture.caption)[1] in first.text
    # the look ahead
    for number in range(1, 4):
        at = made.ladder.releases.index(number)
        best = min(rung.values[at] for rung in made.ladder.rungs if rung.given)
        assert best == pytest.approx(known(release, number, sure, secret)[1], rel=1e-9)
    # the explanations, which start from what was assessed
    for told in made.explanations:
        opening = [n for s in told.sections[0].sentences for n in s.numbers]
        values = [n.value for n in opening if n.quantity == "posterior"]
        prior = next(n.value for n in opening if n.quantity == "prior")
        again = Adversary(secret=secret, priors=(prior,), confidence=confidence)
        found = assess(many, again).statements[0].find("posterior", prior)
        assert found.upper in values
        assert set(values) <= {found.lower, found.upper}


def test_the_verdict_and_the_look_ahead_agree():
    """Two parts with epsilon 0.1: after five releases the odds have moved by e at most."""
    parts = [Part(PureDP(0.1, neighbors="add-remove"), label=name) for name in "ab"]
    file = described(parts, "add-remove")
    who = Adversary(priors=(0.5,))
    once = report(file, who, limits={"posterior": 0.72}, upto=10)
    five = replace(file, releases=5)
    later = report(five, who, limits={"posterior": 0.72}, labels=Labels(times=5))
    truth = mpf(1) / (1 + mp.e ** mpf(-1))
    assert not later.kept
    assert float(later.assessments[0].limits[0].at_most) == pytest.approx(float(truth), rel=1e-15)
    text = once.to_markdown()
    assert "is kept for up to 4 releases, whatever the results show. With 5 or more" in text
    assert "Here one release means the 2 parts together." in text
    assert plan([InformedLimit("posterior", 0.72, prior=0.5)], file).best.number == 4
    assert ladder(file, [10]).until(0.72)["basic"] == 5


def test_outputs_are_counted_as_outputs():
    """One part that is used a hundred times is a hundred outputs, whose noise is independent."""
    one = Part(PureDP(0.001, neighbors="add-remove"), 100)
    made = report(described([one], "add-remove"), upto=10)
    assert "Here one release means the 100 outputs together." in made.to_markdown()
    summary = made.summary().to_markdown()
    assert "for the 100 outputs together" in summary
    assert "The noise of each output is independent." in summary


def test_releases_are_whole_files_everywhere():
    """A file that says `releases: 3` is one release: of it, and not of its parts, others count."""
    part = Part(PureDP(0.05, neighbors="add-remove"), 2)
    file = described([part], "add-remove", releases=3)
    truth = math.floor(math.log(4.0) / 0.3)  # from 0.5 to 0.8
    limit = InformedLimit("posterior", 0.8, prior=0.5)
    assert plan([limit], file).best.number == truth
    assert ladder(file, [20]).until(0.8)["basic"] == truth + 1
    made = report(file, Adversary(priors=(0.5,)), limits={"posterior": 0.8})
    assert f"is kept for up to {truth} releases" in made.to_markdown()
    told = explain(Analysis.of(file), "curator", priors=[0.5], after=[truth, truth + 1])
    (section,) = [each for each in told.sections if each.topic == "time"]
    ups = [n.value for s in section.sentences for n in s.numbers if n.quantity == "posterior"]
    assert ups[0] <= 0.8 < ups[2]


@pytest.mark.parametrize("neighbors", ["add-remove", "replace-one"])
def test_other_questions_say_which(neighbors):
    """What a record says is two steps away under add-remove, and said to be another question."""
    made = report(PureDP(1.0, neighbors=neighbors))
    text = made.to_markdown()
    assert re.search(r"The summary (?:asks|compares) .+ This table asks ", text)
    told = explain(PureDP(1.0, neighbors=neighbors))
    (section,) = [each for each in told.sections if each.topic == "any-reader"]
    assert str(section.sentences[0]).startswith("The limit above is for someone who ")
    assert str(section.sentences[0]).endswith("concerns what your data say.")


def test_of_several_statements_the_strictest_counts():
    """What the summary says is said below as well, and why the other numbers are larger."""
    strict, loose = PureDP(0.5, neighbors="add-remove"), PureDP(1.0, neighbors="add-remove")
    made = report(described([Part(strict)], "add-remove", stated_also=(Part(loose),)), upto=1)
    text = made.to_markdown()
    assert "the strictest counts: the limits here are from pure DP with ε = 0.5." in text
    every = re.findall(r"From any prior, the chance changes by (.+?),", text)
    most = math.ceil(100 * math.tanh(0.5 / 4))
    two_steps = math.ceil(100 * math.tanh(1.0 / 4))
    assert every == [f"at most {most} in 100", f"at most {two_steps} in 100"]


def test_what_is_promised_is_not_what_follows_from_it():
    """Each release keeps its own promise; a point of a profile is promised by nobody."""
    once = Part(PureDP(0.5, neighbors="add-remove"))
    years = report(described([once], "add-remove", releases=4)).summary().to_markdown()
    assert "**Promise:** pure DP with ε = 0.5, in each of 4 releases. Together: pure DP " in years
    noise = Part.of(Laplace(5.0, 1.0, neighbors="add-remove"), 4)
    run = report(described([noise], "add-remove")).summary().to_markdown()
    assert (
        "**Mechanism:** Laplace noise (scale 5.0, sensitivity 1.0), 4 times. Together: pure " in run
    )
    normal = Part.of(Gaussian(10.0, 1.0, neighbors="add-remove"))
    both = report(described([noise, normal], "add-remove")).summary().to_markdown()
    assert ", one point on the privacy profile (unit: person" in both
    mixed = report(described([noise, once], "add-remove")).summary().to_markdown()
    assert "**Promises and mechanisms:** Laplace noise (scale 5.0, sensitivity 1.0), 4 " in mixed


@pytest.mark.parametrize(
    ("promise", "words"),
    [
        (PureDP(1.0, neighbors="add-remove"), "shows the least noise of each kind"),
        (ZeroConcentratedDP(0.5, neighbors="add-remove"), "For geometric or Laplace noise, less"),
        (GaussianDP(1.0, neighbors="add-remove"), "For Laplace noise, less may be enough."),
    ],
)
def test_noise_is_the_least_only_where_it_is(promise, words):
    assert words in report(described([Part(promise)], "add-remove")).to_markdown()
