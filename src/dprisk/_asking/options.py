"""Options of questions, and groups of options that several questions share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from os.path import isfile
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, final

from dprisk._asking import reading
from dprisk._asking.reading import unclear
from dprisk.text import LANGUAGES, fill

if TYPE_CHECKING:
    from dprisk.budget.limits import Limit as RiskLimit
    from dprisk.releases.release import Part, Release
    from dprisk.risk.adversary import Adversary

NUMBER: Final = "NUMBER"
WORD: Final = "WORD"
FILE: Final = "FILE"
TEXT: Final = "TEXT"
LIMIT: Final = "METRIC=NUMBER"
FILE_OR_NUMBERS: Final = "FILE | NAME=NUMBER"
METRICS: Final = (
    "posterior, difference, ratio, ratio_not, odds, power, advantage, predictive_value, epsilon"
)

BELIEF: Final = ("prior", "confidence", "secret", "one_sided")
DEPENDS: Final = {
    **dict.fromkeys(("posterior", "difference", "ratio", "ratio_not"), BELIEF),
    "odds": BELIEF[1:],
    "power": ("level", "secret"),
    "advantage": ("secret",),
    "predictive_value": ("level", "prior", "secret"),
    "epsilon": (),
}
"""The options on which a limit depends."""


@final
@dataclass(frozen=True)
class Option:
    """One option of a question: its words by key, and what stands for its value; None for a
    flag."""

    key: str
    kind: str | None
    names: tuple[str, ...] = ()
    positional: bool = False

    @property
    def words(self) -> str:
        """What it is, in a sentence."""
        return fill(self.key, metrics=METRICS, languages=" or ".join(LANGUAGES))


def option(key: str, kind: str | None = None, *names: str) -> Option:
    """An option: the key of its words and, unless it is a flag, what stands for its value."""
    return Option(key, kind, names)


def argument(key: str, kind: str) -> Option:
    """An argument: the key of its words, and what stands for it."""
    return Option(key, kind, positional=True)


Text = str | None
Texts = list[str] | None

Neighbors = Annotated[Text, option("help.option.neighbors", WORD)]
Unit = Annotated[Text, option("help.option.unit", TEXT)]
Secret = Annotated[Text, option("help.option.secret", WORD)]
Prior = Annotated[Texts, option("help.option.prior", NUMBER)]
Confidence = Annotated[Text, option("help.option.confidence", NUMBER)]
Level = Annotated[Texts, option("help.option.level", NUMBER)]
Limit = Annotated[Texts, option("help.option.limit", LIMIT)]
Releases = Annotated[str, option("help.option.releases", NUMBER)]
Spent = Annotated[Texts, option("help.option.spent", FILE)]
MechanismKind = Annotated[Text, option("help.option.mechanism", WORD)]
Concern = Annotated[Texts, option("help.option.concern", TEXT)]
Claim = Annotated[Text, option("help.option.claim", TEXT)]
Language = Annotated[str, option("help.option.language", WORD)]
Force = Annotated[bool, option("help.option.force", None, "--force")]
ReleaseFile = Annotated[str, argument("help.option.file", FILE)]


class Promise(NamedTuple):
    """A guarantee as options give it, in text; None where one is left out."""

    epsilon: Annotated[Text, option("help.option.epsilon", NUMBER)] = None
    delta: Annotated[Text, option("help.option.delta", NUMBER)] = None
    rho: Annotated[Text, option("help.option.rho", NUMBER)] = None
    xi: Annotated[Text, option("help.option.xi", NUMBER)] = None
    mu: Annotated[Text, option("help.option.mu", NUMBER)] = None
    alpha: Annotated[Text, option("help.option.alpha", NUMBER)] = None
    gamma: Annotated[Text, option("help.option.gamma", NUMBER)] = None
    definition: Annotated[Text, option("help.option.definition", WORD)] = None
    neighbors: Neighbors = None

    @property
    def parameters(self) -> dict[str, str]:
        """Those that are given, by name."""
        named = self._replace(definition=None, neighbors=None)._asdict()
        return {name: text for name, text in named.items() if text is not None}

    def part(self) -> Part:
        """The part of a release that it makes, with its text as given."""
        from dprisk.releases.forms import matching
        from dprisk.releases.release import Part

        given = self.parameters
        form = matching(given, reading.defined(self.definition))
        values: dict[str, Any] = {
            name: reading.number(f"--{name}", text) for name, text in given.items()
        }
        made = partial(form.make, **values)
        relation = reading.related(self.neighbors, made=lambda each: made(neighbors=each))
        return Part(made(neighbors=relation), given=given)


class Subject(NamedTuple):
    """What a command is about: a file, or a guarantee or a mechanism that is typed in."""

    what: Annotated[Texts, argument("help.option.what", FILE_OR_NUMBERS)] = None
    promise: Promise = Promise()
    mechanism: MechanismKind = None

    def release(self, command: str, unit: str | None = None, releases: str = "1") -> Release:
        """What a file describes, or a release of which only a number is known, so many times."""
        from dprisk.releases.release import Release

        found = self._found(command, unit)
        if not isinstance(found, Release):
            found = self._described(found, unit)
        return again(found, releases)

    @property
    def typed(self) -> list[str]:
        """The options by which it is a promise or a mechanism; none where it is a file."""
        given = {**self.promise.parameters, "definition": self.promise.definition}
        given["mechanism"] = self.mechanism
        return [f"--{name}" for name, text in given.items() if text is not None]

    @property
    def files(self) -> list[str]:
        """The names of files; beside a mechanism, what is no file is a parameter."""
        return [each for each in self.what or () if self.mechanism is None or isfile(each)]

    @property
    def file(self) -> str:
        """The name of its file; empty where there is none."""
        return next(iter(self.files), "")

    @staticmethod
    def _described(part: Part, unit: str | None) -> Release:
        from dprisk.releases.release import Release

        kind = "promise" if part.mechanism is None else "mechanism"
        return Release.of(part, name=fill(f"cli.release.{kind}"), unit=unit)

    def each(self, command: str) -> Any:
        """What is released time and again: a release, a mechanism or a guarantee."""
        from dprisk.releases.release import Release

        found = self._found(command, None)
        if isinstance(found, Release):
            return found
        if found.count > 1:
            return self._described(found, None)
        return found.mechanism or found.guarantee

    def _found(self, command: str, unit: str | None) -> Release | Part:
        from dprisk.releases.files import read_release

        promise, typed, files = self.promise, self.typed, self.files
        if typed and files:
            words = {"options": ", ".join(typed), "file": files[0]}
            raise unclear("beside-file", option=typed[0], **words)
        if not typed and not files:
            raise unclear("subject", example=example(command))
        if self.mechanism is not None:
            moot("--mechanism", dict.fromkeys(typed[:-1], True))
            return reading.mechanism(self.mechanism, self.what or [], promise.neighbors)
        if typed:
            return promise.part()
        if len(files) > 1:
            raise unclear("files", number=len(files))
        in_file({"--neighbors": promise.neighbors, "--unit": unit})
        return read_release(files[0])


class Asker(NamedTuple):
    """Against whom a release is assessed."""

    secret: Secret = None
    prior: Prior = None
    confidence: Confidence = None
    one_sided: Annotated[bool, option("help.option.one-sided", None, "--one-sided")] = False
    raw_output: Annotated[bool, option("help.option.raw-output", None, "--raw-output")] = False

    def asking(self, release: Release) -> Adversary:
        """The adversary, with the default question for the neighbors where none is given."""
        from dprisk.composition.analysis import natural_secret
        from dprisk.risk.adversary import Adversary

        said = {
            "secret": self.secret or natural_secret(release),
            "priors": tuple(reading.numbers("--prior", self.prior)),
            "confidence": reading.optional("--confidence", self.confidence),
        }
        return Adversary(
            **{name: value for name, value in said.items() if value not in (None, ())},  # type: ignore[arg-type]
            sides="one" if self.one_sided else "both",
            post_processing=not self.raw_output,
        )


class LimitOptions(NamedTuple):
    """``--limit metric=value`` with what it depends on, as limits for a search."""

    limit: Annotated[Texts, option("help.limits.limit", LIMIT)] = None
    prior: Annotated[Texts, option("help.limits.prior", NUMBER)] = None
    level: Annotated[Texts, option("help.limits.level", NUMBER)] = None
    confidence: Confidence = None
    secret: Secret = None
    one_sided: Annotated[bool, option("help.limits.one-sided", None, "--one-sided")] = False
    at_delta: Annotated[Text, option("help.limits.at-delta", NUMBER)] = None

    @property
    def delta(self) -> float | None:
        """At which delta all releases together are read; None: on the whole curve."""
        found = self._at
        return None if found == 0.0 and "epsilon" in reading.limits(self.limit) else found

    @property
    def _at(self) -> float | None:
        return reading.optional("--at-delta", self.at_delta)

    def some(self, command: str, profile: str | None, neighbors: str) -> list[RiskLimit]:
        """The limits that a command cannot do without."""
        if profile is None and not self.limit:
            raise unclear("no-limit", example=example(command))
        return self.tolerances(profile, neighbors)

    def tolerances(self, profile: str | None, neighbors: str) -> list[RiskLimit]:
        """A profile, and one limit for each metric and each prior and level it depends on."""
        from dprisk.budget import ProfileLimit, read_profile

        sure = reading.optional("--confidence", self.confidence)
        asked = self.secret or ("membership" if neighbors == "add-remove" else "attribute")
        priors = reading.numbers("--prior", self.prior)
        levels = reading.numbers("--level", self.level)
        self._all_count(profile)
        typed = [
            made
            for metric, most in reading.limits(self.limit).items()
            for made in self._limits(metric, most, priors or [None], levels or [None], sure, asked)
        ]
        if profile is None:
            return typed
        return [ProfileLimit(read_profile(profile), sure, self._sides), *typed]

    def _all_count(self, profile: str | None) -> None:
        """Refuse what none of the limits depends on."""
        from dprisk._checks import one_of

        names = METRICS.split(", ")
        metrics = [one_of("limit", metric, names) for metric in reading.limits(self.limit)]
        counts = {name for metric in metrics for name in DEPENDS.get(metric, DEPENDS["odds"])}
        beside = ", ".join(f"--limit {metric}" for metric in metrics)
        if profile is not None:
            counts |= {"confidence", "one_sided"}
            beside = beside or "a profile"
        beside = beside or "an account without limits of its own"
        given = {
            f"--{name.replace('_', '-')}": getattr(self, name)
            for name in ("prior", "level", "confidence", "secret", "one_sided")
            if name not in counts
        }
        moot(beside, given)

    @property
    def _sides(self) -> Any:
        return "one" if self.one_sided else "both"

    def _limits(
        self, metric: str, most: float, priors: Any, levels: Any, sure: float | None, asked: Any
    ) -> list[RiskLimit]:
        from dprisk._checks import one_of
        from dprisk.budget import AttackLimit, EpsilonLimit, InformedLimit

        name: Any = one_of("limit", metric, METRICS.split(", "))
        if name == "epsilon":
            if self._at is None:
                raise unclear("delta")
            return [EpsilonLimit(most, self._at)]
        if name in ("power", "advantage", "predictive_value"):
            return [
                AttackLimit(name, most, level, prior, asked)
                for level in (levels if name != "advantage" else [None])
                for prior in (priors if name == "predictive_value" else [None])
            ]
        return [
            InformedLimit(name, most, prior, sure, asked, self._sides)
            for prior in (priors if name != "odds" else [None])
        ]


def in_file(said: dict[str, str | None]) -> None:
    """What a release file says itself is not said again."""
    for name, value in said.items():
        if value is not None:
            raise unclear("in-file", option=name)


def moot(other: str, given: Mapping[str, Any]) -> None:
    """Refuse options that change nothing beside another."""
    for name, value in given.items():
        if value not in (None, False, []):
            raise unclear("moot", option=name, other=other)


def again(release: Release, releases: str) -> Release:
    """A release, so many times."""
    return replace(
        release, releases=release.releases * reading.whole_number("--releases", releases)
    )


def example(command: str) -> str:
    """A call of a command that works."""
    return fill(f"help.{command}.example")
