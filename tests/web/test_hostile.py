"""What nobody should send: the hostile inputs of the command line, and those of servers.

None is answered with 500, none is read from the system, and none comes back as markup.
"""

from __future__ import annotations

import json

import httpx
import pytest

from dprisk.web.questions import QUESTIONS, takes
from tests.cli.test_hostile_files import RELEASES
from tests.cli.test_hostile_options import GARBAGE
from tests.web.running import QUICK

JSON = {"Content-Type": "application/json"}
ANSWERS = {200, 400, 413, 422, 503, 504}
RELEASE = (
    "{dprisk: 1, name: Town, unit: person, period: once, neighbors: add-remove, model: central, "
    "guarantees: [{epsilon: 1}]}"
)
GOOD = {
    "assess": QUICK,
    "compose": {"release": RELEASE, "delta": "1e-6"},
    "power": {"epsilon": "1", "neighbors": "add-remove"},
    "budget": {"limit": ["posterior=0.8"], "prior": "0.5", "neighbors": "add-remove"},
    "explain": {"epsilon": "1", "neighbors": "add-remove"},
    "report": {"release": RELEASE},
}


@pytest.fixture(scope="module")
def client(server):
    with httpx.Client(base_url=server.address, timeout=90) as client:
        yield client


def survived(client, question, body):
    """Send it; whatever it is, what has to hold holds."""
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    reply = client.post(f"/api/{question}", content=text, headers=JSON)
    assert reply.status_code in ANSWERS, (question, body, reply.text)
    assert reply.headers["content-type"] in ("application/json", "application/problem+json")
    assert "\x1b" not in reply.text and "root:" not in reply.text and "Traceback" not in reply.text
    reply.json()
    return reply


@pytest.mark.parametrize("question", QUESTIONS)
def test_garbage_in_every_key(client, question):
    """Some of the garbage for each key, another part of it each time."""
    for number, name in enumerate(takes(QUESTIONS[question])):
        for at in range(3):
            value = GARBAGE[(number * 7 + at * 19) % len(GARBAGE)]
            survived(client, question, {**GOOD[question], name: value})
        for value in (7, -1.5, True, [], {}, [[]], [{}], {"a": []}, {"a": 1}, ["a"] * 200, None):
            survived(client, question, {**GOOD[question], name: value})


def test_garbage_in_a_promise(client):
    for value in GARBAGE:
        reply = survived(client, "assess", {**QUICK, "epsilon": value})
        assert reply.status_code == 422 or value in ("007", "1e-400", "0." + "0" * 500 + "1")


def test_hostile_releases(client):
    """Every file that the command line refuses is refused, whichever way it is sent."""
    for text in RELEASES.values():
        content = text if isinstance(text, str) else text.decode("utf-8", "surrogateescape")
        for ending in ("yaml", "json", "toml"):
            body = {"release": {"file": f"x.{ending}", "text": content}}
            assert survived(client, "assess", body).status_code in (422, 413, 400)


def test_no_file_of_the_server(client):
    """By no key, by no name: there are no files but those that were sent."""
    for name in ("/etc/passwd", "pyproject.toml", "../pyproject.toml", "/proc/self/environ"):
        for question, key in (
            ("assess", "release"),
            ("budget", "profile"),
            ("budget", "spent"),
            ("report", "allocation"),
        ):
            for value in (name, [name], {"file": name, "text": ""}):
                reply = survived(client, question, {**GOOD[question], key: value})
                assert reply.status_code == 422


SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&{{7*7}}"


@pytest.mark.parametrize(
    ("question", "more"),
    [
        ("assess", {}),
        ("explain", {"claim": SCRIPT}),
        ("report", {"by": SCRIPT, "claim": SCRIPT}),
        ("compose", {"delta": "1e-6"}),
        ("power", {}),
    ],
)
def test_nothing_that_is_sent_becomes_markup(client, question, more):
    """Names, claims and signatures with a script in them, in the answers that the page shows."""
    town = {"file": "x.yaml", "text": RELEASE.replace("Town", json.dumps(SCRIPT))}
    body = json.dumps({"release": town, **more})
    reply = client.post(f"/answer/{question}", content=body, headers=JSON)
    assert (reply.status_code, reply.headers["content-type"].split(";")[0]) == (200, "text/html")
    assert "<script" not in reply.text and "<img" not in reply.text


@pytest.mark.parametrize(
    "path",
    ["//etc/passwd", "/api/../promise.py", "/progress/..%2fapp.py", "/%00", "/\u202e",
     "/document/../app.py", "/document/report.yaml.exe", "/promise?" + "a=1&" * 3000,
     "/promise?epsilon=" + "9" * 9000, "/promise?%ff=%fe%0d%0aSet-Cookie:a=b"],
)  # fmt: skip
def test_hostile_addresses(client, path):
    reply = client.get(path)
    assert reply.status_code in {200, 400, 404, 405, 414, 422}
    assert "set-cookie" not in reply.headers
    assert "import" not in reply.text[:200] and "root:" not in reply.text
