"""``dprisk deployments``: published deployments, read as risk, like with like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from dprisk._asking import options
from dprisk.cli import show
from dprisk.cli.output import Output
from dprisk.cli.waiting import waiting
from dprisk.errors import refused
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.documents.findings import Assessment
    from dprisk.releases.published import Comparison


def deployments(
    *,
    name: Annotated[options.Text, options.argument("help.deployments.name", options.WORD)] = None,
    prior: Annotated[str, options.option("help.deployments.prior", options.NUMBER)] = "0.5",
    confidence: options.Confidence = None,
    output: Output,
) -> None:
    """Print the shipped table of published deployments, or some of them in full."""
    from dprisk.documents.assessing import assess
    from dprisk.releases.published import comparable
    from dprisk.releases.published import deployments as published

    asker = options.Asker(prior=[prior], confidence=confidence)
    chosen = [release for release in published() if _matches(release, name)]
    if not chosen:
        raise refused("cli.must.deployment", "name", name)
    with waiting("assess"):
        made = {release.name: assess(release, asker.asking(release)) for release in chosen}
    output.show(
        list(made.values()),
        lambda: _in_brief(made),
        lambda: _in_full(made) if name is not None else _tables(comparable(chosen), made),
    )


def _matches(release: Any, name: str | None) -> bool:
    text = f"{release.name} {release.curator}".lower()
    return name is None or name.lower() in text


def _in_brief(made: dict[str, Assessment]) -> None:
    from dprisk.documents import headline

    show.lines([f"{key}: {headline(one)}" for key, one in made.items()], "")


def _in_full(made: dict[str, Assessment]) -> None:
    for one in made.values():
        show.in_full(one)
        typer.echo()


def _tables(groups: tuple[Comparison, ...], made: dict[str, Assessment]) -> None:
    (prior,) = next(iter(made.values())).adversary.priors
    after = fill("cli.deployments.becomes", belief=show.belief(prior))
    change = fill("cli.deployments.change")
    headers = [
        *show.columns("deployment", "promise"),
        after,
        change,
        *show.columns("asks", "marks"),
    ]
    unstated = fill("cli.deployments.unstated")
    for group in groups:
        about = {"unit": group.unit, "period": group.period, "model": group.model}
        typer.echo(", ".join(f"{key}: {value or unstated}" for key, value in about.items()))
        show.table(headers, _ranked([made[release.name] for release in group.releases], prior))
        typer.echo()
    show.lines([fill("cli.deployments.ranked"), fill("cli.deployments.marked")], "")


def _ranked(made: list[Assessment], prior: float) -> list[list[str]]:
    from dprisk.documents.promises import marks, promises

    rows = []
    for one in made:
        label = f"{one.release.name}, {one.release.curator}"
        if not one.statements:
            rows.append(
                (2.0, [label, "", fill("cli.deployments.none"), "", "", marks(one.release)])
            )
            continue
        best = one.basis
        change = best.find("difference").upper
        after = show.share(best.find("posterior", prior).upper, certain=prior == 1.0)
        asks = one.adversary.secret
        rows.append(
            (change, [label, promises(best), after, show.share(change), asks, marks(one.release)])
        )
    return [row for _, row in sorted(rows, key=lambda row: row[0])]
