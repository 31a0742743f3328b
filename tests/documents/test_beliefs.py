"""Sentences: read back, they say no more than the numbers, and never what they must not."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dprisk import (
    FDP,
    Adversary,
    ApproxDP,
    DpriskError,
    GaussianDP,
    ProbabilisticallyBoundedDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
    assess,
)
from dprisk.composition.analysis import natural_secret
from dprisk.documents import headline
from dprisk.documents.beliefs import sentences
from dprisk.documents.promises import conditions, contradictions, describe
from dprisk.mechanisms import Geometric
from dprisk.mechanisms.base import kinds
from dprisk.mechanisms.pairs import PairOfDistributions
from dprisk.mechanisms.sample_release import SampleRelease
from dprisk.releases import Part, Release
from dprisk.releases.notes import Note, normalized_unit
from dprisk.text import texts
from dprisk.text.rounding import scale

FORBIDDEN = re.compile(
    r"\b(?:safe\w*|secure\w*|private|anonym\w*|no risk|risk[- ]free|harmless|negligible|perfect\w*"
    r"|times (?:more|less|as) likely|guarante\w*|budget|never|impossible|I|we|our|you|your"
    r"|1 in \d|None|nan|inf)\b"
)
ALLOWED = re.compile(r"\b1 in 1(?:00|,000|,000,000)\b")

LOSSES = st.one_of(st.floats(0.0, 12.0), st.sampled_from([0.0, 1e-9, 40.0, 800.0]))
DELTAS = st.sampled_from([0.0, 1e-12, 1e-6, 1e-3])
BELIEFS = st.one_of(
    st.floats(0.0, 1.0), st.sampled_from([0.0, 0.01, 0.5, 1.0, 1e-12, 0.999999999, 0.123456789])
)


def guarantees(neighbors):
    """One of every kind."""
    related = st.just(neighbors)
    positive = st.floats(1e-9, 12.0)
    return st.one_of(
        st.builds(PureDP, LOSSES, neighbors=related),
        st.builds(ApproxDP, LOSSES, DELTAS, neighbors=related),
        st.builds(ProbabilisticDP, LOSSES, DELTAS, neighbors=related),
        st.builds(ProbabilisticallyBoundedDP, positive, DELTAS, neighbors=related),
        st.builds(GaussianDP, st.floats(0.0, 6.0), neighbors=related),
        st.builds(ZeroConcentratedDP, st.floats(0.0, 20.0), neighbors=related),
        st.builds(RenyiDP, st.floats(2.0, 32.0), LOSSES, neighbors=related),
    )


@st.composite
def assessments(draw):
    """A release with one guarantee, or two ways to state it, and somebody who asks."""
    neighbors = draw(st.sampled_from(["add-remove", "replace-one"]))
    parts = (Part(draw(guarantees(neighbors))),)
    also = (Part(draw(guarantees(neighbors))),) if draw(st.booleans()) else ()
    release = Release(
        name="Town survey",
        unit=draw(st.sampled_from(["person", "User-day-level", "household", None])),
        period=draw(st.sampled_from(["once", "day", None])),
        neighbors=neighbors,
        neighbors_stated=draw(st.booleans()),
        model=draw(st.sampled_from(["central", "local", "varies", None])),
        parts=parts,
        stated_also=also,
        releases=draw(st.sampled_from([1, 1, 1, 3, 12])),
    )
    adversary = Adversary(
        secret=draw(st.sampled_from(["attribute", natural_secret(release)])),
        priors=tuple(draw(st.lists(BELIEFS, min_size=1, max_size=3, unique=True))),
        confidence=draw(st.sampled_from([None, 0.9, 0.99, 0.95123456789])),
        sides=draw(st.sampled_from(["both", "one"])),
    )
    try:
        return assess(release, adversary)
    except DpriskError:  # a confidence that these deltas do not allow, or no simple composition
        assume(False)


FORGIVEN = 1 + Decimal("1e-13")  # what rounding outwards adds is not shown


def hundredths(value):
    """A share, exactly as printed by Python, in hundredths."""
    return 100 * Decimal(repr(value))


BELIEF = re.compile(
    r"Suppose someone knows all the data except .+?\. Before seeing the results, they think there "
    r"is a (?P<prior>\S+) in (?P<of>[\d,]+) chance that (?P<secret>.+)\. "
    r"(?:(?P<nearly>There is almost no limit)\. The chance afterwards is "
    r"(?P<least>.+) in (?P=of), (?:and )?possibly over (?P<top>[\d,]+) in (?P=of)"
    r"(?:, or anywhere in between)?"
    r"|(?P<sure>Whatever the results show|In at least \S+ of 100 cases), (?P<ends>.+))\."
)
ENDS = re.compile(
    r"the chance afterwards is (?:(at least|over) (\d+) in (?P<of>\d+))?(?: and )?"
    r"(?:(at most|under) (\d+) in \d+)?"
)
ROOM = Decimal("1.1")  # two figures are kept out of a million


def plain(words):
    """Without commas inside numbers."""
    return re.sub(r"(?<=\d),(?=\d)", "", words)


def check_belief(sentence, statement, prior, least):
    """One sentence about one prior, read back and compared with its finding."""
    match = BELIEF.fullmatch(sentence)
    assert match, sentence
    found = statement.find("posterior", prior)
    of = int(plain(match["of"]))
    assert Decimal(plain(match["prior"])) == of * Decimal(repr(prior))
    lower = of * Decimal(repr(found.lower)) * FORGIVEN
    upper = of * Decimal(repr(found.upper)) / FORGIVEN
    assert of == max(least, scales(statement, prior))
    if match["nearly"]:
        assert int(plain(match["top"])) == of - 1 < upper
        said = re.fullmatch(r"(?:(possibly under)|at least) (\d+)", plain(match["least"]))
        check_low(int(said[2]), lower, of, counted=not said[1])
        return
    if match["ends"] == "that chance stays the same":
        assert prior in (0.0, 1.0) or float(statement.loss) == 0.0
    else:
        said = ENDS.fullmatch(plain(match["ends"]))
        assert said and (said[1] or said[4]), sentence
        if said[1]:
            check_low(int(said[2]), lower, of, counted=said[1] == "at least")
        if said[4]:
            check_high(int(said[5]), upper, of, counted=said[4] == "at most")
        assert said[1] or lower < 1
        assert said[4] or upper > of - 1
    check_confidence(match["sure"], statement)


def check_low(low, lower, of, *, counted):
    """A lower bound is rounded down, by no more than a count or, of a million, two figures."""
    if not counted:
        assert lower < 1 == low or lower >= low == of - 1
        return
    assert 0 < low < of
    assert low <= lower <= (low * ROOM + 1 if of == 10**6 else low + 1)


def check_high(high, upper, of, *, counted):
    """An upper bound is rounded up likewise."""
    if not counted:
        assert upper <= 1 == high
        return
    assert 0 < high < of
    assert high >= upper >= ((high - 1) / ROOM if of == 10**6 else high - 1)


def scales(statement, *priors):
    """In how many beliefs are counted that start there: a small risk keeps its size."""
    found = [statement.find("posterior", prior) for prior in priors]
    return max(scale(f.prior, f.lower, f.upper) for f in found)


def check_confidence(words, statement):
    """With certainty, or with exactly the confidence assessed."""
    if statement.confidence is None:
        assert words.lower() == "whatever the results show"
    else:
        match = re.fullmatch(r"[Ii]n at least (\S+) of 100 cases", words)
        assert match, words
        assert Decimal(match[1]) == hundredths(statement.confidence)


def check_with_data(sentence, found):
    """With one's data at most so much, where without it was the prior."""
    match = re.fullmatch(
        r"A second question .+ made without the record suggest a (\S+) in ([\d,]+) chance that it "
        r"has a particular value\. Whatever the results show, and whatever someone believed "
        r"before, results made with the record can raise that chance (?:to (at most|under)|almost "
        r"without limit, possibly to over) (\d+) in \d+\."
        r"( This limit is looser because including one record can .+)?",
        plain(sentence),
    )
    assert match, sentence
    of, upper = int(match[2]), found.upper
    assert Decimal(match[1]) == of * Decimal(repr(found.prior))
    exact = of * Decimal(repr(upper)) / FORGIVEN
    if match[3] is None:
        assert int(match[4]) == of - 1 < exact
    elif found.prior not in (0.0, 1.0):
        check_high(int(match[4]), exact, of, counted=match[3] == "at most")


