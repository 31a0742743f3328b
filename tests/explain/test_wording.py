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
from dprisk.assessment import natural_secret
from dprisk.explain import describe, headline, sentences
from dprisk.mechanisms import KINDS, Geometric
from dprisk.mechanisms.pair_of_distributions import PairOfDistributions
from dprisk.mechanisms.sample_release import SampleRelease
from dprisk.releases import Note, Part, Release
from dprisk.text.en.explain.phrases import NAMES

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
    r"Somebody who puts the chances that (?P<secret>.+) at (?P<prior>\S+) in (?P<of>[\d,]+) may "
    r"put them, having seen the results, (?P<ends>.+) \((?P<sure>[^()]+)\)\."
)
HIGH = {
    "at (\\d+) in {of} at most": None,
    "even above {top} in {of}": 1.0,
    "below 1 in {of}": 0.0,
}
LOW = {
    "at (\\d+) in {of} at least": None,
    "even below 1 in {of}": 0.0,
    "above {top} in {of}": 1.0,
}
ROOM = Decimal("1.1")  # two figures are kept out of a million


def plain(words):
    """Without commas inside numbers."""
    return re.sub(r"(?<=\d),(?=\d)", "", words)


def end(words, forms, of):
    """The bound that words state, in chances out of so many, and whether it is a number."""
    for form, bound in forms.items():
        match = re.fullmatch(form.format(of=of, top=of - 1), words)
        if match and bound is None:
            return int(match[1]), True
        if match:
            inside = 1 if form.startswith("below") else of - 1 if "{top}" in form else 0
            return (inside if forms is LOW or inside == 1 else of), False
    raise AssertionError(words)


def check_belief(sentence, statement, prior):
    """One sentence about one prior, read back and compared with its finding."""
    match = BELIEF.fullmatch(sentence)
    assert match, sentence
    found = statement.find("posterior", prior)
    of = int(plain(match["of"]))
    assert Decimal(plain(match["prior"])) == of * Decimal(repr(prior))
    lower = of * Decimal(repr(found.lower)) * FORGIVEN
    upper = of * Decimal(repr(found.upper)) / FORGIVEN
    both = {
        f"anywhere from below 1 in {of} to above {of - 1} in {of}": (0, of),
        f"above {of - 1} in {of} in any case": (of - 1, of),
        f"below 1 in {of} in any case": (0, 1),
    }
    words = plain(match["ends"])
    if words in both:
        low, high = both[words]
        assert low <= lower and upper <= high
    else:
        first, second = words.split(" and ")
        (high, counted), (low, counted_too) = end(first, HIGH, of), end(second, LOW, of)
        assert low <= lower <= low * ROOM + 1
        assert (high - 1) / ROOM <= upper <= high
        if of < 10**6:
            assert lower <= low + 1 and high - 1 <= upper
        certain = prior in (0.0, 1.0)
        assert certain or not counted or 0 < high < of
        assert certain or not counted_too or 0 < low < of
    check_scale(of, prior, found)
    check_confidence(match["sure"], statement)


def check_scale(of, prior, found):
    """A small risk keeps its size: nothing below 1 in 100 is counted in hundreds."""
    moved = max(found.upper - prior, prior - found.lower)
    small = 0.0 < prior < 1.0 and moved > 0.0 and min(prior, 1 - prior, moved) < 0.01
    assert (of > 100) == small


def check_confidence(words, statement):
    """With certainty, or with exactly the confidence assessed."""
    if statement.confidence is None:
        assert words == "whatever the results turn out to be"
    else:
        match = re.fullmatch(r"with a confidence of at least (\S+)%", words)
        assert match, words
        assert Decimal(match[1]) == hundredths(statement.confidence)


