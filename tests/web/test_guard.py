"""Who is let in: by name, by origin, by token, by size and by time; and what every answer says."""

from __future__ import annotations

import asyncio
import base64
import json

import pytest

from dprisk.web import guard
from dprisk.web.guard import HEADERS, LARGEST, Guard, is_loopback

GOOD = [("host", "127.0.0.1:8000")]


async def application(scope, receive, send):
    """Says how much came in."""
    size, more = 0, True
    while more:
        message = await receive()
        size, more = size + len(message["body"]), message["more_body"]
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(size).encode()})


def asked(
    headers=GOOD, method="GET", bodies=(b"",), pause=0.0, app=application, query=b"", **guarded
):
    """Status, headers and body of the answer to one request."""
    scope = {
        "type": "http",
        "method": method,
        "query_string": query,
        "headers": [(name.encode(), text.encode("latin-1")) for name, text in headers],
    }
    arriving, said = list(bodies), []

    async def receive():
        await asyncio.sleep(pause)
        body = arriving.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(arriving)}

    async def send(message):
        said.append(message)

    asyncio.run(Guard(app, **guarded)(scope, receive, send))
    start, *rest = said
    told = {name.decode(): text.decode() for name, text in start["headers"]}
    return start["status"], told, b"".join(message["body"] for message in rest)


def test_a_good_request():
    status, headers, body = asked(bodies=(b"ab", b"c"))
    assert (status, body) == (200, b"3")
    assert {name.lower(): text for name, text in HEADERS.items()}.items() <= headers.items()
    assert "set-cookie" not in headers


@pytest.mark.parametrize(
    "host",
    ["localhost", "LocalHost:80", "127.0.0.1", "127.8.9.1:1", "[::1]", "[::1]:8000", "risk.org:9"],
)
def test_its_own_names(host):
    assert asked([("host", host)], names={"risk.org"})[0] == 200


@pytest.mark.parametrize(
    "host",
    ["", "evil.com", "localhost.evil.com", "127.0.0.1.evil.com", "192.168.0.1", "a@localhost",
     "localhost:80:80", "localhost/", "[::2]", "[::1", "::1", "localhost, again", "0.0.0.0", "é",
     "localhost:123456", " localhost"],
)  # fmt: skip
def test_other_names(host):
    """Where somebody else's name points here, nothing is said."""
    status, headers, body = asked([("host", host)])
    assert status == 421
    assert headers["content-type"] == "application/problem+json"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert json.loads(body)["type"] == "/api#host"


def test_no_name_and_two_names():
    assert asked([])[0] == asked([*GOOD, *GOOD])[0] == 421


@pytest.mark.parametrize(
    ("headers", "method", "status"),
    [
        ([("origin", "http://127.0.0.1:8000")], "POST", 200),
        ([("origin", "https://127.0.0.1:8000")], "POST", 200),
        ([("origin", "http://127.0.0.1:9000")], "POST", 403),
        ([("origin", "http://evil.com")], "GET", 403),
        ([("origin", "null")], "POST", 403),
        ([("origin", "http://[")], "POST", 403),
        ([("origin", "http://127.0.0.1:8000"), ("origin", "http://evil")], "POST", 403),
        ([("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")], "GET", 200),
        ([("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")], "POST", 403),
        ([("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")], "GET", 403),
        ([("sec-fetch-site", "same-site"), ("sec-fetch-mode", "cors")], "GET", 403),
        ([("sec-fetch-site", "same-origin"), ("sec-fetch-mode", "cors")], "POST", 200),
    ],
)
def test_other_sites(headers, method, status):
    """They may link here, and neither send nor embed."""
    assert asked([*GOOD, *headers], method)[0] == status


def basic(text):
    return "Basic " + base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    ("given", "status"),
    [
        (None, 401),
        ("", 401),
        ("Bearer", 401),
        ("Bearer s3crets", 401),
        ("Bearer é", 401),
        ("Bearer s3cret", 200),
        ("bearer s3cret", 200),
        (basic(":s3cret"), 200),
        (basic("anybody:s3cret"), 200),
        (basic("s3cret:"), 401),
        ("Basic !", 401),
        ("Basic /w==", 401),
        ("Digest s3cret", 401),
    ],
)
def test_a_token(given, status):
    headers = GOOD if given is None else [*GOOD, ("authorization", given)]
    found, told, _ = asked(headers, token="s3cret")
    assert found == status
    assert ("www-authenticate" in told) == (status == 401)


def test_an_address_in_numbers_is_nobody_elses_name():
    """With a token it will do, whichever it is; names still have to be known."""
    token = ("authorization", "Bearer s3cret")
    for host in ("192.168.0.7:8000", "[2001:db8::1]:8000"):
        assert asked([("host", host), token], token="s3cret")[0] == 200
    assert asked([("host", "evil.com"), token], token="s3cret")[0] == 421


@pytest.mark.parametrize(
    ("headers", "bodies", "status"),
    [
        ([("content-length", str(LARGEST))], [b"a" * LARGEST], 200),
        ([("content-length", str(LARGEST + 1))], [b""], 413),
        ([("content-length", "9" * 30)], [b""], 413),
        ([("content-length", "-1")], [b""], 413),
        ([], [b"a" * (LARGEST // 2)] * 2 + [b"a"], 413),
    ],
)
def test_large_bodies(headers, bodies, status):
    """Refused by what they say, or once too much has come."""
    found, told, _ = asked([*GOOD, *headers], "POST", bodies)
    assert found == status
    assert ("connection" in told) == (status == 413)


def test_slow_bodies(monkeypatch):
    """All of it has to be there in time, however steadily it drips."""
    monkeypatch.setattr(guard, "ARRIVES", 0.2)
    status, _, body = asked(method="POST", bodies=[b"a"] * 100, pause=0.05)
    assert (status, json.loads(body)["type"]) == (408, "/api#slow")


def test_an_application_that_never_ends():
    async def endless(scope, receive, send):
        await asyncio.sleep(60)

    assert asked(app=endless, seconds=0.05)[0] == 504


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("localhost", True),
     ("0.0.0.0", False), ("::", False), ("192.168.0.1", False), ("example.org", False)],
)  # fmt: skip
def test_loopback(host, loopback):
    assert is_loopback(host) is loopback
