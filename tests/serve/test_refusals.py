"""What a browser shows where a request is refused, and what a program still gets."""

from __future__ import annotations

import json
import re
from urllib.parse import quote

import httpx
import pytest

from dprisk.serve.guard import LARGEST
from dprisk.serve.problems import KINDS, Problem
from dprisk.serve.refusals import refused, spoken
from dprisk.text import texts
from tests.documents.browser import needs_chromium, opened, violations
from tests.serve.running import serving
from tests.serve.test_guard import GOOD, asked

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
WANTED = ("accept", BROWSER["Accept"])
GAPS = re.compile(r"\{\w+\}")
EVIL = "<img src=x onerror=alert(1)>"


@pytest.mark.parametrize(
    ("headers", "guarded", "status", "said"),
    [
        ([("host", "evil.com")], {}, 421, "--name"),
        ([*GOOD, ("origin", "http://evil.com")], {}, 403, "Type the address"),
        (GOOD, {"token": "s3cret"}, 401, "as the password"),
        ([*GOOD, ("content-length", str(LARGEST + 1))], {}, 413, "shorter file"),
    ],
)
def test_the_guard_speaks_to_a_browser_with_a_page(headers, guarded, status, said):
    found, told, body = asked([*headers, WANTED], **guarded)
    assert found == status
    assert told["content-type"] == "text/html"
    assert said in body.decode()
    assert "style-src 'sha256-" in told["content-security-policy"]
    assert "script-src" not in told["content-security-policy"]
    found, told, body = asked(headers, **guarded)
    assert (found, told["content-type"]) == (status, "application/problem+json")
    assert json.loads(body)["status"] == status


@pytest.mark.parametrize(
    ("method", "place", "status", "said"),
    [
        ("GET", "nothing", 404, "Check the address for typing errors"),
        ("GET", "static/secret.txt", 404, "Check the address for typing errors"),
        ("DELETE", "promise", 405, "Only programs"),
        ("POST", "api/assess", 415, "Only programs"),
    ],
)
def test_the_application_speaks_to_a_browser_with_a_page(server, method, place, status, said):
    reply = httpx.request(method, server.address + place, headers=BROWSER)
    assert (reply.status_code, reply.headers["content-type"]) == (
        status,
        "text/html; charset=utf-8",
    )
    assert said in reply.text
    reply = httpx.request(method, server.address + place)
    assert (reply.status_code, reply.json()["status"]) == (status, status)
    assert reply.headers["content-type"] == "application/problem+json"


def test_a_page_escapes_keeps_headers_and_speaks_german():
    problem = Problem(503, "busy", EVIL, 7)
    reply, headers = refused(problem, "text/html", "language=de")
    text = reply.content.decode()
    assert EVIL not in text
    assert "&lt;img" in text
    assert "Warten Sie" in text
    assert headers["Retry-After"] == "7"
    assert spoken("language=xx") == spoken("") == "en"


@pytest.mark.parametrize("key", KINDS)
def test_every_title_is_in_german(key):
    title = f"serve.problem.{key}"
    assert texts("de", "serve")[title] != texts("en", "serve")[title]


def test_german_fills_the_same_gaps():
    for key, text in texts("de", "serve").items():
        assert set(GAPS.findall(text)) == set(GAPS.findall(texts("en", "serve")[key])), key


@pytest.mark.parametrize(
    ("method", "place", "detail"),
    [
        ("GET", "nothing", "Diese Seite gibt es nicht."),
        ("GET", "api/assess", "Diese Adresse nimmt keine Anfragen mit GET an."),
        ("POST", "api/assess", "Senden Sie die Frage als application/json."),
    ],
)
def test_a_refusal_in_german_is_german_throughout(server, method, place, detail):
    reply = httpx.request(method, f"{server.address}{place}?language=de", headers=BROWSER)
    assert detail in reply.text
    assert 'lang="en"' not in reply.text


def test_the_guard_speaks_german():
    _, _, body = asked([("host", "evil.com"), WANTED], query=b"language=de")
    assert "Unter dem Namen in der Anfrage antwortet dieser Server nicht." in body.decode()


