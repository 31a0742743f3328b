"""Consequences: what a reader can conclude, from which start, with the record and without it."""

from __future__ import annotations

from typing import Final

HEADLINE: Final = {
    "headline.before": "Suppose {observer} knows {known}. Before seeing the results, they think "
    "there is a {before} chance that {claim}.",
    "headline.named": "Suppose {observer} can see {known}. Before seeing the results, they think "
    "there is a {before} chance that {claim}.",
    "headline.after.plain": "The published results can raise that chance {up}.",
    "headline.same.plain": "The published results cannot change that chance.",
    "headline.always.plain": "This limit holds whatever the results show.",
    "headline.mostly.plain": "The noise is random: this limit holds in at least {confidence} of "
    "100 cases.",
    "headline.after": "{Sure}, the chance afterwards is {ends}.",
    "headline.nearly-all": "There is almost no limit. The chance {open}.",
    "headline.same": "{Sure}, that chance stays the same.",
    "headline.without": "If they knew that the release did not use {data}, the results would not "
    "change that chance.",
}

BELIEFS: Final = {
    "beliefs.fall.plain": "The chance can also fall. From {before}, it is still {least} "
    "afterwards.",
    "beliefs.open.plain": "From {starts}, there is almost no limit either.",
    "beliefs.always.plain": "These limits hold whatever the results show.",
    "beliefs.mostly.plain": "The noise is random: these limits hold in at least {confidence} of "
    "100 cases.",
    "beliefs.more.plain": "From {before}, the chance afterwards is {ends}.",
    "beliefs.still.plain": "From {before}, the chance does not change.",
    "beliefs.any.plain": "Whatever the starting point, the chances before and after differ by "
    "{points}.",
    "beliefs.any-still.plain": "From any starting point, the chance does not change.",
    "beliefs.largest.plain": "The largest change is for someone who starts {up}.",
    "beliefs.largest-apart.plain": "The largest rise is for someone who starts {up}, and the "
    "largest fall for someone who starts {down}.",
    "beliefs.more": "From a prior of {before}, the posterior is {ends}.",
    "beliefs.nearly-all.plain": "From {before}, there is almost no limit. The chance {open}.",
    "beliefs.nearly-all": "From a prior of {before}, there is almost no limit. The chance {open}.",
    "beliefs.sure": "The limits below hold {sure}.",
    "beliefs.still": "From a prior of {before}, the chance does not change.",
    "beliefs.certain": "Someone who starts at {before} is already certain, so nothing changes.",
    "beliefs.any": "From any prior, the chance changes by {points}.",
    "beliefs.any-still": "From any prior, the chance does not change.",
    "beliefs.largest": "The largest change is from a prior {up}.",
    "beliefs.largest-apart": "The largest rise is from a prior {up}, and the largest fall from a "
    "prior {down}.",
    "beliefs.factor": "The posterior is at least {least} times the prior and at most {most} times "
    "the prior. The ratio comes close to these limits only for priors near 0.",
    "bound.exact": "exact worst case",
    "bound.upper": "upper bound",
}

ANY_READER: Final = {
    "any-reader.other.plain": "The limit above is for someone who knows {known}. The next limit "
    "is looser. It holds for anyone, whatever they know, and concerns what your data say.",
    "any-reader.before.resampled.plain": "Imagine {data} replaced by invented data, drawn at "
    "random to resemble other people's. Suppose the results then suggest a {before} chance that "
    "{claim}.",
    "any-reader.before.dropped.plain": "Imagine results made without {data}. Suppose they suggest "
    "a {before} chance that {claim}.",
    "any-reader.after.plain": "With {data}, the results can raise that chance {up}.",
    "any-reader.always.plain": "This limit holds whatever the results show, even for someone "
    "whose beliefs are wrong.",
    "any-reader.other.dropped": "The limits above are for an adversary who knows {known} and asks "
    "whether {about}. The next limit is for any adversary, and is about a value of the record. "
    "This limit is looser because including one record can make the results more likely if the "
    "record has this value and, at the same time, less likely if it does not.",
    "any-reader.other.resampled": "The limits above are for an adversary who knows {known}. The "
    "next limit is looser because it holds for any adversary.",
    "any-reader.before.resampled": "Under replace-one neighbors, the number of records is public. "
    "The comparison is with results made from a substitute instead of {data}. The substitute is "
    "drawn at random, given the other records. Suppose results made with the substitute suggest a "
    "{before} chance that {claim}.",
    "any-reader.before.dropped": "Suppose results made without {data} suggest a {before} chance "
    "that {claim}.",
    "any-reader.after": "Results made with the record can raise that chance {up}.",
    "any-reader.always": "This limit holds for every result and every adversary, even one whose "
    "beliefs are wrong.",
    "any-reader.why-not": "There is no limit for an adversary who may be wrong about the other "
    "records. Only pure DP, which has no exceptions, limits how far one record can move that "
    "adversary's beliefs.",
}

VALUE: Final = {
    "value.other.plain": "The limit above is about whether your data were used. The next limit is "
    "about what your data say. It is looser because it compares your data with other data in "
    "their place. That takes two steps: taking your data out and putting other data in.",
    "value.before.plain": "Suppose someone knows {known}, and knows that {about}. They think "
    "there is a {before} chance that {claim}.",
    "value.other": "The limits above are about whether {about}. Learning a value of the record is "
    "a different question. Its limits are looser because changing a value takes two steps: taking "
    "one record out and putting another in.",
    "value.before": "Suppose an adversary knows {known} and that {about}. They think there is a "
    "{before} chance that {claim}.",
}
