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
from dprisk.text import english
from dprisk.theorems import (
    APPROXIMATE_ONE_TAIL,
    APPROXIMATE_POWER,
    APPROXIMATE_TAIL,
    BOUNDED_POWER,
    GAUSSIAN_TO_RENYI,
    GAUSSIAN_TO_ZCDP,
    ONE_TAIL_PROMISED,
    POINT_OF_PROFILE,
    PROBABILISTIC_DP,
    PROBABILISTIC_PROFILE,
    PROBABILISTIC_TO_APPROXIMATE,
    PURE_TAIL,
    PURE_TO_GAUSSIAN,
    PURE_TO_RENYI,
    PURE_TO_ZCDP,
    RANDOMIZED_RESPONSE_PROFILE,
    RENYI_COMPOSITION,
    RENYI_POWER,
    RENYI_PROFILE,
    RENYI_RISES,
    RENYI_TAIL,
    RENYI_TAIL_BY_MARKOV,
    RENYI_TAIL_OF_COINS,
    TRADEOFF_BOTH_TAILS,
    TRADEOFF_POINTS,
    TRADEOFF_PROFILE,
    TRADEOFF_TAIL,
    WORST_APPROXIMATE,
    ZCDP_DEFINITION,
    ZCDP_TO_APPROXIMATE_FORMULA,
    ZCDP_TO_RENYI,
    Theorem,
)

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
    """A row of the table: every mechanism that keeps `source` keeps what `apply` returns."""

    source: tuple[type[Guarantee], ...]
    target: Target
    name: str
    exactness: Exactness
    theorem: Theorem
    apply: Apply


POLYGONS = (PureDP, ApproxDP, ApproxDPCurve, FDP)
RENYI = (RenyiDP, ZeroConcentratedDP)


