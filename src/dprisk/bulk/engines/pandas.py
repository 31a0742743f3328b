"""Tables of pandas, through Arrow."""

from __future__ import annotations

from typing import Any

from dprisk.bulk.asked import REASON, TableQuestion
from dprisk.bulk.engines import arrow


def answer(asked: TableQuestion, frame: Any) -> Any:
    """A frame with what is asked as more columns.

    Parameters
    ----------
    asked : TableQuestion
        What is asked of every row.
    frame : pandas.DataFrame
        The table; NaN is what pandas writes for a missing number, and is taken for one.

    Returns
    -------
    pandas.DataFrame
        The same rows with the same index.

    Raises
    ------
    InvalidInput
        If a column is missing, or called like an output.

    Examples
    --------
    >>> from dprisk.bulk import TableQuestion
    >>> from dprisk.bulk.engines.pandas import answer
    >>> constants = {"definition": "gaussian", "neighbors": "add-remove"}
    >>> asked = TableQuestion(["advantage_at_most"], {"mu": "mu"}, constants)
    >>> answer(asked, frame)  # doctest: +SKIP
    """
    import pyarrow as pa

    needed = list(dict.fromkeys(asked.columns.values()))
    held = [name for name in needed if name in frame.columns]
    table = pa.Table.from_pandas(frame[held], preserve_index=False)
    found = arrow.answer(asked, table).read_all().to_pandas()
    found.index = frame.index
    return frame.assign(**{name: found[name] for name in (*asked.outputs, REASON)})
