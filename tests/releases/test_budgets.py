"""Budgets of other tools, as releases."""

from __future__ import annotations

import json
import math
from types import SimpleNamespace
from typing import Any

import pytest

from dprisk.errors import InvalidFile, Meaningless
from dprisk.guarantees import ApproxDP, PureDP, ZeroConcentratedDP
from dprisk.mechanisms import Gaussian, Laplace
from dprisk.releases import read_from
from dprisk.releases.tools import read
from tests.releases.tools_samples import READINGS, TOOLS, put, run, together

ADD: Any = {"neighbors": "add-remove"}
SPENT = [(0.1, 0), (0.1, 0), (0.5, 1e-7)]
EXPECTED = [(PureDP(0.1, **ADD), 2), (ApproxDP(0.5, 1e-7, **ADD), 1)]


@pytest.mark.parametrize("form", ["object", "json", "repr", "csv"])
def test_what_diffprivlib_spent(form, tmp_path):
    text = f"BudgetAccountant(epsilon=3.0, delta=1e-05, slack=1e-06, spent_budget={SPENT})\n"
    what = {
        "object": lambda: SimpleNamespace(spent_budget=SPENT, epsilon=3.0, delta=1e-5, slack=0.0),
        "json": lambda: put(tmp_path, "b.json", {"spent_budget": SPENT, "epsilon": 3.0}),
        "repr": lambda: put(tmp_path, "b.txt", text + "(epsilon=0.7, delta=1e-07)\n"),
        "csv": lambda: put(tmp_path, "b.csv", "epsilon,delta\n0.1,0\n0.1,0\n0.5,1e-7\n"),
    }[form]()
    found = read(what, **ADD)
    assert run(found.release) == EXPECTED
    stated = [(each.epsilon, each.reached) for each in found.said]
    spent = [(0.7, "spent")] if form == "repr" else []
    assert stated == ([] if form == "csv" else [*spent, (3.0, "limit")])


def test_neighbors_are_asked_for():
    found = read({"spent_budget": SPENT})
    assert [each.name for each in found.missing if each.needed] == ["neighbors"]
    with pytest.raises(Meaningless, match="neighbors=add-remove"):
        found.described()


@pytest.mark.parametrize("cut", ["...", "…"])
def test_a_repr_that_was_cut_is_refused(cut, tmp_path):
    text = f"BudgetAccountant(slack=1e-06, spent_budget=[(0.1, 0), (0.1, 0), {cut}])"
    with pytest.raises(InvalidFile, match="was cut"):
        read(put(tmp_path, "b.txt", text), **ADD)


@pytest.mark.parametrize(
    ("spent", "match"),
    [
        ([], "Nothing was spent"),
        (True, "must be a list of ε and δ; True is there"),
        ([(0.1,)], r"spent_budget\[0\] must hold an ε and a δ"),
        ([(math.inf, 0)], "An infinite ε promises nothing"),
        ([(-1, 0)], "ε of 0 or more"),
        ([(0.1, 1.0)], "δ in"),
        ([("x", 0)], "'x'"),
    ],
)
def test_bad_spends_are_named(spent, match):
    with pytest.raises(InvalidFile, match=match):
        read({"spent_budget": spent}, **ADD)


@pytest.mark.parametrize(
    "text",
    [
        "BudgetAccountant(slack=1e-06)",
        "BudgetAccountant(spent_budget=[(0.1, 0), x])",
        "BudgetAccountant(spent_budget=[(0.1, 0)",
    ],
)
def test_a_repr_that_is_none_is_refused(text, tmp_path):
    with pytest.raises(InvalidFile):
        read(put(tmp_path, "b.txt", text), **ADD)


def test_budgets_of_tumult(tmp_path):
    rows = "query,budget,remaining\n" + "".join(
        f'q{i},"PureDPBudget(epsilon=0.1)","PureDPBudget(epsilon={1 - i / 10})"\n' for i in range(3)
    )
    assert run(read_from(put(tmp_path, "t.csv", rows), **ADD)) == [(PureDP(0.1, **ADD), 3)]
    text = "RhoZCDPBudget(rho=1/10)\nApproxDPBudget(epsilon=1, delta=1e-06)\n"
    expected = [(ZeroConcentratedDP(0.1, **ADD), 1), (ApproxDP(1.0, 1e-6, **ADD), 1)]
    assert run(read_from(put(tmp_path, "t.txt", text), **ADD)) == expected
    kind = type("PureDPBudget", (SimpleNamespace,), {})
    assert run(read_from([kind(epsilon=0.1)] * 4, **ADD)) == [(PureDP(0.1, **ADD), 4)]
    assert run(read_from(kind(epsilon="1/4"), **ADD)) == [(PureDP(0.25, **ADD), 1)]
    infinite = type("ApproxDPBudget", (SimpleNamespace,), {})(epsilon=1, delta=1)
    with pytest.raises(InvalidFile, match="δ in"):
        read(infinite, **ADD)
    left = "query,remaining\nq,PureDPBudget(epsilon=1)\n"
    with pytest.raises(InvalidFile, match="one column with the budget"):
        read(put(tmp_path, "left.csv", left), **ADD)


