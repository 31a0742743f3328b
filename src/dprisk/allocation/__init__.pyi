from .files import census2020 as census2020, dhc2020 as dhc2020
from .combined import together as together
from .finding import scenarios as scenarios
from .finding import findings as findings
from .files import allocate as allocate, read_allocation as read_allocation
from .designing import design as design
from .comparing import candidates as candidates
