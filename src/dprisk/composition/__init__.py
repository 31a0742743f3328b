"""How releases about the same people are composed, and how the whole is read.

Which file to open: `composing`, the best bound that is known for all of them; `theorems`, the rules
of the textbooks about parameters; `basis`, what was run against what is stated, and which parts
count; `analysis`, one release composed once and read once; `opinion`, what another tool states,
against the certified bracket; `certificates`, what a program needs to check an answer. Symbols are
those of docs/notation.md.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
