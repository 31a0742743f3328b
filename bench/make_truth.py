"""Write truth.csv: the numbers that every side of the comparisons is held against.

Nothing of dprisk enters: closed forms, finite sums and contour integrals at 50 digits in mpmath
(``python -m bench.make_truth``; a few minutes).
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import mpmath as mp

from bench.questions import (
    CENSUS_EPSILONS,
    CENSUS_LEVELS,
    COUNTS,
    DELTAS,
    EPSILON0,
    GAUSSIAN,
    INTEGER,
    LAPLACE,
    OPTIMAL_COUNTS,
    OPTIMAL_DELTA,
    PAIR_COUNT,
    RESPONSE,
    SMALL_COUNT,
    SMALL_DELTAS,
    SMALL_SIGMA,
    census_sigmas,
    pair,
)

mp.mp.dps = 50
TRUTH = Path(__file__).with_name("truth.csv")
DIGITS = 25
Profile = Callable[[Any], Any]
Row = tuple[str, str, str, str]


def main() -> None:
    """All rows, or those of the workloads named on the command line; the others stay."""
    workloads: dict[str, Callable[[], Iterator[Row]]] = {
        "laplace": partial(many_times, "laplace", laplace),
        "gaussian": partial(many_times, "gaussian", gaussian),
        "discrete Gaussian": partial(many_times, "discrete Gaussian", integer),
        "randomized response": partial(many_times, "randomized response", response),
        "optimal": optimal,
        "small delta": small_delta,
        "pair": unstructured,
        "census": census,
    }
    wanted = sys.argv[1:] or list(workloads)
    rows: dict[str, list[Row]] = {name: [] for name in workloads}
    if TRUTH.exists():
        with TRUTH.open(newline="", encoding="utf-8") as file:
            for line in list(csv.reader(file))[1:]:
                rows[line[0]].append((line[0], line[1], line[2], line[3]))
    for name in wanted:
        rows[name] = []
        for row in workloads[name]():
            rows[name].append(row)
            print(*row, flush=True)
    with TRUTH.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(("workload", "at", "asked", "answer"))
        out.writerows(row for name in workloads for row in rows[name])


def many_times(name: str, make: Callable[[int], Profile]) -> Iterator[Row]:
    """epsilon of one mechanism many times."""
    for count in COUNTS:
        profile = make(count)
        for delta in DELTAS:
            yield name, str(count), repr(delta), written(inverse(profile, delta))


def optimal() -> Iterator[Row]:
    """epsilon of the optimal composition theorem."""
    for count in OPTIMAL_COUNTS:
        profile = two_points(count, mp.mpf(EPSILON0))
        answer = inverse(profile, OPTIMAL_DELTA)
        yield "optimal", str(count), repr(OPTIMAL_DELTA), written(answer)


def small_delta() -> Iterator[Row]:
    """epsilon of Gaussian DP with mu = 1."""
    profile = normal(mp.sqrt(SMALL_COUNT) / SMALL_SIGMA)
    for delta in SMALL_DELTAS:
        yield "small delta", str(SMALL_COUNT), repr(delta), written(inverse(profile, delta))


def unstructured() -> Iterator[Row]:
    """epsilon of two distributions without structure."""
    profile = any_pair(PAIR_COUNT)
    for delta in DELTAS:
        yield "pair", str(PAIR_COUNT), repr(delta), written(inverse(profile, delta))


def written(x: Any) -> str:
    """With enough digits to tell neighboring doubles apart."""
    return str(mp.nstr(x, DIGITS, strip_zeros=False))


def inverse(profile: Profile, delta: float) -> Any:
    """epsilon by the Illinois method on log delta."""
    target = mp.log(mp.mpf(delta))

    def off(x: Any) -> Any:
        value = profile(x)
        return mp.log(value) - target if value > 0 else mp.mpf(-10000)

    low, high = mp.mpf(0), mp.mpf(1) / 64
    while off(high) > 0:
        low, high = high, 2 * high
    a, b, side = off(low), off(high), 0
    for turn in range(200):
        x = (low + high) / 2 if turn < 4 else (a * high - b * low) / (a - b)
        value = off(x)
        if value > 0:
            low, a, b, side = x, value, b / 2 if side > 0 else b, 1
        else:
            high, b, a, side = x, value, a / 2 if side < 0 else a, -1
        if abs(value) < mp.mpf(10) ** -30 or high - low < mp.mpf(10) ** -27 * high:
            return x
    raise ArithmeticError("no convergence")


# --- closed forms and sums --------------------------------------------------------------------


def gaussian(count: int) -> Profile:
    """The normal loss with mu = sqrt(k) / sigma."""
    return normal(mp.sqrt(count) / mp.mpf(GAUSSIAN))


def normal(mu: Any) -> Profile:
    """Two normal distributions mu standard deviations apart."""
    return lambda x: mp.ncdf(mu / 2 - x / mu) - mp.exp(x) * mp.ncdf(-mu / 2 - x / mu)


def integer(count: int) -> Profile:
    """Sum over the integers: k discrete Gaussians add up to one with k sigma^2.

    Not exactly, but the characteristic functions differ by a factor 1 + 2 k e^(-pi^2 sigma^2) at
    most: 10^-1708 for sigma = 20. Where terms are many, they are summed under the integral, whose
    integrand vanishes long before one period is over.
    """
    if count > 10_000:
        return many_equal_integers(count)
    variance = mp.mpf(INTEGER) ** 2
    whole = mp.sqrt(2 * mp.pi * count * variance)

    def delta(x: Any) -> Any:
        n = int(mp.floor(x * variance - mp.mpf(count) / 2)) + 1
        # weights e^(-n^2 / 2 k v) and losses (2 n + k) / (2 v), both by recurrence
        weight = mp.exp(-(mp.mpf(n) ** 2) / (2 * count * variance))
        down = mp.exp(-mp.mpf(2 * n + 1) / (2 * count * variance))
        again = mp.exp(-1 / (count * variance))
        lost, step = mp.exp(x - mp.mpf(2 * n + count) / (2 * variance)), mp.exp(-1 / variance)
        total, most = mp.mpf(0), mp.mpf(0)
        while True:
            term = weight * (1 - lost)
            total, most = total + term, max(most, term)
            if term < most * mp.mpf(10) ** -45:
                return total / whole
            weight, down, lost = weight * down, down * again, lost * step

    return delta


def many_equal_integers(count: int) -> Profile:
    """The same, summed under the integral."""
    variance = mp.mpf(INTEGER) ** 2

    def log_moment(s: Any) -> Any:
        return count * s * (s + 1) / (2 * variance)

    def kernel(s: Any, x: Any) -> Any:
        n = mp.floor(x * variance - mp.mpf(count) / 2) + 1
        gap = (2 * n + count) / (2 * variance) - x
        under_p = 1 / (1 - mp.exp(-s / variance))
        under_q = 1 / (1 - mp.exp(-(s + 1) / variance))
        return mp.exp(-s * gap) * (under_p - mp.exp(-gap) * under_q) / variance

    return contour(log_moment, kernel)


def response(count: int) -> Profile:
    """k-fold binary randomized response."""
    return two_points(count, mp.mpf(RESPONSE))


def two_points(count: int, epsilon: Any) -> Profile:
    """Losses epsilon and -epsilon with odds e^epsilon."""
    right = 1 / (1 + mp.exp(-epsilon))
    odds = mp.exp(-epsilon)

    def delta(x: Any) -> Any:
        last = int(mp.ceil((count - x / epsilon) / 2)) - 1  # the largest m with a loss above x
        if last < 0:
            return mp.mpf(0)
        log_weight = mp.loggamma(count + 1) - mp.loggamma(last + 1) - mp.loggamma(count - last + 1)
        weight = mp.exp(log_weight + last * mp.log(1 - right) + (count - last) * mp.log(right))
        lost, step = mp.exp(x - (count - 2 * last) * epsilon), mp.exp(-2 * epsilon)
        total, most = mp.mpf(0), mp.mpf(0)
        for m in range(last, -1, -1):
            term = weight * (1 - lost)
            total, most = total + term, max(most, term)
            if term < most * mp.mpf(10) ** -45:
                break
            weight, lost = weight * m / ((count - m + 1) * odds), lost * step
        return total

    return delta


def laplace(count: int) -> Profile:
    """Few of them in closed form, many by the contour: their atoms weigh less than 10^-21."""
    c = 1 / mp.mpf(LAPLACE)
    if count <= 100:
        return laplace_in_closed_form(count, c)

    def log_moment(s: Any) -> Any:
        u = s + mp.mpf(1) / 2
        return count * (-c / 2 + mp.log(mp.cosh(u * c) + mp.sinh(u * c) / (2 * u)))

    return contour(log_moment)


def laplace_in_closed_form(count: int, c: Any) -> Profile:
    """M^k is a sum of terms e^(u b) / u^j; each has an inverse Laplace transform as a series."""
    terms: dict[tuple[int, int], Fraction] = {}
    for j in range(count + 1):
        powers = [Fraction(1)]
        for i in range(count):  # (E + 1/E) / 2 or (E - 1/E) / 4 once more; powers of E^-2
            scale, sign = (Fraction(1, 4), -1) if i < j else (Fraction(1, 2), 1)
            longer = [*powers, Fraction(0)]
            for r, value in enumerate(powers):
                longer[r + 1] += sign * value
            powers = [scale * value for value in longer]
        for r, value in enumerate(powers):
            terms[j, r] = value * int(mp.binomial(count, j))

    def delta(x: Any) -> Any:
        total = mp.mpf(0)
        for (j, r), factor in terms.items():
            y = (count - 2 * r) * c - x
            if y > 0 and factor:
                total += mp.mpf(factor.numerator) / factor.denominator * series(j, y)
        return mp.exp(x / 2 - count * c / 2) * total

    return delta


def series(j: int, y: Any) -> Any:
    """Inverse Laplace transform of 1 / (u^j (u^2 - 1/4)) at y > 0."""
    term = y ** (j + 1) / mp.factorial(j + 1)
    total, n = mp.mpf(0), 0
    while term > mp.mpf(10) ** -60 * max(total, mp.mpf(10) ** -40):
        total += term
        n += 1
        term *= y * y / (4 * (j + 2 * n) * (j + 2 * n + 1))
    return total


# --- contour integrals ------------------------------------------------------------------------


def above(s: Any, x: Any) -> Any:
    """What makes M(s) e^(-s x) the integrand of delta."""
    return 1 / (s * (s + 1))


def under_q(s: Any, x: Any) -> Any:
    """What makes it that of Q[Z > x]."""
    return mp.exp(-x) / (s + 1)


def contour(log_moment: Profile, kernel: Callable[[Any, Any], Any] = above) -> Profile:
    """Integral of M(s) e^(-s x) times a kernel on the line through the saddle point."""

    @lru_cache(maxsize=200_000)
    def logarithm(s: Any) -> Any:
        return log_moment(s)

    def at(x: Any) -> Any:
        theta = saddle(logarithm, x)
        curve = mp.re(mp.diff(logarithm, theta, 2, h=mp.mpf(10) ** -12))
        step = 2 * mp.pi * min(theta / 70, 1 / mp.sqrt(140 * curve))
        return line(logarithm, x, theta, step, kernel)

    return at


def saddle(logarithm: Profile, x: Any) -> Any:
    """Where log M(s) - s x is least, to a few digits: halvings on a rounded grid."""
    low, high = mp.mpf(2) ** -8, mp.mpf(2) ** 12
    for _ in range(14):
        middle = mp.sqrt(low * high)
        slope = mp.re(mp.diff(logarithm, middle, h=mp.mpf(10) ** -15)) - 1 / middle
        low, high = (middle, high) if slope < x else (low, middle)
    return mp.mpf(mp.nstr(mp.sqrt(low * high), 2))


def line(logarithm: Profile, x: Any, theta: Any, step: Any, kernel: Callable[..., Any]) -> Any:
    """The trapezoid rule until nothing more comes."""
    total, largest, quiet, n = mp.mpf(0), mp.mpf(0), 0, 0
    while quiet < 60:
        s = mp.mpc(theta, n * step)
        value = mp.exp(logarithm(s) - s * x) * kernel(s, x)
        total += mp.re(value) * (1 if n else mp.mpf(1) / 2)
        size = abs(value)
        largest = max(largest, size)
        quiet = quiet + 1 if size < largest * mp.mpf(10) ** -40 else 0
        n += 1
    return total * step / mp.pi


def any_pair(count: int) -> Profile:
    """Two distributions with no structure: after a short way their moment is nowhere large."""
    p, q = ([mp.mpf(value) for value in each.tolist()] for each in pair())
    p, q = ([value / sum(each) for value in each] for each in (p, q))
    losses = [mp.log(a / b) for a, b in zip(p, q, strict=True)]

    def log_moment(s: Any) -> Any:
        return count * mp.log(mp.fsum(a * mp.exp(s * z) for a, z in zip(p, losses, strict=True)))

    return contour(log_moment)


# --- the 2020 Census --------------------------------------------------------------------------


def census() -> Iterator[Row]:
    """delta at a few epsilons, power at a few levels."""
    log_moment = many_integers([1 / mp.mpf(sigma) ** 2 for sigma in census_sigmas()])
    delta, level_at = contour(log_moment), contour(log_moment, under_q)
    for epsilon in CENSUS_EPSILONS:
        yield "census", "delta", repr(epsilon), written(delta(mp.mpf(epsilon)))
    for level in CENSUS_LEVELS:
        x = inverse(level_at, level)
        power = delta(x) + mp.exp(x) * mp.mpf(level)  # least there: its derivative vanishes
        yield "census", "power", repr(level), written(power)


def many_integers(shares: Sequence[Any]) -> Profile:
    """Each share rho: two cells with sigma^2 = 1 / rho, whose moments have theta functions."""
    counts = Counter(shares)
    weights = []
    for share in counts:
        some = [mp.exp(-2 * mp.pi**2 * m * m / share) for m in range(1, 9)]
        weights.append([w for w in some if w > mp.mpf(10) ** -60])

    def log_moment(s: Any) -> Any:
        total = mp.mpc(0)
        waves = [mp.cos(2 * mp.pi * m * s) for m in range(1, 9)]
        for (share, times), some in zip(counts.items(), weights, strict=True):
            seen = 1 + 2 * mp.fsum(w * c for w, c in zip(some, waves, strict=False))
            cell = share / 2 * s * (s + 1) + mp.log(seen / (1 + 2 * mp.fsum(some)))
            total += 2 * times * cell
        return total

    return log_moment


if __name__ == "__main__":
    main()
