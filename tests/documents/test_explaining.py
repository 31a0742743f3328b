"""Explanations: whatever is promised, and whoever reads, they say no more than the numbers."""

from __future__ import annotations

import math
import re
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import Any

from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from dprisk import (
    Adversary,
    ApproxDP,
    DpriskError,
    GaussianDP,
    PureDP,
    ZeroConcentratedDP,
    assess,
    counterfactual,
)
from dprisk.accountant.privacy_loss import PrivacyLoss
from dprisk.documents import assess_tests, explain
from dprisk.documents.explaining import AUDIENCES
from dprisk.errors import Meaningless, OutOfRange
from dprisk.mechanisms import DiscreteGaussian
from dprisk.releases import Part, Release
from dprisk.risk import attack
from dprisk.text import BELOW, texts
from tests.documents.test_beliefs import FORGIVEN, guarantees
from tests.properties.zoo import EXAMPLES, QUICK

A: Any = {"neighbors": "add-remove"}
R: Any = {"neighbors": "replace-one"}
QUICKLY = (Phase.explicit, Phase.generate)  # an explanation does not shrink in reasonable time
CLAIM = "your manager concludes that you answered No"
FORBIDDEN = re.compile(
    r"\b(?:safe\w*|secure\w*|private|protect\w*|anonym\w*|no risk|risk[- ]free|harmless|negligible"
    r"|perfect\w*|times (?:more|less|as) likely|guarante\w*|budget|never|impossible|strong\w*"
    r"|I|we|our|1 in \d+|None|nan|inf)\b"
)
FLOORS = re.compile(r"\b(?:above 99|below 1|over 99|under 1|at most 1|1) in 100(?:0{1,4})?\b")
JARGON = re.compile(r"epsilon|delta|[εδρμαγξ]|nats?\b|log-odds|odds|adversar|mechanism|add-remove")
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w])")
EXTREMES = [
    *(PureDP(epsilon, **R) for epsilon in (0.0, 1e-300, 1e-6, 10.0, 700.0)),
    *(
        ApproxDP(epsilon, delta, **A)
        for epsilon in (0.0, 1e-6, 10.0, 700.0)
        for delta in (1e-300, 0.2, 1.0)
    ),
]


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


@cache
def fixed():
    """Every class of guarantee and the extremes, for everybody."""
    slow = ("renyi", "concentrated", "approximate-curve", "bounded")
    plain = [g for g in EXAMPLES if g.definition not in slow]
    rest = [g for g in EXAMPLES if g not in plain]
    made = [
        (release(g), explain(release(g), audience, after=[2]))
        for g in [*plain, *EXTREMES]
        for audience in AUDIENCES
    ]
    slow = [(release(g), explain(release(g), "data-subject", after=[2])) for g in rest]
    return made + slow


@st.composite
def cases(draw):
    """A random release, a random reader, and what was asked."""
    neighbors = draw(st.sampled_from(["add-remove", "replace-one"]))
    some = guarantees(neighbors)
    guarantee = draw(st.one_of(some, *QUICK.values()) if neighbors == "add-remove" else some)
    described = release(
        guarantee,
        unit=draw(st.sampled_from(["person", "User-day-level", "household", None])),
        period=draw(st.sampled_from(["once", "day", None])),
        neighbors_stated=draw(st.booleans()),
        model=draw(st.sampled_from(["central", "local", "varies", None])),
        invariants=draw(st.sampled_from([(), ("total population", "99 houses")])),
    )
    asked = {
        "claim": draw(st.sampled_from([None, CLAIM, "you have 7 children"])),
        "priors": draw(
            st.lists(st.sampled_from([0.0, 1e-12, 0.01, 0.125, 0.5, 0.999, 1.0]), max_size=2)
        ),
        "confidence": draw(st.sampled_from([None, None, 0.9, 0.9512345])),
        "after": [1, 2],
    }
    try:
        return described, asked, explain(described, draw(st.sampled_from([*AUDIENCES])), **asked)
    except DpriskError:  # a confidence that a delta does not allow; two steps that no theorem takes
        assume(False)


def bare(sentence):
    """The text without what others wrote."""
    text = str(sentence)
    for given_name in sorted(sentence.names, key=len, reverse=True):
        text = text.replace(given_name, "")
    return ungrouped(text)


def ungrouped(text):
    """Without commas inside numbers."""
    return re.sub(r"(?<=\d),(?=\d{3})", "", text)


def check_words(sentence):
    assert not FORBIDDEN.search(FLOORS.sub("", bare(sentence))), sentence.text
    assert "{" not in bare(sentence) and "  " not in sentence.text
    assert sentence.text[-1] in ".)", sentence.text
    first = sentence.text[0]
    assert first.isupper() or first in "“δε(" or sentence.key.startswith("formula"), sentence.text


def template_digits(sentence):
    """Digits that stand in the templates themselves: "in 100", "99 in 100", formulas."""
    if sentence.key.startswith(("formula", "computed", "delta.profile")):
        return {"100", *NUMBER.findall(texts("en", "explain")[sentence.key])}  # of 100 cases
    text = ungrouped(sentence.text)
    edges = re.findall(rf"(?:above|over|below|under) ({NUMBER.pattern})", text)
    return {"100", "1000", "1000000"} | set(edges)


