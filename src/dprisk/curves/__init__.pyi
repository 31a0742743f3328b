from .ladder_theorems import ladder as ladder
from .lines import (
    counterfactual_line as counterfactual_line,
    guarantee_line as guarantee_line,
)
from .noise import noise_curve as noise_curve
from .outputs import two_outputs as two_outputs
from .over_priors import beliefs as beliefs
