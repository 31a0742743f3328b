"""What is asked of every library: the parameters of the composition workloads."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

# --- one mechanism many times -----------------------------------------------------------------

LAPLACE, GAUSSIAN, INTEGER, RESPONSE = 10.0, 50.0, 20.0, 0.1  # scale, sigma, sigma, epsilon
COUNTS = (10, 1_000, 10_000, 100_000, 1_000_000)
DELTAS = (1e-5, 1e-10, 1e-15)

# --- optimal composition ----------------------------------------------------------------------

EPSILON0, OPTIMAL_DELTA = 0.05, 1e-6
OPTIMAL_COUNTS = (10, 100, 1_000, 10_000, 100_000, 1_000_000)

# --- small delta: Gaussian DP with mu = 1 -----------------------------------------------------

SMALL_COUNT, SMALL_SIGMA = 10_000, 100.0
SMALL_DELTAS = tuple(float(f"1e-{power}") for power in range(2, 31))

# --- two distributions without structure ------------------------------------------------------

PAIR_COUNT, OUTCOMES = 200, 400


def pair() -> tuple[Floats, Floats]:
    """Probabilities of the same outcomes under P and under Q; the losses lie on no lattice."""
    random = np.random.default_rng(7)
    q = random.dirichlet(np.full(OUTCOMES, 3.0))
    p = q * np.exp(random.normal(0.0, 0.1, OUTCOMES))
    return p / p.sum(), q


# --- the 2020 Census: P1, Tables 3 to 5 -------------------------------------------------------

PERSONS, HOUSING = Fraction(256, 100), Fraction(7, 100)
LEVELS = {  # US, state, county, tract, block group, block
    "persons": "104/4099 1440/4099 447/4099 687/4099 1256/4099 165/4099",
    "housing": "1/205 1/205 7/82 364/1025 1759/4100 99/820",
}
QUERIES = (
    "0 3773/4097 3126/4097 1567/4102 1705/4099 5/4097",  # TOTAL, which is exact for the US
    "52/4097 6/4097 10/4097 4/2051 3/4099 9/4097",  # CENRACE
    "26/4097 6/4097 10/4097 5/4102 3/4099 5/4097",  # HISPANIC
    "26/4097 6/4097 10/4097 5/4102 3/4099 5/4097",  # VOTINGAGE
    "26/4097 6/4097 10/4097 5/4102 3/4099 5/4097",  # HHINSTLEVELS
    "26/4097 6/4097 10/4097 5/4102 3/4099 5/4097",  # HHGQ
    "130/4097 12/4097 28/4097 1933/4102 1055/4099 21/4097",  # HISPANIC x CENRACE
    "130/4097 12/4097 28/4097 10/2051 9/4099 21/4097",  # VOTINGAGE x CENRACE
    "26/4097 6/4097 10/4097 5/4102 3/4099 5/4097",  # VOTINGAGE x HISPANIC
    "26/241 2/241 101/4097 67/4102 24/4099 71/4097",  # VOTINGAGE x HISPANIC x CENRACE
    "189/241 230/4097 754/4097 241/2051 1288/4099 3945/4097",  # HHGQ x all of these
)

CENSUS_CURVE = tuple(np.linspace(0.0, 25.0, 200).tolist())
CENSUS_EPSILONS = CENSUS_CURVE[::20]
LEVEL_GRID = tuple(np.logspace(-9, -0.01, 1000).tolist())
CENSUS_LEVELS = LEVEL_GRID[::100]


def census_shares() -> list[Fraction]:
    """rho of each query at each geographic level: 71 of the 72 entries; the last one is zero."""
    persons, housing = ([Fraction(x) for x in LEVELS[kind].split()] for kind in LEVELS)
    shares = [
        PERSONS * level * Fraction(share)
        for row in QUERIES
        for level, share in zip(persons, row.split(), strict=True)
    ]
    shares += [HOUSING * level for level in housing]
    if sum(shares) != PERSONS + HOUSING:
        raise ArithmeticError(f"the shares add up to {float(sum(shares))}")
    return [share for share in shares if share]


@cache
def census_sigmas() -> list[float]:
    """Two cells each: sigma^2 = 1 / rho."""
    return [float(1 / share) ** 0.5 for share in census_shares()]
