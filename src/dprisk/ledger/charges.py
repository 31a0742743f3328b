"""Charges: a release, the accounts that it touches, and what it costs each of them."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Literal, final
from uuid import uuid4

from dprisk._checks import assign, whole
from dprisk._values import brief, members, result
from dprisk.composition.basis import Contradiction, basis_of, contradicted
from dprisk.errors import InvalidInput, Meaningless, refused
from dprisk.guarantees.base import Neighbors
from dprisk.ledger.accounts import Account, line
from dprisk.ledger.entries import canonical
from dprisk.ledger.parts import for_group, part_key
from dprisk.releases.files import as_release
from dprisk.releases.loading import read_text
from dprisk.releases.release import Described, Part, Release
from dprisk.releases.writing import in_yaml

if TYPE_CHECKING:
    from dprisk.ledger.decisions import Decision
    from dprisk.ledger.state import State

ChargeStatus = Literal["reserved", "released", "voided"]
Costs = Counter[str]
"""How often each part counts, by its key (`dprisk.ledger.parts.part_key`)."""

TIMES: Final = ("day", "week", "month", "quarter", "year", "hour", "quarter-day")


@final
@dataclass(frozen=True)
class Reach:
    """How a release reaches one unit of an account, where its own unit is another one."""

    over: int | None = None
    group: int | None = None

    def __post_init__(self) -> None:
        for name in ("over", "group"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, whole(name, value, 1))


@final
@result
@dataclass(frozen=True, repr=False)
class Charge:
    """A release that was charged. Made by `Ledger.reserve` and `Ledger.charge`.

    Parameters
    ----------
    key : str
        Its idempotency key.
    seq : int
        The entry that reserved it. [1, inf)
    status : {"reserved", "released", "voided"}
        What became of it. A reservation counts as spent; only a voided one does not.
    name : str
        What is released.
    at : str
        When it was reserved, by the clock of whoever did: ISO 8601, UTC.
    by : str
        Who reserved it.
    source : str
        The tool or the person that reported it; may be empty.
    costs : mapping of str to Counter
        For each account, how often each part counts.
    digest : str
        SHA-256 of what was asked for, so that the same charge is known again.
    decided : mapping of str to object, optional
        Who said what became of it, when, and why, and the entry that says so.
    contradicted : tuple of Contradiction
        Statements that the release cannot keep, when it is charged: what was run is what counts.
    """

    key: str
    seq: int
    status: ChargeStatus
    name: str
    at: str
    by: str
    source: str
    costs: Mapping[str, Costs] = field(repr=False, hash=False)
    digest: str = field(repr=False)
    decided: Mapping[str, Any] | None = field(default=None, hash=False)
    contradicted: tuple[Contradiction, ...] = field(default=(), compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON.

        Returns
        -------
        dict
            ``costs`` has the parts of each account with their counts.
        """
        said = members(self, "key", "seq", "status", "name", "at", "by", "source", "decided")
        costs = {
            name: [{**json.loads(part), "count": times} for part, times in sorted(parts.items())]
            for name, parts in self.costs.items()
        }
        false = members(self, "contradicted") if self.contradicted else {}
        return {**said, "costs": costs, **false}


def costs(release: Release, account: Account, reach: Reach) -> Costs:
    """Cost of a release to an account: its parts, for the account's unit and neighbors."""
    parts = countable_parts(account, release)
    if not parts:
        raise InvalidInput("release", release.name, "a release with a number that can be counted")
    times, group = _units(release, account, reach)
    steps = group
    if release.neighbors != account.neighbors:
        if release.neighbors == "replace-one":
            raise Meaningless(
                "The release is about neighbors that differ in one record's values, and the "
                f"account {account.name} about neighbors that differ by a whole record. No "
                "theorem leads from the first to the second."
            )
        steps = 2 * group
    found: Costs = Counter()
    for part in parts:
        key = part_key(for_group(part, steps, account.neighbors))
        found[key] += part.count * release.releases * times
    return found


def countable_parts(account: Account, release: Release) -> tuple[Part, ...]:
    """Parts of a release that count: the first reading of it that the account can add up."""
    from dprisk.ledger.rules import rule_of

    found, rule = basis_of(release), rule_of(account)
    known = (each for each in (found.parts, *found.others) if all(map(rule.can_count, each)))
    return next(known, found.parts)


