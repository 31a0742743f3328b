"""The page that needs no server: one HTML file in which a promise can be moved and read as risk."""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
