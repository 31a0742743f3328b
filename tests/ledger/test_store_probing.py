"""Places where entries could be lost are refused; each row of the page about them has a test."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from dprisk.errors import LedgerUnavailable
from dprisk.ledger.store import open_store, probing
from dprisk.ledger.store.places import Location
from tests.ledger.entries import filled
from tests.needed import needs, works

PAGE = Path(__file__).parents[2] / "docs" / "ledger.md"
ROWS = {
    "Two programs write at once": "test_book.test_two_programs_at_once",
    "A program or the machine stops in the middle of a write": "test_store_torture.test_torn",
    "The disk is full": "test_store_torture.test_a_full_disk",
    "The file gets a second name (a hard link)": "test_store_opening.test_a_file_with_two_names",
    "The file is mounted by itself, as in a container": "test_store_opening.test_a_file_that_is_mo",
    "A symbolic link, or a second path to the folder": "test_store_opening.test_two_processes_thr",
    "The file system does not hold locks": "test_store_probing.test_locks_that_do_not_hold",
    "The folder is locked on each machine alone": "test_store_probing.test_a_folder_whose_locks",
    "Someone copies the file while it is written": "test_backups.test_a_backup_while_others_write",
    "The file is copied in part, or cut short": "test_store_probing.test_a_file_that_is_cut_short",
    "The file is emptied or removed": "test_kept.test_a_ledger_that_is_gone_is_not_begun_anew",
    "A byte changes": "test_store_torture.test_flips_tails_and_backups_of_a_file",
    "An entry is missing": "test_store.test_a_missing_entry_is_named",
    "An entry is forged, with the right hash": "test_state.test_what_a_description_costs",
    "An older copy is put back": "test_kept.test_an_older_copy_is_refused_until",
    "An older copy is put back while a program runs": "test_book.test_a_ledger_that_went_back_whil",
    "A copy goes its own way": "test_receipts.test_of_a_hundred_forks_and_rollbacks",
    "The file is replaced while a program waits to write": "test_backups.test_who_waits_for",
    "A journal of another file is left beside it": "test_backups.test_a_journal_of_a_lost_file",
    "A newer version of dprisk wrote it": "test_store_opening.test_a_newer_ledger_is_left_alone",
    "Others can read or write the file": "test_store_probing.test_a_new_file_is_its_owners_alone",
}
"""What the page says can happen, and the test of it: a module, and how its name begins."""
NO_LOCKS = """
#define _GNU_SOURCE
#include <stdarg.h>
#include <dlfcn.h>
#include <fcntl.h>
int fcntl64(int file, int what, ...) {
    va_list more; va_start(more, what); void *given = va_arg(more, void *); va_end(more);
    if (what == F_SETLK || what == F_SETLKW || what == F_OFD_SETLK) return 0;
    int (*real)(int, int, ...) = dlsym(RTLD_NEXT, "fcntl64");
    return real(file, what, given);
}
int fcntl(int file, int what, ...) {
    va_list more; va_start(more, what); void *given = va_arg(more, void *); va_end(more);
    return fcntl64(file, what, given);
}
"""
"""A system in which every lock is granted."""


def test_each_row_of_the_page_has_a_test():
    table = PAGE.read_text("utf-8").partition("## How a ledger can be corrupted")[2]
    rows = re.findall(r"^\| ([A-Z].*?) \|", table.partition("\n## ")[0], re.M)
    assert rows == list(ROWS)
    for test in ROWS.values():
        module, name = test.split(".")
        source = (Path(__file__).parent / f"{module}.py").read_text("utf-8")
        assert re.search(rf"^def {name}", source, re.M), test


def test_a_place_that_is_fine_is_left_as_it_is(tmp_path):
    assert probing.locks_hold(tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert probing.locks_hold(tmp_path / "missing")  # nothing can be said


@pytest.mark.skipif(sys.platform != "linux", reason="locks of open files are Linux's")
def test_locks_that_do_not_hold_are_found_and_refused(tmp_path, monkeypatch):
    """By SQLite's own way to take none."""
    filled(open_store(tmp_path / "a", create=True), 2).close()
    before = (tmp_path / "a").read_bytes()
    monkeypatch.setattr(probing, "PROBE", f"{probing.PROBE}&vfs=unix-none")
    for name, create in (("a", False), ("b", True)):
        with pytest.raises(LedgerUnavailable, match=r"does not hold locks.*local disk.*PostgreSQL"):
            open_store(tmp_path / name, create=create)
    assert {each.name for each in tmp_path.iterdir()} == {"a"}
    assert (tmp_path / "a").read_bytes() == before


