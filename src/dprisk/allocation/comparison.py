"""Scenarios of an allocation beside the rho and the powers printed about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import PROBABILITY, numbers
from dprisk._values import ends, result
from dprisk.allocation.allocations import ACCOUNTING, Allocation, Scenario
from dprisk.allocation.exposure import ACCURACY, Exposure
from dprisk.allocation.finding import Reading, guarantee_of, read_as
from dprisk.answer import Answer
from dprisk.errors import Meaningless
from dprisk.guarantees.gaussian import GaussianDP
from dprisk.progress import each
from dprisk.text import english

Verdict = Literal["matches", "explained", "differs"]


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class ScenarioCheck:
    """One scenario beside its prints. Made by `scenarios`.

    Parameters
    ----------
    scenario : Scenario
        The concern, and what was printed.
    exposure : Exposure
        The queries that move.
    levels : tuple of float
        Probabilities of a false alarm. [0, 1]
    power : Answer
        Most power of a test at each. [0, 1]
    verdicts : mapping of str to {"matches", "explained", "differs"}
        For ``"rho"`` and each printed level: whether ours rounds to the print; if not, whether the
        print comes out under the explanation that the table gives.
    explained_rho : Fraction or None
        rho under that explanation. [0, inf)
    """

    scenario: Scenario
    exposure: Exposure
    levels: tuple[float, ...]
    power: Answer
    verdicts: dict[str, Verdict]
    explained_rho: Fraction | None

    def says(self) -> str:
        """How ours and the print agree, in one line.

        Returns
        -------
        str
            Without a print, nothing.
        """
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
        """Plain data for JSON.

        Returns
        -------
        dict
            Keys are documented with allocations.
        """
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
        How wide the exact brackets may be, in nats of epsilon. About 1e-9 if left out.
        [1e-13, 1]

    Returns
    -------
    tuple of ScenarioCheck
        In the order of the table.

    Raises
    ------
    Meaningless
        If the allocation has no scenarios, or the table does not know what the reading needs.
    OutOfRange
        If a number is outside its range.

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
        found.append(ScenarioCheck(scenario, exposure, at, power, verdicts, exposure.explained))
    return tuple(found)


def _verdicts(
    scenario: Scenario,
    exposure: Exposure,
    power: Callable[[float], Answer],
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
        return bool(values) and all(
            Fraction(f"{v:.{digits}f}") == Fraction(printed) for v in values
        )

    if same(ours):
        return "matches"
    return "explained" if same(elsewhere) else "differs"
