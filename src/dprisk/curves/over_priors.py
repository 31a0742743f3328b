"""What somebody may come to believe, for every prior: data, not ink."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import PROBABILITY, numbers
from dprisk._numeric.logspace import Floats, expit
from dprisk._values import ends, members, result
from dprisk.answer import Answer
from dprisk.errors import refused
from dprisk.risk.adversary import Metric
from dprisk.risk.posterior import Disclosure, Interval

PRIORS: Final = np.unique(
    np.concatenate([np.linspace(0.0, 1.0, 101), expit(np.linspace(-12.0, 12.0, 97))])
)


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Beliefs:
    """Bounds on a belief after the release, prior by prior. Made by `beliefs`.

    Parameters
    ----------
    name : str
        What is released, as a figure says it.
    disclosure : Disclosure
        Where the bounds come from.
    priors : ndarray
        Beliefs before the release. [0, 1], shape (n,)
    posterior, ratio, ratio_not, difference : Interval
        At least and at most at each prior, each with the other end of its bracket where the
        bound on the log-odds has one. `ratio` is the limit at prior 0, `ratio_not` at prior 1.
    worst : Interval
        The priors at which the belief can fall and rise most.
    most : Interval
        By how much it can fall and rise there: the difference over every prior.
    """

    name: str
    disclosure: Disclosure
    priors: Floats
    posterior: Interval
    ratio: Interval
    ratio_not: Interval
    difference: Interval
    worst: Interval
    most: Interval

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, and for the table behind a figure.

        Returns
        -------
        dict
            Infinite ratios are None.
        """
        bounds = {
            name: ends((bound.lower.value, bound.upper.value))
            for name, bound in (
                ("posterior", self.posterior),
                ("ratio", self.ratio),
                ("ratio_not", self.ratio_not),
                ("difference", self.difference),
            )
        }
        return {
            "name": self.name,
            "log_odds": float(self.disclosure.loss),
            "priors": self.priors.tolist(),
            **bounds,
            "worst_prior": float(self.worst.upper),
            "most": float(self.most.upper),
            **members(self, "disclosure.loss.theorem", "disclosure.assumptions"),
        }


def beliefs(
    disclosure: Disclosure, priors: npt.ArrayLike | None = None, *, name: str = ""
) -> Beliefs:
    """Posterior, ratio and difference for many priors.

    Parameters
    ----------
    disclosure : Disclosure
        How far the release can move beliefs, at one confidence.
    priors : array_like of float, optional
        Beliefs before the release. [0, 1], shape (n,). Left out, from 0 to 1, closer together near
        both.
    name : str
        What is released; left out, how far the log-odds move.

    Returns
    -------
    Beliefs
        Bounds at each prior, and the worst one.

    Raises
    ------
    OutOfRange
        If a prior is outside [0, 1] or NaN.
    InvalidInput
        If `priors` is no list, or `disclosure` was made for several confidences.

    References
    ----------
    .. [1] P0, Theorems 3.2 to 3.5, Figures 6 and 7.

    Examples
    --------
    >>> from dprisk import ApproxDP, disclosure
    >>> from dprisk.curves import beliefs
    >>> moved = disclosure(ApproxDP(1.8, 1e-5, neighbors="add-remove"), confidence=0.95)
    >>> found = beliefs(moved, [0.1, 0.5])
    >>> found.posterior.upper.value.round(3).tolist()
    [0.402, 0.858]
    >>> round(found.worst.upper.value, 3), round(found.most.upper.value, 3)
    (0.289, 0.422)
    """
    if np.ndim(disclosure.loss.value):
        raise refused("errors.curve.confidence", "disclosure", disclosure.loss.value)
    p = PRIORS if priors is None else np.array(numbers("prior", priors, PROBABILITY))
    if p.ndim != 1 or p.size == 0:
        raise refused("errors.numbers", "priors", priors)
    p.flags.writeable = False
    least = disclosure.loss.bracket[0]
    other = disclosure
    if least is not None:
        other = replace(disclosure, loss=replace(disclosure.loss, value=least))

    def asked(metric: Metric, prior: Floats | None) -> Interval:
        found, inner = (getattr(each, metric)(prior) for each in (disclosure, other))
        known = least is not None and disclosure.loss.bound != "exact"
        return Interval(
            _with(found.lower, inner.lower, known), _with(found.upper, inner.upper, known)
        )

    return Beliefs(
        name or f"log-odds moved by {float(disclosure.loss):.3g} at most",
        disclosure,
        p,
        asked("posterior", p),
        asked("ratio", p),
        asked("ratio_not", p),
        asked("difference", p),
        disclosure.worst_prior("difference"),
        asked("difference", None),
    )


def _with(answer: Answer, inner: Answer, known: bool) -> Answer:
    return replace(answer, other_end=inner.value) if known else answer
