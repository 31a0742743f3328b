"""What a command is about: a file, or a guarantee or a mechanism that is typed in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dprisk.cli import options
from dprisk.cli.options import Typed
from dprisk.errors import InvalidInput
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.releases.release import Part, Release

Written = Mapping[str, str | None]


def release(
    what: list[str] | None,
    mechanism: str | None,
    typed: Typed,
    said: Written,
    example: str,
    releases: str,
) -> Release:
    """The release that a file describes, or one of which only a number is known, so many times."""
    from dprisk.releases.release import Release

    found = subject(what, mechanism, typed, said, example)
    if not isinstance(found, Release):
        kind = "guarantee" if found.mechanism is None else "mechanism"
        found = Release.of(found, name=fill("cli.run", kind=kind), unit=said.get("unit"))
    return replace(found, releases=found.releases * options.whole_number("--releases", releases))


def each(
    what: list[str] | None, mechanism: str | None, typed: Typed, said: Written, example: str
) -> Any:
    """What is released time and again: a release, a mechanism or a guarantee."""
    from dprisk.releases.release import Part

    found = subject(what, mechanism, typed, said, example)
    return found.mechanism or found.guarantee if isinstance(found, Part) else found


def subject(
    what: list[str] | None, mechanism: str | None, typed: Typed, said: Written, example: str
) -> Release | Part:
    """What is released: a whole release from a file, or its only part.

    Parameters
    ----------
    what : list of str, optional
        A file, or with `mechanism` its parameters.
    mechanism : str, optional
        A kind of mechanism.
    typed : Typed
        A guarantee.
    said : mapping of str to str
        What is stated beside it (`neighbors`, `unit`), which a file has itself.
    example : str
        A command that works.
    """
    from dprisk.releases.files import read_release
    from dprisk.releases.release import Part

    guarantee = typed != Typed()
    files = [] if mechanism is not None or what is None else what
    if sum([bool(files), mechanism is not None, guarantee]) != 1:
        raise InvalidInput(
            "what is released",
            "several" if files or guarantee else None,
            "one of a file, a mechanism or a guarantee",
            f"Try: dprisk {example}",
        )
    if guarantee:
        return typed.part(said["neighbors"])
    if mechanism is not None:
        return Part.of(options.mechanism(mechanism, what or [], said["neighbors"]))
    if len(files) > 1:
        raise InvalidInput("files", len(files), "one")
    for name, value in said.items():
        if value is not None:
            fix = fill("cli.fix.in-file")
            raise InvalidInput(f"--{name}", value, "left out with a file", fix)
    return read_release(files[0])
