"""Budgets: what a limit leaves open, why there is none, and what errors advise."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, str]] = {
    # assumptions
    "budget.adaptive": "Each release may be chosen after seeing the earlier ones. The noise of "
    "each is independent.",
    "budget.later": "The numbers hold for the outputs and for anything computed from them.",
    "budget.profile.certain": "The ratios are kept with certainty.",
    "budget.profile.mostly.known": "The ratios are kept with probability at least {chance} over "
    "the mechanism's random choices, whether the person is in the data or not. The adversary is "
    "right about the other records.",
    "budget.profile.mostly.in": "The ratios are kept with probability at least {chance} over the "
    "mechanism's random choices, whether the person has the value or another one. The adversary "
    "is right about the other records.",
    "budget.profile.mostly.any": "At each pair of priors, the ratio is kept with probability at "
    "least {chance} over the mechanism's random choices, whichever is true: the person is in the "
    "data with the value, with another value, or not in the data. The adversary is right about the "
    "other records.",
    "budget.function.falling": "The tolerated ratio never rises with either prior.",
    "budget.function.certain": "Adversaries who are certain of both before the release, to within "
    "1e-9, are left out.",
    "budget.table.least": "Between the points of the table, the least ratio of the points around "
    "holds.",
    "budget.table.harmonic": "Between the points of the table, 1/r* changes linearly along either "
    "prior.",
    # what a limit leaves open
    "budget.open.confidence": "With a probability of at most {rest}, a belief may move further, "
    "without a limit.",
    "budget.open.epsilon": "(epsilon, delta)-DP does not limit directly what an adversary may "
    "learn. It bounds beliefs only with a confidence below one minus delta.",
    "budget.open.epsilon.pure": "A limit on ε is a limit on odds. What it means for a belief "
    "depends on the prior.",
    "budget.open.prior": "The limit covers a prior of {prior} only.",
    "budget.open.higher": "The limit covers priors of {prior} and below. From a higher prior, "
    "the belief may rise above the limit.",
    "budget.open.ratio": "From a prior of {start} on, the belief may reach 1.",
    "budget.open.membership": "The limit does not cover what someone learns about a value of the "
    "record if the person is known to be in the data.",
    "budget.open.advantage": "An advantage says little about tests with rare alarms. After such "
    "an alarm, a belief may move far.",
    "budget.open.bayes_risk": "A Bayes risk is about guesses from a prior of {prior}, on average "
    "over results. After some results, a guess may be surer.",
    "budget.open.power": "Power is limited at the level {level} only.",
    "budget.open.predictive_value": "Alarms are limited at the level {level} and higher ones "
    "only, and for a prior of {prior}. The alarm of a test with a lower level says more.",
    "budget.open.counterfactual": "The limit covers what follows from the person's own record, "
    "not what follows from other people's records.",
    "budget.open.no-alarms": "A test without false alarms has no power under any epsilon, so this "
    "limits nothing.",
    "budget.open.posterior": "A posterior limit of 1 limits nothing.",
    "budget.open.prior.membership": "Nothing is limited at any membership prior but {at}.",
    "budget.open.prior.value": "Nothing is limited at any value prior but {at}.",
    "budget.open.span.membership": "Nothing is limited at membership priors below {low} or above "
    "{high}.",
    "budget.open.span.value": "Nothing is limited at value priors below {low} or above {high}.",
    "budget.open.below.membership": "Nothing is limited at membership priors below {low}.",
    "budget.open.below.value": "Nothing is limited at value priors below {low}.",
    "budget.open.upto.membership": "Nothing is limited at membership priors above {high}.",
    "budget.open.upto.value": "Nothing is limited at value priors above {high}.",
    "budget.open.all.ratio": "A ratio of {most} limits nothing: every one of these priors may "
    "reach 1.",
    "budget.open.all.gain": "A gain of {most} limits nothing: every one of these priors may reach "
    "1.",
    "budget.open.from.ratio": "A ratio of {most} limits nothing where the prior belief "
    "(membership times value) is {start} or more: the posterior may reach 1 there.",
    "budget.open.from.gain": "A gain of {most} limits nothing where the prior belief (membership "
    "times value) is {start} or more: the posterior may reach 1 there.",
    "budget.open.function": "At {count} of {of} pairs of priors that were checked, the ratio lets "
    "the posterior reach 1: nothing is limited there.",
    "budget.open.table": "At {count} of the {of} points of the table, the ratio lets the "
    "posterior reach 1: nothing is limited there.",
    "budget.open.unless": "Unless another limit covers it ({number} of {of}): {said}",
    # why there is no number
    "budget.above": "Even a release that reveals nothing gives {silent}, above the limit of "
    "{most}: no budget keeps the limit.",
    "budget.only-silence": "Only a release that reveals nothing keeps the limit: no budget "
    "above 0 does.",
    "budget.infinite": "The limit is infinite: every budget keeps it.",
    "budget.certainty-keeps": "Even certainty would keep the limit: every budget does.",
    "budget.spent": "Earlier releases already break the limit: nothing is left to spend.",
    "budget.delta-breaks.once": "A delta of {delta} breaks the limit at any epsilon: with about "
    "that probability, an output may reveal everything. Give a smaller delta, or less confidence.",
    "budget.delta-breaks.times": "A delta of {delta} in each of {number} releases breaks the "
    "limit at any epsilon: with about that probability, an output may reveal everything. Give a "
    "smaller delta, or less confidence.",
    "budget.at-delta-breaks": "Read at the one delta of {delta}, no budget keeps the limit. Give "
    "another delta, or leave it out.",
    "budget.noise.none": "No amount of noise is enough: only a release that reveals nothing keeps "
    "the limit.",
    "budget.noise.spent": "Earlier releases leave nothing to spend, whatever the noise.",
    "budget.training.one": "one of noise_multiplier, steps and batch_size (or sample_rate) that is "
    "left out",
    "budget.training.one.fix": "The one that is left out is solved for.",
    "budget.training.epochs": "left out where the batch is solved for",
    "budget.training.epochs.fix": "Give steps instead: the epochs change with the batch.",
    "budget.training.none.noise_multiplier": "No amount of noise is enough: only a run that "
    "reveals nothing keeps the limit.",
    "budget.training.none.steps": "Even a single step breaks the limit. Add noise, or take smaller "
    "batches.",
    "budget.training.none.batch_size": "Even batches of a single record break the limit. Add "
    "noise, or take fewer steps.",
    "budget.training.none.sample_rate": "Even the smallest rate breaks the limit. Add noise, or "
    "take fewer steps.",
    "budget.training.every.noise_multiplier": "The limit is kept with hardly any noise.",
    "budget.training.every.steps": "More than 10^9 steps keep the limit.",
    "budget.training.every.batch_size": "Batches of all records keep the limit.",
    "budget.training.every.sample_rate": "Batches of all records keep the limit.",
    "budget.silent": "These releases reveal nothing, however many there are.",
    "budget.more-than": "More than {number} releases keep the limit.",
    "budget.not-one-more": "The next release takes the bound above the limit.",
    "budget.reaches-one": "Wherever there is a limit, it lets the posterior reach 1: every "
    "epsilon keeps it.",
    "budget.no-priors": "No pair of priors is covered by all of the limits: every epsilon keeps "
    "them.",
    "budget.guess": "A test that guesses does better than the limit, so no epsilon keeps it.",
    "budget.binds.below": "At {binding} the tolerated ratio is {ratio}, below 1: the belief "
    "exceeds what is tolerated even before anything is released.",
    "budget.binds.at-one": "At {binding} the tolerated ratio is {ratio}, no more than 1: nothing "
    "may be learned there, and no epsilon above 0 keeps that.",
    "budget.binding": "{membership} and {value}",
    "budget.binding.at.membership": "membership prior {at}",
    "budget.binding.at.value": "value prior {at}",
    "budget.binding.towards.membership": "membership prior towards 0",
    "budget.binding.towards.value": "value prior towards 0",
    # what errors advise
    "budget.by-rule": "each release is counted by the rule of an account",
    "budget.on-delta.unknown": "Whether δ = {delta} is small enough depends on the number of "
    "people, which is not given (--people).",
    "budget.on-delta.once": "δ × people is {expected}, for {people} people and δ = {delta}: on "
    "average, at most that many people's records may be revealed.",
    "budget.on-delta.times": "δ × people is {expected}, for {people} people and δ = {delta} in "
    "each of {number} releases: on average, at most that many people's records may be revealed.",
    "budget.on-delta.before": "Together with the δ of what was spent before, it is {expected}.",
    "budget.on-delta.many": "That is not small. A method that now and then publishes someone's "
    "record can keep this promise. Choose a δ far below one in {people}.",
    # files
    "budget.file.number": "{hint} Write a number, such as 0.05 or 3; inf stands for no limit.",
}
