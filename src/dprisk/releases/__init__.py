"""Descriptions of releases: read and written as files, imported from the public registry.

What a release is: `release` (its notes: `notes`). The file format and its errors: `model`, the
promises it knows: `forms`. Reading and writing: `files`, `loading`. Numbers and words as
people spell them: `spelling`. The public registry: `registry`, as shipped: `published`.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
