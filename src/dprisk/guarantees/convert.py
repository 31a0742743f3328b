"""Conversion between definitions of privacy: the best way through a table of proven theorems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, final, get_args

import numpy as np

from dprisk._checks import NONNEGATIVE, ORDER, PROBABILITY, one_of, scalar
from dprisk._values import result
from dprisk.errors import InvalidInput, NoConversion
from dprisk.guarantees import rules
from dprisk.guarantees.approximate import ApproxDP, ApproxDPCurve
from dprisk.guarantees.base import SIDES, Guarantee, Sides, in_words
from dprisk.guarantees.bounded import ProbabilisticallyBoundedDP
from dprisk.guarantees.concentrated import ZeroConcentratedDP
from dprisk.guarantees.gaussian import GaussianDP
from dprisk.guarantees.probabilistic import ProbabilisticDP
from dprisk.guarantees.pure import PureDP
from dprisk.guarantees.renyi import RenyiDP
from dprisk.guarantees.rules import Apply, Request
from dprisk.guarantees.smooth import SmoothTradeoff
from dprisk.guarantees.tradeoff import FDP
from dprisk.text import english, fill
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


POINTS: tuple[Target, ...] = ("approximate", "probabilistic", "bounded")


@final
@result
@dataclass(frozen=True, repr=False)
class Converted:
    """A guarantee reached by a row of the table. Made by `convert` and `conversions`.

    Parameters
    ----------
    guarantee : Guarantee
        What is implied.
    by : Conversion
        The row: its name, its theorem, and whether it is exact.
    """

    guarantee: Guarantee
    by: Conversion


def convert(
    guarantee: Guarantee,
    to: Target | type[Guarantee],
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    alpha: float | None = None,
    sides: Sides = "both",
) -> Converted:
    """Strongest guarantee of another definition that a guarantee implies.

    Parameters
    ----------
    guarantee : Guarantee
        What is known.
    to : str or type
        Definition wanted, by its class or its name: "pure", "approximate", "probabilistic",
        "bounded", "tradeoff", "gaussian", "renyi" or "concentrated".
    epsilon : float, optional
        For "approximate", "probabilistic" and "bounded": land at this epsilon. [0, inf], nats
    delta : float, optional
        For the same three: land at this delta. Exactly one of the two is needed. [0, 1]
    alpha : float, optional
        For "renyi": the order. (1, inf)
    sides : {"both", "one"}
        For "probabilistic": two-sided (P0) or one-sided (P2, P4).

    Returns
    -------
    Converted
        The guarantee with the smallest parameter, and the theorems that lead to it; the neighbors
        stay as they are.

    Raises
    ------
    InvalidInput
        If a needed parameter is missing, superfluous or out of range.
    NoConversion
        If no mechanism-independent conversion exists; the message says why.

    Examples
    --------
    >>> from dprisk import ZeroConcentratedDP, convert
    >>> census = ZeroConcentratedDP(2.63, neighbors="replace-one")
    >>> best = convert(census, "approximate", delta=1e-10)
    >>> round(best.guarantee.parameters["epsilon"], 3), str(best.by.theorem)
    (17.431, 'dprisk Proposition 21')
    """
    return conversions(guarantee, to, epsilon=epsilon, delta=delta, alpha=alpha, sides=sides)[0]


def conversions(
    guarantee: Guarantee,
    to: Target | type[Guarantee],
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    alpha: float | None = None,
    sides: Sides = "both",
) -> tuple[Converted, ...]:
    """Every known way from a guarantee to another definition, the strongest result first.

    Parameters
    ----------
    guarantee : Guarantee
        What is known.
    to : str or type
        Definition wanted; see `convert`.
    epsilon : float, optional
        Land at this epsilon; see `convert`. [0, inf], nats
    delta : float, optional
        Land at this delta; see `convert`. [0, 1]
    alpha : float, optional
        Land at this order; see `convert`. (1, inf)
    sides : {"both", "one"}
        For "probabilistic": two-sided or one-sided.

    Returns
    -------
    tuple of Converted
        At least one, by rising parameter.

    Raises
    ------
    InvalidInput
        If a needed parameter is missing, superfluous or out of range.
    NoConversion
        If there is none; the message says why.

    Examples
    --------
    >>> from dprisk import ZeroConcentratedDP
    >>> from dprisk.guarantees.convert import conversions
    >>> known = ZeroConcentratedDP(2.63, neighbors="replace-one")
    >>> for way in conversions(known, "approximate", delta=1e-10):
    ...     print(f"{way.guarantee.parameters['epsilon']:.3f} {way.by.name}")
    17.431 the dual of the power curve
    18.194 the simple zCDP conversion
    """
    wanted = one_of("to", getattr(to, "definition", to), TARGETS)
    request = _request(wanted, epsilon, delta, alpha, sides)
    rows = _rows(CONVERSIONS, guarantee, wanted) or _rows(GENERAL, guarantee, wanted)
    reached = [(row.apply(guarantee, request), row) for row in rows]
    found = [Converted(result, row) for result, row in reached if result is not None]
    if not found:
        raise NoConversion(_why_not(guarantee, wanted, request))
    return tuple(sorted(found, key=lambda way: _size(way.guarantee, request)))


def _rows(table: Sequence[Conversion], guarantee: Guarantee, to: Target) -> list[Conversion]:
    return [row for row in table if row.target == to and isinstance(guarantee, row.source)]


def _request(
    to: Target, epsilon: float | None, delta: float | None, alpha: float | None, sides: Sides
) -> Request:
    one_of("sides", sides, SIDES)
    given = {"epsilon": epsilon, "delta": delta, "alpha": alpha}
    allowed = {"epsilon", "delta"} if to in POINTS else {"alpha"} if to == "renyi" else set()
    for name, value in given.items():
        if value is not None and name not in allowed:
            raise InvalidInput(name, value, fill("guarantees.convert.left-out", target=repr(to)))
    if sides != "both" and to != "probabilistic":
        raise InvalidInput("sides", sides, fill("guarantees.convert.left-out", target=repr(to)))
    chosen = [name for name in sorted(allowed) if given[name] is not None]
    if allowed and len(chosen) != 1:
        options = fill("guarantees.convert.or").join(sorted(allowed))
        raise InvalidInput(
            options,
            fill("and").join(chosen) or None,
            fill("guarantees.convert.once", target=repr(to)),
            fill("guarantees.convert.once.fix", options=options),
        )
    return Request(
        epsilon=None if epsilon is None else scalar("epsilon", epsilon, NONNEGATIVE),
        delta=None if delta is None else scalar("delta", delta, PROBABILITY),
        alpha=None if alpha is None else scalar("alpha", alpha, ORDER),
        sides=sides,
    )


def _size(guarantee: Guarantee, request: Request) -> float:
    """The parameter that was left open: the smaller the stronger."""
    parameters = guarantee.parameters
    if request.epsilon is not None:
        return float(parameters["delta"])
    for name in ("epsilon", "mu", "rho", "gamma"):
        if name in parameters:
            return float(parameters[name])
    return 0.0


def _why_not(guarantee: Guarantee, to: Target, request: Request) -> str:
    why, said = "none", {"guarantee": in_words(guarantee), "target": to}
    floor = guarantee.delta(np.inf).value
    if floor > 0 and to in ("pure", "gaussian", "renyi", "concentrated"):
        why, said["revealed"] = "none.revealed", f"{floor:g}"
    elif to in POINTS and request.delta is not None and _reach(guarantee, to, request) == np.inf:
        why, said["delta"] = "none.delta", f"{request.delta:g}"
    elif to == "bounded" and (request.epsilon or 0.0) == 0.0:
        why = "none.bounded"
    elif to == "pure":
        why = "none.pure"
    return fill(f"guarantees.convert.{why}", **said)


def _reach(guarantee: Guarantee, to: Target, request: Request) -> float:
    """The loss that is exceeded with the probability that was asked for."""
    if to == "approximate":
        return float(guarantee.epsilon(request.delta or 0.0).value)
    sides: Sides = "one" if to == "bounded" else request.sides
    return float(guarantee.loss_bound(request.delta or 0.0, sides=sides).value)
