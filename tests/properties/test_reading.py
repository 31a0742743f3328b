"""Reading changes nothing: an answer is the same whatever was asked before."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dprisk import ApproxDP, ZeroConcentratedDP, mechanisms
from dprisk.composition import compose
from tests.properties.zoo import QUESTIONS

A: Any = {"neighbors": "add-remove"}
LAPLACE = mechanisms.Laplace(10.0, 1.0, **A)
GAUSSIAN = mechanisms.Gaussian(10.0, 1.0, **A)
INTEGERS = [mechanisms.DiscreteGaussian(sigma, step, **A) for sigma, step in ((15.0, 3), (9.0, 1))]
STEP = mechanisms.SubsampledGaussian(sigma=1.0, sensitivity=1.0, rate=0.01, **A)
APPROXIMATE = ApproxDP(0.1, 1e-6, **A)

SUMS = {
    "Laplace": ([LAPLACE], [7]),
    "Laplace, very often": ([LAPLACE], [3000]),
    "Laplace and Gaussian": ([LAPLACE, GAUSSIAN], [10, 10]),
    "discrete Gaussian": (INTEGERS[:1], [5]),
    "discrete Gaussian and Gaussian": ([INTEGERS[0], GAUSSIAN], [5, 2]),
    "discrete Gaussian and a promise": ([INTEGERS[0], APPROXIMATE], [5, 3]),
    "promises": ([APPROXIMATE, ApproxDP(0.0313, 1e-7, **A)], [300, 400]),
    "zCDP and a promise": ([ZeroConcentratedDP(0.1, **A), APPROXIMATE], [2, 3]),
    "subsampled Gaussian": ([STEP], [100]),
}


def some_questions(guarantee, rng, number):
    """Names and arguments: single ones and lists, and single ones that were in a list."""
    found: list[tuple[str, Any]] = []
    names = [name for name in QUESTIONS if guarantee.own or not name.endswith("raw")]
    for _ in range(number):
        name, size = str(rng.choice(names)), int(rng.choice([1, 1, 1, 2, 5, 9, 20]))
        of_loss = name == "delta" or name.startswith("tail")
        x = rng.uniform(0.0, 2.5, size) if of_loss else 10.0 ** rng.uniform(-8.0, -0.1, size)
        found.append((name, x if size > 1 else float(x[0])))
    return found + [(name, float(x[0])) for name, x in found if not isinstance(x, float)]


@pytest.mark.parametrize("name", SUMS)
def test_answers_do_not_depend_on_what_was_asked_before(name):
    """Bit for bit, both ends, in two orders and each of a few alone."""
    rng = np.random.default_rng(list(name.encode()))
    one, two = (compose(*SUMS[name]).guarantee for _ in range(2))
    questions = some_questions(one, rng, 14)
    first = [QUESTIONS[name](one, x).bracket for name, x in questions]
    for at in rng.permutation(len(questions)):
        asked, x = questions[at]
        again = QUESTIONS[asked](two, x).bracket
        assert all(map(np.array_equal, first[at], again)), (asked, x, first[at], again)
    for at in rng.choice(len(questions), 2):
        asked, x = questions[at]
        alone = QUESTIONS[asked](compose(*SUMS[name]).guarantee, x).bracket
        assert all(map(np.array_equal, first[at], alone)), (asked, x, first[at], alone)


def test_a_list_before_changes_no_tail():
    """Ten times Laplace noise with ten times normal noise."""
    fresh, used = (compose([LAPLACE, GAUSSIAN], [10, 10]).guarantee for _ in range(2))
    used.tail(np.linspace(0.5, 0.9, 12))
    assert used.tail(1.0).bracket == fresh.tail(1.0).bracket
