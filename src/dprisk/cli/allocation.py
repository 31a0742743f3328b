"""``dprisk allocation``: where a privacy loss went, read for what one cares about."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from dprisk.cli import options
from dprisk.cli.findings import print_findings
from dprisk.cli.scenarios import print_scenarios
from dprisk.cli.waiting import waiting
from dprisk.errors import InvalidInput

TABLE = "The table, where it does not say so itself"
ASK = "What is asked (each may be repeated)"


def allocation(
    table: Annotated[
        str,
        typer.Argument(
            help="census2020 (shipped), or a file: a table (.csv, .parquet) or its description "
            "(.yaml, .toml, .json)."
        ),
    ],
    concern: Annotated[
        list[str] | None,
        typer.Option(
            help="What somebody is worried about: an attribute, such as race, or 'block within "
            "tract'. Several are a union. Left out: everything.",
            rich_help_panel=ASK,
        ),
    ] = None,
    all_scenarios: Annotated[
        bool,
        typer.Option(
            "--all-scenarios",
            help="Every scenario that comes with the table, beside what was printed about it.",
        ),
    ] = False,
    exact: Annotated[
        bool,
        typer.Option(
            "--exact", help="For the noise as it is, in brackets: the default where it is known."
        ),
    ] = False,
    gaussian: Annotated[
        bool,
        typer.Option("--gaussian", help="As if the noise were continuous and normal: faster."),
    ] = False,
    level: Annotated[
        list[str] | None,
        typer.Option(
            help="The most power of a test at this level (its chance of a false alarm). By default "
            "0.01, 0.05, 0.1.",
            rich_help_panel=ASK,
        ),
    ] = None,
    ratio: Annotated[
        list[str] | None,
        typer.Option(
            help="How likely a posterior is more than so many times the one without the record. By "
            "default 2, 10, 100.",
            rich_help_panel=ASK,
        ),
    ] = None,
    prior: Annotated[
        list[str] | None,
        typer.Option(
            help="Belief before the release. By default 0.01, 0.1, 0.5.", rich_help_panel=ASK
        ),
    ] = None,
    confidence: Annotated[
        str | None,
        typer.Option(
            help="Probability with which beliefs are bounded. By default certainty where the loss "
            "is bounded, otherwise 0.99."
        ),
    ] = None,
    nested: Annotated[
        str | None,
        typer.Option(
            help="Its nested levels, the outermost first, such as county,tract.",
            rich_help_panel=TABLE,
        ),
    ] = None,
    moves: Annotated[
        str | None,
        typer.Option(
            help="How many cells a changed record moves: 2 for tables of counts, 1 for a single "
            "number.",
            rich_help_panel=TABLE,
        ),
    ] = None,
    noise: Annotated[
        str | None,
        typer.Option(
            help="discrete-gaussian, gaussian, laplace or geometric.", rich_help_panel=TABLE
        ),
    ] = None,
    amount: Annotated[
        str | None,
        typer.Option(help="What is shared out, if it gives shares.", rich_help_panel=TABLE),
    ] = None,
    accounting: Annotated[
        str | None,
        typer.Option(help="In what shares add up: zcdp, pure or gdp.", rich_help_panel=TABLE),
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
