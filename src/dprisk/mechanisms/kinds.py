"""The mechanisms by the name that they have in files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from dprisk import mechanisms
from dprisk.errors import refused
from dprisk.mechanisms.base import Mechanism


def by_kind(made: Iterable[type[Mechanism]]) -> dict[str, type[Mechanism]]:
    """Each by its kind, if it has one; two of a kind are refused."""
    found: dict[str, type[Mechanism]] = {}
    for each in sorted(made, key=lambda one: one.kind):
        if each.kind and found.setdefault(each.kind, each) is not each:
            other, name = found[each.kind].__name__, f"{each.__name__}.kind"
            raise refused("errors.kind-taken", name, each.kind, other=other)
    return found


KINDS: Mapping[str, type[Mechanism]] = MappingProxyType(
    by_kind(getattr(mechanisms, name) for name in dir(mechanisms) if not name.isupper())
)
