"""Whatever a request says is used, or refused by name: every address and every key."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from dprisk.errors import DpriskError
from dprisk.web.app import made
from dprisk.web.guard import Reply
from dprisk.web.ledgers import Opened
from dprisk.web.questions import EXAMPLES, QUESTIONS, ask, takes


class Workers:
    """Workers that only write down what they are asked."""

    def __init__(self):
        self.told = []

    async def alone(self, task, given):
        return Reply(200, "text/html", b"the page")

    async def reply(self, task, given, listen=None, *, long=False):
        self.told.append(given)
        return Reply(200, "text/html", b"")


def requested(method, where, **more):
    """The answer, and what reached a worker."""
    workers = Workers()
    app = made(workers, ledger=Opened("town.ledger", write=True))

    async def request():
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            return await client.request(method, where, **more)

    return asyncio.run(request()), workers.told


def routes():
    app = made(Workers(), ledger=Opened("town.ledger", write=True))
    return sorted((method, route.path) for route in app.routes for method in route.methods)


@pytest.mark.parametrize(("method", "path"), routes())
def test_no_address_reads_one_part_too_many(method, path):
    """The page itself looks at what it is asked."""
    more = {"json": {}} if method == "POST" else {}
    reply, told = requested(method, f"{path.replace('{name}', 'report.html')}?surplus=7", **more)
    if path != "/":
        assert reply.status_code == 422 and "surplus" in reply.text
    assert not told


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_question_reads_one_key_too_many(question):
    with pytest.raises(DpriskError, match="There is no key 'surplus'"):
        ask(question, {**EXAMPLES[question], "surplus": 7})


@pytest.mark.parametrize(
    "question", [name for name, table in QUESTIONS.items() if "parameters" in takes(table)]
)
def test_a_release_and_parameters_are_two_subjects(question):
    both = {"release": "dprisk: 1", "parameters": {"scale": 1, "sensitivity": 1}}
    with pytest.raises(DpriskError, match="release and parameters cannot be used together"):
        ask(question, {**both, "mechanism": "laplace"})
