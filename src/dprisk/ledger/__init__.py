"""Privacy accounts of people: charges for everything released so far, and limits in risk.

Which file to open: `book`, what a ledger can be asked to do; `accounts` and `charges`, what is
opened and charged; `rules` and `filters`, how an account adds up; `concerns`, what single
attributes can show; `planning`, how much more it lets through; `parts`, releases as text. What is
kept: `entries`, the log; `state`, what it adds up to, each entry computed again; `kept`, the
summary beside it; `deciding`, what is added; `copies`, what is kept elsewhere; `store`, the
database. `words` says it.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
