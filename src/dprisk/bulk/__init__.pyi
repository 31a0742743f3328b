from .asked import Asked as Asked
from .batches import kernel as kernel
