"""The papers: their figures, tables and printed numbers again, and their constructions."""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
