"""Sentences about compositions, read back: rounded outwards, and no more than is known."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import pytest

from dprisk import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP
from dprisk.documents import compose_release
from dprisk.documents.compositions import Reading
from dprisk.documents.results import readings, width
from dprisk.releases import Part, Release
from dprisk.theorems import Theorem
from tests.documents.test_beliefs import FORBIDDEN

A: Any = {"neighbors": "add-remove"}
SOURCE = Theorem("P0", "Theorem 2.8(1)", "epsilons add, deltas add")


def release_of(*parts):
    """What was released."""
    return Release(
        name="Town survey",
        unit="person",
        period="once",
        neighbors_stated=True,
        model="central",
        parts=parts,
        **A,
    )


def said(*parts, **asked):
    """What is said about parts, and the numbers behind it."""
    made = compose_release(release_of(*parts), **asked)
    return list(zip(readings(made), made.readings, strict=True))


@pytest.mark.parametrize("part", [Part(PureDP(0.1, **A), 30), Part(ApproxDP(0.2, 1e-9, **A), 7)])
def test_a_narrow_bracket_is_one_number_on_the_safe_side(part):
    for line, reading in said(part, delta=[1e-6, 1e-3], epsilon=[0.5, 1.0]):
        match = re.search(r" at most (\S+), whatever is computed from them later\.", line)
        assert match, line
        assert reading.upper <= float(match[1]) <= reading.upper * (1 + 1e-5)
        assert line.startswith(f"Together, these {part.count} parts satisfy (ε, δ)-DP at ")


@pytest.mark.parametrize(("low", "wide"), [(1.25, True), (1.2999, True), (1.299995, False)])
def test_both_ends_of_a_wide_bracket_are_rounded_outwards(low, wide):
    """Where the two ends look the same, the safe one is said alone."""
    high = 1.2999951
    made = compose_release(release_of(Part(PureDP(0.1, **A), 30)), delta=[1e-6])
    asked = [("delta", 1e-6, "epsilon"), ("level", 0.05, "power"), ("confidence", 0.95, "loss")]
    found = tuple(Reading(*each, low, high, SOURCE) for each in asked)
    promise, power, shift = readings(replace(made, readings=found))
    assert (f"between {low:.6g} and 1.3," in promise) == wide
    assert ("with ε at most 1.3," in promise) != wide
    for line, unit in ((power, ""), (shift, " nats")):
        assert f"at most 1.3{unit}" in line
        assert (f"(no bound below {low:.6g} holds)" in line) == wide


def test_power_and_log_odds():
    (power, first), (shift, second) = said(
        Part(PureDP(0.1, **A), 30), level=[0.05], confidence=[0.95]
    )
    for line, reading in ((power, first), (shift, second)):
        high, unit = re.search(r"at most (\S+?)( nats)?, whatever", line).groups()
        assert reading.upper <= float(high) <= reading.upper * (1 + 1e-5)
        assert (unit is not None) == (reading.quantity == "loss")
    assert "A test of two neighboring datasets at level 0.05 has a power of" in power
    assert shift.startswith("With probability at least 0.95, the log-odds move by")


def test_without_a_lower_end():
    """An upper bound is called one; so is an exact number, which has no interval."""
    ((line, _),) = said(Part(ZeroConcentratedDP(0.1, **A), 3), delta=[1e-6])
    assert "with ε at most" in line
    ((line, _),) = said(Part(GaussianDP(0.1, **A), 4), epsilon=[0.1])
    assert re.search(r"with δ = \d", line)
    assert "between" not in line


def test_one_release_and_none_that_is_kept():
    ((line, _),) = said(Part(PureDP(0.1, **A)), delta=[0.0])
    assert line == (
        "This release satisfies (ε, δ)-DP at δ = 0 with ε = 0.1, "
        "whatever is computed from it later."
    )
    ((line, _),) = said(Part(GaussianDP(0.1, **A)), delta=[0.0])
    assert line == "No finite ε holds at δ = 0."
    ((line, _),) = said(Part(ZeroConcentratedDP(0.1, **A)), delta=[0.0])
    assert line == "No finite ε holds at δ = 0."
    ((line, _),) = said(Part(ApproxDP(0.1, 0.1, **A), 3), confidence=[0.99])
    assert line == "With probability at least 0.99, no bound on the log-odds holds."


def test_no_forbidden_words():
    asked = {"delta": [1e-6, 0.0], "epsilon": [1.0], "level": [0.05], "confidence": [0.9]}
    for part in (
        Part(PureDP(0.1, **A), 3),
        Part(ApproxDP(0.1, 0.01, **A), 3),
        Part(GaussianDP(0.1, **A)),
    ):
        for line, _ in said(part, **asked):
            assert not FORBIDDEN.search(line), line
            assert line[0].isupper() and line.endswith(".")


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (None, 1.0, "upper bound"),
        (1.0, 1.0, "exact"),
        (math.inf, math.inf, "exact"),
        (0.0, 0.0, "exact"),
        (0.0, 1e-9, "upper bound"),
        (1.0, math.inf, "upper bound"),
        (1.0 - 1e-12, 1.0, "12 digits"),
        (0.98, 1.0, "within a factor of 1.1"),
        (0.5, 1.0, "within a factor of 2"),
        (1e-20, 3e-19, "within a factor of 30"),
    ],
)
def test_width(low, high, words):
    found = width(Reading("delta", 1e-6, "epsilon", low, high, SOURCE))
    if words == "12 digits":
        assert found in ("11 digits", "12 digits")
    else:
        assert found == words
