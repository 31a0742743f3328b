"""What both directions of a loss answer together: of two brackets the worse, and its parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats, log
from dprisk.accountant.bracket import Bracket
from dprisk.accountant.refinement import Question, in_nats, of_size
from dprisk.losses.base import ULP

if TYPE_CHECKING:
    from dprisk.accountant.duality import Duality


FAINT_LEVEL = 1e-290  # a level from which no relative error is told
# of a quotient: absolute and relative error of the logarithm together: three roundings
LOGARITHM = 4 * ULP


def ray(profile: Duality, epsilon: Floats) -> Bracket:
    """One tail of one direction, which falls to 0 at the largest loss if none is infinite."""
    low, high = profile.ray(epsilon)
    low = np.maximum(low, 0.0)
    below, above = profile.forward
    if not above.infinite:
        largest = max(min(above.support[1], profile.tops[0]), 0.0)
        high = np.where(epsilon >= largest, 0.0, high)
        # next to the largest loss: tails allow for as many roundings
        low = np.where(epsilon >= min(below.largest, largest * (1.0 - 64 * ULP)), 0.0, low)
    return Bracket(low, high)


def worse(found: Sequence[Bracket]) -> Bracket:
    """The worse of both directions."""
    if len(found) == 1:
        return found[0]
    return Bracket(*(np.maximum.reduce(ends) for ends in zip(*found, strict=True)))


def where_asked(
    some: npt.NDArray[np.bool_], ask: Callable[[Floats], Bracket], asked: Floats
) -> Bracket:
    """Asked only where that is needed."""
    low, high = np.zeros_like(asked), np.ones_like(asked)
    if some.any():
        low[some], high[some] = ask(asked[some])
    return Bracket(low, high)


DELTA = Question(
    "delta({})", lambda profiles, x: worse([each.delta(x) for each in profiles]), of_size
)
EPSILON = Question(
    "epsilon({})", lambda profiles, x: worse([each.epsilon(x) for each in profiles]), in_nats
)


def ratio_bound(profile: Duality, failure: Floats, both: bool) -> Bracket:
    """log(power / level) where the power is `failure`, or the sum of both is."""
    level = profile.cut(failure) if both else profile.level(failure)
    faint = level.lower < FAINT_LEVEL
    level = Bracket(*(np.where(faint, 1.0, end) for end in level))
    below, above = (failure - end if both else failure for end in level[::-1])
    low = log(np.where(faint, 1.0, np.maximum(below, 0.0)) / level.upper)
    high = log(np.where(faint, 1.0, above) / level.lower)
    low, high = low - LOGARITHM * (1.0 + np.abs(low)), high + LOGARITHM * (1.0 + np.abs(high))
    if faint.any():
        low[faint], high[faint] = profile.ratio(failure[faint], both)
    return Bracket(low, high)
