"""What a page shows of its answers: the numbers of the JSON, each with its direction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import Any, Final, NamedTuple

from dprisk.documents.document import Items, Section, Table
from dprisk.documents.promises import apart_from, rule_named
from dprisk.serve import drawn
from dprisk.serve.ways import share
from dprisk.text import Language, count, decimal, english, fill
from dprisk.text.rounding import Scale, at_least, at_most, bounded, hundredths, out_of, scale

LATER: Final = ("time.after", "time.top")  # keys of sentences begin with these
PROMISED: Final = ("guarantee.stated", "guarantee.expert")
USUAL_LEVEL: Final = 0.05
BOUNDS: Final = {"posterior", "predictive value", "ratio"}


class Chart(NamedTuple):
    """A square of chances before and after."""

    alt: str
    area: str = ""
    band: drawn.Band | None = None
    stairs: str = ""
    points: Sequence[tuple[int, float, float]] = ()


class Tests(NamedTuple):
    """The power of tests at every level, and the table behind it."""

    alt: str
    lines: drawn.PowerLine
    advantage: str
    table: Table


class Shown(NamedTuple):
    """An answer, from the headline down."""

    headline: Sequence[tuple[str, str]]
    language: Language | None = None
    icons: Sequence[drawn.Icons] = ()
    chart: Chart | None = None
    tables: Sequence[Table] = ()
    repeated: Table | None = None
    tests: Tests | None = None
    others: Sequence[Table] = ()
    details: Sequence[Section] = ()
    words: Section | None = None


def of_release(now: Mapping[str, str], answers: Mapping[str, Any]) -> Shown:
    """One promise or one release."""
    assessed, powers, words = (answers[name] for name in ("assess", "power", "explain"))
    headline, spoken = [*_about(now, assessed), *_headline(words)], words["language"]
    if assessed["invariants"]:
        headline.append((apart_from(assessed["invariants"]), "more"))
    said = best(assessed)
    if said is None:
        return Shown(headline or [(fill("ways.unknown"), "strong")], spoken)
    prior = float(share(now["prior"]))
    after = find(said, "posterior", prior)
    of = scale(prior, after["upper"])
    pictures = [
        drawn.icons(prior, of, fill("page.before", chance=out_of(prior, of)), bounds=False),
        drawn.icons(after["upper"], of, fill("page.after", chance=up_to(after["upper"], of))),
    ]
    details = (
        computed(theorems(said, powers)),
        published("page.assumed", once(said["assumptions"], powers["assumptions"])),
        *_notes(assessed),
    )
    return Shown(
        headline,
        spoken,
        pictures,
        _band(said, prior, after),
        [_beliefs(said)],
        _repeated(now, words, after["upper"], said["confidence"], of),
        _tests(powers),
        [
            _beliefs(one, fill("ways.statement"))
            for one in assessed["statements"]
            if one is not said
        ],
        details,
        _in_words(words),
    )


def best(assessed: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """What counts of a release."""
    return next(iter(assessed["statements"]), None)


def or_inf(value: float | None) -> float:
    return inf if value is None else value


def find(statement: Mapping[str, Any], metric: str, prior: float | None = None) -> Any:
    return next(
        one for one in statement["findings"] if (one["metric"], one["prior"]) == (metric, prior)
    )


def _headline(words: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The start in one sentence, where it can end in the next, and the rest smaller."""
    first, *_ = words["sections"]
    texts = [one["text"] for one in first["sentences"]]
    numbered = [n for n, one in enumerate(first["sentences"]) if _quantities(one) & BOUNDS]
    at = numbered[0] if numbered else 0
    said = [
        (text, "result" if n == at else ("start" if n < at else "more"))
        for n, text in enumerate(texts)
    ]
    promised = [one["text"] for one in _sentences(words) if one["key"].startswith(PROMISED)]
    return said + [(text, "more") for text in promised]


