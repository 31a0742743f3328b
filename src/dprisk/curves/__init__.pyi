from .ladder_theorems import ladder as ladder
from .lines import (
    KINDS as KINDS,
    Line as Line,
    attack_line as attack_line,
    counterfactual_line as counterfactual_line,
    guarantee_line as guarantee_line,
)
from .noise import NoiseCurve as NoiseCurve, noise_curve as noise_curve
from .outputs import TwoOutputs as TwoOutputs, two_outputs as two_outputs
from .over_priors import Beliefs as Beliefs, beliefs as beliefs
from .values import LADDER as LADDER, Ladder as Ladder, Rung as Rung
