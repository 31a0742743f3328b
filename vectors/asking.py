"""A question, and the interval in which its true answer lies, as decimals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any

from flint import arb
from mpmath import mp, mpf

from sweep.truth.balls import ONE, ZERO, Judge, largest
from sweep.truth.curves import judge
from sweep.truth.orders import Orders

DIGITS = 25
AGREE = mpf("1e-15")  # relative: how far the second way may be from the first
NOTHING = mpf("1e-40")
NUDGE = mpf("1e-15")  # relative: how far apart levels are whose gaps are compared
HALVINGS = 400
UNSAFE = {"level": "above"}
"""On which side of the truth an answer hurts; below it, unless it is listed."""


class Apart(ArithmeticError):
    """The two ways to a truth do not agree, or leave it open."""


class Unbounded(ArithmeticError):
    """The release reveals with a larger chance than may be left out."""


@dataclass(frozen=True)
class Pair:
    """What a release promises or does, twice: by ball arithmetic, and by sums and integrals."""

    first: Any
    second: Any
    symmetric: bool = True


@dataclass(frozen=True)
class Family:
    """Releases about which the same is asked, with what the answers rest on."""

    name: str
    theorem: str
    ways: tuple[str, str]
    cases: Sequence[tuple[dict[str, Any], Pair, tuple[str, ...]]]
    """Each release as a file has it, its pair, and the mistakes that it catches."""
    questions: Sequence[dict[str, str]]
    in_turn: bool = False
    """Whether all are asked of one object, one after the other: forwards, and backwards."""


def known(family: Family) -> Iterator[dict[str, Any]]:
    """Every vector of a family whose truth both ways agree on."""
    number = 0
    for release, pair, flags in family.cases:
        for asked, more in _turns(family):
            number += 1
            try:
                low, high = truth(pair, asked)
            except Unbounded:
                continue
            yield {
                "id": f"{family.name}-{number:04}",
                "release": release,
                "ask": asked,
                **more,
                "truth": [low, high],
                "unsafe": UNSAFE.get(asked["what"], "below"),
                "flags": sorted({*flags, *_flags(asked)}),
            }


def _turns(family: Family) -> Iterator[tuple[dict[str, str], dict[str, Any]]]:
    """Every question, with what the same object was asked before."""
    if not family.in_turn:
        yield from ((asked, {}) for asked in family.questions)
        return
    for turn in (family.questions, family.questions[::-1]):
        yield from ((asked, {"after": [*turn[:place]]}) for place, asked in enumerate(turn))


def truth(pair: Pair, asked: dict[str, str]) -> tuple[str, str]:
    """Both ends of the interval, rounded outwards."""
    what = asked["what"]
    if what in ("posterior", "ratio", "difference"):
        return _belief(pair, asked)
    name, at = NAMES[what]
    point = arb(str(exact(asked[at])))
    one_side = asked.get("sides", "")
    question = f"{name}{one_side and ', ' + one_side}"
    if isinstance(pair.first, Orders):
        found = pair.first.judge(question, point)
    else:
        found = judge(pair.first, question, point, pair.symmetric)
    if found is None:
        raise Apart(f"nothing is known of {asked}")
    low, high = _between(found, pair, what, point)
    if not low.is_finite():
        return _endless(pair.second, asked)
    _confirm(pair.second, asked, low, high)
    return _decimals(low, high)


NAMES = {
    "delta": ("delta", "epsilon"),
    "epsilon": ("epsilon", "delta"),
    "power": ("power", "level"),
    "level": ("level", "power"),
    "tail": ("tail", "loss"),
    "loss": ("loss", "failure"),
}


def exact(text: str) -> Decimal:
    """A decimal that a double holds exactly, so that every tool reads the same number."""
    if Fraction(text) != Fraction(float(text)):
        raise ValueError(f"{text} is rounded by whoever reads it")
    return Decimal(text)


def _between(found: Judge, pair: Pair, what: str, point: arb) -> tuple[arb, arb]:
    """A ball, where the answer is a formula; otherwise halved until nothing more can be told."""
    if isinstance(pair.first, Orders):
        return _gap(pair, point) if what == "delta" else _of_coins(found, what, point)
    if what in ("delta", "power"):
        ball = getattr(pair.first, what)(point)
        ball = ball.nonnegative_part().min(ONE)
        return ball.lower(), ball.upper()
    most = pair.first.top().max(ZERO) if what in ("epsilon", "loss") else ONE
    if what in ("epsilon", "loss") and not most.is_finite():
        most = ONE
        while not found.below(most):
            if most > 1e6:
                return arb.pos_inf(), arb.pos_inf()
            most = 2 * most
    return _halved(found, ZERO, most.upper())


def _of_coins(found: Judge, what: str, point: arb) -> tuple[arb, arb]:
    """Of a promise at orders: by which coins are possible."""
    most = {"loss": arb(64), "level": point, "tail": ONE, "power": ONE}[what]
    return _halved(found, point if what == "power" else ZERO, most)


def _gap(pair: Pair, e: arb) -> tuple[arb, arb]:
    """Most of power - e^e level, near where the second way has it: chords bound what is concave."""
    grown, best = e.exp(), pair.second.best(_mpf(e))
    levels = [arb(mp.nstr(best * (1 + k * NUDGE), 50)) for k in (-2, -1, 0, 1, 2)]
    ends = []
    for x in levels:
        power = pair.first.judge("power", x)
        low, high = _halved(power, x, ONE)
        ends.append((low - grown * x, high - grown * x))
    lows, highs = [low for low, _ in ends], [high for _, high in ends]
    low = largest([each.lower() for each in lows])
    if not (highs[1] < lows[2] and highs[3] < lows[2]):
        raise Apart(f"the largest gap at {e} is elsewhere")
    over = largest([2 * highs[2] - lows[3], 2 * highs[2] - lows[1]])
    over = over.max(2 * highs[1] - lows[0]).max(2 * highs[3] - lows[4])
    return low, over.upper()


def _halved(found: Judge, low: arb, high: arb) -> tuple[arb, arb]:
    """Narrow an interval, by the size of numbers first where it starts at 0."""
    if not found.above(arb("1e-400")):
        return ZERO, arb("1e-400") if found.above(ZERO) else ZERO
    low = arb("1e-400")
    for step in range(HALVINGS):
        middle = ((low * high).sqrt() if high > 2 * low else (low + high) / 2).mid()
        if found.above(middle):
            low = middle
        elif found.below(middle):
            high = middle
        elif step > 60:
            break
        else:
            raise Apart("nothing can be told")
        if (high - low) < arb("1e-55") * high:
            break
    return low, high


def _belief(pair: Pair, asked: dict[str, str]) -> tuple[str, str]:
    """What an adversary believes at most: Bayes' rule with the largest loss."""
    asks = {"what": "loss", "failure": asked["failure"], "sides": "both"}
    prior = Fraction(exact(asked["prior"]))
    ends = []
    for loss in truth(pair, asks):
        if loss == "inf":
            raise Unbounded(asked)
        grown = arb(loss).exp()
        p = arb(prior.numerator) / arb(prior.denominator)
        after = p * grown / (1 - p + p * grown)
        changed = {"posterior": after, "difference": after - p}
        ends.append(changed.get(asked["what"], grown / (1 - p + p * grown)))
    return _decimals(ends[0].lower(), ends[1].upper())


