from .composing import RULES as RULES, Rule as Rule, compose as compose
from .values import Composed as Composed
