"""``dprisk allocation --all-scenarios``: every scenario of a table, beside published numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dprisk._asking import answers
from dprisk._asking.answers import Block, belief
from dprisk.text.rounding import at_most

if TYPE_CHECKING:
    from dprisk.allocation.allocations import Allocation as Read
    from dprisk.allocation.finding import ScenarioCheck


def shown(made: Read, compared: tuple[ScenarioCheck, ...]) -> Iterator[Block]:
    """Each scenario, beside the published numbers, and what differs."""
    yield made.name
    yield answers.table(
        ("", "concern", "queries"),
        (
            [one.scenario.name, "; ".join(one.scenario.concerns), str(len(one.exposure.queries))]
            for one in compared
        ),
        "Scenarios",
    )
    unit = made.symbol
    powers = (head for at in compared[0].levels for head in (f"power at {belief(at)}", "published"))
    caption = f"{unit} and power of a test, beside the published numbers"
    yield answers.table(["", unit, "published", *powers], map(_scenario, compared), caption)
    yield answers.items([*_verdicts(made, compared), _legend(compared)])


def _scenario(one: ScenarioCheck) -> list[str]:
    printed = one.scenario.printed
    rho = at_most(float(one.exposure.amount), 6)
    row = [one.scenario.name, rho, printed.rho if printed else ""]
    for n, level in enumerate(one.levels):
        known = printed.power.get(level, "") if printed else ""
        row += [at_most(float(one.power.value[n]), 6), known]
    return row


def _verdicts(made: Read, compared: tuple[ScenarioCheck, ...]) -> list[str]:
    """One line for those that match, one for those that are explained, one for each other."""
    kinds: dict[str, list[ScenarioCheck]] = {"matches": [], "explained": [], "differs": []}
    for one in compared:
        found = [kind for kind in kinds if kind in one.verdicts.values()]
        if found:
            kinds[found[-1]].append(one)
    names = {kind: ", ".join(one.scenario.name for one in some) for kind, some in kinds.items()}
    where = f" of {made.printed_in}" if made.printed_in else ""
    lines = []
    if kinds["matches"]:
        lines.append(f"{names['matches']}: all published numbers{where} match.")
    if kinds["explained"] and made.printed_if is not None:
        lines.append(
            f"{names['explained']}: the published numbers{where} that differ are smaller than the "
            f"sum of the table. They follow if {made.printed_if.says}. dprisk uses the table."
        )
    return lines + [f"{one.scenario.name}: {one.says()}." for one in kinds["differs"]]


def _legend(compared: tuple[ScenarioCheck, ...]) -> str:
    ends = [one.power.bracket for one in compared]
    legend = "Power: the most that any test has at that false positive rate"
    if any(low is None for low, _ in ends):
        return f"{legend}."
    width = max(float((high - low).max()) for low, high in ends)
    return f"{legend}, {'exact' if width == 0.0 else f'known to within {at_most(width, 2)}'}."
