"""What delta and epsilon rest on, by the way in which losses were added up."""

from __future__ import annotations

from typing import Any

import pytest

from dprisk import PureDP
from dprisk.accountant.methods.by_atoms import as_atoms
from dprisk.accountant.methods.by_shifts import ByShifts
from dprisk.accountant.profiles import add_up
from dprisk.composition import compose
from dprisk.losses.normal import ResponseLoss
from dprisk.losses.subsampled_normal import SubsampledNormalLoss
from dprisk.mechanisms import (
    DiscreteGaussian,
    Geometric,
    Laplace,
    SubsampledGaussian,
    TruncatedLaplace,
)

A: Any = {"neighbors": "add-remove"}
SUBSAMPLED = SubsampledGaussian(1.0, 1.0, rate=0.01, **A)
NOISE = Laplace(1.0, 1.0, **A)
DISCRETE = DiscreteGaussian(10.0, 1, **A)


@pytest.mark.parametrize(
    ("parts", "counts", "cited"),
    [
        ([PureDP(0.1, **A)], [40], "Kairouz 2015 Theorem 3.3"),
        ([Geometric(2.0, 1, **A)], [10], "Zhu 2022 Theorem 10"),
        ([NOISE], [10], "dprisk Proposition 18"),
        ([NOISE, PureDP(0.1, **A)], [10, 2], "dprisk Proposition 18"),
        ([NOISE], [1500], "dprisk Proposition 6"),
        ([DISCRETE], [3], "dprisk Proposition 6"),
        ([DISCRETE, PureDP(0.1234, **A)], [3, 1], "dprisk Proposition 26"),
        ([TruncatedLaplace(1.0, 1.0, bound=20.0, **A)], [10], "dprisk Proposition 9"),
        ([SUBSAMPLED], [4], "dprisk Proposition 20"),
        ([SUBSAMPLED], [1000], "dprisk Proposition 20"),
        ([SubsampledGaussian(1.0, 1.0, rate=1e-12, **A)], [4], "P0 Theorem 2.8(1)"),
    ],
)
def test_each_way_cites_its_own(parts, counts, cited):
    whole = compose(parts, counts).guarantee
    for answer in (whole.delta(0.5), whole.epsilon(1e-6)):
        assert str(answer.theorem) == cited


def test_shifts_cite_what_is_shifted():
    few = as_atoms(((ResponseLoss(0.1), 2),))
    many = add_up(((SubsampledNormalLoss(1.0, 0.01), 1000),), 1e-9)
    assert str(ByShifts(few, many, many).theorem) == "dprisk Proposition 20"
