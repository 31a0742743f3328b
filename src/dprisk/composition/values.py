"""What composition gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from dprisk.guarantees.base import Guarantee
from dprisk.sources import Theorem

__all__ = ["Composed"]


@final
@dataclass(frozen=True)
class Composed:
    """The guarantee of all releases together. Made by `compose`.

    Parameters
    ----------
    guarantee : Guarantee
        What everything published keeps, as a whole.
    theorem : Theorem
        The rule that was used.
    lossy : tuple of str
        Which parts were first weakened to a common definition, and how.
    """

    guarantee: Guarantee
    theorem: Theorem
    lossy: tuple[str, ...] = ()
