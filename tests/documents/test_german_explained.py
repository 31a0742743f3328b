"""An explanation in German: nothing of it is English, and its words keep the direction."""

from __future__ import annotations

import re
import string
from typing import Any

import pytest

from dprisk import ApproxDP, PureDP, ZeroConcentratedDP
from dprisk.documents import explain, headline
from dprisk.documents.explaining import understood
from dprisk.documents.saying import down_to, up_to
from dprisk.errors import InvalidInput
from dprisk.releases import Part, Release
from dprisk.text import AREAS, language, texts

CLAIM = "Ihr Chef schließt, dass Sie mit Nein geantwortet haben"
ENGLISH = re.compile(
    r"\b(?:the|and|of|is|are|that|you|your|with|by|from|more|than|results?|data|most|least|to|"
    r"person's|someone|chance|limit|not|stated|can|anyone)\b"
)


def released(promise, *, counts=(1,), unit="person", period="day", model="central", times=1):
    parts = tuple(Part(promise, count) for count in counts)
    return Release(
        name="Mobilität",
        unit=unit,
        period=period,
        neighbors=promise.neighbors,
        neighbors_stated=True,
        model=model,
        parts=parts,
        releases=times,
    )


ADD: dict[str, Any] = {"neighbors": "add-remove"}
REPLACE: dict[str, Any] = {"neighbors": "replace-one"}
EXAMPLES = {
    "pure": released(PureDP(0.5, **ADD)),
    "pure, composed": released(PureDP(0.01, **ADD), counts=(3, 4), unit="Nutzer-Tag", times=7),
    "approximate": released(ApproxDP(1.0, 1e-6, **ADD), period="once"),
    "approximate, replaced": released(ApproxDP(0.1, 1e-7, **REPLACE), unit="Haushalt"),
    "zCDP": released(ZeroConcentratedDP(0.015, **ADD), period="month"),
    "zCDP, nearly all": released(ZeroConcentratedDP(9.0, **REPLACE), counts=(2,)),
    "local": released(PureDP(2.0, **REPLACE), model="local"),
    "nothing moves": released(PureDP(0.0, **ADD), model="shuffle"),
    "nothing kept": released(ApproxDP(1.0, 0.9, **ADD), model="federated"),
    "bare": PureDP(1e-4, **REPLACE),
    "varied": released(PureDP(0.0001, **ADD), unit=None, period=None, model="varies"),
}


def told(case, **asked):
    return explain(EXAMPLES[case], language="de", **asked)


@pytest.mark.parametrize("case", EXAMPLES)
@pytest.mark.parametrize("claim", [None, CLAIM])
def test_no_sentence_is_english(case, claim):
    made = told(case, claim=claim)
    assert made.language == made.to_dict()["language"] == "de"
    for said in [made.title, *(section.title for section in made.sections), *made.sentences]:
        assert not ENGLISH.search(str(said)), said


def test_english_is_found_where_it_is():
    made = explain(EXAMPLES["pure"])
    found = [ENGLISH.search(str(said).lower()) is not None for said in made.sentences]
    assert found.count(True) > 0.95 * len(found)


@pytest.mark.parametrize("case", EXAMPLES)
def test_the_words_before_a_number_are_those_of_its_direction(case):
    """An upper bound is never said to be a lower one."""
    for sentence in told(case).sentences:
        for number in sentence.numbers:
            shown = re.escape(number.shown)
            if number.direction == "at most":
                assert not re.search(rf"(?:mindestens|wenigstens) {shown}", sentence.text)
            if number.direction == "at least":
                assert not re.search(rf"(?:höchstens|bis zu) {shown}", sentence.text)


@pytest.mark.parametrize("form", ["up", "moved"])
def test_an_upper_bound_is_at_most(form):
    with language("de"):
        said = up_to(0.24, "upper", "", form=form)
        assert said.text.endswith("höchstens 24 von 100")
        nearly = {
            "up": "fast unbegrenzt (womöglich auf mehr als 99 von 100)",
            "moved": "womöglich mehr als 99 von 100",
        }
        assert up_to(0.999, "upper", "", form=form).text == nearly[form]
        assert "weniger als 1 von 100" in up_to(0.0001, "upper", "", form=form).text
    assert said.numbers[0].direction == "at most"


def test_a_lower_bound_is_at_least():
    with language("de"):
        said = down_to(0.24, "lower", "")
        assert said.text == "mindestens 24 von 100"
        assert down_to(0.0001, "lower", "").text == "womöglich weniger als 1 von 100"
        assert down_to(0.999, "lower", "").text == "mehr als 99 von 100"
    assert said.numbers[0].direction == "at least"


def test_numbers_are_written_as_in_german():
    (promise,) = (s.text for s in told("zCDP").sentences if s.key == "guarantee.expert.plain")
    assert "ρ = 0,015 (Einheit: Person; Zeitraum: Monat; " in promise
    assert "höchstens 101 von 1.000 " in told("bare").sections[0].sentences[1].text


def test_a_claim_is_read_in_german():
    made = told("approximate, replaced", claim=CLAIM)
    assert (made.observer, made.claim) == ("Ihr Chef", "Sie mit Nein geantwortet haben")
    with language("de"):
        assert (
            understood("Eine Kollegin könnte vermuten, dass Sie krank sind.").who == "eine Kollegin"
        )
        assert understood("dass Sie krank sind").what == "Sie krank sind"
    assert understood("your manager concludes that you answered No").who == "your manager"


def test_a_headline_is_german():
    from dprisk import assess

    with language("de"):
        said = headline(assess(EXAMPLES["pure"]))
    assert not ENGLISH.search(said)
    assert "höchstens" in said
    assert "mindestens" in said


@pytest.mark.parametrize("audience", ["curator", "regulator", "researcher"])
def test_other_audiences_are_told_in_english_and_told_so(audience):
    """A whole in one language: no German word in an English sentence."""
    made = explain(EXAMPLES["approximate"], audience, language="de")
    assert made == explain(EXAMPLES["approximate"], audience)
    assert made.language == "en"


def test_an_unknown_language_is_refused():
    with pytest.raises(InvalidInput, match="language"):
        explain(EXAMPLES["pure"], language="fr")


def gaps(text):
    return {gap for _, gap, _, _ in string.Formatter().parse(text) if gap is not None}


@pytest.mark.parametrize("area", AREAS)
def test_every_german_text_is_one_in_english_with_the_same_gaps(area):
    for key, text in texts("de", area).items():
        assert gaps(text) == gaps(texts("en", area)[key]), key


def test_whatever_is_said_to_a_lay_reader_is_translated():
    plain = {key for key in texts("en", "explain") if key.endswith(".plain")}
    assert plain <= set(texts("de", "explain"))
