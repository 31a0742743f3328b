"""Whatever a request says is used, or refused by name: every address and every key."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from dprisk.errors import DpriskError
from dprisk.web.api import EXAMPLES
from dprisk.web.app import FORMER, address, made
from dprisk.web.ledgers import Opened
from dprisk.web.problems import Reply
from dprisk.web.questions import QUESTIONS, ask, takes


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
    """The page has no parts behind a question mark; former addresses lead to where it refuses."""
    more = {"json": {}} if method == "POST" else {}
    reply, told = requested(method, f"{path.replace('{name}', 'report.html')}?surplus=7", **more)
    if path.split("/")[1] in FORMER:
        assert (reply.status_code, "surplus=7" in reply.headers["location"]) == (301, True)
    elif path != "/":
        assert reply.status_code == 422 and "surplus" in reply.text
    assert not told


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("promise?epsilon=0.5&prior=20", "/#way=promise&epsilon=0.5&prior=20"),
        ("promise/report.html?mu=1", "/#way=promise&mu=1"),
        ("promise?language=de", "/#way=promise&lang=de"),
        ("release?published=Lookup+Hints", "/#way=release&published=Lookup+Hints"),
        ("budget?prior1=10&limit1=30&prior2=50&limit2=60", "/#way=budget&points=10%3A30%2C50%3A60"),
        ("compare?epsilon2=3", "/#way=compare&epsilon2=3"),
        ("ledger", "/#way=ledger"),
        ("ledger/town?rho=1", "/#way=ledger&rho=1"),
    ],
)
def test_a_former_address_leads_to_the_same_on_the_page(before, after):
    reply, _ = requested("GET", f"/{before}")
    assert (reply.status_code, reply.headers["location"]) == (301, after)


def test_an_address_cannot_leave_the_page():
    assert address("promise", [("kind", "a&b#c\r\nX: y")]).count("\n") == 0


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
