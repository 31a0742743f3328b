"""Where a privacy loss went, query by query, and how much of it concerns what one cares about."""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
