"""Audits of finite mechanisms: claims, searches for maps, samples, and what cannot be read."""

from __future__ import annotations

from typing import Final

CLAIMS: Final[dict[str, str]] = {
    "audit.claim.adp": "{numbers}-ADP",
    "audit.claim.pure": "{numbers}-ADP",
    "audit.claim.pdp": "one-sided {numbers}-PDP",
    "audit.claim.pdp-both": "two-sided {numbers}-PDP",
    "audit.claim.pbdp": "{numbers}-pbdp",
    "audit.claim.pointwise": "pointwise {numbers}",
    "audit.claim.zcdp": "{about}({xi}, {rho})-zCDP",
    "audit.claim.about": "{delta}-approximate ",
    "audit.claim.example": 'Write, for example, "epsilon=1, delta=1e-6", "rho=0.1" or '
    '"epsilon=log(3)".',
    "audit.claim.neither": "{given} is neither a definition nor a predicate on the rows of two "
    "neighbors. Write a claim such as epsilon=1, delta=1e-6.",
    "audit.claim.promise": "{promise} cannot be asked of a table exactly. Pure, approximate, "
    "probabilistic and probabilistically bounded DP can, and zCDP. For approximate zCDP write "
    "Claim.concentrated, where the event is a set of outputs.",
    "audit.claim.by-audit": "A claim of kind {kind} has no exact decision. Ask check().",
    "audit.claim.predicate": "An audit has no number for {claim}. Ask claim.holds(mechanism).",
    "audit.claim.a-claim": "a claim",
    "audit.claim.a-name": "a name in a claim",
    "audit.claim.of": "{name} of a claim",
    "audit.claim.pairs": "name=value pairs, with each name once",
    "audit.claim.one": "about one definition",
    "audit.claim.needs": "with {names} for kind {kind}",
    "audit.claim.number": "a number",
}

NUMBERS: Final[dict[str, str]] = {
    "audit.a-table": "a table",
    "audit.table.audit": "Audit it instead, or compare fewer pairs.",
    "audit.table.smaller": "Audit fewer datasets or outputs, or list the pairs of neighbors.",
}

TABLES: Final[dict[str, str]] = {
    "audit.finite.table": "a table of probabilities, a row for each dataset and a column for each "
    "output",
    "audit.finite.total": "probabilities that add up to 1 (within {within})",
    "audit.finite.total.fix": "It is off by {off}. Write more digits, or divide rows by their sums "
    "(normalize).",
}

SEARCHES: Final[dict[str, str]] = {
    "audit.trial.none": "No counterexample found for {definition}: {searched}.",
    "audit.trial.found": "{definition} does not survive: {how} breaks {kept}.",
    "audit.trial.post-processing": "the map {map}",
    "audit.trial.mixing": "a coin with probability {weight}",
    "audit.trial.composition": "the two together",
    "audit.trial.kept": "Say what two mechanisms with {definition} must keep together (kept).",
    "audit.searched.nothing": "nothing",
    "audit.searched.passed": " ({number} without it passed over)",
    "audit.searched.itself": "the mechanism itself does not keep it",
    "audit.searched.by-size": "every deterministic map of the {number} outputs, by the number of "
    "those merged",
    "audit.searched.some": "{tried} deterministic maps of the {number} outputs, smallest first",
    "audit.searched.all": "all {tried} deterministic maps of the {number} outputs",
    "audit.searched.pbdp": "no map with coins raises the tail so far, since pbdp holds with the "
    "same numbers",
    "audit.searched.worst": "maps with coins close to the worst one",
    "audit.count.mixing": "{number} mixtures",
    "audit.count.mixing.one": "{number} mixture",
    "audit.count.composition": "{number} compositions",
    "audit.count.composition.one": "{number} composition",
    "audit.count.having": "{number} mechanisms with the property",
    "audit.count.having.one": "{number} mechanism with the property",
}

SAMPLES: Final[dict[str, str]] = {
    "audit.cells.labels": "one of {labels}",
    "audit.cells.or": " or ",
    "audit.cells.any": "any",
    "audit.cells.below": "below {high}",
    "audit.cells.from": "at least {low}",
    "audit.cells.in": "in [{low}, {high})",
    "audit.samples.run.first": "the first run",
    "audit.samples.run.second": "the second run",
}

FILES: Final[dict[str, str]] = {
    "audit.file.cells": "It has {found} cells, and the first line has {width}.",
    "audit.file.cells.fix": "Fill the gap.",
    "audit.file.labels": "Write two labels of datasets, such as a,b.",
    "audit.file.outputs": "Write one output of each run, such as 3.2,2.9.",
}

TEXTS: Final[dict[str, str]] = CLAIMS | NUMBERS | TABLES | SEARCHES | SAMPLES | FILES
