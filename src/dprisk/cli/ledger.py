"""Record what was released, add it up, and show how much of the budget is left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import MISSING
from typing import TYPE_CHECKING, Any

from dprisk._asking import answers, options, reading
from dprisk._asking import parameters as take
from dprisk._asking.answers import Block
from dprisk._asking.options import Charged, Released, Tolerances
from dprisk._asking.parameters import Inquiry, arg, flag, opt, table
from dprisk._asking.reading import unclear

if TYPE_CHECKING:
    from dprisk.ledger.book import Ledger
    from dprisk.ledger.charges import Charge
    from dprisk.ledger.state import AccountStatus, PlannedCharge

STATES = {
    "reserved": "reserved, and counts as spent",
    "released": "recorded as released, and counts as spent",
    "voided": "recorded as not run, and no longer counts",
}
AGAIN = "Computing everything again"
example = "dprisk ledger status office.ledger residents-2026"


@table
class LedgerPlace:
    """The place of a ledger."""

    place: take.SomeLedger = arg("The ledger: a file, or the URL of a PostgreSQL database.")

    def opened(self) -> Ledger:
        """The ledger, open."""
        from dprisk.ledger import Ledger

        return Ledger.open(self.place)

    @property
    def shown(self) -> str:
        """The place without the password of a URL."""
        from dprisk.ledger.store.places import Location

        return Location.of(self.place).shown


@table
class Writer:
    """The person who makes an entry."""

    by: take.Text = opt(
        "Name of the person who makes this entry. Default: the user who is logged in."
    )

    @property
    def name(self) -> str:
        """The name that was given, or that of whoever is logged in."""
        if self.by:
            return self.by
        import getpass

        try:
            return getpass.getuser()
        except (KeyError, OSError):
            raise unclear("Nobody is logged in here. Say who does it with --by.") from None


# --- a ledger and its accounts -------------------------------------------------------------------


@table
class LedgerInit(Inquiry):
    """Start a ledger."""

    example = "dprisk ledger init office.ledger --origin Office"
    at: LedgerPlace
    origin: take.SomeText = opt(
        "Name of the ledger's owner. Every checkpoint contains this name.", MISSING
    )
    by: Writer = Writer()

    def answer(self) -> Any:
        from dprisk.ledger import Ledger

        with Ledger.create(self.at.place, origin=self.origin, by=self.by.name) as book:
            name = book.state().identity["ledger"]
        return {"ledger": name, "origin": self.origin, "entries": 1}

    def brief(self, made: Any) -> Iterable[str]:
        return [f"Started the ledger of {made['origin']}: {self.at.shown}."]


@table
class LedgerAccount(Inquiry):
    """Open an account for a population, with limits on the risk."""

    example = (
        "dprisk ledger account office.ledger residents-2026 --population residents --period 2026 "
        "--rule concentrated --limit posterior=0.5 --prior 0.1"
    )
    at: LedgerPlace
    name: take.SomeAccount = arg("The account.")
    population: take.SomeText = opt("Whose data the account is about.", MISSING)
    period: take.SomeText = opt(
        "The period of the account. A new period is a new account.", MISSING
    )
    unit: take.SomeText = opt("The privacy unit, such as person, household or user-day.", "person")
    neighbors: take.SomeWord = take.neighbors("add-remove")
    rule: take.SomeWord = opt(
        "How releases add up. concentrated: the values of ρ (zCDP) add up, even if a release "
        "depends on earlier results. pure: the values of ε add up, with certainty. approximate: "
        "pairs of ε and δ add up. gaussian: the squares of μ add up. renyi: Rényi divergences add "
        "up, also for subsampled noise. fixed: tighter, but valid only if all releases were fixed "
        "before the first result was seen.",
        "concentrated",
    )
    limits: Tolerances = Tolerances()
    profile: take.File = take.profile()
    delta: take.Number = opt("For approximate and concentrated: the largest sum of the deltas.")
    order: take.Numbers = opt("For renyi: an order at which divergences add up. Repeatable.")
    shape: take.File = opt("For renyi: a release file whose divergences give the budget its shape.")
    within: take.Account = opt("The account that this account is a part of.")
    share: take.Number = opt(
        "The share of the --within account's budget that may be spent here, such as 1/4."
    )
    by: Writer = Writer()

    def answer(self) -> Any:
        from dprisk.ledger import Account
        from dprisk.ledger.charges import shape_of

        relation: Any = reading.related(self.neighbors)
        if "epsilon" not in reading.limits(self.limits.limit):
            options.moot("limits that are not on epsilon", {"--at-delta": self.limits.at_delta})
        made = Account(
            name=self.name,
            population=self.population,
            unit=self.unit,
            neighbors=relation,
            period=self.period,
            rule=self.rule,  # type: ignore[arg-type]
            limits=tuple(self.limits.all(self.profile, relation)),
            delta=self.delta,
            orders=tuple(self.order) if self.order else None,
            shape=None if self.shape is None else shape_of(self.shape, relation),
            within=self.within,
            share=self.share,
        )
        with self.at.opened() as book:
            return book.account(made, by=self.by.name)

    def brief(self, made: Any) -> Iterable[str]:
        from dprisk.ledger.words import account_in_words

        return account_in_words(made)


@table
class LedgerAccounts(Inquiry):
    """List the accounts, and how much of each budget is spent."""

    example = "dprisk ledger accounts office.ledger"
    at: LedgerPlace

    def answer(self) -> list[AccountStatus]:
        with self.at.opened() as book:
            return [book.status(name) for name in book.state().accounts]

    def data(self, made: list[AccountStatus]) -> Any:
        return [answers.listed(each) for each in made]

    def brief(self, made: list[AccountStatus]) -> Iterable[str]:
        return [each.account.name for each in made] or ["No account is open yet."]

    def document(self, made: list[AccountStatus]) -> Iterator[Block]:
        return answers.of_accounts(made)


@table
class LedgerStatus(Inquiry):
    """Show a person's largest possible privacy loss so far, and how much of the budget is left."""

    example = "dprisk ledger status office.ledger residents-2026"
    at: LedgerPlace
    name: take.SomeAccount = arg("The account.")
    figure: take.File = opt("Draw the status as a figure in this file (.svg, .png or .pdf).")
    force: take.Flag = take.force()

    def answer(self) -> AccountStatus:
        with self.at.opened() as book:
            made = book.status(self.name)
        if self.figure is not None:
            from dprisk.curves import draw_spent, save

            save(draw_spent(made), self.figure, force=self.force)
        return made

    def brief(self, made: AccountStatus) -> Iterable[str]:
        from dprisk.ledger.words import status_in_words

        return status_in_words(made)[:2]

    def document(self, made: AccountStatus) -> Iterator[Block]:
        return answers.of_status(made)


