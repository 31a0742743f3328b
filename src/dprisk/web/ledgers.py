"""The ledger that a server shows: accounts, where each stands, and what one more release does."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from dprisk._asking import answers, reading
from dprisk._asking import parameters as take
from dprisk._asking.answers import Block
from dprisk._asking.charging import Charged, ReachOptions, Released
from dprisk._asking.options import Subject
from dprisk._asking.parameters import flag, opt, table
from dprisk._values import plain, written
from dprisk.documents.document import Sentence
from dprisk.web.guard import Problem
from dprisk.web.questions import blocks_as_html, parse, used

if TYPE_CHECKING:
    from dprisk.ledger.book import Ledger
    from dprisk.ledger.charges import Charge
    from dprisk.ledger.state import AccountStatus


class Opened(NamedTuple):
    """Which ledger is shown, and whether charges may be made."""

    place: str
    write: bool = False


class LedgerFound(NamedTuple):
    """The accounts, or one of them, and what one more release does to it."""

    accounts: list[AccountStatus]
    charges: tuple[Charge, ...] = ()
    charged: Any = None
    planned: Any = None


@table
class AskLedger:
    """Record what was released, add it up, and show how much of the budget is left."""

    example = "dprisk ledger plan office.ledger january.yaml --account residents-2026"
    account: take.Word = opt("The account. Default: all accounts.")
    subject: Subject = Subject()
    reach: ReachOptions = ReachOptions()
    name: take.Text = opt("What is released, if you type numbers instead of a file.")
    key: take.SomeText = opt("A key of your own: the same key twice is charged once.", "")
    by: take.SomeText = opt("Name of the person who makes this entry.", "")
    charge: take.Flag = flag("Record the charge, instead of saying whether it would fit.")

    def found(self, book: Ledger) -> LedgerFound:
        """The accounts in a ledger, after what is asked has been done."""
        asks = self.charge or bool(self.subject.typed or self.subject.what)
        if self.account is None and asks:
            raise reading.unclear("Name the account of this release with account.", "account")
        if self.account is None:
            return LedgerFound([book.status(name) for name in book.state().accounts])
        charged = planned = None
        if self.charge:
            (charged,) = book.charge_all([self._request(book)], by=self.by)
        elif asks:
            planned = book.plan([self._request(book)])
        found, charges = [book.status(self.account)], book.history(self.account)
        return LedgerFound(found, charges, charged, planned)

    def _request(self, book: Ledger) -> Any:
        """The request for one more release, between the neighbors of the account."""
        subject, name = self.subject, str(self.account)
        if subject.typed and subject.promise.neighbors is None:
            relation = book.state().known(name).neighbors
            subject = replace(subject, promise=replace(subject.promise, neighbors=relation))
        charged = Charged(account=[name], reach=self.reach)
        asked = Released(subject=subject, key=self.key, title=self.name, charged=charged)
        return asked.request(self.example)

    def data(self, made: LedgerFound) -> Any:
        if self.account is None:
            return plain([answers.listed(one) for one in made.accounts])
        return plain(made.charged or made.planned or made.accounts[0])

    def document(self, made: LedgerFound) -> Iterator[Block]:
        if self.account is None:
            yield from answers.of_accounts(made.accounts)
            return
        (status,) = made.accounts
        if made.charged is not None:
            one = made.charged
            said = f"“{one.name}” is recorded as {one.status}. Key: {one.key}."
            yield Sentence(said, strong=True)
        if made.planned is not None:
            from dprisk.ledger.words import reasons

            (planned,) = made.planned
            why = " ".join(reasons(planned.decisions))
            fits = "It fits." if planned.kept else f"It does not fit. {why}"
            yield Sentence(fits, strong=True)
        yield from answers.of_status(status)
        charges = reversed(made.charges)
        yield from answers.of_history(charges, self.account, "History, the last charge first")


def answer(given: bytes) -> tuple[str, bytes]:
    """The answer to a question about a ledger, as JSON: a task of workers."""
    return "application/json", _answered(given, lambda asked, made: written(asked.data(made)))


def show(given: bytes) -> tuple[str, bytes]:
    """The same as a piece of a page: a task of workers."""
    return "text/html", _answered(given, lambda asked, made: blocks_as_html(asked.document(made)))


def _answered(given: bytes, tell: Callable[[AskLedger, LedgerFound], str]) -> bytes:
    head, _, sent = given.partition(b"\n")
    opened = Opened(*json.loads(head))
    body = parse(sent)
    if body.get("charge") and not opened.write:
        raise Problem(404, "http", "This server does not record charges: start it with --write.")
    book = _book(opened.place)
    text: str = used(AskLedger, body, lambda asked: tell(asked, asked.found(book)))
    return text.encode()


@lru_cache(maxsize=1)
def _book(place: str) -> Ledger:
    from dprisk.ledger import Ledger

    return Ledger.open(place)
