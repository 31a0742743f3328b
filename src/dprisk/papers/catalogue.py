"""Every separation by its name, and the numbers that it needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, final

from dprisk._checks import one_of
from dprisk.errors import InvalidInput
from dprisk.papers import examples, responses
from dprisk.papers.pdp_witness import erasure
from dprisk.papers.separations import Separation

__all__ = ["SEPARATIONS", "separate"]

NUMBERS: Final = {
    "epsilon": "of what is kept, nats",
    "delta": "of what is kept",
    "beyond": "the epsilon that is not kept, nats",
    "failure": "the delta that is not kept",
    "factor": "K: a penalty of K delta",
    "count": "how many outputs, or n",
    "p": "how likely the input itself is",
}


@final
@dataclass(frozen=True)
class Recipe:
    """How a named separation is made."""

    says: str
    source: str
    needs: tuple[str, ...]
    make: Callable[..., Separation]


SEPARATIONS: Final[Mapping[str, Recipe]] = {
    "one-bit": Recipe(
        "a loss of epsilon more often than not, and a small delta at epsilon 0",
        "P4 Subtlety 2",
        ("epsilon",),
        examples.one_bit,
    ),
    "leaky": Recipe(
        "a condition on single outputs that does not keep anything",
        "P4 Subtlety 1",
        ("count",),
        examples.leaky,
    ),
    "four-outcomes": Recipe(
        "two outcomes that, merged, break probabilistic DP",
        "P4 Theorem 1",
        ("epsilon", "delta"),
        examples.four_outcomes,
    ),
    "erasure": Recipe(
        "P2 Lemma 2.3 is attained: there is no gap",
        "dprisk Proposition 14",
        ("epsilon", "delta", "failure"),
        erasure,
    ),
    "erasure-both": Recipe(
        "P0 Theorem 3.9 is attained",
        "dprisk Proposition 14",
        ("epsilon", "delta", "failure"),
        lambda epsilon, delta, failure: erasure(epsilon, delta, failure, sides="both"),
    ),
    "lemma-3-1": Recipe(
        "the input itself, or any other number alike",
        "P2 Lemma 3.1",
        ("epsilon", "delta", "beyond", "failure", "count", "p"),
        lambda epsilon, delta, beyond, failure, count, p: responses.response(
            epsilon, delta, not_pdp=(beyond, failure), count=count, p=p
        ),
    ),
    "theorem-3-2": Recipe(
        "with the same delta, no epsilon of probabilistic DP is implied",
        "P2 Theorem 3.2",
        ("epsilon", "delta", "beyond"),
        responses.fixed_delta,
    ),
    "corollary-3-4": Recipe(
        "a penalty of K delta leaves an epsilon of ln(1 + 1/K)",
        "P2 Corollary 3.4",
        ("epsilon", "delta", "factor", "beyond"),
        responses.bounded_penalty,
    ),
    "example-a-1": Recipe(
        "a limit on how far beliefs move, without probabilistic DP",
        "P0 Example A.1",
        ("epsilon", "delta"),
        examples.limited_difference,
    ),
    "example-4-9": Recipe(
        "post-processing raises a tail of the loss",
        "P1 Example 4.9",
        ("epsilon",),
        examples.two_responses,
    ),
    "example-5-6": Recipe(
        "one point of pbdp is not convex", "P1 Example 5.6", (), examples.not_convex
    ),
}
"""For each name what it shows, by which source, and the numbers that it needs."""


def separate(name: str, **numbers: Any) -> Separation:
    """The separation of a name.

    Parameters
    ----------
    name : str
        A key of `SEPARATIONS`.
    **numbers : Fraction, int, float or str
        Those that it needs: epsilon, delta, beyond, failure, factor, count, p. [0, inf)

    Returns
    -------
    Separation
        Written out, with its claims.

    Raises
    ------
    InvalidInput
        If the name is unknown, a number is missing, or one is given that it does not take.
    OutOfRange
        If a number is out of its range.
    Meaningless
        If the construction does not exist with these numbers.

    Examples
    --------
    >>> from dprisk.papers import separate
    >>> separate("theorem-3-2", epsilon=1, delta="0.1", beyond=2).verified()
    True
    """
    recipe = SEPARATIONS[one_of("name", name, SEPARATIONS)]
    needs = ", ".join(recipe.needs) or "none"
    for missing in recipe.needs:
        if numbers.get(missing) is None:
            fix = f"{name} takes {needs}; {missing} is {NUMBERS[missing]}."
            raise InvalidInput(missing, None, f"given with {name}", fix)
    given = {key: value for key, value in numbers.items() if value is not None}
    for extra, value in given.items():
        if extra not in recipe.needs:
            raise InvalidInput(extra, value, f"left out with {name}", f"It takes {needs}.")
    return recipe.make(**given)
