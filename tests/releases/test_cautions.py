"""The least delta of noise in float32, by other sums; and what is warned of."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mpmath import mp, mpf, workdps

from dprisk.releases.cautions import (
    JAX_END,
    TORCH_END,
    about_batches,
    about_noise,
    about_small_delta,
    floors,
)


def tail(x):
    return mp.erfc(mpf(x) / mp.sqrt(2)) / 2


def test_the_ends_are_those_of_the_uniform_numbers():
    """Of 24 bits; jax: the inverse of the error function at the largest float32 below 1."""
    assert pytest.approx(5.7681075, abs=1e-7) == TORCH_END
    assert float(tail(JAX_END)) == pytest.approx(2.0**-25, rel=1e-4)


def test_one_step_without_sampling():
    """The numbers that were seen in 10^9 draws: 9.3e-7 and 4.9e-6."""
    found = floors(1.0, 1.0, 1)
    assert found.torch == pytest.approx(float(tail(TORCH_END - 1.0)), rel=1e-2)
    assert found.torch < float(tail(TORCH_END - 1.0))
    assert found.jax == pytest.approx(float(tail(JAX_END - 1.0)), rel=1e-9)


@pytest.mark.parametrize("noise", [0.2, 0.5, 1.0, 1.1, 2.0, 5.0, 50.0, 1e6])
def test_torch_by_a_simulation_of_its_radii(noise):
    """Radii by their 24 bits, angles by quadrature on a fine grid."""
    start = TORCH_END - 1.0 / noise
    k = np.arange(1, 2**24 + 1)
    radius = np.sqrt(-2.0 * np.log(k / 2.0**24))
    far = radius[radius > start] if start > 0 else radius
    if start > 2.9:
        angles = np.cos((np.arange(100_000) + 0.5) / 100_000 * math.pi)
        ordered = np.sort(angles)
        inside = 1.0 - np.searchsorted(ordered, start / far, side="right") / 100_000
        expected = float(inside.sum()) / 2.0**24
        assert floors(noise, 1.0, 1).torch == pytest.approx(expected, rel=2e-2, abs=1e-14)
    else:
        assert floors(noise, 1.0, 1).torch == pytest.approx(float(tail(start)), rel=1e-9)


@pytest.mark.parametrize(("rate", "steps"), [(1.0, 1), (0.01, 5000), (1e-9, 10**9), (1.0, 10**9)])
def test_steps_add_up(rate, steps):
    one, many = floors(1.1, 1.0, 1), floors(1.1, rate, steps)
    for each, found in zip(one, many, strict=True):
        with workdps(50):
            expected = 1 - mp.power(1 - mpf(rate) * mpf(each), steps)
        assert found == pytest.approx(float(expected), rel=1e-6)
        assert 0.0 < found <= 1.0


def test_the_note_says_the_numbers_of_the_run():
    (note,) = about_noise(1.0, 1.0, 1)
    assert note.kind == "warning" and "9.2e-7" in note.text and "4.9e-6" in note.text


def test_batches_of_one_size_are_not_poisson():
    (note,) = about_batches("poisson", 256)
    assert "256" in note.text
    (note,) = about_batches("poisson", None)
    assert "shuffle" in note.text
    assert about_batches("full-batch", None) == []
    assert "push out" in about_batches("truncated-poisson", 600)[0].text


@pytest.mark.parametrize(
    ("delta", "warned"), [(1e-10, True), (1e-12, True), (1e-9, False), (0, False)]
)
def test_a_small_delta_of_another_tool(delta, warned):
    assert bool(about_small_delta(delta)) == warned
