"""Every sentence that the package says, by key: the one place to translate.

A key is ``topic.variant.register``. The registers are ``plain`` (for the person whose data it is),
``full`` (for whoever decides) and ``formal`` (for whoever checks); ``formal`` falls back to
``full``, and both to a template without a register. Curly brackets hold what code fills in: numbers
that were rounded already, phrases that were made from other templates, and names.
"""

from __future__ import annotations

from typing import Any, Final, Literal

__all__ = ["TEXTS", "Register", "fill", "has", "resolved"]

Register = Literal["plain", "full", "formal"]
BELOW: dict[str, tuple[str, ...]] = {
    "plain": ("plain",),
    "full": ("full",),
    "formal": ("formal", "full"),
}

TITLES: Final = {
    "title.with-without": "With the record and without it",
    "title.with-without.plain": "With your data and without",
    "title.beliefs": "What somebody may come to believe",
    "title.beliefs.plain": "What somebody may come to think",
    "title.guarantee": "What is promised",
    "title.exceptions": "Certain, or with exceptions",
    "title.exceptions.plain": "Does the limit always hold?",
    "title.delta": "What δ is, and what it is not",
    "title.delta.plain": "What the exceptions can mean",
    "title.tests": "What tests of the results can do",
    "title.time": "Again and again",
    "title.limits": "Setting the privacy loss limit",
    "title.limits.plain": "Who chose the limit",
    "title.worst-case": "How to read “at most”",
    "title.assumptions": "Taken for granted",
    "title.assumptions.plain": "What this takes for granted",
    "title.not-covered": "Not covered",
    "title.not-covered.plain": "What the limit does not cover",
    "title.computed": "How computed",
    "title.silent": "No number to work with",
    "for.data-subject": "For the person whose data it is",
    "for.curator": "For whoever makes the release",
    "for.regulator": "For whoever has to approve it",
    "for.researcher": "For whoever checks it",
}

# --- words and phrases that others are made of ---------------------------------------------------

PHRASES: Final = {
    "who.person": "the person",
    "who.unit": "the {unit}",
    "who.every": "the {unit} of every release",
    "or": " or ",
    "and": " and ",
    "data.person.plain": "your data",
    "data.unit.plain": "the data of one {unit}",
    "data.every.plain": "the data of one {unit} in every release",
    "data.any": "the record of {who}",
    "membership.person.plain": "you are in the data",
    "membership.unit.plain": "one {unit} of yours is in the data",
    "membership": "{who} is in the data",
    "attribute.person.plain": "one thing rather than another is true of you",
    "attribute.unit.plain": "one thing rather than another is true of one {unit} of yours",
    "attribute": "the record of {who} says one thing rather than another",
    "something.person.plain": "something is true of you",
    "something.unit.plain": "something is true of one {unit} of yours",
    "something": "something is true of {who}",
    "somebody": "somebody",
    "chances": "{number} in 100",
    "up.number": "to at most {chances}",
    "up.top": "even above 99 in 100",
    "up.bottom": "to fewer than 1 in 100",
    "down.number": "to at least {chances}",
    "down.top": "to more than 99 in 100",
    "down.bottom": "below 1 in 100",
    "with.number": "at {chances} at most",
    "with.top": "even above 99 in 100",
    "with.bottom": "at fewer than 1 in 100",
    "sure.always": "whatever the results turn out to be",
    "sure.mostly": "with a confidence of at least {confidence}%",
    "start.always": "Whatever the results turn out to be",
    "start.mostly": "With a confidence of at least {confidence}%",
    "most.bare": "at most {number}",
    "nats.one": "{number} nat",
    "nats": "{number} nats",
    "factor.beyond": "more than {number}",
    "near.number": "near {chances}",
    "near.bottom": "below 1 in 100",
    "near.top": "above 99 in 100",
}

# --- one result, one sentence: what assess, compose, power and counterfactual print --------------

