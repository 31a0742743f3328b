"""The pages in a real browser: with script and without, by mouse and by keyboard, and offline."""

from __future__ import annotations

import json
from urllib.parse import quote, urlencode

import pytest

from dprisk.serve.ways import START, WAYS
from tests.documents.browser import needs_chromium, opened, violations
from tests.serve.running import LONG
from tests.serve.test_ways import EVIL

pytestmark = needs_chromium

PAGES = (
    "promise?kind=approximate",
    "promise?audience=data-subject&language=de&kind=gaussian&prior=0.5",
    "promise?epsilon=-1",
    "release",
    "budget?prior2=50&limit2=65",
    "budget?metric=power",
    "compare?kind2=published&kind3=concentrated",
)
SCREENS = [(width, scheme) for width in (1200, 768, 360) for scheme in ("light", "dark")]
SOON = 30_000  # milliseconds, on a machine that does much else


def says(page, text, where="#headline"):
    """Wait until it is there."""
    from playwright.sync_api import expect

    expect(page.locator(where)).to_contain_text(text, timeout=SOON)


def is_faint(page):
    """Wait until what is shown is seen to be the answer to something else."""
    from playwright.sync_api import expect

    expect(page.locator("#result")).to_have_css("opacity", "0.4", timeout=SOON)


def is_at(page, words):
    """Wait until the address holds it."""
    page.wait_for_url(lambda url: words in url, timeout=SOON)


@pytest.mark.parametrize(("width", "scheme"), SCREENS)
def test_no_violation_no_outside_request_nothing_cut(server, width, scheme):
    with opened(None, width=width, scheme=scheme) as page:
        requests, complaints = [], []
        page.on("request", lambda request: requests.append(request.url))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        for name in PAGES:
            page.goto(server.address + name)
            wrong, rules, wide = violations(page)
            assert (name, wrong, wide) == (name, [], width)
            assert rules > 15
    assert {url for url in requests if not url.startswith((server.address, "data:"))} == set()
    assert complaints == []


@pytest.mark.parametrize("media", ["print"])
def test_print_is_dark_on_white(server, media):
    with opened(None, scheme="dark", media=media) as page:
        page.goto(server.address + "promise")
        assert violations(page)[0] == []
        assert page.is_hidden("#asked")


def test_without_script_the_same_numbers(server):
    said = {}
    for script in (True, False):
        with opened(None, script=script) as page:
            for name in PAGES:
                page.goto(server.address + name)
                said[name, script] = [page.inner_text(part) for part in ("#result", "#shown")]
    for name in PAGES:
        assert said[name, True] == said[name, False]


@pytest.mark.parametrize("way", WAYS)
def test_the_answer_is_seen_on_a_phone_without_scrolling(server, way):
    with opened(None, width=360) as page:
        page.goto(server.address + way)
        answer = page.locator("#headline .result").first.bounding_box()
        assert answer["y"] + answer["height"] < 800
        assert answer["y"] < page.locator("#asked").bounding_box()["y"]
        page.set_viewport_size({"width": 1200, "height": 900})
        tops = [page.locator(part).bounding_box()["y"] for part in ("#result", "#asked", "#shown")]
        assert tops[0] - 5 < tops[1] + 30 < tops[2]


def test_without_script_a_form_is_sent_and_files_come_back(server, tmp_path):
    release = tmp_path / "town.json"
    release.write_text(json.dumps({**LONG["release"], "name": "Town", "mechanisms": [
        {"kind": "laplace", "scale": 2, "sensitivity": 1}]}))  # fmt: skip
    with opened(None, script=False) as page:
        page.goto(server.address + "promise")
        page.fill("#epsilon", "2")
        page.click("#asked button")
        says(page, "46 in 100")
        assert "epsilon=2" in page.url
        page.click("text=Which ε may I use?")
        page.fill("#prior2", "50")
        page.fill("#limit2", "60")
        page.click("#asked button")
        says(page, "Use pure DP with ε at most 0.4054")
        page.click("text=I have a release")
        page.set_input_files("#upload", release)
        page.click("#asked button")
        says(page, "Town")
        assert page.url.startswith(server.address + "release?text=")
        with page.expect_download() as coming:
            page.click("text=assess.json")
        assert json.loads(coming.value.path().read_text())["name"] == "Town"


def test_what_moves_is_in_the_address_and_the_back_button_goes_back(server):
    with opened(None) as page:
        page.goto(server.address + "promise")
        says(page, "at most 24 in 100")
        page.fill("#epsilon", "2")
        says(page, "at most 46 in 100")
        page.press("#epsilon", "Tab")
        is_at(page, "epsilon=2")
        page.select_option("#kind", "concentrated")
        says(page, "99 of 100")
        is_at(page, "kind=concentrated")
        assert page.is_hidden("#epsilon")
        assert page.is_visible("#rho")
        page.go_back()
        says(page, "at most 46 in 100")
        assert page.input_value("#epsilon") == "2"
        page.go_back()
        says(page, "at most 24 in 100")
        assert page.input_value("#epsilon") == "1"
        page.fill("#epsilon", "-1")
        assert page.get_attribute("#epsilon", "aria-invalid") == "true"
        says(page, "at most 24 in 100")
        is_faint(page)
        page.fill("#epsilon", "")
        page.locator("#epsilon").press_sequentially("1,2")
        says(page, "at most 27 in 100")


