"""Results in words: compositions, comparisons, audits and budgets."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, str]] = {
    "compared": "{who}: suppose results made {world} suggest a {before} chance that the record has "
    "{claim}. Results made with the record can bring that chance {after}, {sure}.",
    "compared.vacuous": "{who}: suppose results made {world} suggest a {before} chance that the "
    "record has {claim}. There is almost no limit for this adversary: with the record, the chance "
    "is possibly over {edge}.",
    "compared.exceeding.mostly": "{who}: with probability at most {most}, results made with the "
    "record suggest a chance more than {ratio} times as large as results made {world}.",
    "compared.exceeding.never": "{who}: results made with the record never suggest a chance more "
    "than {ratio} times as large as results made {world}.",
    "compared.exceeding.any": "{who}: no limit is known on how often results made with the record "
    "suggest a chance more than {ratio} times as large as results made {world}.",
    "compared.world.resampled": "with a substitute for the record",
    "compared.world.default-record": "with a fixed substitute for the record",
    "compared.world.dropped": "without the record",
    "compared.who.true-record": "An adversary who knows all other records",
    "compared.who.rest-known": "An adversary who knows all other records, and how likely each "
    "value of the record is",
    "compared.who.arbitrary-prior": "An adversary with a correct model of the population",
    "compared.who.wrong-prior": "An adversary whose beliefs about the data may be wrong",
    "compared.claim.true": "the value it really has",
    "compared.claim.any": "a particular value",
    "compared.number": "to at most {chances}",
    "compared.bottom": "to under {edge}",
    "together.one": "This release satisfies",
    "together.many": "Together, these {uses} parts satisfy",
    "later.one": "whatever is computed from it later",
    "later.many": "whatever is computed from them later",
    "together.promise": "{keeps} (ε, δ)-DP at {at} with {asked} {between}, {later}.",
    "together.none": "No finite ε holds at {at}.",
    "together.unknown": "No finite ε is known to hold at {at}.",
    "together.test": "A test of two neighboring datasets at level {level} has a power of {most}, "
    "{later}.",
    "together.shift": "With probability at least {confidence}, the log-odds move by {most}, "
    "{later}.",
    "together.shift.none": "With probability at least {confidence}, no bound on the "
    "log-odds holds.",
    "between.most": "at most {high}",
    "between.exact": "= {high}",
    "between.rounded": "at most {high}",
    "between": "between {low} and {high}",
    "together.added": "At {at}, the computational assumption adds at most {added} to δ.",
    "width.upper": "upper bound",
    "width.exact": "exact",
    "width.digits": "{digits} digits",
    "width.factor": "within a factor of {factor}",
    # audited
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
    # verdicts
    "verdict.holds": "{claim}: holds.",
    "verdict.fails": "{claim}: FAILS.",
    "verdict.undecided": "{claim}: UNDECIDED.",
    "merged": "{claim}: merging outputs breaks it ({map}). With datasets {first} and {second}, the "
    "loss exceeds ε with probability {before} before, and {after} after.",
    "merged.none": "{claim}: no merging of outputs breaks it ({searched}).",
    "merged.unknown": "{claim}: no merging of outputs was found that breaks it ({searched}).",
    "merged.broken": "{claim}: the mechanism itself breaks it, so no outputs were merged.",
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
    # witnesses
    "witness": "The output is in {{{outputs}}} with probability {one} on dataset {first} and "
    "{other} on dataset {second}.",
    "witness.alone": "On dataset {first} the output is in {{{outputs}}} with probability {one}.",
    "witness.order": "Between {first} and {second}, at order {order}.",
    "witness.infinity": "infinity",
    "witness.none": "No output, for any pair.",
    "witness.coin": "{output} with probability {share}",
    "witness.and-coin": "{outputs} (and {coin})",
    "witness.more": "{outputs}, ... ({number} in all)",
    # samples
    "sample": "With confidence {confidence}, {what}. Shown by outputs {rule}: {hits} of {held_out} "
    "held-out outputs of {likelier}, {other_hits} of {other_held_out} of {other}.",
    "sample.delta": "at delta {at}, epsilon is at least {least}",
    "sample.epsilon": "at epsilon {at}, delta is at least {least}",
    "sample.level": "at level {at}, a test has power at least {least}",
    # tolerances
    "tolerance.profile": "the risk profile is kept{sure}",
    "tolerance.epsilon": "epsilon is at most {most} at a delta of {delta}",
    "tolerance.bayes_risk": "from a belief of {prior}, the best guess is wrong with a probability "
    "of at least {most}",
    "tolerance.advantage": "the advantage of a test is at most {most}",
    "tolerance.power": "the power of a test at level {level} is at most {most}",
    "tolerance.predictive_value": "an alarm at level {level} may raise a belief of {prior} to at "
    "most {most}",
    "tolerance.posterior": "a belief of {prior} {what} may rise to at most {most}{sure}",
    "tolerance.odds": "the odds {what} may change by a factor of at most {most}{sure}",
    "tolerance.difference": "a belief {what} may change by at most {most}, {start}{sure}",
    "tolerance.ratio": "a belief {what} may rise to at most {most} times what it was, "
    "{start}{sure}",
    "tolerance.ratio_not": "the doubt {what} may rise to at most {most} times what it was, "
    "{start}{sure}",
    "tolerated.anything": "anything",
    "tolerated.membership": "that the person is in the data",
    "tolerated.attribute": "that the person's record has a particular value",
    "tolerated.start": "from {prior} before",
    "tolerated.start.any": "at every prior",
    "tolerated.always": ", for every result",
    "tolerated.chosen": ": for every result if the privacy loss is bounded, otherwise in at least "
    "99 of 100 cases",
    "tolerated.mostly": ", in at least {confidence} of 100 cases",
    # allowances
    "allowed.one": "The release may promise {promise}{rule}.",
    "allowed.many": "Each of the {number} releases may promise {promise}{rule}.",
    "allowed.rule": " by {rule} composition",
    "allowed.promise": "{name} with {parameter} at most {most}",
    "allowed.promise.delta": "{name} with {parameter} at most {most} and delta {delta}",
    "allowed.any": "No limit on {name}: {reason}",
    "allowed.none": "No budget for {name}: {reason}",
    "noise.taken": "That takes {noise}: {cost}.",
    "noise.enough.one": "{noise} keeps the limit for the release: {cost}.",
    "noise.enough.many": "{noise} keeps the limit for all {number} releases: {cost}.",
    "noise.any": "No {name} is needed: {reason}",
    "noise.none": "No {name} is enough: {reason}",
    "noise.width": "{name} of {parameter} {width}",
    "training.noise_multiplier": "Over {steps} steps ({sampling}, rate {rate}), a noise "
    "multiplier of at least {value} keeps the limits{breaks}.",
    "training.steps": "With a noise multiplier of {noise} ({sampling}, rate {rate}), at most "
    "{value} steps keep the limits{breaks}.",
    "training.batch_size": "With a noise multiplier of {noise} over {steps} steps ({sampling}), "
    "a mean batch size of at most {value} keeps the limits{breaks}.",
    "training.sample_rate": "With a noise multiplier of {noise} over {steps} steps ({sampling}), "
    "a rate of at most {value} keeps the limits{breaks}.",
    "training.breaks": "; {value} would break them",
    "noise.cost.count": "a published count is off by at most {most} in at least {share} cases",
    "noise.cost.number": "a published number is off by at most {most} in at least {share} cases",
    # prospects
    "prospect.total.any": "At least {number} releases like this one keep the limit in total, "
    "with 0 made so far.",
    "prospect.total.none": "Not even one release like this one is known to keep the limit{by}. "
    "{reason}",
    "prospect.total.one": "{number} release like this one keeps the limit in total, with 0 made "
    "so far.",
    "prospect.total.many": "{number} releases like this one keep the limit in total, with 0 made "
    "so far.",
    "prospect.total.over.own": "{number} releases in total break the limit: {size}.",
    "prospect.total.over": "{number} releases in total could break the limit: {size}.",
    "prospect.total.unsure": "{number} releases in total are not known to keep the limit: {size}.",
    "prospect.more.any": "At least {number} more releases like this one keep the limit, in "
    "addition to {made}.",
    "prospect.by": " by the rule {rule}",
    "prospect.more.none": "Not one more release is known to keep the limit{by}. {reason}",
    "prospect.more.one": "{number} more release like this one keeps the limit, in addition to "
    "{made}.",
    "prospect.more.many": "{number} more releases like this one keep the limit, in addition to "
    "{made}.",
    "prospect.more.over.own": "{number} more releases break the limit: {size}.",
    "prospect.more.over": "{number} more releases could break the limit: {size}.",
    "prospect.more.unsure": "{number} more releases are not known to keep the limit: {size}.",
    "prospect.made.like": "the {done} made so far",
    "prospect.made.others": "the earlier releases",
    "prospect.made.both": "the {done} made so far and the other earlier releases",
    "prospect.left": "The {quantity} is then at most {most}; your limit is {limit}.",
    "prospect.posterior": "belief",
    "prospect.difference": "change of the belief",
    "prospect.ratio": "factor on the belief",
    "prospect.ratio_not": "factor on the doubt",
    "prospect.odds": "factor on the odds",
    "prospect.power": "power",
    "prospect.advantage": "advantage",
    "prospect.predictive_value": "belief after an alarm",
    "prospect.epsilon": "epsilon",
    "prospect.profile": "epsilon",
    "prospect.size": "the bound is then {most}",
    "prospect.size.endless": "there is then no finite bound",
}
