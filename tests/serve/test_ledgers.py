"""A ledger as pages: what is shown, what would be decided, and who may charge."""

import json

import pytest

from dprisk import ZeroConcentratedDP
from dprisk.budget import InformedLimit
from dprisk.ledger import Account, Ledger
from dprisk.serve import ledgers
from tests.report.browser import needs_chromium, opened, violations
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
