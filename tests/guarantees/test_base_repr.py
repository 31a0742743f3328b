"""How a promise is shown in a console; and with all of its numbers, where it is written out."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import dprisk
from dprisk.guarantees.words import in_full

WHO: dict = {"neighbors": "add-remove"}
X = np.linspace(0.0, 1.0, 60)
LONG = {
    "ApproxDPCurve": lambda end: dprisk.ApproxDPCurve(X, 0.5 - end * X / 4.0, **WHO),
    "FDP": lambda end: dprisk.FDP(X, (1.0 - X) ** (2.0 + end), **WHO),
    "RenyiDP": lambda end: dprisk.RenyiDP(2.0 + X, 1.0 + end * X, **WHO),
}


@pytest.mark.parametrize("name", LONG)
def test_many_numbers_are_shortened(name):
    made = LONG[name](1.0)
    assert len(repr(made)) < 300
    assert repr(made).startswith(f"{name}(") and repr(made).count(", ..., ") == 2
    assert repr(made).endswith(", neighbors='add-remove')")


@pytest.mark.parametrize("name", LONG)
def test_in_full_it_is_made_again(name):
    made = LONG[name](1.0)
    assert eval(in_full(made), {name: getattr(dprisk, name)}) == made


@pytest.mark.parametrize("name", LONG)
def test_what_is_shown_alike_is_not_taken_for_equal(name):
    """A number in the middle is not shown, and makes another promise."""
    made = LONG[name](1.0)
    values = {key: list(value) for key, value in made.parameters.items()}
    last = list(values)[-1]
    values[last][30] *= 1.0 - 1e-9
    other = type(made)(**values, **WHO)
    assert repr(other) == repr(made) and other != made
    assert pickle.loads(pickle.dumps(made)) == made


def test_few_numbers_are_all_shown():
    made = dprisk.FDP([0, 0.25, 1], [1, 0.25, 0], **WHO)
    assert repr(made) == in_full(made)
    assert eval(repr(made), {"FDP": dprisk.FDP}) == made
