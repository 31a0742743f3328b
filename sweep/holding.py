"""Hold one call, whatever it returns, against judges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from flint import arb

from sweep.asking import Ends, Key, Moved, check, guarded
from sweep.tally import Tally, Violation
from sweep.truth.balls import Judge, between, exact

__all__ = ["bound", "claim", "hold", "least", "log_odds", "most", "moved", "one_way", "through"]


def hold(
    tally: Tally,
    key: Key,
    code: str,
    judges: Sequence[Judge | None],
    downwards: bool = False,
    moved: Sequence[Moved] = (),
    **names: Any,
) -> Any:
    """Evaluate a call that returns an Answer, and hold each of its numbers against its judge."""
    answer = guarded(tally, key, code, _spelled(code, names), **names)
    if answer is None:
        return None
    lows, highs = (_listed(end, len(judges)) for end in answer.bracket)
    for i, judge in enumerate(judges):
        tally.asked[key] += 1
        where = f"{_spelled(code, names)}.bracket" + (
            f"  # at number {i}" if len(judges) > 1 else ""
        )
        ends = Ends(lows[i], highs[i], answer.bound, downwards)
        check(tally, key, where, ends, judge, moved[i] if moved else list)
    return answer


def _spelled(code: str, names: dict[str, Any]) -> str:
    """The call with its numbers, and what it is called on, written out."""
    made = names.get("made_code")
    for name, value in names.items():
        if name not in ("made", "made_code"):
            text = repr(value.tolist() if isinstance(value, np.ndarray) else value)
            code = code.replace("{" + name + "}", text)
    return code if made is None else code.replace("made", made, 1)


def _listed(end: Any, size: int) -> list[Any]:
    if end is None:
        return [None] * size
    return np.ravel(np.broadcast_to(np.asarray(end, dtype=float), (size,))).tolist()


def claim(tally: Tally, key: Key, code: str, fine: bool, got: object, truth: object) -> None:
    """Something that is so or not."""
    tally.asked[key] += 1
    if not fine:
        tally.add(Violation("not so", *key, code, str(got), str(truth), float("inf")))


def bound(
    tally: Tally, key: Key, code: str, value: float, judge: Judge | None, downwards: bool = False
) -> None:
    """One number that is an upper bound, or a lower one."""
    tally.asked[key] += 1
    ends = Ends(value, None, "lower", True) if downwards else Ends(None, value, "upper")
    check(tally, key, code, ends, judge)


def through(judge: Judge | None, back: Any, rising: bool = True) -> Judge | None:
    """Of a quantity that rises (or falls) with the one that is judged; `back` leads there."""
    if judge is None:
        return None
    above, below = (judge.above, judge.below) if rising else (judge.below, judge.above)

    def wrapped(test: Any, grows: bool) -> Any:
        def of(value: arb) -> bool:
            found = back(value)
            if found is None:
                return False
            if found < 0:  # what is judged is never negative
                return grows
            return bool(test(found))

        return of

    return Judge(wrapped(above, rising), wrapped(below, not rising))


def log_odds(p: arb) -> arb:
    """log(p / (1 - p)), infinite at the ends."""
    if p <= 0:
        return arb.neg_inf()
    if p >= 1:
        return arb.pos_inf()
    return (p / (1 - p)).log()


def moved(loss: Judge | None, prior: float, up: bool, value_of: Any = None) -> Judge | None:
    """Of a belief after its log-odds moved by the loss that is judged.

    `value_of` leads from the quantity that is asked for to the belief.
    """
    p = exact(prior)
    start = log_odds(p)

    def back(value: arb) -> arb | None:
        belief = value if value_of is None else value_of(value)
        if belief > 1:
            return arb.pos_inf() if up else arb.neg_inf()
        if belief < 0:
            return arb.neg_inf() if up else arb.pos_inf()
        end = log_odds(belief)
        return end - start if up else start - end

    return through(loss, back, rising=up)


def one_way(judge: Judge | None, above: bool = True) -> Judge | None:
    """Where only one side is known."""
    if judge is None:
        return None
    never = lambda value: False  # noqa: E731
    return Judge(judge.above, never) if above else Judge(never, judge.below)


def most(value: arb) -> Judge:
    """At least this."""
    return one_way(between(value)) or between(value)


def least(value: arb) -> Judge:
    """At most this."""
    return one_way(between(value), above=False) or between(value)
