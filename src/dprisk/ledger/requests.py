"""What is asked for: a release that is to be charged, and what it would cost whom."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final
from uuid import uuid4

from dprisk._checks import assign
from dprisk.composition.basis import Contradiction, contradicted
from dprisk.errors import refused
from dprisk.ledger.charges import Charge, Costs, Reach, costs, described
from dprisk.ledger.entries import canonical
from dprisk.ledger.lines import line
from dprisk.releases.release import Described, Part

if TYPE_CHECKING:
    from dprisk.ledger.decisions import Decision
    from dprisk.ledger.state import State


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
            raise refused("ledger.charge.accounts", "accounts", None)
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
        """By the accounts as they are."""
        reach = Reach(request.over, request.group)
        first = state.known(request.accounts[0])
        release, text = described(request.release, first)
        found: dict[str, Costs] = {}
        for name in request.accounts:
            for account in state.whole(name):
                found[account.name] = costs(release, account, reach)
        said = {
            "name": line("name", release.name),
            "source": request.source,
            "accounts": list(request.accounts),
            "costs": {name: listed(cost) for name, cost in found.items()},
            "release": text,
            "over": request.over,
            "group": request.group,
        }
        digest = hashlib.sha256(canonical(said).encode()).hexdigest()
        content = {**said, "digest": digest}
        return cls(request.key, release.name, found, content, contradicted(release))

    def refused(self, decisions: Mapping[str, Decision]) -> dict[str, Any]:
        """What an entry says of its refusal: plain data without floats."""
        said = {name: _exact(decision.to_dict()) for name, decision in decisions.items()}
        return {**self.content, "decisions": said}

    def check_same(self, known: Charge) -> None:
        """Refuse a key that stands for something else, or for what was voided."""
        said = {"seq": known.seq, "name": known.name, "at": known.at, "by": known.by}
        if known.digest != self.content["digest"]:
            raise refused("ledger.charge.taken", "key", self.key, **said)
        if known.status == "voided":
            raise refused("ledger.charge.was-voided", "key", self.key, **said)


def listed(cost: Costs) -> list[list[Any]]:
    """As an entry has them: each part in the form of files, with its count."""
    import json

    return [[json.loads(key), count] for key, count in sorted(cost.items())]


def _exact(content: Any) -> Any:
    """Plain data with its floats as text."""
    if isinstance(content, float):
        return repr(content)
    if isinstance(content, Mapping):
        return {key: _exact(item) for key, item in content.items()}
    return [_exact(item) for item in content] if isinstance(content, list) else content
