"""Questions about every row of a table: which promise, which adversary, which numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple, final

import numpy as np

from dprisk._checks import (
    INSIDE,
    NONNEGATIVE,
    ORDER,
    PROBABILITY,
    Domain,
    assign,
    complement,
    scalar,
)
from dprisk.errors import DpriskError, InvalidInput, one_of
from dprisk.guarantees import (
    ApproxDP,
    GaussianDP,
    Guarantee,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from dprisk.guarantees.base import NEIGHBORS
from dprisk.risk.adversary import ATTACKS, METRICS, VALUE_PRIOR, must_be_tolerable
from dprisk.risk.joint import joint_disclosure

if TYPE_CHECKING:
    import pyarrow as pa


class PromiseKind(NamedTuple):
    """A definition of privacy as columns: its class, and the parameters that it takes."""

    make: Any
    parameters: tuple[str, ...]

    def made(self, values: tuple[float, ...], neighbors: str) -> Guarantee:
        guarantee: Guarantee = self.make(*values, neighbors=neighbors)
        return guarantee


class OutputColumn(NamedTuple):
    """A column that is asked for: the inputs that it needs, and the side on which it errs."""

    needs: tuple[str, ...]
    direction: str


DEFINITIONS: Final[Mapping[str, PromiseKind]] = {
    "pure": PromiseKind(PureDP, ("epsilon",)),
    "approximate": PromiseKind(ApproxDP, ("epsilon", "delta")),
    "concentrated": PromiseKind(ZeroConcentratedDP, ("rho",)),
    "gaussian": PromiseKind(GaussianDP, ("mu",)),
    "renyi": PromiseKind(RenyiDP, ("alpha", "gamma")),
}
DOMAINS: Final[Mapping[str, Domain]] = {
    "epsilon": NONNEGATIVE,
    "delta": PROBABILITY,
    "rho": NONNEGATIVE,
    "mu": NONNEGATIVE,
    "alpha": ORDER,
    "gamma": NONNEGATIVE,
    "prior": PROBABILITY,
    "value_prior": VALUE_PRIOR,
    "confidence": INSIDE,
    "failure": PROBABILITY,
    "level": PROBABILITY,
    "at_delta": PROBABILITY,
}
OUTPUTS: Final[Mapping[str, OutputColumn]] = {
    "posterior_at_most": OutputColumn(("prior",), "at most"),
    "posterior_at_least": OutputColumn(("prior",), "at least"),
    "odds_at_most": OutputColumn((), "at most"),
    "ratio_at_most": OutputColumn(("prior",), "at most"),
    "ratio_at_least": OutputColumn(("prior",), "at least"),
    "difference_at_most": OutputColumn((), "at most"),
    "worst_prior": OutputColumn((), "at least"),
    "power_at_most": OutputColumn(("level",), "at most"),
    "advantage_at_most": OutputColumn((), "at most"),
    "epsilon_at_most": OutputColumn(("at_delta",), "at most"),
    "both_at_most": OutputColumn(("prior", "value_prior"), "at most"),
}
JOINT: Final = "both_at_most"
TESTS: Final[Mapping[str, Callable[..., Any]]] = {
    "power_at_most": lambda promise, level: promise.power(level),
    "advantage_at_most": lambda promise: promise.advantage(),
    "epsilon_at_most": lambda promise, delta: promise.epsilon(delta),
}
"""Outputs that need no confidence, each with what it asks a promise (and of which number)."""
ALLOWED: Final = {"definition": tuple(DEFINITIONS), "neighbors": NEIGHBORS}
WORDS: Final = tuple(ALLOWED)
CURVES: Final = ("alpha", "gamma")
ONE: Final = "a column or one number for all rows"
REASON: Final = "dprisk_reason"
"""The column that says why a row lacks a number."""


@final
@dataclass(frozen=True)
class TableQuestion:
    """Question about every row of a table.

    Parameters
    ----------
    outputs : sequence of str
        The columns to add: ``posterior_at_most``, ``posterior_at_least``, ``odds_at_most``,
        ``ratio_at_most``, ``ratio_at_least``, ``difference_at_most`` (over every prior),
        ``worst_prior`` (at which that difference is reached), ``power_at_most``,
        ``advantage_at_most``, ``epsilon_at_most``; and ``both_at_most``, the belief that a person
        is in the data and has a value (`joint_disclosure`), where each distinct row takes
        up to a tenth of a second.
    columns : mapping of str to str
        From what is needed to the name of the column that has it: ``definition``, ``neighbors``,
        ``epsilon``, ``delta``, ``rho``, ``mu``, ``alpha``, ``gamma``, ``prior``,
        ``value_prior``, ``confidence`` (a decimal; or ``failure``, one minus that as the number it
        is), ``level``, ``at_delta``.
    constants : mapping of str to object
        The same, for what is one for all rows.

    Raises
    ------
    InvalidInput
        If a word is unknown, something is given twice, or an output lacks its input.
    OutOfRange
        If a constant is outside its range.

    Notes
    -----
    Under add-remove neighbors what is learned is whether a person is in the data, under replace-one
    neighbors what value the person has: one step each, both sides of an interval together.

    Examples
    --------
    >>> from dprisk.tables import TableQuestion
    >>> asked = TableQuestion(
    ...     outputs=["posterior_at_most"],
    ...     columns={"epsilon": "eps", "prior": "prior"},
    ...     constants={"definition": "pure", "neighbors": "add-remove"},
    ... )
    >>> asked.inputs
    ('epsilon', 'prior')
    """

    outputs: Sequence[str]
    columns: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        assign(self, outputs=tuple(dict.fromkeys(self.outputs)))
        assign(self, columns=dict(self.columns), constants=dict(self.constants))
        if not self.outputs:
            allowed = f"at least one of: {', '.join(OUTPUTS)}"
            raise InvalidInput("outputs", None, allowed, "Say which columns to add.")
        for output in self.outputs:
            one_of("outputs", output, tuple(OUTPUTS))
        known = (*WORDS, *DOMAINS)
        for name in (*self.columns, *self.constants):
            one_of("input", name, known)
        twice = set(self.columns) & set(self.constants)
        if {"confidence", "failure"} <= {*self.columns, *self.constants}:
            twice.add("failure")
        if twice:
            allowed = "a column or one number for all rows, not both"
            given = self.columns.get(min(twice))
            raise InvalidInput(min(twice), given, allowed, "Leave one of them out.")
        raise_together([*self._missing_words(), *self._missing_numbers(), *self._unused()])
        self._check_constants()

    @property
    def inputs(self) -> tuple[str, ...]:
        """The numbers that are used, in the order of `DOMAINS`."""
        given = {*self.columns, *self.constants}
        return tuple(name for name in DOMAINS if name in given)

    @property
    def definitions(self) -> tuple[str, ...]:
        """The definitions that rows may have."""
        given = self.constants.get("definition")
        return tuple(DEFINITIONS) if given is None else (given,)

    @property
    def from_losses(self) -> tuple[str, ...]:
        """The outputs that are read off the privacy loss, with a confidence."""
        return tuple(name for name in self.outputs if name not in TESTS)

    def _missing_words(self) -> Iterator[InvalidInput]:
        for name, allowed in ALLOWED.items():
            if name in self.constants:
                one_of(name, self.constants[name], allowed)
            elif name not in self.columns:
                words = f"one of: {', '.join(allowed)}; or a column of these words"
                fix = "It says what the numbers of a row mean."
                yield InvalidInput(name, None, words, fix)

    def _missing_numbers(self) -> Iterator[InvalidInput]:
        given = {*self.columns, *self.constants}
        if "definition" in self.constants:
            for name in DEFINITIONS[self.constants["definition"]].parameters:
                if name not in given:
                    yield InvalidInput(name, None, f"{ONE}: the definition needs it")
        for needs in dict.fromkeys(n for each in self.outputs for n in OUTPUTS[each].needs):
            if needs not in given:
                by = [output for output in self.outputs if needs in OUTPUTS[output].needs]
                yield InvalidInput(needs, None, f"{ONE}: {' and '.join(by)} needs it")

    def _unused(self) -> Iterator[InvalidInput]:
        """Errors on inputs that no definition of the rows takes and no output needs."""
        needed = {needs for output in self.outputs for needs in OUTPUTS[output].needs}
        if self.from_losses:
            needed |= {"confidence", "failure"}
        for name in self.definitions:
            needed |= {*DEFINITIONS[name].parameters}
        for name in self.inputs:
            if name not in needed:
                given = self.columns.get(name, self.constants.get(name))
                allowed = "left out: no definition and no output column uses it"
                fix = "Ask for an output that depends on it, or leave it out."
                yield InvalidInput(name, given, allowed, fix)

    def _check_constants(self) -> None:
        checked = {
            name: value if name in WORDS else scalar(name, value, DOMAINS[name])
            for name, value in self.constants.items()
        }
        assign(self, constants=checked)


def joint_at_most(
    promise: Guarantee, prior: float, value_prior: float, failure: float | None = None
) -> float:
    """The posterior that a person is in the data and has a value; NaN where nothing is bounded."""
    sure = 1.0 - failure if failure else None
    if sure is not None and float(complement(sure)) > (failure or 0.0):  # by a rounding
        sure = float(np.nextafter(sure, 1.0))
    try:
        return float(joint_disclosure(promise, value_prior, confidence=sure).posterior(prior).upper)
    except DpriskError:
        return np.nan


def joint_for_all(asked: TableQuestion, promise: Guarantee) -> float:
    """The same where all inputs are one for all."""
    given, sure = asked.constants, asked.constants.get("confidence")
    failure = None if sure is None else float(complement(sure))
    return joint_at_most(promise, given["prior"], given["value_prior"], failure)


def check_columns(asked: TableQuestion, schema: pa.Schema, *, curves: bool = False) -> None:
    """Refuse a table that lacks a column, has it twice or of a wrong kind, or has one of ours.

    Numbers may be written as text: a cell that is none is a row that cannot be read. Orders and
    divergences may be lists, of curves.
    """
    raise_together(_wrong_columns(asked, schema, curves))


def _wrong_columns(asked: TableQuestion, schema: pa.Schema, curves: bool) -> Iterator[InvalidInput]:
    for name, column in asked.columns.items():
        found = schema.get_all_field_indices(column)
        if len(found) != 1:
            there, has = ", ".join(schema.names), "has once:" if found else "which has"
            fix = "Rename one of the two." if found else "Name the column to use."
            yield InvalidInput(name, column, f"a column of the table, {has} {there}", fix)
            continue
        kind = schema.field(column).type
        if curves and name in CURVES and hasattr(kind, "value_field"):
            kind = kind.value_type
        if not (is_text(kind) or (name not in WORDS and _is_number(kind))):
            kind_of = ("text", "") if name in WORDS else ("numbers", "Convert it first.")
            yield InvalidInput(column, str(kind), f"a column of {kind_of[0]}", kind_of[1])
    for name in (*asked.outputs, REASON):
        if name in schema.names:
            allowed = "free for the result, but the table already has a column of this name"
            fix = "Rename that column, or leave this output out."
            yield InvalidInput(name, None, allowed, fix)


def check_limits(asked: TableQuestion, limits: Mapping[str, float]) -> None:
    """Limits are on outputs, and can be kept where what they depend on is one for all rows."""
    for name in limits:
        one_of("limits", name, asked.outputs)
    for metric in (*METRICS, *ATTACKS):
        name = f"{metric}_at_most"
        if name in limits and not asked.columns.keys() & (needs := OUTPUTS[name].needs):
            must_be_tolerable(metric, limits[name], [asked.constants[each] for each in needs])


def raise_together(found: Iterable[InvalidInput]) -> None:
    """Raise the first refusal, if there is one, with the others in its message."""
    errors = list(found)
    if not errors:
        return
    first, *others = errors
    if others:
        said = (str(InvalidInput(each.name, each.value, each.allowed)) for each in others)
        more = f"Also: {'; '.join(each.rstrip('.') for each in said)}."
        first = type(first)(first.name, first.value, first.allowed, f"{first.fix} {more}".strip())
    raise first


def _value_type(kind: Any) -> Any:
    import pyarrow as pa

    return kind.value_type if pa.types.is_dictionary(kind) else kind


def is_text(kind: Any) -> bool:
    from pyarrow import types

    kind = _value_type(kind)
    return any(
        each(kind)
        for each in (types.is_string, types.is_large_string, types.is_string_view, types.is_null)
    )


def _is_number(kind: Any) -> bool:
    from pyarrow import types

    kind = _value_type(kind)
    return any(
        each(kind)
        for each in (types.is_floating, types.is_integer, types.is_decimal, types.is_null)
    )
