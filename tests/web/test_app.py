"""The server as a whole: what is sent and received, on a real connection."""

from __future__ import annotations

import json
import time

import httpx
import pytest
from jsonschema import Draft202012Validator

from dprisk import errors
from dprisk.web.app import described
from dprisk.web.guard import HEADERS, KINDS, LARGEST, problem_of
from dprisk.web.guard import MEDIA as PROBLEM
from dprisk.web.questions import EXAMPLES, QUESTIONS
from tests.cli.running import run
from tests.web.running import LONG, QUICK, serving
from tests.web.test_questions import ASKED, REFUSED

JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def client(server):
    with httpx.Client(base_url=server.address, timeout=60) as client:
        yield client


def ask(client, question, body):
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    return client.post(f"/api/{question}", content=text, headers=JSON)


@pytest.mark.parametrize("question", EXAMPLES)
def test_every_question(client, question):
    """What the description gives as an example is answered, and conforms to the description."""
    operation = described()["paths"][f"/api/{question}"]["post"]
    sent = operation["requestBody"]["content"]["application/json"]
    Draft202012Validator.check_schema(sent["schema"])
    Draft202012Validator(sent["schema"]).validate(sent["example"])
    reply = ask(client, question, EXAMPLES[question])
    assert (reply.status_code, reply.headers["content-type"]) == (200, "application/json")
    answer = operation["responses"]["200"]["content"]["application/json"]["schema"]
    shipped = described()["components"]["schemas"]
    if question in shipped:
        assert f"#/components/schemas/{question}" in str(answer)
        Draft202012Validator(shipped[question]).validate(reply.json())


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, (_, words, _) in ASKED.items()
        if "." not in words[0] and "--spent" not in words
    ],
)
def test_bytes_of_the_command(client, name):
    question, words, body = ASKED[name]
    assert ask(client, question, body).text == run(question, *words, "--json").out


@pytest.mark.parametrize("name", REFUSED)
def test_problems(client, name):
    """As RFC 9457 has them, and nothing of what a terminal or a browser would obey."""
    question, _, body = REFUSED[name]
    reply = ask(client, question, body)
    assert reply.headers["content-type"] == "application/problem+json"
    problem = reply.json()
    assert reply.status_code == problem["status"] == 422
    assert problem["type"].removeprefix("/api#") in KINDS
    assert problem["title"] and problem["detail"]
    assert "\x1b" not in reply.text


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[]", 400),
        (b"1", 400),
        (b'{"epsilon": 1, "epsilon": 2}', 400),
        (b"[" * 100_000, 400),
        (b'{"a":' * 100_000, 400),
        (b"\xff\xfe", 400),
        (b'{"epsilon": NaN}', 422),
        (b'{"epsilon": 1e999, "neighbors": "add-remove"}', 422),
        (b'{"nothing": 1}', 422),
        (b'{"epsilon": {"a": 1}}', 422),
        (b'{"epsilon": [1, 2]}', 422),
        (b'{"epsilon": true}', 422),
        (b'{"one_sided": "yes"}', 422),
        (b'{"limit": 7}', 422),
        (b'{"release": 7}', 422),
        (b'{"release": {"file": "../../etc/passwd", "text": "a"}}', 422),
        (b'{"release": {"file": "/etc/passwd", "text": "a"}}', 422),
        (b'{"release": {"file": "C:\\\\a.yaml", "text": "a"}}', 422),
        (b'{"release": {"file": "a.parquet", "text": "a"}}', 422),
        (b'{"release": {"file": "a.yaml", "text": ["a"]}}', 422),
        (b'{"release": ' + b"[" * 500 + b"]" * 500 + b"}", 422),
    ],
)
def test_bodies_that_are_no_questions(client, body, status):
    reply = ask(client, "assess", body)
    assert reply.status_code == status
    assert reply.headers["content-type"] == "application/problem+json"
    assert len(reply.text) < 2000


def test_other_addresses_methods_and_types(client):
    for reply, status in (
        (client.get("/api/nothing"), 404),
        (client.post("/api/nothing"), 404),
        (client.get("/api/assess"), 405),
        (client.put("/api/assess"), 405),
        (client.post("/api/assess", content="{}"), 415),
        (client.post("/api/assess", data={"epsilon": "1"}), 415),
        (ask(client, "assess", b" " * (LARGEST + 1)), 413),
    ):
        assert reply.status_code == status
        assert reply.headers["content-type"] == "application/problem+json"
        assert "HTTP" not in reply.json()["detail"]


@pytest.mark.parametrize(
    ("method", "place", "allowed"),
    [
        *(("GET", f"/api/{question}", "POST") for question in QUESTIONS),
        ("PUT", "/api/assess", "POST"),
        ("POST", "/api", "GET"),
        ("GET", "/document/report.html", "POST"),
    ],
)
def test_an_address_that_is_there_says_which_methods_it_takes(client, method, place, allowed):
    reply = client.request(method, place, headers={"Accept": "text/html"})
    assert (reply.status_code, reply.headers["allow"]) == (405, allowed)
    assert reply.headers["content-type"] == PROBLEM
    assert method in reply.json()["detail"]


def test_headers_of_everything(client):
    """The strict ones, on answers and problems; no cookie, and no word on what serves."""
    for reply in (
        client.get("/api/openapi.json"),
        client.get("/nothing"),
        ask(client, "assess", QUICK),
        ask(client, "assess", b"{"),
        client.get("/", headers={"Host": "evil.com"}),
        client.get("/api"),
        client.get("/"),
    ):
        told = dict(reply.headers)
        policy = told.pop("content-security-policy")
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
        for name, text in HEADERS.items():
            assert name == "Content-Security-Policy" or told[name.lower()] == text
        assert not {"set-cookie", "server", "x-powered-by", "access-control-allow-origin"} & set(
            told
        )
    assert "script-src 'sha256-" in policy and "connect-src 'self'" in policy


def test_the_description_needs_nothing_from_elsewhere(client):
    """A page of its own: no script, no address of others."""
    page = client.get("/api")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "<script" not in page.text and " style=" not in page.text
    assert "http://" not in page.text and "https://" not in page.text
    for kind in KINDS:
        assert f'id="{kind}"' in page.text
    assert client.get("/api/openapi.json").json() == described()


def test_every_error_of_the_library_is_a_problem():
    """With a title, and a place on the page; of one that is not expected, nothing is told."""
    for name, kind in vars(errors).items():
        if isinstance(kind, type) and issubclass(kind, errors.DpriskError):
            problem = problem_of(type(name, (errors.DpriskError,), {})("Why."))
            assert problem.key in KINDS
            assert problem.to_dict()["title"]
    unexpected = problem_of(RuntimeError("a secret")).to_dict()
    assert unexpected["status"] == 500
    assert "secret" not in json.dumps(unexpected)


def test_who_leaves_is_not_worked_for(client, server):
    """One long question may be under way; once its asker has gone, there is room for another."""
    for _ in range(2):
        with pytest.raises(httpx.ReadTimeout):
            client.post("/api/compose", content=json.dumps(LONG), headers=JSON, timeout=2.5)
        time.sleep(2.0)


def test_a_limit():
    """What takes longer than the limit ends with a problem."""
    with serving("--seconds", "1") as served, httpx.Client(base_url=served.address) as client:
        reply = client.post("/api/compose", content=json.dumps(LONG), headers=JSON, timeout=60)
        assert reply.status_code == 504
        assert reply.json()["type"] == "/api#limit"
