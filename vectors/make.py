"""Make the known answers: ``python -m vectors.make`` writes them all into ``vectors/known``.

Nothing here imports dprisk. Inputs are decimals that doubles hold exactly.
"""

from __future__ import annotations

import json
import sys
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from flint import acb, arb
from mpmath import mp, mpf

from sweep.truth.curves import Worst
from sweep.truth.orders import Orders
from sweep.truth.pairs import Atoms, convolved, merged, on_lattice, response, revealing
from sweep.truth.promises import Doubled, Normal
from sweep.truth.sums import Laplaces, Smooth
from vectors import certificate, second
from vectors.asking import Family, Pair, known

BITS = 400
HERE = Path(__file__).parent / "known"
ADD = {"neighbors": "add-remove"}


def asks(what: str, **given: str) -> list[dict[str, str]]:
    """A question at each of some points: ``asks("delta", epsilon="0 0.5 1")``."""
    (at, points), *others = given.items()
    return [{"what": what, at: point, **dict(others)} for point in points.split()]


def beliefs(priors: str, failures: str) -> list[dict[str, str]]:
    """What is believed at most, for each prior and each chance that the bound fails."""
    return [
        {"what": what, "prior": prior, "failure": failure}
        for what in ("posterior", "ratio", "difference")
        for prior in priors.split()
        for failure in failures.split()
    ]


EPSILONS = "0 0.0625 0.25 0.5 1 2 4"
DELTAS = " ".join(format(Decimal(2.0**-k), "g") for k in (2, 7, 20, 34, 100))
LEVELS = "0.0009765625 0.0625 0.25 0.5 0.9375"
TESTS = [
    *asks("delta", epsilon=EPSILONS),
    *asks("epsilon", delta=DELTAS),
    *asks("power", level=LEVELS),
    *asks("level", power="0.0625 0.5 0.875"),
    *asks("tail", loss="0.25 1", sides="one"),
    *asks("tail", loss="0.25 1", sides="both"),
    *asks("loss", failure="0.0078125 9.5367431640625e-07", sides="one"),
    *asks("loss", failure="0.0078125 9.5367431640625e-07", sides="both"),
    *beliefs("0 0.0009765625 0.125 0.5 0.875 1", "0.0078125"),
]
COINS = [
    *asks("delta", epsilon="0.25 1 2"),
    *asks("power", level=LEVELS),
    *asks("level", power="0.0625 0.5 0.875"),
    *asks("tail", loss="0.25 1", sides="one"),
    *asks("loss", failure="0.0078125 9.5367431640625e-07", sides="one"),
]
SUMS = [*asks("delta", epsilon="0 0.25 1 2.5"), *asks("epsilon", delta=DELTAS)]


def ran(kind: str, count: int = 1, **parameters: str) -> dict[str, Any]:
    """A release of one mechanism."""
    return {**ADD, "mechanisms": [{"kind": kind, **parameters, "count": count}]}


# --- noise ----------------------------------------------------------------------------------------


def gaussian() -> Family:
    """mu = sensitivity / sigma times the root of the count, all of them exact."""
    cases = []
    for sigma, sensitivity, count in (
        *(("1", "1", 1), ("2", "1", 1), ("0.5", "1", 1), ("4", "1", 16), ("8", "0.5", 4)),
        *(("2", "3", 4), ("16", "1", 64), ("64", "1", 1)),
    ):
        mu = mpf(sensitivity) / mpf(sigma) * mp.sqrt(count)
        pair = Pair(Normal(arb(float(mu))), second.Normals(mu))
        flags = ("underflow",) if mu < 0.1 else ("composition",) if count > 1 else ()
        release = ran("gaussian", count, sigma=sigma, sensitivity=sensitivity)
        cases.append((release, pair, flags))
    ways = ("normal distribution function in balls", "integral of the densities")
    return Family("gaussian", "Balle and Wang 2018, Theorem 8; P1, Section 5.2", ways, cases, TESTS)


