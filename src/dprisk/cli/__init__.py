"""The command line: each command parses, makes one library call and renders."""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
