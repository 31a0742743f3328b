"""A ledger as pages: accounts, where each stands, its history, and what one more release would
do."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from fastapi import FastAPI, Request, Response
from fastapi.responses import RedirectResponse
from starlette.exceptions import HTTPException

from dprisk import _pages
from dprisk.documents.document import Table
from dprisk.documents.reports.words import begun
from dprisk.errors import DpriskError, InvalidInput
from dprisk.ledger import words as said
from dprisk.serve.problems import MEDIA as PROBLEM
from dprisk.serve.problems import Problem, must_be_read
from dprisk.text import fill
from dprisk.text.rounding import at_most

if TYPE_CHECKING:
    from dprisk.ledger.book import Ledger
    from dprisk.ledger.requests import ChargeRequest
    from dprisk.ledger.status import AccountStatus


ROOM: Final = "dprisk.serve"
DONE: Final = "application/json"
PROMISE: Final = ("epsilon", "delta", "rho", "mu")
NUMBERS: Final = (*PROMISE, "over", "group")
WORDS: Final = ("name", "key", "by")
Answer = Callable[..., Awaitable[Response]]


class Opened(NamedTuple):
    """Which ledger is shown, and whether charges may be made."""

    place: str
    write: bool = False


def add(app: FastAPI, answer: Answer) -> None:
    """Add the pages to an application that was given a ledger."""

    def opened(request: Request) -> Opened:
        found: Opened | None = getattr(request.app.state, "ledger", None)
        if found is None:
            raise HTTPException(404)
        return found

    async def asked(
        request: Request, account: str | None, query: Mapping[str, Any], *, charge: bool = False
    ) -> Response:
        given = {**opened(request)._asdict(), "account": account, "charge": charge}
        given["query"] = dict(query)
        made = await answer(request, "ledgers:shown", json.dumps(given).encode())
        if made.media_type != PROBLEM:
            return made
        told = json.loads(bytes(made.body))
        key, detail = told.pop("type").rpartition("#")[2], told.pop("detail")
        more = {name: text for name, text in told.items() if name not in ("title", "status")}
        raise Problem(made.status_code, key, detail, **more)

    async def accounts(request: Request) -> Response:
        must_be_read(request.query_params.multi_items())
        return await asked(request, None, {})

    async def account(request: Request, name: str) -> Response:
        known = (*NUMBERS, *(WORDS if opened(request).write else ()))
        must_be_read(request.query_params.multi_items(), known)
        return await asked(request, name, request.query_params)

    async def charged(request: Request, name: str) -> Response:
        if not opened(request).write:
            raise HTTPException(404)
        form = await request.form(max_files=0, max_fields=20)
        texts = [(key, text) for key, text in form.multi_items() if isinstance(text, str)]
        must_be_read(texts, (*NUMBERS, *WORDS))
        made = await asked(request, name, dict(texts), charge=True)
        done = made.media_type == DONE
        return RedirectResponse(f"/ledger/{name}", 303) if done else made

    app.get("/ledger")(accounts)
    app.get("/ledger/{name}")(account)
    app.post("/ledger/{name}")(charged)


def shown(given: bytes) -> tuple[str, bytes]:
    """What a worker makes of an address: a page."""
    tree = json.loads(given)
    book, query = _book(tree["place"]), tree["query"]
    if tree["account"] is None:
        found = {"accounts": _accounts(book), "account": "", "ledger": _origin(book)}
        return "text/html", _page("ledger", **found)
    name = tree["account"]
    if tree["write"] and tree["charge"]:
        try:
            book.charge_all([_request(book, name, query)], by=query.get("by", ""))
        except DpriskError as error:
            return "text/html", _account(book, name, query, tree["write"], str(error))
        return DONE, b"null"
    return "text/html", _account(book, name, query, tree["write"])


@lru_cache(maxsize=1)
def _book(place: str) -> Ledger:
    from dprisk.ledger import Ledger

    return Ledger.open(place)


def _origin(book: Ledger) -> str:
    return str(book.state().identity.get("origin", ""))


def _page(heading: str, **found: Any) -> bytes:
    from dprisk import __version__

    text = _pages.page(
        ROOM,
        "ledger.html.j2",
        say=fill,
        version=__version__,
        skip=fill("report.page.skip"),
        language="en",
        way="ledger",
        heading=fill(f"ledger.page.{heading}"),
        **found,
    )
    return text.encode()


def _accounts(book: Ledger) -> list[tuple[str, str, list[str], float | None]]:
    """The name of each account, whose data it is, its sentences, and the share that is spent."""
    found = []
    for name, account in book.state().accounts.items():
        status = book.status(name)
        share = status.standing.share
        sentences = said.status_in_words(status)
        spent = None if share is None else float(share)
        found.append((name, account.population, sentences, spent))
    return found


def _account(
    book: Ledger, name: str, query: Mapping[str, str], write: bool, problem: str = ""
) -> bytes:
    status = book.status(name)
    now = {key: query.get(key, "") for key in (*NUMBERS, *WORDS)}
    verdict = ""
    if not problem and any(now[key] for key in NUMBERS):
        verdict, problem = _verdict(book, name, now)
    return _page(
        "account",
        ledger=_origin(book),
        title=said.title(status),
        sentences=said.status_in_words(status),
        meters=_meters(status),
        limits=_limits(status),
        history=_history(status),
        amounts=said.amounts(status),
        assumptions=said.assumptions(status),
        now=now,
        account=name,
        write=write,
        verdict=verdict,
        problem=problem,
    )


def _verdict(book: Ledger, name: str, now: Mapping[str, str]) -> tuple[str, str]:
    """What would be decided about one more release, or why nothing can be."""
    try:
        (planned,) = book.plan([_request(book, name, now)])
    except DpriskError as error:
        return "", str(error)
    if planned.kept:
        return fill("ledger.page.fits"), ""
    from dprisk.ledger.refusals import reasons

    return fill("ledger.page.breaks", why=" ".join(reasons(planned.decisions))), ""


def _request(book: Ledger, name: str, now: Mapping[str, str]) -> ChargeRequest:
    from dprisk._asking import reading
    from dprisk._asking.options import Promise
    from dprisk.ledger import ChargeRequest
    from dprisk.releases.release import Release

    given = {key: now.get(key) or None for key in PROMISE}
    if not any(given.values()):
        raise InvalidInput("promise", None, fill("ledger.page.promise"))
    part = Promise(**given, neighbors=book.state().accounts[name].neighbors).part()
    numbers: dict[str, Any] = {
        key: reading.whole_number(key, now[key]) if now.get(key) else None
        for key in ("over", "group")
    }
    title = now.get("name")
    what = Release.of(part, name=title) if title else part
    return ChargeRequest(what, name, now.get("key", ""), **numbers)


def _meters(status: AccountStatus) -> list[tuple[str, str, float]]:
    """What is limited, how far it is in words, and as a share of the limit."""
    found = []
    share = status.standing.share
    if share is not None:
        words = fill("ledger.page.share", share=at_most(100.0 * float(share), 3))
        found.append((begun(said.budget_in_words(status)), words, float(share)))
    for row, reading in zip(said.rows(status), status.standing.readings, strict=True):
        if reading.now is None or reading.scope == "process":
            continue
        if 0.0 < reading.most < float("inf"):
            words = fill("plots.spent.of", now=row[1], most=row[2])
            found.append(
                (begun(said.bar_in_words(reading)), words, float(reading.now) / reading.most)
            )
    return found


def _limits(status: AccountStatus) -> Table:
    heads = [begun(fill(f"cli.ledger.{column}")) for column in ("limited", "now", "limit", "spent")]
    columns = (*heads, begun(fill("cli.column.theorem")))
    return Table(fill("ledger.page.limits"), columns, tuple(map(tuple, said.rows(status))))


def _history(status: AccountStatus) -> Table:
    heads = [begun(fill(f"cli.ledger.{column}")) for column in said.HISTORY]
    rows = map(tuple, said.history_in_rows(reversed(status.charges), status.account.name))
    return Table(fill("ledger.page.history"), tuple(heads), tuple(rows))