def test_a_slider_moves_by_keyboard(server):
    with opened(None) as page:
        page.goto(server.address + "promise")
        page.focus("[data-slides=prior]")
        page.keyboard.press("ArrowRight")
        says(page, "11 in 100")
        assert page.input_value("#prior") == "11"
        is_at(page, "prior=11")
        assert page.evaluate("document.activeElement.dataset.slides") == "prior"


def test_what_is_on_top_comes_first_and_the_rest_when_nothing_moves(server):
    with opened(None) as page:
        briefs = []
        page.on("request", lambda request: briefs.append("x-brief" in request.headers))
        page.goto(server.address + "promise")
        says(page, "at most 46 in 100", "#repeated tbody tr:nth-child(2)")
        briefs.clear()
        page.fill("#epsilon", "2")
        says(page, "at most 46 in 100")
        says(page, "at most 86 in 100", "#repeated tbody tr:nth-child(2)")
        assert page.get_attribute("#repeated", "aria-busy") is None
        assert briefs == [True, False]
        page.select_option("#audience", "data-subject")
        says(page, "10 in 100 chance that you are in the data", "#words")
        page.click("text=Deutsch")
        says(page, "höchstens 46 von 100")
        assert page.get_attribute("html", "lang") == "de"


def place(page, before, after):
    """Where a pair of chances is on the screen."""
    page.locator("#square").scroll_into_view_if_needed()
    box = page.locator("#square").bounding_box()
    scale = box["width"] / 296
    return box["x"] + scale * (34 + 250 * before), box["y"] + scale * (264 - 250 * after)


def drag(page, start, end):
    """From one pair of chances to another."""
    here, there = place(page, *start), place(page, *end)  # answers may come in meanwhile
    page.mouse.move(*here)
    page.mouse.down()
    page.mouse.move(*there, steps=5)
    page.mouse.up()


def test_the_start_is_a_handle_on_the_band(server):
    with opened(None) as page:
        page.goto(server.address + "promise")
        drag(page, (0.1, 0.23), (0.5, 0.7))
        says(page, "at most 74 in 100")
        assert page.input_value("#prior") == "50"
        is_at(page, "prior=50")
        page.go_back()
        says(page, "at most 24 in 100")


def test_points_of_a_profile_can_be_dragged(server):
    with opened(None) as page:
        page.goto(server.address + "budget?prior2=50&limit2=60")
        drag(page, (0.5, 0.6), (0.4, 0.7))
        is_at(page, "prior2=40&limit2=70")
        says(page, "ε at most 0.8109")  # the first point binds now
        assert page.input_value("#limit2") == "70"


def test_a_long_question_can_be_cancelled(server, tmp_path):
    release = tmp_path / "long.json"
    release.write_text(json.dumps(LONG["release"]))
    with opened(None) as page:
        page.goto(server.address + "release")
        page.set_input_files("#upload", release)
        says(page, "Still computing", "#waiting")
        page.click("#waiting button")
        says(page, "Cancelled")
        assert page.is_hidden("#waiting")
        page.select_option("#published", "Lookup Hints")
        says(page, "Lookup Hints")


def test_a_release_too_long_for_an_address_is_posted(server, tmp_path):
    town = {**LONG["release"], "name": "Town", "mechanisms": [
        {"kind": "laplace", "scale": 2, "sensitivity": 1}]}  # fmt: skip
    release = tmp_path / "town.json"
    release.write_text(json.dumps({**town, "source": ["x" * 9_000]}))
    for script in (True, False):
        with opened(None, script=script) as page:
            page.goto(server.address + "release")
            page.set_input_files("#upload", release)
            if not script:
                page.click("#asked button")
            says(page, "Town")
            assert page.url == server.address + "release"
            with page.expect_download() as coming:
                page.click("button:has-text('assess.json')")
            assert json.loads(coming.value.path().read_text())["name"] == "Town"


@pytest.mark.parametrize("way", WAYS)
def test_nothing_that_an_address_says_is_run(server, way):
    with opened(None) as page:
        alerts = []
        page.on("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
        for name in START[way]:
            page.goto(f"{server.address}{way}?{urlencode({name: EVIL}, quote_via=quote)}")
            assert page.locator("img").count() == 0, name
        assert alerts == []


def test_the_keyboard_goes_down_the_page(server):
    with opened(None, width=360) as page:
        page.goto(server.address + "promise")
        seen = []
        for _ in range(40):
            page.keyboard.press("Tab")
            seen.append(page.evaluate(FOCUSED))
    assert seen[0]["name"] == "a.skip"
    assert all(each["left"] >= 0 for each in seen)
    names = [each["id"] for each in seen if each["id"]]
    assert names[:4] == ["kind", "epsilon", "neighbors", "secret"]


FOCUSED = """() => {
  const e = document.activeElement, box = e.getBoundingClientRect();
  return { name: e.localName + '.' + e.className, id: e.id, left: box.left }
}"""
