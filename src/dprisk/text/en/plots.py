"""Words on a figure, beside it and in place of it."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, str]] = {
    "plots.held": "The noise is random: this holds in at least {share} of 100 cases.",
    "plots.source": "Source: {works} · drawn by dprisk",
    "plots.source.place": "Source: {work} ({place}) · drawn by dprisk",
    "plots.source.none": "Drawn by dprisk",
    "plots.same": "{names} (the same)",
    "plots.nothing-learned": "nothing learned",
    "plots.guessing": "guessing",
    "plots.at-most": "at most {value}",
    "plots.adversary.true-record": "asks about your true record",
    "plots.adversary.rest-known": "knows all other records",
    "plots.adversary.arbitrary-prior": "has a correct model of the population",
    "plots.adversary.wrong-prior": "has a wrong model of the population",
    "plots.axis.prior": "chance before the release, in 100",
    "plots.axis.posterior": "chance after the release, in 100: at most and at least",
    "plots.axis.ratio": "chance after ÷ chance before: at most and at least",
    "plots.axis.difference": "change of the chance, in 100: at most and at least",
    "plots.axis.tolerated": "limit on posterior ÷ prior",
    "plots.axis.membership_prior": "membership prior",
    "plots.axis.value_prior": "value prior",
    "plots.axis.at-other": "{along} ({other} {value})",
    "plots.axis.largest": "largest ε",
    "plots.axis.releases": "number of releases",
    "plots.axis.belief": "chance after the releases, in 100: at most",
    "plots.axis.change": "largest change of a chance, in 100: at most",
    "plots.axis.noise": "standard deviation of the noise, in units of the answer",
    "plots.axis.belief-held": "chance after the release, in 100: at most",
    "plots.axis.epsilon": "total ε at δ = {at_most}: at most",
    "plots.axis.output": "output",
    "plots.axis.probability": "probability",
    "plots.axis.density": "density",
    "plots.axis.level": "false positive rate (level)",
    "plots.axis.power": "true positive rate (power): at most",
    "plots.axis.missed": "false negative rate: at least",
    "plots.axis.nats": "ε (nats)",
    "plots.axis.delta": "δ: at most",
    "plots.axis.tail": "probability that the privacy loss exceeds ε: at most",
    "plots.axis.ratio-above": "probability of a larger ratio: at most",
    "plots.axis.log-ratio": "chance with the record ÷ chance without it",
    "plots.axis.failure": "probability that the bound fails",
    "plots.axis.move": "move of the log-odds (nats): at most",
    "plots.area.one": "one dataset",
    "plots.area.neighbor": "its neighbor",
    "plots.area.scaled": "its neighbor × e^{epsilon}",
    "plots.area.scaled.off": "its neighbor × e^{epsilon} (off the scale, up to {peak})",
    "plots.area.delta": "δ (shaded)",
    "plots.area.title": "At ε = {epsilon}, δ is at most {delta}",
    "plots.area.title.none": "At ε = {epsilon}, δ is 0",
    "plots.area.most": "The shaded area is δ: at most {delta} at ε = {epsilon}.",
    "plots.area.unseen": "The part above the scaled curve is δ: at most {delta} at ε = {epsilon}, "
    "too small to see.",
    "plots.area.none": "No part is above the scaled curve: δ is 0 at ε = {epsilon}.",
    "plots.area.seen-steps": "Step chart of the probabilities of an output on two neighboring "
    "datasets. One of them is also shown scaled up. The part of the other that lies above it is "
    "shaded.",
    "plots.area.seen-lines": "Line chart of the densities of an output on two neighboring "
    "datasets. One of them is also shown scaled up. The part of the other that lies above it is "
    "shaded.",
    "plots.beliefs.title": "From {before} to {after}",
    "plots.beliefs.title.several": "From {before} to {least} ({mild}) or {most} ({strong})",
    "plots.beliefs.title.none": "Nothing can be learned",
    "plots.beliefs.title.vacuous": "Almost no limit: from {before} to {after}",
    "plots.beliefs.title-ratio": "Chance after ÷ chance before: {most}",
    "plots.beliefs.title-difference.several": "A chance can change by {least} ({mild}) or {most} "
    "({strong})",
    "plots.beliefs.title-difference": "A chance can change by {most}",
    "plots.beliefs.bounds": "at most (above) and at least (below)",
    "plots.beliefs.seen": "Line chart of the chance after a release against the chance before it, "
    "both from 0 to 100 in 100. An upper and a lower bound lie around the diagonal, on which "
    "nothing is learned.",
    "plots.beliefs.towards": "at most {at_most} near 0",
    "plots.beliefs.secret": "the secret",
    "plots.beliefs.secret-not": "its opposite",
    "plots.beliefs.seen-ratio": "Line chart, on a logarithmic scale, of the chance after a release "
    "divided by the chance before it, with an upper bound above 1 and a lower bound below.",
    "plots.beliefs.seen-opposite": " Thinner lines are the same for the opposite of the secret.",
    "plots.beliefs.opposite": "{name}, opposite",
    "plots.beliefs.seen-difference": "Line chart of the chance after a release minus the chance "
    "before it. The upper bound rises from 0 and falls back to 0; the lower bound is its mirror "
    "image.",
    "plots.beliefs.worst-change": "largest rise: from {at} by {most}",
    "plots.beliefs.half": "A chance of {before} can become {after}. {rise}",
    "plots.beliefs.endless": "not limited (above 1e308)",
    "plots.beliefs.ratio": "Chance after over chance before is at most {half} at a prior of 0.5. "
    "It is {every} at any prior, and grows as the prior goes to 0",
    "plots.beliefs.rise": "A chance can rise by {most}. The largest rise is from about {at}",
    "plots.beliefs.still": "No chance changes",
    "plots.budgets.seen-profile": "Line of the limit on posterior over prior, against the {along}. "
    "Its color is the largest epsilon that keeps the limit: dark is small, light is large, dotted "
    "is without a limit.",
    "plots.budgets.unlimited": "nothing is limited",
    "plots.budgets.seen-map": "Map of the largest epsilon by membership prior (across) and value "
    "prior (up), both from 0 to 1. Dark is small, light is large, hatched is without a limit.",
    "plots.budgets.no-limit": "no limit",
    "plots.budgets.binds": "strictest here: {allowed}",
    "plots.budgets.none": "no ε is enough",
    "plots.budgets.largest": "ε at most {value}",
    "plots.budgets.title": "Every limit is kept by an ε of at most {value}",
    "plots.budgets.title.every": "Every ε keeps the limits",
    "plots.budgets.title.no-epsilon": "No ε keeps the limits",
    "plots.budgets.every": "Every epsilon keeps the limits: {reason}",
    "plots.budgets.no-epsilon": "No epsilon keeps the limits: {reason}",
    "plots.budgets.alike": "the same at every prior",
    "plots.budgets.at": "at {binding}",
    "plots.budgets.keeps": "The largest epsilon that keeps every limit is {epsilon}. The strictest "
    "limit is {where}.",
    "plots.ladder.seen": "Line chart of {what} against the number of releases, {first} to {last}, "
    "one line for each of {number} theorems. The vertical axis starts at {lowest}.",
    "plots.ladder.seen.one": "Line chart of {what} against the number of releases, {first} to "
    "{last}, one line for each of {number} theorem. The vertical axis starts at {lowest}.",
    "plots.ladder.limit": "limit: {limit}",
    "plots.ladder.beliefs": "the largest chance after the releases, from {prior} before,",
    "plots.ladder.changes": "the largest change of a chance",
    "plots.ladder.title": "From {before} to {after} after {number} releases",
    "plots.ladder.title.vacuous": "Almost no limit, from release {number} on",
    "plots.ladder.title.one": "From {before} to {after} after {number} release",
    "plots.ladder.title-change": "A chance can change by {after} after {number} releases",
    "plots.ladder.title-change.one": "A chance can change by {after} after {number} release",
    "plots.ladder.title-limit": "The limit of {limit} is kept for at least {number} releases",
    "plots.ladder.title-limit.one": "The limit of {limit} is kept for at least {number} release",
    "plots.ladder.title-limit.none": "No bound keeps the limit of {limit}, not even for 1 release",
    "plots.ladder.belief": "After {number} releases, a chance of {prior} can become {value}",
    "plots.ladder.belief.one": "After {number} release, a chance of {prior} can become {value}",
    "plots.ladder.change": "After {number} releases, a chance can have changed by {value}",
    "plots.ladder.change.one": "After {number} release, a chance can have changed by {value}",
    "plots.ladder.best": " by the best bound shown ({name}).",
    "plots.ladder.none-exceeds": "{said} No bound exceeds {limit}.",
    "plots.ladder.first": " Of the bounds shown, the first to exceed {limit} does so at release "
    "{early}",
    "plots.ladder.alone": "{said} ({name}).",
    "plots.ladder.never": "the best never does",
    "plots.ladder.later": "the best at release {last}",
    "plots.ladder.both": "{said} ({name}), {kept} ({name2}).",
    "plots.power.title": "At a level of {level}, a test has power of at most {value}",
    "plots.power.title.several": "At a level of {level}, a test has power of at most {least} "
    "({mild}) or at most {most} ({strong})",
    "plots.power.title-missed": "At a level of {level}, a test misses at least {value}",
    "plots.power.title-missed.several": "At a level of {level}, a test misses at least {least} "
    "({strong}) or at least {most} ({mild})",
    "plots.power.seen": "Line chart of the power of a test against its level, both from 0 to 1.",
    "plots.power.said": "The power of a test is {joined}.",
    "plots.power.seen-missed": "Line chart of the false negative rate of a test against its false "
    "positive rate, both from 0 to 1.",
    "plots.power.said-missed": "The false negative rate of a test is {joined}.",
    "plots.power.advantage": "advantage over guessing: at most {most}",
    "plots.lines.title-profile": "δ is at most {value} from ε = {x} on",
    "plots.lines.title-tail": "The privacy loss exceeds {x} with probability at most {value}",
    "plots.lines.title-counterfactual": "The ratio exceeds {x} with probability at most {value}",
    "plots.lines.title-loss": "Except with probability {x}, the log-odds move by at most {value} "
    "nats",
    "plots.lines.title-profile.several": "At ε = {x}, δ is at most {least} ({mild}) or at most "
    "{most} ({strong})",
    "plots.lines.title-tail.several": "The privacy loss exceeds {x} with probability at most "
    "{least} ({mild}) or at most {most} ({strong})",
    "plots.lines.title-counterfactual.several": "The ratio exceeds {x} with probability at most "
    "{least} ({mild}) or at most {most} ({strong})",
    "plots.lines.title-loss.several": "Except with probability {x}, the log-odds move by at most "
    "{least} nats ({mild}) or at most {most} nats ({strong})",
    "plots.lines.title-loss.none": "The log-odds may move without limit",
    "plots.lines.profile": "delta against epsilon",
    "plots.lines.tail": "the probability that the privacy loss exceeds epsilon, against epsilon",
    "plots.lines.larger-loss": "The probability of a larger loss",
    "plots.lines.ratio": "the probability that the chance with a person's record is more than "
    "e^epsilon times the chance without it, against epsilon",
    "plots.lines.larger-ratio": "The probability of a larger ratio",
    "plots.lines.no-bound": "no bound holds",
    "plots.lines.seen-loss": "Line chart of the largest move of the log-odds against the "
    "probability that this bound fails, {range} on a logarithmic scale.",
    "plots.lines.loss": "The move of the log-odds is {joined}.",
    "plots.lines.scaled": ", on a logarithmic scale",
    "plots.lines.seen": "Line chart of {seen}, {range}{scaled}.",
    "plots.lines.zero": "zero everywhere",
    "plots.lines.below": "below {lowest} everywhere",
    "plots.lines.range": "{min} to {max}",
    "plots.noise.title": "From {prior} to {last} with the most noise",
    "plots.noise.title.one": "From {prior} to {last}",
    "plots.noise.certain": "A chance of {prior} stays what it is, whatever the noise ({name}).",
    "plots.noise.nothing": "nothing learned: {prior}",
    "plots.noise.seen": "Line chart of the largest chance after a release, from {prior} before, "
    "against the standard deviation of the noise, {low} to {high}.",
    "plots.noise.one": "With noise of standard deviation {sd}, a chance of {prior} can become "
    "{most} ({name}).",
    "plots.noise.several": "With noise of standard deviation {sd}, a chance of {prior} can "
    "become {most}; with {last_sd}, {last} ({name}).",
    "plots.said.two-ends": "{what} is {joined}.",
    "plots.said.falls": "at most {at_most} at an epsilon of {where}",
    "plots.said.falls-to": "{start} and {at_most} at {where}",
    "plots.said.endless": "not bounded anywhere in this range",
    "plots.said.loss": "at most {loss} nats except with probability {failure}",
    "plots.said.loss-to": "{loss} except with probability {failure}",
    "plots.said.and": "{start} and {rest}",
    "plots.said.power": "at most {at_most} at a level of {at_least}",
    "plots.said.missed": "at least {value} at a level of {level}",
    "plots.said.named": "{words} ({name})",
    "plots.totals.title": "After {releases} releases, ε adds up to at most {value} ({name})",
    "plots.spent.of": "at most {now} of {most}",
    "plots.spent.title": "{name}: {left}",
    "plots.spent.left": "{number} more like the last one fit",
    "plots.spent.any": "any number of releases fit",
    "plots.spent.nothing": "nothing charged yet",
    "plots.spent.seen": "A bar for each limit of the account {name}; a full bar has reached its "
    "limit.",
    "plots.concerns.title": "With a false positive rate of {level} in 100, a test about one "
    "concern has a true positive rate of at most {power}",
    "plots.concerns.said": "A test about one concern, with a false positive rate of {level} in "
    "100, has a true positive rate of at most: {powers}.",
    "plots.concerns.axis": "{unit} of the queries that can change",
    "plots.concerns.up": "concern, and the power of a test: at most",
    "plots.concerns.seen": "A bar for each concern, as long as the {unit} of the queries that can "
    "change with it; the releases share it.",
    "plots.totals.said": "After {releases} releases, epsilon is at most {values}.",
    "plots.totals.seen": "Line chart of epsilon at most against the number of releases, "
    "{first} to {last}, at a delta of {delta}.",
    "plots.rows.axis.posterior_at_most": "chance after the release, in 100: at most",
    "plots.rows.axis.posterior_at_least": "chance after the release, in 100: at least",
    "plots.rows.axis.difference_at_most": "change of a chance, in 100: at most",
    "plots.rows.axis.worst_prior": "chance before, in 100, that can change most",
    "plots.rows.axis.both_at_most": "chance of both after the release, in 100: at most",
    "plots.rows.axis.power_at_most": "power of a test, in 100: at most",
    "plots.rows.axis.advantage_at_most": "advantage of a test, in 100: at most",
    "plots.rows.what.posterior_at_most": "the chance after the release",
    "plots.rows.what.posterior_at_least": "the chance after the release",
    "plots.rows.what.difference_at_most": "the change of a chance",
    "plots.rows.what.worst_prior": "the chance before that can change most",
    "plots.rows.what.both_at_most": "the chance of being in the data with a value",
    "plots.rows.what.power_at_most": "the power of a test",
    "plots.rows.what.advantage_at_most": "the advantage of a test",
    "plots.rows.most": "For {number} of {rows} {things}, {what} is at most {edge} in 100",
    "plots.rows.most.all": "For at most {number} of {rows} {things}, {what} is {edge} in 100 or "
    "more",
    "plots.rows.least": "For {number} of {rows} {things}, {what} is at least {edge} in 100",
    "plots.rows.least.all": "For at most {number} of {rows} {things}, {what} is {edge} in 100 or "
    "less",
    "plots.rows.limit": "limit: {limit} in 100",
    "plots.rows.limit.most": "For at most {number} of {rows} {things}, {what} exceeds {limit} in "
    "100",
    "plots.rows.limit.least": "For at least {number} of {rows} {things}, {what} exceeds {limit} "
    "in 100",
    "plots.rows.limit.none": "For all {rows} {things}, {what} is at most {limit} in 100",
    "plots.rows.unread": "{said} {rows} more could not be read.",
    "plots.rows.over": "yes",
    "plots.rows.rows": "rows",
    "plots.rows.rows.people": "people",
    "plots.rows.no-bound": "no bound",
    "plots.rows.not-read": "not read",
    "plots.rows.seen": "Bar chart of the number of {things}, a bar for each ten in 100, the "
    "highest at the top.",
    "plots.icons.title": "From {before} to {after}",
    "plots.icons.one": "An array of {of} circles, filled from the top left.",
    "plots.icons.several": "{number} arrays side by side, of {of} circles each, filled from the "
    "top left.",
    "plots.icons.case": "{name}: {words}.",
}
