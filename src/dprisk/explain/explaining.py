"""A release and an audience in, an explanation out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from dprisk._checks import one_of, whole
from dprisk.explain.audiences import AUDIENCES, Reader
from dprisk.explain.case import Case
from dprisk.explain.claim import understood
from dprisk.explain.explanation import Audience, Explanation, Topic
from dprisk.explain.topics import TOPICS
from dprisk.text import LANGUAGES, Language, fill
from dprisk.text import language as speaking

if TYPE_CHECKING:
    from dprisk.composition.analysis import Analysis
    from dprisk.guarantees.base import Guarantee
    from dprisk.releases.release import Release
    from dprisk.risk.adversary import Metric, Secret


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


def explained(
    release: Release | Guarantee | Analysis,
    audience: Audience = "data-subject",
    *,
    claim: str | None = None,
    secret: Secret | None = None,
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
        What somebody may conclude, in your own words: "your manager concludes that you answered
        No". Plain text; nothing in it is interpreted.
    secret : {"membership", "attribute"}, optional
        As what the claim is assessed. Left out, a claim is about what the record says
        ("attribute"), which covers any claim; without a claim it is the default for the neighbors.
    priors : sequence of float
        Beliefs before the release; the middle one comes first, as in an assessment. Left out, three
        with 0.1 first. [0, 1]
    confidence : float, optional
        Probability with which limits hold. Left out: certainty where there is one, otherwise 0.99
        or, where that is too much for the guarantee, the next of 0.95, 0.9, 0.75 and 0.5. (0, 1)
    after : sequence of int
        Numbers of such releases to look ahead to, each of them everything that is described. Left
        out, what the period suggests. [1, 10^9]
    limits : mapping of str to float, optional
        Limits that you tolerate, as for `dprisk.assess`: posteriors and differences in [0, 1],
        factors in [0, inf).
    language : {"en", "de"}
        English, or German, in which a claim is read as well. What is not translated, such as an
        explanation for anybody but the data subject, is in English.

    Returns
    -------
    Explanation
        Sections of sentences, each with its numbers, their directions and their sources.

    Raises
    ------
    InvalidInput
        If a word is not one of those allowed, or the claim is empty or longer than 200 letters.
    OutOfRange
        If a number is outside its range, or the confidence too high for the guarantee.
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
    >>> from dprisk.explain import explained
    >>> survey = ApproxDP(0.1, 1e-7, neighbors="replace-one")
    >>> claim = "your manager concludes that you answered No"
    >>> made = explained(survey, "data-subject", claim=claim, priors=[0.5])
    >>> print(*made.sections[0].sentences, sep="\\n")
    Suppose your manager can see everyone else's data. Before seeing the results, they think there \
is a 50 in 100 chance that you answered No.
    The published results can raise that chance to at most 53 in 100.
    The noise is random: this limit holds in at least 99 of 100 cases.
    Your claim is read as: your record has this value.
    """
    from dprisk.assessment.run import assess_if_any
    from dprisk.composition.analysis import Analysis, natural_secret
    from dprisk.composition.basis import basis_of
    from dprisk.risk.adversary import SECRETS, Adversary

    reader = AUDIENCES[one_of("audience", audience, AUDIENCES)]
    tongue = reader.understands(one_of("language", language, LANGUAGES))
    analysis = Analysis.of(release)
    described = analysis.all_releases
    if secret is not None:
        one_of("secret", secret, SECRETS)
    asks: Secret = secret or ("attribute" if claim is not None else natural_secret(described))
    asked = tuple(priors) or reader.priors
    with speaking(tongue):
        told = None if claim is None else understood(claim)
        who = Adversary(secret=asks, priors=asked, confidence=confidence)
        found = assess_if_any(analysis, who, limits)
        case = Case(
            analysis=analysis,
            assessment=found,
            claim=told,
            secret=asks,
            prior=who.middle,
            after=_numbers(after) or _further(analysis),
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
            secret=asks,
            kept=not (limits or basis_of(described).contradicted) if found is None else found.kept,
            sections=tuple(_sections(case, reader)),
            language=tongue,
        )


def _sections(case: Case, reader: Reader) -> list[Topic]:
    something = case.assessment is not None and bool(case.assessment.statements)
    told, wanted = reader.topics if something else SILENT, _wanted.get()
    made = []
    for topic in (topic for topic in told if not wanted or topic in wanted):
        sentences = tuple(TOPICS[topic](case))
        if sentences:
            made.append(Topic(topic, fill(f"title.{topic}", case.register), sentences))
    return made


def _further(analysis: Analysis) -> tuple[int, ...]:
    """What the period suggests, beyond what there is."""
    usual = AGAIN.get(analysis.release.period or "", ONCE_MORE)
    beyond = tuple(number for number in usual if number > analysis.times)
    return beyond or tuple(number * analysis.times for number in ONCE_MORE)


def _numbers(after: Sequence[int]) -> tuple[int, ...]:
    for number in after:
        whole("after", number, 1)
    return tuple(after)
