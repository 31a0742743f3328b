"""The addresses of the pages: what they say goes to a worker, and what it makes comes back."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import FastAPI, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from dprisk._values import printable, written
from dprisk.progress import Step
from dprisk.serve.pages import LONGEST, MEDIA, ONE_MODEL, PAPERS, address, page, static
from dprisk.serve.problems import MEDIA as PROBLEM
from dprisk.serve.problems import Problem
from dprisk.serve.refusals import spoken
from dprisk.serve.ways import START, WAYS, state
from dprisk.text import LANGUAGES, Language, fill, language

__all__ = ["add"]

NAME: Final = re.compile(r"[a-z]+[23]?\.[a-z]+")
MOST: Final = 5  # parts of an address that are named
LONG: Final = 60  # letters of each
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

    async def document(request: Request, name: str) -> Response:
        way = request.url.path.split("/")[1]
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
        app.get(f"/{way}/{{name}}")(document)
    app.post("/release")(sent)
    app.post("/release/{name}")(posted)


def _unread(way: str, given: list[tuple[str, str]]) -> str:
    """Which parts of an address cannot be read; nothing else is answered in their place."""
    times = Counter(name for name, _ in given)
    unknown = [f"{name}={text}" for name, text in given if not _is_known(way, name, text)]
    twice = [name for name, count in times.items() if count > 1]
    for key, found in (("ways.unread", unknown), ("ways.unread.twice", twice)):
        if found:
            cited = [fill("page.quoted", what=printable(part[:LONG])) for part in found[:MOST]]
            return fill(key, parts=", ".join(cited))
    return ""


def _is_known(way: str, name: str, text: str) -> bool:
    chosen = {"language": LANGUAGES, "model": ONE_MODEL}
    return name in START[way] and (name not in chosen or text.strip() in chosen[name])


async def _document(
    request: Request, answer: Answer, way: str, query: Mapping[str, str], name: str
) -> Response:
    """A file to keep, or a page that says why there is none."""
    if not NAME.fullmatch(name) or PurePath(name).suffix not in MEDIA:
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
            steps[name] = {**step._asdict(), "stage": step.said}

    steps[name] = None
    now = state(way, query)
    wording: Language | None = None  # that of the page, or what a command would print
    with language(spoken(urlencode({"language": now["language"]}))):
        try:
            if said := _unread(way, request.query_params.multi_items()):
                raise Problem(422, "page", said)
            made = await answer(request, "pages:shown", given, listen, long=long)
            if made.media_type != PROBLEM:
                return made
            problem = Problem(made.status_code, "page", json.loads(bytes(made.body))["detail"])
            wording = "en"
        except Problem as found:
            problem = found
        finally:
            steps.pop(name, None)
    text = page(way, now, problem=problem.detail, wording=wording)
    return Response(text, problem.status, problem.headers, "text/html")


async def _sent(request: Request) -> dict[str, str]:
    """What a form says: text is text, and a file is its text."""
    form = await request.form(max_files=1, max_fields=2 * len(START["release"]))
    query: dict[str, Any] = {name: text for name, text in form.items() if isinstance(text, str)}
    upload = form.get("upload")
    if isinstance(upload, UploadFile) and upload.size:
        query["text"] = (await upload.read()).decode("utf-8", "replace")
    return query
