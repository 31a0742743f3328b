"""Files are written whole or not at all, and nothing that is there is lost."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import dprisk._files as files
from dprisk import PureDP, read_release
from dprisk._files import read, reading, write, write_all
from dprisk.budget import RatioLimit, write_profile
from dprisk.errors import InvalidFile, NotWritten
from dprisk.releases import write_release
from tests.cli.running import ADD_REMOVE, run, survey
from tests.cli.running import write as put

POSIX = pytest.mark.skipif(os.name == "nt", reason="needs POSIX")


def everything(folder):
    """What lies in a folder, with the bytes of each file."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


# --- the place -----------------------------------------------------------------------------------


def refused(folder, words, *args):
    """A command that has to fail before it computes anything, and changes nothing."""
    before = everything(folder)
    done = run(*args)
    assert (done.code, done.out) == (2, "")
    assert words in done.err and done.err.count("\n") == 1
    assert everything(folder) == before


def test_an_existing_file_needs_force(tmp_path):
    path, old = survey(tmp_path), put(tmp_path, "report.html", "old")
    refused(tmp_path, "The file exists. Use --force", "report", path, "-o", old)
    assert run("report", path, "-o", old, "--force", "-q").code == 0
    assert old.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_the_input_is_never_replaced(tmp_path):
    path = survey(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "hard.html").hardlink_to(path)
    others = [path, tmp_path / "folder" / ".." / path.name, tmp_path / "hard.html"]
    for other in others:
        args = ("report", path, "-o", other, "--force", "--format", "html")
        refused(tmp_path, "The same command reads this file", *args)


def test_no_other_input_is_replaced(tmp_path):
    """Neither the table nor, for a description, the table that it names."""
    path = survey(tmp_path, "{rho: 0.1}")
    table = put(tmp_path, "t.csv", "query,attributes,rho,moves\na,x,0.1,2\n")
    described = put(tmp_path, "t.yaml", "allocation: 1\nname: T\nnoise: gaussian\ntable: t.csv\n")
    assert run("allocation", described, "-q").code == 0
    common = ("report", path, "--force", "--format", "json", "-o", table, "--allocation")
    for each in (table, described):
        refused(tmp_path, "The same command reads this file", *common, each)


@POSIX
def test_never_through_a_link(tmp_path):
    path, other = survey(tmp_path), put(tmp_path, "precious.txt", "precious")
    for target in (path, other, tmp_path / "absent"):
        link = tmp_path / "link.html"
        link.symlink_to(target)
        refused(tmp_path, "symbolic link", "report", path, "-o", link, "--force")
        link.unlink()


PLACES = {
    "no folder": ("absent/report.html", "There is no folder"),
    "below a file": ("survey.yaml/report.html", "Not a directory"),
    "a folder": ("folder.html", "It is a folder"),
    "a name too long": ("x" * 300 + ".html", "name too long"),
    "a NUL byte": ("a\0b.html", "null"),
}


@POSIX
@pytest.mark.parametrize("case", PLACES)
def test_a_bad_place_is_noticed_before_the_computing(case, tmp_path, monkeypatch):
    import dprisk.documents

    monkeypatch.setattr(dprisk.documents, "report", lambda *args, **kept: pytest.fail("computed"))
    name, words = PLACES[case]
    path = survey(tmp_path)
    (tmp_path / "folder.html").mkdir()
    refused(tmp_path, words, "report", path, "-o", f"{tmp_path}/{name}", "--force")


@POSIX
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_what_may_not_be_written(tmp_path):
    path, old = survey(tmp_path), put(tmp_path, "report.html", "old")
    old.chmod(0o444)
    refused(tmp_path, "write-protected", "report", path, "-o", old, "--force")
    (tmp_path / "closed").mkdir(mode=0o555)
    refused(tmp_path, "is write-protected", "report", path, "-o", tmp_path / "closed/r.html")


@POSIX
def test_devices_and_pipes_are_no_places(tmp_path):
    path = survey(tmp_path)
    os.mkfifo(tmp_path / "pipe.html")
    for place in (tmp_path / "pipe.html", "/dev/null", "/dev/full"):
        args = ("report", path, "-o", place, "--force", "--format", "html")
        done = run(*args)
        assert done.code == 2
        assert "not a regular file" in done.err


