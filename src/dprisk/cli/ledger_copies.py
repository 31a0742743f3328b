"""Commands about what is kept of a ledger elsewhere: receipts, checkpoints, exports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import MISSING
from pathlib import Path
from typing import Any

from dprisk._asking import parameters as take
from dprisk._asking.charging import LedgerPlace
from dprisk._asking.parameters import Inquiry, arg, flag, opt, table
from dprisk.cli import show
from dprisk.cli.commands import Command, Output

TAKEN = (
    "The costs of {} entries are as recorded: an earlier version of dprisk described these "
    "releases in words, from which nothing can be computed."
)
AGAIN = "Computing everything again"
RESTORED = "Restored {} entries into {}."
COMPLETED = {
    "completed": "Added {} missing entries to {}.",
    "the same": "Nothing was missing in {1}.",
}
MISSING_SINCE = "Charge again what was published after that: it stays spent."
GO_BACK = (
    "Put the newest copy of this ledger back. If there is none, charge every release that is "
    "missing again: what was published stays spent."
)


@table
class LedgerVerify(Inquiry):
    """Check the whole ledger, and list what is wrong."""

    example = "dprisk ledger verify office.ledger --checkpoint friday.note"
    at: LedgerPlace
    doing = AGAIN
    checkpoint: take.File = opt("A checkpoint that you kept elsewhere.")
    key: take.File = opt("The public key of the signer.")
    replay: take.Flag = flag("Check every decision again, in the order of the history.")

    def answer(self) -> Any:
        with self.at.opened() as book:
            return book.verify(self.checkpoint, public_key=self.key, replay=self.replay)

    def brief(self, made: Any) -> Iterable[str]:
        said = list(made.flaws) or [f"All {made.size} entries are consistent."]
        return [*said, *[TAKEN.format(made.taken)] * bool(made.taken), *made.stated]

    def kept(self, made: Any) -> bool:
        return bool(made.is_whole)


@table
class LedgerCheckpoint(Inquiry):
    """Record the current state of the ledger, to be kept elsewhere."""

    example = "dprisk ledger checkpoint office.ledger -o friday.note"
    at: LedgerPlace
    out: take.SomeFile = opt("File to write, such as friday.note.", MISSING, "--output", "-o")
    key: take.File = opt("The private key (ed25519) to sign with.")
    force: take.Flag = take.force()

    def answer(self) -> Any:
        with self.at.opened() as book:
            made = book.checkpoint(self.out, key=self.key, force=self.force)
        return {**made.to_dict(), "place": self.out}

    def brief(self, made: Any) -> Iterable[str]:
        size = f"The checkpoint covers {made['size']} entries."
        return [f"{size} Keep {self.out} away from the ledger."]


@table
class LedgerExport(Inquiry):
    """Write the whole ledger into a folder of plain files."""

    example = "dprisk ledger export office.ledger -o office-export"
    at: LedgerPlace
    doing = AGAIN
    out: take.SomeFolder = opt("Folder to write, such as office-export.", MISSING, "--output", "-o")

    def answer(self) -> Any:
        with self.at.opened() as book:
            book.export(self.out)
            return {"entries": book.state().size, "directory": self.out}

    def brief(self, made: Any) -> Iterable[str]:
        return [f"Exported the whole ledger to {made['directory']}."]


@table
class LedgerImport(Inquiry):
    """Rebuild a ledger from an exported folder."""

    example = "dprisk ledger import office-export rebuilt.ledger"
    doing = AGAIN
    folder: take.SomeFolder = arg("The folder that export wrote.")
    at: LedgerPlace
    as_is: take.Flag = flag("Import entries with flaws too, as they are.")

    def answer(self) -> Any:
        from dprisk.ledger import Ledger

        with Ledger.load(self.folder, self.at.place, as_is=self.as_is) as book:
            return {"entries": book.state().size, "place": self.at.shown}

    def brief(self, made: Any) -> Iterable[str]:
        return [f"Imported {made['entries']} entries into {made['place']}."]


@table
class LedgerBackup(Inquiry):
    """Copy a ledger into a new file while others write."""

    example = "dprisk ledger backup office.ledger friday.backup"
    at: LedgerPlace
    file: take.SomeFile = arg("The file to write, which only its owner may read.")

    def answer(self) -> Any:
        from dprisk.ledger import back_up

        with self.at.opened() as book:
            return back_up(book, self.file)

    def brief(self, made: Any) -> Iterable[str]:
        from dprisk.ledger.words import when

        size, last = made.entries, when(made.last)
        return [f"{self.file} holds {size} entries, the last from {last} UTC. Keep it elsewhere."]


@table
class LedgerRestore(Inquiry):
    """Restore a backup, once all of it is verified. First stop what uses the ledger."""

    example = "dprisk ledger restore friday.backup office.ledger"
    doing = AGAIN
    file: take.SomeFile = arg("The backup.")
    at: LedgerPlace
    receipt: take.Files = opt("A receipt: show what the backup misses of it. Repeatable.")
    key: take.File = opt("The public key of the signer. Default: the one beside the ledger.")
    replace: take.Flag = flag(
        "Replace a ledger that has more or other entries, or that is damaged. The file that was "
        "there is kept under another name."
    )
    as_is: take.Flag = flag("Restore entries with flaws too, as they are.")

    def answer(self) -> Any:
        from dprisk.ledger import restore

        more: Any = {"public_key": self.key, "replace": self.replace, "as_is": self.as_is}
        return restore(self.file, self.at.place, receipts=self.receipt or (), **more)

    def brief(self, made: Any) -> Iterator[str]:
        from dprisk.ledger.words import when

        done = COMPLETED.get(made.how, RESTORED).format(made.added, self.at.shown)
        yield f"{done} The last entry is from {when(made.backup.last)} UTC."
        if made.aside is not None:
            yield f"The file that was there is kept as {_near(Path(made.aside))}."
        yield from (f"{each.file}: {each.why}" for each in made.receipts)
        yield MISSING_SINCE

    def kept(self, made: Any) -> bool:
        return bool(made.kept)


def _near(path: Path) -> Path:
    """A path as it is named from here."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


