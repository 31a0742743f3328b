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
from dprisk.text import fill


@final
@dataclass(frozen=True)
class FileForm:
    """A guarantee as keys of a file: those it needs, those it may have, and what they make."""

    required: tuple[str, ...]
    make: Callable[..., Guarantee]
    optional: tuple[str, ...] = ()
    definition: str | None = None

    def __str__(self) -> str:
        named = [f"definition: {self.definition}"] if self.definition else []
        return "{" + ", ".join([*named, *self.required]) + "}"


NAMED = tuple(
    FileForm(made.in_files, made, (), made.definition)
    for made in (getattr(guarantees, name) for name in dir(guarantees))
    if getattr(made, "in_files", ())
)
"""Definitions that say themselves how they are written."""

FORMS: tuple[FileForm, ...] = (
    FileForm(("epsilon",), PureDP),
    FileForm(("epsilon", "delta"), ApproxDP),
    FileForm(("rho",), ZeroConcentratedDP, ("xi", "delta")),
    FileForm(("mu",), GaussianDP),
    FileForm(("alpha", "gamma"), RenyiDP),
    FileForm(("epsilon", "delta"), ProbabilisticDP, ("sides",), "probabilistic"),
    FileForm(("epsilon", "delta"), ProbabilisticallyBoundedDP, (), "bounded"),
    *NAMED,
)
CHOICES = ", ".join(map(str, FORMS))
HEADS = ({"epsilon"}, {"rho"}, {"mu"}, {"alpha", "gamma"})


def matching(keys: Collection[str], definition: str | None = None) -> FileForm:
    """The form that a set of keys makes; an error that says what to do if there is none."""
    given = set(keys)
    for form in FORMS:
        required, most = set(form.required), {*form.required, *form.optional}
        named = (form.definition, getattr(form.make, "definition", None))
        if definition in named and required <= given <= most:
            return form
    name, shown = "a guarantee", ", ".join(sorted(given))
    if definition == "pure" and "delta" in given:
        got, allowed, fix = (
            fill(f"releases.forms.pure-delta.{part}") for part in ("got", "allowed", "fix")
        )
        raise InvalidInput(name, got, allowed, fix)
    both = fill("and")
    heads = [both.join(sorted(head & given)) for head in HEADS if head & given]
    if len(heads) > 1:
        fix = (
            f"{both.join(heads)} are separate guarantees: list them apart. If both promises "
            "add up, write two entries under `guarantees`. If one is the same promise "
            "stated in another way, write it under `stated_also`."
        )
        raise InvalidInput(name, shown, "one promise", fix)
    if definition:
        shown = f"definition: {definition}" + (f", {shown}" if shown else "")
    allowed = fill("releases.forms.one-of", choices=CHOICES)
    raise InvalidInput(
        name,
        shown or fill("releases.model.nothing-there"),
        allowed,
        "Write all the keys of one of them, and no others.",
    )


def built(written: Mapping[str, str], neighbors: Neighbors, definition: str | None) -> Guarantee:
    """The guarantee that parameters in decimal text make."""
    form = matching(written, definition)
    values = {name: _value(name, text) for name, text in written.items()}
    return form.make(**values, neighbors=neighbors)


def form_of(guarantee: Guarantee) -> FileForm:
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
