"""f-differential privacy: a trade-off between the two errors of every test."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import PROBABILITY, assign, numbers
from dprisk._numeric.envelope import Envelope, majorant, sides
from dprisk._numeric.logspace import Floats, below_complement
from dprisk._numeric.rounding import down, up
from dprisk.errors import InvalidInput
from dprisk.guarantees.base import Neighbors
from dprisk.guarantees.piecewise import Dominating, PiecewiseLinear, dominated_by, polygon_loss
from dprisk.theorems import (
    TRADEOFF_BOTH_TAILS,
    TRADEOFF_LOSS_BOUND,
    TRADEOFF_POWER,
    TRADEOFF_PROFILE,
    Theorem,
)

ROUNDING = 1e-12
WHOLE = 2**1074  # smallest doubles in one


@final
@dataclass(frozen=True, init=False, repr=False, slots=True)
class FDP(PiecewiseLinear):
    """Every test at level x errs the other way with probability at least f(x).

    Parameters
    ----------
    levels : array_like of float
        Corners of f, rising from 0 to 1. [0, 1], shape (n,)
    errors : array_like of float
        f at the corners: type II error, convex, non-increasing and at most 1 - level.
        [0, 1], shape (n,)
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors.

    Raises
    ------
    OutOfRange
        If a number is outside [0, 1] or NaN.
    InvalidInput
        If the corners do not form a trade-off function; the message names the first that fails.

    Notes
    -----
    Between corners f is linear. Use `from_function` for a smooth f (a polygon from below, so
    never too private), `polygon` for corners that are not convex, and `hull` where f is known at
    some points only. Both relations of neighbors are symmetric, so f-DP is the same as
    max(f, f^-1)-DP (Dong et al. 2022, Proposition 2.4), and all answers are about that;
    `symmetrized` shows it. Answers are exact for the polygon.

    References
    ----------
    .. [1] P1, Definition 5.7.
    .. [2] J. Dong, A. Roth, W. J. Su, "Gaussian differential privacy", 2022.

    Examples
    --------
    >>> from dprisk import FDP
    >>> guarantee = FDP([0, 0.25, 1], [1, 0.25, 0], neighbors="replace-one")
    >>> round(guarantee.power(0.25).value, 12)
    0.75
    """

    levels: tuple[float, ...]
    errors: tuple[float, ...]
    neighbors: Neighbors
    _envelope: Envelope = field(compare=False)

    definition: ClassVar[str] = "tradeoff"
    _sources: ClassVar[Mapping[str, Theorem]] = {
        "delta": TRADEOFF_PROFILE,
        "power": TRADEOFF_POWER,
        "both": TRADEOFF_BOTH_TAILS,
        "one": TRADEOFF_LOSS_BOUND,
    }

    def __init__(
        self, levels: npt.ArrayLike, errors: npt.ArrayLike, *, neighbors: Neighbors
    ) -> None:
        x = numbers("levels", levels, PROBABILITY)
        f = numbers("errors", errors, PROBABILITY)
        _check_tradeoff(x, f)
        assign(
            self,
            levels=tuple(x.tolist()),
            errors=tuple(f.tolist()),
            neighbors=neighbors,
            _envelope=Envelope.of(*_lines(x, f)),
        )

    @classmethod
    def from_function(
        cls, f: Callable[[Floats], npt.ArrayLike], *, neighbors: Neighbors, points: int = 2001
    ) -> FDP:
        """f-DP for a smooth trade-off function, as a polygon that never lies above it.

        Parameters
        ----------
        f : callable
            Maps an array of levels in [0, 1] to type II errors of the same shape.
        neighbors : {"add-remove", "replace-one"}
            Which datasets are neighbors.
        points : int
            Number of levels at which f is taken, half of them close to 0 and to 1. [16, inf)

        Returns
        -------
        FDP
            A guarantee implied by f-DP. Its power exceeds 1 - f by about the square of the grid's
            step, and by a few units of rounding of 1 - f (4e-15).

        Raises
        ------
        InvalidInput
            If f, on these levels, is not convex, non-increasing, or at most 1 - level.

        Examples
        --------
        >>> from dprisk import FDP
        >>> guarantee = FDP.from_function(lambda x: (1 - x) ** 2, neighbors="replace-one")
        >>> bool(0.5**0.5 <= guarantee.power(0.5).value < 0.7072)
        True
        """
        if points < 16:
            raise InvalidInput("points", points, "an integer of at least 16")
        tail = np.geomspace(1e-15, 0.5, points // 2)
        x = np.unique(np.concatenate([[0.0], tail, 1.0 - tail, [1.0]]))
        values = np.asarray(f(x), dtype=float)
        if values.shape != x.shape:
            raise InvalidInput("f", values.shape, f"a function that keeps the shape {x.shape}")
        y = numbers("f", values, PROBABILITY)
        _check_tradeoff(x, y)
        return cls.polygon(*_below(x, y), neighbors=neighbors)

    @classmethod
    def polygon(cls, levels: npt.ArrayLike, errors: npt.ArrayLike, *, neighbors: Neighbors) -> FDP:
        """f-DP for the polygon through some points: the largest convex f that passes none of them.

        For corners of an f that is linear in between. A curved f lies below the sides of such a
        polygon: for points of it use `hull`.

        Parameters
        ----------
        levels : array_like of float
            In any order. [0, 1], shape (n,)
        errors : array_like of float
            Type II errors there. [0, 1], shape (n,)
        neighbors : {"add-remove", "replace-one"}
            Which datasets are neighbors.

        Returns
        -------
        FDP
            Corners that are not convex, or above 1 - level, are left out.

        Raises
        ------
        OutOfRange
            If a number is outside [0, 1] or NaN.
        InvalidInput
            If the two lists are empty or differ in length.

        Examples
        --------
        >>> from dprisk import FDP
        >>> FDP.polygon([0, 0.5, 0.6, 1], [0.9, 0.2, 0.3, 0], neighbors="add-remove").levels
        (0.0, 0.5, 1.0)
        """
        x, f = _points(levels, errors)
        f = np.minimum(f, below_complement(x))
        first = 0.0 if x[0] > 0.0 else float(f[0])
        corners = [(0.0, first), *zip(x.tolist(), f.tolist(), strict=True), (1.0, 0.0)]
        kept = [corners[i] for i in majorant([(_whole(u), -_whole(v)) for u, v in corners])]
        return cls([c[0] for c in kept], [c[1] for c in kept], neighbors=neighbors)

    @classmethod
    def hull(cls, levels: npt.ArrayLike, errors: npt.ArrayLike, *, neighbors: Neighbors) -> FDP:
        """f-DP that follows from some points alone, whatever f does in between.

        Parameters
        ----------
        levels : array_like of float
            In any order. [0, 1], shape (n,)
        errors : array_like of float
            Type II errors that are known to be reached or exceeded there. [0, 1], shape (n,)
        neighbors : {"add-remove", "replace-one"}
            Which datasets are neighbors.

        Returns
        -------
        FDP
            Its tests are all those that some mechanism with these errors allows, and what convexity
            adds: between two points f may lie below the line that joins them. Where that line is
            meant, use `polygon`.

        Raises
        ------
        OutOfRange
            If a number is outside [0, 1] or NaN.
        InvalidInput
            If the two lists are empty or differ in length.

        References
        ----------
        .. [1] dprisk, Proposition 19.

        Examples
        --------
        >>> from dprisk import FDP
        >>> guarantee = FDP.hull([0.05, 0.1], [0.7, 0.6], neighbors="add-remove")
        >>> round(guarantee.power(0.05).value, 3), round(guarantee.power(0.07).value, 3)
        (0.411, 0.469)
        """
        x, f = _points(levels, errors)
        f = np.minimum(f, below_complement(x))
        return cls.polygon(*_peaks(x, f), neighbors=neighbors)

    def symmetrized(self) -> FDP:
        """The same promise with f replaced by max(f, f^-1), which it implies.

        Returns
        -------
        FDP
            Corners of the symmetric trade-off function.

        Examples
        --------
        >>> from dprisk import FDP
        >>> guarantee = FDP([0, 1], [0.5, 0], neighbors="add-remove")
        >>> [round(level, 6) for level in guarantee.symmetrized().levels]
        [0.0, 0.333333, 1.0]
        """
        return FDP.polygon(*self._envelope.corners(), neighbors=self.neighbors)

    @property
    def parameters(self) -> dict[str, Any]:
        """The corners of f, as two lists `levels` and `errors`."""
        return {"levels": list(self.levels), "errors": list(self.errors)}

    @property
    def dominating(self) -> Dominating:
        """The loss of its polygon, which dominates every mechanism that keeps it."""
        return dominated_by(polygon_loss(self._envelope), self.definition)

    def _group_of_two(self) -> FDP:
        curve = self._envelope
        corners = np.exp(curve.log_x)
        x = np.unique(np.concatenate([[0.0], corners, curve.x(corners), [1.0]]))
        return FDP.polygon(x, below_complement(curve.y(curve.y(x))), neighbors="replace-one")


def _lines(x: Floats, f: Floats) -> tuple[Floats, Floats]:
    """Sides of the polygon 1 - f or their mirror images."""
    points = [(_whole(u), WHOLE - _whole(v)) for u, v in zip(x.tolist(), f.tolist(), strict=True)]
    return sides(points, WHOLE)


def _whole(x: float) -> int:
    """A double in [0, 1] in units of the smallest one."""
    top, bottom = x.as_integer_ratio()
    return top * (WHOLE // bottom)


def _check_tradeoff(x: Floats, f: Floats) -> None:
    """Refuse corners that are not those of a convex, non-increasing f <= 1 - x on [0, 1]."""
    if x.ndim != 1 or x.shape != f.shape or x.size < 2 or x[0] != 0.0 or x[-1] != 1.0:
        raise InvalidInput(
            "levels and errors",
            f"{x.size} and {f.size} numbers",
            "two lists of the same length with levels from 0 to 1",
            "Add the corners at level 0 and 1, or use FDP.polygon.",
        )
    if np.any(np.diff(x) <= 0):
        raise InvalidInput("levels", x[int(np.argmax(np.diff(x) <= 0))], "strictly rising")
    with np.errstate(over="ignore", invalid="ignore"):  # levels below the range of normal floats
        # a difference of errors up to 1, and a quotient: three roundings
        slopes, noise = np.diff(f) / np.diff(x), 4 * np.finfo(float).eps / np.diff(x)
        turns = np.diff(slopes) < -ROUNDING * np.abs(slopes[1:]) - noise[1:] - noise[:-1]
    for failing, what in (
        (f > 1.0 - x + ROUNDING, "errors at most 1 - level"),
        (np.append(np.diff(f) > ROUNDING, False), "non-increasing errors"),
        (np.concatenate([[False], turns, [False]]), "convex errors"),
    ):
        if np.any(failing):
            i = int(np.argmax(failing))
            raise InvalidInput(
                "errors",
                f"{f[i]:g} at level {x[i]:g}",
                f"a trade-off function ({what})",
                "FDP.hull gives what these points imply by themselves.",
            )


def _points(levels: npt.ArrayLike, errors: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Points by rising level, of each level the one with the least error."""
    x = numbers("levels", levels, PROBABILITY)
    f = numbers("errors", errors, PROBABILITY)
    if x.ndim != 1 or x.shape != f.shape or x.size == 0:
        shapes = (x.shape, f.shape)
        raise InvalidInput("levels and errors", shapes, "two lists of the same length")
    order = np.lexsort((f, x))
    return x[order], f[order]


