"""The mechanisms by the name that they have in files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from dprisk import mechanisms
from dprisk.errors import InvalidInput
from dprisk.mechanisms.base import Mechanism
from dprisk.text import fill

__all__ = ["KINDS", "by_kind"]


def by_kind(made: Iterable[type[Mechanism]]) -> dict[str, type[Mechanism]]:
    """Each by its kind, if it has one; two of a kind are refused."""
    found: dict[str, type[Mechanism]] = {}
    for each in sorted(made, key=lambda one: one.kind):
        if each.kind and found.setdefault(each.kind, each) is not each:
            taken = fill("errors.kind-taken", other=found[each.kind].__name__)
            raise InvalidInput(f"{each.__name__}.kind", each.kind, taken)
    return found


KINDS: Mapping[str, type[Mechanism]] = MappingProxyType(
    by_kind(getattr(mechanisms, name) for name in dir(mechanisms) if not name.isupper())
)
