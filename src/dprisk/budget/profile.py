"""What every risk profile answers: how large a ratio is tolerated, and where nothing is limited."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from dprisk._checks import PROBABILITY, numbers
from dprisk._numeric.logspace import Floats
from dprisk.budget.formula import PRIOR, Point
from dprisk.errors import InvalidInput
from dprisk.text import english, fill
from dprisk.theorems import Theorem

Priors = float | tuple[float, float]


class Box(NamedTuple):
    """A rectangle of priors: membership from p0 to p1, value from q0 to q1."""

    p0: float
    p1: float
    q0: float
    q1: float

    def holds(self, p: Floats, q: Floats) -> npt.NDArray[np.bool_]:
        """Elementwise: inside."""
        return (self.p0 <= p) & (p <= self.p1) & (self.q0 <= q) & (q <= self.q1)


class Boxes(NamedTuple):
    """Many rectangles, in arrays that broadcast: in a row, or the last two axes along p and q."""

    p0: Floats
    p1: Floats
    q0: Floats
    q1: Floats


class Profile(ABC):
    """How large a ratio of posterior to prior is tolerated, at every pair of priors.

    The belief in question is that a target is in the data *and* has a value in some set. p is the
    adversary's prior for the first, q for the second given the first; p q is the prior belief.
    """

    __slots__ = ()

    def ratio(self, membership_prior: npt.ArrayLike, value_prior: npt.ArrayLike) -> Any:
        """Largest posterior over prior that is tolerated: r*(p, q).

        Parameters
        ----------
        membership_prior : array_like of float
            p: belief that the target is in the data. (0, 1]
        value_prior : array_like of float
            q: belief that the value is in the set, given that the target is in the data. (0, 1]

        Returns
        -------
        float or ndarray
            r* in [0, inf], of the broadcast shape; inf where nothing is limited.

        Raises
        ------
        OutOfRange
            If a prior is outside (0, 1] or NaN.
        """
        p, q = np.broadcast_arrays(
            numbers("membership_prior", membership_prior, PRIOR),
            numbers("value_prior", value_prior, PRIOR),
        )
        found = np.array(self._ratio(p, q), dtype=float)
        return float(found) if found.ndim == 0 else found

    @abstractmethod
    def unprotected(self) -> tuple[str, ...]:
        """What it leaves unprotected, in sentences (P3, Section 3.1)."""

    @abstractmethod
    def clauses(self) -> tuple[Clause, ...]:
        """Itself as a list of clauses, all of which have to be kept."""

    @abstractmethod
    def _ratio(self, p: Floats, q: Floats) -> Floats: ...


class BoxLimit(Profile, ABC):
    """One limit inside one rectangle of priors; outside of it nothing is limited."""

    __slots__ = ()

    by_prior: ClassVar[bool] = False
    """Whether it depends on p and q by their product alone."""
    tight: ClassVar[bool]
    """Whether the worst points are exact and the same for every epsilon."""
    theorem: ClassVar[Theorem]

    def clauses(self) -> tuple[Clause, ...]:
        """The one clause that it is."""
        return (Clause(self.box(), (self,)),)

    def unprotected(self) -> tuple[str, ...]:
        """What lies outside of the rectangle, and what it leaves open inside."""
        return (*outside(self), *self.leaves_open())

    @abstractmethod
    def box(self) -> Box:
        """The rectangle in which it holds."""

    @property
    def fixed(self) -> float | None:
        """The largest epsilon itself, of a limit that is the same at every prior."""
        return None

    @property
    def assumed(self) -> tuple[str, ...]:
        """What was assumed about it beyond what can be seen, in sentences."""
        return ()

    @property
    def breaks(self) -> tuple[Sequence[float], Sequence[float]]:
        """Membership and value priors at which it may jump or bend sharply."""
        return (), ()

    @abstractmethod
    def at(self, p: Floats, q: Floats) -> Point:
        """What it asks at points inside its rectangle."""

    @abstractmethod
    def worst(self, cells: Boxes, top: Point, epsilon: float) -> tuple[Point, ...]:
        """Points such that an epsilon that is enough for them is enough for the whole cells."""

    @abstractmethod
    def corners(self, cells: Boxes, top: Point) -> tuple[Point, ...]:
        """What it asks at the corners (0, 0), (1, 0), (0, 1), (1, 1) of cells, if 1/r* is linear
        along either prior in between; otherwise nothing."""

    @abstractmethod
    def leaves_open(self) -> tuple[str, ...]:
        """Where it limits nothing inside its rectangle, in sentences."""


class Clause(NamedTuple):
    """Inside the box at least one of the limits has to be kept."""

    box: Box
    limits: tuple[BoxLimit, ...]


def span(name: str, value: Any) -> tuple[float, float]:
    """One prior, or the least and the largest, as a pair."""
    fix = fill("budget.fix.span")
    pair = numbers(name, value, PROBABILITY, fix)
    if pair.ndim == 0:
        pair = np.array([pair, pair])
    if pair.shape != (2,) or pair[0] > pair[1] or pair[1] == 0.0:
        raise InvalidInput(name, value, fill("budget.span"), fix)
    return float(pair[0]), float(pair[1])


def framed(membership_prior: Any, value_prior: Any) -> Box:
    """The rectangle of priors; `settle` has checked them."""
    return Box(*membership_prior, *value_prior)


def pair_priors(limit: Any) -> None:
    """Makes pairs of the priors of a limit, once they are checked."""
    for name in ("membership_prior", "value_prior"):
        object.__setattr__(limit, name, span(name, getattr(limit, name)))


def limited_by(limit: BoxLimit, p: Floats, q: Floats, ratios: Any) -> Floats:
    """`ratios` inside the rectangle of a limit, infinity elsewhere."""
    return np.where(limit.box().holds(p, q), ratios, np.inf)


def at_corners(limit: BoxLimit, cells: Boxes, top: Point) -> tuple[Point, ...]:
    """What a limit asks at the four corners of cells."""
    lower = [(cells.p0, cells.q0), (cells.p1, cells.q0), (cells.p0, cells.q1)]
    return (*(limit.at(p, q) for p, q in lower), top)


def outside(limit: BoxLimit) -> tuple[str, ...]:
    """Where nothing is limited because it lies outside of the rectangle, in sentences."""
    box, found = limit.box(), []
    for name, low, high in (("membership", box.p0, box.p1), ("value", box.q0, box.q1)):
        at = {"at": f"{low:g}", "low": f"{low:g}", "high": f"{high:g}"}
        if (low, high) != (0.0, 1.0):
            ends = "upto" if low == 0.0 else "below" if high == 1.0 else "span"
            where = "prior" if low == high else ends
            found.append(english(f"budget.open.{where}.{name}", **at))
    return tuple(found)


def crossed(first: Box, second: Box) -> Box | None:
    """The priors that lie in both."""
    box = Box(
        max(first.p0, second.p0),
        min(first.p1, second.p1),
        max(first.q0, second.q0),
        min(first.q1, second.q1),
    )
    empty = box.p0 > box.p1 or box.q0 > box.q1 or box.p1 == 0.0 or box.q1 == 0.0
    return None if empty else box
