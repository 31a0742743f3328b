"""The papers, reproduced: every figure and table as data, every printed number beside ours."""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
