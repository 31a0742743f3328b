"""One bound along one quantity, for any guarantee, as data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import NONNEGATIVE, PROBABILITY, Domain, fixed, numbers
from dprisk._numeric.logspace import Floats, below_complement, expit, log
from dprisk._values import members, result
from dprisk.answer import Answer, Bound
from dprisk.errors import InvalidInput, one_of
from dprisk.guarantees.base import Guarantee
from dprisk.risk.counterfactual import Counterfactual
from dprisk.risk.tests import AttackCurve
from dprisk.theorems import Theorem

Kind = Literal["profile", "tail", "raw tail", "loss", "power", "trade-off", "counterfactual"]

KINDS: Final[tuple[Kind, ...]] = ("profile", "tail", "raw tail", "loss", "power", "trade-off")

LEVELS: Final = np.unique(
    np.concatenate([np.linspace(0.0, 1.0, 301), expit(np.linspace(-16.0, 16.0, 129))])
)
FAILURES: Final = np.geomspace(1e-9, 0.5, 181)
POINTS: Final = 201
REACHED: Final = (1e-6, 1e-4, 1e-2, 0.1, 0.5)  # deltas; where the first is reached, a line ends
LARGEST: Final = 700.0  # whose exponential is a float
LOGARITHM: Final = Domain(0.0, LARGEST, advice="Beyond that, e^epsilon is too large for a float.")


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Line:
    """One bound along one quantity."""

    name: str
    kind: Kind
    x: Floats
    lower: Floats | None  # None where no such bound is known
    upper: Floats | None
    bound: Bound  # which of the two is the promise
    theorem: Theorem

    @property
    def value(self) -> Floats:
        """The end that is the promise."""
        end = self.lower if self.bound == "lower" or self.upper is None else self.upper
        return np.zeros(0) if end is None else end

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON and for the table behind a figure; infinite numbers are None."""
        line = members(self, "name", "kind", "x", at_least=self.lower, at_most=self.upper)
        return {**line, **members(self, "bound", "theorem", "theorem.citation")}


def guarantee_line(
    guarantee: Guarantee, kind: Kind, at: npt.ArrayLike | None = None, *, name: str = ""
) -> Line:
    """One of the curves that a guarantee is, whatever its definition.

    Parameters
    ----------
    guarantee : Guarantee
        What is promised.
    kind : {"profile", "tail", "raw tail", "loss", "power", "trade-off"}
        ``profile``: epsilon to delta. ``tail``: epsilon to how likely the privacy loss is larger,
        for anything computed from the output; ``raw tail``: for the raw output. ``loss``:
        probability of failure to the bound on the log-odds. ``power``: level to power.
        ``trade-off``: level to the other error.
    at : array_like of float, optional
        Where: epsilons [0, inf], probabilities of failure [0, 1] or levels [0, 1]. Left out, points
        of its own choice.
    name : str
        What it is about; left out, the guarantee itself.

    Returns
    -------
    Line
        The promise and, where it is known, the other end of the bracket: at most, but for
        ``trade-off``, which is at least. Tails are of one side, ``loss`` of both.

    Raises
    ------
    InvalidInput
        If `kind` is none of them, or `at` no list.
    OutOfRange
        If a number in `at` is outside its range or NaN.

    References
    ----------
    .. [1] P1, Definitions 5.2 and 5.7, Figure 1.
    .. [2] P0, Theorem 3.9, Figure 1 (``loss``).

    Examples
    --------
    >>> from dprisk import GaussianDP
    >>> from dprisk.curves import guarantee_line
    >>> normal = GaussianDP(1.0, neighbors="add-remove")
    >>> guarantee_line(normal, "profile", [0.0, 1.0]).upper.round(4).tolist()
    [0.3829, 0.1269]
    """
    asked = one_of("kind", kind, KINDS)
    epsilons = asked in ("profile", "tail", "raw tail")
    x = _points(at, NONNEGATIVE if epsilons else PROBABILITY)
    if x is None:
        x = _far_enough(guarantee) if epsilons else FAILURES if asked == "loss" else LEVELS
    return _line(name or repr(guarantee), asked, x, _QUESTIONS[asked](guarantee, x))


