from .approximate import ApproxDP as ApproxDP, ApproxDPCurve as ApproxDPCurve
from .base import Guarantee as Guarantee
from .bounded import ProbabilisticallyBoundedDP as ProbabilisticallyBoundedDP
from .concentrated import ZeroConcentratedDP as ZeroConcentratedDP
from .convert import conversions as conversions
from .gaussian import GaussianDP as GaussianDP
from .laplace import LaplaceDP as LaplaceDP
from .probabilistic import ProbabilisticDP as ProbabilisticDP
from .pure import PureDP as PureDP
from .renyi import RenyiDP as RenyiDP
from .tradeoff import FDP as FDP