def readings() -> Family:
    """DP-SGD on full batches: what the noise multiplier is over, and who is a neighbor."""
    cases = []
    for noise, steps, neighbors, relative, mu in (
        *(("2", 1, "add-remove", None, 0.5), ("4", 16, "add-remove", None, 1.0)),
        *(("2", 1, "replace-one", "clipping-norm", 1.0), ("2", 1, "replace-one", "distance", 0.5)),
        *(
            ("8", 16, "replace-one", "clipping-norm", 1.0),
            ("8", 4, "replace-one", "distance", 0.25),
        ),
    ):
        words = {"noise_multiplier": noise, "sampling": "full-batch", "steps": steps}
        if relative:
            words["noise_relative_to"] = relative
        release = {"neighbors": neighbors, "mechanisms": [{"kind": "dp-sgd", **words}]}
        flags = ("two readings of a noise multiplier", "doubled neighbors") if relative else ()
        cases.append((release, Pair(Normal(arb(mu)), second.Normals(mpf(mu))), flags))
    ways = ("normal distribution function in balls", "integral of the densities")
    return Family("dp-sgd", "Balle and Wang 2018, Theorem 8", ways, cases, SUMS)


def laplace() -> Family:
    cases = []
    for scale, sensitivity in (("1", "1"), ("2", "1"), ("0.5", "1"), ("16", "1"), ("4", "3")):
        mu = float(sensitivity) / float(scale)
        pair = Pair(Doubled(arb(mu)), second.Laplaces(mpf(mu)))
        cases.append((ran("laplace", scale=scale, sensitivity=sensitivity), pair, ()))
    ways = ("the curve of two Laplace distributions in balls", "its density, piece by piece")
    return Family("laplace", "P1, Table 1; Dong and others 2022, Appendix", ways, cases, TESTS)


def laplaces() -> Family:
    """Sums of Laplace losses, which have atoms and densities."""
    cases = []
    for scale, count in (("1", 2), ("2", 2), ("8", 2), ("2", 3), ("0.5", 2), ("16", 3)):
        mu = 1 / float(scale)
        first = Smooth(Laplaces([(arb(mu), count)]), top=count * arb(mu))
        pair = Pair(first, second.Laplaces(mpf(mu), count))
        cases.append((ran("laplace", count, scale=scale, sensitivity="1"), pair, ("composition",)))
    ways = ("residues of the moments in balls", "the loss of one run, integrated over the others")
    return Family("laplace-composed", "dprisk, Proposition 1", ways, cases, SUMS)


def geometric() -> Family:
    cases = []
    for scale, moved, count in (("1", 1, 1), ("2", 1, 1), ("4", 2, 1), ("2", 1, 4), ("0.5", 3, 1)):
        a = (-1 / arb(float(scale))).exp()
        atoms = _geometric(a, moved)
        first = Atoms(on_lattice(atoms, count) if moved == 1 else convolved([atoms] * count))
        p, q = zip(*_geometric(mp.exp(-1 / mpf(scale)), moved), strict=True)
        release = ran("geometric", count, scale=scale, sensitivity=str(moved))
        flags = ("lattice off the grid", *(("composition",) if count > 1 else ()))
        cases.append((release, Pair(first, second.Outcomes(p, q, count)), flags))
    ways = ("sums over outcomes in balls", "every sequence of outcomes by itself")
    return Family("geometric", "Ghosh and others 2012", ways, cases, TESTS)


def _geometric(a: Any, moved: int) -> list[tuple[Any, Any]]:
    """What lies before 0 is one outcome, and so is what lies beyond the move."""
    inner = (1 - a) / (1 + a)
    ends = lambda j: j in (0, moved)  # noqa: E731
    return [
        tuple(a**k / (1 + a) if ends(j) else a**k * inner for k in (j, moved - j))
        for j in range(moved + 1)
    ]


def discrete_gaussian() -> Family:
    cases = []
    for sigma, moved in (("1", 1), ("2", 1), ("4", 3), ("0.5", 1), ("8", 1)):
        reach = int(60 * float(sigma)) + 10
        spread = 2 * arb(float(sigma)) ** 2
        weights = {
            k: (-arb(k * k) / spread).exp() for k in range(-reach - moved, reach + moved + 1)
        }
        whole = sum(weights.values(), arb(0))
        places = range(-reach, reach + moved + 1)
        atoms = [(weights[k - moved] / whole, weights[k] / whole) for k in places if k in weights]
        of = partial(_weight, mpf(sigma))
        pair = Pair(Atoms(atoms, endless=True), second.Integers(of, moved, reach))
        release = ran("discrete-gaussian", sigma=sigma, sensitivity=str(moved))
        cases.append((release, pair, ("lattice off the grid",)))
    ways = ("sums over integers in balls", "the same sums at 60 digits, without merging")
    return Family("discrete-gaussian", "Canonne, Kamath and Steinke 2020", ways, cases, TESTS)


