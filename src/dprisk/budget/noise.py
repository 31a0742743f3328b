"""Least noise that keeps a promise, or a limit on all releases, and what it costs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, final, overload

import numpy as np

from dprisk._checks import FINITE_POSITIVE, INSIDE, scalar
from dprisk._numeric.exact import quotient_up
from dprisk._numeric.invert import keep, nearest
from dprisk._numeric.normal import normal_quantile
from dprisk._values import members, plain, result
from dprisk.budget.counting import one_release
from dprisk.budget.limits import Limit
from dprisk.budget.search import LimitSolution, Search, Together, as_together, counted, only_bounded
from dprisk.budget.training import Along, TrainingFound, log_mu, noise_at, solve_training, solved
from dprisk.errors import InvalidInput, Meaningless, OutOfRange, one_of
from dprisk.guarantees.approximate import ApproxDP
from dprisk.guarantees.base import NEIGHBORS, Guarantee, Neighbors
from dprisk.mechanisms.base import SHARE, Mechanism, kinds
from dprisk.releases.training import KIND as DP_SGD
from dprisk.releases.training import by_keys
from dprisk.text import english

Noise = Literal[
    "geometric",
    "laplace",
    "gaussian",
    "discrete-gaussian",
    "subsampled-gaussian",
    "subsampled-laplace",
]
WIDTHS: Final[Mapping[Noise, str]] = {
    "geometric": "scale",
    "laplace": "scale",
    "gaussian": "sigma",
    "discrete-gaussian": "sigma",
}
NOISES: Final = tuple(WIDTHS)
SAMPLED: Final[Mapping[Noise, str]] = {
    "subsampled-gaussian": "sigma",
    "subsampled-laplace": "scale",
}
"""Noise on a sample: its rate is given, and its scale is found in few evaluations."""
DRAWN: Final[Mapping[str, str]] = {
    "subsampled-gaussian": "gaussian",
    "subsampled-laplace": "laplace",
}
"""The noise that is added to the answer of a sample."""
SCALES: Final[Mapping[Noise, str]] = {**WIDTHS, **SAMPLED}
ON_INTEGERS: Final = ("geometric", "discrete-gaussian")
SHARE_ROUNDING: Final = 1e-13  # relative: of a sum of up to a million weights


@final
@result
@dataclass(frozen=True, repr=False)
class NoiseCost:
    """Noise, and how far off it makes a published number. Made by `noise_for` and `calibrate`."""

    kind: Noise
    mechanism: Mechanism  # to be run
    width: float  # its scale or sigma. (0, inf), in the units of the answer
    standard_deviation: float  # (0, inf), in the units of the answer
    exact_probability: float  # that the number is published as it is. [0, 1]
    coverage: float  # a share of cases. (0, 1)
    off_by: float  # the least w with the noise in [-w, w] in that share of cases or more. [0, inf)

    @property
    def parameter(self) -> str:
        """Name of its width: scale or sigma."""
        return SCALES[self.kind]

    @property
    def interval_width(self) -> float:
        """Length of the interval, from one end to the other."""
        return 2.0 * self.off_by

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: its fields, and the sensitivity."""
        drawn = ("standard_deviation", "exact_probability", "coverage", "off_by", "interval_width")
        return members(self, "kind", "parameter", "width", "mechanism.sensitivity", *drawn)


def noise_cost(mechanism: Mechanism, coverage: float = 0.95) -> NoiseCost:
    """How far off one published number is."""
    share = scalar("coverage", coverage, INSIDE, "Such as 0.95.")
    kind = next((name for name in SCALES if type(mechanism) is kinds()[name]), None)
    if kind is None:
        raise InvalidInput("mechanism", mechanism, f"noise: one of {', '.join(SCALES)}")
    width = float(getattr(mechanism, SCALES[kind]))
    return NoiseCost(
        kind,
        mechanism,
        width,
        float(mechanism.noise_sd or 0.0),
        float(mechanism.exact_probability or 0.0),
        share,
        _reach(DRAWN.get(kind, kind), width, share),
    )


