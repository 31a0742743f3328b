"""What is refused at the door, by name, with what would be allowed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dprisk import (
    FDP,
    ApproxDP,
    ApproxDPCurve,
    GaussianDP,
    ProbabilisticallyBoundedDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
    disclosure,
    row_bounds,
)
from dprisk.errors import InvalidInput, Meaningless, OutOfRange
from tests.properties.zoo import EXAMPLES, QUESTIONS

NOT_NUMBERS: Any = (np.nan, "1", b"1", True, None, {}, "abc")
A: Any = {"neighbors": "add-remove"}

CONSTRUCTORS = [
    ("epsilon", lambda v: PureDP(v, **A), (-1.0, -1e-300)),
    ("epsilon", lambda v: ApproxDP(v, 0.1, **A), (-1.0,)),
    ("delta", lambda v: ApproxDP(1.0, v, **A), (-0.1, 1.1, np.inf)),
    ("epsilon", lambda v: ProbabilisticDP(v, 0.1, **A), (-1.0,)),
    ("delta", lambda v: ProbabilisticDP(1.0, v, **A), (-0.1, 1.1)),
    ("epsilon", lambda v: ProbabilisticallyBoundedDP(v, 0.1, **A), (0.0, -1.0)),
    ("delta", lambda v: ProbabilisticallyBoundedDP(1.0, v, **A), (-0.1, 1.1)),
    ("mu", lambda v: GaussianDP(v, **A), (-1.0, np.inf)),
    ("alpha", lambda v: RenyiDP(v, 0.1, **A), (1.0, 0.5, np.inf)),
    ("gamma", lambda v: RenyiDP(2.0, v, **A), (-1.0, np.inf)),
    ("rho", lambda v: ZeroConcentratedDP(v, **A), (-1.0, np.inf)),
    ("xi", lambda v: ZeroConcentratedDP(1.0, xi=v, **A), (-1.0, np.inf)),
    ("delta", lambda v: ZeroConcentratedDP(1.0, delta=v, **A), (-1.0, 1.1)),
    ("epsilon", lambda v: ApproxDPCurve([0.1, v], [0.1, 0.1], **A), (-1.0,)),
    ("delta", lambda v: ApproxDPCurve([0.1, 1.0], [0.1, v], **A), (-1.0, 2.0)),
    ("levels", lambda v: FDP([0.0, v, 1.0], [1.0, 0.1, 0.0], **A), (-1.0, 2.0)),
    ("errors", lambda v: FDP([0.0, 0.5, 1.0], [1.0, v, 0.0], **A), (-1.0, 2.0)),
]


@pytest.mark.parametrize(("name", "make", "outside"), CONSTRUCTORS)
def test_parameters(name, make, outside):
    """Not a number, or outside the domain: OutOfRange, and the parameter is named."""
    for bad in (*NOT_NUMBERS, *outside):
        if name in ("levels", "errors", "epsilon", "delta") and bad in ("1", b"1", True):
            continue  # inside a list numpy reads them; alone they are refused below
        with pytest.raises(OutOfRange) as refused:
            make(bad)
        assert refused.value.name == name


@pytest.mark.parametrize("bad", ["1", b"1", True, None])
def test_scalars_of_another_kind(bad):
    """Strings, bytes and booleans are not numbers, not even "1"."""
    for make in (
        lambda v: PureDP(v, **A),
        lambda v: ApproxDP(1.0, v, **A),
        lambda v: GaussianDP(v, **A),
    ):
        with pytest.raises(OutOfRange):
            make(bad)


@pytest.mark.parametrize("g", EXAMPLES[::3], ids=repr)
def test_arguments_of_every_method(g):
    """NaN, negatives, chances above 1, and what is not a number."""
    for name, ask in QUESTIONS.items():
        outside = (-1e-300, -1.0) if name.startswith(("tail", "delta")) else (-1e-300, 1.0 + 1e-15)
        for bad in (*NOT_NUMBERS, *outside, [0.5, np.nan], [[0.5], [-1.0]]):
            with pytest.raises(OutOfRange):
                ask(g, bad)


@pytest.mark.parametrize("shape", [([0.1], [0.1, 0.2]), ([], []), ([[0.1]], [[0.1]])])
def test_shapes(shape):
    """Lists of one length, one dimension and at least one element."""
    for make in (ApproxDPCurve, FDP.hull):
        with pytest.raises(InvalidInput):
            make(*shape, **A)
    with pytest.raises(InvalidInput):
        RenyiDP(np.array(shape[0], dtype=float) + 1, shape[1], **A)


def test_words():
    """Neighbors and sides are words from short lists, and a near miss is guessed."""
    with pytest.raises(InvalidInput, match="add-remove"):
        PureDP(1.0, neighbors="add_remove")
    for bad in ("two", None, 1):
        with pytest.raises(InvalidInput):
            PureDP(1.0, **A).tail(1.0, sides=bad)
        with pytest.raises(InvalidInput):
            PureDP(1.0, **A).loss_bound(0.1, sides=bad)
        with pytest.raises(InvalidInput):
            PureDP(1.0, neighbors=bad)
        with pytest.raises(InvalidInput):
            disclosure(PureDP(1.0, **A), secret=bad)


@pytest.mark.parametrize("bad", [np.nan, 0.0, 1.0, -0.1, 1.5, "0.9", True, [0.9, 1.0]])
def test_confidence(bad):
    """In (0, 1); certainty is asked for by leaving it out."""
    with pytest.raises(OutOfRange) as refused:
        disclosure(ApproxDP(1.0, 1e-6, **A), confidence=bad)
    assert refused.value.name == "confidence"


def test_confidence_that_is_too_high():
    """Approximate DP bounds nothing with more than 1 - delta; left out, it is 0.99."""
    missing = disclosure(ApproxDP(1.0, 1e-6, **A))
    assert missing.loss.value == disclosure(ApproxDP(1.0, 1e-6, **A), confidence=0.99).loss.value
    for confidence in (1 - 1e-7, [0.5, 1 - 1e-7]):
        with pytest.raises(OutOfRange) as refused:
            disclosure(ApproxDP(1.0, 1e-6, **A), confidence=confidence)
        assert refused.value.name == "confidence"
    assert np.isfinite(disclosure(ApproxDP(1.0, 1e-6, **A), confidence=1 - 1.1e-6).loss.value)


def test_secret_by_neighbors():
    """Membership has no meaning under replace-one; an attribute is two steps of add-remove."""
    one, two = PureDP(1.0, neighbors="add-remove"), PureDP(1.0, neighbors="replace-one")
    assert disclosure(one).loss.value == 1.0
    assert disclosure(one, secret="attribute").loss.value == 2.0
    assert disclosure(one, secret="attribute").loss.bound == "upper"
    assert disclosure(two, secret="attribute").loss.value == 1.0
    assert disclosure(two, secret="attribute").loss.bound == "exact"
    with pytest.raises(Meaningless):
        disclosure(two)


@pytest.mark.parametrize("bad", [np.nan, -0.1, 1.1, "0.5", True, None])
def test_priors(bad):
    """Beliefs lie in [0, 1]."""
    moved = disclosure(PureDP(1.0, **A))
    with pytest.raises(OutOfRange) as refused:
        moved.posterior(bad)
    assert refused.value.name == "prior"
    with pytest.raises(OutOfRange):
        row_bounds(bad, 1.0, 0.1, 0.2)


@pytest.mark.parametrize("given", [-0.0, np.array([-0.0, 0.5]), [-0.0]])
def test_minus_zero_is_zero(given):
    """In what is kept, and in what is answered."""
    belief = disclosure(PureDP(1.0, **A)).posterior(given)
    for end in (belief.lower, belief.upper):
        assert math.copysign(1.0, np.ravel(end.value)[0]) == 1.0
    assert math.copysign(1.0, PureDP(-0.0, **A).parameters["epsilon"]) == 1.0
    assert math.copysign(1.0, row_bounds(-0.0, 1.0, 0.0, 0.0).posterior_upper) == 1.0
