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
from dprisk.text import english

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

RESPONSE = Theorem(
    "P4", "Subtlety 2", english("theorems.p4-subtlety-2.randomized-response-attains")
)
GENERAL_NOTE = Theorem("P4", "Subtlety 2", english("theorems.p4-subtlety-2.general-note"))
PDP_TO_ADP = Theorem("P0", "Theorem 2.5", english("theorems.p0-theorem-2-5"))
BOTH = Theorem("P0", "Theorem 3.9", english("theorems.p0-theorem-3-9.approximate-dp-bounds"))
ONE = Theorem("P2", "Lemma 2.3", english("theorems.p2-lemma-2-3.approximate-dp-bounds"))
POST = Theorem("P1", "Section 5.2", english("theorems.p1-section-5-2.tail-after"))
DUAL = Theorem(
    "Dong 2022",
    "Proposition 2.12",
    english("theorems.dong-2022-proposition-2-12.profile-dual-trade"),
)
MARKOV = Theorem("P1", "Section 5.3", english("theorems.p1-section-5-3"))
COINS = Theorem("dprisk", "Proposition 3", english("theorems.dprisk-proposition-3.tail-renyi"))
COINS_PROFILE = Theorem("dprisk", "Proposition 21", english("theorems.dprisk-proposition-21"))

