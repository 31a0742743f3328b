"""The outputs of a mechanism on two neighbors, and how much of one sticks out: data, not ink."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import FINITE, REAL, numbers, scalar
from dprisk._numeric.logspace import Floats, log
from dprisk._values import ends, members, result
from dprisk.answer import Answer
from dprisk.errors import refused
from dprisk.mechanisms import (
    DiscreteGaussian,
    Gaussian,
    Geometric,
    Laplace,
    Mechanism,
    PairOfDensities,
    PairOfDistributions,
    RandomizedResponse,
)

__all__ = ["TwoOutputs", "two_outputs"]

POINTS: Final = 801
MOST: Final = 400  # bars
REACH: Final = {"laplace": 6.0, "normal": 3.6}  # how far out, in widths of the noise


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class TwoOutputs:
    """Two distributions of an output, and delta as an area. Made by `two_outputs`.

    Parameters
    ----------
    name : str
        The mechanism.
    discrete : bool
        Whether outputs have probabilities; otherwise densities.
    x : ndarray
        Outputs; for categories 0, 1, 2 and so on. (-inf, inf), shape (n,)
    first, second : ndarray
        Probability or density of each on the one dataset and on the other. [0, inf], shape (n,)
    epsilon : float
        By how much the second is scaled up. [0, inf), nats
    scaled : ndarray
        The second times e^epsilon; no distribution. [0, inf], shape (n,)
    delta : Answer
        What of the first lies above `scaled` in all: the largest over both orders of the two.
    """

    name: str
    discrete: bool
    x: Floats
    first: Floats
    second: Floats
    epsilon: float
    scaled: Floats
    delta: Answer

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, and for the table behind a figure.

        Returns
        -------
        dict
            With `first`, `second` and `scaled` at each `x`; None where `scaled` is infinite.
        """
        shown = members(self, "name", "discrete", "x", "first", "second", "epsilon", "scaled")
        return {**shown, "delta": ends(self.delta.bracket)}


def two_outputs(
    mechanism: Mechanism, epsilon: float, at: npt.ArrayLike | None = None, *, name: str = ""
) -> TwoOutputs:
    """The outputs of a mechanism on its two most different neighbors, and delta as an area.

    Parameters
    ----------
    mechanism : Mechanism
        One number with noise, a response, or a pair of distributions.
    epsilon : float
        The privacy loss limit at which delta is read. [0, inf), nats
    at : array_like of float, optional
        Where to look at densities, rising. (-inf, inf), shape (n,). Left out, where they are not
        too small. Discrete outputs are looked at everywhere.
    name : str
        What it is about; left out, the mechanism.

    Returns
    -------
    TwoOutputs
        Both distributions, the scaled one, and delta in a bracket.

    Raises
    ------
    InvalidInput
        If the mechanism has no output that could be drawn, or `at` is no list.
    OutOfRange
        If `epsilon` is outside its range.

    References
    ----------
    .. [1] P4, Figure 1.

    Examples
    --------
    >>> from dprisk.curves import two_outputs
    >>> from dprisk.mechanisms import Laplace
    >>> drawn = two_outputs(Laplace(1.0, 1.0, neighbors="add-remove"), 0.5)
    >>> round(drawn.delta.value, 4), drawn.first.size
    (0.2212, 801)
    """
    e = scalar("epsilon", epsilon, FINITE)
    discrete, x, p, q = _distributions(mechanism, at)
    if _beyond(discrete, x, q, p, e) > _beyond(discrete, x, p, q, e):
        p, q = q, p
    with np.errstate(over="ignore"):
        scaled = np.exp(log(q) + e)
    x, p, q, scaled = (np.array(each, dtype=float) for each in (x, p, q, scaled))
    for array in (x, p, q, scaled):
        array.flags.writeable = False
    found = mechanism.loss().delta(e)
    return TwoOutputs(name or repr(mechanism), discrete, x, p, q, e, scaled, found)


