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
    from dprisk.mechanisms.randomized_response import RandomizedResponse

_WHERE = {
    "DiscreteGaussian": "dprisk.mechanisms.discrete_gaussian",
    "Gaussian": "dprisk.mechanisms.gaussian",
    "Geometric": "dprisk.mechanisms.geometric",
    "KINDS": "dprisk.mechanisms.kinds",
    "Laplace": "dprisk.mechanisms.laplace",
    "Mechanism": "dprisk.mechanisms.base",
    "RandomizedResponse": "dprisk.mechanisms.randomized_response",
}

__all__ = [
    "KINDS",
    "DiscreteGaussian",
    "Gaussian",
    "Geometric",
    "Laplace",
    "Mechanism",
    "RandomizedResponse",
]

__getattr__, __dir__ = lazy(__name__, _WHERE)
