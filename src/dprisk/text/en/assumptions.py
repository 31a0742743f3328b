"""What numbers take for granted: data that travels with each of them, in English."""

from __future__ import annotations

from typing import Final

__all__ = ["TEXTS"]

TEXTS: Final[dict[str, str]] = {
    "assumptions.asks.membership": "The adversary knows every other record and the target's own "
    "attributes, and asks only whether the target is in the data.",
    "assumptions.asks.attribute": "The adversary knows every other record and that the target is "
    "in the data, and asks only whether the target has one value or another.",
    "assumptions.worst-pair": "The target's record moves the answers by the whole sensitivity: "
    "the worst pair of neighbors.",
    "assumptions.raw-only": "Holds for the raw output only: post-processing can break it.",
    "assumptions.independent.pure": "Pure DP, add-remove neighbors, with certainty and after any "
    "post-processing.",
    "assumptions.independent.target": "To the adversary the target's record is independent of all "
    "other records (P3, Assumption 2).",
    "assumptions.independent.mechanism": "The adversary knows the mechanism (P3, Assumption 1).",
    "assumptions.independent.compared": "The comparison is with the same release made without the "
    "person's data.",
    "assumptions.independent.person": "To the adversary the person's record is independent of all "
    "other records.",
    "assumptions.without.resampled": "Without the record: in its place stands one that is drawn "
    "from what the other records say about the person.",
    "assumptions.without.default": "Without the record: in its place stands a fixed one, which "
    "does not depend on the person.",
    "assumptions.without.dropped": "Without the record: the release is made from the other "
    "records alone.",
    "assumptions.knows.true-record": "The adversary knows every other record, and is right about "
    "them; what it believes about the person may be right or wrong.",
    "assumptions.about.true-record": "About the belief in the record that the person really has. "
    "The probability is over the mechanism's random choices, whichever record that is.",
    "assumptions.knows.rest-known": "The adversary knows every other record, and is right about "
    "them and about how likely each record of the person is.",
    "assumptions.about.rest-known": "About the belief in any one record, true or not. The "
    "probability is over the record, drawn as the adversary believes, and over the mechanism's "
    "random choices.",
    "assumptions.knows.arbitrary-prior": "The adversary may know anything about the other "
    "records, which may be correlated with the person's; what it believes about them, given the "
    "true record, is right.",
    "assumptions.about.arbitrary-prior": "About the belief in the record that the person really "
    "has. The probability is over the other records and the mechanism's random choices, "
    "whichever record that is.",
    "assumptions.knows.wrong-prior": "The adversary may believe anything, rightly or wrongly.",
    "assumptions.about.wrong-prior": "About the belief in any record, for every output.",
    "assumptions.knows.correlated": "The adversary may know anything about the records, which may "
    "be correlated; what it believes about them is right.",
    "assumptions.about.correlated": "About the belief in the record that the person really has. "
    "The probability is over all records, the person's included, and over the mechanism's random "
    "choices.",
    "assumptions.another-record": "Another record is two steps away under add-remove neighbors "
    "(one record out, one in), so the guarantee for two steps is used.",
    "assumptions.any-output": "Holds for the output and for anything computed from it.",
    "assumptions.tests.membership": "The test tells data with the target's record from data "
    "without it. Whoever runs it knows the target's attributes.",
    "assumptions.tests.attribute": "The test tells one value of the target's record from another. "
    "Whoever runs it knows that the target is in the data.",
    "assumptions.two-steps": "Another value is two steps away under add-remove neighbors (one "
    "record out, one in), so the guarantee for two steps is used.",
    "assumptions.tests.any": "Every other record may be known to whoever runs the test, or all of "
    "them drawn from any distribution, dependent or not, that is the same under both hypotheses: "
    "no test of either kind has more power (P1, Section 6.4).",
    "assumptions.tests.known": "Every other record is known to whoever runs the test. Where they "
    "are drawn from a distribution instead, a test can have more power than this, up to the "
    "least concave curve above it: P1, Section 6.4, asks for a convex definition, and this one "
    "is not.",
    "assumptions.tests.later": "Holds for tests of the output and of anything computed from it.",
    "assumptions.neighbors": "Neighbors: {neighbors}.",
    "assumptions.certain": "The bounds hold with certainty.",
    "assumptions.together.both": "both bounds together",
    "assumptions.together.each": "each bound by itself",
    "assumptions.given-confidence": "the confidence given",
    "assumptions.mostly": "With probability at least {chance} over the mechanism's random "
    "choices, {together}, whichever hypothesis is true.",
    "assumptions.allocation.noise": "Every cell has {noise} noise of its own, as the table says.",
    "assumptions.allocation.amounts": "Nothing but the amounts is known: the worst case over what "
    "keeps each of them.",
    "assumptions.allocation.normal": "The noise is taken to be continuous and normal.",
    "assumptions.allocation.sum": "Nothing but the sum of the amounts is known: the worst case "
    "over what keeps it.",
    "assumptions.allocation.named": "Only what is named may change about the record: all other "
    "values of it are known to the adversary, or stay the same.",
    "assumptions.allocation.everything": "Everything about the record may change.",
    "assumptions.allocation.uncounted": "What is published without noise is not counted.",
}
