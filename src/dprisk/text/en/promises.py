"""Whom and what a promise is about, in words; how claims are read."""

from __future__ import annotations

from typing import Final

VERBS = (
    r"(?:(?:can|could|may|might|will|would) )?"
    r"(?:(?:conclude|think|believe|learn|know|infer|guesse?|decide|suspect|assume|discover)s?"
    r"|concluded|thought|believed|learned|learnt|knew|inferred|guessed|decided|suspected"
    r"|(?:find|work|figure)s? out|is sure|are sure|can tell|could tell|may tell)"
)
WHO = r"(?P<who>(?:(?!\b(?:that|you|i|we)\b).){{1,60}}?)"  # doubled: texts are filled
SUBJECT = r"(?:you|your|he|she|they|it|the|a|an|my|his|her|their|somebody|someone)\b"

TEXTS: Final[dict[str, str]] = {
    "for.data-subject": "what it can reveal about you",
    "for.curator": "explanation for the curator",
    "for.regulator": "explanation for the regulator",
    "for.researcher": "explanation for the researcher",
    # phrases
    "who.person": "this person",
    "who.unit": "this {unit}",
    "who.one": "one {unit}",
    "who.every": "one {unit} in each release",
    "record": "{who}'s record",
    "record.every": "the record of {who}",
    "record.several": "the records of {who}",
    "and": " and ",
    "or": " or ",
    "and.this": " and this ",
    "and.one": " and one ",
    "unit.person": "person",
    "unit.housing-unit": "housing unit",
    "data.person.plain": "your data",
    "data.household.plain": "your household's data",
    "data.establishment.plain": "your establishment's data",
    "data.housing.plain": "the data about you and your home",
    "data.period.plain": "your data from {span}",
    "data.device-period.plain": "your data from {span} on one device",
    "data.account-period.plain": "your data from {span} on one account",
    "data.unit.plain": "your data for one {unit}",
    "data.every.plain": "{data} in each release",
    "differs.period.plain": "The {time} can differ each time.",
    "differs.device-period.plain": "The {time} and the device can differ each time.",
    "differs.account-period.plain": "The {time} and the account can differ each time.",
    "differs.unit.plain": "The {unit} can be a different one each time.",
    "span.hour": "one hour",
    "span.day": "one day",
    "span.week": "one week",
    "span.month": "one month",
    "span.year": "one year",
    "membership.person.plain": "you are in the data",
    "membership.unit.plain": "those data were used",
    "membership.person": "{who} is in the data",
    "membership.unit": "{record} is in the data",
    "membership.several": "{record} are in the data",
    "attribute.person.plain": "a guess about you is right",
    "attribute.unit.plain": "a guess about those data is right",
    "attribute.real.plain": "a guess about the real data is right",
    "attribute.person": "{record} has a particular value",
    "attribute.unit": "{record} has a particular value",
    "attribute.several": "{record} have particular values",
    "both.person.plain": "you are in the data and a guess about you is right",
    "both.unit.plain": "those data were used and a guess about them is right",
    "both.person": "{who} is in the data and has a particular value",
    "both.unit": "{record} is in the data and has a particular value",
    "both.several": "{record} are in the data and have particular values",
    "claimed.both.one": "this record is in the data and has a particular value",
    "claimed.both.several": "these records are in the data and have particular values",
    "claimed.membership.one": "this record is in the data",
    "claimed.membership.several": "these records are in the data",
    "claimed.attribute.one": "this record has a particular value",
    "claimed.attribute.several": "these records have particular values",
    "knows.person": "all the data except one person's",
    "knows.person.plain": "everyone else's data",
    "knows.except": "all the data except {record}",
    "knows.unit.plain": "all the data except {data}",
    "knows.unit": "all other records",
    "someone": "someone",
    "definition.pure": "pure DP",
    "definition.approximate": "approximate DP",
    "definition.approximate-curve": "approximate DP (a curve)",
    "definition.probabilistic": "probabilistic DP",
    "definition.bounded": "probabilistically bounded DP",
    "definition.tradeoff": "f-DP",
    "definition.gaussian": "Gaussian DP",
    "definition.laplace": "f-DP with a Laplace curve",
    "definition.renyi": "Rényi DP",
    "definition.concentrated": "zCDP",
    "definition.privacy-loss": "a known privacy loss",
    "mechanism.randomized-response": "randomized response",
    "mechanism.geometric": "geometric noise",
    "mechanism.truncated-laplace": "truncated Laplace noise",
    "mechanism.laplace": "Laplace noise",
    "mechanism.gaussian": "Gaussian noise",
    "mechanism.discrete-gaussian": "discrete Gaussian noise",
    "mechanism.sample-release": "a sample of the records themselves",
    "mechanism.exponential": "the exponential mechanism",
    "mechanism.exponential.times": "{label}, {uses} times",
    "mechanism.above-threshold": "answers above a threshold (sparse vector)",
    "mechanism.gaussian-mixture": "Gaussian noise on what a record moves by a random amount",
    "mechanism.staircase": "staircase noise",
    "mechanism.shuffled-response": "randomized response, shuffled",
    "mechanism.matrix-gaussian": "correlated Gaussian noise (a matrix mechanism)",
    "mechanism.tree-aggregation": "Gaussian noise on the sums of a tree",
    "mechanism.subsampled-gaussian": "Gaussian noise on results from a random sample of "
    "the records",
    "mechanism.gaussian-range": "Gaussian noise",
    "mechanism.subsampled-gaussian-range": "Gaussian noise on results from a random sample of "
    "the records",
    "mechanism.subsampled-laplace": "Laplace noise on results from a random sample of the records",
    "mechanism.poisson-subsampled": "a mechanism run on a random sample of the records",
    "mechanism.subsampled-geometric": "geometric noise on counts of a random sample of the records",
    "mechanism.subsampled-discrete-gaussian": "discrete Gaussian noise on counts of a random "
    "sample of the records",
    "mechanism.cyclic-batches": "Gaussian noise in steps, of which each record takes part in one "
    "in every epoch",
    "mechanism.truncated-poisson": "Gaussian noise on sums of Poisson samples with a largest size",
    "mechanism.fixed-batches": "Gaussian noise on sums of batches of a fixed size, drawn at random",
    "mechanism.random-allocation": "Gaussian noise in steps, of which each record takes part in a "
    "few drawn at random",
    # results
    "assess.silent": "{name} cannot be assessed. {reason}",
    "assess.promise": "{promises}{times} {about}.",
    "assess.promise.composed": "{promises}{times} {about}. Together, {all} satisfy {whole} "
    "({rule}).",
    "assess.promise.point": "{said} This is one point on the privacy profile.",
    "assess.all.parts": "the parts",
    "assess.all.outputs": "the {count} outputs",
    "assess.all.releases": "the {count} releases",
    "assess.promises": "The release promises {parts}",
    "assess.uses": "The release uses {parts}",
    "assess.parts": "The release combines promises and mechanisms: {parts}",
    "assess.times": ", in each of {releases} releases",
    "assess.about": "({unit}; {period}; {relation}; {model})",
    "assess.unit": "unit: {unit}",
    "assess.unit.none": "unit not stated",
    "assess.period": "period: {period}",
    "assess.period.once": "one-off release",
    "assess.period.none": "period not stated",
    "assess.relation": "{neighbors} neighbors",
    "assess.relation.assumed": "{neighbors} neighbors, assumed",
    "assess.model.central": "central model",
    "assess.model.local": "local model",
    "assess.model.shuffle": "shuffle model",
    "assess.model.federated": "federated model",
    "assess.model.varies": "central and local models",
    "assess.model.none": "model not stated",
    "assess.point": "{promise} (one point on the privacy profile)",
    "assess.composed": "Together, {all} satisfy {whole} {rule}.",
    "assess.composed.own": "We added up the privacy losses of {parts} {rule}.",
    "assess.composed.promises": "We added up the worst-case privacy losses of {parts} {rule}.",
    "assess.composed.parts": "the parts: {parts}",
    "assess.composed.uses": "{count} uses of {part}",
    "assess.composed.each": "{count} promises of {part} each",
    "period.once": "once",
    "period.hour": "hour",
    "period.day": "day",
    "period.week": "week",
    "period.month": "month",
    "period.quarter": "quarter",
    "period.year": "year",
    "part.comma": ", ",
    "part.list": "of {number} numbers",
    "part.matrix": "of {rows} rows",
    "part.times": ", {count} times",
    "part.times.sampled": ", {count} times, each time with a new sample",
    "part.times.promised": " ({count} times)",
    "part.label": " for {label}",
    "part.known": "{name} ({parts}){label}{times}",
    "part.promised": "{keeps}{times}",
    "part.run": "{run}{label}{times}",
    "part.mechanism": "{mechanism} ({details}){label}{times}",
    "part.mechanism.sampled": "{mechanism} ({details}) on results from a random sample of the "
    "records (rate {rate}){label}{times}",
    "part.keeps": "{part}, satisfying {keeps}",
    "part.keeps.each": "{part}, each time satisfying {keeps}",
    "part.last": "and {part}",
    "part.parameters": "{name} with {parameters}",
    "part.approximate": "δ-approximate {name}",
    "assess.with-data": "A second question is how much {data} adds. Suppose results made without "
    "the record suggest a {before} chance that it has a particular value. Whatever the results "
    "show, and whatever someone believed before, results made with the record can raise that "
    "chance {up}.",
    "assess.with-data.looser": "{said} This limit is looser because including one record can make "
    "the results more likely if the record has this value and, at the same time, less likely if "
    "it does not.",
    "assess.still": "From any prior, the chance does not change, {sure}.",
    "assess.anybody": "From any prior, the chance changes by {points}, {sure}. {starts}",
    "formula.pure": "ε-DP: P[M(D) ∈ S] ≤ e^ε P[M(D′) ∈ S] for every event S and all neighbors "
    "D, D′.",
    "formula.approximate": "(ε, δ)-DP: P[M(D) ∈ S] ≤ e^ε P[M(D′) ∈ S] + δ for every event S and "
    "all neighbors D, D′.",
    "formula.approximate-curve": "(ε, δ)-DP at every point (ε, δ) of the privacy profile: P[M(D) "
    "∈ S] ≤ e^ε P[M(D′) ∈ S] + δ for every event S and all neighbors D, D′.",
    "formula.probabilistic": "Probabilistic DP: for all neighbors D, D′, the privacy loss Z = "
    "log(P[M(D) = y] / P[M(D′) = y]), with y drawn from M(D), goes beyond ε with probability at "
    "most δ.",
    "formula.bounded": "pbdp: for all neighbors, the privacy loss of M, and of anything computed "
    "from its output, exceeds ε with probability at most δ.",
    "formula.tradeoff": "f-DP: for all neighbors D, D′, every test of D against D′ with level x "
    "has a type II error of at least f(x).",
    "formula.gaussian": "Gaussian DP: for all neighbors D, D′, testing D against D′ is at least as "
    "hard as testing N(0, 1) against N(μ, 1).",
    "formula.laplace": "f-DP with a Laplace curve: for all neighbors D, D′, testing D against D′ "
    "is at least as hard as testing Lap(0, 1) against Lap(μ, 1).",
    "formula.renyi": "Rényi DP: for all neighbors D, D′, the Rényi divergence of order α of M(D) "
    "from M(D′) is at most γ.",
    "formula.concentrated": "zCDP: for all neighbors D, D′ and every order α > 1, the Rényi "
    "divergence of order α of M(D) from M(D′) is at most ξ + ρα (ξ = 0 unless given).",
    "formula.privacy-loss": "The privacy loss Z = log(P[M(D) = y] / P[M(D′) = y]), with y drawn "
    "from M(D), is known or dominated. Losses of independent noise add up.",
    # contradictions
    "contradicted": "This release cannot keep its stated {promise}: {why} The statement is not "
    "used below.",
    "contradicted.of": "“{release}” cannot keep its stated {promise}: {why} The statement is not "
    "used here.",
    "contradicted.said": "{said}",
    "contradicted.plain": "One published statement about these results cannot be true (for "
    "experts: {promise}). These results protect you less than that statement says. Nothing here "
    "rests on it.",
    "contradicted.epsilon": "at δ = {at}, what was run gives at least ε = {certified}; {claimed} "
    "was stated.",
    "contradicted.epsilon.curve": "at δ = {at}, what was run gives at least ε = {certified}; the "
    "statement allows {claimed}.",
    "contradicted.endless": "at δ = {at}, what was run keeps no finite ε; {claimed} was stated.",
    "contradicted.endless.curve": "at δ = {at}, what was run keeps no finite ε; the statement "
    "allows {claimed}.",
    "contradicted.delta": "at ε = {at}, what was run gives at least δ = {certified}; {claimed} was "
    "stated.",
    "contradicted.divergence": "at order {at}, the Rényi divergence of what was run is at least "
    "{certified}; the statement allows {claimed}.",
    "contradicted.rho": "what was run gives at least ρ = {certified}; {claimed} was stated.",
    "contradicted.tail": "the privacy loss of what was run exceeds ε = {at} with probability at "
    "least {certified}; {claimed} was stated.",
    "rests.run": "This limit rests on what was run. It does not use {also}, which may also hold.",
    "rests.parts": "This limit rests on {used}. It does not use {also}, which may also hold.",
    "rests.statement": "This limit rests on the statement {used}. It does not use {also}, which "
    "may also hold.",
    "rests.each": "Each limit rests on {used} or on {also}, whichever says more there.",
    "rests.exact": "This limit does not cover what is published exactly: {exact}.",
    "rests.computational": "This limit is for adversaries with bounded computing power, who cannot "
    "tell what was used from an ideal one: {assumption}.",
    "claim.with-that": rf"^{WHO} {VERBS} that (?P<what>.+)$",
    "claim.without-that": rf"^{WHO} {VERBS} (?P<what>{SUBJECT}.+)$",
    "claim.that": "^that ",
    "claim.read.membership": "The claim is read as: the record is in the data. A limit on what the "
    "record says can be looser.",
    "claim.read.membership.plain": "Your claim is read as: your record is in the data. A limit on "
    "what the record says can be looser.",
    "claim.read.attribute": "The claim is read as: the record has this value.",
    "claim.read.attribute.plain": "Your claim is read as: your record has this value.",
    "claim.read.both": "The claim is read as: the record is in the data and has this value.",
    "claim.read.both.plain": "Your claim is read as: your record is in the data and has this "
    "value.",
    "claim.small": "a an he her his it my our she somebody someone that the their they this you "
    "your",
    "theorems.alone": "the promise as stated",
    "theorems.basic": "basic composition: the values of ε add up, and so do the values of δ",
    "theorems.advanced": "advanced composition",
    "theorems.optimal": "optimal composition of the promises",
    "theorems.nothing": "nothing is released",
    "theorems.rhos": "the values of ρ add up",
    "theorems.divergences": "divergences of one order add up",
    "theorems.mus": "the squares of μ add up",
    "theorems.losses": "the privacy losses add up, even if mechanisms are chosen after "
    "seeing earlier outputs",
    # what was given away, said of one part: data that travels with what was composed
    "composition.was": "{part} was {read}",
    "composition.read-as": "read as {other}",
    "composition.read-by.divergences": "represented by its Rényi divergences",
    "composition.read-by.points": "represented by {number} points of its privacy profile",
    # guarantee
    "guarantee.noise.plain": "Promises like this are kept by adding random changes, called noise. "
    "The noise limits what {data} can reveal about you.",
    "guarantee.noise-open.plain": "Promises like this are kept by adding random changes, called "
    "noise. They make the results less exact. But the promise sets almost no limit on what {data} "
    "can reveal about you. The method that was used may reveal much less; the promise does not say "
    "how much.",
    "guarantee.noise-weak.plain": "Random changes, called noise, were added on purpose. They make "
    "the results less exact. But this noise sets almost no limit on what {data} can reveal about "
    "you.",
    "guarantee.central.plain": "The publisher holds the original data, without noise. The "
    "limit covers only the published results and anything computed from them later.",
    "guarantee.local.plain": "The noise is added before anyone collects your data. The limit "
    "covers the data collected and anything computed from them later.",
    "guarantee.shuffle.plain": "Your data are mixed with other people's before anyone analyzes "
    "them. The limit covers what comes out of the mixing and anything computed from it later.",
    "guarantee.federated.plain": "Your data stay on your device, which sends updates. The limit "
    "covers what is published from these updates and anything computed from it later.",
    "guarantee.varies.plain": "Some of the noise is added before your data are collected, and "
    "some after. The limit covers the published results and anything computed from them later.",
    "guarantee.nobody.plain": "We do not know whether the noise is added before or after your "
    "data are collected. The limit covers the published results and anything computed from them "
    "later.",
    "guarantee.below.plain": "This limit is only for {data}. All your data together can reveal "
    "more.",
    "guarantee.expert.plain": "{promise}",
    "guarantee.stated.full": "{promise}",
    "guarantee.also.full": "The source also states the promise as {also}. We assume that both "
    "statements hold. The limits, and every other ε in this document, follow from {used}, which "
    "gives the stricter limits here.",
    "guarantee.add-remove.full": "Two datasets are neighbors if removing one record from one of "
    "them gives the other. The promise compares the results from any two neighboring datasets.",
    "guarantee.replace-one.full": "Two datasets are neighbors if they have the same size and "
    "differ in the value of one record. The promise compares the results from any two neighboring "
    "datasets.",
    "guarantee.add-remove-several.full": "Two datasets are neighbors if removing the records of "
    "{one} from one of them gives the other. The promise compares the results from any two "
    "neighboring datasets.",
    "guarantee.replace-one-several.full": "Two datasets are neighbors if they have the same size "
    "and differ in the records of {one}. The promise compares the results from any two "
    "neighboring datasets.",
    "guarantee.odds.full": "{Sure}, the odds that {claim} rise or fall by a factor of {odds}. A "
    "probability changes by a smaller factor than its odds.",
    "guarantee.odds-still.full": "{Sure}, the odds that {claim} do not change.",
    "guarantee.two-steps.full": "Under add-remove neighbors, changing a value of a record takes "
    "two steps: taking one record out and putting another in. So this limit can be looser than "
    "the one for being in the data.",
    "guarantee.larger.full": "The larger the privacy loss limit (such as ε or ρ), the more a "
    "belief can change. The limit is for one {unit}. An adversary can learn more about several "
    "together.",
}
