"""The tables and figures of P1 on the 2020 Census, from the noise itself instead of draws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal, final

import numpy as np

from dprisk._checks import one_of
from dprisk._numeric.logspace import Floats, log
from dprisk._values import ends, members, result
from dprisk.allocation.census import census2020
from dprisk.allocation.exposure import ACCURACY, Exposure
from dprisk.answer import Answer
from dprisk.errors import InvalidInput
from dprisk.guarantees.base import Guarantee
from dprisk.risk.posterior_to_posterior import counterfactual
from dprisk.sources import Theorem

__all__ = [
    "FIGURES",
    "TABLES",
    "Conjecture",
    "Curve",
    "census_figure",
    "census_table",
    "conjecture",
]

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

LEVELS: Final = (0.01, 0.05, 0.10)
FURTHEST: Final = 8.0  # standard deviations of the loss beyond its mean

KNOWN = Theorem("P1", "Theorem 7.4.1", "e^(-(epsilon + rho)^2 / (4 rho)), and e^-epsilon before")
ANY = Theorem("P1", "Theorem 7.4.2", "e^(-(epsilon - rho)^2 / (4 rho)), and 1 before")


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Curve:
    """One line of a figure. Made by `census_figure`.

    Parameters
    ----------
    name : str
        What keeps to it: continuous or discrete noise, or any mechanism of that rho.
    x_label, y_label : str
        What the axes are.
    x : ndarray
        Where. [0, inf]
    lower : ndarray or None
        At least; None where that is not known. [0, 1]
    upper : ndarray
        At most. [0, 1]
    theorem : Theorem
        Where it comes from.
    """

    name: str
    x_label: str
    y_label: str
    x: Floats
    lower: Floats | None
    upper: Floats
    theorem: Theorem

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, and for a table behind the figure.

        Returns
        -------
        dict
            With ``x``, ``at_least`` (None if unknown) and ``at_most``.
        """
        named = members(self, "name", "x_label", "y_label", "x")
        return {**named, **ends((self.lower, self.upper)), "theorem": str(self.theorem)}


@final
@result
@dataclass(frozen=True, repr=False)
class Conjecture:
    """How far discrete Gaussian noise is from continuous noise. Made by `conjecture`.

    Parameters
    ----------
    name : str
        The scenario; ``""`` for the whole release.
    power : tuple of float
        The largest difference in power on a grid of levels: at least, at most. [0, 1]
    tail : tuple of float
        The largest difference in the one-sided tail on a grid of epsilon. [0, 1]
    """

    name: str
    power: tuple[float, float]
    tail: tuple[float, float]


def census_table(number: int, *, accuracy: float | None = ACCURACY) -> tuple[Curve, ...]:
    """Table 2 or 6 of P1: powers at the levels .01, .05 and .10.

    Parameters
    ----------
    number : int
        2 (the whole release) or 6 (block within block group). [2, 6]
    accuracy : float, optional
        How wide brackets may be, in nats of epsilon. About 1e-9 if left out.
        [1e-13, 1]

    Returns
    -------
    tuple of Curve
        Its columns: normal noise, discrete noise (exact, where P1 simulates), any mechanism.

    Raises
    ------
    InvalidInput
        If there is no such table.

    Examples
    --------
    >>> from dprisk.papers import census_table
    >>> [column.upper.round(2).tolist() for column in census_table(2)]
    [[0.49, 0.74, 0.84], [0.49, 0.74, 0.84], [0.7, 0.95, 0.96]]
    """
    if number not in TABLES:
        raise InvalidInput("number", number, f"one of {', '.join(map(str, TABLES))}")
    return _power(_exposure(TABLES[number]), np.array(LEVELS), accuracy)


