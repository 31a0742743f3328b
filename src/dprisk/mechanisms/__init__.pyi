from .base import Mechanism as Mechanism
from .gaussian import Gaussian as Gaussian, VectorGaussian as VectorGaussian
from .integers import DiscreteGaussian as DiscreteGaussian, Geometric as Geometric
from .laplace import Laplace as Laplace
from .pairs import PairOfDensities as PairOfDensities, PairOfDistributions as PairOfDistributions
from .randomized_response import RandomizedResponse as RandomizedResponse
from .sample_release import SampleRelease as SampleRelease
from .subsampled import (
    SubsampledGaussian as SubsampledGaussian,
    SubsampledLaplace as SubsampledLaplace,
)
from .truncated_laplace import TruncatedLaplace as TruncatedLaplace
