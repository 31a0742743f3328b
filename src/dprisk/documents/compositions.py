"""Everything in one release composed, and the questions that accountants ask about it."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal, final

from dprisk._checks import INSIDE, complement, one_of, scalar
from dprisk._files import shipped
from dprisk._values import members, plain, result
from dprisk.accountant.refinement import MEMORY
from dprisk.answer import Answer
from dprisk.composition.analysis import Analysis
from dprisk.composition.basis import basis_of
from dprisk.composition.composing import RULES, Rule, check_effort
from dprisk.documents.findings import parts_data, whole_data
from dprisk.errors import InvalidInput, Meaningless
from dprisk.guarantees.base import Composed, Guarantee
from dprisk.progress import report
from dprisk.releases.release import Described, Release
from dprisk.theorems import Theorem

COMPOSITION = "dprisk/composition/1"

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
    #: What was asked: the least epsilon at that delta, the least delta at that epsilon, the most
    #: power of a test at that level, or the shift of the log-odds that is kept with that
    #: confidence.
    quantity: str
    #: No smaller number holds for all mechanisms that keep the promises, nor for those that are
    #: known; None where no such bound is known. [0, inf]
    lower: float | None
    upper: float  #: What holds. [0, inf]
    theorem: Theorem  #: Where it comes from.

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        infinite = {f"{end}_infinite": getattr(self, end) == math.inf for end in ("lower", "upper")}
        return {
            **members(self, "asked", "at", "quantity", "lower", "upper"),
            **infinite,
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
            "answers": plain(self.readings),
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
        Its parts, each as often as it says, over all releases; or a statement about the whole that
        may hold and says more.
    delta : sequence of float
        Asks for the least epsilon at each. [0, 1]
    epsilon : sequence of float
        Asks for the least delta at each. [0, inf], nats
    level : sequence of float
        Asks for the greatest power of a test at each. [0, 1]
    confidence : sequence of float
        Asks by how much the log-odds move at most with each. (0, 1)
    rule : {"best", "simple", "advanced", "optimal"}
        As for `dprisk.composition.compose`. All but ``best`` are about promises, and use of a
        mechanism only the promise that it keeps.
    slack : float, optional
        Delta that advanced composition may add. (0, 1)
    accuracy : float, optional
        How wide brackets of epsilon and delta may be, in nats of epsilon: kept, or refused. Left
        out, they are about 1e-9 wide where that costs little. [1e-13, 1]
    memory : float
        Bytes that finer grids may take where an accuracy is asked for. [1e8, 1e15]

    Returns
    -------
    Composition
        Upper bounds for whatever is computed from the releases later, each with the other end of
        its bracket where that is known.

    Raises
    ------
    InvalidInput
        If the release has no part, nothing is asked, or `rule` is unknown.
    OutOfRange
        If a number is outside its range.
    Meaningless
        If the rule does not combine what is promised.

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
    questions = _questions(
        {"delta": delta, "epsilon": epsilon, "level": level, "confidence": confidence}
    )
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
    for asked, at in questions:
        found = [_reading(each, asked, at) for each in known]
        readings.append(found[0] if len(known) == 1 else _least(found, known))
        report("answering", len(readings), len(questions))
    return Composition(analysis.all_releases, known[0], rule, tuple(readings))


def composition_schema() -> dict[str, Any]:
    """The JSON schema of `Composition.to_dict`."""
    schema: dict[str, Any] = json.loads(shipped("documents", "composition.json"))
    return schema


def _questions(given: dict[Asked, Sequence[float]]) -> list[tuple[Asked, float]]:
    return [(asked, at) for asked, values in given.items() for at in values]


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
    found = _answer(composed, asked, at)
    lower, upper = found.bracket
    if asked == "delta" and math.isinf(upper) and _is_given_away(composed.guarantee, at):
        lower = upper
    known = float(lower) if is_tight(composed) and lower is not None else None
    return Reading(asked, float(at), ANSWERS[asked], known, float(upper), found.theorem)


def is_tight(composed: Composed) -> bool:
    """Whether some releases that keep these promises do just what the guarantee allows."""
    whole = composed.guarantee
    exact = whole.composes_by == "parameters" or not whole.is_stated
    return (exact or composed.is_alone) and not composed.lossy


def _is_given_away(guarantee: Guarantee, delta: float) -> bool:
    """Whether more than delta is revealed outright: then no epsilon is enough."""
    least = guarantee.delta(math.inf).bracket[0]
    return least is not None and least > delta


def _answer(composed: Composed, asked: Asked, at: float) -> Answer:
    whole = composed.guarantee
    if asked == "delta":
        return whole.epsilon(at)
    if asked == "epsilon":
        return whole.delta(at)
    if asked == "level":
        return whole.power(at)
    return whole.loss_bound(
        complement(scalar("confidence", at, INSIDE, "Write it as a share, as in 0.99."))
    )
