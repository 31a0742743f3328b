"""The ledger that a server shows: accounts, where each stands, and what one more release does."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, final

from dprisk._asking.charges import Charged, ReachOptions, Released, listed
from dprisk._asking.options import Subject
from dprisk._asking.parameters import Flag, SomeText, Text, Word, flag, opt
from dprisk._values import plain, written
from dprisk.documents.document import Block, Items, Section, Table
from dprisk.documents.document import Sentence as Paragraph
from dprisk.documents.saying import begun
from dprisk.ledger import words as said
from dprisk.web.answers import blocks_as_html
from dprisk.web.problems import Problem
from dprisk.web.questions import parse, used

if TYPE_CHECKING:
    from dprisk.ledger.book import Ledger
    from dprisk.ledger.state import AccountStatus


class Opened(NamedTuple):
    """Which ledger is shown, and whether charges may be made."""

    place: str
    write: bool = False


@final
@dataclass(frozen=True)
class AskLedger:
    """All accounts, one of them, or one more release beside what an account holds."""

    account: Word = opt("The account. Default: all accounts.")
    subject: Subject = Subject()
    reach: ReachOptions = ReachOptions()
    name: Text = opt("What is released, if you type numbers instead of a file.")
    key: SomeText = opt("A key of your own: the same key twice is charged once.", "")
    by: SomeText = opt("Name of the person who makes this entry.", "")
    charge: Flag = flag("Record the charge, instead of saying whether it would fit.")

    @property
    def is_release(self) -> bool:
        """Whether it is about one more release."""
        return bool(self.subject.typed or self.subject.what)

    def request(self, book: Ledger) -> Any:
        """The request for one more release, between the neighbors of the account."""
        promise = self.subject.promise
        if self.subject.typed and promise.neighbors is None:
            account = book.state().accounts.get(str(self.account))
            promise = replace(promise, neighbors=account and account.neighbors)
        return Released(
            self.subject.what,
            promise,
            self.subject.mechanism,
            self.key,
            self.name,
            Charged([str(self.account)], self.reach),
        ).request("ledger.plan")


class LedgerAnswer(NamedTuple):
    """The answer of a ledger: its accounts, or one, and what one more release does to it."""

    origin: str
    accounts: list[AccountStatus]
    made: Any = None

    def data(self, account: str | None) -> Any:
        """The answer as a command prints it with ``--json``."""
        if self.made is not None:
            return plain(self.made)
        return plain(self.accounts[0] if account else [listed(one) for one in self.accounts])


def answer(given: bytes) -> tuple[str, bytes]:
    """The answer to a question about a ledger, as JSON: a task of workers."""
    account, found = _found(given)
    return "application/json", written(found.data(account)).encode()


def show(given: bytes) -> tuple[str, bytes]:
    """The same as a piece of a page: a task of workers."""
    account, found = _found(given)
    if account is None:
        sections = [_accounts(found)]
    else:
        sections = [*_verdict(found.made), *_account(*found.accounts)]
    return "text/html", blocks_as_html(sections).encode()


def _found(given: bytes) -> tuple[str | None, LedgerAnswer]:
    head, _, sent = given.partition(b"\n")
    opened = Opened(*json.loads(head))
    body = parse(sent)
    if body.get("charge") and not opened.write:
        raise Problem(404, "http", "This server does not record charges: start it with --write.")
    book = _book(opened.place)
    return body.get("account"), used(AskLedger, body, lambda asked: _answered(book, asked))


def _answered(book: Ledger, asked: AskLedger) -> LedgerAnswer:
    origin = str(book.state().identity.get("origin", ""))
    if asked.account is None:
        return LedgerAnswer(origin, [book.status(name) for name in book.state().accounts])
    made: Any = None
    if asked.charge:
        (made,) = book.charge_all([asked.request(book)], by=asked.by)
    elif asked.is_release:
        made = book.plan([asked.request(book)])
    return LedgerAnswer(origin, [book.status(asked.account)], made)


@lru_cache(maxsize=1)
def _book(place: str) -> Ledger:
    from dprisk.ledger import Ledger

    return Ledger.open(place)


def _accounts(found: LedgerAnswer) -> Section:
    rows = tuple(
        (one.account.name, one.account.population, " ".join(said.status_in_words(one)))
        for one in found.accounts
    )
    if not rows:
        return Section(found.origin, (Paragraph("No account is open yet."),))
    columns = ("account", "population", "status")
    return Section(found.origin, (Table("Ledger", columns, rows),))


def _verdict(made: Any) -> list[Section]:
    """The decision about one more release, made or foreseen."""
    if made is None:
        return []
    if not isinstance(made, tuple):
        text = f"“{made.name}” is recorded as {made.status}. Key: {made.key}."
        return [
            Section(
                "A person's largest possible privacy loss so far", (Paragraph(text, strong=True),)
            )
        ]
    (planned,) = made
    why = " ".join(said.reasons(planned.decisions))
    text = "It fits." if planned.kept else f"It does not fit. {why}"
    return [Section("One more release", (Paragraph(text, strong=True),))]


def _account(status: AccountStatus) -> list[Section]:
    heads = [begun(each) for each in ("what must hold", "at most", "limit", "when", "theorem")]
    limits = Table("Limits", tuple(heads), tuple(map(tuple, said.rows(status))))
    history = said.history_in_rows(reversed(status.charges), status.account.name)
    charges = Table(
        "History, the last charge first",
        tuple(map(begun, said.HISTORY)),
        tuple(map(tuple, history)),
    )
    first, *more = said.status_in_words(status)
    about: tuple[Block, ...] = (Paragraph(first, strong=True), *map(Paragraph, more), limits)
    items = {"Spent": said.amounts(status), "Assumptions": said.assumptions(status)}
    return [
        Section(said.title(status), about),
        *(Section(title, (Items(tuple(texts)),)) for title, texts in items.items() if texts),
        Section("History, the last charge first", (charges,)),
    ]
