"""Decisions: what many releases add up to, and which limit to set."""

from __future__ import annotations

from typing import Final

__all__ = ["LIMITS", "TIME"]

TIME: Final = {
    "time.adds.plain": "Each time such results are published about you, more may be learned.",
    "time.start.plain": "Say that the chances were {before} before the first release.",
    "time.after.one.plain": "After {releases} release, they may have risen {up}.",
    "time.after.plain": "After {releases} releases, they may have risen {up}.",
    "time.same.plain": "However often such results are published, they do not move.",
    "time.same.full": "However often such results are published, the chances stay at {before}.",
    "time.none.one.plain": "After {releases} release, no such limit is left.",
    "time.none.plain": "After {releases} releases, no such limit is left.",
    "time.top.plain": "There, the limit rules out hardly anything.",
    "time.adds.full": "Releases about the same data add up. What follows is for noise that is "
    "drawn anew each time; later releases may depend on earlier ones.",
    "time.after.one.full": "After {releases} such release, the chances may rise from {before} "
    "{up} ({sure}).",
    "time.after.full": "After {releases} such releases, the chances may rise from {before} {up} "
    "({sure}).",
    "time.none.one.full": "After {releases} such release, no limit is left that holds with the "
    "confidence asked for.",
    "time.none.full": "After {releases} such releases, no limit is left that holds with the "
    "confidence asked for.",
    "time.rule.formal": "Composed by {theorem}: {says}.",
    "time.unit.full": "This counts releases about the same {unit}. About a person who "
    "contributes several, more can be learned.",
}

LIMITS: Final = {
    "limits.who.plain": "Whoever makes the results chose the limit. A lower one would take more "
    "noise, and the results would be less exact.",
    "limits.order.full": "Decide first how far a belief may move, and from where; the privacy "
    "loss limit follows. A lower one takes more noise, so look at the accuracy beside it.",
    "limits.kept.full": "As it stands, the release keeps any limit of {chances} or more on a "
    "belief that starts at {before} ({sure}), and no lower whole number is promised.",
    "limits.top.full": "As it stands, the release promises no limit of 99 in 100 or less on a "
    "belief that starts at {before}.",
    "limits.bottom.full": "As it stands, a belief that starts at {before} stays below 1 in 100 "
    "({sure}).",
    "limits.yes.full": "The limit of {limit} on the {metric} is kept: the release promises at "
    "most {most}{where}.",
    "limits.no.full": "The limit of {limit} on the {metric} is not kept: what the release "
    "promises is at most {most}{where}, which is more.",
    "limits.where": ", at a belief of {prior} before",
    "limits.loss.full": "To keep a belief that starts at {prior} from rising above {limit}, the "
    "log-odds may move by up to {loss} ({theorem}). Of the beliefs asked about, this is where "
    "the limit binds.",
    "limits.pure.full": "For a promise that holds for every result, that is the largest ε "
    "between the two possibilities.",
    "limits.halved.full": "Another value is two steps away under add-remove, so half of it is "
    "left for one step.",
    "metric.posterior": "belief after",
    "metric.difference": "change of belief",
    "metric.ratio": "ratio of beliefs",
    "metric.ratio_not": "ratio of beliefs in the opposite",
    "metric.odds": "factor on the odds",
}
