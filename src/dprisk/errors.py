"""Every error that dprisk raises on purpose.

::

    DpriskError                     catch this to catch them all
    ├── InvalidInput                a value that cannot be used: name, value, allowed, fix
    │   ├── Contradictory           two values that cannot both be right; the name is of both
    │   └── OutOfRange              a number outside its domain
    ├── Meaningless                 a question that has no answer, and why
    ├── NoConversion                no theorem leads from one definition to the other
    ├── LimitRefused                a charge that a limit does not allow; nothing was spent
    ├── NotConverged                a search stopped short; carries its bracket
    ├── TooWide                     a bracket wider than was asked for; carries it, and why
    ├── InvalidFile                 a file that cannot be read as a release
    ├── LedgerUnavailable           a ledger that cannot be opened, read or written where it is
    ├── LedgerDamaged               a ledger that is not as it was written, and from which entry on
    ├── NotInstalled                something that only a few need, and how to get it
    ├── WrongCall                   a call that leaves open what is meant; says what to write
    └── WrongName                   something that this object does not have; says who has it

Each says what is wrong, what would be allowed and what to do about it, in the words that stand
where it is raised::

    raise OutOfRange("rate", rate, "a number in (0, 1]", "Give the share of records, as in 0.01.")
    raise InvalidFile(path, f"There is no column {name!r}.", "Check the first line.", "line 1")

`refused`, `unreadable`, `unavailable` and `damaged` take the key of a text instead, for what is
said in more than one place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, final

from dprisk.text import fill, has

__all__ = [
    "Contradictory",
    "DpriskError",
    "InvalidFile",
    "InvalidInput",
    "LedgerDamaged",
    "LedgerUnavailable",
    "LimitRefused",
    "Meaningless",
    "NoConversion",
    "NotConverged",
    "NotInstalled",
    "NotWritten",
    "OutOfRange",
    "TooWide",
    "WrongCall",
    "WrongName",
]

Choice = TypeVar("Choice", bound=str)


@final
@dataclass(frozen=True)
class Reason:
    """Why something has no answer, and what to do about it."""

    why: str
    fix: str = ""

    def __str__(self) -> str:
        return f"{self.why} {self.fix}".rstrip()


class DpriskError(Exception):
    """Base class of every error raised on purpose by dprisk."""

    @property
    def because(self) -> Reason:
        """The message, with what to do about it apart where that is known."""
        return Reason(str(self))


class InvalidInput(DpriskError, ValueError):
    """A value that cannot be used.

    Parameters
    ----------
    name : str
        The parameter as the caller knows it.
    value : object
        What was given.
    allowed : str
        What would be allowed, as it follows "must be".
    fix : str, optional
        What to do about it, as a full sentence.
    """

    def __init__(self, name: str, value: Any, allowed: str, fix: str = "") -> None:
        self.name = name
        self.value = value
        self.allowed = allowed
        self.fix = fix
        got = (
            fill("errors.nothing-given")
            if value is None
            else fill("errors.got", value=_shown(value))
        )
        message = fill("errors.must-be", name=name, allowed=allowed, got=got)
        super().__init__(f"{message} {fix}".rstrip())


class Contradictory(InvalidInput):
    """Two values that contradict each other; the name and the value are of both."""


class OutOfRange(InvalidInput):
    """A number outside its domain (or not a number at all)."""


class Meaningless(DpriskError, ValueError):
    """A question that has no answer under the assumptions given; the message says why.

    Parameters
    ----------
    why : str
        What stands in the way, as full sentences.
    fix : str, optional
        What else to ask, as full sentences.
    """

    def __init__(self, why: str, fix: str = "") -> None:
        self.why = why
        self.fix = fix
        super().__init__(f"{why} {fix}".rstrip())

    def __reduce__(self) -> Any:
        return Meaningless, (self.why, self.fix)

    @property
    def because(self) -> Reason:
        """Why, and what else to ask."""
        return Reason(self.why, self.fix)


class NoConversion(DpriskError, ValueError):
    """No theorem leads from one definition of privacy to the other; the message says why."""


class WrongCall(DpriskError, TypeError):
    """A call that leaves open what is meant, or is about something else; says what to write."""

    option_name: str | None = None
    """The option that it is about, if it is about one."""


class WrongName(DpriskError, AttributeError):
    """Something that this object does not have; the message says who has it."""


class LimitRefused(DpriskError):
    """A charge that a limit does not allow; it is on record, and nothing was spent.

    Parameters
    ----------
    name : str
        What was to be released.
    decisions : mapping
        What was decided, by account.
    why : sequence of str
        The numbers, and what would fit, as full sentences.
    """

    def __init__(self, name: str, decisions: Mapping[str, Any], why: Sequence[str]) -> None:
        self.name = name
        self.decisions = decisions
        self.why = tuple(why)
        super().__init__(fill("ledger.refused", name=name, why=" ".join(why)))


class NotConverged(DpriskError, ArithmeticError):
    """A search stopped before it reached its tolerance.

    Parameters
    ----------
    what : str
        What was sought.
    bracket : tuple of float
        The interval that is known to hold the answer.
    """

    def __init__(self, what: str, bracket: tuple[float, float]) -> None:
        self.bracket = bracket
        super().__init__(
            fill("errors.not-converged", what=what, low=f"{bracket[0]!r}", high=f"{bracket[1]!r}")
        )


class TooWide(DpriskError, ArithmeticError):
    """A bracket that cannot be made as narrow as was asked for.

    Parameters
    ----------
    what : str
        What was asked.
    bracket : tuple of float
        The interval that is known to hold the answer.
    accuracy : float
        What was asked for. [1e-13, 1]
    why : str
        What stands in the way, as a full sentence.
    fix : str
        What to do about it, as a full sentence.
    """

    def __init__(
        self, what: str, bracket: tuple[float, float], accuracy: float, why: str, fix: str
    ) -> None:
        self.bracket = bracket
        self.accuracy = accuracy
        self.why = why
        self.fix = fix
        known = fill("errors.lies-in", low=f"{bracket[0]!r}", high=f"{bracket[1]!r}")
        super().__init__(
            fill(
                "errors.too-wide",
                what=what,
                known=known,
                accuracy=f"{accuracy:g}",
                why=why,
                fix=fix,
            )
        )


class InvalidFile(DpriskError, ValueError):
    """A file that cannot be read as what it should be, or a place where none can be written.

    Parameters
    ----------
    path : object
        The file.
    problem : str
        What is wrong, as a full sentence.
    fix : str, optional
        What to do about it, as a full sentence.
    where : str, optional
        The place inside the file, such as ``guarantees[0].epsilon`` or ``line 3``.
    """

    def __init__(self, path: Any, problem: str, fix: str = "", where: str | None = None) -> None:
        self.path = path
        self.problem = problem
        self.fix = fix
        self.where = where
        place = f"{path}, {where}" if where else f"{path}"
        super().__init__(f"{place}: {problem} {fix}".rstrip())


class NotInstalled(DpriskError, ImportError):
    """A library that only a few need is not there; the message says how to get it."""


class NotWritten(DpriskError, OSError):
    """A file that could not be written, such as on a full disk; what was there before is whole.

    Parameters
    ----------
    path : object
        The file.
    reason : str
        What the system says.
    """

    def __init__(self, path: Any, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(fill("errors.not-written", path=path, reason=reason))


class LedgerUnavailable(DpriskError, OSError):
    """A ledger that cannot be opened, read or written where it is.

    Parameters
    ----------
    place : str
        Where it is, without a password.
    why : str
        What stands in the way, as full sentences.
    unknown : bool
        Whether what was to be written may be there all the same: the answer to a commit was lost.
    """

    def __init__(self, place: str, why: str, unknown: bool = False) -> None:
        self.place = place
        self.why = why
        self.unknown = unknown
        rest = f" {fill('errors.ledger.unknown')}" if unknown else ""
        super().__init__(f"{place}: {why}{rest}")

    def __reduce__(self) -> Any:
        return LedgerUnavailable, (self.place, self.why, self.unknown)


class LedgerDamaged(DpriskError, ValueError):
    """A ledger that is not as it was written; nothing that follows is counted.

    Parameters
    ----------
    place : str
        Where it is.
    why : str
        What is wrong, as full sentences.
    seq : int, optional
        The first entry that is not as it should be.
    """

    def __init__(self, place: str, why: str, seq: int | None = None) -> None:
        self.place = place
        self.why = why
        self.seq = seq
        key = "errors.ledger.damaged.file" if seq is None else "errors.ledger.damaged"
        super().__init__(f"{place}: {why} {fill(key)}")

    def __reduce__(self) -> Any:
        return LedgerDamaged, (self.place, self.why, self.seq)


def refused(
    key: str, name: str, value: Any, error: type[InvalidInput] = InvalidInput, /, **words: Any
) -> InvalidInput:
    """The error about a value, by the key of what is allowed; what to do is under ``key.fix``."""
    return error(name, value, fill(key, **words), _fix(key, **words))


def unreadable(
    path: Any, key: str, where: str | None = None, /, fix: str = "", **words: Any
) -> InvalidFile:
    """The error about a file, by the key of what is wrong; what to do is under ``key.fix``."""
    return InvalidFile(path, fill(key, **words), fix or _fix(key, **words), where)


def unavailable(
    place: str, key: str, /, *, unknown: bool = False, **words: Any
) -> LedgerUnavailable:
    """The error about a ledger, by the key of what is wrong; what to do is under ``key.fix``."""
    why = f"{fill(key, **words)} {_fix(key, **words)}".rstrip()
    return LedgerUnavailable(place, why, unknown)


def damaged(place: str, key: str, seq: int | None = None, /, **words: Any) -> LedgerDamaged:
    """The error about a ledger that was changed, by the key of what is wrong."""
    return LedgerDamaged(place, fill(key, seq=seq, **words), seq)


def _fix(key: str, /, **words: Any) -> str:
    return fill(f"{key}.fix", **words) if has(f"{key}.fix") else ""


def _shown(value: Any) -> str:
    """Short form of `value` for a message: long ones are cut."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def one_of(name: str, value: Any, allowed: Iterable[Choice]) -> Choice:
    """`value` if it is one of `allowed`; otherwise an error that lists them and guesses."""
    choices = tuple(allowed)
    if isinstance(value, str):
        for choice in choices:
            if value == choice:
                return choice
    *some, last = map(repr, choices)
    known = last
    if some:
        known = fill("errors.one-of", choices=fill("errors.or", first=", ".join(some), last=last))
    raise InvalidInput(name, value, known, did_you_mean(value, choices))


def did_you_mean(word: Any, known: Iterable[str]) -> str:
    """Asks for the known word that is most like this one, in any case; nothing if none is near."""
    from difflib import get_close_matches

    folded = {name.casefold(): name for name in known}
    short = len(str(word)) < 4  # one letter of two is as near as it gets
    near = get_close_matches(str(word).casefold(), folded, n=1, cutoff=0.5 if short else 0.6)
    return fill("errors.did-you-mean", choice=repr(folded[near[0]])) if near else ""
