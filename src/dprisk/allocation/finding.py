"""Bounds on what someone can learn of a concern: tests, counterfactuals, beliefs (P1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, final, get_args

import numpy as np
import numpy.typing as npt

from dprisk._checks import NONNEGATIVE, PROBABILITY, numbers, one_of
from dprisk._values import ends, plain, result
from dprisk.allocation.exposure import ACCURACY, Exposure
from dprisk.answer import Answer
from dprisk.guarantees.base import Guarantee
from dprisk.risk.adversary import between_hypotheses, confidence_for
from dprisk.risk.counterfactual import Knowledge, counterfactual
from dprisk.risk.posterior import Disclosure, disclosure
from dprisk.risk.tests import attack
from dprisk.text import english

FINDINGS = "dprisk/allocation/1"

Reading = Literal["exact", "promise"]
READINGS: Final[tuple[Reading, ...]] = get_args(Reading)

ADVERSARIES: tuple[Knowledge, ...] = ("rest-known", "true-record", "arbitrary-prior")
"""P1, Theorem 7.4.1, "Theorem 3" and Theorem 7.4.2."""


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Findings:
    """Bounds on what can be learned about a concern. Made by `findings`.

    Parameters
    ----------
    exposure : Exposure
        The concern, and the queries that move.
    reading : {"exact", "promise"}
        Whose guarantee everything but `power_gaussian` and `power_promise` is about.
    guarantee : Guarantee
        That guarantee.
    levels : tuple of float
        Probabilities of a false alarm. [0, 1]
    power : Answer
        Most power of a test at each level. [0, 1]
    power_gaussian : Answer or None
        The same, if the noise were continuous and normal: for discrete noise no bound. [0, 1]
    power_promise : Answer
        The same, for every mechanism that keeps the same accounting. [0, 1]
    ratios : tuple of float
        Posterior with the record over posterior without it. [0, inf]
    exceeding : tuple of (str, Answer)
        For each adversary of `counterfactual`, how likely each ratio is exceeded. [0, 1]
    confidence : float or None
        With which beliefs are bounded; None: with certainty. (0, 1)
    priors : tuple of float
        Beliefs before the release. [0, 1]
    disclosure : Disclosure
        From these to beliefs after it.
    assumptions : tuple of str
        What every number takes for granted.
    """

    exposure: Exposure
    reading: Reading
    guarantee: Guarantee
    levels: tuple[float, ...]
    power: Answer
    power_gaussian: Answer | None
    power_promise: Answer
    ratios: tuple[float, ...]
    exceeding: tuple[tuple[Knowledge, Answer], ...]
    confidence: float | None
    priors: tuple[float, ...]
    disclosure: Disclosure
    assumptions: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, the same that ``dprisk allocation --json`` prints.

        Returns
        -------
        dict
            Keys are documented with allocations.
        """
        belief = self.disclosure.posterior(self.priors)
        normal = None if self.power_gaussian is None else np.asarray(self.power_gaussian).tolist()
        promised = np.asarray(self.power_promise).tolist()
        return {
            "schema": FINDINGS,
            **self.exposure.to_dict(),
            "reading": self.reading,
            "tests": [
                {
                    "level": level,
                    "power": _at(self.power, n),
                    "power_gaussian": None if normal is None else normal[n],
                    "power_promise": promised[n],
                }
                for n, level in enumerate(self.levels)
            ],
            "counterfactuals": [
                {
                    "adversary": adversary,
                    "theorem": str(answer.theorem),
                    "assumptions": list(answer.assumptions),
                    "exceeding": [
                        {"ratio": plain(ratio), "probability": _at(answer, n)}
                        for n, ratio in enumerate(self.ratios)
                    ],
                }
                for adversary, answer in self.exceeding
            ],
            "confidence": self.confidence,
            "beliefs": [
                {
                    "before": prior,
                    "after_at_least": float(belief.lower.value[n]),
                    "after_at_most": float(belief.upper.value[n]),
                }
                for n, prior in enumerate(self.priors)
            ],
            "beliefs_assume": list(self.disclosure.assumptions),
            "assumptions": list(self.assumptions),
        }


