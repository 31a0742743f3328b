"""P2's mechanisms on the numbers from 1 to n: approximate DP without probabilistic DP."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

from dprisk._checks import FINITE, whole
from dprisk.audit.claims import Claim
from dprisk.audit.finite import FiniteMechanism
from dprisk.audit.growth import Growth, as_fraction, brief, chance
from dprisk.errors import Meaningless, NotConverged, OutOfRange
from dprisk.papers.constructions import Separation
from dprisk.text import english, fill
from dprisk.theorems import Theorem

WHOLE: Final = 40  # up to here the whole table is written out
STEPS: Final = 200
LEMMA: Final = Theorem(
    "P2", "Lemma 3.1", "the input itself, or any other number with equal probability"
)
PLACES: Final = (12, 40, 120, 400, 1600)


def response(
    epsilon: Any, delta: Any, *, not_pdp: tuple[Any, Any], count: int, p: Any
) -> Separation:
    """P2, Lemma 3.1: on [count], the input with probability p, each other number with q.

    All datasets are neighbors. Beyond 40 numbers two datasets stand for all, and all outputs but
    these two are one: their loss is 0, so that no definition tells the difference. Meaningless
    unless e^eps_hat q < p <= e^epsilon q + delta and p > delta_hat.
    """
    kept, beyond = Growth.of(epsilon), Growth.of(not_pdp[0])
    slack, often = chance("delta", delta), chance("not_pdp[1]", not_pdp[1])
    own = chance("p", p)
    count = whole("count", count, 2)
    other = (1 - own) / (count - 1)
    numbers = {"p": brief(own), "q": brief(other), "often": brief(often)}
    if not (other > 0 and beyond.exceeded(own, other)):
        raise Meaningless(fill("papers.lemma.beyond", **numbers))
    if kept.sign(slack - own, other) < 0:
        raise Meaningless(fill("papers.lemma.kept", **numbers))
    if own <= often:
        raise Meaningless(fill("papers.lemma.often", **numbers))
    return _separation("lemma-3-1", "Lemma 3.1", kept, slack, (beyond, often), count, own)


def fixed_delta(epsilon: Any, delta: Any, *, beyond: Any) -> Separation:
    """P2, Theorem 3.2: with the same delta below 1/2, no epsilon of probabilistic DP is implied.

    n = ceil((e^beyond + e^epsilon)(1 - delta) / delta) and the p and q of the proof, with decimals
    next to the two exponentials, on the sides where nothing is lost. A `beyond` of epsilon - ln(1 -
    delta) or less is replaced by a larger one first, as in the paper. It has epsilon < 1, which the
    proof does not need.
    """
    kept, wanted, slack = Growth.of(epsilon), Growth.of(beyond), _below_half(delta)
    for places in PLACES:
        b, c = kept.near(places), wanted.near(places, above=True)
        c = max(c, b / (1 - slack) * Fraction(1001, 1000))
        n = math.ceil((c + b) * (1 - slack) / slack)
        q = (2 - slack) / (2 * (n - 1) + c + b)
        p = (c * q + b * q + slack) / 2
        if c * q < p <= b * q + slack and slack < p:
            return _separation("theorem-3-2", "Theorem 3.2", kept, slack, (wanted, slack), n, p)
    raise AssertionError  # the proof of Theorem 3.2


def under_penalty(
    epsilon: Any, delta: Any, penalty: Callable[[float], float], *, beyond: Any
) -> Separation:
    """P2, Theorem 3.3: a penalty on delta alone is not enough, whatever continuous g(0) = 0 it is.

    (epsilon, delta'')-ADP and not (beyond, g(delta''))-PDP for some delta'' below `delta`, for a
    `beyond` below epsilon + ln(1 + x / g(x)) for all x in (0, delta); one that is not above epsilon
    always is (Corollary 3.4 (1)). The two sides of the proof's equation cross between delta'' and
    the next float; conditions are checked exactly, with what `penalty` returns at delta''.
    """
    kept, wanted, slack = Growth.of(epsilon), Growth.of(beyond), _below_half(delta)
    x = often = Fraction(0)
    for places in PLACES:
        b, c = kept.near(places), wanted.near(places, above=True)
        n = math.floor((1 - slack) * (b + c) / slack + 1) + 1

        def own(x: Fraction, n: int = n, both: Fraction = b + c) -> Fraction:
            return (x * (n - 1) + both) / (2 * (n - 1) + both)

        x, often = _crossing(own, penalty, slack)
        p = own(x)
        q = (1 - p) / (n - 1)
        if c * q < p <= b * q + x and often < p:
            return _separation("theorem-3-3", "Theorem 3.3", kept, x, (wanted, often), n, p)
    at = {"delta": f"{float(x):.6g}", "penalty": f"{float(often):.6g}"}
    raise Meaningless(fill("papers.penalty.function", **at))


def bounded_penalty(epsilon: Any, delta: Any, factor: Any, *, beyond: Any) -> Separation:
    """P2, Corollary 3.4 (2): a penalty of K delta leaves an epsilon of ln(1 + 1/K), at least.

    (epsilon, delta'')-ADP and not (beyond, K delta'')-PDP, however small both are, for a `beyond`
    below epsilon + ln(1 + 1/K); the equation of Theorem 3.3 is linear here, and delta'' rational.
    """
    kept, wanted, slack = Growth.of(epsilon), Growth.of(beyond), _below_half(delta)
    times = as_fraction(factor)
    if times is None or times <= 0:
        raise OutOfRange("factor", factor, fill("errors.rational", inside="(0, inf)"))
    for places in PLACES:
        b, c = kept.near(places), wanted.near(places, above=True)
        n = math.floor((1 - slack) * (b + c) / slack + 1) + 1
        x = (c + b) / ((times + 1) * (2 * (n - 1) + c + b) - (n - 1))
        p = (times + 1) * x
        q = (1 - p) / (n - 1)
        if p < 1 and c * q < p <= b * q + x:
            target = wanted, times * x
            return _separation("corollary-3-4", "Corollary 3.4", kept, x, target, n, p)
    limit = f"{kept.nats() + math.log1p(1 / times):.6g}"
    numbers = {"factor": brief(times), "beyond": str(wanted), "limit": limit}
    raise Meaningless(fill("papers.penalty.factor", **numbers))


def _crossing(
    own: Callable[[Fraction], Fraction], penalty: Callable[[float], float], delta: Fraction
) -> tuple[Fraction, Fraction]:
    """The last float at which the p of the proof is above g(x) + x, and g there."""

    def value(x: float) -> Fraction:
        found = as_fraction(float(penalty(x)))
        if found is None or found < 0:
            raise OutOfRange("penalty", float(penalty(x)), str(FINITE))
        return found

    low, high = 0.0, float(delta)
    for _ in range(STEPS):
        middle = math.sqrt(low) * math.sqrt(high) if low else high * 1e-3
        if not low < middle < high:
            middle = (low + high) / 2.0
        if not low < middle < high:
            break
        if own(Fraction(middle)) > value(middle) + Fraction(middle):
            low = middle
        else:
            high = middle
    if low == 0.0:
        raise NotConverged("a delta where p = g(delta) + delta", (low, high))
    return Fraction(low), value(low)


def _below_half(delta: Any) -> Fraction:
    slack = chance("delta", delta)
    if not 0 < slack < Fraction(1, 2):
        raise OutOfRange("delta", delta, fill("errors.rational", inside="(0, 1/2)"))
    return slack


def _separation(
    name: str,
    place: str,
    kept: Growth,
    delta: Fraction,
    target: tuple[Growth, Fraction],
    count: int,
    p: Fraction,
) -> Separation:
    """The mechanism of Lemma 3.1, under the name of the theorem that chose its numbers."""
    keeps, breaks = Claim.at("adp", kept, delta), Claim.at("pdp", *target)
    q = (1 - p) / (count - 1)
    numbers: dict[str, Fraction | int] = {"n": count, "p": p, "q": q}
    lemma = name == "lemma-3-1"
    if not lemma:
        numbers |= {"delta": delta, "delta_hat": target[1]}
    key = "papers.says.lemma-3-1" if lemma else "papers.says.theorem"
    source = Theorem("P2", place, "approximate DP does not imply probabilistic DP")
    return Separation(
        name,
        english(key, keeps=keeps.name, breaks=breaks.name),
        LEMMA if lemma else source,
        on_numbers(count, p, q),
        (keeps,),
        (breaks,),
        parameters=numbers,
        note=_note(count),
    )


def on_numbers(count: int, p: Fraction, q: Fraction) -> FiniteMechanism:
    """The table on [n], or of two datasets where n is large."""
    if count > WHOLE:
        rows = [[p, q, 1 - p - q], [q, p, 1 - p - q]]
        return FiniteMechanism(rows, datasets=("1", "2"), outputs=("1", "2", "others"))
    labels = [str(n + 1) for n in range(count)]
    rows = [[p if n == m else q for m in range(count)] for n in range(count)]
    return FiniteMechanism(rows, datasets=labels, outputs=labels)


def _note(count: int) -> str:
    if count <= WHOLE:
        return ""
    size = str(count) if count < 10**12 else brief(Fraction(count))
    return (
        f"The full table on [n] has n = {size} rows and columns, so it is not written "
        "out. Any two datasets look alike: two of them stand for all. The other n - 2 "
        "outputs are equally likely on both, so they are merged into one."
    )
