"""The package's answers: a number, which way it errs, by which theorem, on what assumptions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, final

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats
from dprisk._values import brief, members, plain, result, rounded
from dprisk.theorems import Theorem

__all__ = ["Answer"]

Bound = Literal["exact", "upper", "lower"]


@final
@result
@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Answer:
    """A number (or an array of them) that says how far to trust it.

    An answer is about the worst case over *every* mechanism that keeps the guarantee, every pair of
    neighbors and, where it says so, every adversary.

    Parameters
    ----------
    value : float or ndarray
        The number; a float when every input was a scalar, otherwise a read-only array.
    bound : {"exact", "upper", "lower"}
        ``exact``: the worst case itself, attained or approached by some mechanism that keeps the
        guarantee. ``upper``: never below the worst case. ``lower``: never above it.
    theorem : Theorem
        Where it comes from.
    assumptions : tuple of str
        What has to be true for it to hold, in words.
    other_end : float or ndarray, optional
        Where the number was found by a certified computation: the other end of the bracket that
        holds the worst case. Rounding, grids and cut-off tails are inside the bracket.

    Notes
    -----
    An `Answer` can stand where a number is expected: ``float(answer)`` and
    ``numpy.asarray(answer)`` give its value.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> answer = PureDP(1.0, neighbors="add-remove").delta(0.0)
    >>> f"{float(answer):.3f} {answer.bound} {answer.theorem}"
    '0.462 exact P4 Subtlety 2'
    """

    value: Any
    bound: Bound
    theorem: Theorem
    assumptions: tuple[str, ...] = field(default=())
    other_end: Any = None

    @property
    def bracket(self) -> tuple[Any, Any]:
        """At least and at most: (lower, upper), each None where no such bound is known."""
        if self.bound == "exact":
            return self.value, self.value
        if self.bound == "lower":
            return self.value, self.other_end
        return self.other_end, self.value

    def __repr__(self) -> str:
        return f"<Answer: {self._in_brief()}, {self.theorem}>"

    def _in_brief(self) -> str:
        if self.bound == "exact":
            return f"{_figures(self.value)} (exact)"
        return _figures(self.value, "at most" if self.bound == "upper" else "at least")

    def _in_json(self) -> dict[str, Any]:
        low, high = self.bracket
        said = members(self, "bound", "theorem", "theorem.citation")
        return {"lower": plain(low), "upper": plain(high), **said}

    def __float__(self) -> float:
        return float(self.value)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return np.array(self.value, dtype=dtype or float)

    def shaped(self, shape: tuple[int, ...]) -> Answer:
        """This answer for values of another shape.

        Parameters
        ----------
        shape : tuple of int
            The shape wanted; () for a float. [0, inf)

        Returns
        -------
        Answer
            With a float or a read-only array of that shape.
        """
        other = None if self.other_end is None else settled(self.other_end, shape)
        return Answer(settled(self.value, shape), self.bound, self.theorem, self.assumptions, other)


def _figures(value: Any, side: str = "") -> str:
    if isinstance(value, float | int):
        return f"{side} {rounded(float(value), side)}".lstrip()
    return brief(np.asarray(value, dtype=float), side)


def settled(value: Floats, shape: tuple[int, ...]) -> Any:
    """`value` as a float for the empty shape, otherwise as a read-only array of that shape."""
    if shape == ():
        return float(np.asarray(value).item())
    array = np.array(value, dtype=float).reshape(shape)
    array.flags.writeable = False
    return array


TIE = 1e-9  # relative: an upper bound that gains no more is not worth another theorem


def least(found: Answer, others: Iterable[Answer]) -> Answer:
    """The least of several upper bounds; by another theorem where it gains more than a tie."""
    for other in others:
        value, less = np.asarray(found.value), np.asarray(other.value)
        if (less < value).any():
            gains = np.any(value > less + TIE * (1.0 + less))
            theorem, value = (other if gains else found).theorem, np.minimum(value, less)
            low = np.minimum(np.asarray(found.other_end), value)
            found = Answer(value, "upper", theorem, (), low)
    return found