def test_an_odometer_of_smartnoise():
    steps = [[0.5, 1e-6], [0.5, 0.0], [0.5, 1e-6]]
    state = {"steps": steps, "tol": 5e-7, "spent": [1.5, 2.5e-6]}
    expected = [(ApproxDP(0.5, 1e-6, **ADD), 2), (PureDP(0.5, **ADD), 1)]
    odometer = SimpleNamespace(steps=steps, spent=(1.5, 2.5e-6), privacy=None)
    for what in (state, odometer, SimpleNamespace(odometer=odometer)):
        found = read(what, **ADD)
        assert run(found.release) == expected
        assert [(each.epsilon, each.delta) for each in found.said] == [(1.5, 2.5e-6)]
        assert any("takes two" in note.text for note in found.release.notes)
    same = SimpleNamespace(k=7, spent=(1, 0), privacy=SimpleNamespace(epsilon=0.1, delta=0.0))
    assert run(read_from(same, **ADD)) == [(PureDP(0.1, **ADD), 7)]


def spec(kind="GAUSSIAN", noise=None, eps=0.25, delta=2.5e-07, count=1):
    return (
        f"MechanismSpec(mechanism_type=<MechanismType.{kind}: 'x y'>, name='Count', "
        f"_noise_standard_deviation={noise}, _eps={eps}, _delta={delta}, _count={count}, "
        "_thresholding_delta=None)"
    )


def test_specs_of_pipeline_dp(tmp_path):
    text = "\n".join([spec(), spec("TRUNCATED_GEOMETRIC", count=3)])
    expected = [(ApproxDP(0.25, 2.5e-7, **ADD), 4)]
    assert run(read_from(put(tmp_path, "p.txt", text), **ADD)) == expected
    noisy = [spec(noise=2.0, eps=None, delta=None), spec("LAPLACE", math.sqrt(8), None, None)]
    (normal, _), (noise, _) = run(read_from(put(tmp_path, "n.txt", ", ".join(noisy)), **ADD))
    assert normal == Gaussian(2.0, 1.0, **ADD) and isinstance(noise, Laplace)
    assert noise.scale <= 2.0 and noise.scale == pytest.approx(2.0, rel=1e-14)
    with pytest.raises(InvalidFile, match="compute_budgets"):
        read(put(tmp_path, "o.txt", spec(eps=None, delta=None)), **ADD)
    with pytest.raises(InvalidFile, match="was cut"):
        read(put(tmp_path, "c.txt", text[:300]), **ADD)
    kind = type("MechanismSpec", (SimpleNamespace,), {})
    made = kind(mechanism_type=SimpleNamespace(name="GAUSSIAN"), _eps=0.25, _delta=2.5e-7, _count=4)
    keeper = SimpleNamespace(_mechanisms=[SimpleNamespace(mechanism_spec=made)])
    for what in (made, [made], keeper):
        assert run(read_from(what, **ADD)) == expected


def test_a_table_that_is_no_budget(tmp_path):
    with pytest.raises(InvalidFile, match="No tool that dprisk knows"):
        read(put(tmp_path, "x.csv", "town,people\na,3\n"), **ADD)
    with pytest.raises(InvalidFile, match="This line has 1 cells"):
        read(put(tmp_path, "y.csv", "epsilon,delta\n0.1\n"), **ADD)


@pytest.mark.skipif(not READINGS.exists(), reason="needs the files of ../shared/data/tools")
@pytest.mark.parametrize(
    "name",
    [
        *("diffprivlib-many-spent.csv", "diffprivlib-repr.txt", "pipeline-dp-specs.txt"),
        *("smartnoise-odometer-many.json", "smartnoise-odometer.json", "tumult-spent.csv"),
    ],
)
def test_files_of_tools_are_inside_their_brackets(name):
    known = json.loads(READINGS.read_text("utf-8"))[name]
    release = read_from(TOOLS / "more" / name, **ADD)
    for delta, (low, high) in known["certified"].items():
        found = together(release).epsilon(float(delta)).value
        assert found >= low and found == pytest.approx(1.8 if high is None else high, abs=1e-9)
