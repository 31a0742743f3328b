"""Everything in one release composed, and the questions that accountants ask about it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal, final

import numpy as np

from dprisk._checks import INSIDE, complement, scalar
from dprisk._files import shipped
from dprisk._values import members, plain, result
from dprisk.accountant.refinement import MEMORY
from dprisk.composition.analysis import Analysis, composable
from dprisk.composition.basis import basis_of
from dprisk.composition.certificates import certificate, claims
from dprisk.composition.composing import RULES, Rule, check_effort, least_epsilon, lower_end
from dprisk.documents.assessing import LimitCheck, parts_data, whole_data
from dprisk.errors import InvalidInput, Meaningless, Reason, one_of
from dprisk.guarantees.base import Composed
from dprisk.progress import report
from dprisk.releases.release import Described, Release
from dprisk.risk.adversary import AttackMetric, Secret, tolerated
from dprisk.risk.counterfactual import KNOWLEDGE, OVER, Counterfactual, Knowledge, Replacement
from dprisk.risk.tests import AttackCurve
from dprisk.theorems import Theorem

COMPOSITION = "dprisk/composition/1"
COUNTERFACTUAL = "dprisk/counterfactual/1"

Asked = Literal["delta", "epsilon", "level", "confidence"]
ANSWERS: dict[Asked, str] = {
    "delta": "epsilon",
    "epsilon": "delta",
    "level": "power",
    "confidence": "loss",
}


@final
@result
@dataclass(frozen=True, repr=False)
class Reading:
    """One number about everything that was released. Made by `compose_release`."""

    asked: Asked  #: What was given.
    at: float  #: Its value. [0, inf]
    quantity: str  #: What was asked: the least epsilon or delta, the most power, or a loss.
    lower: float | None  #: No smaller number holds; None where that is not known. [0, inf]
    upper: float  #: What holds. [0, inf]
    theorem: Theorem  #: Where it comes from.

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        ends = ("lower", "upper")
        return {
            **members(self, "asked", "at", "quantity", *ends),
            **{f"{end}_infinite": getattr(self, end) == math.inf for end in ends},
            **members(self, "theorem", "theorem.citation"),
        }


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Composition:
    """A release, composed, and what was asked about it. Made by `compose_release`."""

    release: Release  #: What was composed.
    composed: Composed  #: The guarantee of the whole, the rule and what it lost.
    rule: Rule  #: The rule that was asked for.
    readings: tuple[Reading, ...]  #: The answers, in the order of the questions.

    @property
    def kept(self) -> bool:
        """Whether there is no statement that the release cannot keep."""
        return not basis_of(self.release).contradicted

    def certificate(self) -> dict[str, Any]:
        """Write down what a small program needs to check the answers by itself.

        Returns
        -------
        dict
            What was composed and the brackets, in exact decimals, and the theorem.

        Raises
        ------
        Meaningless
            If there is no small certificate.
        """
        return {
            **certificate(self.release, self.rule),
            "claims": claims(self.readings, self.composed.guarantee),
        }

    def added(self, reading: Reading) -> float | None:
        """The δ that a cipher or generator adds to an answer; None where it adds none.

        Parameters
        ----------
        reading : Reading
            One of the answers.

        Returns
        -------
        float or None
            For an answer about ε and δ, if the release rests on one. [0, 1]
        """
        found, asked = self.release.computational, ("delta", "epsilon")
        if found is None or reading.asked not in asked:
            return None
        epsilon = reading.upper if reading.asked == "delta" else reading.at
        return found.delta(epsilon, self.release.releases)

    @property
    def uses(self) -> int:
        """How many single releases were composed, over all parts."""
        return sum(Analysis.of(self.release).counts)

    def to_dict(self) -> dict[str, Any]:
        """The composition as plain data, the same that ``dprisk compose --json`` prints."""
        return {
            "schema": COMPOSITION,
            **parts_data(self.release, uses=self.uses),
            "rule": self.rule,
            **whole_data(self.composed),
            "answers": [
                plain(each) | ({} if (more := self.added(each)) is None else {"delta_added": more})
                for each in self.readings
            ],
            "kept": self.kept,
        }


def compose_release(
    release: Described | Analysis,
    *,
    delta: Sequence[float] = (),
    epsilon: Sequence[float] = (),
    level: Sequence[float] = (),
    confidence: Sequence[float] = (),
    rule: Rule = "best",
    slack: float | None = None,
    accuracy: float | None = None,
    memory: float = MEMORY,
) -> Composition:
    """Compose all parts of a release: each answer between two numbers where both are known.

    Parameters
    ----------
    release : Release, Guarantee, Mechanism, Composed, Analysis, str or path
        Its parts over all releases, or a statement about the whole that may hold and says more.
    delta : sequence of float
        Asks for the least epsilon at each. [0, 1]
    epsilon : sequence of float
        Asks for the least delta at each. [0, inf], nats
    level : sequence of float
        Asks for the greatest power of a test at each. [0, 1]
    confidence : sequence of float
        Asks by how much the log-odds move at most with each. (0, 1)
    rule : {"best", "simple", "advanced", "optimal"}
        As for `dprisk.composition.compose`; all but ``best`` use only promises.
    slack : float, optional
        Delta that advanced composition may add. (0, 1)
    accuracy : float, optional
        How wide brackets may be, in nats of epsilon: kept, or refused. Left out, they are about
        1e-9 wide where that costs little. [1e-13, 1]
    memory : float
        Bytes that finer grids may take where an accuracy is asked for. [1e8, 1e15]

    Returns
    -------
    Composition
        Upper bounds for whatever is computed from the releases, with lower ends where known.

    Raises
    ------
    InvalidInput
        If nothing is asked.
    Meaningless
        If the release has no part, or the rule does not combine what is promised.

    Examples
    --------
    >>> from dprisk.documents import compose_release
    >>> from dprisk.mechanisms import Laplace
    >>> from dprisk.releases import Part
    >>> noise = Laplace(scale=2.0, sensitivity=1.0, neighbors="add-remove")
    >>> (found,) = compose_release(Part.of(noise, 4), epsilon=[1.0]).readings
    >>> found.quantity, round(found.lower, 6), round(found.upper, 6)
    ('delta', 0.088625, 0.088625)
    """
    one_of("rule", rule, RULES)
    check_effort(accuracy, memory, slack)
    asked = zip(ANSWERS, (delta, epsilon, level, confidence), strict=True)
    questions = [(each, at) for each, values in asked for at in values]
    analysis = Analysis.of(release)
    _check(analysis, questions)

    def composed(each: Analysis) -> Composed:
        if rule == "best":
            return each.by_losses(accuracy, memory)
        return each.by_promises(rule, slack, accuracy, memory)

    known = [composed(analysis)]
    for parts in basis_of(analysis.release).others:
        with suppress(Meaningless):  # the rule does not know such promises
            known.append(composed(analysis.beside(parts)))
    readings = []
    for question, at in questions:
        found = [_reading(each, question, at) for each in known]
        readings.append(found[0] if len(known) == 1 else _least(found, known))
        report("answering", len(readings), len(questions))
    return Composition(analysis.all_releases, known[0], rule, tuple(readings))


def composition_schema() -> dict[str, Any]:
    """The JSON schema of `Composition.to_dict`."""
    schema: dict[str, Any] = json.loads(shipped("documents", "composition.json"))
    return schema


def _check(analysis: Analysis, questions: list[tuple[Asked, float]]) -> None:
    release = analysis.release
    if not analysis.parts:
        missing = [note.text for note in release.notes if note.kind == "unusable"]
        why = " ".join(missing) or "The release states no number that can be composed."
        raise Meaningless(f"{release.name}: there is nothing to compose. {why}")
    if not questions:
        allowed = "at least one delta, epsilon, level or confidence"
        raise InvalidInput("questions", None, allowed, "Ask for delta=[1e-6], for example.")


def _least(found: Sequence[Reading], known: Sequence[Composed]) -> Reading:
    """The least of several readings that all hold, with the lower end known for what is run."""
    runs = zip(found, known, strict=True)
    lower = next((one.lower for one, by in runs if getattr(by.guarantee, "own", False)), None)
    return replace(min(found, key=lambda each: each.upper), lower=lower)


def _reading(composed: Composed, asked: Asked, at: float) -> Reading:
    whole = composed.guarantee
    if asked == "delta":
        known, found = least_epsilon(composed, at)
    else:
        if asked == "confidence":
            at = scalar("confidence", at, INSIDE, "Write it as a share, as in 0.99.")
            found = whole.loss_bound(complement(at))
        else:
            found = (whole.delta if asked == "epsilon" else whole.power)(at)
        known = lower_end(composed, found)
    return Reading(asked, float(at), ANSWERS[asked], known, float(found), found.theorem)


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Attacked:
    """A release, composed, and what tests of it can do. Made by `assess_tests`."""

    release: Release  #: What was composed.
    composed: Composed  #: The guarantee of the whole, the rule and what it lost.
    curve: AttackCurve  #: Power, advantage and predictive values.
    limits: tuple[LimitCheck, ...]  #: The limits asked for.

    @property
    def kept(self) -> bool:
        """Whether every limit is kept, and no statement is one that the release cannot keep."""
        contradicted = basis_of(self.release).contradicted
        return all(limit.kept for limit in self.limits) and not contradicted

    def to_dict(self) -> dict[str, Any]:
        """The attack as plain data, the same that ``dprisk power --json`` prints."""
        curve = self.curve.to_dict()
        return {
            "schema": curve.pop("schema"),
            **parts_data(self.release),
            **whole_data(self.composed),
            **curve,
            **members(self, "limits", "kept"),
        }


def assess_tests(
    release: Described | Analysis,
    *,
    secret: Secret | None = None,
    levels: Sequence[float] = (0.01, 0.05, 0.1),
    priors: Sequence[float] = (),
    limits: Mapping[AttackMetric, float] | None = None,
) -> Attacked:
    """Bound what tests of everything that is released can do.

    Parameters
    ----------
    release : Release, Guarantee, Mechanism, Composed, Analysis, str or path
        Its parts, each as often as it says, over all releases.
    secret : {"membership", "attribute"}, optional
        What the test asks. Left out: membership under add-remove neighbors, otherwise an attribute.
    levels : sequence of float
        Probabilities of a false alarm. [0, 1]
    priors : sequence of float
        Beliefs in the secret before, for predictive values. [0, 1]
    limits : mapping of str to float, optional
        Largest "power" and "predictive_value" (at the levels and priors given) or "advantage"
        tolerated. [0, 1]

    Returns
    -------
    Attacked
        With both ends of every number where they are known.

    Raises
    ------
    InvalidInput
        If the release has no part, or no release would keep a limit that reveals anything.
    Meaningless
        For membership under replace-one neighbors, or a limit on the predictive value without a
        prior.

    Examples
    --------
    >>> from dprisk.documents import assess_tests
    >>> from dprisk.mechanisms import Gaussian
    >>> from dprisk.releases import Part
    >>> noise = Gaussian(sigma=4.0, sensitivity=1.0, neighbors="add-remove")
    >>> found = assess_tests(Part.of(noise, 12), levels=[0.05], limits={"power": 0.2})
    >>> round(float(found.curve.power.value[0]), 3), found.kept
    (0.218, False)
    """
    analysis = composable(release)
    limited = tolerated(limits or {}, levels, priors)
    composed = analysis.composed()
    curve = analysis.tested(secret).curve(levels, priors)
    found = {
        "power": (curve.power,),
        "advantage": (curve.advantage,),
        "predictive_value": curve.predictive_values,
    }
    worst = {name: max(float(np.max(each.value)) for each in found[name]) for name in limited}
    checks = (LimitCheck(name, most, worst[name]) for name, most in limited.items())
    return Attacked(analysis.all_releases, composed, curve, tuple(checks))


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Compared:
    """A release with a person's record and without. Made by `assess_counterfactual`."""

    release: Release  #: What was composed.
    composed: Composed  #: The guarantee of the whole, the rule and what it lost.
    world: Replacement  #: What stands in for the record.
    found: tuple[Counterfactual, ...]  #: One for each adversary about whom there is a bound.
    refused: tuple[tuple[Knowledge, Reason], ...]  #: The other adversaries, and why there is none.
    ratios: tuple[float, ...]  #: How likely these are exceeded. [0, inf]
    #: Which ratio is kept with these; None: with certainty. (0, 1)
    confidences: tuple[float | None, ...]
    without: tuple[float, ...]  #: Beliefs drawn from the release made without the record. [0, 1]

    @property
    def kept(self) -> bool:
        """Whether there is no statement that the release cannot keep."""
        return not basis_of(self.release).contradicted

    def assumed(self, each: Counterfactual) -> tuple[str, ...]:
        """The assumptions of a bound, less those that certainty does not need.

        Parameters
        ----------
        each : Counterfactual
            One of those found.

        Returns
        -------
        tuple of str
            One sentence each.
        """
        certain = self.confidences == (None,) and not self.ratios
        return tuple(line for line in each.assumptions if not (certain and line in OVER))

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain data, the same that ``dprisk counterfactual --json`` prints."""
        sure = [confidence for confidence in self.confidences if confidence is not None]
        return {
            "schema": COUNTERFACTUAL,
            **parts_data(self.release),
            **whole_data(self.composed),
            "world": self.world,
            "adversaries": [
                each.to_dict(ratios=self.ratios, confidences=sure, without=self.without)
                for each in self.found
            ],
            "refused": [{"adversary": name, "reason": str(why)} for name, why in self.refused],
            "kept": self.kept,
        }


def assess_counterfactual(
    release: Described | Analysis,
    *,
    adversaries: Sequence[Knowledge] = (),
    world: Replacement = "resampled",
    ratios: Sequence[float] = (),
    confidences: Sequence[float] = (),
    without: Sequence[float] = (0.1,),
) -> Compared:
    """Compare what everything released says about a person with the record and without it.

    Parameters
    ----------
    release : Release, Guarantee, Mechanism, Composed, Analysis, str or path
        Its parts, each as often as it says, over all releases.
    adversaries : sequence of str
        As for `dprisk.counterfactual`: "true-record", "rest-known", "arbitrary-prior" or
        "wrong-prior". Left out: all of them about whom there is a bound.
    world : {"resampled", "default-record", "dropped"}
        What stands in for the record.
    ratios : sequence of float
        Asks how likely each ratio of posteriors is exceeded. [0, inf]
    confidences : sequence of float
        Asks for the ratio that is kept with each. (0, 1). Left out: certainty where the privacy
        loss is bounded, otherwise 0.99 or what the promise allows (`dprisk.risk.adversary`).
    without : sequence of float
        Beliefs drawn from the release made without the record: what may become of each? [0, 1]

    Returns
    -------
    Compared
        Upper bounds, each with the other end of its bracket where that is known.

    Raises
    ------
    InvalidInput
        If the release has no part.
    Meaningless
        If there is no bound about an adversary who was asked about, or about none at all.

    Examples
    --------
    >>> from dprisk import ZeroConcentratedDP
    >>> from dprisk.documents import assess_counterfactual
    >>> census = ZeroConcentratedDP(0.1, neighbors="replace-one")
    >>> made = assess_counterfactual(census, confidences=[0.95])
    >>> for each in made.found:
    ...     print(each.adversary, f"{each.ratio(0.95).value:.2f}")
    true-record 3.29
    rest-known 2.67
    arbitrary-prior 3.29
    >>> [name for name, why in made.refused]
    ['wrong-prior']
    """
    analysis = composable(release)
    names = [one_of("adversary", each, KNOWLEDGE) for each in adversaries]
    sure: tuple[float | None, ...] = tuple(confidences) or (analysis.surest(),)
    certain = sure == (None,) and not len(ratios)
    composed = analysis.composed(certain=certain)
    found = []
    silent: list[tuple[Knowledge, Reason]] = []
    for name in dict.fromkeys(names) or KNOWLEDGE:
        try:
            found.append(analysis.counterfactual(name, world, certain=certain))
        except Meaningless as error:
            if names:
                raise
            silent.append((name, error.because))
    if not found:
        raise Meaningless(silent[0][1].why, silent[0][1].fix)
    asked = (tuple(map(float, ratios)), sure, tuple(map(float, without)))
    return Compared(analysis.all_releases, composed, world, tuple(found), tuple(silent), *asked)
