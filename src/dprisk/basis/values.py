"""What counts of a release, and which statements it cannot keep."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal, final

from dprisk._values import brief, members, result
from dprisk.releases.release import Part
from dprisk.sources import Theorem

Quantity = Literal["epsilon", "delta", "divergence", "tail"]
AT: Final[dict[Quantity, str]] = {
    "epsilon": "delta",
    "delta": "epsilon",
    "divergence": "alpha",
    "tail": "epsilon",
}
MARGIN: Final = 1e-9  # relative: what rounding of a statement or of an answer comes to


@final
@result
@dataclass(frozen=True, repr=False)
class Contradiction:
    """A statement that a release certainly cannot keep. Made by `basis_of`.

    Parameters
    ----------
    release : str
        The name of the release.
    stated : Part
        The statement, as given.
    quantity : {"epsilon", "delta", "divergence", "tail"}
        What is compared: epsilon at a delta, delta at an epsilon, the Rényi divergence at an order,
        or how likely the privacy loss of the raw output exceeds an epsilon.
    at : float
        That delta, epsilon or order. [0, inf]
    claimed : float
        The most that the statement allows there. [0, inf]
    certified : float
        At least what was run gives there; above `claimed`. [0, inf]
    theorem : Theorem
        How that was worked out.
    """

    release: str
    stated: Part
    quantity: Quantity
    at: float
    claimed: float
    certified: float
    theorem: Theorem

    def __repr__(self) -> str:
        found = f"{self.quantity} at {AT[self.quantity]} {self.at:g}"
        most, least = f"{self.claimed:.12g} stated", f"at least {_below(self.certified)}"
        return f"<Contradiction of {brief(self.stated.guarantee)}: {found}, {most}, {least}>"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON.

        Returns
        -------
        dict
            Infinity is None, and said to be so.
        """
        return {
            **members(
                self, "release", "stated.guarantee.definition", "stated.given", "stated.count"
            ),
            **members(self, "quantity"),
            "at": {AT[self.quantity]: self.at},
            **members(self, "claimed", "certified"),
            "certified_infinite": math.isinf(self.certified),
            **members(self, "theorem", "theorem.citation"),
        }


@final
@result
@dataclass(frozen=True)
class Basis:
    """What counts of a release, and what cannot. Made by `basis_of`.

    Parameters
    ----------
    parts : tuple of Part
        What every number rests on: the parts of the release, or one statement about the whole that
        may hold and says more.
    contradicted : tuple of Contradiction
        Statements that the release cannot keep. They are used for nothing.
    others : tuple of tuple of Part
        Other statements that may hold. No number uses them.
    rests_on : {"parts", "statement"}
        Whether it is the parts of the release that count, or one statement about the whole.
    """

    parts: tuple[Part, ...]
    contradicted: tuple[Contradiction, ...] = ()
    others: tuple[tuple[Part, ...], ...] = ()
    rests_on: Literal["parts", "statement"] = "parts"

    @property
    def unkept(self) -> tuple[Part, ...]:
        """The statements that the release cannot keep."""
        return tuple(found.stated for found in self.contradicted)


def wider(most: Any) -> Any:
    """By the margin that is left to rounding."""
    return most * (1 + (Fraction(MARGIN) if isinstance(most, Fraction) else MARGIN))


def _below(least: float) -> str:
    """With twelve digits, rounded downwards but for what a double is off."""
    found = f"{least:.12g}"
    return found if float(found) <= least * (1.0 + 1e-13) else f"{math.nextafter(least, 0.0)!r}"
