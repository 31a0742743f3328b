"""Commands that start from the risk that is tolerated: budget and plan."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from dprisk._asking import parameters as shared
from dprisk._asking import reading
from dprisk._asking.options import Subject, Tolerances
from dprisk._asking.parameters import File, Files, Number, SomeNumber, SomeWord, opt
from dprisk._asking.questions import BudgetOptions
from dprisk._asking.reading import unclear
from dprisk.cli import show
from dprisk.cli.commands import Output
from dprisk.cli.show import section, table, waiting
from dprisk.errors import InvalidInput, Meaningless
from dprisk.text import fill
from dprisk.text.rounding import at_least, at_most

if TYPE_CHECKING:
    from dprisk.budget.calibrating import Calibrated
    from dprisk.budget.counting import Fitting
    from dprisk.budget.largest import Allowed
    from dprisk.budget.limits import Limit
    from dprisk.budget.noise import NoiseCost
    from dprisk.budget.planning import Plan
    from dprisk.budget.sheet import BudgetSheet

NOISE = ("noise", "at least", "standard deviation", "exact value in", "95 of 100 within")
USUAL = {
    "pure": ("geometric", "laplace"),
    "laplace": ("geometric", "laplace"),
    "gaussian": ("gaussian",),
}
"""The noise whose cost is printed for a promise; for the others it is Gaussian."""
NOTHING_LEFT_OUT = "Nothing is left out within these assumptions."


# --- budget --------------------------------------------------------------------------------------


def budget(asked: BudgetOptions, output: Output) -> None:
    """Print the largest budget that keeps the limits."""
    from dprisk.documents.budgets import allowances

    with waiting("Searching"):
        sheet = asked.answer()
    reasons = (each.reason for each in sheet.refused)
    said = [*allowances(sheet), *sheet.on_delta, *reasons]
    output.show(sheet, lambda: said, lambda: _sheet(sheet, asked.tolerances(), said))


def _sheet(sheet: BudgetSheet, asked: Sequence[Limit], said: Sequence[str]) -> Iterator[show.Block]:
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
    yield from section("In words", said)
    yield from section("Where the profile is tightest", _binding(sheet))
    yield from section("How the numbers were computed", _how(sheet))
    yield from section("Not covered", sheet.unprotected or [NOTHING_LEFT_OUT])
    yield from section("Assumptions", sheet.assumptions)


def _promises(sheet: BudgetSheet) -> Iterator[show.Block]:
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


def _how(sheet: BudgetSheet) -> list[str]:
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
            theorem = made.width.theorem
            lines.append(
                f"{made.kind}: {theorem.named} ({theorem.says}), for the noise itself, composed "
                "exactly."
            )
    return lines or ["By formula, without a search."]


# --- plan ----------------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class PlanOptions:
    """What is released time and again, and the limits that it keeps."""

    subject: Subject = Subject()
    limits: Tolerances = Tolerances()
    profile: File = opt("A risk profile (.yaml, .toml or .json).")
    done: SomeNumber = opt(
        "Number of releases like this one made so far, such as 3; 0 if left out.", "0"
    )
    spent: Files = shared.spent()
    rule: SomeWord = opt(
        "How releases add up, as for an account of a ledger: concentrated, pure, approximate, "
        "gaussian or renyi, even if a release depends on earlier results; or fixed, if all "
        "releases were fixed before the first result was seen.",
        "concentrated",
    )
    delta_budget: Number = opt("For approximate and concentrated: the largest sum of the deltas.")

    def answer(self) -> Plan:
        """The number of releases that keep the limits, by each theorem."""
        each = self.subject.each("plan")
        asked = self.limits.some("plan", self.profile, each.neighbors)
        from dprisk.budget import plan as fixed
        from dprisk.budget.limits import EpsilonLimit
        from dprisk.ledger import plan_by_rule
        from dprisk.releases.files import read_releases

        before = [release for file in self.spent or [] for release in read_releases(file)]
        done = reading.whole_number("--done", self.done, least=0)
        if self.rule == "fixed" and self.delta_budget is None:
            return fixed(asked, each, done=done, spent=before, at_delta=self.limits.delta)
        if self.limits.delta is not None and not any(isinstance(n, EpsilonLimit) for n in asked):
            raise unclear(
                "--at-delta is used by limits on epsilon and by --rule fixed, not by --rule "
                f"{self.rule}."
            )
        rule: Any = self.rule
        try:
            return plan_by_rule(
                asked, each, rule=rule, done=done, spent=before, delta=self.delta_budget
            )
        except InvalidInput as error:
            if error.name != "delta" or rule == "fixed":
                raise
            raise InvalidInput("--delta-budget", error.value, error.allowed, error.fix) from None
        except Meaningless as error:
            fix = "If all releases are fixed before the first result is seen, use --rule fixed."
            raise Meaningless(str(error), fix) from None


def plan(asked: PlanOptions, output: Output) -> None:
    """Print how many more releases keep the limits, by which theorem."""
    from dprisk.documents.budgets import prospects

    with waiting("Counting"):
        made = asked.answer()
    said = [*prospects(made), *_adds(made)]
    output.show(made, lambda: said, lambda: _plan(made, said))


def _adds(made: Plan) -> list[str]:
    """The way releases add up; and which other rule, just as valid, allows more."""
    said = [fill(f"ledger.adds.{made.rule or 'fixed'}")]
    more = max(made.fittings, key=lambda found: found.number)
    if made.rule and more.number > made.best.number:
        number = "one" if more.number == 1 else str(more.number)
        releases = "release" if more.number == 1 else "releases"
        again = " more" if made.best.together.spent else ""
        keep = "keeps" if more.number == 1 else "keep"
        said.append(f"With --rule {more.rule}, {number}{again} {releases} {keep} the limit.")
    return said


def _plan(made: Plan, said: Sequence[str]) -> Iterator[show.Block]:
    from dprisk.ledger.words import limit_in_words

    yield f"{made.subject} (releases like this one made so far: {made.done})"
    yield from section("Limits:", [f"{limit_in_words(limit)}." for limit in made.limits])
    number = "more releases" if made.best.together.spent else "releases in total"
    yield table(
        ("composition", number, "then at most", "one more", "covers", "theorem"),
        map(_fitting, made.fittings),
    )
    yield from section("In words", said)
    scopes = {
        True: "mechanism: the one that is run",
        False: "promise: every mechanism that keeps it",
    }
    own = dict.fromkeys(bool(found.own) for found in made.fittings)
    yield from section("What each bound covers", [scopes[each] for each in own])
    yield from section("Not covered", made.to_dict()["unprotected"] or [NOTHING_LEFT_OUT])
    yield from section("Assumptions", made.best.measured.assumptions)


def _fitting(found: Fitting) -> list[str]:
    at = found.together.at_delta
    none = found.number == 0 and not found.together.spent
    return [
        (found.rule or found.together.rule) + ("" if at is None else f", at delta {at:g}"),
        f"{found.number} or more" if found.status == "no limit" else str(found.number),
        "" if none else _most(float(found.measured)),
        "" if found.one_more is None else _most(float(found.one_more)),
        "mechanism" if found.own else "promise",
        f"{found.whole.theorem}, {found.measured.theorem}",
    ]


def _most(value: float) -> str:
    return at_most(value, 6) if math.isfinite(value) else "no bound"
