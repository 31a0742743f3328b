"""The belief in both, being in the data with a value, row by row: as it is of one release."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from dprisk import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP
from dprisk.composition import compose
from dprisk.errors import InvalidInput
from dprisk.risk import joint_disclosure
from dprisk.tables import TableQuestion, add_up, answer

A: Any = {"neighbors": "add-remove"}
MADE: dict[str, Any] = {
    "pure": lambda e, rho, mu: PureDP(e, **A),
    "approximate": lambda e, rho, mu: ApproxDP(e, 1e-6, **A),
    "concentrated": lambda e, rho, mu: ZeroConcentratedDP(rho, **A),
    "gaussian": lambda e, rho, mu: GaussianDP(mu, **A),
}


@pytest.mark.parametrize("sure", [{}, {"confidence": 0.95}, {"failure": 0.05}])
def test_each_row_is_what_one_release_is(sure):
    rows: Any = {
        "definition": [*MADE, "pure"],
        "epsilon": [1.0, 0.5, 1.0, 1.0, 0.0],
        "rho": [0.1] * 5,
        "mu": [0.4] * 5,
        "p": [0.05, 0.5, 1.0, 0.0, 0.3],
        "q": [0.1, 1.0, 0.3, 0.2, 0.5],
    }
    columns = {name: name for name in ("definition", "epsilon", "rho", "mu")}
    asked = TableQuestion(
        ["both_at_most", "posterior_at_most"],
        {**columns, "prior": "p", "value_prior": "q"},
        {**A, "delta": 1e-6, **sure},
    )
    found = answer(asked, pa.table(rows)).read_all().to_pylist()
    confidence = 0.95 if sure else None
    for row in found:
        made = MADE[row["definition"]](row["epsilon"], row["rho"], row["mu"])
        moved = joint_disclosure(made, row["q"], confidence=confidence)
        assert row["both_at_most"] == pytest.approx(
            float(moved.posterior(row["p"]).upper), rel=1e-12
        )
        assert row["dprisk_reason"] is None


def test_what_has_no_bound_and_what_cannot_be_read():
    asked = TableQuestion(
        ["both_at_most"],
        {"delta": "d", "value_prior": "q"},
        {"definition": "approximate", "epsilon": 1.0, "prior": 0.5, "confidence": 0.99, **A},
    )
    rows = pa.table({"d": [1e-6, 0.2, 1e-6, 1e-6], "q": [0.5, 0.5, 0.0, None]})
    found = answer(asked, rows).read_all().to_pylist()
    assert [row["dprisk_reason"] for row in found] == [None, "no-bound", "out-of-range", "missing"]
    assert [row["both_at_most"] is None for row in found] == [False, True, True, True]
    replaced = TableQuestion(
        ["both_at_most"],
        {"prior": "p"},
        {"definition": "pure", "epsilon": 1.0, "neighbors": "replace-one", "value_prior": 0.1},
    )
    inside = answer(replaced, pa.table({"p": [0.5, 1.0]})).read_all().to_pylist()
    assert [row["dprisk_reason"] for row in inside] == ["no-bound", None]


def test_what_it_needs():
    constants = {"definition": "pure", "epsilon": 1.0, **A}
    with pytest.raises(InvalidInput, match="value_prior"):
        TableQuestion(["both_at_most"], {}, {**constants, "prior": 0.5})
    with pytest.raises(InvalidInput, match="no output column uses it"):
        TableQuestion(["posterior_at_most"], {}, {**constants, "prior": 0.5, "value_prior": 0.1})


def test_of_all_charges_of_a_person():
    asked = TableQuestion(
        ["both_at_most"],
        {"rho": "rho"},
        {"definition": "concentrated", "prior": 0.05, "value_prior": 0.2, "confidence": 0.99, **A},
    )
    charges = pa.table({"who": ["a", "b", "a"], "rho": [0.05, 0.05, 0.05]})
    found = {row["who"]: row for row in add_up(asked, charges, "who").read_all().to_pylist()}
    for who, count in (("a", 2), ("b", 1)):
        whole = compose([ZeroConcentratedDP(0.05, **A)], [count]).guarantee
        moved = joint_disclosure(whole, 0.2, confidence=0.99)
        assert found[who]["both_at_most"] == float(moved.posterior(0.05).upper)
