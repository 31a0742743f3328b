"""Spark, alone and on a cluster that loses a worker, gives the bits that Arrow and DuckDB give."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from threading import active_count

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from dprisk import GaussianDP
from dprisk.errors import InvalidFile
from dprisk.progress import progress
from dprisk.tables import REASON, TableQuestion, add_up, answer, run, running
from dprisk.tables.question import DEFINITIONS, DOMAINS
from tests.needed import needs, works
from tests.tables.cluster import HOST, cluster, executors, session, wait_until

HOME_OF_JAVA = os.environ.get("JAVA_HOME")
needs_java = needs(
    works(f"{HOME_OF_JAVA}/bin/java" if HOME_OF_JAVA else "java", "-version"),
    "Java 17",
    "apt install openjdk-17-jre-headless",
    "DPRISK_SPARK",
)
if os.environ.get("DPRISK_SPARK") != "required":
    pytest.importorskip("pyspark", reason="no PySpark on this machine: make spark")
pytestmark = [
    needs_java,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # of PySpark's own
]

from dprisk.tables import spark  # noqa: E402

ROWS = int(os.environ.get("DPRISK_SPARK_ROWS", "600"))
SEED = int(os.environ.get("DPRISK_SPARK_SEED", "5"))
PARTITIONS = 48
PARAMETERS = tuple(DOMAINS)[:6]
ASKED = TableQuestion(
    ["posterior_at_most", "difference_at_most", "power_at_most", "epsilon_at_most"],
    {"definition": "kind", "prior": "of prior", **{name: name for name in PARAMETERS}},
    {"neighbors": "add-remove", "level": 0.05, "at_delta": 1e-6, "confidence": 0.99},
)
PEOPLE = TableQuestion(
    ["posterior_at_most", "epsilon_at_most", "advantage_at_most"],
    {"definition": "kind", "epsilon": "epsilon", "delta": "delta", "mu": "in.mu"},
    {"neighbors": "add-remove", "prior": 0.25, "confidence": 0.99, "at_delta": 1e-6},
)


@pytest.fixture(scope="module")
def table():
    """Rows of every definition with parameters of their own: each costs a call of its function."""
    rng = np.random.default_rng(SEED)
    spread = {"epsilon": 1.0, "rho": 0.2, "mu": 0.5, "alpha": 4.0, "gamma": 0.3}
    columns = {name: rng.exponential(by, ROWS) for name, by in spread.items()}
    columns["alpha"] += 1.0
    columns["delta"] = 10.0 ** rng.uniform(-9, -3, ROWS)
    columns["of prior"] = rng.uniform(0.0, 1.01, ROWS)
    kinds = np.array([*DEFINITIONS, "renie"])[rng.integers(6, size=ROWS)]
    return pa.table({"id": np.arange(ROWS), "kind": kinds, **columns})


@pytest.fixture(scope="module")
def charges():
    """A thousand people, some with a charge that cannot be read."""
    rng = np.random.default_rng(SEED)
    kinds = (
        {"kind": "pure", "epsilon": Decimal("0.1")},
        {"kind": "pure", "epsilon": Decimal("0.3")},
        {"kind": "approximate", "epsilon": Decimal("0.2"), "delta": 1e-7},
        {"kind": "gaussian", "in.mu": 0.4},
    )
    wrong = ({"kind": "gaussian", "in.mu": float("nan")}, {"kind": "gaussian"}, {"kind": None})
    rows = []
    for person in range(1000):
        chosen = [kinds[at] for at in rng.integers(4, size=1 + person % 4)]
        if person % 97 == 0:
            chosen.append(wrong[person % 3])
        rows += [{"the user": person, **each} for each in chosen]
    rng.shuffle(rows)
    types = {"the user": pa.int64(), "kind": pa.string(), "epsilon": pa.decimal128(4, 2)}
    types |= {"delta": pa.float64(), "in.mu": pa.float64()}
    return pa.Table.from_pylist(rows, pa.schema(list(types.items())))


@pytest.fixture(scope="module")
def answered(table):
    return plain(ASKED, answer(ASKED, table).read_all(), "id")


@pytest.fixture(scope="module")
def added(charges):
    return plain(PEOPLE, add_up(PEOPLE, charges, "the user").read_all(), "the user")


def plain(asked, table, key):
    """The columns that were asked for, in the order of a key."""
    names = [key, *asked.outputs, REASON]
    if "charges" in table.column_names:
        names.append("charges")
    table = table.select(names).sort_by(key)
    table = table.set_column(
        names.index(REASON), REASON, pc.cast(table[REASON], pa.string())
    ).combine_chunks()
    return table.cast(pa.schema([(field.name, field.type) for field in table.schema]))


def test_rows_in_local_mode(table, answered):
    with session("local[2]") as here:
        found = answer(ASKED, here.createDataFrame(table).repartition(PARTITIONS, "id"))
        assert plain(ASKED, found.toArrow(), "id").equals(answered)
    assert {None, "out-of-range", "unknown-word"} <= {*answered[REASON].to_pylist()}


def test_a_task_keeps_to_its_cores(table):
    rows = table.select(["id", *ASKED.columns.values()])
    with session("local[2]") as here:
        frame = here.createDataFrame(rows).repartition(2)
        assert {row.threads for row in frame.mapInArrow(_counted, "threads int").collect()} == {1}


def _counted(batches):
    """How many threads there are while a task answers."""
    for _ in spark._answer_batches(ASKED, batches):
        yield pa.RecordBatch.from_pydict({"threads": pa.array([active_count()], pa.int32())})


def test_people_in_local_mode(charges, added):
    with session("local[2]") as here:
        frame = here.createDataFrame(charges)
        found = add_up(PEOPLE, frame.repartition(7), "the user").toArrow()
        assert plain(PEOPLE, found, "the user").equals(added)
    assert {None, "missing", "not-a-number"} <= {*added[REASON].to_pylist()}


def test_curves_of_divergences_in_local_mode():
    curves = [([2.0, 8.0], [0.01, 0.05]), ([2.0, 8.0], [0.02, 0.1]), ([2.0], None)]
    chosen = [curves[at] for at in np.random.default_rng(SEED).integers(3, size=60)]
    of_lists = pa.list_(pa.float64())
    charges = pa.table(
        {
            "the user": pa.array(np.arange(60) % 20),
            "orders": pa.array([orders for orders, _ in chosen], of_lists),
            "gammas": pa.array([gammas for _, gammas in chosen], of_lists),
        }
    )
    asked = TableQuestion(
        ["epsilon_at_most"],
        {"alpha": "orders", "gamma": "gammas"},
        {"definition": "renyi", "neighbors": "add-remove", "at_delta": 1e-6},
    )
    expected = plain(asked, add_up(asked, charges, "the user").read_all(), "the user")
    with session("local[1]") as here:
        found = add_up(asked, here.createDataFrame(charges), "the user").toArrow()
    assert plain(asked, found, "the user").equals(expected)
    assert {None, "missing"} == {*expected[REASON].to_pylist()}


def of_files(table, folder):
    """A question of files of several tasks, and the options of a run."""
    pq.write_table(table, folder / "in.parquet", row_group_size=max(1, ROWS // 12))
    return ASKED, str(folder / "in.parquet")


def in_folder(place):
    return pa.concat_tables(map(pq.read_table, sorted(place.iterdir())))


def test_files_in_a_session_that_runs(table, answered, tmp_path):
    given, limits = of_files(table, tmp_path), {"posterior_at_most": 0.5}
    with session("local[2]") as here:
        made = run(
            *given, tmp_path / "out.parquet", engine="spark", partition_rows=1, limits=limits
        )
        assert here.range(3).count() == 3
    found = in_folder(tmp_path / "out.parquet")
    assert len(list((tmp_path / "out.parquet").iterdir())) >= 12
    assert found["id"].to_pylist() == table["id"].to_pylist()
    assert plain(ASKED, found, "id").equals(answered)
    assert made == run(*given, tmp_path / "one.parquet", limits=limits) and not made.kept
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "in.parquet",
        "one.parquet",
        "out.parquet",
    ]


def test_files_whose_job_fails_or_is_stopped_go_on(table, answered, tmp_path, monkeypatch):
    given = of_files(table, tmp_path)

    def stop(step):
        if step.total == ROWS:
            raise KeyboardInterrupt

    with session("local[2]") as here:
        with pytest.raises(KeyboardInterrupt), progress(stop):
            run(*given, tmp_path / "out.parquet", engine="spark", partition_rows=1)
        with monkeypatch.context() as patched:
            patched.setattr(running, "partial", lambda *given, **more: lambda: None)
            patched.setattr(running._Work, "__reduce__", lambda work: (_failing, ()), raising=False)
            with pytest.raises(InvalidFile, match="Spark could not finish: LookupError: 'no such"):
                run(*given, tmp_path / "other.parquet", engine="spark")
        run(*given, tmp_path / "out.parquet", engine="spark", partition_rows=1)
        assert here.range(3).count() == 3
    assert plain(ASKED, in_folder(tmp_path / "out.parquet"), "id").equals(answered)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.parquet", "out.parquet"]


def _failing():
    return _fail


def _fail(number):
    raise LookupError("'no such thing'")


def test_files_where_a_worker_is_killed_in_the_middle(table, answered, tmp_path):
    given, cut = of_files(table, tmp_path), []
    with cluster(tmp_path) as workers, session(workers.address) as here:
        wait_until(lambda: executors(here) == 2)

        def kill(step):
            if step.total == ROWS and not cut:
                cut.append(step.done)
                workers.kill()

        with progress(kill):
            run(*given, tmp_path / "out.parquet", engine="spark", partition_rows=1)
        assert executors(here) == 1
    assert cut[0] < ROWS
    assert plain(ASKED, in_folder(tmp_path / "out.parquet"), "id").equals(answered)


def command(place, *more, **known):
    """The command in a process of its own, which starts Spark as Spark's settings say."""
    path = os.pathsep.join(filter(None, sys.path))
    arguments = ["table", "in.parquet", "-o", "out.parquet", "--column", "mu=mu", "--neighbors"]
    arguments += ["add-remove", "--output-column", "advantage", "--engine", "spark", *more]
    return subprocess.run(
        [sys.executable, "-m", "dprisk", *arguments],
        check=False,
        cwd=place,
        env={**os.environ, "PYTHONPATH": path, "SPARK_LOCAL_IP": HOST, **known},
        capture_output=True,
        text=True,
    )


