"""One sum by several methods: their brackets meet, and stay narrow."""

from __future__ import annotations

import numpy as np
import pytest

from dprisk.accountant.methods.by_atoms import ByAtoms, as_atoms
from dprisk.accountant.methods.by_binomial import ByBinomial, as_binomial
from dprisk.accountant.methods.by_contour import ByContour
from dprisk.accountant.methods.by_splines import BySplines, as_splines
from dprisk.accountant.profiles import add_up
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import Lattice
from dprisk.losses.discrete_gaussian import DiscreteGaussianLoss
from dprisk.losses.laplace import LaplaceLoss
from dprisk.losses.normal import NormalLoss, ResponseLoss

X = np.array([0.0, 1e-6, 0.3, 1.0, 2.5, 4.0])
CHANCES = np.array([0.3, 1e-3, 1e-9])


def response(count, epsilon=0.4, revealed=0.0):
    loss = ResponseLoss(epsilon, revealed)
    return {
        "binomial": as_binomial(((loss, count),)),
        "points": as_atoms(((loss, count),)),
        "lines": ByContour(((loss.points, count),)),
    }


def narrow_gaussian(count):
    loss = DiscreteGaussianLoss(1.5, 1)
    return {"points": as_atoms(((loss, count),)), "lines": ByContour(((loss, count),))}


def laplace(count):
    loss = LaplaceLoss(0.7)
    return {
        "splines": as_splines(((loss, count),)),
        "lines": ByContour(((loss, count),), 1e-7),
    }


SUMS = {
    "responses": response(12),
    "responses that reveal": response(9, 0.7, 1e-4),
    "discrete Gaussians": narrow_gaussian(5),
    "Laplace, once": laplace(1),
    "Laplace": laplace(6),
}


@pytest.mark.parametrize("name", SUMS)
@pytest.mark.parametrize("asked", ["delta", "epsilon", "tail"])
def test_methods_agree(name, asked):
    """The brackets of any two methods have a point in common."""
    where = CHANCES if asked == "epsilon" else X + 1e-9
    found = [getattr(method, asked)(where) for method in SUMS[name].values()]
    least = np.max([each.lower for each in found], axis=0)
    most = np.min([each.upper for each in found], axis=0)
    assert np.all(least <= most)


@pytest.mark.parametrize("name", SUMS)
def test_delta_is_narrow(name):
    """To nine digits or so by the method that suits it; by lines, to four, atoms or not."""
    for method in SUMS[name].values():
        low, high = method.delta(X)
        assert np.all(high - low <= (1e-4 if isinstance(method, ByContour) else 1e-8) * high)


@pytest.mark.parametrize(
    ("parts", "kind"),
    [
        ([(ResponseLoss(0.1), 10**6)], ByBinomial),
        ([(ResponseLoss(0.1), 3), (ResponseLoss(0.33), 2)], ByAtoms),
        ([(LaplaceLoss(0.1), 10)], BySplines),
        ([(LaplaceLoss(0.01), 2000)], ByContour),
        ([(LaplaceLoss(0.1), 1000)], ByContour),
        ([(NormalLoss(1.0), 1), (LaplaceLoss(0.1), 10)], ByContour),
    ],
)
def test_each_sum_goes_the_way_that_suits_it(parts, kind):
    """Closed forms first."""
    assert isinstance(add_up(tuple(parts), 1e-9), kind)


def test_lattices_that_fit_are_one_lattice():
    """Spacings that are whole multiples of one another share a grid, and no smoothing is needed."""
    loss = ByContour(((ResponseLoss(0.05).points, 1000), (ResponseLoss(0.1).points, 70)))
    low, high = loss.delta(np.array([0.5, 2.0, 6.0]))
    assert np.all(high - low <= 1e-10 * high)


def test_a_normal_part_is_never_less_than_the_rest():
    """Composing adds to delta at every epsilon."""
    alone = add_up(((LaplaceLoss(0.5), 3),), 1e-9).delta(X)
    both = add_up(((LaplaceLoss(0.5), 3), (NormalLoss(0.01), 1)), 1e-9).delta(X)
    assert np.all(both.upper >= alone.lower)


def test_what_is_impossible_to_hide_is_revealed():
    """A loss that is always infinite, and one that never tells anything."""
    surely = add_up(((AtomicLoss.part([], [], 1.0), 1), (NormalLoss(1.0), 3)), 1e-9)
    assert np.all(surely.delta(X).lower > 1 - 1e-12)
    nothing = add_up(((AtomicLoss.part([0.0], [1.0], lattice=Lattice(0.0, 1.0)), 5),), 1e-9)
    assert np.all(nothing.delta(X).upper <= 1e-12)
