"""Charges: a release, the accounts that it touches, and what it costs each of them."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Literal, final
from uuid import uuid4

from dprisk._checks import assign, whole
from dprisk._values import brief, members, result
from dprisk.composition.basis import Contradiction, basis_of, contradicted
from dprisk.errors import InvalidInput, Meaningless, refused
from dprisk.guarantees.base import Neighbors
from dprisk.ledger.accounts import Account, line
from dprisk.ledger.entries import canonical_text, without_floats
from dprisk.ledger.parts import for_group, part_key
from dprisk.releases.files import as_release, in_text, read_text_once, split_name
from dprisk.releases.loading import read_text
from dprisk.releases.notes import normalized_unit
from dprisk.releases.release import Described, Part, Release

if TYPE_CHECKING:
    from dprisk.ledger.accounts import Decision
    from dprisk.ledger.state import State

ChargeStatus = Literal["reserved", "released", "voided"]
Costs = Counter[str]
"""How often each part counts, by its key (`dprisk.ledger.parts.part_key`)."""

TIMES: Final = ("day", "week", "month", "quarter", "year", "hour", "quarter-day")


@final
@result
@dataclass(frozen=True, repr=False)
class Charge:
    """A release that was charged, and what became of it."""

    key: str  # idempotency key
    seq: int  # number of the entry that reserved it
    status: ChargeStatus  # a reservation counts as spent; only a voided one does not
    name: str
    at: str  # when it was reserved, by the clock of whoever did: ISO 8601, UTC
    by: str
    source: str  # the tool or the person that reported it; may be empty
    costs: Mapping[str, Costs] = field(repr=False, hash=False)  # by account
    digest: str = field(repr=False)  # SHA-256 of what was asked for: the same charge is known again
    decided: Mapping[str, Any] | None = field(default=None, hash=False)  # who said, when and why
    contradicted: tuple[Contradiction, ...] = field(default=(), compare=False)
    """Statements that the release cannot keep, when it is charged: what was run is what counts."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; ``costs`` has the parts of each account with their counts."""
        said = members(self, "key", "seq", "status", "name", "at", "by", "source", "decided")
        costs = {
            name: [{**json.loads(part), "count": times} for part, times in sorted(parts.items())]
            for name, parts in self.costs.items()
        }
        false = members(self, "contradicted") if self.contradicted else {}
        return {**said, "costs": costs, **false}


def costs(
    release: Release,
    account: Account,
    *,
    over: int | None = None,
    group: int | None = None,
    counts: Callable[[Part], bool] = lambda part: True,
) -> Costs:
    """Cost of a release to an account: its parts, for the account's unit and neighbors.

    Only those that `counts` says count; with none of them it is empty.
    """
    parts = countable_parts(account, release)
    if not parts:
        raise InvalidInput("release", release.name, "a release with a number that can be counted")
    times, steps = _units(release, account, over, group)
    if release.neighbors != account.neighbors:
        if release.neighbors == "replace-one":
            raise Meaningless(
                "The release is about neighbors that differ in one record's values, and the "
                f"account {account.name} about neighbors that differ by a whole record. No "
                "theorem leads from the first to the second."
            )
        steps *= 2
    found: Costs = Counter()
    for part in filter(counts, parts):
        key = part_key(for_group(part, steps, account.neighbors))
        found[key] += part.count * release.releases * times
    return found


def countable_parts(account: Account, release: Release) -> tuple[Part, ...]:
    """Parts of a release that count: the first reading of it that the account can add up."""
    from dprisk.ledger.rules import rule_of

    found, rule = basis_of(release), rule_of(account)
    known = (each for each in (found.parts, *found.others) if all(map(rule.can_count, each)))
    return next(known, found.parts)


def _units(
    release: Release, account: Account, over: int | None, group: int | None
) -> tuple[int, int]:
    """How often the release counts, and how many of its units are one of the account's."""
    own, asked = release.normalized_unit, normalized_unit(account.unit)
    if own == asked or own is None:
        if over is not None or group is not None:
            raise Meaningless(
                f"The release protects one {account.unit}, as the account does, so there is "
                "nothing to convert. Leave out --over and --group."
            )
        return 1, 1
    if any(own == f"{asked}-{time}" for time in TIMES):
        if over is None:
            raise Meaningless(
                f"The release protects one {release.unit}, and the account is about a whole "
                f"{account.unit}.",
                "Say with --over the largest number of releases of this kind that use one "
                "person's data: 30 for thirty days, each with a release of its own, or 1 for one "
                "day.",
            )
        return over, group or 1
    if group is None or over is not None:
        raise Meaningless(
            f"The release protects one {release.unit}, and the account is about one "
            f"{account.unit}.",
            f"If the data of one {account.unit} are at most k units of the release "
            f"({release.unit}), add --group k. Otherwise open an account whose unit is one "
            f"{release.unit}.",
        )
    return 1, group


def describe(what: Described | Part, account: Account) -> tuple[Release, dict[str, str]]:
    """A release, and its description as its author wrote it, with the name of the file."""
    if isinstance(what, str | os.PathLike):
        from dprisk.releases.tools.reading import is_of_a_tool

        release, file = as_release(what), os.path.basename(os.fsencode(what))
        text = in_text(release) if is_of_a_tool(what) else read_text(what)
    else:
        release = Release.of(what, unit=account.unit)
        if not isinstance(what, Release):
            release = replace(release, name=name_release(release))
        text, file = in_text(release), b""
    release.must_be_unconditional()
    return release, {"file": file.decode("utf-8", "replace"), "text": text}


