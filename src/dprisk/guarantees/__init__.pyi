from .approximate import ApproxDP as ApproxDP, ApproxDPCurve as ApproxDPCurve
from .base import Guarantee as Guarantee
from .convert import conversions as conversions
from .gaussian import GaussianDP as GaussianDP
from .laplace import LaplaceDP as LaplaceDP
from .probabilistic import (
    ProbabilisticDP as ProbabilisticDP,
    ProbabilisticallyBoundedDP as ProbabilisticallyBoundedDP,
)
from .pure import PureDP as PureDP
from .renyi import RenyiDP as RenyiDP, ZeroConcentratedDP as ZeroConcentratedDP
from .tradeoff import FDP as FDP
