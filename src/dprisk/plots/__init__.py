"""Figures: one function a picture, from curves to ink, with a table and words behind each."""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
