"""The addresses of the pages: what they say goes to a worker, and what it makes comes back."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import PurePath
from typing import Final
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
from dprisk.serve.ways import START, WAYS, moot, state
from dprisk.text import LANGUAGES, Language, fill, language

NAME: Final = re.compile(r"[a-z]+[23]?\.[a-z]+")
MOST: Final = 5  # parts of an address that are named
LONG: Final = 60  # letters of each
STATIC: Final = ("serve.css", "serve.js")
Answer = Callable[..., Awaitable[Response]]
Given = list[tuple[str, str]]
"""What an address or a form says, in order."""


def add(app: FastAPI, answer: Answer) -> None:
    """Add the pages to an application, whose workers answer."""

    async def home(request: Request) -> Response:
        asked = request.url.query
        return RedirectResponse(f"/{WAYS[0]}{'?' if asked else ''}{asked}")

    async def shown(request: Request) -> Response:
        way = request.url.path.strip("/")
        return await _page(request, answer, way, request.query_params.multi_items())

    async def sent(request: Request) -> Response:
        given = await _sent(request)
        where = address("release", state("release", dict(given)))
        read = not _unread("release", given, of_form=True)
        if read and len(where) <= LONGEST and request.headers.get("sec-fetch-mode") == "navigate":
            return RedirectResponse(where, 303)
        return await _page(request, answer, "release", given, of_form=True)

    async def document(request: Request, name: str) -> Response:
        way = request.url.path.split("/")[1]
        given = request.query_params.multi_items()
        return await _document(request, answer, way, given, name)

    async def posted(request: Request, name: str) -> Response:
        given = await _sent(request)
        return await _document(request, answer, "release", given, name, of_form=True)

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


def _unread(way: str, given: Given, *, of_form: bool) -> str:
    """Which parts of an address cannot be read or used; nothing is answered in their place."""
    times = Counter(name for name, _ in given)
    unknown = [f"{name}={text}" for name, text in given if not _is_known(way, name, text)]
    twice = [name for name, count in times.items() if count > 1]
    now = state(way, dict(given))
    unused = [
        f"{name}={text}"
        for name, text in given
        if text.strip() and (name in moot(way, now) or text.strip() != now.get(name))
    ]
    checked = {"ways.unread": unknown, "ways.unread.twice": twice}
    if not of_form:
        checked["ways.unread.moot"] = unused
    for key, found in checked.items():
        if found:
            cited = [fill("page.quoted", what=printable(part[:LONG])) for part in found[:MOST]]
            return fill(key, parts=", ".join(cited))
    return ""


def _is_known(way: str, name: str, text: str) -> bool:
    chosen = {"language": LANGUAGES, "model": ONE_MODEL}
    return name in START[way] and (name not in chosen or text.strip() in chosen[name])


async def _document(
    request: Request, answer: Answer, way: str, given: Given, name: str, *, of_form: bool = False
) -> Response:
    """A file to keep, or a page that says why there is none."""
    if not NAME.fullmatch(name) or PurePath(name).suffix not in MEDIA:
        raise HTTPException(404)
    made = await _page(request, answer, way, given, of_form=of_form, document=name)
    if made.status_code == 200:
        made.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return made


async def _page(
    request: Request,
    answer: Answer,
    way: str,
    given: Given,
    *,
    of_form: bool = False,
    **more: str,
) -> Response:
    """A page or a document; where there is no answer, a page that says why."""
    brief = "x-brief" in request.headers
    query = dict(given)
    task = json.dumps({"way": way, "query": query, "brief": brief, **more}).encode()
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
            of_form = of_form or "x-question" in request.headers
            if said := _unread(way, given, of_form=of_form):
                raise Problem(422, "page", said)
            made = await answer(request, "pages:shown", task, listen, long=long)
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


async def _sent(request: Request) -> Given:
    """What a form says: text is text, and a file is its text."""
    async with request.form(max_files=1, max_fields=2 * len(START["release"])) as form:
        given = [(name, text) for name, text in form.multi_items() if isinstance(text, str)]
        upload = form.get("upload")
        if isinstance(upload, UploadFile) and upload.size:
            given = [(name, text) for name, text in given if (name, text) != ("text", "")]
            given.append(("text", (await upload.read()).decode("utf-8", "replace")))
    return given
