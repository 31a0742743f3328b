"""Descriptions of allocations in YAML, TOML and JSON: read, and written back."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any, Final

from dprisk._numeric.exact import root_up
from dprisk.allocation.allocations import Allocation, AssumedShare, Printed, Scenario
from dprisk.allocation.queries import ACCOUNTING, NOISES, Query
from dprisk.allocation.rows import Description, Share
from dprisk.allocation.values import LARGEST_WIDTH, ONLY_LEVEL, SEPARATORS, as_fraction
from dprisk.allocation.vocabulary import chains_of, guess, in_order
from dprisk.errors import InvalidFile, Meaningless, unreadable
from dprisk.guarantees.base import NEIGHBORS

KEYS = (
    *("allocation", "name", "accounting", "noise", "neighbors", "moves", "levels", "parts"),
    *("attributes", "amount", "table", "names", "scenarios", "printed_in", "printed_if"),
    *("places", "invariants", "source"),
)


def words_of(value: Any) -> tuple[str, ...]:
    """One text or a list of them, as a tuple."""
    return (value,) if isinstance(value, str) else tuple(map(str, value))


def described(path: str) -> Description:
    """The description in a YAML, TOML or JSON file; what is wrong in it is named by its key."""
    from dprisk.releases import loading

    trees = loading.documents(path, loading.read_text(path))
    if len(trees) > 1 or not isinstance(trees[0], dict) or "allocation" not in trees[0]:
        fix = "Such a file starts with the line `allocation: 1`."
        raise InvalidFile(path, "It is not one description of an allocation.", fix)
    tree = trees[0]
    _check_keys(path, tree, KEYS)
    if tree["allocation"] != "1":
        raise unreadable(path, "allocation.format", format=repr(tree["allocation"]))
    if tree.get("neighbors", NEIGHBORS[0]) not in NEIGHBORS:
        problem = f"It must be {' or '.join(NEIGHBORS)}, got {tree['neighbors']!r}."
        raise InvalidFile(path, problem, "Say what the amounts are for.", where="neighbors")
    return _from_tree(path, tree)


def _from_tree(path: str, tree: Mapping[str, Any]) -> Description:
    accounting: Any = tree.get("accounting")
    levels = _chains(path, tree, "levels")
    attributes = None
    if tree.get("attributes") is not None:
        attributes = _chains(path, tree, "attributes", together=False)
    if tree.get("amount") is not None and tree.get("parts"):
        problem = "The file also declares parts, each with an amount of its own."
        raise InvalidFile(path, problem, "Keep one: the amount, or the parts.", where="amount")
    table = tree.get("table")
    is_rows = isinstance(table, list) and all(isinstance(row, dict) for row in table)
    if not (isinstance(table, str) or is_rows):
        fix = "Give rows under `table:`, or name a CSV or Parquet file beside this one."
        raise InvalidFile(path, "There is no table.", fix, where="table")
    invariants = _invariants(path, tree)
    return Description(
        source=path,
        name=str(tree.get("name") or path),
        accounting=accounting,
        noise=tree.get("noise"),
        neighbors=tree.get("neighbors", "replace-one"),
        moves=_moves(path, tree.get("moves")),
        levels=in_order(levels),
        places=_name(path, tree, "places"),
        chains=(*levels, *(chain for chain in attributes or () if len(chain) > 1)),
        attributes=None if attributes is None else in_order(attributes),
        parts=_parts(path, _mapping(path, tree, "parts"), accounting == "gdp"),
        amount=tree.get("amount"),
        names={key: words_of(value) for key, value in _mapping(path, tree, "names").items()},
        scenarios=tuple(
            _scenario(path, n, one) for n, one in enumerate(tree.get("scenarios") or ())
        ),
        printed_in=str(tree.get("printed_in") or ""),
        printed_if=_explanation(path, tree),
        invariants=tuple(one.name for one in invariants),
        exact=tuple(one for one in invariants if one.attributes or one.level),
        origin=_texts(path, tree, "source"),
        table=table,
    )


def _check_keys(
    path: str, tree: Mapping[str, Any], known: Collection[str], where: str | None = None
) -> None:
    for key in tree:
        if key not in known:
            raise InvalidFile(path, f"The key '{key}' is unknown.", guess(key, known), where=where)


def _texts(path: str, tree: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = tree.get(key) or ()
    if isinstance(value, str) or not all(isinstance(one, str) for one in value):
        raise unreadable(path, "allocation.names", key)
    return tuple(value)


def _name(path: str, tree: Mapping[str, Any], key: str) -> str | None:
    value = tree.get(key)
    if value is not None and not isinstance(value, str):
        raise InvalidFile(path, "It must be one name.", "Such as state.", where=key)
    return value


def _invariants(path: str, tree: Mapping[str, Any]) -> list[Query]:
    """Statistics that are published exactly: by name, or also by what can change them."""
    found = []
    for n, one in enumerate(tree.get("invariants") or ()):
        given = {"name": one} if isinstance(one, str) else one
        if not isinstance(given, dict) or not given.get("name"):
            problem = "An invariant is a name, or has a name, attributes and a level."
            raise InvalidFile(path, problem, where=f"invariants[{n}]")
        _check_keys(path, given, ("name", "attributes", "level"), f"invariants[{n}]")
        attributes = tuple(SEPARATORS.split(given.get("attributes") or ""))
        words = tuple(word for word in attributes if word)
        found.append(Query(str(given["name"]), words, given.get("level"), Fraction(0)))
    return found


def _chains(
    path: str, tree: Mapping[str, Any], key: str, together: bool = True
) -> tuple[tuple[str, ...], ...]:
    """Names, or lists of names from the coarsest to the finest."""
    value = tree.get(key) or ()
    parts = value if isinstance(value, list | tuple) else (value,)
    listed = all(isinstance(one, str | list) for one in parts)
    words = [word for one in parts for word in (one if isinstance(one, list) else (one,))]
    if isinstance(value, str) or not listed or not all(isinstance(one, str) for one in words):
        raise unreadable(path, "allocation.names", key)
    return chains_of(key, parts, together)


def _mapping(path: str, tree: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = tree.get(key) or {}
    if not isinstance(value, dict):
        problem = "It must contain keys and values."
        raise InvalidFile(path, problem, "See the documentation.", where=key)
    return value


def _moves(path: str, value: Any) -> int | None:
    if value is None:
        return None
    if not (isinstance(value, str) and value.isascii() and value.isdigit()):
        problem = f"It must be a whole number, got {value!r}."
        raise InvalidFile(path, problem, "Such as 2.", where="moves")
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
    return Scenario(str(tree["name"]), words_of(tree["concerns"]), printed)


def _explanation(path: str, tree: Mapping[str, Any]) -> AssumedShare | None:
    given = _mapping(path, tree, "printed_if")
    if not given:
        return None
    _check_keys(path, given, ("part", "level", "share", "says"), "printed_if")
    share = _number(path, "printed_if.share", given.get("share"))
    part, level, says = (str(given.get(key) or "") for key in ("part", "level", "says"))
    return AssumedShare(part, level, share, says)


# --- written back --------------------------------------------------------------------------------

ROOT_DIGITS: Final = 17  # of a mu that is rounded down


def description(allocation: Allocation) -> str:
    """The allocation as the text of a YAML description, which reads as the same.

    Names, levels, scenarios and invariants are kept. Amounts are exact fractions, for replacing a
    record. A mu that is not a fraction is written as the variance of its noise; without noise it
    is rounded down, by less than 1e-15 of it.

    Raises
    ------
    Meaningless
        If only some of the queries have a level.
    """
    import yaml

    words = allocation.vocabulary
    if words.levels not in ((), (ONLY_LEVEL,)) and any(q.level is None for q in allocation.queries):
        fix = "Write each of the allocations that were read as one by itself."
        raise Meaningless("A file declares levels for all of its queries, or for none.", fix)
    chained = words.chains_of(words.attributes)
    single = [one for one in words.attributes if not any(one in chain for chain in chained)]
    exact = {one.name: one for one in allocation.exact}
    tree = {
        "allocation": 1,
        "name": allocation.name,
        "accounting": allocation.accounting,
        "levels": list(words.chains_of(words.levels)),
        "places": words.places or None,
        "attributes": [*single, *chained],
        "names": {name: list(meanings) for name, meanings in words.names.items()},
        "scenarios": [
            {"name": one.name, "concerns": list(one.concerns)} for one in allocation.scenarios
        ],
        "invariants": [
            _invariant(exact[name]) if name in exact else name for name in allocation.invariants
        ],
        "source": list(allocation.source),
        "table": [_row(allocation, query) for query in allocation.queries],
    }
    kept = {key: value for key, value in tree.items() if value not in (None, [], {})}
    text: str = yaml.safe_dump(
        json.loads(json.dumps(kept)), sort_keys=False, allow_unicode=True, width=96
    )
    return text


def _invariant(query: Query) -> dict[str, Any]:
    attributes = {"attributes": " * ".join(query.attributes)} if query.attributes else {}
    return {"name": query.name, **attributes, **({"level": query.level} if query.level else {})}


def _row(allocation: Allocation, query: Query) -> dict[str, Any]:
    split = any(SEPARATORS.search(name) for name in query.attributes)
    column, amount = _amount(allocation, query)
    row = {
        "part": query.part,
        "query": query.name,
        "attributes": list(query.attributes) if split else " * ".join(query.attributes),
        "level": query.level,
        "place": query.place,
        "cells": query.cells,
        "moves": query.moves,
        "noise": query.noise,
        column: str(amount),
    }
    return {key: value for key, value in row.items() if value not in ("", None)}


def _amount(allocation: Allocation, query: Query) -> tuple[str, Fraction]:
    """The column of the amount, and what stands there."""
    accounting = allocation.accounting
    if accounting == "gdp":
        return _of_square(query)
    if query.epsilon is not None:
        return "epsilon", query.epsilon
    if query.noise in NOISES["pure"]:  # also where the rho is 0, which no epsilon goes with
        return "epsilon", query.amount
    return ACCOUNTING[accounting], query.amount


def _of_square(query: Query) -> tuple[str, Fraction]:
    top, bottom = query.amount.numerator, query.amount.denominator
    root = Fraction(math.isqrt(top * bottom), bottom)
    if root * root == query.amount:
        return "mu", root
    if query.noise is not None and query.moves <= LARGEST_WIDTH * query.amount:
        return "variance", query.moves / query.amount
    digits = Fraction(10) ** (ROOT_DIGITS - math.floor(math.log10(root_up(query.amount))))
    return "mu", math.isqrt(math.floor(query.amount * digits**2)) / digits