# --- the writing ---------------------------------------------------------------------------------


@POSIX
def test_permissions(tmp_path):
    """Those of the replaced file are kept; a new one has what the umask leaves."""
    old = put(tmp_path, "old", "old")
    old.chmod(0o640)
    mask = os.umask(0o027)
    try:
        write(old, b"new", force=True)
        write(tmp_path / "new", b"new")
    finally:
        os.umask(mask)
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("old", "new")]
    assert modes == [0o640, 0o640]
    old.chmod(0o604)
    write(old, b"newer", force=True)
    assert (stat.S_IMODE(old.stat().st_mode), old.read_bytes()) == (0o604, b"newer")


class Stop(BaseException):
    """An interrupt."""


def stopped_at(moment, contents):
    """Write files, and interrupt it before the line with this number; whether it was."""
    seen = 0

    def trace(frame, event, arg):
        nonlocal seen
        if frame.f_code.co_filename != files.__file__:
            return None
        if event == "line":
            seen += 1
            if seen == moment:
                raise Stop
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        write_all(contents, force=True, make=True)
    except Stop:
        return True
    finally:
        sys.settrace(before)
    return False


def interrupted_at_every_line(folder, names, there):
    """Write files until that is no longer interrupted; how many moments there were."""
    moment = 0
    interrupted = True
    while interrupted:
        moment += 1
        here = folder / str(moment)
        here.mkdir()
        for name in names if there else []:
            (here / name).write_bytes(b"old")
        interrupted = stopped_at(moment, {here / name: b"new" for name in names})
        found = {name: content for name, content in everything(here).items() if content}
        assert set(found) <= set(names), moment
        assert set(found.values()) <= {b"old", b"new"}, moment
        assert len(found) == len(names) or not there, moment
        if not found:
            assert not list(here.iterdir()), moment  # no folder is left either
    assert set(found.values()) == {b"new"} and len(found) == len(names)
    return moment


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # a file left open
@pytest.mark.parametrize(
    ("names", "there"), [(["a", "b"], True), (["a", "b"], False), (["a", "deep/er/b"], False)]
)
def test_interrupts_at_every_line(names, there, tmp_path):
    """After each, a file is either the old one or the new one, and nothing else lies about."""
    with ThreadPoolExecutor(1) as apart:  # so that what is interrupted here stays there
        assert apart.submit(interrupted_at_every_line, tmp_path, names, there).result() > 40


@pytest.mark.parametrize("step", ["open", "fsync", "replace", "chmod"])
def test_a_disk_that_fails(step, tmp_path, monkeypatch):
    """Whichever call fails: what was there is whole, and nothing remains."""
    path = survey(tmp_path)
    old = put(tmp_path, "report.md", "old")
    before = everything(tmp_path)

    real = getattr(os, step)

    def fail(first, *args, **kept):
        if isinstance(first, int) or ".dprisk-" in str(first):
            raise OSError(28, "No space left on device")
        return real(first, *args, **kept)

    monkeypatch.setattr(files.os, step, fail)
    done = run("report", path, "-o", old, "--force")
    monkeypatch.undo()
    assert (done.code, done.out) == (1, "")
    assert "No space left on device. Nothing was changed." in done.err
    assert done.err.count("\n") == 1
    assert everything(tmp_path) == before


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))
from dprisk.cli import main
main()
"""


@POSIX
def test_a_disk_that_is_full(tmp_path):
    """The system itself refuses the second half of a file, of several."""
    before = everything(tmp_path)
    args = ["reproduce", "P3/table-3", "-o", tmp_path / "new" / "folder"]
    command = [sys.executable, "-B", "-c", LIMITED, *map(str, args)]  # nor half of its bytecode
    done = subprocess.run(command, capture_output=True, check=False, timeout=120)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"It could not be written" in done.stderr and done.stderr.count(b"\n") == 1
    assert everything(tmp_path) == before


STOPPED = """
import os, signal, sys
import dprisk._files as files
real = getattr(files.os, {call!r})
def stop(*args, **kept):
    signal.raise_signal({number})
    return real(*args, **kept)