def _units(release: Release, account: Account, reach: Reach) -> tuple[int, int]:
    """How often the release counts, and how many of its units are one of the account's."""
    own, asked = release.normalized_unit, account.normalized_unit
    if own == asked or own is None:
        if reach.over is not None or reach.group is not None:
            raise Meaningless(
                f"The release protects one {account.unit}, as the account does, so there is "
                "nothing to convert. Leave out --over and --group."
            )
        return 1, 1
    if any(own == f"{asked}-{time}" for time in TIMES):
        if reach.over is None:
            raise Meaningless(
                f"The release protects one {release.unit}, and the account is about a whole "
                f"{account.unit}.",
                "Say with --over the largest number of releases of this kind that use one "
                "person's data: 30 for thirty days, each with a release of its own, or 1 for one "
                "day.",
            )
        return reach.over, reach.group or 1
    if reach.group is None or reach.over is not None:
        raise Meaningless(
            f"The release protects one {release.unit}, and the account is about one "
            f"{account.unit}.",
            f"If the data of one {account.unit} are at most k units of the release "
            f"({release.unit}), add --group k. Otherwise open an account whose unit is one "
            f"{release.unit}.",
        )
    return 1, reach.group


def describe(what: Described | Part, account: Account) -> tuple[Release, dict[str, str]]:
    """A release, and its description as its author wrote it, with its SHA-256."""
    if isinstance(what, str | os.PathLike):
        release, text, file = as_release(what), read_text(what), os.path.basename(os.fsencode(what))
    else:
        release = Release.of(what, unit=account.unit)
        if not isinstance(what, Release):
            release = replace(release, name=name_release(release))
        text, file = _in_words(release), b""
    digest = hashlib.sha256(text.encode()).hexdigest()
    return release, {"file": file.decode("utf-8", "replace"), "text": text, "sha256": digest}


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
    release = as_release(path)
    if release.neighbors != neighbors:
        raise InvalidInput(
            "shape", path, f"a release about {neighbors} neighbors, like the account"
        )
    parts = release.parts or basis_of(release).parts
    return tuple((json.loads(part_key(each)), each.count) for each in parts)


def _in_words(release: Release) -> str:
    """Write a release as a file, if it says all that a file must; otherwise as Python shows it."""
    if release.unit and release.period and release.model:
        return in_yaml(release)
    return f"{release!r}\n"


@final
@dataclass(frozen=True)
class ChargeRequest:
    """A release that is to be charged.

    Parameters
    ----------
    release : Release, Part, Guarantee, Mechanism, Composed, str or path
        What is released. A path is that of one release file, which is kept as written.
    accounts : str or sequence of str
        The accounts that it touches; all of them are charged or none.
    key : str, optional
        An idempotency key: what is asked twice under one key is charged once. Left out, a new one.
    source : str
        The tool or the person that reports it; may be empty.
    over : int, optional
        Of how many releases, each of its own stretch of time, one person's data is part: from
        ``user-day`` to ``user``, the number of days. [1, 10^9]
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
        Reach(self.over, self.group)


@final
@dataclass(frozen=True)
class Priced:
    """A request, with what it costs each account and each account that these are part of."""

    key: str
    name: str
    costs: Mapping[str, Costs]
    content: dict[str, Any]
    contradicted: tuple[Contradiction, ...] = ()

    @classmethod
    def of(cls, request: ChargeRequest, state: State) -> Priced:
        """Price a request by the accounts as they are."""
        reach = Reach(request.over, request.group)
        first = state.known(request.accounts[0])
        release, text = describe(request.release, first)
        found: dict[str, Costs] = {}
        for name in request.accounts:
            for account in state.whole(name):
                found[account.name] = costs(release, account, reach)
        said = {
            "name": line("name", release.name),
            "source": request.source,
            "accounts": list(request.accounts),
            "costs": {name: list_costs(cost) for name, cost in found.items()},
            "release": text,
            "over": request.over,
            "group": request.group,
        }
        digest = hashlib.sha256(canonical(said).encode()).hexdigest()
        content = {**said, "digest": digest}
        return cls(request.key, release.name, found, content, contradicted(release))

    def refused(self, decisions: Mapping[str, Decision]) -> dict[str, Any]:
        """Content of the entry that refuses it: plain data without floats."""
        said = {name: _exact(decision.to_dict()) for name, decision in decisions.items()}
        return {**self.content, "decisions": said}

    def check_same(self, known: Charge) -> None:
        """Refuse a key that stands for something else, or for what was voided."""
        said = {"seq": known.seq, "name": known.name, "at": known.at, "by": known.by}
        if known.digest != self.content["digest"]:
            raise refused("ledger.charge.taken", "key", self.key, **said)
        if known.status == "voided":
            raise refused("ledger.charge.was-voided", "key", self.key, **said)


def list_costs(cost: Costs) -> list[list[Any]]:
    """List costs as an entry has them: each part in the form of files, with its count."""
    import json

    return [[json.loads(key), count] for key, count in sorted(cost.items())]


def _exact(content: Any) -> Any:
    """Plain data with its floats as text."""
    if isinstance(content, float):
        return repr(content)
    if isinstance(content, Mapping):
        return {key: _exact(item) for key, item in content.items()}
    return [_exact(item) for item in content] if isinstance(content, list) else content
