"""The growth e^epsilon, as exactly as a comparison needs it, and numbers as the fractions they
are."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, final

import numpy as np

from dprisk._checks import assign, whole
from dprisk.errors import Meaningless, NotConverged, OutOfRange
from dprisk.text import fill

LOG: Final = re.compile(r"(?:log|ln)\s*\(\s*([^()]+)\s*\)")
WRITTEN: Final = re.compile(r"\d{1,400}(?:\.\d{0,400})?(?:[eE][+-]?\d{1,3})?|\.\d{1,400}", re.ASCII)
MOST_NATS: Final = 700  # e to as many is still a float
MOST_DIGITS: Final = 10_000


@final
@dataclass(frozen=True, init=False, repr=False)
class Growth:
    """The factor e^epsilon by which a definition lets probabilities differ.

    e to a rational epsilon other than 0 is irrational, so no rational a + b e^epsilon is zero
    (unless a and b are): enough digits decide every sign, and nothing here depends on rounding.

    Parameters
    ----------
    ratio : Fraction, int or str
        The factor itself, a rational number. `Growth.of` takes an epsilon. [1, inf)

    Raises
    ------
    OutOfRange
        If it is below 1 or not rational.

    Examples
    --------
    >>> from dprisk.audit import Growth
    >>> Growth.of("0.7").sign(2, -1), Growth.of("0.6").sign(2, -1), Growth(2).sign(2, -1)
    (-1, 1, 0)
    """

    epsilon: Fraction | None
    ratio: Fraction | None

    def __init__(self, ratio: Any) -> None:
        exact = as_fraction(ratio)
        if exact is None or exact < 1:
            allowed = fill("errors.rational", inside="[1, inf)")
            raise OutOfRange(
                "growth",
                ratio,
                allowed,
                "It is e^epsilon. For an epsilon, write Growth.of(epsilon).",
            )
        assign(self, epsilon=Fraction(0) if exact == 1 else None, ratio=exact)

    @classmethod
    def of(cls, epsilon: Any) -> Growth:
        """The growth of an epsilon.

        Parameters
        ----------
        epsilon : Fraction, int, float, str or Growth
            A rational number (a float is the binary fraction it is), text such as "log(3)", or a
            growth, which stays as it is. [0, 700], nats

        Returns
        -------
        Growth
            Its `ratio` is None unless epsilon is 0.
        """
        if isinstance(epsilon, Growth):
            return epsilon
        inside = LOG.fullmatch(epsilon.strip()) if isinstance(epsilon, str) else None
        if inside:
            return cls(inside[1].strip())
        exact = rational("epsilon", epsilon, 0, MOST_NATS, "0.1")
        found = cls(1)
        if exact:
            assign(found, epsilon=exact, ratio=None)
        return found

    def bracket(self, digits: int = 40) -> tuple[Fraction, Fraction]:
        """Two rational numbers with the growth between them; equal where it is rational.

        Parameters
        ----------
        digits : int
            How close together: 10^-digits, relatively. [1, 10000]

        Returns
        -------
        tuple of Fraction
            Below and above.
        """
        if self.ratio is not None or self.epsilon is None:
            return self.exactly, self.exactly
        return _bracket(self.epsilon, digits)

    def near(self, digits: int = 12, *, above: bool = False) -> Fraction:
        """A decimal close to the growth that is easy to write, or the growth itself where it is
        rational.

        Parameters
        ----------
        digits : int
            Significant digits. [1, 9990]
        above : bool
            On which side it lies.

        Returns
        -------
        Fraction
            Below it, or above.
        """
        if self.ratio is not None:
            return self.ratio
        low, high = self.bracket(digits + 6)
        unit = Fraction(10) ** (digits - len(str(int(high))))
        return Fraction(int(high * unit) + 1) / unit if above else Fraction(int(low * unit)) / unit

    def squared(self) -> Growth:
        """The growth of twice the epsilon, exactly."""
        return Growth.of(2 * self.epsilon) if self.epsilon is not None else Growth(self.exactly**2)

    def nats(self, *, above: bool = False) -> float:
        """The epsilon of the growth as a float.

        Parameters
        ----------
        above : bool
            Rounded to the next float, so that it is not below.

        Returns
        -------
        float
            In [0, inf), nats.
        """
        if self.epsilon is None:
            low, high = log_bracket(self.exactly)
            return high if above else (low + high) / 2.0
        value = float(self.epsilon)
        return (
            math.nextafter(value, math.inf) if above and Fraction(value) < self.epsilon else value
        )

    def sign(self, constant: Any, factor: Any) -> int:
        """The sign of ``constant + factor * e^epsilon``, exactly.

        Parameters
        ----------
        constant, factor : Fraction or int
            Rational numbers. (-inf, inf)

        Returns
        -------
        int
            -1, 0 or 1.
        """
        if self.ratio is not None:
            value = constant * self.ratio.denominator + factor * self.ratio.numerator
            return int(value > 0) - int(value < 0)
        return sign_of(
            lambda digits: sorted(constant + factor * end for end in self.bracket(digits))
        )

    def exceeded(self, p: Fraction | int, q: Fraction | int) -> bool:
        """Whether p is more than e^epsilon times q.

        Parameters
        ----------
        p, q : Fraction or int
            Two probabilities, or what is proportional to them. [0, inf)

        Returns
        -------
        bool
            True where p > e^epsilon q.
        """
        if self.ratio is not None:
            return p * self.ratio.denominator > q * self.ratio.numerator
        return self.sign(p, -q) > 0

    def __str__(self) -> str:
        if self.epsilon is not None:
            return brief(self.epsilon)
        return f"log({brief(self.exactly)})"

    @property
    def exactly(self) -> Fraction:
        """The growth where it is rational."""
        if self.ratio is None:
            raise Meaningless(f"e^{self} is irrational; `bracket` encloses it.")
        return self.ratio

    def __repr__(self) -> str:
        if self.ratio is None and self.epsilon is not None:
            return f"Growth.of({shown(self.epsilon)!r})"
        return f"Growth({shown(self.exactly)!r})"


def sign_of(bracket: Callable[[int], Any]) -> int:
    """The sign of a number that is known to as many digits as one asks for."""
    for digits in (40, 160, 640, 2500, MOST_DIGITS):
        low, high = bracket(digits)
        if low > 0:
            return 1
        if high < 0:
            return -1
        if low == high:
            return 0
    raise NotConverged("the sign of a difference", (float(low), float(high)))


def growth_bracket(epsilon: Any, digits: int = 40) -> tuple[Fraction, Fraction]:
    """Two rational numbers that hold e^epsilon between them.

    Parameters
    ----------
    epsilon : Fraction, int or str
        A rational number, such as "0.1" or "1/3". [0, 700], nats
    digits : int
        How close together: 10^-digits, relatively. [1, 10000]

    Returns
    -------
    tuple of Fraction
        Below and above; both 1 at epsilon 0.

    Examples
    --------
    >>> from dprisk.audit import growth_bracket
    >>> low, high = growth_bracket("0.1", digits=3)
    >>> low < high, round(float(low), 4)
    (True, 1.1052)
    """
    x = rational("epsilon", epsilon, 0, MOST_NATS, "0.1")
    digits = whole("digits", digits, 1, MOST_DIGITS)
    if x == 0:
        return Fraction(1), Fraction(1)
    halvings = max(0, math.ceil(x)).bit_length() + 1
    small, unit = x / 2**halvings, 10 ** (digits + 4 + halvings)
    low, term, n = 0, unit, 0  # a sum of terms, rounded down, in units
    while term:
        low, n = low + term, n + 1
        term = term * small.numerator // (small.denominator * n)
    below, above = Fraction(low, unit), Fraction(low + 2 * n + 10, unit)
    for _ in range(halvings):
        below, above = _rounded(below * below, unit, 0), _rounded(above * above, unit, 1)
    return below, above


@lru_cache(maxsize=256)
def _bracket(epsilon: Fraction, digits: int) -> tuple[Fraction, Fraction]:
    return growth_bracket(epsilon, digits)


def _rounded(value: Fraction, unit: int, up: int) -> Fraction:
    return Fraction(value.numerator * unit // value.denominator + up, unit)


def log_bracket(ratio: Fraction) -> tuple[float, float]:
    """Two floats that hold the logarithm of a positive rational number between them."""
    over, under = ratio.numerator, ratio.denominator
    if over == under:
        return 0.0, 0.0
    if over < 2 * under and under < 2 * over:  # a quotient and log1p: three roundings
        value = math.log1p((over - under) / under)
        off = 4.0 * abs(value)
    else:  # a quotient near 1, its logarithm, that of a power of two, and a sum
        shift = over.bit_length() - under.bit_length()
        quotient = over / (under << shift) if shift >= 0 else (over << -shift) / under
        value = shift * math.log(2.0) + math.log(quotient)
        off = 4.0 * (1.0 + abs(value))
    return value - off * 2.0**-52, value + off * 2.0**-52


# --- numbers as they are written -----------------------------------------------------------------


def as_fraction(value: Any) -> Fraction | None:
    """A number, or text such as "0.25" and "1/3", as the fraction it is; None for anything else."""
    if isinstance(value, str):
        over, slash, under = value.strip().partition("/")
        if not WRITTEN.fullmatch(over) or (slash and not WRITTEN.fullmatch(under)):
            return None
        below = Fraction(under) if slash else Fraction(1)
        return Fraction(over) / below if below else None
    if isinstance(value, (float, np.floating, Decimal)):
        exact = value if isinstance(value, Decimal) else float(value)
        return Fraction(exact) if math.isfinite(exact) else None
    if isinstance(value, np.integer):
        return Fraction(int(value))
    known = isinstance(value, (int, Fraction)) and not isinstance(value, bool)
    return Fraction(value) if known else None


def rational(name: str, value: Any, least: int, most: int, example: str) -> Fraction:
    """A number in [least, most] as the fraction it is."""
    exact = as_fraction(value)
    if exact is None or not least <= exact <= most:
        allowed = fill("errors.rational", inside=f"[{least}, {most}]")
        raise OutOfRange(name, value, allowed, fill("errors.such-as", example=example))
    return exact


def chance(name: str, value: Any) -> Fraction:
    """A probability as the fraction it is."""
    return rational(name, value, 0, 1, "1e-6")


def shown(value: Fraction) -> str:
    """A fraction as a short decimal where it is one, else as a fraction."""
    rest, twos, fives = value.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    places = max(twos, fives)
    if rest > 1 or places > 400 or value < 0:
        return str(value)
    digits = str(value.numerator * 10**places // value.denominator)
    if places - len(digits) >= 4:
        tail = digits.rstrip("0") or "0"
        point = f".{tail[1:]}" if len(tail) > 1 else ""
        return f"{tail[0]}{point}e-{places - len(digits) + 1}"
    padded = digits.rjust(places + 1, "0")
    return (
        f"{padded[: len(padded) - places]}.{padded[len(padded) - places :]}" if places else padded
    )


def brief(value: Fraction) -> str:
    """A fraction in a name: exactly where that is short, else six digits of it."""
    digits, is_all = shortened(value)
    return digits if is_all else f"about {digits}"


def shortened(value: Fraction) -> tuple[str, bool]:
    """A fraction exactly where that is short, else six digits of it; and whether that is all."""
    exact = shown(value)
    if len(exact) <= 14:
        return exact, True
    found = Context(prec=6).divide(Decimal(value.numerator), Decimal(value.denominator))
    return f"{found.normalize(Context(prec=6)):g}", False
