"""Profiles of any shape: a table over a grid of priors, a function of Python, several limits."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from itertools import product as combinations
from typing import Any, ClassVar, Literal, final, get_args

import numpy as np

from dprisk._checks import NONNEGATIVE, assign, numbers
from dprisk._numeric.logspace import Floats
from dprisk.budget.boxes import ANY, PosteriorLimit, RatioLimit
from dprisk.budget.profile import (
    Box,
    Boxes,
    BoxLimit,
    Clause,
    Point,
    Priors,
    Profile,
    corners,
    in_file,
    of_ratio,
    pair_priors,
)
from dprisk.errors import InvalidInput, OutOfRange, one_of
from dprisk.risk.adversary import VALUE_PRIOR as PRIOR
from dprisk.risk.ratio_tails import Shifts
from dprisk.text import english
from dprisk.theorems import CORNERS_OF_CELLS, INFIMUM_BY_CELLS, Theorem

Between = Literal["least", "harmonic"]
Rows = Sequence[Sequence[float]]


@final
@dataclass(frozen=True)
class RatioTable(BoxLimit):
    """Tolerated ratios at the points of a grid, and a reading between them that never loosens.

    Parameters
    ----------
    rows : sequence of (float, float, float)
        Membership prior (0, 1], value prior (0, 1] and the ratio tolerated there [0, inf]; every
        membership prior with every value prior, once. Outside of the grid nothing is limited.
    between : {"least", "harmonic"}
        ``least``: between points the least ratio of the points around. ``harmonic``: 1/r* changes
        linearly along either prior, which never gives more than straight lines between ratios.

    References
    ----------
    .. [1] dprisk, Proposition 10.

    Examples
    --------
    >>> from dprisk.budget import RatioTable, solve
    >>> table = RatioTable([(0.05, 0.01, 10.0), (0.05, 0.1, 4.0), (0.05, 1.0, 3.0)])
    >>> table.ratio(0.05, [0.01, 0.05, 0.1, 0.5]).tolist()
    [10.0, 4.0, 4.0, 3.0]
    >>> round(solve(table).epsilon.value, 4)
    1.0784
    """

    rows: Rows
    between: Between = "least"

    linear: ClassVar[bool] = True
    tight: ClassVar[bool] = True
    theorem: ClassVar[Theorem] = CORNERS_OF_CELLS

    def __post_init__(self) -> None:
        found = [tuple(row) for row in self.rows]
        if not found or any(len(row) != 3 for row in found):
            wrong = next((row for row in found if len(row) != 3), self.rows)
            fix = "Give rows of membership prior, value prior and ratio."
            raise InvalidInput("rows", wrong, "rows of three numbers", fix)
        p = numbers("membership_prior", [row[0] for row in found], PRIOR)
        q = numbers("value_prior", [row[1] for row in found], PRIOR)
        r = numbers("ratio", [row[2] for row in found], NONNEGATIVE)
        order = np.lexsort((q, p))
        triples = zip(p[order].tolist(), q[order].tolist(), r[order].tolist(), strict=True)
        assign(self, rows=tuple(triples))
        one_of("between", self.between, get_args(Between))
        self._check_grid()

    def box(self) -> Box:
        return Box(self.rows[0][0], self.rows[-1][0], self.rows[0][1], self.rows[-1][1])

    @property
    def assumed(self) -> tuple[str, ...]:
        return (english(f"budget.table.{self.between}"),)

    def _grid(self) -> tuple[Floats, Floats, Floats]:
        """The priors, rising, and the ratios as a matrix over them; NaN where there is none."""
        array = np.array(self.rows)
        p, i = np.unique(array[:, 0], return_inverse=True)
        q, j = np.unique(array[:, 1], return_inverse=True)
        ratios = np.full((len(p), len(q)), np.nan)
        ratios[i, j] = array[:, 2]
        return p, q, ratios

    @property
    def breaks(self) -> tuple[Sequence[float], Sequence[float]]:
        p, q, _ = self._grid()
        return p.tolist(), q.tolist()

    def at(self, p: Floats, q: Floats, cells: Boxes | None = None) -> Point:
        return of_ratio(p, q, self._read(p, q, cells or Boxes(p, p, q, q)))

    def worst(self, cells: Boxes, top: Point, shifts: Shifts) -> tuple[Point, ...]:
        """Corners: with one ratio in a cell two of them, with 1/r* linear all four."""
        found = corners(self, cells)
        return found[:2] if self.between == "least" else found

    def leaves_open(self) -> tuple[str, ...]:
        p, q, ratios = self._grid()
        with np.errstate(invalid="ignore"):
            open_ = np.isinf(ratios) | (ratios * p[:, None] * q >= 1.0)
        if not open_.any():
            return ()
        return (english("budget.open.table", count=int(open_.sum()), of=open_.size),)

    def to_tree(self) -> dict[str, Any]:
        rows = [[in_file(number) for number in row] for row in self.rows]
        return {"table": rows, "between": self.between}

    def _inside(self, p: Floats, q: Floats) -> Floats:
        return self._read(p, q, Boxes(p, p, q, q))

    def _read(self, p: Floats, q: Floats, cells: Boxes) -> Floats:
        """The ratio at points of cells, none of which reaches across a line of the grid."""
        ps, qs, ratios = self._grid()
        i, i_end = _around(ps, cells.p0, cells.p1)
        j, j_end = _around(qs, cells.q0, cells.q1)
        four = [ratios[a, b] for a in (i, i_end) for b in (j, j_end)]
        if self.between == "least":
            return np.asarray(np.minimum.reduce(four))
        along_p, along_q = _share(p, ps[i], ps[i_end]), _share(q, qs[j], qs[j_end])
        low, high = _mean(four[0], four[1], along_q), _mean(four[2], four[3], along_q)
        return _mean(low, high, along_p)

    def _check_grid(self) -> None:
        p, q, ratios = self._grid()
        missing = np.argwhere(np.isnan(ratios))
        what = ""
        if missing.size:
            what = f"none at {(float(p[missing[0][0]]), float(q[missing[0][1]]))}"
        elif len(self.rows) != ratios.size:
            what = f"two at {next(a[:2] for a, b in pairwise(self.rows) if a[:2] == b[:2])}"
        if what:
            fix = "Every membership prior needs one ratio at every value prior; write inf for no "
            raise InvalidInput("rows", what, "a whole grid", f"{fix}limit.")


def _around(grid: Floats, low: Floats, high: Floats) -> tuple[Any, Any]:
    """The last line at or below, and the first at or above."""
    below = np.searchsorted(grid, low, side="right") - 1
    above = np.searchsorted(grid, high, side="left")
    return np.clip(below, 0, len(grid) - 1), np.clip(above, 0, len(grid) - 1)


def _share(at: Floats, low: Floats, high: Floats) -> Any:
    width = high - low
    return np.where(width > 0.0, (at - low) / np.where(width > 0.0, width, 1.0), 0.0)


def _mean(first: Floats, last: Floats, share: Floats) -> Floats:
    """Harmonic mean of ratios, weighted; the ratios themselves at shares 0 and 1."""
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = 1.0 / ((1.0 - share) / first + share / last)
    mean = np.where((first == 0.0) | (last == 0.0), 0.0, mean)
    return np.where(share == 0.0, first, np.where(share == 1.0, last, mean))


@final
@dataclass(frozen=True)
class RatioFunction(BoxLimit):
    """Tolerated ratios by a function of both priors that never rises with either of them.

    Who knows more may gain no larger a factor; jumps and kinks are allowed. Values alone certify
    nothing, so this is assumed, checked where the function is called, and stated in the answer.

    Parameters
    ----------
    function : callable
        From membership prior p and value prior q to the ratio tolerated, [0, inf]. It is called
        with arrays; a function that takes numbers only is called point by point, which is slow.
    membership_prior, value_prior : float or pair of float
        p and q where it holds: for each, one prior, or the least and the largest. [0, 1]

    References
    ----------
    .. [1] dprisk, Proposition 11. P3, Equation 36.

    Examples
    --------
    >>> import numpy as np
    >>> from dprisk.budget import RatioFunction, solve
    >>> gentle = RatioFunction(lambda p, q: 1.0 + 8.0 / (3.0 * (1.0 + q)))
    >>> round(solve(gentle).epsilon.value, 5)
    0.64964
    """

    function: Callable[[Any, Any], Any]
    membership_prior: Priors = ANY
    value_prior: Priors = ANY

    tight: ClassVar[bool] = False
    theorem: ClassVar[Theorem] = INFIMUM_BY_CELLS

    def __post_init__(self) -> None:
        pair_priors(self)
        if not callable(self.function):
            raise InvalidInput("function", self.function, "a function of two priors")

    def box(self) -> Box:
        return Box(*self.membership_prior, *self.value_prior)  # type: ignore[misc]

    @property
    def assumed(self) -> tuple[str, ...]:
        found = [english("budget.function.falling")]
        if self.box().p1 == self.box().q1 == 1.0:
            found.append(english("budget.function.certain"))
        return tuple(found)

    def at(self, p: Floats, q: Floats, cells: Boxes | None = None) -> Point:
        return of_ratio(p, q, self._inside(p, q))

    def worst(self, cells: Boxes, top: Point, shifts: Shifts) -> tuple[Point, ...]:
        """The ratio at the upper corner, for the whole cell."""
        _check_falling(self.function, cells, top)
        return _carried(top, cells, shifts)

    def leaves_open(self) -> tuple[str, ...]:
        """Looked at over a grid of 64 by 64 priors."""
        box = self.box()
        p, q = (
            np.unique(np.linspace(low, high, 65)[1:])
            for low, high in ((box.p0, box.p1), (box.q0, box.q1))
        )
        P, Q = np.meshgrid(p, q, indexing="ij")
        count = int(np.sum(self._inside(P, Q) * P * Q >= 1.0))
        return (english("budget.open.function", count=count, of=P.size),) if count else ()

    def to_tree(self) -> dict[str, Any]:
        fix = "Write a table of its values instead: RatioTable never loosens between its points."
        raise InvalidInput("profile", self, "limits, tables and combinations of them", fix)

    def _inside(self, p: Floats, q: Floats) -> Floats:
        """The function at points, its values checked."""
        p, q = np.broadcast_arrays(p, q)
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            try:
                found = np.asarray(self.function(p, q), dtype=float)
            except (TypeError, ValueError):  # it takes numbers, not arrays
                pairs = zip(np.ravel(p).tolist(), np.ravel(q).tolist(), strict=True)
                found = np.array([self.function(*pair) for pair in pairs], dtype=float)
                found = found.reshape(p.shape)
        ratios = found if found.shape == p.shape else np.broadcast_to(found, p.shape)
        wrong = ~(ratios >= 0.0)
        if wrong.any():
            name = f"the ratio at priors {(float(p[wrong].flat[0]), float(q[wrong].flat[0]))}"
            fix = "Return numpy.inf where nothing is limited, or leave these priors out."
            raise OutOfRange(name, float(ratios[wrong].flat[0]), str(NONNEGATIVE), fix)
        return ratios


def _carried(top: Point, cells: Boxes, shifts: Shifts) -> tuple[Point, ...]:
    """The ratio of the upper corner, asked at the least value prior and either end of the other."""
    q = cells.q0
    if shifts.near:  # c is not read, and which end is worse is known from q (P3, Lemma 4)
        rises = np.expm1(-shifts.one) < (1.0 - q) * np.expm1(-shifts.two)
        return (Point(np.where(rises, cells.p0, cells.p1), q, top.D, top.c),)
    steps = [top.p * (top.q - q) + q * (top.p - p) for p in (cells.p0, cells.p1)]
    asked = [top.c + step + 4e-16 * (np.abs(top.c) + step) for step in steps]
    return Point(cells.p0, q, top.D, asked[0]), Point(cells.p1, q, top.D, asked[1])


def _check_falling(function: Any, cells: Boxes, top: Point) -> None:
    if np.ndim(top.D) < 3:  # single cells have no neighbors
        return
    for name, first, last in (
        ("membership", top.D[:, :-1], top.D[:, 1:]),
        ("value", top.D[..., :-1], top.D[..., 1:]),
    ):
        rises = last - first > 1e-12  # relative: what it may rise by its own rounding
        if not rises.any():
            continue
        at = tuple(np.argwhere(rises)[0])
        p, q = (float(np.broadcast_to(each, top.D.shape)[at]) for each in (cells.p1, cells.q1))
        allowed = f"one that never rises; it rises with the {name} prior beyond ({p:g}, {q:g})"
        fix = "Restrict the priors to where the ratio falls, or write a RatioTable."
        raise InvalidInput("function", function, allowed, fix)


# --- several limits ------------------------------------------------------------------------------


class Combination(Profile, ABC):
    """Several profiles as one."""

    __slots__ = ()

    key: ClassVar[str]
    """The name of the list in files."""
    profiles: Sequence[Profile]

    def __post_init__(self) -> None:
        given = self.profiles
        found = tuple(given) if isinstance(given, Sequence) else (given,)
        wrong = not all(isinstance(each, Profile) for each in found)
        if not found or wrong or isinstance(given, str):
            fix = "Such as [RatioLimit(3.0), PosteriorLimit(0.1)]."
            raise InvalidInput("profiles", given, "a list of at least one profile", fix)
        assign(self, profiles=found)

    def to_tree(self) -> dict[str, Any]:
        """All of them in a list."""
        return {self.key: [each.to_tree() for each in self.profiles]}


@final
@dataclass(frozen=True)
class AnyOf(Combination):
    """The maximum of several profiles: any one of them is enough, where all of them limit.

    Parameters
    ----------
    profiles : sequence of Profile
        At least one.

    Examples
    --------
    >>> from dprisk.budget import AnyOf, PosteriorLimit, RatioLimit, solve
    >>> either = AnyOf([PosteriorLimit(0.25, value_prior=1.0), RatioLimit(3.0, value_prior=1.0)])
    >>> round(solve(either).epsilon.value, 4)
    1.2993
    """

    profiles: Sequence[Profile]
    key: ClassVar[str] = "any_of"

    def clauses(self) -> tuple[Clause, ...]:
        lists = [profile.clauses() for profile in self.profiles]
        most = 10_000
        if np.prod([float(len(each)) for each in lists]) > most:
            fix = "Put fewer tables and AllOf inside AnyOf."
            raise InvalidInput("profiles", len(lists), f"at most {most} combinations", fix)
        return tuple(each for chosen in combinations(*lists) for each in _joined(chosen))

    def unprotected(self) -> tuple[str, ...]:
        said = (each for profile in self.profiles for each in profile.unprotected())
        return tuple(dict.fromkeys(said))

    def _ratio(self, p: Floats, q: Floats) -> Floats:
        return np.asarray(np.maximum.reduce([each._ratio(p, q) for each in self.profiles]))


@final
@dataclass(frozen=True)
class AllOf(Combination):
    """The minimum of several profiles: all of them have to be kept.

    Parameters
    ----------
    profiles : sequence of Profile
        At least one.

    Examples
    --------
    >>> from dprisk.budget import AllOf, DifferenceLimit, RatioLimit, solve
    >>> both = AllOf([RatioLimit(10.0), DifferenceLimit(0.5, value_prior=1.0)])
    >>> round(solve(both).epsilon.value, 4)
    1.1513
    """

    profiles: Sequence[Profile]
    key: ClassVar[str] = "all_of"

    def clauses(self) -> tuple[Clause, ...]:
        return tuple(clause for profile in self.profiles for clause in profile.clauses())

    def unprotected(self) -> tuple[str, ...]:
        lists = [profile.unprotected() for profile in self.profiles]
        if not all(lists):  # one of them protects everything
            return ()
        if len(lists) == 1:
            return lists[0]
        return tuple(
            english("budget.open.unless", number=number, of=len(lists), said=sentence)
            for number, sentences in enumerate(lists, 1)
            for sentence in sentences
        )

    def _ratio(self, p: Floats, q: Floats) -> Floats:
        return np.asarray(np.minimum.reduce([each._ratio(p, q) for each in self.profiles]))


def _joined(clauses: Sequence[Clause]) -> tuple[Clause, ...]:
    """One clause in the priors that all of them cover; none if there are no such priors."""
    low, high = (
        [extreme(each) for each in zip(*(clause.box[i::2] for clause in clauses), strict=True)]
        for i, extreme in ((0, max), (1, min))
    )
    if any(a > b or b == 0.0 for a, b in zip(low, high, strict=True)):
        return ()
    limits = tuple(limit for clause in clauses for limit in clause.limits)
    return (Clause(Box(low[0], high[0], low[1], high[1]), limits),)


def ratio_or_posterior(
    ratio: float,
    posterior: float,
    *,
    membership_prior: Priors = ANY,
    value_prior: Priors = ANY,
) -> AnyOf:
    """A ratio for those who believe much already, a posterior for those who believe little.

    Parameters
    ----------
    ratio : float
        r: posterior over prior tolerated at any prior. [0, inf]
    posterior : float
        a: belief tolerated after the release, at any prior. [0, 1]
    membership_prior, value_prior : float or pair of float
        p and q where it holds: for each, one prior, or the least and the largest. [0, 1]

    Returns
    -------
    AnyOf
        r* = max(a / (p q), r): Equation 13 of P3 for one membership prior, 15 for one value prior.

    References
    ----------
    .. [1] P3, Equations 13 and 15, Theorems 5 and 6.

    Examples
    --------
    >>> from dprisk.budget import ratio_or_posterior, solve
    >>> survey = ratio_or_posterior(3.0, 0.15, membership_prior=0.05)
    >>> round(solve(survey).epsilon.value, 4)
    1.2098
    """
    where: Any = {"membership_prior": membership_prior, "value_prior": value_prior}
    return AnyOf((PosteriorLimit(posterior, **where), RatioLimit(ratio, **where)))
