"""Words on accounts and charges: what they may be, and what is refused."""

from __future__ import annotations

from typing import Final

ACCOUNTS: Final[dict[str, str]] = {
    # what may be given
    "ledger.line": "one line of text with at most {most} letters, without control characters",
    "ledger.account.no-delta": "left out: the rule {rule} does not add up deltas",
    "ledger.account.no-delta.fix": "The rules approximate and concentrated add up deltas.",
    "ledger.account.within.unit": "{whole}, the unit of the account that this one is a part of",
    "ledger.account.within.neighbors": "{whole}, the neighbors of the account that this one is a "
    "part of",
    # charges
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
    # what happened
    "ledger.refused": '"{name}" is refused, and nothing was spent. {why}',
    "ledger.refused.amount": "{account}: the release needs {more} ({name}), but only {left} of "
    "{most} is left.",
    # rules
    "ledger.limit": "a limit on one of: {names}",
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
    "ledger.rule.nothing": "Nothing can be released within these limits under the rule {rule}.",
    "ledger.rule.nothing.fix": "Set looser limits. If a limit must hold with certainty, use the "
    "rule pure.",
    "ledger.rule.everything": "These limits allow every release, so the rule {rule} has no budget "
    "to set.",
    "ledger.rule.everything.fix": "Set a limit that some release would break, such as an epsilon "
    "at a delta.",
}