def noise_for(
    guarantee: Guarantee, sensitivity: float = 1.0, *, coverage: float = 0.95
) -> tuple[NoiseCost, ...]:
    """Noise of each kind with which one number keeps a promise; mostly the least such noise.

    Parameters
    ----------
    guarantee : PureDP, ApproxDP, ZeroConcentratedDP, GaussianDP or LaplaceDP
        The promise of one release.
    sensitivity : float
        Most by which the number can differ between neighbors; for noise on the integers it has to
        be a whole number. (0, inf)
    coverage : float
        The share of cases for which `NoiseCost.off_by` is told. (0, 1)

    Returns
    -------
    tuple of NoiseCost
        Kinds that cannot keep it are left out: normal noise keeps no pure DP, discrete normal noise
        no Gaussian DP, and noise on the integers needs a whole sensitivity.

    Raises
    ------
    InvalidInput
        If the guarantee is another, or promises nothing.
    OutOfRange
        If no noise is enough.

    Notes
    -----
    Under approximate DP by the whole privacy profile of the noise. Geometric and Laplace noise by
    pure DP: with epsilon^2 = 2 rho under zCDP, Phi(mu / 2) = 1 / (1 + e^-epsilon) under Gaussian DP
    (dprisk, Proposition 5), e^epsilon = 2 e^(mu / 2) - 1 for geometric noise under f-DP.

    References
    ----------
    .. [1] P3, Section 2; B. Balle, Y.-X. Wang, Improving the Gaussian mechanism, ICML 2018.

    Examples
    --------
    >>> from dprisk import ApproxDP
    >>> from dprisk.budget import noise_for
    >>> for cost in noise_for(ApproxDP(1.0, 1e-6, neighbors="add-remove")):
    ...     print(cost.kind, cost.parameter, round(cost.width, 3), round(cost.off_by, 2))
    geometric scale 1.0 3.0
    laplace scale 1.0 3.0
    gaussian sigma 4.225 8.28
    discrete-gaussian sigma 4.231 8.0
    """
    if guarantee.noise_ratios is None and not isinstance(guarantee, ApproxDP):
        allowed = "pure, approximate, Gaussian or Laplace DP, or zCDP"
        fix = "Ask calibrate for the noise that keeps a limit."
        raise InvalidInput("guarantee", guarantee, allowed, fix)
    scalar("sensitivity", sensitivity, FINITE_POSITIVE)
    found = []
    for kind in NOISES:
        if kind in ON_INTEGERS and not float(sensitivity).is_integer():
            continue
        width = _width(kind, guarantee, float(sensitivity))
        if width is not None:
            mechanism = with_width(kind, width, sensitivity, guarantee.neighbors)
            found.append(noise_cost(mechanism, coverage))
    return tuple(found)


def with_width(
    kind: Noise, width: float, sensitivity: float, neighbors: Neighbors, **more: float
) -> Mechanism:
    """The mechanism of a kind, by its scale or sigma, and by the rate of a sample."""
    make: Any = kinds()[one_of("mechanism", kind, SCALES)]
    whole = kind in ON_INTEGERS and float(sensitivity).is_integer()
    made: Mechanism = make(
        width, int(sensitivity) if whole else sensitivity, **more, neighbors=neighbors
    )
    return made


def _width(kind: Noise, promise: Guarantee, sensitivity: float) -> float | None:
    """Rounded up until the promise is kept as computed; None where no width keeps it."""
    ratios = promise.noise_ratios
    if ratios is None:
        return _by_profile(kind, promise, sensitivity)
    most = ratios.get(kind, 0.0)
    if not 0.0 < most < math.inf:
        return None
    start = np.array(sensitivity / most)
    return float(keep(start, lambda x: np.asarray(quotient_up(sensitivity, float(x)) <= most)))


def _by_profile(kind: Noise, promise: Any, sensitivity: float) -> float | None:
    epsilon, delta = promise.stated_epsilon, promise.stated_delta
    if not math.isfinite(epsilon) or delta >= 1.0:
        return None

    def measure(width: float) -> float:
        mechanism = with_width(kind, width, sensitivity, promise.neighbors)
        one = mechanism.guarantee() if kind == "gaussian" else mechanism.loss()
        return float(one.delta(epsilon))

    start = sensitivity / max(epsilon / math.sqrt(-2.0 * math.log(delta)), 1e-9)
    if kind in ("geometric", "laplace"):  # delta = 1 - e^((epsilon - sensitivity / scale) / 2)
        start = sensitivity / (epsilon - 2.0 * math.log1p(-delta))
    ends = (sensitivity * 1e-6, sensitivity * 1e18)
    kept, _ = nearest(measure, delta, start, rising=False, ends=ends)
    if not math.isfinite(kept):
        raise OutOfRange("guarantee", promise, "one that some noise keeps", "Give more budget.")
    return kept


