"""What the definitions of privacy say about one small mechanism, exactly: the laboratory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk._lazy import lazy

if TYPE_CHECKING:
    from dprisk.audit.auditing import Audit, audit
    from dprisk.audit.catalogue import SEPARATIONS, separate
    from dprisk.audit.claims import CLAIMS, Claim
    from dprisk.audit.combining import composed, mixture
    from dprisk.audit.erasures import NoSeparation, erasure, witness
    from dprisk.audit.exact import ExactAudit
    from dprisk.audit.examining import Examined, Line, examine
    from dprisk.audit.examples import (
        four_outcomes,
        leaky,
        limited_difference,
        not_convex,
        one_bit,
        two_responses,
    )
    from dprisk.audit.finite import FiniteMechanism
    from dprisk.audit.growth import Growth, growth_bracket
    from dprisk.audit.in_between import Middle, middle
    from dprisk.audit.maps import OutputMap
    from dprisk.audit.postprocessing import MapSearch, WorstMap, breaking_map, worst_map
    from dprisk.audit.properties import Property, as_property
    from dprisk.audit.reading import read_edges, read_mechanism, read_samples
    from dprisk.audit.relation import NeighborRelation
    from dprisk.audit.responses import bounded_penalty, fixed_delta, response, under_penalty
    from dprisk.audit.samples import BlackBox, SampledFinding, black_box
    from dprisk.audit.separations import Separation
    from dprisk.audit.testers import (
        Counterexample,
        Trial,
        breaks_by_composition,
        breaks_by_mixing,
        breaks_by_processing,
    )
    from dprisk.audit.values import ExactFinding, Finding, Survey, Witness
    from dprisk.audit.verdicts import Verdict, check

_WHERE = {
    "Audit": "dprisk.audit.auditing",
    "BlackBox": "dprisk.audit.samples",
    "CLAIMS": "dprisk.audit.claims",
    "Claim": "dprisk.audit.claims",
    "Counterexample": "dprisk.audit.testers",
    "ExactAudit": "dprisk.audit.exact",
    "ExactFinding": "dprisk.audit.values",
    "Examined": "dprisk.audit.examining",
    "Finding": "dprisk.audit.values",
    "FiniteMechanism": "dprisk.audit.finite",
    "Growth": "dprisk.audit.growth",
    "Line": "dprisk.audit.examining",
    "MapSearch": "dprisk.audit.postprocessing",
    "Middle": "dprisk.audit.in_between",
    "NeighborRelation": "dprisk.audit.relation",
    "NoSeparation": "dprisk.audit.erasures",
    "OutputMap": "dprisk.audit.maps",
    "Property": "dprisk.audit.properties",
    "SEPARATIONS": "dprisk.audit.catalogue",
    "SampledFinding": "dprisk.audit.samples",
    "Separation": "dprisk.audit.separations",
    "Survey": "dprisk.audit.values",
    "Trial": "dprisk.audit.testers",
    "Verdict": "dprisk.audit.verdicts",
    "Witness": "dprisk.audit.values",
    "WorstMap": "dprisk.audit.postprocessing",
    "as_property": "dprisk.audit.properties",
    "audit": "dprisk.audit.auditing",
    "black_box": "dprisk.audit.samples",
    "bounded_penalty": "dprisk.audit.responses",
    "breaking_map": "dprisk.audit.postprocessing",
    "breaks_by_composition": "dprisk.audit.testers",
    "breaks_by_mixing": "dprisk.audit.testers",
    "breaks_by_processing": "dprisk.audit.testers",
    "check": "dprisk.audit.verdicts",
    "composed": "dprisk.audit.combining",
    "erasure": "dprisk.audit.erasures",
    "examine": "dprisk.audit.examining",
    "fixed_delta": "dprisk.audit.responses",
    "four_outcomes": "dprisk.audit.examples",
    "growth_bracket": "dprisk.audit.growth",
    "leaky": "dprisk.audit.examples",
    "limited_difference": "dprisk.audit.examples",
    "middle": "dprisk.audit.in_between",
    "mixture": "dprisk.audit.combining",
    "not_convex": "dprisk.audit.examples",
    "one_bit": "dprisk.audit.examples",
    "read_edges": "dprisk.audit.reading",
    "read_mechanism": "dprisk.audit.reading",
    "read_samples": "dprisk.audit.reading",
    "response": "dprisk.audit.responses",
    "separate": "dprisk.audit.catalogue",
    "two_responses": "dprisk.audit.examples",
    "under_penalty": "dprisk.audit.responses",
    "witness": "dprisk.audit.erasures",
    "worst_map": "dprisk.audit.postprocessing",
}

__all__ = [
    "CLAIMS",
    "SEPARATIONS",
    "Audit",
    "BlackBox",
    "Claim",
    "Counterexample",
    "ExactAudit",
    "ExactFinding",
    "Examined",
    "Finding",
    "FiniteMechanism",
    "Growth",
    "Line",
    "MapSearch",
    "Middle",
    "NeighborRelation",
    "NoSeparation",
    "OutputMap",
    "Property",
    "SampledFinding",
    "Separation",
    "Survey",
    "Trial",
    "Verdict",
    "Witness",
    "WorstMap",
    "as_property",
    "audit",
    "black_box",
    "bounded_penalty",
    "breaking_map",
    "breaks_by_composition",
    "breaks_by_mixing",
    "breaks_by_processing",
    "check",
    "composed",
    "erasure",
    "examine",
    "fixed_delta",
    "four_outcomes",
    "growth_bracket",
    "leaky",
    "limited_difference",
    "middle",
    "mixture",
    "not_convex",
    "one_bit",
    "read_edges",
    "read_mechanism",
    "read_samples",
    "response",
    "separate",
    "two_responses",
    "under_penalty",
    "witness",
    "worst_map",
]

__getattr__, __dir__ = lazy(__name__, _WHERE)
