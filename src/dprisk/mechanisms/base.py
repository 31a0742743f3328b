"""What every mechanism answers: the guarantee that it keeps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from dprisk._checks import FINITE, numbers
from dprisk.errors import OutOfRange
from dprisk.guarantees import Guarantee
from dprisk.guarantees.base import Neighbors

__all__ = ["Mechanism", "whole"]


class Mechanism(ABC):
    """A randomised algorithm, described by its parameters."""

    __slots__ = ()

    neighbors: Neighbors
    """The relation under which its sensitivity was worked out."""

    @abstractmethod
    def guarantee(self) -> Guarantee:
        """Promise that the mechanism keeps for its neighbors.

        Returns
        -------
        Guarantee
            What holds for every pair of neighbors.
        """


def whole(name: str, value: Any, least: int, fix: str = "") -> int:
    """`value` as an int of at least `least`; anything else is refused by name."""
    allowed = f"a whole number in [{least}, 10^9]"
    try:
        number = float(numbers(name, value, FINITE))
    except (OutOfRange, TypeError):
        raise OutOfRange(name, value, allowed, fix) from None
    if number != int(number) or not least <= number <= 1e9:
        raise OutOfRange(name, value, allowed, fix)
    return int(number)
