"""Runs the fenced blocks of one document from top to bottom, as its reader would."""

from __future__ import annotations

import doctest
import io
import os
import re
import shlex
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final
from unittest.mock import patch

FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,}|~{3,}|:{3,})(?P<info>[^`]*)$")
DISGUISED = {"py", "python3", "pycon", "ipython", "doctest", "bash", "sh", "shell", "shell-session"}
OTHER_COMMANDS = {"cd", "git", "make", "pip", "python", "python3", "uv"}
TERMINAL = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}

Main = Callable[[], Any]


class BrokenDocument(AssertionError):
    """A block that fails, or that hides from being run."""


@final
@dataclass(frozen=True)
class Block:
    """One fenced block: the words after the fence, its text, the number of its first line."""

    language: str
    rest: str
    text: str
    line: int


def blocks(text: str, before: int = 0) -> Iterator[Block]:
    """The fenced blocks of a Markdown text that stands below `before` other lines.

    What a directive such as a note contains is searched as well; quoted Markdown is not.
    """
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        opening = FENCE.match(lines[at])
        at += 1
        if not opening:
            continue
        start, indent = at, len(opening["indent"])
        closing = re.compile(rf"^ *{opening['ticks'][0]}{{{len(opening['ticks'])},}} *$")
        while at < len(lines) and not closing.match(lines[at]):
            at += 1
        language, _, rest = opening["info"].strip().partition(" ")
        body = "".join(line[indent:] + "\n" for line in lines[start:at])
        yield Block(language, rest.strip(), body, before + start + 1)
        if language.startswith("{"):
            yield from blocks(body, before + start)
        at += 1


def run_document(path: Path, directory: Path, main: Main) -> int:
    """Run every block of the document that can be run, inside `directory`.

    Returns how many ran. Raises `BrokenDocument` at the first one that fails.
    """
    namespace: dict[str, Any] = {"__name__": "__main__"}
    ran = 0
    with chdir(directory), patch.dict(os.environ, TERMINAL):
        for block in blocks(path.read_text(encoding="utf-8")):
            place = f"{path.name}:{block.line}"
            ran += _run(block, place, namespace, main)
    return ran


def _run(block: Block, place: str, namespace: dict[str, Any], main: Main) -> bool:
    words = re.findall(r"[\w-]+", f"{block.language} {block.rest}")[:2]
    if block.language == "python":
        return _python(block, place, namespace)
    if block.language == "console":
        return _console(block, place, main)
    if block.language in DISGUISED or (block.language.startswith("{code") and "python" in words):
        raise BrokenDocument(f"{place}: use ```python or ```console, so that the block is run")
    if block.rest and re.fullmatch(r"[\w.-]+\.\w+", block.rest) and block.language[0] != "{":
        Path(block.rest).write_text(block.text, encoding="utf-8")
    return False


def _python(block: Block, place: str, namespace: dict[str, Any]) -> bool:
    if block.rest:
        word, _, reason = block.rest.partition(" ")
        if word != "no-run" or not reason.strip():
            raise BrokenDocument(f"{place}: the only switch is ```python no-run REASON")
        return False
    if ">>>" in block.text:
        _doctest(block, place, namespace)
        return True
    try:  # the empty lines make a traceback show the line of the document
        code = compile("\n" * (block.line - 1) + block.text, place, "exec")
        with redirect_stdout(io.StringIO()):
            exec(code, namespace)
    except Exception:
        raise BrokenDocument(f"{place}: the block fails\n{traceback.format_exc()}") from None
    return True


def _doctest(block: Block, place: str, namespace: dict[str, Any]) -> None:
    test = doctest.DocTestParser().get_doctest(block.text, {}, place, place, block.line - 1)
    test.globs = namespace
    report = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    runner.run(test, out=report.write, clear_globs=False)
    if runner.failures or not test.examples:
        raise BrokenDocument(f"{place}: the examples fail\n{report.getvalue()}")


def _console(block: Block, place: str, main: Main) -> bool:
    code, ran = 0, False
    for command, shown in commands(block.text):
        if command == "echo $?":
            output, code = f"{code}\n", 0
        elif code:
            break
        elif command.split()[0] == "dprisk":
            output, code = run_command(command, main)
            ran = True
        elif command.split()[0] in OTHER_COMMANDS:
            continue
        else:
            raise BrokenDocument(f"{place}: cannot run `{command}` here")
        if shown and not _matches(shown, output):
            raise BrokenDocument(
                f"{place}: `{command}` shows\n{shown}\nbut prints\n{output}".rstrip()
            )
    if code:
        raise BrokenDocument(f"{place}: a command exits with {code}; show it: $ echo $?\n{output}")
    return ran


def commands(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with the output that is shown for it."""
    text = re.sub(r"\\\n(?:> )?", "", text)
    parts = re.split(r"^\$ ", text, flags=re.MULTILINE)
    for part in parts[1:]:
        command, _, shown = part.partition("\n")
        yield command.strip(), shown.strip("\n")


def run_command(command: str, main: Main) -> tuple[str, int]:
    """What a ``dprisk`` command prints, on either stream, and its exit code."""
    arguments = shlex.split(command, comments=True)
    target = None
    if ">" in arguments[-2:-1]:
        target = arguments.pop()
        arguments.pop()
    expanded = [name for word in arguments for name in _globbed(word)]
    printed, complaints = io.StringIO(), io.StringIO()
    if target is None:
        complaints = printed
    code = 0
    with (
        patch.object(sys, "argv", expanded),
        redirect_stdout(printed),
        redirect_stderr(complaints),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
    if target is None:
        return printed.getvalue(), code
    Path(target).write_text(printed.getvalue(), encoding="utf-8")
    return complaints.getvalue(), code


def _globbed(word: str) -> list[str]:
    found = sorted(map(str, Path().glob(word))) if set(word) & set("*?") else []
    return found or [word]


def _matches(shown: str, output: str) -> bool:
    want, got = (
        "".join(line.rstrip() + "\n" for line in text.strip("\n").splitlines())
        for text in (shown, output)
    )
    return doctest.OutputChecker().check_output(want, got, doctest.ELLIPSIS)
