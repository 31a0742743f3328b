"""Everything that an explanation is about, found once: numbers, and the words for who and what."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, final

from dprisk.documents.document import Sentence
from dprisk.documents.promises import named_noise, promised
from dprisk.documents.saying import (
    PERSONS,
    counted_in,
    given_chances,
    in_question,
    name,
    record,
    say,
    spelled,
    sure,
    unit_of,
    up_to,
    whom,
)
from dprisk.errors import Meaningless, NoConversion, OutOfRange
from dprisk.releases.notes import is_below_person
from dprisk.text import Register, english, fill
from dprisk.text.rounding import Scale, cut_off, scale

if TYPE_CHECKING:
    from dprisk.composition.analysis import Analysis
    from dprisk.documents.assessing import Assessment, Finding, Statement
    from dprisk.documents.explaining import Conclusion
    from dprisk.documents.saying import Piece
    from dprisk.guarantees.base import Guarantee
    from dprisk.releases.release import Release
    from dprisk.risk.adversary import AnySecret
    from dprisk.risk.counterfactual import Counterfactual, Replacement
    from dprisk.risk.tests import AttackCurve

TIMED = re.compile(
    "(?P<whose>user-account|user|person|account|device)-(?P<time>hour|day|week|month|year)"
)
WHOSE = {"device": "device-", "account": "account-", "user-account": "account-"}
UNBOUNDED = frozenset({"confidence", "guarantee"})
"""Names in the error raised where a promise limits nothing with the confidence asked for."""


@final
@dataclass(frozen=True, eq=False)
class Case:
    """A release, who asks what, in which register, and what is known about it."""

    analysis: Analysis
    assessment: Assessment | None
    claim: Conclusion | None
    secret: AnySecret
    prior: float
    after: tuple[int, ...]
    levels: tuple[float, ...]
    register: Register
    decimals: bool = False

    @property
    def release(self) -> Release:
        """The release, as often as there is of it."""
        return self.analysis.all_releases

    @property
    def plain(self) -> bool:
        """Whether it is for a lay reader."""
        return self.register == "plain"

    @property
    def formal(self) -> bool:
        """Whether formulas are wanted."""
        return self.register == "formal"

    @property
    def numbered(self) -> bool:
        """Whether the reader knows the privacy loss and its units."""
        return self.formal or self.decimals

    @property
    def statement(self) -> Statement:
        """The statement that counts; topics are asked only where there is one."""
        if self.assessment is None:
            raise AssertionError(self)
        return self.assessment.basis

    @property
    def guarantee(self) -> Guarantee:
        """The guarantee of the whole, for neighbors."""
        return self.statement.composed.guarantee

    @property
    def unit(self) -> str:
        """One unit, in words."""
        return "person" if unit_of(self.release) is None else spelled(self.release, "and.one")

    @property
    def who(self) -> Sentence:
        """Whom the promise is about, for readers other than that person."""
        return name(whom(self.release))

    @property
    def data(self) -> Sentence:
        """The record that the promise is about."""
        if not self.plain:
            return name(record(self.release))
        data = lay_data(self.release)
        every = self.release.releases > 1 and is_below_person(self.release.unit)
        return say("data.every", "plain", data=data) if every else data

    @property
    def known(self) -> Sentence:
        """The knowledge of the reader of the headline, in words."""
        if not self.plain:
            return Sentence(fill("knows.unit"))
        if unit_of(self.release) is None:
            return Sentence(fill("knows.person", "plain"))
        return say("knows.unit", "plain", data=self.data)

    @property
    def observer(self) -> Sentence:
        """The one who may conclude something."""
        who = self.claim.who if self.claim else None
        return name(who) if who else Sentence(fill("someone"))

    @property
    def what(self) -> Sentence:
        """The claim, as it follows "that"."""
        return name(self.claim.what) if self.claim else self.about(self.secret)

    def about(self, secret: str) -> Sentence:
        """A claim of some kind, where the user names none."""
        if not self.plain:
            return name(in_question(secret, self.release))
        key = f"{secret}.person" if unit_of(self.release) is None else f"{secret}.unit"
        return Sentence(fill(key, "plain"))

    def scale(self, start: float, *ends: float) -> Scale:
        """The number in which a belief is counted for this reader; 1 for decimals."""
        if self.decimals or self.assessment is None:
            return 1 if self.decimals else scale(start, *ends)
        return counted_in(self.assessment, start, *ends)

    @property
    def is_nearly_open(self) -> bool:
        """Whether the belief of the headline can come as close to certainty as is shown."""
        found = self.posterior(self.prior)
        of = self.scale(self.prior, found.lower, found.upper)
        return self.prior < cut_off("top", of).share < found.upper

    @property
    def sure(self) -> Sentence:
        """Whether findings hold always or mostly, at the end of a sentence."""
        return sure(self.statement.confidence)

    @property
    def surely(self) -> Sentence:
        """The same at its beginning."""
        return sure(self.statement.confidence, "start")

    def anybody(self) -> Counterfactual | None:
        """The record beside no record, for every reader; None where that is not known."""
        return _for_anybody(self)

    def posterior(self, prior: float) -> Finding:
        """Limits on the belief that a prior may become."""
        return self.statement.find("posterior", prior)

    def value(self) -> Finding | None:
        """Limits on a belief about a value, where that is another question with a limit."""
        if self.secret != "membership" or self.claim or not 0.0 < self.prior < 1.0:
            return None
        from dprisk.documents.assessing import Finding
        from dprisk.risk.adversary import Adversary

        sure = self.statement.confidence
        if sure is None or float(self.statement.loss) == 0.0:
            return None
        asked = Adversary(secret="attribute", priors=(self.prior,), confidence=sure)
        try:
            moved = self.analysis.moved(asked).posterior(self.prior)
        except (Meaningless, NoConversion):
            return None
        except OutOfRange as error:
            if error.name not in UNBOUNDED:
                raise
            return None
        low, high = moved.lower, moved.upper
        ends = (float(low), float(high), low.bound, high.bound)
        return Finding("posterior", self.prior, *ends, high.theorem)

    def later(self, releases: int, confidence: float | None = None) -> Assessment | None:
        """The assessment of so many such releases; None where no limit is left."""
        if self.assessment is None:
            return None
        from dprisk.documents.assessing import assess

        sure = confidence or self.statement.confidence
        asked = replace(self.assessment.adversary, confidence=sure)
        try:
            return assess(self.analysis.after(releases), asked)
        except OutOfRange as error:
            if error.name not in UNBOUNDED:
                raise
            return None

    def say(self, key: str, **pieces: Piece) -> Sentence:
        """A sentence in this register."""
        return say(key, self.register, **pieces)


def lay_data(release: Release) -> Sentence:
    """The part of a lay reader's data that the promise is about, in everyday words."""
    unit = release.normalized_unit
    if unit in PERSONS:
        return Sentence(fill("data.person", "plain"))
    found = TIMED.fullmatch(str(unit))
    if found is not None:
        key, span = f"data.{WHOSE.get(found['whose'], '')}period", fill(f"span.{found['time']}")
        return Sentence(fill(key, "plain", span=span))
    if unit in ("household", "establishment"):
        return Sentence(fill(f"data.{unit}", "plain"))
    if "housing" in str(unit):
        return Sentence(fill("data.housing", "plain"))
    return say("data.unit", "plain", unit=name(str(unit_of(release))))


