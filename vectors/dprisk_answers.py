"""What dprisk answers to the vectors, for `judge.py`: ``python -m vectors.dprisk_answers OUT``."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from dprisk import Guarantee, disclosure
from dprisk.budget import EpsilonLimit
from dprisk.composition import compose
from dprisk.ledger import Account
from dprisk.ledger.filters import FILTERS, Filter
from dprisk.mechanisms import RandomizedResponse
from dprisk.releases import Part
from dprisk.releases.model import read

SUMS = ("pure", "concentrated", "gaussian")
HERE = Path(__file__).parent
REST = {"dprisk": 1, "name": "Known answer", "unit": "record", "period": "once", "model": "central"}


def promised(tree: dict[str, Any]) -> list[Guarantee]:
    """What holds of a release, all of it together."""
    if "filter" in tree:
        told = tree["filter"]
        rule = filtered(told["rule"], tree["neighbors"], told.get("delta"))
        return [rule.whole(rule.caps(Fraction(told["cap"])))]
    if "adaptive" in tree:
        return [most_spent(filtered(name, tree["neighbors"]), tree["adaptive"]) for name in SUMS]
    return [composed(tree)]


def filtered(name: Any, neighbors: Any, delta: str | None = None) -> Filter:
    """A privacy filter of the ledger."""
    limits = (EpsilonLimit(1.0, 0.5),)
    return FILTERS[name](
        Account("known", "all", "person", neighbors, "once", name, limits, delta=delta)
    )


def most_spent(rule: Filter, first: dict[str, Any]) -> Guarantee:
    """What a filter says whose cap is the largest sum along any sequence of answers."""

    def spent(step: dict[str, Any] | None) -> Fraction:
        if step is None:
            return Fraction(0)
        run = RandomizedResponse(float(step["epsilon"]), neighbors=rule.account.neighbors)
        (here, *_) = rule.amounts(Part.of(run)).values()
        return here + max(map(spent, step["then"]))

    return rule.whole(rule.caps(spent(first)))


def composed(tree: dict[str, Any]) -> Guarantee:
    """What a release of fixed parts promises: their losses, added up."""
    described = read({**REST, **tree}, "vector")
    parts, losses, counts = described.parts, [], []
    for part in parts:
        one = part.guarantee if part.mechanism is None else part.mechanism.loss()
        losses.append(one)
        counts.append(part.count * described.releases)
    return compose(losses, counts).guarantee


def answer(guarantee: Guarantee, asked: dict[str, Any]) -> str:
    """One answer, each digit of its double."""
    ways: dict[str, Callable[[], float]] = {
        "delta": lambda: guarantee.delta(float(asked["epsilon"])).value,
        "epsilon": lambda: guarantee.epsilon(float(asked["delta"])).value,
        "power": lambda: guarantee.power(float(asked["level"])).value,
        "level": lambda: guarantee.level(float(asked["power"])).value,
        "tail": lambda: guarantee.tail(float(asked["loss"]), sides=asked["sides"]).value,
        "loss": lambda: guarantee.loss_bound(float(asked["failure"]), sides=asked["sides"]).value,
    }
    what = asked["what"]
    if what in ways:
        return exact(ways[what]())
    moved = disclosure(guarantee, confidence=1.0 - float(asked["failure"]))
    return exact(getattr(moved, what)(float(asked["prior"])).upper.value)


def exact(value: float) -> str:
    """A double in full."""
    return "inf" if math.isinf(value) else format(Decimal(float(value)), "g")


def answers(known: list[dict[str, Any]]) -> dict[str, str]:
    """An answer to each vector: of a new release, where it says what was asked of it before."""
    made: dict[str, list[Guarantee]] = {}
    found = {}
    for each in known:
        text = json.dumps(each["release"])
        if text not in made or "after" in each:
            made[text] = promised(each["release"])
        for asked in (*each.get("after", ()), each["ask"]):
            all_answers = [answer(one, asked) for one in made[text]]
        found[each["id"]] = min(all_answers, key=float)
    return found


def main() -> None:
    """Write them all."""
    files = sorted((HERE / "known").glob("*.json"))
    known = [each for path in files for each in json.loads(path.read_text())["known"]]
    Path(sys.argv[1]).write_text(json.dumps(answers(known), indent=0), encoding="utf-8")


if __name__ == "__main__":
    main()
