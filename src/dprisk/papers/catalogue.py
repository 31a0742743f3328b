"""The separations by name, each with the numbers that its construction needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, final

from dprisk._checks import one_of
from dprisk.errors import InvalidInput, refused
from dprisk.papers import examples, responses
from dprisk.papers.pdp_witness import erasure
from dprisk.papers.separations import Separation
from dprisk.text import english, fill


@final
@dataclass(frozen=True)
class Recipe:
    """How a named separation is made."""

    name: str
    source: str
    needs: tuple[str, ...]
    make: Callable[..., Separation]

    @property
    def says(self) -> str:
        """What it shows, in a few words."""
        return english(f"papers.shows.{self.name}")


def _lemma_3_1(beyond: Any, failure: Any, **numbers: Any) -> Separation:
    return responses.response(not_pdp=(beyond, failure), **numbers)


RECIPES: Final[tuple[tuple[str, str, str, Callable[..., Separation]], ...]] = (
    ("one-bit", "P4 Subtlety 2", "epsilon", examples.one_bit),
    ("leaky", "P4 Subtlety 1", "count", examples.leaky),
    ("four-outcomes", "P4 Theorem 1", "epsilon delta", examples.four_outcomes),
    ("erasure", "dprisk Proposition 14", "epsilon delta failure", erasure),
    (
        "erasure-both",
        "dprisk Proposition 14",
        "epsilon delta failure",
        partial(erasure, sides="both"),
    ),
    ("lemma-3-1", "P2 Lemma 3.1", "epsilon delta beyond failure count p", _lemma_3_1),
    ("theorem-3-2", "P2 Theorem 3.2", "epsilon delta beyond", responses.fixed_delta),
    ("corollary-3-4", "P2 Corollary 3.4", "epsilon delta factor beyond", responses.bounded_penalty),
    ("example-a-1", "P0 Example A.1", "epsilon delta", examples.limited_difference),
    ("example-4-9", "P1 Example 4.9", "epsilon", examples.two_responses),
    ("example-5-6", "P1 Example 5.6", "", examples.not_convex),
)

SEPARATIONS: Final[Mapping[str, Recipe]] = {
    name: Recipe(name, source, tuple(needs.split()), make) for name, source, needs, make in RECIPES
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
            what = fill(f"papers.number.{missing}")
            fix = fill("papers.needs", name=name, needs=needs, missing=missing, what=what)
            raise InvalidInput(missing, None, fill("papers.given-with", name=name), fix)
    given = {key: value for key, value in numbers.items() if value is not None}
    for extra, value in given.items():
        if extra not in recipe.needs:
            raise refused("papers.left-out", extra, value, name=name, needs=needs)
    return recipe.make(**given)
