"""Commands about bounds: compose, power, convert, counterfactual and ladder."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, final

from dprisk._asking import options, reading
from dprisk._asking import parameters as shared
from dprisk._asking.answers import (
    Block,
    attack_verdicts,
    belief,
    how,
    items,
    most,
    parts,
    section,
    share,
    sure,
    table,
    title,
)
from dprisk._asking.options import Promise, Subject
from dprisk._asking.parameters import (
    Flag,
    Limit,
    Number,
    Numbers,
    SomeNumber,
    SomeWord,
    Word,
    Words,
    flag,
    opt,
)
from dprisk._asking.questions import ComposeOptions, PowerOptions
from dprisk._asking.reading import unclear
from dprisk._checks import one_of
from dprisk._values import plain
from dprisk.cli.commands import Output
from dprisk.cli.show import waiting
from dprisk.composition.basis import basis_of
from dprisk.text import count, fill
from dprisk.text.rounding import at_most, hundredths

if TYPE_CHECKING:
    from dprisk.curves.rungs import Ladder
    from dprisk.documents.compositions import Compared
    from dprisk.guarantees.base import Guarantee
    from dprisk.guarantees.convert import Converted
    from dprisk.risk.counterfactual import Counterfactual

# --- compose -------------------------------------------------------------------------------------


def compose(asked: ComposeOptions, output: Output) -> None:
    """Print what a release file keeps, composed."""
    from dprisk.documents.results import readings

    with waiting("Composing"):
        made = asked.answer()
    output.show(made, lambda: readings(made), lambda: asked.document(made))


# --- power ---------------------------------------------------------------------------------------


def power(asked: PowerOptions, output: Output) -> None:
    """Print how well a test of what is published can do, at most."""
    from dprisk.documents.topics import alarms

    with waiting("Testing"):
        made = asked.answer()
    kept = list(attack_verdicts(made))
    brief = [*alarms(made.curve, made.release), *([""] if kept else []), *kept]
    output.show(made, lambda: brief, lambda: asked.document(made))


# --- convert -------------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class ConvertOptions:
    """A promise, and the definition to which it is converted."""

    to: Word = opt(
        "Definition to convert to: pure, approximate, probabilistic, bounded (probabilistically "
        "bounded DP), tradeoff, gaussian, renyi or concentrated. Left out: all of them."
    )
    promise: Promise = Promise()
    at_epsilon: Number = opt("The ε of the result, such as 1.")
    at_delta: Number = opt(
        "The δ of the result, such as 1e-6. If the promise has no ε, --delta means the same as "
        "--at-delta."
    )
    at_alpha: Number = opt("The Rényi order of the result, such as 2.")
    sides: SomeWord = opt("Sides of probabilistic DP: both or one.", "both")
    to_neighbors: Word = opt("Neighbors of the result: add-remove or replace-one.")
    every: Flag = flag("Also list the looser conversions.", "--all")


def convert(asked: ConvertOptions, output: Output) -> None:
    """Print the strongest guarantee of another definition that follows."""
    from dprisk.guarantees.base import SIDES
    from dprisk.guarantees.convert import conversions

    to = reading.defined(asked.to)
    one_of("--sides", asked.sides, SIDES)
    given = {"epsilon": asked.at_epsilon, "delta": asked.at_delta, "alpha": asked.at_alpha}
    if to is None:
        _refuse_without_target(asked, given)
    promise, point = _landing(to, asked.promise, given)
    known = promise.part().guarantee
    if asked.to_neighbors is not None:
        known = known.for_neighbors(reading.related(asked.to_neighbors, "--to-neighbors"))
    if to is None and asked.to_neighbors is not None:
        output.show(_plain(known), lambda: [repr(known)])
        return
    if to is None:
        with waiting("Converting"):
            reached = _everywhere(known, point, asked.sides)
        best = [ways[0] for ways in reached.values() if not isinstance(ways, str)]
        missing = [f"{target}: {ways}" for target, ways in reached.items() if isinstance(ways, str)]
        show_all = output if output.json else replace(output, quiet=False)
        show_all.show(
            [_data(target, ways) for target, ways in reached.items()],
            list,
            lambda: [*_conversions(best), *section("Not listed", missing)],
        )
        return
    with waiting("Converting"):
        ways = conversions(known, to, **point, sides=asked.sides)  # type: ignore[arg-type]
    chosen = list(ways if asked.every else ways[:1])
    output.show(
        [_plain(way.guarantee) | _how_converted(way) for way in chosen],
        lambda: [_shown(chosen[0].guarantee)],
        lambda: _conversions(chosen),
    )


def _refuse_without_target(asked: ConvertOptions, given: Mapping[str, str | None]) -> None:
    """Refuse, without a definition to go to, a landing and looser ways."""
    if asked.to_neighbors is None:
        options.moot("a list of all definitions", {"--all": asked.every})
        return
    at = {f"--at-{name}": text for name, text in given.items()}
    unused = {"--all": asked.every, "--sides": asked.sides != "both", **at}
    options.moot("--to-neighbors without --to", unused)


def _landing(
    to: str | None, promise: Promise, given: dict[str, str | None]
) -> tuple[Promise, dict[str, Any]]:
    """The point to land at: without an epsilon, the delta of a promise is it."""
    from dprisk.guarantees.convert import POINTS

    if promise.epsilon is None and to in POINTS and set(given.values()) == {None}:
        given["delta"], promise = promise.delta, replace(promise, delta=None)
    if to is None and set(given.values()) == {None}:
        given["delta"] = promise.delta
    at = [name for name in ("epsilon", "delta") if given[name] is not None]
    if (to in POINTS and len(at) != 1) or len(at) > 1:
        raise unclear(
            f"A conversion to {to or POINTS[0]} needs either --at-delta or --at-epsilon, such as "
            "--at-delta 1e-6. --epsilon and --delta belong to the promise."
        )
    if to == "renyi" and given["alpha"] is None:
        raise unclear("A conversion to renyi needs the order. Add it, such as --at-alpha 2.")
    said = {name: text for name, text in given.items() if text is not None}
    return promise, {name: reading.number(f"--at-{name}", text) for name, text in said.items()}


Reached = dict[str, "tuple[Converted, ...] | str"]


def _everywhere(known: Guarantee, point: dict[str, Any], sides: Any) -> Reached:
    """The ways to each definition, or why there is none."""
    from dprisk.errors import NoConversion
    from dprisk.guarantees.convert import POINTS, TARGETS, conversions

    found: Reached = {}
    for target in TARGETS:
        takes = ("epsilon", "delta") if target in POINTS else ("alpha",) * (target == "renyi")
        at = {name: value for name, value in point.items() if name in takes}
        if takes and not at:
            found[target] = (
                "Add --at-delta or --at-epsilon, such as --at-delta 1e-6."
                if target in POINTS
                else "Add --at-alpha, such as --at-alpha 2."
            )
            continue
        try:
            one_or_both: Any = sides if target == "probabilistic" else "both"
            found[target] = conversions(known, target, **at, sides=one_or_both)
        except NoConversion as error:
            found[target] = str(error)
    return found


def _data(target: str, ways: tuple[Converted, ...] | str) -> dict[str, Any]:
    if isinstance(ways, str):
        return {"definition": target, "reason": ways}
    return _plain(ways[0].guarantee) | _how_converted(ways[0])


def _plain(guarantee: Any) -> dict[str, Any]:
    return {name: getattr(guarantee, name) for name in ("definition", "parameters", "neighbors")}


def _how_converted(way: Converted) -> dict[str, Any]:
    theorem = way.by.theorem
    said = {"exactness": way.by.exactness, "by": way.by.name, "theorem": theorem}
    return {**said, "citation": theorem.citation}


def _conversions(ways: list[Converted]) -> list[Block]:
    errs = {True: "exact", False: "upper bound"}
    rows = [
        [
            _shown(way.guarantee),
            errs[way.by.exactness == "exact"],
            way.by.name,
            str(way.by.theorem),
        ]
        for way in ways
    ]
    neighbors = ways[0].guarantee.neighbors
    return [
        table(("result", "parameter", "conversion", "theorem"), rows),
        f"Neighboring datasets: {neighbors}, both before and after the conversion.",
    ]


def _shown(guarantee: Any) -> str:
    values = guarantee.parameters
    if any(isinstance(value, list) and len(value) > 3 for value in values.values()):
        return f"{guarantee.definition}, {len(values['levels'])} corners (see --json)"
    inside = ", ".join(
        f"{name} = {at_most(value, 6) if isinstance(value, float) else value}"
        for name, value in values.items()
    )
    return f"{guarantee.definition}: {inside}"


# --- counterfactual ------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class CounterfactualOptions:
    """Options on what is learned with a person's record, beside without it."""

    subject: Subject = Subject()
    adversary: Words = opt(
        "What is assumed about the adversary: true-record, rest-known, arbitrary-prior or "
        "wrong-prior. Repeatable. Default: all that have a bound."
    )
    confidence: Numbers = opt(
        "Find a bound on the ratio that holds at least this often, such as 0.95. Repeatable. "
        "Default: always if the privacy loss is bounded, otherwise 0.99."
    )
    ratio: Numbers = opt(
        "Find how likely, at most, the belief with the record is to exceed this many times the "
        "belief without it, such as 2. Repeatable."
    )
    without: Numbers = opt(
        "Belief from results made without the record, between 0 and 1. Repeatable. Default: 0.1."
    )
    world: SomeWord = opt(
        "What replaces the record: resampled (drawn at random, given the other records), "
        "default-record or dropped.",
        "resampled",
    )
    releases: SomeNumber = shared.releases()


