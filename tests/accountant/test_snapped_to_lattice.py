"""One typed mechanism again and again: on its lattice, and back in the bracket."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from dprisk.accountant.by_contour import ByContour
from dprisk.accountant.composed import composed
from dprisk.accountant.snapped_to_lattice import SnappedToLattice, as_snapped_to_lattice
from dprisk.composition import compose
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import Lattice
from dprisk.losses.discrete_gaussian import DiscreteGaussianLoss
from dprisk.mechanisms import PairOfDistributions
from tests.losses.typed import LISTS, discrete_gaussian, loss_of

X = np.array([0.0, 1e-3, 0.05, 0.3, 0.9])


def sums(loss, count):
    """All values of the sum with their probabilities, with digits to spare."""
    values, masses = np.zeros(1, np.longdouble), np.ones(1, np.longdouble)
    for _ in range(count):
        values = np.add.outer(values, loss.losses.astype(np.longdouble)).ravel()
        masses = np.multiply.outer(masses, loss.masses.astype(np.longdouble)).ravel()
    return values, masses


@pytest.mark.parametrize("name", ["discrete Gaussian", "geometric", "clusters", "coins"])
def test_the_truth_is_in_the_bracket(name):
    """Of three, against all values of their sum."""
    loss = loss_of(*LISTS[name])
    near = as_snapped_to_lattice(((loss, 3),), 1e-9)
    values, masses = sums(loss, 3)
    revealed = 1.0 - (1.0 - loss.infinite) ** 3
    low, high = near.delta(X)
    beyond = near.tail(X)
    for x, a, b, c, d in zip(X, low, high, *beyond, strict=True):
        over = values > x
        true = float((masses * np.where(over, -np.expm1(x - values), 0.0)).sum()) + revealed
        assert a * (1 - 1e-14) - 1e-15 <= true <= b * (1 + 1e-14) + 1e-15
        tail = float(masses[over].sum()) + revealed
        last = float(masses[values > x - 1e-12].sum()) + revealed
        assert c * (1 - 1e-14) - 1e-15 <= last and tail <= d * (1 + 1e-14) + 1e-15
        assert b - a <= 1e-11


def test_typed_probabilities_are_as_good_as_the_class():
    """A thousand discrete Gaussians: the brackets meet, and are narrow."""
    typed = composed(((loss_of(*discrete_gaussian(30.0, reach=13.0)), 1000),), 1e-9)
    own = composed(((DiscreteGaussianLoss(30.0, 1), 1000),), 1e-9)
    assert isinstance(typed, SnappedToLattice)
    here, there = typed.delta(10.0 * X), own.delta(10.0 * X)
    assert np.all(here.lower <= there.upper) and np.all(there.lower <= here.upper)
    assert np.all(here.upper - here.lower <= 1e-9 * here.upper)


@pytest.mark.parametrize("name", ["discrete Gaussian", "geometric", "coins"])
def test_no_value_is_further_off_than_said(name):
    """The distance of each value from the nearest place on the lattice, by exact fractions."""
    loss = loss_of(*LISTS[name])
    near = as_snapped_to_lattice(((loss, 7),), 1e-9)
    ((moved, count),) = near.near.parts
    places = [Fraction(place) for place in moved.losses.tolist()]
    values = [Fraction(value) for value in loss.losses.tolist()]
    furthest = max(min(abs(value - place) for place in places) for value in values)
    assert 0 < count * furthest <= Fraction(near.off)


def test_epsilon_keeps_delta():
    near = as_snapped_to_lattice(((loss_of(*LISTS["geometric"]), 50),), 1e-9)
    delta = np.array([0.3, 1e-3, 1e-9, 0.0, 1.0])
    low, high = near.epsilon(delta)
    assert np.all(near.delta(high).upper <= delta)
    assert np.all(low <= high) and np.all(high - low < 1e-9)


def test_only_one_loss_near_a_lattice_is_moved():
    """Not several, not one that is on a lattice already, nor one that is on none."""
    typed = loss_of(*LISTS["coins"])
    given = AtomicLoss.part([-1.0, 1.0], [0.25, 0.75], lattice=Lattice(-1.0, 2.0))
    none = AtomicLoss.part([0.0, 1.0, np.e], [0.5, 0.25, 0.25])
    assert as_snapped_to_lattice(((typed, 2), (given, 1)), 1e-9) is None
    assert as_snapped_to_lattice(((given, 2),), 1e-9) is None
    assert as_snapped_to_lattice(((none, 2),), 1e-9) is None


def test_many_lattices_at_once_are_as_narrow_as_their_class():
    """Each typed with its own spacing."""
    sigmas = (1.3, 1.8, 2.2, 2.9, 3.7, 4.6, 5.1, 6.7, 8.3, 10.7, 13.9, 17.3, 21.7, 30.1)
    typed = ByContour(tuple((loss_of(*discrete_gaussian(s, reach=13.0)), 2) for s in sigmas))
    own = ByContour(tuple((DiscreteGaussianLoss(s, 1), 2) for s in sigmas))
    here, there = typed.delta(5.0 * X), own.delta(5.0 * X)
    assert np.all(here.lower <= there.upper) and np.all(there.lower <= here.upper)
    assert np.all(here.upper - here.lower <= 1e-9 * here.upper)


@pytest.mark.parametrize("limit", [9.157790877349035, 0.4138184330910006])
def test_a_rare_outcome_many_times(limit):
    """The two probabilities add up to 1 on the lattice as well: 1,615 times an ulp is too much."""
    p, q = [0.9998362909536809, 0.00016370904631912708], [0.9999999384963303, 6.15036697126925e-08]
    pair = PairOfDistributions(p, q, neighbors="add-remove")
    with mpmath.workdps(40):
        first, second = (
            mpmath.log(mpmath.mpf(a) / mpmath.mpf(b)) for a, b in zip(p, q, strict=True)
        )
        truth = mpmath.fsum(
            mpmath.binomial(1615, k) * mpmath.mpf(p[1]) ** k * mpmath.mpf(p[0]) ** (1615 - k)
            for k in range(40)
            if k * second + (1615 - k) * first <= limit
        )
        low, high = (
            compose([pair.loss()], [1615])
            .guarantee.tail(limit, sides="one", post_processing=False)
            .bracket
        )
        assert low <= 1 - truth <= high
