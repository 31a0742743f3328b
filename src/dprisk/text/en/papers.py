"""The papers, computed again: remarks beside their numbers, and what each separation shows."""

from __future__ import annotations

from typing import Final

REMARKS: Final[dict[str, str]] = {
    "papers.p0.later": "By the trade-off curve of zCDP, the limit of {limit} is exceeded from day "
    "{curve}. If the noise is normal, it is exceeded from day {normal}.",
    "papers.p2.theorem-3-2": "n = {n}, p = {p}, q = {q}.",
    "papers.p2.theorem-3-3": "n = {n}, delta' = {delta}.",
    "papers.p3.terms": "e^(2 epsilon) is {limit}. The printed bound is {lost}, and with the full "
    "term it is {full}.",
}

SEPARATIONS: Final[dict[str, str]] = {
    "papers.says.lemma-3-1": "{keeps} does not imply {breaks}: the loss exceeds the limit with "
    "probability p.",
    "papers.says.theorem": "{keeps} does not imply {breaks}.",
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
    "papers.item": "a paper ({papers}) or an item such as {item}",
}

REASONS: Final[dict[str, str]] = {
    "papers.none.price-one": "ε − ln(1 − δ/g)",
    "papers.none.price-both": "ln((g e^ε + δ) / (g − δ))",
}

TEXTS: Final[dict[str, str]] = REMARKS | SEPARATIONS | REASONS