def _distributions(
    mechanism: Mechanism, at: npt.ArrayLike | None
) -> tuple[bool, Floats, Floats, Floats]:
    """Whether it is discrete, the outputs, and both distributions."""
    if isinstance(mechanism, PairOfDistributions):
        p, q = np.array(mechanism.p), np.array(mechanism.q)
        return True, np.arange(float(p.size)), p, q
    if isinstance(mechanism, RandomizedResponse):
        shown = min(mechanism.categories, MOST)
        p = np.full(shown, math.exp(-mechanism.epsilon) * mechanism.exact_probability)
        q = p.copy()
        p[0] = q[1] = mechanism.exact_probability
        return True, np.arange(float(shown)), p, q
    if isinstance(mechanism, Geometric | DiscreteGaussian):
        x = _whole_numbers(mechanism)
        return True, x, _noise(mechanism, x - mechanism.sensitivity), _noise(mechanism, x)
    if isinstance(mechanism, Gaussian | Laplace):
        x = _real_numbers(mechanism) if at is None else _given(at)
        return False, x, _noise(mechanism, x - mechanism.sensitivity), _noise(mechanism, x)
    if isinstance(mechanism, PairOfDensities):
        x = _between(mechanism.breaks) if at is None else _given(at)
        return False, x, np.exp(mechanism.log_density_p(x)), np.exp(mechanism.log_density_q(x))
    known = mechanism.densities if isinstance(mechanism, Mechanism) else None
    if known is not None:
        x = np.linspace(*known.ends, POINTS) if at is None else _given(at)
        return False, x, known.first(x), known.second(x)
    raise refused("errors.curve.line", "mechanism", mechanism)


def _noise(mechanism: Gaussian | Laplace | DiscreteGaussian | Geometric, x: Floats) -> Floats:
    """Probability or density of noise."""
    if isinstance(mechanism, Gaussian):
        width = mechanism.sigma * math.sqrt(2.0 * math.pi)
        return np.asarray(np.exp(-np.square(x / mechanism.sigma) / 2.0) / width)
    if isinstance(mechanism, Laplace):
        return np.asarray(np.exp(-np.abs(x) / mechanism.scale) / (2.0 * mechanism.scale))
    at_zero = mechanism.exact_probability or 0.0
    if isinstance(mechanism, DiscreteGaussian):
        return np.asarray(at_zero * np.exp(-np.square(x / mechanism.sigma) / 2.0))
    return np.asarray(at_zero * np.exp(-np.abs(x) / mechanism.scale))


def _whole_numbers(mechanism: Geometric | DiscreteGaussian) -> Floats:
    if isinstance(mechanism, Geometric):
        reach = REACH["laplace"] * mechanism.scale
    else:
        reach = REACH["normal"] * mechanism.sigma
    last = mechanism.sensitivity + max(1, math.ceil(reach))
    x = np.arange(-float(last - mechanism.sensitivity), last + 1.0)
    return x if x.size <= MOST else np.unique(np.linspace(x[0], x[-1], MOST).round())


def _real_numbers(mechanism: Gaussian | Laplace) -> Floats:
    """From where the one is small to where the other is, with their peaks."""
    if isinstance(mechanism, Laplace):
        reach = REACH["laplace"] * mechanism.scale
    else:
        reach = REACH["normal"] * mechanism.sigma
    ends = np.linspace(-reach, mechanism.sensitivity + reach, POINTS - 2)
    return np.sort(np.concatenate([ends, [0.0, mechanism.sensitivity]]))


def _between(breaks: Any) -> Floats:
    finite = [each for each in breaks if math.isfinite(each)] or [0.0]
    width = max(finite[-1] - finite[0], 1.0)
    low = finite[0] if math.isfinite(breaks[0]) else finite[0] - 4.0 * width
    high = finite[-1] if math.isfinite(breaks[-1]) else finite[-1] + 4.0 * width
    return np.linspace(low, high, POINTS)


def _given(at: npt.ArrayLike) -> Floats:
    x = np.array(numbers("at", at, REAL))
    if x.ndim != 1 or x.size < 2 or np.any(np.diff(x) <= 0.0):
        raise refused("errors.rising", "at", at, least=2)
    return x


def _beyond(discrete: bool, x: Floats, p: Floats, q: Floats, epsilon: float) -> float:
    """About how much of p lies above e^epsilon q: which of two orders to draw, no more."""
    with np.errstate(over="ignore"):
        above = np.maximum(p - np.exp(log(q) + epsilon), 0.0)
    return float(above.sum() if discrete else np.trapezoid(above, x))
