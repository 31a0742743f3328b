"""The Gaussian mechanism with correlated noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from dprisk._checks import Domain, assign, numbers, one_of
from dprisk._numeric.logspace import Floats
from dprisk.errors import InvalidInput, refused
from dprisk.guarantees import GaussianDP, Guarantee
from dprisk.guarantees.base import NEIGHBORS, Neighbors
from dprisk.losses.base import ULP, LossPair
from dprisk.losses.normal import NormalLoss
from dprisk.mechanisms.base import Mechanism, divergence, limited
from dprisk.text import english, fill

__all__ = ["VectorGaussian"]

REAL = Domain(-np.finfo(float).max, np.finfo(float).max, advice=english("errors.finite"))
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
    mu = sqrt(difference' covariance^-1 difference). Which pair of neighbors has the largest one is
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

    def __init__(
        self, covariance: npt.ArrayLike, difference: npt.ArrayLike, *, neighbors: Neighbors
    ) -> None:
        matrix, vector = (
            numbers("covariance", covariance, REAL),
            numbers("difference", difference, REAL),
        )
        if vector.ndim != 1 or not vector.size:
            raise refused("errors.numbers", "difference", vector.shape)
        if matrix.shape != (vector.size, vector.size):
            shape = (vector.size, vector.size)
            raise refused("errors.covariance.shape", "covariance", matrix.shape, shape=shape)
        assign(
            self,
            covariance=tuple(map(tuple, matrix.tolist())),
            difference=tuple(vector.tolist()),
            neighbors=one_of("neighbors", neighbors, NEIGHBORS),
            mu=_length(matrix, vector),
        )

    def guarantee(self) -> Guarantee:
        """Gaussian DP with mu, the length of the difference in units of the noise.

        Returns
        -------
        GaussianDP
            Exact: the trade-off curve of the mechanism itself.

        Raises
        ------
        OutOfRange
            If the noise is so small beside the difference that the parameter overflows.
        """
        return GaussianDP(self.mu, neighbors=self.neighbors)

    def losses(self) -> LossPair:
        """Loss of two normals that are mu apart.

        Returns
        -------
        LossPair
            The same in both directions.

        Raises
        ------
        OutOfRange
            If there is no noise to speak of.
        """
        return LossPair.known(
            NormalLoss(limited("mu", self.mu)), label=english("mechanism.gaussian")
        )

    def _renyi(self, s: Floats) -> Floats:
        """Of a mu that is rounded upwards: a triangular factor has a few roundings an entry."""
        matrix = np.array(self.covariance)
        scale = np.sqrt(np.diag(matrix))
        size = len(scale)
        off = 4.0 * ULP * size * size * float(np.linalg.cond(matrix / scale[:, None] / scale))
        found = divergence(self.losses(), s)
        return np.asarray(found * (1.0 + 2.0 * off + off * off))

    @property
    def noise_sd(self) -> float | None:
        """The one of all numbers, or None where they have different ones."""
        variances = {row[i] for i, row in enumerate(self.covariance)}
        return variances.pop() ** 0.5 if len(variances) == 1 else None

    @property
    def exact_probability(self) -> float | None:
        """Zero: the noise is continuous."""
        return 0.0


def _length(matrix: Floats, vector: Floats) -> float:
    """sqrt(vector' matrix^-1 vector): the length of L^-1 vector, where matrix = L L'."""
    scale = np.sqrt(np.abs(np.diag(matrix)))
    if not np.all(np.diag(matrix) > 0.0):
        raise _not_definite(matrix, "variances")
    correlation = matrix / scale[:, None] / scale
    if np.abs(correlation - correlation.T).max() > ALIKE:
        raise _not_definite(matrix, "symmetric")
    correlation = (correlation + correlation.T) / 2.0
    try:
        factor = np.linalg.cholesky(correlation)
    except np.linalg.LinAlgError:
        raise _not_definite(matrix, "eigenvalues") from None
    if np.linalg.cond(factor) ** 2 * ALIKE > 1e-2:
        raise _not_definite(matrix, "singular")
    with np.errstate(over="ignore"):
        scaled = vector / scale
    if not np.all(np.isfinite(scaled)):
        return float(np.inf)
    largest = float(np.abs(scaled).max())
    return largest and largest * float(np.linalg.norm(np.linalg.solve(factor, scaled / largest)))


def _not_definite(matrix: Floats, why: str) -> InvalidInput:
    allowed, fix = fill("errors.covariance"), fill(f"errors.covariance.{why}")
    return InvalidInput("covariance", matrix.tolist(), allowed, fix)
