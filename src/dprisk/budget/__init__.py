"""The budget from the risk that is tolerated: a risk profile in, the largest epsilon out."""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
