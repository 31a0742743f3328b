"""The questions of the command line, asked by a mapping: ``ask(question, body)``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING
from pathlib import PurePath, PureWindowsPath
from typing import TYPE_CHECKING, Any, Final

from dprisk import _files, _pages
from dprisk._asking import questions
from dprisk._asking.parameters import FILE, FILE_OR_NUMBERS, LIMIT, Parameter, filled, parameters
from dprisk._asking.reading import MOST_VALUES, apart
from dprisk._values import plain, written
from dprisk.errors import InvalidInput, WrongCall
from dprisk.text import fill, spoken
from dprisk.web.guard import Problem

if TYPE_CHECKING:
    from dprisk._asking.answers import Block

QUESTIONS: Final[dict[str, Any]] = {
    name: getattr(questions, f"Ask{name.capitalize()}")
    for name in ("assess", "compose", "power", "budget", "explain", "report")
}
ENDINGS: Final = (".yaml", ".yml", ".toml", ".json", ".csv")
TOWN: Final = (
    "{dprisk: 1, name: Town survey, unit: person, period: once, neighbors: add-remove, "
    "model: central, guarantees: [{rho: 0.1}]}"
)
EXAMPLES: Final[dict[str, dict[str, Any]]] = {
    "assess": {"epsilon": 1, "neighbors": "add-remove", "prior": [0.1, 0.5]},
    "compose": {"release": TOWN, "delta": 1e-6, "releases": 12},
    "power": {"rho": 0.1, "neighbors": "add-remove", "level": 0.05},
    "budget": {"limit": {"posterior": 0.8}, "prior": 0.5, "neighbors": "add-remove"},
    "explain": {"epsilon": 1, "neighbors": "add-remove", "audience": "regulator"},
    "report": {"release": TOWN, "by": "A. Analyst"},
}
CALLED: Final = {"files": "release", "file": "release", "what": "release"}
"""The arguments of commands that are files, by what they are called here."""


def ask(question: str, body: Mapping[str, Any]) -> Any:
    """Answer a question.

    Parameters
    ----------
    question : {"assess", "compose", "power", "budget", "explain", "report"}
        Which command would answer it.
    body : mapping
        Its options, by name.

    Returns
    -------
    dict or list
        Plain data: what the command prints with ``--json``.

    Raises
    ------
    DpriskError
        What the command would say.

    Examples
    --------
    >>> from dprisk.web import ask
    >>> made = ask("assess", {"epsilon": 1, "neighbors": "add-remove", "prior": 0.5})
    >>> round(made["statements"][0]["findings"][0]["upper"], 4)
    0.7311
    """
    return used(QUESTIONS[question], body, lambda each: plain(each.answer()))


def answer(given: bytes) -> tuple[str, bytes]:
    """Answer a question, a line break and the body of a request: a task of workers."""
    question, _, sent = given.partition(b"\n")
    return "application/json", written(ask(question.decode(), parse(sent))).encode()


def warm(given: bytes) -> tuple[str, bytes]:
    """Think of everything once, so that whoever asks first need not wait: a task of workers."""
    for question, body in EXAMPLES.items():
        ask(question, body)
    return "text/plain", given


def parse(sent: bytes) -> Mapping[str, Any]:
    """The body of a request, its numbers as they were written."""
    kept: Any = {"parse_float": str, "parse_int": str, "parse_constant": str}
    try:
        body = json.loads(sent, object_pairs_hook=_once, **kept)
    except RecursionError:
        raise Problem(400, "json", "The JSON is nested too deeply.") from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        why = getattr(error, "msg", None) or str(error)
        raise Problem(400, "json", f"The body is not valid JSON: {why}.") from None
    if not isinstance(body, dict):
        raise Problem(400, "json", 'The body must be a JSON object, such as {"epsilon": 1}.')
    return body


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Problem(400, "json", f"The key '{twice[:60]}' appears twice in one object.")
    return found


def used(table: Any, body: Mapping[str, Any], use: Callable[[Any], Any]) -> Any:
    """The result of a function of a question; only the files that came with it can be read."""
    files: dict[str, bytes] = {}
    known = takes(table)
    given = {each.name: each.default for each in known.values()}
    if body.get("release") is not None and body.get("parameters") is not None:
        raise apart("release", "parameters")
    for name, value in body.items():
        if name not in known:
            raise WrongCall(f"There is no key '{name[:60]}'. Known keys: {', '.join(known)}.")
        if value is not None:
            given[known[name].name] = _value(name, known[name], value, files)
    missing = [name for name, each in known.items() if given[each.name] is MISSING]
    if missing:
        raise WrongCall(f"{missing[0]} is missing.")
    with _files.only(files):
        return use(filled(table, given))


def takes(table: Any) -> dict[str, Parameter]:
    """The parameters of a question by the keys of the API."""
    found: dict[str, Parameter] = {}
    for each in parameters(table):
        found[CALLED.get(each.name, each.name)] = each
        if each.stands == FILE_OR_NUMBERS:
            found["parameters"] = each
    return found


def is_file(name: str, each: Parameter) -> bool:
    """Whether a file is sent under a key."""
    return name != "parameters" and each.stands in (FILE, FILE_OR_NUMBERS)


def _value(name: str, each: Parameter, value: Any, files: dict[str, bytes]) -> Any:
    """The text of a parameter, or several, as a command would be given."""
    if not each.stands:
        if not isinstance(value, bool):
            raise InvalidInput(name, value, "true or false")
        return value
    if isinstance(value, Mapping) and (name == "parameters" or each.stands == LIMIT):
        return [f"{key}={_text(name, one)}" for key, one in value.items()]
    if is_file(name, each):
        several = value if name == "spent" and isinstance(value, list) else [value]
        found = [_put(name, one, files) for one in several[: MOST_VALUES + 1]]
    else:
        found = [_text(name, one) for one in (value if isinstance(value, list) else [value])]
        if isinstance(value, list) and not each.many:
            raise InvalidInput(name, value, "one value, not a list")
    return found if each.many else found[0]


def _text(name: str, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise InvalidInput(name, value, "a number or text")
    return value if isinstance(value, str) else repr(value)


def _put(name: str, value: Any, files: dict[str, bytes]) -> str:
    """Put a file where it will be read, and say what it is called."""
    called = f"{name}-{len(files)}" if name == "spent" else name
    if isinstance(value, str):
        place, text = f"{called}.{'csv' if name == 'allocation' else 'yaml'}", value
    elif isinstance(value, Mapping) and value.keys() == {"file", "text"}:
        place, text = _text(name, value["file"]), _text(name, value["text"])
        one = PurePath(place).name == PureWindowsPath(place).name == place
        if not one or not place.lower().endswith(ENDINGS) or place in files or len(place) > 200:
            allowed = f"the name of a file without folders that ends in one of {', '.join(ENDINGS)}"
            raise InvalidInput("file", place, allowed)
    elif isinstance(value, Mapping | list):
        place, text = f"{called}.json", json.dumps(value, ensure_ascii=False)
    else:
        allowed = "the text of a file, or its content as JSON"
        raise InvalidInput(name, value, allowed)
    files[place] = text.encode("utf-8", "surrogatepass")
    return place


MEDIA: Final = {
    "html": "text/html",
    "pdf": "application/pdf",
    "markdown": "text/markdown",
    "json": "application/json",
}


def show(given: bytes) -> tuple[str, bytes]:
    """The answer to a question as a piece of a page: a task of workers."""
    question, body = _asked(given)
    return "text/html", used(QUESTIONS[question], body, _shown).encode()


def document(given: bytes) -> tuple[str, bytes]:
    """A report, or its one-page summary, as a file: a task of workers.

    The name of the file comes in place of the question, such as ``summary.pdf``.
    """
    name, body = _asked(given)
    what, _, form = name.partition(".")

    def made(asked: Any) -> bytes:
        report = asked.answer()
        found = report.summary() if what == "summary" else report
        if form == "pdf":
            return bytes(found.to_pdf())
        return str(found.written(form)).encode("utf-8", "backslashreplace")

    return MEDIA[form], used(QUESTIONS["report"], body, made)


def blocks_as_html(blocks: Iterable[Block]) -> str:
    """A document as a piece of a page."""
    return _pages.page(
        "dprisk.web", "answer.html.j2", say=fill, blocks=list(blocks), language=spoken()
    )


def _asked(given: bytes) -> tuple[str, Any]:
    head, _, sent = given.partition(b"\n")
    return head.decode(), parse(sent)


def _shown(asked: Any) -> str:
    made = asked.answer()
    if not hasattr(asked, "document"):  # a report, which is a document
        return str(made._repr_html_())
    return blocks_as_html(asked.document(made))
