"""Batches against the closed form of one step, and against data written out, made without the
package."""

from __future__ import annotations

import math
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr

from dprisk.composition import compose
from dprisk.errors import InvalidInput
from dprisk.guarantees import GaussianDP
from dprisk.mechanisms import FixedBatches, SubsampledGaussian, TruncatedPoisson

A: Any = {"neighbors": "add-remove"}
R: Any = {"neighbors": "replace-one"}
X = np.linspace(-40.0, 40.0, 40001)
EPSILONS = (0.0, 0.05, 0.2, 0.7, 1.5)


def normal(mean):
    return np.exp(-((X - mean) ** 2) / 2.0) / math.sqrt(2.0 * math.pi)


def delta(p, q, x):
    return float(np.maximum(p - math.exp(x) * q, 0.0).sum() * (X[1] - X[0]))


def amplified(mu, rate, x):
    limit = math.log1p(math.expm1(x) / rate)
    tails = ndtr(mu / 2.0 - limit / mu) - math.exp(limit) * ndtr(-mu / 2.0 - limit / mu)
    return rate * tails


@pytest.mark.parametrize(("mu", "batch", "records"), [(1.0, 1, 4), (0.5, 10, 1000), (3.0, 7, 9)])
def test_one_step_has_the_closed_form(mu, batch, records):
    loss = FixedBatches(1.0, mu, batch, records, **R).loss()
    for x in EPSILONS:
        low, high = loss.delta(x).bracket
        truth = amplified(mu, batch / records, x)
        assert low * (1.0 - 1e-8) <= truth <= high * (1.0 + 1e-8) + 1e-14
        assert high - low < 1e-3 * truth + 1e-9


def fixed(records, size):
    """Density of the output for records on a line."""
    sums = [sum(each) for each in combinations(records, size)]
    return sum(normal(each) for each in sums) / len(sums)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_no_data_tell_more_than_the_bound(size):
    """All data of four records at -1/2, 0 or 1/2 and their neighbors: sums are 1 apart at most."""
    loss = FixedBatches(1.0, 1.0, size, 4, **R).loss()
    for others in product([-0.5, 0.0, 0.5], repeat=3):
        p, q = fixed((*others, 0.5), size), fixed((*others, -0.5), size)
        for x in EPSILONS:
            assert max(delta(p, q, x), delta(q, p, x)) <= loss.delta(x).value + 3e-8


def test_two_steps_that_lie_either_way():
    """The record is worth more in one step, what replaces it in the other."""
    mu, rate = 1.0, 0.25
    both = FixedBatches(1.0, mu, 1, 4, **R)
    whole = compose([both], [2]).guarantee
    grid = np.linspace(-12.0, 12.0, 2401)
    density = np.exp(-(grid**2) / 2.0) / math.sqrt(2.0 * math.pi)
    moved = np.exp(-((grid - mu) ** 2) / 2.0) / math.sqrt(2.0 * math.pi)
    mixed = (1.0 - rate) * density + rate * moved
    p, q = np.multiply.outer(mixed, density), np.multiply.outer(density, mixed)
    same, other = np.multiply.outer(mixed, mixed), np.multiply.outer(density, density)
    area = (grid[1] - grid[0]) ** 2
    for x in EPSILONS:
        seen = [(a - math.exp(x) * b).clip(0.0).sum() * area for a, b in ((p, q), (same, other))]
        low, high = whole.delta(x).bracket
        assert max(seen) <= high + 1e-9
        assert low <= max(seen) + 1e-7


def test_under_add_remove():
    fixed_size = FixedBatches(1.0, 1.0, 600, 60_000, **A)
    poisson = SubsampledGaussian(1.0, 1.0, 0.01, **A)
    assert fixed_size.loss().delta(0.1).value == pytest.approx(
        poisson.loss().delta(0.1).value, rel=1e-9
    )


def test_below_other_tools():
    """dp_accounting says 3.576 for sampling without replacement, by Rényi DP."""
    low, high = (
        compose([FixedBatches(1.0, 1.0, 600, 60_000, **R)], [1000]).guarantee.epsilon(1e-5).bracket
    )
    assert 1.828 < low < high < 3.576


def test_all_records():
    assert FixedBatches(2.0, 1.0, 5, 5, **R).guarantee() == GaussianDP(0.5, **R)


def truncated(others, record, rate, cap):
    """Density of the output for others on a line, and one more record or None."""
    records = others if record is None else (*others, record)
    total = np.zeros_like(X)
    for drawn in product([0, 1], repeat=len(records)):
        chance = math.prod(rate if d else 1.0 - rate for d in drawn)
        some = [r for r, d in zip(records, drawn, strict=True) if d]
        kept = list(combinations(some, min(cap, len(some))))
        total += chance * sum(normal(sum(each)) for each in kept) / len(kept)
    return total


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("cap", [1, 2, 3])
def test_no_data_tell_more_with_a_cap(rate, cap):
    step = TruncatedPoisson(1.0, 1.0, rate, cap, 4, **A)
    loss = step.loss()
    for others in ((-1.0, -1.0, -1.0), (0.0, 0.0, 0.0), (-1.0, 0.0, 1.0)):
        p, q = truncated(others, 1.0, rate, cap), truncated(others, None, rate, cap)
        for x in EPSILONS:
            low, high = loss.delta(x).bracket
            seen = max(delta(p, q, x), delta(q, p, x))
            assert seen <= high + 3e-8
            if others == (0.0, 0.0, 0.0):
                assert low <= seen + 1e-7


@pytest.mark.parametrize(("cap", "theirs"), [(600, 11.11), (650, 5.168), (700, 1.8795)])
def test_a_cap_at_the_mean_costs(cap, theirs):
    """dp_accounting, which puts replacement in the place of a record pushed out, says no less."""
    step = TruncatedPoisson(1.0, 1.0, 0.01, cap, 60_000, **A)
    assert compose([step], [1000]).guarantee.epsilon(1e-5).value < theirs
    assert step.loss().delta(0.1).value > SubsampledGaussian(1.0, 1.0, 0.01, **A).loss().delta(
        0.1
    ).value * (1.0 - 1e-3)


def test_out_of_reach():
    step, plain = TruncatedPoisson(1.0, 1.0, 0.5, 9, 9, **A), SubsampledGaussian(1.0, 1.0, 0.5, **A)
    assert step.loss().delta(0.3).value == plain.loss().delta(0.3).value


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: FixedBatches(1.0, 1.0, 5, 4, **R), "batch"),
        (lambda: FixedBatches(1.0, 1.0, 0, 4, **R), "batch"),
        (lambda: FixedBatches(1.0, 20.0, 1, 4, **R).losses(), "sensitivity"),
        (lambda: TruncatedPoisson(1.0, 1.0, 0.0, 4, 9, **A), "rate"),
        (lambda: TruncatedPoisson(1.0, 1.0, 0.1, 0, 9, **A), "cap"),
        (lambda: TruncatedPoisson(1.0, 1.0, 0.1, 4, 9, **R), "neighbors"),
    ],
)
def test_refused(make, name):
    with pytest.raises(InvalidInput, match=name):
        make()
