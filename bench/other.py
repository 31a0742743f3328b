"""Another interpreter, kept running, that times the other libraries from inside."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, final

__all__ = ["Failed", "Other", "Timed", "other_libraries"]


class Failed(Exception):
    """The library raised."""


class Timed(NamedTuple):
    """How long a call took, and what it gave."""

    seconds: float
    value: list[float]


@final
@dataclass(frozen=True)
class Other:
    """Asks `bench.theirs`, one question after another; nothing runs between them."""

    process: subprocess.Popen[str]

    def has(self, *modules: str) -> bool:
        """Whether the interpreter finds them all."""
        return all(self._answer({"name": "has", "module": name})["value"] for name in modules)

    def ask(self, name: str, turn: int, *arguments: Any) -> Timed:
        """Call a function of `bench.theirs`."""
        found = self._answer({"name": name, "turn": turn, "arguments": arguments})
        return Timed(found["seconds"], found["value"])

    def _answer(self, question: dict[str, Any]) -> dict[str, Any]:
        if self.process.stdin is None or self.process.stdout is None:
            raise Failed("no pipe")
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise Failed("the other interpreter has ended")
        found: dict[str, Any] = json.loads(line)
        if "error" in found:
            raise Failed(found["error"])
        return found


@contextmanager
def other_libraries(python: str) -> Iterator[Other]:
    """The interpreter, until the block ends."""
    script = Path(__file__).with_name("theirs.py")
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen(
        [python, str(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=kept,
    )
    try:
        yield Other(process)
    finally:
        if process.stdin is not None:
            process.stdin.close()
        process.wait(timeout=60)