CONVERSIONS: Final[tuple[Conversion, ...]] = (
    Conversion(
        (PureDP,),
        "approximate",
        english("guarantees.row.profile-randomized-response"),
        "exact",
        RESPONSE,
        rules.profile,
    ),
    Conversion(
        (PureDP,),
        "approximate",
        english("guarantees.row.general-note-p4"),
        "upper",
        GENERAL_NOTE,
        rules.general_note,
    ),
    Conversion(
        (ApproxDP, ApproxDPCurve),
        "approximate",
        english("guarantees.row.worst-case-promised-points"),
        "exact",
        Theorem(
            "Kairouz 2015",
            "Theorem 2.4",
            english("theorems.kairouz-2015-theorem-2-4.worst-case-promise"),
        ),
        rules.profile,
    ),
    Conversion(
        (ProbabilisticDP,),
        "approximate",
        english("guarantees.row.same-numbers"),
        "exact",
        PDP_TO_ADP,
        rules.profile,
    ),
    Conversion(
        (ProbabilisticallyBoundedDP,),
        "approximate",
        english("guarantees.row.concavity-power"),
        "upper",
        Theorem("dprisk", "Proposition 4", english("theorems.dprisk-proposition-4.point-pbdp")),
        rules.profile,
    ),
    Conversion(
        (FDP, GaussianDP),
        "approximate",
        english("guarantees.row.dual-trade-off"),
        "exact",
        DUAL,
        rules.profile,
    ),
    Conversion(
        RENYI,
        "approximate",
        english("guarantees.row.dual-power-curve"),
        "exact",
        COINS_PROFILE,
        rules.profile,
    ),
    Conversion(
        (RenyiDP,),
        "approximate",
        english("guarantees.row.simple-renyi-conversion"),
        "upper",
        Theorem("Mironov 2017", "Proposition 3", english("theorems.mironov-2017-proposition-3")),
        rules.mironov,
    ),
    Conversion(
        (ZeroConcentratedDP,),
        "approximate",
        english("guarantees.row.simple-zcdp-conversion"),
        "upper",
        Theorem("P0", "Theorem 2.7", english("theorems.p0-theorem-2-7.rho-2")),
        rules.simple_concentrated,
    ),
    Conversion(
        (PureDP, ApproxDP, ApproxDPCurve),
        "probabilistic",
        english("guarantees.row.price-both-sides"),
        "exact",
        BOTH,
        rules.tail("both", "probabilistic"),
    ),
    Conversion(
        (PureDP, ApproxDP, ApproxDPCurve),
        "probabilistic",
        english("guarantees.row.price-one-side"),
        "exact",
        ONE,
        rules.tail("one", "probabilistic"),
    ),
    Conversion(
        (FDP, GaussianDP),
        "probabilistic",
        english("guarantees.row.power-curve-both-sides"),
        "exact",
        Theorem(
            "dprisk", "Proposition 2", english("theorems.dprisk-proposition-2.both-tails-power")
        ),
        rules.tail("both", "probabilistic"),
    ),
    Conversion(
        (FDP, GaussianDP),
        "probabilistic",
        english("guarantees.row.power-curve-one-side"),
        "exact",
        POST,
        rules.tail("one", "probabilistic"),
    ),
    Conversion(
        (ProbabilisticDP, ProbabilisticallyBoundedDP),
        "probabilistic",
        english("guarantees.row.promise-itself-both-sides"),
        "upper",
        Theorem("P0", "Definition 2.4", english("theorems.p0-definition-2-4.tail-was")),
        rules.tail("both", "probabilistic"),
    ),
    Conversion(
        (ProbabilisticDP, ProbabilisticallyBoundedDP),
        "probabilistic",
        english("guarantees.row.promise-itself-one-side"),
        "upper",
        Theorem("P2", "Definition 2.2", english("theorems.p2-definition-2-2.tail-was")),
        rules.tail("one", "probabilistic"),
    ),
    Conversion(
        RENYI,
        "probabilistic",
        english("guarantees.row.two-coins-both-sides"),
        "upper",
        COINS,
        rules.tail("both", "probabilistic"),
    ),
    Conversion(
        RENYI,
        "probabilistic",
        english("guarantees.row.two-coins-one-side"),
        "exact",
        COINS,
        rules.tail("one", "probabilistic"),
    ),
    Conversion(
        (ZeroConcentratedDP,),
        "probabilistic",
        english("guarantees.row.simple-zcdp-conversion-then-price-both-sides"),
        "upper",
        BOTH,
        rules.through_simple,
    ),
    Conversion(
        (*POLYGONS, GaussianDP),
        "bounded",
        english("guarantees.row.power-curve"),
        "exact",
        POST,
        rules.tail("one", "bounded"),
    ),
    Conversion(
        (ProbabilisticDP,),
        "bounded",
        english("guarantees.row.same-numbers-approximate-dp"),
        "exact",
        PDP_TO_ADP,
        rules.tail("one", "bounded"),
    ),
    Conversion(
        (ProbabilisticallyBoundedDP,),
        "bounded",
        english("guarantees.row.concavity-power"),
        "upper",
        Theorem("dprisk", "Proposition 4", english("theorems.dprisk-proposition-4.point-pbdp")),
        rules.tail("one", "bounded"),
    ),
    Conversion(
        RENYI,
        "bounded",
        english("guarantees.row.two-coins"),
        "exact",
        COINS,
        rules.tail("one", "bounded"),
    ),
    Conversion(
        (RenyiDP,),
        "bounded",
        english("guarantees.row.markov-inequality"),
        "upper",
        MARKOV,
        rules.as_bounded(rules.mironov),
    ),
    Conversion(
        (ZeroConcentratedDP,),
        "bounded",
        english("guarantees.row.markov-inequality"),
        "upper",
        MARKOV,
        rules.as_bounded(rules.simple_concentrated),
    ),
    Conversion(
        POLYGONS,
        "tradeoff",
        english("guarantees.row.polygon-promise"),
        "exact",
        Theorem("P1", "Theorem 6.2", english("theorems.p1-theorem-6-2.power-approximate")),
        rules.polygon,
    ),
    Conversion(
        (ProbabilisticDP,),
        "tradeoff",
        english("guarantees.row.polygon-approximate-dp"),
        "exact",
        PDP_TO_ADP,
        lambda known, request: rules.polygon(known._approximate, request),
    ),
    Conversion(
        (GaussianDP, SmoothTradeoff, RenyiDP, ZeroConcentratedDP),
        "tradeoff",
        english("guarantees.row.polygon-below-trade-off"),
        "upper",
        Theorem("P1", "Theorem 6.3", english("theorems.p1-theorem-6-3.power-f")),
        rules.sampled,
    ),
    Conversion(
        (PureDP,),
        "gaussian",
        english("guarantees.row.corner-randomized-response"),
        "exact",
        Theorem("dprisk", "Proposition 5", english("theorems.dprisk-proposition-5")),
        rules.gaussian_of_pure,
    ),
    Conversion(
        (GaussianDP,), "gaussian", english("guarantees.row.stated"), "exact", DUAL, rules.itself
    ),
    Conversion(
        (PureDP,),
        "renyi",
        english("guarantees.row.divergence-randomized-response"),
        "exact",
        Theorem("Mironov 2017", "Proposition 5", english("theorems.mironov-2017-proposition-5")),
        rules.renyi_of_pure,
    ),
    Conversion(
        (GaussianDP,),
        "renyi",
        english("guarantees.row.divergence-two-normals"),
        "exact",
        Theorem("Mironov 2017", "Proposition 7", english("theorems.mironov-2017-proposition-7")),
        rules.renyi_of_gaussian,
    ),
    Conversion(
        (ZeroConcentratedDP,),
        "renyi",
        english("guarantees.row.definition-zcdp"),
        "exact",
        Theorem("P1", "Definition 5.13", english("theorems.p1-definition-5-13.xi-rho")),
        rules.renyi_of_concentrated,
    ),
    Conversion(
        (RenyiDP,),
        "renyi",
        english("guarantees.row.higher-order"),
        "upper",
        Theorem("Mironov 2017", "Section 2", english("theorems.mironov-2017-section-2")),
        rules.renyi_of_orders,
    ),
    Conversion(
        (GaussianDP,),
        "concentrated",
        english("guarantees.row.divergence-two-normals"),
        "exact",
        Theorem("P1", "Example 5.10", english("theorems.p1-example-5-10.rho-mu")),
        rules.concentrated_of_gaussian,
    ),
    Conversion(
        (PureDP,),
        "concentrated",
        english("guarantees.row.half-square"),
        "upper",
        Theorem("Bun 2016", "Proposition 3.3", english("theorems.bun-2016-proposition-3-3")),
        rules.concentrated_of_pure,
    ),
    Conversion(
        (ZeroConcentratedDP,),
        "concentrated",
        english("guarantees.row.stated"),
        "exact",
        Theorem("P1", "Definition 5.13", english("theorems.p1-definition-5-13.definition")),
        rules.itself,
    ),
    Conversion(
        (Guarantee,),
        "pure",
        english("guarantees.row.privacy-loss-that-is-never-exceeded"),
        "exact",
        Theorem("P0", "Theorem 2.3", english("theorems.p0-theorem-2-3.pure-dp-bounds")),
        rules.pure,
    ),
)

