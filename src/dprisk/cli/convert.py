"""``dprisk convert``: from one definition of privacy to another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from dprisk._checks import one_of
from dprisk.cli import options, show
from dprisk.errors import InvalidInput
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.guarantees.convert import Converted

SIDES = ("both", "one")
POINTS = ("approximate", "probabilistic", "bounded")


def convert(
    to: Annotated[
        str | None,
        typer.Option(help=fill("help.convert.to")),
    ] = None,
    epsilon: options.Epsilon = None,
    delta: options.Delta = None,
    rho: options.Rho = None,
    xi: options.Xi = None,
    mu: options.Mu = None,
    alpha: options.Alpha = None,
    gamma: options.Gamma = None,
    definition: options.Definition = None,
    at_epsilon: Annotated[str | None, typer.Option(help=fill("help.convert.at-epsilon"))] = None,
    at_delta: Annotated[
        str | None,
        typer.Option(help=fill("help.convert.at-delta")),
    ] = None,
    at_alpha: Annotated[str | None, typer.Option(help=fill("help.convert.at-alpha"))] = None,
    sides: Annotated[str, typer.Option(help=fill("help.convert.sides"))] = "both",
    neighbors: options.Neighbors = None,
    to_neighbors: Annotated[
        str | None, typer.Option(help=fill("help.convert.to-neighbors"))
    ] = None,
    every: Annotated[bool, typer.Option("--all", help=fill("help.convert.every"))] = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """The strongest guarantee of another definition that follows from the one typed in."""
    if to is None and to_neighbors is None:
        raise InvalidInput("--to", None, "a definition of privacy", "Try: --to approximate")
    to = options.defined(to)
    one_of("--sides", sides, SIDES)
    typed = options.Typed(epsilon, delta, rho, xi, mu, alpha, gamma, definition)
    landing: dict[str, str | None] = {"epsilon": at_epsilon, "delta": at_delta, "alpha": at_alpha}
    if epsilon is None and to in POINTS and all(text is None for text in landing.values()):
        landing["delta"], typed = delta, typed._replace(delta=None)
    at = [name for name in ("epsilon", "delta") if landing[name] is not None]
    if to in POINTS and len(at) != 1:
        raise InvalidInput(
            "--at-delta or --at-epsilon",
            " and ".join(at) or None,
            f"given, one of them, when converting to {to}",
            "Say where to land, such as --at-delta 1e-6; --epsilon and --delta are what is known.",
        )
    known = typed.part(neighbors).guarantee
    if to_neighbors is not None:
        known = known.for_neighbors(options.related(to_neighbors, "--to-neighbors"))
    if to is None:
        _print_guarantee(known, json)
        return
    from dprisk.guarantees.convert import conversions

    point: dict[str, Any] = {
        name: options.number(f"--at-{name}", text)
        for name, text in landing.items()
        if text is not None
    }
    ways = conversions(known, to, **point, sides=sides)  # type: ignore[arg-type]
    _print(ways if every else ways[:1], json, quiet)


def _print_guarantee(guarantee: Any, json: bool) -> None:
    data = {
        fill("cli.column.definition"): guarantee.definition,
        fill("cli.column.parameters"): guarantee.parameters,
        fill("cli.column.neighbors"): guarantee.neighbors,
    }
    show.as_json(data) if json else typer.echo(repr(guarantee))


def _print(ways: tuple[Converted, ...], json: bool, quiet: bool) -> None:
    data = [_plain(way) for way in ways]
    if json:
        show.as_json(data)
        return
    rows = [[_shown(way.guarantee), _errs(way), way.by.name, str(way.by.theorem)] for way in ways]
    if quiet:
        typer.echo(rows[0][0])
        return
    show.table(
        [
            fill("cli.column.implies"),
            fill("cli.column.parameter"),
            fill("cli.column.by-way-of"),
            fill("cli.column.theorem"),
        ],
        rows,
    )
    typer.echo(fill("cli.convert.neighbors", neighbors=ways[0].guarantee.neighbors))


def _plain(way: Converted) -> dict[str, Any]:
    return {
        "definition": way.guarantee.definition,
        "parameters": way.guarantee.parameters,
        "neighbors": way.guarantee.neighbors,
        "exactness": way.by.exactness,
        "by": way.by.name,
        "theorem": str(way.by.theorem),
        "citation": way.by.theorem.citation,
    }


def _shown(guarantee: Any) -> str:
    from dprisk.explain.rounding import at_most

    values = guarantee.parameters.items()
    if any(isinstance(value, list) and len(value) > 3 for _, value in values):
        return fill(
            "cli.convert.corners",
            definition=guarantee.definition,
            number=len(guarantee.parameters["levels"]),
        )
    inside = ", ".join(
        f"{name} = {at_most(value, 6) if isinstance(value, float) else value}"
        for name, value in values
    )
    return f"{guarantee.definition}: {inside}"


def _errs(way: Converted) -> str:
    return "exact" if way.by.exactness == "exact" else fill("cli.upper")
