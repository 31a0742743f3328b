"""The mechanisms by the name that they have in files."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dprisk import mechanisms
from dprisk.mechanisms.base import Mechanism

__all__ = ["KINDS"]


def _named() -> Mapping[str, type[Mechanism]]:
    made = [getattr(mechanisms, name) for name in dir(mechanisms) if not name.isupper()]
    return {each.kind: each for each in sorted(made, key=lambda one: one.kind) if each.kind}


KINDS: Mapping[str, type[Mechanism]] = MappingProxyType(_named())
