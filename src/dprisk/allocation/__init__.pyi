from .census import census2020 as census2020
from .comparison import Compared as Compared, scenarios as scenarios
from .exposure import Exposure as Exposure
from .finding import FINDINGS as FINDINGS, Findings as Findings, findings as findings
from .files import allocate as allocate, read_allocation as read_allocation
from .allocations import (
    Allocation as Allocation,
    Explanation as Explanation,
    Printed as Printed,
    Query as Query,
    Scenario as Scenario,
)
