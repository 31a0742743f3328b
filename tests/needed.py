"""What tests need of the machine: without it they are skipped, and the end says how many, and why.

What counts is that it works, not that it is there: a browser that does not start is none, nor is a
package whose libraries are missing. Where its variable says "required", as in `.ci/run`, nothing is
skipped, so that the tests fail instead.
"""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from collections.abc import Iterator

import pytest


def works(program, *arguments) -> bool:
    """Whether a program runs, if there is one, such as when it is asked for its version."""
    if program is None:
        return False
    try:
        done = subprocess.run([program, *arguments], capture_output=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def needs(there, what, install, variable):
    """A mark for tests that are skipped where something is not `there`, unless it is required."""
    left_out = not there and os.environ.get(variable) != "required"
    return pytest.mark.skipif(left_out, reason=f"no {what} on this machine: {install}")


def left_out(reports) -> Iterator[str]:
    """How often each reason was given for a skip, in lines; a whole module counts once."""
    reasons = (str(report.longrepr[2]) for report in reports)
    for reason, count in Counter(
        reason.removeprefix("Skipped: ") for reason in reasons
    ).most_common():
        yield f"{count:5d}  {reason}"
