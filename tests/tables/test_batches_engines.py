"""Every engine hands the same rows to the same function, and back come the same bits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest

from bench.timing import Skipped
from dprisk.errors import InvalidInput, NotInstalled
from dprisk.tables import REASON, TableQuestion, answer
from dprisk.tables.files import READERS, partitions

ASKED = TableQuestion(
    ["posterior_at_most", "posterior_at_least", "ratio_at_most", "difference_at_most"],
    {name: name for name in ("prior", "epsilon", "delta", "failure")},
    {"definition": "approximate", "neighbors": "add-remove"},
)
NAMES = [*ASKED.outputs, REASON]


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(3)
    number = 30_000
    columns = {
        "id": np.arange(number),
        "prior": rng.random(number),
        "epsilon": rng.exponential(2.0, number),
        "delta": 10.0 ** rng.uniform(-10, -1, number),
        "failure": rng.uniform(0.0, 0.1, number),
    }
    columns["prior"][:3] = [0.0, 1.0, 1.5]
    found = pa.table(columns)
    holes = np.arange(number) % 997 == 5
    return found.set_column(2, "epsilon", pa.array(columns["epsilon"], mask=holes))


@pytest.fixture(scope="module")
def expected(table):
    return plain(answer(ASKED, table).read_all())


def plain(table):
    """The columns that were asked for, without what engines call their types."""
    columns = [table[name].cast(pa.string() if name == REASON else pa.float64()) for name in NAMES]
    return pa.table([column.combine_chunks() for column in columns], NAMES)


def test_arrow_readers_datasets_and_streams(table, expected):
    dataset = pyarrow.dataset.dataset(table)
    for data in (
        table.to_reader(999),
        dataset,
        dataset.scanner(),
        table.combine_chunks().to_batches()[0],
    ):
        assert plain(answer(ASKED, data).read_all()).equals(expected)
    assert {None, "missing", "out-of-range", "no-bound"} == set(expected[REASON].to_pylist())


def test_duckdb(table, expected):
    db = pytest.importorskip("duckdb").connect()
    db.register("rows", table)
    assert plain(answer(ASKED, db.sql("from rows")).read_all()).equals(expected)


def test_polars_eager_lazy_and_to_a_file(table, expected, tmp_path):
    pl = pytest.importorskip("polars")
    frame = pl.from_arrow(table)
    lazy = answer(ASKED, frame.lazy())
    assert plain(answer(ASKED, frame).collect().to_arrow()).equals(expected)
    assert plain(lazy.collect(engine="streaming").to_arrow()).equals(expected)
    lazy.sink_parquet(tmp_path / "out.parquet")
    assert plain(pq.read_table(tmp_path / "out.parquet")).equals(expected)


def test_pandas(table, expected):
    pytest.importorskip("pandas")
    frame = table.to_pandas()
    frame.index = frame.index[::-1]
    found = answer(ASKED, frame)
    assert (found.index == frame.index).all()
    assert plain(pa.Table.from_pandas(found, preserve_index=False)).equals(expected)


@pytest.mark.parametrize("engine", READERS)
def test_files_are_read_alike(table, expected, tmp_path, engine):
    path = tmp_path / "in.parquet"
    pq.write_table(table, path, row_group_size=4000)
    parts = partitions([str(path)], rows=7000)
    assert [part.rows for part in parts] == [8000, 8000, 8000, 6000]
    batches = [batch for part in parts for batch in READERS[engine](part, "1GB")]
    found = answer(ASKED, pa.Table.from_batches(batches)).read_all()
    assert plain(found).equals(expected)


@pytest.mark.parametrize("engine", READERS)
def test_csv_is_read_alike(tmp_path, engine):
    path = tmp_path / "in.csv"
    path.write_text("prior,epsilon,delta,failure\n0.5,0.1,1e-6,0.01\n0.25,,0.0,0.05\n")
    (part,) = partitions([str(path)])
    found = answer(ASKED, pa.Table.from_batches(READERS[engine](part, "1GB"))).read_all()
    assert found[REASON].to_pylist() == [None, "missing"]
    assert found["prior"].cast(pa.float64()).to_pylist() == [0.5, 0.25]


def test_a_missing_column_is_refused_before_a_row_is_read(table):
    reader = table.select(["prior"]).to_reader()
    with pytest.raises(InvalidInput, match="epsilon"):
        answer(ASKED, reader)
    assert reader.read_all().num_rows == table.num_rows


def test_the_comparison_skips_an_engine_that_lacks_a_package(monkeypatch):
    """And says why: PySpark may be there without pandas."""
    tables = pytest.importorskip("bench.tables")

    def run(engine, source, out):
        if engine == "spark":
            raise NotInstalled("Spark needs pandas.")

    monkeypatch.setattr(tables, "_run", run)
    found = {one.name: one for one in tables._resumable(Path("in.parquet"), 100)}
    assert found["run by spark"] == Skipped("run by spark", "Spark needs pandas.")
    assert not isinstance(found["run by arrow"], Skipped)