def counterfactual(asked: CounterfactualOptions, output: Output) -> None:
    """Print what is learned with a person's record beside what is learned without it."""
    from dprisk.documents.compositions import assess_counterfactual
    from dprisk.documents.results import comparisons, exceedings

    release = asked.subject.release("counterfactual", releases=asked.releases)
    with waiting("Comparing"):
        made = assess_counterfactual(
            release,
            adversaries=asked.adversary or [],  # type: ignore[arg-type]
            world=asked.world,  # type: ignore[arg-type]
            ratios=reading.numbers("--ratio", asked.ratio),
            confidences=reading.numbers("--confidence", asked.confidence),
            without=reading.numbers("--without", asked.without or ["0.1"]),
        )
        data = made.to_dict()
    output.show(
        data,
        lambda: [*comparisons(made), *exceedings(made)],
        lambda: _compared(made),
        kept=made.kept,
    )


def _compared(made: Compared) -> Iterator[Block]:
    from dprisk.documents.promises import remarks
    from dprisk.documents.results import comparisons

    release = made.release
    yield title(release)
    yield from comparisons(made)
    beliefs = (f"from {belief(each)} to: at most" for each in made.without)
    yield table(
        ("adversary", "confidence", "ratio: at most", *beliefs, "theorem"),
        (row for each in made.found for row in _ratios(made, each)),
    )
    if made.ratios:
        above = (f"ratio above {belief(ratio)}: at most" for ratio in made.ratios)
        yield table(
            ("adversary", *above),
            (
                [each.adversary, *(at_most(float(each.exceeding(one)), 4) for one in made.ratios)]
                for each in made.found
            ),
        )
    yield from parts(release, "What was released")
    if not made.composed.is_alone:
        yield items(how(made.composed, basis_of(release).parts, release.releases))
    yield from _assumed(made)
    yield from section("No bound", [f"{name}: {why}" for name, why in made.refused])
    yield from section("Remarks", remarks(release))


