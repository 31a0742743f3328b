"""What can be learned about a concern: each number is the one that the rooms below give."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dprisk import counterfactual, disclosure
from dprisk.allocation import allocate, census2020, findings
from dprisk.errors import InvalidInput, Meaningless, OutOfRange
from tests.allocation.tables import ROWS, single, town

RACE = census2020().exposure("race")


@pytest.fixture(scope="module")
def exact():
    return findings(town().exposure("income"), levels=[0.05, 0.1], ratios=[1, 3], priors=[0.2])


def test_the_rooms_below_answer(exact):
    whole = exact.exposure.exact()
    assert exact.power.bracket[1].tolist() == np.asarray(whole.power([0.05, 0.1])).tolist()
    for who, answer in exact.exceeding:
        again = counterfactual(whole, adversary=who).exceeding([1.0, 3.0])
        assert answer.value.tolist() == again.value.tolist()
    moved = disclosure(exact.exposure.exact(), secret="attribute", confidence=0.99)
    assert exact.disclosure.posterior(0.2).upper.value == moved.posterior(0.2).upper.value


def test_discrete_noise_lies_below_any_mechanism(exact):
    high = exact.power.bracket[1]
    assert np.all(high < np.asarray(exact.power_promise))
    assert high == pytest.approx(np.asarray(exact.power_gaussian), abs=1e-4)


def test_the_reading_fits_the_table():
    assert findings(town().exposure()).reading == "exact"
    silent = allocate(ROWS, levels=("region", "town"))
    made = findings(silent.exposure("sex"))
    assert made.reading == "promise"
    assert made.power.value.tolist() == made.power_promise.value.tolist()
    assert findings(single("epsilon", 1).exposure()).power_gaussian is None
    with pytest.raises(Meaningless):
        findings(silent.exposure(), reading="exact")
    with pytest.raises(InvalidInput):
        findings(silent.exposure(), reading="gaussian")


def test_plain_data_is_json(exact):
    data = exact.to_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert [row["level"] for row in data["tests"]] == [0.05, 0.1]
    assert {row["adversary"] for row in data["counterfactuals"]} == {
        "rest-known",
        "true-record",
        "arbitrary-prior",
    }
    assert data["beliefs"][0]["before"] == 0.2
    for row in data["tests"]:
        assert row["power"]["at_least"] <= row["power"]["at_most"] <= row["power_promise"]


def test_edges():
    made = findings(RACE, levels=[0, 1], ratios=[0, np.inf], priors=[0, 1], confidence=0.5)
    assert made.power.value.tolist() == [0.0, 1.0]
    assert [answer.value.tolist() for _, answer in made.exceeding] == [[1.0, 0.0]] * 3
    assert made.disclosure.posterior([0, 1]).upper.value.tolist() == [0.0, 1.0]
    json.dumps(made.to_dict(), allow_nan=False)
    empty = findings(RACE, levels=[], ratios=[], priors=[])
    assert empty.to_dict()["tests"] == empty.to_dict()["beliefs"] == []


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"reading": "normal"}, InvalidInput),
        ({"levels": 2}, OutOfRange),
        ({"ratios": -1}, OutOfRange),
        ({"priors": [float("nan")]}, OutOfRange),
        ({"confidence": 1}, OutOfRange),
        ({"accuracy": 0, "reading": "exact"}, OutOfRange),
    ],
)
def test_bad_questions(options, error):
    with pytest.raises(error):
        findings(RACE, **options)
