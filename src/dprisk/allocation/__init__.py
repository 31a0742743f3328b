"""Where a privacy loss went, query by query, and how much of it concerns what one cares about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk._lazy import lazy

if TYPE_CHECKING:
    from dprisk.allocation.census import census2020
    from dprisk.allocation.comparing import Compared, scenarios
    from dprisk.allocation.exposure import Exposure
    from dprisk.allocation.figures import (
        FIGURES,
        TABLES,
        Conjecture,
        Curve,
        census_figure,
        census_table,
        conjecture,
    )
    from dprisk.allocation.finding import FINDINGS, Findings, findings
    from dprisk.allocation.reading import allocate, read_allocation
    from dprisk.allocation.simulating import Simulated, simulate
    from dprisk.allocation.values import Allocation, Explanation, Printed, Query, Scenario

_WHERE = {
    "FIGURES": "dprisk.allocation.figures",
    "FINDINGS": "dprisk.allocation.finding",
    "TABLES": "dprisk.allocation.figures",
    "Allocation": "dprisk.allocation.values",
    "Compared": "dprisk.allocation.comparing",
    "Conjecture": "dprisk.allocation.figures",
    "Curve": "dprisk.allocation.figures",
    "Explanation": "dprisk.allocation.values",
    "Exposure": "dprisk.allocation.exposure",
    "Findings": "dprisk.allocation.finding",
    "Printed": "dprisk.allocation.values",
    "Query": "dprisk.allocation.values",
    "Scenario": "dprisk.allocation.values",
    "Simulated": "dprisk.allocation.simulating",
    "allocate": "dprisk.allocation.reading",
    "census2020": "dprisk.allocation.census",
    "census_figure": "dprisk.allocation.figures",
    "census_table": "dprisk.allocation.figures",
    "conjecture": "dprisk.allocation.figures",
    "findings": "dprisk.allocation.finding",
    "read_allocation": "dprisk.allocation.reading",
    "scenarios": "dprisk.allocation.comparing",
    "simulate": "dprisk.allocation.simulating",
}

__all__ = [
    "FIGURES",
    "FINDINGS",
    "TABLES",
    "Allocation",
    "Compared",
    "Conjecture",
    "Curve",
    "Explanation",
    "Exposure",
    "Findings",
    "Printed",
    "Query",
    "Scenario",
    "Simulated",
    "allocate",
    "census2020",
    "census_figure",
    "census_table",
    "conjecture",
    "findings",
    "read_allocation",
    "scenarios",
    "simulate",
]

__getattr__, __dir__ = lazy(__name__, _WHERE)