setattr(files.os, {call!r}, stop)
from dprisk.cli import main
main()
"""


@POSIX
@pytest.mark.parametrize(
    ("name", "code", "call"),
    [("SIGINT", 130, "lstat"), ("SIGTERM", 143, "fsync"), ("SIGINT", 130, "replace")],
)
def test_a_signal(name, code, call, tmp_path):
    """One line, the exit code that shells have for it, the old file, and no remains."""
    import signal

    path, old = survey(tmp_path), put(tmp_path, "report.md", "old")
    before = everything(tmp_path)
    program = STOPPED.format(call=call, number=int(getattr(signal, name)))
    command = [sys.executable, "-c", program, "report", str(path), "-o", str(old), "--force"]
    done = subprocess.run(command, capture_output=True, check=False, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (code, b"", b"Interrupted.\n")
    assert everything(tmp_path) == before


# --- standard output -----------------------------------------------------------------------------

PURE = ("assess", "--epsilon", "1", *ADD_REMOVE)


@POSIX
@pytest.mark.parametrize(
    ("args", "how"),
    [(PURE, ">&-"), ((*PURE, "--json"), "> /dev/full"), (("--help",), "> /dev/full")],
)
def test_output_that_cannot_be_written(args, how, tmp_path):
    if "full" in how and not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full")
    line = f'"$0" -m dprisk "$@" {how}'
    command = ["sh", "-c", line, sys.executable, *args]
    done = subprocess.run(command, capture_output=True, check=False, timeout=60, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith(b"Error: The output could not be written: ")
    assert done.stderr.count(b"\n") == 1


@POSIX
def test_a_report_to_a_file_where_nothing_can_be_said(tmp_path):
    """Closed streams do not become the file, and the file is written."""
    path = survey(tmp_path)
    line = '"$0" -m dprisk report "$1" -o "$2" -q <&- >&- 2>&-'
    command = ["sh", "-c", line, sys.executable, str(path), str(tmp_path / "r.md")]
    done = subprocess.run(command, check=False, timeout=60)
    assert done.returncode == 0
    assert (tmp_path / "r.md").read_text(encoding="utf-8").startswith("# Town survey")


# --- from Python ---------------------------------------------------------------------------------


def test_every_writer_keeps_what_is_there(tmp_path):
    from dprisk.curves import draw_lines, guarantee_line, save
    from dprisk.documents import report

    release = read_release(survey(tmp_path))
    profile = RatioLimit(3.0)
    drawn = draw_lines(guarantee_line(PureDP(1.0, neighbors="add-remove"), "power", [0.05]))
    writers = {
        "r.yaml": lambda path, **how: write_release(release, path, **how),
        "p.json": lambda path, **how: write_profile(profile, path, **how),
        "r.md": lambda path, **how: report(release).save(path, **how),
        "f.svg": lambda path, **how: save(drawn, path, **how),
    }
    for name, act in writers.items():
        path = put(tmp_path, name, "old")
        with pytest.raises(InvalidFile, match=r"force=True"):
            act(path)
        assert path.read_text() == "old"
        act(path, force=True)
        assert path.read_text(encoding="utf-8") != "old"
    put(tmp_path, "g.csv", "old")  # beside a figure lies its table: all are written, or none
    with pytest.raises(InvalidFile, match=r"g\.csv"):
        save(drawn, tmp_path / "g.svg")
    assert not (tmp_path / "g.svg").exists()


def test_what_was_read_is_kept(tmp_path):
    """Inside the block, whatever was read is an input."""
    path = put(tmp_path, "a.txt", "old")
    with reading():
        read(path, 10)
        with pytest.raises(InvalidFile, match="The same command reads this file"):
            write(path, b"new", force=True)
    write(path, b"new", force=True)
    assert path.read_bytes() == b"new"


def test_the_error_is_of_the_system_too(tmp_path, monkeypatch):
    monkeypatch.setattr(files.os, "fsync", os.close)
    with pytest.raises(NotWritten) as caught:
        write(tmp_path / "a", b"new")
    assert isinstance(caught.value, OSError)
    assert list(tmp_path.iterdir()) == []