def _weight(sigma: mpf, k: int) -> mpf:
    return mp.exp(-mpf(k * k) / (2 * sigma * sigma))


def randomized_response() -> Family:
    cases = []
    for epsilon, categories, count in (
        *(("1", 2, 1), ("0.5", 2, 1), ("2", 3, 1), ("4", 16, 1), ("0.25", 2, 8), ("1", 2, 5)),
        *(("0.03125", 2, 10), ("0.5", 3, 4)),
    ):
        one = response(arb(float(epsilon)), categories)
        first = Atoms(on_lattice(one, count) if categories == 2 else convolved([one] * count))
        e = mpf(epsilon)
        truth, other = mp.exp(e) / (mp.exp(e) + categories - 1), 1 / (mp.exp(e) + categories - 1)
        p, q = [truth, other], [other, truth]
        if categories > 2:
            p, q = [*p, (categories - 2) * other], [*q, (categories - 2) * other]
        release = ran("randomized-response", count, epsilon=epsilon, categories=str(categories))
        pair = Pair(first, second.Outcomes(p, q, count))
        cases.append((release, pair, ("composition",) if count > 1 else ()))
    ways = ("binomial sums in balls", "every sequence of answers by itself")
    return Family("randomized-response", "Kairouz, Oh and Viswanath 2017", ways, cases, TESTS)


# --- several parts --------------------------------------------------------------------------------


def _part(kind: str, count: int, **given: str) -> Any:
    return certificate.Part(kind, count, {name: Fraction(text) for name, text in given.items()})


def _arb(x: Fraction) -> arb:
    return arb(x.numerator) / arb(x.denominator)


class _Closed:
    """A sum in closed form, by the program that checks certificates."""

    def __init__(self, parts: list[dict[str, Any]]) -> None:
        self.release = certificate.Release([_part(**each) for each in parts])

    def delta(self, e: arb) -> arb:
        if not e.is_finite():
            return _arb(self.release.revealed)
        certificate.Ball.bits = BITS
        mantissa, exponent = e.mid().man_exp()
        found = self.release.finite(Fraction(int(mantissa)) * Fraction(2) ** int(exponent))
        return arb(found.mid, found.rad) / arb(2) ** BITS + _arb(self.release.revealed)

    def top(self) -> arb:
        return arb.pos_inf() if self.release.variance else _arb(self.release.top)


def several() -> Family:
    """Different noise in one release, in two orders: the truth is the same."""
    cases = []
    laplace = {"kind": "laplace", "scale": "2", "sensitivity": "1"}
    wider = {"kind": "laplace", "scale": "8", "sensitivity": "3"}
    normal = {"kind": "gaussian", "sigma": "2", "sensitivity": "1"}
    coin = {"kind": "randomized-response", "epsilon": "0.5", "categories": "2"}
    steps = {"kind": "geometric", "scale": "4", "sensitivity": "2"}
    half, rate = mpf("0.5"), mp.exp(mpf("-0.25"))
    answers = [(1 / (1 + mp.exp(-half)), 1 / (1 + mp.exp(half)))]
    answers.append(answers[0][::-1])
    noise = _geometric(rate, 2)
    for parts, other in (
        ([laplace, normal], second.Several([], [half], half)),
        ([laplace, wider], second.Several([], [half, mpf("0.375")])),
        ([coin, normal], second.Several([answers], [], half)),
        ([coin, laplace], second.Several([answers], [half])),
        ([steps, normal], second.Several([noise], [], half)),
        ([coin, steps, laplace], second.Several([answers, noise], [half])),
        ([steps, wider, normal], second.Several([noise], [mpf("0.375")], half)),
    ):
        once = [{**each, "count": 1} for each in parts]
        pair = Pair(_Closed(once), other)
        flags = ("composition", "order of parts")
        cases += [({**ADD, "mechanisms": some}, pair, flags) for some in (once, once[::-1])]
    ways = ("residues in balls of whole numbers", "densities, integrated over the other parts")
    return Family("several", "dprisk, Proposition 33", ways, cases, SUMS)


# --- samples --------------------------------------------------------------------------------------


def _both(make: Any, *given: Any) -> list[Any]:
    """Both orders of a pair."""
    return [make(*given, turned) for turned in (False, True)]


