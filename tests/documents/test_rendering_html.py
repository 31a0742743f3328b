"""The page: one file, escaped, in order, nothing fetched; and the same in a notebook."""

from __future__ import annotations

import itertools
import json
import re
from html.parser import HTMLParser

import pytest

from dprisk import PureDP
from dprisk._pages import data, linked, slug, tight
from dprisk.documents import report
from tests.documents.samples import EVIL, approximate, everything, pure

EMPTY = {"meta", "br", "img", "link", "hr", "input"}
SVG_EMPTY = {"path", "use", "rect", "circle", "line", "image", "polyline", "polygon"}


class Read(HTMLParser):
    """The tags of a page, its ids, its links and what stands in its script."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.ids, self.links, self.loose = [], [], [], [], []
        self.script = ""
        self.feed(text)

    def handle_startendtag(self, tag, attrs):
        self.note(tag, attrs)

    def handle_starttag(self, tag, attrs):
        self.note(tag, attrs)
        if tag not in EMPTY:
            self.open.append(tag)

    def note(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name in ("href", "src", "xlink:href", "data", "action"):
                self.links.append(value)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.loose.append(tag)

    def handle_data(self, text):
        if self.open and self.open[-1] == "script":
            self.script += text


@pytest.mark.parametrize("made", [pure, approximate, everything])
def test_page_is_well_formed(made):
    page = Read(made().to_html())
    assert page.loose == page.open == []
    assert len(set(page.ids)) == len(page.ids)
    links = {link for link in page.links if link.startswith("#")}
    followed = {given["href"] for tag, given in page.tags if tag == "a"}
    assert all(link.startswith("https://") for link in followed - links)
    assert set(page.links) == links | followed
    assert {link[1:] for link in links} <= set(page.ids)
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in itertools.pairwise(levels))


def test_page_forbids_every_request_and_every_script():
    policy = next(
        given["content"]
        for tag, given in Read(pure().to_html()).tags
        if given.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline';")
    assert "script-src" not in policy
    text = re.sub(r"<(svg|dd|li|code)[^>]*>.*?</\1>", "", pure().to_html(), flags=re.S)
    assert "//" not in text.split('<script type="application/json"')[0]


@pytest.mark.parametrize("made", [pure, approximate, everything])
def test_data_stands_inside(made):
    page = Read(made().to_html())
    assert json.loads(page.script) == json.loads(made().to_json())
    (script,) = (given for tag, given in page.tags if tag == "script")
    assert script == {"type": "application/json", "id": "dprisk-report"}


def test_hostile_text_stays_text():
    html = everything().to_html()
    assert html.count("<script") == html.count("</script") == 1
    assert "<script>alert" not in html
    assert "\u202e" not in html
    assert "\x07" not in html
    assert "&lt;script&gt;alert(&#34;1&#34;)&lt;/script&gt; &amp; &#39;q&#39;" in html
    assert json.loads(Read(html).script)["assessments"][0]["name"] == EVIL


def test_tables_name_their_rows_and_columns():
    page = Read(pure().to_html())
    scopes = [given.get("scope") for tag, given in page.tags if tag == "th"]
    assert set(scopes) == {"col", "row"}
    tables = sum(tag == "table" for tag, _ in page.tags)
    assert tables == sum(tag == "caption" for tag, _ in page.tags)


def test_drawings_say_what_is_seen():
    drawn = [given for tag, given in Read(pure().to_html()).tags if tag == "svg"]
    assert len(drawn) >= 4
    assert all(given["role"] == "img" and given["aria-label"] for given in drawn)


def test_notebooks_show_the_same():
    made, other = pure(), report(PureDP(0.5, neighbors="add-remove"))
    shown, second = Read(made._repr_html_()), Read(other._repr_html_())
    assert shown.loose == shown.open == []
    assert not any(tag in ("script", "html", "body", "link") for tag, _ in shown.tags)
    assert not set(shown.ids) & set(second.ids)
    for section in made.sections():
        assert f"<h3>{section.title}</h3>" in made._repr_html_()
    selectors = re.search(r"<style>(.*?)</style>", made._repr_html_(), re.S)[1]
    for line in re.findall(r"^\s*([^@{}\s][^{}]*)\{", selectors, re.M):
        assert all(one.strip().startswith(".dprisk") for one in line.split(",")), line


def test_numbers_lead_to_their_theorem_and_assumptions():
    page = Read(pure().to_html())
    rows = {given["id"] for tag, given in page.tags if tag == "tr" and "id" in given}
    used = {link[1:] for link in page.links if link.startswith("#by-")}
    assert "by-p0-theorem-3-2" in used <= rows
    assert {"#assumed-membership-1", "#assumed-compared"} <= set(page.links)
    shown = Read(pure()._repr_html_())
    assert not [
        link for tag, given in shown.tags if tag == "a" for link in given.values() if "#" in link
    ]


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("see https://a.org/b?c=d&e=f, and", ["https://a.org/b?c=d&e=f"]),
        ("arXiv:2507.09699.", ["https://arxiv.org/abs/2507.09699"]),
        ("javascript:alert(1) file:///etc <https://x.y/'onclick='>", ["https://x.y/"]),
        ("none", []),
    ],
)
def test_addresses_can_be_followed(text, links):
    page = Read(str(linked(text)))
    assert page.links == links
    assert {tag for tag, _ in page.tags} <= {"a"}
    assert page.loose == page.open == []


def test_helpers():
    assert data({"a": "</script><!--"}) == '{\n "a": "\\u003c/script\\u003e\\u003c!--"\n}'
    assert (slug("What it costs: noise"), slug("…")) == ("what-it-costs-noise", "part")
    assert tight("24 in 100") == "24\N{NO-BREAK SPACE}in\N{NO-BREAK SPACE}100"
    assert tight("24 in all") == "24 in all"
    assert tight("with ρ = 2.63 once") == "with ρ\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}2.63 once"
    with pytest.raises(ValueError, match="JSON"):
        data(float("nan"))
