"""Ledgers in words: what a person can have lost so far, and what is left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from dprisk.guarantees.words import SYMBOLS
from dprisk.text import count, fill
from dprisk.text.rounding import at_most, hundredths, short

if TYPE_CHECKING:
    from dprisk.budget.limits import Limit
    from dprisk.ledger.accounts import Account
    from dprisk.ledger.charges import Charge
    from dprisk.ledger.decisions import Amount, LimitReading
    from dprisk.ledger.state import AccountStatus

HISTORY: Final = ("key", "release", "cost", "reserved (UTC)", "by", "state")
"""The columns of `history_in_rows`."""
DIGITS = 4
DECIMALS = 12  # digits of a rational number that is no short decimal


def title(status: AccountStatus) -> str:
    """Whose data an account is about."""
    account = status.account
    said = {name: getattr(account, name) for name in ("name", "population", "unit", "period")}
    return fill("ledger.title", **said)


def status_in_words(status: AccountStatus) -> list[str]:
    """Sentences for where an account stands: the headline, what is left, the rule."""
    if status.last is None:
        return [fill("ledger.nothing-yet"), *_rule(status)]
    said = [_reading(reading, status) for reading in _leading(status)]
    return [*said, " ".join([*_share(status), _left(status)]), *_rule(status)]


def account_in_words(account: Account) -> list[str]:
    """Lines on an account that was opened: its limits, and how it adds up."""
    said = [fill("ledger.opened", name=account.name, population=account.population)]
    said += [fill("ledger.opened.limit", limit=limit_in_words(each)) for each in account.limits]
    if account.cap is not None:
        cap = fill(f"ledger.cap.{account.rule}", cap=number(Fraction(account.cap)))
        said.append(fill("ledger.opened.cap", cap=cap))
    return [*said, fill(f"ledger.adds.{account.rule}")]


def rows(status: AccountStatus) -> list[list[str]]:
    """A row for each limit: what is limited, the number now, the limit, the share, the theorem."""
    return [
        [
            limit_in_words(reading.limit),
            "" if reading.now is None else _most(float(reading.now)),
            _most(reading.most),
            fill(f"ledger.scope.{reading.scope}"),
            "" if reading.now is None else str(reading.now.theorem),
        ]
        for reading in status.standing.readings
    ]


def amounts(status: AccountStatus) -> list[str]:
    """Lines on what adds up in a filter, exactly."""
    return [_amount(amount) for amount in status.standing.amounts if amount.most]


def history_in_rows(charges: Iterable[Charge], account: str | None = None) -> list[list[str]]:
    """The cells of a table of charges, with their cost for an account: else the first of each."""
    return [
        [
            each.key,
            each.name,
            _cost(each.to_dict()["costs"][account or next(iter(each.costs))]),
            each.at.partition(".")[0].replace("T", " "),
            each.by,
            _state(each).replace("-", " "),
        ]
        for each in charges
    ]


def _cost(parts: Iterable[Mapping[str, Any]]) -> str:
    """Cost of a charge to an account, part by part, as it was given."""
    return "; ".join(map(_part, parts))


def _part(part: Mapping[str, Any]) -> str:
    given = dict(part.get("guarantee") or part["mechanism"])
    kind = given.pop("kind", given.pop("definition", ""))
    numbers = ", ".join(
        f"{SYMBOLS.get(name, name.replace('_', ' '))} = {value}" for name, value in given.items()
    )
    said = ": ".join(filter(None, (kind, numbers)))
    return said if part["count"] == 1 else fill("ledger.cost.times", count=part["count"], said=said)


def _state(charge: Charge) -> str:
    """How it is called: a void of today says more than one of before."""
    return "not-run" if (charge.decided or {}).get("not_run") else charge.status


def bar_in_words(reading: LimitReading) -> str:
    """Name of the limited quantity, in two or three words."""
    data = reading.limit.to_dict()
    given = ("delta", "level", "prior")
    words = {name: short(data[name]) for name in given if data.get(name) is not None}
    return fill(f"ledger.bar.{data['metric']}", **words)


def budget_in_words(status: AccountStatus) -> str:
    """The budget of a filter, in a phrase."""
    account = status.account
    cap = number(Fraction(account.cap or "0"))
    return fill("ledger.budget", cap=fill(f"ledger.cap.{account.rule}", cap=cap))


def assumptions(status: AccountStatus) -> list[str]:
    """Assumptions behind the numbers, each once."""
    known = [reading.now for reading in status.standing.readings if reading.now is not None]
    lines = list(dict.fromkeys(line for answer in known for line in answer.assumptions))
    bounded = status.standing.bounded
    return [*lines, fill("ledger.bounded", number=count(bounded))] if bounded else lines


def number(amount: Fraction) -> str:
    """A rational number as a decimal; with a mark where it goes on."""
    if amount.denominator == 1:
        return count(amount.numerator)
    digits = f"{float(amount):.{DECIMALS}g}"
    return digits if Fraction(digits) == amount else f"{digits}…"


def _leading(status: AccountStatus) -> list[LimitReading]:
    """The readings of the first limit."""
    readings = status.standing.readings
    return [reading for reading in readings if reading.limit == readings[0].limit]


def _reading(reading: LimitReading, status: AccountStatus) -> str:
    data = reading.limit.to_dict()
    given = ("delta", "level", "prior", "confidence")
    words = {name: short(data[name]) for name in given if data.get(name) is not None}
    words["most"] = _most(reading.most)
    words["now"] = _most(float(reading.now)) if reading.now is not None else "?"
    words["sure"] = fill("ledger.sure", **words) if "confidence" in words else ""
    words["start"] = fill("tolerated.start" if "prior" in words else "tolerated.start.any", **words)
    if data.get("secret") is not None:
        words["what"] = fill(f"tolerated.{data['secret']}")
    number_of = sum(status.counts[state] for state in ("reserved", "released"))
    subject = fill(f"ledger.subject.{reading.scope}", number=count(number_of))
    said = fill(f"ledger.moves.{data['metric']}", **words)
    return fill("ledger.so-far", subject=subject, said=said, most=words["most"])


def _share(status: AccountStatus) -> list[str]:
    share = status.standing.share
    return [] if share is None else [fill("ledger.share", share=at_most(100.0 * float(share), 3))]


def _left(status: AccountStatus) -> str:
    name = "" if status.last is None else status.last.name
    left = status.left or 0
    which = "none" if left == 0 else "one" if left == 1 else "many" if left < 10**9 else "any"
    return fill(f"ledger.left.{which}", number=count(left), name=name)


def _rule(status: AccountStatus) -> list[str]:
    return [fill(f"ledger.adds.{status.account.rule}")]


def _amount(amount: Amount) -> str:
    share = at_most(100.0 * float(amount.share), 3)
    said = {"spent": number(amount.spent), "most": number(amount.most), "share": share}
    return fill("ledger.amount", name=amount.name, **said)


def _most(value: float) -> str:
    return at_most(value, DIGITS)


def limit_in_words(limit: Limit, *, left_out: bool = False) -> str:
    """Put a limit into a phrase."""
    data = limit.to_dict()
    given = ("delta", "level", "prior", "confidence")
    words = {name: short(data[name]) for name in given if data.get(name) is not None}
    words["most"] = fill("tolerated.anything") if data["limit"] is None else short(data["limit"])
    if "confidence" in words:
        words["confidence"] = hundredths(data["confidence"])
    sure = "mostly" if "confidence" in words else "always"
    words["sure"] = fill(f"tolerated.{'chosen' if left_out else sure}", **words)
    words["start"] = fill(f"tolerated.start{'' if 'prior' in words else '.any'}", **words)
    if data.get("secret") is not None:
        words["what"] = fill(f"tolerated.{data['secret']}")
    return fill(f"tolerance.{data['metric']}", **words)
