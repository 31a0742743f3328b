"""What accounts and charges may be, and what is refused."""

from __future__ import annotations

from typing import Final

ACCOUNTS: Final[dict[str, str]] = {
    # what may be given
    "ledger.line": "one line of text with at most {most} letters, without control characters",
    "ledger.text": "text that can be written as UTF-8",
    "ledger.there": "a place without a ledger",
    "ledger.there.fix": "A ledger is already there, and dprisk never resets one. Open it, or "
    "choose another place.",
    "ledger.account.name": "letters, digits, dots, hyphens and underscores, at most 100 of them",
    "ledger.account.name.fix": "Such as residents-2026.",
    "ledger.account.limits": "at least one limit on the risk, or a share of another account",
    "ledger.account.limits.fix": "Give a limit on the risk, such as a posterior of 0.5 at a prior "
    "of 0.1.",
    "ledger.account.decimal": "a number in decimal text, not below 0",
    "ledger.account.delta": "below 1",
    "ledger.account.delta.fix": "Such as 1e-6.",
    "ledger.account.no-delta": "left out: the rule {rule} does not add up deltas",
    "ledger.account.no-delta.fix": "The rules approximate and concentrated add up deltas.",
    "ledger.account.no-orders": "left out: the rule {rule} does not add up Rényi divergences",
    "ledger.account.no-orders.fix": "The rule renyi adds them up.",
    "ledger.account.order": "a number above 1, in decimal text",
    "ledger.account.share": "a share above 0 and at most 1, such as 1/4",
    "ledger.account.within": "the account of which this is a share",
    "ledger.account.within.unit": "{whole}, the unit of the account that this one is a part of",
    "ledger.account.within.neighbors": "{whole}, the neighbors of the account that this one is a "
    "part of",
    "ledger.account.within.rule": "fixed, the rule of the account that this one is a part of",
    "ledger.account.within.rule.fix": "An account whose releases were all fixed in advance cannot "
    "hold one whose releases are not.",
    "ledger.account.taken": "a name that no other account has",
    "ledger.account.taken.fix": "The account of this name differs. Nothing in a ledger is "
    "changed: open a new account for a new period or new limits.",
    "ledger.account.one-of": "the name of an open account ({names})",
    "ledger.account.none": "none is open yet",
    # charges
    "ledger.charge.accounts": "the name of each account to charge",
    "ledger.charge.accounts.fix": "Give one or more, such as residents-2026.",
    "ledger.charge.no-number": "a release with a number that can be counted",
    "ledger.charge.shape": "a release about {neighbors} neighbors, like the account",
    "ledger.charge.neighbors": "The release is about neighbors that differ in one record's values, "
    "and the account {account} about neighbors that differ by a whole record. No theorem leads "
    "from the first to the second.",
    "ledger.charge.same-unit": "The release protects one {unit}, as the account does, so there is "
    "nothing to convert. Leave out --over and --group.",
    "ledger.charge.over": "The release protects one {unit}, and the account is about a whole "
    "{account}.",
    "ledger.charge.over.fix": "Say with --over the largest number of releases of this kind that "
    "use one person's data: 30 for thirty days, each with a release of its own, or 1 for one day.",
    "ledger.charge.unit": "The release protects one {unit}, and the account is about one "
    "{account}.",
    "ledger.charge.unit.fix": "If the data of one {account} are at most k units of the release "
    "({unit}), add --group k. Otherwise open an account whose unit is one {unit}.",
    "ledger.charge.unknown": "the key of a charge",
    "ledger.charge.unknown.fix": "`dprisk ledger history` lists them.",
    "ledger.charge.taken": "a new key: another charge has this one",
    "ledger.charge.taken.fix": 'It belongs to "{name}" (entry {seq}, {at}, by {by}). To charge '
    "something else, use a new key.",
    "ledger.charge.was-voided": "the key of a charge that was not voided",
    "ledger.charge.was-voided.fix": '"{name}" (entry {seq}, {at}, by {by}) was voided. To charge '
    "it again, use a new key.",
    "ledger.charge.is-released": "the key of a charge that was not released",
    "ledger.charge.is-released.fix": "It was released ({at}), and a published release stays "
    "charged. Only a reservation can be voided.",
    "ledger.charge.is-voided": "the key of a charge that was not voided",
    "ledger.charge.is-voided.fix": "It was voided. If the release is published after all, charge "
    "it under a new key.",
    "ledger.void": "True, which states that the release was not run and nobody saw a result",
    "ledger.void.fix": "A result that someone saw stays spent, even if it is never published: "
    "record it with `dprisk ledger release`. If it was not run, say so: --not-run (in Python, "
    "not_run=True).",
    "ledger.part.mechanism": "a mechanism that a release file can describe",
    "ledger.part.steps": "There is no theorem about {part} for a group of {steps}.",
    # what happened
    "ledger.refused": '"{name}" is refused, and nothing was spent. {why}',
    "ledger.refused.amount": "{account}: the release needs {more} ({name}), but only {left} of "
    "{most} is left.",
    "ledger.refused.limit": "{account}: the release would break the limit of {most} on the "
    "{metric}.",
    "ledger.refused.reading": "{account}: the {metric} could become {after}, and the limit is "
    "{most}.",
    "ledger.refused.fits": "Of these {asked}, {fits} would fit.",
    "ledger.went-back": "The ledger has lost entries since it was last read: entry {seq} is "
    "missing or different. Compare the ledger with a checkpoint.",
    # rules
    "ledger.limit": "a limit on one of: {names}",
    "ledger.rule.uncounted": "An account with the rule {rule} cannot count {part}.",
    "ledger.rule.pure": "This rule adds up the epsilons of pure DP: Laplace and geometric noise, "
    "and randomized response. Gaussian noise and promises with a delta need an account with the "
    "rule approximate, concentrated or gaussian, or one whose releases were all fixed in advance.",
    "ledger.rule.approximate": "This rule adds up pairs of epsilon and delta. State the release "
    "as one pair (`dprisk convert`), or use an account with the rule concentrated, gaussian or "
    "renyi, or one whose releases were all fixed in advance.",
    "ledger.rule.concentrated": "This rule adds up rho for zCDP and discrete Gaussian noise, "
    "epsilon^2 / 2 for Laplace noise, pure DP and pairs of epsilon and delta (their deltas add up "
    "separately), and mu^2 / 2 for Gaussian noise. Subsampled noise and Rényi DP need the rule "
    "renyi, or an account whose releases were all fixed in advance.",
    "ledger.rule.gaussian": "This rule adds up mu^2 for Gaussian noise, Gaussian DP and pure DP. "
    "zCDP and discrete Gaussian noise need the rule concentrated, a delta needs approximate or "
    "concentrated, and subsampled noise needs renyi. All of them can be charged to an account "
    "whose releases were all fixed in advance.",
    "ledger.rule.renyi": "This rule adds up Rényi divergences at its orders, for every mechanism "
    "and promise that has them without a delta. A delta needs the rule approximate or "
    "concentrated, or an account whose releases were all fixed in advance.",
    "ledger.rule.no-delta": "The rule {rule} adds up the values of δ within a budget, which is not "
    "given.",
    "ledger.rule.no-delta.fix": "Give one with --delta-budget, such as 1e-5 (for an account: "
    "--delta).",
    "ledger.rule.nothing": "Nothing can be released within these limits under the rule {rule}.",
    "ledger.rule.nothing.fix": "Set looser limits. If a limit must hold with certainty, use the "
    "rule pure.",
    "ledger.rule.everything": "These limits allow every release, so the rule {rule} has no budget "
    "to set.",
    "ledger.rule.everything.fix": "Set a limit that some release would break, such as an epsilon "
    "at a delta.",
    "ledger.rule.beyond": "What was released before is more than the rule {rule} can add up, so "
    "nothing more can be planned.",
    "ledger.rule.share": "The whole has no budget to take a share of.",
    "ledger.rule.share.fix": "As the whole, name an account with the same rule: pure, "
    "approximate, concentrated, gaussian or renyi. Or give limits instead of a share.",
    "ledger.check.decided-account": "Entry {seq} opens an account that was open already.",
    "ledger.check.decided-ledger": "Entry {seq} starts the ledger again.",
    "ledger.check.decided-refused": "Entry {seq} refuses a release that every limit allows.",
    "ledger.check.decided-released": "Entry {seq} releases a charge that was not reserved.",
    "ledger.check.decided-reserved": "Entry {seq} reserves a release that a limit does not allow.",
    "ledger.check.decided-voided": "Entry {seq} voids a charge that was not reserved.",
}