def check_anybody(sentence, statement):
    """The largest change at any prior, and where."""
    change = statement.find("difference")
    largest = max(change.upper, -change.lower)
    moved = re.search(r"by (at most|possibly over|under) (\S+) in ([\d,]+),", sentence)
    if "the chance does not change" in sentence:
        assert float(statement.loss) == 0.0
    else:
        of = int(plain(moved[3]))
        shown, exact = int(plain(moved[2])), of * Decimal(repr(largest))
        if moved[1] == "at most":
            assert exact <= shown * FORGIVEN and (shown - 1) / ROOM <= exact
        else:
            assert (exact > of - 1) if moved[1] == "possibly over" else (exact < 1)
    sure = re.search(r", (whatever the results show|in at least \S+ of 100 cases)\.", sentence)
    check_confidence(sure[1], statement)
    for prior, of in re.findall(r"near (\d+) in (\d+)", plain(sentence)):
        assert 1 <= int(prior) < int(of)


def best(result):
    """The statement from which the headline comes."""
    found = result.statements[0]
    if not contradictions(result.release):
        assert float(found.loss) == min(float(each.loss) for each in result.statements)
    return found


def bare(result, lines):
    """Sentences without what the release cannot keep, and what the numbers rest on."""
    lines, release = list(lines), result.release
    first, last = contradictions(release), conditions(release)
    assert (tuple(lines[: len(first)]), tuple(lines[len(lines) - len(last) :])) == (first, last)
    return lines[len(first) : len(lines) - len(last)]


