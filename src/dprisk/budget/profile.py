"""Risk profiles: how large a ratio of posterior to prior is tolerated, and the epsilon it allows.

One ratio at one pair of priors allows a largest epsilon in closed form (P3, Theorem 2), computed
stably: a `Point` holds what is asked there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from dprisk._checks import NONNEGATIVE, PROBABILITY, numbers
from dprisk._numeric.logspace import Floats
from dprisk.answer import Answer, settled
from dprisk.errors import InvalidInput
from dprisk.risk.adversary import VALUE_PRIOR as PRIOR
from dprisk.risk.ratio_tails import Shifts
from dprisk.text import english
from dprisk.theorems import EPSILON_FOR_RATIO, Theorem

Priors = float | tuple[float, float]
Bools = npt.NDArray[np.bool_]

ASSUMPTIONS: Final = (
    english("assumptions.independent.pure"),
    english("assumptions.independent.target"),
    english("assumptions.independent.mechanism"),
)
ROUND: Final = 2.0**-53  # one rounding, relatively: half an ulp
HUGE_RATIO: Final = 2.0**500  # from there on numbers are divided by it: products are finite


# --- one ratio at one pair of priors -------------------------------------------------------------


class Point(NamedTuple):
    """Priors p, q and what is asked there: D = 1 - 1/r and c = 1/r - p q, for a ratio r."""

    p: Floats
    q: Floats
    D: Floats
    c: Floats


PURE: Final = Shifts(1.0, 2.0)
"""What pure DP allows, for each unit of epsilon."""


def largest_epsilon(
    ratio: npt.ArrayLike, membership_prior: npt.ArrayLike, value_prior: npt.ArrayLike
) -> Answer:
    """Largest epsilon at which posterior over prior stays within a ratio, at given priors.

    Elementwise; `solve` has the answer for whole profiles.

    Parameters
    ----------
    ratio : array_like of float
        r*: posterior over prior at most. [0, inf]
    membership_prior : array_like of float
        p: belief that the target is in the data. (0, 1]
    value_prior : array_like of float
        q: belief that the value is in the set, given that the target is in the data. (0, 1]

    Returns
    -------
    Answer
        epsilon in [0, inf], nats, of the broadcast shape; exact, rounded down. inf where r* p q is
        1 or more: nothing is limited. 0 where r* is 1 or less; below 1 not even that keeps it.

    Raises
    ------
    OutOfRange
        If a number is outside its range or NaN.

    References
    ----------
    .. [1] P3, Theorem 2 and Corollary 2.

    Examples
    --------
    >>> from dprisk.budget import largest_epsilon
    >>> largest_epsilon([1.5, 3.0, 20.0], 0.05, [0.1, 1.0, 1.0]).value.round(4)
    array([0.3932, 1.2098,    inf])
    """
    r, p, q = np.broadcast_arrays(
        numbers("ratio", ratio, NONNEGATIVE),
        numbers("membership_prior", membership_prior, PRIOR),
        numbers("value_prior", value_prior, PRIOR),
    )
    point = of_ratio(p, q, r)
    value = np.maximum(lowered(largest(point), point), 0.0)
    return Answer(settled(value, value.shape), "exact", EPSILON_FOR_RATIO, ASSUMPTIONS)


def of_ratio(p: Floats, q: Floats, r: Floats) -> Point:
    """Return what a ratio asks at p and q; r may be infinite."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        D, c = (r - 1.0) / r, _one_minus_product(r, p, q) / r
    infinite = np.isinf(r)
    if infinite.any():
        D, c = np.where(infinite, 1.0, D), np.where(infinite, -p * q, c)
    return Point(p, q, D, c)


def largest(point: Point) -> Floats:
    """The largest epsilon; inf without a limit, -inf where not even 0 is enough."""
    # A x^2 + B x = c has the root x = 2 c / (sqrt(B^2 + 4 A c) + B) = e^-epsilon; near 1 it is
    # taken from 1 - x. The printed form is 0/0 at q = 1, and its two cases are one here.
    p, q, D, c = point
    A, B = p * (1.0 - q), 1.0 - p
    with np.errstate(all="ignore"):
        root = np.hypot(B, 2.0 * np.sqrt(A) * np.sqrt(np.maximum(c, 0.0)))
        t = 2.0 * D / ((2.0 * A + B) + root)  # 1 - x
        near = -np.log1p(-np.minimum(t, 0.5))
        value = np.where(t < 0.5, near, -np.log(2.0 * c / (root + B)))
    return np.where(D < 0.0, -np.inf, np.where(c <= 0.0, np.inf, np.maximum(value, 0.0)))


