"""The scripts in examples/tables: small, and each number is that of the library itself."""

from __future__ import annotations

import json
import runpy
import sys

import pyarrow.parquet as pq
import pytest

from dprisk import ZeroConcentratedDP, disclosure
from dprisk.allocation import census2020
from dprisk.composition import compose
from tests.house.tree import ROOT

SCRIPTS = ROOT / "examples" / "tables"


@pytest.fixture
def ran(tmp_path, monkeypatch, capsys):
    def run(script, *options):
        arguments = [script, *map(str, options), "--folder", str(tmp_path)]
        monkeypatch.setattr(sys, "argv", arguments)
        runpy.run_path(str(SCRIPTS / script), run_name="__main__")
        return json.loads(capsys.readouterr().out.splitlines()[0])

    return run


def test_census_blocks(ran, tmp_path):
    made = ran("census_blocks.py", "--blocks", 30)
    rows = pq.read_table(tmp_path / "blocks-risk.parquet").to_pylist()
    assert made["rows"] == len(rows) == 30 * 48
    (row,) = (
        row
        for row in rows
        if (row["block"], row["attribute"], row["geography"], row["prior"])
        == (7, "race", "block within tract", 0.1)
    )
    rho = float(census2020().exposure("race", "block within tract").amount)
    promise = ZeroConcentratedDP(rho, neighbors="replace-one")
    belief = disclosure(promise, confidence=0.99, secret="attribute").posterior(0.1).upper
    assert row["posterior_at_most"] == belief.value
    assert made["above"]["posterior_at_most"] == sum(row["posterior_at_most"] > 0.5 for row in rows)
    assert (tmp_path / "blocks.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_daily_users(ran, tmp_path):
    made = ran("daily_users.py", "--users", 200)
    users = pq.read_table(tmp_path / "users-risk.parquet").to_pylist()
    charges = pq.read_table(tmp_path / "charges.parquet").to_pylist()
    assert made["rows"] == len(users) == len({charge["user"] for charge in charges})
    someone = max(users, key=lambda user: user["charges"])
    mine = [charge["rho"] for charge in charges if charge["user"] == someone["user"]]
    kinds = sorted(set(mine))
    parts = [ZeroConcentratedDP(rho, neighbors="add-remove") for rho in kinds]
    whole = compose(parts, [mine.count(rho) for rho in kinds]).guarantee
    assert someone["charges"] == len(mine)
    assert someone["epsilon_at_most"] == whole.epsilon(1e-6).value
    belief = disclosure(whole, confidence=0.99, secret="membership").posterior(0.1).upper
    assert someone["posterior_at_most"] == belief.value
