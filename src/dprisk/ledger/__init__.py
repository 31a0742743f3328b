"""Privacy accounts of people: charges for everything released so far, and limits in risk."""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
