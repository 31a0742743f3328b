"""delta of a Gaussian on a Poisson sample, many times: a contour integral (python -m, minutes).

With F(a) = E[r(x)^a], x normal, r = 1 - rate + rate e^((2 x sigma - 1) / (2 sigma^2)), delta(x) is
the integral of F(1 + s)^count e^(-s x) / (s (s + 1)) over a vertical line, over 2 pi i; F(-s) when
the record is added. Both integrals by the trapezoidal rule, in complex numbers of 256 bits; with
other steps and another line, 15 digits must stay the same.
"""

from __future__ import annotations

import math

from flint import acb, arb, ctx  # type: ignore[import-not-found]

from tests.oracles.writing import HERE

CASES = [
    (4.0, 0.5, 100, (5.5,), 2.0),
    (2.0, 0.1, 100, (0.5, 2.3), 4.0),
    (1.0, 0.01, 10000, (3.0, 6.2), 2.0),
    (1.0, 1e-3, 1000, (0.05, 0.1855164), 5.0),
    (0.8, 1e-3, 5000, (0.7,), 4.0),
    (1.0, 1e-4, 10000, (0.001, 0.038), 5.0),
]
FAR = [  # sigma, rate, count, epsilon, whether the record is added
    (1.0, 0.1, 2, 48.485, False),
    (1.0, 0.1, 3, 50.0, False),
    (1.0, 0.01, 9, 70.0, False),
    (1.0, 0.1, 10, 95.0, False),
    (0.5, 0.01, 12, 200.0, False),
    (2.0, 0.3, 20, 60.0, False),
    (4.0, 0.5, 33, 36.0, False),
    (1.0, 0.05, 50, 120.0, False),
    (1.0, 0.1, 100, 150.0, False),
    (0.25, 0.01, 3, 180.0, False),
]
HEADER = "sigma,rate,count,world,epsilon,delta\n"


def means(sigma, rate, powers, step):
    """F at each power."""
    mu, found = 1 / arb(sigma), []
    last = max(float(each.real) for each in powers) * float(mu) + 15.0
    nodes = []
    for i in range(int(-15.0 / step), int(last / step) + 1):
        x = i * arb(step)
        r = 1 + arb(rate) * ((mu * x - mu * mu / 2).exp() - 1)
        weight = (-(x * x) / 2).exp() * arb(step) / (2 * arb.pi()).sqrt()
        nodes.append((acb(weight.mid()), acb(r.log().mid())))
    for a in powers:
        total = acb(0)
        for weight, z in nodes:
            total += weight * (a * z).exp()
        found.append(total)
    return found


def deltas(sigma, rate, count, epsilons, added, theta, step, gap):
    """By nodes `gap` apart on the line through theta, until they have fallen by 1e-24."""
    total, n, first = [acb(0) for _ in epsilons], 0, arb(0)
    while True:
        s = [acb(theta, arb(gap) * (n + i)) for i in range(64)]
        found = means(sigma, rate, [-each if added else 1 + each for each in s], step)
        least = arb(0)
        for i, (each, f) in enumerate(zip(s, found, strict=True)):
            power = (f**count).mid() / (each * (each + 1))
            least = abs(power)
            first = first if n + i else least
            weight = arb(gap) / arb.pi() * (arb(0.5) if n + i == 0 else 1)
            total = [
                t + weight * power * (-each * e).exp() for t, e in zip(total, epsilons, strict=True)
            ]
        n += 64
        if least < 1e-24 * first:
            return [t.real.mid() for t in total]


def saddle(sigma, rate, count, epsilon, added):
    """About where the integrand is least on the real axis, and its logarithm."""
    found = []
    for theta in (0.25 * 1.15**k for k in range(50)):
        (f,) = means(sigma, rate, [acb(-theta if added else 1 + theta)], 0.05)
        log = count * float(f.real.log().mid()) - theta * epsilon
        found.append((log - math.log(theta * (theta + 1.0)), theta))
    return min(found)


def far(sigma, rate, count, epsilon, added):
    """One delta, however small, from two lines."""
    log, theta = saddle(sigma, rate, count, epsilon, added)
    gap = math.pi * theta / (60.0 - log)
    asked = (sigma, rate, count, [arb(epsilon)], added)
    (one,) = deltas(*asked, theta, 0.03, gap)
    (two,) = deltas(*asked, theta * 0.95, 0.027, gap / 1.2)
    assert abs(float((one - two) / two)) < 1e-15, (asked, one, two)
    return two


def main() -> None:
    """Each case from two lines."""
    ctx.prec = 256
    with (HERE / "subsampled.csv").open("w") as file:
        file.write(HEADER)
        for sigma, rate, count, epsilons, theta in CASES:
            for added in (False, True):
                at = [arb(e) for e in epsilons]
                one = deltas(sigma, rate, count, at, added, theta, 0.008, min(theta / 14.0, 0.2))
                two = deltas(
                    sigma, rate, count, at, added, theta * 0.9, 0.007, min(theta / 17.0, 0.17)
                )
                for e, a, b in zip(epsilons, one, two, strict=True):
                    assert abs(float((a - b) / b)) < 1e-15, (sigma, rate, count, a, b)
                    world = "added" if added else "removed"
                    row = (sigma, rate, count, world, e, b.str(18, radius=False))
                    file.write(",".join(map(str, row)) + "\n")
                    print(*row, flush=True)
                    file.flush()
        for case in FAR:
            sigma, rate, count, e, added = case
            world = "added" if added else "removed"
            row = (sigma, rate, count, world, e, far(*case).str(18, radius=False))
            file.write(",".join(map(str, row)) + "\n")
            print(*row, flush=True)


if __name__ == "__main__":
    main()
