"""Answers to the questions as documents, for a terminal and for the page."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from dprisk.documents.document import Items, Section, Sentence, Table
from dprisk.text import fill
from dprisk.text.rounding import at_least, at_most
from dprisk.theorems import NAMES, TARGET_RATIO

if TYPE_CHECKING:
    from dprisk.documents.assessing import Assessment, LimitCheck, Statement
    from dprisk.documents.compositions import Attacked, Composition, Reading
    from dprisk.documents.explaining import Explanation
    from dprisk.guarantees.base import Composed
    from dprisk.ledger.charges import Charge
    from dprisk.ledger.state import AccountStatus
    from dprisk.releases.notes import Note
    from dprisk.releases.release import Part, Release

Block = str | Sentence | Items | Table | Section

ALMOST = 0.9999  # a chance that is possibly larger is not written out


def section(title: str, texts: Iterable[str]) -> Iterator[Section]:
    """A list under a heading, where there is anything in it."""
    found = tuple(texts)
    if found:
        yield Section(title, (Items(found),))


def items(texts: Iterable[str]) -> Items:
    """A list of texts, as a block of a document."""
    return Items(tuple(texts))


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "") -> Table:
    """A table, as a block of a document."""
    return Table(caption, tuple(columns), tuple(map(tuple, rows)))


def belief(prior: float) -> str:
    """A prior as it was given: rounded, one near 1 would look certain."""
    short = f"{prior:g}"
    return short if float(short) == prior else repr(prior)


def share(bound: float, *, certain: bool = False) -> str:
    """An upper bound on a probability: nearly certain is said to be so, not written out."""
    return "possibly over 0.9999" if bound > ALMOST and not certain else at_most(bound)


def most(bound: float, *, certain: bool = False) -> str:
    """The same in a sentence, with its direction."""
    said = share(bound, certain=certain)
    return said if bound > ALMOST and not certain else f"at most {said}"


def sure(confidence: float | None) -> str:
    """The certainty or confidence, in words."""
    return "always" if confidence is None else f"with confidence {belief(confidence)}"


def title(release: Release) -> str:
    """The name of what is released, and by whom."""
    return f"{release.name}, {release.curator}" if release.curator else release.name


def parts(release: Release, heading: str, more: str = "") -> Iterator[Section]:
    """The parts of a release, under a heading."""
    from dprisk.composition.basis import basis_of
    from dprisk.documents.promises import part_in_words

    many = release.releases
    times = f", in each of {many} releases" if many > 1 else ""
    counted = basis_of(release).parts
    return section(f"{heading}{times}{more}", [part_in_words(part) for part in counted])


def how(composed: Composed, release: Release, parts: tuple[Part, ...] = ()) -> list[str]:
    """The composition of parts in words, and then what was lost on the way."""
    from dprisk.composition.basis import basis_of
    from dprisk.documents.promises import how_composed

    said = how_composed(composed, parts or basis_of(release).parts, release.releases)
    return [said, *(f"Loses some precision: {text}." for text in composed.lossy)]


def limits(assessment: Assessment) -> Iterator[str]:
    """Whether each limit is kept."""
    for limit in assessment.limits:
        where = "every prior" if limit.prior is None else f"prior {belief(limit.prior)}"
        is_factor = limit.metric not in ("posterior", "difference")
        shown = most(limit.at_most, certain=is_factor or limit.limit > ALMOST)
        known = f"{shown}, at {where}"
        yield verdict(
            limit, known if assessment.statements else "the release gives no number to check"
        )


def verdict(limit: LimitCheck, why: str) -> str:
    """Whether one limit is kept."""
    kept = "kept" if limit.kept else "NOT KEPT"
    return f"Limit {limit.metric} <= {belief(limit.limit)}: {kept} ({why})"


# --- assess --------------------------------------------------------------------------------------


def assessments_in_brief(made: list[Assessment]) -> Iterator[str]:
    """The headline of each, and whether each limit is kept."""
    from dprisk.documents.beliefs import headline

    for one in made:
        named = len(made) > 1 and one.statements
        yield f"{one.release.name}: {headline(one)}" if named else headline(one)
    for one in made:
        yield from ("", *limits(one)) if one.limits else ()


def of_assessments(made: list[Assessment]) -> Iterator[Block]:
    from dprisk.documents.beliefs import headline
    from dprisk.documents.promises import describe

    if len(made) == 1:
        yield from of_assessment(made[0])
        return
    for one in made:
        said = [headline(one), *(describe(one.release, each) for each in one.statements)]
        notes = [f"! {text}" for text in _notes(one.release)]
        yield Section(title(one.release), tuple(map(Sentence, [*said, *limits(one), *notes])))
    known = sum(bool(one.statements) for one in made)
    yield f"{len(made)} releases: {known} assessed, {len(made) - known} without an answer."


def of_assessment(assessment: Assessment) -> Iterator[Block]:
    """An assessment: the headline, then every number, its theorem and its assumptions."""
    from dprisk.documents.beliefs import headline, other_questions
    from dprisk.documents.promises import describe
    from dprisk.documents.risks import usual
    from dprisk.documents.saying import taken_for_granted

    release = assessment.release
    yield title(release)
    yield headline(assessment)
    yield from limits(assessment)
    for at, statement in enumerate(assessment.statements):
        if at:
            yield Section(
                "A second promise by the same source",
                (
                    Sentence(
                        "The source also states the promise below. If both promises hold, the "
                        "stricter limit counts, and the headline uses that one."
                    ),
                    Sentence(describe(release, statement)),
                ),
            )
        else:
            yield Section("What was released", (Sentence(describe(release, statement)),))
        *compared, every = other_questions(assessment, statement)
        said = [every, *compared]
        if assessment.adversary.secret == "membership" and statement.confidence is not None:
            said.append(
                "These limits are about being in the data. Limits on learning a value of the "
                "record are looser; to see them, add --secret attribute."
            )
        tables = (_beliefs(statement), *_factors(statement))
        yield Section("Who can learn what", (*tables, items(said)))
        if not at and (usually := usual(assessment)):
            yield usually
        yield from section(
            "Assumptions", [*statement.loss.assumptions, *taken_for_granted(release)]
        )
        yield from section("How the numbers were computed", _how(statement, release))
    yield from section("Published without noise", release.invariants)
    yield from section("Notes on the source", _notes(release))
    yield from section("Source", release.source)


def _notes(release: Release) -> list[str]:
    return [fill(f"note.{note.kind}", text=note.text) for note in release.notes]


def warnings_of(notes: Iterable[Note]) -> list[str]:
    """Warnings about what was run, in words."""
    found = [note for note in notes if note.kind == "warning"]
    return [fill(f"note.{note.kind}", text=note.text) for note in found]


def _factors(statement: Statement) -> Iterator[Any]:
    """The two factors of a belief in both, if that was asked about."""
    names = {"inclusion": "is in the data", "value": "has the value, if in the data"}
    rows = [
        [
            names[one.metric],
            belief(one.prior or 0.0),
            share(one.upper),
            at_most(ratio.upper, apart=True),
        ]
        for one, ratio in pairwise(statement.findings)
        if one.metric in names
    ]
    if rows:
        yield table(["factor", "prior", "posterior: at most", "ratio: at most"], rows)


def _beliefs(statement: Statement) -> Any:
    rows = []
    at = (f.prior for f in statement.findings if f.metric == "posterior" and f.prior is not None)
    for prior in dict.fromkeys(at):
        after = statement.find("posterior", prior)
        most = share(after.upper, certain=prior == 1.0)
        rows.append([belief(prior), at_least(after.lower), most, *_moves(statement, prior)])
    rows.append(["every prior", "", "", *_moves(statement, None)])
    heads = ("prior", "posterior: at least", "posterior: at most", "change: at most")
    return table([*heads, "ratio: at most"], rows)


def _moves(statement: Statement, prior: float | None) -> list[str]:
    change, ratio = statement.find("difference", prior), statement.find("ratio", prior)
    largest = share(change.extent)
    if change.worst_priors and change.extent <= ALMOST:  # there is room for it
        largest += f" (from {change.worst_priors[1]:.3g})"
    return [largest, at_most(ratio.upper)]


def _how(statement: Statement, release: Release) -> list[str]:
    from dprisk.documents import saying

    loss, found = statement.loss, statement.composed
    factor = statement.find("odds").upper
    whole, *lossy = how(found, release, statement.parts)
    odds = f"at most {at_most(factor)}" if math.isfinite(factor) else "more than 1e308"
    nats = fill("nats.one" if float(loss) == 1.0 else "nats", number=at_most(float(loss), 6))
    errs = "exact worst case" if loss.bound == "exact" else "upper bound"
    rare = statement.confidence is not None
    often = f"{saying.sure(statement.confidence, 'start')}, the" if rare else "The"
    moved = (
        f"{often} log-odds change by at most {nats}, and the odds by a factor of {odds} ({errs}; "
        f"{loss.theorem.named}: {loss.theorem.says})."
    )
    made = [moved] if found.is_alone else [whole, moved]
    if loss.bound != "exact" and loss.other_end is not None:
        low, high = at_least(float(loss.other_end), 9), at_most(float(loss), 9)
        made.append(f"Certified: the worst case is between {low} and {high} nats.")
    work = NAMES["P0"]
    if loss.theorem == TARGET_RATIO:
        made += [fill("computed.both.formal", theorem=loss.theorem.named), *lossy]
    else:
        made += [f"The posteriors follow by Bayes' rule ({work}, Theorems 3.2 to 3.5).", *lossy]
    if statement.is_vacuous:
        little = "This limit is so loose that it rules out little."
        if any(part.mechanism is None for part in statement.parts):
            little += (
                " It is the worst case over all mechanisms that keep the promise. The mechanism "
                "that was used may reveal much less; the promise alone does not say how much. If "
                "you know the mechanism, list it under “mechanisms” in the release file."
            )
        made.append(little)
    return made


# --- compose -------------------------------------------------------------------------------------


def of_composition(made: Composition) -> Iterator[Block]:
    from dprisk.documents.results import readings
    from dprisk.documents.saying import computational

    release = made.release
    yield title(release)
    yield table(
        ("question", "at least", "at most", "precision", "theorem"), map(_reading, made.readings)
    )
    yield from section("In words", readings(made))
    yield from parts(release, "Parts", f" ({made.uses} in all)")
    yield from section(
        "How the numbers were computed",
        how(made.composed, release),
    )
    stated = "" if release.neighbors_stated else " (assumed: the source does not say)"
    yield from section(
        "Assumptions",
        [
            f"Neighboring datasets: {release.neighbors}{stated}.",
            "Each release uses independent noise. A later release may depend on earlier ones.",
            "The numbers hold for the outputs and for anything computed from them.",
            *computational(release),
        ],
    )
    yield from section("Notes", warnings_of(release.notes))


def _reading(reading: Reading) -> list[str]:
    from dprisk.documents.results import width
    from dprisk.text.rounding import short

    asked = {
        "delta": "ε at δ = ",
        "epsilon": "δ at ε = ",
        "level": "power at false positive rate ",
        "confidence": "change of the log-odds at confidence ",
    }
    return [
        f"{asked[reading.asked]}{short(reading.at)}",
        "" if reading.lower is None else at_least(reading.lower, 12),
        at_most(reading.upper, 12),
        width(reading),
        str(reading.theorem),
    ]


# --- power ---------------------------------------------------------------------------------------


def of_attack(made: Attacked) -> Iterator[Block]:
    from dprisk.documents.promises import remarks
    from dprisk.documents.topics import alarms

    curve, release = made.curve, made.release
    alarm = (f"belief after an alarm ({belief(one)} before): at most" for one in curve.priors)
    yield title(release)
    heads = ("level", "highest power: at least", "highest power: at most", *alarm)
    yield table(heads, _powers(made))
    yield from section("In words", alarms(curve, release))
    yield from parts(release, "What was released")
    yield from section("How the numbers were computed", _how_attacked(made))
    yield from section("Assumptions", [*curve.assumptions, *remarks(release)])
    yield from section("Notes", warnings_of(release.notes))
    yield from attack_verdicts(made)


def attack_verdicts(made: Attacked) -> Iterator[str]:
    """Whether each limit on tests is kept."""
    return (verdict(each, f"at most {at_most(each.at_most)}") for each in made.limits)


def _powers(made: Attacked) -> list[list[str]]:
    data = made.curve.to_dict()
    lows = data["power"]["lower"] or [None] * len(data["levels"])
    return [
        [
            belief(level),
            "" if low is None else at_least(low, 6),
            at_most(high, 6),
            *(at_most(each["positive"]["upper"][at], 6) for each in data["predictive_values"]),
        ]
        for at, (level, low, high) in enumerate(
            zip(data["levels"], lows, data["power"]["upper"], strict=True)
        )
    ]


def _how_attacked(made: Attacked) -> list[str]:
    curve = made.curve
    power, gap = curve.power, curve.advantage
    (low, high), (first, last) = gap.bracket, curve.best_level.bracket
    errs = "exact worst case" if power.bound == "exact" else "upper bound"
    size = f"at most {at_most(high, 6)}"
    if low is not None and low != high:
        size = f"in the worst case between {at_least(low, 6)} and {at_most(high, 6)}"
    largest = (
        "The advantage (the largest difference between the power of a test and its false positive "
        f"rate) is {size}"
    )
    if last is not None and last - first < 0.01:
        largest += f". It is reached at a false positive rate of {at_most(last, 3)}"
    lines = [
        f"Power: {errs} ({power.theorem.named}: {power.theorem.says}).",
        f"{largest} ({gap.theorem.named}: {gap.theorem.says}).",
    ]
    if curve.priors:
        lines.append(
            "Beliefs after an alarm follow by Bayes' rule. A test with a lower false positive rate "
            "has fewer alarms, and each says more."
        )
    whole, *lossy = how(made.composed, made.release)
    return [*lines, *lossy] if made.composed.is_alone else [whole, *lines, *lossy]


# --- explain -------------------------------------------------------------------------------------


def of_explanation(made: Explanation) -> Iterator[Block]:
    """Paragraphs for people, lists for whoever works with them."""
    yield f"{made.name}: {made.title}"
    for each in made.sections:
        texts = list(map(str, each.sentences))
        if made.audience == "data-subject" and each.topic != "not-covered":
            yield Section(each.title, (Sentence(" ".join(texts)),))
        else:
            yield from section(each.title, texts)


# --- ledger --------------------------------------------------------------------------------------


def listed(each: AccountStatus) -> dict[str, Any]:
    """An account in a list: whose data it is about, and how much of its budget is spent."""
    account, share = each.account, each.standing.share
    said = {name: getattr(account, name) for name in ("name", "population", "unit", "period")}
    counted = sum(each.counts[state] for state in ("reserved", "released"))
    return {**said, "rule": account.rule, "charges": counted, "share": share and str(share)}


def of_accounts(made: Iterable[AccountStatus]) -> Iterator[Block]:
    """A row for each account."""
    rows = []
    for each in made:
        *said, share = listed(each).values()
        spent = "" if share is None else f"{at_most(100.0 * float(Fraction(share)), 3)}%"
        rows.append([*map(str, said), spent])
    if not rows:
        yield "No account is open yet."
        return
    yield table(("account", "population", "unit", "period", "rule", "charges", "spent"), rows)


def of_status(made: AccountStatus) -> Iterator[Block]:
    """The standing of an account."""
    from dprisk.ledger import words

    yield words.title(made)
    yield from words.status_in_words(made)
    if rows := words.rows(made):
        yield table(("what must hold", "at most", "limit", "when", "theorem"), rows)
    yield from section("Spent", words.amounts(made))
    if made.concerns:
        found = table(words.CONCERNS, words.concern_rows(made))
        yield Section("Single concerns", (found, items(list(words.concerns_in_words(made)))))
    yield from section("Entries with flaws", made.flaws)
    yield from section("Assumptions", words.assumptions(made))


def of_history(made: Iterable[Charge], account: str | None, caption: str = "") -> Iterator[Block]:
    """A row for each charge."""
    from dprisk.ledger.words import HISTORY, history_in_rows

    yield table(HISTORY, history_in_rows(made, account), caption)
