"""What stands on a figure, beside it and in place of it."""

from __future__ import annotations

from typing import Final

__all__ = ["TEXTS"]

TEXTS: Final[dict[str, str]] = {
    "plots.nothing-learned": "nothing learned",
    "plots.at-most": "at most {value}",
    "plots.axis.prior": "belief before the release (prior)",
    "plots.axis.posterior": "belief after the release\n(at most, at least)",
    "plots.axis.ratio": "belief after / belief before\n(at most, at least)",
    "plots.axis.difference": "belief after − belief before\n(at most, at least)",
    "plots.axis.tolerated": "posterior / prior\ntolerated at most",
    "plots.axis.largest": "largest ε (nats)",
    "plots.axis.releases": "number of releases",
    "plots.axis.belief": "belief after, at most (prior {prior})",
    "plots.axis.change": "largest change of belief, at most",
    "plots.axis.noise": "standard deviation of the noise\n(units of the answer)",
    "plots.axis.belief-held": "belief after, at most{held}",
    "plots.axis.epsilon": "ε in all, at most (nats),\nat δ = {at_most}",
    "plots.axis.output": "output",
    "plots.axis.probability": "probability",
    "plots.axis.density": "density",
    "plots.area.off": " (off the scale)",
    "plots.area.one": "one dataset",
    "plots.area.neighbor": "its neighbor",
    "plots.area.scaled": "its neighbor, times e^{epsilon}{off}",
    "plots.area.delta": "δ: {delta}\nat most",
    "plots.area.most": "What sticks out above the other distribution times e^{epsilon} is delta: "
    "at most {delta} in all.",
    "plots.area.none": "Nothing sticks out above the other distribution times e^{epsilon}.",
    "plots.area.seen-steps": "Step chart of the probabilities of an output on two "
    "neighboring datasets, and of the one scaled up; the part of the other above it is hatched.",
    "plots.area.seen-lines": "Line chart of the densities of an output on two "
    "neighboring datasets, and of the one scaled up; the part of the other above it is hatched.",
    "plots.beliefs.seen": "Line chart of the belief after a release against the belief before it, "
    "both from 0 to 1, with an upper and a lower bound around the diagonal on which nothing is "
    "learned.",
    "plots.beliefs.towards": "prior towards 0:\n{at_most} at most",
    "plots.beliefs.seen-ratio": "Line chart, on a logarithmic scale, of the ratio of belief after "
    "a release to belief before it, for priors from 0 to 1, with an upper bound above 1 and a "
    "lower bound below.",
    "plots.beliefs.seen-opposite": " Thinner lines are the same for the belief that the secret is "
    "not so.",
    "plots.beliefs.opposite": "{name}, not so",
    "plots.beliefs.seen-difference": "Line chart of belief after a release minus belief before "
    "it, for priors from 0 to 1: an upper bound that rises from 0 and falls back to 0, and a "
    "lower bound, its mirror image.",
    "plots.beliefs.worst": "worst prior,\nabout {at}:\n{most} at most",
    "plots.beliefs.worst-change": "worst prior, about {at}:\n{most} at most",
    "plots.beliefs.half": "a belief of 0.5 becomes at most {half}, and {rise}",
    "plots.beliefs.endless": "without a limit below 1e308",
    "plots.beliefs.ratio": "belief after over belief before is at most {half} at a prior of 0.5 "
    "and {every} over every prior, towards which it grows as the prior goes to 0",
    "plots.beliefs.rise": "no belief rises by more than {most}, from a worst prior of about {at}",
    "plots.budgets.seen-profile": "Line of the ratio tolerated against the {along}, coloured by "
    "the largest epsilon that keeps it at each point: dark is small, light is large, dotted is "
    "without a limit.",
    "plots.budgets.unlimited": "nothing is limited",
    "plots.budgets.binds-here": "binds here:\n{allowed}",
    "plots.budgets.seen-map": "Map of the largest epsilon over membership prior (across) and "
    "value prior (up), both from 0 to 1: dark is small, light is large, hatched is without a "
    "limit.",
    "plots.budgets.no-limit": "no limit",
    "plots.budgets.binds": "binds at {at}:\n{allowed}",
    "plots.budgets.none": "no ε is enough",
    "plots.budgets.largest": "largest ε {value}",
    "plots.budgets.every": "Every epsilon keeps the profile: {reason}",
    "plots.budgets.no-epsilon": "No epsilon keeps the profile: {reason}",
    "plots.budgets.alike": "at every prior alike",
    "plots.budgets.at": "at {binding}",
    "plots.budgets.keeps": "The largest epsilon that keeps the whole profile is {epsilon}; it "
    "binds {where}.",
    "plots.ladder.seen": "Line chart of {what} against the number of releases, {first} to {last}, "
    "one line for each of {number} theorems; the vertical axis starts at {lowest}.",
    "plots.ladder.seen.one": "Line chart of {what} against the number of releases, {first} to "
    "{last}, one line for each of {number} theorem; the vertical axis starts at {lowest}.",
    "plots.ladder.limit": "limit {limit}",
    "plots.ladder.beliefs": "the largest belief after the releases, starting from {prior},",
    "plots.ladder.changes": "the largest change of any belief",
    "plots.ladder.belief": "After {number} releases a belief of {prior} becomes at most {value}",
    "plots.ladder.belief.one": "After {number} release a belief of {prior} becomes at most {value}",
    "plots.ladder.change": "After {number} releases no belief has changed by more than {value}",
    "plots.ladder.change.one": "After {number} release no belief has changed by more than {value}",
    "plots.ladder.best": " by the best bound shown ({name}).",
    "plots.ladder.none-exceeds": "{said} No bound exceeds {limit}.",
    "plots.ladder.first": " Of the bounds shown, the first to exceed {limit} does so at release "
    "{early}",
    "plots.ladder.alone": "{said} ({name}).",
    "plots.ladder.never": "the best never does",
    "plots.ladder.later": "the best at release {last}",
    "plots.ladder.both": "{said} ({name}), {kept} ({name2}).",
    "plots.power.seen": "Line chart of the power of a test against its level, 0 to 1.",
    "plots.power.said": "The power of a test is {joined}.",
    "plots.power.seen-missed": "Line chart of the probability of a missed alarm against that of a "
    "false alarm, 0 to 1.",
    "plots.power.said-missed": "The probability of a missed alarm is {joined}.",
    "plots.power.advantage": "advantage\n{most} at most",
    "plots.lines.profile": "delta against epsilon",
    "plots.lines.tail": "the probability that the privacy loss exceeds epsilon, against epsilon",
    "plots.lines.larger-loss": "The probability of a larger loss",
    "plots.lines.ratio": "the probability that the belief with a person's record is more than "
    "e^epsilon times the belief without it, against epsilon",
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
    "plots.noise.nothing": "prior {prior}: nothing learned",
    "plots.noise.confidence": "\n(confidence {sure})",
    "plots.noise.seen": "Line chart of the largest belief after a release, starting from {prior}, "
    "against the standard deviation of the noise, {low} to {high}.",
    "plots.noise.one": "With noise of standard deviation {sd} a belief of {prior} becomes at most "
    "{most} ({name}).",
    "plots.noise.several": "With noise of standard deviation {sd} a belief of {prior} becomes at "
    "most {most}; with {last_sd}, at most {last} ({name}).",
    "plots.said.two-ends": "{what} is {joined}.",
    "plots.said.falls": "at most {at_most} at an epsilon of {where}",
    "plots.said.falls-to": "{start} and {at_most} at {where}",
    "plots.said.endless": "without a bound anywhere here",
    "plots.said.loss": "at most {loss} nats but for a probability of {failure}",
    "plots.said.loss-to": "{loss} but for {failure}",
    "plots.said.and": "{start} and {rest}",
    "plots.said.power": "at most {at_most} at a level of {at_least}",
    "plots.said.missed": "at least {value} where that of a false one is {level}",
    "plots.said.named": "{words} ({name})",
    "plots.totals.said": "After {releases} releases epsilon is at most {values}.",
    "plots.totals.seen": "Line chart of epsilon at most against the number of releases, "
    "{first} to {last}, at a delta of {delta}.",
    "plots.icons.one": "An array of {of} circles, filled from the top left.",
    "plots.icons.several": "{number} arrays side by side, of {of} circles each, filled from the "
    "top left.",
    "plots.icons.case": "{name}: {words}.",
    "plots.icons.most": "at most {chances}",
    "plots.icons.least": "at least {chances}",
    "plots.icons.more": "more than {chances}",
    "plots.icons.fewer": "fewer than {chances}",
    "plots.icons.possibly": "possibly {words}",
}
