"""Distinct histories of charges, composed and read once each; long work is shared by processes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import isnan
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from dprisk.bulk.asked import DEFINITIONS, DOMAINS, REASON, TableQuestion
from dprisk.bulk.inputs import NO_BOUND, REASONS
from dprisk.bulk.sharing import shared
from dprisk.errors import DpriskError
from dprisk.progress import report
from dprisk.text import fill

if TYPE_CHECKING:
    import pyarrow as pa

    from dprisk.guarantees.base import Guarantee


SECRETS: Final[Mapping[str, Any]] = {"add-remove": "membership", "replace-one": "attribute"}
NUMBERS: Final = tuple(dict.fromkeys(n for kind in DEFINITIONS.values() for n in kind.parameters))
COLUMNS: Final = ("definition", *NUMBERS)
"""What tells one charge from another, in the order by which a history is sorted."""
ALONE: Final = 5.0  # seconds: what may take longer is shared

Row = dict[str, Any]


def answers(asked: TableQuestion, histories: pa.Table) -> pa.Table:
    """What is asked of each history: lists of charges, and how many ``times`` there was each."""
    import pyarrow as pa

    wholes: dict[Guarantee | str, int] = {}
    places = [
        wholes.setdefault(_composed(asked, history), len(wholes)) for history in _each(histories)
    ]
    found = pa.Table.from_pylist(list(_readings(asked, [*wholes])), _schema(asked))
    found = found.take(pa.array(places, pa.int64()))
    return found.add_column(0, "history", histories["history"])


def _readings(asked: TableQuestion, wholes: Sequence[Guarantee | str]) -> Iterator[Row]:
    """What is asked of each, in order; on all cores once it takes long."""
    began, total = monotonic(), len(wholes)
    for done, row in enumerate(map(partial(read, asked), wholes), 1):
        report(fill("table.histories"), done, total)
        yield row
        spent = monotonic() - began
        if spent > ALONE and spent * (total - done) > ALONE * done:
            break
    else:
        return
    for more, row in enumerate(shared(partial(read, asked), wholes[done:]), done + 1):
        report(fill("table.histories"), more, total)
        yield row


def _schema(asked: TableQuestion) -> pa.Schema:
    import pyarrow as pa

    fields = [pa.field(name, pa.float64()) for name in asked.outputs]
    return pa.schema([*fields, pa.field(REASON, pa.string())])


def _each(histories: pa.Table) -> Iterator[Sequence[Mapping[str, Any]]]:
    for batch in histories.to_batches():
        for history in batch["history"].to_pylist():
            yield sorted(history, key=_in_order)


def _in_order(charge: Mapping[str, Any]) -> list[tuple[bool, bool, Any]]:
    """Numbers, then what is none, then what is missing: sums begin alike, whoever grouped."""
    return [_key(charge.get(name)) for name in (*COLUMNS, "times")]


def _key(value: Any) -> tuple[bool, bool, Any]:
    if isinstance(value, list):
        return False, False, [_key(each) for each in value]
    return value is None, isinstance(value, float) and isnan(value), value


def _composed(asked: TableQuestion, history: Sequence[Mapping[str, Any]]) -> Guarantee | str:
    """What the charges of a history promise together, or why that cannot be said."""
    from dprisk.composition import compose

    reasons = {_wrong(asked, charge) for charge in history} - {None}
    if reasons:
        return next(reason for reason in REASONS if reason in reasons)
    promises = [_promise(asked, charge) for charge in history]
    return compose(promises, [charge["times"] for charge in history]).guarantee


def read(asked: TableQuestion, whole: Guarantee | str) -> Row:
    """What is asked of everything together; nothing but the reason where there is one."""
    if isinstance(whole, str):
        return {REASON: whole}
    found: Row = {
        name: ask(whole, asked.constants) for name, ask in TESTS.items() if name in asked.outputs
    }
    if not asked.from_losses:
        return found
    try:
        return found | _beliefs(asked, whole)
    except DpriskError:
        return found | {REASON: REASONS[NO_BOUND]}


def _wrong(asked: TableQuestion, charge: Mapping[str, Any]) -> str | None:
    """Why a charge cannot be read, if it cannot."""
    given = {**asked.constants, **charge}
    kind = DEFINITIONS.get(given["definition"])
    if kind is None:
        return "missing" if given["definition"] is None else "unknown-word"
    values = [_listed(given.get(name)) for name in kind.parameters]
    if any(None in each or len(each) != len(values[0]) or not each for each in values):
        return "missing"
    for name, each in zip(kind.parameters, values, strict=True):
        if not np.all(DOMAINS[name].holds(np.array(each))):
            return "not-a-number" if any(map(isnan, each)) else "out-of-range"
    return None


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _promise(asked: TableQuestion, charge: Mapping[str, Any]) -> Guarantee:
    given = {**asked.constants, **charge}
    kind = DEFINITIONS[given["definition"]]
    return kind.made(tuple(given[name] for name in kind.parameters), given["neighbors"])


def _beliefs(asked: TableQuestion, whole: Guarantee) -> Row:
    """What is read off the privacy loss."""
    from dprisk.risk.posterior import disclosure

    given = asked.constants
    moved = disclosure(
        whole, confidence=given.get("confidence"), secret=SECRETS[given["neighbors"]]
    )
    prior = given.get("prior", 0.5)
    belief, ratio = moved.posterior(prior), moved.ratio(prior)
    known = {
        "posterior_at_most": belief.upper,
        "posterior_at_least": belief.lower,
        "odds_at_most": moved.odds().upper,
        "ratio_at_most": ratio.upper,
        "ratio_at_least": ratio.lower,
        "difference_at_most": moved.difference().upper,
        "worst_prior": moved.worst_prior("difference").upper,
    }
    return {name: float(known[name]) for name in asked.from_losses}


TESTS: Final[Mapping[str, Any]] = {
    "power_at_most": lambda whole, given: float(whole.power(given["level"])),
    "advantage_at_most": lambda whole, given: float(whole.advantage()),
    "epsilon_at_most": lambda whole, given: float(whole.epsilon(given["at_delta"])),
}
