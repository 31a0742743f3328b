"""Bounds along one quantity, as data and as figures, each with its table and its words.

One file a figure, the data first: `over_priors` (beliefs), `rungs` (a ladder of theorems, which
`ladder_theorems` climbs with the bounds in `ladder_bounds`), `lines` and `line_figures` (what a
guarantee is as a curve), `noise`, `outputs` (delta as an area), `budgets`, `icons`, `spent` and
`table_rows`. `figure` has title, legend and source, `look` colors and axes, `saving` files.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
