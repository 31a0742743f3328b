from .answer import Answer as Answer
from .documents.assessing import assess as assess
from .documents.assessing import Assessment as Assessment
from .composition.composing import compose as compose
from .composition.opinion import check as check
from .errors import DpriskError as DpriskError
from .guarantees.approximate import ApproxDP as ApproxDP, ApproxDPCurve as ApproxDPCurve
from .guarantees.base import Guarantee as Guarantee
from .guarantees.probabilistic import ProbabilisticallyBoundedDP as ProbabilisticallyBoundedDP
from .guarantees.renyi import ZeroConcentratedDP as ZeroConcentratedDP
from .guarantees.convert import convert as convert
from .guarantees.gaussian import GaussianDP as GaussianDP
from .accountant.privacy_loss import PrivacyLoss as PrivacyLoss
from .guarantees.probabilistic import ProbabilisticDP as ProbabilisticDP
from .guarantees.pure import PureDP as PureDP
from .guarantees.renyi import RenyiDP as RenyiDP
from .guarantees.tradeoff import FDP as FDP
from .releases.files import read_release as read_release
from .releases.training import dp_sgd as dp_sgd
from .risk.adversary import Adversary as Adversary
from .risk.counterfactual import counterfactual as counterfactual
from .risk.posterior import disclosure as disclosure
from .risk.rows import row_bounds as row_bounds

__version__: str
