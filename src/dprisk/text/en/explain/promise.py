"""What is promised, how surely, and what delta is."""

from __future__ import annotations

from typing import Final

GUARANTEE: Final = {
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
}

EXCEPTIONS: Final = {
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
}

DELTA: Final = {
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
}