def test_the_command_starts_spark_and_prints_nothing_of_it(tmp_path):
    pq.write_table(pa.table({"mu": [0.1, 3.0, -1.0]}), tmp_path / "in.parquet")
    done = command(tmp_path, "--limit", "advantage=0.5", "--memory", "600MB")
    assert (done.returncode, done.stderr) == (3, "")
    assert done.stdout.startswith("2 of 3 rows were read.\n\nout.parquet is a folder of Parquet")
    found = in_folder(tmp_path / "out.parquet")["advantage_at_most"].to_pylist()
    assert found[0] == float(GaussianDP(0.1, neighbors="add-remove").advantage())
    assert found[2] is None


@pytest.mark.parametrize(
    ("known", "more", "said"),
    [
        ({"JAVA_HOME": "/none"}, (), "Java 17"),
        ({}, ("--memory", "100MB"), "System memory"),
        ({"PYSPARK_SUBMIT_ARGS": "--master mars pyspark-shell"}, (), "[Mm]aster"),
    ],
)
def test_spark_that_does_not_start_is_one_line(tmp_path, known, more, said):
    pq.write_table(pa.table({"mu": [0.1]}), tmp_path / "in.parquet")
    done = command(tmp_path, *more, **known)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert re.search(f"^Error: Spark did not start: .*{said}", done.stderr)
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]


