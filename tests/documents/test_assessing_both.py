"""In the data and with a value, in every document: the same number, with its two factors."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from dprisk import Adversary, ApproxDP, PureDP, ZeroConcentratedDP, assess
from dprisk.documents import Labels, explain, report
from dprisk.documents.assessing import json_schema
from dprisk.errors import InvalidInput, Meaningless, WrongCall
from dprisk.mechanisms import Gaussian
from dprisk.risk import joint_disclosure

A: Any = {"neighbors": "add-remove"}
SURVEY = ZeroConcentratedDP(0.05747, **A)
AGENCY = Adversary(secret="both", priors=(0.05, 0.5), value_prior=0.1, confidence=0.99)


def test_every_number_is_that_of_the_risk_room():
    made, moved = assess(SURVEY, AGENCY).basis, joint_disclosure(SURVEY, 0.1, confidence=0.99)
    assert AGENCY.beliefs == (0.005, 0.05)
    assert AGENCY.middle == 0.05
    for prior, belief in zip(AGENCY.priors, AGENCY.beliefs, strict=True):
        for metric in ("posterior", "ratio", "ratio_not", "difference"):
            ends = getattr(moved, metric)(prior)
            found = made.find(metric, belief)  # type: ignore[arg-type]
            assert (found.lower, found.upper) == (float(ends.lower), float(ends.upper))
    at = {(each.metric, each.prior): each for each in made.findings}
    assert at["inclusion_ratio", 0.05].upper == float(moved.inclusion(0.05).upper)
    assert at["value_ratio", 0.1].upper == float(moved.value().upper)
    assert at["inclusion", 0.05].upper == pytest.approx(0.05 * float(moved.inclusion(0.05).upper))
    assert made.find("odds").upper >= made.find("ratio", 0.005).upper
    assert all(each.upper_bound == "upper" for each in made.findings if each.prior is not None)


@pytest.mark.parametrize("what", [SURVEY, PureDP(1.0, **A), ApproxDP(1.0, 1e-6, **A)])
def test_json_keeps_its_schema(what):
    made = assess(what, AGENCY, limits={"posterior": 0.9, "odds": 100.0})
    data = json.loads(json.dumps(made.to_dict()))
    jsonschema.validate(data, json_schema())
    assert data["adversary"]["value_prior"] == 0.1
    assert data["adversary"]["beliefs"] == [0.005, 0.05]
    assert "value_prior" not in assess(what).to_dict()["adversary"]


def test_limits_are_on_the_belief_in_both():
    made = assess(SURVEY, AGENCY, limits={"posterior": 0.1, "ratio": 5.0})
    posterior, ratio = made.limits
    assert posterior.prior == 0.05
    assert not posterior.kept
    assert (ratio.prior, ratio.kept) == (0.05, True)
    with pytest.raises(InvalidInput, match=r"above 0\.05"):
        assess(SURVEY, AGENCY, limits={"posterior": 0.04})


@pytest.mark.parametrize("audience", ["data-subject", "curator", "regulator", "researcher"])
def test_explanations_name_both_parts(audience):
    made = explain(SURVEY, audience, secret=AGENCY)
    assert made.secret == "both"
    assert " is in the data and " in str(made) or "you are in the data and a guess" in str(made)
    (parts,) = (each for each in made.sections if each.topic == "factors")
    assert [each.key.rsplit(".", 1)[0] for each in parts.sentences] == [
        "factors.lead",
        "factors.inclusion",
        "factors.value",
    ]
    upper = joint_disclosure(SURVEY, 0.1, confidence=0.99).posterior(0.5).upper.value
    (most,) = {
        each.value
        for line in made.sections[0].sentences
        for each in line.numbers
        if each.direction == "at most" and each.quantity == "posterior"
    }
    assert most == upper


def test_in_german_and_of_what_was_run():
    made = explain(Gaussian(sigma=4.0, sensitivity=1.0, **A), secret=AGENCY, language="de")
    assert "in den Daten vorkommen und eine Vermutung über Sie stimmt" in str(made)
    assert "Falls Ihre Daten darin sind" in str(made)


def test_a_claim_is_read_as_both():
    made = explain(SURVEY, claim="you are in the survey and ill", secret=AGENCY)
    assert "your record is in the data and has this value" in str(made)


def test_a_report_opens_with_it_and_has_both_questions_besides():
    made = report(SURVEY, AGENCY, limits={"posterior": 0.2}, labels=Labels(file="survey.yaml"))
    assert [each.adversary.secret for each in made.assessments] == [
        "both",
        "membership",
        "attribute",
    ]
    assert made.assessments[2].adversary.priors == (0.1,)
    assert made.ladder is None
    text = made.to_markdown()
    assert "--value-prior 0.1" in text
    assert "A table of later releases follows one privacy loss" in text
    assert "--one-sided" not in text.split("--secret both")[1].split("-o")[0]
    assert "The two factors whose product" in text
    assert "being in the data | " in text
    assert "<html" in made.summary().to_html()
    assert made.to_dict()["asked"]["value_prior"] == 0.1


def test_replaced_records():
    inside = Adversary(secret="both", priors=(1.0,), value_prior=0.1)
    of = assess(PureDP(1.0, neighbors="replace-one"), inside)
    value = assess(PureDP(1.0, neighbors="replace-one"), prior=0.1)
    found, other = (each.basis.find("posterior", 0.1) for each in (of, value))
    assert found.upper == pytest.approx(other.upper, rel=1e-14)
    assert report(PureDP(1.0, neighbors="replace-one"), inside).missing
    with pytest.raises(Meaningless, match="prior 1"):
        assess(PureDP(1.0, neighbors="replace-one"), AGENCY)


def test_what_cannot_both_be_meant():
    with pytest.raises(InvalidInput, match="value_prior"):
        Adversary(secret="both")
    with pytest.raises(Meaningless, match="changes nothing"):
        Adversary(value_prior=0.5)
    with pytest.raises(Meaningless, match="raw output"):
        Adversary(secret="both", value_prior=0.5, post_processing=False)
    with pytest.raises(WrongCall, match="as well as"):
        explain(SURVEY, secret=AGENCY, priors=[0.5])
    assert AGENCY.sides == "one"
    assert [each.secret for each in AGENCY.others()] == ["membership", "attribute"]
