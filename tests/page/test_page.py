"""The page in a real browser: it answers, remembers in its address, and fetches nothing."""

from __future__ import annotations

import re

import pytest

from dprisk.errors import InvalidFile
from dprisk.page import save_page, whole_page
from tests.report.browser import audited, needs_chromium, opened

WAYS = ("promise", "release", "budget", "compare")


def at(path, address):
    """A file with the address of a state."""

    class Addressed:
        @staticmethod
        def as_uri():
            return f"{path.as_uri()}#{address}"

    return Addressed


def test_one_file_below_a_megabyte_without_addresses(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.encode()) < 1_000_000
    assert "default-src 'none'" in text
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", text)
    assert not re.search(r"\b(fetch|XMLHttpRequest|localStorage|Worker|import)\s*\(", text)


def test_what_is_there_is_not_written_over(path):
    before = path.read_bytes()
    with pytest.raises(InvalidFile, match="force"):
        save_page(path)
    assert path.read_bytes() == before


def test_the_same_page_twice():
    assert whole_page() == whole_page()


@needs_chromium
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (768, "dark"), (360, "light")])
def test_no_violation_no_request_nothing_cut(path, way, width, scheme):
    found = audited(at(path, f"way={way}&kind=approximate"), width=width, scheme=scheme)
    assert found.violations == []
    assert found.requests == [path.as_uri()]
    assert found.complaints == []
    assert found.width == width


@needs_chromium
def test_moving_epsilon_moves_the_answer_and_the_address(path):
    with opened(path) as page:
        page.goto(path.as_uri())
        assert "at most 24 in 100" in page.inner_text("#headline")
        page.fill("#epsilon", "2")
        assert "at most 46 in 100" in page.inner_text("#headline")
        page.press("#epsilon", "Tab")
        assert "epsilon=2" in page.url
        page.get_by_text("Which ε may I use?").click()
        assert "way=budget" in page.url
        page.go_back()
        assert "at most 46 in 100" in page.inner_text("#headline")
        page.select_option("#kind", "concentrated")
        assert "99 of 100" in page.inner_text("#headline")
        assert page.is_hidden("#epsilon")
        assert page.is_visible("#rho")


@needs_chromium
def test_a_slider_answers_within_a_moment(path):
    with opened(path) as page:
        page.goto(f"{path.as_uri()}#kind=concentrated")
        took = page.evaluate(
            """() => { const slider = document.querySelector('[data-slides=rho]');
            const begun = performance.now(); slider.value = '0.2';
            slider.dispatchEvent(new Event('input', {bubbles: true}));
            return performance.now() - begun; }"""
        )
        assert "rho=" in page.url
        assert took < 5_000  # a clock on a busy machine: it is some 50 ms on an idle one


@needs_chromium
@pytest.mark.parametrize(
    "address",
    [
        "epsilon=NaN&prior=-1&confidence=1e9&way=nothing&kind=toString",
        "published=999&way=release",
        "epsilon=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E",
        "__proto__=1&constructor=2&way=%22%5D",
        "epsilon=1e309&delta=2&count=0",
    ],
)
def test_an_address_that_makes_no_sense_starts_afresh(path, address):
    found = audited(at(path, address))
    assert found.complaints == []
    with opened(path) as page:
        page.goto(f"{path.as_uri()}#{address}")
        assert re.search(r"\d in 100", page.inner_text("#headline"))


@needs_chromium
def test_bad_numbers_are_marked_and_change_nothing(path):
    with opened(path) as page:
        page.goto(path.as_uri())
        before = page.inner_text("#headline")
        page.fill("#epsilon", "-1")
        assert page.get_attribute("#epsilon", "aria-invalid") == "true"
        assert page.inner_text("#headline") == before
        page.fill("#epsilon", "1")
        assert page.get_attribute("#epsilon", "aria-invalid") == "false"


@needs_chromium
def test_without_script_the_published_releases_can_be_read(path):
    from playwright.sync_api import sync_playwright

    from tests.report.browser import CHROMIUM, FLAGS

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=FLAGS, chromium_sandbox=False
        )
        page = browser.new_context(java_script_enabled=False).new_page()
        page.goto(path.as_uri())
        text = page.inner_text("body")
        browser.close()
    assert "JavaScript" in text
    assert "Wikimedia" in text
