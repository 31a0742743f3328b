"""Mechanisms as frozen parameters, and the guarantee that each of them keeps.

Which file to open: `base`, what a mechanism answers. Noise: `laplace` (truncated, staircase),
`gaussian` (mixtures too), `matrix` (matrix mechanisms, trees), `integers` (geometric and discrete
Gaussian). Others: `randomized_response` (shuffled too), `selection` (exponential mechanism, answers
above a threshold), `pairs` (any two densities or distributions), `sample_release`. Which records
take part: `allocation` (each in a few steps, or in one of every epoch), `batches` (of a fixed size,
or with a largest one), `subsampled` (Poisson subsampling, by the mixtures of `subsampling`;
`sampled`, of any mechanism; `rates`, where a rate is only nearly known).
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
