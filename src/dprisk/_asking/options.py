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
from dprisk._asking.reading import apart, unclear

if TYPE_CHECKING:
    from dprisk.budget.limits import Limit as RiskLimit
    from dprisk.releases.release import Part, Release
    from dprisk.releases.training import Training
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
class Trained:
    """DP-SGD as its log describes it, in text; what is left out may be solved for."""

    noise_multiplier: take.Number = opt(
        "The noise multiplier of DP-SGD: noise over the clipping norm, such as 1.1."
    )
    sampling: take.Word = opt(
        "How batches of DP-SGD are drawn: poisson (each record by a coin of its own), "
        "truncated-poisson, without-replacement, allocation, shuffled or full-batch. Never "
        "assumed.",
        choices="releases.schemes:SCHEMES",
    )
    sample_rate: take.Number = opt(
        "Chance of a record to be in a batch, such as 0.01 or 256/60000."
    )
    batch_size: take.Number = opt("Mean size of a batch, such as 256. Needs --examples.")
    examples: take.Number = opt("Number of records in the training data, such as 60000.")
    steps: take.Number = opt("Number of batches in all, such as 5000.")
    epochs: take.Number = opt("Passes over the data, such as 15; in place of --steps.")
    batch_cap: take.Number = opt("Largest batch, with truncated-poisson, such as 700.")
    noise_relative_to: take.Word = opt(
        "What the noise multiplier is relative to, where that makes a difference (replace-one, "
        "without-replacement): clipping-norm, or distance of the two sums.",
        choices="releases.training:RELATIVE",
    )

    @property
    def given(self) -> dict[str, str]:
        """Those that are given, by the keys of a file."""
        return {name: text for name, text in vars(self).items() if text is not None}

    def training(self, neighbors: str | None) -> Training:
        """The training; two options that contradict each other are named as they are typed."""
        from dprisk.errors import Contradictory
        from dprisk.releases.training import by_keys

        try:
            return by_keys(self.given, reading.related(neighbors))
        except Contradictory as error:
            name = " ".join(
                f"--{word.replace('_', '-')}" if word in vars(self) else word
                for word in error.name.split(" ")
            )
            raise Contradictory(name, error.value, error.allowed, error.fix) from None


@table
class Subject:
    """The subject of a command: a file, or a guarantee or a mechanism that is typed in."""

    what: take.Given = take.what()
    promise: Promise = Promise()
    mechanism: take.Word = take.mechanism()
    trained: Trained = Trained()

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
        given = {**given, **vars(self.trained), "mechanism": self.mechanism}
        found = (name.replace("_", "-") for name, text in given.items() if text is not None)
        return [f"--{name}" for name in found]

    @property
    def files(self) -> list[str]:
        """The names of files; beside a mechanism, what is no file is a parameter."""
        if self.mechanism is not None:
            return [each for each in self.what or () if isfile(each)]
        return reading.beside_files(self.what)[0]

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
        from dprisk.releases import training
        from dprisk.releases.files import read_release

        promise, typed, files = self.promise, self.typed, self.files
        if self.answers and len(files) == 1:
            options = {"--neighbors": promise.neighbors, "--unit": unit}
            return read_release(files[0], **self.told(files[0], options))
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
        if self.trained.given or self.mechanism == training.KIND:
            return self._training(unit)
        if self.mechanism is not None:
            moot("--mechanism", dict.fromkeys(typed[:-1], True))
            return reading.mechanism(self.mechanism, self.what or [], promise.neighbors)
        if typed:
            return promise.part()
        if len(files) > 1:
            given = f"{len(files)} files are given: {', '.join(files)}"
            raise unclear(f"{given}. Name one. Example: {example}")
        in_file({"--neighbors": promise.neighbors, "--unit": unit})
        in_file(reading.beside_files(self.what)[1])
        return read_release(files[0])

    @property
    def answers(self) -> bool:
        """Whether all files are of other tools, and what is typed completes them."""
        from dprisk.releases.tools.reading import is_of_a_tool

        alone = self.mechanism is None and not self.promise.parameters
        return alone and bool(self.files) and all(map(is_of_a_tool, self.files))

    def told(self, file: str, options: Mapping[str, str | None]) -> dict[str, str]:
        """Answers beside a file of another tool; a release file says it all itself."""
        from dprisk.releases.tools.reading import is_of_a_tool

        words = reading.beside_files(self.what)[1]
        if not is_of_a_tool(file):
            in_file({**options, **words})
            return {}
        said = {name.strip("-"): text for name, text in options.items() if text is not None}
        said = {**said, **self.trained.given}
        for name in words.keys() & said.keys():
            raise apart(f"--{name}", f"{name}={words[name]}")
        return {**said, **words}

    def _training(self, unit: str | None) -> Release:
        """DP-SGD, and nothing beside it."""
        from dprisk.releases.training import KIND, as_release

        others: dict[str, Any] = {**self.promise.parameters, "definition": self.promise.definition}
        others["mechanism"] = None if self.mechanism == KIND else self.mechanism
        moot("DP-SGD", {f"--{name}": text for name, text in others.items()})
        if self.what:
            fix = "Its numbers are options, such as --noise-multiplier 1.1."
            raise unclear(f"{self.what[0]} changes nothing with DP-SGD. {fix}")
        return as_release(self.trained.training(self.promise.neighbors), unit)


