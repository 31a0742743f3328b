"""Decisions: what many releases add up to, and which limit to set."""

from __future__ import annotations

from typing import Final

TIME: Final = {
    "time.adds.plain": "Each new release about you adds to what someone can learn.",
    "time.each.plain": "The numbers below assume that each release uses {data}. {differs}",
    "time.already.plain": "Even for this release alone, there is almost no limit. Further "
    "releases can only add to what someone can learn.",
    "time.same.plain": "However many results like these are published, the chance stays the same.",
    "time.after.plain": "{after}, a chance of {before} can rise to {up}.",
    "time.top": "{after}, almost no limit is left. From {before}, the chance is {up}.",
    "time.top.full": "{after}, almost no limit is left that holds {sure}: a chance of {before} can "
    "rise to {up}.",
    "time.none.plain": "{after}, no limit is left.",
    "time.adds.full": "Each release about the same people adds to what an adversary can learn. "
    "We assume that the noise of each release is independent. A later release may depend on "
    "earlier ones.",
    "time.already.full": "Even for this release alone, there is almost no limit on how far a "
    "chance of {before} can rise. Further releases can only add to what an adversary can learn.",
    "time.same.full": "However many results like these are published, a chance of {before} stays "
    "the same.",
    "time.after.full": "{after}, a chance of {before} can rise to {up}, {sure}.",
    "time.mostly.full": "In at least {confidence} of 100 cases, a stricter limit holds: {these} "
    "can raise a chance of {before} to {up}.",
    "time.none.full": "{after}, no limit holds with the confidence asked for.",
    "time.rule.formal": "The total over all releases follows from {theorem} ({says}).",
    "time.unit.full": "These numbers count one {unit} per release. An adversary can learn more "
    "about a person who contributes several.",
}

LIMITS: Final = {
    "limits.who.plain": "The publisher chose how much noise to add. More noise gives a stricter "
    "limit, but makes the results less accurate.",
    "limits.order.full": "First decide how far a belief may move, and from which prior. The "
    "privacy loss limit follows from that. A stricter limit needs more noise, so check the "
    "accuracy as well.",
    "limits.kept.full": "For a belief that starts at {before}, this release keeps any limit of "
    "{chances} or higher, {sure}.",
    "limits.top.full": "The release sets almost no limit on a belief that starts at {before}: it "
    "is possibly over {edge} afterwards.",
    "limits.bottom.full": "A belief that starts at {before} stays under {edge}, {sure}.",
    "limits.yes.full": "The limit of {limit} on the {metric} is kept: the release allows "
    "{most}{where}.",
    "limits.no.full": "The limit of {limit} on the {metric} is not kept: the release allows "
    "{most}{where}.",
    "limits.where": ", from a prior of {prior}",
    "limits.loss.full": "A belief that starts at {prior} cannot rise above {limit} if the "
    "log-odds change by at most {loss} ({theorem}). Of the priors asked about, this one sets the "
    "strictest limit.",
    "limits.pure.full": "Under pure DP, this loss is the largest ε allowed between the two "
    "possibilities.",
    "limits.halved.full": "Under add-remove neighbors, changing a value takes two steps, so each "
    "step may use half of this loss.",
    "metric.posterior": "posterior",
    "metric.difference": "change from prior to posterior",
    "metric.ratio": "ratio of posterior to prior",
    "metric.ratio_not": "ratio of posterior to prior for the opposite",
    "metric.odds": "factor on the odds",
}
