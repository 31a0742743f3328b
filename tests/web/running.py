"""A server in a process of its own, as somebody starts it."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

LONG = {
    "release": {
        "dprisk": 1,
        "name": "Models",
        "unit": "person",
        "period": "once",
        "neighbors": "add-remove",
        "model": "central",
        "mechanisms": [
            {
                "kind": "subsampled-gaussian",
                "sigma": f"{1 + n / 50:.3f}",
                "sensitivity": 1,
                "rate": f"{0.01 + n / 1000:.4f}",
                "count": 1000 + n,
            }
            for n in range(40)
        ],
    },
    "delta": [f"1e-{n}" for n in range(3, 12)],
}
"""A question for ``compose`` that takes half a minute of a processor."""

QUICK = {"epsilon": "0.5", "neighbors": "add-remove", "prior": "0.5"}


@dataclass
class Served:
    """A server that runs: its process, its address, and what it printed first."""

    process: Any
    address: str
    port: int


@contextmanager
def serving(*options, at="http://127.0.0.1:"):
    """Start ``dprisk serve`` on a free port of the loopback address; stop it in the end."""
    command = [sys.executable, "-m", "dprisk", "serve", "--no-browser", *options]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            while (line := process.stdout.readline()).startswith("INFO: "):
                pass
            assert line.startswith(f"dprisk is at {at}"), line
            address = line.split()[-1]
            assert process.stdout.readline().startswith("Press Ctrl-C")
            yield Served(process, address, int(address.rstrip("/").rpartition(":")[2]))
        finally:
            process.terminate()


def children(pid):
    """The processes that a process has started, by what the kernel says."""
    found = set()
    for name in os.listdir("/proc"):
        if name.isdecimal():
            try:
                with open(f"/proc/{name}/stat") as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == pid and fields[0] != "Z":
                found.add(int(name))
    return found


def runs(pid):
    """Whether a process is there and does more than wait to be forgotten."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