@table
class Asker:
    """The adversary against whom a release is assessed."""

    secret: take.Word = take.any_secret()
    prior: take.Numbers = take.prior()
    value_prior: take.Number = take.value_prior()
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
            "value_prior": reading.optional("--value-prior", self.value_prior),
        }
        return Adversary(
            **{name: value for name, value in said.items() if value not in (None, ())},  # type: ignore[arg-type]
            sides="one" if self.one_sided else "both",
            post_processing=not self.raw_output,
        )


def who(
    secret: Any,
    prior: list[str] | None,
    value_prior: str | None,
    confidence: str | None,
    audience: Any,
) -> dict[str, Any]:
    """Who asks, for an explanation to an audience: an adversary where a value prior is given."""
    asked: dict[str, Any] = {
        "priors": reading.numbers("--prior", prior),
        "confidence": reading.optional("--confidence", confidence),
    }
    value = reading.optional("--value-prior", value_prior)
    if value is None and secret != "both":
        return {"secret": secret, **asked}
    from dprisk.documents.explaining import AUDIENCES
    from dprisk.errors import one_of
    from dprisk.risk.adversary import Adversary

    usual = AUDIENCES[one_of("audience", audience, AUDIENCES)].priors
    asked["priors"] = tuple(asked["priors"]) or usual
    return {"secret": Adversary(secret=secret or "membership", value_prior=value, **asked)}


@table
class Tolerances:
    """``--limit metric=value`` with what it depends on, as limits for a search."""

    limit: take.Limits = opt(
        "Largest value to allow, such as posterior=0.8; of bayes_risk, the least. Repeatable. "
        f"Metrics: {', '.join(take.METRICS)}."
    )
    prior: take.Numbers = opt(
        "Belief before the release, between 0 and 1. Repeatable. Required for posterior and "
        "predictive_value. Default: 0.5 for bayes_risk, every prior for difference and ratios."
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
        return [ProfileLimit(read_profile(profile), sure), *typed]

    def _refuse_moot(self, limits: Mapping[str, float], profile: str | None) -> None:
        """Refuse what none of the limits depends on."""
        from dprisk.errors import one_of

        belief = ("prior", "confidence", "secret", "one_sided")
        depends = {
            "power": ("level", "secret"),
            "advantage": ("secret",),
            "predictive_value": ("level", "prior", "secret"),
            "bayes_risk": ("prior", "secret"),
            "odds": belief[1:],
            "epsilon": (),
        }
        metrics = [one_of("limit", metric, take.METRICS) for metric in limits]
        counts = {name for metric in metrics for name in depends.get(metric, belief)}
        beside = ", ".join(f"--limit {metric}" for metric in metrics)
        if profile is not None:
            counts |= {"confidence"}
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
        from dprisk.budget import AttackLimit, BayesLimit, EpsilonLimit, InformedLimit

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
        if name == "bayes_risk":
            return [BayesLimit(most, 0.5 if prior is None else prior, asked) for prior in priors]
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