def test_german_quotes_as_germans_do_and_marks_what_is_english(server):
    read = httpx.get(f"{server.address}promise?language=de&epsilom=2", headers=BROWSER).text
    assert "\u201eepsilom=2\u201c" in read
    assert 'class="problem">' in read
    wrong = httpx.get(f"{server.address}promise?language=de&epsilon=-1", headers=BROWSER).text
    assert 'class="problem" lang="en">' in wrong


@needs_chromium
@pytest.mark.parametrize("width", [1200, 768, 360])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_styled_and_accessible(server, width, scheme):
    with opened(None, width=width, scheme=scheme) as page:
        complaints = []
        page.on("console", lambda message: complaints.append(message.text))
        for place in ("nothing", "nothing?language=de", "api/assess", "promise?epsilom=2"):
            page.goto(server.address + place)
            wrong, _, wide = violations(page)
            assert (place, wrong, wide) == (place, [], width)
            assert (
                page.locator(".problem").evaluate("e => getComputedStyle(e).borderLeftWidth")
                == "4px"
            )
    assert [one for one in complaints if "status of 4" not in one] == []


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("promise?epsilom=2", "\u201cepsilom=2\u201d"),
        ("promise?epsilon=2&Prior=50", "\u201cPrior=50\u201d"),
        ("promise?epsilon=2&epsilon=3", "\u201cepsilon\u201d, which the address gives twice"),
        ("promise?language=xx", "\u201clanguage=xx\u201d"),
        ("promise?%", "\u201c%=\u201d"),
        ("promise?epsilon=", "There is no answer yet"),
        ("promise?epsilon=two", "two"),
        ("promise?kind=pur", "pur"),
        ("promise?neighbors=some", "some"),
        ("promise?prior=often", "often"),
        ("promise?count=2.5", "2.5"),
        ("promise?audience=all", "all"),
        ("promise?secret=all", "all"),
        ("promise?model=all", "all"),
        ("release?published=None+such", "None such"),
        ("budget?metric=all", "all"),
        ("budget?prior1=often", "often"),
        ("compare?kind2=all", "all"),
        ("compare?epsilon2=all", "all"),
        ("promise?language=de&epsilom=2", "Diese Seite kann"),
        (f"promise?{quote(EVIL)}=1", "&lt;img"),
        ("promise?kind=pure&epsilon=3&delta=1e-5", "does not use \u201cdelta=1e-5\u201d"),
        ("promise?epsilon=3&rho=1", "does not use \u201crho=1\u201d"),
        ("promise?neighbors=replace-one&secret=membership", "\u201csecret=membership\u201d"),
        ("promise/assess.json?kind=gaussian&epsilon=2", "\u201cepsilon=2\u201d"),
        ("promise?language=de&kind=gaussian&epsilon=2", "Diese Seite verwendet"),
        ("budget?level=1", "does not use \u201clevel=1\u201d"),
        ("promise/report.html?epsilom=2", "\u201cepsilom=2\u201d"),
        ("promise/assess.json?epsilon=1&epsilon=2", "twice"),
    ],
)
def test_what_an_address_says_wrongly_is_named_and_not_answered(server, address, said):
    reply = httpx.get(server.address + address, headers=BROWSER, timeout=60)
    assert reply.status_code == 422
    assert said in reply.text
    assert 'class="problem"' in reply.text
    assert " in 100." not in reply.text.partition('id="headline"')[2].partition("<form")[0]
    assert "<pre" not in reply.text
    assert EVIL not in reply.text


@needs_chromium
def test_an_address_that_cannot_be_read_is_mended_with_the_button(server):
    for script in (True, False):
        with opened(None, script=script) as page:
            page.goto(f"{server.address}promise?epsilom=2&prior=50")
            assert "epsilom=2" in page.inner_text("#headline")
            page.click("#asked button")
            page.locator("#headline", has_text="at most 74 in 100").wait_for()
            assert "epsilom" not in page.url


def test_the_loopback_address_of_ipv6():
    for host in ("::1", "[::1]"):
        with serving("--host", host, at="http://[::1]:") as served:
            assert served.address == f"http://[::1]:{served.port}/"
            assert "at most" in httpx.get(f"{served.address}promise", timeout=60).text
            other = httpx.get(served.address, headers={"Host": "evil.com"})
            assert other.status_code == 421
