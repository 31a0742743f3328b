from .areas import draw_delta_area as draw_delta_area
from .behind import alt_text as alt_text, tables as tables, takeaway as takeaway
from .beliefs import (
    draw_difference as draw_difference,
    draw_posterior as draw_posterior,
    draw_ratio as draw_ratio,
)
from .budgets import draw_budget_map as draw_budget_map, draw_risk_profile as draw_risk_profile
from .ladder import draw_ladder as draw_ladder
from .icons import draw_icons as draw_icons
from .level_power import draw_power as draw_power, draw_trade_off as draw_trade_off
from .lines import (
    draw_counterfactual as draw_counterfactual,
    draw_loss_bound as draw_loss_bound,
    draw_profile as draw_profile,
    draw_tail as draw_tail,
)
from .noise import draw_noise as draw_noise
from .saving import render as render, save as save
from .spent import draw_spent as draw_spent
from .table_rows import draw_rows as draw_rows
