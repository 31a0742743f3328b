"""One document about one release: every number, its words, its reasons, and how to get it again."""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
