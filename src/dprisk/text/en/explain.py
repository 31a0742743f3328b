"""Everything that is said about a release, an audit or a budget in sentences."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, str]] = {
    # titles
    "title.with-without": "What an adversary can learn",
    "title.with-without.plain": "What someone can learn about you",
    "title.any-reader": "Any adversary",
    "title.any-reader.plain": "A limit for anyone",
    "title.value": "Learning a value",
    "title.value.plain": "A guess about your data",
    "title.beliefs": "Other starting points",
    "title.beliefs.plain": "Other starting points",
    "title.guarantee": "What was promised",
    "title.guarantee.plain": "How you are protected",
    "title.exceptions": "Exceptions",
    "title.exceptions.plain": "Exceptions to the limit",
    "title.delta": "What δ means",
    "title.tests": "Statistical tests",
    "title.time": "Repeated releases",
    "title.time.plain": "Repeated releases",
    "title.limits": "Choosing the limit",
    "title.limits.plain": "Who chose the limit",
    "title.worst-case": "What “at most” means",
    "title.worst-case.plain": "What “at most” means",
    "title.assumptions": "Assumptions",
    "title.assumptions.plain": "Assumptions",
    "title.not-covered": "What the limits do not cover",
    "title.not-covered.plain": "What the limit does not cover",
    "title.notes": "Notes on the source",
    "title.experts.plain": "For experts",
    "title.computed": "How the numbers were computed",
    "title.silent": "No limit",
    "title.silent.plain": "No limit",
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
    "of": "{count} in {of}",
    "chances.number": "{chances}",
    "chances.top": "over {chances}",
    "chances.bottom": "under {chances}",
    "possibly": "possibly {words}",
    "up.number": "to at most {chances}",
    "up.top": "almost without limit, possibly to over {edge}",
    "up.bottom": "to under {edge}",
    "least.number": "at least {chances}",
    "least.top": "over {edge}",
    "least.bottom": "possibly under {edge}",
    "most.number": "at most {chances}",
    "most.top": "possibly over {edge}",
    "most.bottom": "under {edge}",
    "ends": "{least} and {most}",
    "open.both": "afterwards is {least}, {most}, or anywhere in between",
    "open.most": "afterwards is {least}, and {most}",
    "moved.number": "at most {chances}",
    "moved.top": "possibly over {edge}",
    "moved.bottom": "under {edge}",
    "sure.always": "whatever the results show",
    "sure.mostly": "in at least {confidence} of 100 cases",
    "start.always": "Whatever the results show",
    "start.mostly": "In at least {confidence} of 100 cases",
    "most.bare": "at most {number}",
    "nats.one": "{number} nat",
    "nats": "{number} nats",
    "factor.beyond": "more than {number}",
    "near.number": "near {chances}",
    "near.bottom": "below {chances}",
    "near.top": "above {chances}",
    "these.one": "this release",
    "these": "these {releases} releases",
    "after.one": "After {releases} release like this one",
    "after": "After a total of {releases} releases like this one",
    # names
    "note.warning": "Warning: {text}",
    "note.assumed": "Assumption: {text}",
    "note.missing": "Missing: {text}",
    "note.disputed": "Disputed: {text}",
    "note.unusable": "Not usable: {text}",
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
    "mechanism.subsampled-gaussian": "Gaussian noise on results from a random sample of "
    "the records",
    "mechanism.subsampled-laplace": "Laplace noise on results from a random sample of the records",
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
    "tests.guess": "An adversary who must guess which of two equally likely possibilities is true "
    "can be right in {cases}.",
    "tests.power.membership": "Suppose a test raises a false alarm in {false} when the results "
    "are made without {data}. When the results are made with {data}, the test can raise a true "
    "alarm in {true}.",
    "tests.power.attribute": "Take two possible values of {data}. If a test raises a false alarm "
    "in {false} under the first value, it can raise a true alarm in {true} under the second.",
    "tests.guess.formal": "An adversary who must guess which of two equally likely possibilities "
    "is true can be right with a probability of {cases}.",
    "tests.power.formal": "At level {level}, a test can have a power of {true}.",
    "tests.belief.membership": "If this test raises an alarm, a chance of {prior} that the results "
    "were made with {data} can rise to {alarm}. If the test raises no alarm, a chance of "
    "{opposite} that they were made without {data} can rise to {silence}.",
    "tests.belief.attribute": "If this test raises an alarm, a chance of {prior} that the second "
    "value is true can rise to {alarm}. If the test raises no alarm, a chance of {opposite} that "
    "the first value is true can rise to {silence}.",
    "tests.belief.membership.formal": "After an alarm, a prior of {prior} can rise to a posterior "
    "of {alarm}. Without an alarm, a probability of {opposite} that the results were made without "
    "{data} can rise to {silence}.",
    "tests.belief.attribute.formal": "After an alarm, a prior of {prior} can rise to a posterior "
    "of {alarm}. Without an alarm, a probability of {opposite} that the first value is true can "
    "rise to {silence}.",
    "cases.none": "no case",
    "cases.every": "every case",
    "cases.of": "{count} of {of}",
    "cases.number": "{number} cases",
    "cases.most": "at most {number} cases",
    "cases.bottom": "under {edge} cases",
    "cases.top": "possibly over {edge} cases",
    "compared": "{who}: suppose results made {world} suggest a {before} chance that the record has "
    "{claim}. Results made with the record can bring that chance {after}, {sure}.",
    "compared.vacuous": "{who}: suppose results made {world} suggest a {before} chance that the "
    "record has {claim}. There is almost no limit for this adversary: with the record, the chance "
    "is possibly over {edge}.",
    "compared.exceeding.mostly": "{who}: with probability at most {most}, results made with the "
    "record suggest a chance more than {ratio} times as large as results made {world}.",
    "compared.exceeding.never": "{who}: results made with the record never suggest a chance more "
    "than {ratio} times as large as results made {world}.",
    "compared.exceeding.any": "{who}: no limit is known on how often results made with the record "
    "suggest a chance more than {ratio} times as large as results made {world}.",
    "compared.world.resampled": "with a substitute for the record",
    "compared.world.default-record": "with a fixed substitute for the record",
    "compared.world.dropped": "without the record",
    "compared.who.true-record": "An adversary who knows all other records",
    "compared.who.rest-known": "An adversary who knows all other records, and how likely each "
    "value of the record is",
    "compared.who.arbitrary-prior": "An adversary with a correct model of the population",
    "compared.who.wrong-prior": "An adversary whose beliefs about the data may be wrong",
    "compared.claim.true": "the value it really has",
    "compared.claim.any": "a particular value",
    "compared.number": "to at most {chances}",
    "compared.bottom": "to under {edge}",
    "together.one": "This release satisfies",
    "together.many": "Together, these {uses} parts satisfy",
    "later.one": "whatever is computed from it later",
    "later.many": "whatever is computed from them later",
    "together.promise": "{keeps} (ε, δ)-DP at {at} with {asked} {between}, {later}.",
    "together.none": "No finite ε holds at {at}.",
    "together.unknown": "No finite ε is known to hold at {at}.",
    "together.test": "A test of two neighboring datasets at level {level} has a power of {most}, "
    "{later}.",
    "together.shift": "With probability at least {confidence}, the log-odds move by {most}, "
    "{later}.",
    "together.shift.none": "With probability at least {confidence}, no bound on the "
    "log-odds holds.",
    "between.most": "at most {high}",
    "between.exact": "= {high}",
    "between.rounded": "at most {high}",
    "between": "between {low} and {high}",
    "most": "at most {high}",
    "most.nats": "at most {high} nats",
    "most.known": "{most} (no bound below {low} holds)",
    "width.upper": "upper bound",
    "width.exact": "exact",
    "width.digits": "{digits} digits",
    "width.factor": "within a factor of {factor}",
    # headline
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
    # beliefs
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
    # any reader
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
    # value
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
    # guarantee
    "guarantee.noise.plain": "Random changes, called noise, were added on purpose. The noise "
    "limits what {data} can reveal about you.",
    "guarantee.noise-open.plain": "Random changes, called noise, were added on purpose. They make "
    "the results less exact. But the promise sets almost no limit on what {data} can reveal about "
    "you. The method that was used may reveal much less; the promise does not say how much.",
    "guarantee.noise-weak.plain": "Random changes, called noise, were added on purpose. They make "
    "the results less exact. But this noise sets almost no limit on what {data} can reveal about "
    "you.",
    "guarantee.central.plain": "The publisher collected your original data, without noise. The "
    "limit covers only the published results and anything computed from them later.",
    "guarantee.local.plain": "The noise is added before anyone collects your data. The limit "
    "covers the data collected and anything computed from them later.",
    "guarantee.shuffle.plain": "Your data are mixed with other people's before anyone analyzes "
    "them. The limit covers what comes out of the mixing and anything computed from it later.",
    "guarantee.federated.plain": "Your data stay on your device, which sends updates. The limit "
    "covers what is published from these updates and anything computed from it later.",
    "guarantee.varies.plain": "Some of the noise is added before your data are collected, and "
    "some after. The limit covers the published results and anything computed from them later.",
    "guarantee.nobody.plain": "It is not known whether the noise is added before or after your "
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
    # exceptions
    "exceptions.none.plain": "There are no exceptions: every possible result, however rare, stays "
    "within the limits above.",
    "exceptions.some.plain": "For each limit here, the results can reveal more in at most "
    "{failure} of 100 cases. A case means one run of the random process behind the results, not "
    "one person.",
    "exceptions.both.full": "Pure differential privacy (δ = 0) limits the change for every "
    "result. Approximate, zero-concentrated and Rényi differential privacy allow exceptions, in "
    "which the change can be larger. Under approximate differential privacy, an adversary may "
    "even become certain.",
    "exceptions.none.full": "The limits here have no exceptions: they hold for every result.",
    "exceptions.some.full": "The limits here have exceptions. In at least {confidence} of 100 "
    "cases, they hold. In at most {failure} of 100 cases, a belief can change by more.",
    "exceptions.none.loss.full": "The limits here have no exceptions: for every result, the "
    "log-odds change by at most {loss}.",
    "exceptions.some.loss.full": "The limits here have exceptions. In at least {confidence} of "
    "100 cases, the log-odds change by at most {loss}. In at most {failure} of 100 cases, they can "
    "change by more.",
    "exceptions.chosen.full": "Here, a case means one draw of all randomness: the noise and any "
    "sampling. The limit holds whether or not {claim}. A higher confidence gives a looser limit.",
    "exceptions.chosen-value.full": "Here, a case means one draw of all randomness: the noise and "
    "any sampling. The limit holds whatever is really in {record}. A higher confidence gives a "
    "looser limit.",
    "exceptions.not.full": "(ε, δ)-DP is not “ε-DP except with probability δ”. The odds can change "
    "by more than e^ε with a probability larger than δ.",
    # delta
    "delta.outright.plain": "In some of these cases, there may be no limit at all. Without further "
    "releases, the chance of that is {delta}. Some methods that keep a promise like this "
    "occasionally publish someone's data unchanged. The promise does not say whether this method "
    "does.",
    "delta.known.plain": "In some of these cases, there may be no limit at all. Without further "
    "releases, the chance of that is {delta}.",
    "delta.curve.plain": "In those cases the chance can change by more, but the larger the "
    "change, the rarer it is.",
    "delta.outright.full": "δ = {delta} is how far the probability of an event may exceed e^ε "
    "times its probability on a neighboring dataset. So a method that publishes a record unchanged "
    "with probability δ can keep this promise.",
    "delta.probability.full": "With probability at most δ = {delta}, the log-odds move by more "
    "than ε{scope}. The promise sets no limit in those cases: a method may publish a record "
    "unchanged.",
    "delta.probability.raw": " because of the output itself. It says nothing about what is "
    "computed from the output later",
    "delta.probability.any": ", because of the output or anything computed from it",
    "delta.people.full": "δ is for each record. On average, up to δ times the number of records "
    "may be revealed, so compare δ with one over that number.",
    "delta.not-tail.full": "δ is not the probability that the log-odds move by more than ε, "
    "which can be larger. It also does not say how bad the exceptions are.",
    "delta.none-given.full": "A δ above 0 would allow exceptions. Here δ = 0, so the limit holds "
    "for every result.",
    "delta.unchanged.full": "A method that publishes a record unchanged with probability δ = "
    "{delta} can keep this promise.",
    "delta.unlimited.full": "With probability at most δ = {delta}, the promise sets no limit: a "
    "method may publish a record unchanged.",
    "delta.curve-given.full": "Here, ε depends on the δ at which it is read. "
    "At δ = {delta}, for example, ε is at most {epsilon}.",
    "delta.none.full": "δ is how far the probability of an event may exceed e^ε times its "
    "probability on a neighboring dataset. Here (δ = 0), the limit holds for every result.",
    "delta.curve.full": "δ is how far the probability of an event may exceed e^ε times its "
    "probability on a neighboring dataset. Here, ε depends on δ: at δ = {delta}, for "
    "example, ε is at most {epsilon}.",
    "delta.left.full": "Some results may have no limit at all, however large ε is. Between two "
    "neighboring datasets, the total probability of these results is at most {revealed}.",
    "delta.profile.formal": "δ(ε) = sup over S of P[M(D) ∈ S] − e^ε P[M(D′) ∈ S] = E[max(0, 1 − "
    "e^(ε − Z))], where Z is the privacy loss of an output drawn from M(D).",
    # time
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
    # limits
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
    # caveats
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
    # silent
    "silent.nothing.plain": "The promise behind these results is so weak that it sets no limit. "
    "As far as the promise goes, someone may learn anything about you.",
    "silent.nothing.full": "The promise sets no limit on what can be learned about {who}, not even "
    "one that holds in half of all cases.",
    "silent.number.plain": "No number says how much can be learned about you. {reason}",
    "silent.number.full": "{name} cannot be assessed. {reason}",
    "silent.promise.plain": "For experts: {promise}",
    "silent.promise.full": "{promise}",
    # computed
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
    # audited
    "audited.size": "{datasets} datasets, {outputs} outputs.",
    "audited.neighbors": "Neighbors: {relation} ({pairs}, {ways}).",
    "audited.pairs": "{number} pairs",
    "audited.pairs.one": "{number} pair",
    "audited.ways.both": "in both directions",
    "audited.ways.one": "in one direction each",
    "audited.how": "{how}. Each number is the worst case over all pairs. Its two ends allow for "
    "rounding.",
    "audited.how.exact": "Computed in rational arithmetic where the answer is rational",
    "audited.how.floating": "Computed in floating point",
    "quantity.largest_loss": "the smallest epsilon",
    "quantity.total_variation": "the total variation distance",
    "quantity.rho": "the smallest rho (zCDP)",
    "quantity.mu": "the smallest mu (Gaussian DP)",
    "quantity.renyi": "the Rényi divergence",
    "quantity.delta": "delta",
    "quantity.tail": "the chance of a larger loss (one direction)",
    "quantity.tail_both": "the chance of a larger loss (either direction)",
    "quantity.disclosure": "the chance of a disclosure set",
    "quantity.bounded": "the chance of a larger loss after post-processing",
    "quantity.pointwise": "single outputs only (not a definition of privacy)",
    "quantity.epsilon": "epsilon",
    "quantity.breaking_pairs": "ordered pairs of neighbors that break the claim",
    "quantity.at-delta": "{quantity} at delta {at}",
    "quantity.at-epsilon": "{quantity} at epsilon {at}",
    # verdicts
    "verdict.holds": "{claim}: holds.",
    "verdict.fails": "{claim}: FAILS.",
    "verdict.undecided": "{claim}: UNDECIDED.",
    "found.more": "{quantity} is at least {least}, {excess} more than the {claimed} claimed.",
    "found.infinite": "{quantity} is infinite; {claimed} was claimed.",
    "found.close": "{quantity} is between {least} and {most}, and {claimed} was claimed: too close "
    "to tell from rounding.",
    "found.within": "{quantity} exceeds the {claimed} claimed by no more than the tolerance of "
    "{within}.",
    "found.same": "{quantity} equals the claimed {claimed} to six digits.",
    "found.most": "{quantity} is at most {most}; {claimed} was claimed.",
    "found.pairs.0": "Every ordered pair of neighbors keeps it.",
    "found.pairs": "Ordered pairs of neighbors that break it: {most}. The first is {first} against "
    "{second}.",
    "found.needed.none": "With the claimed delta of {delta}, no finite epsilon holds.",
    "found.needed": "With the claimed delta of {delta}, an epsilon of {needed} would hold.",
    "found.decidable": "Rational arithmetic (exact) decides.",
    # witnesses
    "witness": "The output is in {{{outputs}}} with probability {one} on dataset {first} and "
    "{other} on dataset {second}.",
    "witness.alone": "On dataset {first} the output is in {{{outputs}}} with probability {one}.",
    "witness.order": "Between {first} and {second}, at order {order}.",
    "witness.infinity": "infinity",
    "witness.none": "No output, for any pair.",
    "witness.coin": "{output} with probability {share}",
    "witness.and-coin": "{outputs} (and {coin})",
    "witness.more": "{outputs}, ... ({number} in all)",
    # samples
    "sample": "With confidence {confidence}, {what}. Shown by outputs {rule}: {hits} of {held_out} "
    "held-out outputs of {likelier}, {other_hits} of {other_held_out} of {other}.",
    "sample.delta": "at delta {at}, epsilon is at least {least}",
    "sample.epsilon": "at epsilon {at}, delta is at least {least}",
    "sample.level": "at level {at}, a test has power at least {least}",
    # tolerances
    "tolerance.profile": "the risk profile is kept{sure}",
    "tolerance.epsilon": "epsilon is at most {most} at a delta of {delta}",
    "tolerance.advantage": "the advantage of a test is at most {most}",
    "tolerance.power": "the power of a test at level {level} is at most {most}",
    "tolerance.predictive_value": "an alarm at level {level} may raise a belief of {prior} to at "
    "most {most}",
    "tolerance.posterior": "a belief of {prior} {what} may rise to at most {most}{sure}",
    "tolerance.odds": "the odds {what} may change by a factor of at most {most}{sure}",
    "tolerance.difference": "a belief {what} may change by at most {most}, {start}{sure}",
    "tolerance.ratio": "a belief {what} may rise to at most {most} times what it was, "
    "{start}{sure}",
    "tolerance.ratio_not": "the doubt {what} may rise to at most {most} times what it was, "
    "{start}{sure}",
    "tolerated.anything": "anything",
    "tolerated.membership": "that the person is in the data",
    "tolerated.attribute": "that the person's record has a particular value",
    "tolerated.start": "from {prior} before",
    "tolerated.start.any": "at every prior",
    "tolerated.always": ", for every result",
    "tolerated.chosen": ": for every result if the privacy loss is bounded, otherwise in at least "
    "99 of 100 cases",
    "tolerated.mostly": ", in at least {confidence} of 100 cases",
    # allowances
    "allowed.one": "The release may promise {promise}{rule}.",
    "allowed.many": "Each of the {number} releases may promise {promise}{rule}.",
    "allowed.rule": " by {rule} composition",
    "allowed.promise": "{name} with {parameter} at most {most}",
    "allowed.promise.delta": "{name} with {parameter} at most {most} and delta {delta}",
    "allowed.any": "No limit on {name}: {reason}",
    "allowed.none": "No budget for {name}: {reason}",
    "noise.taken": "That takes {noise}: {cost}.",
    "noise.enough.one": "{noise} keeps the limit for the release: {cost}.",
    "noise.enough.many": "{noise} keeps the limit for all {number} releases: {cost}.",
    "noise.any": "No {name} is needed: {reason}",
    "noise.none": "No {name} is enough: {reason}",
    "noise.width": "{name} of {parameter} {width}",
    "noise.cost.count": "a published count is off by at most {most} in at least {share} cases",
    "noise.cost.number": "a published number is off by at most {most} in at least {share} cases",
    # prospects
    "prospect.total.any": "At least {number} releases like this one keep the limit in total, "
    "with 0 made so far.",
    "prospect.total.none": "Not even one release like this one is known to keep the limit{by}. "
    "{reason}",
    "prospect.total.one": "{number} release like this one keeps the limit in total, with 0 made "
    "so far.",
    "prospect.total.many": "{number} releases like this one keep the limit in total, with 0 made "
    "so far.",
    "prospect.total.over.own": "{number} releases in total break the limit: {size}.",
    "prospect.total.over": "{number} releases in total could break the limit: {size}.",
    "prospect.total.unsure": "{number} releases in total are not known to keep the limit: {size}.",
    "prospect.more.any": "At least {number} more releases like this one keep the limit, in "
    "addition to {made}.",
    "prospect.by": " by the rule {rule}",
    "prospect.more.none": "Not one more release is known to keep the limit{by}. {reason}",
    "prospect.more.one": "{number} more release like this one keeps the limit, in addition to "
    "{made}.",
    "prospect.more.many": "{number} more releases like this one keep the limit, in addition to "
    "{made}.",
    "prospect.more.over.own": "{number} more releases break the limit: {size}.",
    "prospect.more.over": "{number} more releases could break the limit: {size}.",
    "prospect.more.unsure": "{number} more releases are not known to keep the limit: {size}.",
    "prospect.made.like": "the {done} made so far",
    "prospect.made.others": "the earlier releases",
    "prospect.made.both": "the {done} made so far and the other earlier releases",
    "prospect.left": "The {quantity} is then at most {most}; your limit is {limit}.",
    "prospect.posterior": "belief",
    "prospect.difference": "change of the belief",
    "prospect.ratio": "factor on the belief",
    "prospect.ratio_not": "factor on the doubt",
    "prospect.odds": "factor on the odds",
    "prospect.power": "power",
    "prospect.advantage": "advantage",
    "prospect.predictive_value": "belief after an alarm",
    "prospect.epsilon": "epsilon",
    "prospect.profile": "epsilon",
    "prospect.size": "the bound is then {most}",
    "prospect.size.endless": "there is then no finite bound",
}