def test_rows_where_a_worker_is_killed_in_the_middle(table, answered, tmp_path):
    with cluster(tmp_path) as workers, session(workers.address) as here:
        wait_until(lambda: executors(here) == 2)
        rows = answer(ASKED, here.createDataFrame(table).repartition(PARTITIONS, "id"))
        with ThreadPoolExecutor(1) as aside:
            job = aside.submit(rows.toArrow)
            wait_until(lambda: job.done() or finished(here) >= PARTITIONS // 4)
            assert not job.done() and executors(here) == 2
            workers.kill()
            found = job.result()
        assert executors(here) == 1
    assert plain(ASKED, found, "id").equals(answered)


def finished(here):
    """How many pieces of the stage that answers are done."""
    tracker = here.sparkContext.statusTracker()
    stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
    return max(
        (each.numCompletedTasks for each in stages if each.numTasks == PARTITIONS), default=0
    )


def test_people_whose_histories_are_lost_with_a_worker(charges, added, tmp_path):
    with cluster(tmp_path) as workers, session(workers.address) as here:
        wait_until(lambda: executors(here) == 2)
        people = add_up(PEOPLE, here.createDataFrame(charges), "the user")
        workers.kill()
        found = people.toArrow()
        assert executors(here) == 1
    assert plain(PEOPLE, found, "the user").equals(added)
