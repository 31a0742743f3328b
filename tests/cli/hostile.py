"""What has to hold whatever a command is given."""

from __future__ import annotations

import json
import os

from tests.cli.running import ADD_REMOVE, HEAD, run, survey, write

CODES = {0, 1, 2, 3}
LINES, FILE = 5, 9  # a usage message of the parser has four; a file to write instead, nine
TABLE = "dataset,heads,tails\nno,3/4,1/4\nyes,1/4,3/4\n"
SAMPLES = "with,without\n" + "1,0\n0,1\n1,1\n" * 20
QUERIES = "query,attributes,rho,moves\npeople,,0.05,2\nincome,income,0.15,2\n"
PROFILE = "dprisk: 1\nname: Counts\nprofile: {ratio: 3}\n"
ROWS = "eps,belief\n1,0.5\n0.1,0.1\n"
EDGES = "first,second\nno,yes\n"


def town(folder):
    """A folder with one good file of each kind."""
    survey(folder)
    write(folder, "coin.csv", TABLE)
    write(folder, "runs.csv", SAMPLES)
    write(folder, "queries.csv", QUERIES)
    write(folder, "profile.yaml", PROFILE)
    write(folder, "edges.csv", EDGES)
    write(folder, "rows.csv", ROWS)
    return folder


def seen(folder):
    """What lies in a folder: kind, permissions and, for files, bytes."""
    found = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        regular = path.is_file() and not path.is_symlink()
        readable = regular and status.st_size < 10**6 and os.access(path, os.R_OK)
        found[path] = (status.st_mode, status.st_size, path.read_bytes() if readable else None)
    return found


def survived(folder, *args):
    """Run a command; whatever it is given, what has to hold holds."""
    before = seen(folder)
    done = run(*args)
    assert done.code in CODES
    assert "Traceback" not in done.out + done.err
    assert done.err.count("\n") <= (FILE if "\ndprisk: 1\n" in done.err else LINES)
    assert "\x1b" not in done.out + done.err and "\x9b" not in done.out + done.err
    if done.code in (1, 2):
        if "--json" in args:
            assert json.loads(done.err)["schema"] == "dprisk/error/1" and done.err.count("\n") == 1
        else:
            assert "Error: " in done.err
        assert done.out == ""
        assert len(done.err) < 2000
    else:
        assert done.err == ""
        assert "nan" not in done.out.lower().split()
    assert seen(folder) == before
    return done


def refused(folder, *args):
    """The message of a command that has to be refused."""
    done = survived(folder, *args)
    assert done.code == 2, done.out[:500]
    return done.err


__all__ = ["ADD_REMOVE", "HEAD", "refused", "run", "seen", "survey", "survived", "town", "write"]
