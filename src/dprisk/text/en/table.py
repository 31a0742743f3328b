"""What tables of any size say: columns, rows that cannot be read, summaries."""

from __future__ import annotations

from typing import Final

__all__ = ["TEXTS"]

TEXTS: Final[dict[str, str]] = {
    "table.outputs": "at least one of: {names}",
    "table.outputs.fix": "Say which columns to add.",
    "table.twice": "a column or one number for all rows, not both",
    "table.twice.fix": "Leave one of them out.",
    "table.unused": "left out: no definition and no output column uses it",
    "table.unused.fix": "Ask for an output that depends on it, or leave it out.",
    "table.missing": "one of: {allowed}; or a column of these words",
    "table.missing.fix": "It says what the numbers of a row mean.",
    "table.parameter": "a column or one number for all rows: the definition needs it",
    "table.needed": "a column or one number for all rows: {output} needs it",
    "table.no-column": "a column of the table, which has {columns}",
    "table.no-column.fix": "Name the column to use.",
    "table.two-columns": "a column that the table has once: {columns}",
    "table.two-columns.fix": "Rename one of the two.",
    "table.of-words": "a column of text",
    "table.also": "Also: {others}.",
    "table.of-numbers": "a column of numbers",
    "table.of-numbers.fix": "Convert it first.",
    "table.taken": "free for the result, but the table already has a column of this name",
    "table.taken.fix": "Rename that column, or leave this output out.",
    "table.empty": "The table has no rows.",
    "table.not-parquet": "This is not a valid Parquet file: {error}.",
    "table.differ": "The files have different columns, or columns of different types.",
    "table.differ.fix": "Run the command for each kind of file.",
    "table.rows": "rows",
    "table.row": "row {row} ({reason})",
    "table.strict": "Some rows cannot be read: {rows}.",
    "table.person": "{person} ({reason})",
    "table.strict-people": "Rows of some people cannot be read: {people}.",
    "table.strict-people.fix": "Correct them, or leave out --strict.",
    "table.person-taken": "a column of another name: the result has one of this name as well",
    "table.person-taken.fix": "Rename it.",
    "table.nobody": "a column that says in every row whose data it is about",
    "table.nobody.fix": "Rows that do not say so: {rows}. They may belong to anyone in the table, "
    "so nobody's sum would be certain. Complete or remove them.",
    "table.done.people": "{read} of {rows} people have numbers, each for all rows of that person "
    "together.",
    "table.alone": "Each row was read by itself. If several rows are about one person, their "
    "risks add up: name the column of the person with --person.",
    "table.strict.fix": "Rows are counted from 0. Correct them, or leave out --strict.",
    "table.remote": "DuckDB does not reach it: {error}",
    "table.remote.fix": "It needs a network, its extension httpfs (once, in DuckDB: INSTALL "
    "httpfs) and, for a bucket, a secret.",
    "table.spark-local": "a folder that this machine and the workers reach by the same path",
    "table.spark-local.fix": "In a Spark program, dprisk.bulk.engines.spark.answer writes to any "
    "place that Spark reaches.",
    "table.parquet": "a name that ends in .parquet or .pq, because the result is in this format",
    "table.spark-csv": "Spark reads only Parquet files here.",
    "table.spark-csv.fix": "Convert it first, or leave out --engine.",
    "table.spark-missing": "Spark needs {library}. Install it with: pip install 'dprisk[spark]'.",
    "table.spark-java": "Spark did not start: {error}. It needs Java 17 or newer. Install it, or "
    "set JAVA_HOME.",
    "table.spark-start": "Spark did not start: {error}.",
    "table.spark-failed": "Spark could not finish: {error}.",
    "table.spark-failed.fix": "Nothing was changed. Each worker needs dprisk[spark], and memory "
    "for its tasks.",
    "table.spark-not-shared": "A worker of Spark does not write to this folder.",
    "table.spark-not-shared.fix": "Choose a folder that all machines reach by the same path.",
    "table.starting-spark": "starting Spark",
    "table.folder": "{name} is a folder of Parquet files: {files}.",
    "table.folder-exists": "The folder exists.",
    "table.folder-exists.fix": "Use --force to replace it (in Python: force=True).",
    "table.folder-of-others": "It is a folder that holds more than Parquet files.",
    "table.folder-of-others.fix": "Choose another place.",
    "table.remote-engine": "Only DuckDB reads addresses.",
    "table.remote-engine.fix": "Leave out --engine, or copy the file first.",
    "table.not-read": "It cannot be read: {error}",
    "table.rate": "{step}, {rate} a second, {left} s left",
    "table.done": "{read} of {rows} rows were read.",
    "table.reason.missing": "Rows with a missing value: {rows}.",
    "table.reason.not-a-number": "Rows with a value that is not a number: {rows}.",
    "table.reason.out-of-range": "Rows with a value that is out of range: {rows}.",
    "table.reason.unknown-word": "Rows whose definition or neighbors are unknown: {rows}.",
    "table.reason.no-bound": "Rows whose promise sets no limit at this confidence: {rows}.",
    "table.reason.missing.people": "People with a missing value in a row: {rows}.",
    "table.reason.not-a-number.people": "People with a value that is not a number: {rows}.",
    "table.reason.out-of-range.people": "People with a value that is out of range: {rows}.",
    "table.reason.unknown-word.people": "People with a definition or neighbors that are unknown: "
    "{rows}.",
    "table.reason.no-bound.people": "People whose promises together set no limit at this "
    "confidence: {rows}.",
    "table.reason.first": "{said} The first is row {row}, counted from 0.",
    "table.heading.reasons": "Rows without numbers",
    "table.heading.histogram.people": "People by {name}",
    "table.heading.reasons.people": "People without numbers",
    "table.above.people": "People with {name} above {limit}, or without a bound: {rows}.",
    "table.alone.people": "The rows of each person were added up. Each may depend on the results "
    "of earlier ones; the noise of each is independent.",
    "table.heading.histogram": "Rows by {name}",
    "table.heading.limits": "Limits",
    "table.column.from": "between",
    "table.above": "Rows with {name} above {limit}, or without a bound: {rows}.",
    "table.one-for-all": "one value for all rows, so that people can be compared",
    "table.one-for-all.fix": "Give a constant. Instead of a failure, give a confidence.",
    "table.histories": "histories",
    "table.page.title": "{name}: disclosure risk by row",
    "table.page.title.people": "{name}: disclosure risk by person",
    "table.page.rows.people": "People by risk",
    "table.page.limits.people": "People above each limit. A person without a bound counts as "
    "above.",
    "table.page.column.above.people": "people above",
    "table.page.all-read.people": "Everybody has their numbers.",
    "table.page.asked.people": "Questions for each person",
    "table.page.one-step.people": "All rows of a person were added up. Each may depend on the "
    "results of earlier ones; the noise of each is independent.",
    "table.page.footer": "Made by dprisk {version}. This page works offline and sends nothing. It "
    "contains its counts as JSON.",
    "table.page.rows": "Rows by risk",
    "table.page.no-picture": "There is no picture, because none of the added columns is a "
    "probability.",
    "table.page.no-limit": "No limit was given.",
    "table.page.limits": "Rows above each limit. A row without a bound counts as above.",
    "table.page.column.output": "column",
    "table.page.column.limit": "limit",
    "table.page.column.above": "rows above",
    "table.page.column.kept": "kept",
    "table.page.kept.yes": "yes",
    "table.page.kept.no": "no",
    "table.page.all-read": "Every row has its numbers.",
    "table.page.asked": "Questions for each row",
    "table.page.by-column": "from the column {column}",
    "table.page.direction.at-most": "added, as an upper bound",
    "table.page.direction.at-least": "added, as a lower bound",
    "table.page.promise": "The promise in each row holds, for the stated neighbors.",
    "table.page.one-step": "Each row is about one promise. If a person is in several rows, add up "
    "the charges first.",
    "table.page.always": "The promise bounds the privacy loss, so the bounds always hold.",
    "table.page.given": "The noise is random. The bounds on beliefs hold with the confidence of "
    "each row.",
    "table.page.unasked": "The noise is random. The bounds on beliefs hold in at least 99 of 100 "
    "cases, and always if the privacy loss is bounded. If δ does not allow 99, they hold in 95, "
    "90, 75 or 50.",
}
