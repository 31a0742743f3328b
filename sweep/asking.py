"""Ask every question of what was drawn, and hold the answers against the rules."""

from __future__ import annotations

import math
import re
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, NamedTuple

import numpy as np
from flint import arb

import dprisk
from dprisk import budget, composition, guarantees, ledger, mechanisms, releases, risk
from dprisk.errors import DpriskError
from dprisk.risk import confidence_for
from sweep.drawing import chances, losses
from sweep.tally import Tally, Violation
from sweep.truth.balls import Judge, Unknown, exact
from sweep.truth.curves import Curve

__all__ = ["QUESTIONS", "Drawn", "Ends", "ask", "check", "evaluated", "guarded", "nearby"]

QUESTIONS = {
    "delta": "delta({})",
    "epsilon": "epsilon({})",
    "power": "power({})",
    "level": "level({})",
    "tail, one": "tail({}, sides='one')",
    "tail, both": "tail({})",
    "loss, one": "loss_bound({}, sides='one')",
    "loss, both": "loss_bound({})",
    "tail, one, raw": "tail({}, sides='one', post_processing=False)",
    "tail, both, raw": "tail({}, post_processing=False)",
    "loss, one, raw": "loss_bound({}, sides='one', post_processing=False)",
    "loss, both, raw": "loss_bound({}, post_processing=False)",
}
OF_LOSS = ("delta", "tail")
RISING = ("power", "level")
LOWER = ("level",)  # answers that err downwards
NAMES = {
    name: getattr(module, name)
    for module in (
        guarantees,
        budget,
        ledger,
        risk,
        mechanisms,
        composition,
        releases,
        dprisk,
    )
    for name in module.__all__
} | {"np": np, "inf": math.inf, "replace": replace, "confidence_for": confidence_for}
WORDS = re.compile(r"[A-Za-z_]\w+")
SMALL = 1e-12  # an exact answer that is nearer to the truth has only been rounded the wrong way
CLOSE = 4e-12  # an exact answer of a promise is no further from it (docs/exactness.md),
BY_ORDERS = 1e-7  # or that far, where Rényi divergences are bounded,
DERIVED = 1e-8  # or that far, where it is worked out from another one,
MOVED = arb(200) * arb(2) ** -53  # or from that of a question moved by so much of itself,
LEAST = arb("1e-321")  # or than this
FURTHEST = float(np.finfo(float).max)
MANY = 20  # violations of one kind that are looked at closely
WIDE = 1e-3
SLOW = 10.0  # seconds
ON_THE_CHEAP = 0.15  # of what is drawn


@dataclass
class Drawn:
    """Something to ask, and how to judge the answers.

    Parameters
    ----------
    code : str
        An expression that makes it.
    kind, relation : str
        Under which it is counted.
    judge : callable
        From a question and a number to a judge, or None where the truth is not known.
    size, most : float
        Of its losses: their usual size, and the largest.
    marks : sequence of float
        Probabilities that are special to it.
    number : int
        How many numbers are asked at once.
    questions : sequence of str
        Which methods are asked.
    points : callable, optional
        From a question to numbers to ask, beyond the random ones.
    curve : Curve, optional
        Its worst case, where that is known.
    ways : sequence of Direction
        Each ordered pair of neighbors, where these are known.
    """

    code: str
    kind: str
    relation: str
    judge: Callable[[str, float | arb], Judge | None]
    size: float = 1.0
    most: float = math.inf
    marks: Sequence[float] = ()
    number: int = 12
    questions: Sequence[str] = field(default_factory=lambda: tuple(QUESTIONS))
    points: Callable[[str], list[float]] | None = None
    curve: Curve | None = None
    ways: Sequence[Any] = ()


Text = str | Callable[[], str]
Key = tuple[str, str, str]


def _text(code: Text) -> str:
    return code if isinstance(code, str) else code()


def evaluated(code: str, **names: Any) -> Any:
    """The value of an expression that any user could type."""
    return eval(code, NAMES | names)


