"""From files to files: killed as often as one likes, the rows are the same."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import csv

from dprisk.errors import InvalidFile, InvalidInput, NotInstalled, NotWritten
from dprisk.progress import progress
from dprisk.tables import REASON, REASONS, TableQuestion, answer, run, running, spark
from dprisk.tables.summary import TableSummary

ASKED = TableQuestion(
    ["posterior_at_most", "odds_at_most"],
    {"definition": "kind", "epsilon": "eps", "prior": "prior"},
    {"neighbors": "add-remove"},
)
ROWS = 6000
LIMITS = {"posterior_at_most": 0.9}
HERE = ["duckdb", "polars", "arrow"]


class Killed(BaseException):
    """As the system does it, anywhere."""


@pytest.fixture(scope="module")
def rows():
    """All reasons that a row may have."""
    rng = np.random.default_rng(3)
    eps = rng.exponential(1.0, ROWS)
    eps[::50], eps[1::50], eps[2::50] = np.nan, -1.0, np.inf
    return pa.table(
        {
            "id": pa.array(np.arange(ROWS), pa.int64()),
            "kind": ["pure", "pure", "rare", "pure"] * (ROWS // 4),
            "eps": pa.array(eps, mask=rng.random(ROWS) < 0.02),
            "prior": rng.random(ROWS),
        }
    )


@pytest.fixture(scope="module")
def expected(rows):
    return answer(ASKED, rows).read_all()


@pytest.fixture
def files(rows, tmp_path):
    """Two files of several row groups."""
    half = ROWS // 2
    pq.write_table(rows.slice(0, half), tmp_path / "a.parquet", row_group_size=700)
    pq.write_table(rows.slice(half), tmp_path / "b.parquet", row_group_size=700)
    return tmp_path


@pytest.fixture
def tasks(monkeypatch):
    """How many tasks Spark has; they are done here, one after another, as pickles."""
    counts = []

    def each(session, work, count, place, look):
        counts.append(count)
        made = []
        for number in range(count):
            look()
            made.append(pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(work))(number))))
        look()
        return made

    monkeypatch.setattr(spark, "session", lambda memory: nullcontext())
    monkeypatch.setattr(spark, "each", each)
    return counts


@pytest.fixture
def no_spark(monkeypatch):
    monkeypatch.setattr(spark, "session", lambda memory: pytest.fail("Spark was started"))


def started(folder, name="out", sources="[ab].parquet", **more):
    return run(ASKED, str(folder / sources), folder / name, **{"partition_rows": 700, **more})


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def same(found, expected):
    """With each digit, and where a number is NaN."""
    return repr(found.to_pylist()) == repr(expected.to_pylist())


def stop_after(done):
    def stop(step):
        if step.total == ROWS and step.done > done:
            raise Killed

    return stop


@pytest.mark.parametrize("engine", [None, *HERE, "spark"])
def test_every_engine_writes_the_same_files_in_order(files, expected, tasks, engine):
    made = started(files, engine=engine, limits=LIMITS)
    assert made == started(files, "one.parquet", limits=LIMITS)
    assert (made.rows, made.kept, {*made.reasons}) == (ROWS, False, {*REASONS})
    assert tasks == ([10] if engine == "spark" else [])
    parts = sorted((files / "out").iterdir())
    assert [part.name for part in parts] == [f"part-{number:06}.parquet" for number in range(10)]
    found = pa.concat_tables(map(pq.read_table, parts))
    assert same(found, expected)
    assert same(pq.read_table(files / "one.parquet"), expected)
    for name in ASKED.outputs:
        assert pq.read_schema(parts[-1]).field(name).metadata[b"direction"] == b"at most"
    assert pq.read_schema(parts[0]).equals(pq.read_schema(parts[-1]), check_metadata=True)
    assert names(files) == ["a.parquet", "b.parquet", "one.parquet", "out"]


def test_killed_ten_times_it_comes_to_the_same_rows(files, expected, rows):
    pq.write_table(rows, files / "in.parquet", row_group_size=200)
    command = [sys.executable, str(Path(__file__).with_name("killing.py")), str(files), "10", "7"]
    done = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert len(done) == 10
    assert any(0 < int(parts) < 30 for parts in done)


@pytest.mark.parametrize("name", ["out", "out.parquet", "out.csv"])
def test_what_has_its_name_is_on_the_disk(files, monkeypatch, name):
    """Each file is synced before it is renamed, and its folder after it, so before it counts."""
    done = []
    sync, replace = os.fsync, os.replace

    def synced(number):
        done.append(("sync", os.path.realpath(f"/proc/self/fd/{number}")))
        sync(number)

    def replaced(old, new):
        done.append(("name", os.path.realpath(old), os.path.realpath(new)))
        replace(old, new)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", replaced)
    started(files, name)
    steps = [number for number, step in enumerate(done) if step[0] == "name"]
    written = [done[at] for at in steps if done[at][2].endswith((".parquet", ".csv"))]
    assert written
    for _, old, new in written:
        at = next(n for n in steps if done[n][1:] == (old, new))
        assert ("sync", old) in done[:at]
        assert ("sync", os.path.dirname(new)) in done[at:]


@pytest.mark.parametrize("engine", [None, "spark"])
def test_what_is_done_is_not_done_again(files, expected, tasks, engine, monkeypatch):
    with pytest.raises(Killed), progress(stop_after(ROWS // 2)):
        started(files, engine=engine)
    assert names(files) == ["a.parquet", "b.parquet", "out.parts"]
    (done,) = (path for path in (files / "out.parts").iterdir() if path.is_dir())
    before = {part.name: part.stat().st_mtime_ns for part in done.iterdir()}
    assert len(before) >= 4
    again = []
    with progress(again.append):
        made = started(files, engine=engine)
    first = next(step.done for step in again if step.total == ROWS)
    assert first == sum(pq.read_metadata(files / "out" / name).num_rows for name in before)
    assert all((files / "out" / name).stat().st_mtime_ns == t for name, t in before.items())
    assert same(pq.read_table(files / "out"), expected)
    assert made == started(files, "one.parquet")


def test_a_part_that_is_damaged_is_done_again(files, expected):
    with pytest.raises(Killed), progress(stop_after(ROWS // 2)):
        started(files)
    parts = sorted((files / "out.parts").glob("*/*.parquet"))
    for part, damage in zip(parts, ("cut", "flipped", "empty"), strict=False):
        whole = bytearray(part.read_bytes())
        whole[500] ^= 1
        part.write_bytes({"cut": whole[:-9], "flipped": whole, "empty": b""}[damage])
    started(files)
    assert same(pq.read_table(files / "out"), expected)


@pytest.mark.parametrize("change", ["question", "file", "strict"])
def test_another_job_does_not_go_on_with_the_parts_of_the_first(files, rows, change):
    with pytest.raises(Killed), progress(stop_after(ROWS // 2)):
        started(files)
    if change == "strict":
        with pytest.raises(InvalidFile, match="row 0 "):
            started(files, strict=True)
        return
    other = TableQuestion(["posterior_at_least"], ASKED.columns, ASKED.constants)
    asked = other if change == "question" else ASKED
    if change == "file":
        pq.write_table(rows.slice(1), files / "a.parquet", row_group_size=700)
    run(asked, str(files / "a.parquet"), files / "out", partition_rows=700)
    expected = answer(asked, pq.read_table(files / "a.parquet")).read_all()
    assert same(pq.read_table(files / "out"), expected)


def test_two_runs_of_one_job_do_no_harm(files, expected):
    def other(step):
        if step.total == ROWS and 0 < step.done < ROWS and not (files / "out").exists():
            with progress(lambda step: None):
                started(files)

    with pytest.raises((InvalidFile, NotWritten)), progress(other):
        started(files)
    assert same(pq.read_table(files / "out"), expected)
    assert len(names(files / "out")) == 10


def test_limits_count_what_is_above_and_what_has_no_bound(tmp_path):
    table = {"kind": ["pure"] * 4, "eps": [0.1, 9.0, np.inf, None], "prior": [0.5] * 4}
    pq.write_table(pa.table(table), tmp_path / "a.parquet")
    made = started(tmp_path, limits=LIMITS)
    assert made.above == {"posterior_at_most": 2}
    assert made.reasons == {"no-bound": 1, "missing": 1}
    assert (made.invalid, made.kept) == (1, False)
    loose = started(tmp_path, force=True, limits={"posterior_at_most": 1.0})
    assert (loose.above, loose.kept) == ({"posterior_at_most": 1}, False)


@pytest.mark.parametrize("out", ["out", "out.parquet"])
def test_strict_names_the_first_ten_rows_and_writes_nothing(tmp_path, tasks, out):
    prior = [0.5] * 3000
    prior[703:725] = [2.0] * 22
    table = pa.table({"kind": ["pure"] * 3000, "eps": [1.0] * 3000, "prior": prior})
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=3000)
    for engine in (None, "spark"):
        with pytest.raises(InvalidFile, match=r"row 703 \(out-of-range\).*row 712 ") as caught:
            started(tmp_path, out, strict=True, engine=engine)
        assert "row 713" not in str(caught.value)
        assert names(tmp_path) == ["a.parquet"]


def test_what_is_there_is_replaced_only_by_force(files, tasks):
    started(files)
    (files / "out" / "_SUCCESS").touch()
    with pytest.raises(InvalidFile, match="--force"):
        started(files)
    assert "_SUCCESS" in names(files / "out")
    started(files, force=True, sources="a.parquet")
    assert len(names(files / "out")) == 5
    started(files, "one.parquet")
    with pytest.raises(InvalidFile, match="--force"):
        started(files, "one.parquet")
    started(files, "one.parquet", force=True, engine="spark")
    assert (files / "one.parquet").is_dir()
    assert names(files) == ["a.parquet", "b.parquet", "one.parquet", "out"]


def test_a_folder_of_other_things_or_of_inputs_stays(files, no_spark):
    for name, file in (("other", "thesis.txt"), ("own", "a.parquet")):
        (files / name).mkdir()
        (files / name / file).touch()
    (files / "a.parquet").rename(files / "own" / "a.parquet")
    with pytest.raises(InvalidFile, match="more than Parquet"):
        started(files, "other", force=True)
    with pytest.raises(InvalidFile, match="overwrite"):
        started(files, "own", sources="own", force=True)
    (files / "link").symlink_to(files / "own")
    with pytest.raises(InvalidFile, match="link"):
        started(files, "link", sources="b.parquet", force=True)
    assert names(files / "own") == ["a.parquet"] and names(files / "other") == ["thesis.txt"]


def test_what_appears_in_the_meantime_stays(files):
    with (
        pytest.raises(InvalidFile, match="exists"),
        progress(lambda step: (files / "out").mkdir(exist_ok=True)),
    ):
        started(files)
    assert names(files / "out") == []
    staged = files / "staged"
    staged.mkdir()
    (files / "one").mkdir()
    (files / "one" / "a.parquet").touch()
    with pytest.raises(FileNotFoundError):
        running._move(files / "none", files / "one", force=True)
    assert names(files / "one") == ["a.parquet"]


@pytest.mark.parametrize(
    ("out", "sources", "engine", "says"),
    [
        ("out.xlsx", "[ab].parquet", None, r"out must be the name of a folder, or one that ends"),
        ("out", "none.parquet", None, "no such file"),
        ("a.parquet", "a.parquet", None, "overwrite"),
        ("no/out", "[ab].parquet", None, "no folder"),
        ("out", "[abd].parquet", None, r"d\.parquet: .*different columns"),
        ("out.parquet", "*.csv", None, r"e\.csv: .*different columns"),
        ("out", "*.csv", None, r"e\.csv: .*different columns"),
        ("out", "d.parquet", None, "definition must be a column"),
        ("out", "f.parquet", None, "no rows"),
        ("out", "g.parquet", None, "valid Parquet"),
        ("out", "h.csv", None, r"h\.csv|definition"),
        ("out", "h.csv", "arrow", r"h\.csv|definition"),
        ("out", "c.csv", "spark", r"c\.csv: Spark reads only Parquet"),
        ("out", "f.parquet", "spark", "no rows"),
    ],
)
def test_what_cannot_be_done_is_refused_and_leaves_nothing(
    files, rows, no_spark, out, sources, engine, says
):
    (files / "c.csv").write_text("kind,eps,prior\npure,1.0,0.5\n")
    (files / "e.csv").write_text("kind,eps,prior,more\npure,1.0,0.5,1\n")
    pq.write_table(pa.table({"eps": [1.0], "prior": [0.5]}), files / "d.parquet")
    pq.write_table(rows.slice(0, 0), files / "f.parquet")
    (files / "g.parquet").write_text("no")
    before = names(files)
    if sources == "h.csv":
        (files / "h.csv").write_text('kind,eps,prior\npure,1.0,0.5\n"pure')
        before = names(files)
    with pytest.raises((InvalidFile, InvalidInput), match=says):
        started(files, out, sources, engine=engine, force=out == "a.parquet")
    left = [name for name in names(files) if name != "out.parts"]  # of the first of two CSV files
    assert left == before


def test_limits_are_on_outputs_and_can_be_kept(tmp_path):
    with pytest.raises(InvalidInput, match="limits"):
        started(tmp_path, limits={"power_at_most": 0.1})
    same = {"definition": "pure", "neighbors": "add-remove", "prior": 0.5}
    asked = TableQuestion(["posterior_at_most"], {"epsilon": "epsilon"}, same)
    with pytest.raises(InvalidInput, match=r"must be above 0\.5, the highest prior"):
        run(asked, "none.parquet", tmp_path / "out", limits={"posterior_at_most": 0.5})


def test_addresses_are_left_to_duckdb_which_says_what_it_lacks(tmp_path, no_spark, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    for source in ("s3://bucket/*.parquet", "https://127.0.0.1:9/a.parquet"):
        with pytest.raises(InvalidFile, match="httpfs"):
            run(ASKED, source, tmp_path / "out")
    for engine in ("arrow", "spark"):
        with pytest.raises(InvalidFile, match="Only DuckDB"):
            run(ASKED, "s3://bucket/a.parquet", tmp_path / "out", engine=engine)
    with pytest.raises(InvalidInput, match="same path"):
        run(ASKED, str(tmp_path / "a.parquet"), "hdfs://host/out", engine="spark")
    assert names(tmp_path) == []


@pytest.mark.parametrize("engine", [*HERE, "spark"])
def test_names_of_folders_are_columns(tmp_path, tasks, engine):
    for eps, place in (("0.5", "a b"), ("2", "c%2Fd"), ("__HIVE_DEFAULT_PARTITION__", "e")):
        folder = tmp_path / f"eps={eps}" / f"place={place}"
        folder.mkdir(parents=True)
        pq.write_table(pa.table({"kind": ["pure"] * 2, "prior": [0.5, 0.1]}), folder / "a.parquet")
    started(tmp_path, sources="", engine=engine)
    found = pq.read_table(tmp_path / "out")
    assert found["eps"].to_pylist() == [0.5, 0.5, 2.0, 2.0, None, None]
    assert found["place"].to_pylist() == ["a b", "a b", "c/d", "c/d", "e", "e"]
    assert found[REASON].to_pylist() == [None] * 4 + ["missing"] * 2


def test_csv_comes_in_and_goes_out(rows, tmp_path):
    table = rows.filter(pa.compute.is_finite(rows["eps"]))
    csv.write_csv(table, tmp_path / "rows.csv")
    pq.write_table(table, tmp_path / "a.parquet")
    expected = answer(ASKED, table).read_all()
    for engine in HERE:
        started(tmp_path, f"{engine}.parquet", "rows.csv", engine=engine)
        assert same(pq.read_table(tmp_path / f"{engine}.parquet"), expected)
    started(tmp_path, "out.csv", "a.parquet")
    back = csv.read_csv(tmp_path / "out.csv")
    assert back["posterior_at_most"].to_pylist() == expected["posterior_at_most"].to_pylist()
    assert [why or None for why in back[REASON].to_pylist()] == expected[REASON].to_pylist()


def test_a_file_that_is_damaged_is_named(files, tasks):
    whole = bytearray((files / "b.parquet").read_bytes())
    whole[4:2000] = bytes(1996)
    (files / "b.parquet").write_bytes(whole)
    for engine in ("arrow", "spark"):
        with pytest.raises(InvalidFile, match=r"b\.parquet: It cannot be read"):
            started(files, engine=engine)


@pytest.mark.parametrize(
    ("outcome", "error", "says"),
    [
        (running.Outcome(TableSummary(1)), InvalidFile, "all machines reach"),
        (running.Outcome(unwritten=os.strerror(2)), InvalidFile, "all machines reach"),
        (running.Outcome(unwritten=os.strerror(28)), NotWritten, "No space"),
    ],
)
def test_workers_that_cannot_write_are_noticed(files, tasks, monkeypatch, outcome, error, says):
    monkeypatch.setattr(spark, "each", lambda *given: [outcome] * 10)
    with pytest.raises(error, match=says):
        started(files, engine="spark")
    assert names(files) == ["a.parquet", "b.parquet"]


def test_without_pyspark_the_extra_is_named(files, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(NotInstalled, match=r"dprisk\[spark\]"):
        started(files, engine="spark")
    assert names(files) == ["a.parquet", "b.parquet"]


@pytest.mark.parametrize(
    ("long", "short"),
    [
        (
            "An error occurred while calling o7.\n: org.apache.spark.SparkException: Job aborted\n"
            "Traceback (most recent call last):\n  File\nModuleNotFoundError: No module named 'a'\n"
            "\n\tat org.apache.spark.A\n",
            "ModuleNotFoundError: No module named 'a'",
        ),
        ("While calling.\n: java.lang.IllegalArgumentException: too small.\n\tat x", "too small"),
        (
            'WARNING: modules\nException in thread "main" org.apache.spark.SparkException: Master!',
            "Master!",
        ),
        ("spark-class: line 7: java: not found\n", "spark-class: line 7: java: not found"),
        ("", ""),
    ],
)
def test_of_a_long_message_one_line_is_said(long, short):
    assert spark._shortened(long) == short


MEASURED = r"""
import re, sys
from pathlib import Path
from dprisk.tables import TableQuestion, run
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

    def most(times, out):
        given = [str(tmp_path / "in.parquet"), str(tmp_path / out), str(times)]
        done = subprocess.run([sys.executable, "-c", MEASURED, *given], check=True, stdout=-1)
        return int(done.stdout)

    few, many = most(1, "few"), most(6, "many")
    written = sum(part.stat().st_size for part in (tmp_path / "many").iterdir()) / 1e6
    assert written > 120
    assert many - few < written / 2
    assert max(many, most(6, "one.parquet")) < 500


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
