"""Consequences: what a reader can conclude, from which start, with the record and without it."""

from __future__ import annotations

from typing import Final

__all__ = ["ANY_READER", "BELIEFS", "HEADLINE"]

HEADLINE: Final = {
    "headline.before.plain": "Suppose someone knows {known}. They think there is a {before} chance "
    "that {claim}.",
    "headline.named.plain": "Suppose {observer} can see {known}. They would say there is a "
    "{before} chance that {claim}.",
    "headline.after.plain": "The published results can raise that chance {up}.",
    "headline.nearly-all.plain": "This promise sets almost no limit: the results can raise that "
    "chance {up}.",
    "headline.same.plain": "The published results cannot change that chance.",
    "headline.always.plain": "This limit holds for every result.",
    "headline.mostly.plain": "The noise is random: this limit holds in at least {confidence} of "
    "100 cases.",
    "headline.before": "Suppose someone knows {known} and thinks there is a {before} chance that "
    "{claim}.",
    "headline.named": "Suppose {observer} can see {known}, and would say there is a {before} "
    "chance that {claim}.",
    "headline.after": "The results can raise that chance {up} or lower it {down}, {sure}.",
    "headline.nearly-all": "This promise sets almost no limit: the results can raise that chance "
    "{up} or lower it {down}, {sure}.",
    "headline.same": "The results cannot change that chance, {sure}.",
    "headline.without": "Without {data}, the results would tell this reader nothing new.",
}

BELIEFS: Final = {
    "beliefs.fall.plain": "From {before}, the chance can also fall {down}.",
    "beliefs.more.plain": "From {before}, the chance can rise {up} or fall {down}.",
    "beliefs.still.plain": "From {before}, the chance does not change at all.",
    "beliefs.certain.plain": "From {before}, which is certainty, nothing changes.",
    "beliefs.any.plain": "From any starting point, the chance can change by {points}.",
    "beliefs.any-still.plain": "From any starting point, the chance does not change.",
    "beliefs.largest.plain": "The largest change is for someone who starts {up}.",
    "beliefs.largest-apart.plain": "The largest rise is for someone who starts {up}, and the "
    "largest fall for someone who starts {down}.",
    "beliefs.more": "From {before}, the chance can rise {up} or fall {down}.",
    "beliefs.still": "From {before}, the chance does not change at all, {sure}.",
    "beliefs.certain": "From {before}, which is certainty, nothing changes.",
    "beliefs.any": "From any prior, the chance can change by {points}, {sure} ({bound}).",
    "beliefs.any-still": "From any prior, the chance does not change, {sure}.",
    "beliefs.largest": "The largest change is from a prior {up}.",
    "beliefs.largest-apart": "The largest rise is from a prior {up}, and the largest fall from a "
    "prior {down}.",
    "beliefs.factor": "The posterior is at most {most} times the prior and at least {least} times "
    "the prior. These ratios are only approached by priors near 0.",
    "bound.exact": "exact worst case",
    "bound.upper": "upper bound",
}

ANY_READER: Final = {
    "any-reader.other.plain": "The limit above is about whether {about}. The person who asks knows "
    "{known}.",
    "any-reader.looser.plain": "The next limit is for any reader and any fact about you, so it is "
    "looser.",
    "any-reader.other": "The limits above are for a reader who knows {known} and asks whether "
    "{about}. The next limit answers another question: it is for any reader and any fact about "
    "the record, so it is looser.",
    "any-reader.stand-in.plain": "The number of people is public here. So a stand-in, drawn from "
    "what other people's data say about you, replaces your data.",
    "any-reader.stand-in": "Under replace-one neighbors the number of records is public. So a "
    "stand-in, drawn from what the other records say, replaces {data}.",
    "any-reader.before.resampled.plain": "Suppose the chance is then {before} that {claim}.",
    "any-reader.before.dropped.plain": "Leave out {data}. Suppose the chance is then {before} that "
    "{claim}.",
    "any-reader.after.plain": "With {data}, the results can raise that chance {up}.",
    "any-reader.always.plain": "This limit holds for every result and every reader, whatever they "
    "know or believe.",
    "any-reader.before.resampled": "Suppose the results then lead a reader to a {before} chance "
    "that {claim}.",
    "any-reader.before.dropped": "Leave out {data}. Suppose the results then lead a reader to a "
    "{before} chance that {claim}.",
    "any-reader.after": "With {data}, the results can lead the same reader {up}.",
    "any-reader.always": "This holds for every result and every reader, whatever they know or "
    "believe, rightly or wrongly.",
    "any-reader.why-not": "There is no limit of this kind for a reader who may be wrong about the "
    "other records. Only a promise without exceptions limits how far they can be misled.",
}
