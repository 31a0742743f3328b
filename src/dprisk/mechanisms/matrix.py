"""Matrix mechanisms and trees of partial sums: Gaussians with a sensitivity that is computed."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations
from typing import Any, ClassVar, Final, NamedTuple, final

import numpy as np

from dprisk._checks import FINITE_POSITIVE, assign, numbers, settle, whole
from dprisk._numeric.exact import root_up
from dprisk._numeric.logspace import Floats
from dprisk.errors import InvalidInput
from dprisk.guarantees import GaussianDP, Guarantee
from dprisk.guarantees.base import Neighbors
from dprisk.losses.base import ULP, LossPair
from dprisk.losses.exponential_sums import Whole
from dprisk.losses.normal import NormalLoss
from dprisk.mechanisms.base import Mechanism, limited
from dprisk.mechanisms.gaussian import REAL
from dprisk.text import english

LABEL: Final = "mechanism.matrix-gaussian"
TREE: Final = "mechanism.tree-aggregation"
MOST_STEPS: Final = 4096  # of which several can be one record's
NEAR: Final = 1.0 - 1e-9  # of the largest column: one as long, but for rounding
WHOLE: Final = 2.0**52
FEW: Final = 10**5  # sets, each of which is looked at
MOST_WORK: Final = 2 * 10**9  # products that are added up
SETS: Final = 10**6  # products of steps in sets of one spacing
SHIFTS: Final = 32  # spacings of sets that are looked at
PASSES: Final = 8  # over the steps of the best set, each moved to where it counts most


@final
@dataclass(frozen=True)
class MatrixGaussian(Mechanism):
    """Normal noise is added to combinations of what happens in each step: C x + noise.

    Row by row, the strategy C says which combinations of the steps (columns) get independent noise.
    What is published is computed from these, as in matrix mechanisms, DP-FTRL and correlated-noise
    training (C x + z = C (x + C^-1 z)).

    Parameters
    ----------
    sigma : float
        Standard deviation of the noise in each combination, before anything is computed from it.
        (0, inf)
    sensitivity : float
        Most by which one record can move the contribution to one step (Euclidean distance), such as
        the clipping norm. (0, inf)
    strategy : array_like of float
        The matrix C, a row for each combination, shape (m, n); or, shape (n,), the first column of
        a lower triangular matrix whose diagonals are constant. (-inf, inf)
    participations : int
        In how many steps one record can take part at most. [1, n]
    separation : int
        How many steps apart these are at least: with 1, two in a row are possible. [1, n]
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors: those of the sensitivity.

    Raises
    ------
    InvalidInput
        If a number is outside its range, the strategy has no column that is not zero, or
        `neighbors` is not one of the two relations.

    Notes
    -----
    It is Gaussian DP with mu = sensitivity / sigma times the largest norm of a sum of columns
    of steps that can be one record's. For one participation that is the largest norm of a column,
    exactly. For several, `participations` steps at least `separation` apart, it is between the
    largest of many sets and a bound for all of them; both are the same where columns of one set are
    orthogonal, or where the strategy is given by a first column that is nonnegative and does not
    increase. Entries of C'C count with their absolute value, as contributions can have any
    direction [2]_.

    References
    ----------
    .. [1] C. A. Choquette-Choo, H. B. McMahan, K. Rush, A. Thakurta, Multi-epoch matrix
       factorization mechanisms for private machine learning, ICML 2023, PMLR 202, Section 2.
    .. [2] C. A. Choquette-Choo et al., (Amplified) banded matrix factorization, NeurIPS 2023.
    .. [3] dprisk Proposition 29.

    Examples
    --------
    >>> from dprisk.mechanisms import MatrixGaussian
    >>> sums = MatrixGaussian(2.0, 1.0, [[1, 0], [1, 1]], neighbors="add-remove")
    >>> round(sums.guarantee().parameters["mu"], 6)
    0.707107
    >>> twice = MatrixGaussian(2.0, 1.0, [[1, 0], [1, 1]], participations=2, neighbors="add-remove")
    >>> round(twice.guarantee().parameters["mu"], 6)
    1.118034
    """

    sigma: float
    sensitivity: float
    strategy: tuple[float, ...] | tuple[tuple[float, ...], ...]
    participations: int = 1
    separation: int = 1
    _: KW_ONLY
    neighbors: Neighbors

    kind: ClassVar[str] = "matrix-gaussian"
    exact_probability = 0.0  # the noise is continuous

    def __post_init__(self) -> None:
        settle(self, sigma=FINITE_POSITIVE, sensitivity=FINITE_POSITIVE)
        if len({np.shape(row) for row in np.atleast_1d(np.array(self.strategy, dtype=object))}) > 1:
            shapes = sorted({len(np.atleast_1d(row)) for row in self.strategy})
            raise InvalidInput("strategy", f"rows of {shapes} numbers", "rows of one length")
        given = np.atleast_1d(numbers("strategy", self.strategy, REAL))
        if given.ndim not in (1, 2) or not given.any():
            shape = given.shape if given.any() else "zeros"
            allowed = "a matrix, or the first column of one, with a number that is not 0"
            raise InvalidInput("strategy", shape, allowed, "Such as [[1, 0], [1, 1]].")
        made = given.tolist()
        assign(self, strategy=tuple(map(tuple, made)) if given.ndim == 2 else tuple(made))
        _settle_steps(self, given.shape[-1], given.shape[-1])
        largest = float(np.abs(given).max())
        if not 1e-140 < largest < 1e140:
            raise InvalidInput("strategy", largest, "numbers whose squares are floats", "Scale it.")
        if given.shape[-1] > MOST_STEPS and (given.ndim == 1 or self.participations > 1):
            raise InvalidInput("strategy", given.shape, f"a matrix of {MOST_STEPS} steps at most")

    def guarantee(self) -> Guarantee:
        """Gaussian DP with mu, the largest norm of a sum of columns in units of the noise."""
        return GaussianDP(self._mu[1], neighbors=self.neighbors)

    def losses(self) -> LossPair:
        """Loss of two normals that are mu apart; or between two of these."""
        return _normals(self._mu, LABEL)

    @cached_property
    def _mu(self) -> tuple[float, float]:
        """At least and at most."""
        matrix = np.array(self.strategy)
        if matrix.ndim == 1:
            matrix = _toeplitz(matrix)
        if self.participations == 1:
            return _in_noise(self, (_longest(matrix),) * 2)
        return _in_noise(self, largest_sum(_products(matrix), self.participations, self.separation))


@final
@dataclass(frozen=True, slots=True)
class TreeAggregation(Mechanism):
    """Normal noise is added to each sum of a binary tree whose leaves are the steps.

    The sums of 1, 2, 4, 8 ... steps in a row are the nodes; those that the steps complete are
    released, so that any prefix is a sum of few of them.

    Parameters
    ----------
    sigma : float
        Standard deviation of the noise in each node. (0, inf)
    sensitivity : float
        Most by which one record can move the contribution to one step (Euclidean distance), such as
        the clipping norm. (0, inf)
    leaves : int
        How many steps there are. [1, 10^9], at most 4096 where a record can take part several times
    participations : int
        In how many steps one record can take part at most. [1, leaves]
    separation : int
        How many steps apart these are at least: with 1, two in a row are possible. [1, leaves]
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors: those of the sensitivity.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not one of the two relations.

    Notes
    -----
    A record in one step is in as many complete nodes as the number of leaves has binary digits: it
    is Gaussian DP with mu = sensitivity / sigma times the root of that. Of several participations
    in one tree, those in the same node add up before the norm is taken.

    References
    ----------
    .. [1] C. Dwork, M. Naor, T. Pitassi, G. N. Rothblum, Differential privacy under continual
       observation, STOC 2010; P. Kairouz et al., Practical and private (deep) learning without
       sampling or shuffling, ICML 2021, Section 3.
    .. [2] dprisk Proposition 29.

    Examples
    --------
    >>> from dprisk.mechanisms import TreeAggregation
    >>> tree = TreeAggregation(sigma=8.0, sensitivity=1.0, leaves=500, neighbors="add-remove")
    >>> tree.guarantee()
    GaussianDP(mu=0.375, neighbors='add-remove')
    """

    sigma: float
    sensitivity: float
    leaves: int
    participations: int = 1
    separation: int = 1
    _: KW_ONLY
    neighbors: Neighbors

    kind: ClassVar[str] = "tree-aggregation"
    exact_probability = 0.0  # the noise is continuous

    def __post_init__(self) -> None:
        settle(self, sigma=FINITE_POSITIVE, sensitivity=FINITE_POSITIVE)
        leaves = whole("leaves", self.leaves, 1)
        assign(self, leaves=leaves)
        _settle_steps(self, leaves, leaves)
        if self.participations > 1:
            whole("leaves", leaves, 1, MOST_STEPS, "Where a record takes part several times.")

    def guarantee(self) -> Guarantee:
        """Gaussian DP with mu, the root of how many nodes there are above a leaf, in its units."""
        return GaussianDP(self._mu[1], neighbors=self.neighbors)

    def losses(self) -> LossPair:
        """Loss of two normals that are mu apart; or between two of these."""
        return _normals(self._mu, TREE)

    @property
    def _mu(self) -> tuple[float, float]:
        if self.participations == 1:
            return _in_noise(self, (Fraction(self.leaves.bit_length()),) * 2)
        return _in_noise(self, _tree_sum(self.leaves, self.participations, self.separation))


def _settle_steps(made: Any, steps: int, most: int) -> None:
    """Which steps can be one record's."""
    for name in ("participations", "separation"):
        fix = f"There are {steps} steps."
        assign(made, **{name: whole(name, getattr(made, name), 1, most, fix)})


