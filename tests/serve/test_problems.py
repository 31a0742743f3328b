"""Whatever a request says is used, or refused by name: every address, every form, every key."""

from __future__ import annotations

import asyncio
import json

import httpx
import pytest
from fastapi.routing import APIRoute

from dprisk.errors import DpriskError
from dprisk.serve.api import EXAMPLES
from dprisk.serve.app import made
from dprisk.serve.ledgers import NUMBERS, Opened
from dprisk.serve.ledgers import WORDS as NAMED
from dprisk.serve.questions import QUESTIONS, ask, takes
from dprisk.serve.ways import START, WAYS
from dprisk.serve.workers import Reply


class Workers:
    """Workers that only write down what they are asked."""

    def __init__(self):
        self.told = []

    async def reply(self, task, given, listen=None, *, long=False):
        self.told.append(given)
        return Reply(200, "text/html", b"")


def requested(method, address, **more):
    """The status, the text, and what reached a worker."""
    workers = Workers()
    app = made(workers, ledger=Opened("town.ledger", write=True))

    async def request():
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            return await client.request(method, address, **more)

    reply = asyncio.run(request())
    return reply.status_code, reply.text, workers.told


def routes():
    app = made(Workers(), ledger=Opened("town.ledger", write=True))
    for route in app.routes:
        assert isinstance(route, APIRoute)
        for method in route.methods:
            name = "town" if route.path.startswith("/ledger") else "report.html"
            yield method, route.path.replace("{name}", name)


@pytest.mark.parametrize(("method", "address"), sorted(set(routes())))
def test_no_address_reads_one_part_too_many(method, address):
    more = {"json": {}} if address.startswith("/api") and method == "POST" else {}
    status, text, told = requested(method, f"{address}?surplus=7", **more)
    if address == "/":  # goes where it is refused
        assert status == 307
        return
    assert status == 422 and "surplus" in text
    assert not told


def test_the_home_page_hands_on_what_it_is_asked():
    workers = Workers()
    app = made(workers)

    async def request():
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            return await client.get("/?epsilon=3&delta=1e-5")

    assert asyncio.run(request()).headers["location"] == "/promise?epsilon=3&delta=1e-5"


@pytest.mark.parametrize(("way", "name"), [(way, name) for way in WAYS for name in START[way]])
def test_no_part_of_a_page_is_said_twice(way, name):
    for value in (START[way][name] or "1", "7"):
        status, text, told = requested("GET", f"/{way}?{name}={value}&{name}=7")
        assert status == 422 and name in text
        assert not told


@pytest.mark.parametrize("name", [*NUMBERS, *NAMED])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_no_part_of_a_ledger_page_is_said_twice(method, name):
    twice = f"{name}=1&{name}=1"
    form = {"content": twice, "headers": {"content-type": "application/x-www-form-urlencoded"}}
    where = f"/ledger/town?{twice}" if method == "GET" else "/ledger/town"
    status, text, told = requested(method, where, **(form if method == "POST" else {}))
    assert status == 422 and f"'{name}' is given twice" in text
    assert not told


@pytest.mark.parametrize("address", ["/ledger/town", "/release", "/release/report.html"])
def test_no_form_has_one_field_too_many(address):
    status, text, told = requested("POST", address, data={"surplus": "7"})
    assert status == 422 and "surplus" in text
    assert not told


def test_a_text_and_an_uploaded_file_are_two_releases():
    upload = {"upload": ("town.yaml", b"dprisk: 1\n", "text/yaml")}
    status, _, told = requested("POST", "/release", data={"text": "dprisk: 1"}, files=upload)
    assert status == 422 and not told
    status, _, told = requested("POST", "/release", data={"text": ""}, files=upload)
    assert status == 200 and json.loads(told[0])["query"]["text"] == "dprisk: 1\n"


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_question_reads_one_key_too_many(question):
    with pytest.raises(DpriskError, match="There is no key 'surplus'"):
        ask(question, {**EXAMPLES[question], "surplus": 7})


@pytest.mark.parametrize("question", [name for name in QUESTIONS if "parameters" in takes(name)])
def test_a_release_and_parameters_are_two_subjects(question):
    both = {"release": "dprisk: 1", "parameters": {"scale": 1, "sensitivity": 1}}
    with pytest.raises(DpriskError, match="release and parameters cannot be used together"):
        ask(question, {**both, "mechanism": "laplace"})
