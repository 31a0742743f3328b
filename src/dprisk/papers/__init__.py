"""The papers: their figures, tables and printed numbers again, and their constructions.

Which file to open: `reproduction`, the items and how each is computed, by its paper's module (`p0`,
`p1` with `census_figures`, `p3`, `p4` with P2); `prints`, a printed number beside ours; `pages`,
files; `constructions`, `on_numbers` (P2) and `pdp_witness`, mechanisms that tell definitions apart.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
