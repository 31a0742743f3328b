"""What comes out of a mechanism on two neighbors, where that lies on a line: to be drawn."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from dprisk._numeric.logspace import Floats

POINTS: Final = 801
MOST_OUTPUTS: Final = 400  # outputs with probabilities


class Outputs(NamedTuple):
    """Probabilities or densities of an output on both neighbors, and which outputs to look at."""

    first: Callable[[Floats], Floats]
    second: Callable[[Floats], Floats]
    x: Floats
    discrete: bool = False


class Noise(NamedTuple):
    """Probability or density of noise, and how far out to look at it."""

    at: Callable[[Floats], Floats]
    reach: float


def normal(sigma: float, peak: float | None = None) -> Noise:
    """Normal noise, or what is as high at 0 as `peak`."""
    high = 1.0 / (sigma * math.sqrt(2.0 * math.pi)) if peak is None else peak
    return Noise(lambda x: high * np.exp(-np.square(x / sigma) / 2.0), 3.6 * sigma)


def laplace(scale: float, peak: float | None = None) -> Noise:
    """Laplace noise, or what is as high at 0 as `peak`."""
    high = 1.0 / (2.0 * scale) if peak is None else peak
    return Noise(lambda x: high * np.exp(-np.abs(x) / scale), 6.0 * scale)


def added(noise: Noise, sensitivity: float) -> Outputs:
    """Noise with a density, added to `sensitivity` and to 0; both peaks are looked at."""
    ends = np.linspace(-noise.reach, sensitivity + noise.reach, POINTS - 2)
    x = np.sort(np.concatenate([ends, [0.0, sensitivity]]))
    return Outputs(lambda x: noise.at(x - sensitivity), noise.at, x)


def counted(noise: Noise, sensitivity: int) -> Outputs:
    """Noise of whole numbers, likewise; of very many some."""
    reach = float(max(1, math.ceil(noise.reach)))
    x = np.arange(-reach, sensitivity + reach + 1.0)
    x = x if x.size <= MOST_OUTPUTS else np.unique(np.linspace(x[0], x[-1], MOST_OUTPUTS).round())
    return Outputs(lambda x: noise.at(x - sensitivity), noise.at, x, discrete=True)
