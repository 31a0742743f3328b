"""``dprisk ladder``: what can be learned from so many releases, by ever better theorems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dprisk._asking import options, reading
from dprisk._asking.options import LIMIT, NUMBER, WORD, Text, option
from dprisk._asking.reading import unclear
from dprisk._checks import one_of
from dprisk._values import plain
from dprisk.cli import show
from dprisk.cli.output import Output
from dprisk.cli.waiting import waiting
from dprisk.text import count, fill
from dprisk.text.rounding import hundredths

if TYPE_CHECKING:
    from dprisk.curves.rungs import Ladder


def ladder(
    *,
    subject: options.Subject,
    releases: Annotated[str, option("help.ladder.releases", NUMBER)] = "1",
    prior: Annotated[Text, option("help.ladder.prior", NUMBER)] = None,
    confidence: options.Confidence = None,
    at_delta: Annotated[Text, option("help.ladder.at-delta", NUMBER)] = None,
    metric: Annotated[Text, option("help.ladder.metric", WORD)] = None,
    limit: Annotated[Text, option("help.ladder.limit", LIMIT)] = None,
    output: Output,
) -> None:
    """Print what many releases reveal, at most, theorem by theorem."""
    from dprisk.composition.basis import contradicted
    from dprisk.curves import ladder as climb
    from dprisk.documents.promises import cannot_keep
    from dprisk.risk.adversary import must_be_tolerable

    each = subject.each("ladder")
    metric, most = _limited(metric, limit)
    before = reading.number("--prior", prior or "0.5")
    if metric == "difference":
        options.moot("the metric difference", {"--prior": prior})
    if most is not None:
        must_be_tolerable(metric, most, [before] if metric == "posterior" else [])  # type: ignore[arg-type]
    number = reading.whole_number("--releases", releases)
    with waiting("climb"):
        made = climb(
            each,
            [number],
            prior=before,
            confidence=reading.optional("--confidence", confidence),
            delta=reading.optional("--at-delta", at_delta),
            metric=metric,  # type: ignore[arg-type]
        )
        data = made.to_dict(most)
    false = contradicted(each)
    said = [cannot_keep(found) for found in false]
    output.show(
        data | ({"contradicted": plain(false)} if false else {}),
        lambda: show.lines([*said, _in_brief(made)], ""),
        lambda: _in_full(made, data, said),
        kept=not false,
    )


def _limited(metric: str | None, limit: str | None) -> tuple[str, float | None]:
    from dprisk.curves.rungs import METRICS

    if metric is not None:
        one_of("--metric", metric, METRICS)
    if limit is None:
        return metric or "posterior", None
    ((named, most),) = reading.limits([limit]).items()
    one_of("--limit", named, METRICS)
    if metric not in (None, named):
        raise unclear("two-metrics", metric=metric, limit=limit)
    return named, most


def _in_brief(made: Ladder) -> str:
    """The best bound after the last number of releases."""
    return fill(
        f"cli.ladder.brief.{made.metric}{'.one' if made.releases[-1] == 1 else ''}",
        count=count(made.releases[-1]),
        about=fill(f"cli.ladder.about.{made.neighbors}"),
        prior=show.belief(made.prior),
        most=show.most(float(made.best().values[-1])),
        sure=fill("sure.always")
        if made.confidence is None
        else fill("sure.mostly", confidence=hundredths(made.confidence)),
    )


def _in_full(made: Ladder, data: dict[str, Any], said: Sequence[str]) -> None:
    last, limit = made.releases[-1], data["limit"]
    over = [] if limit is None else [fill("cli.ladder.over", belief=show.belief(limit))]
    after = fill("cli.ladder.after", last=last)
    show.lines([*said, made.subject], "")
    typer.echo()
    show.table(
        [*show.columns("rung"), after, *over, *show.columns("holds-for", "theorem")],
        [_row(rung, data, last) for rung in data["rungs"]],
    )
    typer.echo()
    show.lines(_legend(made), "")
    show.section("cli.heading.holds-for", _scopes(made))


def _row(rung: dict[str, Any], data: dict[str, Any], last: int) -> list[str]:
    value = show.share(rung["values"][-1])
    number = f"> {last}" if rung["first_over"] is None else str(rung["first_over"])
    first = [] if data["limit"] is None else [number]
    scope = rung["holds_for"] if rung["given"] else fill("cli.ladder.if-so", rung=rung["holds_for"])
    return [rung["name"], value, *first, scope, ", ".join(rung["theorems"])]


def _legend(made: Ladder) -> list[str]:
    what = (
        fill(
            "cli.ladder.beliefs",
            about=fill(f"cli.ladder.about.{made.neighbors}"),
            prior=show.belief(made.prior),
        )
        if made.metric == "posterior"
        else fill("cli.ladder.changes")
    )
    best = made.best()
    scope = "mechanism" if best.holds_for == "mechanism" else "promise"
    legend = fill(
        "cli.ladder.legend",
        what=what,
        neighbors=made.neighbors,
        sure=show.sure(made.confidence),
        secret=fill(f"cli.ladder.secret.{made.neighbors}"),
        best=fill(f"cli.ladder.best.{scope}", name=best.name),
    )
    return [legend, fill("cli.ladder.certain")] if made.confidence is None else [legend]


def _scopes(made: Ladder) -> list[str]:
    scopes = dict.fromkeys(rung.holds_for.replace(" ", "-") for rung in made.rungs)
    lines = [fill(f"cli.ladder.holds.{scope}") for scope in scopes]
    if all(rung.given for rung in made.rungs):
        return lines
    return [*lines, fill("cli.ladder.scope")]