def guarded(
    tally: Tally, key: Key, code: str, shown: Text = "", slow: str = "", **names: Any
) -> Any:
    """The value, or None where it was refused or went wrong; warnings are wrong."""
    tally.seen.update(
        (word, key[2])
        for word in WORDS.findall(slow or (shown if isinstance(shown, str) and shown else code))
    )
    start = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return evaluated(code, **names)
    except DpriskError as error:
        tally.refused[key] += 1
        if len(str(error)) < 20:
            text = _text(shown or code)
            tally.add(Violation("a refusal without a reason", *key, text, str(error), "", math.inf))
    except Exception as error:
        got = f"{type(error).__name__}: {error}"
        rule = f"raised {type(error).__name__}"
        tally.add(Violation(rule, *key, _text(shown or code), got, "", math.inf))
    finally:
        took = time.process_time() - start
        if took > SLOW:
            tally.slow.append((took, _text(slow or code)))
    return None


def ask(drawn: Drawn, rng: Random, tally: Tally) -> None:
    """Every question at many numbers at once, some of them alone; at times on the cheap."""
    if rng.random() < ON_THE_CHEAP:
        drawn = replace(drawn, code=f"{drawn.code}.coarse")
    made = guarded(tally, (drawn.kind, "made", drawn.relation), drawn.code)
    if made is None:
        return
    for question in drawn.questions:
        key = (drawn.kind, question, drawn.relation)
        xs = _numbers(drawn, question, rng)
        call = "made." + QUESTIONS[question]
        shown = drawn.code + "." + QUESTIONS[question]
        text = _failing(key, call, shown, xs, made)
        answer = guarded(tally, key, call.format("xs"), text, shown, made=made, xs=np.array(xs))
        if answer is None:
            continue
        _array(tally, key, shown, xs, answer, question)
        lows, highs = _ends(answer, len(xs))
        for i, x in enumerate(xs):
            judge = _judged(drawn, question, x, tally, key)
            tally.asked[key] += 1
            found = Ends(lows[i], highs[i], answer.bound, question in LOWER)
            code = _shortest(made, call, shown, xs, i, found)
            check(tally, key, code, found, judge, nearby(drawn, question, x))
        for i in rng.sample(range(len(xs)), 2):
            alone = guarded(tally, key, call.format("x"), made=made, x=xs[i])
            if alone is not None:
                _same(tally, key, shown, xs, i, alone, (lows[i], highs[i]))
    _round_trip(tally, drawn, made, rng)


def _judged(drawn: Drawn, question: str, x: float | arb, tally: Tally, key: Key) -> Judge | None:
    try:
        return drawn.judge(question, x)
    except Unknown:
        tally.unknown[key] += 1
        return None


def nearby(drawn: Drawn, question: str, x: float) -> Moved:
    """Judges of the question a little to either side: docs/exactness.md."""

    def judges() -> list[Judge | None]:
        off = exact(x) * MOVED + LEAST / 10 if math.isfinite(x) and x > 0 else arb(0)
        return [drawn.judge(question, exact(x) + side * off) for side in (-1, 1)]

    return judges


def _shortest(
    made: Any, call: str, shown: str, xs: list[float], i: int, found: Ends
) -> Callable[[], str]:
    """A snippet of one number, if that alone gets the same answer; otherwise of all of them."""

    def code() -> str:
        alone = shown.format(repr(xs[i])) + ".bracket"
        try:
            same = evaluated(call.format("x"), made=made, x=xs[i]).bracket == found[:2]
        except Exception:
            same = False
        return alone if same else shown.format(repr(xs)) + f".bracket  # at number {i}, {xs[i]!r}"

    return code


def _numbers(drawn: Drawn, question: str, rng: Random) -> list[float]:
    if drawn.points is not None and rng.random() < 0.7:
        special = drawn.points(question)
        if special:
            return special
    if question.startswith(OF_LOSS):
        return losses(rng, drawn.number, drawn.size, drawn.most)
    return chances(rng, drawn.number, drawn.marks)


