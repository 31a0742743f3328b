"""How a command ends: one line on stderr, and an exit code, whatever happens."""

from __future__ import annotations

import atexit
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EPIPE
from io import StringIO, TextIOWrapper
from typing import Any, Final

from dprisk._files import reading
from dprisk.errors import (
    DpriskError,
    InvalidFile,
    InvalidInput,
    LimitRefused,
    Meaningless,
    NotWritten,
)
from dprisk.text import fill

OUTPUT_FAILED: Final = 1
BAD_INPUT: Final = 2
LIMIT_BROKEN: Final = 3
CODES: Final[dict[type, int]] = {NotWritten: OUTPUT_FAILED, LimitRefused: LIMIT_BROKEN}
STOPPING: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


class Interrupted(BaseException):
    """Somebody wants the command to stop."""

    def __init__(self, number: int) -> None:
        self.code = 128 + number  # as shells have it: 130 for Ctrl-C


def main() -> None:
    """Run the command line; errors on purpose end with one line and an exit code."""
    sys.exit(ended(_command))


def _command() -> None:
    if isinstance(sys.stdout, TextIOWrapper):  # a letter that a code page lacks is no failure
        sys.stdout.reconfigure(errors="backslashreplace")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # no use for them, and they take long
    from dprisk.cli.commands import run

    with reading():
        run(sys.argv[1:])


def ended(run: Callable[[], Any]) -> int:
    """Run a command to its end; its exit code."""
    _open_all()
    with _stopped_by_signals():
        try:
            return _printed(run)
        except Interrupted as stop:
            _give_up_output()
            return _said("Interrupted.", stop.code)


def _printed(run: Callable[[], Any]) -> int:
    """The exit code, once all output has left."""
    try:
        code = _code_of(run)
        sys.stdout.flush()
        return code
    except OSError as error:
        _give_up_output()
        if error.errno == EPIPE:  # whoever read it has seen enough, as head does
            return OUTPUT_FAILED
        why = error.strerror or error
        return _said(f"Error: The output could not be written: {why}.", OUTPUT_FAILED)


def _code_of(run: Callable[[], Any]) -> int:
    try:
        run()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(bool(end.code))
    except DpriskError as error:
        return _refused(error, CODES.get(type(error), BAD_INPUT))
    except MemoryError:
        return _refused(MemoryError(fill("errors.memory")), BAD_INPUT)
    except Exception as error:  # what Typer refuses: it prints that itself, but not as JSON
        if not hasattr(error, "format_message"):
            raise
        return _refused(error, BAD_INPUT)
    return 0


def _refused(error: Exception, code: int) -> int:
    from dprisk._values import printable

    if "--json" in sys.argv:
        import json

        return _said(json.dumps(as_data(error, code)), code)
    first = f"Error: {printable(str(error))}"
    notes = [line for note in getattr(error, "__notes__", ()) for line in note.splitlines()]
    return _said("\n".join([first, *map(printable, notes)]), code)


def as_data(error: Exception, code: int) -> dict[str, Any]:
    """An error as plain data: its kind, what it says, and what it is about, apart."""
    import re

    from dprisk._values import printable

    kind = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", type(error).__name__).lower()
    if not isinstance(error, DpriskError | MemoryError):
        kind = "wrong-call"  # of options, as Typer found it
    said = getattr(error, "format_message", error.__str__)()
    notes = getattr(error, "__notes__", [])
    about = {"parameter": None, "value": None, "allowed": None, "fix": None} | _about(error)
    return {
        "schema": "dprisk/error/1",
        "error": kind,
        "message": printable(said),
        **{
            name: printable(text) if isinstance(text, str) else text for name, text in about.items()
        },
        "listing": "\n".join(notes) or None,
        "exit_code": code,
    }


def _about(error: Exception) -> dict[str, Any]:
    from dprisk._values import brief

    if isinstance(error, InvalidInput):
        name, value = getattr(error, "typed", (error.name, error.value))
        given = None if value is None else brief(str(value), most=60)
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


def _said(line: str, code: int) -> int:
    """A line on stderr, if that takes one."""
    with suppress(OSError, ValueError):
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    return code


def _open_all() -> None:
    """Closed streams are named by no file that is opened later; to write to them is an error."""
    for number, stream in ((0, sys.stdin), (1, sys.stdout), (2, sys.stderr)):
        if stream is None:
            with suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_RDONLY), number)
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = StringIO()


def _give_up_output() -> None:
    """Discard what is left in the buffer, so that the interpreter does not try again at exit."""
    stream = sys.stdout
    if isinstance(stream, TextIOWrapper):
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _deaf() -> None:
    """The command is over: nothing is left that could be stopped."""
    for each in STOPPING:
        with suppress(ValueError):
            signal.signal(each, signal.SIG_IGN)


@contextmanager
def _stopped_by_signals() -> Iterator[None]:
    """One signal ends the command by an exception; no other stops the tidying."""

    def stop(number: int, frame: Any) -> None:
        for each in before:
            signal.signal(each, signal.SIG_IGN)
        raise Interrupted(number)

    before: dict[Any, Any] = {}
    atexit.unregister(_deaf)
    atexit.register(_deaf)
    try:
        for each in STOPPING:
            if signal.getsignal(each) is not signal.SIG_IGN:  # as under nohup
                before[each] = signal.signal(each, stop)
    except ValueError:  # not the main thread, so signals go elsewhere
        before.clear()
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