class _Mixed:
    """P moved by a share of one pair of densities, and the reverse: by how the ratio rises."""

    def __init__(self, tail: Any, ratio_at: Any, rate: arb, moved: arb, turned: bool) -> None:
        self.tail, self.ratio_at = tail, ratio_at
        self.rate, self.moved, self.turned = rate, moved, turned

    def delta(self, e: arb) -> Any:
        share = ((-e if self.turned else e).exp() - 1 + self.rate) / self.rate
        cut = self.ratio_at(share)
        if cut is None:
            return arb(0)
        if self.turned:
            below, moved_below = 1 - self.tail(cut), 1 - self.tail(cut - self.moved)
            mixed = self.rate * moved_below + (1 - self.rate) * below
            return (below - e.exp() * mixed).nonnegative_part()
        above = self.tail(cut)
        mixed = self.rate * self.tail(cut - self.moved) + (1 - self.rate) * above
        return (mixed - e.exp() * above).nonnegative_part()

    def top(self) -> arb:
        return arb.pos_inf()


def subsampled_gaussian() -> Family:
    cases = []
    for sigma, rate in (("1", "0.5"), ("1", "0.0078125"), ("0.5", "0.125"), ("2", "0.25")):
        mu, share = 1 / arb(float(sigma)), arb(float(rate))
        tail = lambda x: (x / arb(2).sqrt()).erfc() / 2  # noqa: E731
        at = lambda r, m=mu: None if not r > 0 else r.log() / m + m / 2  # noqa: E731
        first = Worst(_both(_Mixed, tail, at, share, mu))
        pair = _sampled(first, mp.npdf, mpf(1) / mpf(sigma), rate)
        release = ran("subsampled-gaussian", sigma=sigma, sensitivity="1", rate=rate)
        cases.append((release, pair, ("asymmetric pair",)))
    ways = ("normal distribution function in balls", "integral of the larger density's lead")
    return Family("subsampled-gaussian", "Zhu, Dong and Wang 2022", ways, cases, SUMS)


def capped() -> Family:
    """Batches of c of n records: one more pushes out another, and so moves the sum twice as far."""
    cases = []
    for sigma, cap, records in (("1", 1, 2), ("2", 1, 8), ("4", 64, 128), ("2", 1, 128)):
        mu, share = 2 / arb(float(sigma)), arb(cap) / records
        tail = lambda x: (x / arb(2).sqrt()).erfc() / 2  # noqa: E731
        at = lambda r, m=mu: None if not r > 0 else r.log() / m + m / 2  # noqa: E731
        first = Worst(_both(_Mixed, tail, at, share, mu))
        pair = _sampled(first, mp.npdf, mpf(2) / mpf(sigma), str(mpf(cap) / records))
        each = {"kind": "truncated-poisson", "sigma": sigma, "sensitivity": "1", "rate": "1"}
        counted = {"cap": cap, "records": records, "count": 1}
        release = {**ADD, "mechanisms": [{**each, **counted}]}
        cases.append((release, pair, ("asymmetric pair", "capped batches")))
    ways = ("normal distribution function in balls", "integral of the larger density's lead")
    return Family("capped-batches", "dprisk, Proposition 31", ways, cases, SUMS)


def subsampled_laplace() -> Family:
    cases = []
    for scale, rate in (("1", "0.5"), ("2", "0.0078125"), ("0.5", "0.125"), ("4", "0.25")):
        mu, share = 1 / arb(float(scale)), arb(float(rate))
        tail = lambda x: (-x).exp() / 2 if x > 0 else 1 - x.exp() / 2  # noqa: E731

        def at(r: arb, m: arb = mu) -> arb | None:
            inside = r > (-m).exp() and r < m.exp()
            return (r.log() + m) / 2 if inside else None

        first = Worst(_both(_Mixed, tail, at, share, mu))
        density = lambda x: mp.exp(-abs(x)) / 2  # noqa: E731
        pair = _sampled(first, density, mpf(1) / mpf(scale), rate)
        release = ran("subsampled-laplace", scale=scale, sensitivity="1", rate=rate)
        cases.append((release, pair, ("asymmetric pair",)))
    ways = ("the tails of a Laplace distribution in balls", "integral of the larger density's lead")
    return Family("subsampled-laplace", "Zhu, Dong and Wang 2022", ways, cases, SUMS)


