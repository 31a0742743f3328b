"""The questions of the command line, asked by a mapping instead of by options."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from inspect import Parameter
from pathlib import PurePath, PureWindowsPath
from typing import Any, Final, get_args

from dprisk import _files
from dprisk._asking.assess import AssessOptions
from dprisk._asking.budget import BudgetOptions
from dprisk._asking.compose import ComposeOptions
from dprisk._asking.explain import ExplainOptions
from dprisk._asking.groups import gathered, leaves
from dprisk._asking.options import FILE, FILE_OR_NUMBERS, LIMIT, Option, Texts
from dprisk._asking.power import PowerOptions
from dprisk._asking.reading import MOST_VALUES, unclear
from dprisk._asking.report import ReportOptions
from dprisk._values import plain, written
from dprisk.errors import WrongCall, refused
from dprisk.serve.problems import Problem
from dprisk.text import fill

QUESTIONS: Final[dict[str, Any]] = {
    "assess": AssessOptions,
    "compose": ComposeOptions,
    "power": PowerOptions,
    "budget": BudgetOptions,
    "explain": ExplainOptions,
    "report": ReportOptions,
}
ENDINGS: Final = (".yaml", ".yml", ".toml", ".json", ".csv")
TYPED: Final = {"epsilon": 1, "neighbors": "add-remove", "prior": 0.5}
TOWN: Final = (
    "{dprisk: 1, name: Town survey, unit: person, period: once, neighbors: add-remove, "
    "model: central, guarantees: [{rho: 0.1}]}"
)
WARM: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("assess", TYPED),
    ("assess", {"mu": 1, "neighbors": "add-remove", "releases": 10}),
    ("compose", {"release": TOWN, "delta": 1e-6}),
    ("power", TYPED),
    ("budget", {"limit": {"posterior": 0.8}, "prior": 0.5, "neighbors": "add-remove"}),
    ("explain", TYPED),
    ("report", {"release": TOWN}),
)
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
    >>> from dprisk.serve.questions import ask
    >>> made = ask("assess", {"epsilon": 1, "neighbors": "add-remove", "prior": 0.5})
    >>> round(made["statements"][0]["findings"][0]["upper"], 4)
    0.7311
    """
    return used(question, body, lambda each: plain(each.answer()))


def answered(given: bytes) -> tuple[str, bytes]:
    """What is sent for a question, a line break and the body of a request: a task of workers."""
    question, _, sent = given.partition(b"\n")
    return "application/json", written(ask(question.decode(), _parsed(sent))).encode()


def warmed(given: bytes) -> tuple[str, bytes]:
    """Think of everything once, so that whoever asks first need not wait: a task of workers."""
    for question, body in WARM:
        ask(question, body)
    return "text/plain", given


def _parsed(sent: bytes) -> Mapping[str, Any]:
    """The body of a request, its numbers as they were written."""
    kept: Any = {"parse_float": str, "parse_int": str, "parse_constant": str}
    try:
        body = json.loads(sent, object_pairs_hook=_once, **kept)
    except RecursionError:
        raise Problem(400, "json", fill("serve.deep")) from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        why = getattr(error, "msg", None) or str(error)
        raise Problem(400, "json", fill("serve.json", problem=why)) from None
    if not isinstance(body, dict):
        raise Problem(400, "json", fill("serve.object"))
    return body


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Problem(400, "json", fill("serve.twice", name=twice[:60]))
    return found


def used(question: str, body: Mapping[str, Any], use: Callable[[Any], Any]) -> Any:
    """What is made of a question while the files that came with it, and no others, are there."""
    files: dict[str, bytes] = {}
    group = QUESTIONS[question]
    known = takes(question)
    given = {leaf.name: leaf.default for leaf, _ in known.values()}
    if body.get("release") is not None and body.get("parameters") is not None:
        raise unclear("apart", one="release", other="parameters")
    for name, value in body.items():
        if name not in known:
            raise WrongCall(fill("serve.unknown", name=name[:60], names=", ".join(known)))
        leaf, option = known[name]
        if value is not None:
            given[leaf.name] = _value(name, leaf, option, value, files)
    missing = [name for name, (leaf, _) in known.items() if given[leaf.name] is Parameter.empty]
    if missing:
        raise WrongCall(fill("serve.missing", name=missing[0]))
    with _files.only(files):
        return use(gathered(question, group, given))


def takes(question: str) -> dict[str, tuple[Parameter, Option]]:
    """What a question takes, by name: the option of the command line behind each."""
    group = QUESTIONS[question]
    found: dict[str, tuple[Parameter, Option]] = {}
    for leaf in leaves(group, group._field_defaults):
        option = get_args(leaf.annotation)[1]
        found[CALLED.get(leaf.name, leaf.name)] = leaf, option
        if option.kind == FILE_OR_NUMBERS:
            found["parameters"] = leaf, option
    return found


def _value(name: str, leaf: Parameter, option: Option, value: Any, files: dict[str, bytes]) -> Any:
    """The text of an option, or several, as a command would be given."""
    if option.kind is None:
        if not isinstance(value, bool):
            raise refused("serve.must.flag", name, value)
        return value
    many = get_args(leaf.annotation)[0] == Texts
    if isinstance(value, Mapping) and (name == "parameters" or option.kind == LIMIT):
        return [f"{key}={_text(name, each)}" for key, each in value.items()]
    if name != "parameters" and option.kind in (FILE, FILE_OR_NUMBERS):
        each = value if name == "spent" and isinstance(value, list) else [value]
        found = [_put(name, one, files) for one in each[: MOST_VALUES + 1]]
    else:
        found = [_text(name, one) for one in (value if isinstance(value, list) else [value])]
        if isinstance(value, list) and not many:
            raise refused("serve.must.single", name, value)
    return found if many else found[0]


def _text(name: str, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise refused("serve.must.text", name, value)
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
            raise refused("serve.must.file", "file", place, endings=", ".join(ENDINGS))
    elif isinstance(value, Mapping | list):
        place, text = f"{called}.json", json.dumps(value, ensure_ascii=False)
    else:
        raise refused("serve.must.content", name, value)
    files[place] = text.encode("utf-8", "surrogatepass")
    return place