def _normals(mu: tuple[float, float], label: str) -> LossPair:
    low, high = (NormalLoss(limited("mu", each)) for each in mu)
    return LossPair((low, high), (low, high), True, english(label))


def _in_noise(made: Any, squares: tuple[Fraction, Fraction]) -> tuple[float, float]:
    """The roots of these squares, in units of the noise: where they are one, so are their roots."""
    unit = (Fraction(made.sensitivity) / Fraction(made.sigma)) ** 2
    low, high = (root_up(square * unit) for square in squares)
    return (low if squares[0] == squares[1] else float(np.nextafter(low, 0.0))), high


def _toeplitz(first: Floats) -> Floats:
    """Lower triangular, with this first column and constant diagonals."""
    size = len(first)
    place = np.arange(size)[:, None] - np.arange(size)
    return np.asarray(np.where(place >= 0, first[np.abs(place)], 0.0))


def _longest(matrix: Floats) -> Fraction:
    """The largest square of the norm of a column, exactly."""
    size = np.square(matrix).sum(axis=0)
    some = matrix[:, size >= size.max() * NEAR]
    squares = (sum((Fraction(x) ** 2 for x in each), Fraction(0)) for each in some.T.tolist())
    return max(squares)


class Products(NamedTuple):
    """Products of any two columns, and by how much these may be off."""

    value: Floats
    off: Floats


