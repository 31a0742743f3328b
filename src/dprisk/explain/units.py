"""Whom a promise is about, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk.releases.notes import is_below_person, units_in
from dprisk.text import fill, has

if TYPE_CHECKING:
    from dprisk.releases.release import Release


PERSONS = frozenset({None, "person", "user"})


def known(release: Release) -> str:
    """What an adversary knows who knows all other records, where a sentence first names them."""
    if unit_of(release) is None:
        return fill("knows.person")
    one = fill("who.one", unit=spelled(release, "and.one"))
    if _in_every(release):
        one = whom(release)
    key = "record.several" if _several(release) else "record.every"
    return fill("knows.except", record=fill(key, who=one))


def claimed(secret: str, release: Release) -> str:
    """What an adversary asks, as it follows "that", once `known` has named the record."""
    if unit_of(release) is None:
        return in_question(secret, release)
    number = "several" if _several(release) or _in_every(release) else "one"
    return fill(f"claimed.{secret}.{number}")


def in_question(secret: str, release: Release) -> str:
    """What an adversary asks, as it follows "that"."""
    key = f"{secret}.several" if _several(release) else f"{secret}.unit"
    if unit_of(release) is None:
        key = f"{secret}.person"
    return fill(key, who=whom(release), record=record(release))


def whom(release: Release) -> str:
    """Whom the promise is about: the privacy unit, which need not be a person."""
    unit = unit_of(release)
    if unit is None:
        return fill("who.person")
    if _in_every(release):
        return fill("who.every", unit=unit)
    return fill("who.unit", unit=spelled(release, "and.this"))


def one_record(release: Release) -> str | None:
    """What neighbors differ in, where it is more than one record."""
    if not _several(release):
        return None
    return fill("who.one", unit=spelled(release, "and.one"))


def record(release: Release) -> str:
    """What of theirs is in the data."""
    key = "record" if unit_of(release) is None else "record.every"
    return fill("record.several" if _several(release) else key, who=whom(release))


def gaps(release: Release) -> dict[str, str]:
    """The gaps of a sentence about them: who, what of theirs, and that they are in the data."""
    present = in_question("membership", release)
    return {"who": whom(release), "record": record(release), "present": present}


def the_record(release: Release) -> list[str]:
    """What assumptions call the record, where it is not that of a person."""
    if unit_of(release) is None:
        return []
    return [fill("assumed.record", record=record(release))]


def unit_of(release: Release) -> str | None:
    """The privacy unit in words; None for a whole person."""
    return None if release.normalized_unit in PERSONS else spelled(release)


def spelled(release: Release, joined: str = "and") -> str:
    """The privacy unit in words, one after the other where there are several."""
    return fill(joined).join(map(_one_unit, units_in(release.unit)))


def _several(release: Release) -> bool:
    return len(units_in(release.unit)) > 1


def _in_every(release: Release) -> bool:
    return release.releases > 1 and is_below_person(release.unit)


def _one_unit(unit: str) -> str:
    return fill(f"unit.{unit}") if has(f"unit.{unit}") else unit
