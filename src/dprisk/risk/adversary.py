"""Who wants to know what, and which guarantee stands between them and it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, final, get_args

import numpy as np
import numpy.typing as npt

from dprisk._checks import INSIDE, PROBABILITY, assign, numbers, one_of, scalar
from dprisk.errors import InvalidInput, Meaningless
from dprisk.guarantees.base import SIDES, Guarantee, Sides
from dprisk.text import english, fill

Secret = Literal["membership", "attribute"]
SECRETS: Final[tuple[Secret, ...]] = get_args(Secret)


@final
@dataclass(frozen=True, kw_only=True)
class Adversary:
    """An informed adversary: knows all other records, and has a prior belief about one secret.

    Parameters
    ----------
    secret : {"membership", "attribute"}
        Whether the target is in the data (the target's attributes are known), or which value the
        target has (that the target is in the data is known).
    priors : tuple of float
        Beliefs in the secret before the release, each assessed on its own. [0, 1]
    confidence : float, optional
        Probability with which bounds have to hold, over the mechanism's coins. (0, 1). Left out,
        they hold with certainty, which only a bounded privacy loss allows.
    sides : {"both", "one"}
        Whether the upper and the lower end hold together with that confidence (P0), or each alone.
    post_processing : bool
        Whether the adversary may see anything computed from the output (the default), or the
        bounds are about the raw output only.

    Raises
    ------
    OutOfRange
        If a prior is outside [0, 1] or the confidence outside (0, 1).
    InvalidInput
        If `secret` or `sides` is not one of the words allowed.

    Examples
    --------
    >>> from dprisk import Adversary
    >>> Adversary(priors=(0.5,), confidence=0.99).secret
    'membership'
    """

    secret: Secret = "membership"
    priors: tuple[float, ...] = (0.01, 0.1, 0.5)
    confidence: float | None = None
    sides: Sides = "both"
    post_processing: bool = True

    def __post_init__(self) -> None:
        one_of("secret", self.secret, SECRETS)
        one_of("sides", self.sides, SIDES)
        priors = np.atleast_1d(numbers("prior", self.priors, PROBABILITY))
        if priors.ndim != 1 or priors.size == 0:
            raise InvalidInput("priors", self.priors, fill("risk.beliefs"))
        assign(self, priors=tuple(priors.tolist()))
        if self.confidence is not None:
            scalar("confidence", self.confidence, INSIDE, CONFIDENCE_FIX)

    @property
    def middle(self) -> float:
        """The prior that every document opens with. [0, 1]."""
        return self.priors[len(self.priors) // 2]


CONFIDENCE_FIX = english("risk.confidence")


def steps(secret: Secret, guarantee: Guarantee) -> int:
    """How many steps of the relation of neighbors lie between the adversary's two hypotheses."""
    if one_of("secret", secret, SECRETS) == "attribute":
        return 1 if guarantee.neighbors == "replace-one" else 2
    if guarantee.neighbors == "replace-one":
        raise Meaningless(
            fill("risk.membership"),
            fill("risk.membership.fix"),
        )
    return 1


def between_hypotheses(
    guarantee: Guarantee, secret: Secret, failure: npt.ArrayLike = (), sides: Sides = "both"
) -> Guarantee:
    """The guarantee that holds between the adversary's two hypotheses."""
    if steps(secret, guarantee) == 1:
        return guarantee
    if guarantee.is_stated or np.size(failure) != 1:
        return guarantee.for_neighbors("replace-one")
    from dprisk.risk.two_steps import two_steps_at

    return two_steps_at(guarantee, float(np.ravel(failure)[0]), sides)
