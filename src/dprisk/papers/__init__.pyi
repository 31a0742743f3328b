from .pdp_witness import separate as separate
from .census_figures import (
    census_figure as census_figure,
    census_table as census_table,
    conjecture as conjecture,
)
from .separations import middle as middle
from .pages import write_reproduction as write_reproduction
from .pdp_witness import erasure as erasure, witness as witness
from .prints import Print as Print, verdict as verdict
from .reproduction import items as items, reproduce as reproduce
from .simulation import simulate as simulate
