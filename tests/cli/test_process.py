"""A real process: exit codes, pipes that close, encodings and terminals."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.cli.running import ADD_REMOVE, run

PURE = ("assess", "--epsilon", "1", *ADD_REMOVE)
MIXED = ("deployments", "wikimedia", "--json")
COMMAND = (sys.executable, "-m", "dprisk")


def process(*args, **settings):
    """The finished process, with bytes for output."""
    surroundings = {**os.environ, **settings}
    return subprocess.run(
        [*COMMAND, *args], capture_output=True, check=False, timeout=60, env=surroundings
    )


def test_good_and_bad():
    """As inside this process: 0, 2 and 3, messages on stderr, results on stdout."""
    good = process(*PURE, "--json")
    assert (good.returncode, good.stderr) == (0, b"")
    assert json.loads(good.stdout) == run(*PURE, "--json").data
    bad = process("assess", "--epsilon", "nan", *ADD_REMOVE)
    assert (bad.returncode, bad.stdout) == (2, b"")
    assert bad.stderr.decode() == run("assess", "--epsilon", "nan", *ADD_REMOVE).err
    broken = process(*PURE, "--limit", "odds=1.1", "--quiet")
    assert (broken.returncode, broken.stderr) == (3, b"")


@pytest.mark.parametrize(
    ("name", "value"),
    [("PYTHONIOENCODING", "ascii"), ("PYTHONIOENCODING", "cp1252"), ("LC_ALL", "C")],
    ids=["ascii", "cp1252", "C"],
)
def test_letters_that_the_output_lacks(name, value):
    """No traceback where ε cannot be printed; JSON stays JSON."""
    settings = {name: value, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    text = process(*PURE, **settings)
    assert (text.returncode, text.stderr) == (0, b"")
    assert b"The release promises" in text.stdout
    data = process(*PURE, "--unit", "家 é 🏠", "--json", **settings)
    assert (data.returncode, data.stderr) == (0, b"")
    unit = json.loads(data.stdout.decode("cp1252" if value == "cp1252" else "utf-8"))["unit"]
    assert unit == "家 é 🏠" or name == "LC_ALL"  # where the arguments do not arrive either


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX pipes")
@pytest.mark.parametrize("args", [("deployments", "wikimedia"), PURE])
def test_closed_pipe(args):
    """``| head -1`` ends it quietly."""
    with subprocess.Popen(
        [*COMMAND, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == b""
        running.wait(60)


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX pipes")
def test_pipe_that_was_never_read():
    """Closed before the first word."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [*COMMAND, *PURE], stdout=writing, stderr=subprocess.PIPE, check=False, timeout=60
        )
    finally:
        os.close(writing)
    assert done.stderr == b""


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX terminal")
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_terminal(encoding):
    """Drawn on a real terminal, with what the terminal has."""
    import pty

    leader, follower = pty.openpty()
    surroundings = {**os.environ, "TERM": "xterm", "PYTHONIOENCODING": encoding, "COLUMNS": "80"}
    surroundings.pop("NO_COLOR", None)
    with subprocess.Popen(
        [*COMMAND, "deployments", "microsoft"],
        stdout=follower,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        env=surroundings,
    ) as running:
        os.close(follower)
        shown = b""
        while True:
            try:
                piece = os.read(leader, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            shown += piece
        assert running.stderr.read() == b""
        assert running.wait(60) == 0
    os.close(leader)
    text = shown.decode()
    assert ("┃" in text) == (encoding == "utf-8")
    assert "Broadband Coverage" in text


def test_same_bytes_in_every_process():
    """Nothing in the output depends on the order of a set."""
    outputs = {process(*MIXED, PYTHONHASHSEED=seed).stdout for seed in ("1", "22")}
    assert len(outputs) == 1