RESULTS: Final = {
    "assess.silent": "{name} cannot be assessed. {reason}",
    "assess.promise": "The release promises {promises}{times} {about}.",
    "assess.promise.composed": "The release promises {promises}{times} {about}: together at "
    "most {whole} ({rule}).",
    "assess.times": ", {releases} times over",
    "assess.about": "({unit}, {period}, {relation}, {model})",
    "assess.unit": "unit: {unit}",
    "assess.unit.none": "unit not stated",
    "assess.period": "period: {period}",
    "assess.period.none": "period not stated",
    "assess.relation": "{neighbors} neighbors",
    "assess.relation.assumed": "{neighbors} neighbors assumed",
    "assess.model": "{model} model",
    "assess.model.none": "model not stated",
    "assess.point": "{promise}, a point on one curve",
    "assess.composed": "Composed to {guarantee} {rule}.",
    "assess.composed.own": "The privacy losses of what was run were added up: {parts} {rule}.",
    "assess.composed.promises": "The privacy losses of the worst that can keep the promises "
    "were added up: {parts} {rule}.",
    "part.times": "{count} × ",
    "part.label": " for {label}",
    "part.known": "{times}{name} ({parts}){label}",
    "part.promised": "{times}{keeps}{label}",
    "part.run": "{times}{run}, which keeps {keeps}{label}",
    "part.mechanism": "{times}{mechanism} ({details}), which keeps {keeps}{label}",
    "part.parameters": "{name} with {parameters}",
    "part.approximate": "δ-approximate {name}",
    "assess.belief": "Somebody who puts the chances that {secret} at {before} may put them, "
    "having seen the results, {between} ({sure}).",
    "assess.with_data": "Where results made without the data of {who} would lead somebody to "
    "put the chances of something about {who} at {before}, results made with them lead to "
    "{high} (whatever they turn out to be, if {who} is independent of all others).",
    "assess.still": "Whatever somebody thought before, the results do not move the belief "
    "({sure}).",
    "assess.anybody": "Whatever somebody thought before, the results can move the belief up or "
    "down by {points} percentage points; most for somebody who {starts} ({sure}).",
    "points": "at most {points}",
    "points.top": "even more than 99",
    "starts": "starts {up}",
    "starts.apart": "starts {up} (up) or {down} (down)",
    "ends.same": "{end} in any case",
    "ends.anywhere": "anywhere from below 1 in 100 to above 99 in 100",
    "ends": "{high} and {low}",
    "high.number": "{chances} at most",
    "high.top": "even above 99 in 100",
    "high.bottom": "below 1 in 100",
    "low.number": "at {chances} at least",
    "low.top": "above 99 in 100",
    "low.bottom": "even below 1 in 100",
    "at": "at {end}",
    "tests.guess": "Somebody who has to say which of the two is so, when both are equally "
    "likely, is right in {cases}.",
    "tests.power": "A test that raises a false alarm in {false} {without} raises a true one in "
    "{true} {within}.",
    "tests.belief": "At that level, an alarm moves a belief of {prior} in what it signals to "
    "{alarm}; no alarm moves the {opposite} for the opposite to {silence}.",
    "cases.membership.without": "in which {who} is not in the data",
    "cases.membership.within": "in which {who} is",
    "cases.attribute.without": "in which the record of {who} says one thing",
    "cases.attribute.within": "in which it says another",
    "cases.none": "no case",
    "cases.every": "every case",
    "cases.every.possibly": "possibly every case",
    "cases.number": "{number} of 100 cases",
    "cases.most": "at most {number} of 100 cases",
    "cases.bottom": "fewer than 1 of 100 cases",
    "cases.top": "possibly more than 99 of 100 cases",
    "moved.number": "at most {chances}",
    "moved.top": "possibly more than 99 in 100",
    "moved.bottom": "fewer than 1 in 100",
    "compared": "{who}: if results made without your record put the chances of {claim} at "
    "{before}, the same results made with it put them {after} ({sure}).",
    "compared.who.true-record": "For somebody who knows every other record",
    "compared.who.rest-known": "For somebody who knows every other record, and how likely yours "
    "is to say what",
    "compared.who.arbitrary-prior": "For somebody who is right about how records come about",
    "compared.who.wrong-prior": "For anybody, however wrong about the data",
    "compared.claim.true": "what it really says",
    "compared.claim.any": "one thing that it may say",
    "compared.certain": "anywhere up to certainty",
    "compared.top": "anywhere up to above 99 in 100",
    "compared.number": "at {chances} at most",
    "compared.bottom": "at fewer than 1 in 100",
    "together.one": "This release keeps",
    "together.many": "Together these {uses} releases keep",
    "later.one": "whatever is computed from it later",
    "later.many": "whatever is computed from them later",
    "together.promise": "{keeps} (ε, δ)-DP at {at} with {asked} {between}, {later}.",
    "together.none": "No finite ε is kept at {at}.",
    "together.unknown": "As far as is known, no finite ε is kept at {at}.",
    "together.test": "A test that tells two neighbors apart with a false alarm at a level of "
    "{level} has a power of {most}, {later}.",
    "together.shift": "With a confidence of at least {confidence}, the log-odds move by {most}, "
    "{later}.",
    "together.shift.none": "With a confidence of at least {confidence}, no bound on the "
    "log-odds holds.",
    "between.most": "of at most {high}",
    "between.exact": "= {high}",
    "between": "between {low} and {high}",
    "most": "at most {high}",
    "most.nats": "at most {high} nats",
    "most.known": "{most} (no bound below {low} holds)",
    "width.upper": "upper bound",
    "width.exact": "exact",
    "width.digits": "{digits} digits",
    "width.factor": "within a factor of {factor}",
}

