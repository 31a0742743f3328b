from .budgets import (
    draw_budget_map as draw_budget_map,
    draw_error as draw_error,
    draw_risk_profile as draw_risk_profile,
)
from .concerns import draw_concerns as draw_concerns
from .counts import draw_icons as draw_icons, draw_rows as draw_rows, draw_spent as draw_spent
from .figure import (
    alt_text as alt_text,
    render as render,
    save as save,
    tables as tables,
    takeaway as takeaway,
)
from .ladder_theorems import ladder as ladder
from .line_figures import draw_lines as draw_lines
from .lines import counterfactual_line as counterfactual_line, guarantee_line as guarantee_line
from .mechanisms import (
    draw_delta_area as draw_delta_area,
    draw_noise as draw_noise,
    noise_curve as noise_curve,
    two_outputs as two_outputs,
)
from .over_priors import beliefs as beliefs, draw_beliefs as draw_beliefs
from .rungs import draw_ladder as draw_ladder
