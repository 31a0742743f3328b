"""The table of proven conversions. A new theorem is a new row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, final

import numpy as np

from dprisk._numeric.logspace import below_complement
from dprisk.guarantees.approximate import ApproxDP, ApproxDPCurve
from dprisk.guarantees.base import Guarantee, Sides
from dprisk.guarantees.bounded import ProbabilisticallyBoundedDP
from dprisk.guarantees.concentrated import ZeroConcentratedDP
from dprisk.guarantees.gaussian import GaussianDP
from dprisk.guarantees.piecewise import PiecewiseLinear
from dprisk.guarantees.probabilistic import ProbabilisticDP
from dprisk.guarantees.pure import PureDP
from dprisk.guarantees.renyi import RenyiDP
from dprisk.guarantees.tradeoff import FDP
from dprisk.sources import Theorem

__all__ = ["CONVERSIONS", "TARGETS", "Conversion", "Exactness", "Request", "Target"]

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
TARGETS: Final[tuple[Target, ...]] = (
    "pure",
    "approximate",
    "probabilistic",
    "bounded",
    "tradeoff",
    "gaussian",
    "renyi",
    "concentrated",
)
Exactness = Literal["exact", "upper"]


@final
@dataclass(frozen=True, kw_only=True)
class Request:
    """Where on the curve of the target definition to land: at an epsilon, a delta or an order."""

    epsilon: float | None = None
    delta: float | None = None
    alpha: float | None = None
    sides: Sides = "both"


Apply = Callable[[Any, Request], Guarantee | None]


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


def _profile(known: Guarantee, request: Request) -> Guarantee | None:
    """A point of the privacy profile."""
    e = request.epsilon if request.epsilon is not None else known.epsilon(request.delta or 0).value
    d = request.delta if request.delta is not None else known.delta(e).value
    return ApproxDP(e, d, neighbors=known.neighbors) if np.isfinite(e) else None


def _general_note(known: PureDP, request: Request) -> Guarantee | None:
    """delta = e^epsilon - e^epsilon0, which forgets a factor of 1 + e^epsilon."""
    top = known.stated_epsilon
    if request.epsilon is not None:
        e = request.epsilon
        d = 0.0 if e >= top else float(np.exp(top) * -np.expm1(e - top)) if top < 700 else 1.0
    else:
        d = request.delta or 0.0
        e = max(0.0, top + float(np.log1p(-d * np.exp(-top)))) if d < np.exp(min(top, 700)) else 0.0
    return ApproxDP(e, min(d, 1.0), neighbors=known.neighbors)


def _mironov(known: RenyiDP, request: Request) -> Guarantee | None:
    """epsilon = gamma + log(1/delta) / (alpha - 1), the best order."""
    extra, gamma = np.array(known.alpha) - 1.0, np.array(known.gamma)
    return _exponential(
        known, request, lambda t: (extra * (t - gamma)).max(), lambda k: (gamma + k / extra).min()
    )


def _simple_concentrated(known: ZeroConcentratedDP, request: Request) -> Guarantee | None:
    """epsilon = xi + rho + 2 sqrt(rho log(1/delta))."""
    if known.stated_delta or known.rho == 0.0:
        return None
    centre, rho = known.xi + known.rho, known.rho
    return _exponential(
        known,
        request,
        lambda t: max(t - centre, 0.0) ** 2 / (4 * rho),
        lambda k: centre + 2 * np.sqrt(rho * k),
    )


def _exponential(
    known: Guarantee,
    request: Request,
    exponent: Callable[[float], float],
    inverse: Callable[[float], float],
) -> Guarantee | None:
    """Approximate DP with delta = e^-exponent(epsilon)."""
    if request.epsilon is not None:
        d = float(np.exp(-max(exponent(request.epsilon), 0.0)))
        return ApproxDP(request.epsilon, d, neighbors=known.neighbors)
    if not request.delta:
        return None
    e = max(float(inverse(-np.log(request.delta))), 0.0)
    return ApproxDP(e, request.delta, neighbors=known.neighbors)


def _tail(sides: Sides, target: Target) -> Apply:
    """A point of the tail of the privacy loss, on both sides or on one."""

    def apply(known: Guarantee, request: Request) -> Guarantee | None:
        processed = target == "bounded"
        if not processed and request.sides != sides:
            return None
        if request.epsilon is not None:
            e = request.epsilon
            d = known.tail(e, sides=sides, post_processing=processed).value
        else:
            d = request.delta or 0.0
            e = known.loss_bound(d, sides=sides, post_processing=processed).value
        if not np.isfinite(e):
            return None
        if not processed:
            return ProbabilisticDP(e, d, sides=sides, neighbors=known.neighbors)
        return ProbabilisticallyBoundedDP(e, d, neighbors=known.neighbors) if e > 0 else None

    return apply


def _as_bounded(apply: Apply) -> Apply:
    """A tail that was proven from moments holds after post-processing as well."""

    def bounded(known: Any, request: Request) -> Guarantee | None:
        point = apply(known, request)
        if point is None or point.parameters["epsilon"] == 0.0:
            return None
        e, d = point.parameters["epsilon"], point.parameters["delta"]
        return ProbabilisticallyBoundedDP(e, d, neighbors=known.neighbors)

    return bounded


def _through_simple(known: ZeroConcentratedDP, request: Request) -> Guarantee | None:
    """The simple conversion to approximate DP, then P0 Theorem 3.9, with the best slack between.

    With delta = e^-(s - rho)^2 / (4 rho) at s, the loss exceeds t on both sides with probability
    at most delta (1 + e^-t) / (1 - e^(s - t)).
    """
    if request.delta is None or request.sides != "both" or not request.delta:
        return None
    goal = request.delta
    slack = goal * -np.expm1(-np.geomspace(1e-6, 40.0, 4001))
    points = [_simple_concentrated(known, Request(delta=float(d))) for d in slack]
    losses = [p.loss_bound(goal).value for p in points if p is not None]
    return ProbabilisticDP(min(losses), goal, neighbors=known.neighbors) if losses else None


def _polygon(known: PiecewiseLinear, request: Request) -> Guarantee | None:
    curve = known._envelope
    levels = np.concatenate([[0.0], np.exp(curve.log_x), [1.0]])
    powers = np.concatenate([curve.offsets[:1], np.exp(curve.log_y), [1.0]])
    return FDP.hull(levels, below_complement(powers), neighbors=known.neighbors)


def _sampled(known: Guarantee, request: Request) -> Guarantee | None:
    def error(level: Any) -> Any:
        return below_complement(known.power(level).value)

    return FDP.from_function(error, neighbors=known.neighbors, points=401)


def _gaussian_of_pure(known: PureDP, request: Request) -> Guarantee | None:
    from scipy.special import ndtri_exp

    mu = -2.0 * float(ndtri_exp(-np.logaddexp(0.0, known.stated_epsilon)))
    return GaussianDP(mu, neighbors=known.neighbors) if np.isfinite(mu) else None


def _renyi_of_pure(known: PureDP, request: Request) -> Guarantee | None:
    e, a = known.stated_epsilon, request.alpha or 2.0
    if not np.isfinite(e):
        return None
    log_terms = np.logaddexp(a * e, (1.0 - a) * e) - np.logaddexp(0.0, e)
    return RenyiDP(a, max(float(log_terms) / (a - 1.0), 0.0), neighbors=known.neighbors)


def _renyi_of_orders(known: RenyiDP, request: Request) -> Guarantee | None:
    """Divergences rise with the order, so a bound at a higher order serves."""
    a = request.alpha or 2.0
    higher = [g for order, g in zip(known.alpha, known.gamma, strict=True) if order >= a]
    return RenyiDP(a, min(higher), neighbors=known.neighbors) if higher else None


def _renyi_of_concentrated(known: ZeroConcentratedDP, request: Request) -> Guarantee | None:
    a = request.alpha or 2.0
    if known.stated_delta:
        return None
    return RenyiDP(a, known.xi + known.rho * a, neighbors=known.neighbors)


def _renyi_of_gaussian(known: GaussianDP, request: Request) -> Guarantee | None:
    a = request.alpha or 2.0
    return RenyiDP(a, a * known.mu**2 / 2.0, neighbors=known.neighbors)


def _concentrated_of_gaussian(known: GaussianDP, request: Request) -> Guarantee | None:
    return ZeroConcentratedDP(known.mu**2 / 2.0, neighbors=known.neighbors)


def _concentrated_of_pure(known: PureDP, request: Request) -> Guarantee | None:
    e = known.stated_epsilon
    return ZeroConcentratedDP(e * e / 2.0, neighbors=known.neighbors) if np.isfinite(e) else None


def _pure(known: Guarantee, request: Request) -> Guarantee | None:
    e = known.loss_bound(0.0, sides="one").value
    return PureDP(e, neighbors=known.neighbors) if np.isfinite(e) else None


def _itself(known: Guarantee, request: Request) -> Guarantee | None:
    return known


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
CANONNE = Theorem("Canonne 2020", "Proposition 12", "Rényi bounds imply approximate DP")

CONVERSIONS: Final[tuple[Conversion, ...]] = (
    Conversion(
        (PureDP,), "approximate", "the profile of randomized response", "exact", RESPONSE, _profile
    ),
    Conversion(
        (PureDP,), "approximate", "the general note of P4", "upper", GENERAL_NOTE, _general_note
    ),
    Conversion(
        (ApproxDP, ApproxDPCurve),
        "approximate",
        "the worst case of the promised points",
        "exact",
        Theorem("Kairouz 2015", "Theorem 2.4", "worst case of the promise"),
        _profile,
    ),
    Conversion(
        (ProbabilisticDP,), "approximate", "the same numbers", "exact", PDP_TO_ADP, _profile
    ),
    Conversion(
        (ProbabilisticallyBoundedDP,),
        "approximate",
        "the concavity of power",
        "upper",
        Theorem("dprisk", "Proposition 4", "one point of pbdp"),
        _profile,
    ),
    Conversion(
        (FDP, GaussianDP), "approximate", "the dual of the trade-off", "exact", DUAL, _profile
    ),
    Conversion(RENYI, "approximate", "the tight Rényi conversion", "upper", CANONNE, _profile),
    Conversion(
        (RenyiDP,),
        "approximate",
        "the simple Rényi conversion",
        "upper",
        Theorem("Mironov 2017", "Proposition 3", "by Markov's inequality"),
        _mironov,
    ),
    Conversion(
        (ZeroConcentratedDP,),
        "approximate",
        "the simple zCDP conversion",
        "upper",
        Theorem("P0", "Theorem 2.7", "rho + 2 sqrt(rho log(1/delta))"),
        _simple_concentrated,
    ),
    Conversion(
        (PureDP, ApproxDP, ApproxDPCurve),
        "probabilistic",
        "the price of both sides",
        "exact",
        BOTH,
        _tail("both", "probabilistic"),
    ),
    Conversion(
        (PureDP, ApproxDP, ApproxDPCurve),
        "probabilistic",
        "the price of one side",
        "exact",
        ONE,
        _tail("one", "probabilistic"),
    ),
    Conversion(
        (FDP, GaussianDP),
        "probabilistic",
        "the power curve, both sides",
        "exact",
        Theorem("dprisk", "Proposition 2", "both tails from the power curve"),
        _tail("both", "probabilistic"),
    ),
    Conversion(
        (FDP, GaussianDP),
        "probabilistic",
        "the power curve, one side",
        "exact",
        POST,
        _tail("one", "probabilistic"),
    ),
    Conversion(
        (ProbabilisticDP, ProbabilisticallyBoundedDP),
        "probabilistic",
        "the promise itself, both sides",
        "upper",
        Theorem("P0", "Definition 2.4", "the tail that was promised"),
        _tail("both", "probabilistic"),
    ),
    Conversion(
        (ProbabilisticDP, ProbabilisticallyBoundedDP),
        "probabilistic",
        "the promise itself, one side",
        "upper",
        Theorem("P2", "Definition 2.2", "the tail that was promised"),
        _tail("one", "probabilistic"),
    ),
    Conversion(
        RENYI,
        "probabilistic",
        "two coins, both sides",
        "upper",
        COINS,
        _tail("both", "probabilistic"),
    ),
    Conversion(
        RENYI, "probabilistic", "two coins, one side", "exact", COINS, _tail("one", "probabilistic")
    ),
    Conversion(
        (ZeroConcentratedDP,),
        "probabilistic",
        "the simple zCDP conversion, then the price of both sides",
        "upper",
        BOTH,
        _through_simple,
    ),
    Conversion(
        (*POLYGONS, GaussianDP),
        "bounded",
        "the power curve",
        "exact",
        POST,
        _tail("one", "bounded"),
    ),
    Conversion(
        (ProbabilisticDP,),
        "bounded",
        "the same numbers as approximate DP",
        "exact",
        PDP_TO_ADP,
        _tail("one", "bounded"),
    ),
    Conversion(
        (ProbabilisticallyBoundedDP,),
        "bounded",
        "the concavity of power",
        "upper",
        Theorem("dprisk", "Proposition 4", "one point of pbdp"),
        _tail("one", "bounded"),
    ),
    Conversion(RENYI, "bounded", "two coins", "exact", COINS, _tail("one", "bounded")),
    Conversion(
        (RenyiDP,), "bounded", "Markov's inequality", "upper", MARKOV, _as_bounded(_mironov)
    ),
    Conversion(
        (ZeroConcentratedDP,),
        "bounded",
        "Markov's inequality",
        "upper",
        MARKOV,
        _as_bounded(_simple_concentrated),
    ),
    Conversion(
        POLYGONS,
        "tradeoff",
        "the polygon of the promise",
        "exact",
        Theorem("P1", "Theorem 6.2", "power under approximate DP"),
        _polygon,
    ),
    Conversion(
        (ProbabilisticDP,),
        "tradeoff",
        "the polygon of approximate DP",
        "exact",
        PDP_TO_ADP,
        lambda known, request: _polygon(known._approximate, request),
    ),
    Conversion(
        (GaussianDP, RenyiDP, ZeroConcentratedDP),
        "tradeoff",
        "a polygon below the trade-off",
        "upper",
        Theorem("P1", "Theorem 6.3", "power under f-DP and Rényi bounds"),
        _sampled,
    ),
    Conversion(
        (PureDP,),
        "gaussian",
        "the corner of randomized response",
        "exact",
        Theorem("dprisk", "Proposition 5", "mu = -2 Phi^-1(1 / (1 + e^epsilon))"),
        _gaussian_of_pure,
    ),
    Conversion((GaussianDP,), "gaussian", "as stated", "exact", DUAL, _itself),
    Conversion(
        (PureDP,),
        "renyi",
        "the divergence of randomized response",
        "exact",
        Theorem("Mironov 2017", "Proposition 5", "Rényi divergence of randomized response"),
        _renyi_of_pure,
    ),
    Conversion(
        (GaussianDP,),
        "renyi",
        "the divergence of two normals",
        "exact",
        Theorem("Mironov 2017", "Proposition 7", "alpha mu^2 / 2"),
        _renyi_of_gaussian,
    ),
    Conversion(
        (ZeroConcentratedDP,),
        "renyi",
        "the definition of zCDP",
        "exact",
        Theorem("P1", "Definition 5.13", "xi + rho alpha"),
        _renyi_of_concentrated,
    ),
    Conversion(
        (RenyiDP,),
        "renyi",
        "a higher order",
        "upper",
        Theorem("Mironov 2017", "Section 2", "divergences rise with the order"),
        _renyi_of_orders,
    ),
    Conversion(
        (GaussianDP,),
        "concentrated",
        "the divergence of two normals",
        "exact",
        Theorem("P1", "Example 5.10", "rho = mu^2 / 2"),
        _concentrated_of_gaussian,
    ),
    Conversion(
        (PureDP,),
        "concentrated",
        "half the square",
        "upper",
        Theorem("Bun 2016", "Proposition 3.3", "rho = epsilon^2 / 2"),
        _concentrated_of_pure,
    ),
    Conversion(
        (ZeroConcentratedDP,),
        "concentrated",
        "as stated",
        "exact",
        Theorem("P1", "Definition 5.13", "the definition"),
        _itself,
    ),
    Conversion(
        (Guarantee,),
        "pure",
        "a privacy loss that is never exceeded",
        "exact",
        Theorem("P0", "Theorem 2.3", "pure DP bounds the loss with certainty"),
        _pure,
    ),
)