# --- receipts ------------------------------------------------------------------------------------


@table
class LedgerKey(Inquiry):
    """Make the key that signs the receipts of a ledger."""

    example = "dprisk ledger key office.ledger"
    at: LedgerPlace

    def answer(self) -> Any:
        from dprisk.ledger import make_key

        place = _near(make_key(self.at.place))
        return {"key": str(place), "public": f"{place}.pub"}

    def brief(self, made: Any) -> Iterable[str]:
        return [
            f"The receipts of this ledger are now signed with {made['key']}. Whoever has this file "
            "can sign.",
            f"Give {made['public']} to everyone who gets a receipt.",
        ]


@table
class LedgerReceipt(Command):
    """Give the receipt of an earlier charge, to be kept away from the ledger."""

    example = "dprisk ledger receipt office.ledger 2026-w01 -o 2026-w01.note"
    at: LedgerPlace
    key: take.SomeKey = arg("The key of the charge, or the number of its entry.")
    out: take.File = opt(
        "File to write, such as 2026-w01.note. Default: the receipt is printed.",
        None,
        *("--output", "-o"),
    )
    force: take.Flag = take.force()

    def run(self, output: Output) -> None:
        from dprisk._files import check_places, write
        from dprisk.ledger import give_receipt

        check_places([] if self.out is None else [self.out], force=self.force)
        with self.at.opened() as book:
            made = give_receipt(book, self.key)
        if self.out is not None:
            write(self.out, made.text.encode(), force=self.force)
        if self.out is None and not output.json:
            show.as_it_is(made.text)
        else:
            output.show(self, made)

    def brief(self, made: Any) -> Iterable[str]:
        unsigned = " It is unsigned: dprisk ledger key makes a key." * (not made.is_signed)
        return [f"{self.out} is the receipt. Keep it away from the ledger.{unsigned}"]


@table
class LedgerCheckReceipt(Inquiry):
    """Check whether a ledger still has what receipts say: shows a rollback, fork or cut-off end."""

    example = "dprisk ledger check-receipt office.ledger 2026-w01.note"
    doing = AGAIN
    place: take.SomeLedger = arg("The ledger, a backup of it, or the folder of an export.")
    files: take.SomeFiles = arg("The files of the receipts.")
    key: take.File = opt("The public key of the signer. Default: the one beside the ledger.")

    def answer(self) -> Any:
        from dprisk.ledger import check_receipts

        return check_receipts(self.place, self.files, public_key=self.key)

    def brief(self, made: Any) -> Iterable[str]:
        said = [f"{each.file}: {each.why}" for each in made]
        return said + [GO_BACK] * (not self.kept(made))

    def kept(self, made: Any) -> bool:
        return all(each.kept for each in made)


COMMANDS = {
    "verify": LedgerVerify,
    "checkpoint": LedgerCheckpoint,
    "export": LedgerExport,
    "import": LedgerImport,
    "backup": LedgerBackup,
    "restore": LedgerRestore,
    "key": LedgerKey,
    "receipt": LedgerReceipt,
    "check-receipt": LedgerCheckReceipt,
}
