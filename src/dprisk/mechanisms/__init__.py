"""What is run: mechanisms as frozen parameters, and the guarantee that each of them keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk._lazy import lazy

if TYPE_CHECKING:
    from dprisk.mechanisms.base import Mechanism
    from dprisk.mechanisms.discrete_gaussian import DiscreteGaussian
    from dprisk.mechanisms.gaussian import Gaussian
    from dprisk.mechanisms.geometric import Geometric
    from dprisk.mechanisms.kinds import KINDS
    from dprisk.mechanisms.laplace import Laplace
    from dprisk.mechanisms.pair_of_densities import PairOfDensities
    from dprisk.mechanisms.pair_of_distributions import PairOfDistributions
    from dprisk.mechanisms.randomized_response import RandomizedResponse
    from dprisk.mechanisms.sample_release import SampleRelease
    from dprisk.mechanisms.subsampled_gaussian import SubsampledGaussian
    from dprisk.mechanisms.subsampled_laplace import SubsampledLaplace
    from dprisk.mechanisms.vector_gaussian import VectorGaussian

_WHERE = {
    "DiscreteGaussian": "dprisk.mechanisms.discrete_gaussian",
    "Gaussian": "dprisk.mechanisms.gaussian",
    "Geometric": "dprisk.mechanisms.geometric",
    "KINDS": "dprisk.mechanisms.kinds",
    "Laplace": "dprisk.mechanisms.laplace",
    "Mechanism": "dprisk.mechanisms.base",
    "PairOfDensities": "dprisk.mechanisms.pair_of_densities",
    "PairOfDistributions": "dprisk.mechanisms.pair_of_distributions",
    "RandomizedResponse": "dprisk.mechanisms.randomized_response",
    "SampleRelease": "dprisk.mechanisms.sample_release",
    "SubsampledGaussian": "dprisk.mechanisms.subsampled_gaussian",
    "SubsampledLaplace": "dprisk.mechanisms.subsampled_laplace",
    "VectorGaussian": "dprisk.mechanisms.vector_gaussian",
}

__all__ = [
    "KINDS",
    "DiscreteGaussian",
    "Gaussian",
    "Geometric",
    "Laplace",
    "Mechanism",
    "PairOfDensities",
    "PairOfDistributions",
    "RandomizedResponse",
    "SampleRelease",
    "SubsampledGaussian",
    "SubsampledLaplace",
    "VectorGaussian",
]

__getattr__, __dir__ = lazy(__name__, _WHERE)
