"""Backups of a ledger in a file: made while others write, and verified before one is restored.

A backup is a ledger itself. One that goes on from the ledger that is there only adds what is
missing; any other replaces it only on demand, and the file that was there is kept.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, Literal, final

from dprisk._files import check_places
from dprisk._values import members
from dprisk.errors import DpriskError, InvalidFile, InvalidInput, LedgerDamaged, LedgerUnavailable
from dprisk.ledger.copies.receipts import CheckedReceipt, hold_against
from dprisk.ledger.copies.verifying import verify
from dprisk.ledger.entries import Entry, origin_of
from dprisk.ledger.kept import newer, place_of
from dprisk.ledger.store import open_store
from dprisk.ledger.store.opening import copy_file, look_at
from dprisk.ledger.store.places import Location, failing
from dprisk.ledger.store.store import Store, exclusive

if TYPE_CHECKING:
    from dprisk.ledger.book import Ledger

Where = str | os.PathLike[str]
How = Literal["new", "completed", "the same", "replaced"]
BESIDE: Final = ("-journal", "-wal", "-shm")  # what SQLite keeps beside a file
ASK: Final = (
    "To put the backup there all the same, add --replace: the file there is then kept under "
    "another name."
)


@final
@dataclass(frozen=True)
class Backup:
    """A backup: how much is in it, and from when it is."""

    place: str
    origin: str
    entries: int
    last: str  # when its last entry was made: ISO 8601, UTC

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return members(self, "place", "origin", "entries", "last")


def back_up(ledger: Ledger, file: Where) -> Backup:
    """Copy a ledger into a new file, as it is at one moment, while others go on writing.

    Parameters
    ----------
    ledger : Ledger
        One in a file. For a server, use its own means, or an export.
    file : str or path
        The file to write, which only its owner may read. One that is there is never replaced.

    Returns
    -------
    Backup
        How many `entries` it has, and when the `last` was made.

    Raises
    ------
    LedgerDamaged
        If the entries do not follow from each other: no backup is made then.

    Examples
    --------
    >>> import tempfile
    >>> from dprisk.ledger import Ledger, back_up, restore
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Ledger.create(f"{folder}/office.ledger", origin="Office", by="ann") as ledger:
    ...         made = back_up(ledger, f"{folder}/friday.backup")
    ...     again = restore(f"{folder}/friday.backup", f"{folder}/again.ledger")
    >>> made.entries, again.how
    (1, 'new')
    """
    to, location = Path(file), _in_a_file(ledger.store.location)
    if os.path.lexists(to):
        raise InvalidFile(
            to,
            "Something is in this place already, and a backup never replaces it.",
            "Choose another name.",
        )
    ledger.store.read()  # all that is there, so that what is damaged is said as it is
    ledger.state()  # an older copy is refused
    copy_file(location, to)
    try:
        with closing(open_store(to)) as store:
            return _about(store.location.shown, store.read())
    except DpriskError:  # it was damaged in the meantime
        to.unlink()
        raise


def _in_a_file(location: Location) -> Location:
    if location.path is None:
        raise InvalidInput(
            "ledger",
            location.shown,
            "a ledger in a file",
            "Back up a server with its own means, such as pg_dump, or with dprisk ledger export; "
            "dprisk ledger import reads the export.",
        )
    return location


def _about(shown: str, entries: Sequence[Entry]) -> Backup:
    return Backup(shown, origin_of(entries), len(entries), entries[-1].at if entries else "")


@final
@dataclass(frozen=True)
class Restored:
    """A backup after it was restored."""

    backup: Backup
    place: str
    how: How
    added: int  # entries
    aside: str | None  # the file in which the ledger that was there is kept
    receipts: tuple[CheckedReceipt, ...]  # each held against the backup

    @property
    def kept(self) -> bool:
        """Whether the backup has everything that the receipts have seen."""
        return all(each.kept for each in self.receipts)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return members(self, "backup", "place", "how", "added", "aside", "receipts")


def restore(
    file: Where,
    where: Where,
    *,
    receipts: Iterable[Where] = (),
    public_key: Where | None = None,
    replace: bool = False,
    as_is: bool = False,
) -> Restored:
    """Restore a backup, once all of it is verified.

    Parameters
    ----------
    file : str or path
        The backup, which stays as it is.
    where : str or path
        The ledger. If it is there and the backup goes on from it, what is missing is added.
    receipts : iterable of str or path, optional
        Receipts that were kept elsewhere: what the backup misses of them is said.
    public_key : str or path, optional
        The key of whoever signed them. Left out, the one beside the ledger.
    replace : bool
        Whether a ledger that has more or other entries is replaced. It is kept under another name.
    as_is : bool
        Whether entries with flaws that `verify` names, but whose hashes are right, are taken over.

    Returns
    -------
    Restored
        From when it is, `how` it was restored, and each receipt held against it.

    Raises
    ------
    InvalidFile
        If something is wrong with the backup or a receipt, or the ledger has more or other entries.

    Examples
    --------
    >>> from dprisk.ledger import restore
    >>> restore("friday.backup", "office.ledger").how  # doctest: +SKIP
    'completed'
    """
    source, location = look_at(_in_a_file(Location.of(file))), _in_a_file(Location.of(where))
    target = location.path or Path()
    if source.path == target:
        raise InvalidInput("ledger", location.shown, "another file than the backup")
    check_places([target], force=True)
    with TemporaryDirectory(prefix=".dprisk-", dir=target.parent) as folder:
        part = Path(folder) / "ledger"
        copy_file(source, part)
        with closing(open_store(part, backups=folder)) as store:  # one of before is migrated there
            entries = _verified(store, source.shown, as_is)
        checked = hold_against(entries, receipts, public_key, location)
        aside = target.with_name(f"{target.name}.replaced-{_stamp()}")
        if not replace and (found := newer(location, entries, "The backup")):
            raise InvalidFile(source.shown, found[0], ASK)
        how, added = _put(part, location, entries, source.shown, aside, replace=replace)
    kept = str(aside) if aside.exists() else None
    return Restored(_about(source.shown, entries), location.shown, how, added, kept, checked)


def _stamp() -> str:
    return datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")


def _verified(store: Store, shown: str, as_is: bool) -> list[Entry]:
    """All entries of a backup; what is wrong with it otherwise."""
    found = verify(store, contents=not as_is)
    if found.flaws:
        more = f" ({len(found.flaws) - 1} more findings.)" if len(found.flaws) > 1 else ""
        is_in_order = verify(store, contents=False).is_whole
        raise InvalidFile(
            shown,
            f"This backup is damaged: {found.flaws[0]}{more} Nothing was restored.",
            "Restore another backup, or see all findings with dprisk ledger verify."
            + " To restore it with all its flaws, add --as-is." * is_in_order,
        )
    if not (entries := store.read()):
        raise InvalidFile(shown, "This backup has no entries: no ledger was begun in it.")
    return entries


def _put(
    part: Path, location: Location, entries: list[Entry], shown: str, aside: Path, *, replace: bool
) -> tuple[How, int]:
    """Put a verified copy where the ledger is to be: how that was done, and what was added."""
    target = location.path or Path()
    left = [target.with_name(f"{target.name}{end}") for end in BESIDE]
    store, is_there = None, os.path.lexists(target)
    try:
        store = open_store(location.shown) if is_there else None
    except DpriskError as error:  # no ledger, or one that cannot be opened
        if not replace:
            raise _not_there(location, error) from None
    if store is not None:
        with closing(store):
            if (added := _completed(store, entries, shown, replace=replace)) is not None:
                return ("completed" if added else "the same"), added
            with failing(location), exclusive(store.engine, store.patience):
                copy_file(store.location, aside)
                part.chmod(target.stat().st_mode & 0o777)
                os.replace(part, target)
    else:
        found = [each.name for each in left if os.path.lexists(each)]
        if found and not (is_there or replace):
            raise InvalidFile(
                target,
                f"There is no ledger, but {found[0]}, which SQLite would write into the backup.",
                f"If that file is left over, move it away. {ASK}",
            )
        if is_there:
            shutil.copyfile(target, aside)
            aside.chmod(0o600)
        _move(left, target, aside)
        (os.replace if is_there else _link)(part, target)
    with suppress(FileNotFoundError):  # it is of the ledger that is replaced
        place_of(location).unlink()
    return "replaced" if aside.exists() else "new", len(entries)


def _link(part: Path, target: Path) -> None:
    """Give a file its name, unless another program has made one there."""
    try:
        os.link(part, target)
    except FileExistsError:
        raise InvalidFile(target, "Another program has made this file just now.") from None
    except OSError:  # a file system without links
        os.replace(part, target)
    else:
        part.unlink()


def _not_there(location: Location, error: DpriskError) -> LedgerUnavailable:
    why = getattr(error, "why", str(error))
    return LedgerUnavailable(location.shown, f"{why} Nothing was restored. {ASK}")


def _move(files: Iterable[Path], target: Path, aside: Path) -> None:
    for each in files:
        with suppress(FileNotFoundError):
            os.replace(each, aside.with_name(each.name.replace(target.name, aside.name, 1)))


def _completed(store: Store, entries: list[Entry], shown: str, *, replace: bool) -> int | None:
    """Add what is missing in a ledger that the backup goes on from; None: it is to be replaced."""

    def work(writing: Any) -> int | None:
        there, here = writing.entries(), len(entries)
        if there == entries[: len(there)]:
            for entry in entries[len(there) :]:
                writing.append(entry)
            return here - len(there)
        if replace:
            return None
        same = next(
            (n for n, (a, b) in enumerate(zip(there, entries, strict=False)) if a != b), here
        )
        lost = "" if same == here else f" They differ from entry {same + 1} on."
        raise InvalidFile(
            shown,
            f"This backup has {here} entries, the last from {entries[-1].at}, and the ledger has "
            f"{len(there)}.{lost} What the ledger has beyond would be lost.",
            ASK,
        )

    try:
        return store.write(work)
    except LedgerDamaged as error:
        if replace:
            return None
        raise _not_there(store.location, error) from None
