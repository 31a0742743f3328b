"""A release, composed once and read once: what every document about it has in common.

Documents about a release take two decisions from here: how its parts are composed, and (by the rule
in `dprisk.risk.certainty`) with which confidence the whole is read.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, final

from dprisk.accountant.refinement import MEMORY
from dprisk.basis import basis_of
from dprisk.composition import compose
from dprisk.composition.composed import Composed
from dprisk.composition.composing import Rule
from dprisk.composition.simple import adds_up
from dprisk.errors import Meaningless, WrongCall
from dprisk.guarantees.base import Guarantee
from dprisk.mechanisms.base import in_words
from dprisk.releases.files import as_release
from dprisk.releases.release import Described, Part, Release
from dprisk.risk.adversary import Adversary, Secret, between_hypotheses
from dprisk.risk.certainty import confidence_for
from dprisk.risk.knowledge import Knowledge, Replacement
from dprisk.risk.level_power import Attack, attack
from dprisk.risk.posterior_to_posterior import Counterfactual, counterfactual
from dprisk.risk.prior_to_posterior import Disclosure, disclosure
from dprisk.sources import Theorem
from dprisk.text import english, fill

__all__ = ["Analysis"]

Made = TypeVar("Made")

KEPT = 16  # numbers of releases whose compositions stay in memory
OWN = Theorem("P0", "Theorem 3.1", english("theorems.p0-theorem-3-1.mechanism-own"))


@final
@dataclass(frozen=True, eq=False)
class Analysis:
    """Everything that a release publishes, with nothing about it computed twice.

    Parameters
    ----------
    release : Release
        One release: the whole file, as it is described.
    times : int
        How many such releases there are. [1, 10^9]
    parts : tuple of Part
        What is composed: what counts of the release (`dprisk.basis`), or what is read beside it.

    Examples
    --------
    >>> from dprisk import PureDP, assess
    >>> from dprisk.analysis import Analysis
    >>> year = Analysis.of(PureDP(0.1, neighbors="add-remove"), 12)
    >>> [round(float(assess(each).statements[0].loss), 12) for each in (year, year.after(24))]
    [1.2, 2.4]
    """

    release: Release
    times: int
    parts: tuple[Part, ...]
    _known: dict[Hashable, Any] = field(init=False, default_factory=dict, repr=False)
    _shared: dict[Hashable, Any] = field(init=False, default_factory=dict, repr=False)

    @classmethod
    def of(cls, subject: Analysis | Described, times: int = 1) -> Analysis:
        """The analysis of a release, or of just a guarantee.

        Parameters
        ----------
        subject : Analysis, Release, Guarantee, Mechanism, Composed, str or path
            One release: the whole file, as it is described. An analysis is returned as it is.
        times : int
            How many such releases there are. [1, 10^9]

        Returns
        -------
        Analysis
            Nothing is computed before it is asked for.
        """
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

    def after(self, times: int) -> Analysis:
        """The same for another number of such releases; what is known of one part is shared.

        Parameters
        ----------
        times : int
            How many. [1, 10^9]

        Returns
        -------
        Analysis
            Of so many.
        """
        if times == self.times:
            return self
        family: dict[int, Analysis] = self._shared.setdefault("family", {})
        if times not in family:
            while len(family) >= KEPT:
                del family[next(iter(family))]
            family[times] = replace(self, times=times)
            object.__setattr__(family[times], "_shared", self._shared)
        return family[times]

    @property
    def basis(self) -> Release:
        """One release, with the parts that count."""
        return replace(self.release, parts=self.parts)

    def beside(self, parts: tuple[Part, ...]) -> Analysis:
        """The same release by what else is said about it: never added to what counts.

        Parameters
        ----------
        parts : tuple of Part
            Other parts, for the same whole.

        Returns
        -------
        Analysis
            Of these alone.
        """
        return self._once(parts, lambda: Analysis(self.release, self.times, parts))

    def composed(self, *, certain: bool = False, raw: bool = False) -> Composed:
        """The best bound that is known of all parts together.

        Parameters
        ----------
        certain : bool
            Whether it is read with certainty: epsilons that add up then say all there is.
        raw : bool
            Whether it is read for the raw output alone: then normal noise is more than the Gaussian
            DP that it keeps.

        Returns
        -------
        Composed
            Losses of mechanisms by themselves, of promises by their worst. Normal noise alone is
            just what Gaussian DP promises, but for its raw output.
        """
        if certain and adds_up([part.guarantee for part in self.parts]):
            return self._once("sums", self._sum)
        return self._once(("best", raw), lambda: self._best(raw))

    def by_promises(
        self,
        rule: Rule,
        slack: float | None = None,
        accuracy: float | None = None,
        memory: float = MEMORY,
    ) -> Composed:
        """By a rule about what is promised; of a mechanism, only its promise is used.

        Parameters
        ----------
        rule : {"best", "simple", "advanced", "optimal"}
            As for `dprisk.composition.compose`, and so are the others.
        slack : float, optional
            Delta that advanced composition may add. (0, 1)
        accuracy : float, optional
            How wide brackets may be, in nats of epsilon. [1e-13, 1]
        memory : float
            Bytes that finer grids may take. [1e8, 1e15]

        Returns
        -------
        Composed
            It says which mechanisms were read as their promise.
        """
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
        """The best bound in brackets as narrow as is asked for.

        Parameters
        ----------
        accuracy : float, optional
            How wide brackets may be, in nats of epsilon. [1e-13, 1]
        memory : float
            Bytes that finer grids may take. [1e8, 1e15]

        Returns
        -------
        Composed
            As `composed`, which it is where no accuracy is asked for.
        """
        return self.composed() if accuracy is None else self._best(False, accuracy, memory)

    def confidence(self, adversary: Adversary) -> float | None:
        """With which confidence it is read against an adversary.

        Parameters
        ----------
        adversary : Adversary
            Who may ask for one.

        Returns
        -------
        float or None
            None: with certainty. (0, 1)
        """
        if adversary.confidence is not None:
            return adversary.confidence
        key = "sure", adversary.secret
        return self._once(key, lambda: self._confidence(adversary.secret))

    def whole(self, adversary: Adversary) -> Composed:
        """The composition that is read against an adversary.

        Parameters
        ----------
        adversary : Adversary
            Who reads.

        Returns
        -------
        Composed
            The best that is known for the confidence that counts.

        Raises
        ------
        Meaningless
            If it is to be read for its raw output, of which only promises are known.
        """
        raw = not adversary.post_processing
        made = self.composed(certain=self.confidence(adversary) is None, raw=raw)
        if raw and not made.guarantee.bounds_raw_output:
            raise Meaningless(fill("errors.only-promises"))
        return made

    def moved(self, adversary: Adversary) -> Disclosure:
        """How far an adversary's belief can move.

        Parameters
        ----------
        adversary : Adversary
            Its priors do not matter.

        Returns
        -------
        Disclosure
            With the confidence that counts.

        Raises
        ------
        OutOfRange
            If no bound holds with the confidence that counts.
        Meaningless
            As for `whole`, and if the secret has no meaning for these neighbors.
        """
        asked = replace(adversary, priors=(0.5,))
        return self._once(asked, lambda: self._moved(asked))

    def tested(self, secret: Secret | None = None) -> Attack:
        """What tests can do, which needs no confidence.

        Parameters
        ----------
        secret : {"membership", "attribute"}, optional
            What they ask.

        Returns
        -------
        Attack
            Of the whole.
        """
        return self._once(
            ("test", secret), lambda: attack(self.composed().guarantee, secret=secret)
        )

    def counterfactual(
        self, adversary: Knowledge, world: Replacement, *, certain: bool = False
    ) -> Counterfactual:
        """What is learned with a record, beside what is learned without it.

        Parameters
        ----------
        adversary : str
            As for `dprisk.counterfactual`.
        world : {"resampled", "default-record", "dropped"}
            What stands in for the record.
        certain : bool
            Whether it is asked with certainty only.

        Returns
        -------
        Counterfactual
            Of the whole.

        Raises
        ------
        Meaningless
            If there is no bound about this adversary.
        """
        whole = self.composed(certain=certain).guarantee
        key = adversary, world, id(whole)
        return self._once(key, lambda: counterfactual(whole, adversary=adversary, world=world))

    def surest(self) -> float | None:
        """With which confidence it is read where nobody asks for one.

        Returns
        -------
        float or None
            None: with certainty. (0, 1)
        """
        return self.confidence(Adversary(secret=natural_secret(self.release)))

    def _sum(self) -> Composed:
        return compose([part.guarantee for part in self.parts], self.counts, rule="simple")

    def _confidence(self, secret: Secret) -> float | None:
        whole = self.composed(certain=True).guarantee
        return confidence_for(between_hypotheses(whole, secret))

    def _moved(self, adversary: Adversary) -> Disclosure:
        return disclosure(
            self.whole(adversary).guarantee,
            confidence=self.confidence(adversary),
            secret=adversary.secret,
            sides=adversary.sides,
            post_processing=adversary.post_processing,
        )

    def _best(self, raw: bool, accuracy: float | None = None, memory: float = MEMORY) -> Composed:
        if not raw and all(part.guarantee.composes_by == "parameters" for part in self.parts):
            return self.by_promises("best", accuracy=accuracy, memory=memory)
        known = [self._part(part, accuracy) for part in self.parts]
        made = compose(known, self.counts, accuracy=accuracy, memory=memory)
        alone = self.counts == [1] and self.parts[0].mechanism is not None
        return replace(made, theorem=OWN) if alone else made

    def _part(self, part: Part, accuracy: float | None) -> Guarantee:
        key = part, accuracy
        if key not in self._shared:
            self._shared[key] = part.for_composition(accuracy=accuracy)
        found: Guarantee = self._shared[key]
        return found

    def _once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        if key not in self._known:
            self._known[key] = make()
        found: Made = self._known[key]
        return found


def natural_secret(release: Release) -> Secret:
    """What is asked by default under the neighbors of a release."""
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
        raise WrongCall(fill("errors.adversary-and", name=given[0], write=write))
    if adversary is not None:
        return adversary
    if prior is not None and priors is not None:
        raise WrongCall(fill("errors.prior-and-priors"))
    chosen: dict[str, Any] = {"secret": natural_secret(release), "confidence": confidence}
    if len({"prior", "priors"} & set(given)):
        chosen["priors"] = (prior,) if priors is None else priors
    return Adversary(**chosen)
