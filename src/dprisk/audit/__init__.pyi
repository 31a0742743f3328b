from .axioms import (
    Counterexample as Counterexample,
    Trial as Trial,
    breaks_by_composition as breaks_by_composition,
    breaks_by_mixing as breaks_by_mixing,
    breaks_by_processing as breaks_by_processing,
)
from .claim_forms import CLAIMS as CLAIMS
from .claims import Claim as Claim
from .exact import ExactAudit as ExactAudit
from .examination import Examined as Examined, Line as Line, examine as examine
from .exp_epsilon import Growth as Growth, growth_bracket as growth_bracket
from .files import (
    read_edges as read_edges,
    read_mechanism as read_mechanism,
    read_samples as read_samples,
)
from .findings import ExactFinding as ExactFinding, Finding as Finding, Witness as Witness
from .finite import FiniteMechanism as FiniteMechanism
from .float_audit import Audit as Audit, audit as audit
from .maps import OutputMap as OutputMap
from .mixtures import composed as composed, mixture as mixture
from .postprocessing import (
    MapSearch as MapSearch,
    WorstMap as WorstMap,
    breaking_map as breaking_map,
    worst_map as worst_map,
)
from .relation import NeighborRelation as NeighborRelation
from .samples import BlackBox as BlackBox, SampledFinding as SampledFinding, black_box as black_box
from .verdicts import Verdict as Verdict, check as check
