"""The privacy loss of one mechanism: its moments, and how well they are known.

`base` says what every loss and pair of losses answers, and bounds Rényi divergences. The losses are
`normal` (with randomized response), `laplace`, `atoms` (lists of values), `discrete_gaussian` and
`subsampled_normal`. `discretize` puts densities on a lattice, `mixtures` those of a subsample. The
others sum moments (`exponential_sums`, `log_moments`, `gaussian_quadrature`) and bound their decay
(`mgf_decay`). Symbols are those of docs/notation.md.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
