"""P0 Example A.1, P1 Example 4.9 and P2 Theorems 3.2 and 3.3: the printed mechanisms."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest

from dprisk.audit import Growth
from dprisk.papers.constructions import (
    limited_difference,
    two_responses,
)
from dprisk.papers.on_numbers import fixed_delta
from tests.oracles import finite


def most(made, f, *arguments):
    rows = [tuple(row) for row in made.exact()]
    return max(f(pair, *arguments) for pair in itertools.permutations(rows, 2))


@pytest.mark.parametrize("r", [Fraction(11, 10), Fraction(3, 2), Fraction(5, 2), Fraction(29, 10)])
def test_example_a_1(r):
    """P0: beliefs move by at most (r - 1)/(r + 1) with probability 1 - delta, at every prior."""
    delta = Fraction(1, 10)
    made = limited_difference(Growth(r * r), delta)
    big = (3 * r - 1) / (3 - r)
    assert made.parameters["B"] == big > r * r
    limit = (r - 1) / (r + 1)
    pair = tuple(tuple(row) for row in made.mechanism.exact())
    for prior in [Fraction(n, 200) for n in range(201)]:
        for drawn in pair:  # with the target, and without
            far = Fraction(0)
            for chance, x, y in zip(drawn, *pair, strict=True):
                moved = prior * x / (prior * x + (1 - prior) * y) - prior
                far += chance if abs(moved) > limit else 0
            assert far <= delta
    tails = finite.tail_both(pair, r * r)
    assert tails == delta * (1 + 1 / big) > delta


@pytest.mark.parametrize("b", [Fraction(3, 2), Fraction(3), Fraction(50)])
def test_example_4_9(b):
    """Tails above half the loss: none, (b/(1+b))^2, b/(1+b), as the paper has them."""
    made = two_responses(Growth(b))
    assert made.verified()
    half = max(Fraction(1), b / 2)
    share = b / (1 + b)
    assert most(made.mechanism, finite.tail_one, half) == share**2
    assert most(made.map.apply(made.mechanism), finite.tail_one, half) == share
    whole = made.mechanism.merged({"1": made.mechanism.outputs})
    assert most(whole, finite.tail_one, half) == 0


@pytest.mark.parametrize("delta", [Fraction(1, 10), Fraction(1, 1000)])
@pytest.mark.parametrize(("b", "beyond"), [(2, 3), (Fraction(11, 10), 50), (2, Fraction(11, 10))])
def test_p2_theorem_3_2(b, beyond, delta):
    """n, q and p of the proof; an eps-hat that is too small is replaced by a larger one first."""
    made = fixed_delta(Growth(b), delta, beyond=Growth(beyond))
    c = max(Fraction(beyond), b / (1 - delta) * Fraction(1001, 1000))
    n = math.ceil((c + b) * (1 - delta) / delta)
    q = (2 - delta) / (2 * (n - 1) + c + b)
    assert [made.parameters[name] for name in "nqp"] == [n, q, (c * q + b * q + delta) / 2]
    assert most(made.mechanism, finite.profile, Fraction(b)) <= delta
    assert most(made.mechanism, finite.tail_one, Fraction(beyond)) == made.parameters["p"] > delta
