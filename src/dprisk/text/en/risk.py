"""What readings of risk refuse, and why."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, str]] = {
    # what is given
    "risk.beliefs": "a list of at least one belief",
    "risk.broadcast.names": "level and prior",
    "risk.broadcast": "arrays that broadcast to one shape",
    "risk.columns": "columns that broadcast to one shape",
    "risk.confidence": "Confidence is the probability that the bounds hold, such as 0.99; leave "
    "it out for a guarantee that bounds the privacy loss with certainty.",
    "risk.confidence.above": "above {least}",
    "risk.confidence.below": "below {most}",
    "risk.confidence.not-failure": "Confidence is the probability that the bounds hold, such as "
    "0.99, not that they fail.",
    "risk.difference": "A difference of two probabilities lies between -1 and 1.",
    "risk.guarantee": "a Guarantee, such as PureDP(...)",
    "risk.levels": "a list of at least one level",
    "risk.out": "{number} writeable, contiguous float64 arrays of shape {shape}",
    "risk.out.fix": "Use what row_bounds returned, or leave out `out`.",
    "risk.overlap": "arrays that do not overlap with any other given array",
    "risk.tolerable": "above {least}",
    "risk.tolerable.fix": "Only a release that reveals nothing stays at {least}. Raise the limit.",
    "risk.tolerable.at": "above {what}",
    "risk.tolerable.at.fix": "Even a release that reveals nothing reaches that {of}. Raise the "
    "limit, or give a lower {of}.",
    "risk.tolerable.certain": "1, as a {of} of 1 stays 1",
    "risk.tolerable.certain.fix": "Raise the limit, or leave out the {of} of 1.",
    "risk.tolerable.level": "{least}, the highest level looked at",
    "risk.tolerable.prior": "{least}, the highest prior looked at",
    # what a guarantee cannot say
    "risk.attribute-loss": "An add-remove loss compares data with the record and without it. A "
    "question about an attribute compares two records in its place, and how the outputs are "
    "distributed under those two does not follow.",
    "risk.attribute-loss.fix": "Describe the mechanism with the sensitivity of replacing a record "
    '(neighbors="replace-one"), or ask for disclosure(), which takes two steps.',
    "risk.dropped": "Under replace-one neighbors every dataset has the same number of records, "
    "so the promise says nothing about the data with one record fewer.",
    "risk.dropped.fix": 'Ask about a record that is replaced (world="resampled" or '
    '"default-record"), or give a guarantee that was proven for add-remove.',
    "risk.failure.raw": "With probability up to {failure} this guarantee sets no limit on what is "
    "computed from the output. For the raw output itself there is a bound: use --raw-output (in "
    "Python: post_processing=False).",
    "risk.failure": "With probability up to {failure} this guarantee limits nothing, so no bound "
    "holds with a higher confidence.",
    "risk.membership": "Membership has no meaning under replace-one neighbors: every dataset has "
    "the same number of records, so this guarantee does not compare data with someone's record and "
    "data without it.",
    "risk.membership.fix": 'Ask about an attribute (secret="attribute", --secret attribute), or '
    "give a guarantee that was proven for add-remove neighbors.",
    "risk.not-pure": "This theorem is about pure DP with add-remove neighbors, and {guarantee} "
    "does not imply any.",
    "risk.not-pure.fix": "For other guarantees ask for the informed adversary (disclosure).",
    "risk.only-losses": "a PrivacyLoss",
    "risk.only-losses.fix": "A promise bounds the posterior (disclosure() does that). Only the "
    "mechanism itself says how the posterior is distributed: give mechanism.loss().",
    "risk.promises-something": "one that promises something",
    "risk.promises-something.fix": "This one leaves every outcome possible, at any confidence.",
    "risk.wrong-prior": "Here, the privacy loss of rare outputs may be arbitrarily large, "
    "and someone with wrong beliefs may think these outputs likely. Then the belief with the "
    "record can come arbitrarily close to certainty, however small the belief without it (Kifer et "
    "al. 2022, Example 7.1).",
    "risk.wrong-prior.fix": "Ask about an adversary whose beliefs about the other records are "
    'correct ("true-record", "rest-known" or "arbitrary-prior"), or give a guarantee that holds '
    "with certainty, such as pure DP.",
    # small worlds
    "risk.world.beliefs": "a mapping from datasets to beliefs",
    "risk.world.densities": "Densities at a few outputs say how beliefs change there, not how "
    "likely that is. Give the probabilities of all outputs.",
    "risk.world.every-dataset": "given for every dataset that is asked about",
    "risk.world.impossible": "With {truth}, outputs can occur that the adversary considers "
    "impossible. At these outputs there is no posterior.",
    "risk.world.listed": "listed where one dataset leads to them",
    "risk.world.logarithms": "logarithms below infinity",
    "risk.world.mechanism": "a function of a dataset, or a mapping from one",
    "risk.world.mechanism-at": "mechanism at {dataset}",
    "risk.world.most": "at most {most} numbers",
    "risk.world.never": "Without the record the outputs {outputs} never occur, so there is no "
    "posterior at them.",
    "risk.world.never.fix": "Ask for ratio(), which is infinite there.",
    "risk.world.numbers": "{number} datasets",
    "risk.world.one-each": "one number for each of {number}",
    "risk.world.place": "a place in the datasets, counted from 0",
    "risk.world.record": "the record that the beliefs are about",
    "risk.world.rest": "one of the rests that the prior allows",
    "risk.world.small": "A world is meant to be small: leave out records, datasets or outputs.",
    "risk.world.target": "one of the target's: {records}",
    "risk.world.total": "probabilities that add up to one",
    "risk.world.tuples": "about tuples of records, all of one length",
}
