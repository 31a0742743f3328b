"""Warnings where a number would be read as more than it is: what tools do, and what it changes.

Noise in float32 has a largest value: torch draws normal numbers by Box-Muller from uniform numbers
of 24 bits, jax by the inverse error function. A result beyond it is possible with the record only.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from dprisk._numeric.normal import ndtr
from dprisk.releases.notes import Note
from dprisk.text import english, has
from dprisk.text.rounding import at_least

BITS: Final = 24  # of a uniform float32
TORCH_END: Final = math.sqrt(2.0 * BITS * math.log(2.0))  # standard deviations: 5.7681
JAX_END: Final = 5.419983  # standard deviations
FEW: Final = 3.0  # standard deviations: beyond, radii are counted one by one
SMALL: Final = 1e-10  # delta, below which accountants on grids were seen below the truth


class Floors(NamedTuple):
    """The least delta, whatever the epsilon, of normal noise as it is drawn in float32."""

    torch: float
    jax: float


def floors(noise: float, rate: float, steps: int) -> Floors:
    """The least delta of so many steps: of one, the chance of an output beyond the largest.

    Parameters
    ----------
    noise : float
        Standard deviation over the distance of the neighbors. (0, inf)
    rate : float
        Chance of the record to be in a batch. (0, 1]
    steps : int
        How many. [1, 10^9]

    Returns
    -------
    Floors
        For the noise of torch on a CPU and of jax.
    """
    ones = (_beyond_torch(TORCH_END - 1.0 / noise), _beyond_jax(JAX_END - 1.0 / noise))
    return Floors(*(-math.expm1(steps * math.log1p(-min(rate * one, 1.0 - 1e-16))) for one in ones))


def _beyond_torch(start: float) -> float:
    """Chance of r cos(angle) above, r^2 = -2 log(k / 2^24) for k one of 1, 2, ..., 2^24."""
    if start < FEW:
        return float(ndtr(-start))
    most = math.floor(2.0**BITS * math.exp(-start * start / 2.0))
    radius = np.sqrt(-2.0 * np.log(np.arange(1.0, most + 1.0) / 2.0**BITS))
    angles = np.arccos(np.minimum(start / radius, 1.0)) / math.pi
    return float(angles.sum()) / 2.0**BITS


def _beyond_jax(start: float) -> float:
    """The chance of a normal number; there are 2^23, and the largest is not rarer than one."""
    return max(float(ndtr(-start)), 2.0 ** (1 - BITS)) if start < JAX_END else 0.0


def about_noise(noise: float, rate: float, steps: int) -> list[Note]:
    """That no delta below some number holds for noise that is drawn in float32."""
    found = floors(noise, rate, steps)
    words = {"torch": at_least(found.torch, 2), "jax": at_least(found.jax, 2)}
    return [_caution("float32", **words)] if found.torch > 0.0 else []


def about_batches(sampling: str, batch_size: int | None) -> list[Note]:
    """That batches of one size, or with a largest one, are not what the word of sampling means."""
    if sampling != "poisson":
        return [_caution(sampling)] if has(f"releases.cautions.{sampling}") else []
    size = "" if batch_size is None else ".size"
    return [_caution(f"poisson{size}", batch=batch_size)]


def about_small_delta(delta: float) -> list[Note]:
    """That accountants on grids were seen below the truth at such a delta."""
    return [_caution("small-delta", delta=f"{delta:g}")] if 0.0 < delta <= SMALL else []


def _caution(about: str, **words: object) -> Note:
    return Note("warning", english(f"releases.cautions.{about}", **words))
