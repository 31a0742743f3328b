"""What is promised, how surely, and what delta is."""

from __future__ import annotations

from typing import Final

__all__ = ["DELTA", "EXCEPTIONS", "GUARANTEE"]

GUARANTEE: Final = {
    "guarantee.noise.plain": "Random noise was added, on purpose. It limits what anybody can "
    "learn about you because {data} were used.",
    "guarantee.central.plain": "Whoever collects your data still sees them as they are. The "
    "limit is about what is published.",
    "guarantee.local.plain": "The noise is added to your data before anybody collects them.",
    "guarantee.shuffle.plain": "Your data is mixed with that of others before anybody analyzes it. "
    "The limit is about what comes out of the mixing.",
    "guarantee.federated.plain": "Your data stays on your device, which sends updates. The limit "
    "is about what is published from them.",
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
    "formula.laplace": "f-DP by a Laplace curve: every test of D against D′ is at "
    "least as hard as one of Lap(0, 1) against Lap(μ, 1).",
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