def factor(point: Point, shifts: Shifts) -> Floats:
    """The largest factor at which shifts still keep what is asked, about; as `largest`."""
    if shifts == PURE:
        return largest(point)
    p, q, D, c = point
    A, B = p * (1.0 - q) * np.isfinite(shifts.two), np.asarray(1.0 - p)
    one, two = shifts.one, min(shifts.two, float(np.finfo(float).max))
    whole, start = A + B, np.maximum(largest(point), 0.0) / max(one, two / 2.0)
    found = np.where(np.isfinite(start), start, 0.0)
    with np.errstate(all="ignore"):  # Newton steps from the left: the logarithm is convex
        wanted = np.where(c > 0.5 * whole, np.log1p((c - whole) / whole), np.log(c / whole))
        for _ in range(24):
            x, y = B * np.exp(-found * one), A * np.exp(-found * two)
            lost = (B * np.expm1(-found * one) + A * np.expm1(-found * two)) / whole
            now = np.where(lost > -0.5, np.log1p(lost), np.log((x + y) / whole))
            step = (now - wanted) * (x + y) / (x * one + y * two)
            step = np.where(np.isfinite(step), step, 0.0)
            found = found + step
            if np.all(np.abs(step) <= 1e-12 * found):
                break
    found = np.where(c < whole, np.maximum(found, 0.0), 0.0)
    return np.where(D < 0.0, -np.inf, np.where(c <= 0.0, np.inf, found))


def room(point: Point, shifts: Shifts) -> Floats:
    """By how much shifts surely keep what is asked, or below 0; linear in p, in q and in 1/r."""
    p, q, D, c = point
    A, B = p * (1.0 - q), 1.0 - p
    if shifts.near:
        asked = A * -np.expm1(-shifts.two) + B * -np.expm1(-shifts.one)
        # D is rounded twice, and its product; each term five times, with their sum and product
        return np.asarray(D * (1.0 - 8.0 * ROUND) - (1.0 + 16.0 * ROUND) * asked)
    have = A * np.exp(-shifts.two) + B * np.exp(-shifts.one)
    # x is rounded twice, A twice, with two products and a sum: seven; c four times
    return np.asarray(have * (1.0 - 12.0 * ROUND) - (c + 8.0 * ROUND * np.abs(c)))


def lowered(epsilon: Floats, point: Point) -> Floats:
    """Slightly less, so that rounding cannot have taken it above the truth."""
    p, q = point.p, point.q
    A, B = p * (1.0 - q), 1.0 - p
    with np.errstate(all="ignore"):
        x = np.exp(-epsilon)
        moves = x * (2.0 * A * x + B) / (x * (A * x + B) + p * q)
        # so that ratios are kept as computed: an exponential, squared, in a sum of three, and a
        # quotient are fifteen roundings at most; no more than 2e-10 of epsilon is given up for it
        wished = np.where(moves > 0, 40.0 * ROUND / moves, np.inf)
        wished = np.fmin(wished, 2e-10 * epsilon)
        # epsilon itself: a quotient of a sum of three, and its logarithm, are twenty roundings
        value = epsilon - np.maximum(48.0 * ROUND * epsilon, wished)
    return np.where(np.isfinite(epsilon), value, epsilon)


def _one_minus_product(r: Floats, p: Floats, q: Floats) -> Floats:
    """``1 - r p q``, accurate where it nearly cancels."""
    value = np.asarray(1.0 - r * p * q)
    close = np.abs(value) < 0.5
    if not close.any():
        return value
    r, p, q = (np.broadcast_to(each, value.shape)[close] for each in (r, p, q))
    down = np.where(r > HUGE_RATIO, 1.0 / HUGE_RATIO, 1.0)
    up = np.where(r > HUGE_RATIO, HUGE_RATIO, 1.0)
    first, rest = product(r * down, p)
    second, more = product(first, q)
    value = value.copy()
    value[close] = (1.0 - second * up) - (more + rest * q) * up
    return value


