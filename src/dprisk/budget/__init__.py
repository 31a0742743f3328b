"""The budget from the risk that is tolerated: a risk profile in, the largest epsilon out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk._lazy import lazy

if TYPE_CHECKING:
    from dprisk.budget.area import MAP, BudgetMap, budget_map
    from dprisk.budget.attacks import CounterfactualLimit, PowerLimit
    from dprisk.budget.base import Profile
    from dprisk.budget.combining import AllOf, AnyOf, ratio_or_posterior
    from dprisk.budget.comparing import Rule, compare, population_factor
    from dprisk.budget.curve import CURVE, BudgetCurve, budget_curve
    from dprisk.budget.files import profile_tree, read_profile, write_profile
    from dprisk.budget.formula import largest_epsilon
    from dprisk.budget.functions import RatioFunction
    from dprisk.budget.limits import DifferenceLimit, OddsLimit, PosteriorLimit, RatioLimit
    from dprisk.budget.model import profile_schema
    from dprisk.budget.solving import BUDGET, Binding, Budget, solve
    from dprisk.budget.tables import RatioTable

_WHERE = {
    "AllOf": "dprisk.budget.combining",
    "AnyOf": "dprisk.budget.combining",
    "BUDGET": "dprisk.budget.solving",
    "Binding": "dprisk.budget.solving",
    "Budget": "dprisk.budget.solving",
    "BudgetCurve": "dprisk.budget.curve",
    "BudgetMap": "dprisk.budget.area",
    "CURVE": "dprisk.budget.curve",
    "CounterfactualLimit": "dprisk.budget.attacks",
    "DifferenceLimit": "dprisk.budget.limits",
    "MAP": "dprisk.budget.area",
    "OddsLimit": "dprisk.budget.limits",
    "PosteriorLimit": "dprisk.budget.limits",
    "PowerLimit": "dprisk.budget.attacks",
    "Profile": "dprisk.budget.base",
    "RatioFunction": "dprisk.budget.functions",
    "RatioLimit": "dprisk.budget.limits",
    "RatioTable": "dprisk.budget.tables",
    "Rule": "dprisk.budget.comparing",
    "budget_curve": "dprisk.budget.curve",
    "budget_map": "dprisk.budget.area",
    "compare": "dprisk.budget.comparing",
    "largest_epsilon": "dprisk.budget.formula",
    "population_factor": "dprisk.budget.comparing",
    "profile_schema": "dprisk.budget.model",
    "profile_tree": "dprisk.budget.files",
    "ratio_or_posterior": "dprisk.budget.combining",
    "read_profile": "dprisk.budget.files",
    "solve": "dprisk.budget.solving",
    "write_profile": "dprisk.budget.files",
}

__all__ = [
    "BUDGET",
    "CURVE",
    "MAP",
    "AllOf",
    "AnyOf",
    "Binding",
    "Budget",
    "BudgetCurve",
    "BudgetMap",
    "CounterfactualLimit",
    "DifferenceLimit",
    "OddsLimit",
    "PosteriorLimit",
    "PowerLimit",
    "Profile",
    "RatioFunction",
    "RatioLimit",
    "RatioTable",
    "Rule",
    "budget_curve",
    "budget_map",
    "compare",
    "largest_epsilon",
    "population_factor",
    "profile_schema",
    "profile_tree",
    "ratio_or_posterior",
    "read_profile",
    "solve",
    "write_profile",
]

__getattr__, __dir__ = lazy(__name__, _WHERE)
