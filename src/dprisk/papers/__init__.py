"""The papers: their figures, tables and printed numbers again, and their constructions.

`prints` compares a printed number with ours, `reproduction` lists the items and computes them,
each by its paper's module (`p0` to `p4`, with `census_figures` and `simulation` for P1), and
`pages` writes them. `examples`, `responses` and `pdp_witness` make `separations`.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
