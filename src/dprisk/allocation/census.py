"""The production settings of the 2020 Census redistricting data."""

from __future__ import annotations

from functools import cache

from dprisk.allocation.allocations import Allocation


@cache
def census2020() -> Allocation:
    """How the 2020 Census redistricting data shared out its rho = 2.63."""
    from dprisk.allocation.files import read_allocation

    return read_allocation("census2020")
