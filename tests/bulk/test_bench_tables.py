"""The comparison of tables goes on where an engine is not installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.timing import Skipped
from dprisk.errors import NotInstalled

tables = pytest.importorskip("bench.tables")


def test_an_engine_that_lacks_a_package_is_skipped_with_the_reason(monkeypatch):
    def run(engine, source, out):
        if engine == "spark":
            raise NotInstalled("Spark needs pandas.")

    monkeypatch.setattr(tables, "_run", run)
    found = {one.name: one for one in tables._resumable(Path("in.parquet"), 100)}
    assert found["run by spark"] == Skipped("run by spark", "Spark needs pandas.")
    assert not isinstance(found["run by arrow"], Skipped)
