"""Budgets as documents: what may be promised, what it costs, and how it was found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dprisk._asking.answers import Block, section, table
from dprisk.text import fill
from dprisk.text.rounding import at_least, at_most

if TYPE_CHECKING:
    from dprisk.budget.limits import Limit
    from dprisk.budget.noise import Calibrated, NoiseCost
    from dprisk.budget.sheet import Allowed, BudgetSheet

NOISE = ("noise", "at least", "standard deviation", "exact value in", "95 of 100 within")
USUAL = {
    "pure": ("geometric", "laplace"),
    "laplace": ("geometric", "laplace"),
    "gaussian": ("gaussian",),
}
"""The noise whose cost is printed for a promise; for the others it is Gaussian."""


def of_budget(sheet: BudgetSheet, asked: Sequence[Limit]) -> Iterator[Block]:
    """The largest budgets that keep the limits asked for, and what they cost."""
    from dprisk.ledger.words import limit_in_words

    left_out = [limit.takes_confidence and limit.confidence is None for limit in asked]
    kept = [
        f"{limit_in_words(limit, left_out=is_out)}."
        for limit, is_out in zip(asked, left_out, strict=True)
    ]
    yield from section("Limits:", kept)
    if sheet.promises:
        yield from _promises(sheet)
    if sheet.noise:
        at = f"(sensitivity {sheet.sensitivity:g})"
        own = f"Noise that keeps the limits by its own privacy loss {at}"
        yield table(
            (*NOISE, "binding limit"),
            (
                [found.kind, found.status, "", "", "", ""]
                if found.cost is None
                else [*_cost(found.cost), _which(found)]
                for found in sheet.noise
            ),
            own if sheet.promises else "",
        )
    yield from section("In words", budget_in_words(sheet))
    yield from section("Where the profile is tightest", _binding(sheet))
    yield from section("How the numbers were computed", _how_found(sheet))
    yield from section(
        "Not covered", sheet.unprotected or ["Nothing is left out within these assumptions."]
    )
    yield from section("Assumptions", sheet.assumptions)


def budget_in_words(sheet: BudgetSheet) -> list[str]:
    """The budgets in sentences, and why there is none."""
    from dprisk.documents.results import allowances

    return [*allowances(sheet), *sheet.on_delta, *(each.reason for each in sheet.refused)]


def _promises(sheet: BudgetSheet) -> Iterator[Block]:
    rule = ["composition"] if sheet.together.releases > 1 else []
    yield table(
        ["promise of each release", "at most", *rule, "binding limit"],
        (
            [_name(found), _value(found), *([found.together.rule] if rule else []), _which(found)]
            for found in sheet.promises
        ),
    )
    drawn = [
        [_name(found), *_cost(cost)]
        for found, costs in zip(sheet.promises, sheet.costs, strict=True)
        for cost in costs
        if cost.kind in USUAL.get(found.definition, ("gaussian", "discrete-gaussian"))
    ]
    if drawn:
        caption = f"Noise that keeps the promise (sensitivity {sheet.sensitivity:g})"
        yield table(("promise", *NOISE), drawn, caption)


def _cost(cost: NoiseCost) -> list[str]:
    exact = cost.exact_probability
    return [
        cost.kind,
        f"{cost.parameter} {at_most(cost.width, 8)}",
        at_most(cost.standard_deviation, 4),
        f"{100.0 * exact:.3g} of 100" if exact else "no case",
        f"± {at_most(cost.off_by, 4)}",
    ]


def _name(found: Allowed) -> str:
    return fill(f"definition.{found.definition}")


def _value(found: Allowed) -> str:
    if found.status != "limited":
        return "no limit" if found.status == "no limit" else "nothing"
    said = f"{found.parameter} {at_least(float(found.value), 8)}"
    given = found.guarantee.parameters.get("delta", 0.0) if found.guarantee else 0.0
    return f"{said}, delta {given:g}" if given else said


def _which(found: Allowed | Calibrated) -> str:
    data = found.limit.to_dict()
    at = [f"{name} {data[name]:g}" for name in ("level", "prior") if data.get(name) is not None]
    if found.limit.takes_confidence:
        sure = found.limit.confidence
        at.append("always" if sure is None else f"confidence {sure:g}")
    return ", ".join([data["metric"].replace("_", " "), *at])


def _binding(sheet: BudgetSheet) -> list[str]:
    """The priors at which a profile is tightest."""
    budgets = (getattr(limit, "budget", None) for limit in sheet.limits)
    return [
        f"At {each.binding}: the profile allows a ratio of {each.binding.ratio:.6g} "
        f"({each.epsilon.theorem.named})."
        for each in budgets
        if each is not None and each.binding is not None
    ]


def _how_found(sheet: BudgetSheet) -> list[str]:
    lines = []
    for found in sheet.promises:
        if found.status != "limited" or found.whole is None:
            continue
        theorem = found.value.theorem
        said = f"{_name(found)}: {theorem.named} ({theorem.says})"
        if sheet.together.releases > 1 or sheet.together.spent:
            said += f"; composed by {found.whole.theorem.named} ({found.whole.theorem.says})"
        _, upper = found.value.bracket
        end = (
            "No larger value is known to keep the limit."
            if upper is None
            else f"A value of {at_most(float(upper), 12)} would break the limit."
        )
        lines.append(f"{said}. {end}")
    for made in sheet.noise:
        if made.status == "limited" and made.whole is not None:
            theorem = made.value.theorem
            lines.append(
                f"{made.kind}: {theorem.named} ({theorem.says}), for the noise itself, composed "
                "exactly."
            )
    return lines or ["By formula, without a search."]