GENERAL: Final[tuple[Conversion, ...]] = (
    Conversion(
        (Guarantee,),
        "approximate",
        english("guarantees.row.its-own-privacy-profile"),
        "upper",
        Theorem("P1", "Definition 5.1", english("theorems.p1-definition-5-1.definition-point")),
        rules.profile,
    ),
    Conversion(
        (Guarantee,),
        "probabilistic",
        english("guarantees.row.its-own-tail"),
        "upper",
        POST,
        rules.tail("both", "probabilistic"),
    ),
    Conversion(
        (Guarantee,),
        "probabilistic",
        english("guarantees.row.its-own-tail"),
        "upper",
        POST,
        rules.tail("one", "probabilistic"),
    ),
    Conversion(
        (Guarantee,),
        "bounded",
        english("guarantees.row.its-own-tail"),
        "upper",
        POST,
        rules.tail("one", "bounded"),
    ),
    Conversion(
        (Guarantee,),
        "tradeoff",
        english("guarantees.row.points-its-own-power-curve"),
        "upper",
        Theorem("dprisk", "Proposition 19", english("theorems.dprisk-proposition-19")),
        rules.at_points,
    ),
    Conversion(
        (Guarantee,),
        "renyi",
        english("guarantees.row.its-own-divergence"),
        "upper",
        Theorem("Mironov 2017", "Proposition 1", english("theorems.divergences")),
        rules.renyi_of_losses,
    ),
    Conversion(
        (Guarantee,),
        "concentrated",
        english("guarantees.row.its-own-divergences"),
        "upper",
        Theorem("P1", "Definition 5.13", english("theorems.p1-definition-5-13.definition")),
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
