"""``dprisk convert``: from one definition of privacy to another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dprisk._asking import options, reading
from dprisk._asking.options import NUMBER, WORD, Text, option
from dprisk._asking.reading import unclear
from dprisk._checks import one_of
from dprisk.cli import show
from dprisk.cli.output import Output
from dprisk.cli.waiting import waiting
from dprisk.text import fill
from dprisk.text.rounding import at_most

if TYPE_CHECKING:
    from dprisk.guarantees.base import Guarantee
    from dprisk.guarantees.convert import Converted


def convert(
    *,
    to: Annotated[Text, option("help.convert.to", WORD)] = None,
    promise: options.Promise,
    at_epsilon: Annotated[Text, option("help.convert.at-epsilon", NUMBER)] = None,
    at_delta: Annotated[Text, option("help.convert.at-delta", NUMBER)] = None,
    at_alpha: Annotated[Text, option("help.convert.at-alpha", NUMBER)] = None,
    sides: Annotated[str, option("help.convert.sides", WORD)] = "both",
    to_neighbors: Annotated[Text, option("help.convert.to-neighbors", WORD)] = None,
    every: Annotated[bool, option("help.convert.every", None, "--all")] = False,
    output: Output,
) -> None:
    """Print the strongest guarantee of another definition that follows."""
    from dprisk.guarantees.base import SIDES
    from dprisk.guarantees.convert import conversions

    to = reading.defined(to)
    one_of("--sides", sides, SIDES)
    given: dict[str, Text] = {"epsilon": at_epsilon, "delta": at_delta, "alpha": at_alpha}
    if to is None:
        _no_target(to_neighbors, every, sides, given)
    promise, point = _landing(to, promise, given)
    known = promise.part().guarantee
    if to_neighbors is not None:
        known = known.for_neighbors(reading.related(to_neighbors, "--to-neighbors"))
    if to is None and to_neighbors is not None:
        output.show(_plain(known), lambda: typer.echo(repr(known)), lambda: typer.echo(repr(known)))
        return
    if to is None:
        with waiting("convert"):
            reached = _everywhere(known, point, sides)
        output.show(
            [_data(target, ways) for target, ways in reached.items()],
            lambda: _overview(reached),
            lambda: _overview(reached),
        )
        return
    with waiting("convert"):
        ways = conversions(known, to, **point, sides=sides)  # type: ignore[arg-type]
    chosen = ways if every else ways[:1]
    output.show(
        [_plain(way.guarantee) | _how(way) for way in chosen],
        lambda: typer.echo(_shown(chosen[0].guarantee)),
        lambda: _in_full(chosen),
    )


def _no_target(to_neighbors: Text, every: bool, sides: str, given: Mapping[str, Text]) -> None:
    """Without a definition to go to, there is no landing, and no looser way."""
    if to_neighbors is None:
        options.moot("a list of all definitions", {"--all": every})
        return
    at = {f"--at-{name}": text for name, text in given.items()}
    unused = {"--all": every, "--sides": sides != "both", **at}
    options.moot("--to-neighbors without --to", unused)


def _landing(
    to: str | None, promise: options.Promise, given: dict[str, Text]
) -> tuple[options.Promise, dict[str, Any]]:
    """Where to land: without an epsilon, the delta of a promise is where."""
    from dprisk.guarantees.convert import POINTS

    if promise.epsilon is None and to in POINTS and set(given.values()) == {None}:
        given["delta"], promise = promise.delta, promise._replace(delta=None)
    if to is None and set(given.values()) == {None}:
        given["delta"] = promise.delta
    at = [name for name in ("epsilon", "delta") if given[name] is not None]
    if (to in POINTS and len(at) != 1) or len(at) > 1:
        raise unclear("landing", to=to or POINTS[0])
    if to == "renyi" and given["alpha"] is None:
        raise unclear("order")
    said = {name: text for name, text in given.items() if text is not None}
    return promise, {name: reading.number(f"--at-{name}", text) for name, text in said.items()}


Reached = dict[str, "tuple[Converted, ...] | str"]


def _everywhere(known: Guarantee, point: dict[str, Any], sides: Any) -> Reached:
    """The ways to each definition, or why there is none."""
    from dprisk.errors import NoConversion
    from dprisk.guarantees.convert import POINTS, conversions
    from dprisk.guarantees.table import TARGETS

    found: Reached = {}
    for target in TARGETS:
        takes = ("epsilon", "delta") if target in POINTS else ("alpha",) * (target == "renyi")
        at = {name: value for name, value in point.items() if name in takes}
        if takes and not at:
            found[target] = fill(f"cli.convert.needs.{takes[-1]}")
            continue
        try:
            one_or_both: Any = sides if target == "probabilistic" else "both"
            found[target] = conversions(known, target, **at, sides=one_or_both)
        except NoConversion as error:
            found[target] = str(error)
    return found


def _data(target: str, ways: tuple[Converted, ...] | str) -> dict[str, Any]:
    if isinstance(ways, str):
        return {"definition": target, "reason": ways}
    return _plain(ways[0].guarantee) | _how(ways[0])


def _overview(reached: Reached) -> None:
    """The best way to each definition, then where there is none and why."""
    best = tuple(ways[0] for ways in reached.values() if not isinstance(ways, str))
    _in_full(best)
    missing = [f"{target}: {ways}" for target, ways in reached.items() if isinstance(ways, str)]
    show.section("cli.heading.no-conversion", missing)


def _plain(guarantee: Any) -> dict[str, Any]:
    return {name: getattr(guarantee, name) for name in ("definition", "parameters", "neighbors")}


def _how(way: Converted) -> dict[str, Any]:
    return {
        "exactness": way.by.exactness,
        "by": way.by.name,
        "theorem": way.by.theorem,
        "citation": way.by.theorem.citation,
    }


def _in_full(ways: tuple[Converted, ...]) -> None:
    rows = [[_shown(way.guarantee), _errs(way), way.by.name, str(way.by.theorem)] for way in ways]
    show.table(show.columns("implies", "parameter", "by-way-of", "theorem"), rows)
    typer.echo(fill("cli.convert.neighbors", neighbors=ways[0].guarantee.neighbors))


def _shown(guarantee: Any) -> str:
    values = guarantee.parameters.items()
    if any(isinstance(value, list) and len(value) > 3 for _, value in values):
        number = len(guarantee.parameters["levels"])
        return fill("cli.convert.corners", definition=guarantee.definition, number=number)
    inside = ", ".join(
        f"{name} = {at_most(value, 6) if isinstance(value, float) else value}"
        for name, value in values
    )
    return f"{guarantee.definition}: {inside}"


def _errs(way: Converted) -> str:
    return fill("cli.exactly" if way.by.exactness == "exact" else "cli.upper")