def _peaks(x: Floats, f: Floats) -> tuple[Floats, Floats]:
    """Lowest errors that a convex f can have between points that it does not pass."""
    inside = (x > 0.0) & (x < 1.0)  # the ends say nothing of what lies between
    nothing = (1.0 - f == x) & (1.0 - x == f)  # f = 1 - x: one of the differences is exact
    with np.errstate(over="ignore"):
        fall = np.divide(1.0 - f, x, out=np.full_like(x, np.inf), where=inside)
        rise = np.divide(f, 1.0 - x, out=np.zeros_like(x), where=inside)
        fall, rise = up(fall, nothing, 3), down(rise, nothing, 3)
    falls = np.minimum.accumulate(fall)  # 1 - f <= fall * x to the right
    rises = np.maximum.accumulate(rise[::-1])[::-1]  # f >= rise * (1 - x) to the left
    left, right = np.concatenate([[0.0], x]), np.concatenate([x, [1.0]])
    falls, rises = np.concatenate([[np.inf], falls]), np.concatenate([rises, [0.0]])
    falls, rises = np.maximum(falls, 1.0), np.minimum(rises, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        meet = np.where(np.isinf(falls), left, (1.0 - rises) / (falls - rises))
    meet = np.clip(np.where(np.isfinite(meet), meet, left), left, right)
    with np.errstate(invalid="ignore"):
        height = np.fmin(1.0 - falls * meet, rises * (1.0 - meet))
    # products, differences and a quotient of numbers up to 1: eight roundings, twice
    lost = np.where((height < 1.0) & (falls > 1.0), 16 * np.finfo(float).eps, 0.0)
    return meet, np.clip(height - lost, 0.0, 1.0)


def _below(x: Floats, f: Floats) -> tuple[Floats, Floats]:
    """Vertices of a polygon below a convex f: where the neighboring chords, extended, meet."""
    slope = np.diff(f) / np.diff(x)
    before, after = slope[:-2], slope[2:]
    left, right, at_left, at_right = x[1:-2], x[2:-1], f[1:-2], f[2:-1]
    turn = after - before
    with np.errstate(divide="ignore", invalid="ignore"):
        meet = (at_left - at_right - before * left + after * right) / turn
    meet = np.clip(np.where(turn > 0, meet, left), left, right)
    height = np.minimum(at_left + before * (meet - left), at_right + after * (meet - right))
    vertices = np.concatenate([[0.0], meet, [x[-2], 1.0]])
    heights = np.concatenate([[f[1] - slope[1] * x[1]], height, [f[-2], 0.0]])
    heights = np.minimum(heights, np.concatenate([[f[0]], height, [f[-2], 0.0]]))
    # products, sums and a quotient of errors up to 1: eight roundings, twice
    return vertices, np.clip(heights - 16 * np.finfo(float).eps, 0.0, 1.0)
