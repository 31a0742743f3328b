"""``dprisk power``: how well a test of what is published can find somebody out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from dprisk.cli import given, options, show
from dprisk.cli.waiting import waiting
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.assessment import Attacked

LEVELS = ("0.01", "0.05", "0.1")
EXAMPLE = "power --epsilon 1 --neighbors replace-one"


def power(
    what: Annotated[
        list[str] | None,
        typer.Argument(help=fill("help.power.what")),
    ] = None,
    epsilon: options.Epsilon = None,
    delta: options.Delta = None,
    rho: options.Rho = None,
    xi: options.Xi = None,
    mu: options.Mu = None,
    alpha: options.Alpha = None,
    gamma: options.Gamma = None,
    definition: options.Definition = None,
    mechanism: Annotated[str | None, typer.Option(help=fill("help.power.mechanism"))] = None,
    neighbors: options.Neighbors = None,
    secret: Annotated[
        str | None,
        typer.Option(help=fill("help.power.secret")),
    ] = None,
    level: Annotated[
        list[str] | None,
        typer.Option(help=fill("help.power.level")),
    ] = None,
    prior: Annotated[
        list[str] | None,
        typer.Option(help=fill("help.power.prior")),
    ] = None,
    releases: Annotated[str, typer.Option(help=fill("help.power.releases"))] = "1",
    limit: Annotated[
        list[str] | None,
        typer.Option(help=fill("help.power.limit")),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Level and power: how well a test of what is published can do, at most."""
    from dprisk.assessment import attacked

    typed = options.Typed(epsilon, delta, rho, xi, mu, alpha, gamma, definition)
    said = {"neighbors": neighbors}
    release = given.release(what, mechanism, typed, said, EXAMPLE, releases)
    with waiting("Testing"):
        made = attacked(
            release,
            secret=secret,  # type: ignore[arg-type]
            levels=options.numbers("--level", level or LEVELS),
            priors=options.numbers("--prior", prior),
            limits=options.limits(limit or []),
        )
    _print(made, json, quiet)
    if not made.kept:
        raise typer.Exit(3)


def _print(made: Attacked, json: bool, quiet: bool) -> None:
    if json:
        show.as_json(made.to_dict())
    elif quiet:
        from dprisk.explain import alarms

        show.lines(alarms(made.curve, made.release), "")
        _limits(made)
    else:
        _in_full(made)


def _in_full(made: Attacked) -> None:
    from dprisk.explain import alarms
    from dprisk.explain.wording import how_composed, part_in_words, remarks

    curve, release = made.curve, made.release
    show.title(release)
    typer.echo()
    beliefs = [fill("cli.power.alarm", prior=show.belief(prior)) for prior in curve.priors]
    show.table(
        [fill("cli.column.level"), fill("cli.power.least"), fill("cli.power.most"), *beliefs],
        _rows(made),
    )
    show.heading(fill("cli.heading.words"))
    show.lines(alarms(curve, release))
    times = fill("cli.times-over", releases=release.releases) if release.releases > 1 else ""
    show.heading(fill("cli.power.what", times=times))
    show.lines([part_in_words(part) for part in release.parts])
    show.heading(fill("cli.heading.how"))
    show.lines(_how(made, how_composed(made.composed)))
    show.heading(fill("cli.heading.assumed"))
    show.lines([*curve.assumptions, *remarks(release)])
    _limits(made)


def _rows(made: Attacked) -> list[list[str]]:
    from dprisk.explain import at_least, at_most

    data = made.curve.to_dict()
    lows = data["power"]["lower"] or [None] * len(data["levels"])
    return [
        [
            show.belief(level),
            "" if low is None else at_least(low, 6),
            at_most(high, 6),
            *(at_most(each["positive"]["upper"][at], 6) for each in data["predictive_values"]),
        ]
        for at, (level, low, high) in enumerate(
            zip(data["levels"], lows, data["power"]["upper"], strict=True)
        )
    ]


def _how(made: Attacked, composed: str) -> list[str]:
    from dprisk.explain import at_least, at_most

    curve = made.curve
    power, gap = curve.power, curve.advantage
    (low, high), (first, last) = gap.bracket, curve.best_level.bracket
    errs = fill("cli.exact") if power.bound == "exact" else fill("cli.upper")
    most = fill("cli.power.advantage", at_most=at_most(high, 6))
    if low is not None and low != high:
        most += fill("cli.power.advantage.least", at_least=at_least(low, 6))
    if last is not None and last - first < 0.01:
        most += fill("cli.power.advantage.level", at_most=at_most(last, 3))
    lines = [
        fill("cli.power.by", errs=errs, theorem=power.theorem, says=power.theorem.says),
        fill("cli.power.advantage.by", most=most, theorem=gap.theorem, says=gap.theorem.says),
    ]
    if curve.priors:
        lines.append(fill("cli.power.bayes"))
    alone = len(made.release.parts) == 1 and made.composed.theorem.place == "Definition 2.1"
    return [
        *([] if alone else [composed]),
        *lines,
        *(fill("cli.lossy", text=text) for text in made.composed.lossy),
    ]


def _limits(made: Attacked) -> None:
    from dprisk.explain import at_most

    for limit in made.limits:
        verdict = fill("cli.kept") if limit.kept else fill("cli.not-kept")
        most = fill(
            "cli.power.verdict",
            value=show.belief(limit.limit),
            verdict=verdict,
            at_most=at_most(limit.at_most),
        )
        typer.echo(fill("cli.limit", metric=limit.metric, most=most))
