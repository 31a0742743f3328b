from dprisk.table import Table as Table
from .catalogue import SEPARATIONS as SEPARATIONS, separate as separate
from .census_figures import (
    FIGURES as FIGURES,
    TABLES as TABLES,
    Conjecture as Conjecture,
    census_figure as census_figure,
    census_table as census_table,
    conjecture as conjecture,
)
from .examples import (
    four_outcomes as four_outcomes,
    leaky as leaky,
    limited_difference as limited_difference,
    not_convex as not_convex,
    one_bit as one_bit,
    two_responses as two_responses,
)
from .middle_mechanism import Middle as Middle, middle as middle
from .pages import write_reproduction as write_reproduction
from .pdp_witness import NoSeparation as NoSeparation, erasure as erasure, witness as witness
from .prints import (
    VERDICTS as VERDICTS,
    Explained as Explained,
    Formula as Formula,
    Print as Print,
    Statement as Statement,
    verdict as verdict,
)
from .registry import (
    PAPERS as PAPERS,
    items as items,
    printed_in as printed_in,
    reproduce as reproduce,
)
from .reproduction import (
    REPRODUCTION as REPRODUCTION,
    Check as Check,
    Item as Item,
    Made as Made,
    Reproduced as Reproduced,
    Reproduction as Reproduction,
)
from .responses import (
    bounded_penalty as bounded_penalty,
    fixed_delta as fixed_delta,
    response as response,
    under_penalty as under_penalty,
)
from .separations import Separation as Separation
from .simulation import Simulated as Simulated, simulate as simulate
