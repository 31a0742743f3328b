"""Count how much of dprisk a question runs through: files, functions and the deepest stack.

Run ``python scripts/count_files.py``, or with ``--list`` to see the files.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from dprisk import PureDP
from dprisk.accountant import PrivacyLoss
from dprisk.documents import explain
from dprisk.mechanisms import Laplace

PACKAGE = str(Path(sys.modules["dprisk"].__file__ or "").parent)


class Walk(NamedTuple):
    """Where a question leads."""

    files: frozenset[str]
    functions: frozenset[tuple[str, str]]
    frames: int


def walk(make: Callable[[], Any], ask: Callable[[Any], Any]) -> Walk:
    """Follow the calls of a question about something new; what came before has imported all."""
    ask(make())
    asked = make()
    functions: set[tuple[str, str]] = set()
    depth = deepest = 0

    def follow(frame: FrameType, event: str, _: Any) -> None:
        nonlocal depth, deepest
        file = frame.f_code.co_filename
        if not file.startswith(PACKAGE) or event not in ("call", "return"):
            return
        if event == "return":
            depth -= 1
            return
        depth += 1
        deepest = max(deepest, depth)
        functions.add((file.removeprefix(PACKAGE + "/"), frame.f_code.co_qualname))

    sys.setprofile(follow)
    try:
        ask(asked)
    finally:
        sys.setprofile(None)
    return Walk(frozenset(file for file, _ in functions), frozenset(functions), deepest)


def laplace() -> Any:
    """100 Laplace mechanisms, composed."""
    noise = Laplace(scale=10.0, sensitivity=1.0, neighbors="add-remove")
    return PrivacyLoss([noise.losses()], [100], neighbors="add-remove")


QUESTIONS: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
    "epsilon of 100 x Laplace": (laplace, lambda whole: whole.epsilon(1e-6)),
    "explanation of a promise": (
        lambda: PureDP(1.0, neighbors="add-remove"),
        lambda promise: explain(promise, priors=[0.1]),
    ),
}


def main() -> None:
    """One line a question."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--list", action="store_true", help="name the files")
    given = parser.parse_args()
    for name, question in QUESTIONS.items():
        found = walk(*question)
        print(f"{name}: {len(found.files)} files, {len(found.functions)} functions, ", end="")
        print(f"{found.frames} frames")
        for file in sorted(found.files) if given.list else ():
            print(f"    {file}")


if __name__ == "__main__":
    main()
