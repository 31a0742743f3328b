"""``dprisk power``: how well a test of what is published can find someone out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from dprisk._asking.power import PowerOptions
from dprisk.cli import show
from dprisk.cli.output import Output
from dprisk.cli.waiting import waiting
from dprisk.composition.basis import basis_of
from dprisk.text import fill
from dprisk.text.rounding import at_least, at_most

if TYPE_CHECKING:
    from dprisk.documents.assessing import Attacked


def power(*, asked: PowerOptions, output: Output) -> None:
    """Print how well a test of what is published can do, at most."""
    with waiting("test"):
        made = asked.answer()
    output.show(made, lambda: _in_brief(made), lambda: _in_full(made), kept=made.kept)


def _in_brief(made: Attacked) -> None:
    from dprisk.documents.outlook import alarms

    show.lines(alarms(made.curve, made.release), "")
    _limits(made)


def _in_full(made: Attacked) -> None:
    from dprisk.documents.outlook import alarms
    from dprisk.documents.promises import remarks

    curve, release = made.curve, made.release
    show.title(release)
    typer.echo()
    heads = [fill("cli.power.least"), fill("cli.power.most")]
    heads += [fill("cli.power.alarm", prior=show.belief(prior)) for prior in curve.priors]
    show.table([*show.columns("level"), *heads], _rows(made))
    show.section("cli.heading.words", alarms(curve, release))
    show.parts(release, "cli.power.what")
    show.section("cli.heading.how", _how(made))
    show.section("cli.heading.assumed", [*curve.assumptions, *remarks(release)])
    _limits(made)


def _rows(made: Attacked) -> list[list[str]]:
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


def _how(made: Attacked) -> list[str]:
    curve = made.curve
    power, gap = curve.power, curve.advantage
    (low, high), (first, last) = gap.bracket, curve.best_level.bracket
    errs = fill("cli.exact") if power.bound == "exact" else fill("cli.upper")
    size = fill("cli.power.advantage.most", at_most=at_most(high, 6))
    if low is not None and low != high:
        ends = {"at_least": at_least(low, 6), "at_most": at_most(high, 6)}
        size = fill("cli.power.advantage.between", **ends)
    most = fill("cli.power.advantage", size=size)
    if last is not None and last - first < 0.01:
        most += fill("cli.power.advantage.level", at_most=at_most(last, 3))
    lines = [
        fill("cli.power.by", errs=errs, theorem=power.theorem.named, says=power.theorem.says),
        fill("cli.power.advantage.by", most=most, theorem=gap.theorem.named, says=gap.theorem.says),
    ]
    if curve.priors:
        lines.append(fill("cli.power.bayes"))
    whole, *lossy = show.how(made.composed, basis_of(made.release).parts, made.release.releases)
    return [*lines, *lossy] if made.composed.is_alone else [whole, *lines, *lossy]


def _limits(made: Attacked) -> None:
    for limit in made.limits:
        show.verdict(limit, fill("cli.verdict.most", at_most=at_most(limit.at_most)))
