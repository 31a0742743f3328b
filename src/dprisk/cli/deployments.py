"""``dprisk deployments``: published deployments, read as risk, like with like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from dprisk.cli import options, show
from dprisk.cli.waiting import waiting
from dprisk.errors import InvalidInput
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.assessment import Assessment
    from dprisk.releases.published import Comparison


def deployments(
    name: Annotated[str | None, typer.Argument(help=fill("help.deployments.name"))] = None,
    prior: Annotated[str, typer.Option(help=fill("help.deployments.prior"))] = "0.5",
    confidence: Annotated[
        str | None,
        typer.Option(help=fill("help.deployments.confidence")),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """The shipped table of published deployments, grouped by unit, period and model."""
    from dprisk.releases.published import comparable
    from dprisk.releases.published import deployments as published

    beliefs = (options.number("--prior", prior),)
    sure = options.optional("--confidence", confidence)
    chosen = [release for release in published() if _matches(release, name)]
    if not chosen:
        raise InvalidInput("name", name, "part of a shipped name", "dprisk deployments lists them.")
    with waiting("Assessing"):
        made = {release.name: _assessed(release, beliefs, sure) for release in chosen}
    if json:
        show.as_json([one.to_dict() for one in made.values()])
    elif quiet:
        from dprisk.explain import headline

        show.lines([f"{key}: {headline(one)}" for key, one in made.items()], "")
    elif name is not None:
        for one in made.values():
            show.in_full(one)
            typer.echo()
    else:
        _table(comparable(chosen), made, beliefs[0])


def _matches(release: Any, name: str | None) -> bool:
    text = f"{release.name} {release.curator}".lower()
    return name is None or name.lower() in text


def _assessed(release: Any, priors: tuple[float, ...], confidence: float | None) -> Assessment:
    from dprisk.assessment import assess, natural_secret
    from dprisk.risk.adversary import Adversary

    secret = natural_secret(release)
    return assess(release, Adversary(secret=secret, priors=priors, confidence=confidence))


def _table(groups: tuple[Comparison, ...], made: dict[str, Assessment], prior: float) -> None:
    after = fill("cli.deployments.becomes", belief=show.belief(prior))
    headers = [
        fill("cli.column.deployment"),
        fill("cli.column.promise"),
        after,
        fill("cli.deployments.change"),
        fill("cli.column.asks"),
        fill("cli.column.marks"),
    ]
    for group in groups:
        about = {"unit": group.unit, "period": group.period, "model": group.model}
        typer.echo(", ".join(f"{key}: {value or 'not stated'}" for key, value in about.items()))
        show.table(headers, _ranked([made[release.name] for release in group.releases], prior))
        typer.echo()
    show.lines([fill("cli.deployments.ranked"), fill("cli.deployments.marked")], "")


def _ranked(made: list[Assessment], prior: float) -> list[list[str]]:
    from dprisk.explain.wording import promises

    rows = []
    for one in made:
        label = f"{one.release.name}, {one.release.curator}"
        if not one.statements:
            rows.append((2.0, [label, "", fill("cli.deployments.none"), "", "", _marks(one)]))
            continue
        best = min(one.statements, key=lambda statement: float(statement.loss))
        change = best.find("difference").upper
        after = show.share(best.find("posterior", prior).upper, certain=prior == 1.0)
        asks = one.adversary.secret
        rows.append((change, [label, promises(best), after, show.share(change), asks, _marks(one)]))
    return [row for _, row in sorted(rows, key=lambda row: row[0])]


def _marks(one: Assessment) -> str:
    kinds = {note.kind for note in one.release.notes}
    assumed = "" if one.release.neighbors_stated else "~"
    return assumed + ("!" if "disputed" in kinds else "")
