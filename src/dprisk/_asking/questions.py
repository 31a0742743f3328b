"""The six questions that the command line, the server and `dprisk.web.ask` answer alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, final

from dprisk._asking import answers, options, reading
from dprisk._asking import parameters as shared
from dprisk._asking.answers import Block
from dprisk._asking.options import Asker, Promise, Subject, Tolerances
from dprisk._asking.parameters import (
    File,
    Files,
    Given,
    Limits,
    Number,
    Numbers,
    SomeNumber,
    SomeText,
    SomeWord,
    Text,
    Texts,
    Word,
    Words,
    arg,
    opt,
)
from dprisk._asking.reading import unclear
from dprisk.errors import DpriskError, InvalidInput

if TYPE_CHECKING:
    from dprisk.budget.limits import Limit
    from dprisk.budget.sheet import BudgetSheet
    from dprisk.documents.assessing import Assessment
    from dprisk.documents.compositions import Attacked, Composition
    from dprisk.documents.explaining import Explanation
    from dprisk.documents.reporting import Report as Made
    from dprisk.releases.release import Release

LEVELS = ("0.01", "0.05", "0.1")


@final
@dataclass(frozen=True)
class AssessOptions:
    """Options on what an adversary can learn from a release, or from each of several."""

    files: Given = arg(
        "Release files, or records from the OpenDP registry of deployments; with --mechanism, the "
        "parameters of the mechanism, such as scale=1 sensitivity=1 count=12.",
        None,
    )
    promise: Promise = Promise()
    mechanism: Word = shared.mechanism()
    unit: Text = shared.unit()
    asker: Asker = Asker()
    releases: SomeNumber = shared.releases()
    limit: Limits = shared.limit()

    def answer(self) -> Assessment | list[Assessment]:
        """One assessment, or a list of several."""
        described = self._described()
        limits = reading.limits(self.limit)
        again = [options.again(one, self.releases) for one in described]
        made = [self._assessed(one, limits, alone=len(again) == 1) for one in again]
        return made[0] if len(made) == 1 else made

    def _described(self) -> list[Release]:
        from dprisk.releases.files import read_releases

        subject = Subject(self.files, self.promise, self.mechanism)
        if subject.typed:
            return [subject.release("assess", self.unit)]
        if not self.files:
            raise unclear(
                "No release is given. Name a file, or type a promise. Example: "
                + options.example("assess")
            )
        options.in_file({"--neighbors": self.promise.neighbors, "--unit": self.unit})
        return [release for file in self.files for release in read_releases(file)]

    def _assessed(self, release: Release, limits: dict[str, float], *, alone: bool) -> Assessment:
        """One assessment; among several, one without an answer says why and stops no other."""
        from dprisk.documents.assessing import assess
        from dprisk.releases.notes import Note

        adversary = self.asker.asking(release)
        try:
            return assess(release, adversary, limits=limits)  # type: ignore[arg-type]
        except DpriskError as error:
            if alone:
                raise
            why = Note("unusable", str(error))
            silent = replace(release, parts=(), stated_also=(), notes=(why, *release.notes))
            return assess(silent, adversary, limits=limits)  # type: ignore[arg-type]

    def document(self, made: Any) -> Iterator[Block]:
        """The assessment, or each of several, as a document."""
        return answers.of_assessments(made if isinstance(made, list) else [made])


@final
@dataclass(frozen=True)
class ComposeOptions:
    """Options on what all parts of a release keep together, between two certified numbers."""

    what: Given = shared.what()
    mechanism: Word = shared.mechanism()
    neighbors: Word = shared.neighbors()
    delta: Numbers = opt("Find the least ε at this δ, such as 1e-6. Repeatable.")
    epsilon: Numbers = opt("Find the least δ at this ε, such as 1. Repeatable.")
    power: Numbers = opt(
        "Find the greatest power that a test can have at this false positive rate, such as 0.05. "
        "Repeatable."
    )
    confidence: Numbers = opt(
        "Find a bound on the shift of the log-odds that holds at least this often, such as 0.99. "
        "Repeatable."
    )
    releases: SomeNumber = shared.releases()
    rule: SomeWord = opt(
        "Composition rule: best, simple, advanced or optimal. All but best use promises only.",
        "best",
        choices="composition.composing:RULES",
    )
    slack: Number = opt("The δ that advanced composition may add, such as 1e-7.")
    accuracy: Number = opt(
        "Widest bracket accepted for ε and δ, in nats of ε, such as 1e-6; the command fails if it "
        "cannot be reached. Default: about 1e-9 where that costs little."
    )
    memory: SomeNumber = opt("Memory that --accuracy may take, such as 4GB.", "2GiB")

    def answer(self) -> Composition:
        """The composition of all parts."""
        from dprisk._checks import one_of
        from dprisk.composition.composing import RULES
        from dprisk.documents import compose_release

        asked = {
            "delta": reading.numbers("--delta", self.delta),
            "epsilon": reading.numbers("--epsilon", self.epsilon),
            "level": reading.numbers("--power", self.power),
            "confidence": reading.numbers("--confidence", self.confidence),
        }
        if not any(asked.values()):
            raise unclear(
                "Say what to compute: add --delta, --epsilon, --power or --confidence, such as "
                "--delta 1e-6."
            )
        if one_of("--rule", self.rule, RULES) != "advanced":
            options.moot(f"--rule {self.rule}", {"--slack": self.slack})
        subject = Subject(self.what, Promise(neighbors=self.neighbors), self.mechanism)
        return compose_release(
            subject.release("compose", releases=self.releases),
            **asked,
            rule=self.rule,  # type: ignore[arg-type]
            slack=reading.optional("--slack", self.slack),
            accuracy=reading.optional("--accuracy", self.accuracy),
            memory=reading.size("--memory", self.memory),
        )

    def document(self, made: Composition) -> Iterator[Block]:
        """The composition as a document."""
        return answers.of_composition(made)


@final
@dataclass(frozen=True)
class PowerOptions:
    """How well a test of what is published can do, at most."""

    subject: Subject = Subject()
    secret: Word = shared.secret()
    level: Numbers = shared.level()
    prior: Numbers = opt(
        "Belief before the test, between 0 and 1: adds the belief after an alarm. Repeatable."
    )
    releases: SomeNumber = shared.releases()
    limit: Limits = shared.limit("power=0.2", "power, advantage, predictive_value")

    def answer(self) -> Attacked:
        """The attack curve, read at the levels that were asked for."""
        from dprisk.documents.compositions import assess_tests

        return assess_tests(
            self.subject.release("power", releases=self.releases),
            secret=self.secret,  # type: ignore[arg-type]
            levels=reading.numbers("--level", self.level or LEVELS),
            priors=reading.numbers("--prior", self.prior),
            limits=reading.limits(self.limit),
        )

    def document(self, made: Attacked) -> Iterator[Block]:
        """The power of tests as a document."""
        return answers.of_attack(made)


@final
@dataclass(frozen=True)
class BudgetOptions:
    """The largest budget that keeps the limits, and what it costs."""

    profile: File = arg("A risk profile (.yaml, .toml or .json).", None)
    limits: Tolerances = Tolerances()
    neighbors: Word = shared.neighbors()
    releases: SomeNumber = opt(
        "Number of releases that share the budget (days, months, ...), such as 12.", "1"
    )
    spent: Files = shared.spent()
    definition: Words = opt(
        "Promise to find: pure, approximate, concentrated, gaussian or laplace. Repeatable. "
        "Default: all of the first four that can keep the limits."
    )
    delta: Number = opt(
        "The δ of each release under approximate DP, such as 1e-8. Default: (1 − confidence) / "
        "100, divided equally among the releases."
    )
    rule: Words = opt("Composition rule: best, simple, advanced or optimal. Repeatable.")
    mechanism: Words = opt(
        "Noise to calibrate by its own privacy loss: geometric, laplace, gaussian or "
        "discrete-gaussian. Repeatable."
    )
    people: Number = opt(
        "Number of people the data are about, such as 50000. δ is chosen far below one over this "
        "number, and δ × people is printed."
    )
    sensitivity: SomeNumber = opt(
        "Largest change that one record can make to the released number, such as 1.", "1"
    )

    def answer(self) -> BudgetSheet:
        """The sheet with every budget that was asked for."""
        from dprisk.budget import Together, budgets
        from dprisk.budget.counting import parts_of
        from dprisk.composition.basis import contradicted
        from dprisk.releases.files import read_releases

        relation, asked = self._relation(), self.tolerances()
        before = [release for file in self.spent or () for release in read_releases(file)]
        together = Together(
            reading.whole_number("--releases", self.releases),
            "best",
            self.limits.delta,
            [pair for release in before for pair in parts_of(release, True)],
        )
        sheet = budgets(
            asked,
            definitions=self.definition or [],  # type: ignore[arg-type]
            rules=self.rule or [],  # type: ignore[arg-type]
            noises=self.mechanism or [],  # type: ignore[arg-type]
            neighbors=relation,
            delta=reading.optional("--delta", self.delta),
            releases=together,
            sensitivity=reading.number("--sensitivity", self.sensitivity),
            people=None if self.people is None else reading.whole_number("--people", self.people),
        )
        return replace(sheet, contradicted=contradicted(*before))

    def tolerances(self) -> list[Limit]:
        """The limits to be kept, of which there is at least one."""
        return self.limits.some("budget", self.profile, self._relation())

    def _relation(self) -> Any:
        of_profile = self.neighbors is None and self.profile is not None and not self.limits.limit
        return "add-remove" if of_profile else reading.related(self.neighbors)

    def document(self, made: BudgetSheet) -> Iterator[Block]:
        """The budgets as a document."""
        return answers.of_budget(made, self.tolerances())


@final
@dataclass(frozen=True)
class ExplainOptions:
    """Options on what a release means, in the words of one audience."""

    subject: Subject = Subject()
    unit: Text = shared.unit()
    audience: SomeWord = opt(
        "Who the explanation is for: data-subject, curator, regulator or researcher.",
        "data-subject",
        choices="documents.explaining:AUDIENCES",
    )
    claim: Text = shared.claim()
    secret: Word = shared.secret(
        "attribute with --claim, otherwise membership for add-remove and attribute for replace-one"
    )
    prior: Numbers = shared.prior()
    confidence: Number = shared.confidence()
    releases: SomeNumber = shared.releases()
    after: Numbers = opt("Look ahead to this number of releases, such as 12. Repeatable.")
    limit: Limits = shared.limit()
    language: SomeWord = shared.language()

    def answer(self) -> Explanation:
        """The explanation for one audience."""
        from dprisk.composition.analysis import Analysis
        from dprisk.documents.explaining import explain

        release = self.subject.release("explain", self.unit)
        return explain(
            Analysis.of(release, reading.whole_number("--releases", self.releases)),
            self.audience,  # type: ignore[arg-type]
            claim=self.claim,
            secret=self.secret,  # type: ignore[arg-type]
            priors=reading.numbers("--prior", self.prior),
            confidence=reading.optional("--confidence", self.confidence),
            after=[reading.whole_number("--after", text) for text in self.after or []],
            limits=reading.limits(self.limit),
            language=self.language,  # type: ignore[arg-type]
        )

    def document(self, made: Explanation) -> Iterator[Block]:
        """The explanation as a document."""
        return answers.of_explanation(made)


@final
@dataclass(frozen=True)
class ReportOptions:
    """One document about one release, to be read, signed and kept."""

    subject: Subject = Subject()
    unit: Text = shared.unit()
    asker: Asker = Asker()
    level: Numbers = shared.level()
    limit: Limits = shared.limit()
    releases: SomeNumber = shared.releases()
    upto: Number = opt(
        "Look ahead to this number of releases. Default: 10, or --releases if that is more."
    )
    allocation: File = opt(
        "How the privacy loss is divided among queries: census2020, or a file as for dprisk "
        "allocation."
    )
    concern: Texts = opt(
        "What the person worries about: an attribute, such as race, or 'block within tract'. "
        "Repeatable: each by itself, and all of them together. Needs --allocation. Default: every "
        "attribute."
    )
    claim: Text = shared.claim()
    by: SomeText = opt("Who prepared the report.", "")
    date: SomeWord = opt(
        "Date of the report, such as 2026-01-31. Default: none, so that reports can be compared.",
        "",
    )
    language: SomeWord = shared.language()

    def answer(self) -> Made:
        """The report, in which every number is worked out."""
        from dprisk.documents import report as make
        from dprisk.documents.reporting import Labels

        asked, labels = self._asked(), self._labels()
        release = self.subject.release("report", self.unit)
        if self.allocation:
            from dprisk.allocation import read_allocation

            asked["allocation"] = read_allocation(self.allocation)
        asker = self.asker
        if self.claim and asker.secret is None:
            asker = replace(asker, secret="attribute")
        many = options.again(release, str(labels["times"]))
        return make(many, asker.asking(release), labels=Labels(**labels), **asked)

    def check(self) -> None:
        """Refuse what can be refused before any file is read."""
        self._asked()
        self._labels()

    def _asked(self) -> dict[str, Any]:
        asked = {
            "levels": reading.numbers("--level", self.level),
            "limits": reading.limits(self.limit),
            "upto": None if self.upto is None else reading.whole_number("--upto", self.upto),
            "concerns": self.concern,
        }
        return {name: value for name, value in asked.items() if value}

    def _labels(self) -> dict[str, Any]:
        labels = {
            "claim": self.claim or "",
            "by": self.by,
            "date": reading.day("--date", self.date),
            "file": self.subject.file,
            "table": self.allocation or "",
            "language": self.language,
            "times": reading.whole_number("--releases", self.releases),
        }
        if self.allocation == "":
            raise InvalidInput("--allocation", self.allocation, "census2020 or a file")
        return labels