def counterfactual_line(
    learned: Counterfactual, epsilon: npt.ArrayLike | None = None, *, name: str = ""
) -> Line:
    """How likely the posterior with a record is more than e^epsilon times the one without it.

    Parameters
    ----------
    learned : Counterfactual
        Whom it is about, and what is promised.
    epsilon : array_like of float, optional
        Logarithms of ratios. [0, 700], nats, shape (n,). Left out, as far as there is something to
        see.
    name : str
        What it is about; left out, the adversary.

    Returns
    -------
    Line
        At most, of kind ``counterfactual``.

    Raises
    ------
    InvalidInput
        If `epsilon` is no list.
    OutOfRange
        If an epsilon is outside [0, 700] or NaN.

    References
    ----------
    .. [1] P1, Section 7, Figures 3 to 5.

    Examples
    --------
    >>> from dprisk import ZeroConcentratedDP, counterfactual
    >>> from dprisk.curves import counterfactual_line
    >>> census = ZeroConcentratedDP(2.63, neighbors="replace-one")
    >>> learned = counterfactual(census, adversary="true-record")
    >>> counterfactual_line(learned, [0.0, 5.0, 10.0]).upper.round(3).tolist()
    [1.0, 0.541, 0.006]
    """
    x = _points(epsilon, LOGARITHM)
    x = _far_enough(learned.guarantee) if x is None else x
    ratios = np.exp(x)
    ratios = np.where(log(ratios) > x, np.nextafter(ratios, 0.0), ratios)  # never less is counted
    return _line(name or learned.adversary, "counterfactual", x, learned.exceeding(ratios))


def attack_line(curve: AttackCurve, *, name: str = "") -> Line:
    """The power of an attack as a line."""
    return _line(name or curve.secret, "power", curve.levels, curve.power)


def _points(at: npt.ArrayLike | None, domain: Domain) -> Floats | None:
    if at is None:
        return None
    x = np.array(numbers("at", at, domain))
    if x.ndim != 1 or x.size == 0:
        raise InvalidInput("at", at, "a list of at least one number")
    return x


def _far_enough(guarantee: Guarantee) -> Floats:
    """Epsilons from 0 until delta is small, or as small as it becomes."""
    return np.linspace(0.0, 1.2 * last_seen(guarantee), POINTS)


def last_seen(guarantee: Guarantee) -> float:
    """The epsilon at which delta is small, or as small as it becomes."""
    ends = (float(guarantee.epsilon(delta).value) for delta in REACHED)
    return next((end for end in ends if 0.0 < end < LARGEST / 2.0), 1.0)


def _line(name: str, kind: Kind, x: Floats, answer: Answer) -> Line:
    low, high = (None if end is None else fixed(end) for end in answer.bracket)
    return Line(name, kind, fixed(x), low, high, answer.bound, answer.theorem)


def _trade_off(guarantee: Guarantee, level: Floats) -> Answer:
    """One minus the power: what is at most becomes at least."""
    power = guarantee.power(level)
    low, high = power.bracket
    other = None if low is None or power.bound == "exact" else 1.0 - low
    bound: Bound = "exact" if power.bound == "exact" else "lower"
    return Answer(below_complement(high), bound, power.theorem, power.assumptions, other)


_QUESTIONS: Final[dict[Kind, Callable[[Guarantee, Floats], Answer]]] = {
    "profile": lambda g, x: g.delta(x),
    "tail": lambda g, x: g.tail(x, sides="one"),
    "raw tail": lambda g, x: g.tail(x, sides="one", post_processing=False),
    "loss": lambda g, x: g.loss_bound(x),
    "power": lambda g, x: g.power(x),
    "trade-off": _trade_off,
}
