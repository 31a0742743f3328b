"""The Gaussian mechanism: with independent or correlated noise, and for random contributions."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from operator import add, mul
from typing import ClassVar, Final, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import FINITE, FINITE_POSITIVE, PROBABILITY, Domain, assign, numbers, settle
from dprisk._numeric.envelope import whole_numbers
from dprisk._numeric.exact import quotient_up, root_up, rounded_up
from dprisk._numeric.logspace import EXP_LIMIT, Floats
from dprisk.errors import InvalidInput
from dprisk.guarantees import GaussianDP, Guarantee
from dprisk.guarantees.base import Neighbors
from dprisk.losses.base import LossPair
from dprisk.losses.density import STRONG, spacing_for
from dprisk.losses.lattice import SPACING
from dprisk.losses.normal import NormalLoss
from dprisk.mechanisms.base import RATIOS, Mechanism, Outputs, added, limited, normal
from dprisk.mechanisms.pairs import PairOfDensities, adding_up
from dprisk.text import english


@final
@dataclass(frozen=True, slots=True)
class Gaussian(Mechanism):
    """Normal noise is added to each number.

    Parameters
    ----------
    sigma : float
        Standard deviation of the noise, in the units of the answer. (0, inf)
    sensitivity : float
        Most by which the answers can lie apart (Euclidean distance) between neighbors. (0, inf)
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors: those of the sensitivity.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not one of the two relations.

    References
    ----------
    .. [1] J. Dong, A. Roth, W. J. Su, Gaussian differential privacy, J. R. Stat. Soc. B 84, 2022,
       Theorem 1 (2.7 in the preprint).
    .. [2] P1, Example 5.10.

    Examples
    --------
    >>> from dprisk.mechanisms import Gaussian
    >>> Gaussian(sigma=2.0, sensitivity=1.0, neighbors="add-remove").guarantee()
    GaussianDP(mu=0.5, neighbors='add-remove')
    """

    sigma: float
    sensitivity: float
    _: KW_ONLY
    neighbors: Neighbors

    kind: ClassVar[str] = "gaussian"
    exact_probability = 0.0  # the noise is continuous

    def __post_init__(self) -> None:
        settle(self, sigma=FINITE_POSITIVE, sensitivity=FINITE_POSITIVE)

    def guarantee(self) -> Guarantee:
        """Gaussian DP with mu = sensitivity / sigma."""
        return GaussianDP(quotient_up(self.sensitivity, self.sigma), neighbors=self.neighbors)

    def losses(self) -> LossPair:
        """Loss of two normals that are the whole sensitivity apart."""
        ratio = limited("sensitivity / sigma", self.sensitivity / self.sigma)
        return LossPair.known(NormalLoss(ratio), label=english("mechanism.gaussian"))

    @property
    def outputs(self) -> Outputs:
        """The answer with noise."""
        return added(normal(self.sigma), self.sensitivity)

    @property
    def noise_sd(self) -> float | None:
        """Sigma."""
        return self.sigma


REAL = Domain(-np.finfo(float).max, np.finfo(float).max, advice="Give finite numbers.")
NEGLIGIBLE = Fraction(1, 2**80)
ALIKE = 1e-12  # relative difference at which two entries still count as the same


@final
@dataclass(frozen=True, init=False, slots=True)
class VectorGaussian(Mechanism):
    """Normal noise with a covariance matrix is added to several numbers at once.

    Parameters
    ----------
    covariance : array_like of float
        Covariance of the noise, symmetric and positive definite. (-inf, inf), shape (n, n)
    difference : array_like of float
        By how much the true numbers of the worst pair of neighbors differ. (-inf, inf), shape (n,)
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors.

    Raises
    ------
    OutOfRange
        If a number is infinite or NaN.
    InvalidInput
        If the shapes do not fit, the matrix is not symmetric or not positive definite, or
        `neighbors` is not one of the two relations.

    Notes
    -----
    What counts is the length of the difference in units of the noise,
    mu = sqrt(difference' covariance^-1 difference), the attribute `mu`: rounded upwards once,
    whatever the condition of the matrix. Which pair of neighbors has the largest one is
    for the caller to say.

    References
    ----------
    .. [1] P1, Example 5.10.

    Examples
    --------
    >>> from dprisk.mechanisms import VectorGaussian
    >>> noise = VectorGaussian([[2.0, 1.0], [1.0, 2.0]], [1.0, -1.0], neighbors="replace-one")
    >>> round(noise.mu, 12)
    1.414213562373
    """

    covariance: tuple[tuple[float, ...], ...]
    difference: tuple[float, ...]
    neighbors: Neighbors
    mu: float

    exact_probability = 0.0  # the noise is continuous

    def __init__(
        self, covariance: npt.ArrayLike, difference: npt.ArrayLike, *, neighbors: Neighbors
    ) -> None:
        matrix, vector = (
            numbers("covariance", covariance, REAL),
            numbers("difference", difference, REAL),
        )
        if vector.ndim != 1 or not vector.size:
            raise InvalidInput("difference", vector.shape, "a list of at least one number")
        if matrix.shape != (vector.size, vector.size):
            shape = (vector.size, vector.size)
            allowed, fix = f"a matrix of shape {shape}", "It is as long as difference."
            raise InvalidInput("covariance", matrix.shape, allowed, fix)
        assign(
            self,
            covariance=tuple(map(tuple, matrix.tolist())),
            difference=tuple(vector.tolist()),
            neighbors=neighbors,
            mu=_length(matrix, vector),
        )

    def guarantee(self) -> Guarantee:
        """Gaussian DP with mu, the length of the difference in units of the noise."""
        return GaussianDP(self.mu, neighbors=self.neighbors)

    def losses(self) -> LossPair:
        """Loss of two normals that are mu apart."""
        return LossPair.known(
            NormalLoss(limited("mu", self.mu)), label=english("mechanism.gaussian")
        )

    @property
    def noise_sd(self) -> float | None:
        """The one of all numbers, or None where they have different ones."""
        variances = {row[i] for i, row in enumerate(self.covariance)}
        return variances.pop() ** 0.5 if len(variances) == 1 else None


def _length(matrix: Floats, vector: Floats) -> float:
    """sqrt(d' C^-1 d), at most: the square is y'(d + r) + r' C^-1 r for any y, with r = d - C y."""
    scale = np.sqrt(np.abs(np.diag(matrix)))
    if not np.all(np.diag(matrix) > 0.0):
        raise _not_definite(matrix, "All variances are positive.")
    correlation = matrix / scale[:, None] / scale
    if np.abs(correlation - correlation.T).max() > ALIKE:
        raise _not_definite(matrix, "Entries across the diagonal are the same.")
    least, most = np.linalg.eigvalsh((correlation + correlation.T) / 2.0)[[0, -1]].tolist()
    if least <= 0.0:
        raise _not_definite(matrix, "Its eigenvalues are all positive.")
    if most / least * ALIKE > 1e-2:
        fix = "It is singular, or so nearly that mu cannot be computed."
        raise _not_definite(matrix, fix)
    d = [Fraction(each) for each in vector.tolist()]
    if np.count_nonzero(matrix) == len(d):
        variances = map(Fraction, np.diag(matrix).tolist())
        return root_up(sum((a * a / b for a, b in zip(d, variances, strict=True)), Fraction(0)))
    powers = np.frexp(scale)[1]
    units = [Fraction(2) ** int(power) for power in powers]
    shares = np.ldexp(scale, -powers)
    near = (correlation + correlation.T) / 2.0 * shares[:, None] * shares
    times = _symmetric(matrix)
    y, r, square, off = [Fraction(0)] * len(d), d, Fraction(0), max(map(abs, d))
    while off > square * NEGLIGIBLE:
        scaled = [each / unit for each, unit in zip(r, units, strict=True)]
        size = max(map(abs, scaled))
        size = Fraction(2) ** (size.numerator.bit_length() - size.denominator.bit_length())
        found = np.linalg.solve(near, [float(each / size) for each in scaled]).tolist()
        y = [a + Fraction(x) * size / unit for a, x, unit in zip(y, found, units, strict=True)]
        r = [a - b for a, b in zip(d, times(y), strict=True)]
        square = sum((a * (b + c) for a, b, c in zip(y, d, r, strict=True)), Fraction(0))
        left = sum(((each / unit) ** 2 for each, unit in zip(r, units, strict=True)), Fraction(0))
        # a variance is a quarter of its unit squared or more; the eigenvalue is known to a half
        off = left * Fraction(10.0 / least)
    return root_up(square + off)


def _symmetric(matrix: Floats) -> Callable[[list[Fraction]], list[Fraction]]:
    """The product of the symmetric part of a matrix and a vector, exactly."""
    size = len(matrix)
    whole, one = whole_numbers(matrix.ravel().tolist())
    rows = [whole[i * size : (i + 1) * size] for i in range(size)]
    twice = [
        [*map(add, row, column)] for row, column in zip(rows, zip(*rows, strict=True), strict=True)
    ]

    def times(values: list[Fraction]) -> list[Fraction]:
        parts, scale = whole_numbers(values)
        return [Fraction(sum(map(mul, row, parts)), 2 * one * scale) for row in twice]

    return times


def _not_definite(matrix: Floats, why: str) -> InvalidInput:
    return InvalidInput("covariance", matrix.tolist(), "symmetric and positive definite", why)


CUT_OFF = 1e-40  # probability beyond what a lattice is made for
MOST_LENGTHS = 1000
FEW_POINTS = 2**13
MIXED: Final = "mechanism.gaussian-mixture"


@final
@dataclass(frozen=True, slots=True)
class GaussianMixture(Mechanism):
    """Normal noise is added to an answer that a record moves by a random amount, or not at all.

    By how much is drawn anew, and not published: which of several batches a record is in, how often
    it was drawn, or which rows of a correlated-noise mechanism it takes part in.

    Parameters
    ----------
    sigma : float
        Standard deviation of the noise, in the units of the answer. (0, inf)
    sensitivities : array_like of float
        By how much the record may move the answer (Euclidean distance); 0 where it takes no part.
        [0, inf), shape (n,), n at most 1000
    probabilities : array_like of float
        Probability of each of these. They add up to one within 1e-12. [0, 1], shape (n,)
    neighbors : {"add-remove"}
        Which datasets are neighbors: one has a record more.

    Raises
    ------
    InvalidInput
        If a number is outside its range, the lists differ in length, the probabilities do not add
        up to one, or `neighbors` is not "add-remove".

    Notes
    -----
    The pair is the mixture of normals at these distances against the normal at 0, on a lattice.
    With distances in any direction of a space it is the worst: vectors that are no longer, and no
    more probable, tell no more [1]_. Two values, one of them 0, are Poisson subsampling.

    References
    ----------
    .. [1] C. A. Choquette-Choo, A. Ganesh, T. Steinke, A. Thakurta, Privacy amplification for
       matrix mechanisms, ICLR 2024, Section 4.

    Examples
    --------
    >>> from dprisk.mechanisms import GaussianMixture
    >>> step = GaussianMixture(1.0, [0.0, 1.0, 2.0], [0.9, 0.09, 0.01], neighbors="add-remove")
    >>> f"{step.loss().delta(1.0).value:.4f}"
    '0.0012'
    """

    sigma: float
    sensitivities: tuple[float, ...]
    probabilities: tuple[float, ...]
    _: KW_ONLY
    neighbors: Neighbors

    kind: ClassVar[str] = "gaussian-mixture"
    relations: ClassVar[tuple[Neighbors, ...]] = ("add-remove",)
    exact_probability = 0.0  # the noise is continuous

    def __post_init__(self) -> None:
        settle(self, sigma=FINITE_POSITIVE)
        lengths = np.atleast_1d(numbers("sensitivities", self.sensitivities, FINITE))
        given = np.atleast_1d(numbers("probabilities", self.probabilities, PROBABILITY))
        if lengths.ndim != 1 or not 1 <= len(lengths) <= MOST_LENGTHS:
            allowed = f"a list of 1 to {MOST_LENGTHS} numbers"
            raise InvalidInput("sensitivities", lengths.shape, allowed)
        adding_up("probabilities", given)
        if len(given) != len(lengths):
            allowed = f"as many as there are sensitivities, {len(lengths)}"
            raise InvalidInput("probabilities", len(given), allowed, "Give one for each of them.")
        assign(self, sensitivities=tuple(lengths.tolist()), probabilities=tuple(given.tolist()))

    def guarantee(self) -> Guarantee:
        """Gaussian DP for one distance; otherwise approximate DP at many points of the profile."""
        lengths, _ = self._mixed
        if len(lengths) == 1:
            mu = rounded_up(Fraction(lengths[0]) / Fraction(self.sigma))
            return GaussianDP(mu, neighbors=self.neighbors)
        return self._pair(1.0).guarantee()

    def losses(self) -> LossPair:
        """Loss of the mixture against the normal at 0, between two on a lattice."""
        lengths, shares = self._mixed
        limited("the largest sensitivity / sigma", lengths[-1] / self.sigma, RATIOS)
        if len(lengths) == 1:
            known = NormalLoss(lengths[0] / self.sigma)
            return LossPair.known(known, label=english(MIXED))
        if len(lengths) == 2 and lengths[0] == 0.0 and shares[0] == 1.0 - shares[1]:
            pair = _sampled(self.sigma, lengths[1], shares[1])
            return replace(pair, label=english(MIXED))
        return self._on_grid(1.0)

    def _on_grid(self, finer: float) -> LossPair:
        """On a lattice with a spacing that is smaller by a factor; every output is possible."""
        pair = self._pair(finer).losses()
        return replace(pair, label=english(MIXED), shown=(0.0, 0.0), finer=self._on_grid)

    def _pair(self, finer: float) -> PairOfDensities:
        lengths, shares = self._mixed
        mu, p = np.array(lengths) / self.sigma, np.array(shares)
        log_p_each = np.log(p)

        def log_q(x: Floats) -> Floats:
            return np.asarray(-x * x / 2.0 - math.log(2.0 * math.pi) / 2.0)

        def log_mixed(x: Floats) -> Floats:
            found = np.full(np.shape(x), -np.inf)
            for each, log_share in zip(mu.tolist(), log_p_each.tolist(), strict=True):
                found = np.logaddexp(found, log_share + log_q(x - each))
            return found

        def ratio(x: Floats) -> Floats:
            far, moved = np.full(np.shape(x), -np.inf), np.zeros(np.shape(x))
            for each, share, log_share in zip(
                mu.tolist(), p.tolist(), log_p_each.tolist(), strict=True
            ):
                exponent = each * (x - each / 2.0)
                far = np.logaddexp(far, log_share + exponent)
                moved = moved + share * np.expm1(np.minimum(exponent, EXP_LIMIT))
            near = np.abs(moved) < 0.5
            return np.asarray(np.where(near, np.log1p(np.where(near, moved, 0.0)), far))

        top = float(mu[-1]) + math.sqrt(-2.0 * math.log(CUT_OFF))
        spread = np.sqrt(p @ np.expm1(np.minimum(np.outer(mu, mu), 50.0)) @ p)
        deviation = min(float(spread), math.sqrt(float(p @ np.square(mu))))
        reach = float(ratio(np.array(top)))
        spacing = spacing_for(deviation, reach) / finer
        if mu[-1] > STRONG:  # there is hardly a loss between its ends
            spacing = max(spacing, min(reach / FEW_POINTS, 0.25) / finer)
        return PairOfDensities(
            log_mixed,
            log_q,
            [-np.inf, float(mu[-1]) / 2.0, np.inf],
            max(spacing, SPACING.low),
            ratio,
            neighbors=self.neighbors,
        )

    @property
    def _mixed(self) -> tuple[list[float], list[float]]:
        """Distances that occur, each once and in order, and their probabilities."""
        found: dict[float, Fraction] = {}
        for length, share in zip(self.sensitivities, self.probabilities, strict=True):
            found[length] = found.get(length, Fraction(0)) + Fraction(share)
        total = sum(found.values(), Fraction(0))
        some = sorted((length, float(share / total)) for length, share in found.items() if share)
        return [length for length, _ in some], [share for _, share in some]

    @property
    def noise_sd(self) -> float | None:
        """Sigma: the noise that is added, not the scatter of what the record does."""
        return self.sigma


def _sampled(sigma: float, sensitivity: float, rate: float) -> LossPair:
    from dprisk.mechanisms.subsampled import SubsampledGaussian

    made = SubsampledGaussian(sigma, sensitivity, rate, neighbors="add-remove")
    return made.losses()
