"""The six questions that the command line, the server and `dprisk.web.ask` answer alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dprisk._asking import answers, options, reading, sheets
from dprisk._asking import parameters as take
from dprisk._asking.answers import Block
from dprisk._asking.options import Asker, Promise, Subject, Tolerances, Trained
from dprisk._asking.parameters import Inquiry, arg, opt, table
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


@table
class AskAssess(Inquiry):
    """Show what an adversary can learn, at most, from a release or a promise."""

    example = "dprisk assess --epsilon 1 --delta 1e-6 --neighbors add-remove --prior 0.5"
    doing = "Assessing"
    files: take.Given = arg(
        "Release files, records from the OpenDP registry of deployments, or files of other tools, "
        "with what they do not say, such as accountant.pt sampling=poisson. With --mechanism, its "
        "parameters, such as scale=1 sensitivity=1 count=12.",
        None,
    )
    promise: Promise = Promise()
    mechanism: take.Word = take.mechanism()
    trained: Trained = Trained()
    unit: take.Text = take.unit()
    asker: Asker = Asker()
    releases: take.SomeNumber = take.releases()
    limit: take.Limits = take.limit()

    def answer(self) -> Assessment | list[Assessment]:
        described = self._described()
        limits = reading.limits(self.limit)
        again = [options.again(one, self.releases) for one in described]
        made = [self._assessed(one, limits, alone=len(again) == 1) for one in again]
        return made[0] if len(made) == 1 else made

    def _described(self) -> list[Release]:
        from dprisk.releases.files import read_releases

        subject = Subject(
            what=self.files,
            promise=self.promise,
            mechanism=self.mechanism,
            trained=self.trained,
        )
        if subject.typed and not subject.answers:
            return [subject.release(self.example, self.unit)]
        if not self.files:
            raise unclear(
                "No release is given. Name a file, or type a promise. Example: " + self.example
            )
        told = {"--neighbors": self.promise.neighbors, "--unit": self.unit}
        given = [(file, subject.told(file, told)) for file in subject.files]
        return [release for file, said in given for release in read_releases(file, **said)]

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

    def brief(self, made: Any) -> Iterator[str]:
        return answers.assessments_in_brief(_several(made))

    def document(self, made: Any) -> Iterator[Block]:
        return answers.of_assessments(_several(made))

    def kept(self, made: Any) -> bool:
        return all(one.kept for one in _several(made))


def _several(made: Any) -> list[Assessment]:
    return made if isinstance(made, list) else [made]


@table
class AskCompose(Inquiry):
    """Add up the parts of a release: ε, δ and power, each in a certified bracket."""

    example = "dprisk compose examples/broadband.yaml --delta 1e-6 --epsilon 0.1 --releases 12"
    doing = "Composing"
    what: take.Given = take.what()
    mechanism: take.Word = take.mechanism()
    trained: Trained = Trained()
    neighbors: take.Word = take.neighbors()
    delta: take.Numbers = opt("Find the least ε at this δ, such as 1e-6. Repeatable.")
    epsilon: take.Numbers = opt("Find the least δ at this ε, such as 1. Repeatable.")
    power: take.Numbers = opt(
        "Find the greatest power that a test can have at this false positive rate, such as 0.05. "
        "Repeatable."
    )
    confidence: take.Numbers = opt(
        "Find a bound on the shift of the log-odds that holds at least this often, such as 0.99. "
        "Repeatable."
    )
    releases: take.SomeNumber = take.releases()
    rule: take.SomeWord = opt(
        "Composition rule: best, simple, advanced or optimal. All but best use promises only.",
        "best",
        choices="composition.composing:RULES",
    )
    slack: take.Number = opt("The δ that advanced composition may add, such as 1e-7.")
    accuracy: take.Number = opt(
        "Widest bracket accepted for ε and δ, in nats of ε, such as 1e-6; the command fails if it "
        "cannot be reached. Default: about 1e-9 where that costs little."
    )
    memory: take.SomeNumber = opt("Memory that --accuracy may take, such as 4GB.", "2GiB")

    @property
    def subject(self) -> Subject:
        """The release, as it is typed."""
        return Subject(
            what=self.what,
            promise=Promise(neighbors=self.neighbors),
            mechanism=self.mechanism,
            trained=self.trained,
        )

    def answer(self) -> Composition:
        from dprisk.composition.composing import RULES
        from dprisk.documents import compose_release
        from dprisk.errors import one_of

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
        return compose_release(
            self.subject.release(self.example, releases=self.releases),
            **asked,
            rule=self.rule,  # type: ignore[arg-type]
            slack=reading.optional("--slack", self.slack),
            accuracy=reading.optional("--accuracy", self.accuracy),
            memory=reading.size("--memory", self.memory),
        )

    def brief(self, made: Composition) -> Iterable[str]:
        from dprisk.documents.results import readings

        return readings(made)

    def document(self, made: Composition) -> Iterator[Block]:
        return answers.of_composition(made)


@table
class AskPower(Inquiry):
    """Show how well any test of the output can do: true positive rate at a false positive rate."""

    example = "dprisk power --rho 2.63 --neighbors replace-one --level 0.05 --prior 0.1"
    doing = "Testing"
    subject: Subject = Subject()
    secret: take.Word = take.secret()
    level: take.Numbers = take.level()
    prior: take.Numbers = opt(
        "Belief before the test, between 0 and 1: adds the belief after an alarm. Repeatable."
    )
    releases: take.SomeNumber = take.releases()
    limit: take.Limits = take.limit("power=0.2", "power, advantage, predictive_value")

    def answer(self) -> Attacked:
        from dprisk.documents.compositions import assess_tests

        return assess_tests(
            self.subject.release(self.example, releases=self.releases),
            secret=self.secret,  # type: ignore[arg-type]
            levels=reading.numbers("--level", self.level or LEVELS),
            priors=reading.numbers("--prior", self.prior),
            limits=reading.limits(self.limit),
        )

    def brief(self, made: Attacked) -> Iterator[str]:
        from dprisk.documents.topics import alarms

        kept = list(answers.attack_verdicts(made))
        return iter([*alarms(made.curve, made.release), *([""] if kept else []), *kept])

    def document(self, made: Attacked) -> Iterator[Block]:
        return answers.of_attack(made)


@table
class AskBudget(Inquiry):
    """Find the largest budget that keeps your limits, and the noise it takes."""

    example = (
        "dprisk budget examples/profiles/clinic.yaml --confidence 0.99 --releases 12 --delta 1e-8"
    )
    doing = "Searching"
    profile: take.File = arg("A risk profile (.yaml, .toml or .json).", None)
    limits: Tolerances = Tolerances()
    neighbors: take.Word = take.neighbors()
    releases: take.SomeNumber = opt(
        "Number of releases that share the budget (days, months, ...), such as 12.", "1"
    )
    spent: take.Files = take.spent()
    definition: take.Words = opt(
        "Promise to find: pure, approximate, concentrated, gaussian or laplace. Repeatable. "
        "Default: all of the first four that can keep the limits."
    )
    delta: take.Number = opt(
        "The δ of each release under approximate DP, such as 1e-8. Default: (1 − confidence) / "
        "100, divided equally among the releases."
    )
    rule: take.Words = opt("Composition rule: best, simple, advanced or optimal. Repeatable.")
    mechanism: take.Words = opt(
        "Noise to calibrate by its own privacy loss: geometric, laplace, gaussian or "
        "discrete-gaussian; with --sample-rate subsampled-gaussian or subsampled-laplace. Or "
        "dp-sgd: the one of noise multiplier, steps and batch that is left out. Repeatable."
    )
    trained: Trained = Trained()
    people: take.Number = opt(
        "Number of people the data are about, such as 50000. δ is chosen far below one over this "
        "number, and δ × people is printed."
    )
    sensitivity: take.SomeNumber = opt(
        "Largest change that one record can make to the released number, such as 1.", "1"
    )

    def answer(self) -> BudgetSheet:
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
            noises=sheets.noises(self.trained, self.mechanism or [], relation),
            neighbors=relation,
            delta=reading.optional("--delta", self.delta),
            releases=together,
            sensitivity=reading.number("--sensitivity", self.sensitivity),
            people=None if self.people is None else reading.whole_number("--people", self.people),
        )
        return replace(sheet, contradicted=contradicted(*before))

    def tolerances(self) -> list[Limit]:
        """The limits to be kept, of which there is at least one."""
        return self.limits.some(self.example, self.profile, self._relation())

    def _relation(self) -> Any:
        of_profile = self.neighbors is None and self.profile is not None and not self.limits.limit
        return "add-remove" if of_profile else reading.related(self.neighbors)

    def brief(self, made: BudgetSheet) -> Iterable[str]:
        return sheets.budget_in_words(made)

    def document(self, made: BudgetSheet) -> Iterator[Block]:
        return sheets.of_budget(made, self.tolerances())


@table
class AskExplain(Inquiry):
    """Explain a release to a data subject, curator, regulator or researcher."""

    example = (
        'dprisk explain examples/broadband.yaml --audience data-subject --claim "someone concludes '
        'that you use the service" --prior 0.1'
    )
    doing = "Explaining"
    subject: Subject = Subject()
    unit: take.Text = take.unit()
    audience: take.SomeWord = opt(
        "Who the explanation is for: data-subject, curator, regulator or researcher.",
        "data-subject",
        choices="documents.explaining:AUDIENCES",
    )
    claim: take.Text = take.claim()
    secret: take.Word = take.any_secret(
        "attribute with --claim, otherwise membership for add-remove and attribute for replace-one"
    )
    prior: take.Numbers = take.prior()
    value_prior: take.Number = take.value_prior()
    confidence: take.Number = take.confidence()
    releases: take.SomeNumber = take.releases()
    after: take.Numbers = opt("Look ahead to this number of releases, such as 12. Repeatable.")
    limit: take.Limits = take.limit()
    language: take.SomeWord = take.language()

    def answer(self) -> Explanation:
        from dprisk.composition.analysis import Analysis
        from dprisk.documents.explaining import explain

        release = self.subject.release(self.example, self.unit)
        return explain(
            Analysis.of(release, reading.whole_number("--releases", self.releases)),
            self.audience,  # type: ignore[arg-type]
            claim=self.claim,
            **options.who(
                self.secret, self.prior, self.value_prior, self.confidence, self.audience
            ),
            after=[reading.whole_number("--after", text) for text in self.after or []],
            limits=reading.limits(self.limit),
            language=self.language,  # type: ignore[arg-type]
        )

    def brief(self, made: Explanation) -> Iterable[str]:
        return [" ".join(map(str, made.sections[0].sentences))]

    def document(self, made: Explanation) -> Iterator[Block]:
        return answers.of_explanation(made)


@table
class AskReport(Inquiry):
    """Write one document about a release: risk, reasons, assumptions, sign-off."""

    example = "dprisk report examples/broadband.yaml -o report.html --limit posterior=0.6"
    doing = "Writing the report"

    subject: Subject = Subject()
    unit: take.Text = take.unit()
    asker: Asker = Asker()
    level: take.Numbers = take.level()
    limit: take.Limits = take.limit()
    releases: take.SomeNumber = take.releases()
    upto: take.Number = opt(
        "Look ahead to this number of releases. Default: 10, or --releases if that is more."
    )
    allocation: take.File = opt(
        "How the privacy loss is divided among queries: census2020, or a file as for dprisk "
        "allocation."
    )
    concern: take.Texts = opt(
        "What the person worries about: an attribute, such as race, or 'block within tract'. "
        "Repeatable: each by itself, and all of them together. Needs --allocation. Default: every "
        "attribute."
    )
    profile: take.File = opt(
        "A risk profile (.yaml, .toml or .json): adds the budget that it allows, its noise, and "
        "whether the release keeps it. Without a release, the report is about that budget."
    )
    claim: take.Text = take.claim()
    by: take.SomeText = opt("Who prepared the report.", "")
    date: take.SomeWord = opt(
        "Date of the report, such as 2026-01-31. Default: none, so that reports can be compared.",
        "",
    )
    language: take.SomeWord = take.language()

    def answer(self) -> Made:
        from dprisk.documents import report as make
        from dprisk.documents.document import Labels

        asked, labels = self._asked(), self._labels()
        profile = sheets.profile_in(self.profile)
        release = sheets.released(self.subject, profile, self.example, self.unit)
        if self.allocation:
            from dprisk.allocation import read_allocation

            asked["allocation"] = read_allocation(self.allocation)
        asker = self.asker
        if self.claim and asker.secret is None:
            asker = replace(asker, secret="attribute")
        many = options.again(release, str(labels["times"]))
        made = make(many, asker.asking(release), labels=Labels(**labels), **asked)
        return made if profile is None else made.with_profile(profile)

    def brief(self, made: Made) -> Iterable[str]:
        from dprisk.documents.promises import contradictions

        return contradictions(made.release)

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
            "file": "" if self.subject.answers else self.subject.file,
            "table": self.allocation or "",
            "profile": self.profile or "",
            "language": self.language,
            "times": reading.whole_number("--releases", self.releases),
        }
        if self.allocation == "":
            raise InvalidInput("--allocation", self.allocation, "census2020 or a file")
        return labels
