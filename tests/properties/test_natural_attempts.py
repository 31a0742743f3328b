"""What someone at a notebook tries first: it works, or the error shows what to write."""

from __future__ import annotations

import copy
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dprisk
from dprisk import (
    Adversary,
    ApproxDP,
    DpriskError,
    PureDP,
    assess,
    compose,
    convert,
    disclosure,
    read_release,
)
from dprisk.curves import beliefs, counterfactual_line, guarantee_line, ladder
from dprisk.curves.figure import CURVES
from dprisk.documents import report
from dprisk.errors import InvalidInput, WrongCall, WrongName
from dprisk.guarantees.base import NEIGHBORS
from dprisk.mechanisms import Gaussian, Laplace, RandomizedResponse, SubsampledGaussian

A: Any = {"neighbors": "add-remove"}
EXAMPLE = Path(__file__).parents[2] / "examples" / "census.yaml"
PROMISE: Any = PureDP(1.0, **A)


@pytest.mark.parametrize(
    ("cls", "args", "given", "call"),
    [
        (PureDP, (1,), {}, "PureDP(1, "),
        (PureDP, (), {"epsilon": 1.5}, "PureDP(epsilon=1.5, "),
        (ApproxDP, (1, 1e-6, "add-remove"), {}, "ApproxDP(1, 1e-06, "),
        (Laplace, (1.0, 2.0), {}, "Laplace(1.0, 2.0, "),
        (Gaussian, (), {"sigma": 1.0, "sensitivity": 1.0}, "Gaussian(sigma=1.0, sensitivity=1.0, "),
        (RandomizedResponse, (1.0, 2), {}, "RandomizedResponse(1.0, 2, "),
        (SubsampledGaussian, (1.0, 1.0, 0.1), {}, "SubsampledGaussian(1.0, 1.0, 0.1, "),
    ],
)
def test_neighbors_are_never_guessed(cls, args, given, call):
    """The error shows both spellings, and each of them works but for what is wrong besides."""
    with pytest.raises(TypeError) as caught:
        cls(*args, **given)
    assert isinstance(caught.value, DpriskError)
    for neighbors in NEIGHBORS:
        assert f'{call}neighbors="{neighbors}")' in str(caught.value)


def test_what_the_error_shows_can_be_written():
    cls: Any = PureDP
    with pytest.raises(WrongCall) as caught:
        cls(1)
    shown = re.findall(r"PureDP\([^)]*\)", str(caught.value))
    assert [eval(call) for call in shown] == [PureDP(1, neighbors=each) for each in NEIGHBORS]


@pytest.mark.parametrize(
    "made", [PROMISE, Laplace(1.0, 1.0, **A), SubsampledGaussian(1.0, 1.0, 0.1, **A)]
)
def test_copies_need_no_neighbors(made):
    for other in (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert other == made and hash(other) == hash(made)


def test_beliefs_in_place_of_an_adversary():
    asked = assess(PROMISE, Adversary(priors=(0.1,)))
    assert assess(PROMISE, prior=0.1).to_dict() == asked.to_dict()
    assert assess(PROMISE, priors=[0.1]).to_dict() == asked.to_dict()
    two = assess(PROMISE, priors=np.array([0.1, 0.3]), confidence=0.95)
    assert two.adversary == Adversary(priors=(0.1, 0.3), confidence=0.95)
    other = PureDP(1.0, neighbors="replace-one")
    assert assess(other, prior=0.1).adversary == Adversary(secret="attribute", priors=(0.1,))
    assert report(PROMISE, priors=[0.2]).asked.adversary.priors == (0.2,)


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda: assess(PROMISE, Adversary(), prior=0.1), "Adversary(priors=(0.1,))"),
        (lambda: assess(PROMISE, Adversary(), confidence=0.9), "confidence and adversary"),
        (lambda: assess(PROMISE, prior=0.1, priors=[0.2]), "priors=[0.01, 0.1]"),
        (lambda: report(PROMISE, Adversary(), priors=[0.2]), "priors and adversary"),
        (lambda: compose(PROMISE), "compose([one], [12])"),
    ],
)
def test_what_leaves_open_what_is_meant(ask, says):
    with pytest.raises(TypeError) as caught:
        ask()
    assert isinstance(caught.value, DpriskError) and says in str(caught.value)


@pytest.mark.parametrize("name", ["posterior", "odds", "ratio", "difference"])
def test_beliefs_asked_of_a_promise(name):
    with pytest.raises(
        AttributeError, match=f"disclosure\\(guarantee\\).{name}\\(0.1\\)"
    ) as caught:
        getattr(PROMISE, name)
    assert isinstance(caught.value, WrongName)
    said = f"disclosure(guarantee).{name}"
    assert said in str(caught.value)
    assert eval(said, {"disclosure": disclosure, "guarantee": PROMISE})(*[0.1] * (name != "odds"))


def test_other_names_are_just_missing():
    assert not hasattr(PROMISE, "posterior") and not hasattr(PROMISE, "anything")
    with pytest.raises(AttributeError, match="no attribute 'anything'"):
        PROMISE.anything  # noqa: B018


def test_names_at_the_top():
    assert dprisk.compose is compose and dprisk.read_release is read_release


def test_mechanisms_are_composed_by_their_losses():
    noise = Gaussian(sigma=2.0, sensitivity=1.0, **A)
    whole, same = compose([noise], [3]), compose([noise.loss()], [3])
    assert whole.epsilon(1e-6).bracket == same.guarantee.epsilon(1e-6).bracket
    assert (
        compose([noise], [3], rule="simple").guarantee
        == compose([noise.guarantee()], [3], rule="simple").guarantee
    )
    mixed = compose([noise, PROMISE, compose([PROMISE], [2])])
    assert mixed.epsilon(1e-6).value == compose([noise.loss()] + [PROMISE] * 3).epsilon(1e-6).value
    with pytest.raises(InvalidInput, match="a guarantee or a mechanism each"):
        compose([*"1"])


def test_what_is_composed_answers():
    whole = compose([PROMISE], [3])
    for name, value in {"epsilon": 1e-6, "delta": 0.5, "power": 0.05, "tail": 1.0}.items():
        ours, its = getattr(whole, name)(value), getattr(whole.guarantee, name)(value)
        assert (ours.value, ours.bound) == (its.value, its.bound)
    assert assess(whole, prior=0.1).kept


def test_definitions_by_their_class():
    by_name = convert(PROMISE, "approximate", delta=1e-6).guarantee
    assert convert(PROMISE, ApproxDP, delta=1e-6).guarantee == by_name
    with pytest.raises(InvalidInput, match="'approximate'"):
        convert(PROMISE, int)


def test_files():
    described = read_release(EXAMPLE)
    for file in (EXAMPLE, str(EXAMPLE)):
        assert assess(file).to_dict() == assess(described).to_dict()
    with pytest.raises(DpriskError, match="no such file"):
        assess("no such file.yaml")


@pytest.mark.parametrize("name", CURVES)
def test_pictures_of_promises(name):
    """What the error shows makes the picture."""
    from dprisk import counterfactual, curves

    draw = getattr(curves, name)
    with pytest.raises(TypeError) as caught:
        draw(PROMISE)
    assert f"{name}({CURVES[name]})" in str(caught.value)
    names = {
        "beliefs": beliefs,
        "counterfactual": counterfactual,
        "counterfactual_line": counterfactual_line,
        "disclosure": disclosure,
        "guarantee": PROMISE,
        "guarantee_line": guarantee_line,
        "ladder": ladder,
    }
    assert draw(eval(CURVES[name], names)).get_xlabel()