def opening_scale(result):
    """In how many the headline counts, and so nothing else in fewer."""
    return scales(best(result), result.adversary.middle)


@given(assessments())
@settings(max_examples=40)
def test_sentences_say_what_the_numbers_say(result):
    """Every sentence, read back: priors and confidence exact, both ends on the safe side."""
    lines = bare(result, sentences(result))
    least = opening_scale(result)
    for statement in result.statements:
        assert lines.pop(0) == describe(result.release, statement)
        for prior in result.adversary.priors:
            check_belief(lines.pop(0), statement, prior, least)
            for found in statement.findings:
                if found.metric == "with_data" and found.prior == prior:
                    check_with_data(lines.pop(0), found)
        check_anybody(lines.pop(0), statement)
    assert lines == []


@given(assessments())
@settings(max_examples=40)
def test_headline_is_about_the_middle_prior_and_the_best_statement(result):
    """It is true by itself."""
    release, said = result.release, headline(result)
    for line in contradictions(release):
        said = said.removeprefix(f"{line} ")
    for line in reversed(conditions(release)):
        said = said.removesuffix(f" {line}")
    check_belief(said, best(result), result.adversary.middle, opening_scale(result))
    assert said in sentences(result)
    assert headline(result) == " ".join((*contradictions(release), said, *conditions(release)))


@given(assessments())
@settings(max_examples=40)
def test_no_forbidden_words(result):
    """No comfort, no promise beyond the numbers, no factor on probabilities, no first person."""
    for line in (*sentences(result), headline(result)):
        assert not FORBIDDEN.search(ALLOWED.sub("", line)), line
        assert line[0].isupper() and line.endswith(".")
        assert "  " not in line and "\n" not in line


@given(assessments())
@settings(max_examples=40)
def test_describing_sentence_is_complete(result):
    """Unit, period, neighbors, model and composition stand with the parameters, as given."""
    release = result.release
    for statement in result.statements:
        line = describe(release, statement)
        assert line.startswith("The release promises ")
        unit = normalized_unit(release.unit)
        assert (f"unit: {unit};" if unit else "unit not stated;") in line
        period = {None: "period not stated", "once": "one-off release"}
        assert f"; {period.get(release.period, f'period: {release.period}')};" in line
        assert f"{release.neighbors} neighbors" in line
        assert ("neighbors, assumed" in line) == (not release.neighbors_stated)
        model = {None: "model not stated", "varies": "central and local models"}
        assert model.get(release.model, f"{release.model} model") in line
        for name, text in statement.parts[0].given.items():
            assert name == "sides" or shorter(text) in line
        several = release.releases > 1
        assert (f", in each of {release.releases} releases (" in line) == several
        assert (f"Together, the {release.releases} releases satisfy " in line) == several
        if several:
            assert statement.composed.theorem.says in line
            check_together(line, statement)


