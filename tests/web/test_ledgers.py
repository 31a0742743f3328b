"""A ledger on the page and in the API: what is shown, what would be decided, and who may charge."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import httpx
import pytest

from dprisk import ZeroConcentratedDP
from dprisk.budget import InformedLimit
from dprisk.errors import DpriskError
from dprisk.ledger import Account, Ledger
from dprisk.web import ledgers
from dprisk.web.app import made
from dprisk.web.guard import Guard, Problem, Reply
from tests.cli.running import run

pytest.importorskip("sqlalchemy")


@pytest.fixture
def place(tmp_path):
    where = str(tmp_path / "a.ledger")
    limit = InformedLimit("posterior", 0.5, prior=0.1)
    town = Account(
        "town", "residents <b>", "person", "add-remove", "2026", "concentrated", (limit,)
    )
    with Ledger.create(where, origin="Office", by="ann") as ledger:
        ledger.account(town, by="ann")
        one = ZeroConcentratedDP(0.04, neighbors="add-remove")
        ledger.charge(one, "town", by="ann", key="first")
    yield where
    ledgers._book.cache_clear()


def asked(task, place, write=False, **body):
    """What a worker answers."""
    head = json.dumps([place, write]).encode()
    return task(head + b"\n" + json.dumps(body).encode())[1].decode()


def charges(place):
    with Ledger.open(place) as ledger:
        return [charge.key for charge in ledger.history()]


def test_all_accounts(place):
    text = asked(ledgers.show, place)
    assert "town" in text
    assert "residents &lt;b&gt;" in text and "<b>" not in text


def test_one_account(place):
    text = asked(ledgers.show, place, account="town")
    assert "4 more releases" in text and "first" in text and "History" in text


def test_the_api_answers_what_the_command_prints(place):
    """The accounts, and the status of one of them."""
    assert asked(ledgers.answer, place) == run("ledger", "accounts", place, "--json").out
    said = run("ledger", "status", place, "town", "--json").out
    assert asked(ledgers.answer, place, account="town") == said


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"rho": "0.1"}, "It fits."),
        ({"rho": "0.2"}, "It does not fit. town: the release needs 0.2 (rho)"),
        ({"epsilon": "0.1"}, "It fits."),
        ({"mechanism": "gaussian", "parameters": ["sigma=9", "sensitivity=1"],
          "neighbors": "add-remove"}, "It fits."),
    ],
)  # fmt: skip
def test_one_more_release(place, body, says):
    assert says in asked(ledgers.show, place, account="town", **body)
    assert charges(place) == ["first"]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"rho": "much"}, "number"),
        ({"rho": "0.1", "over": "0"}, "over"),
        ({"account": "elsewhere"}, "elsewhere"),
        ({"surplus": 7}, "no key 'surplus'"),
    ],
)
def test_what_makes_no_sense_is_refused(place, body, says):
    with pytest.raises(DpriskError, match=says):
        asked(ledgers.show, place, **{"account": "town", **body})


def test_charges_need_leave_to_write(place):
    said = {"account": "town", "rho": "0.1", "by": "bo", "key": "second", "name": "Tables"}
    with pytest.raises(Problem) as refused:
        asked(ledgers.show, place, charge=True, **said)
    assert "--write" in refused.value.detail
    asked(ledgers.show, place, write=True, **said)
    assert charges(place) == ["first"]
    assert "recorded as released" in asked(ledgers.show, place, write=True, charge=True, **said)
    assert charges(place) == ["first", "second"]
    with pytest.raises(DpriskError, match="nothing was spent"):
        asked(ledgers.show, place, write=True, charge=True, **{**said, "key": "third"})


@pytest.mark.parametrize("charge", [True, False])
def test_a_release_without_an_account_is_not_passed_over(place, charge):
    """Whoever sends it must not take the list of accounts for a charge."""
    with pytest.raises(DpriskError, match="Name the account of this release"):
        asked(ledgers.answer, place, write=True, rho="0.1", by="bo", charge=charge)


def test_an_account_that_is_not_there_is_named(place):
    with pytest.raises(DpriskError, match=r"account.*the name of an open account \(town\)"):
        asked(ledgers.answer, place, write=True, account="city", rho="0.1", charge=True)


ASKED = {"account": "town", "epsilon": "0.1", "by": "mallory", "charge": True}


class _Here:
    """Workers in this process: what they are told is what reaches a real one."""

    async def alone(self, task, given):
        return Reply(200, "text/html", b"")

    async def reply(self, task, given, listen=None, *, long=False):
        module, _, name = task.partition(":")
        if module == "ledgers":
            return Reply(200, *getattr(ledgers, name)(given))
        return Reply(200, "text/html", b"")


def guarded(place):
    """A server that may write, behind its guard."""
    return Guard(made(_Here(), ledger=ledgers.Opened(place, write=True)), token="open")


def sent(place, requests):
    """The statuses of the answers to requests, as a browser that knows the password sends them."""
    transport = httpx.ASGITransport(app=guarded(place))

    async def send():
        told = {"authorization": "Bearer open", "host": "127.0.0.1:8000"}
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return [
                (
                    await client.request(
                        method, address, **{**more, "headers": {**told, **headers}}
                    )
                ).status_code
                for method, address, headers, more in requests
            ]

    return asyncio.run(send())


def test_no_address_changes_anything(place):
    """Whatever it says: only JSON that is posted may charge."""
    before, written = charges(place), Path(place).read_bytes()
    paths = sorted({route.path.replace("{name}", "town") for route in guarded(place).app.routes})
    query = "account=town&epsilon=0.1&by=mallory&charge=true&method=POST"
    form = {"content-type": "application/x-www-form-urlencoded"}
    found = sent(
        place,
        [("GET", f"{path}?{query}", {}, {}) for path in paths]
        + [("POST", path, form, {"content": query}) for path in paths],
    )
    assert (charges(place), Path(place).read_bytes()) == (before, written)
    assert {200, 405, 415, 422} <= set(found)
    assert sent(place, [("POST", "/api/ledger", {}, {"json": ASKED})]) == [200]
    assert len(charges(place)) == len(before) + 1


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://elsewhere.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "http://127.0.0.1:8000", "sec-fetch-site": "cross-site"},
    ],
)
def test_what_other_sites_post_is_refused(place, headers):
    before = charges(place)
    assert sent(place, [("POST", "/api/ledger", headers, {"json": ASKED})]) == [403]
    assert charges(place) == before
