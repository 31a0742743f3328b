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
    "headline.after": "{Sure}, the chance afterwards is {least} and {most}.",
    "headline.nearly-all": "This promise sets almost no limit: the chance afterwards could be "
    "anywhere from {least} to {most}.",
    "headline.same": "{Sure}, that chance stays the same.",
    "headline.without": "Results made without {data} would tell this person nothing new about "
    "this question.",
}

BELIEFS: Final = {
    "beliefs.fall.plain": "From {before}, the chance afterwards is {least}.",
    "beliefs.more.plain": "From {before}, the chance afterwards is {least} and {most}.",
    "beliefs.still.plain": "From {before}, the chance does not change at all.",
    "beliefs.certain.plain": "From {before}, which is certainty, nothing changes.",
    "beliefs.any.plain": "From any starting point, the chance can change by {points}.",
    "beliefs.any-still.plain": "From any starting point, the chance does not change.",
    "beliefs.largest.plain": "The largest change is for someone who starts {up}.",
    "beliefs.largest-apart.plain": "The largest rise is for someone who starts {up}, and the "
    "largest fall for someone who starts {down}.",
    "beliefs.more": "From {before}, the chance afterwards is {least} and {most}.",
    "beliefs.still": "From {before}, the chance does not change at all, {sure}.",
    "beliefs.certain": "From {before}, which is certainty, nothing changes.",
    "beliefs.any": "From any prior, the chance can change by {points}, {sure} ({bound}).",
    "beliefs.any-still": "From any prior, the chance does not change, {sure}.",
    "beliefs.largest": "The largest change is from a prior {up}.",
    "beliefs.largest-apart": "The largest rise is from a prior {up}, and the largest fall from a "
    "prior {down}.",
    "beliefs.factor": "The posterior is at least {least} and at most {most} times the prior. The "
    "ratio comes close to these limits only for priors near 0.",
    "bound.exact": "exact worst case",
    "bound.upper": "upper bound",
}

ANY_READER: Final = {
    "any-reader.other.plain": "The limit above is about whether {about}. It is for someone who "
    "knows {known}.",
    "any-reader.looser.plain": "The next limit is for any reader and any fact about you, so it is "
    "looser.",
    "any-reader.other": "The limits above are for a reader who knows {known} and asks whether "
    "{about}. The next limit answers a different question: it is about what the record contains, "
    "and it holds for any reader. So it is looser.",
    "any-reader.stand-in.plain": "The number of people is public here. So substitute data, drawn "
    "at random as other people's data suggest, replace your data.",
    "any-reader.stand-in": "Under replace-one neighbors the number of records is public. So a "
    "substitute, drawn at random given the other records, replaces {data}.",
    "any-reader.before.resampled.plain": "Suppose it then looks {before} likely that {claim}.",
    "any-reader.before.dropped.plain": "Imagine results made without {data}. Suppose it then "
    "looks {before} likely that {claim}.",
    "any-reader.after.plain": "With {data}, the results can raise that chance {up}.",
    "any-reader.always.plain": "This limit holds for every result and every reader, whatever they "
    "know or believe.",
    "any-reader.before.resampled": "Suppose the results then lead a reader to a probability of "
    "{before} that {claim}.",
    "any-reader.before.dropped": "Suppose results made without {data} lead a reader to a "
    "probability of {before} that {claim}.",
    "any-reader.after": "With {data}, the results can lead the same reader {up}.",
    "any-reader.always": "This limit holds for every result and every reader, even one whose "
    "beliefs are wrong.",
    "any-reader.why-not": "This promise sets no limit for a reader who may be wrong about the "
    "other records. Only a promise without exceptions (pure DP) would limit what that reader can "
    "come to believe.",
}
