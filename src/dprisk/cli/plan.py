"""``dprisk plan``: how many more releases a limit allows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dprisk._asking import options, reading
from dprisk._asking.options import FILE, NUMBER, WORD, Text, option
from dprisk._asking.reading import unclear
from dprisk.cli import show
from dprisk.cli.output import Output
from dprisk.cli.waiting import waiting
from dprisk.errors import InvalidInput, Meaningless
from dprisk.text import fill
from dprisk.text.rounding import at_most

if TYPE_CHECKING:
    from dprisk.budget.counting import Fitting
    from dprisk.budget.planning import Plan


def plan(
    *,
    subject: options.Subject,
    limits: options.LimitOptions,
    profile: Annotated[Text, option("help.plan.profile", FILE)] = None,
    done: Annotated[str, option("help.plan.done", NUMBER)] = "0",
    spent: options.Spent = None,
    rule: Annotated[str, option("help.plan.rule", WORD)] = "concentrated",
    delta_budget: Annotated[Text, option("help.ledger.delta", NUMBER)] = None,
    output: Output,
) -> None:
    """Print how many more releases keep the limits, by which theorem."""
    each = subject.each("plan")
    asked = limits.some("plan", profile, each.neighbors)
    from dprisk.budget import plan as fixed
    from dprisk.budget.limits import EpsilonLimit
    from dprisk.ledger import plan_by_rule
    from dprisk.releases.files import read_releases

    before = [release for file in spent or [] for release in read_releases(file)]
    with waiting("count"):
        so_far = reading.whole_number("--done", done, least=0)
        if rule == "fixed" and delta_budget is None:
            made = fixed(asked, each, done=so_far, spent=before, at_delta=limits.delta)
        else:
            if limits.delta is not None and not any(isinstance(n, EpsilonLimit) for n in asked):
                raise unclear("plan-at-delta", rule=rule)
            by_rule: Any = rule
            try:
                made = plan_by_rule(
                    asked, each, rule=by_rule, done=so_far, spent=before, delta=delta_budget
                )
            except InvalidInput as error:
                if error.name != "delta" or rule == "fixed":
                    raise
                raise InvalidInput(
                    "--delta-budget", error.value, error.allowed, error.fix
                ) from None
            except Meaningless as error:
                raise Meaningless(str(error), fill("cli.plan.fixed")) from None
    output.show(
        made,
        lambda: _in_brief(made),
        lambda: _in_full(made),
        kept=made.kept,
    )


def _in_brief(made: Plan) -> None:
    from dprisk.documents.budgets import prospects

    show.lines([*prospects(made), *_adds(made)], "")


def _adds(made: Plan) -> list[str]:
    """How releases add up; and which other rule, just as valid, allows more."""
    said = [fill(f"ledger.adds.{made.rule or 'fixed'}")]
    more = max(made.fittings, key=lambda found: found.number)
    if made.rule and more.number > made.best.number:
        words = {"rule": more.rule, "number": more.number}
        other = "other-more" if made.best.together.spent else "other"
        said.append(fill(f"cli.plan.{other}.{'one' if more.number == 1 else 'many'}", **words))
    return said


def _in_full(made: Plan) -> None:
    from dprisk.documents.budgets import prospects
    from dprisk.ledger.words import limit_in_words

    show.lines([fill("cli.plan.so-far", subject=made.subject, done=made.done)], "")
    show.lines([fill("cli.to-be-kept")], "")
    show.lines([f"{limit_in_words(limit)}." for limit in made.limits])
    typer.echo()
    number = "more" if made.best.together.spent else "total"
    heads = [fill(f"cli.plan.{column}") for column in (number, "then", "one-more")]
    show.table(
        [*show.columns("composed-by"), *heads, *show.columns("holds-for", "theorem")],
        [_row(found) for found in made.fittings],
    )
    show.section("cli.heading.words", [*prospects(made), *_adds(made)])
    scopes = dict.fromkeys("mechanism" if found.own else "promise" for found in made.fittings)
    show.section("cli.heading.holds-for", [fill(f"cli.plan.{scope}") for scope in scopes])
    left_out = made.to_dict()["unprotected"] or [fill("cli.nothing-left-out")]
    show.section("cli.heading.unprotected", left_out)
    show.section("cli.heading.assumed", made.best.measured.assumptions)


def _row(found: Fitting) -> list[str]:
    number = str(found.number)
    if found.status == "no limit":
        number = fill("cli.plan.or-more", number=found.number)
    over = "" if found.one_more is None else _most(float(found.one_more))
    at = found.together.at_delta
    read = "" if at is None else fill("cli.plan.at-delta", at_delta=f"{at:g}")
    none = found.number == 0 and not found.together.spent
    return [
        (found.rule or found.together.rule) + read,
        number,
        "" if none else _most(float(found.measured)),
        over,
        "mechanism" if found.own else "promise",
        f"{found.whole.theorem}, {found.measured.theorem}",
    ]


def _most(value: float) -> str:
    return at_most(value, 6) if math.isfinite(value) else fill("cli.no-bound")
