"""``--limit metric=value`` with priors, levels and a confidence, as limits for a search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dprisk.cli import options
from dprisk.errors import InvalidInput
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.budget import Tolerance

GROUP = fill("help.panel.group")
METRICS = (
    "posterior, difference, ratio, ratio_not, odds, power, advantage, predictive_value, epsilon"
)

Limit = Annotated[
    list[str] | None,
    typer.Option(help=fill("help.limits.limit", metrics=METRICS), rich_help_panel=GROUP),
]
Prior = Annotated[
    list[str] | None,
    typer.Option(
        help=fill("help.limits.prior"),
        rich_help_panel=GROUP,
    ),
]
Level = Annotated[
    list[str] | None,
    typer.Option(
        help=fill("help.limits.level"),
        rich_help_panel=GROUP,
    ),
]
Confidence = Annotated[
    str | None,
    typer.Option(
        help=fill("help.limits.confidence"),
        rich_help_panel=GROUP,
    ),
]
Secret = Annotated[
    str | None,
    typer.Option(
        help=fill("help.limits.secret"),
        rich_help_panel=GROUP,
    ),
]
OneSided = Annotated[
    bool,
    typer.Option(
        "--one-sided",
        help=fill("help.limits.onesided"),
        rich_help_panel=GROUP,
    ),
]
AtDelta = Annotated[
    str | None,
    typer.Option(
        help=fill("help.limits.atdelta"),
    ),
]


def typed_limits(
    texts: Sequence[str],
    *,
    priors: Sequence[str],
    levels: Sequence[str],
    confidence: str | None,
    secret: str | None,
    neighbors: str,
    one_sided: bool,
    at_delta: str | None,
) -> list[Tolerance]:
    """One limit for each metric, and for each prior and level that it depends on."""
    from dprisk._checks import one_of
    from dprisk.budget import AttackLimit, EpsilonLimit, InformedLimit

    natural = "membership" if neighbors == "add-remove" else "attribute"
    asked = secret or natural
    beliefs: list[float | None] = [*options.numbers("--prior", priors)]
    chances: list[float | None] = [*options.numbers("--level", levels)]
    sure = options.optional("--confidence", confidence)
    found: list[Tolerance] = []
    for metric, most in options.limits(list(texts)).items():
        name: Any = one_of("limit", metric, METRICS.split(", "))
        if name == "epsilon":
            found.append(EpsilonLimit(most, _delta(at_delta)))
        elif name in ("power", "advantage", "predictive_value"):
            at = [None] if name == "advantage" else chances or [None]
            before = (beliefs or [None]) if name == "predictive_value" else [None]
            found += [
                AttackLimit(name, most, level, prior, asked)  # type: ignore[arg-type]
                for level in at
                for prior in before
            ]
        else:
            found += [
                InformedLimit(
                    name,
                    most,
                    None if name == "odds" else prior,
                    sure,
                    asked,  # type: ignore[arg-type]
                    "one" if one_sided else "both",
                )
                for prior in (beliefs or [None] if name != "odds" else [None])
            ]
    return found


def _delta(text: str | None) -> float:
    if text is None:
        fix = fill("cli.fix.delta")
        raise InvalidInput("--at-delta", None, "given for a limit on epsilon", fix)
    return options.number("--at-delta", text)
