"""The scenarios that come with an allocation, on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from dprisk.cli import show
from dprisk.cli.findings import UNIT, ending
from dprisk.text import fill
from dprisk.text.rounding import at_most

if TYPE_CHECKING:
    from dprisk.allocation.allocations import Allocation
    from dprisk.allocation.comparison import ScenarioCheck
    from dprisk.cli.output import Output


def print_scenarios(made: Allocation, compared: tuple[ScenarioCheck, ...], output: Output) -> None:
    """Print every scenario of an allocation, beside what was printed about it."""
    brief = [f"{one.scenario.name}: {one.says()}" for one in compared]
    output.show(
        {"schema": "dprisk/scenarios/1", "allocation": made.name, "scenarios": compared},
        lambda: show.lines(brief, ""),
        lambda: _in_full(made, compared),
    )


def _in_full(made: Allocation, compared: tuple[ScenarioCheck, ...]) -> None:
    show.lines([made.name], "")
    show.heading("cli.heading.scenarios")
    show.table(
        ["", *show.columns("concern", "queries")],
        [
            [one.scenario.name, "; ".join(one.scenario.concerns), str(len(one.exposure.queries))]
            for one in compared
        ],
    )
    unit, printed = UNIT[made.accounting], show.columns("printed")
    headers = ["", unit, *printed]
    for level in compared[0].levels:
        headers += [fill("cli.scenarios.power", level=show.belief(level)), *printed]
    show.heading("cli.scenarios.caption", unit=unit)
    show.table(headers, [_row(one) for one in compared])
    typer.echo()
    show.lines([*_verdicts(made, compared), *_legend(compared)])
    ending(made)


def _row(one: ScenarioCheck) -> list[str]:
    printed = one.scenario.printed
    rho = at_most(float(one.exposure.amount), 6)
    row = [one.scenario.name, rho, printed.rho if printed else ""]
    for n, level in enumerate(one.levels):
        row += [at_most(float(one.power.value[n]), 6), _print_of(one, level)]
    return row


def _print_of(one: ScenarioCheck, level: float) -> str:
    printed = one.scenario.printed
    return printed.power.get(level, "") if printed else ""


def _verdicts(made: Allocation, compared: tuple[ScenarioCheck, ...]) -> list[str]:
    """One line for those that match, one for those that are explained, one for each other."""
    kinds: dict[str, list[ScenarioCheck]] = {"matches": [], "explained": [], "differs": []}
    for one in compared:
        found = [kind for kind in kinds if kind in one.verdicts.values()]
        if found:
            kinds[found[-1]].append(one)
    where = fill("cli.scenarios.where", printed_in=made.printed_in) if made.printed_in else ""
    lines = []
    if kinds["matches"]:
        lines.append(fill("cli.scenarios.match", names=_names(kinds["matches"]), where=where))
    if kinds["explained"] and made.printed_if is not None:
        lines.append(
            fill(
                "cli.scenarios.differ",
                names=_names(kinds["explained"]),
                where=where,
                says=made.printed_if.says,
            )
        )
    return lines + [f"{one.scenario.name}: {one.says()}." for one in kinds["differs"]]


def _names(some: list[ScenarioCheck]) -> str:
    return ", ".join(one.scenario.name for one in some)


def _legend(compared: tuple[ScenarioCheck, ...]) -> list[str]:
    ends = [one.power.bracket for one in compared]
    if any(low is None for low, _ in ends):
        return [fill("cli.scenarios.legend")]
    width = max(float((high - low).max()) for low, high in ends)
    known = "exact" if width == 0.0 else fill("cli.scenarios.within", at_most=at_most(width, 2))
    return [fill("cli.scenarios.legend-within", known=known)]
