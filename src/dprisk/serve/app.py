"""The application: routes from addresses to workers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from fastapi import Depends, FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.routing import Match, Route

from dprisk._values import written
from dprisk.progress import Step
from dprisk.serve import ledgers, routes
from dprisk.serve.api import described, page
from dprisk.serve.pool import Pool
from dprisk.serve.problems import Problem, must_be_read, problem_of
from dprisk.serve.questions import QUESTIONS
from dprisk.serve.refusals import refused
from dprisk.serve.ways import WAYS
from dprisk.text import fill

PAGES: Final = (ledgers, routes)

REFUSALS_READ: Final = ("language",)  # what pages without a form accept


def made(
    pool: Pool,
    told: Callable[[], object] = lambda: None,
    ledger: ledgers.Opened | None = None,
) -> FastAPI:
    """The application, whose questions go to these workers; it tells when it is there."""

    @asynccontextmanager
    async def alive(app: FastAPI) -> AsyncIterator[None]:
        try:
            await pool.start()
            told()
            yield
        finally:
            await pool.stop()

    app = FastAPI(
        lifespan=alive,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        dependencies=[Depends(_nothing_unread)],
    )
    app.state.pool, app.state.ledger = pool, ledger
    for kind in (Problem, HTTPException, Exception):
        app.add_exception_handler(kind, _refused)
    for question in QUESTIONS:
        app.post(f"/api/{question}")(_question(question))
    app.get("/api/openapi.json")(_fixed(written(described()), "application/json"))
    app.get("/api")(_fixed(page(), "text/html"))
    for pages in PAGES:
        pages.add(app, answer)
    return app


async def _nothing_unread(request: Request) -> None:
    """Whatever stands behind the question mark is read; pages say for themselves what they read."""
    first = request.url.path.strip("/").partition("/")[0]
    if request.method != "GET" or first not in ("", "ledger", *WAYS):
        must_be_read(request.query_params.multi_items(), REFUSALS_READ)


def _question(question: str) -> Any:
    async def ask(request: Request) -> Response:
        if request.headers.get("content-type", "").split(";")[0].strip() != "application/json":
            raise Problem(415, "media", fill("serve.media"))
        return await answer(
            request, "questions:answered", f"{question}\n".encode() + await request.body()
        )

    return ask


def _fixed(text: str, media: str) -> Any:
    async def fixed() -> Response:
        return Response(text, media_type=media)

    return fixed


async def answer(
    request: Request,
    task: str,
    given: bytes,
    listen: Callable[[Step], object] | None = None,
    *,
    long: bool = False,
) -> Response:
    """What a worker makes of a task, unless whoever asked has gone before."""
    pool: Pool = request.app.state.pool
    working = asyncio.ensure_future(pool.reply(task, given, listen, long=long))
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            return Response(status_code=499)
        reply = working.result()
        return Response(reply.content, reply.status, media_type=reply.media)
    finally:
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