def check_numbers(sentence):
    """Every number in the text is one of its numbers, rounded to the side that it says."""
    shown = ungrouped(" ".join(number.shown for number in sentence.numbers))
    allowed = {*NUMBER.findall(shown), *template_digits(sentence)}
    if "(δ = 0)" in sentence.text:
        allowed.add("0")
    if "near 0" in sentence.text:
        allowed.add("0")
    found = {*NUMBER.findall(bare(sentence))}
    assert found <= allowed, (sentence.text, found - allowed)
    for number in sentence.numbers:
        check_rounding(number)


CHANCES = re.compile(r"([\d.,e+-]+) (?:in|of) ([\d,]+)$")


POSSIBLE = {("at most", "over"), ("at least", "under")}


def check_rounding(number):
    """As a count out of a hundred, a thousand or a million, or as it is, to the safe side."""
    counted = CHANCES.search(number.shown)
    written = counted[1] if counted else NUMBER.search(ungrouped(number.shown))[0]
    of = int(counted[2].replace(",", "")) if counted else 1
    value = Decimal(repr(float(number.value)))
    if not counted and number.quantity in ("confidence", "failure"):
        of = 100
    text = Decimal(written.replace(",", ""))
    value *= of
    if number.direction == "nearest":
        assert abs(text - value) <= (1 if of > 1 else Decimal("0.001"))
    elif number.shown.startswith(("possibly over", "over")) and of == 1:
        assert value > text
        assert number.shown.startswith("possibly") == (number.direction == "at most"), number
    elif edge := re.match("(possibly )?(under|over)", number.shown):
        assert (value < 1) if edge[2] == "under" else (value > of - 1)
        assert bool(edge[1]) == ((number.direction, edge[2]) in POSSIBLE)
    elif number.direction == "given":
        assert text in (value, Decimal(repr(float(number.value)))), number
    elif number.direction == "at most":
        assert value <= text * FORGIVEN, number
    elif number.direction == "at least":
        assert text <= value * FORGIVEN, number


def check_certainty(sentence):
    """0 and 100 in 100 are for whoever was certain before."""
    for found in re.findall(r"\b(0|100) (?:in|of) 100\b", bare(sentence)):
        whole = float(found) / 100
        put_in = [n.value for n in sentence.numbers if n.direction == "given"]
        assert whole in put_in, sentence.text


def check_directions(sentence):
    """At most and at least go with an upper and a lower bound, or with a confidence."""
    text = bare(sentence)
    pairs = re.findall(r"\bat (most|least) (\d[\d.,e+-]*)", text)
    pairs += [(w, n) for n, w in re.findall(r"(\d[\d.,e+-]*) in [\d,]+ at (most|least)", text)]
    for way, figure in pairs:
        ways = {
            n.direction
            for n in sentence.numbers
            if figure.rstrip(".,") in ungrouped(n.shown).split()[:1]
        }
        sure = way == "least" and any(n.quantity == "confidence" for n in sentence.numbers)
        assert f"at {way}" in ways or sure, sentence.text


def check_all(made):
    for sentence in made.sentences:
        check_words(sentence)
        check_numbers(sentence)
        check_certainty(sentence)
        check_directions(sentence)


def test_words_numbers_and_directions_of_every_class():
    for _, made in fixed():
        check_all(made)


@given(cases())
@settings(max_examples=30, phases=QUICKLY)
def test_words_numbers_and_directions_of_random_ones(case):
    check_all(case[2])


def numbers_in(data):
    """Every number in plain data."""
    if isinstance(data, dict):
        data = list(data.values())
    if isinstance(data, list | tuple):
        return {number for item in data for number in numbers_in(item)}
    return {float(data)} if isinstance(data, int | float) and not isinstance(data, bool) else set()


def everything_known(described, asked, made):
    """What assessments, attacks and comparisons say about the same release."""
    priors = tuple(asked["priors"]) or AUDIENCES[made.audience].priors
    start = priors[0] if asked["priors"] else 0.1
    known = {*numbers_in(asked), *priors, start, math.inf}
    for confidence in (asked["confidence"], 0.99, 0.95, 0.9, 0.75, 0.5):
        known |= {confidence or 0.0, float(1 - Decimal(repr(confidence or 0.0)))}
        for times in (1, *asked["after"]):
            adversary = Adversary(secret=made.secret, priors=priors, confidence=confidence)
            try:
                found = assess(replace(described, releases=times), adversary)
            except OutOfRange:
                continue
            known |= numbers_in(found.to_dict())
            guarantee = found.statements[0].composed.guarantee
            known |= attack_numbers(described, guarantee, made, start)
            known |= compared_numbers(guarantee, start)
    return known


def attack_numbers(described, guarantee, made, start):
    levels = AUDIENCES[made.audience].levels
    if not levels:
        return set()
    found = assess_tests(
        described, secret=made.secret, levels=levels, priors=[start]
    ).curve.to_dict()
    advantage = found["advantage"]["upper"]
    best = attack(guarantee, secret=made.secret).advantage().value
    opposite = float(1 - Decimal(repr(start)))
    return numbers_in(found) | {(1 + advantage) / 2, (1 + best) / 2, opposite}


