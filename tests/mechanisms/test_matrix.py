"""Sensitivities of matrix mechanisms against all sets of steps, and all signs of contributions."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest

from dprisk.errors import InvalidInput
from dprisk.mechanisms import Gaussian, MatrixGaussian, TreeAggregation, matrix
from dprisk.mechanisms.matrix import Products, largest_sum
from dprisk.releases import Part, Release, read_releases, write_release

A: Any = {"neighbors": "add-remove"}
TREE = Path(__file__).parents[3] / "shared" / "data" / "tools" / "more" / "dp-accounting-tree.txt"


def sets(steps, most, apart):
    for count in range(1, most + 1):
        for found in itertools.combinations(range(steps), count):
            if all(b - a >= apart for a, b in itertools.pairwise(found)):
                yield list(found)


def largest(strategy, most, apart):
    """Squares over all sets: of contributions that are all the same, and of all signs."""
    same = signed = Fraction(0)
    exact = [[Fraction(float(x)) for x in row] for row in strategy]
    for steps in sets(len(exact[0]), most, apart):
        for signs in itertools.product((1, -1), repeat=len(steps) - 1):
            total = [
                sum(sign * row[i] for sign, i in zip((1, *signs), steps, strict=True))
                for row in exact
            ]
            square = sum(each * each for each in total)
            signed = max(signed, square)
            same = max(same, square) if all(sign == 1 for sign in signs) else same
    return same, signed


def strategies(random, steps):
    yield random.random((steps, steps)), True
    yield random.normal(size=(steps + 1, steps)), False
    yield np.tril(random.integers(0, 3, (steps, steps))) + np.eye(steps), True
    yield np.tril(np.triu(random.random((steps, steps)), -1)), True  # two diagonals


@pytest.mark.parametrize("few", [10**5, 0])
@pytest.mark.parametrize("most", [1, 2, 3])
@pytest.mark.parametrize("apart", [1, 2, 4])
def test_brackets_hold_all_sets_and_signs(monkeypatch, few, most, apart):
    monkeypatch.setattr(matrix, "FEW", few)
    random = np.random.default_rng(most + 10 * apart)
    for steps in (4, 7):
        for strategy, positive in strategies(random, steps):
            made = MatrixGaussian(1.0, 1.0, strategy, most, apart, **A)
            low, high = (Fraction(each) ** 2 for each in made._mu)
            same, signed = largest(strategy, most, apart)
            if most > 1:
                assert float(low) <= float(signed) * (1.0 + 1e-15) and signed <= high
            assert float(same) <= float(high) * (1.0 + 1e-15)
            if positive and (few or most == 1):
                assert float(high) == pytest.approx(float(same), rel=1e-12)


def test_orthogonal_columns_and_falling_diagonals_are_exact():
    random = np.random.default_rng(4)
    banded = np.tril(np.triu(random.random((60, 60)), -4)) + np.eye(60)
    low, high = MatrixGaussian(1.0, 1.0, banded, 7, 5, **A)._mu
    assert low == pytest.approx(high, rel=1e-12)
    root = np.cumprod([1.0, *((2 * k - 1) / (2 * k) for k in range(1, 300))])
    low, high = MatrixGaussian(1.0, 1.0, root, 6, 50, **A)._mu
    assert low == pytest.approx(high, rel=1e-11)
    full = [[root[i - j] if i >= j else 0.0 for j in range(300)] for i in range(300)]
    columns = np.array(full)[:, [0, 50, 100, 150, 200, 250]].sum(axis=1)
    assert high == pytest.approx(np.linalg.norm(columns), rel=1e-12)
    assert MatrixGaussian(1.0, 1.0, full, 6, 50, **A)._mu == pytest.approx((low, high), rel=1e-11)


@pytest.mark.parametrize("leaves", [1, 2, 3, 4, 5, 7, 8, 13])
def test_a_tree_by_its_nodes(leaves):
    nodes = [
        range(first, first + size)
        for size in (1, 2, 4, 8)
        for first in range(0, leaves - size + 1, size)
    ]
    strategy = [[1.0 if leaf in node else 0.0 for leaf in range(leaves)] for node in nodes]
    for most, apart in ((1, 1), (2, 1), (2, 3), (3, 2)):
        if max(most, apart) > leaves:
            continue
        tree = TreeAggregation(3.0, 2.0, leaves, most, apart, **A)
        same, _ = largest(strategy, most, apart)
        with mpmath.workdps(40):
            known = 2 * mpmath.sqrt(mpmath.mpf(same.numerator) / same.denominator) / 3
            low, high = tree._mu
            assert known <= high <= known * (1 + mpmath.mpf(1e-15))
            assert known * (1 - mpmath.mpf(1e-15)) <= low


def test_a_tree_of_five_hundred_leaves():
    tree = TreeAggregation(sigma=8.0, sensitivity=1.0, leaves=500, **A)
    assert tree.guarantee() == Gaussian(8.0, 3.0, **A).guarantee()
    assert tree.loss().epsilon(1e-5).value == pytest.approx(1.447724, abs=1e-6)
    low, high = TreeAggregation(8.0, 1.0, 500, 10, 40, **A)._mu
    assert low < high < 1.03 * low
    if not TREE.exists():
        pytest.skip("the file of the other library is not beside the repository")
    assert "noise_multiplier=8.0, step_counts=500" in TREE.read_text("utf-8")


def test_units_and_ends():
    sums = MatrixGaussian(1e-3, 3.0, [[1.0, 0.0], [1.0, 1.0]], neighbors="replace-one")
    assert sums.guarantee().parameters["mu"] >= 3000.0 * math.sqrt(2.0)
    assert sums == MatrixGaussian(1e-3, 3.0, np.tril(np.ones((2, 2))), neighbors="replace-one")
    assert hash(sums) == hash(MatrixGaussian(1e-3, 3.0, [[1, 0], [1, 1]], neighbors="replace-one"))
    assert TreeAggregation(1.0, 1.0, 10**9, **A).guarantee().parameters["mu"] == math.sqrt(30.0)
    assert largest_sum(Products(np.ones((1, 1)), np.zeros((1, 1))), 5, 1) == (1, 1)
    twice = MatrixGaussian(1.0, 1.0, [1.0, 0.5, 0.25], participations=2, **A)
    low, high = twice.loss().delta(1.0).bracket
    assert low <= high <= low * (1.0 + 1e-9)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"strategy": [[1, 2], [1]]}, "rows of one length"),
        ({"strategy": []}, "a number that is not 0"),
        ({"strategy": [[0, 0]]}, "a number that is not 0"),
        ({"strategy": [math.nan]}, "strategy"),
        ({"strategy": [1e200]}, "squares"),
        ({"strategy": np.ones((1, 5000)), "participations": 2}, "steps at most"),
        ({"participations": 3}, "participations"),
        ({"separation": 0}, "separation"),
        ({"sigma": 0.0}, "sigma"),
    ],
)
def test_wrong_parameters_are_named(wrong, said):
    given = {"sigma": 1.0, "sensitivity": 1.0, "strategy": [1.0, 1.0], **wrong}
    with pytest.raises(InvalidInput, match=said):
        MatrixGaussian(**given, **A)
    with pytest.raises(InvalidInput, match="leaves"):
        TreeAggregation(1.0, 1.0, 5000, participations=2, **A)


@pytest.mark.parametrize("strategy", [[[1, 0], [0.5, 1]], [1, 0.5, 0.375], [3], [[1, 2.5]]])
@pytest.mark.parametrize("ending", ["yaml", "json", "toml"])
def test_a_strategy_is_written_and_read(tmp_path, strategy, ending):
    part = Part.of(MatrixGaussian(4.0, 1.0, strategy, **A))
    said = {"name": "Town", "unit": "person", "period": "once", "neighbors": "add-remove"}
    stated = {"neighbors_stated": True, "model": "central"}
    release = Release(**said, **stated, parts=(part,))
    path = tmp_path / f"town.{ending}"
    if ending == "toml":
        keys = [f"{name} = {value!r}" for name, value in {"dprisk": 1, **said}.items()]
        rows = f"sigma = 4.0\nsensitivity = 1.0\nstrategy = {strategy}\n"
        head = "\n".join([*keys, "model = 'central'"])
        path.write_text(f"{head}\n[[mechanisms]]\nkind = 'matrix-gaussian'\n{rows}", "utf-8")
    else:
        write_release(release, path)
    (again,) = read_releases(path)
    assert again.parts[0].mechanism == part.mechanism