def _ends(answer: Any, size: int) -> tuple[list[Any], list[Any]]:
    ends = []
    for end in answer.bracket:
        ends.append(
            [None] * size if end is None else np.ravel(np.asarray(end, dtype=float)).tolist()
        )
    return ends[0], ends[1]


class Ends(NamedTuple):
    """An answer: at least, at most, what it says of itself, and whether it errs downwards."""

    low: float | None
    high: float | None
    bound: str
    downwards: bool = False


Moved = Callable[[], list[Judge | None]]
"""Judges of a question a little to either side; an exact answer only has to be close to those."""


def check(
    tally: Tally, key: Key, code: Text, ends: Ends, judge: Judge | None, moved: Moved = list
) -> None:
    """Hold one answer, between its ends, against the truth."""
    low, high, bound, _ = ends
    got = f"{low!r} to {high!r}, {bound}"
    for end in (low, high):
        if end is not None and math.isnan(end):
            tally.add(Violation("NaN", *key, _text(code), got, "", math.inf))
            return
    if low is not None and high is not None and low > high:
        tally.add(Violation("ends in the wrong order", *key, _text(code), got, "", math.inf))
    if judge is None:
        return
    try:
        for up in (True, False):
            end = high if up else low
            rule = None if end is None else _broken(tally, key, ends, end, up, judge, moved)
            if rule is not None and end is not None:
                truth, size = _truth(judge, end, up), _how_far(judge, end, up)
                tally.add(Violation(rule, *key, _text(code), got, truth, size))
    except Unknown:
        tally.unknown[key] += 1
    if bound != "exact" and low is not None and high is not None and high - low > WIDE * high:
        tally.wide[key[0], key[1]] += 1


def _broken(
    tally: Tally, key: Key, ends: Ends, end: float, up: bool, judge: Judge, moved: Moved
) -> str | None:
    """The rule that is broken if the truth is beyond an end; the loose end of an exact answer only
    has to be close. Many of one kind are counted, and not looked at closely."""
    wrong = judge.above if up else judge.below
    if ends.bound == "exact" and up is ends.downwards:
        loose = _off(end, _close(key[0]), up) + (LEAST if up else -LEAST)
        if not wrong(loose) or not all((j.above if up else j.below)(loose) for j in moved() if j):
            return None
        rule = "exact, and is not"
    elif not wrong(exact(end)):
        return None
    else:
        rule = "below the truth" if up else "above the truth"
        if not wrong(_off(end, SMALL, up)):
            rule = f"rounded {rule}"
    if tally.counts[key[0], key[1], rule] > MANY and not wrong(_off(end, 0.5, up)):
        tally.counts[key[0], key[1], rule] += 1
        return None
    return rule


def _close(kind: str) -> float:
    if "Renyi" in kind or "ZeroConcentrated" in kind:
        return BY_ORDERS
    return CLOSE if hasattr(guarantees, kind) else DERIVED


def _off(end: float, share: float, up: bool) -> arb:
    """The end moved by a share of itself; what is infinite may have been rounded to that."""
    at = exact(math.copysign(min(abs(end), FURTHEST), end))
    return at + abs(at) * arb(share) if up else at - abs(at) * arb(share)


def _how_far(judge: Judge, end: float, up: bool) -> float:
    """About how far the truth is beyond an end, relative to the end."""
    if end == 0.0 or math.isinf(end):
        return math.inf
    wrong = judge.above if up else judge.below
    for power in range(-20, 1):
        if not wrong(_off(end, 10.0**power, up)):
            return float(10.0**power)
    return 1.0


def _truth(judge: Judge, end: float, up: bool) -> str:
    """Where the truth is, by bisection on the judge; of logarithms, where it may be anywhere."""
    low, high = arb("1e-500"), arb("1e6")
    if end > 0 and math.isfinite(end):
        low, high = (exact(end), high.max(2 * exact(end))) if up else (low, exact(end))
    if not judge.above(low):
        return "0, or nearly" if not up else f"above {end!r}"
    for _ in range(160):
        middle = ((low * high).sqrt() if high > 2 * low else (low + high) / 2).mid()
        if judge.above(middle):
            low = middle
        else:
            high = middle
    return str(((low + high) / 2).mid().str(20, radius=False))


