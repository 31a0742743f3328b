"""The mechanisms by the name that they have in files."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dprisk.mechanisms.base import Mechanism
from dprisk.mechanisms.discrete_gaussian import DiscreteGaussian
from dprisk.mechanisms.gaussian import Gaussian
from dprisk.mechanisms.geometric import Geometric
from dprisk.mechanisms.laplace import Laplace
from dprisk.mechanisms.randomized_response import RandomizedResponse
from dprisk.mechanisms.sample_release import SampleRelease
from dprisk.mechanisms.subsampled_gaussian import SubsampledGaussian
from dprisk.mechanisms.subsampled_laplace import SubsampledLaplace

__all__ = ["KINDS"]

KINDS: Mapping[str, type[Mechanism]] = MappingProxyType(
    {
        "discrete-gaussian": DiscreteGaussian,
        "gaussian": Gaussian,
        "geometric": Geometric,
        "laplace": Laplace,
        "randomized-response": RandomizedResponse,
        "sample-release": SampleRelease,
        "subsampled-gaussian": SubsampledGaussian,
        "subsampled-laplace": SubsampledLaplace,
    }
)
