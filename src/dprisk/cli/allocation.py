"""``dprisk allocation``: where a privacy loss went, read for what one cares about."""

from __future__ import annotations

from typing import Annotated, Any

from dprisk._asking import options, reading
from dprisk._asking.options import NUMBER, WORD, option
from dprisk._asking.reading import unclear
from dprisk.cli import findings, scenarios
from dprisk.cli.output import Output
from dprisk.cli.waiting import waiting


def allocation(
    *,
    table: Annotated[str, options.argument("help.allocation.table", options.FILE)],
    concern: options.Concern = None,
    all_scenarios: Annotated[
        bool, option("help.allocation.all-scenarios", None, "--all-scenarios")
    ] = False,
    exact: Annotated[bool, option("help.allocation.exact", None, "--exact")] = False,
    level: options.Level = None,
    ratio: Annotated[options.Texts, option("help.allocation.ratio", NUMBER)] = None,
    prior: options.Prior = None,
    confidence: options.Confidence = None,
    nested: Annotated[options.Text, option("help.allocation.nested", WORD)] = None,
    moves: Annotated[options.Text, option("help.allocation.moves", NUMBER)] = None,
    noise: Annotated[options.Text, option("help.allocation.noise", WORD)] = None,
    amount: Annotated[options.Text, option("help.allocation.amount", NUMBER)] = None,
    accounting: Annotated[options.Text, option("help.allocation.accounting", WORD)] = None,
    output: Output,
) -> None:
    """Print what an allocation means for one concern, or all scenarios that come with it."""
    from dprisk.allocation import findings as found_for
    from dprisk.allocation import read_allocation
    from dprisk.allocation import scenarios as compared_with

    made = read_allocation(
        table,
        levels=() if nested is None else [word.strip() for word in nested.split(",")],
        moves=None if moves is None else reading.whole_number("--moves", moves),
        noise=noise,  # type: ignore[arg-type]
        accounting=accounting,  # type: ignore[arg-type]
        amount=amount,
    )
    asked: dict[str, Any] = {"levels": reading.numbers("--level", level)}
    asked["reading"] = "exact" if exact else None
    if all_scenarios:
        if concern:
            raise unclear("apart", one="--concern", other="--all-scenarios")
        unused = {"--ratio": ratio, "--prior": prior, "--confidence": confidence}
        options.moot("--all-scenarios", unused)
        with waiting("compose"):
            compared = compared_with(made, **_given(asked))
        scenarios.print_scenarios(made, compared, output)
        return
    asked["ratios"] = reading.numbers("--ratio", ratio)
    asked["priors"] = reading.numbers("--prior", prior)
    asked["confidence"] = reading.optional("--confidence", confidence)
    exposure = made.exposure(*(concern or ()))
    with waiting("compose"):
        found = found_for(exposure, **_given(asked))
    findings.print_findings(found, output)


def _given(asked: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in asked.items() if value not in (None, [])}
