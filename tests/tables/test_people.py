"""Each person's charges, added up as one would by hand."""

from __future__ import annotations

import os
import sys
from collections import Counter
from functools import partial

import numpy as np
import pyarrow as pa
import pytest

from dprisk import RenyiDP, ZeroConcentratedDP, disclosure
from dprisk.composition import compose
from dprisk.errors import InvalidInput
from dprisk.progress import progress
from dprisk.tables import REASON, TableQuestion, add_up
from dprisk.tables.people import CHUNK, share
from dprisk.tables.question import DEFINITIONS

CONSTANTS = {"neighbors": "add-remove", "prior": 0.25, "confidence": 0.99, "at_delta": 1e-6}
OUTPUTS = ["posterior_at_most", "epsilon_at_most", "advantage_at_most"]
KINDS = (
    ("pure", (0.1,)),
    ("pure", (0.3,)),
    ("approximate", (0.2, 1e-7)),
    ("gaussian", (0.4,)),
)


@pytest.fixture(scope="module")
def charges():
    """People who have used the same few things, each as often as they like."""
    rng = np.random.default_rng(11)
    rows = []
    for person in range(40):
        kinds = KINDS[:3] if person % 2 else KINDS[3:]
        for kind in rng.integers(len(kinds), size=1 + person % 5):
            name, values = kinds[kind]
            rows.append(
                {
                    "who": person,
                    "kind": name,
                    **dict(zip(DEFINITIONS[name].parameters, values, strict=True)),
                }
            )
    rng.shuffle(rows)
    names = ("who", "kind", "epsilon", "delta", "mu")
    return pa.table({name: [row.get(name) for row in rows] for name in names})


ASKED = TableQuestion(
    OUTPUTS,
    {"definition": "kind", "epsilon": "epsilon", "delta": "delta", "mu": "mu"},
    CONSTANTS,
)


def by_person(table):
    return {row["who"]: row for row in table.read_all().to_pylist()}


def test_people_are_composed_as_by_hand(charges):
    found = by_person(add_up(ASKED, charges, "who"))
    assert sorted(found) == list(range(40))
    for person, row in found.items():
        mine = [each for each in charges.to_pylist() if each["who"] == person]
        times = Counter(
            (each["kind"], tuple(each[name] for name in DEFINITIONS[each["kind"]].parameters))
            for each in mine
        )
        promises = [DEFINITIONS[kind].made(values, "add-remove") for kind, values in sorted(times)]
        whole = compose(promises, [times[key] for key in sorted(times)]).guarantee
        belief = disclosure(whole, confidence=0.99).posterior(0.25).upper.value
        assert row["charges"] == len(mine)
        assert row[REASON] is None
        assert row["epsilon_at_most"] == pytest.approx(whole.epsilon(1e-6).value, rel=1e-8)
        assert row["posterior_at_most"] == pytest.approx(belief, rel=1e-8)
        assert row["advantage_at_most"] == pytest.approx(whole.advantage().value, rel=1e-8)


def test_the_order_of_charges_changes_no_bit(charges):
    turned = charges.take(np.random.default_rng(1).permutation(charges.num_rows))
    assert by_person(add_up(ASKED, turned, "who")) == by_person(add_up(ASKED, charges, "who"))


def test_each_history_is_composed_once():
    charges = pa.table({"who": list(range(500)) * 2, "mu": [0.1] * 500 + [0.2, 0.3] * 250})
    asked = TableQuestion(
        ["advantage_at_most"], {"mu": "mu"}, {"definition": "gaussian", "neighbors": "add-remove"}
    )
    steps = []
    with progress(steps.append):
        found = by_person(add_up(asked, charges, "who"))
    assert len(found) == 500
    assert [step.total for step in steps if step.stage == "histories"][-1] == 2


def test_one_charge_that_cannot_be_read_takes_all_numbers():
    charges = pa.table({"who": [1, 1, 2, 3, 4, 4], "mu": [0.1, None, 0.1, float("nan"), -1.0, 0.1]})
    asked = TableQuestion(
        ["advantage_at_most"], {"mu": "mu"}, {"definition": "gaussian", "neighbors": "add-remove"}
    )
    found = by_person(add_up(asked, charges, "who"))
    assert {who: row[REASON] for who, row in found.items()} == {
        1: "missing", 2: None, 3: "not-a-number", 4: "out-of-range",
    }  # fmt: skip
    assert [who for who, row in found.items() if row["advantage_at_most"] is not None] == [2]


def test_what_is_one_for_all_is_no_column(charges):
    asked = TableQuestion(
        OUTPUTS[:1],
        {"prior": "epsilon", "epsilon": "epsilon"},
        {"definition": "pure", "neighbors": "add-remove"},
    )
    with pytest.raises(InvalidInput, match="prior"):
        add_up(asked, charges, "who")
    with pytest.raises(InvalidInput, match="whom"):
        add_up(ASKED, charges, "whom")