class _Larger:
    """The second way of both orders of a pair."""

    def __init__(self, *sides: Any) -> None:
        self.sides = sides

    def delta(self, e: mpf) -> mpf:
        return max(side.delta(e) for side in self.sides)

    def power(self, x: mpf) -> mpf:
        return max(side.power(x) for side in self.sides)


def _sampled(first: Any, density: Any, moved: mpf, rate: str) -> Pair:
    sides = _both(second.Halves, density, moved, mpf(rate))
    return Pair(first, _Larger(*sides), symmetric=False)


class _OneOfTwo:
    """A rigorous integral over the first output; the second has a threshold."""

    def __init__(self, mu: arb, turned: bool) -> None:
        self.mu, self.turned = acb(mu), turned

    def delta(self, e: arb) -> arb:
        m, grown = self.mu, acb(e).exp()
        goal = 2 * (acb(-e if self.turned else e) + m * m / 2).exp()

        def tail(x: acb) -> acb:
            return (x / acb(2).sqrt()).erfc() / 2

        def inner(x: acb, analytic: bool) -> acb:
            """Over the second output, where the first says less than the goal."""
            own, moved = (m * x).exp(), (m * x - m * m / 2).exp()
            rest = goal - own
            cut = rest.log(analytic=analytic) / m
            density = (-x * x / 2).exp() / (2 * acb.pi()).sqrt()
            mixed_above = (moved * tail(cut) + tail(cut - m)) / 2
            if self.turned:
                mixed_below = (moved * tail(-cut) + tail(m - cut)) / 2
                return density * (tail(-cut) - grown * mixed_below)
            return density * (mixed_above - grown * tail(cut))

        end = goal.log().real / m.real
        far = acb(-40)
        found = acb.integral(inner, far, acb(end.lower()) - acb("1e-30"), abs_tol=arb("1e-32"))
        error = arb(0, 1e-28) + (-arb(760)).exp()
        if self.turned:
            return (found.real + error).nonnegative_part()
        beyond = (tail(acb(end) - m) + tail(acb(end))) / 2 - grown * tail(acb(end))
        return (found.real + beyond.real + error).nonnegative_part()

    def top(self) -> arb:
        return arb.pos_inf()


def random_allocation() -> Family:
    cases = []
    for sigma in ("1", "2", "0.5"):
        mu = 1 / float(sigma)
        first = Worst(_both(_OneOfTwo, arb(mu)))
        sides = _both(second.OneOfTwo, mpf(mu))
        release = ran("random-allocation", sigma=sigma, sensitivity="1", steps="2")
        pair = Pair(first, _Larger(*sides), symmetric=False)
        cases.append((release, pair, ("asymmetric pair", "sampling scheme")))
    ways = ("integral over the first output in balls", "integral along the sum of both outputs")
    asked = asks("delta", epsilon="0 0.25 0.5 1 2")
    return Family("random-allocation", "Feldman and Shenfeld 2025", ways, cases, asked)


# --- promises -------------------------------------------------------------------------------------


def promises() -> Family:
    """(epsilon, delta), alone and together: what randomized response with a leak reaches."""
    cases = []
    for epsilon, delta, count in (
        *(("1", "0", 1), ("0.5", "0", 1), ("8", "0", 1), ("1", "0.0009765625", 1)),
        *(("0.25", "0", 8), ("0.5", "0", 10), ("0.5", "0.0009765625", 4), ("2", "0.25", 1)),
        *(("0", "0.0625", 1), ("1", "9.5367431640625e-07", 6), ("0.0625", "0", 12)),
    ):
        one = revealing(arb(float(delta)), response(arb(float(epsilon))))
        many = convolved([one] * count) if count < 7 else None
        first = Atoms(_together(many) if many else on_lattice(response(arb(float(epsilon))), count))
        p, q = _leaking(epsilon, delta)
        release = {**ADD, "guarantees": [{"epsilon": epsilon, "delta": delta}], "releases": count}
        flags = (
            *(("composition",) if count > 1 else ()),
            *(("the sum's own delta",) if float(delta) else ()),
        )
        cases.append((release, Pair(first, second.Outcomes(p, q, count)), flags))
    ways = ("sums over merged outcomes in balls", "every sequence of outcomes by itself")
    theorem = "Kairouz, Oh and Viswanath 2017, Theorem 3.3; P1, Theorem 5.1"
    return Family("promises", theorem, ways, cases, TESTS)


