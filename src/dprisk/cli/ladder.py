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
    over = (
        []
        if data["limit"] is None
        else [fill("cli.ladder.over", belief=show.belief(data["limit"]))]
    )
    show.lines([made.subject], "")
    typer.echo()
    show.table(
        [
            fill("cli.column.by"),
            fill("cli.ladder.after", last=last),
            *over,
            fill("cli.column.holds-for"),
            fill("cli.column.theorem"),
        ],
        [_row(rung, data, last) for rung in data["rungs"]],
    )
    typer.echo()
    show.lines(_legend(made), "")
    show.heading(fill("cli.heading.holds-for"))
    show.lines(_scopes(made))


def _row(rung: dict[str, Any], data: dict[str, Any], last: int) -> list[str]:
    value = show.share(rung["values"][-1])
    number = f"> {last}" if rung["first_over"] is None else str(rung["first_over"])
    first = [] if data["limit"] is None else [number]
    scope = rung["holds_for"] if rung["given"] else fill("cli.ladder.if-so", rung=rung["holds_for"])
    return [rung["name"], value, *first, scope, ", ".join(rung["theorems"])]


def _legend(made: Ladder) -> list[str]:
    if made.metric == "posterior":
        what = fill("cli.ladder.beliefs", prior=show.belief(made.prior))
    else:
        what = fill("cli.ladder.changes")
    sure = fill("cli.sure.always")
    if made.confidence is not None:
        sure = fill("cli.sure.mostly", confidence=show.belief(made.confidence))
    lines = [
        fill(
            "cli.ladder.legend",
            what=what,
            neighbors=made.neighbors,
            sure=sure,
            name=made.best().name,
        )
    ]
    if made.confidence is None:
        lines.append(fill("cli.ladder.certain"))
    return lines


def _scopes(made: Ladder) -> list[str]:
    scopes = dict.fromkeys(rung.holds_for.replace(" ", "-") for rung in made.rungs)
    lines = [fill(f"cli.ladder.holds.{scope}") for scope in scopes]
    if all(rung.given for rung in made.rungs):
        return lines
    return [*lines, fill("cli.ladder.scope")]
