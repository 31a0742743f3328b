"""A release and an adversary in, an assessment out: what can be learned, at most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk._lazy import lazy

if TYPE_CHECKING:
    from dprisk.assessment.run import DEFAULT_CONFIDENCE, assess, natural_secret
    from dprisk.assessment.values import (
        SCHEMA,
        Assessment,
        Finding,
        Limit,
        Statement,
        json_schema,
    )

_WHERE = {
    "DEFAULT_CONFIDENCE": "dprisk.assessment.run",
    "SCHEMA": "dprisk.assessment.values",
    "Assessment": "dprisk.assessment.values",
    "Finding": "dprisk.assessment.values",
    "Limit": "dprisk.assessment.values",
    "Statement": "dprisk.assessment.values",
    "assess": "dprisk.assessment.run",
    "json_schema": "dprisk.assessment.values",
    "natural_secret": "dprisk.assessment.run",
}

__all__ = [
    "DEFAULT_CONFIDENCE",
    "SCHEMA",
    "Assessment",
    "Finding",
    "Limit",
    "Statement",
    "assess",
    "json_schema",
    "natural_secret",
]

__getattr__, __dir__ = lazy(__name__, _WHERE)
