from .area import MAP as MAP, BudgetMap as BudgetMap, budget_map as budget_map
from .attacks import CounterfactualLimit as CounterfactualLimit, PowerLimit as PowerLimit
from .profile import Profile as Profile
from .calibrating import Calibrated as Calibrated, calibrate as calibrate
from .combining import AllOf as AllOf, AnyOf as AnyOf, ratio_or_posterior as ratio_or_posterior
from .comparing import Rule as Rule, compare as compare, population_factor as population_factor
from .counting import Fitting as Fitting, most_releases as most_releases, used_by as used_by
from .curve import CURVE as CURVE, BudgetCurve as BudgetCurve, budget_curve as budget_curve
from .files import (
    profile_tree as profile_tree,
    read_profile as read_profile,
    write_profile as write_profile,
)
from .formula import largest_epsilon as largest_epsilon
from .functions import RatioFunction as RatioFunction
from .informed import AttackLimit as AttackLimit, InformedLimit as InformedLimit
from .largest import (
    Allowed as Allowed,
    chosen_delta as chosen_delta,
    largest_budget as largest_budget,
)
from .boxes import (
    DifferenceLimit as DifferenceLimit,
    OddsLimit as OddsLimit,
    PosteriorLimit as PosteriorLimit,
    RatioLimit as RatioLimit,
)
from .model import profile_schema as profile_schema
from .noise import NoiseCost as NoiseCost, noise_cost as noise_cost, noise_for as noise_for
from .planning import PLAN as PLAN, Plan as Plan, plan as plan
from .rules import by_every_rule as by_every_rule
from .sheet import (
    SHEET as SHEET,
    BudgetSheet as BudgetSheet,
    Refused as Refused,
    budgets as budgets,
)
from .solving import BUDGET as BUDGET, Binding as Binding, Budget as Budget, solve as solve
from .tables import RatioTable as RatioTable
from .composition_plan import Together as Together
from .limits import (
    EpsilonLimit as EpsilonLimit,
    ProfileLimit as ProfileLimit,
    Limit as Limit,
)
