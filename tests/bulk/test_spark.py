"""Spark, alone and on a cluster that loses a worker, gives the bits that Arrow and DuckDB give."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from threading import active_count

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from dprisk.bulk import REASON, TableQuestion, add_up
from dprisk.bulk.asked import DEFINITIONS, DOMAINS
from dprisk.bulk.engines import arrow
from tests.bulk.cluster import cluster, executors, session, wait_until

pytest.importorskip("pyspark")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # of PySpark's own

from dprisk.bulk.engines import spark  # noqa: E402

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
    return plain(ASKED, arrow.answer(ASKED, table).read_all(), "id")


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
        found = spark.answer(ASKED, here.createDataFrame(table).repartition(PARTITIONS, "id"))
        assert plain(ASKED, found.toArrow(), "id").equals(answered)
    assert {None, "out-of-range", "unknown-word"} <= {*answered[REASON].to_pylist()}


def test_a_task_keeps_to_its_cores(table):
    rows = table.select(["id", *ASKED.columns.values()])
    with session("local[2]") as here:
        frame = here.createDataFrame(rows).repartition(2)
        assert {row.threads for row in frame.mapInArrow(_counted, "threads int").collect()} == {1}


def _counted(batches):
    """How many threads there are while a task answers."""
    for _ in spark._Plain(ASKED)(batches):
        yield pa.RecordBatch.from_pydict({"threads": pa.array([active_count()], pa.int32())})


def test_people_in_local_mode(charges, added):
    with session("local[2]") as here:
        frame = here.createDataFrame(charges)
        found = spark.add_up(PEOPLE, frame.repartition(7), "the user").toArrow()
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
        found = spark.add_up(asked, here.createDataFrame(charges), "the user").toArrow()
    assert plain(asked, found, "the user").equals(expected)
    assert {None, "missing"} == {*expected[REASON].to_pylist()}


def test_rows_where_a_worker_is_killed_in_the_middle(table, answered, tmp_path):
    with cluster(tmp_path) as workers, session(workers.address) as here:
        wait_until(lambda: executors(here) == 2)
        rows = spark.answer(ASKED, here.createDataFrame(table).repartition(PARTITIONS, "id"))
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
        people = spark.add_up(PEOPLE, here.createDataFrame(charges), "the user")
        workers.kill()
        found = people.toArrow()
        assert executors(here) == 1
    assert plain(PEOPLE, found, "the user").equals(added)
