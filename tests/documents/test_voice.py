"""The voice of every document: short sentences, plain words, sizes kept, one number a question."""

from __future__ import annotations

import math
import random
import re
from functools import cache

import pytest

from dprisk import (
    Adversary,
    ApproxDP,
    GaussianDP,
    ProbabilisticDP,
    PureDP,
    ZeroConcentratedDP,
    assess,
)
from dprisk.composition.analysis import natural_secret
from dprisk.documents import explain, headline, report
from dprisk.documents.beliefs import sentences
from dprisk.documents.explaining import AUDIENCES
from dprisk.releases import Part, Release
from dprisk.text import AREAS, texts
from tests.documents.test_explaining import bare

CASES = 200
LONGEST, MEAN = 25, 15  # words of a sentence for lay readers
UNITS = (None, "person", "household", "user-day", "device-day", "event", "person; housing unit")
PRIVATE = re.compile(
    r"\b(?:somebody|anybody|nobody's|everybody|whoever|whomever|taken for granted|again and again"
    r"|what adds up|as releases go on|how to get it again|one thing rather than another|such as may"
    r"|turn out to be|having seen the results|put the chances|whoever makes|made-up data"
    r"|how records come about|worst that can keep|is to say what)\b",
    re.IGNORECASE,
)
"""What has a name, and was called something else; what is not said any more."""
CHANCE = re.compile(r"([\d,.]+) in (1,000,000|1,000|100)\b")


@cache
def cases():
    """Random releases, the same each time, with whoever asks."""
    rng = random.Random(20200401)
    made = []
    for _ in range(CASES):
        neighbors = rng.choice(["add-remove", "replace-one"])
        promise = rng.choice(
            [
                lambda n: PureDP(10 ** rng.uniform(-5, 1.2), neighbors=n),
                lambda n: ApproxDP(
                    10 ** rng.uniform(-3, 1), 10 ** rng.uniform(-9, -3), neighbors=n
                ),
                lambda n: ProbabilisticDP(10 ** rng.uniform(-3, 1), 1e-4, neighbors=n),
                lambda n: GaussianDP(10 ** rng.uniform(-3, 0.7), neighbors=n),
                lambda n: ZeroConcentratedDP(10 ** rng.uniform(-6, 1), neighbors=n),
            ]
        )(neighbors)
        release = Release(
            name="Town survey",
            unit=rng.choice(UNITS),
            period=rng.choice(["once", "day", None]),
            neighbors=neighbors,
            neighbors_stated=rng.random() < 0.7,
            model=rng.choice(["central", "local", "shuffle", "federated", "varies", None]),
            parts=(Part(promise),),
            releases=rng.choice([1, 1, 1, 2]),
        )
        made.append((release, rng.choice([0.1, 0.1, 0.5, 0.01, 0.001, 2e-5])))
    return made


@cache
def everything(audience):
    """What each of them is told."""
    return [(r, prior, explain(r, audience, priors=[prior], after=[2])) for r, prior in cases()]


def documents(audience):
    """All of it is read for the data subject, and some for others."""
    return everything(audience)[: None if audience == "data-subject" else 40]


@cache
def assessments():
    """What is found about each of them."""
    return [
        assess(release, Adversary(secret=natural_secret(release), priors=(prior,)))
        for release, prior in cases()
    ]


def spoken(made):
    """The sentences that are not quoted from a file, or for experts."""
    for sentence in made.sentences:
        if "expert" not in sentence.key and "promise" not in sentence.key:
            yield sentence


def test_lay_sentences_are_short():
    lengths = [
        len(one.split())
        for _, _, made in documents("data-subject")
        for sentence in spoken(made)
        for one in re.split(r"(?<=[.:]) ", sentence.text)
    ]
    assert max(lengths) <= LONGEST
    assert sum(lengths) / len(lengths) <= MEAN


@pytest.mark.parametrize("audience", AUDIENCES)
def test_no_private_words_are_said(audience):
    for _, _, made in documents(audience):
        for sentence in made.sentences:
            assert not PRIVATE.search(bare(sentence)), sentence.text


@pytest.mark.parametrize("area", ["explain", "report", "assumptions", "theorems"])
def test_no_private_words_are_in_the_catalogue(area):
    assert area in AREAS
    said = {key: text for key, text in texts("en", area).items() if not key.startswith("claim.")}
    found = {key: text for key, text in said.items() if PRIVATE.search(text)}
    assert found == {}


def test_a_private_word_is_caught():
    assert PRIVATE.search("Somebody who is right, whatever the results turn out to be.")


def moved(assessed, prior):
    """Both ends of what the headline is about."""
    found = assessed.statements[0].find("posterior", prior)
    return found.lower, found.upper


def test_small_chances_keep_their_size():
    """Where the start or the change is below one in a hundred, it is not counted in hundreds."""
    small = 0
    for (_, prior, made), assessed in zip(documents("data-subject"), assessments(), strict=True):
        low, high = moved(assessed, prior)
        change = max(high - prior, prior - low)
        opening = " ".join(made.sections[0].sentences[at].text for at in (0, 1))
        scales = {of for _, of in CHANCE.findall(opening)}
        assert len(scales) == 1, opening
        if 0.0 < change < 0.01 or prior < 0.01:
            small += 1
            assert scales <= {"1,000", "1,000,000"}, opening
        if prior < 0.001:
            assert scales == {"1,000,000"}, opening
    assert small > CASES / 5