def check_with_data(sentence, found):
    """With one's data at most so much, where without it was the prior."""
    match = re.fullmatch(
        r"Where results made without .+ at (\S+) in ([\d,]+), results made with them lead to (.+) "
        r"\(whatever they turn out to be, if .+ independent of all others\)\.",
        sentence,
    )
    assert match, sentence
    of = int(plain(match[2]))
    assert Decimal(plain(match[1])) == of * Decimal(repr(found.prior))
    words = plain(match[3]) if match[3].startswith(("even", "below")) else f"at {plain(match[3])}"
    high, counted = end(words, HIGH, of)
    assert (high - 1) / ROOM <= of * Decimal(repr(found.upper)) / FORGIVEN <= high
    assert found.prior in (0.0, 1.0) or not counted or 0 < high < of


def check_anybody(sentence, statement):
    """The largest change at any prior, and where."""
    change = statement.find("difference")
    largest = hundredths(max(change.upper, -change.lower))
    moved = re.search(r"by at most (\S+) percentage points", sentence)
    if "do not move the belief" in sentence:
        assert float(statement.loss) == 0.0
    elif moved:
        assert largest <= Decimal(moved[1]) * FORGIVEN < 100 * FORGIVEN
        assert Decimal(moved[1]) <= largest * Decimal("1.11")
    else:
        assert "by even more than 99 percentage points" in sentence
        assert largest > 99
    sure = re.search(r"\(([^()]+)\)\.$", sentence)
    check_confidence(sure[1], statement)
    for prior in re.findall(r"near (\d+) in 100", sentence):
        assert 1 <= int(prior) <= 99


@given(assessments())
@settings(max_examples=40)
def test_sentences_say_what_the_numbers_say(result):
    """Every sentence, read back: priors and confidence exact, both ends on the safe side."""
    lines = list(sentences(result))
    for statement in result.statements:
        assert lines.pop(0) == describe(result.release, statement)
        for prior in result.adversary.priors:
            check_belief(lines.pop(0), statement, prior)
            for found in statement.findings:
                if found.metric == "with_data" and found.prior == prior:
                    check_with_data(lines.pop(0), found)
        check_anybody(lines.pop(0), statement)
    assert lines == []


