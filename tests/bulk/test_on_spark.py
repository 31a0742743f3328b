"""A table as tasks: what they write and count together, here without a cluster."""

from __future__ import annotations

import pickle
import sys
from contextlib import nullcontext

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dprisk.bulk import REASONS, TableQuestion, on_spark, run
from dprisk.errors import InvalidFile, InvalidInput, NotInstalled, NotWritten
from dprisk.progress import progress

ASKED = TableQuestion(
    ["posterior_at_most", "odds_at_most"],
    {"definition": "kind", "epsilon": "eps", "prior": "prior"},
    {"neighbors": "add-remove"},
)
ROWS = 6000
LIMITS = {"posterior_at_most": 0.9}


@pytest.fixture
def rows(tmp_path):
    """Two files of several row groups; all reasons that a row may have."""
    rng = np.random.default_rng(3)
    eps = rng.exponential(1.0, ROWS)
    eps[::50], eps[1::50], eps[2::50] = np.nan, -1.0, np.inf
    table = pa.table(
        {
            "id": pa.array(np.arange(ROWS), pa.uint64()),
            "kind": pa.array(["pure", "pure", "rare", "pure"] * (ROWS // 4)).dictionary_encode(),
            "eps": pa.array(eps, mask=rng.random(ROWS) < 0.02),
            "prior": rng.random(ROWS),
        }
    )
    half = ROWS // 2
    pq.write_table(table.slice(0, half), tmp_path / "a.parquet", row_group_size=700)
    pq.write_table(table.slice(half), tmp_path / "b.parquet", row_group_size=700)
    return table


@pytest.fixture
def tasks(monkeypatch):
    """How many tasks there were; they are done here, one after another, as pickles."""
    counts = []

    def each(session, work, count, place, look):
        counts.append(count)
        made = []
        for number in range(count):
            look()
            made.append(pickle.loads(pickle.dumps(work))(number))
            pickle.loads(pickle.dumps(made[-1]))
        look()
        return made

    monkeypatch.setattr(on_spark.spark, "session", lambda memory: nullcontext())
    monkeypatch.setattr(on_spark.spark, "each", each)
    return counts


@pytest.fixture
def no_spark(monkeypatch):
    def session(memory):
        pytest.fail("Spark was started")

    monkeypatch.setattr(on_spark.spark, "session", session)


def started(folder, name="out.parquet", sources="[ab].parquet", **more):
    options = {"engine": "spark", "partition_rows": 700, **more}
    return run(ASKED, str(folder / sources), folder / name, **options)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_rows_counts_and_metadata_are_those_of_duckdb(rows, tasks, tmp_path):
    made = started(tmp_path, limits=LIMITS)
    assert made == started(tmp_path, "one.parquet", engine="duckdb", limits=LIMITS)
    assert {*made.reasons} == {*REASONS}
    assert tasks == [10]
    parts = sorted((tmp_path / "out.parquet").iterdir())
    assert [part.name for part in parts] == [f"part-{number:06}.parquet" for number in range(10)]
    found = pa.concat_tables(map(pq.read_table, parts)).to_pylist()
    expected = pq.read_table(tmp_path / "one.parquet").to_pylist()
    assert [row["id"] for row in found] == list(range(ROWS))
    assert repr(found) == repr(expected)  # with each digit, and where a number is NaN
    for name in ASKED.outputs:
        field = pq.read_schema(parts[-1]).field(name)
        assert field.metadata[b"direction"] == b"at most"
    assert pq.read_schema(parts[0]).equals(pq.read_schema(parts[-1]), check_metadata=True)
    assert names(tmp_path) == ["a.parquet", "b.parquet", "one.parquet", "out.parquet"]


def test_columns_come_from_names_of_folders(tasks, tmp_path):
    for year in (2020, 2021):
        (tmp_path / f"year={year}").mkdir()
        rows = pa.table({"kind": ["pure"], "eps": [1.0], "prior": [0.5]})
        pq.write_table(rows, tmp_path / f"year={year}" / "a.parquet")
    started(tmp_path, sources="year=*/*.parquet")
    parts = [pq.read_table(part) for part in sorted((tmp_path / "out.parquet").iterdir())]
    assert [part["year"].to_pylist() for part in parts] == [[2020], [2021]]


def test_a_strict_run_names_the_first_ten_rows_and_leaves_nothing(tasks, tmp_path):
    prior = [0.5] * 3000
    prior[690:710] = [2.0] * 20
    rows = pa.table({"kind": ["pure"] * 3000, "eps": [1.0] * 3000, "prior": prior})
    pq.write_table(rows, tmp_path / "a.parquet", row_group_size=695)
    with pytest.raises(InvalidFile, match=r"row 690 \(out-of-range\).*row 699 ") as caught:
        started(tmp_path, sources="a.parquet", strict=True, partition_rows=1)
    assert "row 700" not in str(caught.value)
    assert names(tmp_path) == ["a.parquet"]


def test_what_is_there_is_replaced_only_by_force(rows, tasks, tmp_path):
    started(tmp_path)
    (tmp_path / "out.parquet" / "_SUCCESS").touch()
    with pytest.raises(InvalidFile, match="--force"):
        started(tmp_path)
    assert "_SUCCESS" in names(tmp_path / "out.parquet")
    started(tmp_path, force=True, sources="a.parquet")
    assert len(names(tmp_path / "out.parquet")) == 5
    started(tmp_path, "one.parquet", engine="arrow")
    with pytest.raises(InvalidFile, match="--force"):
        started(tmp_path, "one.parquet")
    started(tmp_path, "one.parquet", force=True)
    assert (tmp_path / "one.parquet").is_dir()
    assert names(tmp_path) == ["a.parquet", "b.parquet", "one.parquet", "out.parquet"]


def test_a_folder_of_other_things_or_of_inputs_stays(rows, no_spark, tmp_path):
    other = tmp_path / "other.parquet"
    other.mkdir()
    (other / "a.parquet").touch()
    (other / "thesis.txt").touch()
    with pytest.raises(InvalidFile, match="more than Parquet"):
        started(tmp_path, "other.parquet", force=True)
    own = tmp_path / "own.parquet"
    own.mkdir()
    (tmp_path / "a.parquet").rename(own / "a.parquet")
    with pytest.raises(InvalidFile, match="overwrite"):
        started(tmp_path, "own.parquet", sources="own.parquet", force=True)
    (tmp_path / "link.parquet").symlink_to(own)
    with pytest.raises(InvalidFile, match="link"):
        started(tmp_path, "link.parquet", sources="b.parquet", force=True)
    assert names(own) == ["a.parquet"] and names(other) == ["a.parquet", "thesis.txt"]


def test_what_appears_in_the_meantime_stays(rows, tasks, tmp_path):
    def appear(step):
        (tmp_path / "out.parquet").mkdir(exist_ok=True)

    with pytest.raises(InvalidFile, match="exists"), progress(appear):
        started(tmp_path)
    assert names(tmp_path) == ["a.parquet", "b.parquet", "out.parquet"]
    assert names(tmp_path / "out.parquet") == []


def test_what_was_there_is_back_if_the_table_cannot_take_its_place(tasks, rows, tmp_path):
    started(tmp_path, sources="a.parquet")
    before = names(tmp_path / "out.parquet")
    staged = tmp_path / "staged"
    staged.mkdir()
    with pytest.raises(FileNotFoundError):
        on_spark._move(staged, tmp_path / "out.parquet", force=True)
    assert names(tmp_path / "out.parquet") == before and names(staged) == []


@pytest.mark.parametrize(
    ("out", "sources", "name"),
    [
        ("out.csv", "[ab].parquet", r"out must be a name that ends in \.parquet"),
        ("out.parquet", "c.csv", r"c\.csv: Spark reads only Parquet"),
        ("out.parquet", "[abd].parquet", r"d\.parquet: .*different columns"),
        ("out.parquet", "d.parquet", "definition must be a column"),
        ("no/out.parquet", "[ab].parquet", "no folder"),
    ],
)
def test_what_spark_cannot_take_is_refused_before_it_starts(
    rows, no_spark, tmp_path, out, sources, name
):
    (tmp_path / "c.csv").write_text("kind,eps,prior\npure,1.0,0.5\n")
    pq.write_table(pa.table({"eps": [1.0], "prior": [0.5]}), tmp_path / "d.parquet")
    before = names(tmp_path)
    with pytest.raises((InvalidFile, InvalidInput), match=name):
        started(tmp_path, out, sources)
    assert names(tmp_path) == before


def test_addresses_are_refused_before_they_are_asked_for(rows, no_spark, tmp_path):
    with pytest.raises(InvalidFile, match="Only DuckDB"):
        run(ASKED, "s3://bucket/a.parquet", tmp_path / "out.parquet", engine="spark")
    with pytest.raises(InvalidInput, match="same path"):
        run(ASKED, str(tmp_path / "a.parquet"), "hdfs://host/out.parquet", engine="spark")


def test_a_table_without_rows_is_refused(rows, no_spark, tmp_path):
    pq.write_table(rows.slice(0, 0), tmp_path / "a.parquet")
    with pytest.raises(InvalidFile, match="no rows"):
        started(tmp_path, sources="a.parquet")
    assert names(tmp_path) == ["a.parquet", "b.parquet"]


def test_a_file_that_is_damaged_is_named(rows, tasks, tmp_path):
    whole = bytearray((tmp_path / "b.parquet").read_bytes())
    whole[4:2000] = bytes(1996)
    (tmp_path / "b.parquet").write_bytes(whole)
    with pytest.raises(InvalidFile, match=r"b\.parquet: It cannot be read"):
        started(tmp_path)
    assert names(tmp_path) == ["a.parquet", "b.parquet"]


def test_workers_that_write_elsewhere_are_noticed(rows, tmp_path, monkeypatch):
    monkeypatch.setattr(on_spark.spark, "session", lambda memory: nullcontext())
    lost = on_spark.Outcome(on_spark.TableSummary(0))
    for outcome in (lost, on_spark.Outcome(unwritten="No such file or directory")):
        each = [outcome] * 10
        monkeypatch.setattr(on_spark.spark, "each", lambda *given, each=each: each)
        with pytest.raises(InvalidFile, match="all machines reach"):
            started(tmp_path)
    full = [on_spark.Outcome(unwritten="No space left on device")] * 10
    monkeypatch.setattr(on_spark.spark, "each", lambda *given: full)
    with pytest.raises(NotWritten, match="No space"):
        started(tmp_path)
    assert names(tmp_path) == ["a.parquet", "b.parquet"]


class Killed(BaseException):
    """As the system does it, anywhere."""


def test_a_run_that_is_stopped_leaves_nothing_and_says_how_far_it_was(rows, tasks, tmp_path):
    steps = []

    def stop(step):
        steps.append(step)
        if step.total == ROWS and step.done > ROWS // 2:
            raise Killed

    with pytest.raises(Killed), progress(stop):
        started(tmp_path)
    assert names(tmp_path) == ["a.parquet", "b.parquet"]
    assert [step.done for step in steps if step.total == ROWS][:3] == [0, 700, 1400]


def test_without_pyspark_the_extra_is_named(rows, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(NotInstalled, match=r"dprisk\[spark\]"):
        started(tmp_path)
    assert names(tmp_path) == ["a.parquet", "b.parquet"]


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
    assert on_spark.spark._said(long) == short