@table
class LedgerHistory(Inquiry):
    """List the charges of an account."""

    example = "dprisk ledger history office.ledger residents-2026"
    at: LedgerPlace
    name: take.Account = arg("The account to list. Default: all accounts.", None)

    def answer(self) -> tuple[Charge, ...]:
        with self.at.opened() as book:
            return book.history(self.name)

    def brief(self, made: tuple[Charge, ...]) -> Iterable[str]:
        return map(_charged, made)

    def document(self, made: tuple[Charge, ...]) -> Iterator[Block]:
        return answers.of_history(made, self.name)


# --- charges -------------------------------------------------------------------------------------


@table
class LedgerCharge(Inquiry):
    """Charge a release that is published now."""

    example = (
        "dprisk ledger charge office.ledger --epsilon 0.1 --neighbors add-remove --account "
        "residents-2026"
    )
    at: LedgerPlace
    released: Released = Released()
    by: Writer = Writer()

    def answer(self) -> Charge:
        return _charge(self, at_once=True)

    def brief(self, made: Charge) -> Iterable[str]:
        return [*_contradicted(made), _charged(made)]

    def kept(self, made: Charge) -> bool:
        return not made.contradicted


@table
class LedgerReserve(Inquiry):
    """Reserve a release before it is published: it counts as spent."""

    example = (
        "dprisk ledger reserve office.ledger examples/broadband.yaml --account residents-2026 "
        "--key 2026-w01"
    )
    at: LedgerPlace
    released: Released = Released()
    by: Writer = Writer()

    def answer(self) -> Charge:
        return _charge(self, at_once=False)

    brief, kept = LedgerCharge.brief, LedgerCharge.kept


