"""One honest sentence for each result: at most, at least, under which assumptions."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from dprisk.explain.composed import short
from dprisk.explain.rounding import (
    Scale,
    at_most,
    chance,
    cut_off,
    hundredths,
    out_of,
    scale,
)
from dprisk.explain.saying import afterwards, near, up_to
from dprisk.releases.units import is_below_person
from dprisk.text import count, decimal, fill, has

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dprisk.assessment import Assessment
    from dprisk.assessment.values import Finding, Statement
    from dprisk.composition.values import Composed
    from dprisk.guarantees.base import Guarantee
    from dprisk.releases.release import Part, Release
    from dprisk.sources import Theorem

__all__ = ["describe", "headline", "sentences"]

FEW = 4
PERSONS = frozenset({None, "person", "user"})
SYMBOLS = {
    "epsilon": "ε",
    "delta": "δ",
    "rho": "ρ",
    "mu": "μ",
    "alpha": "α",
    "gamma": "γ",
    "xi": "ξ",
}
RULES = {
    "P0 Definition 2.1": "alone",
    "P0 Theorem 2.8(1)": "basic",
    "P0 Theorem 2.8(2)": "advanced",
    "Kairouz 2015 Theorem 3.3": "optimal",
    "P0 Theorem 2.9": "rhos",
    "Mironov 2017 Proposition 1": "divergences",
    "Dong 2022 Corollary 3.3": "mus",
    "Zhu 2022 Theorem 10": "losses",
}
SHOWN_AT = 1e-9  # the delta at which a curve is shown as one point


def headline(assessment: Assessment) -> str:
    """The assessment in two sentences, for a reader without any background.

    Parameters
    ----------
    assessment : Assessment
        With or without a number that could be assessed.

    Returns
    -------
    str
        About the middle one of the adversary's priors; rounded to the safe side.

    Examples
    --------
    >>> from dprisk import ApproxDP, Adversary, assess
    >>> from dprisk.explain import headline
    >>> survey = ApproxDP(0.1, 1e-7, neighbors="add-remove")
    >>> print(headline(assess(survey, Adversary(priors=(0.5,), confidence=0.99))))
    Suppose someone knows everyone else's data and thinks there is a 50 in 100 chance that this \
person is in the data. In at least 99 of 100 cases, the chance afterwards is at least 47 in 100 \
and at most 53 in 100.
    """
    if not assessment.statements:
        return fill("assess.silent", name=assessment.release.name, reason=assessment.reason)
    statement = tightest(assessment)
    finding = statement.find("posterior", assessment.adversary.middle)
    return _belief(assessment, statement, finding)


def sentences(assessment: Assessment) -> tuple[str, ...]:
    """A sentence for the guarantee, for every prior, and for all priors at once.

    Parameters
    ----------
    assessment : Assessment
        With or without a number that could be assessed.

    Returns
    -------
    tuple of str
        Each true by itself, with its direction and confidence.

    Examples
    --------
    >>> from dprisk import PureDP, Adversary, assess
    >>> from dprisk.explain import sentences
    >>> result = assess(PureDP(1.0, neighbors="add-remove"), Adversary(priors=(0.1,)))
    >>> len(sentences(result))
    4
    """
    if not assessment.statements:
        return (headline(assessment),)
    return tuple(
        line
        for statement in assessment.statements
        for line in (describe(assessment.release, statement), *_follows(assessment, statement))
    )


def other_questions(assessment: Assessment, statement: Statement) -> tuple[str, ...]:
    """What else follows: with the data and without, and from every prior at once."""
    compared = _compared(assessment, statement, assessment.adversary.middle)
    return (*compared, _anybody(assessment, statement))


def _follows(assessment: Assessment, statement: Statement) -> Iterator[str]:
    for prior in assessment.adversary.priors:
        yield _belief(assessment, statement, statement.find("posterior", prior))
        yield from _compared(assessment, statement, prior)
    yield _anybody(assessment, statement)


def _compared(assessment: Assessment, statement: Statement, prior: float) -> Iterator[str]:
    for finding in statement.findings:
        if finding.metric == "with_data" and finding.prior == prior:
            yield _with_data(assessment, statement, finding)


def describe(release: Release, statement: Statement) -> str:
    """What is promised, about whom, over which time, for which neighbors and in which model.

    Parameters
    ----------
    release : Release
        The release.
    statement : Statement
        One way in which its promise is stated.

    Returns
    -------
    str
        One sentence.

    Examples
    --------
    >>> from dprisk import PureDP, assess
    >>> from dprisk.explain import describe
    >>> result = assess(PureDP(1.0, neighbors="add-remove"))
    >>> describe(result.release, result.statements[0])
    'The release promises pure DP with ε = 1.0 (unit not stated; period not stated; add-remove \
neighbors; model not stated).'
    """
    composed = len(statement.parts) > 1 or release.releases * statement.parts[0].count > 1
    if not composed:
        return promised(release, statement.parts)
    return fill(
        "assess.promise.composed",
        **_stated(release, statement.parts),
        whole=whole_promise(statement.composed.guarantee),
        rule=rule(statement.composed.theorem),
    )


def promised(release: Release, parts: tuple[Part, ...]) -> str:
    """The promise with all that it depends on, before anything is computed."""
    return fill("assess.promise", **_stated(release, parts))


def _stated(release: Release, parts: tuple[Part, ...]) -> dict[str, str]:
    return {
        "promises": fill(
            "assess.uses" if all(part.mechanism for part in parts) else "assess.promises",
            parts=_in_words(parts),
        ),
        "times": times_over(release),
        "about": about(release),
    }


def times_over(release: Release) -> str:
    """How often the whole is released, where that is more than once."""
    return fill("assess.times", releases=release.releases) if release.releases > 1 else ""


def about(release: Release) -> str:
    """Unit, period, neighbors and model: what an epsilon is nothing without."""
    return fill(
        "assess.about",
        unit=_or_not("unit", release.unit and spelled(release)),
        period=fill("assess.period.once")
        if release.period == "once"
        else _or_not("period", period(release.period)),
        relation=fill(
            "assess.relation" + ("" if release.neighbors_stated else ".assumed"),
            neighbors=release.neighbors,
        ),
        model=fill(f"assess.model.{release.model or 'none'}"),
    )


def rule(theorem: Theorem) -> str:
    """What a rule of composition says."""
    known = RULES.get(str(theorem))
    return theorem.says if known is None else fill(f"theorems.{known}")


def _or_not(what: str, value: str | None) -> str:
    return fill(f"assess.{what}", **{what: value}) if value else fill(f"assess.{what}.none")


def period(name: str | None) -> str | None:
    """A stretch of time in words."""
    known = f"period.{name}"
    return fill(known) if has(known) else name


def whole_promise(guarantee: Guarantee) -> str:
    """A guarantee by its parameters; a curve that has none, by one of its points."""
    if guarantee.is_stated:
        return _named(guarantee.definition, guarantee.parameters)
    epsilon, delta = point(guarantee)
    shown = _named("approximate", {"epsilon": epsilon, "delta": delta})
    return fill("assess.point", promise=shown)


def how_composed(composed: Composed) -> str:
    """What was done to get one guarantee for all parts."""
    by = f"({composed.theorem.named}: {rule(composed.theorem)})"
    if composed.guarantee.is_stated:
        return fill("assess.composed", whole=whole_promise(composed.guarantee), rule=by)
    parts = ", ".join(composed.guarantee.parameters["parts"]).replace(" x ", " × ")
    whose = "own" if composed.guarantee.parameters["own"] else "promises"
    return fill(f"assess.composed.{whose}", parts=parts, rule=by)


def remarks(release: Release) -> list[str]:
    """What is taken for granted about a release, whatever is asked of it."""
    lines = []
    if not release.neighbors_stated:
        lines.append(fill("assumed.neighbors"))
    if release.releases > 1 or len(release.parts) > 1 or release.parts[0].count > 1:
        lines.append(fill("assumed.adaptive"))
    if release.stated_also:
        lines.append(fill("assumed.stated-also", also=_in_words(release.stated_also)))
    return lines


@lru_cache(maxsize=64)
def point(guarantee: Guarantee) -> tuple[float, float]:
    """epsilon at a small delta; at a larger one where that much is given away."""
    revealed = float(guarantee.delta(math.inf))
    if revealed > 0.1:
        return 0.0, float(guarantee.delta(0.0))
    least = max(SHOWN_AT, 10.0 ** math.ceil(math.log10(2.0 * revealed)) if revealed else 0.0)
    return float(guarantee.epsilon(least)), least


def promises(statement: Statement) -> str:
    """The parameters as given, part by part."""
    return _in_words(statement.parts)


def _in_words(parts: tuple[Part, ...]) -> str:
    return fill("and").join(part_in_words(part) for part in parts)


def part_in_words(part: Part) -> str:
    """What one part promises, or what was run and what that keeps; and how often."""
    pieces = {
        "times": fill("part.times", count=count(part.count)) if part.count > 1 else "",
        "label": fill("part.label", label=part.label) if part.label else "",
    }
    given = dict(part.given)
    if "kind" not in given and not part.guarantee.is_stated:
        known = fill("definition.privacy-loss")
        return fill("part.known", name=known, parts=given["parts"], **pieces)
    if "kind" not in given and part.mechanism is None:
        return fill("part.promised", keeps=_named(part.guarantee.definition, given), **pieces)
    if "kind" not in given and part.mechanism is not None:
        run = fill("part.run", run=part.mechanism.losses().label, **pieces)
        return _satisfying(run, part.guarantee.definition, given)
    kind = given.pop("kind")
    known = f"mechanism.{kind}"
    kind = fill(known) if has(known) else kind
    details = fill("part.comma").join(
        f"{name} {_as_given(str(value))}" for name, value in given.items()
    )
    run = fill("part.mechanism", mechanism=kind, details=details, **pieces)
    return _satisfying(run, part.guarantee.definition, part.guarantee.parameters)


def _satisfying(run: str, definition: str, parameters: Any) -> str:
    """What is run, and the definition that it satisfies where a few numbers say which."""
    if not _shown(parameters):
        return run
    return fill("part.keeps", part=run, keeps=_named(definition, parameters))


def _shown(parameters: Any) -> list[str]:
    return [
        f"{SYMBOLS[name]} = {_value(value)}"
        for name, value in parameters.items()
        if name in SYMBOLS and (isinstance(value, str | float) or len(value) <= FEW)
    ]


def _named(definition: str, parameters: Any) -> str:
    shown = _shown(parameters)
    key = f"definition.{definition}"
    name = fill(key) if has(key) else definition
    if definition == "concentrated" and "delta" in parameters:
        name = fill("part.approximate", name=name)
    return (
        fill("part.parameters", name=name, parameters=fill("part.comma").join(shown))
        if shown
        else name
    )


def _value(value: Any) -> str:
    """Text as given, or a number on the safe side; a few of them in brackets."""
    if isinstance(value, float):
        text = at_most(value, 6)
        return short(float(text)) if 0.0 < value < 1e-4 else _finite(text)
    listed = [piece.strip() for piece in value.split(",")] if isinstance(value, str) else value
    shown = [_finite(_as_given(one) if isinstance(one, str) else at_most(one, 6)) for one in listed]
    return shown[0] if len(shown) == 1 else f"({fill('part.comma').join(shown)})"


def _as_given(piece: str) -> str:
    """What stands in a file: a number is written as the language does, anything else as it is."""
    try:
        value = float(piece)
    except ValueError:
        return piece
    if not math.isfinite(value):
        return piece
    return short(value) if "e" in piece.lower() else decimal(piece)


def _finite(text: str) -> str:
    return "∞" if text == "inf" else text


def _belief(assessment: Assessment, statement: Statement, finding: Finding) -> str:
    release, prior = assessment.release, finding.prior or 0.0
    of = counted_in(assessment, prior, finding.lower, finding.upper)
    before = fill(
        "headline.before",
        observer=fill("someone"),
        known=known(release),
        before=out_of(prior, of),
        claim=in_question(assessment.adversary.secret, release),
    )
    return f"{before} {_after(statement, finding, of)}"


def _after(statement: Statement, finding: Finding, of: Scale) -> str:
    surely = sure(statement, "start")
    if float(statement.loss) == 0.0 or finding.prior in (0.0, 1.0):
        return fill("headline.same", Sure=surely)
    said = {name: end.text for name, end in afterwards(finding, of).items()}
    return fill("headline.after" if "ends" in said else "headline.nearly-all", Sure=surely, **said)


def _with_data(assessment: Assessment, statement: Statement, finding: Finding) -> str:
    prior = finding.prior or 0.0
    of = counted_in(assessment, prior, finding.upper)
    up = up_to(
        finding.upper,
        finding.upper_bound,
        finding.theorem,
        open_minded=0.0 < prior < 1.0,
        of=of,
    )
    said = fill(
        "assess.with-data",
        data=fill("data.any", who=whom(assessment.release)),
        before=out_of(prior, of),
        up=up.text,
    )
    larger = finding.upper > statement.find("posterior", prior).upper
    return fill("assess.with-data.looser", said=said) if larger else said


def counted_in(assessment: Assessment, start: float, *ends: float) -> Scale:
    """In how many a belief is counted: never fewer than the belief that comes first."""
    first = tightest(assessment).find("posterior", assessment.adversary.middle)
    return max(scale(first.prior or 0.0, first.lower, first.upper), scale(start, *ends))


def known(release: Release) -> str:
    """What an adversary knows who knows all other records."""
    return fill("knows.person" if unit_of(release) is None else "knows.unit")


def in_question(secret: str, release: Release) -> str:
    """What an adversary asks, as it follows "that"."""
    key = f"{secret}.person" if unit_of(release) is None else f"{secret}.unit"
    return fill(key, who=whom(release))


def whom(release: Release) -> str:
    """Whom the promise is about: the privacy unit, which need not be a person."""
    unit = unit_of(release)
    if unit is None:
        return fill("who.person")
    every = release.releases > 1 and is_below_person(release.unit)
    return fill("who.every" if every else "who.unit", unit=unit)


def unit_of(release: Release) -> str | None:
    """The privacy unit in words; None for a whole person."""
    return None if release.normalized_unit in PERSONS else spelled(release)


def spelled(release: Release) -> str:
    """The privacy unit in words, one after the other where there are several."""
    return fill("and").join(map(_one_unit, str(release.normalized_unit).split(" + ")))


def _one_unit(unit: str) -> str:
    return fill(f"unit.{unit}") if has(f"unit.{unit}") else unit


def _anybody(assessment: Assessment, statement: Statement) -> str:
    finding = statement.find("difference")
    if float(statement.loss) == 0.0:
        return fill("beliefs.any-still", sure=sure(statement))
    of = counted_in(assessment, 0.5, 0.5 + min(finding.upper, 0.5))
    found = cut_off("top", of) if finding.upper == 1.0 else chance(finding.upper, upper=True, of=of)
    points = fill(f"moved.{found.kind}", chances=found.shown, edge=found.shown)
    worst = finding.worst_priors or (0.5, 0.5)
    down, up = near(worst[0], of, "fall").text, near(worst[1], of, "rise").text
    largest = fill(f"beliefs.largest{'' if up == down else '-apart'}", up=up, down=down)
    return f"{fill('beliefs.any', points=points, sure=sure(statement))} {largest}"


def sure(statement: Statement, place: str = "sure") -> str:
    """With certainty, or with which confidence; at the start of a sentence or later."""
    if statement.confidence is None:
        return fill(f"{place}.always")
    return fill(f"{place}.mostly", confidence=hundredths(statement.confidence))


def tightest(assessment: Assessment) -> Statement:
    """The statement from which least follows for an adversary."""
    return min(assessment.statements, key=lambda statement: float(statement.loss))
