"""Consequences: with a record in the data, and without it."""

from __future__ import annotations

from typing import Final

__all__ = ["BELIEFS", "WITH_WITHOUT"]

WITH_WITHOUT: Final = {
    "with.known.plain": "Suppose that the data of everybody else are known to {observer}.",
    "with.known.full": "Suppose that every other record is known to {observer}. Results made "
    "without {data} then tell nothing new about it, and the belief stays where it was.",
    "with.before.plain": "Say that results made {without} would lead {observer} to put the "
    "chances that {claim} at {before}.",
    "with.before.full": "Say that results made {without} would lead {observer} to put the "
    "chances that {claim} at {before}.",
    "with.after.plain": "Results made with {data} may lead {observer} to put them {after}.",
    "with.after.full": "Results made with {data} may lead {observer} to put them {after} ({sure}).",
    "with.same.plain": "Results made with {data} do not move them at all.",
    "with.same.full": "Results made with {data} do not move them at all ({sure}).",
    "with.anybody.plain": "That limit holds for every result, and for anybody, whatever else "
    "they know or think.",
    "with.anybody.full": "That holds for every reader, whatever that reader knows or believes, "
    "rightly or wrongly. It compares the same results, read with the same beliefs.",
    "any-reader.other.plain": "The limits above are for somebody who knows the data of everybody "
    "else and asks whether {about}. The next one answers another question. It is for anybody, and "
    "about anything that your data may say. So it is looser.",
    "any-reader.other.full": "The limits above are for a reader who knows every other record, and "
    "who asks whether {about}. The next one answers another question. It is for every reader, and "
    "about anything that the record may say. So it is looser.",
    "with.always.plain": "That limit holds for every result.",
    "with.mostly.plain": "The noise is random: that limit holds in at least {confidence} of 100 "
    "cases. In the others, results may say more.",
    "with.why-not.full": "For a reader who may be wrong about the others there is no such "
    "limit: whoever is wrong about them may read results in ways that only a promise without "
    "exceptions can limit.",
    "without.dropped.plain": "without {data}",
    "without.resampled.plain": "with the stand-in",
    "without.replaced.plain": "with the made-up data",
    "without.dropped": "without {data}",
    "without.resampled": "with the stand-in",
    "without.replaced": "with the other record",
    "with.replaced.plain": "The number of people in the data is no secret here. So made-up data "
    "take the place of {data}.",
    "with.resampled.plain": "The number of people in the data is no secret here. So a stand-in "
    "takes the place of {data}. It is drawn from what other people's data say about you.",
    "with.resampled.full": "Under replace-one neighbors the number of records is public. So a "
    "stand-in takes the place of {data}, drawn from what the other records say about it.",
    "with.replaced.full": "Under replace-one neighbors the number of records is public. So "
    "another record takes the place of {data}.",
}

BELIEFS: Final = {
    "beliefs.first.plain": "Say that {observer} would put the chances that {claim} at {before}. "
    "The results may raise them {up}, or lower them {down}.",
    "beliefs.more.plain": "From {before}, the chances may rise {up}, or fall {down}.",
    "beliefs.still.plain": "From {before}, the chances do not move at all.",
    "beliefs.first.full": "Somebody who knows every other record and puts the chances that "
    "{claim} at {before} may raise them {up}, or lower them {down} ({sure}).",
    "beliefs.observer.full": "Say that every other record is known to {observer}, and the "
    "chances that {claim} are put at {before}. The results may raise them {up}, or lower them "
    "{down} ({sure}).",
    "beliefs.more.full": "From {before}, the chances may rise {up}, or fall {down}.",
    "beliefs.still.full": "From {before}, the chances do not move at all ({sure}).",
    "beliefs.certain.plain": "Who was certain before stays so: {before}.",
    "beliefs.certain.full": "Who was certain before stays so: {before}.",
    "beliefs.any.plain": "Wherever {observer} may start, the results move the chances by "
    "{points}, up or down. They can move most for somebody who {starts}.",
    "beliefs.any.full": "Wherever somebody starts, the results move the chances by {points} "
    "percentage points, up or down ({sure}; {bound}). They can move most for somebody who "
    "{starts}.",
    "beliefs.any-still.plain": "Wherever {observer} may start, the results move nothing.",
    "beliefs.any-still.full": "Wherever somebody starts, the results move nothing ({sure}).",
    "beliefs.factor.full": "As a factor: the chances grow to at most {most} times what they "
    "were, and shrink to no less than {least} times that; nearly so only where they were near 0.",
    "bound.exact": "the worst case itself",
    "bound.upper": "an upper bound",
}