def _products(matrix: Floats) -> Products:
    """C'C, exact for whole numbers."""
    value, size = matrix.T @ matrix, np.abs(matrix).T @ np.abs(matrix)
    if np.all(matrix == np.rint(matrix)) and size.max() < WHOLE:
        return Products(value, np.zeros_like(value))
    # products and sums, in any order, with a rounding each; the bound is rounded, too
    return Products(value, 2.0 * ULP * (len(matrix) + 2.0) * size)


@cache
def _tree_sum(leaves: int, most: int, apart: int) -> tuple[Fraction, Fraction]:
    """Squares for a tree: two leaves have so many complete nodes in common."""
    leaf, shared = np.arange(leaves), np.zeros((leaves, leaves))
    for level in range(leaves.bit_length()):
        node = leaf >> level
        complete = (node + 1) << level <= leaves
        shared += (node[:, None] == node) & complete[:, None]
    return largest_sum(Products(shared, np.zeros_like(shared)), most, apart)


def largest_sum(products: Products, most: int, apart: int) -> tuple[Fraction, Fraction]:
    """Largest square of the norm of a sum of columns at least so far apart: at least, at most.

    Columns may be multiplied by numbers, or turned, of length one: their products count with
    their absolute values at most, and as they are at least.
    """
    steps = len(products.value)
    most = min(most, 1 + (steps - 1) // apart)
    above, below = np.abs(products.value) + products.off, products.value - products.off
    high, some = _packed(above, most, apart), [np.arange(most) * apart]
    if sum(_sets(steps, count, apart) for count in range(1, most + 1)) <= FEW:
        low, high = (_of_all(each, most, apart) for each in (below, above))
        return _rounded(low, high, above, most)
    if steps * steps * most <= MOST_WORK:
        bound, chain = _chain(_with_each(above, most, apart), most, apart)
        high, some = min(high, bound), [*some, chain]
    low = _of_sets(below, most, apart, some)
    return _rounded(max(low, float(np.diag(below).max())), high, above, most)


def _rounded(low: float, high: float, above: Floats, most: int) -> tuple[Fraction, Fraction]:
    """Both, moved by what their sums may be off; whole numbers are not."""
    if not (np.all(above == np.rint(above)) and high < WHOLE):
        # sums of so many numbers, in any order: a rounding for each
        blur = 2.0 * ULP * high * (len(above) + most * most)
        low, high = low - blur, high + blur
    return Fraction(max(low, 0.0)), Fraction(high)


def _sets(steps: int, count: int, apart: int) -> int:
    """How many sets of so many steps there are."""
    return math.comb(max(steps - (apart - 1) * (count - 1), 0), count)


def _of_all(products: Floats, most: int, apart: int) -> float:
    """The largest over all sets of steps."""
    best = 0.0
    for count in range(1, most + 1):
        free = range(len(products) - (apart - 1) * (count - 1))
        sets = np.array(list(combinations(free, count))) + (apart - 1) * np.arange(count)
        found = np.zeros(len(sets))
        for first in sets.T:
            for second in sets.T:
                found += products[first, second]
        best = max(best, float(found.max()))
    return best


def _packed(above: Floats, most: int, apart: int) -> float:
    """The sum over steps 0, apart, 2 apart ..., of products that do not grow with gap or step."""
    steps = len(above)
    by_gap = np.zeros((steps, steps))  # gap, and the earlier of the two steps
    for gap in range(steps):
        by_gap[gap, : steps - gap] = np.diagonal(above, gap)
    by_gap = np.maximum.accumulate(by_gap[::-1], axis=0)[::-1]
    by_gap = np.maximum.accumulate(by_gap[:, ::-1], axis=1)[:, ::-1]
    first = np.arange(most)
    gap, at = np.abs(first[:, None] - first), np.minimum(first[:, None], first)
    return float(by_gap[gap * apart, at * apart].sum())


def _with_each(above: Floats, most: int, apart: int) -> Floats:
    """For each column, the largest sum of its products with all columns of a set that holds it."""
    left = _before(above, most, apart)
    right = _before(above[::-1, ::-1], most, apart)[::-1]
    return np.asarray(np.diag(above) + (left + right[:, ::-1]).max(axis=1))


def _before(above: Floats, most: int, apart: int) -> Floats:
    """For each row, the largest sum of at most 0, 1, ... entries far enough before its diagonal."""
    steps = len(above)
    found, best = np.zeros((steps, most)), np.zeros((steps, most))
    seen: deque[Floats] = deque(maxlen=apart)
    for j in range(steps - apart):
        new = best.copy()
        before = seen[0][:, :-1] if j >= apart else np.zeros((steps, most - 1))
        new[:, 1:] = np.maximum(new[:, 1:], before + above[j][:, None])
        best = new
        seen.append(best)
        found[j + apart] = best[j + apart]
    return found


def _chain(weights: Floats, most: int, apart: int) -> tuple[float, Whole]:
    """The largest sum of at most so many weights so far apart, and where they are."""
    steps = len(weights)
    best = np.zeros((steps + apart, most + 1))  # before the first there is nothing
    for j, weight in enumerate(weights.tolist()):
        row = best[j + apart]
        row[:] = best[j + apart - 1]
        row[1:] = np.maximum(row[1:], best[j, :-1] + weight)
    places, j, left = [], steps - 1, most
    while j >= 0 and left:
        if best[j + apart, left] > best[j + apart - 1, left]:
            places.append(j)
            j, left = j - apart, left - 1
        else:
            j -= 1
    return float(best[-1, most]), np.array(places[::-1], dtype=np.int64)


def _of_sets(products: Floats, most: int, apart: int, some: list[Whole]) -> float:
    """The largest over sets that are looked at: given, evenly spaced, and with steps moved."""
    steps = len(products)
    widest = max((steps - 1) // max(most - 1, 1), apart)
    for gap in np.unique(np.linspace(apart, widest, SHIFTS).astype(int)).tolist():
        offsets = gap * np.arange(most)
        free = steps - int(offsets[-1])
        starts = np.unique(np.linspace(0, free - 1, min(free, 1 + SETS // most**2)).astype(int))
        places = starts[:, None] + offsets
        sums = products[places[:, :, None], places[:, None, :]].sum(axis=(1, 2))
        some = [*some, places[int(np.argmax(sums))]]
    found = max(some, key=lambda each: float(products[np.ix_(each, each)].sum()))
    best = float(products[np.ix_(found, found)].sum())
    for _ in range(PASSES if steps * most * most <= MOST_WORK else 0):
        before = best
        for k in range(len(found)):
            rest = np.delete(found, k)
            away = np.abs(np.arange(steps)[:, None] - rest).min(axis=1, initial=steps)
            gain = np.diag(products) + 2.0 * products[:, rest].sum(axis=1)
            at = int(np.argmax(np.where(away >= apart, gain, -np.inf)))
            moved = np.sort(np.append(rest, at))
            value = float(products[np.ix_(moved, moved)].sum())
            if value > best:
                best, found = value, moved
        if best <= before:
            break
    return best
