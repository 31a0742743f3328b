from .boxes import (
    CounterfactualLimit as CounterfactualLimit,
    DifferenceLimit as DifferenceLimit,
    OddsLimit as OddsLimit,
    PosteriorLimit as PosteriorLimit,
    PowerLimit as PowerLimit,
    RatioLimit as RatioLimit,
)
from .counting import most_releases as most_releases, plan as plan
from .files import read_profile as read_profile, write_profile as write_profile
from .informed import (
    AttackLimit as AttackLimit,
    BayesLimit as BayesLimit,
    InformedLimit as InformedLimit,
)
from .largest import largest_budget as largest_budget
from .limits import EpsilonLimit as EpsilonLimit, ProfileLimit as ProfileLimit
from .noise import calibrate as calibrate, noise_for as noise_for
from .profile import largest_epsilon as largest_epsilon
from .search import Together as Together
from .shapes import (
    AllOf as AllOf,
    AnyOf as AnyOf,
    RatioFunction as RatioFunction,
    RatioTable as RatioTable,
    ratio_or_posterior as ratio_or_posterior,
)
from .sheet import budgets as budgets, justify as justify
from .solving import budget_curve as budget_curve, budget_map as budget_map, solve as solve
