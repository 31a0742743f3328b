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
    "audit.growth.irrational": "e^{epsilon} is irrational; `bracket` encloses it.",
    "audit.growth.sign": "the sign of a difference",
    "audit.growth.of": "It is e^epsilon. For an epsilon, write Growth.of(epsilon).",
    "audit.growth.bracket": "It is e^epsilon. For a decimal epsilon, growth_bracket encloses it.",
    "audit.order": "Order 1 is the Kullback-Leibler divergence.",
    "audit.delta-zero": "For delta 0, ask for largest_loss().",
    "audit.tolerance": "It allows for rounding only.",
}

NUMBERS: Final[dict[str, str]] = {
    "audit.pointwise": "This number looks at single outputs only, so it is not a definition of "
    "privacy. A mechanism that reveals everything, spread over many outputs, has a small number "
    "here (Meiser 2018, Subtlety 1). Ask for delta.",
    "audit.one-way": "A guarantee covers both directions of each pair of neighbors. This relation "
    "has only one. Audit it with a symmetric relation.",
    "audit.a-table": "a table",
    "audit.table": "the table",
    "audit.table.entries": "{found} entries of pairs",
    "audit.table.pairs": "of at most {most} pairs of neighbors",
    "audit.table.pairs.got": "{size} datasets with {pairs} ordered pairs",
    "audit.table.comparisons": "of at most {most} comparisons (pairs times outputs)",
    "audit.table.comparisons.got": "{pairs} pairs and {outputs} outputs",
    "audit.alike": "a mechanism with the same datasets",
    "audit.table.audit": "Audit it instead, or compare fewer pairs.",
    "audit.table.smaller": "Audit fewer datasets or outputs, or list the pairs of neighbors.",
    "audit.outputs.the": "the outputs",
    "audit.outputs": "at most {most}: all their subsets are tried",
    "audit.outputs.fix": "First merge outputs that do not matter.",
    "audit.relation": "the relation of neighbors",
    "audit.relation.datasets": "from 2 to {most} datasets",
    "audit.relation.pairs": "at least one pair",
    "audit.relation.unknown": "between datasets of the table",
    "audit.relation.an-edge": "an edge",
    "audit.relation.edge": "two labels of datasets",
    "audit.relation.vectors": "{size}, one vector for each dataset",
    "audit.relation.between": "between the {size} datasets of the table",
    "audit.relation.all": "all pairs",
    "audit.relation.listed": "listed pairs",
    "audit.relation.hamming": "Hamming distance one",
    "audit.relation.given": "given pairs",
    "audit.relation.itself": "of two datasets",
    "audit.relation.itself.fix": "A dataset is not its own neighbor.",
    "audit.relation.size": "{number} for each dataset",
    "audit.relation.size.got": "{number} in {dataset}",
    "audit.relation.size.fix": "Datasets of different sizes never differ in one record only. List "
    "the "
    "pairs of neighbors instead.",
    "audit.relation.labels": "given for each dataset, or readable from the labels",
    "audit.relation.labels.fix": 'Label datasets by their records, as "ill,well" or "011", or list '
    "the pairs of neighbors.",
}

TABLES: Final[dict[str, str]] = {
    "audit.finite.table": "a table of probabilities, a row for each dataset and a column for each "
    "output",
    "audit.finite.datasets": "left out with a mapping, whose keys they are",
    "audit.finite.outputs": "listed, where a dataset leads to it",
    "audit.finite.groups": "in one group, and it is in {other}, too",
    "audit.finite.rows": "rows of one length",
    "audit.finite.rows.got": "{number} in row {row}, {first} in row 1",
    "audit.finite.entry": "a probability",
    "audit.finite.entry.fix": "Write it with a point: 0.25, 2.5e-1 or 1/4.",
    "audit.finite.entry.at": "the entry in row {row}, column {column}",
    "audit.finite.labels": "{count} labels, one for each",
    "audit.finite.labels.got": "{found} labels",
    "audit.finite.labels.twice": "labels that differ",
    "audit.finite.labels.twice.fix": "Rename one of the two.",
    "audit.finite.two-rows": "a table of at least two rows",
    "audit.finite.two-rows.fix": "A mechanism is private or not by how two datasets compare.",
    "audit.finite.two-rows.got": "{rows} row",
    "audit.finite.one": "the probability of output {output} on dataset {dataset}",
    "audit.finite.total": "probabilities that add up to 1 (within {within})",
    "audit.finite.total.fix": "It is off by {off}. Write more digits, or divide rows by their sums "
    "(normalize).",
    "audit.finite.total.of": "the row of dataset {dataset}",
    "audit.map.one": "the probability of {output} becoming {new}",
    "audit.map.of": "the probabilities of what {output} becomes",
    "audit.map.total": "numbers that add up to 1, exactly",
}

SEARCHES: Final[dict[str, str]] = {
    "audit.map.none": "There is no map to compare.",
    "audit.map.no-epsilon": "This definition has no epsilon to compare the tails at.",
    "audit.trial.none": "No counterexample found for {definition}: {searched}.",
    "audit.trial.found": "{definition} does not survive: {how} breaks {kept}.",
    "audit.trial.post-processing": "the map {map}",
    "audit.trial.mixing": "a coin with probability {weight}",
    "audit.trial.composition": "the two together",
    "audit.trial.kept": "Say what two mechanisms with {definition} must keep together (kept).",
    "audit.searched": "{found} of {of}",
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
    "audit.samples.a-question": "a question",
    "audit.samples.asked": "at least one of delta, epsilon and level",
    "audit.samples.run.first": "the first run",
    "audit.samples.run.second": "the second run",
    "audit.samples.few": "at least {least} outputs",
    "audit.samples.few.got": "{found} outputs",
    "audit.samples.an-output": "an output",
    "audit.samples.nan": "a number or a label",
    "audit.samples.nan.fix": "Leave it out.",
    "audit.samples.independent": "The outputs of each run are independent and come from one "
    "dataset. The two datasets are neighbors.",
    "audit.samples.confidence": "All bounds hold together with confidence {confidence}. If the "
    "mechanism gave away less than one of them says, at most {risk} of all audits like this one "
    "would see outputs like these. This is evidence, not proof.",
    "audit.samples.below": "The bounds are about these two datasets only, and from below only: the "
    "mechanism may give away more.",
    "audit.samples.halves": "One half of the outputs chose the set. The bounds count the other "
    "half ({first} and {second}).",
}

FILES: Final[dict[str, str]] = {
    "audit.file.empty": "It is empty.",
    "audit.file.empty.fix": "Write a line for each dataset.",
    "audit.file.a-key": "a key",
    "audit.file.a-label": "a label",
    "audit.file.label": "given once",
    "audit.file.json": "This is not valid JSON: {error}.",
    "audit.file.json.fix": "Check the commas.",
    "audit.file.cells": "It has {found} cells, and the first line has {width}.",
    "audit.file.cells.fix": "Fill the gap.",
    "audit.file.two": "It has {found} cells.",
    "audit.file.labels": "Write two labels of datasets, such as a,b.",
    "audit.file.outputs": "Write one output of each run, such as 3.2,2.9.",
    "audit.file.ending": "Its name ends in {ending}, which is not a format that an audit reads.",
    "audit.file.ending.fix": "An audit reads .csv, or .json for a mechanism.",
    "audit.file.mapping": "It is not a mapping.",
    "audit.file.mapping.fix": "Write a mapping from dataset to a mapping from output to "
    "probability.",
}

TEXTS: Final[dict[str, str]] = CLAIMS | NUMBERS | TABLES | SEARCHES | SAMPLES | FILES
