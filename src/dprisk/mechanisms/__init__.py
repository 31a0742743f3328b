"""Mechanisms as frozen parameters, and the guarantee that each of them keeps."""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
