"""Laboratory that asks every definition of privacy about one small mechanism, exactly.

`finite` and `relation` hold the table and who is compared, `files` reads them. `exact` asks every
definition in fractions, `brackets` in nats, both one pair at a time by `pairs`, which has
divergences as well. `claims` and `examination` decide what is claimed, `postprocessing` and
`axioms` look for what breaks a definition. `samples` needs outputs only.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
