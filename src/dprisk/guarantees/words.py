"""A promise in words: as Python writes it, as a sentence names it; and who answers the rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from dprisk.text import english, has

if TYPE_CHECKING:
    from dprisk.guarantees.base import Guarantee

SYMBOLS: Final = {
    "epsilon": "ε",
    "delta": "δ",
    "rho": "ρ",
    "mu": "μ",
    "alpha": "α",
    "gamma": "γ",
    "xi": "ξ",
    "sigma": "σ",
}
MOST_NUMBERS: Final = 12  # of a list, as it is shown; of a longer one
AT_EITHER_END: Final = 3
ON_BELIEFS: Final = (
    "what someone can believe depends on who asks, and how surely. Write "
    "disclosure(guarantee).{name}(0.1) or assess(guarantee, prior=0.1)."
)
ELSEWHERE: Final = {
    "assess": "write assess(guarantee).",
    "attack": "write guarantee.power(0.05), or attack(guarantee) with attack from dprisk.risk.",
    "compose": "write compose([guarantee], [12]) for twelve releases.",
    "convert": 'write convert(guarantee, "approximate", delta=1e-6).',
    "counterfactual": 'write counterfactual(guarantee, adversary="rest-known").',
    "disclosure": "write disclosure(guarantee).",
    "loss": (
        "mechanisms have one, as in Laplace(...).loss(). A promise bounds the loss: "
        "loss_bound(0.01)."
    ),
    "report": "write report(guarantee), with report from dprisk.documents.",
    **dict.fromkeys(("difference", "odds", "posterior", "ratio"), ON_BELIEFS),
}
"""Who answers what is often asked of a guarantee."""
NEW_NAMES: Final = {
    "quick": "coarse",
    "summands": "additive_parameters",
    "survives_mixing": "symmetric_tradeoff",
}
"""New names of attributes."""


def in_full(promise: Guarantee) -> str:
    """A promise as Python makes it again, with all of its numbers."""
    return written(promise, repr)


def in_words(promise: Guarantee) -> str:
    """A promise by its definition and its numbers, as a sentence names it."""
    known = f"definition.{promise.definition}"
    name = english(known) if has(known) else promise.definition
    shown = [
        f"{SYMBOLS[key]} = {value:.12g}"
        for key, value in promise.parameters.items()
        if key in SYMBOLS and isinstance(value, float)
    ]
    return english("part.parameters", name=name, parameters=", ".join(shown)) if shown else name


def written(promise: Guarantee, number: Callable[[Any], str]) -> str:
    inside = ", ".join(f"{name}={number(value)}" for name, value in promise.parameters.items())
    return f"{type(promise).__name__}({inside}, neighbors={promise.neighbors!r})"


def short(value: Any) -> str:
    if not isinstance(value, list) or len(value) <= MOST_NUMBERS:
        return repr(value)
    ends = (", ".join(map(repr, some)) for some in (value[:AT_EITHER_END], value[-AT_EITHER_END:]))
    return f"[{', ..., '.join(ends)}]"
