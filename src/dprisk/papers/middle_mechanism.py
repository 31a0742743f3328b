"""The mechanism in the middle: the pure DP closest to two neighbors with approximate DP."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from dprisk._values import result
from dprisk.audit.brackets import audit
from dprisk.audit.finite import FiniteMechanism, Row, place
from dprisk.audit.growth import Growth
from dprisk.audit.relation import NeighborRelation
from dprisk.errors import refused


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Middle:
    """Two distributions between two others. Made by `middle`.

    Parameters
    ----------
    growth : Fraction
        b, which is e^epsilon or a decimal below it.
    delta : Fraction
        The least delta of the given pair at that growth, in both directions. [0, 1]
    mechanism : FiniteMechanism
        Four rows, P, P', Q' and Q: the given pair outside, the one in the middle inside.
    distances : tuple of Fraction
        Total variation distance of P from P', and of Q from Q': both delta / (1 + b). [0, 1]
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
        P' and Q' with P' <= b Q' and Q' <= b P' everywhere, b at most e^epsilon; as close to P and
        Q as possible.

    Raises
    ------
    InvalidInput
        If there is no such dataset, or both are one.

    Notes
    -----
    Where P > b Q, both are replaced by the two numbers with the same sum and the ratio b; where
    Q > b P the other way round. What one of them has lost in all is given back where P' < Q', in
    proportion to Q' - P', and taken from Q' there (or with both exchanged): the ratio stays below
    b, since the two only come closer.

    No pair is closer: distances of t each imply (epsilon, (1 + b) t)-ADP. The larger of the two
    directions decides, so that both distances are delta / (1 + b).

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
        raise refused("papers.second", "second", second)
    growth = Growth.of(epsilon).near(40)
    p, q = mechanism.rows[a], mechanism.rows[b]
    inner = _closest(p, q, growth)
    table = FiniteMechanism(
        [p, *inner, q], datasets=("P", "P'", "Q'", "Q"), outputs=mechanism.outputs
    )
    near, far = (_apart(table, *ends, Fraction(1)) for ends in (("P", "P'"), ("Q", "Q'")))
    return Middle(growth, _apart(table, "P", "Q", growth), table, (near, far))


def _closest(p: Row, q: Row, growth: Fraction) -> tuple[list[Fraction], list[Fraction]]:
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
