"""Budgets as documents: what may be promised, what it costs, and how it was found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from dprisk._asking import options
from dprisk._asking.answers import Block, section, table, warnings_of
from dprisk.text import fill
from dprisk.text.rounding import at_least, at_most

if TYPE_CHECKING:
    from dprisk._asking.options import Subject, Trained
    from dprisk.budget.largest import Allowed
    from dprisk.budget.limits import Limit
    from dprisk.budget.noise import Calibrated, NoiseCost
    from dprisk.budget.profile import Profile
    from dprisk.budget.search import LimitSolution
    from dprisk.budget.sheet import BudgetSheet
    from dprisk.budget.training import TrainingFound
    from dprisk.releases.release import Release

NOISE = ("noise", "at least", "standard deviation", "exact value in", "95 of 100 within")
USUAL = {
    "pure": ("geometric", "laplace"),
    "laplace": ("geometric", "laplace"),
    "gaussian": ("gaussian",),
}
"""The noise whose cost is printed for a promise; for the others it is Gaussian."""


def profile_in(file: str | None) -> Profile | None:
    """The risk profile of a file, if one is named."""
    from dprisk.budget import read_profile

    return None if file is None else read_profile(file)


def released(subject: Subject, profile: Profile | None, example: str, unit: str | None) -> Release:
    """The release of a subject; where only a profile is given, one with the budget it allows."""
    from dprisk.budget import solve
    from dprisk.guarantees.pure import PureDP
    from dprisk.releases.release import Part, Release

    if profile is None or subject.typed or subject.what:
        return subject.release(example, unit)
    found = solve(profile).guarantee
    epsilon = float(at_least(found.parameters["epsilon"], 6))  # a number to publish
    part = Part(PureDP(epsilon, neighbors=found.neighbors))
    return Release.of(part, name="A release with the budget of a risk profile", unit=unit)


def noises(trained: Trained, kinds: Sequence[str], relation: Any) -> list[Any]:
    """The noise that is asked for: a training, a sample with its rate, or just its kind."""
    from dprisk.budget.noise import SAMPLED
    from dprisk.releases.training import KIND, share

    given = trained.given
    if KIND not in kinds:
        rest = dict(given)
        if any(kind in SAMPLED for kind in kinds):
            rest.pop("sample_rate", None)
        beside = " and ".join(kinds) or "a promise"
        named = {f"--{name.replace('_', '-')}": text for name, text in rest.items()}
        options.moot(f"{beside} (for DP-SGD, add --mechanism {KIND})", named)
    found: list[Any] = []
    for kind in kinds:
        if kind == KIND:
            found.append(trained.training(relation))
        elif kind in SAMPLED:
            found.append((kind, share("sample_rate", given.get("sample_rate"))))
        else:
            found.append(kind)
    return found


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
    if sheet.trainings:
        rows = ([*training_ends(found), _which(found)] for found in sheet.trainings)
        yield table(("DP-SGD", "keeps the limits", "breaks one", "binding limit"), rows)
    yield from section("In words", budget_in_words(sheet))
    yield from section("Where the profile is tightest", _binding(sheet))
    yield from section("How the numbers were computed", _how_found(sheet))
    yield from section(
        "Not covered", sheet.unprotected or ["Nothing is left out within these assumptions."]
    )
    yield from section("Assumptions", sheet.assumptions)
    yield from section("Notes", warnings_of(sheet.notes))


def budget_in_words(sheet: BudgetSheet) -> list[str]:
    """The budgets in sentences, and why there is none."""
    from dprisk.documents.results import allowances

    return [*allowances(sheet), *sheet.on_delta, *(each.reason for each in sheet.refused)]


def training_ends(found: TrainingFound) -> list[str]:
    """The name of what is solved for, the number that keeps the limits, and one that does not."""
    name = found.unknown.replace("_", " ")
    if found.status != "limited":
        return [name, found.status, ""]
    if found.unknown == "noise_multiplier":
        next_one = "" if found.breaks_at is None else at_least(found.breaks_at, 8)
        return [name, f"at least {at_most(float(found.value), 8)}", next_one]
    next_one = "" if found.breaks_at is None else at_most(found.breaks_at, 10)
    return [name, f"at most {at_least(float(found.value), 10)}", next_one]


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
        (float(cost.off_by), [_name(found), *_cost(cost)])
        for found, costs in zip(sheet.promises, sheet.costs, strict=True)
        for cost in costs
        if cost.kind in USUAL.get(found.definition, ("gaussian", "discrete-gaussian"))
    ]
    if drawn:
        best = ", the most accurate first" if len(drawn) > 1 else ""
        caption = f"Noise that keeps the promise (sensitivity {sheet.sensitivity:g}){best}"
        rows = [row for _, row in sorted(drawn, key=itemgetter(0))]
        yield table(("promise", *NOISE), rows, caption)


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


def _which(found: Allowed | Calibrated | TrainingFound) -> str:
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
    run: list[tuple[str, LimitSolution]] = [(each.kind, each) for each in sheet.noise]
    for kind, made in [*run, *(("dp-sgd", each) for each in sheet.trainings)]:
        if made.status == "limited" and made.whole is not None:
            theorem = made.value.theorem
            lines.append(
                f"{kind}: {theorem.named} ({theorem.says}), for the noise itself, composed exactly."
            )
    return lines or ["By formula, without a search."]
