from dprisk.table import Table as Table
from .prints import (
    VERDICTS as VERDICTS,
    Claim as Claim,
    Explained as Explained,
    Formula as Formula,
    Print as Print,
    verdict as verdict,
)
from .registry import PAPERS as PAPERS, items as items, printed_in as printed_in
from .running import reproduce as reproduce
from .values import (
    REPRODUCTION as REPRODUCTION,
    Check as Check,
    Item as Item,
    Made as Made,
    Reproduced as Reproduced,
    Reproduction as Reproduction,
)
from .writing import write_reproduction as write_reproduction
