"""The outputs of a mechanism on two neighbors, and how much of one sticks out: data, not ink."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import FINITE, REAL, fixed, numbers, scalar
from dprisk._numeric.logspace import Floats, log
from dprisk._values import ends, members, result
from dprisk.answer import Answer
from dprisk.errors import refused
from dprisk.mechanisms import Mechanism


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
    known = mechanism.outputs if isinstance(mechanism, Mechanism) else None
    if known is None:
        raise refused("errors.curve.line", "mechanism", mechanism)
    discrete = known.discrete
    x = known.x if at is None or discrete else _given(at)
    p, q = known.first(x), known.second(x)
    if _beyond(discrete, x, q, p, e) > _beyond(discrete, x, p, q, e):
        p, q = q, p
    with np.errstate(over="ignore"):
        scaled = np.exp(log(q) + e)
    x, p, q, scaled = map(fixed, (x, p, q, scaled))
    found = mechanism.loss().delta(e)
    return TwoOutputs(name or repr(mechanism), discrete, x, p, q, e, scaled, found)


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
