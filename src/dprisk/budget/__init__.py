"""The budget from the risk that is tolerated: a risk profile in, the largest epsilon out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk._lazy import lazy

if TYPE_CHECKING:
    from dprisk.budget.area import MAP, BudgetMap, budget_map
    from dprisk.budget.attacks import CounterfactualLimit, PowerLimit
    from dprisk.budget.base import Profile
    from dprisk.budget.calibrating import Calibrated, calibrate
    from dprisk.budget.combining import AllOf, AnyOf, ratio_or_posterior
    from dprisk.budget.comparing import Rule, compare, population_factor
    from dprisk.budget.counting import Fitting, most_releases, used_by
    from dprisk.budget.curve import CURVE, BudgetCurve, budget_curve
    from dprisk.budget.files import profile_tree, read_profile, write_profile
    from dprisk.budget.formula import largest_epsilon
    from dprisk.budget.functions import RatioFunction
    from dprisk.budget.informed import AttackLimit, InformedLimit
    from dprisk.budget.largest import Allowed, chosen_delta, largest_budget
    from dprisk.budget.limits import DifferenceLimit, OddsLimit, PosteriorLimit, RatioLimit
    from dprisk.budget.model import profile_schema
    from dprisk.budget.noise import NoiseCost, noise_cost, noise_for
    from dprisk.budget.planning import PLAN, Plan, plan
    from dprisk.budget.rules import by_every_rule
    from dprisk.budget.sheet import SHEET, BudgetSheet, Refused, budgets
    from dprisk.budget.solving import BUDGET, Binding, Budget, solve
    from dprisk.budget.tables import RatioTable
    from dprisk.budget.together import Together
    from dprisk.budget.tolerances import EpsilonLimit, ProfileLimit, Tolerance

_WHERE = {
    "AllOf": "dprisk.budget.combining",
    "Allowed": "dprisk.budget.largest",
    "AnyOf": "dprisk.budget.combining",
    "AttackLimit": "dprisk.budget.informed",
    "BUDGET": "dprisk.budget.solving",
    "Binding": "dprisk.budget.solving",
    "Budget": "dprisk.budget.solving",
    "BudgetCurve": "dprisk.budget.curve",
    "BudgetMap": "dprisk.budget.area",
    "BudgetSheet": "dprisk.budget.sheet",
    "CURVE": "dprisk.budget.curve",
    "Calibrated": "dprisk.budget.calibrating",
    "CounterfactualLimit": "dprisk.budget.attacks",
    "DifferenceLimit": "dprisk.budget.limits",
    "EpsilonLimit": "dprisk.budget.tolerances",
    "Fitting": "dprisk.budget.counting",
    "InformedLimit": "dprisk.budget.informed",
    "MAP": "dprisk.budget.area",
    "NoiseCost": "dprisk.budget.noise",
    "OddsLimit": "dprisk.budget.limits",
    "PLAN": "dprisk.budget.planning",
    "Plan": "dprisk.budget.planning",
    "PosteriorLimit": "dprisk.budget.limits",
    "PowerLimit": "dprisk.budget.attacks",
    "Profile": "dprisk.budget.base",
    "ProfileLimit": "dprisk.budget.tolerances",
    "RatioFunction": "dprisk.budget.functions",
    "RatioLimit": "dprisk.budget.limits",
    "RatioTable": "dprisk.budget.tables",
    "Refused": "dprisk.budget.sheet",
    "Rule": "dprisk.budget.comparing",
    "SHEET": "dprisk.budget.sheet",
    "Together": "dprisk.budget.together",
    "Tolerance": "dprisk.budget.tolerances",
    "budget_curve": "dprisk.budget.curve",
    "budget_map": "dprisk.budget.area",
    "budgets": "dprisk.budget.sheet",
    "by_every_rule": "dprisk.budget.rules",
    "calibrate": "dprisk.budget.calibrating",
    "chosen_delta": "dprisk.budget.largest",
    "compare": "dprisk.budget.comparing",
    "largest_budget": "dprisk.budget.largest",
    "largest_epsilon": "dprisk.budget.formula",
    "most_releases": "dprisk.budget.counting",
    "noise_cost": "dprisk.budget.noise",
    "noise_for": "dprisk.budget.noise",
    "plan": "dprisk.budget.planning",
    "population_factor": "dprisk.budget.comparing",
    "profile_schema": "dprisk.budget.model",
    "profile_tree": "dprisk.budget.files",
    "ratio_or_posterior": "dprisk.budget.combining",
    "read_profile": "dprisk.budget.files",
    "solve": "dprisk.budget.solving",
    "used_by": "dprisk.budget.counting",
    "write_profile": "dprisk.budget.files",
}

__all__ = [
    "BUDGET",
    "CURVE",
    "MAP",
    "PLAN",
    "SHEET",
    "AllOf",
    "Allowed",
    "AnyOf",
    "AttackLimit",
    "Binding",
    "Budget",
    "BudgetCurve",
    "BudgetMap",
    "BudgetSheet",
    "Calibrated",
    "CounterfactualLimit",
    "DifferenceLimit",
    "EpsilonLimit",
    "Fitting",
    "InformedLimit",
    "NoiseCost",
    "OddsLimit",
    "Plan",
    "PosteriorLimit",
    "PowerLimit",
    "Profile",
    "ProfileLimit",
    "RatioFunction",
    "RatioLimit",
    "RatioTable",
    "Refused",
    "Rule",
    "Together",
    "Tolerance",
    "budget_curve",
    "budget_map",
    "budgets",
    "by_every_rule",
    "calibrate",
    "chosen_delta",
    "compare",
    "largest_budget",
    "largest_epsilon",
    "most_releases",
    "noise_cost",
    "noise_for",
    "plan",
    "population_factor",
    "profile_schema",
    "profile_tree",
    "ratio_or_posterior",
    "read_profile",
    "solve",
    "used_by",
    "write_profile",
]

__getattr__, __dir__ = lazy(__name__, _WHERE)
