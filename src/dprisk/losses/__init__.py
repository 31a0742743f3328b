"""The privacy loss of one mechanism: its moments, and how well they are known.

Symbols are those of the notation page, docs/notation.md.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
