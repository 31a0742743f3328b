"""The literature that the package implements, and the theorem behind each number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

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
    """Where a number comes from.

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
    >>> from dprisk.sources import Theorem
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
