"""Accounts, charges, limits, corrections: the ledger as its users have it."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest

from dprisk import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP
from dprisk.budget import AttackLimit, EpsilonLimit, InformedLimit
from dprisk.errors import (
    DpriskError,
    InvalidFile,
    InvalidInput,
    LedgerDamaged,
    LimitRefused,
    Meaningless,
)
from dprisk.guarantees.base import Neighbors
from dprisk.ledger import Account, ChargeRequest, Ledger
from dprisk.ledger.deciding import Author
from dprisk.ledger.store.opening import copy_file
from dprisk.mechanisms import Gaussian, Laplace
from dprisk.releases import Part, Release

ADD: Neighbors = "add-remove"
DAY = f"""\
dprisk: 1
name: Day
unit: user-day
period: day
neighbors: {ADD}
model: central
guarantees: [{{epsilon: 0.1}}]
"""
POSTERIOR = InformedLimit("posterior", 0.5, prior=0.1)


def town(**other):
    said = {
        "name": "town", "population": "residents", "unit": "person", "neighbors": ADD,
        "period": "2026", "rule": "pure", "limits": (EpsilonLimit(1.0, delta=0.0),),
    }  # fmt: skip
    return Account(**(said | other))


def epsilon(value, neighbors=ADD):
    return PureDP(value, neighbors=neighbors)


@pytest.fixture
def ledger(tmp_path):
    with Ledger.create(tmp_path / "a.ledger", origin="Office", by="ann") as made:
        yield made


def spent(ledger, name="town"):
    return ledger.status(name).standing.amounts[0].spent


# --- accounts ------------------------------------------------------------------------------------


def test_a_ledger_begins_with_itself(ledger):
    state = ledger.state()
    assert state.size == 1 and state.identity["origin"] == "Office"


def test_an_account_is_opened_once(ledger):
    first = ledger.account(town(), by="ann")
    assert ledger.account(town(), by="bo") == first and ledger.state().size == 2
    with pytest.raises(InvalidInput, match="no other account"):
        ledger.account(town(period="2027"), by="ann")


def test_it_is_the_same_after_it_was_closed(tmp_path):
    place = tmp_path / "a.ledger"
    limits = (POSTERIOR, AttackLimit("power", 0.3, level=0.05), EpsilonLimit(3.0, delta=1e-6))
    with Ledger.create(place, origin="Office", by="ann") as ledger:
        opened = ledger.account(town(rule="concentrated", limits=limits, delta="1e-9"), by="ann")
        ledger.charge(ZeroConcentratedDP(0.001, neighbors=ADD), "town", by="ann", key="one")
        before = ledger.status("town")
    with Ledger.open(place) as ledger:
        assert ledger.state().accounts["town"] == opened
        assert ledger.status("town").to_dict() == before.to_dict()


@pytest.mark.parametrize(
    "other",
    [
        {"name": "two words"},
        {"name": ""},
        {"population": " "},
        {"neighbors": "both"},
        {"rule": "advanced"},
        {"limits": ()},
        {"delta": "1e-6"},
        {"delta": "1", "rule": "approximate"},
        {"orders": ("2",)},
        {"orders": ("1",), "rule": "renyi"},
        {"share": "1/2"},
        {"share": "2", "within": "all"},
        {"days": 0},
    ],
)
def test_what_is_no_account_is_refused(other):
    with pytest.raises(InvalidInput):
        town(**other)


# --- charges -------------------------------------------------------------------------------------


def test_ten_tenths_are_one_and_not_more(ledger):
    ledger.account(town(), by="ann")
    for _ in range(10):
        ledger.charge(epsilon(0.1), "town", by="ann")
    assert spent(ledger) == 1 and ledger.status("town").left == 0
    with pytest.raises(
        LimitRefused, match=r"nothing was spent.*needs 1e-300 .epsilon., but only 0 of 1"
    ):
        ledger.charge(epsilon(1e-300), "town", by="ann")
    assert spent(ledger) == 1 and ledger.state().refusals == 1


def test_a_reservation_counts_as_spent_until_it_is_voided(ledger):
    ledger.account(town(), by="ann")
    ledger.reserve(epsilon(0.7), "town", by="ann", key="a")
    with pytest.raises(LimitRefused):
        ledger.reserve(epsilon(0.7), "town", by="ann", key="b")
    voided = ledger.void("a", by="bo", reason="the tables were wrong", not_run=True)
    assert voided.status == "voided" and voided.decided["reason"] == "the tables were wrong"
    assert ledger.reserve(epsilon(0.7), "town", by="ann", key="b").status == "reserved"
    assert spent(ledger) == Fraction(7, 10)


def test_what_is_out_stays_spent(ledger):
    ledger.account(town(), by="ann")
    ledger.reserve(epsilon(0.7), "town", by="ann", key="a")
    assert ledger.release("a", by="bo").status == "released"
    assert ledger.release("a", by="bo").decided["by"] == "bo"
    with pytest.raises(InvalidInput, match="stays charged"):
        ledger.void("a", by="bo", reason="oops", not_run=True)
    assert spent(ledger) == Fraction(7, 10)


def test_what_is_charged_after_it_was_reserved_is_released(ledger):
    """Also among others, and not if it is something else; it cannot be voided then."""
    ledger.account(town(), by="ann")
    for key in ("a", "b", "c"):
        ledger.reserve(epsilon(0.1), "town", by="ann", key=key)
    with pytest.raises(InvalidInput, match="another charge has this one"):
        ledger.charge(epsilon(0.01), "town", by="ann", key="a")
    assert ledger.charge(epsilon(0.1), "town", by="bo", key="a").status == "released"
    requests = [ChargeRequest(epsilon(0.1), "town", key=key) for key in ("d", "b", "b", "a", "d")]
    made = ledger.charge_all(requests, by="bo")
    assert [each.status for each in made] == ["released"] * 5
    assert [each.status for each in ledger.history()] == [*["released"] * 2, "reserved", "released"]
    assert made[1].by == "ann" and made[1].decided["by"] == "bo"
    size = ledger.state().size
    assert ledger.charge(epsilon(0.1), "town", by="bo", key="a").status == "released"
    assert ledger.reserve(epsilon(0.1), "town", by="bo", key="a").status == "released"
    assert ledger.state().size == size
    for key in ("a", "b", "d"):
        with pytest.raises(InvalidInput, match="Only a reservation can be voided"):
            ledger.void(key, by="bo", reason="not wanted", not_run=True)
    assert spent(ledger) == Fraction(4, 10)
    assert ledger.verify(replay=True).is_whole


def test_a_result_that_somebody_saw_stays_spent(ledger):
    """Fifty of fifty-one runs thrown away, because their results did not look good."""
    ledger.account(town(), by="ann")
    ledger.reserve(epsilon(0.6), "town", by="ann", key="a")
    for said in (False, None, 1, "no"):
        with pytest.raises(InvalidInput, match=r"someone saw stays spent.*ledger release"):
            ledger.void("a", by="bo", reason="the result did not look good", not_run=said)
    with pytest.raises(InvalidInput, match="someone saw stays spent"):
        ledger.void("a", by="bo", reason="the result did not look good")
    with pytest.raises(LimitRefused):
        ledger.reserve(epsilon(0.6), "town", by="ann", key="b")
    made = ledger.void("a", by="bo", reason="power cut", not_run=True)
    assert made.decided["not_run"] is True and made.decided["by"] == "bo"
    assert spent(ledger) == 0 and ledger.verify(replay=True).is_whole


@pytest.mark.parametrize("version", [1, 2])
def test_what_was_voided_before_the_statement_was_asked_for(tmp_path, monkeypatch, version):
    """In ledgers of that time such entries count for nothing; in others the charge stays spent."""
    monkeypatch.setattr("dprisk.ledger.copies.verifying.LEDGER_FORMAT", version)
    ledger = Ledger.create(tmp_path / "a.ledger", origin="Office", by="ann")
    ledger.account(town(), by="ann")
    ledger.reserve(epsilon(0.6), "town", by="ann", key="a")
    author = Author(ledger.clock, "bo")
    said = {"charge": "a", "reason": "withdrawn"}
    last = ledger.state().head
    ledger.store.write(lambda writing: writing.append(author.after(last, "voided", None, said)))
    (found,), flaws = ledger.history(), ledger.verify(replay=True).flaws
    ledger.close()
    if version == 1:
        assert (found.status, spent(ledger), flaws) == ("voided", 0, ())
    else:
        assert (found.status, spent(ledger)) == ("reserved", Fraction(3, 5))
        assert flaws == ("Entry 4 voids a charge without the statement that it was not run.",)


def test_a_voided_charge_is_not_released(ledger):
    ledger.account(town(), by="ann")
    ledger.reserve(epsilon(0.7), "town", by="ann", key="a")
    ledger.void("a", by="bo", reason="no", not_run=True)
    with pytest.raises(InvalidInput, match="voided"):
        ledger.release("a", by="bo")
    with pytest.raises(InvalidInput, match="voided"):
        ledger.reserve(epsilon(0.7), "town", by="ann", key="a")


def test_one_key_is_one_charge(ledger):
    ledger.account(town(), by="ann")
    first = ledger.charge(epsilon(0.4), "town", by="ann", key="a")
    size = ledger.state().size
    assert ledger.charge(epsilon(0.4), "town", by="bo", key="a") == first
    assert ledger.state().size == size
    with pytest.raises(InvalidInput, match=r'belongs to ".*" \(entry 3, .*, by ann\)'):
        ledger.charge(epsilon(0.3), "town", by="ann", key="a")
    assert spent(ledger) == Fraction(2, 5)


def test_a_refused_key_is_free_again(ledger):
    ledger.account(town(), by="ann")
    ledger.reserve(epsilon(0.9), "town", by="ann", key="a")
    with pytest.raises(LimitRefused):
        ledger.reserve(epsilon(0.2), "town", by="ann", key="b")
    ledger.void("a", by="ann", reason="no", not_run=True)
    assert ledger.reserve(epsilon(0.2), "town", by="ann", key="b").status == "reserved"


def test_all_accounts_or_none(ledger):
    ledger.account(town(), by="ann")
    ledger.account(town(name="farm", limits=(EpsilonLimit(0.5, delta=0.0),)), by="ann", apart=True)
    with pytest.raises(LimitRefused, match="farm") as caught:
        ledger.charge(epsilon(0.8), ["town", "farm"], by="ann")
    assert caught.value.decisions["town"].kept and not caught.value.decisions["farm"].kept
    assert caught.value.decisions["farm"].fits == 0
    assert spent(ledger) == 0
    ledger.charge(epsilon(0.5), ["town", "farm"], by="ann")
    assert spent(ledger) == spent(ledger, "farm") == Fraction(1, 2)


def test_a_part_counts_in_the_whole(ledger):
    ledger.account(town(), by="ann")
    ledger.account(town(name="school", limits=(), within="town", share="1/4"), by="ann")
    ledger.account(town(name="clinic", limits=(), within="town", share="3/4"), by="ann")
    assert ledger.state().accounts["school"].cap == "0.25"
    ledger.charge(epsilon(0.25), "school", by="ann")
    assert spent(ledger) == Fraction(1, 4)
    with pytest.raises(LimitRefused, match="school"):
        ledger.charge(epsilon(0.01), "school", by="ann")
    ledger.charge(epsilon(0.75), "clinic", by="ann")
    with pytest.raises(LimitRefused, match="town"):
        ledger.charge(epsilon(0.01), "town", by="ann")


@pytest.mark.parametrize(
    "other",
    [{"unit": "household"}, {"neighbors": "replace-one"}, {"rule": "concentrated"}],
)
def test_a_part_is_about_the_same_people(ledger, other):
    fixed = "rule" in other
    ledger.account(town(rule="fixed" if fixed else "pure"), by="ann")
    with pytest.raises(InvalidInput):
        ledger.account(town(name="school", within="town", **other), by="ann")


def test_many_in_one_step_are_all_or_none(ledger):
    ledger.account(town(), by="ann")
    asked = [ChargeRequest(epsilon(0.4), "town", key=f"k{i}") for i in range(3)]
    with pytest.raises(LimitRefused):
        ledger.charge_all(asked, by="ann")
    assert spent(ledger) == 0 and ledger.history() == ()
    assert [each.status for each in ledger.charge_all(asked[:2], by="ann")] == ["released"] * 2
    assert spent(ledger) == Fraction(4, 5)


def test_a_plan_writes_nothing(ledger):
    ledger.account(town(), by="ann")
    asked = [ChargeRequest(epsilon(value), "town") for value in (0.6, 0.6, 0.4)]
    assert [each.kept for each in ledger.plan(asked)] == [True, False, True]
    assert ledger.state().size == 2


def test_other_units_need_a_word(ledger, tmp_path):
    ledger.account(town(unit="user", limits=(EpsilonLimit(3.0, delta=0.0),)), by="ann")
    (tmp_path / "day.yaml").write_text(DAY)
    with pytest.raises(Meaningless, match="--over"):
        ledger.charge(tmp_path / "day.yaml", "town", by="ann")
    ledger.charge(tmp_path / "day.yaml", "town", by="ann", over=30)
    assert spent(ledger) == 3


def test_unknown_accounts_and_keys(ledger):
    with pytest.raises(InvalidInput, match="none is open yet"):
        ledger.charge(epsilon(0.1), "town", by="ann")
    with pytest.raises(InvalidInput, match="history"):
        ledger.release("a", by="ann")
    with pytest.raises(InvalidInput):
        ledger.status("town")


@pytest.mark.parametrize("by", ["", "  ", "a\nb", "x" * 2000, None])
def test_who_is_one_line(ledger, by):
    with pytest.raises(InvalidInput):
        ledger.account(town(), by=by)


@pytest.mark.parametrize("act", ["reserve", "charge"])
def test_who_is_said(ledger, act):
    ledger.account(town(), by="ann")
    with pytest.raises(TypeError, match="'by'"):
        getattr(ledger, act)(epsilon(0.1), "town")
    assert ledger.status("town").left is None


BAD = ["a\ud800", "a\0b", "a\nb", "\u202eb"]


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("name", ["by", "key", "source", "reason", "release", "file"])
def test_text_that_no_database_holds_is_refused_by_name(ledger, tmp_path, name, bad):
    ledger.account(town(unit="user-day"), by="ann")
    ledger.reserve(epsilon(0.1), "town", by="ann", key="k")
    what = Release.of(epsilon(0.1), name=bad if name == "release" else "January")
    if name == "file":
        what = tmp_path / "a.yaml"
        what.write_text(DAY.replace("Day", json.dumps(bad)))
    more = {each: bad for each in ("key", "source") if each == name}
    with pytest.raises(DpriskError) as caught:
        if name == "reason":
            ledger.void("k", by="ann", reason=bad, not_run=True)
        else:
            ledger.charge(what, "town", by=bad if name == "by" else "ann", **more)
    assert str(caught.value).encode() and caught.value.__class__ in (InvalidInput, InvalidFile)
    assert ledger.state().size == 3


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("name", ["name", "population", "unit", "period"])
def test_an_account_has_text_that_can_be_kept(name, bad):
    with pytest.raises(InvalidInput, match=name):
        town(**{name: bad})


def test_a_file_of_any_name_is_kept_as_it_is(ledger, tmp_path):
    ledger.account(town(unit="user-day"), by="ann")
    place = os.path.join(os.fsencode(tmp_path), b"\xff.yaml")
    with open(place, "w") as file:
        file.write(DAY)
    ledger.charge(os.fsdecode(place), "town", by="ann")
    content = ledger.store.read()[2].content
    assert content["release"]["file"] == "\ufffd.yaml" and content["release"]["text"] == DAY


@pytest.mark.parametrize(
    ("what", "name"),
    [
        (PureDP(0.5, neighbors=ADD), "epsilon 0.5"),
        (Part(PureDP(0.1, neighbors=ADD), count=3), "3 x epsilon 0.1"),
        (Laplace(20.0, 1.0, neighbors=ADD), "laplace scale 20.0, sensitivity 1.0"),
    ],
)
def test_a_release_without_a_name_is_called_by_its_numbers(ledger, what, name):
    ledger.account(town(), by="ann")
    assert ledger.charge(what, "town", by="ann").name == name
    assert ledger.history()[0].name == name


# --- fixed schedules -----------------------------------------------------------------------------


def test_a_fixed_schedule_is_composed(ledger):
    ledger.account(town(rule="fixed", limits=(EpsilonLimit(1.0, delta=1e-6),)), by="ann")
    for _ in range(20):
        ledger.charge(Laplace(20.0, 1.0, neighbors=ADD), "town", by="ann")
    ledger.charge(Gaussian(20.0, 1.0, neighbors=ADD), "town", by="ann")
    status = ledger.status("town")
    (reading,) = status.standing.readings
    assert reading.scope == "schedule" and 0.8 < float(reading.now) <= 1.0
    assert status.left >= 0


def test_what_a_filter_cannot_count_is_refused(ledger):
    ledger.account(town(rule="gaussian", limits=(EpsilonLimit(1.0, delta=1e-6),)), by="ann")
    with pytest.raises(DpriskError):
        ledger.charge(ApproxDP(0.1, 1e-6, neighbors=ADD), "town", by="ann")
    ledger.charge(GaussianDP(0.01, neighbors=ADD), "town", by="ann")
    assert spent(ledger) == Fraction(1, 10**4)


# --- bad days ------------------------------------------------------------------------------------


def test_two_clocks(tmp_path):
    early, late = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC) + timedelta(5)
    with Ledger.create(tmp_path / "a", origin="Office", by="ann", clock=lambda: late) as one:
        one.account(town(), by="ann")
        one.charge(epsilon(0.1), "town", by="ann", key="a")
    with Ledger.open(tmp_path / "a", clock=lambda: early) as other:
        other.charge(epsilon(0.1), "town", by="bo", key="b")
        assert [each.key for each in other.history()] == ["a", "b"]
        assert spent(other) == Fraction(1, 5)


def test_a_ledger_that_went_back_while_it_was_open(tmp_path):
    place, older = tmp_path / "a", tmp_path / "older"
    with Ledger.create(place, origin="Office", by="ann") as ledger:
        ledger.account(town(), by="ann")
        copy_file(ledger.store.location, older)
        ledger.reserve(epsilon(0.1), "town", by="ann", key="a")
        for log in tmp_path.glob("a-*"):
            log.unlink()
        older.replace(place)
        with pytest.raises(LedgerDamaged, match="ends at entry 2, and entry 3 was seen"):
            ledger.status("town")
        with pytest.raises(LedgerDamaged):
            ledger.charge(epsilon(0.1), "town", by="ann", key="b")
    with Ledger.open(place) as ledger:
        assert ledger.history() == ()


def test_two_programs_at_once(tmp_path):
    with Ledger.create(tmp_path / "a", origin="Office", by="ann") as one:
        one.account(town(), by="ann")
        with Ledger.open(tmp_path / "a") as other:
            for i in range(5):
                one.charge(epsilon(0.1), "town", by="ann", key=f"a{i}")
                other.charge(epsilon(0.1), "town", by="bo", key=f"b{i}")
            with pytest.raises(LimitRefused):
                one.charge(epsilon(0.1), "town", by="ann")
        assert spent(one) == 1