CONVERSIONS: Final[tuple[Conversion, ...]] = (
    Conversion(
        (PureDP,),
        "approximate",
        english("guarantees.row.profile-randomized-response"),
        "exact",
        RANDOMIZED_RESPONSE_PROFILE,
        rules.profile,
    ),
    Conversion(
        (PureDP,),
        "approximate",
        english("guarantees.row.general-note-p4"),
        "upper",
        PROBABILISTIC_PROFILE,
        rules.general_note,
    ),
    Conversion(
        (ApproxDP, ApproxDPCurve),
        "approximate",
        english("guarantees.row.worst-case-promised-points"),
        "exact",
        WORST_APPROXIMATE,
        rules.profile,
    ),
    Conversion(
        (ProbabilisticDP,),
        "approximate",
        english("guarantees.row.same-numbers"),
        "exact",
        PROBABILISTIC_TO_APPROXIMATE,
        rules.profile,
    ),
    Conversion(
        (ProbabilisticallyBoundedDP,),
        "approximate",
        english("guarantees.row.concavity-power"),
        "upper",
        BOUNDED_POWER,
        rules.profile,
    ),
    Conversion(
        (FDP, GaussianDP),
        "approximate",
        english("guarantees.row.dual-trade-off"),
        "exact",
        TRADEOFF_PROFILE,
        rules.profile,
    ),
    Conversion(
        RENYI,
        "approximate",
        english("guarantees.row.dual-power-curve"),
        "exact",
        RENYI_PROFILE,
        rules.profile,
    ),
    Conversion(
        (RenyiDP,),
        "approximate",
        english("guarantees.row.simple-renyi-conversion"),
        "upper",
        RENYI_TAIL_BY_MARKOV,
        rules.mironov,
    ),
    Conversion(
        (ZeroConcentratedDP,),
        "approximate",
        english("guarantees.row.simple-zcdp-conversion"),
        "upper",
        ZCDP_TO_APPROXIMATE_FORMULA,
        rules.simple_concentrated,
    ),
    Conversion(
        (PureDP, ApproxDP, ApproxDPCurve),
        "probabilistic",
        english("guarantees.row.price-both-sides"),
        "exact",
        APPROXIMATE_TAIL,
        rules.tail("both", "probabilistic"),
    ),
    Conversion(
        (PureDP, ApproxDP, ApproxDPCurve),
        "probabilistic",
        english("guarantees.row.price-one-side"),
        "exact",
        APPROXIMATE_ONE_TAIL,
        rules.tail("one", "probabilistic"),
    ),
    Conversion(
        (FDP, GaussianDP),
        "probabilistic",
        english("guarantees.row.power-curve-both-sides"),
        "exact",
        TRADEOFF_BOTH_TAILS,
        rules.tail("both", "probabilistic"),
    ),
    Conversion(
        (FDP, GaussianDP),
        "probabilistic",
        english("guarantees.row.power-curve-one-side"),
        "exact",
        TRADEOFF_TAIL,
        rules.tail("one", "probabilistic"),
    ),
    Conversion(
        (ProbabilisticDP, ProbabilisticallyBoundedDP),
        "probabilistic",
        english("guarantees.row.promise-itself-both-sides"),
        "upper",
        PROBABILISTIC_DP,
        rules.tail("both", "probabilistic"),
    ),
    Conversion(
        (ProbabilisticDP, ProbabilisticallyBoundedDP),
        "probabilistic",
        english("guarantees.row.promise-itself-one-side"),
        "upper",
        ONE_TAIL_PROMISED,
        rules.tail("one", "probabilistic"),
    ),
    Conversion(
        RENYI,
        "probabilistic",
        english("guarantees.row.two-coins-both-sides"),
        "upper",
        RENYI_TAIL_OF_COINS,
        rules.tail("both", "probabilistic"),
    ),
    Conversion(
        RENYI,
        "probabilistic",
        english("guarantees.row.two-coins-one-side"),
        "exact",
        RENYI_TAIL_OF_COINS,
        rules.tail("one", "probabilistic"),
    ),
    Conversion(
        (ZeroConcentratedDP,),
        "probabilistic",
        english("guarantees.row.simple-zcdp-conversion-then-price-both-sides"),
        "upper",
        APPROXIMATE_TAIL,
        rules.through_simple,
    ),
    Conversion(
        (*POLYGONS, GaussianDP),
        "bounded",
        english("guarantees.row.power-curve"),
        "exact",
        TRADEOFF_TAIL,
        rules.tail("one", "bounded"),
    ),
    Conversion(
        (ProbabilisticDP,),
        "bounded",
        english("guarantees.row.same-numbers-approximate-dp"),
        "exact",
        PROBABILISTIC_TO_APPROXIMATE,
        rules.tail("one", "bounded"),
    ),
    Conversion(
        (ProbabilisticallyBoundedDP,),
        "bounded",
        english("guarantees.row.concavity-power"),
        "upper",
        BOUNDED_POWER,
        rules.tail("one", "bounded"),
    ),
    Conversion(
        RENYI,
        "bounded",
        english("guarantees.row.two-coins"),
        "exact",
        RENYI_TAIL_OF_COINS,
        rules.tail("one", "bounded"),
    ),
    Conversion(
        (RenyiDP,),
        "bounded",
        english("guarantees.row.markov-inequality"),
        "upper",
        RENYI_TAIL,
        rules.as_bounded(rules.mironov),
    ),
    Conversion(
        (ZeroConcentratedDP,),
        "bounded",
        english("guarantees.row.markov-inequality"),
        "upper",
        RENYI_TAIL,
        rules.as_bounded(rules.simple_concentrated),
    ),
    Conversion(
        POLYGONS,
        "tradeoff",
        english("guarantees.row.polygon-promise"),
        "exact",
        APPROXIMATE_POWER,
        rules.polygon,
    ),
    Conversion(
        (ProbabilisticDP,),
        "tradeoff",
        english("guarantees.row.polygon-approximate-dp"),
        "exact",
        PROBABILISTIC_TO_APPROXIMATE,
        lambda known, request: rules.polygon(known._approximate, request),
    ),
    Conversion(
        (GaussianDP, SmoothTradeoff, RenyiDP, ZeroConcentratedDP),
        "tradeoff",
        english("guarantees.row.polygon-below-trade-off"),
        "upper",
        RENYI_POWER,
        rules.sampled,
    ),
    Conversion(
        (PureDP,),
        "gaussian",
        english("guarantees.row.corner-randomized-response"),
        "exact",
        PURE_TO_GAUSSIAN,
        rules.gaussian_of_pure,
    ),
    Conversion(
        (GaussianDP,),
        "gaussian",
        english("guarantees.row.stated"),
        "exact",
        TRADEOFF_PROFILE,
        rules.itself,
    ),
    Conversion(
        (PureDP,),
        "renyi",
        english("guarantees.row.divergence-randomized-response"),
        "exact",
        PURE_TO_RENYI,
        rules.renyi_of_pure,
    ),
    Conversion(
        (GaussianDP,),
        "renyi",
        english("guarantees.row.divergence-two-normals"),
        "exact",
        GAUSSIAN_TO_RENYI,
        rules.renyi_of_gaussian,
    ),
    Conversion(
        (ZeroConcentratedDP,),
        "renyi",
        english("guarantees.row.definition-zcdp"),
        "exact",
        ZCDP_TO_RENYI,
        rules.renyi_of_concentrated,
    ),
    Conversion(
        (RenyiDP,),
        "renyi",
        english("guarantees.row.higher-order"),
        "upper",
        RENYI_RISES,
        rules.renyi_of_orders,
    ),
    Conversion(
        (GaussianDP,),
        "concentrated",
        english("guarantees.row.divergence-two-normals"),
        "exact",
        GAUSSIAN_TO_ZCDP,
        rules.concentrated_of_gaussian,
    ),
    Conversion(
        (PureDP,),
        "concentrated",
        english("guarantees.row.half-square"),
        "upper",
        PURE_TO_ZCDP,
        rules.concentrated_of_pure,
    ),
    Conversion(
        (ZeroConcentratedDP,),
        "concentrated",
        english("guarantees.row.stated"),
        "exact",
        ZCDP_DEFINITION,
        rules.itself,
    ),
    Conversion(
        (Guarantee,),
        "pure",
        english("guarantees.row.privacy-loss-that-is-never-exceeded"),
        "exact",
        PURE_TAIL,
        rules.pure,
    ),
)

