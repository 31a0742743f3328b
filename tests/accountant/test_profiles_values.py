"""Composed privacy losses against values from ball arithmetic: the truth is in every bracket."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dprisk import mechanisms
from dprisk.accountant import PrivacyLoss
from tests.oracles.reading import column, grouped

WIDEST, BETWEEN = 1e-8, 2e-5  # nats of epsilon; where the loss is known between two others
SMALLEST_DELTA, CUT_OFF = 1e-200, 1e-39  # below, a truncated support is in the bracket
ALL = [parts for (parts,) in grouped("composed", ("parts",))]
SLOW = [parts for parts in ALL if " + " in parts and " Gaussian" not in parts]  # one by one
PARTS = [pytest.param(each, marks=pytest.mark.slow if each in SLOW else ()) for each in ALL]
SMALLEST = Fraction(2) ** -1074  # the least double above zero
QUESTIONS = {
    "delta": lambda g, x: g.delta(x),
    "epsilon": lambda g, x: g.epsilon(x),
    "power": lambda g, x: g.power(x),
    "level": lambda g, x: g.level(x),
    "tail_raw_one": lambda g, x: g.tail(x, sides="one", post_processing=False),
    "tail_raw_both": lambda g, x: g.tail(x, sides="both", post_processing=False),
}


def built(parts: str) -> PrivacyLoss:
    """The guarantee of, for example, "10 Laplace scale=1.0 sensitivity=1.0 + ..."."""
    pairs, counts = [], []
    for part in parts.split(" + "):
        count, kind, *words = part.split()
        values = {name: json.loads(x) for name, x in (word.split("=") for word in words)}
        neighbors: Any = "add-remove" if kind.startswith("Subsampled") else "replace-one"
        mechanism = getattr(mechanisms, kind)(**values, neighbors=neighbors)
        pairs.append(mechanism.losses())
        counts.append(int(count))
    return PrivacyLoss(pairs, counts, neighbors=neighbors)


def outside(low, high, answer) -> bool:
    """Whether the exact number (25 digits of it) is outside, decided without rounding."""
    if answer == "inf" or low == np.inf:
        return bool((answer == "inf") != (high == np.inf))
    exact = Fraction(answer)
    slack = abs(exact) / 10**24 + SMALLEST
    return bool(Fraction(low) > exact + slack or (high < np.inf and Fraction(high) < exact - slack))


def assert_narrow(parts, delta, low, high):
    """About the accuracy that was asked for, or a few roundings of a large epsilon."""
    widest, smallest = (BETWEEN, CUT_OFF) if "Subsampled" in parts else (WIDEST, SMALLEST_DELTA)
    asked = np.isfinite(high) & (delta >= smallest)
    width = high[asked] - low[asked]
    assert np.all(width <= np.maximum(widest, 1e-12 * high[asked])), width.max()


@pytest.mark.parametrize("parts", PARTS)
def test_the_truth_is_in_every_bracket(parts):
    """With no tolerance but that of the table."""
    g, wrong = built(parts), []
    for (_, question), rows in grouped("composed", ("parts", "question")).items():
        if rows[0]["parts"] != parts:
            continue
        asked = column(rows, "argument")
        low, high = QUESTIONS[question](g, asked).bracket
        if question == "epsilon" and parts not in SLOW:
            assert_narrow(parts, asked, low, high)
        for row, a, b in zip(rows, low.tolist(), high.tolist(), strict=True):
            if outside(a, b, row["answer"]):
                wrong.append(f"{question}({row['argument']}) in [{a!r}, {b!r}]: {row['answer']}")
    assert not wrong, f"{len(wrong)} outside\n" + "\n".join(wrong[:20])


def test_randomized_response_of_three():
    """With log 3, the best test at level .05 has power .15: a type II error of .85."""
    response = mechanisms.RandomizedResponse(np.log(3.0), neighbors="replace-one")
    low, high = response.loss().power(0.05).bracket
    assert low <= 0.15 <= high and high - low < 1e-12


def test_ten_laplace():
    """A value that is known from the literature on numerical accounting."""
    loss = PrivacyLoss(
        [mechanisms.Laplace(1.0, 1.0, neighbors="add-remove").losses()],
        [10],
        neighbors="add-remove",
    )
    low, high = loss.epsilon(1e-5).bracket
    assert 9.98995 < low <= high < 9.98997


def test_two_gaussians_are_one():
    """Variances of the loss add: 10,000 times sigma = 100 is one time sigma = 1."""
    once = mechanisms.Gaussian(1.0, 1.0, neighbors="add-remove")
    often = PrivacyLoss(
        [mechanisms.Gaussian(100.0, 1.0, neighbors="add-remove").losses()],
        [10_000],
        neighbors="add-remove",
    )
    epsilon = np.array([0.0, 1e-6, 0.3, 2.0, 10.0, 37.0])
    low, high = often.delta(epsilon).bracket
    exact = once.guarantee().delta(epsilon).value
    assert np.all(low <= exact * (1 + 1e-13)) and np.all(exact <= high * (1 + 1e-13))
