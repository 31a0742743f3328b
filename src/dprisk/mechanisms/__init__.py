"""What is run: mechanisms as frozen parameters, and the guarantee that each of them keeps."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dprisk.mechanisms.base import Mechanism
from dprisk.mechanisms.discrete_gaussian import DiscreteGaussian
from dprisk.mechanisms.gaussian import Gaussian
from dprisk.mechanisms.geometric import Geometric
from dprisk.mechanisms.laplace import Laplace
from dprisk.mechanisms.randomized_response import RandomizedResponse

__all__ = [
    "KINDS",
    "DiscreteGaussian",
    "Gaussian",
    "Geometric",
    "Laplace",
    "Mechanism",
    "RandomizedResponse",
]

KINDS: Mapping[str, type[Mechanism]] = MappingProxyType(
    {
        "discrete-gaussian": DiscreteGaussian,
        "gaussian": Gaussian,
        "geometric": Geometric,
        "laplace": Laplace,
        "randomized-response": RandomizedResponse,
    }
)
"""The mechanisms by the name that they have in files."""
