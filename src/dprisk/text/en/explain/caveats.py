"""What the numbers rest on, how they were found, and what they do not cover."""

from __future__ import annotations

from typing import Final

__all__ = ["CAVEATS", "COMPUTED", "SILENT"]

CAVEATS: Final = {
    "worst.most.plain": "“At most” is a limit, not a forecast. What the results really tell may "
    "be less.",
    "worst.most.full": "“At most” is the worst case over every method that keeps the promise "
    "and every reader of the kind described. It is a limit, not an estimate.",
    "worst.little.plain": "At this size, the limit rules out little.",
    "worst.little.full": "At this size the worst case rules out little.",
    "worst.unknown.full": "What the method that was used can reveal may be much less. The "
    "promise does not tell; whoever knows the method can have its own curve computed.",
    "worst.known.full": "What was run is known, and its own privacy loss was used.",
    "assumed.method.plain": "The results were made as promised, and nobody but the maker knows "
    "the random changes.",
    "assumed.known.plain": "Unless it says otherwise, the numbers are for somebody who knows "
    "the data of everybody else.",
    "assumed.two.plain": "They compare two possibilities: that it is true of you, and one in "
    "which it is not.",
    "assumed.neighbors.plain": "What the promise compares is not stated by its source; the "
    "usual is taken.",
    "assumed.line": "{text}",
    "assumed.neighbors.full": "Which datasets are neighbors is assumed: the source does not say.",
    "assumed.claim.full": "The claim and its opposite are two values of one record.",
    "assumed.method.full": "The noise is what the promise takes it to be, drawn anew for each "
    "release and kept secret; the software is right.",
    "assumed.adaptive": "Later releases may be chosen after seeing earlier ones; the noise of each "
    "is its own.",
    "assumed.stated-also": "What the file states otherwise (stated_also) was not used.",
    "open.people.plain": "What the results show about people in general. It is learned with or "
    "without {data}, and somebody may apply it to you.",
    "open.others.plain": "What the data of others say about you: your family, your neighbors, "
    "those you work with.",
    "open.exact.plain": "What is published without any change: {invariants}.",
    "open.exact-none.plain": "What is published without any change, here or by others.",
    "open.leaks.plain": "Mistakes, thefts and leaks.",
    "open.inside.plain": "Whether {data} were used at all.",
    "open.people.full": "What holds for a whole population: it is learned with or without "
    "{data}, and may be applied to {who}.",
    "open.others.full": "What the records of others say about {who}, where records are correlated.",
    "open.exact.full": "What is published without noise, outside of every promise (invariants): "
    "{invariants}.",
    "open.exact-none.full": "What is published without noise, outside of every promise "
    "(invariants); the description lists none.",
    "open.leaks.full": "Side channels: running times, rejected requests, faulty software, "
    "access to the data themselves.",
    "open.inside.full": "Whether {who} is in the data: under replace-one neighbors the promise "
    "does not speak of it.",
    "open.unit.full": "Larger units: a limit for one {unit} is none for several together.",
    "open.other-releases.full": "Other releases about the same data, which add to this one.",
    "note": "{kind}: {text}",
}

SILENT: Final = {
    "silent.nothing.plain": "These results come with a promise so weak that it rules nothing "
    "out. Somebody may learn anything about you from them, as far as the promise goes.",
    "silent.nothing.full": "The promise rules nothing out: there is no limit on what is learned "
    "about {who} that holds in even half of all cases.",
    "silent.number.plain": "There is no number that says how much can be learned about you. "
    "{reason}",
    "silent.number.full": "{name} cannot be assessed. {reason}",
    "silent.promise.plain": "For experts: {promise}",
    "silent.promise.full": "{promise}",
}

COMPUTED: Final = {
    "computed.loss.formal": "The log-odds move by at most ε′ = {loss} ({bound}; {theorem}: "
    "{says}).",
    "computed.composed.formal": "{text}",
    "computed.bayes.formal": "Belief after, from p: at most p e^ε′ / (p e^ε′ + 1 − p), at least "
    "the same with −ε′ (P0 Theorem 3.2).",
    "computed.change.formal": "Change of belief, over every p: at most tanh(ε′ / 4), at p = 1 / "
    "(1 + e^(ε′ / 2)) (P0 Theorem 3.5, Lemma 3.4).",
    "computed.with.formal": "With and without the record: {theorem} ({says}).",
    "computed.python.formal": "In Python: {code}",
}
