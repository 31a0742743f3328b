"""The privacy loss of one mechanism: its moments, and how well they are known.

`base` says what every loss and pair of losses answers, and bounds Rényi divergences. The losses are
`normal` (with randomized response), `laplace`, `atoms` (lists of values), `discrete_gaussian` and
`subsampled_normal`. `density` puts densities and mixtures of them on a lattice, between two losses
that `lattice` makes; `bounded_range` is for losses in a window,
`allocated` for random allocation, by sums on lattices (`powers`). The others sum moments
(`exponential_sums`, `log_moments` and `gaussian_quadrature`) and bound their decay (`mgf_decay`).
Symbols are those of docs/notation.md.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
