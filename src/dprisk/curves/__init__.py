"""Bounds along one quantity, as data and as figures, each with its table and its words.

The data come first in each file: `lines` and `line_figures` (what a guarantee is as a curve),
`over_priors` (beliefs), `rungs` (a ladder of theorems, which `ladder_theorems` climbs with the
bounds in `ladder_bounds`), `mechanisms` (noise, outputs), `budgets`, `concerns` (of allocations),
and `counts` (icons, rows of tables, what an account has spent). `figure` has title, legend, source
and files, `look` colors.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