CURVE = TableQuestion(
    ["epsilon_at_most"],
    {"alpha": "orders", "gamma": "limits"},
    {"definition": "renyi", "neighbors": "add-remove", "at_delta": 1e-6},
)


def test_curves_of_divergences_are_added_order_by_order():
    orders = [2.0, 4.0, 16.0]
    charges = pa.table(
        {
            "who": ["a", "a", "b", "b", "c", "d"],
            "orders": [orders, orders, orders, orders, orders, orders[:2]],
            "limits": [[0.1, 0.3, 2.0], [0.2, 0.5, 2.5], [0.2, 0.5, 2.5], [0.1, 0.3, 2.0],
                       [0.1, None, 2.0], [0.1, 0.2, 0.3]],
        }
    )  # fmt: skip
    found = by_person(add_up(CURVE, charges, "who"))
    parts = [
        RenyiDP(orders, limits, neighbors="add-remove")
        for limits in charges["limits"][:2].to_pylist()
    ]
    expected = compose(parts).guarantee.epsilon(1e-6).value
    assert found["a"]["epsilon_at_most"] == found["b"]["epsilon_at_most"] == expected
    assert [found[who][REASON] for who in "abcd"] == [None, None, "missing", "missing"]


def test_charges_that_are_all_alike_may_be_constants():
    constants = {"definition": "gaussian", "neighbors": "add-remove", "mu": 0.5}
    asked = TableQuestion(["advantage_at_most"], {}, constants)
    found = by_person(add_up(asked, pa.table({"who": [1, 2, 1, None]}), "who"))
    assert {who: row["charges"] for who, row in found.items()} == {1: 2, 2: 1, None: 1}
    assert found[2]["advantage_at_most"] == found[None]["advantage_at_most"]
    assert found[1]["advantage_at_most"] > found[2]["advantage_at_most"]


def test_a_reader_is_read_once_and_memory_is_bounded(charges):
    duckdb = pytest.importorskip("duckdb")
    db = duckdb.connect(config={"memory_limit": "60MB", "threads": 2})
    people, days = 200_000, 10
    rows = db.sql(
        f"select range % {people} as who, "
        f"0.001 * (1 + hash(range // {people}, range % 7) % 3) as rho from range({people * days})"
    )
    asked = TableQuestion(
        ["epsilon_at_most"],
        {"rho": "rho"},
        {"definition": "concentrated", "neighbors": "add-remove", "at_delta": 1e-6},
    )
    found = add_up(asked, rows, "who", connection=db).read_all()
    assert found.num_rows == people
    assert len(set(found["epsilon_at_most"].to_pylist())) <= 7
    read = by_person(add_up(ASKED, charges.to_reader(), "who"))
    assert read == by_person(add_up(ASKED, charges, "who"))


def test_histories_that_promise_the_same_are_read_once_and_shared_if_that_takes_long(monkeypatch):
    monkeypatch.setattr("dprisk.tables.people.ALONE", 0.0)
    rho = [0.25, 0.25, 0.5, 0.125, 0.125, 0.25, 0.75, 0.25]
    charges = pa.table({"who": [1, 1, 2, 3, 3, 3, 4, 5], "rho": rho})
    asked = TableQuestion(["epsilon_at_most"], {"rho": "rho"}, {"definition": "concentrated",
        "neighbors": "add-remove", "at_delta": 1e-6})  # fmt: skip
    steps = []
    with progress(steps.append):
        found = by_person(add_up(asked, charges, "who"))
    assert [step.done for step in steps if step.stage == "histories"] == [1, 2, 3]
    for who, total in {1: 0.5, 2: 0.5, 3: 0.5, 4: 0.75, 5: 0.25}.items():
        expected = ZeroConcentratedDP(total, neighbors="add-remove").epsilon(1e-6).value
        assert found[who]["epsilon_at_most"] == expected


def test_what_processes_share_comes_back_in_order(monkeypatch):
    """Made by others; here where they end, or cannot be started; an error is raised here."""
    items = list(range(CHUNK + 1))
    assert list(share(str, items)) == list(map(str, items))
    assert list(share(_process, [])) == []
    assert os.getpid() not in set(share(_process, items))
    assert list(share(partial(_or_end, os.getpid()), items)) == items
    with pytest.raises(ValueError, match="a lot"):
        list(share(int, ["1", "a lot"]))
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert list(share(_process, [None] * 3)) == [os.getpid()] * 3


def _process(item):
    return os.getpid()


def _or_end(here, item):
    """The item, in one process; the end of any other."""
    if os.getpid() != here:
        os._exit(1)
    return item