GENERAL: Final[tuple[Conversion, ...]] = (
    Conversion(
        (Guarantee,),
        "approximate",
        english("guarantees.row.its-own-privacy-profile"),
        "upper",
        POINT_OF_PROFILE,
        rules.profile,
    ),
    Conversion(
        (Guarantee,),
        "probabilistic",
        english("guarantees.row.its-own-tail"),
        "upper",
        TRADEOFF_TAIL,
        rules.tail("both", "probabilistic"),
    ),
    Conversion(
        (Guarantee,),
        "probabilistic",
        english("guarantees.row.its-own-tail"),
        "upper",
        TRADEOFF_TAIL,
        rules.tail("one", "probabilistic"),
    ),
    Conversion(
        (Guarantee,),
        "bounded",
        english("guarantees.row.its-own-tail"),
        "upper",
        TRADEOFF_TAIL,
        rules.tail("one", "bounded"),
    ),
    Conversion(
        (Guarantee,),
        "tradeoff",
        english("guarantees.row.points-its-own-power-curve"),
        "upper",
        TRADEOFF_POINTS,
        rules.at_points,
    ),
    Conversion(
        (Guarantee,),
        "renyi",
        english("guarantees.row.its-own-divergence"),
        "upper",
        RENYI_COMPOSITION,
        rules.renyi_of_losses,
    ),
    Conversion(
        (Guarantee,),
        "concentrated",
        english("guarantees.row.its-own-divergences"),
        "upper",
        ZCDP_DEFINITION,
        rules.concentrated_of_losses,
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
