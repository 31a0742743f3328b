"""Limits as plain data without floats, and back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from dprisk.budget.files import profile_tree
from dprisk.budget.informed import AttackLimit, InformedLimit
from dprisk.budget.limits import EpsilonLimit, Limit, ProfileLimit
from dprisk.errors import refused
from dprisk.releases.spelling import as_decimal
from dprisk.risk.adversary import ATTACKS, METRICS

KINDS: Final[dict[str, type[Any]]] = {
    "epsilon": EpsilonLimit,
    "profile": ProfileLimit,
    **dict.fromkeys(METRICS, InformedLimit),
    **dict.fromkeys(ATTACKS, AttackLimit),
}


def limit_content(limit: Limit) -> dict[str, Any]:
    """A limit as plain data, its numbers in decimal text that reads back the same."""
    kind = next((name for name, made in KINDS.items() if type(limit) is made), None)
    if kind is None:
        raise refused("ledger.limit", "limit", limit, names=", ".join(KINDS))
    named = {field.name: getattr(limit, field.name) for field in fields(limit) if field.init}  # type: ignore[arg-type]
    if isinstance(limit, ProfileLimit):
        named["profile"] = profile_tree(limit.profile)
    found = {"metric": kind} | named  # a limit with a metric of its own says so
    return {name: _as_text(value) for name, value in found.items() if value is not None}


def limit_of(content: Mapping[str, Any]) -> Limit:
    """The limit that plain data stands for."""
    given = {name: _as_number(value) for name, value in content.items()}
    made = KINDS.get(str(given.get("metric")))
    if made is None:
        raise refused("ledger.limit", "limit", content, names=", ".join(KINDS))
    if made is ProfileLimit:
        from dprisk.budget.model import checked

        given["profile"] = checked({"dprisk": 1, "profile": given["profile"]}, "profile")
    if made in (EpsilonLimit, ProfileLimit):
        del given["metric"]
    try:
        limit: Limit = made(**given)
    except TypeError:  # other names than those of the limit
        raise refused("ledger.limit", "limit", content, names=", ".join(KINDS)) from None
    return limit


def _as_text(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _as_text(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_as_text(each) for each in value]
    return repr(float(value)) if isinstance(value, float) else value


def _as_number(value: Any) -> Any:
    """Decimal text as a number; other text as it is."""
    if isinstance(value, Mapping):
        return {name: _as_number(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_as_number(each) for each in value]
    if value == "inf":
        return math.inf
    return value if not isinstance(value, str) or as_decimal(value) is None else float(value)
