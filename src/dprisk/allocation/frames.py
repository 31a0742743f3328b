"""Data frames and Parquet files, read by narwhals."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

from dprisk._files import regular
from dprisk.errors import InvalidInput, unreadable
from dprisk.text import fill

READERS = ("pyarrow", "polars", "pandas")


def rows_of_frame(frame: Any) -> tuple[list[str], list[Mapping[str, Any]]]:
    """Columns and rows of a data frame of any library that narwhals knows."""
    import narwhals as nw

    try:
        known = nw.from_native(frame)
    except TypeError:
        allowed = fill("allocation.frame")
        raise InvalidInput("table", type(frame).__name__, allowed) from None
    eager = known.collect() if isinstance(known, nw.LazyFrame) else known
    return list(eager.columns), list(eager.iter_rows(named=True))


def rows_of_parquet(path: str | os.PathLike[str]) -> tuple[list[str], list[Mapping[str, Any]]]:
    """Columns and rows of a Parquet file, by whichever library is installed."""
    import narwhals as nw

    shown = os.fspath(path)
    reader = next((name for name in READERS if find_spec(name)), None)
    if reader is None:
        raise unreadable(shown, "allocation.no-parquet", readers=", ".join(READERS))
    regular(path)
    try:
        frame = nw.read_parquet(shown, backend=reader)  # type: ignore[arg-type]
    except Exception as error:  # each library has errors of its own
        raise unreadable(
            shown, "allocation.bad-parquet", reason=str(error).splitlines()[0][:100]
        ) from None
    return rows_of_frame(frame.to_native())