def _ratios(made: Compared, each: Counterfactual) -> Iterator[list[str]]:
    from dprisk.documents.results import sure

    for confidence in sure(each, made.confidences):
        limit = float(each.ratio(confidence))
        yield [
            each.adversary,
            "always" if confidence is None else belief(confidence),
            at_most(limit, 4) if math.isfinite(limit) else "no bound",
            *(at_most(float(each.belief(one, confidence)), 4) for one in made.without),
            str(each.theorem),
        ]


def _assumed(made: Compared) -> Iterator[Block]:
    """Assumptions of all adversaries once, then the rest one by one."""
    every = [made.assumed(each) for each in made.found]
    common = [line for line in every[0] if all(line in one for one in every)]
    yield from section("Assumptions", common)
    for each in made.found if len(made.found) > 1 else ():
        own = [line for line in made.assumed(each) if line not in common]
        who = fill(f"compared.who.{each.adversary}")
        who = f"{who[0].lower()}{who[1:]}"
        yield from section(f"Further assumptions for {each.adversary} ({who})", own)


# --- ladder --------------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class LadderOptions:
    """Options on what is released, how often, and what is bounded."""

    subject: Subject = Subject()
    releases: SomeNumber = opt("Number of releases (days, months, ...), such as 365.", "1")
    prior: Number = opt("Belief before the first release, between 0 and 1.")
    confidence: Number = shared.confidence()
    at_delta: Number = opt("The δ at which composition theorems are stated. Default: 1e-6.")
    metric: Word = opt(
        "What is bounded: posterior (at the prior) or difference (over every prior)."
    )
    limit: Limit = opt(
        "Find the first release after which the bound exceeds a limit, such as posterior=0.9 or "
        "difference=0.5."
    )

    def limited(self) -> tuple[str, float | None]:
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


