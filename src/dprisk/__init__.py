"""What a differential-privacy guarantee means for a person: disclosure risk, and why.

Nothing is imported until it is used; ``import dprisk`` itself loads no other package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk._lazy import lazy

if TYPE_CHECKING:
    from dprisk.answer import Answer
    from dprisk.assessment.run import assess
    from dprisk.assessment.values import Assessment
    from dprisk.errors import DpriskError
    from dprisk.guarantees.approximate import ApproxDP, ApproxDPCurve
    from dprisk.guarantees.base import Guarantee
    from dprisk.guarantees.bounded import ProbabilisticallyBoundedDP
    from dprisk.guarantees.concentrated import ZeroConcentratedDP
    from dprisk.guarantees.convert import convert
    from dprisk.guarantees.gaussian import GaussianDP
    from dprisk.guarantees.loss import PrivacyLoss
    from dprisk.guarantees.probabilistic import ProbabilisticDP
    from dprisk.guarantees.pure import PureDP
    from dprisk.guarantees.renyi import RenyiDP
    from dprisk.guarantees.tradeoff import FDP
    from dprisk.risk.adversary import Adversary
    from dprisk.risk.posterior_to_posterior import counterfactual
    from dprisk.risk.prior_to_posterior import disclosure
    from dprisk.risk.rows import row_bounds

__version__ = "0.1.0"

_WHERE = {
    "Adversary": "dprisk.risk.adversary",
    "Answer": "dprisk.answer",
    "ApproxDP": "dprisk.guarantees.approximate",
    "ApproxDPCurve": "dprisk.guarantees.approximate",
    "Assessment": "dprisk.assessment.values",
    "DpriskError": "dprisk.errors",
    "FDP": "dprisk.guarantees.tradeoff",
    "GaussianDP": "dprisk.guarantees.gaussian",
    "Guarantee": "dprisk.guarantees.base",
    "PrivacyLoss": "dprisk.guarantees.loss",
    "ProbabilisticDP": "dprisk.guarantees.probabilistic",
    "ProbabilisticallyBoundedDP": "dprisk.guarantees.bounded",
    "PureDP": "dprisk.guarantees.pure",
    "RenyiDP": "dprisk.guarantees.renyi",
    "ZeroConcentratedDP": "dprisk.guarantees.concentrated",
    "assess": "dprisk.assessment.run",
    "convert": "dprisk.guarantees.convert",
    "counterfactual": "dprisk.risk.posterior_to_posterior",
    "disclosure": "dprisk.risk.prior_to_posterior",
    "row_bounds": "dprisk.risk.rows",
}

__all__ = [
    "FDP",
    "Adversary",
    "Answer",
    "ApproxDP",
    "ApproxDPCurve",
    "Assessment",
    "DpriskError",
    "GaussianDP",
    "Guarantee",
    "PrivacyLoss",
    "ProbabilisticDP",
    "ProbabilisticallyBoundedDP",
    "PureDP",
    "RenyiDP",
    "ZeroConcentratedDP",
    "assess",
    "convert",
    "counterfactual",
    "disclosure",
    "row_bounds",
]


__getattr__, __dir__ = lazy(__name__, _WHERE)
