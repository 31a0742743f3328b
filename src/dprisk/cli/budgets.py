"""Commands that start from the risk that is tolerated: budget and plan."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from dprisk._asking import parameters as shared
from dprisk._asking import reading
from dprisk._asking.answers import Block, budget_in_words, section, table
from dprisk._asking.options import Subject, Tolerances
from dprisk._asking.parameters import File, Files, Number, SomeNumber, SomeWord, opt
from dprisk._asking.questions import BudgetOptions
from dprisk._asking.reading import unclear
from dprisk.cli.commands import Output
from dprisk.cli.show import waiting
from dprisk.errors import InvalidInput, Meaningless
from dprisk.text import fill
from dprisk.text.rounding import at_most

if TYPE_CHECKING:
    from dprisk.budget.counting import Fitting, Plan


# --- budget --------------------------------------------------------------------------------------


def budget(asked: BudgetOptions, output: Output) -> None:
    """Print the largest budget that keeps the limits."""
    with waiting("Searching"):
        sheet = asked.answer()
    output.show(sheet, lambda: budget_in_words(sheet), lambda: asked.document(sheet))


# --- plan ----------------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class PlanOptions:
    """Options on what is released time and again, and the limits that it keeps."""

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
    from dprisk.documents.results import prospects

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


def _plan(made: Plan, said: Sequence[str]) -> Iterator[Block]:
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
    yield from section(
        "Not covered",
        made.to_dict()["unprotected"] or ["Nothing is left out within these assumptions."],
    )
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
