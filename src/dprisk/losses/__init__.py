"""The privacy loss of one mechanism: its moments, and how well they are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk._lazy import lazy

if TYPE_CHECKING:
    from dprisk.losses.base import Lattice, Loss, LossPair
    from dprisk.losses.dense import between
    from dprisk.losses.discrete_gaussian import DiscreteGaussianLoss
    from dprisk.losses.laplace import LaplaceLoss
    from dprisk.losses.normal import NormalLoss
    from dprisk.losses.on_lattice import pair_on_lattice
    from dprisk.losses.points import PointLoss
    from dprisk.losses.response import ResponseLoss
    from dprisk.losses.subsampled_normal import SubsampledNormalLoss

_WHERE = {
    "DiscreteGaussianLoss": "dprisk.losses.discrete_gaussian",
    "LaplaceLoss": "dprisk.losses.laplace",
    "Lattice": "dprisk.losses.base",
    "Loss": "dprisk.losses.base",
    "LossPair": "dprisk.losses.base",
    "NormalLoss": "dprisk.losses.normal",
    "PointLoss": "dprisk.losses.points",
    "ResponseLoss": "dprisk.losses.response",
    "SubsampledNormalLoss": "dprisk.losses.subsampled_normal",
    "between": "dprisk.losses.dense",
    "pair_on_lattice": "dprisk.losses.on_lattice",
}

__all__ = [
    "DiscreteGaussianLoss",
    "LaplaceLoss",
    "Lattice",
    "Loss",
    "LossPair",
    "NormalLoss",
    "PointLoss",
    "ResponseLoss",
    "SubsampledNormalLoss",
    "between",
    "pair_on_lattice",
]

__getattr__, __dir__ = lazy(__name__, _WHERE)
