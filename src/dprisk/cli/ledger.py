"""Record what was released, add it up, and show how much of the budget is left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import MISSING, replace
from typing import TYPE_CHECKING, Any

from dprisk._asking import answers, options, reading
from dprisk._asking import parameters as take
from dprisk._asking.answers import Block
from dprisk._asking.charging import Charged, LedgerPlace, Released, Writer
from dprisk._asking.parameters import Inquiry, arg, flag, opt, table
from dprisk.cli.ledger_copies import COMMANDS as COPIES

if TYPE_CHECKING:
    from dprisk.ledger.accounts import Account
    from dprisk.ledger.charges import Charge
    from dprisk.ledger.state import AccountStatus, PlannedCharge

    History = tuple[tuple[Charge, ...], tuple[str, ...]]

STATES = {
    "reserved": "reserved, and counts as spent",
    "released": "recorded as released, and counts as spent",
    "voided": "recorded as not run, and no longer counts",
}
SAY_SO = (
    "If the release was not run and nobody saw a result, say so: add --not-run. If someone saw a "
    "result, it stays spent, even if it is never published: dprisk ledger release LEDGER {}."
)
example = "dprisk ledger status office.ledger residents-2026"


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
    limits: options.Tolerances = options.Tolerances()
    profile: take.File = take.profile()
    delta: take.Number = opt("For approximate and concentrated: the largest sum of the deltas.")
    order: take.Numbers = opt("For renyi: an order at which divergences add up. Repeatable.")
    shape: take.File = opt("For renyi: a release file whose divergences give the budget its shape.")
    within: take.Account = opt("The account that this account is a part of.")
    share: take.Number = opt(
        "The share of the --within account's budget that may be spent here, such as 1/4."
    )
    apart: take.Flag = flag(
        "State that nobody is in the data of this account and of another account with the same "
        "population, unit and period. Without it, a second budget for them is refused."
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
            return book.account(made, by=self.by.name, apart=self.apart)

    def brief(self, made: Any) -> Iterable[str]:
        from dprisk.ledger.words import account_in_words

        return account_in_words(made)


@table
class LedgerRenew(Inquiry):
    """Raise a budget to what its limits allow, if a newer version can prove that it is more."""

    example = "dprisk ledger renew office.ledger residents-2026"
    at: LedgerPlace
    name: take.SomeAccount = arg("The account.")
    by: Writer = Writer()

    def answer(self) -> tuple[Account, Account]:
        with self.at.opened() as book:
            return book.renew(self.name, by=self.by.name)

    def data(self, made: tuple[Account, Account]) -> Any:
        before, after = made
        return {"account": self.name, "before": before.cap, "after": after.cap}

    def brief(self, made: tuple[Account, Account]) -> Iterable[str]:
        from dprisk.ledger.words import renewed_in_words

        return [renewed_in_words(*made)]


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
    concern: take.Texts = opt(
        "An attribute, such as race: show what a change of this attribute alone can move. "
        "Repeatable: each by itself, and all of them together."
    )
    figure: take.File = opt("Draw the status as a figure in this file (.svg, .png or .pdf).")
    force: take.Flag = take.force()

    def answer(self) -> AccountStatus:
        with self.at.opened() as book:
            made = book.status(self.name)
            if self.concern:
                from dprisk.ledger.concerns import concerned

                asked = {each.casefold(): each for each in self.concern}
                found = concerned(book, self.name, tuple(asked.values()))
                made = replace(made, concerns=found)
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
    """List the charges of an account, and what was stated about it."""

    example = "dprisk ledger history office.ledger residents-2026"
    at: LedgerPlace
    name: take.Account = arg("The account to list. Default: all accounts.", None)

    def answer(self) -> History:
        with self.at.opened() as book:
            return book.history(self.name), book.state().statements(self.name)

    def data(self, made: History) -> Any:
        return [each.to_dict() for each in made[0]]

    def brief(self, made: History) -> Iterable[str]:
        return map(_charged, made[0])

    def document(self, made: History) -> Iterator[Block]:
        charges, stated = made
        yield from answers.of_history(charges, self.name)
        yield from answers.section("Statements", stated)


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
    receipt: take.File = opt("Write the receipt of the charge to this file, such as 2026-w01.note.")
    force: take.Flag = take.force()

    def answer(self) -> Charge:
        return _charge(self, at_once=True)

    def brief(self, made: Charge) -> Iterable[str]:
        return _recorded(self, made)

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
    receipt: take.File = opt("Write the receipt of the charge to this file, such as 2026-w01.note.")
    force: take.Flag = take.force()

    def answer(self) -> Charge:
        return _charge(self, at_once=False)

    def brief(self, made: Charge) -> Iterable[str]:
        return _recorded(self, made)

    kept = LedgerCharge.kept


def _charge(asked: LedgerCharge | LedgerReserve, *, at_once: bool) -> Charge:
    with asked.at.opened() as book:
        request = asked.released.request(asked.example)
        if asked.receipt is None:
            return book.charge_all([request], by=asked.by.name, release=at_once)[0]
        from dprisk.ledger.copies.receipts import charge_with_receipt

        return charge_with_receipt(
            book, request, asked.receipt, by=asked.by.name, release=at_once, force=asked.force
        )


def _recorded(asked: LedgerCharge | LedgerReserve, made: Charge) -> Iterator[str]:
    yield from (*_contradicted(made), _charged(made))
    if asked.receipt is not None:
        yield f"Its receipt is {asked.receipt}. Keep it away from the ledger."


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
        if not self.not_run:
            raise reading.unclear(SAY_SO.format(self.key), "--not-run")
        with self.at.opened() as book:
            return book.void(self.key, by=self.by.name, reason=self.reason, not_run=self.not_run)

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


COMMANDS = {
    "init": LedgerInit,
    "account": LedgerAccount,
    "renew": LedgerRenew,
    "accounts": LedgerAccounts,
    "reserve": LedgerReserve,
    "release": LedgerRelease,
    "void": LedgerVoid,
    "charge": LedgerCharge,
    "status": LedgerStatus,
    "history": LedgerHistory,
    "plan": LedgerPlan,
    **COPIES,
}
