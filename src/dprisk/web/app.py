"""The application: the page, the API, and the way from each address to a worker."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import MISSING
from typing import Any, Final

from fastapi import Depends, FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.routing import Match, Route

from dprisk import _pages
from dprisk._asking.parameters import LIMIT, NUMBER, Parameter, words
from dprisk._values import written
from dprisk.progress import Step
from dprisk.text import fill
from dprisk.web.guard import KINDS, MEDIA, Problem, Reply, policy, problem_of
from dprisk.web.ledgers import Opened
from dprisk.web.pool import Pool
from dprisk.web.questions import EXAMPLES, QUESTIONS, is_file, takes

NUMBER_SCHEMA: Final = {"type": ["number", "string"]}
SENT: Final = {"file": {"type": "string"}, "text": {"type": "string"}}
FILE_SCHEMA: Final = {
    "anyOf": [{"type": ["string", "array"]}, {"type": "object", "properties": SENT}]
}
PROBLEM: Final = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        **{"title": {"type": "string"}, "status": {"type": "integer"}},
        "detail": {"type": "string"},
    },
}
REFUSED: Final = {
    "400": "The body is not JSON.",
    "413": "The body is too large.",
    "422": "There is no answer to this question; the detail says why.",
    "503": "Too busy. Try again after the number of seconds in Retry-After.",
    "504": "The answer took longer than the limit.",
}
PAPERS: Final = re.compile(r"(report|summary)\.(html|pdf|markdown|json)")
PAGE: Final = "style-src 'unsafe-inline'; connect-src 'self'"  # drawings have styles in them


def made(
    pool: Pool, told: Callable[[], object] = lambda: None, ledger: Opened | None = None
) -> FastAPI:
    """The application, whose questions go to these workers; it tells when it is there."""

    async def make_page() -> Reply:
        """The page, which takes some seconds: it is made once, beside the first answers."""
        return await pool.alone("page:served", json.dumps(ledger).encode())

    async def home(request: Request) -> Response:
        state = request.app.state
        if state.page is None or (state.page.done() and not _is_good(state.page)):
            state.page = asyncio.ensure_future(make_page())
        reply: Reply = await asyncio.shield(state.page)
        headers = {"Content-Security-Policy": policy(reply.content.decode(), PAGE)}
        return Response(reply.content, reply.status, headers, reply.media)

    @asynccontextmanager
    async def alive(app: FastAPI) -> AsyncIterator[None]:
        try:
            app.state.page = asyncio.ensure_future(make_page())
            await pool.start()
            told()
            yield
        finally:
            app.state.page.cancel()
            await asyncio.gather(app.state.page, return_exceptions=True)
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
    app.get("/")(home)
    app.get("/api")(_fixed(page(), "text/html"))
    app.get("/api/openapi.json")(_fixed(written(described()), "application/json"))
    app.get("/progress/{name}")(_progress)
    for question in QUESTIONS:
        app.post(f"/api/{question}")(_task("questions:answer", f"{question}\n"))
        app.post(f"/answer/{question}")(_task("questions:show", f"{question}\n"))
    app.post("/document/{name}")(_document)
    if ledger is not None:
        head = f"{json.dumps(ledger)}\n"
        app.post("/api/ledger")(_task("ledgers:answer", head))
        app.post("/answer/ledger")(_task("ledgers:show", head))
    return app


def _is_good(page: asyncio.Future[Reply]) -> bool:
    return page.exception() is None and page.result().status == 200


# --- questions -----------------------------------------------------------------------------------


async def _nothing_unread(request: Request) -> None:
    """Refuse what stands behind the question mark and is not read."""
    if request.url.path != "/":
        for name in request.query_params:
            said = f"'{name[:60]}' is not read here. Leave it out. Nothing else is read either."
            raise Problem(422, "wrong-call", said)


def _task(task: str, head: str) -> Any:
    """The handler of an address whose bodies are questions for a worker."""

    async def ask(request: Request) -> Response:
        return await answer(request, task, head)

    return ask


async def _document(request: Request, name: str) -> Response:
    if not PAPERS.fullmatch(name):
        raise HTTPException(404)
    made = await answer(request, "questions:document", f"{name}\n", long=True)
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
        raise Problem(415, "media", "Send the question as application/json.")
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
    problem, headers = problem_of(error), {}
    if isinstance(error, HTTPException):
        said = "There is no such page."
        if error.status_code == 405:
            said = f"This address does not accept {request.method} requests."
            headers = {"Allow": _allowed(request)}
        problem = Problem(error.status_code, "http", said)
    reply = problem.reply
    return Response(reply.content, reply.status, {**problem.headers, **headers}, reply.media)


def _allowed(request: Request) -> str:
    """The methods of everything that has this address."""
    routes = (each for each in request.app.routes if isinstance(each, Route))
    here = (each.methods or () for each in routes if each.matches(request.scope)[0] != Match.NONE)
    return ", ".join(sorted(set[str]().union(*here)))


# --- the description of the questions ------------------------------------------------------------


def described() -> dict[str, Any]:
    """The OpenAPI description of all questions."""
    from dprisk import __version__

    return {
        "openapi": "3.1.0",
        "info": {
            "title": "dprisk",
            "version": __version__,
            "summary": "What a differential-privacy guarantee means for a person.",
        },
        "paths": {f"/api/{question}": {"post": _operation(question)} for question in QUESTIONS},
        "components": {"schemas": _schemas()},
    }


def page() -> str:
    """The same for people: every question with its keys and an example, and every problem."""
    from dprisk import __version__

    return _pages.page(
        "dprisk.web",
        "api.html.j2",
        say=fill,
        version=__version__,
        skip=fill("report.page.skip"),
        questions=[
            (name, words(QUESTIONS[name]), json.dumps(EXAMPLES[name], indent=2), _keys(name))
            for name in QUESTIONS
        ],
        kinds=KINDS,
    )


def _keys(question: str) -> list[tuple[str, str]]:
    return [(name, each.option.help) for name, each in takes(QUESTIONS[question]).items()]


def _operation(question: str) -> dict[str, Any]:
    refused = {MEDIA: {"schema": {"$ref": "#/components/schemas/problem"}}}
    return {
        "operationId": question,
        "summary": words(QUESTIONS[question]),
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {"schema": _body(question), "example": EXAMPLES[question]}
            },
        },
        "responses": {
            "200": {
                "description": f"What `dprisk {question} --json` prints.",
                "content": {"application/json": {"schema": _answer(question)}},
            },
            **{
                status: {"description": said, "content": refused}
                for status, said in REFUSED.items()
            },
        },
    }


def _body(question: str) -> dict[str, Any]:
    known = takes(QUESTIONS[question])
    return {
        "type": "object",
        "properties": {name: _property(name, each) for name, each in known.items()},
        "required": [name for name, each in known.items() if each.default is MISSING],
        "additionalProperties": False,
    }


def _property(name: str, each: Parameter) -> dict[str, Any]:
    said = {"description": each.option.help}
    if not each.stands:
        return {**said, "type": "boolean", "default": False}
    if name == "parameters" or each.stands == LIMIT:
        return {**said, "type": "object", "additionalProperties": NUMBER_SCHEMA}
    if is_file(name, each):
        return {**said, **FILE_SCHEMA}
    one: dict[str, Any] = NUMBER_SCHEMA if each.stands == NUMBER else {"type": "string"}
    if each.many:
        return {**said, "anyOf": [one, {"type": "array", "items": one}]}
    shown = {"default": each.default} if isinstance(each.default, str) and each.default else {}
    return {**said, **one, **shown}


def _answer(question: str) -> dict[str, Any]:
    """The schema of an answer, where one is shipped."""
    one = {"$ref": f"#/components/schemas/{question}"}
    if question == "assess":
        return {"anyOf": [one, {"type": "array", "items": one}]}
    return one if question == "compose" else {"type": "object"}


def _schemas() -> dict[str, Any]:
    """Those that are shipped, each under an address of its own, to which its references point."""
    from dprisk.documents.assessing import json_schema
    from dprisk.documents.compositions import composition_schema

    shipped = {"assess": json_schema(), "compose": composition_schema()}
    named = {name: {"$id": f"urn:dprisk:{name}", **one} for name, one in shipped.items()}
    return {"problem": PROBLEM, **named}
