"""The application: the page, the API, and the way from each address to a worker."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import Depends, FastAPI, Request, Response
from fastapi.responses import RedirectResponse
from starlette.exceptions import HTTPException
from starlette.routing import Match, Route

from dprisk._values import written
from dprisk.progress import Step
from dprisk.text import fill
from dprisk.web import api
from dprisk.web.ledgers import Opened
from dprisk.web.pool import Pool
from dprisk.web.problems import Problem, Reply, must_be_read, policy, problem_of, refused
from dprisk.web.questions import QUESTIONS

FORMER: Final = ("promise", "release", "budget", "compare", "ledger")
"""The addresses at which the ways of the page were pages of their own."""
PAPERS: Final = re.compile(r"(report|summary)\.(html|pdf|markdown|json)")
PAGE: Final = "style-src 'unsafe-inline'; connect-src 'self'"  # drawings have styles in them


def made(
    pool: Pool, told: Callable[[], object] = lambda: None, ledger: Opened | None = None
) -> FastAPI:
    """The application, whose questions go to these workers; it tells when it is there."""

    @asynccontextmanager
    async def alive(app: FastAPI) -> AsyncIterator[None]:
        try:
            app.state.page = asyncio.ensure_future(_page(pool, ledger))
            await pool.start()
            told()
            yield
        finally:
            app.state.page.cancel()
            await pool.stop()

    app = FastAPI(
        lifespan=alive,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        dependencies=[Depends(_nothing_unread)],
    )
    app.state.pool, app.state.page, app.state.steps = pool, None, {}
    for kind in (Problem, HTTPException, Exception):
        app.add_exception_handler(kind, _refused)
    app.get("/")(_home)
    for way in FORMER:
        app.get(f"/{way}")(_moved)
        app.get(f"/{way}/{{name}}")(_moved)
    app.get("/api")(_fixed(api.page(), "text/html"))
    app.get("/api/openapi.json")(_fixed(written(api.described()), "application/json"))
    app.get("/progress/{name}")(_progress)
    for question in QUESTIONS:
        app.post(f"/api/{question}")(_task("questions:answer", f"{question}\n"))
        app.post(f"/answer/{question}")(_task("answers:show", f"{question}\n"))
    app.post("/document/{name}")(_document)
    if ledger is not None:
        head = f"{json.dumps(ledger)}\n"
        app.post("/api/ledger")(_task("ledgers:answer", head))
        app.post("/answer/ledger")(_task("ledgers:show", head))
    return app


# --- the page ------------------------------------------------------------------------------------


async def _page(pool: Pool, ledger: Opened | None) -> Reply:
    """The page, which takes some seconds: it is made once, beside the first answers."""
    return await pool.alone("page:served", json.dumps(ledger).encode())


async def _home(request: Request) -> Response:
    state = request.app.state
    if state.page is None or (state.page.done() and not _is_good(state.page)):
        state.page = asyncio.ensure_future(_page(state.pool, None))
    reply: Reply = await asyncio.shield(state.page)
    headers = {"Content-Security-Policy": policy(reply.content.decode(), PAGE)}
    return Response(reply.content, reply.status, headers, reply.media)


def _is_good(page: asyncio.Future[Reply]) -> bool:
    return page.exception() is None and page.result().status == 200


async def _moved(request: Request) -> Response:
    """The same on the page, where an address was a page of its own."""
    way = request.url.path.split("/")[1]
    return RedirectResponse(address(way, request.query_params.multi_items()), 301)


def address(way: str, given: Iterable[tuple[str, str]]) -> str:
    """The address of the page that says what the address of a former page said."""
    found, points = {"way": way}, dict[str, dict[str, str]]()
    for name, text in given:
        end = re.fullmatch(r"(prior|limit)([1-9])", name)
        if way == "budget" and end:
            points.setdefault(end[2], {})[end[1]] = text
        else:
            found["lang" if name == "language" else name] = text
    if points:
        pairs = (f"{one.get('prior', '10')}:{one.get('limit', '20')}" for one in points.values())
        found["points"] = ",".join(pairs)
    return f"/#{urlencode(found)}"


# --- questions -----------------------------------------------------------------------------------


async def _nothing_unread(request: Request) -> None:
    """Refuse what stands behind the question mark and is not read."""
    if request.url.path.strip("/").partition("/")[0] not in ("", *FORMER):
        must_be_read(request.query_params.multi_items(), ("language",))


def _task(task: str, head: str) -> Any:
    """The handler of an address whose bodies are questions for a worker."""

    async def ask(request: Request) -> Response:
        return await answer(request, task, head)

    return ask


async def _document(request: Request, name: str) -> Response:
    if not PAPERS.fullmatch(name):
        raise HTTPException(404)
    made = await answer(request, "answers:document", f"{name}\n", long=True)
    if made.status_code == 200:
        made.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return made


async def _progress(request: Request, name: str) -> Response:
    return Response(written(request.app.state.steps.get(name)), media_type="application/json")


def _fixed(text: str, media: str) -> Any:
    headers = {"Content-Security-Policy": policy(text)} if media == "text/html" else None

    async def fixed() -> Response:
        return Response(text, headers=headers, media_type=media)

    return fixed


async def answer(request: Request, task: str, head: str, *, long: bool = False) -> Response:
    """The reply of a worker to the body of a request, unless whoever asked has gone before."""
    if request.headers.get("content-type", "").split(";")[0].strip() != "application/json":
        raise Problem(415, "media", fill("serve.media"))
    given = head.encode() + await request.body()
    pool, steps = request.app.state.pool, request.app.state.steps
    name = request.headers.get("x-question", "")[:40]
    if name:
        steps[name] = None

    def listen(step: Step) -> None:
        if name in steps:  # and not if whoever asked has gone
            steps[name] = {**step._asdict(), "stage": step.said}

    working = asyncio.ensure_future(pool.reply(task, given, listen, long=long))
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            return Response(status_code=499)
        reply = working.result()
        return Response(reply.content, reply.status, media_type=reply.media)
    finally:
        steps.pop(name, None)
        for task_of in (working, gone):
            task_of.cancel()
            with suppress(asyncio.CancelledError, Problem):
                await task_of


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _refused(request: Request, error: Exception) -> Response:
    if isinstance(error, HTTPException):
        key = f"serve.http.{error.status_code if error.status_code == 405 else 404}"
        problem = Problem(error.status_code, "http", fill(key, method=request.method))
    else:
        problem = problem_of(error)
    accept = request.headers.get("accept", "")
    reply, headers = refused(problem, accept, request.url.query)
    if problem.status == 405:
        headers = {**headers, "Allow": _allowed(request)}
    return Response(reply.content, reply.status, headers, reply.media)


def _allowed(request: Request) -> str:
    """The methods of everything that has this address."""
    routes = (each for each in request.app.routes if isinstance(each, Route))
    here = (each.methods or () for each in routes if each.matches(request.scope)[0] != Match.NONE)
    return ", ".join(sorted(set[str]().union(*here)))
