"""Run the command line inside this process, the way its entry point does."""

from __future__ import annotations

import io
import json
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from dprisk.cli import main

SHARED = Path(os.environ.get("DPRISK_SHARED", Path(__file__).resolve().parents[3] / "shared"))
REGISTRY = SHARED / "data" / "deployments" / "deployments"
ADD_REMOVE = ("--neighbors", "add-remove")
HEAD = """\
dprisk: 1
name: Town survey
unit: person
period: once
neighbors: add-remove
model: central
"""


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def data(self):
        """Its output as JSON; NaN and infinities, which JSON does not have, are refused."""
        return json.loads(self.out, parse_constant=_refuse)


class Pipe(io.StringIO):
    """A stream that takes every letter."""

    encoding = "utf-8"


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self):
        """It is."""
        return True


def run(*args, terminal=False, watched=False):
    """Run ``dprisk`` with arguments; a traceback fails the test, as it would pass through here.

    Stdout may be a terminal, and so may be stderr, for somebody who watches.
    """
    out = Terminal() if terminal else Pipe()
    err = Terminal() if watched else io.StringIO()
    argv = ["dprisk", *map(str, args)]
    code = 0
    with redirect_stdout(out), redirect_stderr(err), patch.object(sys, "argv", argv):
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(bool(end.code))
    return Ran(code, out.getvalue(), err.getvalue())


def write(folder, name, text):
    """A file in a folder."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def survey(folder, guarantee="{epsilon: 1}", name="survey.yaml", head=HEAD):
    """A release file with one guarantee."""
    return write(folder, name, f"{head}guarantees: [{guarantee}]\n")


def _refuse(name):
    raise AssertionError(f"{name} is not JSON")
