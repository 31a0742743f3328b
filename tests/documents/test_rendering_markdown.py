"""Markdown, read by a reader of Markdown: the same sections, and hostile text stays text."""

from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt

from dprisk import PureDP
from dprisk.documents import report
from dprisk.documents.document import escaped
from dprisk.releases import Part
from tests.documents.samples import EVIL, approximate, everything, pure, release

PROMISE = PureDP(1.0, neighbors="add-remove")


def rendered(text):
    """As HTML, with tables and whatever HTML the text lets through."""
    return MarkdownIt("commonmark", {"html": True}).enable("table").render(text)


@pytest.mark.parametrize("made", [pure, approximate, everything])
def test_headings_are_the_sections(made):
    html = rendered(made().to_markdown())
    titles = re.findall("<h2>(.*?)</h2>", html)
    assert titles == [section.title for section in made().sections()]


def test_tables_are_tables():
    text = pure().to_markdown()
    assert rendered(text).count("<table>") == len(re.findall(r"^\| --- \|", text, re.M))
    assert "<td>24 in 100</td>" in rendered(text)


def test_hostile_text_stays_text():
    text = everything().to_markdown()
    assert "<script" not in re.sub("<pre>.*?</pre>", "", rendered(text), flags=re.S)
    assert "\u202e" not in text
    assert "\x07" not in text


@pytest.mark.parametrize(
    "text",
    [
        EVIL,
        "# no heading",
        "- no list",
        "1. no list",
        "+ no",
        "a *b* _c_ `d` [e](f) <g> &amp; ~~h~~",
    ],
)
def test_escaped_text_reads_as_it_is(text):
    shown = rendered(escaped(text))
    assert re.fullmatch(r"<p>[^<]*</p>\n", shown), shown


def test_an_address_can_be_followed():
    """Marks in it are not escaped; what only begins like one is text."""
    address = "https://example.org/a_(b)?c=1&d=*e*"
    made = report(release(Part(PROMISE), source=(address, f"{address} <script>")))
    html = rendered(made.to_markdown())
    assert f'<a href="{address.replace("&", "&amp;")}">' in html
    assert "<script>" not in html
