"""What tables of any size say: columns, rows that cannot be read, summaries."""

from __future__ import annotations

from typing import Final

__all__ = ["TEXTS"]

TEXTS: Final[dict[str, str]] = {
    "table.outputs": "at least one of: {names}",
    "table.outputs.fix": "Say which columns to add.",
    "table.twice": "a column or one number for all rows, not both",
    "table.twice.fix": "Leave one of them out.",
    "table.missing": "one of: {allowed}; or a column of these words",
    "table.missing.fix": "It says what the numbers of a row mean.",
    "table.parameter": "a column or one number for all rows: the definition needs it",
    "table.needed": "a column or one number for all rows: {output} needs it",
    "table.no-column": "a column of the table, which has {columns}",
    "table.no-column.fix": "Name the column that has it.",
    "table.two-columns": "a column that the table has once: {columns}",
    "table.two-columns.fix": "Rename one of the two.",
    "table.of-words": "a column of text",
    "table.of-numbers": "a column of numbers",
    "table.of-numbers.fix": "Convert it first.",
    "table.taken": "free for the result, but the table already has a column of this name",
    "table.taken.fix": "Rename that column, or leave this output out.",
    "table.empty": "There is no row in it.",
    "table.not-parquet": "This is not a valid Parquet file: {error}.",
    "table.differ": "The files have different columns, or columns of different types.",
    "table.differ.fix": "Run them apart.",
    "table.rows": "rows",
    "table.row": "row {row} ({reason})",
    "table.strict": "Some rows cannot be read: {rows}.",
    "table.strict.fix": "Rows are counted from 0. Mend them, or leave out --strict.",
    "table.not-read": "It cannot be read: {error}",
    "table.rate": "{step}, {rate} a second, {left} s left",
    "table.done": "{read} of {rows} rows were read.",
    "table.reason.missing": "{rows} rows: a value is missing.",
    "table.reason.not-a-number": "{rows} rows: a value is not a number.",
    "table.reason.out-of-range": "{rows} rows: a value is out of range.",
    "table.reason.unknown-word": "{rows} rows: the definition or the neighbors are unknown.",
    "table.reason.no-bound": "{rows} rows: the promise sets no limit at this confidence.",
    "table.heading.reasons": "Rows without numbers",
    "table.heading.histogram": "Rows by {name}",
    "table.heading.limits": "Limits",
    "table.column.from": "between",
    "table.column.rows": "rows",
    "table.above": "{rows} rows have {name} above {limit}, or no bound.",
    "table.one-for-all": "one value for all: people are compared at the same one",
    "table.one-for-all.fix": "Give a constant; instead of a failure, a confidence.",
    "table.histories": "histories",
}
