"""A file that is put together from others, as every reader of Parquet sees it."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dprisk.bulk.footers import MAGIC, body_and_footer, ending, moved
from dprisk.bulk.growing import Growing


def drawn(seed, rows=1000):
    """A table with columns of every shape."""
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "x": rng.random(rows),
            "word": pa.array(rng.choice(["a", "b"], rows)).dictionary_encode(),
            "list": [[1, None], []] * (rows // 2),
            "flag": [True, None] * (rows // 2),
            "when": pa.array(rng.integers(0, 10**9, rows), pa.timestamp("us")),
        },
        metadata={"from": "here"},
    )


def as_file(table, **options):
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, row_group_size=300, **options)
    return sink.getvalue()


@pytest.mark.parametrize("options", [{}, {"write_page_index": True}, {"compression": "zstd"}])
def test_a_footer_that_is_not_moved_says_the_same(options):
    file = as_file(drawn(0), **options)
    body, footer = body_and_footer(file)
    about = moved(footer, 0)
    assert about.to_dict() == pq.read_metadata(pa.BufferReader(file)).to_dict()
    assert bytes(body) == file.to_pybytes()[len(MAGIC) : len(MAGIC) + len(body)]
    further = moved(footer, 10**12).row_group(3).column(1)
    assert further.data_page_offset == about.row_group(3).column(1).data_page_offset + 10**12


def grown(folder, *parts):
    """The file of some parts, each of some tables."""
    with Growing.at(folder / "job.parquet") as growing:
        for part in parts[len(growing.parts) :]:
            for table in part:
                growing.append(memoryview(as_file(table)))
            growing.finish_part()
        growing.finish(folder / "out.parquet")
    return folder / "out.parquet"


def test_what_is_put_together_is_read_by_all(tmp_path):
    tables = [drawn(seed) for seed in range(4)]
    path = grown(tmp_path, tables[:2], [], tables[2:])
    found, expected = pq.read_table(path), pa.concat_tables(tables)
    assert found.equals(expected)
    assert found.schema.metadata == {b"from": b"here"}
    about = pq.read_metadata(path)
    assert (about.num_rows, about.num_row_groups) == (4000, 16)
    assert ending(about) == path.stat().st_size - body_size(path)
    polars = pytest.importorskip("polars").read_parquet(path)
    assert polars["x"].to_list() == expected["x"].to_pylist()
    assert polars["list"].to_list() == expected["list"].to_pylist()
    rows = pytest.importorskip("duckdb").sql(f"select x, word::varchar from '{path}'").fetchall()
    assert rows == list(zip(expected["x"].to_pylist(), expected["word"].to_pylist(), strict=True))


def body_size(path):
    """Bytes of the footer, of its length and of the magic number."""
    return int.from_bytes(path.read_bytes()[-8:-4], "little") + 8


def test_it_goes_on_after_the_last_part_that_is_done(tmp_path):
    tables = [drawn(seed) for seed in range(3)]
    whole = tmp_path / "whole"
    whole.mkdir()
    expected = grown(whole, *([table] for table in tables)).read_bytes()
    with Growing.at(tmp_path / "job.parquet") as growing:
        growing.append(memoryview(as_file(tables[0])))
        growing.finish_part()
        growing.append(memoryview(as_file(tables[2])))
    with Growing.at(tmp_path / "job.parquet") as growing:
        assert len(growing.parts) == 1
        (batch,) = growing.rows(["x"], 10**6)
        assert batch["x"].to_pylist() == tables[0]["x"].to_pylist()
    assert grown(tmp_path, *([table] for table in tables)).read_bytes() == expected


def test_footers_without_their_rows_are_thrown_away(tmp_path):
    grown(tmp_path, [drawn(0)], [drawn(1)])
    assert len(list(tmp_path.glob("*.footer"))) == 2
    with Growing.at(tmp_path / "job.parquet") as growing:
        assert growing.parts == []
    assert [path.name for path in tmp_path.iterdir()] == ["out.parquet"]


def test_other_columns_and_a_second_process_are_refused(tmp_path):
    with Growing.at(tmp_path / "job.parquet") as growing:
        growing.append(memoryview(as_file(drawn(0))))
        with pytest.raises(ValueError):
            growing.append(memoryview(as_file(drawn(0).drop_columns("x"))))
        pytest.importorskip("fcntl")
        with pytest.raises(OSError):
            Growing.at(tmp_path / "job.parquet")
