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
    beliefs = [f"alarm, from {show.belief(prior)}: at most" for prior in curve.priors]
    show.table(["level", "power: at least", "power: at most", *beliefs], _rows(made))
    show.heading("In words")
    show.lines(alarms(curve, release))
    times = f" ({release.releases} times over)" if release.releases > 1 else ""
    show.heading(f"What was tested{times}")
    show.lines([part_in_words(part) for part in release.parts])
    show.heading("How computed")
    show.lines(_how(made, how_composed(made.composed)))
    show.heading("Taken for granted")
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
    errs = "exact worst case" if power.bound == "exact" else "upper bound"
    most = f"The advantage (power minus level, most over all levels) is at most {at_most(high, 6)}"
    if low is not None and low != high:
        most += f" and at least {at_least(low, 6)}"
    if last is not None and last - first < 0.01:
        most += f"; it is reached at a level of {at_most(last, 3)}"
    lines = [
        f"Power: {errs} ({power.theorem}: {power.theorem.says}).",
        f"{most} ({gap.theorem}: {gap.theorem.says}).",
    ]
    if curve.priors:
        lines.append(
            "Alarms and silence are read by Bayes' rule. A test with a lower level has rarer "
            "alarms, and each says more."
        )
    alone = len(made.release.parts) == 1 and made.composed.theorem.place == "Definition 2.1"
    return [
        *([] if alone else [composed]),
        *lines,
        *(f"Lossy: {text}." for text in made.composed.lossy),
    ]


def _limits(made: Attacked) -> None:
    from dprisk.explain import at_most

    for limit in made.limits:
        verdict = "kept" if limit.kept else "NOT KEPT"
        most = f"{show.belief(limit.limit)}: {verdict} (at most {at_most(limit.at_most)})"
        typer.echo(f"\nLimit {limit.metric} <= {most}")
