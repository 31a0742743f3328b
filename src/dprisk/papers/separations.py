"""Separations: a finite mechanism that keeps some definitions and breaks others, exactly."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, final

from dprisk._values import brief, result
from dprisk.audit.claims import Claim
from dprisk.audit.finite import FiniteMechanism
from dprisk.audit.growth import shown
from dprisk.audit.pairs import tail
from dprisk.audit.postprocessing import OutputMap
from dprisk.sources import Theorem


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Separation:
    """A small mechanism that tells definitions apart. Made by `witness` and the constructions.

    Parameters
    ----------
    name : str
        How the command line calls it.
    says : str
        What it shows, in one sentence.
    source : Theorem
        Whose construction it is.
    mechanism : FiniteMechanism
        The mechanism, in exact fractions.
    keeps, breaks : tuple of Claim
        What it keeps, and what not.
    map : OutputMap or None
        A post-processing that belongs to it.
    map_breaks : tuple of Claim
        What the mechanism does not keep any more after that map.
    parts : tuple of FiniteMechanism
        Mechanisms that it is made of, each of which keeps `parts_keep`.
    parts_keep : tuple of Claim
        What they keep.
    parameters : mapping of str to Fraction or int
        Numbers of the construction, under the letters of its source. [0, inf)
    note : str
        What to know besides; empty where there is nothing.
    """

    name: str
    says: str
    source: Theorem
    mechanism: FiniteMechanism
    keeps: tuple[Claim, ...]
    breaks: tuple[Claim, ...]
    map: OutputMap | None = None
    map_breaks: tuple[Claim, ...] = ()
    parts: tuple[FiniteMechanism, ...] = ()
    parts_keep: tuple[Claim, ...] = ()
    parameters: Mapping[str, Fraction | int] = field(default_factory=dict)
    note: str = ""

    def claims(self) -> list[tuple[str, Claim, bool]]:
        """What is claimed: of whom, which property, and whether it is kept.

        Returns
        -------
        list of (str, Claim, bool)
            Of "the mechanism", "after the map" or "each part".
        """
        found = [("the mechanism", each, True) for each in self.keeps]
        found += [("the mechanism", each, False) for each in self.breaks]
        found += [("after the map", each, False) for each in self.map_breaks]
        return found + [("each part", each, True) for each in self.parts_keep]

    def tail(self, whose: str, definition: Claim) -> Fraction | None:
        """How likely the loss exceeds the epsilon of a claim, where it is about that.

        Parameters
        ----------
        whose : str
            As in `claims`.
        definition : Claim
            As in `claims`.

        Returns
        -------
        Fraction or None
            The largest over all pairs of datasets, None for other definitions than probabilistic
            DP. [0, 1]
        """
        if definition.kind not in ("pdp", "pdp-both") or definition.growth is None:
            return None
        both, growth = definition.kind == "pdp-both", definition.growth
        return max(
            tail(p, q, growth, both=both)
            for table in self._of(whose)
            for p, q in itertools.permutations(table.rows, 2)
        )

    def verified(self) -> bool:
        """Whether every claim holds, decided in exact fractions over all pairs of datasets.

        Returns
        -------
        bool
            False only if the construction is wrong.
        """
        return all(
            each.holds(table) is kept
            for whose, each, kept in self.claims()
            for table in self._of(whose)
        )

    def _of(self, whose: str) -> tuple[FiniteMechanism, ...]:
        """The mechanisms that a claim is about."""
        if whose == "each part":
            return self.parts
        if whose == "after the map" and self.map is not None:
            return (self.map.apply(self.mechanism),)
        return (self.mechanism,)

    def to_dict(self) -> dict[str, Any]:
        """The separation as plain data.

        Returns
        -------
        dict
            Probabilities as text: decimals where they are, else fractions.
        """
        return {
            "name": self.name,
            "says": self.says,
            "theorem": str(self.source),
            "mechanism": as_table(self.mechanism),
            "claims": [
                {"of": whose, "property": each.name, "kept": kept}
                for whose, each, kept in self.claims()
            ],
            "map": None if self.map is None else self.map.to_dict(),
            "parts": [as_table(part) for part in self.parts],
            "parameters": {name: shown(Fraction(value)) for name, value in self.parameters.items()},
            "note": self.note,
        }

    def __repr__(self) -> str:
        return f"<Separation: {brief(self.name)}>"


def as_table(mechanism: FiniteMechanism) -> dict[str, Any]:
    """Labels and probabilities as text."""
    return {
        "datasets": list(mechanism.datasets),
        "outputs": list(mechanism.outputs),
        "probabilities": [[shown(value) for value in row] for row in mechanism.exact()],
    }
