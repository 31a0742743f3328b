"""Explanations, topic by topic, in each register."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, str]] = {
    # titles
    "title.with-without": "What an adversary can learn",
    "title.with-without.plain": "What someone can learn about you",
    "title.factors": "Being in the data, and the value",
    "title.factors.plain": "Two parts of this chance",
    "title.any-reader": "Any adversary",
    "title.any-reader.plain": "A limit for anyone",
    "title.value": "Learning a value",
    "title.value.plain": "A guess about your data",
    "title.beliefs": "Other starting points",
    "title.beliefs.plain": "Other starting points",
    "title.guarantee": "What was promised",
    "title.guarantee.plain": "How the limit works",
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
    "most": "at most {high}",
    "most.nats": "at most {high} nats",
    "most.known": "{most} (no bound below {low} holds)",
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
    # factors
    "factors.lead.plain": "This chance has two parts, and each has a limit of its own. The chance "
    "of both together stays within the limit above.",
    "factors.inclusion.plain": "The results can raise the chance that {claim} from {before} {up}.",
    "factors.value.plain": "If your data are included, the results can raise the chance that "
    "{claim} from {before} {up}.",
    "factors.lead.full": "The posterior over the prior is the product of two factors: being in the "
    "data, and the value. Each factor has a limit of its own, {sure}.",
    "factors.inclusion.full": "From a prior of {before}, the chance that {claim} can rise {up}.",
    "factors.value.full": "Given that the record is in the data, the chance that {claim} can rise "
    "from {before} {up}.",
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
    # exceptions
    "exceptions.none.plain": "No result is an exception: if the assumptions hold, every possible "
    "result, however rare, stays within the limits above.",
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
    "limits.who.plain": "The publisher chooses how much noise to add. More noise "
    "gives a stricter limit, but makes the results less accurate.",
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
    "assumed.method.plain": "We assume, and have not checked, that the results were produced as "
    "promised. We also assume that the noise and every other random choice stay secret.",
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
    "assumed.record.unstated.full": "The unit is not stated. We assume that one record holds all "
    "the data of a person; if it does not, someone can learn more about the person.",
    "assumed.claim.full": "The claim and its opposite are two values of one record.",
    "assumed.method.full": "The noise and any random samples are drawn as promised, independently "
    "for each release, and stay secret. The software is correct.",
    "assumed.adaptive": "Later releases may depend on earlier ones. We assume that the noise of "
    "each is independent.",
    "assumed.computational.plain": "The release rests on {assumption}. We assume that nobody with "
    "ordinary computing power can tell its output from pure chance.",
    "assumed.computational": "The release rests on {assumption}. The other numbers are for an "
    "ideal one. We assume that no adversary with bounded computing power can tell the two apart "
    "with an advantage above {advantage}. Against such an adversary, δ grows by at most "
    "(1 + e^ε) × {total}, and a limit on beliefs fails with a probability that is larger by at "
    "most {total}. A test of level x has at most the power stated at level x + {total}, plus "
    "{total}. Against unbounded computing power, no limit is known.",
    "assumed.computational.several": "The release rests on {assumption}. The other numbers are for "
    "an ideal one. We assume that no adversary with bounded computing power can tell the two apart "
    "with an advantage above {advantage} in one release, or {total} in {releases}. Against such "
    "an adversary, δ grows by at most (1 + e^ε) × {total}, and a limit on beliefs fails with a "
    "probability that is larger by at most {total}. A test of level x has at most the power stated "
    "at level x + {total}, plus {total}. Against unbounded computing power, no limit is known.",
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
    "computed.both.formal": "From priors p (in the data) and q (the value, if in the data), "
    "posterior over prior is at most 1 / (p q + p (1 − q) e^−t₂ + (1 − p) e^−t₁). Here t₁ "
    "limits the loss of one step (in the data or not), and t₂ = ε′ that of two (another value). "
    "They share what may fail as is best at each prior ({theorem}).",
    "computed.change.formal": "For every p, the posterior differs from p by at most tanh(ε′ / 4). "
    "The largest rise is from p = 1 / (1 + e^(ε′ / 2)) ({theorem}).",
    "computed.with.formal": "The comparison of results with and without the record uses {theorem} "
    "({says}).",
    "computed.python.formal": "In Python: {code}",
}
