from .float_audit import Audit as Audit, audit as audit
from .claims import CLAIMS as CLAIMS, Claim as Claim
from .combining import composed as composed, mixture as mixture
from .exact import ExactAudit as ExactAudit
from .examining import Examined as Examined, Line as Line, examine as examine
from .finite import FiniteMechanism as FiniteMechanism
from .exp_epsilon import Growth as Growth, growth_bracket as growth_bracket
from .maps import OutputMap as OutputMap
from .postprocessing import (
    MapSearch as MapSearch,
    WorstMap as WorstMap,
    breaking_map as breaking_map,
    worst_map as worst_map,
)
from .properties import Property as Property, as_property as as_property
from .reading import (
    read_edges as read_edges,
    read_mechanism as read_mechanism,
    read_samples as read_samples,
)
from .relation import NeighborRelation as NeighborRelation
from .samples import BlackBox as BlackBox, SampledFinding as SampledFinding, black_box as black_box
from .axioms import (
    Counterexample as Counterexample,
    Trial as Trial,
    breaks_by_composition as breaks_by_composition,
    breaks_by_mixing as breaks_by_mixing,
    breaks_by_processing as breaks_by_processing,
)
from .values import (
    ExactFinding as ExactFinding,
    Finding as Finding,
    Survey as Survey,
    Witness as Witness,
)
from .verdicts import Verdict as Verdict, check as check
