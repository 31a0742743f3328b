from .allocation import CyclicBatches as CyclicBatches, RandomAllocation as RandomAllocation
from .base import Mechanism as Mechanism
from .batches import FixedBatches as FixedBatches, TruncatedPoisson as TruncatedPoisson
from .gaussian import (
    Gaussian as Gaussian,
    GaussianMixture as GaussianMixture,
    VectorGaussian as VectorGaussian,
)
from .integers import DiscreteGaussian as DiscreteGaussian, Geometric as Geometric
from .laplace import (
    Laplace as Laplace,
    Staircase as Staircase,
    TruncatedLaplace as TruncatedLaplace,
)
from .matrix import MatrixGaussian as MatrixGaussian, TreeAggregation as TreeAggregation
from .pairs import PairOfDensities as PairOfDensities, PairOfDistributions as PairOfDistributions
from .randomized_response import (
    RandomizedResponse as RandomizedResponse,
    ShuffledResponse as ShuffledResponse,
)
from .rates import SubsampledGaussianRange as SubsampledGaussianRange
from .sample_release import SampleRelease as SampleRelease
from .sampled import (
    PoissonSubsampled as PoissonSubsampled,
    SubsampledDiscreteGaussian as SubsampledDiscreteGaussian,
    SubsampledGeometric as SubsampledGeometric,
)
from .selection import (
    AboveThreshold as AboveThreshold,
    ExponentialMechanism as ExponentialMechanism,
)
from .subsampled import (
    SubsampledGaussian as SubsampledGaussian,
    SubsampledLaplace as SubsampledLaplace,
)
