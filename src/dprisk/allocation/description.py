"""Descriptions of a table: what a file declares about levels, parts, names and scenarios."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, final

from dprisk._checks import one_of
from dprisk.allocation.allocations import (
    ACCOUNTING,
    NOISES,
    Accounting,
    Allocation,
    AssumedShare,
    Noise,
    Printed,
    Query,
    Scenario,
)
from dprisk.allocation.concern import Vocabulary, guess
from dprisk.allocation.rows import Share, as_fraction
from dprisk.errors import InvalidFile, InvalidInput, unreadable
from dprisk.text import fill

KEYS = (
    "allocation",
    "name",
    "accounting",
    "noise",
    "neighbors",
    "moves",
    "levels",
    "parts",
    "attributes",
    "amount",
    "table",
    "names",
    "scenarios",
    "printed_in",
    "printed_if",
    "invariants",
    "source",
)


@final
@dataclass(frozen=True)
class Description:
    """Facts known about a table before it is read."""

    source: str
    name: str
    accounting: Accounting | None = None
    noise: Noise | None = None
    moves: int | None = None
    levels: tuple[str, ...] = ()
    attributes: tuple[str, ...] | None = None
    parts: Mapping[str, Share] = field(default_factory=dict)
    amount: Any = None
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    scenarios: tuple[Scenario, ...] = ()
    printed_in: str = ""
    printed_if: AssumedShare | None = None
    invariants: tuple[str, ...] = ()
    origin: tuple[str, ...] = ()
    table: Any = None

    def __post_init__(self) -> None:
        if self.accounting is not None:
            one_of("accounting", self.accounting, ACCOUNTING)
        if self.noise is not None:
            one_of("noise", self.noise, dict.fromkeys(n for some in NOISES.values() for n in some))
        if len({level.casefold() for level in self.levels}) < len(self.levels):
            raise InvalidInput("levels", list(self.levels), "different from each other")
        for part, whole in self.parts.items():
            for level in whole.levels:
                if level not in self.levels:
                    where, fix = f"parts.{part}.levels", guess(level, self.levels)
                    unknown = "allocation.unknown.level"
                    raise unreadable(self.source, unknown, where, word=level, fix=fix)
        moves = self.moves
        if moves is not None and (isinstance(moves, bool) or not 1 <= moves <= 10**9):
            raise InvalidInput(
                "moves",
                moves,
                fill("errors.whole", least=1, most="10^9"),
                fill("errors.such-as", example=2),
            )

    def of(self, source: str) -> Description:
        """The same for a table in another file."""
        return replace(self, source=source)

    def finished(self, accounting: Accounting, queries: tuple[Query, ...]) -> Allocation:
        """The allocation, once the queries are known."""
        if self.noise is not None:
            one_of(f"noise under {accounting} accounting", self.noise, NOISES[accounting])
        touched = dict.fromkeys(a for query in queries for a in query.attributes)
        attributes = tuple(touched) if self.attributes is None else self.attributes
        assumed = self.printed_if
        if assumed and (assumed.part, assumed.level) not in {(q.part, q.level) for q in queries}:
            where = f"{assumed.part}, {assumed.level}"
            raise InvalidInput("printed_if", where, "about a part and a level of the table")
        vocabulary = Vocabulary(attributes, self.levels, self.names)
        vocabulary.check()
        made = Allocation(
            name=self.name,
            accounting=accounting,
            noise=self.noise,
            queries=queries,
            vocabulary=vocabulary,
            scenarios=self.scenarios,
            printed_in=self.printed_in,
            printed_if=self.printed_if,
            invariants=self.invariants,
            source=self.origin,
        )
        for scenario in self.scenarios:
            made.exposure(*scenario.concerns)
        return made


def words(value: Any) -> tuple[str, ...]:
    """One text or a list of them, as a tuple."""
    return (value,) if isinstance(value, str) else tuple(map(str, value))


def described(path: str) -> Description:
    """The description in a YAML, TOML or JSON file; what is wrong in it is named by its key."""
    from dprisk.releases.loading import documents, read_text

    trees = documents(path, read_text(path))
    if len(trees) > 1 or not isinstance(trees[0], dict) or "allocation" not in trees[0]:
        raise InvalidFile(
            path,
            "It is not one description of an allocation.",
            "Such a file starts with the line `allocation: 1`.",
        )
    tree = trees[0]
    _check_keys(path, tree, KEYS)
    if tree["allocation"] != "1":
        raise unreadable(path, "allocation.format", format=repr(tree["allocation"]))
    if tree.get("neighbors", "replace-one") != "replace-one":
        raise unreadable(path, "allocation.neighbors", "neighbors")
    return _from_tree(path, tree)


def _from_tree(path: str, tree: Mapping[str, Any]) -> Description:
    accounting: Any = tree.get("accounting")
    attributes = tree.get("attributes")
    if tree.get("amount") is not None and tree.get("parts"):
        raise InvalidFile(
            path,
            "The file also declares parts, each with an amount of its own.",
            "Keep one: the amount, or the parts.",
            where="amount",
        )
    table = tree.get("table")
    if not (isinstance(table, str) or (isinstance(table, list) and all(map(_is_row, table)))):
        raise InvalidFile(
            path,
            "There is no table.",
            "Give rows under `table:`, or name a CSV or Parquet file beside this one.",
            where="table",
        )
    return Description(
        source=path,
        name=str(tree.get("name") or path),
        accounting=accounting,
        noise=tree.get("noise"),
        moves=_moves(path, tree.get("moves")),
        levels=_texts(path, tree, "levels"),
        attributes=None if attributes is None else _texts(path, tree, "attributes"),
        parts=_parts(path, _mapping(path, tree, "parts"), accounting == "gdp"),
        amount=tree.get("amount"),
        names={key: words(value) for key, value in _mapping(path, tree, "names").items()},
        scenarios=tuple(
            _scenario(path, n, one) for n, one in enumerate(tree.get("scenarios") or ())
        ),
        printed_in=str(tree.get("printed_in") or ""),
        printed_if=_explanation(path, tree),
        invariants=_texts(path, tree, "invariants"),
        origin=_texts(path, tree, "source"),
        table=table,
    )


def _check_keys(
    path: str, tree: Mapping[str, Any], known: Collection[str], where: str | None = None
) -> None:
    for key in tree:
        if key not in known:
            raise InvalidFile(path, f"The key '{key}' is unknown.", guess(key, known), where=where)


def _is_row(row: Any) -> bool:
    return isinstance(row, dict)


def _texts(path: str, tree: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = tree.get(key) or ()
    if isinstance(value, str) or not all(isinstance(one, str) for one in value):
        raise unreadable(path, "allocation.names", key)
    return tuple(value)


def _mapping(path: str, tree: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = tree.get(key) or {}
    if not isinstance(value, dict):
        raise InvalidFile(
            path, "It must contain keys and values.", "See the documentation.", where=key
        )
    return value


def _moves(path: str, value: Any) -> int | None:
    if value is None:
        return None
    if not (isinstance(value, str) and value.isascii() and value.isdigit()):
        raise InvalidFile(
            path, f"It must be a whole number, got {value!r}.", "Such as 2.", where="moves"
        )
    return int(value)


def _number(path: str, where: str, value: Any) -> Fraction:
    number = as_fraction(value)
    if number is None or not 0 <= number <= 10**6:
        raise unreadable(path, "allocation.amount", where, value=repr(value))
    return number


def _parts(path: str, tree: Mapping[str, Any], squared: bool) -> dict[str, Share]:
    found = {}
    for part in tree:
        inside = _mapping(path, tree, part)
        _check_keys(path, inside, ("amount", "levels"), f"parts.{part}")
        amount = _number(path, f"parts.{part}.amount", inside.get("amount"))
        levels = {
            level: _number(path, f"parts.{part}.levels.{level}", share)
            for level, share in _mapping(path, inside, "levels").items()
        }
        found[part] = Share(amount * amount if squared else amount, levels)
    return found


def _scenario(path: str, number: int, tree: Any) -> Scenario:
    where = f"scenarios[{number}]"
    if not isinstance(tree, dict) or not tree.get("name") or not tree.get("concerns"):
        raise InvalidFile(path, "A scenario has a name and a list of concerns.", where=where)
    _check_keys(path, tree, ("name", "concerns", "printed"), where)
    given = _mapping(path, tree, "printed")
    _check_keys(path, given, ("rho", "power"), f"{where}.printed")
    if given and "rho" not in given:
        raise unreadable(path, "allocation.printed", f"{where}.printed")
    power = {float(level): str(text) for level, text in _mapping(path, given, "power").items()}
    printed = Printed(str(given["rho"]), power) if given else None
    return Scenario(str(tree["name"]), words(tree["concerns"]), printed)


def _explanation(path: str, tree: Mapping[str, Any]) -> AssumedShare | None:
    given = _mapping(path, tree, "printed_if")
    if not given:
        return None
    _check_keys(path, given, ("part", "level", "share", "says"), "printed_if")
    share = _number(path, "printed_if.share", given.get("share"))
    part, level, says = (str(given.get(key) or "") for key in ("part", "level", "says"))
    return AssumedShare(part, level, share, says)
