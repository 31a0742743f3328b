"""Bounds along a quantity, as data: releases that go on, priors, limits, levels, noise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk._lazy import lazy

if TYPE_CHECKING:
    from dprisk.curves.climbing import ladder
    from dprisk.curves.lines import (
        KINDS,
        Line,
        attack_line,
        counterfactual_line,
        guarantee_line,
    )
    from dprisk.curves.noise import NoiseCurve, noise_curve
    from dprisk.curves.outputs import TwoOutputs, two_outputs
    from dprisk.curves.over_priors import Beliefs, beliefs
    from dprisk.curves.values import LADDER, Ladder, Rung

_WHERE = {
    "Beliefs": "dprisk.curves.over_priors",
    "KINDS": "dprisk.curves.lines",
    "LADDER": "dprisk.curves.values",
    "Ladder": "dprisk.curves.values",
    "Line": "dprisk.curves.lines",
    "NoiseCurve": "dprisk.curves.noise",
    "Rung": "dprisk.curves.values",
    "TwoOutputs": "dprisk.curves.outputs",
    "attack_line": "dprisk.curves.lines",
    "beliefs": "dprisk.curves.over_priors",
    "counterfactual_line": "dprisk.curves.lines",
    "guarantee_line": "dprisk.curves.lines",
    "ladder": "dprisk.curves.climbing",
    "noise_curve": "dprisk.curves.noise",
    "two_outputs": "dprisk.curves.outputs",
}

__all__ = [
    "KINDS",
    "LADDER",
    "Beliefs",
    "Ladder",
    "Line",
    "NoiseCurve",
    "Rung",
    "TwoOutputs",
    "attack_line",
    "beliefs",
    "counterfactual_line",
    "guarantee_line",
    "ladder",
    "noise_curve",
    "two_outputs",
]

__getattr__, __dir__ = lazy(__name__, _WHERE)
