"""A release and an audience in, an explanation out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, final

from dprisk._checks import whole
from dprisk._values import members, printable, result
from dprisk.documents.case import Case
from dprisk.documents.document import Section, Sentence
from dprisk.errors import InvalidInput, WrongCall, one_of
from dprisk.text import LANGUAGES, Language, Register, fill
from dprisk.text import language as speaking

if TYPE_CHECKING:
    from dprisk.composition.analysis import Analysis
    from dprisk.guarantees.base import Guarantee
    from dprisk.releases.release import Release
    from dprisk.risk.adversary import Adversary, AnySecret, Metric

EXPLANATION = "dprisk/explanation/1"

Audience = Literal["data-subject", "curator", "regulator", "researcher"]


@final
@result
@dataclass(frozen=True)
class Explanation:
    """A release, explained to one audience. Made by `explain`."""

    name: str  #: What is released.
    audience: Audience  #: Whom it is for.
    title: str  #: The same in words.
    claim: str | None  #: The claim as it was understood: what somebody may conclude.
    observer: str | None  #: Who may conclude it, as the claim says.
    secret: str  #: As what the claim was assessed.
    kept: bool  #: Whether every limit asked for is kept; so it is where none was.
    sections: tuple[Section, ...]  #: In the order in which they are to be read.
    language: Language = "en"  #: In which they are.

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """All of them, section by section."""
        return tuple(sentence for section in self.sections for sentence in section.sentences)

    def to_dict(self) -> dict[str, Any]:
        """The explanation as plain data, the same that ``dprisk explain --json`` prints."""
        who = ("name", "audience", "title", "claim", "observer", "secret", "kept", "language")
        return {"schema": EXPLANATION, **members(self, *who, "sections")}

    def __str__(self) -> str:
        blocks = [
            f"{section.title}\n" + "\n".join(f"- {line}" for line in section.sentences)
            for section in self.sections
        ]
        return "\n\n".join([f"{self.name}: {self.title}", *blocks])

    def _repr_html_(self) -> str:
        """Headings and sentences for notebooks: no scripts, no outside requests."""
        said = f"<p><strong>{escape(self.name)}</strong>: {escape(self.title)}</p>"
        for section in self.sections:
            lines = "".join(f"<li>{escape(str(line))}</li>" for line in section.sentences)
            said += f"<h4>{escape(section.title)}</h4><ul>{lines}</ul>"
        return said

    def __repr__(self) -> str:
        return f"<Explanation of {self.name!r} for {self.audience}>"


SILENT = ("silent", "not-covered", "notes")
AGAIN = {"day": (7, 30, 365), "week": (4, 52), "month": (12,), "quarter": (4,), "year": (10,)}
ONCE_MORE = (2, 10)
_wanted: ContextVar[Sequence[str]] = ContextVar("topics", default=())


@contextmanager
def only(*topics: str) -> Iterator[None]:
    """Explain no more than these topics inside, for someone who cannot wait for all of them."""
    before = _wanted.set(topics)
    try:
        yield
    finally:
        _wanted.reset(before)


def explain(
    release: Release | Guarantee | Analysis,
    audience: Audience = "data-subject",
    *,
    claim: str | None = None,
    secret: AnySecret | Adversary | None = None,
    priors: Sequence[float] = (),
    confidence: float | None = None,
    after: Sequence[int] = (),
    limits: Mapping[Metric, float] | None = None,
    language: Language = "en",
) -> Explanation:
    """A release, explained to one audience.

    Parameters
    ----------
    release : Release, Guarantee or Analysis
        A release as described, just a guarantee, or an analysis that knows some of it already.
    audience : {"data-subject", "curator", "regulator", "researcher"}
        Whom it is for: order, words and how much is told.
    claim : str, optional
        What somebody may conclude: "your manager concludes that you answered No". Plain text.
    secret : {"membership", "attribute"} or Adversary, optional
        As what the claim is assessed. Left out, "attribute" with a claim, which covers any claim,
        and otherwise the default for the neighbors. Or the adversary who asks, with priors and a
        confidence.
    priors : sequence of float
        Beliefs before the release, of which the middle one comes first. [0, 1]
    confidence : float, optional
        Probability with which limits hold. Left out: as for `assess`. (0, 1)
    after : sequence of int
        Numbers of such releases to look ahead to. Left out, what the period suggests. [1, 10^9]
    limits : mapping of str to float, optional
        Limits that you tolerate, as for `assess`. [0, inf)
    language : {"en", "de"}
        In which a claim is read as well. Only the data subject is addressed in German.

    Returns
    -------
    Explanation
        Sections of sentences, each with its numbers, their directions and their sources.

    Raises
    ------
    WrongCall
        If an adversary is given as well as what he believes.
    InvalidInput
        If a word is not one of those allowed, or the claim is empty or longer than 200 letters.
    Meaningless
        If the claim has no meaning for these neighbors.

    Notes
    -----
    The headline is for a reader who knows all other records, with the posterior of P0. Where a
    promise holds for every result, the comparison with and without the record follows, for every
    reader, however wrong (P1, Theorem 7.3; dprisk Proposition 13). A claim under add-remove
    neighbors is two steps from its opposite.

    References
    ----------
    .. [1] P0, Section 4.1.
    .. [2] P1, Section 7.

    Examples
    --------
    >>> from dprisk import ApproxDP
    >>> from dprisk.documents import explain
    >>> survey = ApproxDP(0.1, 1e-7, neighbors="replace-one")
    >>> claim = "your manager concludes that you answered No"
    >>> made = explain(survey, "data-subject", claim=claim, priors=[0.5])
    >>> print(*made.sections[0].sentences, sep="\\n")
    Suppose your manager can see everyone else's data. Before seeing the results, they think there \
is a 50 in 100 chance that you answered No.
    The published results can raise that chance to at most 53 in 100.
    The noise is random: this limit holds in at least 99 of 100 cases.
    Your claim is read as: your record has this value.
    """
    from dprisk.composition.analysis import Analysis, natural_secret
    from dprisk.composition.basis import basis_of
    from dprisk.documents.assessing import assess_if_any

    reader = AUDIENCES[one_of("audience", audience, AUDIENCES)]
    tongue = one_of("language", language, LANGUAGES)
    tongue = tongue if tongue in reader.languages else "en"
    analysis = Analysis.of(release)
    described = analysis.all_releases
    natural = "attribute" if claim is not None else natural_secret(described)
    who = _asker(secret or natural, priors, confidence, reader)
    with speaking(tongue):
        told = None if claim is None else understood(claim)
        found = assess_if_any(analysis, who, limits)
        case = Case(
            analysis=analysis,
            assessment=found,
            claim=told,
            secret=who.secret,
            prior=who.middle,
            after=tuple(whole("after", number, 1) for number in after) or _further(analysis),
            levels=reader.levels,
            register=reader.register,
            decimals=reader.decimals,
        )
        return Explanation(
            name=described.name,
            audience=audience,
            title=fill(f"for.{audience}"),
            claim=None if told is None else told.what,
            observer=None if told is None else told.who,
            secret=who.secret,
            kept=not (limits or basis_of(described).contradicted) if found is None else found.kept,
            sections=tuple(_sections(case, reader)),
            language=tongue,
        )


def _asker(
    secret: AnySecret | Adversary,
    priors: Sequence[float],
    confidence: float | None,
    reader: Reader,
) -> Adversary:
    """The adversary as given, or one who asks this, with the priors of an audience."""
    from dprisk.risk.adversary import Adversary

    if not isinstance(secret, Adversary):
        priors = tuple(priors) or reader.priors
        return Adversary(secret=secret, priors=priors, confidence=confidence)
    if priors or confidence is not None:
        raise WrongCall(
            "An adversary was given as well as priors or a confidence. Write them into the "
            "Adversary, or leave it out."
        )
    return secret


def _sections(case: Case, reader: Reader) -> list[Section]:
    from dprisk.documents import beliefs as b
    from dprisk.documents import case as c
    from dprisk.documents import topics as t

    topics = [b.with_without, c.factors, b.beliefs, b.any_reader, b.value, b.time, t.guarantee]
    topics += [t.exceptions, t.delta, t.tests, t.limits, t.computed, t.experts, c.worst_case]
    topics += [c.not_covered, c.assumptions, c.notes, c.silent]
    known = {topic.__name__.replace("_", "-"): topic for topic in topics}
    something = case.assessment is not None and bool(case.assessment.statements)
    told, wanted = reader.topics if something else SILENT, _wanted.get()
    made = []
    for topic in (topic for topic in told if not wanted or topic in wanted):
        sentences = tuple(known[topic](case))
        if sentences:
            made.append(Section(fill(f"title.{topic}", case.register), sentences, topic=topic))
    return made


def _further(analysis: Analysis) -> tuple[int, ...]:
    """Numbers of releases that the period suggests, beyond those there are."""
    usual = AGAIN.get(analysis.release.period or "", ONCE_MORE)
    beyond = tuple(number for number in usual if number > analysis.times)
    return beyond or tuple(number * analysis.times for number in ONCE_MORE)


class Reader(NamedTuple):
    """An entry of `AUDIENCES`: the register, topics, numbers and languages of one audience."""

    register: Register
    listed: str  # topics, in order
    levels: tuple[float, ...] = ()
    priors: tuple[float, ...] = (0.01, 0.1, 0.5)
    decimals: bool = False
    languages: tuple[Language, ...] = ("en",)

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics, in order."""
        return tuple(self.listed.split())


