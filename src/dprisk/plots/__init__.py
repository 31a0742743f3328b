"""Figures: one function a picture, from curves to ink, with a table and words behind each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk._lazy import lazy

if TYPE_CHECKING:
    from dprisk.plots.areas import draw_delta_area
    from dprisk.plots.behind import alt_text, tables, takeaway
    from dprisk.plots.beliefs import draw_difference, draw_posterior, draw_ratio
    from dprisk.plots.budgets import draw_budget_map, draw_risk_profile
    from dprisk.plots.climbing import draw_ladder
    from dprisk.plots.icons import draw_icons
    from dprisk.plots.level_power import draw_power, draw_trade_off
    from dprisk.plots.lines import draw_counterfactual, draw_loss_bound, draw_profile, draw_tail
    from dprisk.plots.noise import draw_noise
    from dprisk.plots.saving import FORMATS, render, save
    from dprisk.table import Table

_WHERE = {
    "FORMATS": "dprisk.plots.saving",
    "Table": "dprisk.table",
    "alt_text": "dprisk.plots.behind",
    "draw_budget_map": "dprisk.plots.budgets",
    "draw_counterfactual": "dprisk.plots.lines",
    "draw_delta_area": "dprisk.plots.areas",
    "draw_difference": "dprisk.plots.beliefs",
    "draw_icons": "dprisk.plots.icons",
    "draw_ladder": "dprisk.plots.climbing",
    "draw_loss_bound": "dprisk.plots.lines",
    "draw_noise": "dprisk.plots.noise",
    "draw_posterior": "dprisk.plots.beliefs",
    "draw_power": "dprisk.plots.level_power",
    "draw_profile": "dprisk.plots.lines",
    "draw_ratio": "dprisk.plots.beliefs",
    "draw_risk_profile": "dprisk.plots.budgets",
    "draw_tail": "dprisk.plots.lines",
    "draw_trade_off": "dprisk.plots.level_power",
    "render": "dprisk.plots.saving",
    "save": "dprisk.plots.saving",
    "tables": "dprisk.plots.behind",
    "takeaway": "dprisk.plots.behind",
}

__all__ = [
    "FORMATS",
    "Table",
    "alt_text",
    "draw_budget_map",
    "draw_counterfactual",
    "draw_delta_area",
    "draw_difference",
    "draw_icons",
    "draw_ladder",
    "draw_loss_bound",
    "draw_noise",
    "draw_posterior",
    "draw_power",
    "draw_profile",
    "draw_ratio",
    "draw_risk_profile",
    "draw_tail",
    "draw_trade_off",
    "render",
    "save",
    "tables",
    "takeaway",
]

__getattr__, __dir__ = lazy(__name__, _WHERE)
