"""The page for those who decide, and what is said of PDF."""

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
}
