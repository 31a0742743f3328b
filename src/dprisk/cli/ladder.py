"""``dprisk ladder``: what can be learned from so many releases, by ever better theorems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from dprisk.cli import given, options, show
from dprisk.cli.waiting import waiting
from dprisk.errors import InvalidInput
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.curves import Ladder

EXAMPLE = "ladder --epsilon 0.05 --neighbors add-remove --releases 100"
METRICS = ("posterior", "difference")
SCOPES = {
    "promise": "promise: for all that keep it, and for whatever is computed later",
    "mechanism": "mechanism: for what is run, and for whatever is computed later",
    "raw output": "raw output: for the output of what is run as it is, and nothing else",
}
CERTAIN = (
    "With certainty, epsilons add up and no theorem says more. Ask for a confidence, such as "
    "--confidence 0.99, to see what the others say."
)


def ladder(
    what: Annotated[
        list[str] | None,
        typer.Argument(help=fill("help.ladder.what")),
    ] = None,
    epsilon: options.Epsilon = None,
    delta: options.Delta = None,
    rho: options.Rho = None,
    mu: options.Mu = None,
    mechanism: Annotated[str | None, typer.Option(help=fill("help.ladder.mechanism"))] = None,
    neighbors: options.Neighbors = None,
    releases: Annotated[str, typer.Option(help=fill("help.ladder.releases"))] = "1",
    prior: Annotated[str, typer.Option(help=fill("help.ladder.prior"))] = "0.5",
    confidence: Annotated[
        str | None,
        typer.Option(help=fill("help.ladder.confidence")),
    ] = None,
    at_delta: Annotated[
        str | None,
        typer.Option(help=fill("help.ladder.at-delta")),
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(help=fill("help.ladder.metric")),
    ] = None,
    limit: Annotated[
        str | None,
        typer.Option(help=fill("help.ladder.limit")),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """What many releases reveal, at most, theorem by theorem."""
    typed = options.Typed(epsilon, delta, rho, mu=mu)
    subject = given.each(what, mechanism, typed, {"neighbors": neighbors}, EXAMPLE)
    metric, most = _limited(metric, limit)
    from dprisk.curves import ladder as climb

    number = options.whole_number("--releases", releases)
    with waiting("Climbing"):
        made = climb(
            subject,
            [number],
            prior=options.number("--prior", prior),
            confidence=options.optional("--confidence", confidence),
            delta=options.optional("--at-delta", at_delta),
            metric=metric,  # type: ignore[arg-type]
        )
        data = made.to_dict(most)
    _print(made, data, json, quiet)


def _limited(metric: str | None, limit: str | None) -> tuple[str, float | None]:
    from dprisk._checks import one_of

    if metric is not None:
        one_of("--metric", metric, METRICS)
    if limit is None:
        return metric or "posterior", None
    ((named, most),) = options.limits([limit]).items()
    one_of("--limit", named, METRICS)
    if metric not in (None, named):
        raise InvalidInput("--limit", limit, f"about the {metric}", "Leave --metric out.")
    return named, most


def _print(made: Ladder, data: dict[str, Any], json: bool, quiet: bool) -> None:
    if json:
        show.as_json(data)
    elif quiet:
        typer.echo(show.share(float(made.best().values[-1])))
    else:
        _in_full(made, data)


def _in_full(made: Ladder, data: dict[str, Any]) -> None:
    last = made.releases[-1]
    over = [] if data["limit"] is None else [f"over {show.belief(data['limit'])} from"]
    show.lines([made.subject], "")
    typer.echo()
    show.table(
        ["by", f"after {last}: at most", *over, "holds for", "theorem"],
        [_row(rung, data, last) for rung in data["rungs"]],
    )
    typer.echo()
    show.lines(_legend(made), "")
    show.heading("Holds for")
    show.lines(_scopes(made))


def _row(rung: dict[str, Any], data: dict[str, Any], last: int) -> list[str]:
    value = show.share(rung["values"][-1])
    number = f"> {last}" if rung["first_over"] is None else str(rung["first_over"])
    first = [] if data["limit"] is None else [number]
    scope = rung["holds_for"] if rung["given"] else f"{rung['holds_for']}, if so"
    return [rung["name"], value, *first, scope, ", ".join(rung["theorems"])]


def _legend(made: Ladder) -> list[str]:
    if made.metric == "posterior":
        what = f"Bounds on the belief of somebody who starts at {show.belief(made.prior)}."
    else:
        what = "Bounds on the change of belief, the largest over every prior."
    sure = "with certainty"
    if made.confidence is not None:
        sure = f"with a confidence of at least {show.belief(made.confidence)}"
    lines = [
        f"{what} Neighbors: {made.neighbors}. Each holds {sure}, against somebody who knows "
        f"everything but the one thing asked. The bound that counts: {made.best().name}."
    ]
    if made.confidence is None:
        lines.append(CERTAIN)
    return lines


def _scopes(made: Ladder) -> list[str]:
    lines = [SCOPES[scope] for scope in dict.fromkeys(rung.holds_for for rung in made.rungs)]
    if all(rung.given for rung in made.rungs):
        return lines
    return [*lines, "if so: the promise does not say that normal noise is what is run"]
