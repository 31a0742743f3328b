"""One loss for both directions, where they are alike."""

from __future__ import annotations

import numpy as np
import pytest

from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import Lattice
from dprisk.losses.lattice import mirrored

H = 0.05


def symmetric(wobble=0.0, tail=0.0, infinite=(0.0, 0.0)):
    """p(-l) = p(l) e^-l, but for a little in the middle and for what is far out on one side."""
    places = np.arange(-40, 41)
    masses = np.exp(-((places * H - 0.5) ** 2) / 2.0)
    masses /= masses.sum()
    masses[45] *= 1.0 + wobble
    masses = np.append(masses, tail)
    losses = np.append(places, 60) * H
    return AtomicLoss.part(losses, masses, infinite[0], Lattice(0.0, H), infinite[1])


def test_up_to_rounding():
    one, off = mirrored(symmetric(), 1e-9, True)
    assert off < 1e-13 and len(one.losses) == 81
    assert mirrored(one.reverse(), 1e-9, True)[1] < 1e-13


def test_how_far_off_is_said():
    assert mirrored(symmetric(wobble=1e-7), 1e-6, True)[1] == pytest.approx(1e-7, rel=1e-6)
    assert mirrored(symmetric(wobble=1e-7), 1e-8, True) is None


@pytest.mark.parametrize("above", [True, False])
def test_what_is_hardly_there_is_shown_or_left_out(above):
    one, off = mirrored(symmetric(tail=1e-95), 1e-9, above)
    assert one.support[1] == pytest.approx(2.0) and off < 1e-13
    assert one.infinite == one.reverse_infinite == (1e-95 if above else 0.0)
    assert mirrored(symmetric(tail=1e-80), 1e-9, above) is None


def test_infinite_losses_have_to_be_alike():
    loss = symmetric(infinite=(0.1, 0.1 + 1e-12))
    above, below = mirrored(loss, 1e-9, True)[0], mirrored(loss, 1e-9, False)[0]
    assert (above.infinite, below.infinite) == (0.1 + 1e-12, 0.1)
    assert mirrored(symmetric(infinite=(0.1, 0.2)), 1e-9, True) is None


def test_losses_that_are_not_alike():
    assert (
        mirrored(AtomicLoss.part([0.0, 0.1], [0.5, 0.5], 0.0, Lattice(0.0, 0.1)), 1e-6, True)
        is None
    )
