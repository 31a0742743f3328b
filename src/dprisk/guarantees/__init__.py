"""What is promised: one final class for each definition of privacy, and the ways between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk._lazy import lazy

if TYPE_CHECKING:
    from dprisk.guarantees.approximate import ApproxDP, ApproxDPCurve
    from dprisk.guarantees.base import Guarantee, Neighbors, Sides
    from dprisk.guarantees.bounded import ProbabilisticallyBoundedDP
    from dprisk.guarantees.concentrated import ZeroConcentratedDP
    from dprisk.guarantees.convert import Converted, conversions
    from dprisk.guarantees.gaussian import GaussianDP
    from dprisk.guarantees.loss import PrivacyLoss
    from dprisk.guarantees.probabilistic import ProbabilisticDP
    from dprisk.guarantees.pure import PureDP
    from dprisk.guarantees.renyi import RenyiDP
    from dprisk.guarantees.tradeoff import FDP

_WHERE = {
    "ApproxDP": "dprisk.guarantees.approximate",
    "ApproxDPCurve": "dprisk.guarantees.approximate",
    "Converted": "dprisk.guarantees.convert",
    "FDP": "dprisk.guarantees.tradeoff",
    "GaussianDP": "dprisk.guarantees.gaussian",
    "Guarantee": "dprisk.guarantees.base",
    "Neighbors": "dprisk.guarantees.base",
    "PrivacyLoss": "dprisk.guarantees.loss",
    "ProbabilisticDP": "dprisk.guarantees.probabilistic",
    "ProbabilisticallyBoundedDP": "dprisk.guarantees.bounded",
    "PureDP": "dprisk.guarantees.pure",
    "RenyiDP": "dprisk.guarantees.renyi",
    "Sides": "dprisk.guarantees.base",
    "ZeroConcentratedDP": "dprisk.guarantees.concentrated",
    "conversions": "dprisk.guarantees.convert",
}

__all__ = [
    "FDP",
    "ApproxDP",
    "ApproxDPCurve",
    "Converted",
    "GaussianDP",
    "Guarantee",
    "Neighbors",
    "PrivacyLoss",
    "ProbabilisticDP",
    "ProbabilisticallyBoundedDP",
    "PureDP",
    "RenyiDP",
    "Sides",
    "ZeroConcentratedDP",
    "conversions",
]

__getattr__, __dir__ = lazy(__name__, _WHERE)
