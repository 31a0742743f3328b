"""What is wrong, as JSON: for programs that ask for JSON."""

from __future__ import annotations

import re
from typing import Any, Final

from dprisk._values import brief, printable
from dprisk.errors import DpriskError, InvalidFile, InvalidInput, LimitRefused, Meaningless

SCHEMA: Final = "dprisk/error/1"
LONGEST: Final = 60  # letters of a value that is repeated


def as_data(error: Exception, code: int) -> dict[str, Any]:
    """An error as plain data: its kind, what it says, and what it is about, apart."""
    kind = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", type(error).__name__).lower()
    if not isinstance(error, DpriskError | MemoryError):
        kind = "wrong-call"  # of options, as Typer found it
    said = getattr(error, "format_message", error.__str__)()
    notes = getattr(error, "__notes__", [])
    about = {"parameter": None, "value": None, "allowed": None, "fix": None} | _about(error)
    return {
        "schema": SCHEMA,
        "error": kind,
        "message": printable(said),
        **{
            name: printable(text) if isinstance(text, str) else text for name, text in about.items()
        },
        "listing": "\n".join(notes) or None,
        "exit_code": code,
    }


def _about(error: Exception) -> dict[str, Any]:
    if isinstance(error, InvalidInput):
        name, value = getattr(error, "typed", (error.name, error.value))
        given = None if value is None else brief(str(value), most=LONGEST)
        return {
            "parameter": name,
            "value": given,
            "allowed": error.allowed,
            "fix": error.fix or None,
        }
    if isinstance(error, InvalidFile):
        return {"file": str(error.path), "parameter": error.where, "fix": error.fix or None}
    if isinstance(error, Meaningless):
        return {"fix": error.fix or None}
    if isinstance(error, LimitRefused):
        return {"fix": " ".join(error.why) or None}
    parameter = getattr(error, "param", None)
    option = getattr(error, "option_name", None) or next(iter(getattr(parameter, "opts", ())), None)
    return {"parameter": option}
