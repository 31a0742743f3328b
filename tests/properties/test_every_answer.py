"""What holds for every answer of every guarantee, asked over whole ranges with their ends."""

from __future__ import annotations

import numpy as np
import pytest

from dprisk import RenyiDP, ZeroConcentratedDP
from tests.properties.zoo import EXAMPLES, OF_CHANCE, OF_LOSS, QUESTIONS, arguments

every_guarantee = pytest.mark.parametrize("g", EXAMPLES, ids=repr)


@every_guarantee
def test_no_answer_is_nan_or_out_of_range(g):
    """Probabilities in [0, 1], losses in [0, inf], at the ends too; warnings are errors."""
    for name, ask in QUESTIONS.items():
        value = ask(g, arguments(name, g)).value
        top = np.inf if name.startswith(("loss", "epsilon")) else 1.0
        assert np.all((value >= 0) & (value <= top)), (name, value)


@every_guarantee
def test_vectors_are_the_same_numbers_as_scalars(g):
    """Bit by bit, in any shape; a scalar answers with a float."""
    for name, ask in QUESTIONS.items():
        x = arguments(name, g)
        x = np.concatenate([x[:: 5 if isinstance(g, ZeroConcentratedDP) else 1], [0.123456789]])
        whole = ask(g, x).value
        single = [ask(g, float(v)).value for v in x]
        assert all(type(v) is float for v in single)
        assert np.array_equal(whole, single), (name, x[whole != single])


@every_guarantee
def test_arrays_of_any_shape_are_the_same_numbers(g):
    """Rows and columns in, the same rows and columns out."""
    for name, ask in QUESTIONS.items():
        x = arguments(name, g)[:4]
        square = ask(g, x.reshape(2, 2)).value
        assert np.array_equal(square, ask(g, x).value.reshape(2, 2)), name


@every_guarantee
def test_empty_arrays_stay_empty(g):
    """No value in, no value out, whatever the shape."""
    for name, ask in QUESTIONS.items():
        for shape in ((0,), (0, 3)):
            assert ask(g, np.empty(shape)).value.shape == shape, name


@every_guarantee
def test_answers_run_in_one_direction(g):
    """More epsilon, less delta; more level, more power; and so on, up to rounding.

    Searches over orders stop on the safe side of a divergence known to about 2e-15, of which a
    tiny loss is the square root.
    """
    searched = isinstance(g, RenyiDP | ZeroConcentratedDP)
    relative, absolute = (1e-6, 1e-7) if searched else (1e-9, 1e-15)
    for name, ask in QUESTIONS.items():
        value = ask(g, np.sort(arguments(name, g))).value
        rising = name in ("power", "level")
        small, large = (value[:-1], value[1:]) if rising else (value[1:], value[:-1])
        bad = small > large * (1 + relative) + absolute
        assert not np.any(bad), (name, value)


@every_guarantee
def test_one_side_is_never_more_than_both(g):
    """P[Z > t] <= P[|Z| > t], and a bound on one side is a smaller number."""
    noise = 1e-11 if isinstance(g, RenyiDP | ZeroConcentratedDP) else 1e-15  # a search at limit 0
    for pair in (("tail, one", "tail, both"), ("loss, one", "loss, both")):
        for raw in ("", ", raw"):
            one, both = (QUESTIONS[name + raw](g, arguments(name + raw, g)).value for name in pair)
            assert np.all(one <= both * (1 + 1e-9) + noise), (pair, one, both)


@every_guarantee
def test_the_raw_reading_is_never_larger(g):
    """What holds after any post-processing holds for the raw output."""
    for name in ("tail, one", "tail, both", "loss, one", "loss, both"):
        x = arguments(name, g)
        assert np.all(QUESTIONS[name + ", raw"](g, x).value <= QUESTIONS[name](g, x).value), name


@every_guarantee
def test_delta_of_epsilon_is_never_larger(g):
    """g.delta(g.epsilon(d)) <= d, as computed."""
    d = arguments("epsilon", g)
    e = g.epsilon(d).value
    finite = np.isfinite(e)
    assert np.all(g.delta(np.where(finite, e, 0.0)).value[finite] <= d[finite])
    assert np.all(np.isfinite(e[d == 1.0]))


@every_guarantee
def test_ends(g):
    """What is certain at the ends of every range (design rule 6)."""
    assert g.power(1.0).value == 1.0
    assert g.level(0.0).value == 0.0
    assert g.epsilon(1.0).value == 0.0
    if g.delta(np.inf).bound == g.power(0.0).bound == "exact":
        assert g.delta(np.inf).value == pytest.approx(g.power(0.0).value, rel=1e-12)
    assert g.loss_bound(1.0, sides="one").value >= 0.0
    for sides in ("one", "both"):
        assert g.tail(0.0, sides=sides).value <= 1.0
    level = arguments("power", g)
    assert np.all(g.power(level).value >= level * (1 - 1e-12))
    assert np.all(g.level(level).value <= level * (1 + 1e-12))


def test_every_question_is_asked():
    """The tables above cover the six methods."""
    assert sorted(OF_LOSS + OF_CHANCE) == sorted(QUESTIONS)
