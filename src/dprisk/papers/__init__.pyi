from .census_figures import census_figure as census_figure, census_table as census_table
from .pages import write_reproduction as write_reproduction
from .pdp_witness import erasure as erasure, separate as separate, witness as witness
from .prints import Print as Print, verdict as verdict
from .reproduction import items as items, reproduce as reproduce
