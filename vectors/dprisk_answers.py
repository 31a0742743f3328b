"""What dprisk answers to the vectors, for `judge.py`: ``python -m vectors.dprisk_answers OUT``."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

from dprisk import Guarantee, disclosure
from dprisk.composition import compose
from dprisk.releases.model import read

HERE = Path(__file__).parent
REST = {"dprisk": 1, "name": "Known answer", "unit": "record", "period": "once", "model": "central"}


def release(tree: dict[str, Any]) -> Guarantee:
    """What a release of a vector promises: the losses of its parts, added up."""
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
    """An answer to each vector; releases are made once."""
    made: dict[str, Guarantee] = {}
    found = {}
    for each in known:
        text = json.dumps(each["release"])
        if text not in made:
            made[text] = release(each["release"])
        found[each["id"]] = answer(made[text], each["ask"])
    return found


def main() -> None:
    """Write them all."""
    files = sorted((HERE / "known").glob("*.json"))
    known = [each for path in files for each in json.loads(path.read_text())["known"]]
    Path(sys.argv[1]).write_text(json.dumps(answers(known), indent=0), encoding="utf-8")


if __name__ == "__main__":
    main()
