"""The store of a ledger: where it is, and what is wrong with it."""

from __future__ import annotations

from typing import Final

STORE: Final[dict[str, str]] = {
    "ledger.place.url": "This URL cannot be read.",
    "ledger.place.url.fix": "Write it as postgresql://user@host:5432/database. In a password, "
    "write @ as %40 and / as %2F. Better still, keep the password in ~/.pgpass.",
    "ledger.none": "There is no ledger.",
    "ledger.none.fix": "Check the name, or start one with dprisk ledger init.",
    "ledger.no-database": "This file is not a ledger.",
    "ledger.no-database.fix": "Check the name. If it was a ledger, restore a backup.",
    "ledger.not-opened": "The file cannot be opened: {reason}.",
    "ledger.not-opened.fix": "The folder of a ledger must allow creating and reading files.",
    "ledger.read-only": "Here, the ledger can only be read ({reason}).",
    "ledger.read-only.fix": "Make the file and its folder writable, or name the primary server.",
    "ledger.full": "The disk is full. The ledger is unchanged.",
    "ledger.full.fix": "Make room, and try again.",
    "ledger.busy": "Other programs kept the ledger busy for too long ({reason}).",
    "ledger.busy.fix": "Nothing was recorded. Try again.",
    "ledger.raced": "Other programs kept writing first ({reason}).",
    "ledger.raced.fix": "Nothing was recorded. Try again.",
    "ledger.gone": "The database does not answer: {reason}.",
    "ledger.gone.fix": "Check that it is running and that you can reach it.",
    "ledger.not-allowed": "The database does not allow this: {reason}.",
    "ledger.not-allowed.fix": "Ask the owner of the ledger.",
    "ledger.not-next": "The database refused an entry that does not follow the last one.",
    "ledger.not-next.fix": "Nothing was recorded. Read the ledger once more, and try again.",
    "ledger.failed": "The database failed: {reason}.",
    "ledger.failed.fix": "Check it, and try again.",
    "ledger.damaged.file": "The database is damaged ({reason}).",
}
