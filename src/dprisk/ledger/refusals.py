"""Why a charge is refused: the numbers, and what would fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Final

from dprisk._values import rounded
from dprisk.ledger.decisions import Amount, Decision, LimitReading
from dprisk.text import count, fill

DIGITS: Final = 9
PLAINLY, LARGE = Decimal("1e-6"), Decimal("1e9")


def reasons(decisions: Mapping[str, Decision]) -> Iterator[str]:
    """Sentences for every account with a limit that would not be kept."""
    for account, decision in decisions.items():
        if decision.kept:
            continue
        for amount in decision.amounts:
            if amount.spent + amount.more > amount.most:
                yield _amount(account, amount)
        if not decision.amounts:
            yield from (_reading(account, each) for each in decision.readings if not each.kept)
        if decision.asked > 1:
            fits, asked = count(decision.fits), count(decision.asked)
            yield fill("ledger.refused.fits", fits=fits, asked=asked)


def _amount(account: str, amount: Amount) -> str:
    said = {
        "more": _decimal(amount.more, ROUND_CEILING),
        "left": _decimal(amount.most - amount.spent, ROUND_FLOOR),
        "most": _decimal(amount.most, ROUND_FLOOR),
    }
    return fill("ledger.refused.amount", account=account, name=amount.name, **said)


def _reading(account: str, reading: LimitReading) -> str:
    metric, most = reading.limit.to_dict()["metric"], rounded(reading.most)
    if reading.after is None:
        return fill("ledger.refused.limit", account=account, metric=metric, most=most)
    after = rounded(float(reading.after), "at most")
    return fill("ledger.refused.reading", account=account, metric=metric, after=after, most=most)


def _decimal(amount: Fraction, rounding: str) -> str:
    context = Context(prec=DIGITS, rounding=rounding)
    top, bottom = context.create_decimal(amount.numerator), amount.denominator
    short = context.divide(top, bottom).normalize()
    return f"{short:f}" if PLAINLY <= short < LARGE or not short else f"{short:e}"
