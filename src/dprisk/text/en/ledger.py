"""Words of a ledger: accounts, charges, refusals, where it is kept."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, str]] = {
    "ledger.place.url": "This URL cannot be read.",
    "ledger.place.url.fix": "Write it as postgresql://user@host:5432/database. In a password, "
    "write @ as %40 and / as %2F. Better still, keep the password in ~/.pgpass.",
    "ledger.none": "There is no ledger.",
    "ledger.none.fix": "Check the name, or start one with dprisk ledger init.",
    "ledger.empty": "This file is empty: it has 0 bytes.",
    "ledger.empty.fix": "If it was a ledger, put a backup back with dprisk ledger restore. "
    "Otherwise start one with dprisk ledger init.",
    "ledger.no-database": "This file is not a ledger.",
    "ledger.no-database.fix": "Check the name. If it was a ledger, put a backup back with dprisk "
    "ledger restore.",
    "ledger.not-opened": "The file cannot be opened: {reason}.",
    "ledger.not-opened.fix": "The folder of a ledger must allow creating and reading files.",
    "ledger.read-only": "Here, the ledger can only be read ({reason}).",
    "ledger.read-only.fix": "Make the file and its folder writable, or name the primary server.",
    "ledger.full": "The disk is full. The ledger is unchanged.",
    "ledger.full.fix": "Make room, and try again.",
    "ledger.busy": "Other programs kept the ledger busy for too long ({reason}).",
    "ledger.busy.fix": "Nothing was recorded. Try again.",
    "ledger.raced": "Other programs kept writing first ({reason}).",
    "ledger.raced.fix": "Nothing was recorded. Try again.",
    "ledger.gone": "The database does not answer: {reason}.",
    "ledger.gone.fix": "Check that it is running and that you can reach it.",
    "ledger.not-allowed": "The database does not allow this: {reason}.",
    "ledger.not-allowed.fix": "Ask the owner of the ledger.",
    "ledger.not-next": "The database refused what does not follow the last one, or is no entry.",
    "ledger.not-next.fix": "Nothing was recorded. Read the ledger once more, and try again.",
    "ledger.failed": "The database failed: {reason}.",
    "ledger.failed.fix": "Check it, and try again.",
    "ledger.damaged.file": "The database is damaged ({reason}).",
    "ledger.damaged.short": "The file has {there} of its {whole} bytes: it was copied or written "
    "in part.",
    # what may be given
    "ledger.line": "one line of text with at most {most} letters, without control characters",
    "ledger.account.no-delta": "left out: the rule {rule} does not add up deltas",
    "ledger.account.no-delta.fix": "The rules approximate and concentrated add up deltas.",
    "ledger.account.within.unit": "{whole}, the unit of the account that this one is a part of",
    "ledger.account.within.neighbors": "{whole}, the neighbors of the account that this one is a "
    "part of",
    "ledger.account.second": "a part of {name}, which has the budget of the same population "
    "({population}), unit and period",
    "ledger.account.second.other": "an account for other people than {name}, which has the budget "
    "of the same population ({population}), unit and period",
    "ledger.account.second.other.fix": "Two budgets let a person lose both, and {name} has other "
    "neighbors or another kind of rule, so this account cannot be a part of it. Charge {name} "
    "itself. If no person is in both, add --apart.",
    "ledger.account.second.fix": "Two budgets let a person lose both. Open it with --within "
    "{name} and a --share of that budget, or charge {name} itself. If no person is in both, add "
    "--apart.",
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
    "ledger.concerns": "For someone who knows everything about the person except one attribute: "
    "only the results that depend on this attribute count. The other attributes may say something "
    "about it even so.",
    "ledger.concerns.fixed": "These limits hold if no release depended on the results of earlier "
    "ones.",
    "ledger.concerns.invariants": "Published without noise, outside all of these limits: {names}.",
    "ledger.concerns.one": "One charge does not say which attributes it depends on. It counts in "
    "full.",
    "ledger.concerns.many": "{number} charges do not say which attributes they depend on. They "
    "count in full.",
    "ledger.cost.times": "{count} × ({said})",
    "ledger.opened": "The account {name} is open: {population}.",
    "ledger.opened.limit": "All releases together must keep this limit: {limit}.",
    "ledger.opened.cap": "The budget is {cap}. It follows from these limits alone.",
    "ledger.renewed.raised": "The budget of {name} was {before}, and is now {after}. Its limits "
    "are the same: this version can prove that they allow more.",
    "ledger.renewed.same": "The budget of {name} stays {after}: this version cannot prove that its "
    "limits allow more. Nothing was written.",
    "ledger.stated.apart": "Entry {seq} ({at} UTC): {by} states that nobody in the data of {name} "
    "is in the data of another account with the same population, unit and period.",
    "ledger.stated.renewed": "Entry {seq} ({at} UTC): {by} raised the budget of {name} from "
    "{before} to {after}, which the same limits allow.",
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
