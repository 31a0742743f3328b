"""Bounds on what an adversary learns from a release.

Which file to open: `adversary`, who wants to know what; `posterior`, how far a belief can move, and
`ratio_tails`, how often it moves further; `exact`, how the posterior after one known mechanism is
distributed; `tests`, level and power; `counterfactual`, with the record against without it;
`joint`, being in the data and having a value, by the shifts of one step and two.
`closed_forms` has converses and independent records, `small_world` enumerates, and `rows` answers
for millions.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
