"""What a browser shows where a request is refused, and what a program still gets."""

from __future__ import annotations

import json
import re

import httpx
import pytest

from dprisk.text import texts
from dprisk.web.guard import LARGEST
from dprisk.web.problems import KINDS, Problem, refused, spoken
from tests.documents.browser import needs_chromium, opened, violations
from tests.web.running import serving
from tests.web.test_guard import GOOD, asked

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
    assert "script-src 'none'" in told["content-security-policy"]
    found, told, body = asked(headers, **guarded)
    assert (found, told["content-type"]) == (status, "application/problem+json")
    assert json.loads(body)["status"] == status


@pytest.mark.parametrize(
    ("method", "place", "status", "said"),
    [
        ("GET", "nothing", 404, "Check the address for typing errors"),
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


@needs_chromium
@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (360, "dark")])
def test_the_page_is_styled_and_accessible(server, width, scheme):
    with opened(None, width=width, scheme=scheme) as page:
        complaints = []
        page.on("console", lambda message: complaints.append(message.text))
        for place in ("nothing", "nothing?language=de", "api/assess"):
            page.goto(server.address + place)
            wrong, _, wide = violations(page)
            assert (place, wrong, wide) == (place, [], width)
            border = "e => getComputedStyle(e).borderLeftWidth"
            assert page.locator(".problem").evaluate(border) == "4px"
    assert [one for one in complaints if "status of 4" not in one] == []


def test_the_loopback_address_of_ipv6():
    with serving("--host", "[::1]", at="http://[::1]:") as served:
        assert served.address == f"http://[::1]:{served.port}/"
        assert httpx.get(f"{served.address}api").status_code == 200
        assert httpx.get(served.address, headers={"Host": "evil.com"}).status_code == 421