def shorter(text):
    """Without zeros in an exponent."""
    return re.sub(r"e([+-]?)0*", lambda found: "e" + found[1].replace("+", ""), text)


def check_together(line, statement):
    """Composed parameters are shown rounded up."""
    whole = line.partition("Together, ")[2].partition(" satisfy ")[2]
    guarantee = statement.composed.guarantee
    parameters = guarantee.parameters
    if guarantee.definition == "privacy-loss":  # one point of its curve
        shown = re.fullmatch(
            r"approximate DP with ε = (\S+), δ = (\S+) \(.*\)\. This is one point .*", whole
        )
        epsilon, delta = float(shown[1]), float(shown[2])
        assert float(guarantee.delta(epsilon)) <= delta * float(FORGIVEN)
        assert float(guarantee.delta(0.999 * epsilon)) > delta or epsilon < 1e-6
    for name, symbol in (("epsilon", "ε"), ("delta", "δ"), ("rho", "ρ"), ("mu", "μ"), ("xi", "ξ")):
        if name in parameters:
            shown = re.search(rf"{symbol} = ([\d.e+-]+)", whole)
            assert Decimal(shown[1]) * FORGIVEN >= Decimal(repr(parameters[name]))


def release(guarantee, **changes):
    """A release with one guarantee."""
    described = {
        "name": "Town survey",
        "unit": "person",
        "period": "once",
        "neighbors": guarantee.neighbors,
        "neighbors_stated": True,
        "model": "central",
        "parts": (Part(guarantee),),
    }
    return Release(**{**described, **changes})


def said(guarantee, *priors, **changes):
    """The sentences about one guarantee."""
    return sentences(assess(release(guarantee, **changes), Adversary(priors=priors or (0.5,))))


def test_parts_are_listed_as_given():
    """Counts, labels and the text of the author; a mechanism is named with what it keeps."""
    parts = (
        Part(PureDP(0.1, neighbors="add-remove"), 30, "each day", {"epsilon": "0.10"}),
        Part(
            ApproxDP(1.0, 1e-9, neighbors="add-remove"),
            given={"epsilon": "1", "delta": "1e-9"},
        ),
        Part(
            PureDP(0.5, neighbors="add-remove"),
            given={"kind": "randomized-response", "epsilon": "0.5"},
        ),
    )
    line = said(PureDP(1.0, neighbors="add-remove"), parts=parts)[0]
    assert (
        "pure DP with ε = 0.10 (30 times) for each day; approximate DP with ε = 1, δ = 1e-9; and "
        in line
    )
    assert "randomized response (epsilon 0.5), satisfying pure DP with ε = 0.5" in line
    shown = re.search(
        r"Together, the 32 outputs satisfy approximate DP with ε = (\S+), δ = (\S+) \(", line
    )
    assert shown[2] == "1e-8"  # 1e-9 is given away
    assert float(shown[1]) < 4.5  # the sum


def test_mechanisms_are_named():
    """What was run, with its parameters as given and what it satisfies."""
    parts = (
        Part.of(Geometric(10.0, 1, neighbors="add-remove"), 30, "counts"),
        Part.of(SampleRelease(1, 1000, neighbors="add-remove")),
        Part.of(PairOfDistributions([0.5, 0.5], [0.25, 0.75], neighbors="add-remove")),
    )
    line = said(PureDP(1.0, neighbors="add-remove"), parts=parts)[0]
    assert (
        "uses geometric noise (scale 10.0, sensitivity 1) for counts, 30 times, each time "
        "satisfying pure DP with ε = 0.1" in line
    )
    assert "a sample of the records themselves (sample 1, population 1000), satisfying" in line
    assert "a pair of distributions" in line


