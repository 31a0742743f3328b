from .batches import answer as answer
from .inputs import REASONS as REASONS
from .batches import kernel as kernel
from .people import add_up as add_up
from .question import OUTPUTS as OUTPUTS, REASON as REASON, TableQuestion as TableQuestion
from .running import run as run
