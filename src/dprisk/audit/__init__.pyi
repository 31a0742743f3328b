from .axioms import (
    breaks_by_composition as breaks_by_composition,
    breaks_by_mixing as breaks_by_mixing,
    breaks_by_processing as breaks_by_processing,
)
from .brackets import audit as audit
from .claims import Claim as Claim
from .exact import ExactAudit as ExactAudit
from .examination import check as check, examine as examine
from .files import (
    read_edges as read_edges,
    read_mechanism as read_mechanism,
    read_samples as read_samples,
)
from .finite import FiniteMechanism as FiniteMechanism
from .growth import Growth as Growth, growth_bracket as growth_bracket
from .postprocessing import breaking_map as breaking_map, worst_map as worst_map
from .relation import NeighborRelation as NeighborRelation
from .samples import black_box as black_box
