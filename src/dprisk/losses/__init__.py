"""The privacy loss of one mechanism: its moments, and how well they are known.

`base` says what every loss answers. `normal` (with randomized response), `laplace`, `atoms` (lists
of values), `discrete_gaussian` and `subsampled_normal` are the losses. `discretize` puts densities
on a lattice, and `mixtures` those of a subsample. The other files sum moments (`exponential_sums`,
`log_moments`, `gaussian_quadrature`) and bound their decay (`mgf_decay`, `shifted_contour`).
Symbols are those of the notation page, docs/notation.md.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