def _array(tally: Tally, key: Key, shown: str, xs: list[float], answer: Any, question: str) -> None:
    """Of the numbers together: their shape, their order and their range."""
    value = np.asarray(answer.value)
    if value.shape != (len(xs),):
        tally.add(
            Violation(
                "of the wrong shape", *key, shown.format(repr(xs)), str(value.shape), "", math.inf
            )
        )
        return
    top = math.inf if question.startswith(("loss", "epsilon")) else 1.0
    if not np.all((value >= 0) & (value <= top)):
        tally.add(
            Violation("out of range", *key, shown.format(repr(xs)), repr(value), "", math.inf)
        )
    low, high = (value if end is None else np.asarray(end, dtype=float) for end in answer.bracket)
    order = np.argsort(xs, kind="stable")
    order = order if question in RISING else order[::-1]
    before, after = low[order][:-1], high[order][1:]  # which certainly fall
    allowed = BY_ORDERS if _close(key[0]) == BY_ORDERS else SMALL
    falls = np.flatnonzero(before > after * (1.0 + allowed) + 1e-320)
    if falls.size:
        pair = [xs[k] for k in order[falls[0] : falls[0] + 2]]
        got = f"{value[order[falls[0]]]!r}, {value[order[falls[0] + 1]]!r}"
        text = shown.format(repr(pair))
        tally.add(Violation("not monotone", *key, text, got, "", math.inf))


def _same(
    tally: Tally, key: Key, shown: str, xs: list[float], i: int, alone: Any, found: tuple[Any, Any]
) -> None:
    """One number alone gets the same answer as among others; of brackets, one that overlaps."""
    tally.asked[key] += 1
    low, high = alone.bracket
    wide = alone.bound != "exact" and None not in (low, high, *found)
    if wide and low <= found[1] and found[0] <= high:  # two brackets of one number
        tally.differ[key[0], key[1]] += (low, high) != found
    elif (low, high) != found:
        code = f"{shown.format(xs[i])}.bracket, {shown.format(repr(xs))}.bracket"
        got = f"{(low, high)} alone, {found} at number {i}"
        tally.add(Violation("an array is not its scalars", *key, code, got, "", math.inf))


def _failing(key: Key, call: str, shown: str, xs: list[float], made: Any) -> Callable[[], str]:
    """The number that goes wrong alone, if one does; otherwise all of them."""

    def code() -> str:
        for x in xs:
            alone = Tally()
            guarded(alone, key, call.format("x"), made=made, x=x)
            if alone.found:
                return shown.format(repr(x))
        return shown.format(repr(xs))

    return code


def _round_trip(tally: Tally, drawn: Drawn, made: Any, rng: Random) -> None:
    """g.delta(g.epsilon(d)) <= d, as computed."""
    if "epsilon" not in drawn.questions:
        return
    key = (drawn.kind, "delta(epsilon)", drawn.relation)
    ds = chances(rng, max(4, drawn.number // 3), drawn.marks)
    epsilon = guarded(tally, key, "made.epsilon(ds)", made=made, ds=ds)
    if epsilon is None:
        return
    e = np.asarray(epsilon.value)
    back = guarded(tally, key, "made.delta(e)", made=made, e=np.where(np.isfinite(e), e, 0.0))
    if back is None:
        return
    for i, d in enumerate(ds):
        tally.asked[key] += 1
        if math.isfinite(e[i]) and back.value[i] > d:
            code = f"(g := {drawn.code}).delta(g.epsilon({d!r})).value"
            tally.add(
                Violation(
                    "more than was asked for",
                    *key,
                    code,
                    repr(float(back.value[i])),
                    repr(d),
                    math.inf,
                )
            )
