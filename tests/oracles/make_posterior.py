"""What a bounded loss does to a belief (P0 Theorems 3.1 to 3.5), from Bayes' rule.

Run: python -m tests.oracles.make_posterior
"""

from __future__ import annotations

from mpmath import exp, mpf, sqrt

from tests.oracles.writing import condition, write

LOSSES = (0.0, 1e-8, 1e-3, 0.81, 2.0, 30.0, 700.0, 800.0)
PRIORS = (0.0, 1e-300, 1e-12, 0.01, 0.27, 0.5, 0.9, 1 - 1e-12, 1.0)
ROWS = [
    (p, e, d, f)
    for p in (0.0, 1e-12, 0.1, 0.5, 1 - 1e-12, 1.0)
    for e in (0.0, 1e-8, 0.1, 1.8, 12.0, 30.0, 36.0, 50.0, 700.0)
    for d, f in (
        (0.0, 0.0),
        (0.0, 0.3),
        (1e-300, 1e-12),
        (1e-9, 0.01),
        (1e-5, 1.1e-5),
        (0.2, 0.9),
        (0.3, 0.2),
        (0.1, 0.1),
    )
]


def posterior(p, z):
    """Bayes: the odds are multiplied by e^z."""
    return p * exp(z) / (p * exp(z) + 1 - p)


def ratio(p, z):
    return exp(z) / (p * exp(z) + 1 - p)


def ratio_not(p, z):
    return 1 / (p * exp(z) + 1 - p)


def difference(p, z):
    return posterior(p, z) - p


def worst_difference(p, z):
    """At the prior 1 / (1 + e^(z/2)); p is not used."""
    return difference(1 / (1 + sqrt(exp(z))), z)


METRICS = posterior, ratio, ratio_not, difference, worst_difference


def rows():
    for e in LOSSES:
        for p in PRIORS:
            for f in METRICS:
                ends = [f(mpf(p), mpf(z)) for z in (e, -e)]
                if all(v == 0 or 1e-290 < abs(v) < mpf(10) ** 305 for v in ends):
                    worst = max(condition(f, (p, z)) for z in (e, -e))
                    yield e, p, f.__name__, min(ends), max(ends), worst


def further(e, d, f):
    """e^epsilon' of P0 Theorem 3.9, or none."""
    if d == 0:
        return exp(e)
    return (f * exp(e) + d) / (f - d) if f > d else None


def of_row(p, e, d, f):
    """Lower and upper posterior, ratio, difference; everything is possible without a bound."""
    growth = further(e, d, f)
    if growth is None:
        one = mpf(1)
        return (p if p == 1 else mpf(0)), (p if p == 0 else one), (1 / p if p else mpf("inf")), one
    up = growth / (p * growth + 1 - p)
    root = sqrt(growth)
    return p / (p + (1 - p) * growth), p * up, up, (root - 1) / (root + 1)


def tables():
    for row in ROWS:
        low, high, up, gap = of_row(*map(mpf, row))
        worst = max(condition(lambda *a, i=i: of_row(*a)[i], row) for i in range(4))
        yield *row, low, high, up, gap, worst


if __name__ == "__main__":
    write("posterior", ("loss", "prior", "metric", "lower", "upper", "condition"), rows())
    names = ("posterior_lower", "posterior_upper", "ratio_upper", "difference_upper")
    write("rows", ("prior", "epsilon", "delta", "failure", *names, "condition"), tables())