NAMES: Final = {
    "definition.pure": "pure DP",
    "definition.approximate": "approximate DP",
    "definition.approximate-curve": "approximate DP (a curve)",
    "definition.probabilistic": "probabilistic DP",
    "definition.bounded": "probabilistically bounded DP",
    "definition.tradeoff": "f-DP",
    "definition.gaussian": "Gaussian DP",
    "definition.renyi": "Rényi DP",
    "definition.concentrated": "zCDP",
    "definition.privacy-loss": "a known privacy loss",
    "mechanism.randomized-response": "randomized response",
    "mechanism.geometric": "geometric noise",
    "mechanism.laplace": "Laplace noise",
    "mechanism.gaussian": "Gaussian noise",
    "mechanism.discrete-gaussian": "discrete Gaussian noise",
    "mechanism.sample-release": "a sample of the records themselves",
    "mechanism.subsampled-gaussian": "Gaussian noise on a random part of the records",
    "mechanism.subsampled-laplace": "Laplace noise on a random part of the records",
}

# --- explanations, topic by topic ----------------------------------------------------------------

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
    "beliefs.known.plain": "Now take somebody who knows the data of everybody else, and who has "
    "a guess about you.",
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
    "{points} in 100, up or down. They can move most for somebody who {starts}.",
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

GUARANTEE: Final = {
    "guarantee.noise.plain": "Random noise was added, on purpose. It limits what anybody can "
    "learn about you because {data} were used.",
    "guarantee.central.plain": "Whoever collects your data still sees them as they are. The "
    "limit is about what is published.",
    "guarantee.local.plain": "The noise is added to your data before anybody collects them.",
    "guarantee.varies.plain": "Some of the noise is added before data are collected, some after.",
    "guarantee.nobody.plain": "Whether it is added before or after your data are collected is "
    "not stated.",
    "guarantee.later.plain": "The limit also covers whatever is computed from the results later.",
    "guarantee.below.plain": "The limit is about one {unit}. About several of yours together, "
    "more can be learned.",
    "guarantee.expert.plain": "For experts: {promise}",
    "guarantee.stated.full": "{promise}",
    "guarantee.add-remove.full": "Neighbors are two sets of data, of which one has a record "
    "that the other lacks. The promise compares the results made from the one with those made "
    "from the other.",
    "guarantee.replace-one.full": "Neighbors are two sets of data of the same size that differ "
    "in what one record says. The promise compares the results made from the one with those "
    "made from the other.",
    "guarantee.odds.full": "In the worst case the reader knows every other record, and all that "
    "is open is whether {claim}. {Sure}, the odds of that move by a factor of {odds}, up or "
    "down. The factor is one on odds; chances move by less.",
    "guarantee.odds-still.full": "In the worst case the reader knows every other record, and "
    "all that is open is whether {claim}. {Sure}, the results do not move the odds of that.",
    "guarantee.two-steps.full": "Another value of a record is two steps of add-remove away: one "
    "record out, one in. So the limit for two steps is used, which may be larger than the one "
    "for being in the data.",
    "guarantee.larger.full": "A larger limit on the privacy loss allows larger changes. The "
    "limit is for one {unit}; about several together, more can be learned.",
    "formula.pure": "ε-DP: P[M(D) ∈ S] ≤ e^ε P[M(D′) ∈ S] for every event S and all neighbors "
    "D, D′.",
    "formula.approximate": "(ε, δ)-DP: P[M(D) ∈ S] ≤ e^ε P[M(D′) ∈ S] + δ for every event S and "
    "all neighbors D, D′.",
    "formula.approximate-curve": "(ε, δ)-DP at every point of the curve: P[M(D) ∈ S] ≤ e^ε "
    "P[M(D′) ∈ S] + δ for every event S and all neighbors D, D′.",
    "formula.probabilistic": "Probabilistic DP: the privacy loss Z = log(P[M(D) = y] / P[M(D′) "
    "= y]), at y drawn from M(D), is beyond ε with probability δ at most.",
    "formula.bounded": "pbdp: the privacy loss of M, and of anything computed from M, exceeds ε "
    "with probability δ at most.",
    "formula.tradeoff": "f-DP: every test of D against D′ with a level of x has a type II error "
    "of at least f(x).",
    "formula.gaussian": "Gaussian DP: every test of D against D′ is at least as hard as one of "
    "N(0, 1) against N(μ, 1).",
    "formula.renyi": "Rényi DP: the Rényi divergence of order α of M(D) from M(D′) is at most γ.",
    "formula.concentrated": "zCDP: the Rényi divergence of every order α > 1 of M(D) from M(D′) "
    "is at most ξ + ρα (ξ = 0 unless given).",
    "formula.privacy-loss": "The privacy loss Z = log(P[M(D) = y] / P[M(D′) = y]), at y drawn "
    "from M(D), is known or dominated: losses of independent noise add up.",
}

