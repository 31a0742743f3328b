"""Findings of an audit: a number, and the datasets and the set of outputs that show it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from dprisk._values import result
from dprisk.answer import Answer
from dprisk.audit.definitions import HOLDS, QUANTITY, SOURCES
from dprisk.sources import Theorem


@final
@result
@dataclass(frozen=True, repr=False)
class Witness:
    """Two neighbors and a set of outputs that show a number. Made by `Audit`.

    Parameters
    ----------
    first, second : str
        Labels of the datasets; the output is drawn from the first. Of a disclosure set `second` is
        empty: it is about all neighbors of the first.
    outputs : tuple of str
        The set S; empty where the number is not about a set.
    probability_first, probability_second : float or Fraction
        How likely S is under each of the two. [0, 1]
    share : tuple of (str, float) or None
        One output more that belongs to S with some probability only: a coin is tossed. [0, 1]
    order : float or None
        At which order a Rényi divergence is largest, where that was sought. [1, inf]
    """

    first: str
    second: str
    outputs: tuple[str, ...] = ()
    probability_first: Any = 0.0
    probability_second: Any = 0.0
    share: tuple[str, Any] | None = None
    order: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """The witness as plain data.

        Returns
        -------
        dict
            Fractions are floats here; an infinite order is None.
        """
        order = None if self.order is None or np.isinf(self.order) else float(self.order)
        return {
            "first": self.first,
            "second": self.second or None,
            "outputs": list(self.outputs),
            "probability_first": float(self.probability_first),
            "probability_second": float(self.probability_second),
            "share": [self.share[0], float(self.share[1])] if self.share else None,
            "order": order,
        }


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class FloatFinding:
    """A number about a mechanism, with what shows it. Made by `Audit`.

    Parameters
    ----------
    quantity : str
        What it is: "delta", "epsilon", "tail", "disclosure", "bounded" or "bounded_epsilon" (pbdp),
        "pointwise", "renyi", "rho", "mu" or "largest_loss".
    answer : Answer
        At most, with the other end of its bracket.
    worst : tuple of Witness
        For each number in the answer, flattened, where it is reached.
    warning : str
        Why the number must not be taken for what it looks like; empty where it may.
    """

    quantity: str
    answer: Answer
    worst: tuple[Witness, ...]
    warning: str = ""

    @property
    def value(self) -> Any:
        """The number in the answer."""
        return self.answer.value

    @property
    def witness(self) -> Witness:
        """The first (or only) one of `worst`."""
        return self.worst[0]

    def __float__(self) -> float:
        return float(self.answer)


def between(
    kind: str, low: Any, high: Any, worst: tuple[Witness, ...], *, quantity: str = ""
) -> FloatFinding:
    """A number of a definition that lies between two ends; the lower never above the upper."""
    answer = Answer(high, "upper", SOURCES[kind], (HOLDS[kind],), np.minimum(low, high))
    warning = HOLDS[kind] if kind == "pointwise" else ""
    return FloatFinding(quantity or QUANTITY[kind], answer, worst, warning)


@final
@result
@dataclass(frozen=True, repr=False)
class ExactFinding:
    """A rational number about a mechanism, with what shows it. Made by `ExactAudit`.

    Parameters
    ----------
    quantity : str
        What it is, as in `FloatFinding`; "growth" is e to the epsilon.
    value : Fraction or float
        Exactly; inf where nothing finite is enough. [0, inf]
    witness : Witness
        Where it is reached.
    theorem : Theorem
        Where the definition stands.
    """

    quantity: str
    value: Fraction | float
    witness: Witness
    theorem: Theorem

    def __float__(self) -> float:
        return float(self.value)
