"""Make each mutant in a copy of the source, run its killers, and say which ones lived.

Mutation tools (mutmut, cosmic-ray) change every operator there is, thousands of them, and run the
tests for each. Here a few dozen changes are chosen, many of them terms to be set to zero, which
such tools do not have, and each knows what has to notice it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from queue import Queue

from sweep.mutants.closed import CLOSED
from sweep.mutants.formulas import FORMULAS
from sweep.mutants.slack import SLACK
from sweep.mutants.table import Mutant, Sweep

ROOT = Path(__file__).parents[2]
SECONDS = 900  # after which a mutant that never ends counts as noticed
ALL = (*SLACK, *CLOSED, *FORMULAS)


def main() -> int:
    """1 if a mutant lives without an argument, or one that is argued dies."""
    parser = argparse.ArgumentParser(prog="python -m sweep.mutants")
    parser.add_argument("--only", default="", help="part of a name")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    wrong = misplaced()
    if wrong:
        print("\n".join(wrong))
        return 2
    chosen = [one for one in ALL if given.only in one.name]
    with tempfile.TemporaryDirectory() as place:
        copies: Queue[Path] = Queue()
        for i in range(given.processes):
            copies.put(Path(shutil.copytree(ROOT / "src", Path(place) / str(i))))
        with ThreadPoolExecutor(given.processes) as pool:
            fates = list(pool.map(lambda one: _told(one, copies), chosen))
    lived = [one for one, killer in zip(chosen, fates, strict=True) if not killer]
    argued = [one for one in lived if one.argued]
    print(f"\n{len(chosen)} mutants: {len(chosen) - len(lived)} noticed, {len(argued)} argued")
    for one in argued:
        print(f"argued: {one.name}\n        {one.argued}")
    rest = [one for one in lived if not one.argued]
    for one in rest:
        print(f"SURVIVED: {one.name}")
    return 1 if rest else 0


def misplaced() -> list[str]:
    """Mutants whose old text is not in its file exactly once."""
    found = []
    for one in ALL:
        count = (ROOT / "src/dprisk" / one.file).read_text().count(one.old)
        if count != 1:
            found.append(f"{one.name}: there {count} times")
    return found


def _told(one: Mutant, copies: Queue[Path]) -> str:
    """The killer that noticed, or nothing; printed as well."""
    start, copy = time.monotonic(), copies.get()
    try:
        killer = _killer(one, copy)
    finally:
        copies.put(copy)
    took = time.monotonic() - start
    print(f"{(killer and 'noticed') or 'LIVES':8} {took:5.0f} s  {one.name}  {killer}", flush=True)
    return killer


def _killer(one: Mutant, copy: Path) -> str:
    path = copy / "dprisk" / one.file
    original = path.read_text()
    path.write_text(original.replace(one.old, one.new))
    try:
        for killer in one.killers:
            if _fails(killer, copy):
                return str(killer)
        return ""
    finally:
        path.write_text(original)


def _fails(killer: str | Sweep, copy: Path) -> bool:
    if isinstance(killer, Sweep):
        return not _kinds(killer, copy) <= _before(killer)
    if not _passes_as_it_is(killer):
        raise RuntimeError(f"{killer} fails without any mutant")
    return not _run_tests(killer, copy)


@cache
def _passes_as_it_is(killer: str) -> bool:
    return _run_tests(killer, ROOT / "src")


def _run_tests(killer: str, copy: Path) -> bool:
    options = ["-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider"]
    done = _run(["-m", "pytest", *options, *killer.split()], copy)
    if done is not None and done.returncode not in (0, 1, 2):
        raise RuntimeError(f"{killer}: pytest ended with {done.returncode}\n{done.stdout}")
    return done is not None and done.returncode == 0


@cache
def _before(killer: Sweep) -> frozenset[str]:
    """What the sweep finds in the source as it is: nothing, mostly."""
    return _kinds(killer, ROOT / "src")


def _kinds(killer: Sweep, copy: Path) -> frozenset[str]:
    options = ["--seed", "mutants", "--only", killer.family, "--draws", str(killer.draws)]
    done = _run(["-m", "sweep", *options], copy)
    if done is None:
        return frozenset({"never ends"})
    if "answers checked" not in done.stdout:
        return frozenset({"does not even start"})
    found = (line for line in done.stdout.splitlines() if line.startswith("## "))
    return frozenset(line.partition(" (")[0] for line in found)


def _run(command: list[str], copy: Path) -> subprocess.CompletedProcess[str] | None:
    """With the package from the copy; None if it takes too long."""
    path = os.pathsep.join([str(copy), str(ROOT)])
    environment = os.environ | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    environment |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    try:
        return subprocess.run(
            [sys.executable, *command],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None


if __name__ == "__main__":
    sys.exit(main())
