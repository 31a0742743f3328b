"""``dprisk allocation``: where a privacy loss went, read for what one cares about."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from dprisk.cli import options
from dprisk.cli.findings import print_findings
from dprisk.cli.scenarios import print_scenarios
from dprisk.cli.waiting import waiting
from dprisk.errors import InvalidInput
from dprisk.text import fill

TABLE = fill("help.panel.table")
ASK = fill("help.panel.ask")


def allocation(
    table: Annotated[
        str,
        typer.Argument(help=fill("help.allocation.table")),
    ],
    concern: Annotated[
        list[str] | None,
        typer.Option(
            help=fill("help.allocation.concern"),
            rich_help_panel=ASK,
        ),
    ] = None,
    all_scenarios: Annotated[
        bool,
        typer.Option(
            "--all-scenarios",
            help=fill("help.allocation.all-scenarios"),
        ),
    ] = False,
    exact: Annotated[
        bool,
        typer.Option("--exact", help=fill("help.allocation.exact")),
    ] = False,
    gaussian: Annotated[
        bool,
        typer.Option("--gaussian", help=fill("help.allocation.gaussian")),
    ] = False,
    level: Annotated[
        list[str] | None,
        typer.Option(
            help=fill("help.allocation.level"),
            rich_help_panel=ASK,
        ),
    ] = None,
    ratio: Annotated[
        list[str] | None,
        typer.Option(
            help=fill("help.allocation.ratio"),
            rich_help_panel=ASK,
        ),
    ] = None,
    prior: Annotated[
        list[str] | None,
        typer.Option(help=fill("help.allocation.prior"), rich_help_panel=ASK),
    ] = None,
    confidence: Annotated[
        str | None,
        typer.Option(help=fill("help.allocation.confidence")),
    ] = None,
    nested: Annotated[
        str | None,
        typer.Option(
            help=fill("help.allocation.nested"),
            rich_help_panel=TABLE,
        ),
    ] = None,
    moves: Annotated[
        str | None,
        typer.Option(
            help=fill("help.allocation.moves"),
            rich_help_panel=TABLE,
        ),
    ] = None,
    noise: Annotated[
        str | None,
        typer.Option(help=fill("help.allocation.noise"), rich_help_panel=TABLE),
    ] = None,
    amount: Annotated[
        str | None,
        typer.Option(help=fill("help.allocation.amount"), rich_help_panel=TABLE),
    ] = None,
    accounting: Annotated[
        str | None,
        typer.Option(help=fill("help.allocation.accounting"), rich_help_panel=TABLE),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Per-query privacy losses, read for one person's concern."""
    from dprisk.allocation import findings, read_allocation, scenarios

    made = read_allocation(
        table,
        levels=[word.strip() for word in nested.split(",")] if nested else (),
        moves=None if moves is None else options.whole_number("--moves", moves),
        noise=noise,  # type: ignore[arg-type]
        accounting=accounting,  # type: ignore[arg-type]
        amount=amount,
    )
    asked: dict[str, Any] = {"levels": _numbers("--level", level)}
    asked["reading"] = _reading(exact, gaussian)
    if all_scenarios:
        if concern:
            allowed = "left out with --all-scenarios"
            raise InvalidInput("--concern", concern[0], allowed, "Ask for one or the other.")
        with waiting("Composing"):
            compared = scenarios(made, **_given(asked))
        print_scenarios(made, compared, json, quiet)
        return
    asked |= {"ratios": _numbers("--ratio", ratio), "priors": _numbers("--prior", prior)}
    asked["confidence"] = options.optional("--confidence", confidence)
    exposure = made.exposure(*(concern or ()))
    with waiting("Composing"):
        found = findings(exposure, **_given(asked))
    print_findings(found, json, quiet)


def _numbers(name: str, texts: list[str] | None) -> list[float] | None:
    return options.numbers(name, texts) if texts else None


def _reading(exact: bool, gaussian: bool) -> str | None:
    if exact and gaussian:
        raise InvalidInput("--exact", "--gaussian", "asked for alone", "Leave one of them out.")
    return "exact" if exact else "gaussian" if gaussian else None


def _given(asked: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in asked.items() if value is not None}
