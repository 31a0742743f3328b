"""Commands about bounds: compose, convert and counterfactual."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dprisk._asking import answers, options, reading
from dprisk._asking import parameters as take
from dprisk._asking.answers import Block, belief, section
from dprisk._asking.options import Promise, Subject
from dprisk._asking.parameters import Inquiry, flag, opt, table
from dprisk._asking.questions import AskCompose
from dprisk._asking.reading import unclear
from dprisk._files import check_places, write
from dprisk._values import written
from dprisk.cli.commands import Command, Output
from dprisk.cli.show import waiting
from dprisk.errors import one_of
from dprisk.text import fill
from dprisk.text.rounding import at_most

if TYPE_CHECKING:
    from dprisk.documents.compositions import Compared
    from dprisk.guarantees.base import Guarantee
    from dprisk.guarantees.convert import Converted
    from dprisk.risk.counterfactual import Counterfactual as Found

Reached = dict[str, "tuple[Converted, ...] | str"]


# --- compose -------------------------------------------------------------------------------------


@table
class Compose(Command):
    __doc__ = AskCompose.__doc__

    example = AskCompose.example
    asked: AskCompose = AskCompose()
    certificate: take.File = opt(
        "File to write with what a small program needs to check the answer, such as "
        "certificate.json. The command fails if there is no small certificate."
    )
    force: take.Flag = take.force()

    def run(self, output: Output) -> None:
        if self.certificate is None:
            options.moot("an answer without --certificate", {"--force": self.force or None})
        else:
            self._check(self.certificate)
        with waiting(self.asked.doing):
            made = self.asked.answer()
            if self.certificate is not None:
                write(self.certificate, written(made.certificate()).encode(), force=self.force)
        output.show(self.asked, made)

    def _check(self, target: str) -> None:
        """Refuse a place that cannot be written to, and an answer that cannot be certified."""
        from dprisk.composition.certificates import certificate

        subject = self.asked.subject
        check_places([target], force=self.force, inputs=[subject.file])
        release = subject.release(self.asked.example, releases=self.asked.releases)
        asked = {"level": self.asked.power, "confidence": self.asked.confidence}
        certificate(
            release,
            self.asked.rule,  # type: ignore[arg-type]
            [name for name, given in asked.items() if given],
        )


# --- convert -------------------------------------------------------------------------------------


@table
class AskConvert(Inquiry):
    """Convert a promise to another definition of privacy, by proven theorems only."""

    example = "dprisk convert --rho 2.63 --neighbors replace-one --to approximate --delta 1e-10"
    doing = "Converting"
    to: take.Word = opt(
        "Definition to convert to: pure, approximate, probabilistic, bounded (probabilistically "
        "bounded DP), tradeoff, gaussian, renyi or concentrated. Left out: all of them."
    )
    promise: Promise = Promise()
    at_epsilon: take.Number = opt("The ε of the result, such as 1.")
    at_delta: take.Number = opt(
        "The δ of the result, such as 1e-6. If the promise has no ε, --delta means the same as "
        "--at-delta."
    )
    at_alpha: take.Number = opt("The Rényi order of the result, such as 2.")
    sides: take.SomeWord = opt("Sides of probabilistic DP: both or one.", "both")
    to_neighbors: take.Word = opt("Neighbors of the result: add-remove or replace-one.")
    every: take.Flag = flag("Also list the looser conversions.", "--all")

    def answer(self) -> Any:
        """The ways to each definition or to one; a guarantee for other neighbors; or why not."""
        from dprisk.guarantees.base import SIDES
        from dprisk.guarantees.convert import conversions

        to = reading.defined(self.to)
        one_of("--sides", self.sides, SIDES)
        given = {"epsilon": self.at_epsilon, "delta": self.at_delta, "alpha": self.at_alpha}
        if to is None:
            self._refuse_without_target(given)
        promise, point = _landing(to, self.promise, given)
        known = promise.part().guarantee
        if self.to_neighbors is not None:
            known = known.for_neighbors(reading.related(self.to_neighbors, "--to-neighbors"))
            if to is None:
                return known
        if to is None:
            return _everywhere(known, point, self.sides)
        ways = conversions(known, to, **point, sides=self.sides)  # type: ignore[arg-type]
        return list(ways if self.every else ways[:1])

    def data(self, made: Any) -> Any:
        if isinstance(made, dict):
            return [_data(target, ways) for target, ways in made.items()]
        if isinstance(made, list):
            return [_plain(way.guarantee) | _how_converted(way) for way in made]
        return _plain(made)

    def brief(self, made: Any) -> Iterable[str]:
        if isinstance(made, dict):
            found = [ways[0] for ways in made.values() if not isinstance(ways, str)]
            return [_shown(way.guarantee) for way in found]
        return [_shown(made[0].guarantee) if isinstance(made, list) else repr(made)]

    def document(self, made: Any) -> Iterable[Block] | None:
        if isinstance(made, list):
            return _conversions(made)
        if not isinstance(made, dict):
            return None
        best = [ways[0] for ways in made.values() if not isinstance(ways, str)]
        missing = [f"{target}: {ways}" for target, ways in made.items() if isinstance(ways, str)]
        return [*_conversions(best), *section("Not listed", missing)]

    def _refuse_without_target(self, given: Mapping[str, str | None]) -> None:
        """Refuse, without a definition to go to, a landing and looser ways."""
        if self.to_neighbors is None:
            options.moot("a list of all definitions", {"--all": self.every})
            return
        at = {f"--at-{name}": text for name, text in given.items()}
        unused = {"--all": self.every, "--sides": self.sides != "both", **at}
        options.moot("--to-neighbors without --to", unused)


def _landing(
    to: str | None, promise: Promise, given: dict[str, str | None]
) -> tuple[Promise, dict[str, Any]]:
    """The point to land at: without an epsilon, the delta of a promise is it."""
    from dprisk.guarantees.convert import POINTS

    if promise.amounts.epsilon is None and to in POINTS and set(given.values()) == {None}:
        given["delta"] = promise.amounts.delta
        promise = replace(promise, amounts=replace(promise.amounts, delta=None))
    if to is None and set(given.values()) == {None}:
        given["delta"] = promise.amounts.delta
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
        answers.table(("result", "parameter", "conversion", "theorem"), rows),
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


@table
class AskCounterfactual(Inquiry):
    """Compare what is learned with a person's record and without it."""

    example = "dprisk counterfactual examples/census.yaml --adversary true-record --confidence 0.95"
    doing = "Comparing"
    subject: Subject = Subject()
    adversary: take.Words = opt(
        "What is assumed about the adversary: true-record, rest-known, arbitrary-prior or "
        "wrong-prior. Repeatable. Default: all that have a bound."
    )
    confidence: take.Numbers = opt(
        "Find a bound on the ratio that holds at least this often, such as 0.95. Repeatable. "
        "Default: always if the privacy loss is bounded, otherwise 0.99."
    )
    ratio: take.Numbers = opt(
        "Find how likely, at most, the belief with the record is to exceed this many times the "
        "belief without it, such as 2. Repeatable."
    )
    without: take.Numbers = opt(
        "Belief from results made without the record, between 0 and 1. Repeatable. Default: 0.1."
    )
    world: take.SomeWord = opt(
        "What replaces the record: resampled (drawn at random, given the other records), "
        "default-record or dropped.",
        "resampled",
    )
    releases: take.SomeNumber = take.releases()

    def answer(self) -> Compared:
        from dprisk.documents.compositions import assess_counterfactual

        return assess_counterfactual(
            self.subject.release(self.example, releases=self.releases),
            adversaries=self.adversary or [],  # type: ignore[arg-type]
            world=self.world,  # type: ignore[arg-type]
            ratios=reading.numbers("--ratio", self.ratio),
            confidences=reading.numbers("--confidence", self.confidence),
            without=reading.numbers("--without", self.without or ["0.1"]),
        )

    def brief(self, made: Compared) -> Iterable[str]:
        from dprisk.documents.results import comparisons, exceedings

        return [*comparisons(made), *exceedings(made)]

    def document(self, made: Compared) -> Iterator[Block]:
        return _compared(made)


def _compared(made: Compared) -> Iterator[Block]:
    from dprisk.documents.promises import remarks
    from dprisk.documents.results import comparisons

    release = made.release
    yield answers.title(release)
    yield from comparisons(made)
    beliefs = (f"from {belief(each)} to: at most" for each in made.without)
    yield answers.table(
        ("adversary", "confidence", "ratio: at most", *beliefs, "theorem"),
        (row for each in made.found for row in _ratios(made, each)),
    )
    if made.ratios:
        above = (f"ratio above {belief(ratio)}: at most" for ratio in made.ratios)
        yield answers.table(
            ("adversary", *above),
            (
                [each.adversary, *(at_most(float(each.exceeding(one)), 4) for one in made.ratios)]
                for each in made.found
            ),
        )
    yield from answers.parts(release, "What was released")
    if not made.composed.is_alone:
        yield answers.items(answers.how(made.composed, release))
    yield from _assumed(made)
    yield from section("No bound", [f"{name}: {why}" for name, why in made.refused])
    yield from section("Remarks", remarks(release))


def _ratios(made: Compared, each: Found) -> Iterator[list[str]]:
    from dprisk.documents.results import sure as certainties

    for confidence in certainties(each, made.confidences):
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