def name_release(release: Release) -> str:
    """Name for a release that has none: the numbers of its parts."""
    return brief("; ".join(map(_part, release.parts)), "", 160)


def _part(part: Part) -> str:
    numbers = dict(part.given)
    kind = numbers.pop("kind", "")
    said = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in numbers.items())
    times = f"{part.count} x" if part.count > 1 else ""
    return " ".join(filter(None, (times, kind, said)))


def shape_of(path: str, neighbors: Neighbors) -> tuple[tuple[dict[str, Any], int], ...]:
    """The parts of a planned release, in the form of files, for the shape of a cap."""
    release = as_release(path).must_be_unconditional()
    if release.neighbors != neighbors:
        raise InvalidInput(
            "shape", path, f"a release about {neighbors} neighbors, like the account"
        )
    parts = release.parts or basis_of(release).parts
    return tuple((json.loads(part_key(each)), each.count) for each in parts)


@final
@dataclass(frozen=True)
class ChargeRequest:
    """A release that is to be charged.

    Parameters
    ----------
    release : Release, Part, Guarantee, Mechanism, Composed, str or path
        What is released. A path is that of one release file, which is kept as written.
    accounts : str or sequence of str
        The accounts that it touches: all of them are charged or none.
    key : str, optional
        An idempotency key: what is asked twice under one key is charged once. Left out, a new one.
    source : str
        The tool or the person that reports it; may be empty.
    over : int, optional
        For a unit such as ``user-day``: how many releases use one person's data. [1, 10^9]
    group : int, optional
        How many units of the release belong to one unit of the account, at most. [1, 10^9]

    Raises
    ------
    InvalidInput
        If there is no account, or a text is too long or has more than one line.
    OutOfRange
        If a number is outside its range.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.ledger import ChargeRequest
    >>> ChargeRequest(PureDP(0.5, neighbors="add-remove"), "town", key="2026-w01").accounts
    ('town',)
    """

    release: Described | Part
    accounts: str | Sequence[str]
    key: str = ""
    source: str = ""
    over: int | None = None
    group: int | None = None

    def __post_init__(self) -> None:
        named = (self.accounts,) if isinstance(self.accounts, str) else tuple(self.accounts)
        if not named:
            raise InvalidInput(
                "accounts",
                None,
                "the name of each account to charge",
                "Give one or more, such as residents-2026.",
            )
        assign(self, accounts=tuple(dict.fromkeys(named)))
        assign(self, key=line("key", self.key or uuid4().hex))
        if self.source:
            line("source", self.source)
        for name in ("over", "group"):
            if getattr(self, name) is not None:
                assign(self, **{name: whole(name, getattr(self, name), 1)})


@final
@dataclass(frozen=True)
class Priced:
    """A request, with what it costs each account and each account that these are part of."""

    key: str
    name: str
    costs: Mapping[str, Costs]
    content: Mapping[str, Any]
    contradicted: tuple[Contradiction, ...] = ()

    @classmethod
    def of(cls, request: ChargeRequest, state: State) -> Priced:
        """Price a request by the accounts as they are, and by its description as it is kept."""
        release, text = describe(request.release, state.known(request.accounts[0]))
        made, found = price(request, text, state)
        return cls(request.key, release.name, found, made, contradicted(release))

    def refused(self, decisions: Mapping[str, Decision]) -> dict[str, Any]:
        """Content of the entry that refuses it: plain data without floats."""
        said = {name: without_floats(decision.to_dict()) for name, decision in decisions.items()}
        return {**self.content, "decisions": said}

    def check_same(self, known: Charge) -> None:
        """Refuse a key that stands for something else, or for what was voided."""
        said = {"seq": known.seq, "name": known.name, "at": known.at, "by": known.by}
        if known.digest != self.content["digest"]:
            raise refused("ledger.charge.taken", "key", self.key, **said)
        if known.status == "voided":
            raise refused("ledger.charge.was-voided", "key", self.key, **said)


COSTS_REMEMBERED: Final = 4096
_costs: dict[tuple[Any, ...], Costs] = {}
"""By the text of a release without its name, the account, and how far it reaches."""


def price(
    request: ChargeRequest, text: Mapping[str, str], state: State
) -> tuple[dict[str, Any], dict[str, Costs]]:
    """The content of a charge, and its costs by account: both from its description alone."""
    if not isinstance(text["file"], str):
        raise InvalidInput("file", text["file"], "the name of a file")
    name, rest = split_name(text["text"])
    release, found = read_text_once(rest, text["file"]), dict[str, Costs]()
    reach: Any = {"over": request.over, "group": request.group}
    for each in request.accounts:
        for account in state.whole(each):
            known = (rest, text["file"], account.written, *reach.values())
            if known not in _costs:
                while len(_costs) >= COSTS_REMEMBERED:
                    del _costs[next(iter(_costs))]
                _costs[known] = costs(release, account, **reach)
            found[account.name] = _costs[known]
    made = {
        "name": line("name", release.name if name is None else name),
        "source": request.source,
        "accounts": list(request.accounts),
        "costs": {
            name: [[json.loads(key), count] for key, count in sorted(cost.items())]
            for name, cost in found.items()
        },
        "release": {name: text[name] for name in ("file", "text")}
        | {"sha256": hashlib.sha256(text["text"].encode()).hexdigest()},
        **reach,
    }
    digest = hashlib.sha256(canonical_text(made).encode()).hexdigest()
    return {**made, "digest": digest}, found
