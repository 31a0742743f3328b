"""The rule by which an account adds up: composed losses, or one of five privacy filters."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from dprisk._values import content
from dprisk.budget.limits import Limit
from dprisk.errors import Meaningless
from dprisk.ledger.accounts import Account
from dprisk.ledger.decisions import AccountRule
from dprisk.ledger.filters import FILTERS, find_cap, round_down
from dprisk.ledger.schedule import Schedule
from dprisk.risk.adversary import DEFAULT_CONFIDENCE

REMEMBERED = 64
_rules: dict[Any, AccountRule] = {}


def rule_of(account: Account) -> AccountRule:
    """The rule of an account: one for a process, which remembers what it composed."""
    key = content(account)
    if key not in _rules:
        while len(_rules) >= REMEMBERED:
            del _rules[next(iter(_rules))]
        made = FILTERS.get(account.rule, Schedule)
        _rules[key] = made(account)  # type: ignore[call-arg]
    return _rules[key]


def open_account(account: Account, whole: Account | None = None) -> Account:
    """An account as it is opened: with what its rule fixes once and for all."""
    sure = account.rule == "pure"
    limits = account.limits if sure else tuple(map(_with_confidence, account.limits))
    found = replace(account, limits=limits)
    if account.share is not None:
        found = _shared(found, whole)
    if account.rule not in FILTERS or not limits:
        return found
    cap = find_cap(FILTERS[account.rule](found))  # type: ignore[call-arg]
    least = min(cap, found.cap or cap, key=Fraction)
    return replace(found, cap=least)


def _shared(account: Account, whole: Account | None) -> Account:
    """Account with its share of the sums of the whole, rounded down."""
    if whole is None or whole.cap is None or whole.rule != account.rule:
        raise Meaningless(
            "The whole has no budget to take a share of.",
            "As the whole, name an account with the same rule: pure, approximate, concentrated, "
            "gaussian or renyi. Or give limits instead of a share.",
        )
    share = Fraction(str(account.share))
    delta = account.delta
    if whole.delta is not None and delta is None:
        delta = round_down(share * Fraction(whole.delta))
    return replace(account, cap=round_down(share * Fraction(whole.cap)), delta=delta)


def _with_confidence(limit: Limit) -> Limit:
    """The limit with the confidence that everybody is given who names none."""
    if not limit.takes_confidence or limit.confidence is not None:
        return limit
    found: Limit = replace(limit, confidence=DEFAULT_CONFIDENCE)  # type: ignore[type-var]
    return found
