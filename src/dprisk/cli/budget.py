"""``dprisk budget``: from the risk that is tolerated to the largest budget, and what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from dprisk._asking.budget import BudgetOptions
from dprisk.cli import show
from dprisk.cli.output import Output
from dprisk.cli.waiting import waiting
from dprisk.text import fill
from dprisk.text.rounding import at_least, at_most

if TYPE_CHECKING:
    from dprisk.budget.calibrating import Calibrated
    from dprisk.budget.largest import Allowed
    from dprisk.budget.limits import Limit
    from dprisk.budget.noise import NoiseCost
    from dprisk.budget.sheet import BudgetSheet

OTHERS = ("gaussian", "discrete-gaussian")
NOISE = ("noise", "least", "sd", "exact", "within")
LAPLACE = ("geometric", "laplace")
USUAL = {"pure": LAPLACE, "laplace": LAPLACE, "gaussian": ("gaussian",)}


def budget(*, asked: BudgetOptions, output: Output) -> None:
    """Print the largest budget that keeps the limits."""
    with waiting("search"):
        sheet = asked.answer()
    output.show(
        sheet,
        lambda: _in_brief(sheet),
        lambda: _in_full(sheet, asked.tolerances()),
        kept=sheet.kept,
    )


def _in_brief(sheet: BudgetSheet) -> None:
    from dprisk.documents.budgets import allowances

    reasons = (each.reason for each in sheet.refused)
    show.lines([*allowances(sheet), *sheet.on_delta, *reasons], "")


def _in_full(sheet: BudgetSheet, asked: Sequence[Limit]) -> None:
    from dprisk.documents.budgets import allowances
    from dprisk.ledger.words import limit_in_words

    show.lines([fill("cli.to-be-kept")], "")
    show.lines([f"{limit_in_words(limit, left_out=_is_left_out(limit))}." for limit in asked])
    typer.echo()
    if sheet.promises:
        _promises(sheet)
    if sheet.noise:
        _noise(sheet)
    said = [*allowances(sheet), *sheet.on_delta, *(each.reason for each in sheet.refused)]
    show.section("cli.heading.words", said)
    show.section("cli.heading.binds", _binding(sheet))
    show.section("cli.heading.how", _how(sheet))
    show.section("cli.heading.unprotected", sheet.unprotected or [fill("cli.nothing-left-out")])
    show.section("cli.heading.assumed", sheet.assumptions)


def _promises(sheet: BudgetSheet) -> None:
    rule = ["composed-by"] if sheet.together.releases > 1 else []
    rows = [
        [_name(found), _value(found), *([found.together.rule] if rule else []), _which(found)]
        for found in sheet.promises
    ]
    show.table(show.columns("each-promises", "most", *rule, "binding"), rows)
    drawn = [
        [_name(found), *_cost(cost)]
        for found, costs in zip(sheet.promises, sheet.costs, strict=True)
        for cost in costs
        if cost.kind in USUAL.get(found.definition, OTHERS)
    ]
    if drawn:
        show.heading("cli.budget.promise-noise", sensitivity=f"{sheet.sensitivity:g}")
        show.table(show.columns("promise", *NOISE), drawn)


def _noise(sheet: BudgetSheet) -> None:
    if sheet.promises:
        show.heading("cli.budget.own-noise", sensitivity=f"{sheet.sensitivity:g}")
    rows = [
        [found.kind, found.status, "", "", "", ""]
        if found.cost is None
        else [*_cost(found.cost), _which(found)]
        for found in sheet.noise
    ]
    show.table(show.columns(*NOISE, "binding"), rows)


def _cost(cost: NoiseCost) -> list[str]:
    return [
        cost.kind,
        f"{cost.parameter} {at_most(cost.width, 8)}",
        at_most(cost.standard_deviation, 4),
        fill("cli.budget.of-hundred", cases=f"{100.0 * cost.exact_probability:.3g}")
        if cost.exact_probability
        else fill("cli.budget.no-case"),
        f"± {at_most(cost.off_by, 4)}",
    ]


def _name(found: Allowed) -> str:
    return fill(f"definition.{found.definition}")


def _value(found: Allowed) -> str:
    if found.status != "limited":
        return fill("cli.no-limit" if found.status == "no limit" else "cli.budget.nothing")
    said = f"{found.parameter} {at_least(float(found.value), 8)}"
    given = found.guarantee.parameters.get("delta", 0.0) if found.guarantee else 0.0
    return fill("cli.budget.delta", said=said, given=f"{given:g}") if given else said


def _which(found: Allowed | Calibrated) -> str:
    data = found.limit.to_dict()
    at = [f"{name} {data[name]:g}" for name in ("level", "prior") if data.get(name) is not None]
    if found.limit.takes_confidence:
        sure = found.limit.confidence
        at.append("always" if sure is None else fill("cli.budget.confidence", sure=f"{sure:g}"))
    return ", ".join([data["metric"].replace("_", " "), *at])


def _is_left_out(limit: Limit) -> bool:
    return limit.takes_confidence and limit.confidence is None


def _binding(sheet: BudgetSheet) -> list[str]:
    """The priors at which a profile is tightest."""
    lines = []
    for limit in sheet.limits:
        budget = getattr(limit, "budget", None)
        if budget is not None and budget.binding is not None:
            lines.append(
                fill(
                    "cli.budget.tightest",
                    binding=budget.binding,
                    ratio=f"{budget.binding.ratio:.6g}",
                    theorem=budget.epsilon.theorem.named,
                )
            )
    return lines


def _how(sheet: BudgetSheet) -> list[str]:
    lines = []
    for found in sheet.promises:
        if found.status != "limited" or found.whole is None:
            continue
        said = fill(
            "cli.by",
            name=_name(found),
            theorem=found.value.theorem.named,
            says=found.value.theorem.says,
        )
        if sheet.together.releases > 1 or sheet.together.spent:
            said += fill(
                "cli.budget.composed",
                theorem=found.whole.theorem.named,
                says=found.whole.theorem.says,
            )
        lines.append(fill("cli.budget.bracket", said=said, bracket=_bracket(found)))
    for made in sheet.noise:
        if made.status == "limited" and made.whole is not None:
            said = fill(
                "cli.by",
                name=made.kind,
                theorem=made.width.theorem.named,
                says=made.width.theorem.says,
            )
            lines.append(fill("cli.budget.exactly", said=said))
    return lines or [fill("cli.budget.formula")]


def _bracket(found: Allowed) -> str:
    _, upper = found.value.bracket
    if upper is None:
        return fill("cli.budget.no-more")
    return fill("cli.budget.beyond", at_most=at_most(float(upper), 12))
