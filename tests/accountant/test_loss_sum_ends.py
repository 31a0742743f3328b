"""What every kind of sum says at its ends: numbers, however far out."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dprisk.accountant.loss_sum import LossSum
from dprisk.accountant.methods.by_atoms import ByAtoms
from dprisk.accountant.profiles import add_up
from dprisk.composition import compose
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.discrete_gaussian import DiscreteGaussianLoss
from dprisk.losses.laplace import LaplaceLoss
from dprisk.losses.normal import NormalLoss, ResponseLoss
from dprisk.losses.subsampled_normal import SubsampledNormalLoss
from dprisk.mechanisms import RandomizedResponse, SampleRelease, SubsampledGaussian
from tests.house.tree import modules

NOISE = DiscreteGaussianLoss(9.1, 1)
SAMPLED, RARE = SubsampledNormalLoss(1.0, 0.01), SubsampledNormalLoss(1.0, 1e-18)
REVEALING = ResponseLoss(1.0, 0.1)
PAIR = AtomicLoss.of([math.log(2.0), 0.0], [0.2, 0.5], 0.3, reverse_infinite=0.4)
LATTICE = AtomicLoss.of([1.0, -1.0], [0.7310585786300049, 0.2689414213699951])

SUMS = [
    *(
        add_up(parts, 1e-9)
        for parts in (
            ((ResponseLoss(1.0), 5),),
            ((REVEALING, 3),),
            ((PAIR, 3), (REVEALING, 2)),
            ((LaplaceLoss(1.0), 4),),
            ((LaplaceLoss(1.0), 4), (REVEALING, 2)),
            ((LaplaceLoss(0.01), 2000),),
            ((NOISE, 1), (REVEALING, 1)),
            ((NormalLoss(1.0), 2),),
            ((NormalLoss(1.0), 2), (PAIR, 1)),
            ((SAMPLED, 1),),
            ((SAMPLED.reverse(), 1), (REVEALING, 1)),
            ((SAMPLED, 2),),
            ((SAMPLED.reverse(), 2),),
            ((SAMPLED, 200),),
            ((SAMPLED, 200), (PAIR, 1)),
            ((SAMPLED.reverse(), 200),),
            ((RARE, 1000),),
            ((PAIR, 3000),),
        )
    ),
    ByAtoms.everything(),
]
SUMS += [cheap for each in SUMS if (cheap := each.coarse()) is not each]


def test_every_kind_is_here():
    """A new one has to say what it answers at its ends."""
    assert modules()
    assert set(LossSum.__subclasses__()) == {type(each) for each in SUMS}


@pytest.mark.parametrize("loss", SUMS, ids=lambda each: type(each).__name__)
def test_numbers(loss):
    """At 0 and at infinity; nothing is said of floats in between whose products overflow."""
    x, chances = np.array([0.0, 5e-324, np.inf]), np.array([0.0, 5e-324, 1.0])
    with np.errstate(all="ignore"):
        at, beyond, least = loss.delta(x), loss.tail(x), loss.epsilon(chances)
    for found in (at, beyond, least):
        assert np.all(found.lower <= found.upper)
        assert np.all(found.lower >= 0.0)
    assert at.lower[2] <= loss.mass_at_infinity <= at.upper[2] <= 1.0
    assert least.lower[2] == 0.0


@pytest.mark.parametrize("count", [1, 2, 200])
@pytest.mark.parametrize("beside", [None, RandomizedResponse, SampleRelease])
def test_answers(count, beside):
    """Without a warning at the largest floats, and without a search at 0 and 1."""
    sampled = SubsampledGaussian(1.0, 1.0, 0.01, neighbors="add-remove")
    others = {
        None: [],
        RandomizedResponse: [RandomizedResponse(1.0, neighbors="add-remove")],
        SampleRelease: [SampleRelease(1, 10, neighbors="add-remove")],
    }[beside]
    mechanisms = [sampled, *others]
    counts = [count, *(1 for _ in others)]
    whole = compose([each.loss() for each in mechanisms], counts).guarantee
    shown = 0.1 if beside is SampleRelease else 0.0
    assert whole.delta([1e308, np.inf]).value == pytest.approx(shown, abs=1e-12)
    assert whole.power([0.0, 1.0]).bracket[0] == pytest.approx([shown, 1.0], abs=1e-12)
    assert whole.power([0.0, 1.0]).bracket[1] == pytest.approx([shown, 1.0], abs=1e-12)
    assert whole.level([0.0, shown, 1.0]).bracket[0] == pytest.approx([0.0, 0.0, 1.0 - shown])
    assert whole.level([0.0, shown, 1.0]).bracket[1] == pytest.approx([0.0, 0.0, 1.0 - shown])
