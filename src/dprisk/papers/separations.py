"""Separations: a finite mechanism that keeps some definitions and breaks others, exactly."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, final

from dprisk._values import brief, result
from dprisk.audit.brackets import audit
from dprisk.audit.claims import Claim
from dprisk.audit.finite import FiniteMechanism, Row, place
from dprisk.audit.growth import Growth, shown
from dprisk.audit.pairs import tail
from dprisk.audit.postprocessing import OutputMap
from dprisk.audit.relation import NeighborRelation
from dprisk.errors import InvalidInput
from dprisk.theorems import Theorem


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
        """List what is claimed: of whom, which property, and whether it is kept.

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
        """How likely the loss exceeds the epsilon of a claim, the most of all pairs.

        Parameters
        ----------
        whose, definition : str, Claim
            As in `claims`.

        Returns
        -------
        Fraction or None
            In [0, 1]; None for claims about something else.
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


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Middle:
    """Two distributions between two others: the growth b, the least delta of the given pair at it,
    a mechanism with the rows P, P', Q' and Q (the given pair outside), and the total variation
    distances of P from P' and of Q from Q', both delta / (1 + b). Made by `middle`.
    """

    growth: Fraction
    delta: Fraction
    mechanism: FiniteMechanism
    distances: tuple[Fraction, Fraction]

    @property
    def inner(self) -> NeighborRelation:
        """The relation under which P' and Q' alone are neighbors."""
        return NeighborRelation.edges(self.mechanism, [("P'", "Q'")])


def middle(mechanism: FiniteMechanism, first: str, second: str, epsilon: Any) -> Middle:
    """The pair with pure DP that is closest to two rows of a mechanism, written out.

    Parameters
    ----------
    mechanism : FiniteMechanism
        Read in exact fractions.
    first, second : str
        Labels of the two datasets, whose rows are P and Q.
    epsilon : Fraction, int, float, str or Growth
        Of pure DP. [0, 700], nats

    Returns
    -------
    Middle
        `mechanism` with P' and Q', P' <= b Q' and Q' <= b P' everywhere, b (`growth`) at most
        e^epsilon; the `delta` of P and Q at b, and their `distances` from P' and Q', both
        delta / (1 + b): no pair is closer, as distances of t each imply (epsilon, (1 + b) t)-ADP.

    Raises
    ------
    InvalidInput
        If there is no such dataset, or both are one.

    References
    ----------
    .. [1] C. Dwork, A. Roth, "The algorithmic foundations of differential privacy", 2014, Lemma
       3.17; P4, "The mechanism in the middle"; dprisk, Proposition 17.

    Examples
    --------
    >>> from dprisk.audit import FiniteMechanism, Growth
    >>> from dprisk.papers import middle
    >>> table = FiniteMechanism([["0.3", "0.7", "0"], ["0", "0.9", "0.1"]], datasets=["x", "y"])
    >>> found = middle(table, "x", "y", Growth(2))
    >>> print(found.delta, *found.distances)
    3/10 1/10 1/10
    """
    a, b = (place("dataset", label, mechanism.datasets) for label in (first, second))
    if a == b:
        raise InvalidInput("second", second, "a dataset other than the first")
    growth = Growth.of(epsilon).near(40)
    p, q = mechanism.rows[a], mechanism.rows[b]
    inner = _closest(p, q, growth)
    table = FiniteMechanism(
        [p, *inner, q], datasets=("P", "P'", "Q'", "Q"), outputs=mechanism.outputs
    )
    near, far = (_apart(table, *ends, Fraction(1)) for ends in (("P", "P'"), ("Q", "Q'")))
    return Middle(growth, _apart(table, "P", "Q", growth), table, (near, far))


def _closest(p: Row, q: Row, growth: Fraction) -> tuple[list[Fraction], list[Fraction]]:
    """P' and Q': where P > b Q, both are replaced by the two numbers with the same sum and the
    ratio b; where Q > b P the other way round. What one of them has lost in all is given back where
    it is smaller, and taken from the other there: the two only come closer.
    """
    inner, outer = list(p), list(q)
    for n, (x, y) in enumerate(zip(p, q, strict=True)):
        if x > growth * y:
            inner[n], outer[n] = (x + y) * growth / (1 + growth), (x + y) / (1 + growth)
        elif y > growth * x:
            inner[n], outer[n] = (x + y) / (1 + growth), (x + y) * growth / (1 + growth)
    missing = 1 - sum(inner, Fraction(0))
    if missing < 0:
        outer, inner = _given_back(outer, inner, -missing)
    elif missing > 0:
        inner, outer = _given_back(inner, outer, missing)
    return inner, outer


def _given_back(
    low: list[Fraction], high: list[Fraction], missing: Fraction
) -> tuple[list[Fraction], list[Fraction]]:
    """Move what is missing in `low` there from `high`, where `low` is smaller."""
    gaps = [max(y - x, Fraction(0)) for x, y in zip(low, high, strict=True)]
    share = missing / sum(gaps)
    return (
        [x + share * gap for x, gap in zip(low, gaps, strict=True)],
        [y - share * gap for y, gap in zip(high, gaps, strict=True)],
    )


def _apart(table: FiniteMechanism, first: str, second: str, growth: Fraction) -> Fraction:
    """The least delta of two rows at a growth; at 1 their total variation distance."""
    return Fraction(audit(table, neighbors=[(first, second)]).exact.delta(growth).value)
