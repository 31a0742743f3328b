"""A release, composed once and read once: what every document about it has in common.

Documents about a release take two decisions from here: how its parts are composed, and (by the rule
in `dprisk.risk.adversary`) with which confidence the whole is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property, lru_cache
from typing import Any, final

from dprisk.accountant.refinement import MEMORY
from dprisk.composition.basis import basis_of
from dprisk.composition.composing import Rule, compose
from dprisk.composition.theorems import adds_up
from dprisk.errors import InvalidInput, Meaningless, WrongCall
from dprisk.guarantees.base import Composed, Guarantee
from dprisk.mechanisms.base import in_words
from dprisk.releases.files import as_release
from dprisk.releases.release import Described, Part, Release
from dprisk.risk.adversary import (
    Adversary,
    AnySecret,
    Secret,
    between_hypotheses,
    confidence_for,
)
from dprisk.risk.counterfactual import Counterfactual, Knowledge, Replacement, counterfactual
from dprisk.risk.exact import Usual, exact_posterior
from dprisk.risk.joint import JointDisclosure, joint_disclosure
from dprisk.risk.posterior import Disclosure, disclosure
from dprisk.risk.tests import Attack, attack
from dprisk.text import english
from dprisk.theorems import OWN_LOSS


@final
@dataclass(frozen=True, eq=False)
class Analysis:
    """Everything that a release publishes, with nothing about it computed twice.

    It is so many `times` of a `release`, and composes `parts`: what counts of the release
    (`basis_of`), or what is read beside it.
    """

    release: Release
    times: int
    parts: tuple[Part, ...]

    @classmethod
    def of(cls, subject: Analysis | Described, times: int = 1) -> Analysis:
        """The analysis of a release, or of just a guarantee; an analysis is returned as it is."""
        if isinstance(subject, Analysis):
            return subject
        described = as_release(subject)
        return cls(described, times, basis_of(described).parts)

    @property
    def all_releases(self) -> Release:
        """The release, so many times."""
        return replace(self.release, releases=self.release.releases * self.times)

    @property
    def counts(self) -> list[int]:
        """How often each part is used, over all releases. [1, inf)"""
        return [part.count * self.release.releases * self.times for part in self.parts]

    @property
    def basis(self) -> Release:
        """One release, with the parts that count."""
        return replace(self.release, parts=self.parts)

    def after(self, times: int) -> Analysis:
        """The same for another number of such releases; what is known of one part is shared."""
        return self if times == self.times else _analysis(self.release, times, self.parts)

    def beside(self, parts: tuple[Part, ...]) -> Analysis:
        """The same release by what else is said about it: never added to what counts."""
        return _analysis(self.release, self.times, parts)

    def composed(self, *, certain: bool = False, raw: bool = False) -> Composed:
        """The best bound that is known of all parts together.

        Read with certainty, epsilons that add up say all there is. Normal noise alone is just what
        Gaussian DP promises, but for its raw output.
        """
        if certain and self._adds_up:
            return self._sum
        return self._best_raw if raw else self._best

    def by_promises(
        self,
        rule: Rule,
        slack: float | None = None,
        accuracy: float | None = None,
        memory: float = MEMORY,
    ) -> Composed:
        """By a rule about what is promised; it says which mechanisms were read as their promise."""
        guarantees = [part.guarantee for part in self.parts]
        made = compose(
            guarantees, self.counts, rule=rule, slack=slack, accuracy=accuracy, memory=memory
        )
        read = tuple(
            english(
                "composition.was",
                part=in_words(part.mechanism),
                read=english("composition.read-as", other=in_words(part.guarantee)),
            )
            for part in self.parts
            if part.mechanism is not None and part.guarantee.composes_by != "parameters"
        )
        return replace(made, lossy=(*dict.fromkeys(read), *made.lossy)) if read else made

    def by_losses(self, accuracy: float | None, memory: float = MEMORY) -> Composed:
        """The best bound, as `composed`, in brackets as narrow as is asked for."""
        return self.composed() if accuracy is None else self._compose(False, accuracy, memory)

    def confidence(self, adversary: Adversary) -> float | None:
        """With which confidence it is read against an adversary; None: with certainty."""
        asked = adversary.confidence
        return self._confidence(adversary.compared) if asked is None else asked

    def surest(self) -> float | None:
        """With which confidence it is read where nobody asks for one; None: with certainty."""
        return self._confidence(natural_secret(self.release))

    def whole(self, adversary: Adversary) -> Composed:
        """The composition that is read against an adversary, with the confidence that counts."""
        raw = not adversary.post_processing
        made = self.composed(certain=self.confidence(adversary) is None, raw=raw)
        if raw and not made.guarantee.bounds_raw_output:
            raise Meaningless(
                "Nothing is known about the raw output alone. For some parts only the promise is "
                "given, and the sum of promises need not bound the raw output. List what was run "
                "under `mechanisms`, or ask about everything that can be computed from the "
                "output. That is the default, and covers the raw output as well."
            )
        return made

    def moved(self, adversary: Adversary) -> Disclosure:
        """How far a belief can move from any prior, with the confidence that counts."""
        if adversary.secret == "both":
            return self.joint(adversary).anywhere
        return self._disclosure(replace(adversary, priors=(0.5,)))

    def joint(self, adversary: Adversary) -> JointDisclosure:
        """How far a belief in both can move, being in the data and having the value."""
        return self._joint(replace(adversary, priors=(0.5,)))

    def usual(self, adversary: Adversary) -> tuple[Usual, ...]:
        """Posteriors after raw output in usual cases; none where a part is only promised."""
        if adversary.secret == "both" or any(part.mechanism is None for part in self.parts):
            return ()
        by_parameters = self.composed().guarantee.composes_by == "parameters"  # normal noise
        whole = self.composed(raw=by_parameters).guarantee
        if whole.neighbors == "replace-one" and not whole.symmetric_tradeoff:
            return ()  # either value may be the one that is asked about
        with suppress(InvalidInput, Meaningless):  # no loss, one that dominates, other neighbors
            return exact_posterior(whole, secret=adversary.secret).usual(adversary.priors)
        return ()

    def tested(self, secret: AnySecret | None = None) -> Attack:
        """The power of tests, which needs no confidence; of both, that of the natural test."""
        return self._attack(None if secret == "both" else secret)

    def counterfactual(
        self, adversary: Knowledge, world: Replacement, *, certain: bool = False
    ) -> Counterfactual:
        """Compare what is learned with a record to what is learned without it."""
        return self._counterfactual(adversary, world, certain and self._adds_up)

    # what is computed once: values, and functions that remember, which no copy takes along

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def _adds_up(self) -> bool:
        return adds_up([part.guarantee for part in self.parts])

    @cached_property
    def _sum(self) -> Composed:
        return compose([part.guarantee for part in self.parts], self.counts, rule="simple")

    @cached_property
    def _best(self) -> Composed:
        return self._compose(raw=False)

    @cached_property
    def _best_raw(self) -> Composed:
        return self._compose(raw=True)

    @cached_property
    def _confidence(self) -> Callable[[Secret], float | None]:
        @cache
        def confidence(secret: Secret) -> float | None:
            whole = self.composed(certain=True).guarantee
            return confidence_for(between_hypotheses(whole, secret))

        return confidence

    @cached_property
    def _disclosure(self) -> Callable[[Adversary], Disclosure]:
        @cache
        def moved(adversary: Adversary) -> Disclosure:
            return disclosure(
                self.whole(adversary).guarantee,
                confidence=self.confidence(adversary),
                secret=adversary.compared,
                sides=adversary.sides,
                post_processing=adversary.post_processing,
            )

        return moved

    @cached_property
    def _joint(self) -> Callable[[Adversary], JointDisclosure]:
        @cache
        def joint(adversary: Adversary) -> JointDisclosure:
            return joint_disclosure(
                self.whole(adversary).guarantee,
                adversary.value_prior or 1.0,
                confidence=self.confidence(adversary),
                sides=adversary.sides,
            )

        return joint

    @cached_property
    def _attack(self) -> Callable[[Secret | None], Attack]:
        return cache(lambda secret: attack(self.composed().guarantee, secret=secret))

    @cached_property
    def _counterfactual(self) -> Callable[[Knowledge, Replacement, bool], Counterfactual]:
        @cache
        def compared(adversary: Knowledge, world: Replacement, certain: bool) -> Counterfactual:
            whole = self.composed(certain=certain).guarantee
            return counterfactual(whole, adversary=adversary, replacement=world)

        return compared

    def _compose(
        self, raw: bool, accuracy: float | None = None, memory: float = MEMORY
    ) -> Composed:
        if not raw and all(part.guarantee.composes_by == "parameters" for part in self.parts):
            return self.by_promises("best", accuracy=accuracy, memory=memory)
        known = [_for_composition(part, accuracy) for part in self.parts]
        made = compose(known, self.counts, accuracy=accuracy, memory=memory)
        alone = self.counts == [1] and self.parts[0].mechanism is not None
        return replace(made, theorem=OWN_LOSS) if alone else made


@lru_cache(maxsize=16)
def _analysis(release: Release, times: int, parts: tuple[Part, ...]) -> Analysis:
    return Analysis(release, times, parts)


@lru_cache(maxsize=64)
def _for_composition(part: Part, accuracy: float | None) -> Guarantee:
    return part.for_composition(accuracy=accuracy)


def composable(release: Described | Analysis) -> Analysis:
    """The analysis of a release that has a part."""
    analysis = Analysis.of(release)
    if not analysis.parts:
        name = analysis.release.name
        fix = f"{name} gives no number that could be composed."
        raise InvalidInput("release", name, "a release with at least one part", fix)
    return analysis


def natural_secret(release: Release) -> Secret:
    """The secret that is asked about by default under the neighbors of a release."""
    return "membership" if release.neighbors == "add-remove" else "attribute"


def asking(
    release: Release,
    adversary: Adversary | None,
    *,
    prior: float | None = None,
    priors: Iterable[float] | None = None,
    confidence: float | None = None,
) -> Adversary:
    """Who asks about a release: an adversary, or the natural one with these beliefs."""
    alone = {"prior": prior, "priors": priors, "confidence": confidence}
    given = [name for name, value in alone.items() if value is not None]
    if adversary is not None and given:
        write = "priors=(0.1,)" if given[0] == "prior" else f"{given[0]}=..."
        raise WrongCall(
            f"{given[0]} and adversary were both given. Write Adversary({write}), or leave the "
            "adversary out."
        )
    if adversary is not None:
        return adversary
    if prior is not None and priors is not None:
        raise WrongCall("prior and priors were both given. Put all of them in priors=[0.01, 0.1].")
    chosen: dict[str, Any] = {"secret": natural_secret(release), "confidence": confidence}
    if prior is not None or priors is not None:
        chosen["priors"] = (prior,) if priors is None else priors
    return Adversary(**chosen)
