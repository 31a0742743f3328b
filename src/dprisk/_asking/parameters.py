"""Tables of parameters: from each of them the command line, the API and the page's form are made.

A table is a frozen dataclass. Each field is a parameter: its annotation says what stands for its
value, `opt` and `arg` say what it is, its default, and which values a form offers. A field whose
type is another table holds all parameters of that table. Below are the parameters that several
tables share.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from functools import cache, partial
from typing import (
    Annotated,
    Any,
    Final,
    NamedTuple,
    TypeVar,
    cast,
    dataclass_transform,
    final,
    get_args,
    get_type_hints,
)

from dprisk.text import LANGUAGES

Kind = TypeVar("Kind")
NUMBER: Final = "NUMBER"
FILE: Final = "FILE"
LIMIT: Final = "METRIC=NUMBER"
FILE_OR_NUMBERS: Final = "FILE | NAME=NUMBER"

Number = Annotated[str | None, NUMBER]
Numbers = Annotated[list[str] | None, NUMBER]
Word = Annotated[str | None, "WORD"]
Words = Annotated[list[str] | None, "WORD"]
Text = Annotated[str | None, "TEXT"]
Texts = Annotated[list[str] | None, "TEXT"]
File = Annotated[str | None, FILE]
Files = Annotated[list[str] | None, FILE]
Limit = Annotated[str | None, LIMIT]
Limits = Annotated[list[str] | None, LIMIT]
Given = Annotated[list[str] | None, FILE_OR_NUMBERS]
Account = Annotated[str | None, "ACCOUNT"]
Accounts = Annotated[list[str] | None, "ACCOUNT"]
Columns = Annotated[list[str] | None, "NAME=COLUMN"]
Flag = Annotated[bool, ""]
SomeNumber = Annotated[str, NUMBER]
SomeWord = Annotated[str, "WORD"]
SomeText = Annotated[str, "TEXT"]
SomeFile = Annotated[str, FILE]
SomeFiles = Annotated[list[str], FILE]
SomeFolder = Annotated[str, "FOLDER"]
SomeAccount = Annotated[str, "ACCOUNT"]
SomeLedger = Annotated[str, "LEDGER"]
SomeKey = Annotated[str, "KEY"]

METRICS: Final = (
    *("posterior", "difference", "ratio", "ratio_not", "odds"),
    *("power", "advantage", "predictive_value", "bayes_risk", "epsilon"),
)


class Option(NamedTuple):
    """A parameter in words: its help, its names on the command line, the values to choose from."""

    help: str
    names: tuple[str, ...] = ()
    positional: bool = False
    choices: str = ""


class Parameter(NamedTuple):
    """One parameter of a table."""

    name: str
    type: Any
    stands: str
    """The word for its value in a help text; empty for a flag."""
    default: Any
    """`MISSING` where it has to be given."""
    option: Option

    @property
    def many(self) -> bool:
        """Whether it can be given several times."""
        return "list" in str(self.type)


@dataclass_transform(frozen_default=True, kw_only_default=True)
def table(made: type[Kind]) -> type[Kind]:
    """Decorate a class: its fields are parameters, given by name."""
    return final(dataclass(frozen=True, kw_only=True)(made))


class Inquiry(ABC):
    """A table of parameters to which there is an answer, for whoever shows it.

    Three more methods are there where they say something: ``document(made)``, an answer in full;
    ``data(made)``, what is printed as JSON; and ``kept(made)``, whether every limit is kept.
    """

    doing = "Computing"
    example = ""

    @abstractmethod
    def answer(self) -> Any:
        """The answer, by one call of the library."""

    @abstractmethod
    def brief(self, made: Any) -> Iterable[str]:
        """An answer in a few sentences."""


def words(question: Any) -> str:
    """The sentence that says what a question is about."""
    return " ".join((question.__doc__ or "").split())


def opt(text: str, default: Any = None, *names: str, choices: str = "") -> Any:
    """A parameter that is an option; `choices` names the module and the values a form offers."""
    return field(default=default, metadata={"option": Option(text, names, choices=choices)})


def arg(text: str, default: Any = MISSING) -> Any:
    """A parameter that is given by its place."""
    return field(default=default, metadata={"option": Option(text, positional=True)})


def flag(text: str, *names: str) -> Any:
    """A parameter that is there or not; nothing takes it back."""
    return opt(text, False, *names)


@cache
def parameters(table: Any) -> tuple[Parameter, ...]:
    """The parameters of a table, and of the tables inside it, in order."""
    found: list[Parameter] = []
    for each, hint in _fields(table):
        if is_dataclass(hint):
            found += parameters(cast("Any", hint))
        else:
            kind, stands = get_args(hint)[:2]
            found.append(Parameter(each.name, kind, stands, each.default, each.metadata["option"]))
    return tuple(found)


def filled(table: Any, given: Mapping[str, Any]) -> Any:
    """A table with the values of its parameters, by name."""
    return table(
        **{
            each.name: filled(hint, given) if is_dataclass(hint) else given[each.name]
            for each, hint in _fields(table)
        }
    )


def _fields(table: Any) -> Iterator[tuple[Any, Any]]:
    hints = get_type_hints(table, include_extras=True)
    return ((each, hints[each.name]) for each in fields(table))


# --- what several commands ask: each has parameters of its own, made anew ------------------------

neighbors = partial(
    opt,
    "Which datasets the promise compares: add-remove or replace-one.",
    choices="guarantees.base:NEIGHBORS",
)
unit = partial(
    opt, "Whose data the promise protects, such as person. Only for a promise given as options."
)
confidence = partial(
    opt,
    "How often the bounds must hold, over the mechanism's randomness, such as 0.95. Default: "
    "always if the privacy loss is bounded, otherwise 0.99.",
)
prior = partial(
    opt, "Belief before the release, between 0 and 1. Repeatable. Default: 0.01, 0.1, 0.5."
)
level = partial(
    opt, "False positive rate of a test, between 0 and 1. Repeatable. Default: 0.01, 0.05, 0.1."
)
one_sided = partial(flag, "Let each bound hold on its own instead of both together.")
releases = partial(opt, "Number of releases like this one (days, months, ...), such as 12.", "1")
profile = partial(opt, "A risk profile (.yaml, .toml or .json).")
spent = partial(opt, "Release file of something that was published earlier. Repeatable.")
mechanism = partial(
    opt,
    "Kind of mechanism, as in a release file: laplace, gaussian, geometric, ...",
    choices="mechanisms.base:kinds",
)
claim = partial(
    opt,
    "What someone may conclude, in your words, such as 'your manager concludes that you answered "
    "No'.",
)
language = partial(
    opt,
    f"Language of the text for the data subject, and of a summary: {' or '.join(LANGUAGES)}.",
    "en",
    choices="text:LANGUAGES",
)
force = partial(flag, "Replace files that exist.")
what = partial(
    arg,
    "A release file; with --mechanism, the parameters of the mechanism, such as scale=1 "
    "sensitivity=1, and how often it is run, such as count=12.",
    None,
)


DEFAULT_SECRET: Final = "membership for add-remove, attribute for replace-one"


def secret() -> Any:
    return opt(
        f"What the adversary asks: membership or attribute. Default: {DEFAULT_SECRET}.",
        choices="risk.adversary:SECRETS",
    )


def any_secret(default: str = DEFAULT_SECRET) -> Any:
    return opt(
        "What the adversary asks: membership, attribute, or both (whether someone is in the data "
        f"and has a value). Default: {default}.",
        choices="risk.adversary:ANY_SECRETS",
    )


value_prior = partial(
    opt,
    "With --secret both: belief in the value if the person is in the data, such as 0.1. --prior is "
    "then the belief that they are in the data.",
)


def limit(example: str = "posterior=0.8", metrics: str = ", ".join(METRICS[:5])) -> Any:
    return opt(
        f"Largest value allowed, such as {example}. Metrics: {metrics}. Repeatable. Exit code 3 "
        "if a limit is not kept."
    )