@needs(works("cc", "--version"), "C compiler", "apt install gcc", "DPRISK_COMPILER")
@pytest.mark.skipif(sys.platform != "linux", reason="locks of open files are Linux's")
def test_locks_that_the_system_grants_to_all_are_found(tmp_path):
    (tmp_path / "none.c").write_text(NO_LOCKS)
    made = tmp_path / "none.so"
    command = ["cc", "-shared", "-fPIC", "-o", str(made), str(tmp_path / "none.c"), "-ldl"]
    subprocess.run(command, check=True, capture_output=True)
    code = (
        "from pathlib import Path; from dprisk.ledger.store.probing import locks_hold;"
        f"print(locks_hold(Path({str(tmp_path)!r})))"
    )
    said = [
        subprocess.run([sys.executable, "-c", code], env={**os.environ, **more}, check=True,
                       capture_output=True, text=True).stdout.strip()
        for more in ({}, {"LD_PRELOAD": str(made)})
    ]  # fmt: skip
    assert said == ["True", "False"]


@pytest.mark.parametrize("option", sorted(probing.OF_ONE_MACHINE))
def test_a_folder_whose_locks_reach_no_other_machine(tmp_path, monkeypatch, option):
    mounts, folder = tmp_path / "mountinfo", tmp_path / "share"
    folder.mkdir()
    filled(open_store(folder / "a", create=True), 2).close()
    monkeypatch.setattr(probing, "MOUNTS", mounts)
    head = "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n"
    mounts.write_text(f"{head}40 22 0:50 / {folder} rw - nfs4 server:/x rw,vers=4.2,{option}\n")
    with pytest.raises(LedgerUnavailable, match=rf"mounted with {option}: no lock reaches another"):
        open_store(folder / "a")
    mounts.write_text(f"{head}40 22 0:50 / {folder} rw - nfs4 server:/x rw,vers=4.2\n")
    open_store(folder / "a").close()
    mounts.write_text(f"{head}40 22 0:50 / {folder}x rw - nfs4 server:/x rw,{option}\n")
    open_store(folder / "a").close()
    mounts.write_text("")
    open_store(folder / "a").close()


def test_a_file_that_is_cut_short_says_how_much_is_there(tmp_path):
    path = tmp_path / "a"
    filled(open_store(path, create=True), 50).close()
    raw = path.read_bytes()
    assert probing.cut_short(path) is None and probing.cut_short(tmp_path) is None
    for size in (len(raw) - 4096, len(raw) // 2, 4096, 1000):
        path.write_bytes(raw[:size])
        with pytest.raises(Exception, match=rf"has {size} of its {len(raw)} bytes") as caught:
            open_store(path).read()
        assert "put a backup back" in str(caught.value)


def test_a_new_file_is_its_owners_alone(tmp_path):
    was = os.umask(0)
    try:
        filled(open_store(tmp_path / "a", create=True), 2).close()
    finally:
        os.umask(was)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o600
    (tmp_path / "a").chmod(0o660)  # for a group, if its owner says so
    filled(open_store(tmp_path / "a"), 2).close()
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o660


def test_a_server_is_no_place_of_files():
    location = Location.of("postgresql://user@host/db")
    probing.refuse_place(location)
    probing.refuse_links(location)
