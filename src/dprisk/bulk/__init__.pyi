from . import engines as engines
from .adding import add_up as add_up
from .asked import OUTPUTS as OUTPUTS, REASON as REASON, TableQuestion as TableQuestion
from .batches import kernel as kernel
from .inputs import REASONS as REASONS
from .running import run as run
