"""Starts a job and kills it at random, until it has been killed so often and was finished too."""

from __future__ import annotations

import os
import random
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from signal import SIGKILL
from time import perf_counter
from traceback import print_exc

import pyarrow.parquet  # loaded before the first fork

from dprisk.tables import TableQuestion, batches, run

ASKED = TableQuestion(
    ["posterior_at_most", "odds_at_most"],
    {"definition": "kind", "epsilon": "eps", "prior": "prior"},
    {"neighbors": "add-remove"},
)
LOADED = (pyarrow.parquet, batches)
PARTS = 30


def started(folder: Path, name: str) -> int:
    """A child that does the whole job."""
    child = os.fork()
    if child:
        return child
    try:
        run(ASKED, str(folder / "in.parquet"), folder / name, partition_rows=200)
        os._exit(0)
    except BaseException:
        print_exc()
        os._exit(1)


def ended(child: int) -> int:
    """The signal that ended a child; an error if it failed by itself."""
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
        sys.exit("the job failed")
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


def parts(folder: Path) -> int:
    """How many are done."""
    return len(list(folder.glob("out.parts/*/*.parquet")))


def read(place: Path) -> str:
    """All rows, with each digit."""
    return repr(pyarrow.parquet.read_table(place).to_pylist())


def runs(child: int) -> bool:
    """Whether a child has not ended yet; it can still be waited for."""
    return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None


def killed(folder: Path, kills: int, draw: Callable[[], float]) -> list[int]:
    """How many parts were done at each kill; every finished result is that of an idle machine."""
    before = perf_counter()
    ended(started(folder, "whole"))
    whole, usual = read(folder / "whole"), perf_counter() - before
    done = list[int]()
    while True:
        child = started(folder, "out")
        if len(done) < kills:
            wanted = draw() * PARTS
            while parts(folder) < wanted and runs(child):
                time.sleep(usual / PARTS / 10)
            time.sleep(draw() * usual / PARTS)
            os.kill(child, SIGKILL)
        if ended(child):
            done.append(parts(folder))
        if (folder / "out").exists():
            if read(folder / "out") != whole:
                sys.exit("the result differs")
            if len(done) == kills:
                return done
            shutil.rmtree(folder / "out")


if __name__ == "__main__":
    print(*killed(Path(sys.argv[1]), int(sys.argv[2]), random.Random(int(sys.argv[3])).random))
