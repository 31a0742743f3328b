"""Findings of an audit: a number, where it stands, and the datasets and outputs that show it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal, final

import numpy as np

from dprisk._values import members, plain, result
from dprisk.answer import Answer
from dprisk.text import english
from dprisk.theorems import (
    BEST_NORMAL_TEST,
    BOTH_TAILS,
    DIFFERING_OUTPUTS,
    LARGEST_DELTA,
    LARGEST_DIVERGENCE,
    LARGEST_LOSS,
    LARGEST_PROCESSED_TAIL,
    LARGEST_RHO,
    ONE_TAIL,
    POINTWISE_DP,
)

Definition = Literal["adp", "pdp", "pdp-both", "disclosure", "pbdp", "pointwise"]

QUANTITY: Final[dict[str, str]] = {
    "adp": "delta",
    "pdp": "tail",
    "pdp-both": "tail_both",
    "disclosure": "disclosure",
    "pbdp": "bounded",
    "pointwise": "pointwise",
    "rdp": "renyi",
    "zcdp": "rho",
    "gdp": "mu",
    "pure": "largest_loss",
}
"""For each definition the number that an audit finds, under the name it has in findings."""

SOURCES: Final = {
    "adp": LARGEST_DELTA,
    "pdp": ONE_TAIL,
    "pdp-both": BOTH_TAILS,
    "disclosure": DIFFERING_OUTPUTS,
    "pbdp": LARGEST_PROCESSED_TAIL,
    "pointwise": POINTWISE_DP,
    "rdp": LARGEST_DIVERGENCE,
    "zcdp": LARGEST_RHO,
    "gdp": BEST_NORMAL_TEST,
    "pure": LARGEST_LOSS,
}

HOLDS: Final = dict.fromkeys(SOURCES, english("assumptions.any-output")) | {
    "pdp": english("assumptions.raw-only"),
    "pdp-both": english("assumptions.raw-only"),
    "disclosure": english("assumptions.raw-only"),
    "pointwise": (
        "This number looks at single outputs only, so it is not a definition of privacy. "
        "A mechanism that reveals everything, spread over many outputs, has a small "
        "number here (Meiser 2018, Subtlety 1). Ask for delta."
    ),
}
"""Whether a number is about the raw output, or about anything computed from it, too."""


@final
@result
@dataclass(frozen=True, repr=False)
class Witness:
    """Two neighbors and a set of outputs that show a number. Made by `audit`.

    Parameters
    ----------
    first, second : str
        Labels of the datasets; the output is drawn from the first. For a disclosure set `second`
        is empty: it is about all neighbors of the first.
    outputs : tuple of str
        The set S; empty where the number is not about a set.
    probability_first, probability_second : float or Fraction
        How likely S is under each of the two. [0, 1]
    share : tuple of (str, Fraction) or None
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
        return {
            "first": self.first,
            "second": self.second or None,
            "outputs": list(self.outputs),
            "probability_first": float(self.probability_first),
            "probability_second": float(self.probability_second),
            "share": [self.share[0], float(self.share[1])] if self.share else None,
            "order": None if self.order is None else plain(float(self.order)),
        }


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class AuditFinding:
    """A number about a mechanism, with what shows it. Made by `audit`.

    Parameters
    ----------
    quantity : str
        "largest_loss" (the smallest epsilon for pure DP), "total_variation", "rho", "mu", "renyi";
        at an epsilon "delta", "tail" and "tail_both" (probabilistic DP, one- and two-sided),
        "disclosure", "bounded" (pbdp) and "pointwise"; at a delta "epsilon" and "bounded_epsilon".
        In fractions also "growth" (e^epsilon) and "moment".
    at : float, Fraction, ndarray or None
        The epsilon, delta or order. [0, inf]
    answer : Answer
        Exact, in fractions; or at most, with the other end of its bracket.
    worst : tuple of Witness
        For each number in the answer, flattened, where it is reached.
    warning : str
        Why the number must not be taken for what it looks like; empty where it may.
    """

    quantity: str
    at: Any
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

    @property
    def lower(self) -> float:
        """The number at least, as a float."""
        return outwards(*self.answer.bracket)[0]

    @property
    def upper(self) -> float:
        """The number at most, as a float."""
        return outwards(*self.answer.bracket)[1]

    @property
    def rational(self) -> Fraction | None:
        """The number itself, where it is known as a fraction."""
        return self.value if isinstance(self.value, Fraction) else None

    def to_dict(self) -> dict[str, Any]:
        """One number as plain data.

        Returns
        -------
        dict
            Infinities are None; `rational` is text, such as "1/4".
        """
        found = members(self, "quantity", "at", "lower", "upper", "rational", "witness")
        holds = self.answer.assumptions[0]
        return {**found, "theorem": str(self.answer.theorem), "holds_for": holds}

    def __float__(self) -> float:
        return float(self.answer)


def found_exactly(
    quantity: str, at: Any, kind: str, value: Fraction | float, witness: Witness
) -> AuditFinding:
    """A number that is known as a fraction, or infinite."""
    return AuditFinding(
        quantity, at, Answer(value, "exact", SOURCES[kind], (HOLDS[kind],)), (witness,)
    )


def between(
    quantity: str, at: Any, kind: str, low: Any, high: Any, worst: tuple[Witness, ...]
) -> AuditFinding:
    """Numbers of a definition that lie between two ends, in the shape of what was asked."""
    answer = Answer(np.asarray(high), "upper", SOURCES[kind], (HOLDS[kind],), np.minimum(low, high))
    warning = HOLDS[kind] if kind == "pointwise" else ""
    return AuditFinding(quantity, at, answer.shaped(np.shape(at)), worst, warning)


def outwards(low: Fraction | float, high: Fraction | float) -> tuple[float, float]:
    """Two ends as floats, rounded away from each other."""
    least, most = float(low), float(high)
    return (
        math.nextafter(least, 0.0) if least > low else least,
        math.nextafter(most, math.inf) if most < high else most,
    )
