"""Where an account stands, and what would be decided about more releases."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, final

from dprisk._files import shipped
from dprisk._values import members, result
from dprisk.composition.basis import Contradiction
from dprisk.ledger.accounts import Account
from dprisk.ledger.charges import Charge
from dprisk.ledger.rules import rule_of
from dprisk.ledger.state import parts

if TYPE_CHECKING:
    from dprisk.ledger.decisions import Decision, Standing
    from dprisk.ledger.state import State


STATUS: Final = "dprisk/ledger/status/1"


@final
@result
@dataclass(frozen=True, repr=False)
class AccountStatus:
    """What a person can have lost so far, and what is left. Made by `Ledger.status`.

    Parameters
    ----------
    account : Account
        Whose data.
    charges : tuple of Charge
        Everything that touched it, in order; what was voided counts nothing.
    standing : Standing
        The certified numbers.
    """

    account: Account
    charges: tuple[Charge, ...]
    standing: Standing

    @property
    def counts(self) -> Mapping[str, int]:
        """How many charges are reserved, released and voided."""
        return Counter(charge.status for charge in self.charges)

    @property
    def last(self) -> Charge | None:
        """The last charge that counts; None if nothing does."""
        counted = (charge for charge in reversed(self.charges) if charge.status != "voided")
        return next(counted, None)

    @property
    def left(self) -> int | None:
        """How many more releases like the last one fit; None if there was none."""
        left: int | None = self.standing.left
        return left

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON.

        Returns
        -------
        dict
            Keys are documented with the JSON output of ``dprisk ledger status``.
        """
        counts = {name: self.counts.get(name, 0) for name in ("reserved", "released", "voided")}
        last = None if self.last is None else self.last.to_dict()
        return {"schema": STATUS, **members(self, "account", "standing"), **counts, "last": last}


@final
@result
@dataclass(frozen=True, repr=False)
class PlannedCharge:
    """What would be decided about one more release. Made by `Ledger.plan`.

    Parameters
    ----------
    name : str
        What would be released.
    decisions : mapping of str to Decision
        By account.
    contradicted : tuple of Contradiction
        Statements that the release cannot keep: what was run is what counts.
    """

    name: str
    decisions: Mapping[str, Decision] = field(hash=False)
    contradicted: tuple[Contradiction, ...] = ()

    @property
    def kept(self) -> bool:
        """Whether every limit of every account would be kept."""
        return all(decision.kept for decision in self.decisions.values())

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON.

        Returns
        -------
        dict
            With the decision for each account.
        """
        return members(self, "name", "kept", "decisions", "contradicted")


def json_schema() -> dict[str, Any]:
    """The JSON schema of what ``dprisk ledger`` prints.

    Returns
    -------
    dict
        JSON Schema, draft 2020-12. What each command prints stands under its name in ``$defs``.

    Examples
    --------
    >>> from dprisk.ledger import json_schema
    >>> json_schema()["$defs"]["status"]["properties"]["schema"]["const"]
    'dprisk/ledger/status/1'
    """
    schema: dict[str, Any] = json.loads(shipped("ledger", "schema.json"))
    return schema


def status_of(state: State, name: str) -> AccountStatus:
    """Where the account of a name stands, by what the entries say."""
    account, charges = state.known(name), tuple(state.of(name))
    last = next((each for each in reversed(charges) if each.status != "voided"), None)
    like = None if last is None else parts(last.costs[name], account)
    standing = rule_of(account).standing(state.spent(account), like)
    return AccountStatus(account, charges, standing)
