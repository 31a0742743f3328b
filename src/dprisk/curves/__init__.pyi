from .budgets import draw_budget_map as draw_budget_map, draw_risk_profile as draw_risk_profile
from .figure import alt_text as alt_text, tables as tables, takeaway as takeaway
from .icons import draw_icons as draw_icons
from .ladder_theorems import ladder as ladder
from .line_figures import (
    draw_counterfactual as draw_counterfactual,
    draw_loss_bound as draw_loss_bound,
    draw_power as draw_power,
    draw_profile as draw_profile,
    draw_tail as draw_tail,
    draw_trade_off as draw_trade_off,
)
from .lines import (
    counterfactual_line as counterfactual_line,
    guarantee_line as guarantee_line,
)
from .noise import draw_noise as draw_noise, noise_curve as noise_curve
from .outputs import draw_delta_area as draw_delta_area, two_outputs as two_outputs
from .over_priors import (
    beliefs as beliefs,
    draw_difference as draw_difference,
    draw_posterior as draw_posterior,
    draw_ratio as draw_ratio,
)
from .rungs import draw_ladder as draw_ladder
from .saving import render as render, save as save
from .spent import draw_spent as draw_spent
from .table_rows import draw_rows as draw_rows
