from .base import Lattice as Lattice, Loss as Loss, LossPair as LossPair
from .discretize.density import between as between
from .discrete_gaussian import DiscreteGaussianLoss as DiscreteGaussianLoss
from .laplace import LaplaceLoss as LaplaceLoss
from .normal import NormalLoss as NormalLoss
from .discretize.lattice import pair_on_lattice as pair_on_lattice
from .atoms import AtomicLoss as AtomicLoss
from .response import ResponseLoss as ResponseLoss
from .subsampled_normal import SubsampledNormalLoss as SubsampledNormalLoss
