"""Words of tables of any size: columns, rows that cannot be read, summaries."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, str]] = {
    "table.done.people": "{read} of {rows} people have numbers, each for all rows of that person "
    "together.",
    "table.alone": "Each row was read by itself. If several rows are about one person, their "
    "risks add up: name the column of the person with --person.",
    "table.folder": "{name} is a folder of Parquet files: {files}.",
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
