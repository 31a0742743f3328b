"""What accounts and charges may be, and what is refused."""

from __future__ import annotations

from typing import Final

__all__ = ["ACCOUNTS"]

ACCOUNTS: Final[dict[str, str]] = {
    # what may be given
    "ledger.line": "one line of text with at most {most} letters, without control characters",
    "ledger.text": "text that can be written as UTF-8",
    "ledger.there": "a place without a ledger",
    "ledger.there.fix": "There is one already, and nothing in it is reset. Open it, or choose "
    "another place.",
    "ledger.account.name": "letters, digits, dots, hyphens and underscores, at most 100 of them",
    "ledger.account.name.fix": "Such as residents-2026.",
    "ledger.account.limits": "at least one limit on the risk, or a share of another account",
    "ledger.account.limits.fix": "Say what a person may lose at most, such as a posterior of 0.5 "
    "at a prior of 0.1.",
    "ledger.account.decimal": "a number in decimal text, not below 0",
    "ledger.account.delta": "below 1",
    "ledger.account.delta.fix": "Such as 1e-6.",
    "ledger.account.no-delta": "left out: the rule {rule} adds up no deltas",
    "ledger.account.no-delta.fix": "The rules approximate and concentrated do.",
    "ledger.account.no-orders": "left out: the rule {rule} adds up no Rényi divergences",
    "ledger.account.no-orders.fix": "The rule renyi does.",
    "ledger.account.order": "a number above 1, in decimal text",
    "ledger.account.share": "a share above 0 and at most 1, such as 1/4",
    "ledger.account.within": "the account that the share is of",
    "ledger.account.within.unit": "{whole}, as that of the account it is a part of",
    "ledger.account.within.neighbors": "{whole}, as those of the account it is a part of",
    "ledger.account.within.rule": "fixed, as that of the account it is a part of",
    "ledger.account.within.rule.fix": "An account whose releases were all fixed in advance cannot "
    "hold one whose releases are not.",
    "ledger.account.taken": "a name that no other account has",
    "ledger.account.taken.fix": "The account of this name says something else. Nothing in a ledger "
    "is changed: open a new account for a new period or new limits.",
    "ledger.account.one-of": "one of: {names}",
    "ledger.account.none": "none is open yet",
    # charges
    "ledger.charge.accounts": "at least one account",
    "ledger.charge.no-number": "a release with a number that can be counted",
    "ledger.charge.shape": "a release about {neighbors} neighbors, as the account is",
    "ledger.charge.neighbors": "The release is about neighbors that differ in one record's values, "
    "and the account {account} about neighbors that differ by a whole record. No theorem leads "
    "from the first to the second.",
    "ledger.charge.same-unit": "The release protects one {unit}, as the account does, so there is "
    "nothing to convert. Leave out --over and --group.",
    "ledger.charge.over": "The release protects one {unit}, and the account is about a whole "
    "{account}.",
    "ledger.charge.over.fix": "Say with --over how many such releases one person's data is part "
    "of: 30 for thirty days, each with a release of its own, 1 for one day.",
    "ledger.charge.unit": "The release protects one {unit}, and the account is about one "
    "{account}.",
    "ledger.charge.unit.fix": "If one {account} stands for at most k of the release's units "
    "({unit}), say --group k; otherwise open an account for that unit.",
    "ledger.charge.unknown": "the key of a charge",
    "ledger.charge.unknown.fix": "`dprisk ledger history` lists them.",
    "ledger.charge.taken": "a key of its own: this one stands for another charge",
    "ledger.charge.taken.fix": 'It stands for "{name}" (entry {seq}, {at}, by {by}). To charge '
    "something else, use a new key.",
    "ledger.charge.was-voided": "the key of a charge that was not voided",
    "ledger.charge.was-voided.fix": '"{name}" (entry {seq}, {at}, by {by}) was voided. To charge '
    "it again, use a new key.",
    "ledger.charge.is-released": "the key of a charge that was not released",
    "ledger.charge.is-released.fix": "It was released ({at}), and a published release stays "
    "charged.",
    "ledger.charge.is-voided": "the key of a charge that was not voided",
    "ledger.charge.is-voided.fix": "It was voided; a release of its own needs a charge of its own, "
    "under a new key.",
    "ledger.part.mechanism": "a mechanism that release files know",
    "ledger.part.steps": "There is no theorem about {part} for a group of {steps}.",
    # what happened
    "ledger.refused": '"{name}" is refused, and nothing was spent. {why}',
    "ledger.refused.amount": "{account}: this needs {more} of {name}, but only {left} of {most} "
    "is left.",
    "ledger.refused.limit": "{account}: the limit on the {metric} of {most} would not be kept.",
    "ledger.refused.reading": "{account}: the {metric} could come to {after}, and the limit is "
    "{most}.",
    "ledger.refused.fits": "Of these {asked}, {fits} would fit.",
    "ledger.went-back": "The ledger has lost entries since it was last read: entry {seq} is not "
    "there any more, or says something else. Compare it with a checkpoint.",
    # rules
    "ledger.limit": "a limit on one of: {names}",
    "ledger.rule.uncounted": "An account with the rule {rule} cannot count {part}.",
    "ledger.rule.pure": "It adds up epsilons of pure DP: Laplace and geometric noise, randomized "
    "response. Gaussian noise and promises with a delta need an account with the rule approximate, "
    "concentrated or gaussian, or one whose releases were all fixed in advance.",
    "ledger.rule.approximate": "It adds up pairs of epsilon and delta: state the release as one "
    "(`dprisk convert`), or use an account with the rule concentrated, gaussian or renyi, or one "
    "whose releases were all fixed in advance.",
    "ledger.rule.concentrated": "It adds up rho: of zCDP and discrete Gaussian noise; "
    "epsilon^2 / 2 of Laplace noise, pure DP and pairs of epsilon and delta, whose deltas add up "
    "beside it; mu^2 / 2 of Gaussian noise. Subsampled noise and Rényi DP need the rule renyi, or "
    "an account whose releases were all fixed in advance.",
    "ledger.rule.gaussian": "It adds up mu^2: of Gaussian noise, Gaussian DP and pure DP. zCDP and "
    "discrete Gaussian noise need the rule concentrated, a delta needs approximate or "
    "concentrated, subsampled noise renyi, or an account whose releases were all fixed in advance.",
    "ledger.rule.renyi": "It adds up Rényi divergences of its orders: of every mechanism and "
    "promise that has them without a delta. A delta needs the rule approximate or concentrated, or "
    "an account whose releases were all fixed in advance.",
    "ledger.rule.nothing": "Nothing can be released within these limits under the rule {rule}.",
    "ledger.rule.nothing.fix": "Tolerate more; or, if a limit has to hold with certainty, use the "
    "rule pure.",
    "ledger.rule.everything": "These limits allow everything: the rule {rule} has nothing to count "
    "up to.",
    "ledger.rule.everything.fix": "Set a limit that some release would break, such as an epsilon "
    "at a delta.",
    "ledger.rule.share": "There is no cap to take a share of.",
    "ledger.rule.share.fix": "Name as the whole an account with the same rule, one of pure, "
    "approximate, concentrated, gaussian and renyi; or give limits instead of a share.",
    "ledger.check.decided-account": "Entry {seq} opens an account that was open already.",
    "ledger.check.decided-ledger": "Entry {seq} begins the ledger again.",
    "ledger.check.decided-refused": "Entry {seq} refuses what every limit allows.",
    "ledger.check.decided-released": "Entry {seq} releases what was not reserved.",
    "ledger.check.decided-reserved": "Entry {seq} reserves what a limit does not allow.",
    "ledger.check.decided-voided": "Entry {seq} voids what was not reserved.",
}
