"""Bounds on what someone can learn of a concern: tests, counterfactuals, beliefs (P1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal, final, get_args

import numpy as np
import numpy.typing as npt

from dprisk._checks import NONNEGATIVE, PROBABILITY, numbers
from dprisk._values import ends, plain, result
from dprisk.allocation.allocations import Allocation, Scenario
from dprisk.allocation.exposure import ACCURACY, Exposure
from dprisk.allocation.queries import ACCOUNTING
from dprisk.answer import Answer
from dprisk.errors import Meaningless, one_of
from dprisk.guarantees.base import Guarantee
from dprisk.guarantees.gaussian import GaussianDP
from dprisk.progress import each
from dprisk.risk.adversary import between_hypotheses, confidence_for
from dprisk.risk.counterfactual import Knowledge, counterfactual
from dprisk.risk.posterior import Disclosure, disclosure
from dprisk.risk.tests import attack
from dprisk.text import english

Reading = Literal["exact", "promise"]
ACCURACY_OF_POWER: Final = 1e-7  # nats: a power to about 1e-7, in less time
READINGS: Final[tuple[Reading, ...]] = get_args(Reading)

ADVERSARIES: tuple[Knowledge, ...] = ("rest-known", "true-record", "arbitrary-prior")
"""P1, Theorem 7.4.1, "Theorem 3" and Theorem 7.4.2."""


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Findings:
    """Bounds on what can be learned about a concern. Made by `findings`."""

    exposure: Exposure  # the concern, and the queries that move
    reading: Reading  # whose guarantee all but `power_gaussian` and `power_promise` is about
    guarantee: Guarantee
    levels: tuple[float, ...]  # probabilities of a false alarm. [0, 1]
    power: Answer  # most of a test at each level. [0, 1]
    power_gaussian: Answer | None  # if the noise were normal: for discrete noise no bound
    power_promise: Answer  # for every mechanism that keeps the same accounting
    ratios: tuple[float, ...]  # posterior with the record over posterior without it. [0, inf]
    exceeding: tuple[tuple[Knowledge, Answer], ...]  # how likely each is exceeded, by adversary
    confidence: float | None  # with which beliefs are bounded; None: with certainty. (0, 1)
    priors: tuple[float, ...]  # beliefs before the release. [0, 1]
    disclosure: Disclosure  # from these to beliefs after it
    assumptions: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, the same that ``dprisk allocation --json`` prints."""
        belief = self.disclosure.posterior(self.priors)
        normal = None if self.power_gaussian is None else np.asarray(self.power_gaussian).tolist()
        promised = np.asarray(self.power_promise).tolist()
        return {
            "schema": "dprisk/allocation/1",
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
        With which beliefs are bounded. (0, 1). Left out: certainty where the privacy loss is
        bounded, otherwise 0.99.
    accuracy : float, optional
        How wide exact brackets may be, in nats; about 1e-9 if left out. [1e-13, 1]

    Returns
    -------
    Findings
        Power of tests, the three counterfactual curves of P1, and beliefs.

    Raises
    ------
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
    normal = None if exposure.has_epsilons else exposure.gaussian().power(at)
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
        assumptions=tuple(dict.fromkeys((*assumptions_of(exposure, chosen), *test.assumptions))),
    )


def read_as(exposure: Exposure, reading: Reading | None) -> Reading:
    """The reading asked for, or the one that fits the table."""
    if reading is not None:
        return one_of("reading", reading, READINGS)
    if exposure.records > 1 and not exposure.is_normal:
        return "promise"
    return "exact" if exposure.names_noise and exposure.is_composable else "promise"


def guarantee_of(exposure: Exposure, reading: Reading, accuracy: float | None) -> Guarantee:
    """Guarantee that holds under a reading."""
    return exposure.exact(accuracy) if reading == "exact" else exposure.promise()


def power_at_most(
    exposure: Exposure, levels: tuple[float, ...], known: dict[Any, Guarantee]
) -> tuple[float, ...]:
    """The power at each level, at most; what moves the same queries is composed once (`known`)."""
    power = np.asarray(exposure.promise().power(levels).value)
    if read_as(exposure, None) == "exact":
        key = exposure.allocation.accounting, exposure.moved, exposure.queries, exposure.elsewhere
        if key not in known:
            known[key] = guarantee_of(exposure, "exact", ACCURACY_OF_POWER)
        power = np.minimum(power, np.asarray(known[key].power(levels).value))
    return tuple(power.tolist())


def assumptions_of(exposure: Exposure, reading: Reading) -> tuple[str, ...]:
    """Assumptions of the share-out itself."""
    noise = exposure.allocation.noise
    known = ("the amounts are known", "each of them")
    if reading == "promise":
        known = ("the sum of the amounts is known", "it")
    run = f"Only {known[0]}, so this is the worst case over every mechanism that keeps {known[1]}."
    if reading == "exact" and noise:
        run = english("assumptions.allocation.noise", noise=english(f"mechanism.{noise}"))
    elif reading == "exact" and any(query.noise for query in exposure.queries):
        run = "Each query has the noise that is named for it, on each cell. Where only an epsilon "
        run += "is known, this is the worst case over mechanisms that keep it."
    if exposure.allocation.given_for == "add-remove":
        run += " The amounts were given for adding or removing a record, and turned into those for "
        run += "replacing one, by the cells that a record moves."
    changes = "Everything about the record may change."
    if exposure.concerns:
        changes = "Only the named parts of the record may change. Its other values are the same in "
        changes += "both cases that are compared."
    exact = exposure.says_invariants() or "What is published without noise is not counted."
    said = (exposure.says_group(), exposure.says_places(), exposure.says_disregarded())
    return changes, *(text for text in said if text), run, exact


