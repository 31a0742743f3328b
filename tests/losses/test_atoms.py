"""Losses with finitely many values: what is no law is refused by name, what reveals is exact."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dprisk.accountant import PrivacyLoss
from dprisk.errors import InvalidInput, OutOfRange
from dprisk.losses.atoms import AtomicLoss
from dprisk.mechanisms import DiscreteGaussian, SampleRelease

FAIR = [math.log(0.5 / 0.6), math.log(0.5 / 0.4)]


@pytest.mark.parametrize(
    ("losses", "masses", "more", "what"),
    [
        (FAIR, [0.5, 0.4], {}, "masses must be probabilities that add up to 1"),
        (FAIR, [0.5, 0.5], {"infinite": 0.1}, "masses must be probabilities that add up to 1"),
        ([0.0, 1.0], [0.5, 0.5], {}, "reverse_masses must be probabilities that add up to 1"),
        (FAIR, [0.5, 0.5], {"reverse_infinite": 0.1}, "reverse_masses must be"),
        (FAIR, [1.0], {}, "masses must be one probability for each of 2 losses, got 1"),
        (FAIR, [0.5, 0.5], {"reverse_masses": [1.0]}, "reverse_masses must be one probability"),
    ],
)
def test_what_does_not_add_up(losses, masses, more, what):
    """Neither composed nor repaired: every bound would be wrong."""
    with pytest.raises(InvalidInput, match=what):
        AtomicLoss.of(losses, masses, **more)


@pytest.mark.parametrize(
    ("losses", "masses", "name"),
    [
        ([0.0, math.inf], [0.5, 0.5], "losses"),
        ([0.0, math.nan], [0.5, 0.5], "losses"),
        (FAIR, [1.5, -0.5], "masses"),
        (FAIR, [math.nan, 1.0], "masses"),
        (FAIR, [0.5, -0.5], "masses"),
    ],
)
def test_what_is_no_number_of_its_kind(losses, masses, name):
    with pytest.raises(OutOfRange, match=f"^(reverse_)?{name} must be a number"):
        AtomicLoss.of(losses, masses)


def test_laws_are_taken():
    """Within what rounding makes of a sum, and with nothing finite at all."""
    third = [math.log(0.1 / 0.2), math.log(0.2 / 0.7), math.log(0.7 / 0.1)]
    assert AtomicLoss.of(third, [0.1, 0.2, 0.7]).support == (third[1], third[2])
    assert AtomicLoss.of([], [], 1.0, None, 1.0).infinite == 1.0


@pytest.mark.parametrize("name", ["infinite", "reverse_infinite"])
@pytest.mark.parametrize("value", [math.nan, -0.1, 1.1])
def test_what_is_no_probability(name, value):
    with pytest.raises(OutOfRange, match=f"^{name} must be"):
        AtomicLoss.of(FAIR, [0.5, 0.5], **{name: value})


def test_parts_are_not_laws():
    """The engine makes parts of laws by another door."""
    assert AtomicLoss.part([0.0], [0.25]).masses.sum() == 0.25


@pytest.mark.parametrize("shown", [0.5, 0.999, 1e-7])
def test_nothing_or_everything(shown):
    """Where records come out or nothing does, M is M(0): no mean, no series, no overflow."""
    loss = AtomicLoss.of([0.0], [1.0 - shown], shown, None, shown)
    s = np.array([0.0, 1e-300, 0.5, 2.0, 1e3 + 1e3j, 1e300])
    value, error = loss.measured(s)
    truth = math.log1p(-shown)
    assert np.all(np.abs(value - truth) <= error + 1e-300)
    assert np.all(error <= 1e-14 * max(1.0, -truth))


def test_with_others_that_need_a_line():
    """What is not shown is as likely told apart as by the others alone."""
    rest = [DiscreteGaussian(1.1, 1, neighbors="replace-one").losses()]
    alone = PrivacyLoss(rest, [27], neighbors="replace-one")
    shown = SampleRelease(1, 2, neighbors="replace-one").losses()
    both = PrivacyLoss([*rest, shown], [27, 2], neighbors="replace-one")
    limits = np.array([0.0, 0.03, 3.0, 20.0, 150.0, np.inf])
    for (a, b), (c, d) in zip(
        zip(*alone.delta(limits).bracket, strict=True),
        zip(*both.delta(limits).bracket, strict=True),
        strict=True,
    ):
        assert c <= 0.75 + 0.25 * b and 0.75 + 0.25 * a <= d
        assert d - c <= 1e-11
