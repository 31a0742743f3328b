"""Composed privacy losses: each question about a sum, answered in a certified bracket.

`privacy_loss` is the guarantee that users ask, and `duality` reads power, levels and tails off its
profile. `profiles` picks the method for a sum; `methods` has them, one a file, behind the abstract
`LossSum` of `loss_sum`. `contour`, `abscissas`, `mgf`, `mgf_nodes` and `composed_decay` are what
lines are made of. `refinement` makes grids finer, `loss_distribution` is about raw outputs, and
`divergences` about orders. Symbols are those of the notation page, docs/notation.md.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
