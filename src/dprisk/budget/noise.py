"""Cost of a budget: the noise that keeps a promise, in plain units."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, Literal, final

import numpy as np

from dprisk._checks import FINITE_POSITIVE, Domain, one_of, scalar
from dprisk._numeric.exact import quotient_up
from dprisk._numeric.invert import keep
from dprisk._numeric.normal import normal_quantile
from dprisk._values import members, result
from dprisk.budget.nearest import nearest
from dprisk.errors import InvalidInput, OutOfRange
from dprisk.guarantees.approximate import ApproxDP
from dprisk.guarantees.base import Guarantee, Neighbors
from dprisk.mechanisms.base import Mechanism, kinds

Noise = Literal["geometric", "laplace", "gaussian", "discrete-gaussian"]
WIDTHS: Final[dict[Noise, str]] = {
    "geometric": "scale",
    "laplace": "scale",
    "gaussian": "sigma",
    "discrete-gaussian": "sigma",
}
NOISES: Final = tuple(WIDTHS)
ON_INTEGERS: Final = ("geometric", "discrete-gaussian")
SHARE: Final = Domain(0.0, 1.0, low_open=True, high_open=True, advice="Such as 0.95.")
SHARE_ROUNDING: Final = 1e-13  # relative: of a sum of up to a million weights


@final
@result
@dataclass(frozen=True, repr=False)
class NoiseCost:
    """Noise, and how far off it makes a published number. Made by `noise_cost`.

    Parameters
    ----------
    kind : {"geometric", "laplace", "gaussian", "discrete-gaussian"}
        Which noise.
    mechanism : Mechanism
        What to run.
    width : float
        Its scale or sigma, the number to put in. (0, inf), in the units of the answer
    standard_deviation : float
        Of the noise. (0, inf), in the units of the answer
    exact_probability : float
        Probability that the number is published as it is. [0, 1]
    coverage : float
        A share of cases. (0, 1)
    off_by : float
        The least number w such that the noise lies in [-w, w] in that share of cases or more; a
        whole number for geometric and discrete Gaussian noise. [0, inf)
    """

    kind: Noise
    mechanism: Mechanism
    width: float
    standard_deviation: float
    exact_probability: float
    coverage: float
    off_by: float

    @property
    def parameter(self) -> str:
        """Name of its width: scale or sigma."""
        return WIDTHS[self.kind]

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
    share = scalar("coverage", coverage, SHARE)
    kind = next((name for name in NOISES if type(mechanism) is kinds()[name]), None)
    if kind is None:
        raise InvalidInput("mechanism", mechanism, f"noise: one of {', '.join(NOISES)}")
    width = float(getattr(mechanism, WIDTHS[kind]))
    return NoiseCost(
        kind,
        mechanism,
        width,
        float(mechanism.noise_sd or 0.0),
        float(mechanism.exact_probability or 0.0),
        share,
        _reach(kind, width, share),
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
        If a number is outside its range, or no noise is enough.

    Notes
    -----
    Under approximate DP the whole privacy profile of the noise is used: geometric and Laplace noise
    may be a little less than for delta = 0. Under zCDP they are read as pure DP with
    epsilon^2 = 2 rho, under Gaussian DP as pure DP with Phi(mu / 2) = 1 / (1 + e^-epsilon) (dprisk,
    Proposition 5). There, less Laplace noise may be enough, and under zCDP less geometric noise as
    well; all other noise is the least of its kind for a sensitivity of 1. Laplace noise keeps f-DP
    by its own curve, and geometric noise, as pure DP, with
    e^epsilon = 2 e^(mu / 2) - 1.

    References
    ----------
    .. [1] P3, Section 2; B. Balle, Y.-X. Wang, Improving the Gaussian mechanism for differential
       privacy, ICML 2018, for the calibration of normal noise.

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


def with_width(kind: Noise, width: float, sensitivity: float, neighbors: Neighbors) -> Mechanism:
    """The mechanism of a kind, by its scale or sigma."""
    make: Any = kinds()[one_of("mechanism", kind, NOISES)]
    whole = kind in ON_INTEGERS and float(sensitivity).is_integer()
    asked = int(sensitivity) if whole else sensitivity
    made: Mechanism = make(width, asked, neighbors=neighbors)
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
    return float(
        keep(start, lambda width: np.asarray(quotient_up(sensitivity, float(width)) <= most))
    )


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


def _reach(kind: Noise, width: float, share: float) -> float:
    """The least w such that the noise lies in [-w, w] in that share of cases."""
    rest = 1.0 - share
    if kind == "laplace":
        return -width * math.log(rest)
    if kind == "gaussian":
        return width * -normal_quantile(rest / 2.0)
    if kind == "geometric":
        w = max(math.floor(-width * math.log(rest)) - 2.0, 0.0)
        while _geometric_within(width, w) < share * (1.0 - SHARE_ROUNDING):
            w += 1.0
        return w
    if width > 1e5:  # up to it, probabilities are added up
        return math.ceil(width * -normal_quantile(rest / 2.0) - 0.5)
    k = np.arange(1.0, math.ceil(9.0 * width) + 2.0)
    weights = np.exp(-np.square(k / width) / 2.0)
    within = 1.0 + 2.0 * np.concatenate([[0.0], np.cumsum(weights)])
    return float(np.searchsorted(within / within[-1], share * (1.0 - SHARE_ROUNDING)))


def _geometric_within(scale: float, w: float) -> float:
    """1 - 2 a^(w + 1) / (1 + a)."""
    return 1.0 - 2.0 * math.exp(-(w + 1.0) / scale) / (1.0 + math.exp(-1.0 / scale))