def findings(
    exposure: Exposure,
    *,
    reading: Reading | None = None,
    levels: npt.ArrayLike = (0.01, 0.05, 0.1),
    ratios: npt.ArrayLike = (2.0, 10.0, 100.0),
    priors: npt.ArrayLike = (0.01, 0.1, 0.5),
    confidence: float | None = None,
    accuracy: float | None = ACCURACY,
) -> Findings:
    """Bound what can be learned about a concern.

    Parameters
    ----------
    exposure : Exposure
        The queries that a change can move, by ``allocation.exposure(...)``.
    reading : {"exact", "promise"}, optional
        ``exact``: the noise that is really added. ``promise``: whatever keeps the accounting.
        Left out: exact where the table names the noise, else the promise.
    levels : array_like of float
        Probabilities of a false alarm. [0, 1]
    ratios : array_like of float
        Posterior with the record over posterior without it. [0, inf]
    priors : array_like of float
        Beliefs before the release. [0, 1]
    confidence : float, optional
        With which beliefs are bounded. (0, 1). Left out, as everywhere (`dprisk.risk.adversary`):
        certainty where the privacy loss is bounded, otherwise 0.99.
    accuracy : float, optional
        How wide the exact brackets may be, in nats of epsilon. About 1e-9 if left out.
        [1e-13, 1]

    Returns
    -------
    Findings
        Power of tests, the three counterfactual curves of P1, and beliefs.

    Raises
    ------
    InvalidInput
        If `reading` is something else.
    OutOfRange
        If a number is outside its range.
    Meaningless
        If the table does not know what the reading needs.

    References
    ----------
    .. [1] P1, Section 8.

    Examples
    --------
    >>> from dprisk.allocation import census2020, findings
    >>> made = findings(census2020().exposure("race"))
    >>> made.power.value.round(4).tolist()
    [0.1828, 0.4116, 0.5556]
    """
    chosen = read_as(exposure, reading)
    guarantee = guarantee_of(exposure, chosen, accuracy)
    at = tuple(np.ravel(numbers("level", levels, PROBABILITY)).tolist())
    limits = tuple(np.ravel(numbers("ratio", ratios, NONNEGATIVE)).tolist())
    beliefs = tuple(np.ravel(numbers("prior", priors, PROBABILITY)).tolist())
    test = attack(guarantee, secret="attribute")
    sure = confidence_for(between_hypotheses(guarantee, "attribute"), asked=confidence)
    moved = disclosure(guarantee, secret="attribute", confidence=sure)
    normal = None if exposure.allocation.accounting == "pure" else exposure.gaussian().power(at)
    return Findings(
        exposure=exposure,
        reading=chosen,
        guarantee=guarantee,
        levels=at,
        power=test.power(at),
        power_gaussian=normal,
        power_promise=exposure.promise().power(at),
        ratios=limits,
        exceeding=tuple(
            (who, counterfactual(guarantee, adversary=who).exceeding(limits)) for who in ADVERSARIES
        ),
        confidence=sure,
        priors=beliefs,
        disclosure=moved,
        assumptions=tuple(dict.fromkeys((*_assumptions(exposure, chosen), *test.assumptions))),
    )


def read_as(exposure: Exposure, reading: Reading | None) -> Reading:
    """The reading asked for, or the one that fits the table."""
    if reading is not None:
        return one_of("reading", reading, READINGS)
    unknown = exposure.allocation.noise is None and exposure.allocation.accounting == "zcdp"
    return "promise" if unknown else "exact"


def guarantee_of(exposure: Exposure, reading: Reading, accuracy: float | None) -> Guarantee:
    """Guarantee that holds under a reading."""
    return exposure.exact(accuracy) if reading == "exact" else exposure.promise()


def _assumptions(exposure: Exposure, reading: Reading) -> tuple[str, ...]:
    """Assumptions of the share-out itself."""
    noise = exposure.allocation.noise
    runs = {
        "exact": english("assumptions.allocation.noise", noise=english(f"mechanism.{noise}"))
        if noise
        else (
            "Only the amounts are known, so this is the worst case over every mechanism "
            "that keeps each of them."
        ),
        "promise": (
            "Only the sum of the amounts is known, so this is the worst case over every "
            "mechanism that keeps it."
        ),
    }
    lines = [
        (
            "Only the named parts of the record may change. Its other values are the same "
            "in both cases that are compared."
        )
        if exposure.concerns
        else "Everything about the record may change.",
        runs[reading],
        "What is published without noise is not counted.",
    ]
    return tuple(lines)


def _at(answer: Answer, n: int) -> dict[str, Any]:
    """Both ends of one number among several."""
    low, high = (None if end is None else np.ravel(end)[n] for end in answer.bracket)
    return ends((low, high))
