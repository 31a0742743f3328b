"""``dprisk ledger``: what was released so far, and what a person can have lost to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, final

from dprisk._asking import options, reading
from dprisk._asking import parameters as shared
from dprisk._asking.answers import Block, section, table
from dprisk._asking.charges import Charged, Released, listed
from dprisk._asking.options import Tolerances
from dprisk._asking.parameters import (
    File,
    Flag,
    Number,
    Numbers,
    SomeFile,
    SomeText,
    SomeWord,
    Text,
    arg,
    flag,
    opt,
)
from dprisk._asking.reading import unclear
from dprisk.cli.commands import Output
from dprisk.cli.show import waiting
from dprisk.text.rounding import at_most

if TYPE_CHECKING:
    from dprisk.ledger.book import Ledger
    from dprisk.ledger.charges import Charge
    from dprisk.ledger.state import AccountStatus, PlannedCharge

Folder = Annotated[str, "FOLDER"]


@final
@dataclass(frozen=True)
class LedgerPlace:
    """The place of the ledger."""

    place: Annotated[str, "LEDGER"] = arg(
        "The ledger: a file, or the URL of a PostgreSQL database."
    )

    def opened(self) -> Ledger:
        """The ledger, open."""
        from dprisk.ledger import Ledger

        return Ledger.open(self.place)

    @property
    def shown(self) -> str:
        """The place without the password of a URL."""
        from dprisk.ledger.store.places import Location

        return Location.of(self.place).shown


@final
@dataclass(frozen=True)
class Name:
    """The name of an account."""

    name: Annotated[str, "ACCOUNT"] = arg("The account.")


@final
@dataclass(frozen=True)
class Key:
    """The key of a charge."""

    key: Annotated[str, "KEY"] = arg("The key of the charge.")


@final
@dataclass(frozen=True)
class Writer:
    """The person who makes an entry."""

    by: Text = opt(
        "Name of the person who makes this entry. Default: the user who is logged in.",
        None,
        "--by",
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


def _say(output: Output, made: Any, said: Iterable[str], *, kept: bool = True) -> None:
    output.show(made, lambda: said, kept=kept)


# --- a ledger and its accounts -------------------------------------------------------------------


@final
@dataclass(frozen=True)
class Origin:
    """The owner of a ledger."""

    origin: SomeText = opt(
        "Name of the ledger's owner. Every checkpoint contains this name.", MISSING
    )


def init(at: LedgerPlace, whose: Origin, by: Writer, output: Output) -> None:
    """Begin a ledger."""
    from dprisk.ledger import Ledger

    origin = whose.origin
    with Ledger.create(at.place, origin=origin, by=by.name) as book:
        said = {"ledger": book.state().identity["ledger"], "origin": origin, "entries": 1}
    _say(output, said, [f"Started the ledger of {origin}: {at.shown}."])


@final
@dataclass(frozen=True)
class AccountTerms:
    """The terms of a new account."""

    population: SomeText = opt("Whose data the account is about.", MISSING)
    period: SomeText = opt("The period of the account. A new period is a new account.", MISSING)
    unit: SomeText = opt("The privacy unit, such as person, household or user-day.", "person")
    neighbors: SomeWord = opt(
        "Which datasets the promise compares: add-remove or replace-one.", "add-remove"
    )
    rule: SomeWord = opt(
        "How releases add up. concentrated: the values of ρ (zCDP) add up, even if a release "
        "depends on earlier results. pure: the values of ε add up, with certainty. approximate: "
        "pairs of ε and δ add up. gaussian: the squares of μ add up. renyi: Rényi divergences add "
        "up, also for subsampled noise. fixed: tighter, but valid only if all releases were fixed "
        "before the first result was seen.",
        "concentrated",
    )
    limits: Tolerances = Tolerances()
    profile: File = opt("A risk profile (.yaml, .toml or .json).")
    delta: Number = opt("For approximate and concentrated: the largest sum of the deltas.")
    order: Numbers = opt("For renyi: an order at which divergences add up. Repeatable.")
    shape: File = opt("For renyi: a release file whose divergences give the budget its shape.")
    within: Annotated[str | None, "ACCOUNT"] = opt("The account that this account is a part of.")
    share: Number = opt(
        "The share of the --within account's budget that may be spent here, such as 1/4."
    )


def account(at: LedgerPlace, name: Name, terms: AccountTerms, by: Writer, output: Output) -> None:
    """Open an account."""
    from dprisk.ledger import Account
    from dprisk.ledger.charges import shape_of
    from dprisk.ledger.words import account_in_words

    relation: Any = reading.related(terms.neighbors)
    if "epsilon" not in reading.limits(terms.limits.limit):
        options.moot("limits that are not on epsilon", {"--at-delta": terms.limits.at_delta})
    made = Account(
        name=name.name,
        population=terms.population,
        unit=terms.unit,
        neighbors=relation,
        period=terms.period,
        rule=terms.rule,  # type: ignore[arg-type]
        limits=tuple(terms.limits.all(terms.profile, relation)),
        delta=terms.delta,
        orders=tuple(terms.order) if terms.order else None,
        shape=None if terms.shape is None else shape_of(terms.shape, relation),
        within=terms.within,
        share=terms.share,
    )
    with at.opened() as book, waiting("Counting"):
        opened = book.account(made, by=by.name)
    _say(output, opened, account_in_words(opened))


def accounts(at: LedgerPlace, output: Output) -> None:
    """List the accounts."""
    with at.opened() as book, waiting("Counting"):
        made = [book.status(name) for name in book.state().accounts]
    names = [each.account.name for each in made] or ["No account is open yet."]
    output.show(
        [listed(each) for each in made],
        lambda: names,
        lambda: [_accounts(made)] if made else names,
    )


def _accounts(made: list[AccountStatus]) -> Any:
    rows = []
    for each in made:
        *said, share = listed(each).values()
        spent = "" if share is None else f"{at_most(100.0 * float(Fraction(share)), 3)}%"
        rows.append([*map(str, said), spent])
    heads = ("account", "population", "unit", "period", "rule", "charges", "spent")
    return table(heads, rows)


@final
@dataclass(frozen=True)
class Drawn:
    """The file in which a status is drawn."""

    figure: File = opt("Draw the status as a figure in this file (.svg, .png or .pdf).")
    force: Flag = shared.force()


def status(at: LedgerPlace, name: Name, drawn: Drawn, output: Output) -> None:
    """Say what a person can have lost so far, and what is left."""
    from dprisk.ledger import words as ledgers

    with at.opened() as book, waiting("Counting"):
        made = book.status(name.name)
    if drawn.figure is not None:
        from dprisk.curves import draw_spent, save

        save(draw_spent(made), drawn.figure, force=drawn.force)
    output.show(made, lambda: ledgers.status_in_words(made)[:2], lambda: _status(made))


def _status(made: AccountStatus) -> Iterator[Block]:
    from dprisk.ledger import words as ledgers

    yield ledgers.title(made)
    yield from ledgers.status_in_words(made)
    rows = ledgers.rows(made)
    if rows:
        yield table(("what must hold", "at most", "limit", "when", "theorem"), rows)
    yield from section("Spent", ledgers.amounts(made))
    yield from section("Assumptions", ledgers.assumptions(made))


@final
@dataclass(frozen=True)
class SomeName:
    """The account whose charges are listed; all where none is named."""

    name: Annotated[str | None, "ACCOUNT"] = arg(
        "The account to list. Default: all accounts.", None
    )


def history(at: LedgerPlace, name: SomeName, output: Output) -> None:
    """List the charges."""
    from dprisk.ledger.words import HISTORY, history_in_rows

    with at.opened() as book:
        made = book.history(name.name)
    output.show(
        made,
        lambda: map(_charged, made),
        lambda: [table(HISTORY, history_in_rows(made, name.name))],
    )


# --- charges -------------------------------------------------------------------------------------


def reserve(at: LedgerPlace, released: Released, by: Writer, output: Output) -> None:
    """Set aside what a release will cost."""
    _charge(at, released, by, output, "reserve")


def charge(at: LedgerPlace, released: Released, by: Writer, output: Output) -> None:
    """Charge a release that is made at once."""
    _charge(at, released, by, output, "charge")


def _charge(at: LedgerPlace, released: Released, by: Writer, output: Output, command: str) -> None:
    with at.opened() as book, waiting("Counting"):
        asked = released.request(f"ledger.{command}")
        (made,) = book.charge_all([asked], by=by.name, release=command == "charge")
    false = _contradicted(made)
    _say(output, made, [*false, _charged(made)], kept=not false)


def release(at: LedgerPlace, key: Key, by: Writer, output: Output) -> None:
    """Say that what was reserved has been released."""
    with at.opened() as book:
        made = book.release(key.key, by=by.name)
    _say(output, made, [_charged(made)])


@final
@dataclass(frozen=True)
class Voided:
    """Why a reserved release does not count any more."""

    reason: SomeText = opt("The reason.", MISSING)
    not_run: Flag = flag(
        "State that the release was not run: nobody saw a result, and nobody will. Required. A "
        "result that someone saw stays spent.",
        "--not-run",
    )


def void(at: LedgerPlace, key: Key, why: Voided, by: Writer, output: Output) -> None:
    """Record that what was reserved was not run."""
    with at.opened() as book:
        made = book.void(key.key, by=by.name, reason=why.reason, not_run=why.not_run)
    _say(output, made, [_charged(made)])


@final
@dataclass(frozen=True)
class Future:
    """The releases that are planned."""

    files: Annotated[list[str], "FILE"] = arg("Release files, in the order of release.")
    charged: Charged = Charged()


def plan(at: LedgerPlace, future: Future, output: Output) -> None:
    """Say which of several future releases would fit."""
    with at.opened() as book, waiting("Counting"):
        made = book.plan([future.charged.request(file) for file in future.files])
    said = [line for each in made for line in (*_contradicted(each), _foreseen(each))]
    kept = all(each.kept and not each.contradicted for each in made)
    _say(output, made, said, kept=kept)


def _foreseen(each: PlannedCharge) -> str:
    return f'"{each.name}" {"fits" if each.kept else "does not fit"}.'


def _contradicted(made: Charge | PlannedCharge) -> list[str]:
    """Statements that the release cannot keep, in words: it is counted by what was run."""
    from dprisk.documents.promises import cannot_keep

    return [cannot_keep(found, found.release) for found in made.contradicted]


def _charged(made: Charge) -> str:
    states = {
        "reserved": "reserved, and counts as spent",
        "released": "recorded as released, and counts as spent",
        "voided": "recorded as not run, and no longer counts",
    }
    return f'"{made.name}" is {states[made.status]}. Key: {made.key}.'


# --- what is kept elsewhere ----------------------------------------------------------------------


@final
@dataclass(frozen=True)
class Checked:
    """Options on what a ledger is checked against."""

    checkpoint: File = opt("A checkpoint that you kept elsewhere.")
    key: File = opt("The public key of the signer.")
    replay: Flag = flag("Check every decision again, in the order of the history.", "--replay")


def verify(at: LedgerPlace, checked: Checked, output: Output) -> None:
    """Compute everything again, and say what does not fit."""
    with at.opened() as book, waiting("Computing everything again"):
        made = book.verify(checked.checkpoint, public_key=checked.key, replay=checked.replay)
    whole = f"All {made.size} entries are consistent."
    said = [whole] if made.is_whole else [str(flaw) for flaw in made.flaws]
    _say(output, made, said, kept=made.is_whole)


@final
@dataclass(frozen=True)
class CheckpointOptions:
    """The file in which a checkpoint is written, and the key that signs it."""

    out: SomeFile = opt("File to write, such as friday.note.", MISSING, "--output", "-o")
    key: File = opt("The private key (ed25519) to sign with.")
    force: Flag = shared.force()


def checkpoint(at: LedgerPlace, note: CheckpointOptions, output: Output) -> None:
    """Write down how far the ledger is, to be kept elsewhere."""
    with at.opened() as book:
        made = book.checkpoint(note.out, key=note.key, force=note.force)
    text = f"The checkpoint covers {made.size} entries. Keep {note.out} away from the ledger."
    _say(output, {**made.to_dict(), "place": note.out}, [text])


@final
@dataclass(frozen=True)
class Out:
    """The folder to which a ledger is exported."""

    out: Folder = opt("Folder to write, such as office-export.", MISSING, "--output", "-o")


def export(at: LedgerPlace, to: Out, output: Output) -> None:
    """Write everything into a directory of plain files."""
    with at.opened() as book, waiting("Computing everything again"):
        book.export(to.out)
        size = book.state().size
    said = {"entries": size, "directory": to.out}
    _say(output, said, [f"Exported the whole ledger to {to.out}."])


@final
@dataclass(frozen=True)
class Export:
    """An exported ledger."""

    folder: Folder = arg("The folder that export wrote.")


def restore(what: Export, at: LedgerPlace, output: Output) -> None:
    """Rebuild a ledger from such a directory."""
    from dprisk.ledger import Ledger

    with waiting("Computing everything again"), Ledger.load(what.folder, at.place) as book:
        size = book.state().size
    said = {"entries": size, "place": at.shown}
    _say(output, said, [f"Imported {size} entries into {at.shown}."])


ledger: dict[str, Callable[..., None]] = {
    "init": init,
    "account": account,
    "accounts": accounts,
    "reserve": reserve,
    "release": release,
    "void": void,
    "charge": charge,
    "status": status,
    "history": history,
    "plan": plan,
    "verify": verify,
    "checkpoint": checkpoint,
    "export": export,
    "import": restore,
}