def _leaking(epsilon: str, delta: str) -> tuple[list[mpf], list[mpf]]:
    """Randomized response that reveals everything with the chance delta."""
    e, d = mpf(epsilon), mpf(delta)
    truth, other = mp.exp(e) / (1 + mp.exp(e)), 1 / (1 + mp.exp(e))
    p, q = [d, 0, (1 - d) * truth, (1 - d) * other], [0, d, (1 - d) * other, (1 - d) * truth]
    known_ones = [k for k in range(4) if p[k] or q[k]]
    return [mpf(p[k]) for k in known_ones], [mpf(q[k]) for k in known_ones]


def renyi() -> Family:
    """One order says nothing below log(level) / (order - 1): the floor of a single order."""
    cases = []
    for alpha, gamma in (("2", "0.5"), ("8", "1"), ("16", "0.5"), ("1.5", "0.125")):
        a, g = mpf(alpha), mpf(gamma)
        first = Orders([float(alpha)], [float(gamma)])
        release = {**ADD, "guarantees": [{"alpha": alpha, "gamma": gamma}], "releases": 1}
        pair = Pair(first, second.Coins(g, mpf(0), a), symmetric=False)
        cases.append((release, pair, ("RDP's order floor",)))
    ways = ("coins that keep the limit, in balls", "the same coins by halving at 60 digits")
    return Family("renyi", "P1, Theorem 6.3", ways, cases, COINS)


def concentrated() -> Family:
    cases = []
    for rho in ("0.125", "0.5", "2", "0.0078125"):
        first = Orders(rho=float(rho))
        release = {**ADD, "guarantees": [{"rho": rho}], "releases": 1}
        pair = Pair(first, second.Coins(mpf(0), mpf(rho)), symmetric=False)
        cases.append((release, pair, ("RDP's order floor",)))
    ways = ("coins that keep all limits, in balls", "the same coins by halving at 60 digits")
    return Family("concentrated", "P1, Theorem 6.3; Bun and Steinke 2016", ways, cases, COINS[3:])


# --- chosen after results, and asked again --------------------------------------------------------


def filters() -> Family:
    """Whatever is chosen next, sums never pass a cap: all of it may be spent at once."""
    cases = []
    for rule, cap, delta in (
        *(("pure", "1", "0"), ("pure", "4", "0"), ("approximate", "0.5", "0.0009765625")),
        *(("approximate", "2", "9.5367431640625e-07"), ("gaussian", "1", "0")),
        *(("gaussian", "0.25", "0"), ("gaussian", "4", "0")),
    ):
        if rule == "gaussian":
            mu = mp.sqrt(mpf(cap))
            pair = Pair(Normal(arb(float(mu))), second.Normals(mu))
        else:
            one = revealing(arb(float(delta)), response(arb(float(cap))))
            pair = Pair(Atoms(one), second.Outcomes(*_leaking(cap, delta)))
        more = {"delta": delta} if delta != "0" else {}
        release = {**ADD, "filter": {"rule": rule, "cap": cap, **more}}
        cases.append((release, pair, ("adaptivity",)))
    ways = ("the whole cap in one release, in balls", "the same by sums and integrals")
    theorem = "Rogers and others 2016; Smith and Thakurta 2022; dprisk, Proposition 23"
    return Family("filter", theorem, ways, cases, TESTS)


def concentrated_filters() -> Family:
    cases = []
    for cap in ("0.25", "1"):
        pair = Pair(Orders(rho=float(cap)), second.Coins(mpf(0), mpf(cap)), symmetric=False)
        release = {**ADD, "filter": {"rule": "concentrated", "cap": cap}}
        cases.append((release, pair, ("adaptivity",)))
    ways = ("coins that keep all limits, in balls", "the same coins by halving at 60 digits")
    theorem = "Feldman and Zrnic 2021; dprisk, Proposition 23; P1, Theorem 6.3"
    return Family("filter-concentrated", theorem, ways, cases, COINS[3:])


Step = tuple[str, tuple[Any, Any]] | None


def _chosen(epsilon: str, true: Step = None, other: Step = None) -> Step:
    return epsilon, (true, other)


def _again(*epsilons: str) -> Step:
    """One after the other, whatever comes out."""
    after = _again(*epsilons[1:]) if len(epsilons) > 1 else None
    return epsilons[0], (after, after)


