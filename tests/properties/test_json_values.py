"""How values become JSON: fields by name, no infinities, words for what JSON has no form for."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

from dprisk import PureDP
from dprisk._values import ends, members, plain
from dprisk.answer import Answer
from dprisk.theorems import Theorem

THEOREM = Theorem("P0", "Theorem 3.2", "the log-odds move by at most epsilon")


@dataclass(frozen=True)
class Held:
    """Something with fields."""

    name: str
    numbers: np.ndarray
    theorem: Theorem = THEOREM


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (None, None),
        (True, True),
        (3, 3),
        (0.1, 0.1),
        (float("inf"), None),
        (-float("inf"), None),
        (np.float64(0.5), 0.5),
        (np.bool_(True), True),
        (np.int64(7), 7),
        (np.array([[1.0, np.inf], [0.0, -np.inf]]), [[1.0, None], [0.0, None]]),
        ((1, (2.0, float("inf"))), [1, [2.0, None]]),
        ({"a": (1.0,)}, {"a": [1.0]}),
        (Fraction(1, 3), "1/3"),
        (THEOREM, "P0 Theorem 3.2"),
    ],
)
def test_plain(value, found):
    assert plain(value) == found
    assert type(plain(value)) is type(found)


def test_nan_stays_so_that_json_refuses_it():
    with pytest.raises(ValueError, match="not JSON compliant"):
        json.dumps(plain({"x": float("nan")}), allow_nan=False)


@pytest.mark.parametrize("bound", ["exact", "upper", "lower"])
def test_an_answer_is_its_bracket(bound):
    answer = Answer(float("inf"), bound, THEOREM, other_end=1.0)
    low, high = answer.bracket
    found = plain(answer)
    assert list(found) == ["lower", "upper", "bound", "theorem", "citation"]
    assert (found["lower"], found["upper"]) == (plain(low), plain(high))
    assert found["bound"] == bound and found["citation"] == THEOREM.citation


def test_members_are_named_in_order_and_by_their_last_name():
    held = Held("a", np.array([1.0, np.inf]))
    assert members(held) == {"name": "a", "numbers": [1.0, None], "theorem": str(THEOREM)}
    found = members(held, "theorem.citation", "name", more=Fraction(1, 2))
    assert list(found.items()) == [
        ("citation", THEOREM.citation),
        ("name", "a"),
        ("more", "1/2"),
    ]
    with pytest.raises(AttributeError):
        members(held, "nobody")


def test_ends_keep_their_sides():
    answer = PureDP(1.0, neighbors="add-remove").delta(0.5)
    assert ends(answer.bracket) == {"at_least": answer.value, "at_most": answer.value}
    assert ends((None, float("inf"))) == {"at_least": None, "at_most": None}