def _at(answer: Answer, n: int) -> dict[str, Any]:
    """Both ends of one number among several."""
    low, high = (None if end is None else np.ravel(end)[n] for end in answer.bracket)
    return ends((low, high))


Verdict = Literal["matches", "explained", "differs"]


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class ScenarioCheck:
    """One scenario beside its prints. Made by `scenarios`."""

    scenario: Scenario  # the concern, and what was printed
    exposure: Exposure  # the queries that move
    levels: tuple[float, ...]  # probabilities of a false alarm. [0, 1]
    power: Answer  # most of a test at each. [0, 1]
    verdicts: Mapping[str, Verdict]  # for "rho" and each printed level; under `printed_if`

    def says(self) -> str:
        """How ours and the print agree, in one line; nothing without a print."""
        printed, rho = self.scenario.printed, float(self.exposure.amount)
        if printed is None:
            return ""
        kinds = set(self.verdicts.values())
        if kinds == {"matches"}:
            return "matches"
        sums = english("allocation.says.sum", printed=printed.rho, rho=f"{rho:.4g}")
        explanation = self.exposure.allocation.printed_if
        if kinds <= {"matches", "explained"} and explanation is not None:
            return f"{sums}; the printed number follows if {explanation.says}"
        return sums

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, as documented with allocations."""
        printed = self.scenario.printed
        low, high = self.power.bracket
        tests = [
            {
                "level": level,
                **ends((None if low is None else low[n], high[n])),
                "printed": None if printed is None else printed.power.get(level),
                "verdict": self.verdicts.get(repr(level)),
            }
            for n, level in enumerate(self.levels)
        ]
        return {
            "name": self.scenario.name,
            "concerns": list(self.scenario.concerns),
            "queries": len(self.exposure.queries),
            "amount": float(self.exposure.amount),
            "amount_exact": str(self.exposure.amount),
            "printed": None if printed is None else printed.rho,
            "verdict": self.verdicts.get("rho"),
            "tests": tests,
            "says": self.says(),
        }


def scenarios(
    allocation: Allocation,
    *,
    levels: npt.ArrayLike = (0.01, 0.05, 0.1),
    reading: Reading | None = None,
    accuracy: float | None = ACCURACY,
) -> tuple[ScenarioCheck, ...]:
    """All scenarios that come with an allocation, beside what was printed about them.

    Parameters
    ----------
    allocation : Allocation
        With at least one scenario.
    levels : array_like of float
        Probabilities of a false alarm. [0, 1]
    reading : {"exact", "promise"}, optional
        As for `findings`.
    accuracy : float, optional
        How wide exact brackets may be, in nats; about 1e-9 if left out. [1e-13, 1]

    Returns
    -------
    tuple of ScenarioCheck
        In the order of the table.

    Raises
    ------
    Meaningless
        If the allocation has no scenarios, or the table does not know what the reading needs.

    Examples
    --------
    >>> from dprisk.allocation import census2020, scenarios
    >>> compared = scenarios(census2020())
    >>> {one.scenario.name: one.verdicts["rho"] for one in compared[:3]}
    {'A': 'matches', 'B': 'matches', 'C': 'explained'}
    """
    if not allocation.scenarios:
        raise Meaningless("This allocation comes without scenarios. Ask about a concern instead.")
    at = tuple(np.ravel(numbers("level", levels, PROBABILITY)).tolist())
    found = []
    for scenario in each("scenarios", allocation.scenarios):
        exposure = allocation.exposure(*scenario.concerns)
        guarantee = guarantee_of(exposure, read_as(exposure, reading), accuracy)
        power = guarantee.power(at)
        verdicts = _verdicts(scenario, exposure, guarantee.power)
        found.append(ScenarioCheck(scenario, exposure, at, power, verdicts))
    return tuple(found)


def _verdicts(
    scenario: Scenario, exposure: Exposure, power: Callable[[float], Answer]
) -> dict[str, Verdict]:
    """Verdicts on rho, and on every power that is printed."""
    printed, other = scenario.printed, exposure.explained
    if printed is None or ACCOUNTING[exposure.allocation.accounting] != "rho":
        return {}
    elsewhere = [] if other is None else [float(other)]
    found = {"rho": _verdict(printed.rho, [float(exposure.amount)], elsewhere)}
    for level, text in printed.power.items():
        ends = [float(end) for end in power(level).bracket if end is not None]
        if other is not None:
            normal = GaussianDP(float(2 * other) ** 0.5, neighbors="replace-one")
            elsewhere = [float(normal.power(level))]
        found[repr(level)] = _verdict(text, ends, elsewhere)
    return found


def _verdict(printed: str, ours: list[float], elsewhere: list[float]) -> Verdict:
    """Both ends of ours round to the print; or else what the explanation gives does."""
    digits = len(printed.partition(".")[2])

    def same(values: list[float]) -> bool:
        rounded = {Fraction(f"{value:.{digits}f}") for value in values}
        return rounded == {Fraction(printed)}

    if same(ours):
        return "matches"
    return "explained" if same(elsewhere) else "differs"
