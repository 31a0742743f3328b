"""Tables of any size: one function over Arrow batches, on the engine that holds the data."""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
