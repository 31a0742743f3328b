"""From files to a file: killed as often as one likes, the result is the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import csv

from dprisk.bulk import REASON, TableQuestion, run
from dprisk.bulk.engines import arrow
from dprisk.errors import InvalidFile, InvalidInput
from dprisk.progress import progress

ASKED = TableQuestion(
    ["posterior_at_most"],
    {"epsilon": "eps", "prior": "prior"},
    {"definition": "pure", "neighbors": "add-remove"},
)
ROWS = 20_000


class Killed(BaseException):
    """As the system does it, anywhere."""


@pytest.fixture
def rows(tmp_path):
    rng = np.random.default_rng(1)
    table = pa.table({"eps": rng.exponential(1.0, ROWS), "prior": rng.random(ROWS)})
    half = ROWS // 2
    pq.write_table(table.slice(0, half), tmp_path / "a.parquet", row_group_size=1500)
    pq.write_table(table.slice(half), tmp_path / "b.parquet", row_group_size=1500)
    return table


def started(folder, name="out.parquet", **more):
    return run(ASKED, str(folder / "[ab].parquet"), folder / name, partition_rows=1500, **more)


def test_files_come_out_as_one_in_order(rows, tmp_path):
    made = started(tmp_path)
    found = pq.read_table(tmp_path / "out.parquet")
    expected = arrow.answer(ASKED, rows).read_all()
    assert found["posterior_at_most"].to_pylist() == expected["posterior_at_most"].to_pylist()
    assert found["eps"].to_pylist() == rows["eps"].to_pylist()
    assert (made.rows, made.invalid, made.kept) == (ROWS, 0, True)
    assert sum(made.histograms["posterior_at_most"]) == ROWS
    assert found.schema.field("posterior_at_most").metadata[b"direction"] == b"at most"
    assert not (tmp_path / "out.parquet.parts").exists()


@pytest.mark.parametrize("engine", ["polars", "arrow"])
def test_every_engine_writes_the_same(rows, tmp_path, engine):
    started(tmp_path)
    started(tmp_path, "other.parquet", engine=engine)
    first, other = (pq.read_table(tmp_path / f"{name}.parquet") for name in ("out", "other"))
    assert first.equals(other)


def test_killed_twenty_times_it_writes_the_same_bytes(rows, tmp_path):
    pq.write_table(rows, tmp_path / "in.parquet", row_group_size=1500)
    command = [
        sys.executable,
        str(Path(__file__).with_name("killing.py")),
        str(tmp_path),
        "20",
        "7",
    ]
    done = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert len(done) == 20
    assert any(0 < int(parts) < 14 for parts in done)


def test_what_is_done_is_not_done_again(rows, tmp_path):
    def stop(step):
        if step.done > ROWS // 2:
            raise Killed

    with pytest.raises(Killed), progress(stop):
        started(tmp_path)
    done = list((tmp_path / "out.parquet.parts").glob("*.footer"))
    assert len(done) >= 6
    again = []
    with progress(lambda step: again.append(step.done)):
        started(tmp_path)
    assert again[0] == 10_000 == (len(done) - 1) * 1500 + 1000
    assert pq.read_metadata(tmp_path / "out.parquet").num_rows == ROWS


def test_another_question_does_not_go_on_with_the_parts_of_the_first(rows, tmp_path):
    def stop(step):
        raise Killed

    with pytest.raises(Killed), progress(stop):
        started(tmp_path)
    other = TableQuestion(["posterior_at_least"], ASKED.columns, ASKED.constants)
    run(other, [str(tmp_path / "a.parquet")], tmp_path / "out.parquet", partition_rows=1500)
    assert pq.read_schema(tmp_path / "out.parquet").names[2:] == ["posterior_at_least", REASON]


def test_limits_count_what_is_above_and_what_has_no_bound(tmp_path):
    table = pa.table({"eps": [0.1, 9.0, float("inf"), None], "prior": [0.5] * 4})
    pq.write_table(table, tmp_path / "a.parquet")
    made = started(tmp_path, limits={"posterior_at_most": 0.9})
    assert made.above == {"posterior_at_most": 2}
    assert made.reasons == {"no-bound": 1, "missing": 1}
    assert (made.invalid, made.kept) == (1, False)
    loose = started(tmp_path, force=True, limits={"posterior_at_most": 1.0})
    assert (loose.above, loose.kept) == ({"posterior_at_most": 1}, False)


def test_strict_names_the_first_ten_rows_and_writes_nothing(tmp_path):
    prior = [0.5] * 30
    prior[3:25] = [2.0] * 22
    pq.write_table(pa.table({"eps": [1.0] * 30, "prior": prior}), tmp_path / "a.parquet")
    with pytest.raises(InvalidFile, match=r"row 3 \(out-of-range\).*row 12 ") as caught:
        started(tmp_path, strict=True)
    assert "row 13" not in str(caught.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.parquet"]


def test_a_strict_run_does_not_go_on_with_rows_that_nobody_checked(tmp_path):
    bad = pa.table({"eps": [-1.0] + [1.0] * 3999, "prior": [0.5] * 4000})
    pq.write_table(bad, tmp_path / "a.parquet", row_group_size=1500)

    def stop(step):
        if step.done > 1500:
            raise Killed

    with pytest.raises(Killed), progress(stop):
        started(tmp_path)
    with pytest.raises(InvalidFile, match="row 0 "):
        started(tmp_path, strict=True)


@pytest.mark.parametrize(
    ("table", "error"),
    [
        ({"eps": [1.0]}, InvalidInput),
        ({"eps": pa.array([], pa.float64()), "prior": pa.array([], pa.float64())}, InvalidFile),
    ],
)
def test_what_cannot_be_answered_leaves_nothing_behind(table, error, tmp_path):
    pq.write_table(pa.table(table), tmp_path / "a.parquet")
    with pytest.raises(error):
        started(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["a.parquet"]


def test_files_with_other_columns_are_refused(tmp_path):
    pq.write_table(pa.table({"eps": [1.0], "prior": [0.5]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"eps": [1.0], "prior": [0.5], "more": [1]}), tmp_path / "b.parquet")
    with pytest.raises(InvalidFile, match="different columns"):
        started(tmp_path)
    assert not (tmp_path / "out.parquet").exists()


def test_files_that_are_not_there_and_places_that_are_taken(rows, tmp_path):
    with pytest.raises(InvalidFile):
        run(ASKED, str(tmp_path / "none.parquet"), tmp_path / "out.parquet")
    with pytest.raises(InvalidFile):
        started(tmp_path, "a.parquet", force=True)
    (tmp_path / "c.parquet").write_text("no")
    with pytest.raises(InvalidFile, match="Parquet"):
        run(ASKED, str(tmp_path / "c.parquet"), tmp_path / "out.parquet")
    with pytest.raises(InvalidInput, match="limits"):
        started(tmp_path, limits={"power_at_most": 0.1})


def test_a_file_that_breaks_off_is_refused_whoever_reads_it(tmp_path):
    (tmp_path / "bad.csv").write_text('eps,prior\n1.0,0.5\n"2.0')
    for engine in ("duckdb", "arrow"):
        with pytest.raises((InvalidFile, InvalidInput), match=r"bad\.csv|eps"):
            run(ASKED, [str(tmp_path / "bad.csv")], tmp_path / "out.parquet", engine=engine)
    assert [path.name for path in tmp_path.iterdir()] == ["bad.csv"]


def test_an_address_is_left_to_duckdb_which_says_what_it_lacks(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    for source in ("s3://bucket/*.parquet", "https://127.0.0.1:9/a.parquet"):
        with pytest.raises(InvalidFile, match="httpfs"):
            run(ASKED, source, tmp_path / "out.parquet")
    assert not (tmp_path / "out.parquet.parts").exists()


@pytest.mark.parametrize("engine", ["duckdb", "polars", "arrow"])
def test_names_of_folders_are_columns(tmp_path, engine):
    for eps, place in (("0.5", "a b"), ("2", "c%2Fd"), ("__HIVE_DEFAULT_PARTITION__", "e")):
        folder = tmp_path / f"eps={eps}" / f"place={place}"
        folder.mkdir(parents=True)
        pq.write_table(pa.table({"prior": [0.5, 0.1]}), folder / "rows.parquet")
    run(ASKED, str(tmp_path), tmp_path / "out.parquet", engine=engine)
    found = pq.read_table(tmp_path / "out.parquet")
    assert found["eps"].to_pylist() == [0.5, 0.5, 2.0, 2.0, None, None]
    assert found["place"].to_pylist() == ["a b", "a b", "c/d", "c/d", "e", "e"]
    assert found[REASON].to_pylist() == [None] * 4 + ["missing"] * 2


def test_a_csv_file_is_one_partition_and_comes_out_alike(rows, tmp_path):
    csv.write_csv(rows, tmp_path / "rows.csv")
    for engine in ("duckdb", "polars", "arrow"):
        run(ASKED, str(tmp_path / "rows.csv"), tmp_path / f"{engine}.parquet", engine=engine)
    started(tmp_path)
    expected = pq.read_table(tmp_path / "out.parquet")
    for engine in ("duckdb", "polars", "arrow"):
        assert pq.read_table(tmp_path / f"{engine}.parquet").equals(expected)


MEASURED = r"""
import re, sys
from pathlib import Path
from dprisk.bulk import TableQuestion, run
asked = TableQuestion(
    ["posterior_at_most", "posterior_at_least", "ratio_at_most", "difference_at_most"],
    {"epsilon": "eps", "prior": "prior"},
    {"definition": "approximate", "neighbors": "add-remove", "delta": 1e-6, "confidence": 0.99},
)
run(asked, [sys.argv[1]] * int(sys.argv[3]), sys.argv[2], memory="100MB")
print(int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1]) // 1024)
"""


def test_memory_does_not_grow_with_the_rows(tmp_path):
    rng = np.random.default_rng(4)
    columns = {"eps": rng.exponential(1.0, 1 << 19), "prior": rng.random(1 << 19)}
    pq.write_table(pa.table(columns), tmp_path / "in.parquet", row_group_size=1 << 17)
    most = []
    for times in (2, 8):
        files = [str(tmp_path / name) for name in ("in.parquet", f"out{times}.parquet")]
        command = [sys.executable, "-c", MEASURED, *files, str(times)]
        most.append(int(subprocess.run(command, check=True, capture_output=True).stdout))
    written = (tmp_path / "out8.parquet").stat().st_size / 1e6
    assert written > 150
    assert most[1] - most[0] < written / 3
    assert most[1] < 600


def test_a_limit_that_only_silence_keeps_is_refused(tmp_path):
    """Where the prior is one for all rows; rows that have their own are counted."""
    asked = TableQuestion(
        ["posterior_at_most"],
        {"epsilon": "epsilon"},
        {"definition": "pure", "neighbors": "add-remove", "prior": 0.5},
    )
    with pytest.raises(InvalidInput, match=r"must be above 0\.5, the highest prior"):
        run(asked, "none.parquet", tmp_path / "out", limits={"posterior_at_most": 0.5})


@pytest.mark.parametrize(
    ("outputs", "constants", "unused"),
    [
        (["odds_at_most"], {"prior": 0.5}, "prior"),
        (["odds_at_most"], {"level": 0.5}, "level"),
        (["odds_at_most"], {"delta": 1e-6}, "delta"),
        (["odds_at_most"], {"mu": 1.0}, "mu"),
        (["advantage_at_most"], {"confidence": 0.9}, "confidence"),
        (["advantage_at_most"], {"failure": 0.1}, "failure"),
        (["advantage_at_most"], {"at_delta": 0.1}, "at_delta"),
    ],
)
def test_an_input_that_nothing_uses_is_refused(outputs, constants, unused):
    """As a column or for all rows."""
    same = {"definition": "pure", "neighbors": "add-remove"}
    for columns, more in (({}, constants), ({unused: "there"}, {})):
        with pytest.raises(InvalidInput, match=f"{unused} must be left out: no definition and no"):
            TableQuestion(outputs, {"epsilon": "epsilon", **columns}, {**same, **more})