def lay_differs(release: Release) -> Sentence:
    """The part of those data that can differ in each release."""
    found = TIMED.fullmatch(str(release.normalized_unit))
    if found is None:
        return say("differs.unit", "plain", unit=name(str(unit_of(release))))
    span = f"{WHOSE.get(found['whose'], '')}period"
    time = fill(f"period.{found['time']}")
    return Sentence(fill(f"differs.{span}", "plain", time=time))


@lru_cache(maxsize=1)
def _for_anybody(case: Case) -> Counterfactual | None:
    if case.secret == "both" or (case.claim is not None and case.secret == "membership"):
        return None
    world: Replacement = "dropped" if case.release.neighbors == "add-remove" else "resampled"
    certain = case.statement.confidence is None
    try:
        return case.analysis.counterfactual("wrong-prior", world, certain=certain)
    except Meaningless:
        return None


@lru_cache(maxsize=1)
def curve(case: Case) -> AttackCurve:
    """Bounds on what tests of the release can do."""
    asked = case.assessment.adversary.priors if case.assessment else (case.prior,)
    prior = asked[len(asked) // 2] if case.secret == "both" else case.prior
    return case.analysis.tested(case.secret).curve(case.levels, [prior])


def factors(case: Case) -> Iterator[Sentence]:
    """Sentences on what a belief in both is made of: being in the data, and then the value."""
    if case.secret != "both" or case.assessment is None:
        return
    who = case.assessment.adversary
    asked = {"inclusion": who.priors[len(who.priors) // 2], "value": who.value_prior}
    if float(case.statement.loss) == 0.0 or 1.0 in asked.values():
        return  # nothing moves, or only the other one does
    yield case.say("factors.lead", **({} if case.plain else {"sure": case.sure}))
    for factor, prior in asked.items():
        found = next(
            one for one in case.statement.findings if (one.metric, one.prior) == (factor, prior)
        )
        of = 1 if case.decimals else scale(found.prior or 0.0, found.upper)
        up = up_to(found.upper, found.upper_bound, found.theorem, of=of, quantity=factor)
        claim = case.about("membership" if factor == "inclusion" else "attribute")
        before = given_chances(found.prior or 0.0, of)
        yield case.say(f"factors.{factor}", before=before, claim=claim, up=up)


WORLDS = ("resampled", "dropped")  # of a record: the limit for any adversary says which


def worst_case(case: Case) -> Iterator[Sentence]:
    """A bound is not an estimate; and where it says little."""
    if case.plain:
        if not case.is_nearly_open:
            yield case.say("worst.most")
        return
    known = named_noise(case.statement.parts)
    yield case.say(f"worst.{known}")
    if case.statement.is_vacuous:
        yield case.say("worst.little")
        if known == "any":
            yield case.say("worst.unknown")


def assumptions(case: Case) -> Iterator[Sentence]:
    """Assumptions under which the numbers hold."""
    if case.plain:
        yield case.say("assumed.method")
        if case.secret == "attribute" and case.statement.confidence is not None:
            yield case.say("assumed.two")
        if not case.release.neighbors_stated:
            yield case.say(f"assumed.neighbors.{case.release.neighbors}")
        return
    lines = case.statement.loss.assumptions
    said = english("assumptions.neighbors", neighbors=case.release.neighbors)
    for line in lines:
        if line != said or case.release.neighbors_stated:
            yield case.say("assumed.line", text=name(line))
    if unit_of(case.release) is not None:
        yield case.say("assumed.record", record=case.data)
    found = case.anybody()
    if found is not None:
        known = () if case.formal else tuple(english(f"assumptions.without.{x}") for x in WORLDS)
        yield from _others(case, "any", (*lines, *known), found.assumptions)
    if case.formal:
        yield from _others(case, "tests", lines, curve(case).assumptions)
    if case.claim is not None and case.secret == "attribute":
        yield case.say("assumed.claim")
    if not case.release.neighbors_stated:
        yield case.say(f"assumed.neighbors.{case.release.neighbors}")
    yield case.say("assumed.method")


def _others(
    case: Case, of: str, lines: tuple[str, ...], more: tuple[str, ...]
) -> Iterator[Sentence]:
    """Assumptions of another limit that are not said yet."""
    new = " ".join(line for line in more if line not in lines)
    if new:
        yield case.say(f"assumed.{of}", text=name(new))


def not_covered(case: Case) -> Iterator[Sentence]:
    """Sentences on what no such limit is about."""
    data = case.data
    who = {} if case.plain else {"who": case.who}
    yield case.say("open.people")
    yield case.say("open.others", **who)
    if case.release.neighbors == "replace-one":
        yield case.say("open.inside", **(who or {"data": data}))
    if not case.plain and is_below_person(case.release.unit):
        yield case.say("open.unit", unit=name(case.unit))
    exact = case.release.invariants
    if exact:
        yield case.say("open.exact", invariants=name("; ".join(exact)))
    else:
        yield case.say("open.exact-none")
    yield case.say("open.leaks")
    if not case.plain:
        yield case.say("open.other-releases")


def notes(case: Case) -> Iterator[Sentence]:
    """Notes on what is to be known about the source."""
    for note in case.release.notes:
        yield case.say(f"note.{note.kind}", text=name(note.text))


def silent(case: Case) -> Iterator[Sentence]:
    """No limit, or no number."""
    parts = case.analysis.parts
    if parts:
        yield case.say("silent.nothing") if case.plain else case.say("silent.nothing", who=case.who)
        yield case.say("silent.promise", promise=name(promised(case.release, parts)))
        return
    reason = name(case.assessment.reason if case.assessment else "")
    if case.plain:
        yield case.say("silent.number", reason=reason)
    else:
        yield case.say("silent.number", name=name(case.release.name), reason=reason)
