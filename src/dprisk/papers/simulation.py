"""The likelihood-ratio test by simulation (P1, Section 6.3), sharing no code with exact powers."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import PROBABILITY, Domain, numbers, scalar, whole
from dprisk._numeric.logspace import Floats
from dprisk._values import result
from dprisk.allocation.exposure import Exposure
from dprisk.errors import Meaningless
from dprisk.progress import each
from dprisk.text import english

REACH: Final = 12.0  # widths: beyond lies less than e^-71
CHUNK: Final = 50_000
INSIDE: Final = Domain(
    0.0, 1.0, low_open=True, high_open=True, advice=english("errors.such-as", example=0.99)
)


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Simulated:
    """Power of the likelihood-ratio test, as simulated. Made by `simulate`.

    Parameters
    ----------
    levels : ndarray
        Probabilities of a false alarm. [0, 1]
    power : ndarray
        As counted. [0, 1]
    lower, upper : ndarray
        Ends of a confidence interval for each level, by itself. [0, 1]
    confidence : float
        Of each interval. (0, 1)
    draws : int
        Tables that were drawn under each of the two hypotheses. [100, 10^9]
    off : float
        At most by how much a probability about one table is off, because noise was drawn from
        rounded probabilities up to 12 widths; counted in the intervals. [0, 1]
    """

    levels: Floats
    power: Floats
    lower: Floats
    upper: Floats
    confidence: float
    draws: int
    off: float

    def holds(self, lower: npt.ArrayLike, upper: npt.ArrayLike) -> Any:
        """Whether a bracket of the power is compatible with the intervals.

        Parameters
        ----------
        lower, upper : array_like of float
            Ends of the bracket at each level. [0, 1]

        Returns
        -------
        ndarray of bool
            True where bracket and interval have a point in common.
        """
        return (np.asarray(upper) >= self.lower) & (np.asarray(lower) <= self.upper)


def simulate(
    exposure: Exposure,
    levels: npt.ArrayLike = (0.01, 0.05, 0.1),
    *,
    draws: int = 100_000,
    seed: int = 0,
    confidence: float = 0.99,
) -> Simulated:
    """Power of the likelihood-ratio test, by drawing the noise of all cells that move.

    Parameters
    ----------
    exposure : Exposure
        The queries that move; their noise is discrete-gaussian.
    levels : array_like of float
        Probabilities of a false alarm. [0, 1]
    draws : int
        Tables drawn in each of the two worlds. [100, 10^9]
    seed : int
        Of numpy's default generator. [0, 10^9]
    confidence : float
        Of each interval, by itself. (0, 1)

    Returns
    -------
    Simulated
        Counts, with intervals that hold with the confidence for any number of draws.

    Raises
    ------
    OutOfRange
        If a number is outside its range.
    Meaningless
        If the noise is not discrete-gaussian.

    Notes
    -----
    Four events, each with a quarter of the error probability, bound the power from both sides: the
    right threshold lies between two order statistics of the draws without the change (binomial
    bounds on their ranks), and the share of the other draws beyond each has a Clopper-Pearson
    bound. Ties count on the side that widens the interval.

    References
    ----------
    .. [1] P1, Section 6.3: one million draws in each world.
    .. [2] C. J. Clopper, E. S. Pearson, The use of confidence or fiducial limits illustrated in the
       case of the binomial, Biometrika 26, 1934.

    Examples
    --------
    >>> from dprisk.allocation import census2020
    >>> from dprisk.papers import simulate
    >>> blocks = census2020().exposure("block within block group")
    >>> drawn = simulate(blocks, [0.05], draws=5000, seed=1)
    >>> bool(drawn.lower[0] < 0.1205 < drawn.upper[0])
    True
    """
    if exposure.allocation.noise != "discrete-gaussian":
        raise Meaningless("The simulation can only draw discrete-gaussian noise.")
    at = np.ravel(numbers("level", levels, PROBABILITY))
    number = whole("draws", draws, 100)
    sure = scalar("confidence", confidence, INSIDE)
    tables, off = _tables(exposure)
    random = np.random.default_rng(whole("seed", seed, 0))
    sizes = [CHUNK] * (number // CHUNK) + [number % CHUNK] * (number % CHUNK > 0)
    worlds: tuple[list[Floats], list[Floats]] = ([], [])
    for size, moved in each("drawing tables", list(itertools.product(sizes, (0, 1)))):
        worlds[moved].append(_ratios(random, tables, size, moved))
    without, changed = (np.sort(np.concatenate(world)) for world in worlds)
    power, lower, upper = _intervals(without, changed, at, 1.0 - sure, off)
    low, high = np.maximum(lower - off, 0.0), np.minimum(upper + off, 1.0)
    return Simulated(at, power, low, high, sure, number, off)


def _tables(exposure: Exposure) -> tuple[list[tuple[Floats, float, int]], float]:
    """For each width: cumulative weights, variance, cells; and how far all of it may be off."""
    cells: dict[float, int] = {}
    for query in exposure.queries:
        variance = float(query.moves / (2 * query.amount))
        cells[variance] = cells.get(variance, 0) + query.moves
    found, off = [], 0.0
    for variance, number in cells.items():
        k = np.arange(-_reach(variance), _reach(variance) + 1.0)
        found.append((np.cumsum(np.exp(-(k**2) / (2.0 * variance))), variance, number))
        # one rounding of every sum, and of every outcome
        off += number * len(k) ** 2 * float(np.finfo(float).eps)  # every sum, every outcome
    return found, off


def _reach(variance: float) -> int:
    return int(np.ceil(REACH * np.sqrt(variance))) + 1


def _ratios(
    random: np.random.Generator, tables: list[tuple[Floats, float, int]], size: int, moved: int
) -> Floats:
    """Log-likelihood ratios of whole tables, with `moved` added to every cell."""
    total = np.zeros(size)
    for weights, variance, cells in tables:
        for _ in range(cells):
            drawn = np.searchsorted(weights, random.uniform(0.0, weights[-1], size), side="right")
            noise = np.minimum(drawn, len(weights) - 1) - _reach(variance)
            total += (2.0 * (noise + moved) - 1.0) / (2.0 * variance)
    return total


def _intervals(
    without: Floats, changed: Floats, levels: Floats, error: float, off: float
) -> tuple[Floats, Floats, Floats]:
    """Both samples sorted upwards; thresholds by rank from the top, powers by counting."""
    from scipy.special import betaincinv
    from scipy.stats import binom

    n, each = len(without), error / 4.0
    most = binom.isf(each, n, np.minimum(levels + off, 1.0))  # P[Bin > most] <= each
    least = binom.ppf(each, n, np.maximum(levels - off, 0.0))  # P[Bin < least] <= each
    low = _from_top(without, np.asarray(most) + 1.0)
    high = _from_top(without, np.asarray(least))
    above = n - np.searchsorted(changed, high, side="right")
    reached = n - np.searchsorted(changed, low, side="left")
    lower = np.where(above > 0, betaincinv(np.maximum(above, 1), n - above + 1, each), 0.0)
    rest = np.maximum(n - reached, 1)
    upper = np.where(reached < n, betaincinv(reached + 1, rest, 1.0 - each), 1.0)
    middle = _from_top(without, np.rint(n * levels))
    power = (n - np.searchsorted(changed, middle, side="right")) / n
    return power, np.asarray(lower), np.asarray(upper)


def _from_top(values: Floats, rank: Floats) -> Floats:
    """The rank-th largest; infinite beyond either end."""
    inside = np.clip(len(values) - rank, 0, len(values) - 1).astype(int)
    found = np.where(rank > len(values), -np.inf, values[inside])
    return np.where(rank < 1, np.inf, found)