EXCEPTIONS: Final = {
    "exceptions.none.plain": "Yes. There is no result, however rare, that goes beyond the limit.",
    "exceptions.some.plain": "No. In at least {confidence} of 100 cases it does. In the other "
    "cases a result may go beyond it, and that cannot be ruled out.",
    "exceptions.both.full": "Pure differential privacy (δ = 0) limits the change for every "
    "result. Approximate differential privacy and its relatives limit it with a confidence: in "
    "the remaining cases the change can be larger, up to certainty.",
    "exceptions.none.full": "This promise holds for every result: the log-odds move by at most "
    "{loss}, and no exception is left.",
    "exceptions.some.full": "This promise has exceptions. With a confidence of at least "
    "{confidence}%, the log-odds move by at most {loss}. In the rest, up to {failure} of 100 "
    "cases, they may move further.",
    "exceptions.chosen.full": "The confidence is a choice: a higher one goes with a larger "
    "change. It is about the randomness of the noise, and holds whether the claim is true or "
    "not.",
    "exceptions.not.full": "Approximate differential privacy is often said to be pure "
    "differential privacy, but for a probability of δ. That is not so: the change can go beyond "
    "e^ε with a probability larger than δ.",
}

DELTA: Final = {
    "delta.outright.plain": "With a chance of {delta}, the promise may say nothing at all. Some "
    "methods that keep such a promise publish somebody's data as they are once in a while. "
    "Whether this one does, the promise does not say.",
    "delta.curve.plain": "Results that go far beyond the limit are rarer than those that go a "
    "little beyond it.",
    "delta.outright.full": "δ = {delta} is how much the probability of an event may exceed e^ε "
    "times its probability without the record. So a method may publish a record as it is with a "
    "probability of δ, and keep the promise.",
    "delta.probability.full": "δ = {delta} is the probability that the log-odds move by more "
    "than ε{scope}. What happens then is left open: a method may publish a record as it is.",
    "delta.probability.raw": " by the output itself; it says nothing about what is computed "
    "from it",
    "delta.probability.any": ", by the output or by anything computed from it",
    "delta.people.full": "That is for each record. Over all of them, δ times the number of "
    "records may be expected to come out, so it matters how δ compares with one over that "
    "number.",
    "delta.not-tail.full": "δ is not the probability that the log-odds move by more than ε, "
    "which can be larger; nor does it say how much worse the exceptions are.",
    "delta.none.full": "There is no δ in this promise (δ = 0), and so no event that it leaves "
    "uncontrolled.",
    "delta.curve.full": "This promise has no single δ. There is one for every ε: at δ = "
    "{delta}, ε is at most {epsilon}. Whoever quotes one such pair quotes one point of a curve.",
    "delta.left.full": "However large ε is, a probability of {revealed} stays uncontrolled.",
    "delta.profile.formal": "δ(ε) = sup over S of P[M(D) ∈ S] − e^ε P[M(D′) ∈ S] = E[max(0, 1 − "
    "e^(ε − Z))].",
}

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

TEXTS: dict[str, str] = {
    **TITLES,
    **PHRASES,
    **RESULTS,
    **NAMES,
    **WITH_WITHOUT,
    **BELIEFS,
    **GUARANTEE,
    **EXCEPTIONS,
    **DELTA,
    **TIME,
    **LIMITS,
    **CAVEATS,
    **SILENT,
    **COMPUTED,
}


def has(key: str, register: Register = "full") -> bool:
    """Whether there is a template in a register, or one for all of them."""
    return resolved(key, register) in TEXTS


def fill(key: str, register: Register = "full", /, **words: Any) -> str:
    """A template with its gaps filled; what is filled in is taken as it is."""
    return TEXTS[resolved(key, register)].format_map(words)


def resolved(key: str, register: Register) -> str:
    """The template that a register uses under a key."""
    named = (f"{key}.{name}" for name in BELOW[register])
    return next((name for name in named if name in TEXTS), key)
