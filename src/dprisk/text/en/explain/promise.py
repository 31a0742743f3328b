"""What is promised, how surely, and what delta is."""

from __future__ import annotations

from typing import Final

__all__ = ["DELTA", "EXCEPTIONS", "GUARANTEE"]

GUARANTEE: Final = {
    "guarantee.noise.plain": "Random noise, added on purpose, limits what anyone can learn about "
    "you from {data}.",
    "guarantee.central.plain": "The publisher still has your original data. The limit is about "
    "what was published.",
    "guarantee.local.plain": "The noise is added before anyone collects your data.",
    "guarantee.shuffle.plain": "Your data are mixed with other people's before anyone analyzes "
    "them. The limit is about what comes out of the mixing.",
    "guarantee.federated.plain": "Your data stay on your device, which sends updates. The limit is "
    "about what is published from these updates.",
    "guarantee.varies.plain": "Some of the noise is added before your data are collected, and "
    "some after.",
    "guarantee.nobody.plain": "The source does not say whether the noise is added before or after "
    "your data are collected.",
    "guarantee.later.plain": "The limit also covers anything computed from the results later.",
    "guarantee.below.plain": "The limit is about {data}. Larger parts of your data together can "
    "reveal more.",
    "guarantee.expert.plain": "For experts: {promise}",
    "guarantee.stated.full": "{promise}",
    "guarantee.also.full": "The source also states the promise in another way. {promise}",
    "guarantee.add-remove.full": "Neighboring datasets: one has a record that the other lacks. The "
    "promise compares results from the two.",
    "guarantee.replace-one.full": "Neighboring datasets: they have the same size, and one record "
    "has another value. The promise compares results from the two.",
    "guarantee.odds.full": "In the worst case, the reader knows every other record and only asks "
    "whether {claim}. {Sure}, the odds of that change by a factor of {odds}, up or down. "
    "Chances change by a smaller factor than odds.",
    "guarantee.odds-still.full": "In the worst case, the reader knows every other record and only "
    "asks whether {claim}. {Sure}, the odds of that do not change.",
    "guarantee.two-steps.full": "Under add-remove neighbors, another value of a record takes two "
    "steps: one record out, one in. So this limit can be looser than the one for being in the "
    "data.",
    "guarantee.larger.full": "A larger privacy loss limit allows larger changes. This limit is for "
    "one {unit}; about several together, more can be learned.",
    "formula.pure": "ε-DP: P[M(D) ∈ S] ≤ e^ε P[M(D′) ∈ S] for every event S and all neighbors "
    "D, D′.",
    "formula.approximate": "(ε, δ)-DP: P[M(D) ∈ S] ≤ e^ε P[M(D′) ∈ S] + δ for every event S and "
    "all neighbors D, D′.",
    "formula.approximate-curve": "(ε, δ)-DP at every point of the curve: P[M(D) ∈ S] ≤ e^ε "
    "P[M(D′) ∈ S] + δ for every event S and all neighbors D, D′.",
    "formula.probabilistic": "Probabilistic DP: the privacy loss Z = log(P[M(D) = y] / P[M(D′) "
    "= y]), with y drawn from M(D), goes beyond ε with probability at most δ.",
    "formula.bounded": "pbdp: the privacy loss of M, and of anything computed from its output, "
    "exceeds ε with probability at most δ.",
    "formula.tradeoff": "f-DP: every test of D against D′ with level x has a type II error of at "
    "least f(x).",
    "formula.gaussian": "Gaussian DP: testing D against D′ is at least as hard as testing N(0, 1) "
    "against N(μ, 1).",
    "formula.laplace": "f-DP with a Laplace curve: testing D against D′ is at least as hard as "
    "testing Lap(0, 1) against Lap(μ, 1).",
    "formula.renyi": "Rényi DP: the Rényi divergence of order α of M(D) from M(D′) is at most γ.",
    "formula.concentrated": "zCDP: for every order α > 1, the Rényi divergence of M(D) from M(D′) "
    "is at most ξ + ρα (ξ = 0 unless given).",
    "formula.privacy-loss": "The privacy loss Z = log(P[M(D) = y] / P[M(D′) = y]), with y drawn "
    "from M(D), is known or dominated. Losses of independent noise add up.",
}

EXCEPTIONS: Final = {
    "exceptions.none.plain": "This limit has no exceptions: every possible result, however rare, "
    "stays within it.",
    "exceptions.some.plain": "In at most {failure} of 100 cases, the results can say more than "
    "this.",
    "exceptions.both.full": "Pure differential privacy (δ = 0) limits the change for every "
    "result. Approximate differential privacy and its relatives limit it in most cases; in the "
    "others the change can be larger, up to certainty.",
    "exceptions.none.full": "This promise has no exceptions: for every result, the log-odds move "
    "by at most {loss}.",
    "exceptions.some.full": "This promise has exceptions. In at least {confidence} of 100 cases, "
    "the log-odds move by at most {loss}; in up to {failure} of 100 cases, they can move further.",
    "exceptions.chosen.full": "This confidence is a choice: a higher one allows a larger change. "
    "It is a probability over the noise, and it holds whether the claim is true or false.",
    "exceptions.not.full": "(ε, δ)-DP is not “ε-DP except with probability δ”. The odds can change "
    "by more than e^ε with a probability larger than δ.",
}

DELTA: Final = {
    "delta.outright.plain": "With a chance of {delta}, the promise may set no limit at all. Some "
    "methods that keep such a promise occasionally publish someone's data unchanged. The promise "
    "does not say whether this method does.",
    "delta.curve.plain": "Large jumps are rarer than small ones.",
    "delta.outright.full": "δ = {delta} is how far the probability of an event may exceed e^ε "
    "times its probability on a neighboring dataset. So a method that publishes a record unchanged "
    "with probability δ can keep this promise.",
    "delta.probability.full": "With probability at most δ = {delta}, the log-odds move by more "
    "than ε{scope}. The promise sets no limit in those cases: a method may publish a record "
    "unchanged.",
    "delta.probability.raw": " because of the output itself. It says nothing about what is "
    "computed from the output later",
    "delta.probability.any": ", because of the output or anything computed from it",
    "delta.people.full": "This is for each record. Over all records, up to δ times their number "
    "may be revealed on average, so compare δ with one over the number of records.",
    "delta.not-tail.full": "δ is not the probability that the log-odds move by more than ε, "
    "which can be larger. It also does not say how bad the exceptions are.",
    "delta.none.full": "This promise has no δ (δ = 0): every event is limited.",
    "delta.curve.full": "This promise has a δ for every ε. At δ = {delta}, ε is at most "
    "{epsilon}; this pair is one point of a curve.",
    "delta.left.full": "However large ε is, results with a probability of at most {revealed} "
    "stay without a limit.",
    "delta.profile.formal": "δ(ε) = sup over S of P[M(D) ∈ S] − e^ε P[M(D′) ∈ S] = E[max(0, 1 − "
    "e^(ε − Z))].",
}
