"""The table of proven conversions. A new theorem is a new row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal, final, get_args

from dprisk.guarantees import rules
from dprisk.guarantees.approximate import ApproxDP, ApproxDPCurve
from dprisk.guarantees.base import Guarantee
from dprisk.guarantees.bounded import ProbabilisticallyBoundedDP
from dprisk.guarantees.concentrated import ZeroConcentratedDP
from dprisk.guarantees.gaussian import GaussianDP
from dprisk.guarantees.probabilistic import ProbabilisticDP
from dprisk.guarantees.pure import PureDP
from dprisk.guarantees.renyi import RenyiDP
from dprisk.guarantees.rules import Apply
from dprisk.guarantees.smooth import SmoothTradeoff
from dprisk.guarantees.tradeoff import FDP
from dprisk.sources import Theorem

__all__ = ["CONVERSIONS", "GENERAL", "TARGETS", "Conversion", "Exactness", "Target"]

Target = Literal[
    "pure",
    "approximate",
    "probabilistic",
    "bounded",
    "tradeoff",
    "gaussian",
    "renyi",
    "concentrated",
]
TARGETS: Final[tuple[Target, ...]] = get_args(Target)
Exactness = Literal["exact", "upper"]


@final
@dataclass(frozen=True)
class Conversion:
    """A row of the table: every mechanism that keeps `source` keeps what `apply` returns.

    Parameters
    ----------
    source : tuple of type
        Classes of guarantee it starts from.
    target : str
        Definition it leads to.
    name : str
        What the row is called in listings.
    exactness : {"exact", "upper"}
        ``exact``: no smaller parameter holds for every mechanism that keeps the source.
        ``upper``: valid, but perhaps not the smallest.
    theorem : Theorem
        Where it is proven.
    apply : callable
        From a guarantee and a request to the guarantee implied, or None where it says nothing.
    """

    source: tuple[type[Guarantee], ...]
    target: Target
    name: str
    exactness: Exactness
    theorem: Theorem
    apply: Apply


POLYGONS = (PureDP, ApproxDP, ApproxDPCurve, FDP)
RENYI = (RenyiDP, ZeroConcentratedDP)

RESPONSE = Theorem("P4", "Subtlety 2", "randomized response attains the profile of pure DP")
GENERAL_NOTE = Theorem("P4", "Subtlety 2", "the general note: e^epsilon - e^epsilon0")
PDP_TO_ADP = Theorem("P0", "Theorem 2.5", "probabilistic DP implies approximate DP")
BOTH = Theorem("P0", "Theorem 3.9", "approximate DP bounds the loss on both sides")
ONE = Theorem("P2", "Lemma 2.3", "approximate DP bounds the loss on one side")
POST = Theorem("P1", "Section 5.2", "the tail after any post-processing, from the power curve")
DUAL = Theorem("Dong 2022", "Proposition 2.12", "the profile is the dual of the trade-off")
MARKOV = Theorem("P1", "Section 5.3", "the tail under Rényi bounds, by Markov's inequality")
COINS = Theorem("dprisk", "Proposition 3", "the tail under Rényi bounds is that of two coins")
COINS_PROFILE = Theorem("dprisk", "Proposition 21", "the profile of two coins under Rényi bounds")

CONVERSIONS: Final[tuple[Conversion, ...]] = (
    Conversion(
        (PureDP,),
        "approximate",
        "the profile of randomized response",
        "exact",
        RESPONSE,
        rules.profile,
    ),
    Conversion(
        (PureDP,),
        "approximate",
        "the general note of P4",
        "upper",
        GENERAL_NOTE,
        rules.general_note,
    ),
    Conversion(
        (ApproxDP, ApproxDPCurve),
        "approximate",
        "the worst case of the promised points",
        "exact",
        Theorem("Kairouz 2015", "Theorem 2.4", "worst case of the promise"),
        rules.profile,
    ),
    Conversion(
        (ProbabilisticDP,), "approximate", "the same numbers", "exact", PDP_TO_ADP, rules.profile
    ),
    Conversion(
        (ProbabilisticallyBoundedDP,),
        "approximate",
        "the concavity of power",
        "upper",
        Theorem("dprisk", "Proposition 4", "one point of pbdp"),
        rules.profile,
    ),
    Conversion(
        (FDP, GaussianDP), "approximate", "the dual of the trade-off", "exact", DUAL, rules.profile
    ),
    Conversion(
        RENYI, "approximate", "the dual of the power curve", "exact", COINS_PROFILE, rules.profile
    ),
    Conversion(
        (RenyiDP,),
        "approximate",
        "the simple Rényi conversion",
        "upper",
        Theorem("Mironov 2017", "Proposition 3", "by Markov's inequality"),
        rules.mironov,
    ),
    Conversion(
        (ZeroConcentratedDP,),
        "approximate",
        "the simple zCDP conversion",
        "upper",
        Theorem("P0", "Theorem 2.7", "rho + 2 sqrt(rho log(1/delta))"),
        rules.simple_concentrated,
    ),
    Conversion(
        (PureDP, ApproxDP, ApproxDPCurve),
        "probabilistic",
        "the price of both sides",
        "exact",
        BOTH,
        rules.tail("both", "probabilistic"),
    ),
    Conversion(
        (PureDP, ApproxDP, ApproxDPCurve),
        "probabilistic",
        "the price of one side",
        "exact",
        ONE,
        rules.tail("one", "probabilistic"),
    ),
    Conversion(
        (FDP, GaussianDP),
        "probabilistic",
        "the power curve, both sides",
        "exact",
        Theorem("dprisk", "Proposition 2", "both tails from the power curve"),
        rules.tail("both", "probabilistic"),
    ),
    Conversion(
        (FDP, GaussianDP),
        "probabilistic",
        "the power curve, one side",
        "exact",
        POST,
        rules.tail("one", "probabilistic"),
    ),
    Conversion(
        (ProbabilisticDP, ProbabilisticallyBoundedDP),
        "probabilistic",
        "the promise itself, both sides",
        "upper",
        Theorem("P0", "Definition 2.4", "the tail that was promised"),
        rules.tail("both", "probabilistic"),
    ),
    Conversion(
        (ProbabilisticDP, ProbabilisticallyBoundedDP),
        "probabilistic",
        "the promise itself, one side",
        "upper",
        Theorem("P2", "Definition 2.2", "the tail that was promised"),
        rules.tail("one", "probabilistic"),
    ),
    Conversion(
        RENYI,
        "probabilistic",
        "two coins, both sides",
        "upper",
        COINS,
        rules.tail("both", "probabilistic"),
    ),
    Conversion(
        RENYI,
        "probabilistic",
        "two coins, one side",
        "exact",
        COINS,
        rules.tail("one", "probabilistic"),
    ),
    Conversion(
        (ZeroConcentratedDP,),
        "probabilistic",
        "the simple zCDP conversion, then the price of both sides",
        "upper",
        BOTH,
        rules.through_simple,
    ),
    Conversion(
        (*POLYGONS, GaussianDP),
        "bounded",
        "the power curve",
        "exact",
        POST,
        rules.tail("one", "bounded"),
    ),
    Conversion(
        (ProbabilisticDP,),
        "bounded",
        "the same numbers as approximate DP",
        "exact",
        PDP_TO_ADP,
        rules.tail("one", "bounded"),
    ),
    Conversion(
        (ProbabilisticallyBoundedDP,),
        "bounded",
        "the concavity of power",
        "upper",
        Theorem("dprisk", "Proposition 4", "one point of pbdp"),
        rules.tail("one", "bounded"),
    ),
    Conversion(RENYI, "bounded", "two coins", "exact", COINS, rules.tail("one", "bounded")),
    Conversion(
        (RenyiDP,),
        "bounded",
        "Markov's inequality",
        "upper",
        MARKOV,
        rules.as_bounded(rules.mironov),
    ),
    Conversion(
        (ZeroConcentratedDP,),
        "bounded",
        "Markov's inequality",
        "upper",
        MARKOV,
        rules.as_bounded(rules.simple_concentrated),
    ),
    Conversion(
        POLYGONS,
        "tradeoff",
        "the polygon of the promise",
        "exact",
        Theorem("P1", "Theorem 6.2", "power under approximate DP"),
        rules.polygon,
    ),
    Conversion(
        (ProbabilisticDP,),
        "tradeoff",
        "the polygon of approximate DP",
        "exact",
        PDP_TO_ADP,
        lambda known, request: rules.polygon(known._approximate, request),
    ),
    Conversion(
        (GaussianDP, SmoothTradeoff, RenyiDP, ZeroConcentratedDP),
        "tradeoff",
        "a polygon below the trade-off",
        "upper",
        Theorem("P1", "Theorem 6.3", "power under f-DP and Rényi bounds"),
        rules.sampled,
    ),
    Conversion(
        (PureDP,),
        "gaussian",
        "the corner of randomized response",
        "exact",
        Theorem("dprisk", "Proposition 5", "mu = -2 Phi^-1(1 / (1 + e^epsilon))"),
        rules.gaussian_of_pure,
    ),
    Conversion((GaussianDP,), "gaussian", "as stated", "exact", DUAL, rules.itself),
    Conversion(
        (PureDP,),
        "renyi",
        "the divergence of randomized response",
        "exact",
        Theorem("Mironov 2017", "Proposition 5", "Rényi divergence of randomized response"),
        rules.renyi_of_pure,
    ),
    Conversion(
        (GaussianDP,),
        "renyi",
        "the divergence of two normals",
        "exact",
        Theorem("Mironov 2017", "Proposition 7", "alpha mu^2 / 2"),
        rules.renyi_of_gaussian,
    ),
    Conversion(
        (ZeroConcentratedDP,),
        "renyi",
        "the definition of zCDP",
        "exact",
        Theorem("P1", "Definition 5.13", "xi + rho alpha"),
        rules.renyi_of_concentrated,
    ),
    Conversion(
        (RenyiDP,),
        "renyi",
        "a higher order",
        "upper",
        Theorem("Mironov 2017", "Section 2", "divergences rise with the order"),
        rules.renyi_of_orders,
    ),
    Conversion(
        (GaussianDP,),
        "concentrated",
        "the divergence of two normals",
        "exact",
        Theorem("P1", "Example 5.10", "rho = mu^2 / 2"),
        rules.concentrated_of_gaussian,
    ),
    Conversion(
        (PureDP,),
        "concentrated",
        "half the square",
        "upper",
        Theorem("Bun 2016", "Proposition 3.3", "rho = epsilon^2 / 2"),
        rules.concentrated_of_pure,
    ),
    Conversion(
        (ZeroConcentratedDP,),
        "concentrated",
        "as stated",
        "exact",
        Theorem("P1", "Definition 5.13", "the definition"),
        rules.itself,
    ),
    Conversion(
        (Guarantee,),
        "pure",
        "a privacy loss that is never exceeded",
        "exact",
        Theorem("P0", "Theorem 2.3", "pure DP bounds the loss with certainty"),
        rules.pure,
    ),
)

GENERAL: Final[tuple[Conversion, ...]] = (
    Conversion(
        (Guarantee,),
        "approximate",
        "its own privacy profile",
        "upper",
        Theorem("P1", "Definition 5.1", "the definition, at a point of the profile"),
        rules.profile,
    ),
    Conversion(
        (Guarantee,),
        "probabilistic",
        "its own tail",
        "upper",
        POST,
        rules.tail("both", "probabilistic"),
    ),
    Conversion(
        (Guarantee,),
        "probabilistic",
        "its own tail",
        "upper",
        POST,
        rules.tail("one", "probabilistic"),
    ),
    Conversion(
        (Guarantee,), "bounded", "its own tail", "upper", POST, rules.tail("one", "bounded")
    ),
    Conversion(
        (Guarantee,),
        "tradeoff",
        "points of its own power curve",
        "upper",
        Theorem("dprisk", "Proposition 19", "what points of a trade-off imply"),
        rules.at_points,
    ),
    *(
        replace(
            row,
            source=(Guarantee,),
            name=f"a privacy loss that is never exceeded, then {row.name}",
            exactness="upper",
            apply=rules.through_pure(row.apply),
        )
        for row in CONVERSIONS
        if row.source == (PureDP,) and row.target in ("gaussian", "renyi", "concentrated")
    ),
)
"""For a guarantee that no other row starts from, such as a privacy loss."""
