"""How the text of options becomes values, and what is said where it does not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import MISSING, fields
from os.path import isfile
from typing import TYPE_CHECKING, Any, Final

from dprisk.errors import DpriskError, InvalidInput, OutOfRange, WrongCall

if TYPE_CHECKING:
    from dprisk.guarantees import Guarantee
    from dprisk.releases.release import Part, Release


COUNT: Final = "count"  # of a mechanism: how often it is run, as in a release file
LARGEST: Final = 10**9
MOST_VALUES: Final = 50
UNDECIDED: Final = 0.1  # the prior for which both relations are shown
UNITS: Final = {"MIB": 2**20, "GIB": 2**30, "TIB": 2**40, "MB": 1e6, "GB": 1e9, "TB": 1e12}


def unclear(text: str, option: str | None = None) -> WrongCall:
    """The error about options that leave open what is meant; it says what to write instead."""
    error = WrongCall(text)
    error.option_name = option
    return error


def twice(option: str, number: int) -> WrongCall:
    """The error about an option that is given several times, and takes one value."""
    return unclear(f"{option} is given {number} times. Leave out all but one.", option)


def apart(one: str, other: str) -> WrongCall:
    """The error about two options that exclude each other."""
    return unclear(f"{one} and {other} cannot be used together. Leave one of them out.")


def number(name: str, text: str) -> float:
    """A number in decimal text, or an error that names the option."""
    from dprisk.releases.spelling import as_decimal, beyond, hint

    written = as_decimal(text)
    if written is None:
        far = beyond(text)
        if far == "zero":
            fix = "This one is too close to 0. Write a number such as 1e-6."
            raise InvalidInput(name, text, "0, or a number further from 0", fix)
        if far:
            allowed = "a number from -1.7e308 to 1.7e308"
            raise InvalidInput(name, text, allowed, "Write a number such as 1e6.")
        fix = f"{hint(text)} Write it out, such as 0.5 or 1e-6.".lstrip()
        raise InvalidInput(name, text, "a number in decimal text", fix)
    return float(written)


def numbers(name: str, texts: Sequence[str] | None) -> list[float]:
    """Numbers in decimal text: as many as someone can still read."""
    given = list(texts or ())
    if len(given) > MOST_VALUES:
        raise InvalidInput(
            name,
            len(given),
            f"given at most {MOST_VALUES} times",
            "Ask about fewer, or use the library.",
        )
    return [number(name, text) for text in given]


def optional(name: str, text: str | None) -> float | None:
    """A number in decimal text, or None where the option is left out."""
    return None if text is None else number(name, text)


def size(name: str, text: str) -> float:
    """Bytes, as a number or with a unit (MB, GB, TB; MiB, GiB, TiB)."""
    unit = next((unit for unit in UNITS if text.upper().endswith(unit)), "")
    try:
        return number(name, text[: len(text) - len(unit)].strip()) * UNITS.get(unit, 1)
    except InvalidInput:
        raise InvalidInput(
            name,
            text,
            "an amount of memory",
            "Write it in bytes, such as 4e9, or with a unit, such as 4GB.",
        ) from None


def whole_number(name: str, text: str, least: int = 1) -> int:
    """A whole number that is not below the least, or an error that names the option."""
    digits = text.isascii() and text.isdigit() and (text == "0" or not text.startswith("0"))
    if not digits or len(text) > len(str(LARGEST)) or not least <= int(text) <= LARGEST:
        raise InvalidInput(
            name, text, f"a whole number from {least} to 10^9, written in digits, such as 12"
        )
    return int(text)


def day(name: str, text: str) -> str:
    """A date, or nothing."""
    from dprisk.releases.spelling import DATE, is_date

    if text and not is_date(text):
        raise InvalidInput(name, text, "a real date", f"Write it as {DATE}.")
    return text


def related(
    neighbors: str | None,
    name: str = "--neighbors",
    made: Callable[[Any], Guarantee | Release] | None = None,
) -> Any:
    """The relation of neighbors, which has to be said; `made` shows what each would mean."""
    from dprisk.errors import one_of
    from dprisk.guarantees.base import NEIGHBORS
    from dprisk.releases.spelling import NEIGHBORS as OTHER
    from dprisk.releases.spelling import meant

    if neighbors is None:
        raise unclear(
            f"{name} is missing: a promise means nothing without its neighbors. Add {name} "
            f"add-remove (with and without a record) or {name} replace-one (another record in its "
            "place). If you know only the tool, see docs/neighbors.md: Which neighbors and δ does "
            f"my tool mean?{_both(made) if made else ''}",
            option=name,
        )
    return one_of(name, meant(OTHER, neighbors), NEIGHBORS)


def usual_secret(neighbors: str) -> str:
    """The question of an adversary that neighbors suggest."""
    return "membership" if neighbors == "add-remove" else "attribute"


def _both(made: Callable[[Any], Guarantee | Release]) -> str:
    """The meaning of a promise under either relation, for someone who knows neither."""
    from dprisk import Adversary, assess
    from dprisk.text.rounding import bounded, counted, out_of

    who = Adversary(secret="attribute", priors=(UNDECIDED,))
    ends, sure = [], None
    try:
        known = [made(relation) for relation in ("add-remove", "replace-one")]
    except OutOfRange:  # of a parameter: wrong whatever the relation is
        raise
    except DpriskError:  # one of the relations has no mechanism with this noise
        return ""
    for each in known:
        with suppress(OutOfRange):  # it limits nothing with any usual confidence
            (statement,) = assess(each, who).statements
            ends.append(bounded(statement.find("posterior", UNDECIDED).upper, upper=True))
            sure = statement.confidence
    if len(ends) < len(known):
        return ""
    cases = "" if sure is None else f", in at least {counted(sure, 100)} of 100 cases"
    before, (either, other) = out_of(UNDECIDED), ends
    return (
        " If you cannot find out, ask for both. Suppose someone thinks that a value of the "
        f"record is {before} likely. They can be led to {either} under add-remove, and to {other}"
        f" under replace-one{cases}. Only add-remove limits what someone can learn about being in"
        " the data."
    )


def defined(definition: str | None) -> Any:
    """A definition of privacy by its name here, where it was called by another."""
    from dprisk.releases.spelling import DEFINITIONS, meant

    return meant(DEFINITIONS, definition)


def mechanism(kind: str, pairs: list[str], neighbors: str | None) -> Part:
    """The mechanism that a kind and ``name=value`` arguments make, as often as ``count`` says."""
    from dprisk.errors import one_of
    from dprisk.mechanisms.base import kinds
    from dprisk.releases.release import Part, Release

    make: Any = kinds()[one_of("--mechanism", kind, kinds())]
    takes = {field.name: field for field in fields(make) if field.name != "neighbors"}
    known = [*takes, COUNT]
    names = ", ".join(known)
    found: dict[str, str] = {}
    for pair in pairs:
        name, sign, text = pair.partition("=")
        if not sign or name in found:
            raise InvalidInput(
                "a parameter", pair, "written once, as name=value", f"{kind} takes {names}."
            )
        found[one_of("a parameter", name, known)] = text
    for name, field in takes.items():
        if name not in found and field.default is MISSING:
            example = " ".join(f"{each}=1" for each in takes)
            raise unclear(f"{name} is missing. Example: --mechanism {kind} {example}")
    times = whole_number(COUNT, found.pop(COUNT, "1"))
    values = {
        name: _rows(name, text) if "tuple" in str(takes[name].type) else number(name, text)
        for name, text in found.items()
    }

    def run(relation: Any) -> Part:
        return Part.of(make(**values, neighbors=relation), times)

    return run(related(neighbors, made=lambda each: Release.of(run(each))))


def beside_files(texts: Sequence[str] | None) -> tuple[list[str], dict[str, str]]:
    """The names of files, and what is said beside them as ``name=value``."""
    files, said = [], {}
    for text in texts or ():
        name, sign, value = text.partition("=")
        if not sign or not name.isidentifier() or isfile(text):
            files.append(text)
        elif name in said:
            raise twice(name, 2)
        else:
            said[name] = value
    return files, said


def _rows(name: str, text: str) -> Any:
    """Numbers by commas, rows by semicolons."""
    from dprisk.releases.spelling import rows_of, rows_text

    written = rows_text(text)
    if written is None:
        allowed = "numbers with commas between them, and semicolons between rows"
        raise InvalidInput(name, text, allowed, "Write them such as 1,0.5 or '1,0;1,1'.")
    return rows_of(written)


def limits(texts: Sequence[str] | None) -> dict[Any, float]:
    """``metric=value`` options as a mapping."""
    found: dict[Any, float] = {}
    for text in texts or ():
        metric, sign, value = text.partition("=")
        name = metric.strip()
        if not sign:
            raise InvalidInput(
                "--limit", text, "a metric and a value", "Write it as posterior=0.8."
            )
        if name in found:
            raise twice(f"--limit {name}", 2)
        found[name] = number(f"--limit {name}", value.strip())
    return found
