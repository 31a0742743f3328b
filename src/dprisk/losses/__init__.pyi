from .base import Lattice as Lattice, Loss as Loss, LossPair as LossPair
from .discretize.density import between as between
from .discretize.lattice import pair_on_lattice as pair_on_lattice
from .atoms import AtomicLoss as AtomicLoss
