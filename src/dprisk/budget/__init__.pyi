from .area import budget_map as budget_map
from .attacks import CounterfactualLimit as CounterfactualLimit, PowerLimit as PowerLimit
from .calibrating import calibrate as calibrate
from .combining import AllOf as AllOf, AnyOf as AnyOf, ratio_or_posterior as ratio_or_posterior
from .comparing import compare as compare, population_factor as population_factor
from .counting import most_releases as most_releases
from .curve import budget_curve as budget_curve
from .files import read_profile as read_profile, write_profile as write_profile
from .formula import largest_epsilon as largest_epsilon
from .functions import RatioFunction as RatioFunction
from .informed import AttackLimit as AttackLimit, InformedLimit as InformedLimit
from .largest import largest_budget as largest_budget
from .boxes import (
    DifferenceLimit as DifferenceLimit,
    OddsLimit as OddsLimit,
    PosteriorLimit as PosteriorLimit,
    RatioLimit as RatioLimit,
)
from .noise import noise_for as noise_for
from .planning import plan as plan
from .rules import by_every_rule as by_every_rule
from .sheet import budgets as budgets
from .solving import solve as solve
from .tables import RatioTable as RatioTable
from .composition_plan import Together as Together
from .limits import EpsilonLimit as EpsilonLimit, ProfileLimit as ProfileLimit
