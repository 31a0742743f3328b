"""The guarantees that can be written in a file: a row each, and the keys that make it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, final

from dprisk import guarantees
from dprisk.errors import InvalidInput
from dprisk.guarantees import (
    ApproxDP,
    GaussianDP,
    Guarantee,
    ProbabilisticallyBoundedDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from dprisk.guarantees.base import Neighbors

__all__ = ["CHOICES", "FORMS", "Form", "built", "form_of", "matching"]


@final
@dataclass(frozen=True)
class Form:
    """A guarantee as keys of a file: those it needs, those it may have, and what they make."""

    required: tuple[str, ...]
    make: Callable[..., Guarantee]
    optional: tuple[str, ...] = ()
    definition: str | None = None

    def __str__(self) -> str:
        named = [f"definition: {self.definition}"] if self.definition else []
        return "{" + ", ".join([*named, *self.required]) + "}"


NAMED = tuple(
    Form(made.in_files, made, (), made.definition)
    for made in (getattr(guarantees, name) for name in dir(guarantees))
    if getattr(made, "in_files", ())
)
"""Definitions that say themselves how they are written."""

FORMS: tuple[Form, ...] = (
    Form(("epsilon",), PureDP),
    Form(("epsilon", "delta"), ApproxDP),
    Form(("rho",), ZeroConcentratedDP, ("xi", "delta")),
    Form(("mu",), GaussianDP),
    Form(("alpha", "gamma"), RenyiDP),
    Form(("epsilon", "delta"), ProbabilisticDP, ("sides",), "probabilistic"),
    Form(("epsilon", "delta"), ProbabilisticallyBoundedDP, (), "bounded"),
    *NAMED,
)
CHOICES = ", ".join(map(str, FORMS))
HEADS = ({"epsilon"}, {"rho"}, {"mu"}, {"alpha", "gamma"})


def matching(keys: Collection[str], definition: str | None = None) -> Form:
    """The form that a set of keys makes; an error that says what to do if there is none."""
    given = set(keys)
    for form in FORMS:
        required, most = set(form.required), {*form.required, *form.optional}
        named = (form.definition, getattr(form.make, "definition", None))
        if definition in named and required <= given <= most:
            return form
    if definition == "pure" and "delta" in given:
        raise InvalidInput(
            "a guarantee",
            "pure DP with a delta",
            "pure DP without delta, or approximate DP",
            "A promise with a delta is approximate DP: leave out the definition.",
        )
    heads = [" and ".join(sorted(head & given)) for head in HEADS if head & given]
    if len(heads) > 1:
        raise InvalidInput(
            "a guarantee",
            ", ".join(sorted(given)),
            "one promise",
            f"{' and '.join(heads)} are separate guarantees: list them apart. Promises that add up "
            "are two entries of `guarantees`; the same promise stated in another way belongs in "
            "`stated_also`.",
        )
    shown = [*([f"definition: {definition}"] if definition else []), *sorted(given)]
    fix = "Write all the keys of one of them, and no others."
    raise InvalidInput("a guarantee", ", ".join(shown) or "nothing", f"one of {CHOICES}", fix)


def built(written: Mapping[str, str], neighbors: Neighbors, definition: str | None) -> Guarantee:
    """The guarantee that parameters in decimal text make."""
    form = matching(written, definition)
    values = {name: _value(name, text) for name, text in written.items()}
    return form.make(**values, neighbors=neighbors)


def form_of(guarantee: Guarantee) -> Form:
    """The form in which a guarantee is written to a file."""
    for form in FORMS:
        if type(guarantee) is form.make:
            return form
    raise InvalidInput(
        "guarantee",
        guarantee,
        f"one that a file can hold: {CHOICES}",
        "Write an (epsilon, delta) that it implies.",
    )


def _value(name: str, text: str) -> Any:
    if name == "sides":
        return text
    numbers = [float(piece) for piece in text.split(",")]
    return numbers if "," in text else numbers[0]
