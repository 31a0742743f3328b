"""Promises of privacy: one final class for each definition, and the ways between them.

Which file to open: `base`, the six questions that every guarantee answers, and several composed.
The definitions: `pure`, `approximate`, `probabilistic`, `gaussian`, `laplace`, `tradeoff` (f-DP)
and `renyi` (Rényi DP, zCDP). How they answer: `piecewise` (polygons), `smooth` (curves by formula),
`orders` with `order_limits` and `tangents` (limits on divergences). `convert` has the ways between
definitions and `rules` their formulas; `words` names a promise. Symbols are those of
docs/notation.md.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
