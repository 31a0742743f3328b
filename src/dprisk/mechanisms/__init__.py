"""Mechanisms as frozen parameters, and the guarantee that each of them keeps.

Which file to open: `base`, what a mechanism answers. Noise: `laplace`, `truncated_laplace`,
`gaussian`, `integers` (geometric and discrete Gaussian). Others: `randomized_response`, `pairs`
(any two densities or distributions), `sample_release`. Poisson subsampling: `subsampled`, by the
mixtures of `subsampling`.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
