"""Mechanisms, pairs of distributions and what they add up to, with the truth about the losses."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from random import Random
from typing import Protocol

from flint import arb, fmpq

from sweep.asking import QUESTIONS, Drawn
from sweep.drawing import count, losses, spread
from sweep.truth.balls import ONE, ZERO, Judge, between, exact, largest
from sweep.truth.curves import Worst, judge, raw_judge
from sweep.truth.pairs import Atom, Atoms, convolved, merged, on_lattice, response, revealing
from sweep.truth.promises import Normal
from sweep.truth.sums import Laplaces, Normals, Sampled, Smooth, Spread
from sweep.truth.truncated import Truncated

__all__ = [
    "LOSSES",
    "SampledOnce",
    "answers",
    "composed",
    "drawn",
    "geometric_of",
    "response_of",
    "stated_of",
]

PROCESSED = tuple(name for name in QUESTIONS if not name.endswith("raw"))
RELATIONS = ("add-remove", "replace-one")


class Direction(Protocol):
    """One ordered pair of neighbors."""

    def delta(self, e: arb) -> arb: ...
    def power(self, x: arb) -> arb: ...
    def top(self) -> arb: ...
    def beyond(self, t: arb, strict: bool = True) -> tuple[arb, arb]: ...


def answers(directions: Sequence[Direction], symmetric: bool, own: bool = True):
    """Judges for a loss that is known: both orders of the pair count."""
    worst = Worst(directions)
    turned = [directions[0], directions[0]] if len(directions) == 1 else directions

    def one(t: arb) -> arb:
        return largest([each.beyond(t)[0] for each in directions])

    def both(t: arb) -> arb:
        """P[Z > t] + P[Z < -t], and P[Z < -t] is Q'[Z' > t] of the reverse pair."""
        if symmetric:
            found = directions[0].beyond(t)
            return found[0] + found[1]
        pairs = [(turned[i], turned[i ^ 1]) for i in range(len(turned))]
        return largest([a.beyond(t)[0] + b.beyond(t)[1] for a, b in pairs])

    def of(question: str, x: float | arb) -> Judge | None:
        if question.endswith("raw"):
            return raw_judge(one, both, question, exact(x)) if own else None
        found = judge(worst, question, exact(x), mirrored=symmetric)
        return _as_written(found) if found and not own and question == "delta" else found

    return of


def _as_written(found: Judge) -> Judge:
    """What stated promises reveal adds up as their decimals do: up to half a unit lower."""
    return Judge(lambda value: found.above(value + abs(value) * arb(2) ** -53), found.below)


def drawn(
    code: str,
    kind: str,
    who: str,
    directions: Sequence[Direction],
    symmetric: bool,
    size: float,
    most: float,
    *,
    marks: Sequence[float] = (),
    number: int = 8,
    own: bool = True,
    points: Callable[[str], list[float]] | None = None,
) -> Drawn:
    asked = tuple(QUESTIONS) if own else PROCESSED
    of = answers(directions, symmetric, own)
    worst = Worst(directions)
    return Drawn(
        code, kind, who, of, size or 1.0, most, marks, number, asked, points, worst, directions
    )


def composed(parts: Sequence[tuple[str, int]]) -> str:
    codes = ", ".join(code for code, _ in parts)
    return f"compose([{codes}], {[k for _, k in parts]}).guarantee"


# --- finitely many outcomes ----------------------------------------------------------------------


def response_of(rng: Random, who: str) -> tuple[str, list[Atom], float]:
    e = rng.choice((spread(rng, 1e-3, 20.0), spread(rng, 1e-9, 100.0)))
    k = 2 if rng.random() < 0.7 else rng.choice((3, 4, 10, 1000))
    more = "" if k == 2 else f", categories={k}"
    return f"RandomizedResponse({e!r}{more}, neighbors={who!r}).loss()", response(arb(e), k), e


def geometric_of(rng: Random, who: str) -> tuple[str, list[Atom], float]:
    scale, k = spread(rng, 0.05, 50.0), rng.choice((1, 1, 2, 3, 7))
    a = (-1 / arb(scale)).exp()
    inner = (1 - a) / (1 + a)
    atoms = []
    for j in range(k + 1):
        mass = a**j / (1 + a) if j in (0, k) else a**j * inner
        other = a ** (k - j) / (1 + a) if j in (0, k) else a ** (k - j) * inner
        atoms.append((mass, other))
    return f"Geometric({scale!r}, {k}, neighbors={who!r}).loss()", atoms, k / scale


def released_of(rng: Random, who: str) -> tuple[str, list[Atom], float]:
    n = round(spread(rng, 2, 1e6))
    m = rng.randint(1, n - 1)
    share = arb(fmpq(m, n))
    code = f"SampleRelease({m}, {n}, neighbors={who!r}).loss()"
    if who == "replace-one":
        return code, [(share, ZERO), (ZERO, share), (1 - share, 1 - share)], 0.0
    return code, [(share, ZERO), (1 - share, ONE)], 0.0


def pair_of(rng: Random, who: str, size: int = 0) -> tuple[str, list[Atom], float]:
    """Dyadic probabilities, so that they add up to one without rounding; some are zero."""
    size = size or rng.choice((2, 2, 3, 4, 6))
    bits = rng.choice((6, 12, 40))
    p, q = _dyadic(rng, size, bits), _dyadic(rng, size, bits)
    atoms = [(arb(a), arb(b)) for a, b in zip(p, q, strict=True)]
    finite = [abs(math.log(a / b)) for a, b in zip(p, q, strict=True) if a and b]
    code = f"PairOfDistributions({p!r}, {q!r}, neighbors={who!r}).loss()"
    return code, atoms, max(finite, default=1.0)


def _dyadic(rng: Random, size: int, bits: int) -> list[float]:
    whole = 2**bits
    if rng.random() < 0.5:
        cuts = sorted(rng.randint(0, whole) for _ in range(size - 1))
    else:
        cuts = sorted(min(round(spread(rng, 1, whole)), whole) for _ in range(size - 1))
    found = [(b - a) / whole for a, b in pairwise([0, *cuts, whole])]
    rng.shuffle(found)
    return found


def stated_of(rng: Random, who: str) -> tuple[str, list[Atom], float]:
    """Pure or approximate DP, read as the losses that dominate it."""
    e = spread(rng, 1e-3, 8.0)
    d = spread(rng, 1e-12, 0.2) if rng.random() < 0.6 else 0.0
    code = (
        f"ApproxDP({e!r}, {d!r}, neighbors={who!r})" if d else f"PureDP({e!r}, neighbors={who!r})"
    )
    return code, revealing(arb(d), response(arb(e))), e


FINITE = (response_of, geometric_of, released_of, pair_of, stated_of)


def single(rng: Random) -> Drawn:
    """One run."""
    who = rng.choice(RELATIONS)
    make = rng.choice(FINITE[:-1])
    code, atoms, most = make(rng, who)
    return _finite(code, make, who, [atoms], most)


def _finite(
    code: str,
    make: Callable,
    who: str,
    all_atoms: Sequence[Sequence[Atom]],
    most: float,
    name: str = "",
) -> Drawn:
    """Each list of atoms is one orientation of the parts; the worst of all, both ways round."""
    directions: list[Atoms] = []
    for atoms in all_atoms:
        forward = Atoms(atoms)
        directions += [forward, forward.turned]
    symmetric = make in (response_of, geometric_of, stated_of)
    if make is released_of and who == "replace-one":
        symmetric = True
    kind = name or f"{make.__name__.removesuffix('_of')}"
    own = make is not stated_of and "DP(" not in code
    shown = directions[:1] if symmetric else directions
    marks = [float(p) for p in directions[0].sum_p[:6]] + [
        float(q) for q in directions[0].sum_q[1:6]
    ]
    middle = directions[0].losses
    size = float(abs(middle[len(middle) // 3]).mid()) if middle else 1.0
    return drawn(
        code,
        f"PrivacyLoss: {kind}",
        who,
        shown,
        symmetric,
        size or most,
        most,
        marks=marks,
        own=own,
    )


def repeated(rng: Random) -> Drawn:
    """One mechanism, again and again."""
    who = rng.choice(RELATIONS)
    make = rng.choice((response_of, geometric_of, pair_of, stated_of, released_of))
    code, atoms, most = make(rng, who, 2) if make is pair_of else make(rng, who)
    k = min(count(rng, 3000.0 if len(atoms) == 2 else 300.0), round(6000 / len(atoms)))
    if make is stated_of or make is released_of or (make is response_of and len(atoms) == 3):
        atoms = _by_hand(atoms, k)
    else:
        atoms = on_lattice(atoms, k)
    whole = composed([(code, k)])
    return _finite(whole, make, who, [atoms], most * k, f"{make.__name__.removesuffix('_of')} x k")


def _by_hand(atoms: Sequence[Atom], k: int) -> list[Atom]:
    """What is certain is taken out and put back; the rest is on a lattice."""
    core = [(p, q) for p, q in atoms if p != 0 and q != 0]
    if len(core) == 3:  # k-ary response: e, -e and 0 between them
        core = [core[0], core[2], core[1]]
    found = on_lattice(core, k) if len(core) > 1 else [(core[0][0] ** k, core[0][1] ** k)]
    kept_p, kept_q = sum((p for p, _ in core), ZERO) ** k, sum((q for _, q in core), ZERO) ** k
    revealed = any(q == 0 for _, q in atoms)
    hidden = any(p == 0 for p, _ in atoms)
    if revealed:
        found.append((1 - kept_p, ZERO))
    if hidden:
        found.append((ZERO, 1 - kept_q))
    return found


def mixed(rng: Random) -> Drawn:
    """Several different ones, each a few times; under replace-one either may lie either way."""
    who = rng.choice(RELATIONS)
    number = rng.choice((2, 2, 3))
    made = [
        rng.choice((response_of, geometric_of, pair_of, stated_of))(rng, who) for _ in range(number)
    ]
    parts, lists, most, total = [], [], 0.0, 1
    for code, atoms, each in made:
        k = rng.choice((1, 1, 2, 3)) if len(atoms) < 4 else 1
        together = _by_hand_or_convolved(atoms, k)
        if total * len(together) > 4000:
            continue
        total *= len(together)
        parts.append((code, k))
        lists.append(together)
        most += k * each
    turnable = [i for i, one in enumerate(lists) if not _mirrored(one)]
    orientations = []
    for flips in product(
        (False, True), repeat=max(len(turnable) - 1, 0) if who == "replace-one" else 0
    ):
        flipped = {turnable[i + 1] for i, flip in enumerate(flips) if flip}
        groups = [[(q, p) for p, q in one] if i in flipped else one for i, one in enumerate(lists)]
        orientations.append(convolved(groups))
    symmetric = not turnable
    make = response_of if symmetric else pair_of
    return _finite(composed(parts), make, who, orientations, most, "mixed")


def at_own_delta(rng: Random) -> Drawn:
    """Promises in eighths and 64ths, asked where only what is revealed is left."""
    who, parts, lists, most, none = rng.choice(RELATIONS), [], [], 0.0, Fraction(1)
    for _ in range(rng.choice((1, 2, 2, 3))):
        e, d, k = rng.randint(1, 16) / 8.0, rng.choice((0, 1, 1, 7)) / 64.0, rng.choice((1, 1, 2))
        parts.append((f"ApproxDP({e!r}, {d!r}, neighbors={who!r})", k))
        lists.append(_by_hand_or_convolved(revealing(arb(d), response(arb(e))), k))
        most, none = most + k * e, none * (1 - Fraction(d)) ** k
    own, found = float(1 - none), _finite(composed(parts), stated_of, who, [convolved(lists)], most)

    def of(question: str, x: float | arb) -> Judge | None:
        if question == "epsilon" and x == own:
            return between(arb(most))
        return between(arb(own)) if question == "delta" and x >= most else found.judge(question, x)

    def points(question: str) -> list[float]:
        near = most if question.startswith(("delta", "tail")) else own
        return [near, near, math.nextafter(near, 0.0), math.nextafter(near, 1e9)]

    return replace(found, judge=of, points=points, kind="PrivacyLoss: own delta")


def _by_hand_or_convolved(atoms: Sequence[Atom], k: int) -> list[Atom]:
    found = convolved([atoms] * k)
    keys = [tuple(sorted(one)) for one in product(range(len(atoms)), repeat=k)]
    return merged(found, keys)


def _mirrored(atoms: Sequence[Atom]) -> bool:
    """Whether the reverse pair is the same: every outcome has its mirror image."""
    return all(any(p.overlaps(b) and q.overlaps(a) for a, b in atoms) for p, q in atoms)


# --- densities -----------------------------------------------------------------------------------


def gaussians(rng: Random) -> Drawn:
    """Normal noise, once or very often."""
    who = rng.choice(RELATIONS)
    parts, square = [], ZERO
    for _ in range(rng.choice((1, 1, 2))):
        sigma, sensitivity = spread(rng, 0.05, 1e4), spread(rng, 0.1, 10.0)
        k = count(rng, 1e9)
        ratio = sensitivity / sigma  # the package divides first: the rounding counts
        if not 1e-7 < ratio * math.sqrt(k) < 30.0:
            k = 1
        parts.append((f"Gaussian({sigma!r}, {sensitivity!r}, neighbors={who!r}).loss()", k))
        square += k * (arb(sensitivity) / arb(sigma)) ** 2
    mu = square.sqrt()
    size = float(mu.mid()) * (1 + float(mu.mid()))
    return drawn(composed(parts), "PrivacyLoss: Gaussian", who, [Normal(mu)], True, size, math.inf)


def truncated(rng: Random) -> Drawn:
    """Laplace noise that never exceeds a bound, once."""
    who, scale, sensitivity = rng.choice(RELATIONS), spread(rng, 0.2, 30.0), spread(rng, 0.1, 10.0)
    bound = min(sensitivity * spread(rng, 0.6, 30.0), 600.0 * scale)
    truth = Truncated(arb(sensitivity) / arb(scale), arb(bound) / arb(scale))
    code = f"TruncatedLaplace({scale!r}, {sensitivity!r}, {bound!r}, neighbors={who!r}).loss()"
    most = sensitivity / scale
    kind = "PrivacyLoss: truncated Laplace"
    marks = (float(truth.revealed.mid()),)
    return drawn(code, kind, who, [truth], True, most, most, marks=marks, number=5)


def laplaces(rng: Random) -> Drawn:
    """Laplace noise of one or two widths, up to a dozen times."""
    who = rng.choice(RELATIONS)
    parts, kinds, most = [], [], 0.0
    for _ in range(rng.choice((1, 1, 2))):
        scale, sensitivity = spread(rng, 0.2, 30.0), rng.choice((1.0, spread(rng, 0.1, 10.0)))
        k = rng.choice((1, 1, 2, 3, 5, 8, 10))
        c = arb(sensitivity) / arb(scale)
        parts.append((f"Laplace({scale!r}, {sensitivity!r}, neighbors={who!r}).loss()", k))
        kinds.append((c, k))
        most += k * float(c)
    if len(kinds) == 2 and kinds[0][1] * kinds[1][1] > 12:
        parts, kinds = parts[:1], kinds[:1]
        most = kinds[0][1] * float(kinds[0][0])
    truth = _Ended(Laplaces(kinds), most * 1.01, sum((k * c for c, k in kinds), ZERO), kinds)
    size = float(kinds[0][0]) * math.sqrt(sum(k for _, k in kinds))
    return drawn(composed(parts), "PrivacyLoss: Laplace", who, [truth], True, size, most, number=5)


class _Ended(Smooth):
    """Sums of Laplace losses: probability sits on both ends, and inside where there are few."""

    def __init__(
        self, total: Laplaces, reach: float, top: arb, kinds: Sequence[tuple[arb, int]]
    ) -> None:
        super().__init__(total, ZERO, reach, top)
        self.places = [ZERO]
        for c, k in kinds:
            self.places = [z + (k - 2 * j) * c for z in self.places for j in range(k + 1)]

    def beyond(self, t: arb, strict: bool = True) -> tuple[arb, arb]:
        """A hull where probability may sit at t."""
        for place in self.places:
            if place.overlaps(t) or abs(place - t) < arb("1e-60"):
                low, high = (
                    super(_Ended, self).beyond(t + d) for d in (arb("1e-50"), arb("-1e-50"))
                )
                return low[0].union(high[0]), low[1].union(high[1])
        if t < -self._top:
            return ONE, ONE
        return super().beyond(t)


def beside_normal(rng: Random) -> Drawn:
    """Something finite beside normal noise."""
    who = rng.choice(RELATIONS)
    sigma = spread(rng, 0.2, 20.0)
    make = rng.choice((response_of, geometric_of, pair_of, stated_of))
    code, atoms, most = make(rng, who)
    atoms = atoms[:8] if make is not pair_of else atoms
    truth = [_beside(atoms, arb(1) / arb(sigma))]
    symmetric = make is not pair_of
    if not symmetric:
        truth.append(_beside([(q, p) for p, q in atoms], arb(1) / arb(sigma)))
    whole = composed([(code, 1), (f"Gaussian({sigma!r}, 1.0, neighbors={who!r}).loss()", 1)])
    own = make is not stated_of
    size = most + 1 / sigma
    return drawn(
        whole,
        "PrivacyLoss: with a Gaussian",
        who,
        truth,
        symmetric,
        size,
        math.inf,
        number=5,
        own=own,
    )


def _beside(atoms: Sequence[Atom], mu: arb) -> Smooth:
    total = Spread(atoms, Normals(mu))
    return Smooth(total, total.revealed, 2000.0)


def discrete(rng: Random) -> Drawn:
    """Discrete Gaussian noise, a few times."""
    who = rng.choice(RELATIONS)
    sigma, step = spread(rng, 0.2, 8.0), rng.choice((1, 1, 2, 5))
    k = rng.choice((1, 1, 1, 2, 3, 5))
    atoms = on_lattice(_integers(sigma, step), k)
    code = composed([(f"DiscreteGaussian({sigma!r}, {step}, neighbors={who!r}).loss()", k)])
    size = math.sqrt(k) * step / sigma * (1 + step / sigma)
    truth = Atoms(atoms, endless=True)
    return drawn(
        code, "PrivacyLoss: discrete Gaussian", who, [truth], True, size, 1e9 * size, number=6
    )


def beside_discrete(rng: Random) -> Drawn:
    """Something finite beside discrete Gaussian noise, mostly on no lattice with it."""
    who = rng.choice(RELATIONS)
    sigma, step = spread(rng, 2.0, 15.0), rng.choice((1, 1, 2, 5))
    k = rng.choice((1, 1, 2, 3))
    make = rng.choice((response_of, geometric_of, pair_of, stated_of))
    code, atoms, most = make(rng, who)
    if len(atoms) <= 3 and rng.random() < 0.1:  # so many points that lines take their place
        sigma, step, k = spread(rng, 450.0, 900.0), 1, 1
    noise = on_lattice(_integers(sigma, step), k)
    truth = [Atoms(convolved([noise, atoms]), endless=True)]
    symmetric = make is not pair_of
    if not symmetric:
        truth.append(Atoms(convolved([noise, [(q, p) for p, q in atoms]]), endless=True))
    whole = composed(
        [(code, 1), (f"DiscreteGaussian({sigma!r}, {step}, neighbors={who!r}).loss()", k)]
    )
    size = most + math.sqrt(k) * step / sigma * (1 + step / sigma)
    return drawn(
        whole,
        "PrivacyLoss: with a discrete Gaussian",
        who,
        truth,
        symmetric,
        size,
        1e9 * size,
        number=6,
        own=make is not stated_of,
    )


def _integers(sigma: float, step: int) -> list[Atom]:
    """Outcomes in order, as far as their probability is above 1e-420."""
    v = arb(sigma) ** 2 * 2
    reach = math.ceil(sigma * 45.0) + step
    weights = {j: (-arb(j * j) / v).exp() for j in range(-reach - step, reach + step + 1)}
    size = sum(weights.values(), ZERO)
    return [(weights[j] / size, weights[j - step] / size) for j in range(-reach, reach + 1)]


def sampled(rng: Random) -> Drawn:
    """A Gaussian on a Poisson sample: in closed form once, by contours several times."""
    who = "add-remove"
    sigma = rng.choice((spread(rng, 0.5, 5.0), 1.0))
    rate = spread(rng, 1e-4, 0.9)
    k = 1 if rng.random() < 0.5 else 15 + count(rng, 3000.0)
    mu = 1.0 / sigma
    code = composed(
        [(f"SubsampledGaussian({sigma!r}, 1.0, {rate!r}, neighbors={who!r}).loss()", k)]
    )
    if k == 1:
        code = f"SubsampledGaussian({sigma!r}, 1.0, {rate!r}, neighbors={who!r}).loss()"
        ways = [
            Smooth(SampledOnce(arb(sigma), arb(rate), turned), ZERO, 400.0)
            for turned in (False, True)
        ]
        ways[1]._top = -(1 - arb(rate)).log()
    else:
        ways = [Smooth(Sampled(mu, rate, k, turned), ZERO, 60.0) for turned in (False, True)]
    size = rate * math.sqrt(k) * max(math.expm1(min(mu * mu, 5.0)), 1e-3) ** 0.5
    kind = "PrivacyLoss: subsampled Gaussian" + ("" if k == 1 else " x k")

    def points(question: str) -> list[float]:
        if question.startswith(("delta", "tail")):
            return losses(rng, 3, size, 5 * size)
        return [rng.choice((spread(rng, 1e-12, 0.9), rng.random())) for _ in range(3)]

    found = drawn(code, kind, who, ways, False, size, 5 * size, number=4, points=points)
    if k > 1:
        found.questions = ("delta", "epsilon", "power", "level")
    return found


class SampledOnce:
    """One run; losses grow with the outcome. P = (1 - rate) N(0) + rate N(1), or reversed."""

    def __init__(self, sigma: arb, rate: arb, turned: bool) -> None:
        from tests.oracles.make_composed_subsampled import Subsampled

        self.inner = Subsampled(sigma, rate, 1, turned)

    def at(self, t: arb) -> tuple[arb, arb]:
        delta, q = self.inner.once(t)
        return delta.nonnegative_part(), q


LOSSES = {
    "sums at their own delta": at_own_delta,
    "one finite mechanism": single,
    "finite x k": repeated,
    "finite, mixed": mixed,
    "Gaussian x k": gaussians,
    "Laplace x k": laplaces,
    "truncated Laplace": truncated,
    "finite and Gaussian": beside_normal,
    "discrete Gaussian": discrete,
    "finite and discrete Gaussian": beside_discrete,
    "subsampled Gaussian": sampled,
}
