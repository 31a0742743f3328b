"""A risk profile as a table of ratios over a grid of priors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Final, Literal, final, get_args

import numpy as np
import numpy.typing as npt

from dprisk._checks import NONNEGATIVE, assign, numbers, one_of
from dprisk._numeric.logspace import Floats
from dprisk.budget.formula import PRIOR, Point, of_ratio
from dprisk.budget.profile import Box, Boxes, BoxLimit, limited_by
from dprisk.errors import refused
from dprisk.text import english, fill
from dprisk.theorems import CORNERS_OF_CELLS, Theorem

Between = Literal["least", "harmonic"]
Rows = Sequence[Sequence[float]]
BETWEEN: Final[tuple[Between, ...]] = get_args(Between)


@final
@dataclass(frozen=True)
class RatioTable(BoxLimit):
    """Tolerated ratios at the points of a grid, and a reading between them that never loosens.

    Parameters
    ----------
    rows : sequence of (float, float, float)
        Membership prior (0, 1], value prior (0, 1] and the ratio tolerated there [0, inf]; every
        membership prior with every value prior, in any order.
    between : {"least", "harmonic"}
        ``least``: between points the least ratio of the points around. ``harmonic``: 1/r* changes
        linearly along either prior, which never gives more than straight lines between ratios.

    Raises
    ------
    OutOfRange
        If a number is outside its range.
    InvalidInput
        If a pair of priors is missing or occurs twice, or `between` is neither word.

    Notes
    -----
    Outside of the grid nothing is limited, and `unprotected` says so. An infinite ratio limits
    nothing; around it, ``harmonic`` reads 1/r* = 0 there.

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

    tight: ClassVar[bool] = True
    theorem: ClassVar[Theorem] = CORNERS_OF_CELLS

    def __post_init__(self) -> None:
        found = [tuple(row) for row in self.rows]
        if not found or any(len(row) != 3 for row in found):
            wrong = next((row for row in found if len(row) != 3), self.rows)
            raise refused("budget.rows", "rows", wrong)
        p = numbers("membership_prior", [row[0] for row in found], PRIOR)
        q = numbers("value_prior", [row[1] for row in found], PRIOR)
        r = numbers("ratio", [row[2] for row in found], NONNEGATIVE)
        order = np.lexsort((q, p))
        triples = zip(p[order].tolist(), q[order].tolist(), r[order].tolist(), strict=True)
        assign(self, rows=tuple(triples))
        one_of("between", self.between, BETWEEN)
        _check_grid(self.rows, *self.grid())

    def box(self) -> Box:
        return Box(self.rows[0][0], self.rows[-1][0], self.rows[0][1], self.rows[-1][1])

    @property
    def assumed(self) -> tuple[str, ...]:
        return (english(f"budget.table.{self.between}"),)

    def grid(self) -> tuple[Floats, Floats, Floats]:
        """The membership priors, the value priors, and the ratios as a matrix over them.

        Returns
        -------
        tuple of ndarray
            Both lists of priors rising; a ratio is NaN where the table has none.
        """
        array = np.array(self.rows)
        p, i = np.unique(array[:, 0], return_inverse=True)
        q, j = np.unique(array[:, 1], return_inverse=True)
        ratios = np.full((len(p), len(q)), np.nan)
        ratios[i, j] = array[:, 2]
        return p, q, ratios

    @property
    def breaks(self) -> tuple[Sequence[float], Sequence[float]]:
        p, q, _ = self.grid()
        return p.tolist(), q.tolist()

    def at(self, p: Floats, q: Floats) -> Point:
        return of_ratio(p, q, self._read(p, q, Boxes(p, p, q, q)))

    def worst(self, cells: Boxes, top: Point, epsilon: float) -> tuple[Point, ...]:
        """Corners: with one ratio in a cell two of them, with 1/r* linear all four."""
        corners = self.corners(cells, top)
        return corners[:2] if self.between == "least" else corners

    def corners(self, cells: Boxes, top: Point) -> tuple[Point, ...]:
        places = [(p, q) for q in (cells.q0, cells.q1) for p in (cells.p0, cells.p1)]
        return tuple(of_ratio(p, q, self._read(p, q, cells)) for p, q in places)

    def leaves_open(self) -> tuple[str, ...]:
        p, q, ratios = self.grid()
        with np.errstate(invalid="ignore"):
            open_ = np.isinf(ratios) | (ratios * p[:, None] * q >= 1.0)
        if not open_.any():
            return ()
        return (english("budget.open.table", count=int(open_.sum()), of=open_.size),)

    def _ratio(self, p: Floats, q: Floats) -> Floats:
        box = self.box()
        inside = np.clip(p, box.p0, box.p1), np.clip(q, box.q0, box.q1)
        p_in, q_in = inside
        return limited_by(self, p, q, self._read(p_in, q_in, Boxes(p_in, p_in, q_in, q_in)))

    def _read(self, p: Floats, q: Floats, cells: Boxes) -> Floats:
        """The ratio at points of cells, none of which reaches across a line of the grid."""
        ps, qs, ratios = self.grid()
        i, i_end = _around(ps, cells.p0, cells.p1)
        j, j_end = _around(qs, cells.q0, cells.q1)
        corners = [ratios[a, b] for a in (i, i_end) for b in (j, j_end)]
        if self.between == "least":
            return np.asarray(np.minimum.reduce(corners))
        along_p, along_q = _share(p, ps[i], ps[i_end]), _share(q, qs[j], qs[j_end])
        low = _mixed(corners[0], corners[1], along_q)
        high = _mixed(corners[2], corners[3], along_q)
        return _mixed(low, high, along_p)


Whole = npt.NDArray[np.intp]


def _around(grid: Floats, low: Floats, high: Floats) -> tuple[Whole, Whole]:
    """The last line at or below, and the first at or above."""
    below = np.searchsorted(grid, low, side="right") - 1
    above = np.searchsorted(grid, high, side="left")
    return np.clip(below, 0, len(grid) - 1), np.clip(above, 0, len(grid) - 1)


def _share(at: Floats, low: Floats, high: Floats) -> Any:
    width = high - low
    return np.where(width > 0.0, (at - low) / np.where(width > 0.0, width, 1.0), 0.0)


def _mixed(first: Floats, last: Floats, share: Floats) -> Floats:
    """Harmonic mean of ratios, weighted; the ratios themselves at shares 0 and 1."""
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = 1.0 / ((1.0 - share) / first + share / last)
    mean = np.where((first == 0.0) | (last == 0.0), 0.0, mean)
    return np.where(share == 0.0, first, np.where(share == 1.0, last, mean))


def _check_grid(rows: Rows, p: Floats, q: Floats, ratios: Floats) -> None:
    missing = np.argwhere(np.isnan(ratios))
    if missing.size:
        pair = (float(p[missing[0][0]]), float(q[missing[0][1]]))
        raise refused("budget.grid", "rows", fill("budget.grid.none", pair=pair))
    if len(rows) != ratios.size:
        twice = next(a[:2] for a, b in pairwise(rows) if a[:2] == b[:2])
        raise refused("budget.grid", "rows", fill("budget.grid.two", pair=twice))
