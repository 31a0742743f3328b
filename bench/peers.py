"""Noise for a target, and random allocation: beside libraries that solve the same, in one run.

``python -m bench.peers [TURNS]`` prints ratios of seconds of the processor; the environments are
those of `bench.accountants`, and one of Python 3.13, which opake-accounting needs.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from bench.accountants import FOLDER, installed
from dprisk.budget import AttackLimit, EpsilonLimit, calibrate
from dprisk.budget.limits import Limit
from dprisk.mechanisms import RandomAllocation

CACHE = FOLDER / ".against"
OPAKE = "opake-accounting==0.16.1"
RATE, STEPS, DELTA = 0.01, 5000, 1e-5


def noise(limit: Limit) -> float:
    """The least noise multiplier of a training run that keeps a limit."""
    words: dict[str, Any] = {"sampling": "poisson", "sample_rate": RATE, "steps": STEPS}
    return float(calibrate(limit, "dp-sgd", **words).value)


def allocation(moved: float) -> float:
    """The epsilon of one step of a thousand."""
    made = RandomAllocation(1.0 * moved, 1.0, 1000, neighbors="add-remove")
    return float(made.loss().epsilon(1e-6).value)


QUESTIONS: dict[str, tuple[list[float], Callable[[float], float], float]] = {
    # what is asked of the other, what of dprisk (moved a little, so that nothing is remembered),
    # and how many times faster it is to be
    "Opacus, noise": (
        [3.0, DELTA, RATE, STEPS],
        lambda moved: noise(EpsilonLimit(3.0 * moved, DELTA)),
        10.0,
    ),
    "opake-accounting, noise": (
        [3.0, DELTA, RATE, STEPS],
        lambda moved: noise(EpsilonLimit(3.0 * moved, DELTA)),
        3.0,
    ),
    "opake-accounting, noise for an advantage": (
        [0.2, RATE, STEPS],
        lambda moved: noise(AttackLimit("advantage", 0.2 * moved)),
        3.0,
    ),
    "opake-accounting, allocation": ([1.0, 1000, 1e-6], allocation, 80.0),
    "PLD_accounting, allocation": ([1.0, 1000, 1e-6], allocation, 300.0),
}


def python_of(name: str) -> Path:
    """The interpreter of a library, with the library."""
    library = name.partition(",")[0]
    if library != "opake-accounting":
        return installed("Opacus PRV" if library == "Opacus" else library, CACHE)
    folder = CACHE / "opake-3.13"
    python, ready = folder / "bin" / "python", folder / "ready"
    if not ready.exists():
        newest = shutil.which("python3.13") or "python3.13"
        subprocess.run([newest, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", OPAKE], check=True)
        ready.touch()
    return python


def theirs(name: str, words: list[float]) -> tuple[float, float]:
    """Their answer, and its seconds."""
    script = Path(__file__).with_name("solved.py")
    asked = json.dumps([name, words]) + "\n"
    done = subprocess.run(
        [str(python_of(name)), str(script)], input=asked, capture_output=True, text=True, check=True
    )
    answer, seconds = json.loads(done.stdout.splitlines()[-1])
    return answer, seconds


def main(turns: int) -> None:
    """Take turns, and print each ratio."""
    noise(EpsilonLimit(2.0, DELTA))  # imports
    for name, (words, ask, goal) in QUESTIONS.items():
        pairs = []
        for turn in range(1 if name.endswith("allocation") else turns):
            answer, seconds = theirs(name, words)
            started = process_time()
            own = ask(1.0 + 1e-9 * (turn + 1))
            pairs.append((seconds, process_time() - started))
        ratio = median(a / b for a, b in pairs)
        print(
            f"{name}: {answer:.8g} in {pairs[-1][0]:.3g} s; dprisk: {own:.8g} in "
            f"{pairs[-1][1]:.3g} s; {ratio:.3g} times, goal {goal:g}",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
