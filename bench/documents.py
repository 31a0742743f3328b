"""Where people wait: whole commands in fresh processes, on releases of many kinds."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench.timing import Figure, Fresh, Result, Skipped, by_turns, compared

HEAD = (
    "dprisk: 1\nname: {name}\nunit: person\nperiod: once\nneighbors: {neighbors}\nmodel: central\n"
)
MANY = 10**9
TIMES = 3  # each command is run so often
LIMIT = "--limit posterior=0.9999 --prior 0.1 --confidence 0.99"


class Document(NamedTuple):
    """A release, and in how many seconds its report should be there."""

    name: str
    goal: float
    body: str
    neighbors: str = "add-remove"

    def write(self, folder: str) -> str:
        """Where its file is."""
        path = Path(folder) / f"{self.name.replace(' ', '-')}.yaml"
        path.write_text(HEAD.format(name=self.name, neighbors=self.neighbors) + self.body)
        return str(path)


def _parts(kind: str, *each: str) -> str:
    return f"{kind}:\n" + "".join(f"  - {{{one}}}\n" for one in each)


SIX = (f"kind: laplace, scale: {b}, sensitivity: 1" for b in (1.0, 2.0, 3.5, 5.0, 7.3, 10.0))
STEPS = "kind: subsampled-gaussian, sigma: 1.1, sensitivity: 1, rate: 0.004267, count: 14062"
INTEGERS = "kind: discrete-gaussian, sigma: 10, sensitivity: 1"
HUNDRED = (f"epsilon: {0.01 + 0.001 * i:.4f}" for i in range(100))
DOCUMENTS = (
    Document("pure", 2.0, _parts("guarantees", "epsilon: 1")),
    Document("census", 3.0, _parts("guarantees", "rho: 2.56", "rho: 0.07"), "replace-one"),
    Document("DP-SGD", 6.0, _parts("mechanisms", STEPS)),
    Document("six Laplace", 6.0, _parts("mechanisms", *SIX)),
    Document(
        "discrete Gaussian and zCDP",
        6.0,
        _parts("mechanisms", INTEGERS)
        + _parts("guarantees", "rho: 0.05")
        + "separate_parts: true\n",
    ),
    Document("hundred parts", 6.0, _parts("guarantees", *HUNDRED)),
)


def documents(fresh: Fresh, repetitions: int) -> Iterator[Result]:
    """Reports, explanations beside assessments, plans and budgets, and a billion releases."""
    script = Path(sys.executable).with_name("dprisk")
    if not script.exists():
        yield Skipped("documents", "the command is not installed beside the interpreter")
        return
    with tempfile.TemporaryDirectory() as folder:
        for each in DOCUMENTS:
            yield from _about(fresh, str(script), each, each.write(folder), repetitions)


def _about(
    fresh: Fresh, script: str, each: Document, path: str, repetitions: int
) -> Iterator[Result]:
    report, explain, assess = ([script, word, path] for word in ("report", "explain", "assess"))
    yield _waited(fresh, f"report, {each.name}", report, each.goal)
    pairs = by_turns(lambda: fresh.seconds(explain), lambda: fresh.seconds(assess), repetitions)
    sides = ("explain", "assess")
    yield compared(f"explain, {each.name}", sides, pairs, "at most", 1.3)
    asked = LIMIT.split()
    plan = [script, "plan", "--rule", "fixed"]  # no other counts all of these
    yield _waited(fresh, f"plan, {each.name}", [*plan, path, *asked], 2.0)
    after = [*asked, "--neighbors", each.neighbors, "--spent", path]
    yield _waited(fresh, f"plan after {each.name}", [*plan, "--epsilon", "0.05", *after], 2.0)
    for definition in ("pure", "gaussian"):
        budget = [script, "budget", "--definition", definition, *after]
        yield _waited(fresh, f"{definition} budget after {each.name}", budget, 2.0)
    far = [*report, "--upto", str(MANY)]
    yield _waited(fresh, f"report to 10^9, {each.name}", far, 60.0)
    ladder = [script, "ladder", path, "--releases", str(MANY)]
    yield _waited(fresh, f"ladder to 10^9, {each.name}", ladder, 60.0)


def _waited(fresh: Fresh, name: str, command: list[str], goal: float) -> Figure:
    taken = median(fresh.seconds(command) for _ in range(TIMES))
    return Figure(name, "s", taken, "at most", goal)
