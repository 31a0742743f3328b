"""Commands about many releases: ladder and plan."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from dprisk._asking import answers, options, reading
from dprisk._asking import parameters as take
from dprisk._asking.answers import Block, belief, section
from dprisk._asking.options import Subject, Tolerances
from dprisk._asking.parameters import Inquiry, opt, table
from dprisk._asking.reading import unclear
from dprisk._values import plain
from dprisk.errors import InvalidInput, Meaningless, one_of
from dprisk.text import count, fill
from dprisk.text.rounding import at_most, hundredths

if TYPE_CHECKING:
    from dprisk.budget.counting import Fitting
    from dprisk.budget.counting import Plan as Found
    from dprisk.curves.rungs import Ladder as Climbed

# --- plan ----------------------------------------------------------------------------------------


@table
class AskPlan(Inquiry):
    """Count how many more releases keep your limits."""

    example = (
        "dprisk plan --epsilon 0.05 --neighbors add-remove --limit posterior=0.8 --prior 0.5 "
        "--confidence 0.95"
    )
    doing = "Counting"
    subject: Subject = Subject()
    limits: Tolerances = Tolerances()
    profile: take.File = take.profile()
    done: take.SomeNumber = opt(
        "Number of releases like this one made so far, such as 3; 0 if left out.", "0"
    )
    spent: take.Files = take.spent()
    rule: take.SomeWord = opt(
        "How releases add up, as for an account of a ledger: concentrated, pure, approximate, "
        "gaussian or renyi, even if a release depends on earlier results; or fixed, if all "
        "releases were fixed before the first result was seen.",
        "concentrated",
    )
    delta_budget: take.Number = opt(
        "For approximate and concentrated: the largest sum of the deltas."
    )

    def answer(self) -> Found:
        """The number of releases that keep the limits, by each theorem."""
        each = self.subject.each(self.example)
        asked = self.limits.some(self.example, self.profile, each.neighbors)
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

    def brief(self, made: Found) -> list[str]:
        from dprisk.documents.results import prospects

        return [*prospects(made), *_adds(made)]

    def document(self, made: Found) -> Iterator[Block]:
        return _plan(made, self.brief(made))


def _adds(made: Found) -> list[str]:
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


def _plan(made: Found, said: Sequence[str]) -> Iterator[Block]:
    from dprisk.ledger.words import limit_in_words

    yield f"{made.subject} (releases like this one made so far: {made.done})"
    yield from section("Limits:", [f"{limit_in_words(limit)}." for limit in made.limits])
    number = "more releases" if made.best.together.spent else "releases in total"
    yield answers.table(
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


# --- ladder --------------------------------------------------------------------------------------


@table
class AskLadder(Inquiry):
    """Show how risk grows with the number of releases, theorem by theorem."""

    example = (
        "dprisk ladder --rho 0.01 --neighbors add-remove --releases 365 --confidence 0.99 --limit "
        "posterior=0.99"
    )
    doing = "Climbing"
    subject: Subject = Subject()
    releases: take.SomeNumber = opt("Number of releases (days, months, ...), such as 365.", "1")
    prior: take.Number = opt("Belief before the first release, between 0 and 1.")
    confidence: take.Number = take.confidence()
    at_delta: take.Number = opt("The δ at which composition theorems are stated. Default: 1e-6.")
    metric: take.Word = opt(
        "What is bounded: posterior (at the prior) or difference (over every prior)."
    )
    limit: take.Limit = opt(
        "Find the first release after which the bound exceeds a limit, such as posterior=0.9 or "
        "difference=0.5."
    )

    def _limited(self) -> tuple[str, float | None]:
        """The metric, and the limit on it."""
        from dprisk.curves.rungs import METRICS

        if self.metric is not None:
            one_of("--metric", self.metric, METRICS)
        if self.limit is None:
            return self.metric or "posterior", None
        ((named, most),) = reading.limits([self.limit]).items()
        one_of("--limit", named, METRICS)
        if self.metric not in (None, named):
            raise unclear(
                f"--metric {self.metric} and --limit {self.limit} name different metrics. Leave "
                "--metric out."
            )
        return named, most

    def answer(self) -> Any:
        """The ladder, the same as data, and the statements that cannot be kept."""
        from dprisk.composition import contradicted
        from dprisk.curves import ladder as climb
        from dprisk.releases import Release
        from dprisk.risk.adversary import must_be_tolerable

        each = self.subject.each(self.example)
        metric, most = self._limited()
        if isinstance(each, Release):
            each.must_be_unconditional()
        before = reading.number("--prior", self.prior or "0.5")
        if metric == "difference":
            options.moot("the metric difference", {"--prior": self.prior})
        if most is not None:
            beliefs = [before] if metric == "posterior" else []
            must_be_tolerable(metric, most, beliefs)  # type: ignore[arg-type]
        made = climb(
            each,
            [reading.whole_number("--releases", self.releases)],
            prior=before,
            confidence=reading.optional("--confidence", self.confidence),
            delta=reading.optional("--at-delta", self.at_delta),
            metric=metric,  # type: ignore[arg-type]
        )
        false = contradicted(each)
        return made, made.to_dict(most) | ({"contradicted": plain(false)} if false else {}), false

    def data(self, made: Any) -> Any:
        return made[1]

    def kept(self, made: Any) -> bool:
        return not made[2]

    def brief(self, made: Any) -> list[str]:
        return [*_cannot(made[2]), _best(made[0])]

    def document(self, made: Any) -> Iterator[Block]:
        yield from _cannot(made[2])
        yield from _climbed(made[0], made[1])


def _cannot(false: Iterable[Any]) -> list[str]:
    from dprisk.documents.promises import cannot_keep

    return [cannot_keep(found) for found in false]


ABOUT = {
    "add-remove": "the record is in the data",
    "replace-one": "the record has a particular value",
}
HOLDS = {
    "promise": "promise: every mechanism that keeps it, with any post-processing",
    "mechanism": "mechanism: the one that is run, with any post-processing",
    "raw output": "raw output: the output of the mechanism that is run, without post-processing",
}


def _best(made: Climbed) -> str:
    """The best bound after the last number of releases."""
    last, high = made.releases[-1], answers.most(float(made.best().values[-1]))
    after = "one such release" if last == 1 else f"{count(last)} such releases in total"
    confidence = made.confidence
    always = fill("sure.always")
    holds = always if confidence is None else fill("sure.mostly", confidence=hundredths(confidence))
    if made.metric == "posterior":
        about, prior = ABOUT[made.neighbors], belief(made.prior)
        return f"After {after}, a chance of {prior} that {about} can rise to {high}, {holds}."
    return f"After {after}, a chance can have changed by {high}, {holds}."


def _climbed(made: Climbed, data: dict[str, Any]) -> Iterator[Block]:
    last, limit = made.releases[-1], data["limit"]
    over = [] if limit is None else [f"above {belief(limit)} from"]
    yield made.subject
    yield answers.table(
        ["bound", f"after {last}: at most", *over, "covers", "theorem"],
        (_rung(rung, data, last) for rung in data["rungs"]),
    )
    yield from _legend(made)
    scopes = [HOLDS[scope] for scope in dict.fromkeys(rung.holds_for for rung in made.rungs)]
    if not all(rung.given for rung in made.rungs):
        scopes.append(
            "if used: holds only if Gaussian noise was used, which the promise does not say"
        )
    yield from section("What each bound covers", scopes)


def _rung(rung: dict[str, Any], data: dict[str, Any], last: int) -> list[str]:
    number = f"> {last}" if rung["first_over"] is None else str(rung["first_over"])
    first = [] if data["limit"] is None else [number]
    scope = rung["holds_for"] if rung["given"] else f"{rung['holds_for']}, if used"
    return [
        rung["name"],
        answers.share(rung["values"][-1]),
        *first,
        scope,
        ", ".join(rung["theorems"]),
    ]


def _legend(made: Climbed) -> Iterator[str]:
    what = "Change of belief: the largest over every prior."
    if made.metric == "posterior":
        about = ABOUT[made.neighbors]
        what = f"Belief before the first release that {about}: {belief(made.prior)}."
    is_in = made.neighbors == "add-remove"
    unknown = "whether the record is in the data" if is_in else "the value of the record"
    best = made.best()
    whose = (
        "for the mechanism with any post-processing"
        if best.holds_for == "mechanism"
        else "that the promise guarantees"
    )
    yield (
        f"{what} Neighboring datasets: {made.neighbors}. Each bound holds "
        f"{answers.sure(made.confidence)}, against an adversary who knows everything except "
        f"{unknown}. Best bound {whose}: {best.name}."
    )
    if made.confidence is None:
        yield (
            "With certainty, only the values of ε can be added up. Add --confidence 0.99 to see "
            "what other theorems say."
        )
