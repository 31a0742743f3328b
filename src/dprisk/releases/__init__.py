"""Descriptions of releases: read and written as files, imported from the public registry."""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
