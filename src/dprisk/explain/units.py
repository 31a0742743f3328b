"""Whom a promise is about, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk.releases.units import is_below_person
from dprisk.text import fill, has

if TYPE_CHECKING:
    from dprisk.releases.release import Release

__all__ = ["in_question", "known", "spelled", "unit_of", "whom"]

PERSONS = frozenset({None, "person", "user"})


def known(release: Release) -> str:
    """What an adversary knows who knows all other records."""
    return fill("knows.person" if unit_of(release) is None else "knows.unit")


def in_question(secret: str, release: Release) -> str:
    """What an adversary asks, as it follows "that"."""
    key = f"{secret}.person" if unit_of(release) is None else f"{secret}.unit"
    return fill(key, who=whom(release))


def whom(release: Release) -> str:
    """Whom the promise is about: the privacy unit, which need not be a person."""
    unit = unit_of(release)
    if unit is None:
        return fill("who.person")
    every = release.releases > 1 and is_below_person(release.unit)
    return fill("who.every" if every else "who.unit", unit=unit)


def unit_of(release: Release) -> str | None:
    """The privacy unit in words; None for a whole person."""
    return None if release.normalized_unit in PERSONS else spelled(release)


def spelled(release: Release) -> str:
    """The privacy unit in words, one after the other where there are several."""
    return fill("and").join(map(_one_unit, str(release.normalized_unit).split(" + ")))


def _one_unit(unit: str) -> str:
    return fill(f"unit.{unit}") if has(f"unit.{unit}") else unit
