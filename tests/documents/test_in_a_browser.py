"""In a real browser: no violation of axe's rules, no request, no scrolling sideways."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from tests.documents.browser import audited, needs_chromium, opened
from tests.documents.samples import EVIL, everything

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A report with every section, about a release whose texts are hostile."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    everything().save(path)
    return path


@pytest.fixture(scope="module")
def sheet(tmp_path_factory):
    """The same on one page, in German."""
    path = tmp_path_factory.mktemp("report") / "summary.html"
    made = everything()
    german = replace(made.asked, labels=replace(made.asked.labels, language="de"))
    replace(made, asked=german).summary().save(path)
    return path


WIDTHS = [(1200, "light"), (768, "dark"), (400, "light")]


@pytest.mark.parametrize(("width", "scheme"), WIDTHS)
@pytest.mark.parametrize("document", ["page", "sheet"])
def test_no_violation_and_no_request(document, width, scheme, request):
    page = request.getfixturevalue(document)
    found = audited(page, width=width, scheme=scheme)
    assert found.violations == []
    assert found.rules > 15
    assert found.requests == [page.as_uri()]
    assert found.complaints == []
    assert found.width == width


@pytest.mark.parametrize("document", ["page", "sheet"])
def test_print_is_dark_on_white(document, request):
    page = request.getfixturevalue(document)
    assert audited(page, scheme="dark", media="print").violations == []


def test_the_keyboard_goes_down_the_page(page):
    """To the skip link first, then from top to bottom; nothing is out of reach or reached twice."""
    with opened(page, width=400) as tab:
        tab.goto(page.as_uri())
        seen = []
        for _ in range(60):
            tab.keyboard.press("Tab")
            seen.append(tab.evaluate(FOCUSED))
    assert seen[0]["name"] == "a.skip"
    places = [each["top"] for each in seen[1:]]
    assert places == sorted(places)
    assert {"a.", "div.scroll", "summary."} <= {each["name"] for each in seen}
    assert all(each["left"] >= 0 for each in seen)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_table_that_scrolls_shows_it(page, scheme):
    """At its right edge it is shaded, and no longer when it has been scrolled there."""
    with opened(page, width=400, scheme=scheme) as tab:
        tab.goto(page.as_uri())
        wide = tab.locator("main .scroll").filter(has=tab.locator("th.words")).first
        before = wide.screenshot()
        wide.evaluate("each => { each.scrollLeft = each.scrollWidth }")
        after = wide.screenshot()
    assert contrast(before) > 40
    assert contrast(after) < 20


FOCUSED = """() => {
  const e = document.activeElement, box = e.getBoundingClientRect();
  return { name: e.localName + '.' + e.className, top: box.top + scrollY, left: box.left }
}"""


def contrast(png):
    """How much the background at the right edge differs from that beside it."""
    from matplotlib.image import imread

    row = imread(io.BytesIO(png))[4, :, :3].mean(axis=1) * 255  # above all letters
    return abs(float(row[-4]) - float(row[-60]))


def test_a_bad_page_is_caught(tmp_path):
    path = tmp_path / "bad.html"
    path.write_text(f"<html><title>{EVIL}</title><body><img src='gone.png'>text</body></html>")
    found = audited(path)
    assert any(line.startswith("image-alt") for line in found.violations)
    assert len(found.requests) > 1
