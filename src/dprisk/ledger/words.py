"""Ledgers in words: what a person can have lost so far, and what is left."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from dprisk._files import shipped
from dprisk._values import rounded
from dprisk.guarantees.words import SYMBOLS
from dprisk.text import count, fill
from dprisk.text.rounding import at_most, hundredths, short

if TYPE_CHECKING:
    from dprisk.budget.limits import Limit
    from dprisk.ledger.accounts import Account, Amount, Decision, LimitReading
    from dprisk.ledger.charges import Charge
    from dprisk.ledger.entries import Entry
    from dprisk.ledger.state import AccountStatus

HISTORY: Final = ("key", "release", "cost", "reserved (UTC)", "by", "state")
"""The columns of `history_in_rows`."""


def title(status: AccountStatus) -> str:
    """Whose data an account is about."""
    account = status.account
    said = {name: getattr(account, name) for name in ("name", "population", "unit", "period")}
    return fill("ledger.title", **said)


def status_in_words(status: AccountStatus) -> list[str]:
    """Sentences for where an account stands: the headline, what is left, the rule."""
    rule = [fill(f"ledger.adds.{status.account.rule}")]
    if status.last is None:
        return [fill("ledger.nothing-yet"), *rule]
    readings = status.standing.readings
    said = [_reading(each, status) for each in readings if each.limit == readings[0].limit]
    share = status.standing.share
    spent = [] if share is None else [fill("ledger.share", share=_percent(share))]
    return [*said, " ".join([*spent, _left(status)]), *rule]


def account_in_words(account: Account) -> list[str]:
    """Lines on an account that was opened: its limits, and how it adds up."""
    said = [fill("ledger.opened", name=account.name, population=account.population)]
    said += [fill("ledger.opened.limit", limit=limit_in_words(each)) for each in account.limits]
    if account.cap is not None:
        said.append(fill("ledger.opened.cap", cap=cap_in_words(account)))
    return [*said, fill(f"ledger.adds.{account.rule}")]


def cap_in_words(account: Account) -> str:
    """The budget of an account that has one: what adds up, and how much of it."""
    return fill(f"ledger.cap.{account.rule}", cap=number(Fraction(str(account.cap))))


def renewed_in_words(before: Account, after: Account) -> str:
    """Sentence on the budget of an account that was asked to rise."""
    which = "same" if before == after else "raised"
    return fill(f"ledger.renewed.{which}", name=after.name, **_caps(before, after))


def stated_in_words(entry: Entry, before: Account | None, account: Account) -> str:
    """Sentence on what the author of an account, or of its larger budget, states, if anything."""
    said = {"by": entry.by, "at": when(entry.at), "seq": entry.seq, "name": account.name}
    if before is not None:
        return fill("ledger.stated.renewed", **said, **_caps(before, account))
    return fill("ledger.stated.apart", **said) if account.apart else ""


def _caps(before: Account, after: Account) -> dict[str, str]:
    return {"before": cap_in_words(before), "after": cap_in_words(after)}


def when(at: str) -> str:
    """A time of an entry, to the second, without its zone: UTC."""
    return at.partition(".")[0].replace("T", " ")


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


CONCERNS: Final = ("concern", "charges", "what must hold", "at most", "limit", "spent")
"""The columns of `concern_rows`."""


def concern_rows(status: AccountStatus) -> Iterator[list[str]]:
    """A row for each limit and concern; what is spent is said once."""
    for each in status.concerns:
        spent = "" if each.share is None else f"{_percent(each.share)}%"
        named = [" or ".join(each.concerns), count(each.touching)]
        for reading in each.readings:
            now = "" if reading.now is None else _most(float(reading.now))
            yield [*named, limit_in_words(reading.limit), now, _most(reading.most), spent]
            named, spent = ["", ""], ""


def concerns_in_words(status: AccountStatus) -> Iterator[str]:
    """Assumptions behind the rows, what no row limits, and charges that count in full."""
    yield fill("ledger.concerns")
    yield fill("ledger.concerns.fixed")
    if invariants := next((each.invariants for each in status.concerns), ()):
        yield fill("ledger.concerns.invariants", names="; ".join(invariants))
    if unstated := max((each.unstated for each in status.concerns), default=0):
        yield fill(f"ledger.concerns.{'one' if unstated == 1 else 'many'}", number=count(unstated))


def amounts(status: AccountStatus) -> list[str]:
    """Lines on what adds up in a filter, exactly."""
    return [
        fill(
            "ledger.amount",
            name=each.name,
            spent=number(each.spent),
            most=number(each.most),
            share=_percent(each.share),
        )
        for each in status.standing.amounts
        if each.most
    ]


def history_in_rows(charges: Iterable[Charge], account: str | None = None) -> list[list[str]]:
    """The cells of a table of charges, with their cost for an account: else the first of each."""
    return [
        [
            each.key,
            each.name,
            "; ".join(map(_part, each.to_dict()["costs"][account or next(iter(each.costs))])),
            when(each.at),
            each.by,
            "not run" if (each.decided or {}).get("not_run") else each.status,
        ]
        for each in charges
    ]


def _part(part: Mapping[str, Any]) -> str:
    given = dict(part.get("guarantee") or part["mechanism"])
    kind = given.pop("kind", given.pop("definition", ""))
    numbers = ", ".join(
        f"{SYMBOLS.get(name, name.replace('_', ' '))} = {value}" for name, value in given.items()
    )
    said = ": ".join(filter(None, (kind, numbers)))
    return said if part["count"] == 1 else fill("ledger.cost.times", count=part["count"], said=said)


def bar_in_words(reading: LimitReading) -> str:
    """Name of the limited quantity, in two or three words."""
    data = reading.limit.to_dict()
    return fill(f"ledger.bar.{data['metric']}", **_given(data))


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
    digits = f"{float(amount):.12g}"
    return digits if Fraction(digits) == amount else f"{digits}…"


def _given(data: Mapping[str, Any]) -> dict[str, str]:
    """Words for the numbers that a limit is read at."""
    named = ("delta", "level", "prior", "confidence")
    return {name: short(data[name]) for name in named if data.get(name) is not None}


def _reading(reading: LimitReading, status: AccountStatus) -> str:
    data = reading.limit.to_dict()
    words = _given(data)
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


def _left(status: AccountStatus) -> str:
    name = "" if status.last is None else status.last.name
    left = status.left or 0
    which = "none" if left == 0 else "one" if left == 1 else "many" if left < 10**9 else "any"
    return fill(f"ledger.left.{which}", number=count(left), name=name)


def _percent(share: Fraction) -> str:
    return at_most(100.0 * float(share), 3)


def _most(value: float) -> str:
    return at_most(value, 4)


def limit_in_words(limit: Limit, *, left_out: bool = False) -> str:
    """Put a limit into a phrase."""
    data = limit.to_dict()
    words = _given(data)
    words["most"] = fill("tolerated.anything") if data["limit"] is None else short(data["limit"])
    if "confidence" in words:
        words["confidence"] = hundredths(data["confidence"])
    sure = "mostly" if "confidence" in words else "always"
    words["sure"] = fill(f"tolerated.{'chosen' if left_out else sure}", **words)
    words["start"] = fill(f"tolerated.start{'' if 'prior' in words else '.any'}", **words)
    if data.get("secret") is not None:
        words["what"] = fill(f"tolerated.{data['secret']}")
    return fill(f"tolerance.{data['metric']}", **words)


def reasons(decisions: Mapping[str, Decision]) -> Iterator[str]:
    """Sentences for every account with a limit that would not be kept."""
    for account, decision in decisions.items():
        if decision.kept:
            continue
        for amount in decision.amounts:
            if amount.spent + amount.more > amount.most:
                yield _refused_amount(account, amount)
        if not decision.amounts:
            yield from (
                _refused_reading(account, each) for each in decision.readings if not each.kept
            )
        if decision.asked > 1 and decision.fits:
            fits, asked = count(decision.fits), count(decision.asked)
            yield f"Of these {asked}, {fits} would fit."


def _refused_amount(account: str, amount: Amount) -> str:
    said = {
        "more": _decimal(amount.more, ROUND_CEILING),
        "left": _decimal(amount.most - amount.spent, ROUND_FLOOR),
        "most": _decimal(amount.most, ROUND_FLOOR),
    }
    return fill("ledger.refused.amount", account=account, name=amount.name, **said)


def _refused_reading(account: str, reading: LimitReading) -> str:
    metric, most = reading.limit.to_dict()["metric"], rounded(reading.most)
    if reading.after is None:
        return f"{account}: the release would break the limit of {most} on the {metric}."
    after = rounded(float(reading.after), "at most")
    return f"{account}: the {metric} could become {after}, and the limit is {most}."


def _decimal(amount: Fraction, rounding: str) -> str:
    """Up to nine digits, rounded to the side on which the sentence stays true."""
    context = Context(prec=9, rounding=rounding)
    top, bottom = context.create_decimal(amount.numerator), amount.denominator
    short = context.divide(top, bottom).normalize()
    return f"{short:f}" if Decimal("1e-6") <= short < Decimal("1e9") or not short else f"{short:e}"


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