@given(assessments())
@settings(max_examples=40)
def test_headline_is_about_the_middle_prior_and_the_best_statement(result):
    """It is true by itself."""
    best = min(result.statements, key=lambda statement: float(statement.loss))
    priors = result.adversary.priors
    check_belief(headline(result), best, priors[len(priors) // 2])
    assert headline(result) in sentences(result)


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
        assert (f"unit: {release.unit}" if release.unit else "unit not stated") in line
        assert (f"period: {release.period}" if release.period else "period not stated") in line
        assert f"{release.neighbors} neighbors" in line
        assert ("neighbors assumed" in line) == (not release.neighbors_stated)
        assert (f"{release.model} model" if release.model else "model not stated") in line
        for name, text in statement.parts[0].given.items():
            assert name == "sides" or text in line
        several = release.releases > 1
        assert (f", {release.releases} times over (" in line) == several
        assert ("): together at most " in line) == several
        if several:
            assert statement.composed.theorem.says in line
            check_together(line, statement)


def check_together(line, statement):
    """Composed parameters are shown rounded up."""
    whole = line.partition("together at most ")[2]
    guarantee = statement.composed.guarantee
    parameters = guarantee.parameters
    if guarantee.definition == "privacy-loss":  # one point of its curve
        shown = re.fullmatch(r"approximate DP with ε = (\S+), δ = (\S+), a point .*", whole)
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
    assert "30 × pure DP with ε = 0.10 for each day and approximate DP with ε = 1, δ = 1e-9" in line
    assert "randomized response (epsilon 0.5), which keeps pure DP with ε = 0.5" in line
    shown = re.search(r"together at most approximate DP with ε = (\S+), δ = (\S+), a", line)
    assert shown[2] == "1e-8"  # 1e-9 is given away
    assert float(shown[1]) < 4.5  # the sum


def test_mechanisms_are_named():
    """What was run, with its parameters as given and what it keeps."""
    parts = (
        Part.of(Geometric(10.0, 1, neighbors="add-remove"), 30, "counts"),
        Part.of(SampleRelease(1, 1000, neighbors="add-remove")),
        Part.of(PairOfDistributions([0.5, 0.5], [0.25, 0.75], neighbors="add-remove")),
    )
    line = said(PureDP(1.0, neighbors="add-remove"), parts=parts)[0]
    assert "30 × geometric noise (scale 10.0, sensitivity 1), which keeps pure DP with" in line
    assert "a sample of the records themselves (sample 1, population 1000), which keeps" in line
    assert "a pair of distributions, which keeps f-DP" in line


def test_a_point_of_a_curve_that_gives_much_away():
    """No small delta is kept: one that is, or the change that is left at epsilon 0."""
    for sample in (1, 10, 250):
        part = Part.of(SampleRelease(sample, 1000, neighbors="replace-one"), 2)
        adversary = Adversary(secret="attribute", confidence=0.5)
        whole = release(PureDP(1.0, neighbors="replace-one"), parts=(part,))
        (statement,) = assess(whole, adversary).statements
        check_together(describe(whole, statement), statement)


def test_every_kind_of_file_has_a_name():
    named = {key.partition(".")[2] for key in NAMES if key.startswith("mechanism.")}
    assert named == set(KINDS)


@pytest.mark.parametrize(
    ("unit", "who"),
    [
        (None, "the person"),
        ("Person-level", "the person"),
        ("household", "the household"),
        ("User-day-level", "the user-day"),
        ("Person-level; housing-unit-level", "the person or housing-unit"),
    ],
)
def test_sentences_are_about_the_unit(unit, who):
    """What is protected is what is talked about, and not always a person."""
    belief, with_data = said(PureDP(1.0, neighbors="add-remove"), unit=unit)[1:3]
    assert f"the chances that {who} is in the data" in belief
    assert f"without the data of {who} would" in with_data
    belief = sentences(
        assess(
            release(PureDP(1.0, neighbors="replace-one"), unit=unit),
            Adversary(secret="attribute", priors=(0.5,)),
        )
    )[1]
    assert f"the record of {who} says one thing rather than another" in belief


def test_certainty_is_for_those_who_had_it():
    """At an epsilon of 800 a float is 1, but no belief is certain that was not before."""
    lines = said(PureDP(800.0, neighbors="add-remove"), 0.5, 1.0)
    assert (
        "anywhere from below 1 in 100 to above 99 in 100 (whatever the results turn out to be)"
        in lines[1]
    )
    assert "lead to even above 99 in 100 (whatever" in lines[2]
    assert "at 100 in 100 at most and at 100 in 100 at least" in lines[3]
    assert "by even more than 99 percentage points" in lines[-1]
    assert "starts below 1 in 100 (up) or above 99 in 100 (down)" in lines[-1]


def test_a_release_that_says_nothing():
    """At epsilon 0 beliefs stay where they are."""
    lines = said(PureDP(0.0, neighbors="add-remove"), 0.25)
    assert (
        "at 25 in 100 at most and at 25 in 100 at least (whatever the results turn out to be)"
        in lines[1]
    )
    assert lines[-1] == (
        "Whatever somebody thought before, the results do not move the belief (whatever the "
        "results turn out to be)."
    )


def test_polygons_and_curves():
    """Few corners are not needed to say what is promised, and many are not listed."""
    polygon = FDP([0.0, 0.2, 1.0], [1.0, 0.4, 0.0], neighbors="add-remove")
    lines = sentences(assess(polygon, Adversary(confidence=0.5)))
    assert lines[0].startswith("The release promises f-DP (unit")
    orders = RenyiDP([2.0, 3.0], [1.0, 2.0], neighbors="add-remove")
    assert "Rényi DP with α = (2.0, 3.0), γ = (1.0, 2.0)" in said(orders)[0]
    assert "together at most Rényi DP with α = (2, 3), γ = (2, 4)" in said(orders, releases=2)[0]


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
