"""Rows in which nothing is special: the same bits as where everything may be."""

from __future__ import annotations

import numpy as np
import pytest

from dprisk._numeric.envelope import widened
from dprisk._numeric.odds import (
    LEAST_FACTOR,
    largest_ratios,
    ordinary_bounds,
    posteriors,
    stay,
    steepest,
)

TINY, MOST = np.nextafter(LEAST_FACTOR, 1.0), 1.0 - 2.0**-53
ORDINARY = {
    "prior": [TINY, 1e-17, 0.5, 1.0 - 1e-9, MOST],
    "epsilon": [0.0, 5e-324, 1e-300, 1e-9, 1.0, 30.0, 160.0],
    "delta": [TINY, 1e-17, 1e-6, 0.01],
    "failure": [0.010000000000000002, 0.05, 0.5, 1.0],
}
SPECIAL = {
    "prior": [0.0, 1.0, 5e-324, np.nan],
    "epsilon": [200.0, 800.0, np.inf, np.nan],
    "delta": [0.0, 5e-324, 0.05, 0.2, np.nan],
    "failure": [0.0, 0.01, np.nan],
}


def in_general(prior, epsilon, delta, failure):
    loss = widened(epsilon, delta, failure, np.exp(-epsilon))
    kept = stay(loss)
    ratio = largest_ratios(prior, 1.0 - prior, kept)
    return [*posteriors(prior, kept), ratio, steepest(loss)]


def test_every_combination_has_the_bits_of_the_general_functions():
    columns = [each.ravel().copy() for each in np.meshgrid(*ORDINARY.values())]
    out = [np.empty(columns[0].size) for _ in range(4)]
    assert ordinary_bounds(*columns, out)
    for found, expected in zip(out, in_general(*columns), strict=True):
        assert found.tobytes() == expected.tobytes()


def test_random_rows_and_constants_too():
    rng, number = np.random.default_rng(12), 20_000
    columns = [
        rng.random(number) + 1e-12,
        rng.exponential(3.0, number),
        10.0 ** rng.uniform(-90, -3, number),
        rng.uniform(0.001, 1.0, number),
    ]
    columns[0] = np.minimum(columns[0], MOST)
    out = [np.empty(number) for _ in range(4)]
    for one in range(-1, 4):
        given = [np.array(c[0]) if i == one else c for i, c in enumerate(columns)]
        assert ordinary_bounds(*given, out)
        for found, expected in zip(out, in_general(*given), strict=True):
            assert found.tobytes() == np.broadcast_to(expected, (number,)).tobytes()


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in SPECIAL.items() for value in values]
)
def test_one_special_row_is_noticed(name, value):
    usual = {"prior": 0.3, "epsilon": 1.0, "delta": 0.05 if name == "failure" else 1e-6}
    rows = {key: np.full(3, each) for key, each in {**usual, "failure": 0.05}.items()}
    if name == "failure":
        rows["failure"] += 0.01
    rows[name][1] = value
    assert not ordinary_bounds(*rows.values(), [np.empty(3) for _ in range(4)])
