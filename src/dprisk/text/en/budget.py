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
    "budget.profile.mostly.any": "The ratios are kept with probability at least {chance} over the "
    "mechanism's random choices. The belief may be right, or wrong in a way the adversary expects. "
    "The adversary is right about the other records.",
    "budget.function.falling": "The tolerated ratio never rises with either prior.",
    "budget.function.bending": "The second derivatives of one over the tolerated ratio stay "
    "within {bending}.",
    "budget.function.breaks": "The second derivatives of one over the tolerated ratio stay within "
    "{bending} between its breaks.",
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
    # other rules
    "budget.rule.profile": "this profile",
    "budget.rule.profile.for": "any mechanism, and every pair of priors that the profile covers",
    "budget.rule.naive": "half the logarithm of the ratio",
    "budget.rule.naive.for": "any mechanism, at every prior, whatever the posterior",
    "budget.rule.lee": "Lee and Clifton without their factor",
    "budget.rule.lee.for": "any mechanism; only the question of which member of the population was "
    "left out, at this prior",
    "budget.rule.scaled": "Lee and Clifton with their factor",
    "budget.rule.scaled.for": "Laplace noise, this statistic and this population only, all of it "
    "public",
    "budget.rule.wood": "Wood et al.",
    "budget.rule.wood.for": "any mechanism; any claim about a person, results with the "
    "data against results without",
    # what is refused
    "budget.not-certain.promise": "A promise of {name} bounds the privacy loss only up to a "
    "probability, so nothing certain follows from it.",
    "budget.not-certain.promise.confidence": "Say with which confidence the limit has to be kept, "
    "such as 0.99.",
    "budget.not-certain.promise.delta": "Limit ε at a δ above 0, such as 1e-6, and above any δ "
    "that is promised.",
    "budget.not-certain.noise": "The privacy loss of {name} noise has no largest value, so "
    "nothing certain follows from it.",
    "budget.not-certain.noise.confidence": "Say with which confidence the limit has to be kept, "
    "such as 0.99, or take geometric or Laplace noise.",
    "budget.not-certain.noise.delta": "Limit ε at a δ above 0, such as 1e-6, or take geometric or "
    "Laplace noise.",
    "budget.refused.every": "A limit on the {metric} is about every {name}: leave it out.",
    "budget.refused.replace-one": "A risk profile asks whether the person is in the data and has "
    "some value. Under replace-one neighbors every dataset has the same size, so a guarantee of "
    "that kind does not limit learning who is in it. Give a guarantee for add-remove neighbors, "
    "or limit what is learned about an attribute (secret=attribute).",
    "budget.refused.fixed": "Power at a level and counterfactual ratios in a profile are read as "
    "limits on the epsilon of pure DP. Ask about pure DP and leave out the confidence, or limit "
    "the power itself (AttackLimit).",
    # what errors advise
    "budget.advanced": "given for the advanced rule",
    "budget.advanced.fix": "Advanced composition costs a delta: give it, such as 1e-6.",
    "budget.fix.belief": "A belief of 0 never moves; write 1 in 100 as 0.01.",
    "budget.fix.bending": "Give a larger bound, or name the breaks.",
    "budget.function.between": "true where bending is not given",
    "budget.function.between.fix": "State falling=True, or a bound on how sharply 1/r* bends, "
    "such as "
    "bending=100.",
    "budget.noise.promises": "pure, approximate, Gaussian or Laplace DP, or zCDP",
    "budget.noise.promises.fix": "Ask calibrate for the noise that keeps a limit.",
    "budget.fix.certain": "A belief of 0 or 1 never moves: there is nothing to limit.",
    "budget.clauses": "at most {most} combinations",
    "budget.clauses.fix": "Put fewer tables and AllOf inside AnyOf.",
    "budget.fix.compared": "Such as 0.25 for one in four.",
    "budget.fix.delta": "There is no confidence to choose one from: give it, such as 1e-6.",
    "budget.factor": "one that tells people apart",
    "budget.factor.fix": "This statistic never changes when someone is left out: there is no "
    "factor.",
    "budget.fix.falling": "Say falling=False and give a bound on bending, or restrict the priors "
    "to where the ratio falls.",
    "budget.grid": "a whole grid",
    "budget.grid.fix": "Every membership prior needs one ratio at every value prior; write inf "
    "for no limit.",
    "budget.fix.infinite": "Return numpy.inf where nothing is limited, or leave these priors out.",
    "budget.limits": "a list of limits",
    "budget.limits.fix": 'Such as AttackLimit("power", 0.2, level=0.05).',
    "budget.noise.more": "one that some noise keeps",
    "budget.noise.more.fix": "Give more budget.",
    "budget.no-delta": "left out: no δ is chosen for {definition}",
    "budget.no-delta.fix": "Only approximate DP has a δ for each release: ask for approximate, or "
    "leave this out.",
    "budget.fix.one": "A limit on the {metric} is about one {name}: give it, such as {such}.",
    "budget.own-loss": "composed by the best rule, at every delta",
    "budget.own-loss.fix": "Noise is calibrated to its own privacy loss; ask largest_budget about "
    "rules.",
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
    "budget.people": "3 to {most} people",
    "budget.people.fix": "Give the value of each person.",
    "budget.fix.posterior": "A posterior depends on the belief before: give it, such as 0.1.",
    "budget.profiles": "a list of at least one profile",
    "budget.profiles.fix": "Such as [RatioLimit(3.0), PosteriorLimit(0.1)].",
    "budget.rows": "rows of three numbers",
    "budget.rows.fix": "Give rows of membership prior, value prior and ratio.",
    "budget.fix.span": "Give one prior such as 0.05, or the least and the largest such as (0, "
    "0.1).",
    "budget.file.written": "limits, tables and combinations of them",
    "budget.file.written.fix": "Write a table of its values instead: RatioTable never loosens "
    "between "
    "its points.",
    "budget.grid.none": "none at {pair}",
    "budget.grid.two": "two at {pair}",
    "budget.function": "a function of two priors",
    "budget.function.ratio": "the ratio at priors {at}",
    "budget.function.rises": "False here",
    "budget.function.rises.membership": "The ratio rises with the membership prior beyond {at}. "
    "{fix}",
    "budget.function.rises.value": "The ratio rises with the value prior beyond {at}. {fix}",
    "budget.function.bends.membership": "larger: 1/r* bends more sharply along the membership "
    "prior",
    "budget.function.bends.value": "larger: 1/r* bends more sharply along the value prior",
    "budget.a-profile": "a Profile, such as RatioLimit(3.0)",
    "budget.span": "one prior, or a pair (least, largest) above 0",
    "budget.noise.kinds": "noise: one of {names}",
    "budget.no-mechanism": "There is no mechanism to run: {reason}",
    "budget.no-epsilon": "There is no largest epsilon here: {reason}",
    "budget.search": "a budget",
    "budget.search.epsilon": "the largest epsilon",
    # files
    "budget.file.number": "{hint} Write a number, such as 0.05 or 3; inf stands for no limit.",
    "budget.file.span": "It must be one prior, or the least and the largest.",
    "budget.file.span.fix": "Write [0, 0.1] for all priors up to 0.1.",
    "budget.file.several": "It must have one of {heads}, got {got}.",
    "budget.file.several.fix": "Several limits stand in a list under `any_of` or `all_of`.",
    "budget.file.beside": "{wrong} has no meaning for {head}.",
    "budget.file.beside.fix": "Beside `{head}` stands {known}.",
    "budget.file.several.none": "none",
    "budget.file.beside.nothing": "nothing else",
    "budget.file.no-level": "level is missing.",
    "budget.file.no-level.fix": "Write the level of the test, such as level: 0.05.",
    "budget.file.empty": "It is empty.",
    "budget.file.empty.fix": "Describe a risk profile in it.",
    "budget.file.dprisk": "Add the line `dprisk: 1`, the version of the format.",
    "budget.file.profile": "Say what is tolerated, such as `profile: {{ratio: 3}}`.",
    "budget.file.row": "Write [membership prior, value prior, ratio].",
    "budget.file.too-long": "A row of the table is too long.",
    "budget.file.too-short": "A row of the table is too short.",
    "budget.file.missing": "{key} is missing.",
    "budget.file.add": "Add it.",
    "budget.file.unknown": "There is no key {key}.",
    "budget.file.known": "Known keys: {known}.",
    "budget.file.one-of": "{key} must be {expected}, got {got}.",
    "budget.file.choose": "Choose one of these.",
    "budget.file.list": "It must be a list, got {got}.",
    "budget.file.hyphen": "Start each item of it with a hyphen.",
    "budget.file.text": "It must be text, got {got}.",
    "budget.file.leave-out": "Write some text, or leave the key out.",
    "budget.file.keys": "It must contain keys and values, got {got}.",
    "budget.file.such-as": "Such as {{ratio: 3}}.",
    "budget.file.value": "{name} must be {allowed}, got {value}.",
    "budget.file.correct": "Correct the value.",
    "budget.file.documents": "It holds {count} documents where one profile is expected.",
    "budget.file.documents.fix": "Split it.",
    "budget.file.whole.fix": "See the format of profile files in the documentation.",
    "budget.file.whole": "It must contain keys and values, such as `profile: {{ratio: 3}}`.",
    "budget.file.ending": "A profile is written as YAML or JSON, not as {suffix}.",
    "budget.file.ending.fix": "Use the ending .yaml or .json.",
}
