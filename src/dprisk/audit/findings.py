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

RAW: Final = english("assumptions.raw-only")
ANY: Final = english("assumptions.any-output")
SINGLE: Final = (
    "This number looks at single outputs only, so it is not a definition of privacy. "
    "A mechanism that reveals everything, spread over many outputs, has a small "
    "number here (Meiser 2018, Subtlety 1). Ask for delta."
)
KINDS: Final = {
    "adp": ("delta", LARGEST_DELTA, ANY),
    "pdp": ("tail", ONE_TAIL, RAW),
    "pdp-both": ("tail_both", BOTH_TAILS, RAW),
    "disclosure": ("disclosure", DIFFERING_OUTPUTS, RAW),
    "pbdp": ("bounded", LARGEST_PROCESSED_TAIL, ANY),
    "pointwise": ("pointwise", POINTWISE_DP, SINGLE),
    "rdp": ("renyi", LARGEST_DIVERGENCE, ANY),
    "zcdp": ("rho", LARGEST_RHO, ANY),
    "gdp": ("mu", BEST_NORMAL_TEST, ANY),
    "pure": ("largest_loss", LARGEST_LOSS, ANY),
}
"""For each definition the number that an audit finds, where it stands, and whether it is about the
raw output, or about anything computed from it, too."""
QUANTITY: Final = {kind: found[0] for kind, found in KINDS.items()}


@final
@result
@dataclass(frozen=True, repr=False)
class Witness:
    """Two neighbors and a set of outputs that show a number; the output is drawn from `first`.

    For a disclosure set `second` is empty: it is about all neighbors of the first. Of one more
    output a `share` belongs to the set: a coin is tossed. `order` is where a Rényi divergence is
    largest.
    """

    first: str
    second: str
    outputs: tuple[str, ...] = ()
    probability_first: Any = 0.0
    probability_second: Any = 0.0
    share: tuple[str, Any] | None = None
    order: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """The witness as plain data: fractions are floats here; an infinite order is None."""
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
    """A `quantity` of a mechanism `at` an epsilon, delta or order, the answer, and the `worst`
    witness for each number in it; a `warning` says why it must not be taken for what it looks like.
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
        """One number as plain data: `rational` is text, such as "1/4"."""
        found = members(self, "quantity", "at", "lower", "upper", "rational", "witness")
        holds = self.answer.assumptions[0]
        return {**found, "theorem": str(self.answer.theorem), "holds_for": holds}

    def __float__(self) -> float:
        return float(self.answer)


def found_exactly(
    quantity: str, at: Any, kind: str, value: Fraction | float, witness: Witness
) -> AuditFinding:
    """A number that is known as a fraction, or infinite."""
    _, theorem, holds = KINDS[kind]
    return AuditFinding(quantity, at, Answer(value, "exact", theorem, (holds,)), (witness,))


def between(
    quantity: str, at: Any, kind: str, low: Any, high: Any, worst: tuple[Witness, ...]
) -> AuditFinding:
    """Numbers of a definition that lie between two ends, in the shape of what was asked."""
    _, theorem, holds = KINDS[kind]
    answer = Answer(np.asarray(high), "upper", theorem, (holds,), np.minimum(low, high))
    warning = holds if kind == "pointwise" else ""
    return AuditFinding(quantity, at, answer.shaped(np.shape(at)), worst, warning)


def outwards(low: Fraction | float, high: Fraction | float) -> tuple[float, float]:
    """Two ends as floats, rounded away from each other."""
    least, most = float(low), float(high)
    return (
        math.nextafter(least, 0.0) if least > low else least,
        math.nextafter(most, math.inf) if most < high else most,
    )
