"""The standing of an account, in sentences."""

from __future__ import annotations

from typing import Final

STANDING: Final[dict[str, str]] = {
    # where an account stands
    "ledger.title": "{name}: {population}, one {unit}, {period}",
    "ledger.nothing-yet": "Nothing has been charged to this account yet.",
    "ledger.so-far": "{subject} {said}. The limit is {most}.",
    "ledger.subject.schedule": "All releases so far, published or reserved ({number}),",
    "ledger.subject.path": "All results so far (releases: {number})",
    "ledger.subject.process": "All releases so far, plus any that still fit in the budget,",
    "ledger.moves.posterior": "can raise a belief of {prior} {what} to at most {now}{sure}",
    "ledger.moves.difference": "can change a belief {what} by at most {now}, {start}{sure}",
    "ledger.moves.ratio": "can multiply a belief {what} by at most {now}, {start}{sure}",
    "ledger.moves.ratio_not": "can multiply the doubt {what} by at most {now}, {start}{sure}",
    "ledger.moves.odds": "can multiply the odds {what} by at most {now}{sure}",
    "ledger.moves.power": "let a test at level {level} detect a person with a probability of at "
    "most {now}",
    "ledger.moves.advantage": "give a test an advantage of at most {now}",
    "ledger.moves.predictive_value": "let an alarm at level {level} raise a belief of {prior} to "
    "at most {now}",
    "ledger.moves.epsilon": "have an epsilon of at most {now}, at a delta of {delta}",
    "ledger.moves.profile": "have an epsilon of at most {now} in the risk profile{sure}",
    "ledger.sure": ", with probability at least {confidence}",
    "ledger.left.none": 'No more releases like "{name}" fit.',
    "ledger.left.one": 'One more release like "{name}" fits.',
    "ledger.left.many": '{number} more releases like "{name}" fit.',
    "ledger.left.any": 'More than a billion releases like "{name}" fit.',
    "ledger.share": "{share}% of the budget is spent.",
    "ledger.amount": "{name}: {spent} of {most} is spent ({share}%)",
    "ledger.cost.times": "{count} × ({said})",
    "ledger.opened": "The account {name} is open: {population}.",
    "ledger.opened.limit": "All releases together must keep this limit: {limit}.",
    "ledger.opened.cap": "The budget is {cap} and cannot be changed.",
    "ledger.cap.pure": "an epsilon of {cap}",
    "ledger.cap.approximate": "an epsilon of {cap}",
    "ledger.cap.concentrated": "a rho of {cap}",
    "ledger.cap.gaussian": "a mu squared of {cap}",
    "ledger.cap.renyi": "{cap} times its shape, at every order",
    "ledger.adds.fixed": "The numbers hold only if all releases were fixed in advance, and none "
    "was chosen after seeing an earlier result.",
    "ledger.adds.pure": "The values of ε add up, even if a release depends on the results of "
    "earlier ones.",
    "ledger.adds.approximate": "The values of ε and δ add up, even if a release depends on the "
    "results of earlier ones. This is valid because their sums cannot exceed a budget fixed in "
    "advance.",
    "ledger.adds.concentrated": "The values of ρ (zCDP) add up, even if a release depends on the "
    "results of earlier ones. This is valid because their sum cannot exceed a budget fixed in "
    "advance.",
    "ledger.adds.gaussian": "The squares of μ add up, even if a release depends on the results of "
    "earlier ones. This is valid because their sum cannot exceed a budget fixed in advance.",
    "ledger.adds.renyi": "Rényi divergences add up at orders fixed in advance, even if a release "
    "depends on the results of earlier ones. This is valid because their sums cannot exceed a "
    "budget fixed in advance.",
    "ledger.bounded": "{number} kinds of subsampled noise are added up by their Rényi divergences, "
    "which is fast. The bounds hold, and may be a little larger than necessary.",
    "ledger.bar.budget": "share of the budget",
    "ledger.bar.posterior": "belief, from {prior} before",
    "ledger.bar.difference": "change of a belief",
    "ledger.bar.ratio": "factor on a belief",
    "ledger.bar.ratio_not": "factor on the doubt",
    "ledger.bar.odds": "factor on the odds",
    "ledger.bar.power": "power of a test at level {level}",
    "ledger.bar.advantage": "advantage of a test",
    "ledger.bar.predictive_value": "belief after an alarm, from {prior} before",
    "ledger.bar.epsilon": "epsilon at a delta of {delta}",
    "ledger.bar.profile": "epsilon in the risk profile",
    "ledger.scope.schedule": "so far",
    "ledger.scope.path": "so far",
    "ledger.scope.process": "once the budget is spent",
}
