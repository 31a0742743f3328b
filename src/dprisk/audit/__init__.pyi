from .axioms import (
    breaks_by_composition as breaks_by_composition,
    breaks_by_mixing as breaks_by_mixing,
    breaks_by_processing as breaks_by_processing,
)
from .claims import Claim as Claim
from .exact import ExactAudit as ExactAudit
from .examination import examine as examine
from .exp_epsilon import Growth as Growth, growth_bracket as growth_bracket
from .files import (
    read_edges as read_edges,
    read_mechanism as read_mechanism,
    read_samples as read_samples,
)
from .finite import FiniteMechanism as FiniteMechanism
from .float_audit import audit as audit
from .postprocessing import breaking_map as breaking_map, worst_map as worst_map
from .relation import NeighborRelation as NeighborRelation
from .samples import black_box as black_box
from .verdicts import check as check
