"""Promises of privacy: one final class for each definition, and the ways between them.

Symbols are those of the notation page, docs/notation.md.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
