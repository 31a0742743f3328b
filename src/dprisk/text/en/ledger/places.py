"""The store of a ledger: where it is, what is wrong with it, how it is checked."""

from __future__ import annotations

from typing import Final

PLACES: Final[dict[str, str]] = {
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
}

CHECKS: Final[dict[str, str]] = {
    "ledger.note.bad": "This is not a checkpoint. A checkpoint has an origin, a size and a root, "
    "each on a line, then an empty line and signatures.",
    "ledger.note.bad.fix": "Use the file as dprisk ledger checkpoint wrote it.",
    "ledger.key.private": "This is not a readable Ed25519 private key.",
    "ledger.key.private.fix": "Make one with: openssl genpkey -algorithm ed25519. Keys with a "
    "password are not read.",
    "ledger.key.public": "This is not an Ed25519 public key.",
    "ledger.key.public.fix": "Make it from the private key with: openssl pkey -pubout.",
    "ledger.check.changed": "Entry {seq} was changed: its hash does not match its content.",
    "ledger.check.gap": "Entry {seq} is missing.",
    "ledger.check.place": "Entry {seq} is where entry {expected} should be.",
    "ledger.check.order": "Entry {seq} does not follow the one before it.",
    "ledger.check.kind": "Entry {seq} has a kind that no version of dprisk writes there: {kind}.",
    "ledger.check.body": "Entry {seq} cannot be read.",
    "ledger.check.release": "The description in entry {seq} is not the one that was recorded.",
    "ledger.check.database": "The database reports damage: {reason}.",
    "ledger.check.unguarded": "The database does not protect its entries from changes: {missing} "
    "is missing or switched off.",
    "ledger.check.shorter": "The ledger ends at entry {size}, and the checkpoint at entry "
    "{expected}. The last entries were removed, or an older backup was restored.",
    "ledger.check.root": "Entry {size} differs from the checkpoint: the ledger was rewritten up "
    "to this entry, or it is a different ledger.",
    "ledger.check.origin": "This is the ledger of {origin}, but the checkpoint is from the ledger "
    "of {expected}.",
    "ledger.check.more": "There are {count} more findings.",
}

EXPORTS: Final[dict[str, str]] = {}

DAMAGE: Final[dict[str, str]] = {
    "ledger.damaged.missing": "Entry {seq} is missing.",
    "ledger.damaged.file": "The database is damaged ({reason}).",
}

STORE: Final[dict[str, str]] = PLACES | CHECKS | EXPORTS | DAMAGE
