"""The papers, computed again: remarks beside their numbers, and what each separation shows."""

from __future__ import annotations

from typing import Final

REMARKS: Final[dict[str, str]] = {
    "papers.p0.basic": "For up to {number} releases, advanced composition is worse than basic "
    "composition. Take the smaller of the two bounds.",
    "papers.p0.exact": "The exact curve, read at the best delta, first exceeds 80% at k = "
    "{number}.",
    "papers.p0.later": "By the trade-off curve of zCDP, the limit of {limit} is exceeded from day "
    "{curve}. If the noise is normal, it is exceeded from day {normal}.",
    "papers.p1.zcdp": "The bound for zCDP there is {bound}. It holds for anything computed from "
    "the output.",
    "papers.p1.coins": "With two coins instead of Markov's inequality, delta is at most {bound}.",
    "papers.p1.point": "At that level, this one promise allows no test of two neighbors a power "
    "above {bound}.",
    "papers.p2.lemma": "Theorem 3.3 leaves no gap to the lemma: the lemma is attained up to g = "
    "{corner}. Beyond that, the truth is smaller than the lemma says.",
    "papers.p2.theorem-3-2": "n = {n}, p = {p}, q = {q}.",
    "papers.p2.theorem-3-3": "n = {n}, delta' = {delta}.",
    "papers.p3.simple": "The simple conversion gives {epsilon}.",
    "papers.p3.terms": "e^(2 epsilon) is {limit}. The printed bound is {lost}, and with the full "
    "term it is {full}.",
    "papers.p4.least": "The last bound holds but is not the least. Randomized response is the "
    "worst case, and its delta is smaller by the factor 1 + e^epsilon, here {factor}. For larger "
    "epsilon the bound exceeds 1.",
    "papers.p4.areas": "The area above is delta. It is at most: {areas}.",
}

SEPARATIONS: Final[dict[str, str]] = {
    "papers.says.one-bit": "Delta can be small at epsilon 0 although the privacy loss is epsilon "
    "more often than not.",
    "papers.says.leaky": "A mechanism that reveals everything can keep a condition on single "
    "outputs.",
    "papers.says.four-outcomes": "Post-processing breaks probabilistic DP: merge the output that "
    "reveals the dataset with one whose loss is just within the limit.",
    "papers.says.erasure": "Approximate DP does not imply probabilistic DP with a smaller loss "
    "than the theorems say.",
    "papers.says.lemma-3-1": "{keeps} does not imply {breaks}: the loss exceeds the limit with "
    "probability p.",
    "papers.says.theorem": "{keeps} does not imply {breaks}.",
    "papers.says.example-a-1": "A limit on how far beliefs move does not imply probabilistic DP "
    "with the same numbers.",
    "papers.says.example-4-9": "Post-processing can raise a tail of the privacy loss, as well as "
    "lower it.",
    "papers.says.example-5-6": "Pbdp at one (epsilon, delta) is not convex: tossing a coin between "
    "two mechanisms can break it.",
    "papers.says.witness": "A mechanism can keep {keeps} (approximate DP) but not {breaks} "
    "(probabilistic DP).",
    "papers.two-stand-for-all": "The full table on [n] has n = {size} rows and columns, so it is "
    "not written out. Any two datasets look alike: two of them stand for all. The other n - 2 "
    "outputs are equally likely on both, so they are merged into one.",
    "papers.shows.one-bit": "a loss of epsilon more often than not, and a small delta at epsilon 0",
    "papers.shows.leaky": "a condition on single outputs that protects nothing",
    "papers.shows.four-outcomes": "two outcomes that, merged, break probabilistic DP",
    "papers.shows.erasure": "Guingona et al., Lemma 2.3 is attained: there is no gap",
    "papers.shows.erasure-both": "Kazan et al. 2025, Theorem 3.9 is attained",
    "papers.shows.lemma-3-1": "the input itself, or any other number with equal probability",
    "papers.shows.theorem-3-2": "with the same delta, no epsilon of probabilistic DP is implied",
    "papers.shows.corollary-3-4": "a penalty of K delta leaves an epsilon of ln(1 + 1/K)",
    "papers.shows.example-a-1": "a limit on how far beliefs move, without probabilistic DP",
    "papers.shows.example-4-9": "post-processing raises a tail of the loss",
    "papers.shows.example-5-6": "pbdp at one (epsilon, delta) is not convex",
    "papers.needs": "{name} takes {needs}; {missing} is {what}.",
    "papers.number.epsilon": "the epsilon that is kept, in nats",
    "papers.number.delta": "the delta that is kept",
    "papers.number.beyond": "the epsilon that is not kept, in nats",
    "papers.number.failure": "the delta that is not kept",
    "papers.number.factor": "the factor K of a penalty K delta",
    "papers.number.count": "the number of outputs, n",
    "papers.number.p": "the probability of the input itself",
    "papers.lemma.beyond": "p = {p} is not above e^eps_hat q (q = {q}).",
    "papers.lemma.kept": "p = {p} is above e^epsilon q + delta (q = {q}).",
    "papers.lemma.often": "p = {p} is not above delta_hat = {often}.",
    "papers.penalty.function": "At delta = {delta} the penalty is g = {penalty}, and eps_hat is "
    "not below epsilon + ln(1 + delta / g). Theorem 3.3 does not cover this case.",
    "papers.penalty.factor": "With K = {factor}, eps_hat = {beyond} is not below epsilon + "
    "ln(1 + 1/K) = {limit}. Corollary 3.4 does not cover this case.",
    "papers.erasure.failure": "The failure probability is {often}, and delta is {delta}. Choose a "
    "failure probability above delta, and a delta above 0.",
    "papers.erasure.corner": "Lemma 2.3 is not attained beyond a failure probability of {corner}: "
    "the other line of the power curve is lower (dprisk Proposition 1).",
    "papers.simulation": "The simulation can only draw discrete-gaussian noise.",
    "papers.above-zero": "above 0 here",
    "papers.above-zero.fix": "At 0 the datasets cannot be told apart.",
    "papers.difference": "a number in (0, 2 log 3)",
    "papers.difference.delta": "a number in (0, 1/(1 + 1/B)]",
    "papers.difference.delta.fix": "B is {big}.",
    "papers.search.loss": "a loss above epsilon",
    "papers.search.delta": "a delta where p = g(delta) + delta",
    "papers.given-with": "given with {name}",
    "papers.left-out": "left out with {name}",
    "papers.left-out.fix": "It takes {needs}.",
    "papers.figure": "a figure of Kifer et al. 2022 (P1), from 1 to 15",
    "papers.second": "a dataset other than the first",
    "papers.print": "a number, where a number was computed",
    "papers.item": "a paper ({papers}) or an item such as {item}",
    "papers.what": "what to reproduce",
    "papers.difference.fix": "From there on a limit on the difference allows any loss.",
}

REASONS: Final[dict[str, str]] = {
    "papers.none": "Every mechanism with {keeps} (approximate DP) has {breaks} (probabilistic "
    "DP): its loss exceeds {loss} with probability at most {often}, and your epsilon of {asked} is "
    "not below that bound.",
    "papers.none.one": "Every mechanism has it: no probability is above 1.",
    "papers.none.price-one": "ε − ln(1 − δ/g)",
    "papers.none.price-both": "ln((g e^ε + δ) / (g − δ))",
    "papers.none.loss": "{price} (at most {loss}, with g = {often})",
}

TEXTS: Final[dict[str, str]] = REMARKS | SEPARATIONS | REASONS
