"""Assumptions of numbers: data that travels with each of them, in English."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, str]] = {
    "assumptions.asks.membership": "The adversary knows all other records and the attributes of "
    "this record, and asks only whether this record is in the data.",
    "assumptions.asks.attribute": "The adversary knows all other records and that this record is "
    "in the data, and asks only which of two values this record has.",
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