def _as_run(step: Step) -> dict[str, Any] | None:
    if step is None:
        return None
    epsilon, then = step
    words = {"kind": "randomized-response", "epsilon": epsilon, "categories": "2"}
    return {**words, "then": [_as_run(each) for each in then]}


def _paths(step: Step) -> list[Any]:
    """The chances of every sequence of answers."""
    if step is None:
        return [(arb(1), arb(1))]
    ways = zip(response(arb(float(step[0]))), step[1], strict=True)
    return [(p * a, q * b) for (p, q), each in ways for a, b in _paths(each)]


def _numbers(step: Step) -> Any:
    return None if step is None else (mpf(step[0]), [_numbers(each) for each in step[1]])


def chosen() -> Family:
    """What is run next depends on what was answered: more than any sequence fixed in advance."""
    cases = []
    for step in (
        _chosen("0.25", _again("2"), _again(*4 * ["0.75"])),
        _chosen("0.25", _again(*4 * ["0.75"]), _again("2")),
        _chosen("0.5", _again("2"), _again(*3 * ["1"])),
        _chosen("1", _again("2"), _again(*4 * ["1"])),
        _chosen("0.25", _again("3"), _again(*4 * ["1"])),
        _chosen("0.5", None, _again("1")),
        _chosen("0.125", _again("1.5"), _chosen("0.5", _again("1"), _again(*3 * ["0.5"]))),
    ):
        one = Atoms(_paths(step))
        sides = _both(second.Chosen, _numbers(step))
        pair = Pair(Worst([one, one.turned]), _Larger(*sides), symmetric=False)
        flags = ("adaptivity", "asymmetric pair", "composition")
        cases.append(({**ADD, "adaptive": _as_run(step)}, pair, flags))
    ways = ("every sequence of answers in balls", "from the first answer on, by what is left of ε")
    asked = [*asks("delta", epsilon=f"{EPSILONS} 1.375 1.75 2.125 2.75"), *SUMS[4:]]
    asked += asks("power", level=LEVELS)
    return Family("chosen-later", "dprisk, Proposition 25", ways, cases, asked)


def in_turn() -> Family:
    """One object, asked forwards and backwards: each answer is the same."""
    cases = []
    for family, place in (
        *((gaussian, 3), (laplaces, 0), (geometric, 3), (randomized_response, 5)),
        *((several, 12), (subsampled_gaussian, 0), (promises, 6)),
    ):
        release, pair, flags = family().cases[place]
        cases.append((release, pair, (*flags, "order of questions")))
    ways = ("those of the family of each release, in balls", "those of this family at 60 digits")
    asked = [
        *(*asks("delta", epsilon="2.5"), *asks("epsilon", delta="0.0078125")),
        *(*asks("delta", epsilon="0.25"), *asks("epsilon", delta=DELTAS.split()[3])),
        *(*asks("delta", epsilon="0 1"), *asks("epsilon", delta="0.25")),
    ]
    theorem = "those of the families gaussian, laplace-composed, geometric and others"
    return Family("in-turn", theorem, ways, cases, asked, in_turn=True)


def _together(atoms: list[Any]) -> list[Any]:
    """Outcomes of equal ratio as one."""
    key = [
        (p / q).log().mid().str(40, radius=False) if p != 0 and q != 0 else str(p == 0)
        for p, q in atoms
    ]
    return merged(atoms, key)


FAMILIES = (
    *(gaussian, readings, laplace, laplaces, geometric, discrete_gaussian, randomized_response),
    *(several, capped),
    *(subsampled_gaussian, subsampled_laplace, random_allocation, promises, renyi, concentrated),
    *(filters, concentrated_filters, chosen, in_turn),
)


def written(family: Family) -> str:
    """A file: one vector a line."""
    lines = ",\n  ".join(json.dumps(each, sort_keys=False) for each in known(family))
    head = {"vectors": 1, "family": family.name, "theorem": family.theorem, "ways": family.ways}
    opening = json.dumps(head)[:-1]
    return f'{opening}, "known": [\n  {lines}\n]}}\n'


def main() -> None:
    """Write every family, or those that are named."""
    for make in FAMILIES:
        family = make()
        if len(sys.argv) == 1 or family.name in sys.argv[1:]:
            text = written(family)
            (HERE / f"{family.name}.json").write_text(text, encoding="utf-8")
            print(f"{family.name}: {len(json.loads(text)['known'])}")


if __name__ == "__main__":
    main()
