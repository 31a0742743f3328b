"""What a mechanism keeps: the promise that follows from its parameters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from random import Random

from flint import arb, fmpq

from sweep.asking import Drawn, guarded
from sweep.drawing import relation, spread
from sweep.holding import bound
from sweep.tally import Tally
from sweep.truth.balls import ONE, between, exact
from sweep.truth.pairs import Atoms
from sweep.zoo.promises import alike

__all__ = ["KEPT", "KEPT_DRAWN"]

Corner = tuple[Fraction, Fraction]


def table(rng: Random) -> Drawn:
    """Probabilities of many sizes, of which some are zero; two rows may be almost the same."""
    size, who = rng.choice((2, 2, 3, 5, 8)), relation(rng)
    p = _row([spread(rng, 1e-18, 1.0) * (rng.random() < 0.9) for _ in range(size - 1)])
    q = _row([spread(rng, 1e-18, 1.0) * (rng.random() < 0.9) for _ in range(size - 1)])
    if rng.random() < 0.3:
        off = spread(rng, 1e-12, 1e-2)
        q = _row([x * (1.0 + off * rng.uniform(-1.0, 1.0)) for x in p[:-1]])
    code = f"PairOfDistributions({p!r}, {q!r}, neighbors={who!r}).guarantee()"
    curve = Atoms(_most_telling(_exact(p), _exact(q)))
    finite = [abs(math.log(a) - math.log(b)) for a, b in zip(p, q, strict=True) if a and b]
    most = max(finite, default=1.0)
    return alike(code, "PairOfDistributions, promise", who, curve, max(most / 2, 1e-12), most)


def _row(some: Sequence[float]) -> list[float]:
    """With one that makes up for the rest; as floats they add up to one only nearly."""
    total = math.fsum(some)
    some = [x / (2.0 * total) for x in some] if total >= 1.0 else some
    return [*some, 1.0 - math.fsum(some)]


def _exact(row: Sequence[float]) -> list[Fraction]:
    whole = sum(map(Fraction, row))
    return [Fraction(x) / whole for x in row]


def _most_telling(p: Sequence[Fraction], q: Sequence[Fraction]) -> list[tuple[arb, arb]]:
    """The pair whose power curve is the least concave one above both directions' curves."""
    corners = sorted({*_corners(p, q), *_corners(q, p)})
    kept: list[Corner] = []
    for corner in corners:
        while kept and (
            kept[-1][0] == corner[0] or (len(kept) > 1 and _below(kept[-2], kept[-1], corner))
        ):
            kept.pop()
        kept.append(corner)
    if kept[0][1]:
        kept.insert(0, (Fraction(0), Fraction(0)))
    return [(_ball(d - b), _ball(c - a)) for (a, b), (c, d) in pairwise(kept)]


def _corners(p: Sequence[Fraction], q: Sequence[Fraction]) -> list[Corner]:
    there = [(b, a) for a, b in zip(p, q, strict=True) if a or b]
    there.sort(key=lambda one: one[0] / (one[0] + one[1]))
    return [
        (Fraction(0), Fraction(0)),
        *zip(accumulate(x for x, _ in there), accumulate(y for _, y in there), strict=True),
    ]


def _below(left: Corner, middle: Corner, right: Corner) -> bool:
    rise = (right[1] - left[1]) * (middle[0] - left[0])
    return (middle[1] - left[1]) * (right[0] - left[0]) <= rise


def _ball(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


def parameters(rng: Random, tally: Tally) -> None:
    """Each parameter that is promised, against its formula."""
    who, width, moved = relation(rng), spread(rng, 1e-2, 1e4), spread(rng, 1e-3, 1e3)
    steps, rate = rng.randint(1, 20), spread(rng, 1e-9, 1.0)
    wide, far, ratio = exact(width), exact(moved), exact(moved) / exact(width)
    cut = moved * spread(rng, 0.6, 10.0)
    told = {
        f"Laplace({width!r}, {moved!r}": {"epsilon": ratio},
        f"Geometric({width!r}, {steps}": {"epsilon": steps / wide},
        f"Gaussian({width!r}, {moved!r}": {"mu": ratio},
        f"DiscreteGaussian({width!r}, {steps}": {"rho": (steps / wide) ** 2 / 2},
        f"SampleRelease({steps}, {steps + 7}": {"delta": arb(fmpq(steps, steps + 7))},
    }
    if ratio < 1000:
        told[f"SubsampledLaplace({width!r}, {moved!r}, {rate!r}"] = {
            "epsilon": (exact(rate) * ratio.expm1()).log1p()
        }
    if cut < 600 * width and cut >= moved:
        top = far.min(2 * exact(cut) - far) / wide
        delta = ratio.expm1() / (exact(cut) / wide).expm1() / 2
        told[f"TruncatedLaplace({width!r}, {moved!r}, {cut!r}"] = {
            "epsilon": top,
            "delta": delta.min(ONE),
        }
    for code, values in told.items():
        relation_ = "add-remove" if code.startswith("Subsampled") else who
        made = f"{code}, neighbors={relation_!r}).guarantee().parameters"
        kind = code.partition("(")[0]
        found = guarded(tally, (f"{kind}, promise", "made", relation_), made)
        for name, value in values.items() if found else ():
            key = (f"{kind}, promise", name, relation_)
            bound(tally, key, f"{made}[{name!r}]", found[name], between(value))


KEPT = {"promised parameters": parameters}
KEPT_DRAWN = {"PairOfDistributions, promise": table}
