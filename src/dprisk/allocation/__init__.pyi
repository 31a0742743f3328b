from .census import census2020 as census2020
from .comparing import Compared as Compared, scenarios as scenarios
from .exposure import Exposure as Exposure
from .figures import (
    FIGURES as FIGURES,
    TABLES as TABLES,
    Conjecture as Conjecture,
    Curve as Curve,
    census_figure as census_figure,
    census_table as census_table,
    conjecture as conjecture,
)
from .finding import FINDINGS as FINDINGS, Findings as Findings, findings as findings
from .reading import allocate as allocate, read_allocation as read_allocation
from .simulating import Simulated as Simulated, simulate as simulate
from .values import (
    Allocation as Allocation,
    Explanation as Explanation,
    Printed as Printed,
    Query as Query,
    Scenario as Scenario,
)
