"""Where an account stands, in sentences."""

from __future__ import annotations

from typing import Final

__all__ = ["STANDING"]

STANDING: Final[dict[str, str]] = {
    # where an account stands
    "ledger.title": "{name}: {population}, one {unit}, {period}",
    "ledger.nothing-yet": "Nothing has been charged to this account yet.",
    "ledger.so-far": "{subject} {said}. The limit is {most}.",
    "ledger.subject.schedule": "What has been released or reserved so far ({number} in all)",
    "ledger.subject.path": "What has come out so far ({number} in all)",
    "ledger.subject.process": "Everything so far, together with all that may still be released "
    "within the budget,",
    "ledger.moves.posterior": "can raise a belief of {prior} {what} to {now} at most{sure}",
    "ledger.moves.difference": "can move a belief {what} by {now} at most, {start}{sure}",
    "ledger.moves.ratio": "can multiply a belief {what} by {now} at most, {start}{sure}",
    "ledger.moves.ratio_not": "can multiply the opposite of a belief {what} by {now} at most, "
    "{start}{sure}",
    "ledger.moves.odds": "can multiply the odds {what} by {now} at most{sure}",
    "ledger.moves.power": "lets a test at level {level} detect a person in a share of {now} at "
    "most",
    "ledger.moves.advantage": "gives a test an advantage of {now} at most",
    "ledger.moves.predictive_value": "lets an alarm at level {level} turn a belief of {prior} into "
    "{now} at most",
    "ledger.moves.epsilon": "comes to an epsilon of {now} at most, at a delta of {delta}",
    "ledger.moves.profile": "comes to an epsilon of {now} at most in the risk profile{sure}",
    "ledger.sure": ", with a confidence of {confidence}",
    "ledger.left.none": 'Not one more release like "{name}" fits.',
    "ledger.left.one": 'One more release like "{name}" fits.',
    "ledger.left.many": '{number} more releases like "{name}" fit.',
    "ledger.left.any": 'More than a thousand million releases like "{name}" fit.',
    "ledger.share": "{share} in 100 of the budget is spent.",
    "ledger.amount": "{name}: {spent} of {most} is spent, {share} in 100",
    "ledger.opened": "The account {name} is open: {population}.",
    "ledger.opened.limit": "To be kept by everything together: {limit}.",
    "ledger.opened.cap": "The budget is {cap}, for good.",
    "ledger.budget": "share of the budget that is spent, of {cap}",
    "ledger.cap.pure": "an epsilon of {cap}",
    "ledger.cap.approximate": "an epsilon of {cap}",
    "ledger.cap.concentrated": "a rho of {cap}",
    "ledger.cap.gaussian": "a mu squared of {cap}",
    "ledger.cap.renyi": "{cap} times its shape, at every order",
    "ledger.adds.fixed": "The numbers hold if all releases were fixed in advance, and none was "
    "chosen after an earlier result was seen.",
    "ledger.adds.pure": "Epsilons add up here, so each release may depend on what came out before.",
    "ledger.adds.approximate": "Epsilons and deltas add up here, within a budget fixed in advance, "
    "so each release may depend on what came out before.",
    "ledger.adds.concentrated": "The rhos of zCDP add up here, within a budget fixed in advance, "
    "so each release may depend on what came out before.",
    "ledger.adds.gaussian": "The squares of mu add up here, within a budget fixed in advance, so "
    "each release may depend on what came out before.",
    "ledger.adds.renyi": "Rényi divergences add up here at orders fixed in advance, within a "
    "budget fixed in advance, so each release may depend on what came out before.",
    "ledger.bar.budget": "share of the budget",
    "ledger.bar.posterior": "belief, from {prior} before",
    "ledger.bar.difference": "change of a belief",
    "ledger.bar.ratio": "factor on a belief",
    "ledger.bar.ratio_not": "factor on the opposite of a belief",
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
