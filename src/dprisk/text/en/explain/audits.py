"""Audits: claims about a mechanism, what breaks them, and what samples show."""

from __future__ import annotations

from typing import Final

AUDITED: Final = {
    "audited.size": "{datasets} datasets, {outputs} outputs.",
    "audited.neighbors": "Neighbors: {relation} ({pairs}, {ways}).",
    "audited.pairs": "{number} pairs",
    "audited.pairs.one": "{number} pair",
    "audited.ways.both": "in both directions",
    "audited.ways.one": "in one direction each",
    "audited.how": "{how}. Each number is the worst case over all pairs. Its two ends allow for "
    "rounding.",
    "audited.how.exact": "Computed in rational arithmetic where the answer is rational",
    "audited.how.floating": "Computed in floating point",
    "quantity.largest_loss": "the smallest epsilon",
    "quantity.total_variation": "the total variation distance",
    "quantity.rho": "the smallest rho (zCDP)",
    "quantity.mu": "the smallest mu (Gaussian DP)",
    "quantity.renyi": "the Rényi divergence",
    "quantity.delta": "delta",
    "quantity.tail": "the chance of a larger loss (one direction)",
    "quantity.tail_both": "the chance of a larger loss (either direction)",
    "quantity.disclosure": "the chance of a disclosure set",
    "quantity.bounded": "the chance of a larger loss after post-processing",
    "quantity.pointwise": "single outputs only (not a definition of privacy)",
    "quantity.epsilon": "epsilon",
    "quantity.breaking_pairs": "ordered pairs of neighbors that break the claim",
    "quantity.at-delta": "{quantity} at delta {at}",
    "quantity.at-epsilon": "{quantity} at epsilon {at}",
}

VERDICTS: Final = {
    "verdict.holds": "{claim}: holds.",
    "verdict.fails": "{claim}: FAILS.",
    "verdict.undecided": "{claim}: UNDECIDED.",
    "found.more": "{quantity} is at least {least}, {excess} more than the {claimed} claimed.",
    "found.infinite": "{quantity} is infinite; {claimed} was claimed.",
    "found.close": "{quantity} is between {least} and {most}, and {claimed} was claimed: too close "
    "to tell from rounding.",
    "found.within": "{quantity} exceeds the {claimed} claimed by no more than the tolerance of "
    "{within}.",
    "found.same": "{quantity} equals the claimed {claimed} to six digits.",
    "found.most": "{quantity} is at most {most}; {claimed} was claimed.",
    "found.pairs.0": "Every ordered pair of neighbors keeps it.",
    "found.pairs": "Ordered pairs of neighbors that break it: {most}. The first is {first} against "
    "{second}.",
    "found.needed.none": "With the claimed delta of {delta}, no finite epsilon holds.",
    "found.needed": "With the claimed delta of {delta}, an epsilon of {needed} would hold.",
    "found.decidable": "Rational arithmetic (exact) decides.",
}

WITNESSES: Final = {
    "witness": "The output is in {{{outputs}}} with probability {one} on dataset {first} and "
    "{other} on dataset {second}.",
    "witness.alone": "On dataset {first} the output is in {{{outputs}}} with probability {one}.",
    "witness.order": "Between {first} and {second}, at order {order}.",
    "witness.infinity": "infinity",
    "witness.none": "No output, for any pair.",
    "witness.coin": "{output} with probability {share}",
    "witness.and-coin": "{outputs} (and {coin})",
    "witness.more": "{outputs}, ... ({number} in all)",
}

SAMPLES: Final = {
    "sample": "With confidence {confidence}, {what}. Shown by outputs {rule}: {hits} of {held_out} "
    "held-out outputs of {likelier}, {other_hits} of {other_held_out} of {other}.",
    "sample.delta": "at delta {at}, epsilon is at least {least}",
    "sample.epsilon": "at epsilon {at}, delta is at least {least}",
    "sample.level": "at level {at}, a test has power at least {least}",
}
