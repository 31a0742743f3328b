"""What the numbers rest on, how they were found, and what they do not cover."""

from __future__ import annotations

from typing import Final

CAVEATS: Final = {
    "worst.most.plain": "“At most” is a limit, not a forecast. The results may reveal less.",
    "worst.known.full": "“At most” is the worst case for this mechanism, over every adversary of "
    "the kind described. It is a limit, not an estimate.",
    "worst.any.full": "“At most” is the worst case over every mechanism that keeps the promise, "
    "and over every adversary of the kind described. It is a limit, not an estimate.",
    "worst.some.full": "“At most” is the worst case over every adversary of the kind described. "
    "Where the release names the noise of a part, the limit is for that noise. For every other "
    "part, it is the worst case over every mechanism that keeps its promise. “At most” is a limit, "
    "not an estimate.",
    "worst.little.plain": "This limit rules out little.",
    "worst.little.full": "This limit is so loose that it rules out little.",
    "worst.unknown.full": "The mechanism that was used may reveal much less; the promise alone "
    "does not say how much. If the mechanism is known, dprisk can compute its limits.",
    "assumed.method.plain": "The results were produced as promised. The noise and every other "
    "random choice stay secret.",
    "assumed.two.plain": "We compared two possibilities: the guess is right, or the guess is "
    "wrong.",
    "assumed.neighbors.add-remove.plain": "The documents about this release do not say which two "
    "situations the promise compares. We assumed the usual comparison: results with your data and "
    "results without them.",
    "assumed.neighbors.replace-one.plain": "The documents about this release do not say which two "
    "situations the promise compares. We assumed the usual comparison: results with your data and "
    "results with other data in their place.",
    "assumed.line": "{text}",
    "assumed.any": "The limit for any adversary rests on different assumptions. {text}",
    "assumed.tests": "The limits on statistical tests also rest on these assumptions. {text}",
    "assumed.neighbors.add-remove.full": "The source does not say which datasets are neighbors. "
    "We assumed add-remove.",
    "assumed.neighbors.replace-one.full": "The source does not say which datasets are neighbors. "
    "We assumed replace-one.",
    "assumed.record.full": "“This record” means {record}.",
    "assumed.claim.full": "The claim and its opposite are two values of one record.",
    "assumed.method.full": "The noise and any random samples are drawn as promised, independently "
    "for each release, and stay secret. The software is correct.",
    "assumed.adaptive": "Later releases may depend on earlier ones. We assume that the noise of "
    "each is independent.",
    "open.people.plain": "What the data show about people in general. Someone can apply that to "
    "you whether or not your data were used.",
    "open.others.plain": "What other people's data, such as your family's, say about you.",
    "open.exact.plain": "Anything published without noise: {invariants}.",
    "open.exact-none.plain": "Anything published without noise.",
    "open.leaks.plain": "Mistakes, theft and leaks.",
    "open.inside.plain": "Whether {data} were used at all.",
    "open.people.full": "What the data show about a whole population. Someone can apply that to "
    "anyone, in the data or not.",
    "open.others.full": "What other records say about {who}, where records are correlated.",
    "open.exact.full": "What is published without noise (invariants): {invariants}.",
    "open.exact-none.full": "Anything published without noise (invariants); the release file "
    "lists none.",
    "open.leaks.full": "Side channels: running times, rejected requests, faulty software, and "
    "access to the original data.",
    "open.inside.full": "The presence of {who} in the data. A promise under replace-one neighbors "
    "does not hide it.",
    "open.unit.full": "Larger units: a limit for one {unit} is not a limit for several together.",
    "open.other-releases.full": "Other releases about the same people, which add to what an "
    "adversary can learn.",
}

SILENT: Final = {
    "silent.nothing.plain": "The promise behind these results is so weak that it sets no limit. "
    "As far as the promise goes, someone may learn anything about you.",
    "silent.nothing.full": "The promise sets no limit on what can be learned about {who}, not even "
    "one that holds in half of all cases.",
    "silent.number.plain": "No number says how much can be learned about you. {reason}",
    "silent.number.full": "{name} cannot be assessed. {reason}",
    "silent.promise.plain": "For experts: {promise}",
    "silent.promise.full": "{promise}",
}

COMPUTED: Final = {
    "computed.loss.formal": "{Sure}, the log-odds change by at most ε′ = {loss} ({bound}; "
    "{theorem}: {says}).",
    "computed.composed.formal": "{text}",
    "computed.bayes.formal": "From a prior p, the posterior is at most p e^ε′ / (p e^ε′ + 1 − p). "
    "The lower bound has −ε′ in place of ε′ ({theorem}).",
    "computed.change.formal": "For every p, the posterior differs from p by at most tanh(ε′ / 4). "
    "The largest rise is from p = 1 / (1 + e^(ε′ / 2)) ({theorem}).",
    "computed.with.formal": "The comparison of results with and without the record uses {theorem} "
    "({says}).",
    "computed.python.formal": "In Python: {code}",
}