def _confirm(second: Any, asked: dict[str, str], low: arb, high: arb) -> None:
    """Ask the other way, at the truth: it has to lead back to what was asked."""
    what, middle = asked["what"], _mpf((low + high) / 2)
    ways: dict[str, Callable[[], tuple[mpf, mpf]]] = {
        "delta": lambda: (second.delta(mpf(asked["epsilon"])), middle),
        "power": lambda: (second.power(mpf(asked["level"])), middle),
        "epsilon": lambda: (second.delta(middle), mpf(asked["delta"])),
        "level": lambda: (second.power(middle), mpf(asked["power"])),
        "tail": lambda: _on_ray(second, mpf(asked["loss"]), middle, asked["sides"]),
        "loss": lambda: _on_ray(second, middle, mpf(asked["failure"]), asked["sides"]),
    }
    found, wanted = ways[what]()
    beyond = found >= wanted if what == "level" else found <= wanted
    at_end = middle == 0 and what in ("epsilon", "loss", "level") and beyond
    sure = what == "tail" and middle > 1 - AGREE and found >= wanted
    if not (at_end or sure) and abs(found - wanted) > AGREE * max(wanted, NOTHING):
        raise Apart(f"{asked}: {mp.nstr(found, 20)} and {mp.nstr(wanted, 20)}")


def _endless(second: Any, asked: dict[str, str]) -> tuple[str, str]:
    """No number is enough: so much is certain of who is in the data."""
    chance = mpf(asked.get("delta", asked.get("failure")))
    if second.power(mpf(0)) <= chance / (1 if asked["what"] == "epsilon" else 2):
        raise Apart(f"{asked} has an end")
    return "inf", "inf"


def _on_ray(second: Any, loss: mpf, chance: mpf, sides: str) -> tuple[mpf, mpf]:
    """The power where the level is e^-loss of it; of both tails, the levels on both sides."""
    high = chance if sides == "one" else chance / (1 + mp.exp(-loss))
    level = high * mp.exp(-loss)
    return (second.power(level), high) if 0 < level < 1 else (high, high)


def _mpf(ball: arb) -> mpf:
    mantissa, exponent = ball.mid().man_exp()
    return mp.ldexp(mpf(int(mantissa)), int(exponent))


def _decimals(low: arb, high: arb) -> tuple[str, str]:
    return _decimal(low, ROUND_FLOOR), _decimal(high, ROUND_CEILING)


def _decimal(end: arb, rounding: str) -> str:
    """So many digits, on the side where the interval stays true."""
    mantissa, exponent = end.mid().man_exp()
    whole = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    if whole <= 0:  # of an end that is 0, rounded
        return "0"
    context = Context(prec=DIGITS, rounding=rounding, Emin=-9999, Emax=9999)
    found = context.divide(Decimal(whole.numerator), Decimal(whole.denominator))
    return format(found.normalize(context), "g")


def _flags(asked: dict[str, str]) -> Iterator[str]:
    """Mistakes that a question catches by itself."""
    if float(asked.get("delta", 1.0)) < 1e-10 or float(asked.get("failure", 1.0)) < 1e-10:
        yield "small delta"
    if float(asked.get("prior", 0.5)) in (0.0, 1.0):
        yield "prior 0 and 1"
