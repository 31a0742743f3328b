"""A report in German: its summary and what is handed on; the rest says that it is English."""

from __future__ import annotations

import re
from functools import cache

import pytest

from dprisk import Adversary, GaussianDP, PureDP, ZeroConcentratedDP
from dprisk.documents import Labels, report
from dprisk.documents.document import Figure, Items, Section, Sentence, Table
from dprisk.errors import InvalidInput
from dprisk.text import spoken

ENGLISH = re.compile(
    r"\b(?:the|and|of|is|are|that|you|your|with|by|from|more|than|results?|data|most|least|to|"
    r"someone|chance|limit|not|stated|kept|before|after|at|case|above|filled|words)\b"
)
PROMISES = {
    "pure": PureDP(0.5, neighbors="add-remove"),
    "large": PureDP(9.0, neighbors="replace-one"),
    "zCDP": ZeroConcentratedDP(0.05, neighbors="replace-one"),
    "tiny": GaussianDP(1e-4, neighbors="add-remove"),
}


@cache
def made(case):
    labels = Labels(by="A. Müller", file="release.yaml", language="de")
    asked = Adversary(priors=(0.01,), secret="attribute")
    return report(PROMISES[case], asked, limits={"posterior": 0.4, "ratio": 3.0}, labels=labels)


def said(section: Section):
    """Every text of a section."""
    yield section.title
    for block in section.blocks:
        if isinstance(block, Sentence):
            yield block.text
        elif isinstance(block, Figure):
            yield block.caption
            yield block.alt
            yield from said(Section("", (block.numbers,)))
        elif isinstance(block, Table):
            yield block.caption
            yield from block.columns
            for row in block.rows:
                yield from row
        elif isinstance(block, Items):
            yield from block.items
    for one in section.inside:
        yield from said(one)


@pytest.mark.parametrize("case", PROMISES)
def test_no_sentence_of_the_german_parts_is_english(case):
    parts = [section for section in made(case).sections() if section.language == "de"]
    assert [part.title for part in parts] == [
        "Zusammenfassung",
        "In einfachen Worten",
    ]
    for text in (text for part in parts for text in said(part)):
        assert not ENGLISH.search(text), text
    assert spoken() == "en"


@pytest.mark.parametrize("case", PROMISES)
def test_the_other_parts_are_those_of_the_english_report(case):
    """No German word in them."""
    for section in made(case).sections():
        if section.language == "en":
            assert "höchstens" not in " ".join(map(repr, section.blocks)), section.title


def test_the_page_says_which_part_is_in_which_language():
    page = made("pure").to_html()
    assert '<html lang="de">' in page
    assert '<section id="zusammenfassung">' in page
    assert '<section id="what-was-released" lang="en">' in page
    assert "auf höchstens\u00a0" not in page
    assert re.search(r"<td[^>]*>\d+\u00a0von\u00a01(?:00|\.000)</td>", page)
    assert re.search(r"<td[^>]*>\d+\u00a0in\u00a01(?:00|,000)</td>", page)
    plain = report(PROMISES["pure"]).to_html()
    assert '<html lang="en">' in plain
    assert 'lang="de"' not in plain
    assert made("pure").to_dict()["asked"]["language"] == "de"


def test_a_report_is_made_again_in_its_language():
    again = made("pure").sections()[-2]
    listings = [getattr(block, "text", "") for block in again.blocks]
    assert any("--language de" in text for text in listings)
    assert any("language='de'" in text for text in listings)


def test_an_unknown_language_is_refused():
    with pytest.raises(InvalidInput, match="language"):
        Labels(language="fr")
