"""Tables that several commands share: a promise, a subject, an adversary, limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from os.path import isfile
from typing import TYPE_CHECKING, Any

from dprisk._asking import parameters as take
from dprisk._asking import reading
from dprisk._asking.parameters import flag, opt, table
from dprisk._asking.reading import unclear

if TYPE_CHECKING:
    from dprisk.budget.limits import Limit as RiskLimit
    from dprisk.ledger.charges import ChargeRequest
    from dprisk.releases.release import Described, Part, Release
    from dprisk.risk.adversary import Adversary


@table
class Amounts:
    """The numbers of a promise, in text; None where one is left out."""

    epsilon: take.Number = opt("The ε of the promise, such as 1.")
    delta: take.Number = opt("The δ of the promise, such as 1e-6.")
    rho: take.Number = opt("The ρ of zero-concentrated DP, such as 0.1.")
    mu: take.Number = opt("The μ of Gaussian DP, such as 1.")
    alpha: take.Number = opt("The order of Rényi DP, such as 2. Needs --gamma.")
    gamma: take.Number = opt("The Rényi divergence at that order, such as 0.5.")


@table
class Promise:
    """A guarantee as options give it."""

    amounts: Amounts = Amounts()
    xi: take.Number = opt("The ξ of zero-concentrated DP, such as 0.01.")
    definition: take.Word = opt(
        "What ε and δ mean, if not approximate DP: probabilistic, or bounded (probabilistically "
        "bounded DP). What μ means, if not Gaussian DP: laplace."
    )
    neighbors: take.Word = take.neighbors()

    @property
    def parameters(self) -> dict[str, str]:
        """Those that are given, by name."""
        given = {**vars(self.amounts), "xi": self.xi}
        return {name: text for name, text in given.items() if text is not None}

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


@table
class Subject:
    """The subject of a command: a file, or a guarantee or a mechanism that is typed in."""

    what: take.Given = take.what()
    promise: Promise = Promise()
    mechanism: take.Word = take.mechanism()

    def release(self, example: str, unit: str | None = None, releases: str = "1") -> Release:
        """The release of a file, or one of which only a number is known, so many times."""
        from dprisk.releases.release import Release

        found = self._found(example, unit)
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

        kind = "guarantee" if part.mechanism is None else "mechanism"
        return Release.of(part, name=f"A release with the given {kind}", unit=unit)

    def each(self, example: str) -> Any:
        """The subject released time and again: a release, a mechanism or a guarantee."""
        from dprisk.releases.release import Release

        found = self._found(example, None)
        if isinstance(found, Release):
            return found
        if found.count > 1:
            return self._described(found, None)
        return found.mechanism or found.guarantee

    def _found(self, example: str, unit: str | None) -> Release | Part:
        from dprisk.releases.files import read_release

        promise, typed, files = self.promise, self.typed, self.files
        if typed and files:
            raise unclear(
                f"{', '.join(typed)} beside {files[0]}: each is a release of its own. Leave one "
                "of them out, or write both in files.",
                option=typed[0],
            )
        if not typed and not files:
            raise unclear(
                "Name one thing that was released: a file, a mechanism or a promise. Example: "
                + example
            )
        if self.mechanism is not None:
            moot("--mechanism", dict.fromkeys(typed[:-1], True))
            return reading.mechanism(self.mechanism, self.what or [], promise.neighbors)
        if typed:
            return promise.part()
        if len(files) > 1:
            raise unclear(f"{len(files)} files are given. Name one.")
        in_file({"--neighbors": promise.neighbors, "--unit": unit})
        return read_release(files[0])


@table
class Asker:
    """The adversary against whom a release is assessed."""

    secret: take.Word = take.secret()
    prior: take.Numbers = take.prior()
    confidence: take.Number = take.confidence()
    one_sided: take.Flag = take.one_sided()
    raw_output: take.Flag = flag("Bound what the raw output shows, without post-processing.")

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


@table
class Tolerances:
    """``--limit metric=value`` with what it depends on, as limits for a search."""

    limit: take.Limits = opt(
        "Largest value to allow, such as posterior=0.8. Repeatable. Metrics: "
        f"{', '.join(take.METRICS)}."
    )
    prior: take.Numbers = opt(
        "Belief before the release, between 0 and 1. Repeatable. Required for posterior and "
        "predictive_value. Default for difference, ratio and ratio_not: every prior."
    )
    level: take.Numbers = opt(
        "False positive rate for power and predictive_value, such as 0.05. Repeatable."
    )
    confidence: take.Number = take.confidence()
    secret: take.Word = take.secret()
    one_sided: take.Flag = take.one_sided()
    at_delta: take.Number = opt(
        "The δ at which all releases together are converted to (ε, δ)-DP, such as 1e-6. A limit "
        "on epsilon needs it. Default: use the whole privacy profile."
    )

    @property
    def delta(self) -> float | None:
        """The delta at which all releases together are read; None: on the whole curve."""
        found = reading.optional("--at-delta", self.at_delta)
        return None if found == 0.0 and "epsilon" in reading.limits(self.limit) else found

    def some(self, example: str, profile: str | None, neighbors: str) -> list[RiskLimit]:
        """The limits that a command cannot do without."""
        if profile is None and not self.limit:
            raise unclear(
                "No limit is given. Add --limit, or name the file of a risk profile. Example: "
                + example
            )
        return self.all(profile, neighbors)

    def all(self, profile: str | None, neighbors: str) -> list[RiskLimit]:
        """A profile, and one limit for each metric and each prior and level it depends on."""
        from dprisk.budget import ProfileLimit, read_profile

        limits = reading.limits(self.limit)
        self._refuse_moot(limits, profile)
        typed = [
            made
            for metric, most in limits.items()
            for made in self._limits(metric, most, self.secret or reading.usual_secret(neighbors))
        ]
        if profile is None:
            return typed
        sure = reading.optional("--confidence", self.confidence)
        return [ProfileLimit(read_profile(profile), sure, self._sides), *typed]

    def _refuse_moot(self, limits: Mapping[str, float], profile: str | None) -> None:
        """Refuse what none of the limits depends on."""
        from dprisk._checks import one_of

        belief = ("prior", "confidence", "secret", "one_sided")
        depends = {
            "power": ("level", "secret"),
            "advantage": ("secret",),
            "predictive_value": ("level", "prior", "secret"),
            "odds": belief[1:],
            "epsilon": (),
        }
        metrics = [one_of("limit", metric, take.METRICS) for metric in limits]
        counts = {name for metric in metrics for name in depends.get(metric, belief)}
        beside = ", ".join(f"--limit {metric}" for metric in metrics)
        if profile is not None:
            counts |= {"confidence", "one_sided"}
            beside = beside or "a profile"
        given = {
            f"--{name.replace('_', '-')}": getattr(self, name)
            for name in ("prior", "level", "confidence", "secret", "one_sided")
            if name not in counts
        }
        moot(beside or "an account without limits of its own", given)

    @property
    def _sides(self) -> Any:
        return "one" if self.one_sided else "both"

    def _limits(self, name: Any, most: float, asked: Any) -> list[RiskLimit]:
        from dprisk.budget import AttackLimit, EpsilonLimit, InformedLimit

        sure = reading.optional("--confidence", self.confidence)
        priors: Any = reading.numbers("--prior", self.prior) or [None]
        levels: Any = reading.numbers("--level", self.level) or [None]
        if name == "epsilon":
            at = reading.optional("--at-delta", self.at_delta)
            if at is None:
                raise unclear(
                    "A limit on epsilon needs one δ. Add it, such as --at-delta 1e-6, or "
                    "--at-delta 0 for pure DP."
                )
            return [EpsilonLimit(most, at)]
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


def in_file(said: Mapping[str, str | None]) -> None:
    """Refuse options for what a release file says itself."""
    for name, value in said.items():
        if value is not None:
            raise unclear(
                f"{name} belongs in the file. Write it there, and leave it out here.", option=name
            )


def moot(other: str, given: Mapping[str, Any]) -> None:
    """Refuse options that change nothing beside another."""
    for name, value in given.items():
        if value not in (None, False, []):
            raise unclear(f"{name} changes nothing with {other}. Leave it out.", option=name)


def again(release: Release, releases: str) -> Release:
    """A release, so many times."""
    return replace(
        release, releases=release.releases * reading.whole_number("--releases", releases)
    )


# --- releases that are charged to accounts of a ledger --------------------------------------------


@table
class ReachOptions:
    """How a release reaches the unit of an account."""

    over: take.Number = opt(
        "To go from user-day to user: the largest number of releases like this one that contain "
        "one person's data, each for a different day (week, ...)."
    )
    group: take.Number = opt(
        "How many units of the release belong to one unit of the account, at most, such as 3."
    )


@table
class Charged:
    """Which accounts a release touches, and how it reaches their unit."""

    account: take.Accounts = opt(
        "The account to charge. Repeatable: the release is charged to all of them or to none.",
        None,
        *("--account", "-a"),
    )
    reach: ReachOptions = ReachOptions()
    source: take.SomeText = opt("The tool or the person that reports the release.", "")

    def request(self, release: Described, key: str = "") -> ChargeRequest:
        """The request for one release."""
        from dprisk.ledger import ChargeRequest

        numbers = {
            name: None if text is None else reading.whole_number(f"--{name}", text)
            for name, text in vars(self.reach).items()
        }
        return ChargeRequest(release, self.account or (), key, self.source, **numbers)


@table
class Released:
    """A release that is charged: a file, or numbers that are typed in."""

    subject: Subject = Subject()
    key: take.SomeKey = opt(
        "A key of your own. If you use the same key twice, the release is charged once. Default: "
        "a new key.",
        "",
    )
    title: take.Text = opt(
        "What is released, if you type numbers instead of a file.", None, "--name"
    )
    charged: Charged = Charged()

    def request(self, example: str) -> ChargeRequest:
        """The request; a file is kept as it is written."""
        subject = self.subject
        if not subject.typed and subject.what and len(subject.what) == 1:
            in_file({"--name": self.title})
            return self.charged.request(subject.what[0], self.key)
        from dprisk.ledger.charges import name_release

        release = subject.release(example)
        named = replace(release, name=self.title or name_release(release))
        return self.charged.request(named, self.key)
