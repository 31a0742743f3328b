from .files import census2020 as census2020
from .finding import scenarios as scenarios
from .finding import findings as findings
from .files import allocate as allocate, read_allocation as read_allocation
