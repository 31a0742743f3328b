"""Labels of summaries, of tables of risk, of progress, of claims and of what the papers show."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, str]] = {
    "summary.page.title": "{name}: disclosure risk on one page",
    "summary.page.theorems": "Computed by {theorems}.",
    "summary.page.made": "Made by dprisk {version}.",
    "summary.page.whole": "For every number, theorem and assumption, see the full report: dprisk "
    "report {file}.",
    "summary.why": "Based on:",
    "summary.why.assumed": "the assumptions below",
    "summary.title.release": "What was released",
    "summary.title.result": "What someone can learn",
    "summary.title.limits": "Your limits",
    "summary.title.assumed": "Assumptions",
    "summary.title.uncovered": "Not covered",
    "summary.release": "Released",
    "summary.promise": "Promise",
    "summary.run": "Mechanism",
    "summary.parts": "Promises and mechanisms",
    "summary.also": "Second promise (an alternative, not an addition)",
    "summary.false": "Statement that the release cannot keep",
    "summary.exact": "Without noise",
    "summary.notes": "Notes on the source",
    "summary.more": "and {count} more",
    "summary.promise.one": "{whole} {about}",
    "summary.promise.parts": "{whole}, for the {number} parts together {about}",
    "summary.promise.outputs": "{whole}, for the {number} outputs together {about}",
    "summary.promise.together": "{parts}{times_over}. Together: {whole} {about}",
    "summary.promise.point": "{parts}{times_over}. Together: {whole}, one point on the privacy "
    "profile {about}",
    "summary.promise.none": "no limit follows from it {about}",
    "summary.starts.caption": "By starting point, {sure}",
    "summary.starts.before": "Before",
    "summary.starts.least": "After: at least",
    "summary.starts.most": "After: at most",
    "summary.no-limit": "No limit was given, so none was checked.",
    "summary.going-on.all": "Starting from {prior}, the limit of {limit} would still be kept "
    "after {last} releases like this one.",
    "summary.going-on.until": "Starting from {prior}, the limit of {limit} is kept for up to "
    "{last} releases like this one in total, and may be broken by more.",
    "summary.going-on.one": "Starting from {prior}, the limit of {limit} is kept for this "
    "release, and may be broken by one more like it.",
    "summary.going-on.none": "Starting from {prior}, the limit of {limit} may be broken by a "
    "single release.",
    "summary.assumed.made": "The noise was added as promised and kept secret. dprisk has checked "
    "neither the code nor the data.",
    "summary.assumed.knows.membership": "The limits are for someone who knows all other records.",
    "summary.assumed.knows.attribute": "The limits are for someone who knows all other records "
    "and that this record is in the data.",
    "summary.assumed.knows-several.attribute": "The limits are for someone who knows all other "
    "records, and that {record} are in the data.",
    "summary.assumed.neighbors.add-remove": "The source does not say which datasets are "
    "neighbors. We assumed add-remove: with and without one record.",
    "summary.assumed.neighbors.replace-one": "The source does not say which datasets are "
    "neighbors. We assumed replace-one: one record changed.",
    "summary.assumed.neighbors-several.add-remove": "The source does not say which datasets are "
    "neighbors. We assumed add-remove: with and without the records of {one}.",
    "summary.assumed.neighbors-several.replace-one": "The source does not say which datasets are "
    "neighbors. We assumed replace-one: the records of {one} changed.",
    "summary.assumed.own-noise": "The noise of each output is independent.",
    "summary.uncovered.people": "What the data show about people in general. Someone can apply "
    "that to anyone, in the data or not.",
    "summary.uncovered.others": "What other people's data, or other sources, say about someone.",
    "summary.uncovered.later": "Later releases about the same people, which add to what can be "
    "learned.",
    "summary.uncovered.exact": "Anything published without noise.",
    "summary.uncovered.inside": "Whether someone's record is in the data. A promise under "
    "replace-one neighbors does not hide this.",
    "summary.uncovered.leaks": "Mistakes, theft and leaks.",
    "summary.pdf.to-file": "a file for a PDF",
    "summary.pdf.to-file.fix": "Name one with -o, such as -o report.pdf.",
    "summary.a-summary": "a summary",
    "summary.json": "html, markdown or pdf",
    "summary.json.fix": "The JSON of the report contains all numbers in its summary.",
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
    "progress.step": "{stage}: {done} of {total}",
    "progress.stage.adding-up-grids": "adding up grids",
    "progress.stage.answering": "answering",
    "progress.stage.assessing": "assessing",
    "progress.stage.climbing": "bounding repeated releases",
    "progress.stage.drawing-tables": "drawing tables",
    "progress.stage.histories": "histories",
    "progress.stage.items": "items",
    "progress.stage.laying-out-pages": "laying out pages",
    "progress.stage.making-grids": "making grids",
    "progress.stage.definitions": "definitions",
    "progress.stage.reading-promises": "reading promises",
    "progress.stage.refining-grids": "refining grids",
    "progress.stage.rows": "rows",
    "progress.stage.sampling": "sampling",
    "progress.stage.scenarios": "scenarios",
    "progress.stage.starting-Spark": "starting Spark",
    "audit.claim.adp": "{numbers}-ADP",
    "audit.claim.pure": "{numbers}-ADP",
    "audit.claim.pdp": "one-sided {numbers}-PDP",
    "audit.claim.pdp-both": "two-sided {numbers}-PDP",
    "audit.claim.pbdp": "{numbers}-pbdp",
    "audit.claim.pointwise": "pointwise {numbers}",
    "audit.claim.zcdp": "{about}({xi}, {rho})-zCDP",
    "audit.claim.about": "{delta}-approximate ",
    "papers.p0.later": "By the trade-off curve of zCDP, the limit of {limit} is exceeded from day "
    "{curve}. If the noise is normal, it is exceeded from day {normal}.",
    "papers.p2.theorem-3-2": "n = {n}, p = {p}, q = {q}.",
    "papers.p2.theorem-3-3": "n = {n}, delta' = {delta}.",
    "papers.p3.terms": "e^(2 epsilon) is {limit}. The printed bound is {lost}, and with the full "
    "term it is {full}.",
    "papers.says.lemma-3-1": "{keeps} does not imply {breaks}: the loss exceeds the limit with "
    "probability p.",
    "papers.says.theorem": "{keeps} does not imply {breaks}.",
    "papers.shows.one-bit": "a loss of epsilon more often than not, and a small delta at epsilon 0",
    "papers.shows.leaky": "a condition on single outputs that protects nothing",
    "papers.shows.four-outcomes": "two outcomes that, merged, break probabilistic DP",
    "papers.shows.erasure": "Guingona et al., Lemma 2.3 is attained: there is no gap",
    "papers.shows.erasure-both": "Kazan et al. 2025, Theorem 3.9 is attained",
    "papers.shows.lemma-3-1": "the input itself, or any other number with equal probability",
    "papers.shows.theorem-3-2": "with the same delta, no epsilon of probabilistic DP is implied",
    "papers.shows.corollary-3-4": "a penalty of K delta leaves an epsilon of ln(1 + 1/K)",
    "papers.shows.example-a-1": "a limit on how far beliefs move, without probabilistic DP",
    "papers.shows.example-4-9": "post-processing raises a tail of the loss",
    "papers.shows.example-5-6": "pbdp at one (epsilon, delta) is not convex",
    "papers.number.epsilon": "the epsilon that is kept, in nats",
    "papers.number.delta": "the delta that is kept",
    "papers.number.beyond": "the epsilon that is not kept, in nats",
    "papers.number.failure": "the delta that is not kept",
    "papers.number.factor": "the factor K of a penalty K delta",
    "papers.number.count": "the number of outputs, n",
    "papers.number.p": "the probability of the input itself",
    "papers.lemma.beyond": "p = {p} is not above e^eps_hat q (q = {q}).",
    "papers.lemma.kept": "p = {p} is above e^epsilon q + delta (q = {q}).",
    "papers.lemma.often": "p = {p} is not above delta_hat = {often}.",
    "papers.penalty.function": "At delta = {delta} the penalty is g = {penalty}, and eps_hat is "
    "not below epsilon + ln(1 + delta / g). Theorem 3.3 does not cover this case.",
    "papers.penalty.factor": "With K = {factor}, eps_hat = {beyond} is not below epsilon + "
    "ln(1 + 1/K) = {limit}. Corollary 3.4 does not cover this case.",
    "papers.erasure.failure": "The failure probability is {often}, and delta is {delta}. Choose a "
    "failure probability above delta, and a delta above 0.",
    "papers.item": "a paper ({papers}) or an item such as {item}",
    "papers.none.price-one": "ε − ln(1 − δ/g)",
    "papers.none.price-both": "ln((g e^ε + δ) / (g − δ))",
}
