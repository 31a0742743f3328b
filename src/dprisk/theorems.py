"""The literature that the package implements, and the theorem behind each number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from dprisk.text import english

__all__ = ["Theorem"]

WORKS: dict[str, str] = {
    "P0": "Z. Kazan, S. Sharma, W. Zhang, B. Jiang, Q. Yan, "
    "Interpreting Differential Privacy in Terms of Disclosure Risk, arXiv:2507.09699.",
    "P1": "D. Kifer, J. M. Abowd, R. Ashmead, R. Cumings-Menon, P. Leclerc, A. Machanavajjhala, "
    "W. Sexton, P. Zhuravlev, Bayesian and Frequentist Semantics for Common Variations of "
    "Differential Privacy: Applications to the 2020 Census, arXiv:2209.03310.",
    "P2": "V. Guingona, A. Kolesnikov, J. Nierwinski, A. Schweitzer, "
    "Comparing approximate and probabilistic differential privacy parameters.",
    "P3": "Z. Kazan, J. P. Reiter, Prior-itizing Privacy: A Bayesian Approach to Setting the "
    "Privacy Budget in Differential Privacy, NeurIPS 2024.",
    "P4": "S. Meiser, Approximate and probabilistic differential privacy definitions, "
    "IACR ePrint 2018/277.",
    "Asoodeh 2021": "S. Asoodeh, J. Liao, F. P. Calmon, O. Kosut, L. Sankar, Three variants of "
    "differential privacy: lossless conversion and applications, IEEE J. Sel. Areas Inf. Theory 2, "
    "2021 (arXiv:2008.06529).",
    "Balle 2020": "B. Balle, G. Barthe, M. Gaboardi, J. Hsu, T. Sato, "
    "Hypothesis testing interpretations and Rényi differential privacy, AISTATS 2020.",
    "Bun 2016": "M. Bun, T. Steinke, Concentrated differential privacy: "
    "simplifications, extensions, and lower bounds, TCC 2016.",
    "Canonne 2020": "C. L. Canonne, G. Kamath, T. Steinke, "
    "The discrete Gaussian for differential privacy, NeurIPS 2020.",
    "Clopper 1934": "C. J. Clopper, E. S. Pearson, The use of confidence or fiducial limits "
    "illustrated in the case of the binomial, Biometrika 26, 1934.",
    "Dong 2022": "J. Dong, A. Roth, W. J. Su, Gaussian differential privacy, "
    "J. R. Stat. Soc. B 84, 2022 (arXiv:1905.02383).",
    "Dwork 2014": "C. Dwork, A. Roth, The algorithmic foundations of differential privacy, 2014.",
    "Feldman 2021": "V. Feldman, T. Zrnic, Individual privacy accounting via a Rényi filter, "
    "NeurIPS 2021 (arXiv:2008.11193).",
    "Kairouz 2015": "P. Kairouz, S. Oh, P. Viswanath, "
    "The composition theorem for differential privacy, ICML 2015.",
    "Koskela 2023": "A. Koskela, M. Tobaben, A. Honkela, Individual privacy accounting with "
    "Gaussian differential privacy, ICLR 2023 (arXiv:2209.15596).",
    "Lee 2011": "J. Lee, C. Clifton, How much is enough? Choosing ε for differential privacy, "
    "ISC 2011.",
    "Mironov 2017": "I. Mironov, Rényi differential privacy, CSF 2017.",
    "Riess 2026": "A. Riess, J. F. Gomez, F. P. Calmon, J. A. Schnabel, G. Kaissis, Optimal "
    "conversion from Rényi differential privacy to f-differential privacy, PMLR 306, 2026 "
    "(arXiv:2602.04562).",
    "Rogers 2016": "R. Rogers, A. Roth, J. Ullman, S. Vadhan, Privacy odometers and filters: "
    "pay-as-you-go composition, NeurIPS 2016 (arXiv:1605.08294).",
    "Smith 2022": "A. Smith, A. Thakurta, Fully adaptive composition for Gaussian differential "
    "privacy, arXiv:2210.17520.",
    "Whitehouse 2023": "J. Whitehouse, A. Ramdas, R. Rogers, Z. S. Wu, Fully-adaptive composition "
    "in differential privacy, ICML 2023, PMLR 202 (arXiv:2203.05481).",
    "Wood 2018": "A. Wood et al., Differential privacy: a primer for a non-technical audience, "
    "Vanderbilt J. of Entertainment and Technology Law 21, 2018.",
    "Zhu 2022": "Y. Zhu, J. Dong, Y.-X. Wang, "
    "Optimal accounting of differential privacy via characteristic function, AISTATS 2022.",
    "dprisk": "the dprisk documentation, on the page Theorems.",
}

NAMES: dict[str, str] = {
    "P0": "Kazan et al. 2025",
    "P1": "Kifer et al. 2022",
    "P2": "Guingona et al.",
    "P3": "Kazan and Reiter 2024",
    "P4": "Meiser 2018",
    "Asoodeh 2021": "Asoodeh et al. 2021",
    "Balle 2020": "Balle et al. 2020",
    "Bun 2016": "Bun and Steinke 2016",
    "Canonne 2020": "Canonne et al. 2020",
    "Clopper 1934": "Clopper and Pearson 1934",
    "Dong 2022": "Dong et al. 2022",
    "Dwork 2014": "Dwork and Roth 2014",
    "Feldman 2021": "Feldman and Zrnic 2021",
    "Kairouz 2015": "Kairouz et al. 2015",
    "Koskela 2023": "Koskela et al. 2023",
    "Lee 2011": "Lee and Clifton 2011",
    "Riess 2026": "Riess et al. 2026",
    "Rogers 2016": "Rogers et al. 2016",
    "Smith 2022": "Smith and Thakurta 2022",
    "Whitehouse 2023": "Whitehouse et al. 2023",
    "Wood 2018": "Wood et al. 2018",
    "Zhu 2022": "Zhu et al. 2022",
}
"""Authors and year, where the key of a work does not say them already."""


@final
@dataclass(frozen=True)
class Theorem:
    """The source of a number.

    Parameters
    ----------
    work : str
        A key of `WORKS`.
    place : str
        The theorem, equation or section in it.
    says : str
        What it says, in one line.

    Examples
    --------
    >>> from dprisk.theorems import Theorem
    >>> str(Theorem("P0", "Theorem 3.9", "approximate DP implies probabilistic DP"))
    'P0 Theorem 3.9'
    >>> Theorem("P0", "Theorem 3.9", "approximate DP implies probabilistic DP").named
    'Kazan et al. 2025, Theorem 3.9'
    """

    work: str
    place: str
    says: str

    def __str__(self) -> str:
        return f"{self.work} {self.place}"

    @property
    def named(self) -> str:
        """Authors, year and the place: how a sentence cites it."""
        return f"{NAMES.get(self.work, self.work)}, {self.place}"

    @property
    def citation(self) -> str:
        """The work and the place in it, in full."""
        return f"{self.place} of {WORKS[self.work]}"


ONE_RELEASE: Final = Theorem("P0", "Definition 2.1", english("theorems.alone"))
NOTHING_RELEASED: Final = Theorem("P0", "Definition 2.1", english("theorems.nothing"))
BASIC_COMPOSITION: Final = Theorem("P0", "Theorem 2.8(1)", english("theorems.basic"))
ADVANCED_COMPOSITION: Final = Theorem("P0", "Theorem 2.8(2)", english("theorems.advanced"))
ADVANCED_WITHOUT_DELTA: Final = Theorem(
    "P0", "Theorem 2.8(2)", "the deltas leave nothing for advanced composition"
)
OPTIMAL_ON_LATTICE: Final = Theorem("P0", "Theorem 2.8(3)", "optimal composition, on its lattice")
OPTIMAL_COMPOSITION: Final = Theorem("Kairouz 2015", "Theorem 3.3", english("theorems.optimal"))
ZCDP_COMPOSITION: Final = Theorem("P0", "Theorem 2.9", english("theorems.rhos"))
RENYI_COMPOSITION: Final = Theorem("Mironov 2017", "Proposition 1", english("theorems.divergences"))
GAUSSIAN_COMPOSITION: Final = Theorem("Dong 2022", "Corollary 3.3", english("theorems.mus"))
LOSS_COMPOSITION: Final = Theorem("Zhu 2022", "Theorem 10", english("theorems.losses"))
PURE_FILTER: Final = Theorem(
    "dprisk",
    "Proposition 23(1)",
    "values of ε may be chosen after seeing outputs, up to a total fixed in advance",
)
APPROXIMATE_FILTER: Final = Theorem(
    "dprisk",
    "Proposition 23(2)",
    "values of ε and δ may be chosen after seeing outputs, up to totals fixed in advance",
)
ZCDP_FILTER: Final = Theorem(
    "dprisk",
    "Proposition 23(3)",
    "values of ρ may be chosen after seeing outputs, up to a total fixed in advance",
)
GAUSSIAN_FILTER: Final = Theorem(
    "dprisk",
    "Proposition 23(4)",
    "values of μ may be chosen after seeing outputs, up to a total of squares fixed in advance",
)
RENYI_FILTER: Final = Theorem(
    "dprisk",
    "Proposition 23(5)",
    "divergences may be chosen after seeing outputs, up to totals at orders fixed in advance",
)
PURE_TO_ZCDP: Final = Theorem("Bun 2016", "Proposition 3.3", "rho = epsilon^2 / 2")
RENYI_TO_APPROXIMATE: Final = Theorem(
    "Canonne 2020", "Proposition 12", "Rényi bounds imply approximate DP"
)
CONFIDENCE_LIMITS: Final = Theorem(
    "Clopper 1934", "exact limits", "bounds on a set that was chosen in advance"
)
GAUSSIAN_PROFILE: Final = Theorem("Dong 2022", "Corollary 2.13", "privacy profile of Gaussian DP")
ADVANTAGE_IS_DELTA: Final = Theorem(
    "Dong 2022", "Proposition 2.12", "the largest power minus level equals δ at ε = 0"
)
TRADEOFF_PROFILE: Final = Theorem(
    "Dong 2022", "Proposition 2.12", "the profile is the dual of the trade-off"
)
WORST_APPROXIMATE: Final = Theorem(
    "Kairouz 2015", "Theorem 2.4", "worst case of an (epsilon, delta) promise"
)
RENYI_TAIL_BY_MARKOV: Final = Theorem("Mironov 2017", "Proposition 3", "by Markov's inequality")
PURE_TO_RENYI: Final = Theorem(
    "Mironov 2017", "Proposition 5", "Rényi divergence of randomized response"
)
GAUSSIAN_TO_RENYI: Final = Theorem("Mironov 2017", "Proposition 7", "alpha mu^2 / 2")
RENYI_RISES: Final = Theorem("Mironov 2017", "Section 2", "divergences rise with the order")
KNOWN_VALUE_PROFILE: Final = Theorem(
    "P0", "Corollary 3.10", "a risk profile where the value is known"
)
PROBABILISTIC_DP: Final = Theorem(
    "P0", "Definition 2.4", "the privacy loss is bounded, up to delta"
)
BOTH_TAILS: Final = Theorem("P0", "Definition 2.4", "the loss exceeds epsilon, in either direction")
WORST_PRIOR: Final = Theorem("P0", "Lemma 3.4", "the prior at which the difference is largest")
PURE_TAIL: Final = Theorem("P0", "Theorem 2.3", "pure DP bounds the privacy loss with certainty")
PROBABILISTIC_TO_APPROXIMATE: Final = Theorem(
    "P0", "Theorem 2.5", "probabilistic DP implies approximate DP"
)
ZCDP_TO_APPROXIMATE: Final = Theorem("P0", "Theorem 2.7", "zCDP implies approximate DP")
ZCDP_TO_APPROXIMATE_FORMULA: Final = Theorem("P0", "Theorem 2.7", "rho + 2 sqrt(rho log(1/delta))")
POSTERIOR_ODDS: Final = Theorem(
    "P0", "Theorem 3.1", "posterior odds = e^Z × prior odds, where Z is the privacy loss"
)
OWN_LOSS_TAIL: Final = Theorem("P0", "Theorem 3.1", "the tail of the mechanism's own privacy loss")
OWN_LOSS: Final = Theorem("P0", "Theorem 3.1", "the mechanism's own privacy loss")
POSTERIOR: Final = Theorem(
    "P0", "Theorem 3.2", "a bound on the loss is equivalent to a bound on the posterior"
)
POSTERIOR_RATIO: Final = Theorem(
    "P0", "Theorem 3.3", "a bound on the loss is equivalent to a bound on posterior ÷ prior"
)
POSTERIOR_DIFFERENCE: Final = Theorem(
    "P0", "Theorem 3.5(1)", "a bound on the loss bounds posterior minus prior"
)
POSTERIOR_CHANGE: Final = Theorem(
    "P0", "Theorem 3.5 and Lemma 3.4", "the largest change of a probability, at its worst prior"
)
APPROXIMATE_TAIL: Final = Theorem(
    "P0", "Theorem 3.9", "approximate DP bounds the privacy loss on both sides"
)
LARGEST_LOSS: Final = Theorem("P1", "Definition 4.8", "the largest privacy loss")
LARGEST_DELTA: Final = Theorem(
    "P1", "Definition 5.1", "the privacy profile, by the best set for each pair"
)
POINT_OF_PROFILE: Final = Theorem(
    "P1", "Definition 5.1", "the definition, at a point of the profile"
)
LARGEST_DIVERGENCE: Final = Theorem("P1", "Definition 5.12", "the largest Rényi divergence")
LARGEST_RHO: Final = Theorem(
    "P1", "Definition 5.13", "the supremum of D_alpha / alpha over all orders"
)
ZCDP_TO_RENYI: Final = Theorem("P1", "Definition 5.13", "xi + rho alpha")
ZCDP_DEFINITION: Final = Theorem("P1", "Definition 5.13", "the definition")
LARGEST_PROCESSED_TAIL: Final = Theorem(
    "P1", "Definition 5.2", "the largest tail after any post-processing"
)
BOUNDED_TAIL: Final = Theorem("P1", "Definition 5.2", "no post-processing has a larger tail")
TRADEOFF_POWER: Final = Theorem("P1", "Definition 5.7", "power of a test under f-DP")
BEST_NORMAL_TEST: Final = Theorem("P1", "Example 5.10", "no test beats those of two normals")
GAUSSIAN_POWER: Final = Theorem("P1", "Example 5.10", "power of a test under Gaussian DP")
GAUSSIAN_TO_ZCDP: Final = Theorem("P1", "Example 5.10", "rho = mu^2 / 2")
TRADEOFF_TAIL: Final = Theorem(
    "P1", "Section 5.2", "the tail after any post-processing, from the power curve"
)
GAUSSIAN_LOSS_BOUND: Final = Theorem(
    "P1", "Section 5.2", "epsilon = log(delta / Phi(Phi^-1(delta) - mu))"
)
TRADEOFF_LOSS_BOUND: Final = Theorem("P1", "Section 5.2", "epsilon = log(delta / f^-1(1 - delta))")
RENYI_TAIL: Final = Theorem(
    "P1", "Section 5.3", "the tail under Rényi bounds, by Markov's inequality"
)
BAYES_WITH_POWER: Final = Theorem(
    "P1", "Section 6", "Bayes' rule with the largest power at a level"
)
PURE_POWER_AT_LEVEL: Final = Theorem("P1", "Section 6.1", "power at a level under pure DP")
FARTHEST_FROM_GUESSING: Final = Theorem(
    "P1", "Section 6.4", "a symmetric power curve is farthest from guessing in its middle"
)
TRUE_RECORD: Final = Theorem(
    "P1", "Section 7.4.1, Theorem 3", "for the true record, given all other records"
)
PURE_POWER: Final = Theorem("P1", "Theorem 6.1", "power of a test under pure DP")
APPROXIMATE_POWER: Final = Theorem("P1", "Theorem 6.2", "power of a test under approximate DP")
RENYI_POWER: Final = Theorem(
    "P1", "Theorem 6.3", "power of a test under Rényi bounds (Balle et al. 2020)"
)
RENYI_ADVANTAGE: Final = Theorem(
    "P1", "Theorem 6.3", "power minus level is largest where power + level = 1"
)
POSTERIOR_TO_POSTERIOR: Final = Theorem(
    "P1", "Theorem 7.3", "with certainty, for any prior and any output"
)
TWO_STEPS: Final = Theorem("P1", "Theorem 7.3", "posterior to posterior, two steps")
ONE_TAIL: Final = Theorem("P2", "Definition 2.2", "the loss exceeds epsilon, in one direction")
ONE_TAIL_PROMISED: Final = Theorem("P2", "Definition 2.2", "the tail that was promised")
APPROXIMATE_ONE_TAIL: Final = Theorem(
    "P2", "Lemma 2.3", "approximate DP bounds the privacy loss on one side"
)
MEMBERSHIP_RATIO: Final = Theorem("P3", "Corollary 2", "a ratio where membership is known")
LARGEST_PRIORS_BIND: Final = Theorem("P3", "Lemma 3", "a posterior binds at the largest priors")
TARGET_RATIO: Final = Theorem(
    "P3", "Theorem 1", "ratio for a target in the data with a value in a set"
)
EPSILON_FOR_RATIO: Final = Theorem(
    "P3", "Theorem 2", "the largest epsilon that keeps a ratio at given priors"
)
CONSTANT_RATIO: Final = Theorem("P3", "Theorem 3", "a constant ratio at all priors")
CONSTANT_RATIO_RECTANGLE: Final = Theorem(
    "P3", "Theorem 4", "a constant ratio in a rectangle of priors"
)
ONE_MEMBERSHIP_PRIOR: Final = Theorem(
    "P3", "Theorem 5", "a ratio or a posterior at one membership prior"
)
ONE_VALUE_PRIOR: Final = Theorem(
    "P3", "Theorem 6", "a ratio or a posterior at one value prior, corrected"
)
CONSTANT_RATIO_BOX: Final = Theorem("P3", "Theorems 3 and 4", "a constant ratio in a box")
POINTWISE_DP: Final = Theorem(
    "P4", "Definition 3", "single outputs only: not a definition of privacy"
)
APPROXIMATE_ZCDP: Final = Theorem(
    "P4",
    "Definition 6",
    "approximate zCDP: some set of outputs has all but delta of both distributions, "
    "and the output given that set is (xi, rho)-zCDP",
)
DIFFERING_OUTPUTS: Final = Theorem(
    "P4", "Definition 8", "outputs at which any two neighbors differ"
)
RANDOMIZED_RESPONSE_PROFILE: Final = Theorem(
    "P4", "Subtlety 2", "randomized response attains the profile"
)
PROBABILISTIC_PROFILE: Final = Theorem(
    "P4", "Subtlety 2", "the general note: e^epsilon - e^epsilon0"
)
WITH_AND_WITHOUT: Final = Theorem(
    "Wood 2018",
    "as corrected in Kazan and Reiter 2024, Equation 45",
    "posterior with and without a record",
)
CORNERS_OF_BOX: Final = Theorem("dprisk", "Proposition 10", "the corners of a box bind")
DIFFERENCE_IN_BOX: Final = Theorem("dprisk", "Proposition 10", "a difference in a box")
CORNERS_AND_KINKS: Final = Theorem(
    "dprisk", "Proposition 10", "corners and kinks of a rectangle of priors"
)
CORNERS_OF_CELLS: Final = Theorem("dprisk", "Proposition 10", "the corners of every cell")
INFIMUM_BY_CELLS: Final = Theorem("dprisk", "Proposition 11", "an infimum by cells")
PREDICTED_RECORD: Final = Theorem(
    "dprisk", "Proposition 12", "for any record, given all other records"
)
TRUE_RECORD_MIXED: Final = Theorem(
    "dprisk", "Proposition 12", "for the true record and a correct prior"
)
TWO_STEPS_IN_BAYES: Final = Theorem(
    "dprisk",
    "Proposition 13",
    "in Bayes' rule, the numerator and the denominator each change by a factor of at most e^ε",
)
AVERAGE_RECORD: Final = Theorem(
    "dprisk", "Proposition 13", "on average over true records, for a correct prior"
)
PROFILE_WITH_CONFIDENCE: Final = Theorem(
    "dprisk", "Proposition 16", "a risk profile with a confidence"
)
SPLINES: Final = Theorem("dprisk", "Proposition 18", "repeated Laplace noise")
TRADEOFF_POINTS: Final = Theorem("dprisk", "Proposition 19", "what points of a trade-off imply")
TRADEOFF_BOTH_TAILS: Final = Theorem(
    "dprisk", "Proposition 2", "both tails of the loss from the power curve"
)
CUT_LOSS: Final = Theorem("dprisk", "Proposition 20", "subsampled noise, its loss cut far out")
RENYI_PROFILE: Final = Theorem(
    "dprisk", "Proposition 21", "the profile of two coins under Rényi bounds"
)
LATTICE_CORNERS: Final = Theorem(
    "dprisk", "Proposition 26", "discrete Gaussian noise, by δ at the points of its lattice"
)
ONE_TAIL_EXTENDED: Final = Theorem(
    "dprisk", "Proposition 3", "a one-sided tail bound from the power curve, extended to both sides"
)
RENYI_TAIL_OF_COINS: Final = Theorem(
    "dprisk", "Proposition 3", "the tail under Rényi bounds is that of two coins"
)
BOUNDED_POWER: Final = Theorem(
    "dprisk", "Proposition 4", "what pbdp at one (epsilon, delta) says about every test"
)
PURE_TO_GAUSSIAN: Final = Theorem("dprisk", "Proposition 5", "mu = -2 Phi^-1(1 / (1 + e^epsilon))")
CLOSED_FORM: Final = Theorem(
    "dprisk", "Proposition 33", "sums of normal, Laplace and few-valued losses in closed form"
)
CONTOUR: Final = Theorem("dprisk", "Proposition 6", "delta as a sum over a vertical line")
LEAST_OVER_PROFILE: Final = Theorem(
    "dprisk", "Proposition 8", "power and tail bounds from the privacy profile δ(ε)"
)
LOSSES_ON_LATTICE: Final = Theorem("dprisk", "Proposition 9", "a loss between two on a lattice")
