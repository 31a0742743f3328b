"""Promises in words: for every part, for the whole, and by which rule."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from dprisk._values import brief
from dprisk.composition.basis import basis_of
from dprisk.documents.saying import spelled, taken_for_granted
from dprisk.guarantees.words import SYMBOLS
from dprisk.text import count, decimal, fill, has
from dprisk.text.rounding import at_least, at_most, rounded, short

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dprisk.composition.basis import Contradiction
    from dprisk.documents.assessing import Statement
    from dprisk.guarantees.base import Composed, Guarantee
    from dprisk.losses.base import Loss, LossPair
    from dprisk.releases.release import Part, Release
    from dprisk.theorems import Theorem

MOST_LISTED = 4
MOST_PROMISES = 3  # that one sentence can hold
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
SAMPLED = "subsampled-"  # the beginning of a kind
SHOWN_AT = 1e-9  # the delta at which a curve is shown as one point


def describe(release: Release, statement: Statement) -> str:
    """The promise in words: about whom, over which time, for which neighbors, in which model."""
    composed = len(statement.parts) > 1 or release.releases * statement.parts[0].count > 1
    if not composed:
        return promised(release, statement.parts)
    return in_total(
        "assess.promise.composed",
        statement,
        **_stated(release, statement.parts),
        all=all_of(statement.parts, release.releases),
    )


def in_total(key: str, statement: Statement, **words: Any) -> str:
    """A sentence about the whole, which may be one point of a curve, and the rule behind it."""
    composed = statement.composed
    whole = bare_promise(composed.guarantee)
    said = fill(key, whole=whole, rule=rule(composed.theorem), **words)
    return said if composed.guarantee.is_stated else fill("assess.promise.point", said=said)


def all_of(parts: tuple[Part, ...], releases: int = 1) -> str:
    """The parts of a whole, counted, as the subject of a sentence."""
    if releases > 1:
        return fill("assess.all.releases", count=count(releases))
    uses = sum(part.count for part in parts)
    return fill(f"assess.all.{'outputs' if uses > len(parts) else 'parts'}", count=count(uses))


def named_noise(parts: tuple[Part, ...]) -> str:
    """Whether limits are for noise that is named: in every part, "known"; in "some"; else "any"."""
    named = [part.mechanism is not None for part in parts]
    return "known" if all(named) else "some" if any(named) else "any"


def promised(release: Release, parts: tuple[Part, ...]) -> str:
    """The promise with all that it depends on, before anything is computed."""
    return fill("assess.promise", **_stated(release, parts))


def _stated(release: Release, parts: tuple[Part, ...]) -> dict[str, str]:
    known = {part.mechanism is not None for part in parts}
    verb = "parts" if len(known) > 1 else "uses" if True in known else "promises"
    return {
        "promises": fill(f"assess.{verb}", parts=in_words(parts)),
        "times": times_over(release),
        "about": about(release),
    }


def times_over(release: Release) -> str:
    """How often the whole is released, where that is more than once."""
    return fill("assess.times", releases=release.releases) if release.releases > 1 else ""


def about(release: Release) -> str:
    """Unit, period, neighbors and model: what an epsilon is nothing without."""
    once = release.period == "once"
    assumed = "" if release.neighbors_stated else ".assumed"
    return fill(
        "assess.about",
        unit=_or_not("unit", release.unit and spelled(release)),
        period=fill("assess.period.once") if once else _or_not("period", period(release.period)),
        relation=fill(f"assess.relation{assumed}", neighbors=release.neighbors),
        model=fill(f"assess.model.{release.model or 'none'}"),
    )


def marks(release: Release) -> str:
    """Signs beside the name of a release: assumed neighbors, disputed numbers."""
    disputed = any(note.kind == "disputed" for note in release.notes)
    return ("" if release.neighbors_stated else "~") + ("!" if disputed else "")


def rule(theorem: Theorem) -> str:
    """A rule of composition in words."""
    known = RULES.get(str(theorem))
    return theorem.says if known is None else fill(f"theorems.{known}")


def _or_not(what: str, value: str | None) -> str:
    return fill(f"assess.{what}", **{what: value}) if value else fill(f"assess.{what}.none")


def period(name: str | None) -> str | None:
    """A stretch of time in words."""
    return name and _known(f"period.{name}", name)


def whole_promise(guarantee: Guarantee) -> str:
    """A guarantee by its parameters; a curve that has none, by one of its points."""
    whole = bare_promise(guarantee)
    return whole if guarantee.is_stated else fill("assess.point", promise=whole)


def bare_promise(guarantee: Guarantee) -> str:
    """The same, without a word on whether it is one point."""
    if guarantee.is_stated:
        return _named(guarantee.definition, guarantee.parameters)
    epsilon, delta = point(guarantee)
    return _named("approximate", {"epsilon": epsilon, "delta": delta})


def how_composed(composed: Composed, parts: tuple[Part, ...], releases: int = 1) -> str:
    """The way to one guarantee for all parts, in words."""
    says = rule(composed.theorem)
    by = f"({composed.theorem.named}{',' if ': ' in says else ':'} {says})"
    if composed.guarantee.is_stated:
        whole = bare_promise(composed.guarantee)
        return fill("assess.composed", all=all_of(parts, releases), whole=whole, rule=by)
    *first, last = (_counted(pair, times) for pair, times in composed.guarantee.dominating or ())
    added = fill("assess.composed.parts", parts=_joined(first, last)) if first else last
    whose = "own" if composed.guarantee.parameters["own"] else "promises"
    return fill(f"assess.composed.{whose}", parts=added, rule=by)


def _joined(first: Sequence[str], last: str) -> str:
    return "; ".join((*first, fill("part.last", part=last)))


def _counted(pair: LossPair, times: int) -> str:
    """A part of a composed loss, and how often it was composed, where that is more than once."""
    keeps = "" if pair.own else _dominated(pair.forward[0])
    name = keeps or _known(f"definition.{pair.label}", pair.label)
    if times == 1:
        return name
    key = "uses" if pair.own else "each"
    return fill(f"assess.composed.{key}", part=name, count=count(times))


def _dominated(loss: Loss) -> str:
    """The promise that a loss dominates, where a few numbers say which."""
    from dprisk.losses.laplace import LaplaceLoss
    from dprisk.losses.normal import NormalLoss, ResponseLoss

    if isinstance(loss, ResponseLoss):
        delta = {"delta": loss.revealed} if loss.revealed else {}
        return _named("approximate" if delta else "pure", {"epsilon": loss.epsilon, **delta})
    if isinstance(loss, NormalLoss):
        return _named("gaussian", {"mu": loss.mu})
    return _named("laplace", {"mu": loss.ratio}) if isinstance(loss, LaplaceLoss) else ""


def remarks(release: Release) -> list[str]:
    """Assumptions about a release, whatever is asked of it."""
    lines = taken_for_granted(release)
    if not release.neighbors_stated:
        lines.append(fill(f"assumed.neighbors.{release.neighbors}"))
    parts = basis_of(release).parts
    if release.releases > 1 or len(parts) > 1 or parts[0].count > 1:
        lines.append(fill("assumed.adaptive"))
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
    return in_words(statement.parts)


def in_words(parts: tuple[Part, ...]) -> str:
    """Parts by their parameters as given."""
    *first, last = map(part_in_words, parts)
    if len(first) < 2 and not any(part.mechanism for part in parts):
        return fill("and").join((*first, last))
    return _joined(first, last) if first else last


def part_in_words(part: Part) -> str:
    """One part in words: its promise, or what was run and what that keeps; and how often."""
    said, keeps = _run_or_promised(part)
    if not _shown(keeps):
        return said
    key = "part.keeps.each" if part.count > 1 else "part.keeps"
    return fill(key, part=said, keeps=_named(part.guarantee.definition, keeps))


def part_named(part: Part) -> str:
    """One part in words: its promise, or what was run; and how often."""
    return _run_or_promised(part)[0]


def _run_or_promised(part: Part) -> tuple[str, Any]:
    """One part in words, and the parameters of its guarantee where the words leave them out."""
    several = {"count": count(part.count)}
    said = {"label": fill("part.label", label=part.label) if part.label else ""}
    said["times"] = fill("part.times", **several) if part.count > 1 else ""
    given = dict(part.given)
    if "kind" not in given and not part.guarantee.is_stated:
        name = fill("definition.privacy-loss")
        return fill("part.known", name=name, parts=given["parts"], **said), {}
    if "kind" not in given and part.mechanism is None:
        keeps = _named(part.guarantee.definition, given)
        again = fill("part.times.promised", **several) if part.count > 1 else ""
        return fill("part.promised", keeps=keeps, times=again) + said["label"], {}
    if "kind" not in given and part.mechanism is not None:
        return fill("part.run", run=part.mechanism.losses().label, **said), given
    kind = str(given.pop("kind"))
    key, noise = "part.mechanism", kind.removeprefix(SAMPLED)
    if noise != kind and "rate" in given:
        key, kind, said["rate"] = f"{key}.sampled", noise, _as_given(str(given.pop("rate")))
        if part.count > 1:
            said["times"] = fill("part.times.sampled", **several)
    said["mechanism"] = _known(f"mechanism.{kind}", kind)
    details = (f"{name} {_as_given(str(value))}" for name, value in given.items())
    return fill(key, details=fill("part.comma").join(details), **said), part.guarantee.parameters


def _known(key: str, otherwise: str) -> str:
    return fill(key) if has(key) else otherwise


def definition(part: Part) -> str:
    """The definition that the words about a part name: its own, or points of a profile."""
    own = part.guarantee
    is_named = part.mechanism is None or bool(_shown(own.parameters))
    return own.definition if is_named else "approximate-curve"


def _shown(parameters: Any) -> list[str]:
    return [
        f"{SYMBOLS[name]} = {_value(value)}"
        for name, value in parameters.items()
        if name in SYMBOLS and (isinstance(value, str | float) or len(value) <= MOST_LISTED)
    ]


def _named(definition: str, parameters: Any) -> str:
    shown = _shown(parameters)
    name = _known(f"definition.{definition}", definition)
    if definition == "concentrated" and "delta" in parameters:
        name = fill("part.approximate", name=name)
    if not shown:
        return name
    return fill("part.parameters", name=name, parameters=fill("part.comma").join(shown))


def _value(value: Any) -> str:
    """Text as given, or a number on the safe side; a few of them in brackets."""
    if isinstance(value, float) and 0.0 < value < 1e-4:
        return short(float(rounded(value, 6, upper=True)))
    listed = [value] if isinstance(value, float) else value
    listed = value.split(",") if isinstance(value, str) else listed
    shown = [_as_given(one.strip()) if isinstance(one, str) else at_most(one, 6) for one in listed]
    shown = ["∞" if one == "inf" else one for one in shown]
    return shown[0] if len(shown) == 1 else f"({fill('part.comma').join(shown)})"


def _as_given(piece: str) -> str:
    """A value of a file: a number as the language writes it, a short list as it is."""
    if len(piece) > LONGEST_LIST and "," in piece:
        rows = piece.rstrip(";").count(";") + 1
        several = {"rows": rows, "number": piece.count(",") + 1}
        return fill("part.matrix" if ";" in piece else "part.list", **several)
    try:
        value = float(piece)
    except ValueError:
        return piece
    if not math.isfinite(value):
        return piece
    return short(value) if "e" in piece.lower() else decimal(piece)


DIGITS = range(4, 18)
LONGEST_LIST = 60  # characters of one that is repeated
LONGEST = 10  # characters of a number that is repeated as it was given
LISTED = 4  # of what is published exactly
LETTERS = 160


def framed(release: Release, lines: Iterable[str], *, several: bool = False) -> tuple[str, ...]:
    """Sentences about a release: first what it cannot keep, last what the numbers rest on."""
    return (*contradictions(release), *lines, *conditions(release, several=several))


def contradictions(release: Release) -> tuple[str, ...]:
    """A sentence for every statement that a release cannot keep, with both numbers."""
    return tuple(cannot_keep(found) for found in basis_of(release).contradicted)


def cannot_keep(found: Contradiction, release: str = "") -> str:
    """The promise at odds with what was run, in words; with the release where there are several."""
    promise = in_words((found.stated,))
    of = {"release": release} if release else {}
    return fill(f"contradicted{'.of' if of else ''}", promise=promise, why=why(found), **of)


def conditions(release: Release, *, several: bool = False) -> tuple[str, ...]:
    """Sentences on the statement that counts where several may hold, and on what is left aside."""
    counted, exact = basis_of(release), release.invariants
    lines = []
    if counted.others:
        also = fill("or").join(map(in_words, counted.others))
        run = named_noise(counted.parts) == "known"
        key = "run" if run and counted.rests_on == "parts" else str(counted.rests_on)
        key = "each" if several else key
        lines.append(fill(f"rests.{key}", used=in_words(counted.parts), also=also))
    if exact:
        lines.append(apart_from(exact))
    if (found := release.computational) is not None:
        lines.append(fill("rests.computational", assumption=brief(found.assumption, most=LETTERS)))
    return tuple(lines)


def apart_from(exact: Sequence[str]) -> str:
    """The results published without noise, which no limit covers: the first few, briefly."""
    most = LETTERS // min(len(exact), LISTED)
    listed = "; ".join(brief(text, most=most) for text in exact[:LISTED])
    more = len(exact) - LISTED
    listed += f"; {fill('summary.more', count=count(more))}" if more > 0 else ""
    return fill("rests.exact", exact=listed.rstrip("."))


def why(found: Contradiction) -> str:
    """The two numbers that contradict each other, in words."""
    curve = ""
    kind: str = found.quantity
    stated = found.stated.guarantee
    if kind == "epsilon":
        curve = "" if "approximate" in stated.additive_parameters else ".curve"
        kind = "endless" if math.isinf(found.certified) else "epsilon"
    claimed, certified = found.claimed, found.certified
    proportional = stated.definition == "concentrated" and not stated.parameters.get("xi")
    if kind == "divergence" and proportional:  # one number limits it at every order
        kind, claimed, certified = "rho", claimed / found.at, certified / found.at
    certified = 1.0 if math.isclose(certified, 1.0, rel_tol=1e-13) else certified
    least, most = _apart(certified, claimed)
    words = {"at": short(found.at), "certified": least, "claimed": most}
    return fill(f"contradicted.{kind}{curve}", **words)


def _apart(least: float, most: float) -> tuple[str, str]:
    """Both numbers with as many digits as it takes to tell them apart."""
    for digits in DIGITS:
        low, high = rounded(least, digits, upper=False), rounded(most, digits, upper=True)
        if float(low) > float(high):
            break
    given = short(most)
    return at_least(least, digits), given if len(given) <= LONGEST else at_most(most, digits)


def in_one_sentence(release: Release, statement: Statement) -> str:
    """The promise as a whole in one sentence, however many parts it has."""
    parts = statement.parts
    if len(parts) <= MOST_PROMISES:
        return describe(release, statement)
    return in_total(
        "report.promised",
        statement,
        number=len(parts),
        times_over=times_over(release),
        about=about(release),
    )
