"""P1 on the 2020 Census: its tables and figures from the exact noise instead of simulation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Final, Literal

import numpy as np

from dprisk._checks import whole
from dprisk._numeric.logspace import Floats
from dprisk.allocation.exposure import ACCURACY, Exposure
from dprisk.allocation.files import census2020
from dprisk.curves import counterfactual_line, guarantee_line
from dprisk.curves.lines import Line
from dprisk.errors import InvalidInput, refused
from dprisk.guarantees.base import Guarantee
from dprisk.risk.counterfactual import Knowledge, counterfactual
from dprisk.theorems import Theorem

Kind = Literal["profile", "power", "known", "true", "any"]

FIGURES: Final[dict[int, tuple[Kind, str]]] = {
    1: ("profile", ""),
    2: ("power", ""),
    3: ("known", ""),
    4: ("true", ""),
    5: ("any", ""),
    6: ("power", "A"),
    7: ("known", "A"),
    8: ("true", "A"),
    9: ("any", "A"),
    10: ("power", "B"),
    11: ("true", "B"),
    12: ("power", "E"),
    13: ("true", "E"),
    14: ("power", "F"),
    15: ("true", "F"),
}
"""For each figure of P1 what it shows, and of which scenario; of the whole release where empty."""

TABLES: Final[dict[int, str]] = {2: "", 6: "A"}
"""For each table of powers in P1 its scenario."""

ADVERSARIES: Final[dict[str, Knowledge]] = {
    "profile": "true-record",
    "true": "true-record",
    "known": "rest-known",
    "any": "arbitrary-prior",
}
LEVELS: Final = (0.01, 0.05, 0.10)
FURTHEST: Final = 8.0  # standard deviations of the loss beyond its mean

KNOWN = Theorem("P1", "Theorem 7.4.1", "e^(-(epsilon + rho)^2 / (4 rho)), and e^-epsilon before")
ANY = Theorem("P1", "Theorem 7.4.2", "e^(-(epsilon - rho)^2 / (4 rho)), and 1 before")


def census_table(number: int, *, accuracy: float | None = ACCURACY) -> tuple[Line, ...]:
    """Table 2 or 6 of P1: powers at the levels .01, .05 and .10.

    Parameters
    ----------
    number : int
        2 (the whole release) or 6 (block within block group). [2, 6]
    accuracy : float, optional
        How wide brackets may be, in nats of epsilon; about 1e-9 if left out. [1e-13, 1]

    Returns
    -------
    tuple of Line
        Its columns: normal noise, discrete noise (exact, where P1 simulates), any mechanism.

    Examples
    --------
    >>> from dprisk.papers import census_table
    >>> [column.upper.round(2).tolist() for column in census_table(2)]
    [[0.49, 0.74, 0.84], [0.49, 0.74, 0.84], [0.7, 0.95, 0.96]]
    """
    if number not in TABLES:
        raise refused("errors.one-of", "number", number, choices=", ".join(map(str, TABLES)))
    return _three(exposure_of(TABLES[number]), _along("power", np.array(LEVELS)), accuracy)


def census_figure(
    number: int, *, points: int = 101, accuracy: float | None = ACCURACY
) -> tuple[Line, ...]:
    """The lines of a figure of P1, and what they are for the noise that was really added.

    Parameters
    ----------
    number : int
        Of the figure. [1, 15]
    points : int
        On each line. [2, 100000]
    accuracy : float, optional
        How wide brackets may be, in nats of epsilon; about 1e-9 if left out. [1e-13, 1]

    Returns
    -------
    tuple of Line
        For normal noise, for the discrete noise (in brackets), and for any mechanism with that rho,
        sharp and, where P1 draws a bound, as printed. Figures 12 to 15 are for the sums of the
        tables (1.379 and 0.612), not for the rho printed (1.32 and 0.555).

    References
    ----------
    .. [1] P1, Figures 1 to 15.

    Examples
    --------
    >>> from dprisk.papers import census_figure
    >>> [line.name for line in census_figure(4, points=5)]
    ['normal noise', 'discrete Gaussian noise', 'any mechanism']
    """
    if number not in FIGURES:
        raise InvalidInput("number", number, "a figure of Kifer et al. 2022 (P1), from 1 to 15")
    points = whole("points", points, 2, 100_000)
    kind, scenario = FIGURES[number]
    exposure = exposure_of(scenario)
    if kind == "power":
        return _three(exposure, _along("power", np.linspace(0.0, 1.0, points)), accuracy)
    rho = float(exposure.amount)
    epsilon = np.linspace(0.0, rho + FURTHEST * np.sqrt(2.0 * rho), points)
    learned = _three(exposure, _learned(kind, epsilon), accuracy)
    if kind == "profile":  # approximate DP, then pbdp; zCDP bounds the latter
        approximate = _three(exposure, _along("profile", epsilon), accuracy)[:2]
        named = {"approximate DP": approximate, "pbdp": learned}
        return tuple(
            replace(line, name=f"{line.name}, {what}")
            for what, some in named.items()
            for line in some
        )
    return learned if kind == "true" else (_as_printed(kind, rho, epsilon), *learned)


def _discrete(exposure: Exposure, accuracy: float | None) -> Guarantee:
    return _composed(exposure.concerns, accuracy)


@cache
def _composed(concerns: tuple[str, ...], accuracy: float | None) -> Guarantee:
    """Kept, as it remembers what it has worked out."""
    return census2020().exposure(*concerns).exact(accuracy)


def exposure_of(scenario: str) -> Exposure:
    census = census2020()
    found = {one.name: one.concerns for one in census.scenarios}
    return census.exposure(*found.get(scenario, ()))


Ask = Callable[[Guarantee, str], Line]
"""Function from a guarantee and its name to a line."""


def _three(exposure: Exposure, ask: Ask, accuracy: float | None) -> tuple[Line, ...]:
    """The same question about normal noise, the real noise, and any noise."""
    return (
        ask(exposure.gaussian(), "normal noise"),
        ask(_discrete(exposure, accuracy), "discrete Gaussian noise"),
        ask(exposure.promise(), "any mechanism"),
    )


def _along(kind: Literal["power", "profile"], at: Floats) -> Ask:
    return lambda guarantee, name: guarantee_line(guarantee, kind, at, name=name)


def _learned(kind: Kind, epsilon: Floats) -> Ask:
    """How often the ratio of posteriors is above e^epsilon."""

    def ask(guarantee: Guarantee, name: str) -> Line:
        learned = counterfactual(guarantee, adversary=ADVERSARIES[kind])
        return counterfactual_line(learned, epsilon, name=name)

    return ask


def _as_printed(kind: Kind, rho: float, epsilon: Floats) -> Line:
    """The bound that is printed for any mechanism (Theorems 7.4.1 and 7.4.2)."""
    name, known = "any mechanism, as printed", kind == "known"
    beyond = np.square(np.maximum(epsilon - rho, 0.0)) / (4.0 * rho)
    if known:
        beyond = np.where(epsilon > rho, np.square(epsilon + rho) / (4.0 * rho), epsilon)
    printed = np.exp(-beyond)
    return Line(name, "counterfactual", epsilon, None, printed, "upper", KNOWN if known else ANY)
