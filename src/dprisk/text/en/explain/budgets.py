"""Budgets: what is limited, what may be promised, what it costs, how many more releases."""

from __future__ import annotations

from typing import Final

TOLERANCES: Final = {
    "tolerance.profile": "the risk profile is kept{sure}",
    "tolerance.epsilon": "epsilon is at most {most} at a delta of {delta}",
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
}

ALLOWANCES: Final = {
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
    "noise.cost.count": "a published count is off by at most {most} in at least {share} cases",
    "noise.cost.number": "a published number is off by at most {most} in at least {share} cases",
}

PROSPECTS: Final = {
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
