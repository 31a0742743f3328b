"""The addresses of the pages: what they say goes to a worker, and what it makes comes back."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from pathlib import PurePath
from typing import Any, Final

from fastapi import FastAPI, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from dprisk._values import written
from dprisk.progress import Step
from dprisk.serve.pages import LONGEST, MEDIA, PAPERS, address, page, static
from dprisk.serve.problems import MEDIA as PROBLEM
from dprisk.serve.problems import Problem
from dprisk.serve.ways import START, WAYS, state

__all__ = ["add"]

NAME: Final = re.compile(r"[a-z]+[23]?\.[a-z]+")
STATIC: Final = ("serve.css", "serve.js")
Answer = Callable[..., Awaitable[Response]]


def add(app: FastAPI, answer: Answer) -> None:
    """Add the pages to an application, whose workers answer."""

    async def home() -> Response:
        return RedirectResponse(f"/{WAYS[0]}")

    async def shown(request: Request) -> Response:
        way = request.url.path.strip("/")
        return await _page(request, answer, way, dict(request.query_params))

    async def sent(request: Request) -> Response:
        query = await _sent(request)
        where = address("release", state("release", query))
        if len(where) <= LONGEST and request.headers.get("sec-fetch-mode") == "navigate":
            return RedirectResponse(where, 303)
        return await _page(request, answer, "release", query)

    async def document(request: Request, way: str, name: str) -> Response:
        return await _document(request, answer, way, dict(request.query_params), name)

    async def posted(request: Request, name: str) -> Response:
        return await _document(request, answer, "release", await _sent(request), name)

    async def file(name: str) -> Response:
        if name not in STATIC:
            raise HTTPException(404)
        media, content = static(name)
        return Response(content, media_type=media)

    async def progress(request: Request, name: str) -> Response:
        return Response(written(request.app.state.steps.get(name)), media_type="application/json")

    app.state.steps = {}
    app.get("/")(home)
    app.get("/progress/{name}")(progress)
    app.get("/static/{name}")(file)
    for way in WAYS:
        app.get(f"/{way}")(shown)
    app.post("/release")(sent)
    app.get("/{way}/{name}")(document)
    app.post("/release/{name}")(posted)


async def _document(
    request: Request, answer: Answer, way: str, query: Mapping[str, str], name: str
) -> Response:
    """A file to keep, or a page that says why there is none."""
    if way not in WAYS or not NAME.fullmatch(name) or PurePath(name).suffix not in MEDIA:
        raise HTTPException(404)
    made = await _page(request, answer, way, query, document=name)
    if made.status_code == 200:
        made.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return made


async def _page(
    request: Request, answer: Answer, way: str, query: Mapping[str, str], **more: str
) -> Response:
    """A page or a document; where there is no answer, a page that says why."""
    brief = "x-brief" in request.headers
    given = json.dumps({"way": way, "query": query, "brief": brief, **more}).encode()
    long = more.get("document", "").startswith(PAPERS)
    steps, name = request.app.state.steps, request.headers.get("x-question", "")[:40]

    def listen(step: Step) -> None:
        if name in steps:  # and not if whoever asked has gone
            steps[name] = step._asdict()

    steps[name] = None
    try:
        made = await answer(request, "pages:shown", given, listen, long=long)
        if made.media_type != PROBLEM:
            return made
        problem = Problem(made.status_code, "page", json.loads(bytes(made.body))["detail"])
    except Problem as found:
        problem = found
    finally:
        steps.pop(name, None)
    text = page(way, state(way, query), problem=problem.detail)
    return Response(text, problem.status, problem.headers, "text/html")


async def _sent(request: Request) -> dict[str, str]:
    """What a form says: text is text, and a file is its text."""
    form = await request.form(max_files=1, max_fields=2 * len(START["release"]))
    query: dict[str, Any] = {name: text for name, text in form.items() if isinstance(text, str)}
    upload = form.get("upload")
    if isinstance(upload, UploadFile) and upload.size:
        query["text"] = (await upload.read()).decode("utf-8", "replace")
    return query
