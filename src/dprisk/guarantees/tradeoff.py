"""f-differential privacy: a trade-off between the two errors of every test."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import PROBABILITY, numbers, one_of
from dprisk._numeric.envelope import Envelope
from dprisk._numeric.logspace import Floats, below_complement
from dprisk.errors import InvalidInput
from dprisk.guarantees.base import NEIGHBORS, Neighbors, assign
from dprisk.guarantees.piecewise import PiecewiseLinear
from dprisk.sources import Theorem

__all__ = ["FDP"]

ROUNDING = 1e-12


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
    never too private), and `hull` for points that are not convex. Both relations of neighbors are
    symmetric, so f-DP is the same as max(f, f^-1)-DP (Dong et al. 2022, Proposition 2.4), and all
    answers are about that; `symmetrized` shows it. Answers are exact for the polygon.

    References
    ----------
    .. [1] P1, Definition 5.7.
    .. [2] J. Dong, A. Roth, W. J. Su, "Gaussian differential privacy", 2022.

    Examples
    --------
    >>> from dprisk import FDP
    >>> guarantee = FDP([0, 0.25, 1], [1, 0.25, 0], neighbors="replace-one")
    >>> guarantee.power(0.25).value
    0.75
    """

    levels: tuple[float, ...]
    errors: tuple[float, ...]
    neighbors: Neighbors
    _envelope: Envelope = field(compare=False)

    definition: ClassVar[str] = "tradeoff"
    _sources: ClassVar[Mapping[str, Theorem]] = {
        "delta": Theorem("Dong 2022", "Proposition 2.12", "the profile is the dual of f"),
        "power": Theorem("P1", "Definition 5.7", "power of a test under f-DP"),
        "both": Theorem("dprisk", "Proposition 2", "both tails of the loss from the power curve"),
        "one": Theorem("P1", "Section 5.2", "epsilon = log(delta / f^-1(1 - delta))"),
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
            neighbors=one_of("neighbors", neighbors, NEIGHBORS),
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
        return cls.hull(*_below(x, y), neighbors=neighbors)

    @classmethod
    def hull(cls, levels: npt.ArrayLike, errors: npt.ArrayLike, *, neighbors: Neighbors) -> FDP:
        """f-DP for the largest convex, non-increasing f below some points.

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
            A guarantee that is never stronger than the points say.

        Raises
        ------
        OutOfRange
            If a number is outside [0, 1] or NaN.
        InvalidInput
            If the two lists are empty or differ in length.

        Examples
        --------
        >>> from dprisk import FDP
        >>> FDP.hull([0, 0.5, 0.6, 1], [0.9, 0.2, 0.3, 0], neighbors="add-remove").levels
        (0.0, 0.5, 1.0)
        """
        x = numbers("levels", levels, PROBABILITY)
        f = numbers("errors", errors, PROBABILITY)
        if x.ndim != 1 or x.shape != f.shape or x.size == 0:
            raise InvalidInput("levels and errors", (x.shape, f.shape), "two lists of one length")
        f = np.minimum(f, 1.0 - x)
        order = np.lexsort((f, x))
        first = 0.0 if x.min() > 0.0 else f[x == 0.0].min()
        corners: list[tuple[float, float]] = [(0.0, float(first))]
        for point in [*zip(x[order].tolist(), f[order].tolist(), strict=True), (1.0, 0.0)]:
            if point[0] == corners[-1][0]:
                continue
            while len(corners) > 1 and _above_chord(corners[-2], corners[-1], point):
                corners.pop()
            corners.append(point)
        return cls([c[0] for c in corners], [c[1] for c in corners], neighbors=neighbors)

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
        x, y = np.exp(self._envelope.log_x), np.exp(self._envelope.log_y)
        levels = np.concatenate([[0.0], x, [1.0]])
        errors = below_complement(np.concatenate([self._envelope.offsets[:1], y, [1.0]]))
        return FDP.hull(levels, errors, neighbors=self.neighbors)

    @property
    def parameters(self) -> dict[str, Any]:
        """The corners of f, as two lists `levels` and `errors`."""
        return {"levels": list(self.levels), "errors": list(self.errors)}

    def _two_steps(self) -> FDP:
        curve = self._envelope
        corners = np.exp(curve.log_x)
        x = np.unique(np.concatenate([[0.0], corners, curve.x(corners), [1.0]]))
        return FDP.hull(x, below_complement(curve.y(curve.y(x))), neighbors="replace-one")


def _lines(x: Floats, f: Floats) -> tuple[Floats, Floats]:
    """Sides of the polygon 1 - f, as logarithmic slopes and offsets."""
    slope = np.maximum(-np.diff(f) / np.diff(x), 0.0)
    with np.errstate(divide="ignore"):
        return np.log(slope), np.maximum(1.0 - f[:-1] - slope * x[:-1], 0.0)


def _check_tradeoff(x: Floats, f: Floats) -> None:
    """Refuse corners that are not those of a convex, non-increasing f <= 1 - x on [0, 1]."""
    if x.ndim != 1 or x.shape != f.shape or x.size < 2 or x[0] != 0.0 or x[-1] != 1.0:
        raise InvalidInput(
            "levels and errors",
            f"{x.size} and {f.size} numbers",
            "two lists of one length with levels from 0 to 1",
            "Add the corners at level 0 and 1, or use FDP.hull.",
        )
    if np.any(np.diff(x) <= 0):
        raise InvalidInput("levels", x[int(np.argmax(np.diff(x) <= 0))], "strictly rising")
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
                "FDP.hull gives the strongest guarantee that such points support.",
            )


def _above_chord(
    left: tuple[float, float], middle: tuple[float, float], right: tuple[float, float]
) -> bool:
    rise = (right[1] - left[1]) * (middle[0] - left[0])
    return (middle[1] - left[1]) * (right[0] - left[0]) >= rise


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
    return vertices, np.clip(heights - 16 * np.finfo(float).eps, 0.0, 1.0)
