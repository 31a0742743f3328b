"""What composed privacy losses answer: each question about a sum, in a certified bracket.

`PrivacyLoss` asks the questions, `composed` picks the way that suits the losses, and a `Duality`
holds both directions of a pair. Symbols are those of the notation page, docs/notation.md.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
