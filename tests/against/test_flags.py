"""Known answers put to other accountants: how they are asked and judged, without any library."""

from __future__ import annotations

from decimal import Decimal

import pytest

from bench import asked, flags

KNOWN = {
    "id": "gaussian-0001",
    "ask": {"what": "delta", "epsilon": "1"},
    "truth": ["0.5", "0.50000001"],
    "unsafe": "below",
    "flags": ["composition"],
}


@pytest.mark.parametrize(
    ("said", "word", "apart"),
    [
        ({"delta": 0.50000001}, "agrees", 0),
        ({"delta": 0.5 - 1e-12}, "agrees", None),  # rounding
        ({"delta": 0.75}, "looser", Decimal("0.24999999")),
        ({"delta": 0.25}, "below", Decimal("0.25")),
        ({"delta": float("inf")}, "infinite", 0),
        ({"delta": -0.25}, "below", Decimal("0.5")),  # counts as 0
        ({"delta": float("nan")}, "cannot say", 0),
        ({"reason": "no"}, "cannot say", 0),
    ],
)
def test_an_answer_is_judged_as_by_the_judges(said, word, apart):
    found = flags.told(KNOWN, said)
    assert found.word == word and (apart is None or found.apart == apart)


def test_every_question_reaches_an_accountant_as_a_kind_parameters_and_a_count():
    known = flags.asked()
    ran = {part[0] for each in known for part in flags.parts(each["release"])}
    assert len(known) > 800 and "two readings of a noise multiplier" in str(known)
    assert ran >= {"gaussian", "laplace", "response", "geometric", "integers", "sampled", "promise"}
    for each in known:
        assert all(isinstance(part[-1], int) for part in flags.parts(each["release"]))


def test_the_distance_of_neighbors_is_divided_out():
    words = {"kind": "dp-sgd", "noise_multiplier": "8", "steps": 16}
    for relative, noise in (("clipping-norm", 4.0), ("distance", 8.0)):
        tree = {
            "neighbors": "replace-one",
            "mechanisms": [{**words, "noise_relative_to": relative}],
        }
        assert flags.parts(tree) == [["gaussian", noise, 16]]
    scaled = {"kind": "laplace", "scale": "8", "sensitivity": "2", "count": 3}
    tree = {"neighbors": "add-remove", "mechanisms": [scaled]}
    assert flags.parts(tree) == [["laplace", 4.0, 3]]


def test_a_table_has_every_flag_and_every_library_once():
    said = {"one": [{"delta": 0.75}], "two": [{"reason": "no"}], "three": [{"reason": "no"}]}
    lines = [*flags.table([KNOWN], said)]
    assert [line.count("|") for line in lines] == [12] * 6
    assert lines[2] == "| every question | one | – | 1 | – | 0.25 | – | – | – | – | – |\n"
    assert lines[5] == "| composition | two, three | – | – | – | – | – | – | – | – | 1 |\n"
    assert [*flags.reasons(said)][1] == "- two: no (1)\n"


def test_a_question_that_a_library_does_not_have_is_a_reason():
    found = asked.answered("Opacus RDP", [["gaussian", 1.0, 1]], 1.0, "delta")
    assert found == {"reason": "no delta"}