def census_figure(
    number: int, *, points: int = 101, accuracy: float | None = ACCURACY
) -> tuple[Curve, ...]:
    """The lines of a figure of P1, and what they are for the noise that was really added.

    Parameters
    ----------
    number : int
        Of the figure. [1, 15]
    points : int
        On each line. [2, 100000]
    accuracy : float, optional
        How wide brackets may be, in nats of epsilon. About 1e-9 if left out.
        [1e-13, 1]

    Returns
    -------
    tuple of Curve
        For continuous normal noise, for the discrete noise (in brackets, where P1 simulates or
        leaves it open), and for any mechanism with that rho.

    Raises
    ------
    InvalidInput
        If there is no such figure, or `points` is out of range.

    Notes
    -----
    Where P1 draws only its bound for zCDP, the sharper ones stand beside it. Figure 1 needs a
    variance of 1 / (2 rho), not 1 / rho as its caption says; Figures 12 to 15 are drawn here for
    the sums of the tables (1.379 and 0.612), not for the rho printed (1.32 and 0.555).

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
        raise InvalidInput("number", number, "a figure of P1, from 1 to 15")
    if isinstance(points, bool) or not isinstance(points, int) or not 2 <= points <= 100_000:
        raise InvalidInput("points", points, "a whole number in [2, 100000]")
    kind, scenario = FIGURES[number]
    exposure = _exposure(scenario)
    if kind == "power":
        return _power(exposure, np.linspace(0.0, 1.0, points), accuracy)
    rho = float(exposure.amount)
    epsilon = np.linspace(0.0, rho + FURTHEST * np.sqrt(2.0 * rho), points)
    return _LINES[kind](exposure, epsilon, accuracy)


def conjecture(
    *, points: int = 201, accuracy: float = 1e-7, names: tuple[str, ...] | None = None
) -> tuple[Conjecture, ...]:
    """How good P1's conjecture is that discrete Gaussian noise acts as continuous noise does.

    Parameters
    ----------
    points : int
        Of the grids of levels, from 0 to 1, and of epsilon. [2, 100000]
    accuracy : float
        How wide brackets may be, in nats of epsilon: differences below it cannot be told from
        none. [1e-13, 1]
    names : tuple of str, optional
        Scenarios, ``""`` for the whole release; left out, all of them.

    Returns
    -------
    tuple of Conjecture
        Differences, at least and at most.

    References
    ----------
    .. [1] P1, Sections 6.3 and 7.4.1.

    Examples
    --------
    >>> from dprisk.papers import conjecture
    >>> (whole,) = conjecture(names=("",), points=21, accuracy=1e-7)
    >>> whole.power[1] < 1e-6
    True
    """
    known = ("", *(scenario.name for scenario in census2020().scenarios))
    return tuple(
        _difference(one_of("names", name, known), points, accuracy) for name in names or known
    )


def _difference(name: str, points: int, accuracy: float | None) -> Conjecture:
    exposure = _exposure(name)
    rho = float(exposure.amount)
    normal, discrete = exposure.gaussian(), _discrete(exposure, accuracy)
    level = np.linspace(0.0, 1.0, points)
    epsilon = np.linspace(0.0, rho + FURTHEST * np.sqrt(2.0 * rho), points)[1:]  # at 0 it is 1
    asked: list[Callable[[Guarantee], Answer]] = [
        lambda g: g.power(level),
        lambda g: g.tail(epsilon, sides="one"),
    ]
    power, tail = (_largest(ask(normal), ask(discrete)) for ask in asked)
    return Conjecture(name, power, tail)


def _largest(normal: Answer, discrete: Answer) -> tuple[float, float]:
    """Of the distances between a value and a bracket: of the nearer end, and of the further."""
    value = np.asarray(normal.value)
    low, high = discrete.bracket
    least = np.maximum(np.maximum(low - value, value - high), 0.0)
    return float(least.max()), float(np.maximum(np.abs(low - value), np.abs(high - value)).max())


def _discrete(exposure: Exposure, accuracy: float | None) -> Guarantee:
    return _composed(exposure.concerns, accuracy)


@cache
def _composed(concerns: tuple[str, ...], accuracy: float | None) -> Guarantee:
    """Kept, as it remembers what it has worked out."""
    return census2020().exposure(*concerns).exact(accuracy)


def _exposure(scenario: str) -> Exposure:
    census = census2020()
    found = {one.name: one.concerns for one in census.scenarios}
    return census.exposure(*found.get(scenario, ()))


def _curve(name: str, labels: tuple[str, str], x: Floats, answer: Answer) -> Curve:
    low, high = answer.bracket
    lower = None if low is None else np.asarray(low)
    return Curve(name, *labels, x, lower, np.asarray(high), answer.theorem)


def _three(
    exposure: Exposure,
    labels: tuple[str, str],
    x: Floats,
    ask: Callable[[Guarantee], Answer],
    accuracy: float | None,
) -> tuple[Curve, ...]:
    """The same question about normal noise, the real noise, and any noise."""
    return (
        _curve("normal noise", labels, x, ask(exposure.gaussian())),
        _curve("discrete Gaussian noise", labels, x, ask(_discrete(exposure, accuracy))),
        _curve("any mechanism", labels, x, ask(exposure.promise())),
    )


def _power(exposure: Exposure, level: Floats, accuracy: float | None) -> tuple[Curve, ...]:
    return _three(exposure, ("level", "power"), level, lambda g: g.power(level), accuracy)


def _profile(exposure: Exposure, epsilon: Floats, accuracy: float | None) -> tuple[Curve, ...]:
    """Figure 1: approximate DP, then pbdp; zCDP bounds the latter."""
    labels = ("epsilon", "delta")
    approximate = _three(exposure, labels, epsilon, lambda g: g.delta(epsilon), accuracy)
    named = [_renamed(line, f"{line.name}, approximate DP") for line in approximate[:2]]
    bounded = _true(exposure, epsilon, accuracy)
    return (*named, *(_renamed(line, f"{line.name}, pbdp") for line in bounded))


def _true(exposure: Exposure, epsilon: Floats, accuracy: float | None) -> tuple[Curve, ...]:
    return _three(exposure, LABELS, epsilon, _asked("true-record", epsilon), accuracy)


def _known(exposure: Exposure, epsilon: Floats, accuracy: float | None) -> tuple[Curve, ...]:
    rho = float(exposure.amount)
    beyond = np.where(epsilon > rho, np.square(epsilon + rho) / (4.0 * rho), epsilon)
    printed = Curve("any mechanism, as printed", *LABELS, epsilon, None, np.exp(-beyond), KNOWN)
    return (printed, *_three(exposure, LABELS, epsilon, _asked("rest-known", epsilon), accuracy))


def _any(exposure: Exposure, epsilon: Floats, accuracy: float | None) -> tuple[Curve, ...]:
    rho = float(exposure.amount)
    beyond = np.square(np.maximum(epsilon - rho, 0.0)) / (4.0 * rho)
    printed = Curve("any mechanism, as printed", *LABELS, epsilon, None, np.exp(-beyond), ANY)
    return (
        printed,
        *_three(exposure, LABELS, epsilon, _asked("arbitrary-prior", epsilon), accuracy),
    )


def _asked(adversary: Any, epsilon: Floats) -> Callable[[Guarantee], Answer]:
    """How often the ratio of posteriors is above e^epsilon."""
    ratio = np.array([_ratio(e) for e in epsilon.tolist()])
    return lambda g: counterfactual(g, adversary=adversary).exceeding(ratio)


def _ratio(epsilon: float) -> float:
    """e^epsilon, rounded down until its logarithm is not above epsilon."""
    found = float(np.exp(min(epsilon, 700.0)))
    while log(np.array([found]))[0] > epsilon:
        found = float(np.nextafter(found, 0.0))
    return found


LABELS: Final = ("epsilon", "delta")
_LINES: Final[dict[str, Callable[[Exposure, Floats, float | None], tuple[Curve, ...]]]] = {
    "profile": _profile,
    "known": _known,
    "true": _true,
    "any": _any,
}


def _renamed(line: Curve, name: str) -> Curve:
    from dataclasses import replace

    return replace(line, name=name)
