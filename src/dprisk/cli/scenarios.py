"""The scenarios that come with an allocation, on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from dprisk.cli import show
from dprisk.cli.findings import UNIT, ending
from dprisk.explain.rounding import at_most

if TYPE_CHECKING:
    from dprisk.allocation import Allocation, Compared


def print_scenarios(
    made: Allocation, compared: tuple[Compared, ...], json: bool, quiet: bool
) -> None:
    """Print every scenario of an allocation, beside what was printed about it."""
    if json:
        data = [one.to_dict() for one in compared]
        show.as_json({"schema": "dprisk/scenarios/1", "allocation": made.name, "scenarios": data})
        return
    if quiet:
        show.lines([f"{one.scenario.name}: {one.says()}" for one in compared], "")
        return
    show.lines([made.name], "")
    show.heading("Scenarios")
    show.table(
        ["", "concern", "queries"],
        [
            [one.scenario.name, "; ".join(one.scenario.concerns), str(len(one.exposure.queries))]
            for one in compared
        ],
    )
    unit = UNIT[made.accounting]
    headers = ["", unit, "printed"]
    for level in compared[0].levels:
        headers += [f"power at {show.belief(level)}", "printed"]
    show.heading(f"{unit} and the most power of a test, beside the prints")
    show.table(headers, [_row(one) for one in compared])
    typer.echo()
    show.lines([*_verdicts(made, compared), *_legend(compared)])
    ending(made)


def _row(one: Compared) -> list[str]:
    printed = one.scenario.printed
    rho = at_most(float(one.exposure.amount), 6)
    row = [one.scenario.name, rho, printed.rho if printed else ""]
    for n, level in enumerate(one.levels):
        row += [at_most(float(one.power.value[n]), 6), _print_of(one, level)]
    return row


def _print_of(one: Compared, level: float) -> str:
    printed = one.scenario.printed
    return printed.power.get(level, "") if printed else ""


def _verdicts(made: Allocation, compared: tuple[Compared, ...]) -> list[str]:
    """One line for those that match, one for those that are explained, one for each other."""
    kinds: dict[str, list[Compared]] = {"matches": [], "explained": [], "differs": []}
    for one in compared:
        found = [kind for kind in kinds if kind in one.verdicts.values()]
        if found:
            kinds[found[-1]].append(one)
    where = f" of {made.printed_in}" if made.printed_in else ""
    lines = []
    if kinds["matches"]:
        lines.append(f"{_names(kinds['matches'])}: all prints{where} match.")
    if kinds["explained"] and made.printed_if is not None:
        lines.append(
            f"{_names(kinds['explained'])}: the prints{where} that differ are smaller than what "
            f"the table adds up to. They come out if {made.printed_if.says}. The table counts."
        )
    return lines + [f"{one.scenario.name}: {one.says()}." for one in kinds["differs"]]


def _names(some: list[Compared]) -> str:
    return ", ".join(one.scenario.name for one in some)


def _legend(compared: tuple[Compared, ...]) -> list[str]:
    ends = [one.power.bracket for one in compared]
    if any(low is None for low, _ in ends):
        return ["Power: the most of any test at that level; at most."]
    width = max(float((high - low).max()) for low, high in ends)
    known = "exact" if width == 0.0 else f"known to within {at_most(width, 2)}"
    return [f"Power: the most of any test at that level; at most, and {known}."]