def _about(now: Mapping[str, str], assessed: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Which release it is, where that was not typed in."""
    if "text" not in now:
        return []
    said = [assessed["name"], assessed["curator"], assessed["date"]]
    return [(", ".join(filter(None, said)), "about")]


def _quantities(sentence: Mapping[str, Any]) -> set[str]:
    return {one["quantity"] for one in sentence["numbers"]}


def up_to(value: float, of: Scale) -> str:
    """An upper bound on a chance in words."""
    return bounded(value, upper=True, of=of)


def _band(statement: Mapping[str, Any], prior: float, after: Mapping[str, Any]) -> Chart:
    odds, ends = find(statement, "odds"), (after["lower"], after["upper"])
    of = scale(prior, *ends)
    return Chart(
        fill(
            "page.band.alt",
            before=out_of(prior, of),
            low=bounded(ends[0], upper=False, of=of),
            high=up_to(ends[1], of),
        ),
        band=drawn.band(odds["lower"] or 0.0, or_inf(odds["upper"]), prior, ends),
    )


def _beliefs(statement: Mapping[str, Any], caption: str = "") -> Table:
    priors = sorted(one["prior"] for one in statement["findings"] if one["metric"] == "posterior")
    rows = []
    for prior in priors:
        after = find(statement, "posterior", prior)
        ends = at_least(after["lower"]), at_most(after["upper"])
        rows.append((decimal(f"{prior:.12g}"), *ends, changed(statement, prior)))
    rows.append((fill("page.table.any"), "", "", changed(statement)))
    heads = (fill(f"page.table.{name}") for name in ("before", "least", "most", "change"))
    return Table(caption or fill("page.table.beliefs"), tuple(heads), tuple(rows))


def changed(statement: Mapping[str, Any], prior: float | None = None) -> str:
    """How far a chance can rise or fall, at most."""
    ends = find(statement, "difference", prior)
    return at_most(max(ends["upper"], -ends["lower"]))


def _tests(powers: Mapping[str, Any]) -> Tests:
    found = dict(zip(powers["levels"], powers["power"]["upper"], strict=True))
    gain = powers["advantage"]["upper"]
    heads = (fill("page.table.level"), fill("page.table.power"))
    rows = tuple((decimal(f"{level:.12g}"), at_most(power)) for level, power in found.items())
    return Tests(
        fill("page.curve.alt", power=up_to(found[USUAL_LEVEL], 100)),
        drawn.curve(found.items(), gain),
        up_to(gain, 100) if gain else "",
        Table(fill("page.table.tests"), heads, rows),
    )


def _repeated(
    now: Mapping[str, str],
    words: Mapping[str, Any],
    after: float,
    confidence: float | None,
    of: Scale,
) -> Table:
    """From what the explanation says of more such releases, each with its confidence."""
    found = {(int(now["count"]), confidence): after}
    for one in _sentences(words):
        if one["key"].startswith(LATER):
            numbers = {each["quantity"]: each["value"] for each in one["numbers"]}
            found[int(numbers["releases"]), numbers.get("confidence")] = numbers["posterior"]
    in_order = sorted(found.items(), key=lambda row: row[0][0])
    rows = ((count(n), up_to(most, of), _holds(sure)) for (n, sure), most in in_order)
    heads = (fill("page.table.count"), fill("page.table.after"), fill("page.table.holds"))
    return Table(fill("page.table.repeated"), heads, tuple(rows))


def _holds(confidence: float | None) -> str:
    if confidence is None:
        return fill("page.table.holds.always")
    return fill("page.table.holds.mostly", cases=hundredths(confidence))


def _sentences(words: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for section in words["sections"]:
        yield from section["sentences"]


def theorems(statement: Mapping[str, Any], powers: Mapping[str, Any]) -> list[str]:
    """How the numbers about one promise were computed."""
    loss, together = statement["loss"], statement["composition"]
    return [
        fill(
            "ways.computed.loss",
            side=fill(f"ways.side.{loss['bound']}"),
            loss=at_most(or_inf(loss["upper"]), 6),
            citation=loss["citation"],
        ),
        fill("ways.computed.together", says=rule_named(together["theorem"], together["says"])),
        fill("ways.computed.belief", citation=_first(statement, "posterior")["citation"]),
        fill("ways.computed.power", citation=powers["power"]["citation"]),
    ]


def computed(*lists: Iterable[str]) -> Section:
    """The same as a section, and what holds for all numbers."""
    lines = once(*lists, [fill("page.computed.rounding")])
    return Section(fill("page.computed"), (Items(lines),))


def published(title: str, lines: Sequence[str]) -> Section:
    """Lines of the JSON, which are in English, under a title in the language of the page."""
    return Section(fill(title), (Items(tuple(lines)),), (), "en")


def _first(statement: Mapping[str, Any], metric: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = next(one for one in statement["findings"] if one["metric"] == metric)
    return found


def _notes(assessed: Mapping[str, Any]) -> list[Section]:
    notes = (english(f"note.{note['kind']}", text=note["text"]) for note in assessed["notes"])
    left = (*assessed["invariants"], *notes)
    return [published("ways.notes", left)] if left else []


def _in_words(words: Mapping[str, Any]) -> Section:
    spoken = words["language"]
    inside = tuple(
        Section(
            each["title"], (Items(tuple(one["text"] for one in each["sentences"])),), (), spoken
        )
        for each in words["sections"]
    )
    return Section(fill(f"ways.words.{words['audience']}"), (), inside)


def once(*lists: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for texts in lists for text in texts))
