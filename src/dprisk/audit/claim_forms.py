"""How claims are written: their kinds, the numbers that make each, and text read as them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final, Literal

from dprisk._checks import FINITE, PROBABILITY, Domain, one_of
from dprisk.errors import InvalidInput
from dprisk.text import fill

Kind = Literal[
    "pure",
    "adp",
    "pdp",
    "pdp-both",
    "disclosure",
    "pbdp",
    "pointwise",
    "zcdp",
    "gdp",
    "rdp",
    "tv",
    "given",
]
PAIR: Final = ("epsilon", "delta")

CLAIMS: Final[Mapping[str, tuple[str, ...]]] = {
    "pure": ("epsilon",),
    **dict.fromkeys(("adp", "pdp", "pdp-both", "disclosure", "pbdp", "pointwise"), PAIR),
    "zcdp": ("rho",),
    "gdp": ("mu",),
    "rdp": ("alpha", "gamma"),
    "tv": ("tv",),
}
"""For each kind of claim that can be written, the numbers that make it."""

DOMAINS: Final = {
    "epsilon": FINITE,
    "delta": PROBABILITY,
    "rho": FINITE,
    "xi": FINITE,
    "mu": FINITE,
    "alpha": Domain(1.0, 1e6, low_open=True, advice=fill("errors.order")),
    "gamma": FINITE,
    "tv": PROBABILITY,
}
OPTIONAL: Final = {"zcdp": {"xi", "delta"}}


def kinds_of(names: Collection[str]) -> list[Any]:
    """The kinds that numbers with these names make."""
    given = set(names)
    return [
        kind
        for kind, needed in CLAIMS.items()
        if set(needed) <= given <= {*needed, *OPTIONAL.get(kind, ())}
    ]


def read(text: str) -> tuple[Kind, tuple[tuple[str, str], ...]]:
    """The kind of a claim that is written as text, and its numbers by name."""
    found: dict[str, str] = {}
    for part in text.split(","):
        name, sign, value = (piece.strip() for piece in part.partition("="))
        if not sign or not value or name in found:
            raise refused("audit.claim.pairs", text)
        found[one_of(fill("audit.claim.a-name"), name, (*DOMAINS, "kind"))] = value
    kind = found.pop("kind", None)
    kinds: list[Any] = kinds_of(found) if kind is None else [one_of("kind", kind, CLAIMS)]
    if not kinds:
        raise refused("audit.claim.one", text)
    return kinds[0], tuple(found.items())


def refused(key: str, value: Any, of: str = "audit.claim.a-claim", /, **words: Any) -> InvalidInput:
    """An error that shows what a claim looks like."""
    example = fill("audit.claim.example")
    return InvalidInput(fill(of, **words), value, fill(key, **words), example)
