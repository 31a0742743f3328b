"""``dprisk plan``: how many more releases a limit allows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

import typer

from dprisk.cli import given, limits, options, show
from dprisk.cli.waiting import waiting
from dprisk.errors import InvalidInput
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.budget import Fitting, Plan

EXAMPLE = "plan --epsilon 0.05 --neighbors add-remove --limit posterior=0.8 --prior 0.5"


def plan(
    what: Annotated[
        list[str] | None,
        typer.Argument(help=fill("help.plan.what")),
    ] = None,
    epsilon: options.Epsilon = None,
    delta: options.Delta = None,
    rho: options.Rho = None,
    mu: options.Mu = None,
    mechanism: Annotated[str | None, typer.Option(help=fill("help.plan.mechanism"))] = None,
    limit: limits.Limit = None,
    prior: limits.Prior = None,
    level: limits.Level = None,
    confidence: limits.Confidence = None,
    secret: limits.Secret = None,
    one_sided: limits.OneSided = False,
    profile: Annotated[
        str | None,
        typer.Option(help=fill("help.plan.profile"), rich_help_panel=limits.GROUP),
    ] = None,
    neighbors: options.Neighbors = None,
    done: Annotated[str, typer.Option(help=fill("help.plan.done"))] = "0",
    spent: Annotated[
        list[str] | None,
        typer.Option(help=fill("help.plan.spent")),
    ] = None,
    at_delta: limits.AtDelta = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """How many more releases keep a limit on risk, by which theorem."""
    typed = options.Typed(epsilon, delta, rho, mu=mu)
    each = given.each(what, mechanism, typed, {"neighbors": neighbors}, EXAMPLE)
    asked = limits.typed_limits(
        limit or [],
        priors=prior or [],
        levels=level or [],
        confidence=confidence,
        secret=secret,
        neighbors=each.neighbors,
        one_sided=one_sided,
        at_delta=at_delta,
    )
    if profile is not None:
        from dprisk.budget import ProfileLimit, read_profile

        sure = options.optional("--confidence", confidence)
        asked.insert(0, ProfileLimit(read_profile(profile), sure, "one" if one_sided else "both"))
    if not asked:
        fix = "Try: --limit posterior=0.8 --prior 0.5 --confidence 0.95"
        raise InvalidInput("a limit", None, "--limit or --profile", fix)
    from dprisk.budget import plan as planned
    from dprisk.releases.files import read_releases

    before = [release for file in spent or [] for release in read_releases(file)]
    with waiting("Counting"):
        made = planned(
            asked,
            each,
            done=0 if done == "0" else options.whole_number("--done", done),
            spent=before,
            at_delta=options.optional("--at-delta", at_delta),
        )
    _print(made, json, quiet)
    if made.status == "infeasible":
        raise typer.Exit(3)


def _print(made: Plan, json: bool, quiet: bool) -> None:
    from dprisk.explain import prospects

    if json:
        show.as_json(made.to_dict())
    elif quiet:
        show.lines(prospects(made), "")
    else:
        _in_full(made)


def _in_full(made: Plan) -> None:
    from dprisk.explain import limit_in_words, prospects

    so_far = fill("cli.plan.so-far", done=made.done) if made.done else ""
    show.lines([f"{made.subject}{so_far}"], "")
    show.lines([fill("cli.to-be-kept")], "")
    show.lines([f"{limit_in_words(limit)}." for limit in made.limits])
    typer.echo()
    heads = [
        fill("cli.column.composed-by"),
        fill("cli.plan.more"),
        fill("cli.plan.then"),
        fill("cli.plan.one-more"),
        fill("cli.column.holds-for"),
        fill("cli.column.theorem"),
    ]
    show.table(heads, [_row(found) for found in made.fittings])
    show.heading(fill("cli.heading.words"))
    show.lines(prospects(made))
    show.heading(fill("cli.heading.holds-for"))
    scopes = dict.fromkeys("mechanism" if found.own else "promise" for found in made.fittings)
    show.lines([fill(f"cli.plan.{scope}") for scope in scopes])
    show.heading(fill("cli.heading.unprotected"))
    data = made.to_dict()["unprotected"]
    show.lines(data or [fill("cli.nothing-left-out")])
    show.heading(fill("cli.heading.assumed"))
    show.lines(made.best.measured.assumptions)


def _row(found: Fitting) -> list[str]:
    number = (
        str(found.number)
        if found.status != fill("cli.no-limit")
        else fill("cli.plan.or-more", number=found.number)
    )
    over = "" if found.one_more is None else _most(float(found.one_more))
    read = (
        ""
        if found.together.at_delta is None
        else fill("cli.plan.at-delta", at_delta=f"{found.together.at_delta:g}")
    )
    return [
        found.together.rule + read,
        number,
        _most(float(found.measured)),
        over,
        "mechanism" if found.own else "promise",
        f"{found.whole.theorem}, {found.measured.theorem}",
    ]


def _most(value: float) -> str:
    from dprisk.explain import at_most

    return at_most(value, 6) if math.isfinite(value) else fill("cli.no-bound")