def _charge(asked: LedgerCharge | LedgerReserve, *, at_once: bool) -> Charge:
    with asked.at.opened() as book:
        request = asked.released.request(asked.example)
        (made,) = book.charge_all([request], by=asked.by.name, release=at_once)
    return made


@table
class LedgerRelease(Inquiry):
    """Record that a reserved release was published."""

    example = "dprisk ledger release office.ledger 2026-w01"
    at: LedgerPlace
    key: take.SomeKey = arg("The key of the charge.")
    by: Writer = Writer()

    def answer(self) -> Charge:
        with self.at.opened() as book:
            return book.release(self.key, by=self.by.name)

    def brief(self, made: Charge) -> Iterable[str]:
        return [_charged(made)]


@table
class LedgerVoid(Inquiry):
    """Record that a reserved release was not run and nobody saw a result."""

    example = "dprisk ledger void office.ledger 2026-w01 --not-run --reason cancelled"
    at: LedgerPlace
    key: take.SomeKey = arg("The key of the charge.")
    reason: take.SomeText = opt("The reason.", MISSING)
    not_run: take.Flag = flag(
        "State that the release was not run: nobody saw a result, and nobody will. Required. A "
        "result that someone saw stays spent."
    )
    by: Writer = Writer()

    def answer(self) -> Charge:
        said: Any = {"by": self.by.name, "reason": self.reason, "not_run": self.not_run}
        with self.at.opened() as book:
            return book.void(self.key, **said)

    brief = LedgerRelease.brief


@table
class LedgerPlan(Inquiry):
    """Show which of several future releases would fit. Nothing is written."""

    example = "dprisk ledger plan office.ledger january.yaml february.yaml --account residents-2026"
    at: LedgerPlace
    files: take.SomeFiles = arg("Release files, in the order of release.")
    charged: Charged = Charged()

    def answer(self) -> Any:
        with self.at.opened() as book:
            return book.plan([self.charged.request(file) for file in self.files])

    def brief(self, made: Any) -> Iterator[str]:
        for each in made:
            yield from _contradicted(each)
            yield f'"{each.name}" {"fits" if each.kept else "does not fit"}.'

    def kept(self, made: Any) -> bool:
        return all(each.kept and not each.contradicted for each in made)


def _contradicted(made: Charge | PlannedCharge) -> list[str]:
    """Statements that the release cannot keep, in words: it is counted by what was run."""
    from dprisk.documents.promises import cannot_keep

    return [cannot_keep(found, found.release) for found in made.contradicted]


def _charged(made: Charge) -> str:
    return f'"{made.name}" is {STATES[made.status]}. Key: {made.key}.'


# --- what is kept elsewhere ----------------------------------------------------------------------


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
        return map(str, made.flaws or [f"All {made.size} entries are consistent."])

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

    def answer(self) -> Any:
        from dprisk.ledger import Ledger

        with Ledger.load(self.folder, self.at.place) as book:
            return {"entries": book.state().size, "place": self.at.shown}

    def brief(self, made: Any) -> Iterable[str]:
        return [f"Imported {made['entries']} entries into {made['place']}."]


COMMANDS = {
    "init": LedgerInit,
    "account": LedgerAccount,
    "accounts": LedgerAccounts,
    "reserve": LedgerReserve,
    "release": LedgerRelease,
    "void": LedgerVoid,
    "charge": LedgerCharge,
    "status": LedgerStatus,
    "history": LedgerHistory,
    "plan": LedgerPlan,
    "verify": LedgerVerify,
    "checkpoint": LedgerCheckpoint,
    "export": LedgerExport,
    "import": LedgerImport,
}
