"""What everything released so far adds up to, for a person: accounts, charges, limits in risk."""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
