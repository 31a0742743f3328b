"""Files read as trees of mappings, lists and text; numbers stay the text that was written."""

from __future__ import annotations

import html
import json
import os
import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

from dprisk._files import read, regular
from dprisk.errors import InvalidFile, unreadable
from dprisk.text import fill

Tree: TypeAlias = "dict[str, Tree] | list[Tree] | str | bool | None"

LARGEST = 1_000_000
DEEPEST = 24
NULLS = frozenset({"", "~", "null", "Null", "NULL"})
SUFFIXES = (".yaml", ".yml", ".toml", ".json")
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a release file of a reasonable size; anything else is refused."""
    regular(path)
    shown = os.fspath(path)
    _check_ending(shown)
    return _decoded(shown, read(path, LARGEST))


def documents(path: str | os.PathLike[str], text: str) -> list[Tree]:
    """The documents in the text of a file: one, or several in YAML; none of them empty."""
    shown = os.fspath(path)
    parsers = {".toml": _toml, ".json": _json, ".yaml": _yaml, ".yml": _yaml}
    trees = list(parsers[Path(shown).suffix.lower()](shown, text))
    found: list[Tree] = [tree for tree in trees if tree is not None]
    if not found:
        raise InvalidFile(shown, "The file is empty.", "Describe a release in it.")
    return found


def _check_ending(path: str) -> None:
    suffix = Path(path).suffix
    if suffix.lower() not in SUFFIXES:
        wrong = "loading.ending" if suffix else "loading.no-ending"
        problem = fill(f"releases.{wrong}", ending=repr(suffix))
        fix = fill("releases.loading.endings", endings=", ".join(SUFFIXES))
        if suffix.lower() == ".csv":
            fix = f"{fill('releases.loading.table')} {fix}"
        raise InvalidFile(path, problem, fix)


def _decoded(path: str, raw: bytes) -> str:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        where = _place(1 + raw.count(10, 0, error.start))
        byte = f"{raw[error.start]:#04x}"
        raise InvalidFile(
            path,
            f"This is not UTF-8 text: byte {byte} cannot be read.",
            "Save the file as UTF-8.",
            where=where,
        ) from None
    control = CONTROL.search(text)
    if control:
        where = _place(1 + text.count(chr(10), 0, control.start()))
        raise unreadable(path, "releases.loading.control", where, byte=f"{ord(control[0]):#04x}")
    return text


def _place(line: int) -> str:
    return f"line {line}"


# --- YAML: built from events, so that aliases, tags and duplicates are seen before they cost ------


def _yaml(path: str, text: str) -> Iterator[Tree]:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        events = yaml.parse(text, Loader=loader)
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                yield _node(path, events, next(events), 0)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "it cannot be parsed"
        where = _place(mark.line + 1) if mark else None
        raise InvalidFile(
            path,
            f"This is not valid YAML: {problem}.",
            "Check the indentation and the quotes.",
            where=where,
        ) from None


def _node(path: str, events: Iterator[Any], event: Any, depth: int) -> Tree:
    import yaml

    where = _place(event.start_mark.line + 1)
    if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
        raise InvalidFile(
            path,
            "Anchors and aliases (& and *) are not supported.",
            "Write the value out where it is needed.",
            where=where,
        )
    if event.tag is not None and event.tag != "!":
        raise InvalidFile(
            path, f"The tag {event.tag} is not supported.", "Leave the tag out.", where=where
        )
    if isinstance(event, yaml.ScalarEvent):
        is_null = event.implicit[0] and event.value in NULLS
        return None if is_null else str(event.value)
    if depth >= DEEPEST:
        raise _too_deep(path, where)
    if isinstance(event, yaml.SequenceStartEvent):
        return _sequence(path, events, depth)
    return _mapping(path, events, depth)


def _sequence(path: str, events: Iterator[Any], depth: int) -> list[Tree]:
    import yaml

    tree: list[Tree] = []
    while not isinstance(event := next(events), yaml.SequenceEndEvent):
        tree.append(_node(path, events, event, depth + 1))
    return tree


def _mapping(path: str, events: Iterator[Any], depth: int) -> dict[str, Tree]:
    import yaml

    tree: dict[str, Tree] = {}
    while not isinstance(event := next(events), yaml.MappingEndEvent):
        where = _place(event.start_mark.line + 1)
        key = _node(path, events, event, depth + 1)
        if not isinstance(key, str):
            raise InvalidFile(
                path, "A key is not text.", "Write each key as one word.", where=where
            )
        if key in tree:
            raise _duplicate(path, key, where)
        tree[key] = _node(path, events, next(events), depth + 1)
    return tree


def _too_deep(path: str, where: str | None = None) -> InvalidFile:
    return InvalidFile(
        path,
        f"The file is nested more than {DEEPEST} levels deep.",
        "Check that this is the right file.",
        where=where,
    )


def _duplicate(path: str, key: str, where: str | None = None) -> InvalidFile:
    return InvalidFile(
        path, f"The key {key[:60]!r} occurs twice.", "Remove one of them.", where=where
    )


# --- JSON and TOML -------------------------------------------------------------------------------


def _json(path: str, text: str) -> Iterator[Tree]:
    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        tree: dict[str, Any] = {}
        for key, value in found:
            if key in tree:
                raise _duplicate(path, key)
            tree[key] = value
        return tree

    def parse() -> Any:
        return json.loads(
            text,
            parse_float=str,
            parse_int=str,
            parse_constant=str,
            object_pairs_hook=pairs,
        )

    if text.strip():
        yield _parsed(path, "JSON", parse)


def _toml(path: str, text: str) -> Iterator[Tree]:
    import tomllib

    for number, line in enumerate(text.splitlines(), 1):
        if line.split("=")[0].count(".") > DEEPEST:  # such keys cost their length squared
            raise _too_deep(path, _place(number))
    if any(line.strip() and not line.lstrip().startswith("#") for line in text.splitlines()):
        yield _parsed(path, "TOML", lambda: tomllib.loads(text, parse_float=str))


def _parsed(path: str, format_name: str, parse: Callable[[], Any]) -> Tree:
    try:
        return _as_tree(path, parse(), 0)
    except RecursionError:
        raise _too_deep(path) from None
    except InvalidFile:
        raise
    except ValueError as error:
        where = _place(error.lineno) if isinstance(error, json.JSONDecodeError) else None
        said = {"format": format_name, "problem": getattr(error, "msg", None) or str(error)}
        raise unreadable(path, "releases.loading.not-parsed", where, **said) from None


def _as_tree(path: str, value: Any, depth: int) -> Tree:
    if depth > DEEPEST:
        raise _too_deep(path)
    if isinstance(value, dict):
        return {str(key): _as_tree(path, item, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_as_tree(path, item, depth + 1) for item in value]
    if value is None or isinstance(value, (str, bool)):
        return value
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


TERMINAL = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[@-_])?")
TAG = re.compile(r"</?[A-Za-z!][^<>]*>")
SCRIPT = re.compile(r"<(script|style)\b[^<>]*>.{0,10000}?</\1\s*>", re.IGNORECASE | re.DOTALL)
IMAGE_OR_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
MATH = re.compile(r"\\{1,2}[()\[\]]|\$")
GREEK = re.compile(r"\\(epsilon|varepsilon|delta|rho|mu|alpha|gamma|xi|sigma|tau|ln|log|exp)\b")
COMMAND = re.compile(r"\\[A-Za-z]+\s?")
EMPHASIS = re.compile(r"(\*\*|__|~~|`+|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w))")
BULLET = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)]|#{1,6}|>)\s+")
ADDRESS = re.compile(r"https?://[^\s<>\"'`\\^{}|]{1,2000}")
LONGEST = 2000


def plain(text: str, longest: int = LONGEST) -> str:
    """One line of plain text: no markup, no control characters, at most `longest` of them."""
    text = html.unescape(TERMINAL.sub("", text[: 10 * longest]))
    text = _until_stable(SCRIPT, _shown(text))
    text = _until_stable(TAG, text)
    text = IMAGE_OR_LINK.sub(r"\1", text)
    text = GREEK.sub(lambda match: match[1].removeprefix("var"), MATH.sub("", text))
    text = EMPHASIS.sub("", COMMAND.sub("", text))
    text = " ".join(BULLET.sub("", text).split())
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def lines(text: str, longest: int = 300) -> tuple[str, ...]:
    """The lines or bullets of a text, each as plain text, without empty ones."""
    found = (plain(line, longest) for line in text.splitlines()[:200])
    return tuple(line for line in found if line)


def addresses(text: str) -> tuple[str, ...]:
    """The web addresses in a text, in order, each once."""
    found = (_trimmed(html.unescape(match)) for match in ADDRESS.findall(_shown(text)))
    return tuple(dict.fromkeys(address for address in found if address))


def _trimmed(address: str) -> str:
    """An address without the punctuation of the sentence around it."""
    while address and address[-1] in ".,;:!?)]*":
        if address[-1] == ")" and address.count("(") >= address.count(")"):
            break
        address = address[:-1]
    return address


def _shown(text: str) -> str:
    """A text without the characters that are not shown or that turn the text around."""
    return "".join(
        " " if character in "\n\r\t" else character
        for character in text
        if character in "\n\r\t" or unicodedata.category(character) not in {"Cc", "Cf", "Co", "Cs"}
    )


def _until_stable(pattern: re.Pattern[str], text: str) -> str:
    for _ in range(5):
        text, changes = pattern.subn("", text)
        if not changes:
            break
    return text
