"""Release files: our own format is read and written, records of the public registry are read."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, final

from dprisk._files import write
from dprisk._lazy import named
from dprisk.errors import InvalidFile, InvalidInput
from dprisk.guarantees.base import Composed, Guarantee
from dprisk.mechanisms.base import Mechanism, kinds
from dprisk.releases.forms import form_of
from dprisk.releases.loading import Tree, documents, read_text
from dprisk.releases.release import Described, Part, Release
from dprisk.releases.spelling import decimal_text
from dprisk.text import fill

# Modules of this room. Each `recognizes` a document, by its keys, and can `read` it as a release.
FORMATS = ("model", "registry")


def read_release(path: str | os.PathLike[str], **given: Any) -> Release:
    """Read the one release that a file describes.

    Parameters
    ----------
    path : str or path
        A YAML, TOML or JSON file in the format of dprisk (it has the key ``dprisk``), a record
        of the public registry of deployments (it has ``url_slug`` and ``deployment``), or a file
        of another tool, such as a saved accountant.
    **given : object
        What a file of another tool does not say, by name, such as ``neighbors="add-remove"``.

    Returns
    -------
    Release
        Parameters are kept as written, beside their value.

    Raises
    ------
    InvalidFile
        If the file cannot be read as one release; the message says where, why and what to do.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from dprisk import read_release
    >>> text = '''
    ... dprisk: 1
    ... name: Town survey
    ... unit: person
    ... period: once
    ... neighbors: add-remove
    ... model: central
    ... guarantees:
    ...   - {epsilon: 0.50, delta: 1e-10}
    ... '''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "survey.yaml"
    ...     size = path.write_text(text)
    ...     release = read_release(path)
    >>> release.parts[0].given
    {'epsilon': '0.50', 'delta': '1e-10'}
    """
    found = read_releases(path, **given)
    if len(found) > 1:
        raise InvalidFile(
            os.fspath(path),
            f"The file describes {len(found)} releases; one is expected here.",
            "Split the file, or read it with read_releases.",
        )
    return found[0]


def read_releases(path: str | os.PathLike[str], **given: Any) -> tuple[Release, ...]:
    """Read every release that a file describes.

    Parameters
    ----------
    path : str or path
        As for `read_release`; several releases stand in a list, or in a YAML file between lines
        of ``---``.
    **given : object
        As for `read_release`.

    Returns
    -------
    tuple of Release
        In the order of the file, at least one.

    Raises
    ------
    InvalidFile
        If the file cannot be read; the message says where, why and what to do.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from dprisk.releases import read_releases
    >>> line = "{dprisk: 1, name: Day %s, unit: user, period: day, neighbors: add-remove,"
    >>> line += " model: central, guarantees: [{epsilon: 1}]}"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "days.yaml"
    ...     size = path.write_text(f"- {line % 1}\\n- {line % 2}\\n")
    ...     [release.name for release in read_releases(path)]
    ['Day 1', 'Day 2']
    """
    if _tools("is_of_a_tool")(path):
        return (_tools("read_from")(path, **given),)
    if given:
        name = next(iter(given))
        fix = "Write it there, and leave it out here."
        raise InvalidInput(name, given[name], "in the file, which dprisk reads as it is", fix)
    found: list[tuple[Tree, str]] = []
    trees = documents(path, read_text(path))
    for number, tree in enumerate(trees, 1):
        place = f"document {number}" if len(trees) > 1 else ""
        if isinstance(tree, list):
            items = [(item, f"item {i}") for i, item in enumerate(tree, 1)]
            found += [(item, f"{place} {at}".strip()) for item, at in items]
        else:
            found.append((tree, place))
    if not found:
        raise InvalidFile(os.fspath(path), "The list is empty.", "Describe a release in it.")
    return tuple(_release(os.fspath(path), tree, place) for tree, place in found)


def _release(path: str, tree: Tree, place: str) -> Release:
    shown = f"{path}, {place}" if place else path
    if not isinstance(tree, Mapping):
        raise InvalidFile(
            shown,
            "A release needs keys and values, such as `name: Town survey`.",
            "See the format of release files in the documentation.",
        )
    for name in FORMATS:
        if named("dprisk.releases", f"{name}:recognizes")(tree):
            release: Release = named("dprisk.releases", f"{name}:read")(tree, shown)
            return release
    raise InvalidFile(
        shown,
        (
            "This does not describe a release. A file for dprisk has the key `dprisk`; a "
            "record of the deployments registry has `url_slug` and `deployment`."
        ),
        "If the file was written for dprisk, add the line `dprisk: 1`.",
    )


OURS = (Release, Part, Guarantee, Mechanism, Composed)


def as_release(what: Described) -> Release:
    """A release from whatever describes one: a file is read, anything else is its only part."""
    if isinstance(what, str | os.PathLike):
        return read_release(what)
    if isinstance(what, OURS) or not _tools("is_an_object")(what):
        return Release.of(what)
    return _tools("read_from")(what)


def _tools(name: str) -> Any:
    """A function of the readers of other tools, which are imported when they are needed."""
    return named("dprisk.releases.tools", f"reading:{name}")


JSON_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)
UNSTATED = {"unit": "unstated", "period": "unstated", "model": "central"}
"""What files have to say, and what stands for it while a text without it is checked."""
NAMED = '{\n  "dprisk": 1,\n  "name": '
OURS_FIRST = "dprisk: 1\n"
MARKED = re.compile(r'"\\u0000([^"\\]*)\\u0000"')


def write_release(release: Release, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Write a release to a file, so that `read_release` gives the same release back.

    Parameters
    ----------
    release : Release
        What to write; its unit, period and model must be stated and it must have a part.
    path : str or path
        Where to write it: a name that ends in .yaml, .yml or .json.
    force : bool
        Whether a file that is there may be replaced.

    Raises
    ------
    InvalidInput
        If a file cannot hold the release: something required is not stated, or a guarantee or a
        mechanism has no form in files.
    InvalidFile
        If no file can be written there, or its ending is not one of the three.
    NotWritten
        If writing fails; what was there is whole.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from dprisk import PureDP
    >>> from dprisk.releases import Part, Release, write_release
    >>> from dprisk import read_release
    >>> release = Release(
    ...     name="Weekly visits",
    ...     unit="user-week",
    ...     period="week",
    ...     neighbors="add-remove",
    ...     neighbors_stated=True,
    ...     model="central",
    ...     parts=(Part(PureDP(0.5, neighbors="add-remove")),),
    ... )
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "visits.yaml"
    ...     write_release(release, path)
    ...     read_release(path) == release
    True
    """
    suffix = Path(path).suffix.lower()
    if suffix not in (".yaml", ".yml", ".json"):
        problem = f"A release is written as YAML or JSON, not as {suffix!r}."
        raise InvalidFile(os.fspath(path), problem, "Use the ending .yaml or .json.")
    text = _json(_tree(release)) if suffix == ".json" else in_yaml(release)
    write(path, text.encode(), force=force)


