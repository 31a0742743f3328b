"""The table of other accountants: how answers are judged and shown, without any library."""

from __future__ import annotations

import json

import pytest

from bench import accountants, asked

SAID = {
    "one": [{"epsilon": 1.0}, {"epsilon": 0.9}],
    "other": [{"reason": "no such | event"}, {"epsilon": float("inf")}],
}
CASES = (accountants.ORDINARY[0], accountants.AWKWARD[16])
ENDS = [(0.99999, 1.0000001), (1.0, 1.2)]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ({"epsilon": 0.5}, "**−0.5**"),
        ({"epsilon": 1.05}, "="),
        ({"epsilon": 1.6}, "+0.5"),
        ({"epsilon": float("inf")}, "inf"),
        ({"epsilon": float("nan")}, "not a number"),
        ({"reason": "no"}, "–"),
    ],
)
def test_a_cell_says_where_a_number_lies(said, shown):
    """Below, within, above, or nothing."""
    assert accountants.judged(said, 1.0, 1.1) == shown


def test_a_table_has_a_row_for_each_case_and_a_cell_for_each_library():
    """Reasons stand in the table of libraries, and cannot break it."""
    lines = list(accountants.table(CASES, ENDS, SAID))
    assert [line.count("|") for line in lines] == [5] * 4
    assert "Gaussian σ = 5, 10 × + Laplace b = 5, 10 ×; δ = 1e-06" in lines[3]
    assert lines[3].endswith("| **−0.1** | inf |\n")
    rows = accountants.counted(ENDS, SAID).splitlines()
    assert rows[3] == "| other | 0 | 0 | 0 | 1 | 1 | no such / event |"


def test_cases_survive_the_way_to_another_interpreter():
    """Twenty of each kind, and every part is a kind, parameters and a count."""
    assert (len(accountants.ORDINARY), len(accountants.AWKWARD)) == (20, 20)
    for case in accountants.ORDINARY + accountants.AWKWARD:
        parts, delta = json.loads(json.dumps([case.parts, case.delta]))
        assert delta == case.delta and all(isinstance(part[-1], int) for part in parts)


def test_what_a_library_cannot_do_is_a_reason():
    """A mechanism that it lacks, and a library that is not there."""
    lacking = asked.answered("Opacus PRV", [["laplace", 1, 1]], 1e-5)
    assert lacking == {"reason": "Gaussian noise only"}
    missing = asked.answered("opake-accounting", [["gaussian", 1, 1]], 1e-5)
    assert list(missing) == ["reason"] or "epsilon" in missing


def test_the_truth_is_a_bracket():
    """Under zCDP from a Gaussian mechanism to the worst that keeps it."""
    low, high = accountants.bracket(accountants.ORDINARY[0])
    assert low <= 4.3771780956812 <= high < 4.3771781
    low, high = accountants.bracket(accountants.ORDINARY[12])
    assert 4.88 < low < 4.89 and 5.2215 < high < 5.2216
