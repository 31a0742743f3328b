"""``dprisk audit``: what every definition says about one small mechanism, and claims about it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dprisk.cli import options, show
from dprisk.cli.waiting import waiting
from dprisk.errors import InvalidInput
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.audit import BlackBox, Examined, Line

SAMPLES = fill("help.panel.samples")


def audit(
    file: Annotated[
        str,
        typer.Argument(help=fill("help.audit.file")),
    ],
    claim: Annotated[
        list[str] | None,
        typer.Option(help=fill("help.audit.claim")),
    ] = None,
    neighbors: Annotated[
        str,
        typer.Option(help=fill("help.audit.neighbors")),
    ] = "all",
    epsilon: Annotated[list[str] | None, typer.Option(help=fill("help.audit.epsilon"))] = None,
    delta: Annotated[list[str] | None, typer.Option(help=fill("help.audit.delta"))] = None,
    exact: Annotated[bool, typer.Option("--exact", help=fill("help.audit.exact"))] = False,
    normalize: Annotated[
        bool, typer.Option("--normalize", help=fill("help.audit.normalize"))
    ] = False,
    tolerance: Annotated[
        str,
        typer.Option(help=fill("help.audit.tolerance")),
    ] = "1e-9",
    samples: Annotated[
        bool,
        typer.Option(
            "--samples",
            help=fill("help.audit.samples"),
            rich_help_panel=SAMPLES,
        ),
    ] = False,
    level: Annotated[
        list[str] | None,
        typer.Option(help=fill("help.audit.level"), rich_help_panel=SAMPLES),
    ] = None,
    confidence: Annotated[
        str | None,
        typer.Option(
            help=fill("help.audit.confidence"),
            rich_help_panel=SAMPLES,
        ),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(help=fill("help.audit.seed"), rich_help_panel=SAMPLES),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """What a table of output probabilities keeps, exactly, and whether claims about it hold."""
    epsilons = options.numbers("--epsilon", epsilon)
    deltas = options.numbers("--delta", delta)
    levels = options.numbers("--level", level)
    sure = 0.95 if confidence is None else options.number("--confidence", confidence)
    start = 1 if seed is None else options.whole_number("--seed", seed)
    relaxed = options.number("--tolerance", tolerance)
    if samples:
        refused = {"--claim": claim, "--exact": exact, "--normalize": normalize}
        _left_out(refused, "with --samples, which shows lower bounds only")
        _left_out(
            {"--neighbors": neighbors if neighbors != "all" else None},
            "with --samples, which has two columns",
        )
        with waiting("Searching"):
            made = _sampled(file, epsilons, deltas, levels, sure, start)
        _print_samples(made, json, quiet)
        return
    alone = {"--level": level, "--confidence": confidence, "--seed": seed}
    _left_out(alone, "without --samples")
    examined = _examined(
        file,
        claims=claim or [],
        neighbors=neighbors,
        epsilon=epsilons or None,
        delta=deltas or None,
        exact=exact,
        normalize=normalize,
        tolerance=relaxed,
    )
    _print(examined, Path(file).name, json, quiet)
    if not examined.kept:
        raise typer.Exit(3)


def _left_out(given: dict[str, Any], why: str) -> None:
    for name, value in given.items():
        if value not in (None, False, []):
            raise InvalidInput(
                name, "given" if isinstance(value, (bool, list)) else value, f"left out {why}"
            )


def _examined(file: str, *, neighbors: str, normalize: bool, **asked: Any) -> Examined:
    from dprisk.audit import Claim, examine, read_edges, read_mechanism

    asked["claims"] = [Claim.of(text) for text in asked["claims"]]
    related = neighbors if neighbors in ("all", "hamming") else read_edges(_edges(neighbors))
    with waiting("Auditing"):
        mechanism = read_mechanism(file, normalize=normalize)
        return examine(mechanism, neighbors=related, **asked)


def _edges(name: str) -> str:
    """A file of pairs; a word that is neither a file nor known is misspelled."""
    if not Path(name).suffix and not os.path.exists(name):
        raise InvalidInput("--neighbors", name, "all, hamming or a CSV file with pairs of labels")
    return name


def _sampled(
    file: str,
    epsilons: list[float],
    deltas: list[float],
    levels: list[float],
    confidence: float,
    seed: int,
) -> BlackBox:
    from dprisk.audit import black_box, read_samples

    if not epsilons and not deltas and not levels:
        deltas, levels = [0.0], [0.05]
    first, second, names = read_samples(file)
    return black_box(
        first,
        second,
        delta=deltas,
        epsilon=epsilons,
        level=levels,
        confidence=confidence,
        seed=seed,
        names=names,
    )


def _print(made: Examined, name: str, json: bool, quiet: bool) -> None:
    from dprisk.explain.auditing import lines_in_words, verdict_in_words

    if json:
        show.as_json(made.to_dict())
        return
    verdicts = [verdict_in_words(verdict) for verdict in made.verdicts]
    if quiet and verdicts:
        show.lines(verdicts, "")
        return
    if not quiet:
        typer.echo(show.printable(name))
        show.lines(lines_in_words(made))
    if verdicts:
        show.heading(fill("cli.heading.claims"))
        show.lines(verdicts)
    if made.lines:
        typer.echo()
        headers = [
            fill("cli.column.quantity"),
            fill("cli.column.least"),
            fill("cli.column.most"),
            fill("cli.column.shown-by"),
        ]
        show.table(headers, [_row(line) for line in made.lines])
    if not quiet:
        _taken(made)


def _row(line: Line) -> list[str]:
    from dprisk.explain import at_least, at_most
    from dprisk.explain.auditing import asked, witness_in_words

    low, high = at_least(line.lower, 6), at_most(line.upper, 6)
    if line.rational is not None and len(str(line.rational)) <= 20:
        low = high = str(line.rational)
    return [asked(line), low, high, witness_in_words(line.witness)]


def _taken(made: Examined) -> None:
    """What the numbers are about."""
    if not made.lines:
        return
    show.heading(fill("cli.heading.about"))
    show.lines(
        [
            fill("cli.audit.raw"),
            fill("cli.audit.any"),
            fill("cli.audit.pointwise"),
        ]
    )


def _print_samples(made: BlackBox, json: bool, quiet: bool) -> None:
    from dprisk.explain.auditing import sample_in_words

    if json:
        show.as_json(made.to_dict())
        return
    findings = [sample_in_words(found, made) for found in made.findings]
    show.lines(findings, "" if quiet else "- ")
    if quiet:
        return
    show.heading(fill("cli.heading.searched"))
    show.lines([fill("cli.audit.searched", searched=made.searched, seed=made.seed)])
    show.heading(fill("cli.heading.assumed"))
    show.lines(made.assumptions)