def in_yaml(release: Release) -> str:
    """A release as the text of a YAML file."""
    return _yaml(_tree(release))


def in_text(release: Release) -> str:
    """A release as a text for `read_text_once`: of a file, which lacks what is not stated."""
    whole = all(getattr(release, name) for name in UNSTATED)
    return in_yaml(release) if whole else _json(_tree(release, UNSTATED))


def split_name(text: str) -> tuple[str | None, str]:
    """The name in a text by `in_text`, and the text without it: equal for equal releases."""
    named, _, rest = text.removeprefix(NAMED).partition(",\n")
    if not text.startswith(NAMED) or "\n" in named:
        return None, text
    try:
        return str(json.loads(named)), f'{NAMED}"-",\n{rest}'
    except ValueError:
        return None, text


@lru_cache(maxsize=4096)
def read_text_once(text: str, file: str) -> Release:
    """The one release in a text, of a file of this name or by `in_text`; it is read once."""
    own = not file or text.startswith(OURS_FIRST)
    kind = ".json" if text.startswith("{") else ".yaml"
    found = documents(f"text{kind}" if own else file, text)
    tree = found[0][0] if isinstance(found[0], list) and len(found[0]) == 1 else found[0]
    if len(found) > 1 or not isinstance(tree, Mapping):
        raise InvalidFile(file, "This text does not describe one release.")
    left = [name for name in UNSTATED if own and name not in tree]
    release = _release(file, {**{name: UNSTATED[name] for name in left}, **tree}, "")
    nothing: Any = dict.fromkeys(left)
    return replace(release, **nothing)


