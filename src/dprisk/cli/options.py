"""Options that several commands share, and how their text becomes values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from dprisk.errors import InvalidInput
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.releases.release import Part

GUARANTEE = fill("help.panel.guarantee")
MOST = 10**9
MANY = 50

Epsilon = Annotated[
    str | None, typer.Option(help=fill("help.options.epsilon"), rich_help_panel=GUARANTEE)
]
Delta = Annotated[
    str | None, typer.Option(help=fill("help.options.delta"), rich_help_panel=GUARANTEE)
]
Rho = Annotated[str | None, typer.Option(help=fill("help.options.rho"), rich_help_panel=GUARANTEE)]
Xi = Annotated[str | None, typer.Option(help=fill("help.options.xi"), rich_help_panel=GUARANTEE)]
Mu = Annotated[str | None, typer.Option(help=fill("help.options.mu"), rich_help_panel=GUARANTEE)]
Alpha = Annotated[
    str | None, typer.Option(help=fill("help.options.alpha"), rich_help_panel=GUARANTEE)
]
Gamma = Annotated[
    str | None, typer.Option(help=fill("help.options.gamma"), rich_help_panel=GUARANTEE)
]
Definition = Annotated[
    str | None,
    typer.Option(
        help=fill("help.options.definition"),
        rich_help_panel=GUARANTEE,
    ),
]
Neighbors = Annotated[
    str | None,
    typer.Option(help=fill("help.options.neighbors")),
]
Json = Annotated[bool, typer.Option("--json", help=fill("help.options.json"))]
Force = Annotated[bool, typer.Option("--force", help=fill("help.options.force"))]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help=fill("help.options.quiet"))]


UNITS = {"MIB": 2**20, "GIB": 2**30, "TIB": 2**40, "MB": 1e6, "GB": 1e9, "TB": 1e12}


def number(name: str, text: str) -> float:
    """A number in decimal text, or an error that names the option."""
    from dprisk.releases.decimals import as_decimal, hint

    written = as_decimal(text)
    if written is None:
        fix = fill("cli.fix.number", hint=hint(text)).lstrip()
        raise InvalidInput(name, text, "a number in decimal text", fix)
    return float(written)


def numbers(name: str, texts: Sequence[str] | None) -> list[float]:
    """Numbers in decimal text: as many as somebody can still read."""
    given = list(texts or ())
    if len(given) > MANY:
        fix = fill("cli.fix.fewer")
        raise InvalidInput(name, len(given), f"given at most {MANY} times", fix)
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
        fix = fill("cli.fix.size")
        raise InvalidInput(name, text, "an amount of memory", fix) from None


def whole_number(name: str, text: str) -> int:
    """A whole number of at least 1, or an error that names the option."""
    digits = text.isascii() and text.isdigit() and not text.startswith("0")
    digits = digits and len(text) <= len(str(MOST))
    if not digits or not 1 <= int(text) <= MOST:
        raise InvalidInput(
            name, text, "a whole number from 1 to 10^9", "Write it in digits, such as 12."
        )
    return int(text)


def day(name: str, text: str) -> str:
    """A date, or nothing."""
    from dprisk.releases.words import DATE, is_date

    if text and not is_date(text):
        raise InvalidInput(name, text, "a date that there is", f"Write it as {DATE}.")
    return text


class Typed(NamedTuple):
    """A guarantee as options give it, in text; None where one is left out."""

    epsilon: str | None = None
    delta: str | None = None
    rho: str | None = None
    xi: str | None = None
    mu: str | None = None
    alpha: str | None = None
    gamma: str | None = None
    definition: str | None = None

    @property
    def parameters(self) -> dict[str, str]:
        """Those that are given, by name."""
        named = self._asdict()
        del named["definition"]
        return {name: text for name, text in named.items() if text is not None}

    def part(self, neighbors: str | None) -> Part:
        """The part of a release that it makes, with its text as given."""
        from dprisk.releases.forms import matching
        from dprisk.releases.release import Part

        given = self.parameters
        form = matching(given, defined(self.definition))
        relation = related(neighbors)
        values: dict[str, Any] = {name: number(f"--{name}", text) for name, text in given.items()}
        return Part(form.make(**values, neighbors=relation), given=given)


def related(neighbors: str | None, name: str = "--neighbors") -> Any:
    """The relation of neighbors, which has to be said."""
    from dprisk._checks import one_of
    from dprisk.guarantees.base import NEIGHBORS
    from dprisk.releases.words import NEIGHBORS as OTHER
    from dprisk.releases.words import meant

    if neighbors is None:
        raise InvalidInput(
            name,
            None,
            "add-remove or replace-one",
            "A promise means nothing without its neighbors. Add --neighbors add-remove (with and "
            "without a record) or --neighbors replace-one (another record in its place).",
        )
    return one_of(name, meant(OTHER, neighbors), NEIGHBORS)


def defined(definition: str | None) -> Any:
    """A definition of privacy by its name here, where it was called by another."""
    from dprisk.releases.words import DEFINITIONS, meant

    return meant(DEFINITIONS, definition)


def mechanism(kind: str, pairs: list[str], neighbors: str | None) -> Any:
    """The mechanism that a kind and ``name=value`` arguments make, as in a release file."""
    from dprisk._checks import one_of
    from dprisk.mechanisms import KINDS
    from dprisk.releases.words import dp_sgd

    make: Any = KINDS[one_of("--mechanism", kind, KINDS)]
    known = [field.name for field in fields(make) if field.name != "neighbors"]
    found: dict[str, float] = {}
    split = dict(pair.partition("=")[::2] for pair in pairs)
    other = dp_sgd({"kind": kind, **split})
    if other and not set(split) <= set(known):
        problem, fix = other
        raise InvalidInput(
            "a parameter", next(iter(split)), f"one of {', '.join(known)}", f"{problem} {fix}"
        )
    for pair in pairs:
        name, sign, text = pair.partition("=")
        if not sign or name in found:
            fix = fill("cli.fix.takes", kind=kind, names=", ".join(known))
            raise InvalidInput("a parameter", pair, "written once, as name=value", fix)
        found[one_of("a parameter", name, known)] = number(name, text)
    missing = [
        field.name
        for field in fields(make)
        if field.name in known and field.name not in found and field.default is MISSING
    ]
    if missing:
        fix = fill("cli.fix.such-as", kind=kind, example=" ".join(f"{name}=1" for name in known))
        raise InvalidInput(missing[0], None, f"given with --mechanism {kind}", fix)
    return make(**found, neighbors=related(neighbors))


def limits(texts: list[str]) -> dict[Any, float]:
    """``metric=value`` options as a mapping."""
    found: dict[Any, float] = {}
    for text in texts:
        metric, sign, value = text.partition("=")
        if not sign:
            raise InvalidInput(
                "--limit", text, "a metric and a value", "Write it as posterior=0.8."
            )
        name = metric.strip()
        if name in found:
            raise InvalidInput("--limit", text, f"given once for the {name}", "Leave one out.")
        found[name] = number(f"--limit {name}", value.strip())
    return found
