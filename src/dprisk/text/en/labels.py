"""Assumptions; labels of summaries, tables, allocations, progress, claims and papers."""

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
    "summary.assumed.knows.both": "The limits are for someone who knows all other records, or who "
    "is right about how likely they are.",
    "summary.assumed.knows-several.both": "The limits are for someone who knows all other records, "
    "or who is right about how likely they are.",
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
    "table.page.all-read.people": "Everyone has their numbers.",
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
    "audit.merge": "asked of a claim that merging outputs can break",
    "audit.merge.fix": "Claim probabilistic DP of the raw output, as in 'epsilon=1, delta=0.01, "
    "kind=pdp'. The other definitions hold after post-processing.",
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
    "allocation.same": "The query '{query}'{at} is also in {row}.",
    "allocation.same.fix": "Remove one, or give them different names.",
    "allocation.at": " at {level}",
    "allocation.no-rows": "The table has no rows.",
    "allocation.no-rows.fix": "Write one for each query.",
    "allocation.all-zero": "Every {column} is 0.",
    "allocation.all-zero.fix": "Then nothing is published.",
    "allocation.column.unknown": "The column '{column}' is unknown.",
    "allocation.column.twice": "The column '{column}' occurs twice.",
    "allocation.column.twice.fix": "Remove one of them.",
    "allocation.column.query": "There is no column 'query'.",
    "allocation.column.query.fix": "Give each query a name.",
    "allocation.column.none": "There is no column of amounts.",
    "allocation.column.several": "The table has the columns {columns}.",
    "allocation.column.one": "Give rho, epsilon, mu, sigma, variance or scale, or a share (of an "
    "amount that is declared).",
    "allocation.shares-of-nothing": "The table gives shares, but no amount to share out is "
    "declared.",
    "allocation.shares-of-nothing.fix": "Declare the amount.",
    "allocation.both": "The table gives {column}, and an amount to share out is declared as well.",
    "allocation.both.fix": "Leave one of them out.",
    "allocation.accounting": "The table gives {column}, but the accounting is {kind}.",
    "allocation.accounting.fix": "Accounting by {kind} needs {name}.",
    "allocation.column-shares": "The column 'share' does not add up to 1{where}",
    "allocation.level-shares": "The shares of the levels{where} do not add up to 1",
    "allocation.not-one": "{what}: the sum is {total}, {off} {side}.",
    "allocation.not-one.fix": "Correct the shares. A query without noise has share 0.",
    "allocation.too-much": "too much",
    "allocation.too-little": "too little",
    "allocation.no-name": "The query has no name.",
    "allocation.no-name.fix": "Fill in the column 'query'.",
    "allocation.unknown.attribute": "The attribute '{word}' is unknown.",
    "allocation.unknown.level": "The level '{word}' is unknown.",
    "allocation.unknown.part": "The part '{word}' is unknown.",
    "allocation.level.none": "The level is missing.",
    "allocation.level.undeclared": "The level '{level}' is not declared.",
    "allocation.level.undeclared.fix": "Declare the levels, the outermost first (levels, or "
    "--nested).",
    "allocation.places": "The table has a column of places, and their level is not declared.",
    "allocation.places.fix": "Declare it as places, one of the levels ({levels}).",
    "allocation.place.level": "The place '{place}' is at the level '{places}', and the query is at "
    "the level '{level}', which does not lie inside it.",
    "allocation.place.level.fix": "Leave the place out, or give a smaller level.",
    "allocation.place.spelled": "The place '{place}' is spelled '{also}' in {row}.",
    "allocation.place.spelled.fix": "Spell each place in one way.",
    "allocation.place.both": "The query '{query}' is asked of one place here, and of all places in "
    "{row}.",
    "allocation.place.both.fix": "Give every place a row of its own, or leave the place out.",
    "allocation.places.one": "The queries differ by place. The numbers are the largest over all "
    "places: the one for {place}{more}.",
    "allocation.places.other": " and one other place",
    "allocation.places.others": " and {number} other places",
    "allocation.places.two": "The queries differ by place, and the record may move between two "
    "places. The numbers are for the two with the largest sum, {places}.",
    "allocation.undeclared": "If no query depends on it, list it under attributes in a "
    "description.",
    "allocation.untouched": "No query in this table depends on it. So these queries by themselves "
    "reveal nothing about it. Correlated attributes may.",
    "allocation.row.several": "The row gives {columns}.",
    "allocation.row.several.fix": "Give one of them in each row.",
    "allocation.row.none": "The row gives none of {columns}.",
    "allocation.row.none.fix": "Give one of them in each row; 0 where a query is not asked.",
    "allocation.width": "{column} must be above 0.",
    "allocation.width.fix": "If the query is published without noise, list it under invariants.",
    "allocation.beyond": "The noise means {what} = {value}, and it must be in [1e-100, {largest}].",
    "allocation.beyond.fix": "Check the number and its unit.",
    "allocation.noise.unknown": "The noise '{word}' is unknown.",
    "allocation.noise.none": "The row gives {column}, and the noise is not named.",
    "allocation.noise.none.fix": "Name it in the column noise, or for the whole table: {noises}.",
    "allocation.noise.other": "The noise '{noise}' does not go with {column} ({kind}).",
    "allocation.noise.other.fix": "Normal noise has rho, mu, sigma or variance; Laplace and "
    "geometric noise have epsilon or scale. Name the noise in the column noise.",
    "allocation.add-remove": "The amount is for adding or removing a record, and the noise is not "
    "named. So the amount for replacing one does not follow.",
    "allocation.add-remove.fix": "Name the noise, or compute the amount for replacing a record.",
    "allocation.invariants": "Published without noise, and not counted here: {names}.",
    "allocation.answered": "Of these, the following can change with the concern, so they may "
    "reveal the answer exactly: {names}.",
    "allocation.group": "Assumption: the smallest change that keeps what is published without "
    "noise affects {number} records, such as two people who trade places. All numbers are for "
    "{number} records that change together.",
    "allocation.whole": "{column} must be a whole number in [1, 10^9], got {value}.",
    "allocation.moves": "The table does not say how many cells a changed record affects.",
    "allocation.moves.fix": "Set moves to 2 for a table of counts, where a record leaves one cell "
    "and enters another. Set it to 1 for a single number.",
    "allocation.number": "{column} must be a number in [0, {largest}], {got}.",
    "allocation.too-small": "{column} must be 0 or at least 1e-100, got {value}.",
    "allocation.too-small.fix": "A smaller number cannot be told from 0.",
    "allocation.format": "The file has format {format}.",
    "allocation.format.fix": "This version of dprisk reads format 1.",
    "allocation.names": "It must be a list of names.",
    "allocation.names.fix": "Such as [county, tract].",
    "allocation.amount": "It must be a number in [0, 10^6], got {value}.",
    "allocation.amount.fix": "Write it as 2.56 or 52/4097.",
    "allocation.printed": "The printed sum is missing.",
    "allocation.printed.fix": 'Write it as rho: "0.945".',
    "allocation.ending": "Its name does not end in one of {endings}.",
    "allocation.ending.fix": "Save it in one of these formats, or ask for census2020 or dhc2020, "
    "which come with dprisk.",
    "allocation.values": "It has {found} values, and the first line {columns} columns.",
    "allocation.values.fix": "Quote values that contain a comma.",
    "allocation.no-parquet": "No library that reads Parquet is installed.",
    "allocation.no-parquet.fix": "Install one of {readers}, or save the table as CSV.",
    "allocation.levels": "The levels are {levels}.",
    "allocation.coarser": "From the coarsest to the finest, the attributes are {chains}.",
    "allocation.disregarded.one": "One other query can change too ({levels}). It is disregarded, "
    "so these numbers hold only for someone who does not use that query.",
    "allocation.disregarded.some": "{number} other queries can change too ({levels}). They are "
    "disregarded, so these numbers hold only for someone who uses none of them.",
    "allocation.attribute": "an attribute ({names})",
    "allocation.within": "Say within what: '{inner} within {outer}'.",
    "allocation.says.sum": "printed {printed}, but the table adds up to {rho}",
    "assumptions.asks.membership": "The adversary knows all other records and the attributes of "
    "this record, and asks only whether this record is in the data.",
    "assumptions.asks.attribute": "The adversary knows all other records and that this record is "
    "in the data, and asks only which of two values this record has.",
    "assumptions.asks.both": "The adversary asks whether this record is in the data and has a "
    "particular value. The adversary knows all other records, or only how likely they are.",
    "assumptions.whichever": "The bounds hold with probability at least {chance} over the "
    "mechanism's randomness ({together}), whichever is true: this record is in the data with the "
    "value, with another value, or not in the data.",
    "assumptions.worst-pair": "This record changes the answers by the full sensitivity: the two "
    "datasets are the worst pair of neighbors.",
    "assumptions.raw-only": "The bounds hold for the raw output only: post-processing can break "
    "them.",
    "assumptions.independent.pure": "The promise is pure DP with add-remove neighbors. The bounds "
    "hold with certainty and after any post-processing.",
    "assumptions.independent.target": "To the adversary, this record is independent of all other "
    "records (Kazan and Reiter 2024, Assumption 2).",
    "assumptions.independent.mechanism": "The adversary knows the mechanism (Kazan and Reiter "
    "2024, Assumption 1).",
    "assumptions.independent.compared": "The comparison is with the same release made without "
    "this record.",
    "assumptions.without.resampled": "“Without the record” means with a substitute in its "
    "place: a record drawn at random, given the other records.",
    "assumptions.without.default": "“Without the record” means with a fixed substitute in its "
    "place, which does not depend on the true record.",
    "assumptions.without.dropped": "“Without the record” means that the release is made from the "
    "other records alone.",
    "assumptions.knows.true-record": "The adversary knows all other records. The adversary's "
    "belief about this record may be right or wrong.",
    "assumptions.about.true-record": "The bound is on the belief in the true value of this record.",
    "assumptions.over.true-record": "The probability is over the mechanism's randomness, whichever "
    "value is true.",
    "assumptions.knows.rest-known": "The adversary knows all other records, and the true "
    "probability of each value of this record.",
    "assumptions.about.rest-known": "The bound is on the belief in any one value of the record, "
    "true or not.",
    "assumptions.over.rest-known": "The probability is over the mechanism's randomness and over "
    "the record, drawn from the adversary's beliefs.",
    "assumptions.knows.arbitrary-prior": "The adversary may know anything about the other "
    "records, which may be correlated with this record. Given the true value of this record, the "
    "adversary's beliefs about the other records are correct.",
    "assumptions.about.arbitrary-prior": "The bound is on the belief in the true value of this "
    "record.",
    "assumptions.over.arbitrary-prior": "The probability is over the other records and the "
    "mechanism's randomness, whichever value is true.",
    "assumptions.knows.wrong-prior": "The adversary may believe anything, rightly or wrongly.",
    "assumptions.about.wrong-prior": "The bound is on the belief that the record has any given "
    "value, and holds for every output.",
    "assumptions.knows.correlated": "The adversary may know anything about the records, which may "
    "be correlated. The adversary's beliefs about the records are correct.",
    "assumptions.about.correlated": "The bound is on the belief in the true value of this record.",
    "assumptions.over.correlated": "The probability is over all records, including this one, and "
    "over the mechanism's randomness.",
    "assumptions.another-record": "Under add-remove neighbors, changing the record takes two "
    "steps (one record out, another in), so the guarantee for two steps is used.",
    "assumptions.any-output": "The bounds hold for the output and for anything computed from it.",
    "assumptions.tests.membership": "The test compares data with this record and data without it. "
    "The adversary knows the attributes of this record.",
    "assumptions.tests.attribute": "The test compares two values of this record. The adversary "
    "knows that this record is in the data.",
    "assumptions.two-steps": "Under add-remove neighbors, changing a value takes two steps (one "
    "record out, another in), so the guarantee for two steps is used.",
    "assumptions.tests.any": "The adversary knows all other records, or only a distribution of "
    "the other records that is the same under both hypotheses (records may be dependent). In both "
    "cases, no test has more power than stated (Kifer et al. 2022, Section 6.4).",
    "assumptions.tests.known": "The adversary knows all other records. If the records are drawn "
    "from a distribution instead, a test can have more power, up to the least concave curve above "
    "this one: Kifer et al. 2022, Section 6.4, needs a convex definition, and this one is not "
    "convex.",
    "assumptions.neighbors": "Neighboring datasets: {neighbors}.",
    "assumptions.certain": "The bounds hold with certainty.",
    "assumptions.together.both": "both bounds together",
    "assumptions.together.each": "each bound alone",
    "assumptions.given-confidence": "the confidence given",
    "assumptions.mostly": "The bounds hold with probability at least {chance} over the mechanism's "
    "randomness ({together}), whichever hypothesis is true.",
    "assumptions.allocation.noise": "Each cell of each query has its own {noise}, of the amount "
    "that the allocation gives for the query.",
}
