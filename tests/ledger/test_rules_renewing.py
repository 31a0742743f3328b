"""A budget that rises to what its limits allow, and statements about people: each has an author."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from dprisk import ZeroConcentratedDP
from dprisk.budget import EpsilonLimit, ProfileLimit, ratio_or_posterior
from dprisk.errors import InvalidInput, LimitRefused, Meaningless
from dprisk.ledger import Account, Ledger
from dprisk.ledger.accounts import account_content
from tests.cli.running import run
from torture.crafting import append

LIMITS = (ProfileLimit(ratio_or_posterior(3.0, 0.15, membership_prior=0.05), 0.99, "both"),)
TOWN = Account("town", "all", "person", "add-remove", "2026", "concentrated", LIMITS)
FROZEN = "0.0559874878"
"""Its cap by the theorem that an earlier version had."""


def rho(value):
    return ZeroConcentratedDP(value, neighbors="add-remove")


@pytest.fixture
def place(tmp_path):
    """A ledger with an account of an earlier version, and a half of it."""
    where = tmp_path / "a.ledger"
    with Ledger.create(where, origin="Office", by="ann") as made:
        made.account(replace(TOWN, cap=FROZEN), by="ann")
        half = replace(TOWN, name="half", limits=(), within="town", share="1/2")
        made.account(half, by="ann")
    return where


@pytest.fixture
def ledger(place):
    """It, where anyone may append."""
    with closing(sqlite3.connect(place)) as connection:
        connection.execute("DROP TRIGGER entry_follows")
    with Ledger.open(place) as made:
        yield made


def test_a_budget_rises_only_if_asked_and_to_what_its_limits_allow(place, tmp_path):
    with Ledger.open(place) as ledger:
        with pytest.raises(LimitRefused):
            ledger.charge(rho(0.06), "town", by="ann")
        with pytest.raises(LimitRefused):
            ledger.charge(rho(0.03), "half", by="ann")
        assert ledger.renew("half", by="bo")[0] == ledger.renew("half", by="bo")[1]
        before, after = ledger.renew("town", by="bo")
        assert before.cap == FROZEN and 0.067 < float(after.cap) < 0.068
        assert replace(after, cap=FROZEN) == before
        size = ledger.state().size
        assert ledger.renew("town", by="bo") == (after, after) and ledger.state().size == size
        assert ledger.renew("half", by="bo")[1].cap == str(float(after.cap) / 2)
        ledger.charge(rho(0.06), "town", by="ann")
        found = ledger.verify(replay=True)
        assert found.is_whole
        first = f"bo raised the budget of town from a rho of {FROZEN} to a rho of {after.cap}"
        assert first in found.stated[0] and len(found.stated) == 2
        ledger.export(tmp_path / "out")
    with Ledger.load(tmp_path / "out", tmp_path / "again.ledger") as again:
        assert again.state().accounts["town"] == after
        assert again.account(after, by="ann") == after


@pytest.mark.parametrize(
    "change",
    [
        {"cap": "1000"},
        {"cap": FROZEN},
        {"cap": "0.01"},
        {"cap": "0.06", "days": 7},
        {"cap": "0.06", "population": "others"},
        {"cap": "0.06", "apart": True},
        {"cap": "0.06", "within": "half"},
    ],
    ids=str,
)
def test_a_forged_rise_ends_where_the_limits_do(ledger, change):
    content = account_content(ledger.state().accounts["town"]) | change
    append(ledger, "account", None, content)
    most = float(ledger.state().accounts["town"].cap)
    assert len(ledger.state().flaws) == 1 and ledger.state().flaws[4].startswith("Entry 4 ")
    assert most < 0.068 if change["cap"] == "1000" else str(most) == FROZEN
    with pytest.raises(LimitRefused):
        ledger.charge(rho(0.068), "town", by="ann")


def test_what_has_no_budget_is_refused(ledger):
    ledger.account(replace(TOWN, name="fixed", period="2027", rule="fixed"), by="ann")
    with pytest.raises(Meaningless, match="has no budget that was fixed"):
        ledger.renew("fixed", by="bo")
    with pytest.raises(InvalidInput, match="name of an open account"):
        ledger.renew("none", by="bo")


def test_the_command_shows_both_budgets(place):
    done = run("ledger", "renew", str(place), "town", "--by", "bo")
    assert f"was a rho of {FROZEN}, and is now a rho of 0.067" in done.out.replace("\n", " ")
    done = run("ledger", "renew", str(place), "town", "--by", "bo")
    assert "Nothing was written." in done.out
    shown = run("ledger", "history", str(place), "town").out
    assert "Statements" in shown and "bo raised the budget" in shown


# --- other people --------------------------------------------------------------------------------


def test_who_states_that_people_are_others_is_written(ledger):
    other = replace(TOWN, name="other")
    ledger.account(other, by="bo", apart=True)
    assert ledger.state().accounts["other"].apart
    (said,) = ledger.verify().stated
    assert "bo states that nobody in the data of other" in said
    assert ledger.state().statements("other") == (said,)
    assert ledger.state().statements("town") == ()


def test_a_forged_second_budget_is_named_from_format_3_on(ledger, tmp_path, monkeypatch):
    content = account_content(ledger.state().accounts["town"]) | {"name": "other"}
    append(ledger, "account", None, content)
    assert "second budget for the people of town" in ledger.state().flaws[4]
    append(ledger, "account", None, content | {"name": "third", "apart": True})
    assert list(ledger.state().flaws) == [4]
    monkeypatch.setattr("dprisk.ledger.copies.verifying.LEDGER_FORMAT", 2)
    with Ledger.create(tmp_path / "old", origin="Office", by="ann") as old:
        old.account(TOWN, by="ann")
        append(
            old, "account", None, account_content(replace(old.state().accounts["town"], name="b"))
        )
        assert old.verify().is_whole and old.verify().stated == ()


@pytest.mark.parametrize(
    ("change", "within"),
    [
        ({}, True),
        ({"rule": "fixed"}, True),
        ({"neighbors": "replace-one", "limits": (EpsilonLimit(1.0, 1e-6),)}, False),
    ],
    ids=str,
)
def test_a_part_is_suggested_only_where_there_can_be_one(ledger, change, within):
    with pytest.raises(InvalidInput) as caught:
        ledger.account(replace(TOWN, name="other", **change), by="ann")
    assert ("--within" in str(caught.value)) is within
    assert "--apart" in str(caught.value)
