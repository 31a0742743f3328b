"""Types for what another tool says, what it leaves open, and what is asked for by name."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, final

from dprisk._values import result
from dprisk.errors import InvalidInput, Meaningless, did_you_mean
from dprisk.guarantees.base import NEIGHBORS as RELATIONS
from dprisk.releases.cautions import about_batches, about_noise
from dprisk.releases.notes import Note
from dprisk.releases.release import Part, Release
from dprisk.releases.schemes import SAMPLING, SCHEMES
from dprisk.releases.spelling import NEIGHBORS, meant
from dprisk.releases.tools.found import NOTHING, Found, as_number
from dprisk.releases.training import RELATIVE

Reached = Literal["spent", "target", "limit"]


@final
@result
@dataclass(frozen=True)
class Said:
    """A number that another tool stated.

    Parameters
    ----------
    epsilon : float
        The ε that it stated. [0, inf]
    delta : float or None
        The δ of that ε; None where none is stated. [0, 1]
    reached : {"spent", "target", "limit"}
        ``spent``: what the tool says was used. ``target``: what the noise was chosen for.
        ``limit``: what may be spent at most, which says nothing about what was spent.
    about : str
        Under which of its assumptions, in words; may be empty.

    Examples
    --------
    >>> from dprisk.releases.tools.asked import Said
    >>> Said(3.0, 1e-5, "target").reached
    'target'
    """

    epsilon: float
    delta: float | None = None
    reached: Reached = "spent"
    about: str = ""


class OpenPoint(NamedTuple):
    """Something that a file may leave open: what it is, and what may be answered."""

    asks: str
    choices: tuple[str, ...] = ()
    most: float = math.inf
    whole: bool = False
    example: str = ""


QUESTIONS: Final[Mapping[str, OpenPoint]] = {
    "neighbors": OpenPoint("which datasets are neighbors", RELATIONS),
    "sampling": OpenPoint("how batches were drawn", tuple(SCHEMES)),
    "noise_relative_to": OpenPoint("what the noise multiplier is measured against", RELATIVE),
    "sensitivity": OpenPoint("how far one record moves the input", example="1"),
    "contributions": OpenPoint("how many records one person adds", whole=True, example="1"),
    "delta": OpenPoint("δ", most=1.0, example="1e-5"),
    "examples": OpenPoint("the number of examples in the data", whole=True, example="60000"),
    "batch_size": OpenPoint("the number of examples in a batch", whole=True, example="256"),
    "batch_cap": OpenPoint("the largest size of a batch", whole=True, example="300"),
    "epochs": OpenPoint("the number of epochs", example="3"),
    "steps": OpenPoint("the number of steps", whole=True, example="1000"),
    "noise_multiplier": OpenPoint("the noise multiplier", example="1.1"),
    "devices": OpenPoint("the number of devices that share a batch", whole=True, example="1"),
    "clipping_norm": OpenPoint("the clipping norm", example="1"),
    "tuning": OpenPoint("whether tuning counts"),
    "unit": OpenPoint("whose data is protected", example="person"),
}
"""Everything that is asked for, by name."""
ALWAYS: Final = ("noise_relative_to", "unit")
WORDS: Final[Mapping[str, Mapping[str, str]]] = {"neighbors": NEIGHBORS, "sampling": SAMPLING}
"""Other words for some answers."""
INSTEAD: Final = {"epochs": "steps"}
"""What answers a question as well."""


@final
@result
@dataclass(frozen=True)
class Missing:
    """Something that a file does not say.

    Parameters
    ----------
    name : str
        The name under which it is given, such as ``"sampling"``.
    needed : bool
        Whether there is no release without it.

    Examples
    --------
    >>> from dprisk.releases.tools.asked import Missing
    >>> print(Missing("neighbors", needed=True))
    neighbors=add-remove (or replace-one)
    """

    name: str
    needed: bool = False

    @property
    def asks(self) -> str:
        """The question in words."""
        return QUESTIONS[self.name].asks

    @property
    def example(self) -> str:
        """How it is given, such as ``sampling=poisson``."""
        question = QUESTIONS[self.name]
        return f"{self.name}={next(iter(question.choices), question.example)}"

    def __str__(self) -> str:
        choices = QUESTIONS[self.name].choices
        also = f" (or {', '.join(choices[1:])})" if choices[1:] else ""
        return f"{self.example}{also}"


@final
@result
@dataclass(frozen=True)
class Read:
    """A file or an object of another tool, read.

    Parameters
    ----------
    tool : str
        The tool, by its name.
    name : str
        The file, or the class of the object.
    release : Release or None
        What was released; None where something needed is missing.
    said : tuple of Said
        The numbers that the tool stated, if it stated any.
    missing : tuple of Missing
        What is not said, first what is needed.
    answers : tuple of pairs
        What is said or was given: neighbors, sampling, delta and so on, each with its name.
    version : str or None
        The version of the tool, where it is stated.

    Examples
    --------
    >>> from dprisk.releases.tools import read
    >>> found = read({"spent_budget": [(0.1, 0.0), (0.2, 0.0)]}, neighbors="replace-one")
    >>> found.tool, found.known["neighbors"], len(found.described().parts)
    ('diffprivlib', 'replace-one', 2)
    """

    tool: str
    name: str
    release: Release | None
    said: tuple[Said, ...]
    missing: tuple[Missing, ...]
    answers: tuple[tuple[str, Any], ...]
    version: str | None = None

    @property
    def known(self) -> Mapping[str, Any]:
        """The answers by name."""
        return dict(self.answers)

    def described(self) -> Release:
        """The release, or an error that names what is missing.

        Raises
        ------
        Meaningless
            If something needed is missing; the error says how to give it.
        """
        if self.release is not None:
            return self.release
        needed = [each for each in self.missing if each.needed]
        *some, last = (f"{each.asks} ({each.name})" for each in needed)
        asked = " and ".join([*([", ".join(some)] if some else []), last])
        write = "; ".join(map(str, needed))
        example = " ".join(each.example for each in needed)
        raise Meaningless(
            f"{self.name}: {self.tool} does not say {asked}.",
            f"Add what is true here: {write}. On the command line, write it after the file, as in "
            f"{example}; in Python, as arguments of dprisk.releases.read_from.",
        )


class Lacking(Exception):
    """Raised while parts are made: something more is needed, by its name."""


@final
@dataclass(frozen=True)
class ToolAccount:
    """A file of a tool, before what is missing is answered.

    Parameters
    ----------
    tool : str
        The tool, and what of it this is, as a sentence begins.
    make : callable
        Makes the parts from what is known, by name; raises `Lacking` for what else it needs.
    says : mapping
        What the file itself says, by name.
    needs : tuple of str
        What the parts cannot be made without.
    lacks : tuple of str
        What a reader would want to know as well.
    said : tuple of Said
        What the tool stated.
    notes : tuple of Note
        What a reader has to know.
    version : str, optional
        The version of the tool.
    unit : str
        Whose data is protected, unless something else is given.
    takes : tuple of str
        What else may be given.
    """

    tool: str
    make: Callable[[Mapping[str, Any]], tuple[Part, ...]]
    says: Mapping[str, Any]
    needs: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    said: tuple[Said, ...] = ()
    notes: tuple[Note, ...] = ()
    version: str | None = None
    unit: str = "record"
    takes: tuple[str, ...] = ()


def answered(account: ToolAccount, found: Found, given: Mapping[str, Any]) -> Read:
    """The reading, with what was given beside the file."""
    known = dict(account.says)
    takes = {*account.needs, *account.lacks, *account.says, *account.takes, *ALWAYS}
    if "sampling" in takes:
        takes |= {name for scheme in SCHEMES.values() for name in scheme.needs}
    for name, value in given.items():
        answer = _answer(name, value, takes, account)
        if name in known and known[name] != answer:
            raise Meaningless(
                f"{found.name} says {name}={known[name]}, and {name}={answer} was given.",
                f"Leave {name} out, or correct the file.",
            )
        known[name] = answer
    open_ = [
        name for name in account.needs if name not in known and INSTEAD.get(name, name) not in known
    ]
    parts: tuple[Part, ...] = ()
    if not open_:
        try:
            parts = account.make(known)
        except Lacking as error:
            open_ = [str(error)]
        except InvalidInput as error:
            fix = error.fix or "Check the numbers in the file."
            problem = f"{error.name} must be {error.allowed}."
            raise found.wrong(problem, fix, error.name) from None
    lacks = [name for name in account.lacks if name not in known]
    missing = (*(Missing(name, True) for name in open_), *map(Missing, lacks))
    release = None if open_ else _release(account, found, known, parts, missing, given)
    answers = tuple(known.items())
    return Read(account.tool, found.name, release, account.said, missing, answers, account.version)


def _answer(name: str, value: Any, takes: set[str], account: ToolAccount) -> Any:
    if name not in QUESTIONS or name not in takes:
        known = [each for each in QUESTIONS if each in takes]
        fix = did_you_mean(name, known) or "Leave it out."
        if name in QUESTIONS:
            fix = f"{account.tool} does not depend on it, so leave it out."
        raise InvalidInput("a parameter", name, f"one of {', '.join(known)}", fix)
    question = QUESTIONS[name]
    if question.choices:
        answer = meant(WORDS.get(name, NOTHING), str(value).lower())
        if answer not in question.choices:
            allowed = f"one of {', '.join(question.choices)}"
            raise InvalidInput(name, value, allowed, did_you_mean(value, question.choices))
        return answer
    if name in ("unit", "tuning"):
        return str(value)
    number = as_number(value)
    if number is None or not 0.0 < number <= question.most or math.isinf(number):
        upto = "" if math.isinf(question.most) else f" and at most {question.most:g}"
        raise InvalidInput(name, value, f"a number above 0{upto}", f"Such as {question.example}.")
    if question.whole and number != int(number):
        raise InvalidInput(name, value, "a whole number", f"Such as {question.example}.")
    return int(number) if question.whole else number


def _cautions(known: Mapping[str, Any], parts: tuple[Part, ...]) -> list[Note]:
    """Warnings about a training: how its batches are drawn, and its noise as it is drawn."""
    if "sampling" not in known:
        return []
    mechanisms: list[Any] = [part.mechanism for part in parts]
    capped = [run.kind for run in mechanisms if run is not None and run.kind == "truncated-poisson"]
    found = about_batches(next(iter(capped), known["sampling"]), None)
    for part, run in zip(parts, mechanisms, strict=True):
        if hasattr(run, "sigma") and hasattr(run, "sensitivity"):
            rate = getattr(run, "rate", 1.0)
            found += about_noise(run.sigma / run.sensitivity, rate, part.count)
    return list(dict.fromkeys(found))


def _release(
    account: ToolAccount,
    found: Found,
    known: Mapping[str, Any],
    parts: tuple[Part, ...],
    missing: tuple[Missing, ...],
    given: Mapping[str, Any],
) -> Release:
    beside = {name: value for name, value in given.items() if name not in account.says}
    told = ", ".join(f"{name}={value}" for name, value in beside.items() if name != "unit")
    notes = [*account.notes, *_cautions(known, parts)]
    if told:
        text = f"{account.tool} does not say this; it was given beside the file: {told}."
        notes.append(Note("assumed", text))
    if missing:
        open_ = ", ".join(f"{each.asks} ({each.name})" for each in missing)
        notes.append(Note("missing", f"{account.tool} does not say {open_}."))
    return Release(
        name=found.title,
        unit=known.get("unit", "person" if "contributions" in known else account.unit),
        period="once",
        neighbors=known["neighbors"],
        neighbors_stated=True,
        model="central",
        parts=parts,
        notes=tuple(notes),
    )
