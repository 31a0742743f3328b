"""Descriptions of releases: read and written as files, imported from the public registry.

What a release is: `release` (its notes: `notes`). The file format and its errors: `model`, what may
stand in it: `values`, the promises it knows: `forms`. Reading and writing: `files`, `loading`.
Numbers and words as people spell them: `spelling`. DP-SGD in the words of its logs: `training`,
how its batches are drawn: `schemes`, what to warn of: `cautions`. The public registry: `registry`,
as shipped: `published`. Files and objects of other tools: `tools`.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