@pytest.mark.parametrize("audience", AUDIENCES)
def test_one_question_one_number(audience):
    """Every document opens with the question of assess, and with its number."""
    for (_, prior, told), assessed in zip(documents(audience), assessments(), strict=False):
        low, high = moved(assessed, prior)
        opening = [n for s in told.sections[0].sentences for n in s.numbers]
        starts = {n.value for n in opening if n.quantity == "prior"}
        ups = {n.value for n in opening if (n.quantity, n.direction) == ("posterior", "at most")}
        downs = {n.value for n in opening if (n.quantity, n.direction) == ("posterior", "at least")}
        assert starts == {prior}
        assert ups <= {high} and downs <= {low}
        assert ups or high == prior


GIVEN = ("releases", "delta", "limit")
"""What a question may name besides a prior."""


def answers(told):
    """Every bound of an explanation by its question: what, from where, given what, which way."""
    for section in told.sections:
        prior, level, releases = None, None, ()
        for sentence in section.sentences:
            given = {n.quantity: n.value for n in sentence.numbers if n.direction == "given"}
            prior = given.get("prior", prior)
            level = given.get("level", level)
            also = tuple((name, given[name]) for name in GIVEN if name in given)
            also += () if level is None else (("level", level),)
            if sentence.key.startswith("time.mostly"):
                also = (*releases, ("confidence", given["confidence"]))
            releases = tuple(pair for pair in also if pair[0] == "releases") or releases
            for number in sentence.numbers:
                if number.direction != "given":
                    yield (number.quantity, prior, also, number.direction), number


def only(found, audience):
    """Each question with its one answer: one value, and one way to write it."""
    known = {}
    for question, number in found:
        said = known.setdefault(question, number)
        assert (said.value, said.shown) == (number.value, number.shown), (audience, question)
    return known


@pytest.mark.parametrize("audience", AUDIENCES)
def test_no_question_has_two_answers_in_a_document(audience):
    for _, _, told in everything(audience):
        assert only(answers(told), audience)


def test_no_question_has_two_answers_in_two_documents():
    """Explanations, the assessment and the summary: the same question, the same number."""
    for at, ((_, prior), made) in enumerate(zip(cases(), assessments(), strict=True)):
        best = min(made.statements, key=lambda statement: float(statement.loss))
        kinds = {"posterior": "posterior", "with_data": "belief with the record"}
        numbers = {}
        for finding in best.findings:
            if finding.metric in kinds and finding.prior is not None:
                ends = (finding.lower, "at least"), (finding.upper, "at most")
                for value, way in ends:
                    numbers[kinds[finding.metric], prior, (), way] = value
        change = best.find("difference")
        numbers["difference", None, (), "at most"] = max(change.upper, -change.lower)
        for audience in AUDIENCES:
            for question, number in answers(everything(audience)[at][2]):
                said = numbers.setdefault(question, number.value)
                assert number.value in (said, math.nextafter(prior, 1.0)), question


def test_the_summary_says_the_same():
    """Its table has the numbers of its headline, as they stand there."""
    for release, prior in cases()[:20]:
        page = report(release, priors=[prior, 0.5]).summary()
        rows = re.findall(r"^\| (.+) \|$", page.to_markdown(), re.MULTILINE)
        (line,) = re.findall(r"^\*\*(Suppose .+)\*\*$", page.to_markdown(), re.MULTILINE)
        cells = [row.split(" | ") for row in rows if f"is a {row.split(' | ')[0]} chance" in line]
        assert cells, line
        for _, *ends in cells:
            said = [end.removeprefix("almost no limit: ") for end in ends]
            assert "stays the same" in line or any(end in line for end in said)
            assert all(
                end in line or end.startswith(("possibly under", "under", "over")) for end in said
            ), line


@pytest.mark.parametrize("audience", [a for a, who in AUDIENCES.items() if not who.decimals])
def test_assess_says_the_same(audience):
    """The rounded number of the headline stands in the explanation; decimals have more figures."""
    for (_, _, told), assessed in zip(documents(audience), assessments(), strict=False):
        said = re.search(r"((?:at most|over|under) [\d,]+ in [\d,]+)\.$", headline(assessed))
        opening = " ".join(map(str, told.sections[0].sentences))
        assert (said[1] in opening) if said else ("chance" in opening)


@pytest.mark.parametrize("audience", AUDIENCES)
def test_every_bound_has_its_direction(audience):
    """Beside a bound stands which way it errs: at most, at least, over, under or a comparison."""
    word = r"(?:at most|at least|over|under|limit of) (?:δ = |ε′ = )?"
    for _, _, told in documents(audience):
        for sentence in told.sentences:
            for number in sentence.numbers:
                if number.direction in ("at most", "at least"):
                    said = number.shown.startswith(("over", "under"))
                    shown = re.escape(number.shown)
                    assert said or re.search(rf"{word}{shown}|over|δ = {shown}", sentence.text), (
                        sentence.text
                    )


def test_sentences_of_assess_are_plain():
    for assessed in assessments()[:80]:
        for line in sentences(assessed):
            assert not PRIVATE.search(line), line