def test_a_point_of_a_curve_that_gives_much_away():
    """No small delta is kept: one that is, or the change that is left at epsilon 0."""
    for sample in (1, 10, 250):
        part = Part.of(SampleRelease(sample, 1000, neighbors="replace-one"), 2)
        adversary = Adversary(secret="attribute", confidence=0.5)
        whole = release(PureDP(1.0, neighbors="replace-one"), parts=(part,))
        (statement,) = assess(whole, adversary).statements
        check_together(describe(whole, statement), statement)


def test_every_kind_of_file_has_a_name():
    known = texts("en", "explain")
    named = {key.partition(".")[2] for key in known if key.startswith("mechanism.")}
    # labels of losses that no file names: several uses, a range of rates, a sample of any mechanism
    labels = {"exponential.times", "gaussian-range", "poisson-subsampled"}
    assert named - labels == set(kinds())


@pytest.mark.parametrize(
    ("unit", "who"),
    [
        (None, "this person"),
        ("Person-level", "this person"),
        ("household", "this household"),
        ("User-day-level", "this user-day"),
        ("Person-level; housing-unit-level", "this person and this housing unit"),
    ],
)
def test_sentences_are_about_the_unit(unit, who):
    """What is protected is what is talked about, and not always a person."""
    belief, with_data = said(PureDP(1.0, neighbors="add-remove"), unit=unit)[1:3]
    several = " and " in who
    person = who == "this person"
    record = f"{who}'s record" if person else f"the record{'s' * several} of {who}"
    named = "these records" if several else "this record"
    present = who if person else named
    assert f"chance that {present} {'are' if several else 'is'} in the data" in belief
    assert f"how much {record} adds." in with_data
    belief = sentences(
        assess(
            release(PureDP(1.0, neighbors="replace-one"), unit=unit),
            Adversary(secret="attribute", priors=(0.5,)),
        )
    )[1]
    value = "have particular values" if several else "has a particular value"
    assert f"chance that {record if person else named} {value}" in belief


def test_certainty_is_for_those_who_had_it():
    """At an epsilon of 800 a float is 1, but no belief is certain that was not before."""
    lines = said(PureDP(800.0, neighbors="add-remove"), 0.5, 1.0)
    assert (
        "There is almost no limit. The chance afterwards is possibly under 1 in 100, possibly over "
        "99 in 100, or anywhere in between." in lines[1]
    )
    assert "can raise that chance almost without limit, possibly to over 99 in 100." in lines[2]
    assert "Whatever the results show, that chance stays the same." in lines[3]
    assert "the chance changes by possibly over 99 in 100" in lines[-1]
    assert "from a prior below 1 in 100, and the largest fall from a prior above 99" in lines[-1]


def test_a_release_that_says_nothing():
    """At epsilon 0 beliefs stay where they are."""
    lines = said(PureDP(0.0, neighbors="add-remove"), 0.25)
    assert lines[1].endswith("Whatever the results show, that chance stays the same.")
    assert lines[-1] == ("From any prior, the chance does not change, whatever the results show.")


def test_polygons_and_curves():
    """Few corners are not needed to say what is promised, and many are not listed."""
    polygon = FDP([0.0, 0.2, 1.0], [1.0, 0.4, 0.0], neighbors="add-remove")
    lines = sentences(assess(polygon, Adversary(confidence=0.5)))
    assert lines[0].startswith("The release promises f-DP (unit")
    orders = RenyiDP([2.0, 3.0], [1.0, 2.0], neighbors="add-remove")
    assert "Rényi DP with α = (2.0, 3.0), γ = (1.0, 2.0)" in said(orders)[0]
    twice = said(orders, releases=2)[0]
    assert "Together, the 2 releases satisfy Rényi DP with α = (2, 3), γ = (2, 4)" in twice


def test_without_a_number():
    """One sentence with the reason, whichever is asked for."""
    silent = release(
        PureDP(1.0, neighbors="add-remove"),
        parts=(),
        notes=(Note("unusable", "It gives no number."),),
    )
    result = assess(silent)
    assert headline(result) == "Town survey cannot be assessed. It gives no number."
    assert sentences(result) == (headline(result),)
