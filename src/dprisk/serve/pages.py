"""The pages: a form, and under it the answer, or why there is none."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import urlencode

from dprisk import _pages
from dprisk._values import written
from dprisk.documents.explaining import only
from dprisk.documents.render.pdf import can_print
from dprisk.errors import InvalidInput
from dprisk.serve import questions
from dprisk.serve.answered import Shown, of_release
from dprisk.serve.budgeted import of_budget
from dprisk.serve.compared import of_comparison
from dprisk.serve.questions import ask, used
from dprisk.serve.ways import (
    METRICS,
    PARAMETERS,
    READER,
    START,
    WAYS,
    WORDS,
    asked,
    command,
    moot,
    python,
    reported,
    state,
)
from dprisk.text import LANGUAGES, Language, fill, has, language

LONGEST: Final = 6_000  # letters of an address
ROOM: Final = "dprisk.serve"
SHOWN: Final = {"budget": of_budget, "compare": of_comparison}
MEDIA: Final = {
    ".html": "text/html",
    ".pdf": "application/pdf",
    ".md": "text/markdown",
    ".json": "application/json",
    ".yaml": "application/yaml",
    ".toml": "application/toml",
}
PAPERS: Final = ("report", "summary")
COMMON: Final = frozenset(
    ["kind", "epsilon", "delta", "rho", "mu", "neighbors", "secret", *READER, *WORDS]
)
AUDIENCES: Final = ("data-subject", "curator", "regulator", "researcher")
ONE_MODEL: Final = ("central", "local", "shuffle", "federated")
ON_TOP: Final = ("silent", "with-without", "beliefs", "guarantee", "experts")
"""Topics of explanations of which something stands on top of a page."""

OPTION: Final = re.compile(r"--(\w+)")
FORMS: Final = {"html": "HTML", "pdf": "PDF", "md": "Markdown"}


def shown(given: bytes) -> tuple[str, bytes]:
    """What a worker makes of an address: a page or a document, and its media type."""
    tree = json.loads(given)
    way, query, name = tree["way"], tree["query"], tree.get("document")
    now = state(way, query)
    if name is not None:
        return MEDIA[PurePath(name).suffix], _document(way, now, name)
    with only(*(ON_TOP if tree.get("brief") else ())):
        answers = {key: ask(*question) for key, question in asked(way, now).items()}
    return "text/html", page(way, now, answers).encode()


def warmed(given: bytes) -> tuple[str, bytes]:
    """Think of every question and every page once: a task of workers."""
    for way in WAYS:
        shown(json.dumps({"way": way, "query": {}}).encode())
    return questions.warmed(given)


def page(
    way: str,
    now: Mapping[str, str],
    answers: Mapping[str, Any] | None = None,
    problem: str = "",
    wording: Language | None = None,
) -> str:
    """One page."""
    from dprisk import __version__

    here = address(way, now)
    spoken: Language = next((name for name in LANGUAGES if name == now["language"]), "en")
    with language(spoken):
        return _pages.page(
            ROOM,
            "way.html.j2",
            say=fill,
            version=__version__,
            skip=fill("report.page.skip"),
            language=spoken,
            languages=[(name, _spoken(name, way, now)) for name in LANGUAGES],
            way=way,
            address=here,
            posts=len(here) > LONGEST,
            ways=[(name, _title(name), _other(name, way, now)) for name in WAYS],
            now=now,
            choices=_choices(spoken),
            parameters=PARAMETERS,
            problem=problem,
            found=_show(way, now, answers)
            if answers
            else Shown([(_labelled(problem), "more")], wording),
            files=_files(way, now) if answers else [],
            again=_again(way, now, answers) if answers else [],
        )


def static(name: str) -> tuple[str, bytes]:
    """The style or the script of all pages, and its media type."""
    if name == "serve.js":
        return "text/javascript", files(ROOM).joinpath(name).read_bytes()
    return "text/css", _pages.page(ROOM, "serve.css.j2").encode()


def _show(way: str, now: Mapping[str, str], answers: Mapping[str, Any]) -> Shown:
    return SHOWN.get(way, of_release)(now, answers)


def _labelled(problem: str) -> str:
    """What is wrong, where the options of a command are called as the fields of the form are."""

    def label(found: re.Match[str]) -> str:
        keys = (f"{area}.ask.{found[1]}" for area in ("page", "ways"))
        key = next(filter(has, keys), None)
        return fill("page.quoted", what=fill(key)) if key else found[0]

    return OPTION.sub(label, problem)


def _title(way: str) -> str:
    return fill("ways.way.release" if way == "release" else f"page.way.{way}")


def _other(name: str, way: str, now: Mapping[str, str]) -> str:
    """The address of another way, with what both have in common."""
    if name == way:
        return address(way, now)
    kept = COMMON & now.keys() - moot(way, now)
    said = {key: now[key] for key in kept if now[key] not in ("", START[way][key])}
    if said.get("kind") == "published":  # a release, to which no other page goes back
        del said["kind"]
    return address(name, said)


def _spoken(name: Language, way: str, now: Mapping[str, str]) -> str:
    """The same page in a language; in German, for those to whom that is spoken."""
    turned = {"audience": "data-subject"} if name != "en" and "audience" in now else {}
    return address(way, {**now, **turned, "language": name})


def address(way: str, now: Mapping[str, str], path: str = "") -> str:
    """The address of a page, or of a document about the same; what is usual is left out."""
    full = START[way] | {name: value for name, value in now.items() if name in START[way]}
    said = {
        name: value
        for name, value in full.items()
        if value != START[way][name] and name not in moot(way, full)
    }
    return f"/{way}{path}{'?' if said else ''}{urlencode(said)}"


@cache
def _choices(spoken: Language) -> dict[str, list[tuple[str, str]]]:
    """What can be chosen, by field, in a language."""

    def named(group: str, *names: str) -> list[tuple[str, str]]:
        return [(name, fill(f"{group}.{name}")) for name in names]

    from dprisk.releases import deployments

    promises = named("page.kind", *PARAMETERS)
    several = [*promises, ("published", fill("ways.kind.published"))]
    secrets = named("page.secret", "membership", "attribute")
    return {
        "kind": promises,
        "several": several,
        "optional": [("", fill("ways.kind.none")), *several],
        "neighbors": named("page.neighbors", "add-remove", "replace-one"),
        "secret": secrets,
        "natural": [("", fill("ways.ask.natural")), *secrets],
        "audience": [(one, fill(f"ways.audience.{one}")) for one in AUDIENCES],
        "model": [(one, fill(f"ways.model.{one}")) for one in ONE_MODEL],
        "metric": [(one, fill(f"ways.metric.{one}")) for one in METRICS],
        "published": [
            (one.name, f"{one.name}, {one.curator}") for one in deployments() if one.parts
        ],
    }


def _again(
    way: str, now: Mapping[str, str], answers: Mapping[str, Any]
) -> list[tuple[str, str, str]]:
    """The lines that give the same numbers: what is said of them, for whom, and the text."""
    every = asked(way, now)
    lines = "\n".join(command(question) for question in every.values())
    found = [(fill("ways.again"), "console", lines)]
    first = next(iter(every))
    if way != "compare":
        text = python(every[first], answers[first])
        found.append((fill("page.again.python"), "python", text))
    return found


def _files(way: str, now: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """What can be downloaded: its name, what it is, and its address."""
    forms = [form for form in FORMS if form != "pdf" or can_print()]
    papers = PAPERS if way in ("promise", "release") else ()
    names = {f"{paper}.{form}": _paper(paper, form) for paper in papers for form in forms}
    names |= {name: name for name in (*_texts(way, now), *map("{}.json".format, asked(way, now)))}
    return [(name, said, address(way, now, f"/{name}")) for name, said in names.items()]


def _paper(what: str, form: str) -> str:
    return fill("ways.file.in", name=fill(f"ways.file.{what}"), form=FORMS[form])


def _texts(way: str, now: Mapping[str, str]) -> dict[str, str]:
    """The files that the command lines read, by name."""
    bodies = [question.body for question in asked(way, now).values()]
    if way == "promise":
        bodies.append(reported(way, now))
    given = (each for body in bodies for each in body.values() if isinstance(each, Mapping))
    return {each["file"]: each["text"] for each in given}


def _document(way: str, now: Mapping[str, str], name: str) -> bytes:
    """A document about what a page is about."""
    what, _, form = name.partition(".")
    if what in PAPERS and form in FORMS and way in ("promise", "release"):
        return bytes(used("report", reported(way, now), lambda made: _written(made, what, form)))
    texts, every = _texts(way, now), asked(way, now)
    if name in texts:
        return texts[name].encode()
    if form != "json" or what not in every:
        known = ", ".join([*texts, *map("{}.json".format, every)])
        raise InvalidInput("document", name, known)
    return written(ask(*every[what])).encode()


def _written(question: Any, what: str, form: str) -> bytes:
    made = question.answer()
    document = made.summary() if what == "summary" else made
    if form == "pdf":
        return bytes(document.to_pdf())
    text: str = document.written({"md": "markdown"}.get(form, form))
    return text.encode("utf-8", "backslashreplace")
