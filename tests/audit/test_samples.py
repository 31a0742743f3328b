"""Lower bounds from samples: valid as often as they say, and not far below the truth."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from scipy import stats

from dprisk.audit import black_box, read_samples
from dprisk.audit.samples import _least, _most
from dprisk.errors import InvalidFile, InvalidInput, OutOfRange


def laplace(seed, size, shift=1.0):
    rng = np.random.default_rng(seed)
    return rng.laplace(0, 1, size), rng.laplace(shift, 1, size)


def test_clopper_and_pearson():
    """As scipy has them, from the quantiles of beta distributions."""
    for hits, total in ((0, 50), (1, 50), (17, 50), (50, 50)):
        low, high = (f(np.array([hits]), np.array([total]), 0.01)[0] for f in (_least, _most))
        test = stats.binomtest(hits, total).proportion_ci(0.98, method="exact")
        assert low == pytest.approx(test.low, rel=1e-6, abs=1e-12)
        assert high == pytest.approx(test.high, rel=1e-6)


def test_bounds_are_below_the_truth_and_near_it():
    """Laplace noise at epsilon 1: each bound is at least most of the truth, and no more."""
    found = black_box(*laplace(3, 200_000), delta=[0.0, 0.01], epsilon=[0.0], level=[0.05])
    epsilon, at_delta, half, power = (float(one.answer) for one in found.findings)
    truth = 1 - math.exp(-0.5)  # the profile of Laplace noise at epsilon 0
    assert 0.9 < epsilon <= 1.0
    assert 0.9 < at_delta <= 1.0
    assert 0.97 * truth < half <= truth
    assert 0.9 * 0.05 * math.e < power <= 0.05 * math.e
    assert all(one.answer.bound == "lower" for one in found.findings)
    assert json.dumps(found.to_dict(), allow_nan=False)


def test_confidence_is_kept():
    """Of many audits of a mechanism without any loss, few claim some (80 percent were promised)."""
    wrong = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        first, second = rng.integers(0, 6, 200), rng.integers(0, 6, 200)
        found = black_box(first, second, delta=[0.0], confidence=0.8, seed=seed)
        wrong += float(found.findings[0].answer) > 0.0
    assert wrong <= 40


def test_labels_and_direction():
    """Outputs that are words; the likelier run is named, and so is the set."""
    rng = np.random.default_rng(0)
    first = rng.choice(["no", "yes"], 4000, p=[0.2, 0.8])
    second = rng.choice(["no", "yes"], 4000, p=[0.8, 0.2])
    found = black_box(first, second, delta=[0.0], names=("with", "without"))
    (one,) = found.findings
    assert 1.1 < float(one.answer) <= math.log(4)
    assert (one.likelier, one.rule) in {("with", "one of yes"), ("without", "one of no")}
    assert one.held_out == (2000, 2000)
    assert "not proof" in " ".join(found.assumptions)


def test_the_split_is_the_seed():
    """The same seed the same bounds; another seed another split."""
    runs = laplace(1, 2000)
    same = [black_box(*runs, delta=[0.0], seed=seed).to_dict() for seed in (4, 4, 5)]
    assert same[0] == same[1] != same[2]


def test_impossible_outputs():
    """What only one run puts out bounds delta at every epsilon, and epsilon at delta 0."""
    first, second = np.repeat([0, 1], [800, 200]), np.zeros(1000)
    found = black_box(first, second, delta=[0.0], epsilon=[1.0])
    epsilon, delta = (float(one.answer) for one in found.findings)
    assert 2.0 < epsilon < math.inf
    assert 0.0 < delta < 0.2


def test_nothing_to_see():
    """One single output: no bound above what is trivial."""
    found = black_box(np.ones(50), np.ones(60), delta=[0.0], epsilon=[0.0], level=[0.1])
    assert [float(one.answer) for one in found.findings] == [0.0, 0.0, 0.1]


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"first": np.ones(5)}, InvalidInput, "first run"),
        ({"second": [float("nan")] * 20}, InvalidInput, "nan"),
        ({"delta": []}, InvalidInput, "a question"),
        ({"delta": [2.0]}, OutOfRange, "delta"),
        ({"confidence": 1.0}, OutOfRange, "confidence"),
        ({"seed": -1}, InvalidInput, "seed"),
    ],
)
def test_bad_input(settings, error, words):
    """Refused before anything is counted."""
    given = {"first": np.arange(20), "second": np.arange(20), "delta": [0.0], **settings}
    with pytest.raises(error, match=words):
        black_box(**given)


def test_files(tmp_path):
    """Two columns, a heading or none, one run shorter than the other."""
    path = tmp_path / "runs.csv"
    path.write_text("1,2\n3,\n", encoding="utf-8")
    assert read_samples(path) == (["1", "3"], ["2"], ("first", "second"))
    path.write_text("1,2,3\n", encoding="utf-8")
    with pytest.raises(InvalidFile, match="line 1"):
        read_samples(path)