def _reach(kind: str, width: float, share: float) -> float:
    """The least w such that the noise lies in [-w, w] in that share of cases."""
    rest = 1.0 - share
    if kind == "laplace":
        return -width * math.log(rest)
    if kind == "gaussian":
        return width * -normal_quantile(rest / 2.0)
    if kind == "geometric":
        w, a = max(math.floor(-width * math.log(rest)) - 2.0, 0.0), math.exp(-1.0 / width)
        # within [-w, w] lies 1 - 2 a^(w + 1) / (1 + a)
        while 1.0 - 2.0 * math.exp(-(w + 1.0) / width) / (1.0 + a) < share * (1.0 - SHARE_ROUNDING):
            w += 1.0
        return w
    if width > 1e5:  # up to it, probabilities are added up
        return math.ceil(width * -normal_quantile(rest / 2.0) - 0.5)
    k = np.arange(1.0, math.ceil(9.0 * width) + 2.0)
    weights = np.exp(-np.square(k / width) / 2.0)
    within = 1.0 + 2.0 * np.concatenate([[0.0], np.cumsum(weights)])
    return float(np.searchsorted(within / within[-1], share * (1.0 - SHARE_ROUNDING)))


@final
@result
@dataclass(frozen=True, repr=False)
class Calibrated(LimitSolution):
    """The least noise that keeps a limit. Made by `calibrate`."""

    kind: Noise  # the value is its scale or sigma
    cost: NoiseCost | None  # the mechanism to run, and how far off it makes a published number

    @property
    def mechanism(self) -> Mechanism:
        """Mechanism to run for each release; refused where there is none."""
        if self.cost is None:
            raise Meaningless(f"There is no mechanism to run: {self.reason}")
        return self.cost.mechanism

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: `width` is the value, `at_least` the other end of its bracket."""
        return {
            **members(self, "kind", "status", "limit"),
            "parameter": SCALES[self.kind],
            "width": plain(float(self.value)),
            "bound": self.value.bound,
            "at_least": plain(self.value.bracket[0]),
            **members(self, "together.releases", "cost"),
            "measured": None if self.measured is None else float(self.measured),
            **self._cited(),
            "assumptions": list(self.value.assumptions),
        }


@overload
def calibrate(
    limit: Limit,
    kind: Noise,
    sensitivity: float = 1.0,
    *,
    neighbors: Neighbors = "add-remove",
    releases: int | Together = 1,
    coverage: float = 0.95,
    **more: Any,
) -> Calibrated: ...
@overload
def calibrate(
    limit: Limit,
    kind: Literal["dp-sgd"],
    sensitivity: float = 1.0,
    *,
    neighbors: Neighbors = "add-remove",
    releases: int | Together = 1,
    coverage: float = 0.95,
    **more: Any,
) -> TrainingFound: ...
def calibrate(
    limit: Limit,
    kind: Noise | Literal["dp-sgd"],
    sensitivity: float = 1.0,
    *,
    neighbors: Neighbors = "add-remove",
    releases: int | Together = 1,
    coverage: float = 0.95,
    **more: Any,
) -> Calibrated | TrainingFound:
    """The least noise with which all releases together keep a limit, by its own privacy loss.

    Parameters
    ----------
    limit : Limit
        What all releases together have to keep.
    kind : str
        Which noise is added to one number in each release: geometric, laplace, gaussian,
        discrete-gaussian, or subsampled-gaussian or subsampled-laplace with a `rate`. Or dp-sgd,
        with words of `dprisk.dp_sgd`, of which one of noise, steps and batch is left out.
    sensitivity : float
        Most by which the number can differ between neighbors; for noise on the integers a whole
        number. Not for dp-sgd. (0, 10^9]
    neighbors : {"add-remove", "replace-one"}
        The relation under which that is so.
    releases : int or Together
        How many releases; or that with what was spent before. [1, 10^9]
    coverage : float
        The share of cases for which `NoiseCost.off_by` is told. (0, 1)
    **more : float or str
        The `rate` of a sample, (0, 1], or the words of a training.

    Returns
    -------
    Calibrated or TrainingFound
        The scale or sigma, the mechanism, and what it costs; of a training, what was left out.

    Raises
    ------
    InvalidInput
        If `kind` is unknown, or a rule other than ``best`` or a single delta is asked for.
    Meaningless
        If the limit has no meaning under these neighbors, or only a bounded loss keeps it.

    References
    ----------
    .. [1] B. Kulynych and others, Attack-aware noise calibration, NeurIPS 2024, for the question.

    Examples
    --------
    >>> from dprisk.budget import AttackLimit, calibrate
    >>> attack = AttackLimit("power", 0.2, level=0.05)
    >>> found = calibrate(attack, "discrete-gaussian", releases=12)
    >>> round(found.value.value, 4), found.cost.off_by
    (4.3129, 8.0)
    >>> from dprisk.budget import EpsilonLimit
    >>> run = {"sampling": "poisson", "sample_rate": 0.01, "steps": 5000}
    >>> found = calibrate(EpsilonLimit(1.0, 1e-5), "dp-sgd", **run)
    >>> found.unknown, round(found.value.value, 5)
    ('noise_multiplier', 2.75251)
    """
    one_of("neighbors", neighbors, NEIGHBORS)
    if kind == DP_SGD:
        if sensitivity != 1.0:
            raise InvalidInput("sensitivity", sensitivity, "left out for dp-sgd")
        return solve_training(limit, by_keys(more, neighbors), releases)
    one_of("kind", kind, (*SCALES, DP_SGD))
    _check_rate(kind, more)
    how = as_together(releases)
    if how.rule != "best" or how.at_delta is not None:
        allowed = "composed by the best rule, at every delta"
        fix = "Noise is calibrated to its own privacy loss; ask largest_budget about rules."
        raise InvalidInput("releases", how, allowed, fix)
    reach = scalar("sensitivity", sensitivity, FINITE_POSITIVE)

    def one(width: float) -> Guarantee:
        run = with_width(kind, width, sensitivity, neighbors, **more)
        if limit.certain:
            return run.guarantee()
        return run.loss() if more else one_release(run)

    example = with_width(kind, reach, sensitivity, neighbors, **more)
    one_example = example.loss() if more else one_release(example)
    limit = limit.read_with(*counted(how, one_example))
    search = Search(limit, how, neighbors, lambda x: how.of(one(x), certain=limit.certain))
    only_bounded(limit, one(reach), kind)
    why_none = english(f"budget.noise.{'spent' if how.spent else 'none'}")
    if more:
        line = _wider(reach, more["rate"], many=how.releases > 1 or bool(how.spent))
        found = solved(search, line, why_none, english("budget.training.every.noise_multiplier"))
    else:
        found = search.solve(
            one,
            lambda: reach / search.start(pure=kind in ("geometric", "laplace")),
            (reach * 1e-4, reach * 1e18),
            lambda: why_none,
            rising=False,
        )
    cost = None
    if found[0] == "limited":
        width = float(found[1])
        cost = noise_cost(with_width(kind, width, sensitivity, neighbors, **more), coverage)
    return Calibrated(*found, kind, cost)


def _check_rate(kind: Noise, more: dict[str, Any]) -> None:
    """Refuse words that the noise does not take, and a sample without its rate."""
    takes = ("rate",) if kind in SAMPLED else ()
    for name in more:
        if name not in takes:
            known = "rate" if takes else "nothing more"
            raise InvalidInput("parameters", name, f"{known} for {kind}")
    for name in takes:
        more[name] = scalar(name, more.get(name), SHARE)


def _wider(sensitivity: float, rate: float, *, many: bool) -> Along:
    """Noise on samples, along its scale."""
    low, high = sensitivity * 1e-3, sensitivity * 1e12

    def place(x: float) -> float:
        return log_mu(x / sensitivity, rate, 1)

    def number(u: float) -> float:
        return min(max(sensitivity * noise_at(u, rate, 1), low), high)

    return Along((low, high), place, number, many=many)