FIRST = "with-without factors beliefs any-reader value"
AUDIENCES: dict[Audience, Reader] = {
    "data-subject": Reader(
        "plain",
        f"{FIRST} exceptions time guarantee limits worst-case not-covered assumptions experts",
        priors=(0.5, 0.1, 0.9),
        languages=LANGUAGES,
    ),
    "curator": Reader(
        "full",
        f"{FIRST} guarantee time limits exceptions delta worst-case assumptions not-covered notes",
        decimals=True,
    ),
    "regulator": Reader(
        "full",
        f"{FIRST} guarantee exceptions delta tests time limits worst-case assumptions not-covered "
        "notes",
        levels=(0.05,),
    ),
    "researcher": Reader(
        "formal",
        f"{FIRST} guarantee exceptions delta tests time limits computed assumptions not-covered "
        "notes",
        levels=(0.01, 0.05, 0.1),
        decimals=True,
    ),
}


LONGEST = 200


@final
@dataclass(frozen=True)
class Conclusion:
    """A conclusion about a person, and who may draw it. Made by `understood`."""

    what: str  #: As it follows "that": "you answered No".
    who: str | None  #: Who concludes it, as it follows "lead": "your manager"; None: anybody.


def understood(text: str) -> Conclusion:
    """A claim in one's own words, as two parts of a sentence."""
    if not isinstance(text, str) or not text.strip(" .!?,;:\n\t"):
        example = "Such as: your manager concludes that you answered No"
        raise InvalidInput("claim", text, "a sentence", example)
    plain = printable(" ".join(text.split())).strip(" .!?,;:")
    if len(plain) > LONGEST:
        raise InvalidInput("claim", text, f"at most {LONGEST} letters long")
    found = _read("with-that").match(plain) or _read("without-that").match(plain)
    if found is None:
        return Conclusion(_inside(_read("that").sub("", plain)), None)
    return Conclusion(_inside(found["what"]), _inside(found["who"]))


def _read(what: str) -> re.Pattern[str]:
    """How a claim is read in the language that is spoken."""
    return re.compile(fill(f"claim.{what}"), re.IGNORECASE)


def _inside(text: str) -> str:
    """Lower the capital of a first word that has none inside a sentence."""
    first, space, rest = text.partition(" ")
    starts = first == first.capitalize() and first.lower() in fill("claim.small").split()
    return f"{first.lower()}{space}{rest}" if starts else text
