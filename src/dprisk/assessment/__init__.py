"""A release and an adversary in, an assessment out: what can be learned, at most."""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
