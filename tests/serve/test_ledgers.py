"""A ledger as pages: what is shown, what would be decided, and who may charge."""

import asyncio
import json
from collections import Counter
from pathlib import Path
from urllib.parse import urlencode

import pytest

from dprisk import ZeroConcentratedDP
from dprisk.budget import InformedLimit
from dprisk.ledger import Account, Ledger
from dprisk.serve import ledgers
from dprisk.serve.app import made
from dprisk.serve.guard import Guard
from dprisk.serve.workers import Reply
from tests.documents.browser import needs_chromium, opened, violations
from tests.serve.running import serving

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


def asked(place, account=None, *, write=False, charge=False, **query):
    given = {"place": place, "write": write, "account": account, "charge": charge, "query": query}
    media, content = ledgers.shown(json.dumps(given).encode())
    return media, content.decode()


def test_all_accounts(place):
    media, text = asked(place)
    assert media == "text/html" and "Office" in text and 'href="/ledger/town"' in text
    assert "residents &lt;b&gt;" in text and "<b>" not in text


def test_one_account(place):
    _, text = asked(place, "town")
    assert "4 more releases" in text and "first" in text and "<meter" in text
    assert "Charge it" not in text


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ({"rho": "0.1"}, "It fits."),
        ({"rho": "0.2"}, "It does not fit. town: the release needs 0.2 (rho)"),
        ({"epsilon": "0.1"}, "It fits."),
        ({"rho": "much"}, "number"),
        ({"rho": "0.1", "over": "0"}, "over"),
    ],
)
def test_one_more_release(place, query, says):
    _, text = asked(place, "town", **query)
    assert says in text
    with Ledger.open(place) as ledger:
        assert len(ledger.history()) == 1


@needs_chromium
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_violation_and_nothing_cut_in_a_browser(place, scheme):
    with serving("--ledger", place) as served:
        for width in (1200, 400):
            with opened(None, width=width, scheme=scheme) as page:
                for name in ("ledger", "ledger/town", "ledger/town?rho=0.2"):
                    page.goto(served.address + name)
                    wrong, rules, wide = violations(page)
                    assert (name, wrong, wide) == (name, [], width)
                    assert rules > 15
                beside = (
                    page.locator("#asked").bounding_box(),
                    page.locator("#result").bounding_box(),
                )
                assert (beside[0]["y"] == beside[1]["y"]) == (width == 1200)


def test_charges_need_leave_to_write(place):
    said = {"rho": "0.1", "by": "bo", "key": "second", "name": "Tables"}
    asked(place, "town", charge=True, **said)
    asked(place, "town", write=True, **said, charged="yes", write_="yes")
    with Ledger.open(place) as ledger:
        assert len(ledger.history()) == 1
    media, _ = asked(place, "town", write=True, charge=True, **said)
    assert media == "application/json"
    with Ledger.open(place) as ledger:
        assert [charge.key for charge in ledger.history()] == ["first", "second"]
    _, text = asked(place, "town", write=True, charge=True, **{**said, "key": "third"})
    assert "nothing was spent" in text


ASKED = {"epsilon": "0.1", "by": "mallory", "key": "theirs", "name": "Theirs"}
FLAGS = ("charge", "write", "method", "_method", "submit", "account", "place", "reserve", "release")


async def _status(app, method, address, *, form=None, **headers):
    """The status of one answer; as a browser that knows the password asks."""
    told = {"host": "127.0.0.1:8000", "authorization": "Bearer open", **headers}
    if form is not None:
        told["content-type"] = "application/x-www-form-urlencoded"
    path, _, query = address.partition("?")
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [
            (name.replace("_", "-").encode(), text.encode()) for name, text in told.items()
        ],
        "app": app.app,
    }
    said, left = [], [{"type": "http.request", "body": urlencode(form or {}).encode()}]

    async def receive():
        if left:
            return left.pop()
        await asyncio.sleep(60)

    async def send(message):
        said.append(message)

    await app(scope, receive, send)
    return said[0]["status"]


class _Here:
    """Workers in this process: what they are told is what reaches a real one."""

    async def reply(self, task, given, listen=None, *, long=False):
        if task == "ledgers:shown":
            return Reply(200, *ledgers.shown(given))
        return Reply(200, "text/html", b"")


def guarded(place):
    """A server that may write, behind its guard."""
    return Guard(made(_Here(), ledger=ledgers.Opened(place, write=True)), token="open")


def rows(place):
    with Ledger.open(place) as ledger:
        return ledger.store.rows()


def addresses(app):
    """Every address there is, with an account, or a file, where one belongs."""
    for route in app.app.routes:
        name = "town" if route.path.startswith("/ledger") else "answer.svg"
        yield route.path.replace("{name}", name)


def test_no_address_changes_anything(place):
    """Whatever it says, to whichever page: only what is posted may charge."""
    app, before, written = guarded(place), rows(place), Path(place).read_bytes()
    queries = [{**ASKED, flag: value} for flag in FLAGS for value in ("yes", "1", "POST")]
    queries += [{**ASKED, **dict.fromkeys(FLAGS, "yes")}, ASKED]

    async def walk():
        found = Counter()
        for address in sorted(set(addresses(app))):
            for query in queries if address.startswith("/ledger") else queries[-1:]:
                for method, mode in (("GET", "navigate"), ("GET", "cors"), ("HEAD", "navigate")):
                    asked = f"{address}?{urlencode(query)}"
                    found[await _status(app, method, asked, sec_fetch_mode=mode)] += 1
        return found

    found = asyncio.run(walk())
    assert found[200] >= 2 and found[422] > 50
    assert (rows(place), Path(place).read_bytes()) == (before, written)
    posted = asyncio.run(_status(app, "POST", "/ledger/town", form=ASKED))
    assert (posted, len(rows(place))) == (303, len(before) + 2)


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://elsewhere.example"},
        {"origin": "null"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
        {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate"},
        {"origin": "http://127.0.0.1:8000", "sec_fetch_site": "cross-site"},
    ],
)
def test_what_other_sites_post_is_refused(place, headers):
    app, before = guarded(place), rows(place)
    assert asyncio.run(_status(app, "POST", "/ledger/town", form=ASKED, **headers)) == 403
    assert rows(place) == before
