"""Bounds along a quantity, as data: releases that go on, priors, limits, levels, noise."""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
