"""A release and an adversary in, an assessment out: what can be learned, at most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk._lazy import lazy

if TYPE_CHECKING:
    from dprisk.analysis import natural_secret
    from dprisk.assessment.attacking import Attacked, Ceiling, attacked
    from dprisk.assessment.comparing import COUNTERFACTUAL, Compared, compared
    from dprisk.assessment.questions import (
        COMPOSITION,
        Composition,
        Reading,
        composition_schema,
        together,
    )
    from dprisk.assessment.run import assess
    from dprisk.assessment.values import (
        SCHEMA,
        Assessment,
        Finding,
        Limit,
        Statement,
        json_schema,
    )
    from dprisk.risk.certainty import DEFAULT_CONFIDENCE

_WHERE = {
    "COMPOSITION": "dprisk.assessment.questions",
    "COUNTERFACTUAL": "dprisk.assessment.comparing",
    "DEFAULT_CONFIDENCE": "dprisk.risk.certainty",
    "SCHEMA": "dprisk.assessment.values",
    "Assessment": "dprisk.assessment.values",
    "Attacked": "dprisk.assessment.attacking",
    "Ceiling": "dprisk.assessment.attacking",
    "Compared": "dprisk.assessment.comparing",
    "Composition": "dprisk.assessment.questions",
    "Finding": "dprisk.assessment.values",
    "Limit": "dprisk.assessment.values",
    "Reading": "dprisk.assessment.questions",
    "Statement": "dprisk.assessment.values",
    "assess": "dprisk.assessment.run",
    "attacked": "dprisk.assessment.attacking",
    "compared": "dprisk.assessment.comparing",
    "composition_schema": "dprisk.assessment.questions",
    "json_schema": "dprisk.assessment.values",
    "natural_secret": "dprisk.analysis",
    "together": "dprisk.assessment.questions",
}

__all__ = [
    "COMPOSITION",
    "COUNTERFACTUAL",
    "DEFAULT_CONFIDENCE",
    "SCHEMA",
    "Assessment",
    "Attacked",
    "Ceiling",
    "Compared",
    "Composition",
    "Finding",
    "Limit",
    "Reading",
    "Statement",
    "assess",
    "attacked",
    "compared",
    "composition_schema",
    "json_schema",
    "natural_secret",
    "together",
]

__getattr__, __dir__ = lazy(__name__, _WHERE)