def compared_numbers(guarantee, start):
    """Beliefs with the record, and what delta is left over."""
    world = "dropped" if guarantee.neighbors == "add-remove" else "resampled"
    left = float(guarantee.delta(math.inf))
    known = {left, *guarantee.delta([0.0, 1e-9]).value.tolist()}
    with suppress(DpriskError):
        known.add(float(guarantee.for_neighbors("replace-one").delta(math.inf)))
    try:
        found = counterfactual(guarantee, adversary="wrong-prior", replacement=world)
    except Meaningless:
        return known
    return known | {float(found.belief(start))}


@given(cases())
@settings(max_examples=8, phases=QUICKLY)
def test_every_number_is_known_elsewhere(case):
    """No number is made up: each is a result of the library, or was put in."""
    described, asked, made = case
    known = sorted(everything_known(described, asked, made))
    for sentence in made.sentences:
        for number in sentence.numbers:
            if number.quantity in ("delta", "epsilon") and "curve" in sentence.key:
                continue  # a point on the profile: see below
            near = any(
                math.isclose(number.value, k, rel_tol=1e-15) or number.value == k for k in known
            )
            beyond = number.quantity == "odds" and number.value in (1e308, math.nextafter(1, 2))
            assert near or beyond, (sentence.text, number)


def test_a_point_on_a_curve_is_kept():
    for guarantee in (GaussianDP(1.0, **A), ZeroConcentratedDP(0.5, delta=1e-3, **A)):
        made = explain(guarantee, "regulator", after=[2])
        (sentence,) = [s for s in made.sentences if s.key == "delta.curve-given.full"]
        delta, epsilon = sentence.numbers
        assert guarantee.delta(float(epsilon.shown)).value <= float(delta.shown)


def test_order_and_completeness():
    """Topics as the audience lists them, none of them empty; or the reason why there are none."""
    for described, made in fixed():
        topics = [section.topic for section in made.sections]
        listed = AUDIENCES[made.audience].topics
        if topics[0] == "silent":
            assert topics == ["silent", "not-covered"]
        else:
            missing = set(listed) - set(topics)
            assert topics == [topic for topic in listed if topic in topics]
            assert "factors" in missing  # which only a question about both has
            missing.remove("factors")
            assert missing <= {"delta", "any-reader", "value", "notes", "exceptions", "worst-case"}
            assert ("notes" in missing) == ("notes" in listed and not described.notes)
            if missing & {"exceptions", "worst-case"}:  # of next to no limit, in plain words
                assert AUDIENCES[made.audience].register == "plain"
                assert "headline.nearly-all" in [one.key for one in made.sections[0].sentences]
        assert all(section.title and section.sentences for section in made.sections)


def test_lay_readers_get_short_sentences_without_jargon():
    for _, made in fixed():
        if made.audience != "data-subject":
            continue
        texts = [
            bare(s) for s in made.sentences if "expert" not in s.key and "promise" not in s.key
        ]
        assert not JARGON.search(" ".join(texts))
        lengths = [len(one.split()) for text in texts for one in re.split(r"[.:] ", text)]
        assert max(lengths) <= 33
        assert sum(lengths) / len(lengths) <= 15


def test_others_are_not_addressed():
    for _, made in fixed():
        if made.audience != "data-subject":
            assert not re.search(r"\b(?:you|your)\b", str(made))


def test_every_audience_says_unit_period_neighbors_and_model_beside_the_number():
    for audience in AUDIENCES:
        text = str(explain(release(ApproxDP(0.1, 1e-7, **A)), audience))
        (line,) = [line for line in text.splitlines() if "δ = 1e-7" in line and "unit" in line]
        assert "(unit: person; one-off release; add-remove neighbors; central model)" in line


def test_sentences_name_their_template():
    """Formal falls back to full, and nothing to plain."""
    assert BELOW["formal"] == ("formal", "full")
    for _, made in fixed():
        for sentence in made.sentences:
            assert sentence.key in texts("en", "explain")
            *_, last = sentence.key.split(".")
            other = ("full", "formal") if AUDIENCES[made.audience].register == "plain" else "plain"
            assert last not in other


def test_a_loss_is_asked_for_once(monkeypatch):
    """The confidence of the limit is that of the exceptions, to the last digit."""
    asked = []
    formula = PrivacyLoss._loss_bound

    def counted(self, failure, *options):
        asked.append((id(self), *failure.tolist(), *options))
        return formula(self, failure, *options)

    monkeypatch.setattr(PrivacyLoss, "_loss_bound", counted)
    mixed = Part.of(DiscreteGaussian(10.0, 1, **A)), Part(ZeroConcentratedDP(0.05, **A))
    made = release(ZeroConcentratedDP(0.05, **A), parts=mixed)
    assert any("no limit" in line for line in str(explain(made)).splitlines())
    assert {failure for _, failure, *_ in asked} == {0.0, 0.01}
    assert len(asked) == len(set(asked))
