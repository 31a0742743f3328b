"""A ledger as pages: what is shown, what would be decided, and who may charge."""

import json

import pytest

from dprisk import ZeroConcentratedDP
from dprisk.budget import InformedLimit
from dprisk.ledger import Account, Ledger
from dprisk.serve import ledgers

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


def asked(place, account=None, *, write=False, **query):
    given = {"place": place, "write": write, "account": account, "query": query}
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
        ({"rho": "0.2"}, "It does not fit. town: this needs 0.2 of rho"),
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


def test_charges_need_leave_to_write(place):
    said = {"rho": "0.1", "by": "bo", "key": "second", "name": "Tables", "charge": "yes"}
    asked(place, "town", **said)
    with Ledger.open(place) as ledger:
        assert len(ledger.history()) == 1
    media, _ = asked(place, "town", write=True, **said)
    assert media == "application/json"
    with Ledger.open(place) as ledger:
        assert [charge.key for charge in ledger.history()] == ["first", "second"]
    _, text = asked(place, "town", write=True, **{**said, "key": "third"})
    assert "nothing was spent" in text
