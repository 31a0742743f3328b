"""What the definitions of privacy say about one small mechanism, exactly: the laboratory."""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