@final
@dataclass(frozen=True, slots=True)
class _Decimal:
    """A number, in the text in which it is to be written."""

    text: str


def _tree(release: Release, unstated: Iterable[str] = ()) -> dict[str, Any]:
    for name in (*UNSTATED, "parts"):
        if not getattr(release, name) and name not in unstated:
            fix = "A file has to say this: state it with dataclasses.replace."
            raise InvalidInput(name, getattr(release, name), "stated", fix)
    tree: dict[str, Any] = {"dprisk": 1}
    for name in ("name", "unit", "period", "neighbors"):
        tree[name] = getattr(release, name)
    if not release.neighbors_stated:
        tree["neighbors_stated"] = False
    tree["model"] = release.model
    tree["guarantees"] = [_entry(part) for part in release.parts if part.mechanism is None]
    tree["mechanisms"] = [_entry(part) for part in release.parts if part.mechanism]
    tree["separate_parts"] = True if tree["guarantees"] and tree["mechanisms"] else None
    tree["releases"] = release.releases if release.releases > 1 else None
    tree["stated_also"] = [_entry(part) for part in release.stated_also]
    for name in ("curator", "date", "region"):
        tree[name] = getattr(release, name)
    for name in ("invariants", "source"):
        tree[name] = list(getattr(release, name))
    tree["notes"] = [{"kind": note.kind, "text": note.text} for note in release.notes]
    if (found := release.computational) is not None:
        said = _Decimal(decimal_text(found.advantage))
        tree["computational"] = {"advantage": said, "assumption": found.assumption}
    return {key: value for key, value in tree.items() if value not in (None, [])}


def _entry(part: Part) -> dict[str, Any]:
    entry: dict[str, Any] = {}
    if (part.mechanism is None) == ("kind" in part.given):
        fix = f"State the promise of this mechanism instead: Part({part.guarantee!r})."
        choices = fill("releases.forms.one-of", choices=", ".join(kinds()))
        raise InvalidInput("mechanism", part.mechanism, choices, fix)
    if part.mechanism is None:
        definition = form_of(part.guarantee).definition
        entry = {"definition": definition} if definition else {}
    for name, text in part.given.items():
        entry[name] = text if name in ("kind", "sides") else _numbers(text)
    if part.count > 1:
        entry["count"] = part.count
    if part.label:
        entry["label"] = part.label
    if part.attributes is not None:
        entry["attributes"] = list(part.attributes)
    return entry


def _numbers(text: str) -> Any:
    if ";" in text:
        return [
            _numbers(row if "," in row else f"{row},") for row in text.split(";") if row.strip()
        ]
    pieces = [_Decimal(piece.strip()) for piece in text.split(",") if piece.strip()]
    return pieces if "," in text else pieces[0]


def _yaml(tree: dict[str, Any]) -> str:
    import yaml

    class Dumper(yaml.SafeDumper):
        """One of its own, so that the number is not registered for everybody."""

    Dumper.add_representer(_Decimal, _plain_number)
    dumped = yaml.dump(tree, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=96)
    return str(dumped)


def _plain_number(dumper: Any, number: _Decimal) -> Any:
    import yaml

    tag = dumper.resolve(yaml.ScalarNode, number.text, (True, False))
    return dumper.represent_scalar(tag, number.text)


def _json(tree: dict[str, Any]) -> str:
    dumped = json.dumps(_marked(tree), indent=2)
    return MARKED.sub(r"\1", dumped) + "\n"


def _marked(value: Any) -> Any:
    """A tree in which numbers are marked, to lose their quotes after json has added them."""
    if isinstance(value, dict):
        return {key: _marked(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_marked(item) for item in value]
    if isinstance(value, _Decimal):
        return f"\0{value.text}\0" if JSON_NUMBER.fullmatch(value.text) else value.text
    return value