def product(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """The product, and what rounding took from it (Dekker)."""
    a_high, b_high = (134217729.0 * x - (134217729.0 * x - x) for x in (a, b))
    a_low, b_low = a - a_high, b - b_high
    product = a * b
    lost = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    return product, lost


# --- profiles ------------------------------------------------------------------------------------


class Box(NamedTuple):
    """A rectangle of priors: membership from p0 to p1, value from q0 to q1."""

    p0: float
    p1: float
    q0: float
    q1: float

    def holds(self, p: Floats, q: Floats) -> Bools:
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
        membership_prior, value_prior : array_like of float
            p and q. (0, 1]

        Returns
        -------
        float or ndarray
            r* in [0, inf], of the broadcast shape; inf where nothing is limited.
        """
        p, q = np.broadcast_arrays(
            numbers("membership_prior", membership_prior, PRIOR),
            numbers("value_prior", value_prior, PRIOR),
        )
        found = np.array(self._ratio(p, q), dtype=float)
        return float(found) if found.ndim == 0 else found

    @abstractmethod
    def unprotected(self) -> tuple[str, ...]:
        """Sentences on what the profile leaves unprotected (P3, Section 3.1)."""

    @abstractmethod
    def clauses(self) -> tuple[Clause, ...]:
        """Itself as a list of clauses, all of which have to be kept."""

    @abstractmethod
    def to_tree(self) -> dict[str, Any]:
        """Itself as plain data, in the keys of a file; an infinite number is the text ``inf``."""

    @abstractmethod
    def _ratio(self, p: Floats, q: Floats) -> Floats: ...


class SingleLimit(Profile, ABC):
    """One limit inside one rectangle of priors; outside of it nothing is limited."""

    __slots__ = ()

    tight: ClassVar[bool]  # the worst points are exact and the same for every epsilon
    theorem: ClassVar[Theorem]

    def clauses(self) -> tuple[Clause, ...]:
        """The one clause that it is."""
        return (Clause(self.box(), (self,)),)

    def unprotected(self) -> tuple[str, ...]:
        """Sentences on the priors outside of the rectangle, and on those left open inside."""
        box, found = self.box(), []
        for name, low, high in (("membership", box.p0, box.p1), ("value", box.q0, box.q1)):
            at = {"at": f"{low:g}", "low": f"{low:g}", "high": f"{high:g}"}
            if (low, high) != (0.0, 1.0):
                ends = "upto" if low == 0.0 else "below" if high == 1.0 else "span"
                where = "prior" if low == high else ends
                found.append(english(f"budget.open.{where}.{name}", **at))
        return (*found, *self.leaves_open())

    @property
    def assumed(self) -> tuple[str, ...]:
        """Sentences on what was assumed about the profile beyond what can be seen."""
        return ()

    def _ratio(self, p: Floats, q: Floats) -> Floats:
        box = self.box()
        with np.errstate(all="ignore"):
            found = self._inside(np.clip(p, box.p0, box.p1), np.clip(q, box.q0, box.q1))
        return np.where(box.holds(p, q), found, np.inf)

    @abstractmethod
    def box(self) -> Box:
        """The rectangle in which it holds."""

    @abstractmethod
    def leaves_open(self) -> tuple[str, ...]:
        """Sentences on the priors inside its rectangle at which it limits nothing."""

    @abstractmethod
    def _inside(self, p: Floats, q: Floats) -> Any:
        """The ratios tolerated inside the rectangle."""


class FixedLimit(SingleLimit, ABC):
    """A limit that allows one epsilon, the same at every prior."""

    __slots__ = ()

    @property
    @abstractmethod
    def fixed(self) -> float:
        """The largest epsilon, -inf where there is none."""

    def box(self) -> Box:
        return Box(0.0, 1.0, 0.0, 1.0)

    def _inside(self, p: Floats, q: Floats) -> Any:
        """The largest posterior over prior that the epsilon allows (P3, Theorem 1)."""
        if not 0.0 <= self.fixed < np.inf:
            return max(self.fixed, 0.0)
        x = float(np.exp(-self.fixed))
        total = p * q + x * (x * p * (1.0 - q) + (1.0 - p))
        return np.where(total > 0.0, 1.0 / total, np.inf)


class BoxLimit(SingleLimit, ABC):
    """A limit whose epsilon depends on the priors: what it asks has to be found in its box."""

    __slots__ = ()

    by_prior: ClassVar[bool] = False  # it depends on p and q by their product alone
    linear: ClassVar[bool] = False  # 1/r* is, along either prior, between the breaks

    @property
    def breaks(self) -> tuple[Sequence[float], Sequence[float]]:
        """Membership and value priors at which it may jump or bend sharply."""
        return (), ()

    @abstractmethod
    def at(self, p: Floats, q: Floats, cells: Boxes | None = None) -> Point:
        """Return what it asks inside its rectangle; at a jump, as inside of these cells."""

    @abstractmethod
    def worst(self, cells: Boxes, top: Point, shifts: Shifts) -> tuple[Point, ...]:
        """Points at which shifts must be kept to be kept in the whole cells; one is at most two."""


class Clause(NamedTuple):
    """Inside the box at least one of the limits has to be kept."""

    box: Box
    limits: tuple[SingleLimit, ...]


def corners(limit: BoxLimit, cells: Boxes) -> tuple[Point, ...]:
    """Return what a limit asks at the corners (0, 0), (1, 0), (0, 1), (1, 1) of cells."""
    return tuple(limit.at(p, q, cells) for q in (cells.q0, cells.q1) for p in (cells.p0, cells.p1))


def pair_priors(limit: Any) -> None:
    """Make pairs of the priors of a limit, each one prior or the least and the largest."""
    fix = "Give one prior such as 0.05, or the least and the largest such as (0, 0.1)."
    for name in ("membership_prior", "value_prior"):
        value = getattr(limit, name)
        pair = numbers(name, value, PROBABILITY, fix)
        if pair.ndim == 0:
            pair = np.array([pair, pair])
        if pair.shape != (2,) or pair[0] > pair[1] or pair[1] == 0.0:
            allowed = "one prior, or a pair (least, largest) above 0"
            raise InvalidInput(name, value, allowed, fix)
        object.__setattr__(limit, name, (float(pair[0]), float(pair[1])))


def in_file(number: float) -> float | str:
    """A number as a file has it."""
    return number if np.isfinite(number) else "inf"


def priors_in_file(limit: Any) -> dict[str, Any]:
    """The priors of a limit as a file has them; none where it is about every prior."""
    pairs = {name: getattr(limit, name) for name in ("membership_prior", "value_prior")}
    return {
        name: low if low == high else [low, high]
        for name, (low, high) in pairs.items()
        if (low, high) != (0.0, 1.0)
    }
