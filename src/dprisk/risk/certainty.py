"""How surely something is read: one rule for every command, every function and every document."""

from __future__ import annotations

import math
from typing import Final

from dprisk._checks import INSIDE, complement, scalar
from dprisk.guarantees.base import Guarantee
from dprisk.risk.adversary import CONFIDENCE_FIX

DEFAULT_CONFIDENCE: Final = 0.99
"""Where a confidence is needed and none was given."""

LESS: Final = (0.95, 0.9, 0.75, 0.5)
"""Where a promise controls too little for that."""


def confidence_for(*guarantees: Guarantee, asked: float | None = None) -> float | None:
    """The confidence with which guarantees are read together.

    Parameters
    ----------
    *guarantees : Guarantee
        What is read; of several, all of them have to hold.
    asked : float, optional
        What the reader asked for, which is what counts then. (0, 1)

    Returns
    -------
    float or None
        None (certainty) if every privacy loss is bounded; otherwise 0.99 or, where so much
        probability is left uncontrolled that nothing holds with it, the next of 0.95, 0.9, 0.75 and
        0.5. (0, 1)

    Raises
    ------
    OutOfRange
        If `asked` is outside (0, 1).

    Examples
    --------
    >>> from dprisk import ApproxDP, PureDP
    >>> from dprisk.risk.certainty import confidence_for
    >>> confidence_for(PureDP(1.0, neighbors="add-remove")) is None
    True
    >>> confidence_for(ApproxDP(1.0, 1e-6, neighbors="add-remove"))
    0.99
    >>> confidence_for(ApproxDP(1.0, 0.02, neighbors="add-remove"))
    0.95
    """
    if asked is not None:
        return float(scalar("confidence", asked, INSIDE, CONFIDENCE_FIX))
    open_ended = [each for each in guarantees if math.isinf(float(each.loss_bound(0.0)))]
    if not open_ended:
        return None
    revealed = math.fsum(float(each.delta(math.inf)) for each in open_ended)
    enough = (each for each in (DEFAULT_CONFIDENCE, *LESS) if revealed < float(complement(each)))
    return next(enough, DEFAULT_CONFIDENCE)