def ladder(asked: LadderOptions, output: Output) -> None:
    """Print what many releases reveal, at most, theorem by theorem."""
    from dprisk.composition.basis import contradicted
    from dprisk.curves import ladder as climb
    from dprisk.documents.promises import cannot_keep
    from dprisk.risk.adversary import must_be_tolerable

    each = asked.subject.each("ladder")
    metric, most = asked.limited()
    before = reading.number("--prior", asked.prior or "0.5")
    if metric == "difference":
        options.moot("the metric difference", {"--prior": asked.prior})
    if most is not None:
        must_be_tolerable(metric, most, [before] if metric == "posterior" else [])  # type: ignore[arg-type]
    number = reading.whole_number("--releases", asked.releases)
    with waiting("Climbing"):
        made = climb(
            each,
            [number],
            prior=before,
            confidence=reading.optional("--confidence", asked.confidence),
            delta=reading.optional("--at-delta", asked.at_delta),
            metric=metric,  # type: ignore[arg-type]
        )
        data = made.to_dict(most)
    false = contradicted(each)
    said = [cannot_keep(found) for found in false]
    output.show(
        data | ({"contradicted": plain(false)} if false else {}),
        lambda: [*said, _best(made)],
        lambda: [*said, *_climbed(made, data)],
        kept=not false,
    )


ABOUT = {
    "add-remove": "the record is in the data",
    "replace-one": "the record has a particular value",
}
HOLDS = {
    "promise": "promise: every mechanism that keeps it, with any post-processing",
    "mechanism": "mechanism: the one that is run, with any post-processing",
    "raw output": "raw output: the output of the mechanism that is run, without post-processing",
}


def _best(made: Ladder) -> str:
    """The best bound after the last number of releases."""
    last, high = made.releases[-1], most(float(made.best().values[-1]))
    after = "one such release" if last == 1 else f"{count(last)} such releases in total"
    confidence = made.confidence
    always = fill("sure.always")
    holds = always if confidence is None else fill("sure.mostly", confidence=hundredths(confidence))
    if made.metric == "posterior":
        about, prior = ABOUT[made.neighbors], belief(made.prior)
        return f"After {after}, a chance of {prior} that {about} can rise to {high}, {holds}."
    return f"After {after}, a chance can have changed by {high}, {holds}."


def _climbed(made: Ladder, data: dict[str, Any]) -> Iterator[Block]:
    last, limit = made.releases[-1], data["limit"]
    over = [] if limit is None else [f"above {belief(limit)} from"]
    yield made.subject
    yield table(
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
    return [rung["name"], share(rung["values"][-1]), *first, scope, ", ".join(rung["theorems"])]


def _legend(made: Ladder) -> Iterator[str]:
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
        f"{what} Neighboring datasets: {made.neighbors}. Each bound holds {sure(made.confidence)}, "
        f"against an adversary who knows everything except {unknown}. Best bound {whose}: "
        f"{best.name}."
    )
    if made.confidence is None:
        yield (
            "With certainty, only the values of ε can be added up. Add --confidence 0.99 to see "
            "what other theorems say."
        )
