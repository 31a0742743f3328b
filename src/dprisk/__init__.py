"""Disclosure risk: what a differential-privacy guarantee means for a person, and why.

Nothing is imported until it is used; ``import dprisk`` itself loads no other package.
"""

from dprisk._lazy import lazy

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
