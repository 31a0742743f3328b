from .base import Loss as Loss, LossPair as LossPair
from .atoms import AtomicLoss as AtomicLoss
