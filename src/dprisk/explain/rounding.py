"""Numbers for readers, rounded to the side on which they stay true.

Bounds are rounded outwards as they are computed: the bound of what is 3/4 may be
0.7500000000000002. Text forgives that: a number within `FORGIVEN` of a shorter one is read as it.
"""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

__all__ = ["at_least", "at_most", "chances", "hundredths"]

LONGEST = 24  # characters of a number that is written out
SMALLEST = Decimal("1e-4")  # in 100: what is smaller is easier to read as a power of ten
FORGIVEN = Decimal("1e-13")  # relative
FORGIVING = 12  # digits: more are asked for by those who want to see the rest


def at_most(value: float, digits: int = 3) -> str:
    """An upper bound in decimal text, rounded up.

    Parameters
    ----------
    value : float
        The bound. [-inf, inf]
    digits : int
        Significant digits. [1, 17]

    Returns
    -------
    str
        Not below `value`; up to 12 digits, not by more than 1e-13 of it.

    Examples
    --------
    >>> from dprisk.explain import at_most
    >>> at_most(0.73101), at_most(-0.26899), at_most(12.0), at_most(0.99995)
    ('0.732', '-0.268', '12', '0.99995')
    >>> at_most(0.7500000000000002)
    '0.75'
    """
    return _rounded(value, digits, ROUND_CEILING)


def at_least(value: float, digits: int = 3) -> str:
    """A lower bound in decimal text, rounded down.

    Parameters
    ----------
    value : float
        The bound. [-inf, inf]
    digits : int
        Significant digits. [1, 17]

    Returns
    -------
    str
        Not above `value`; up to 12 digits, not by more than 1e-13 of it.

    Examples
    --------
    >>> from dprisk.explain import at_least
    >>> at_least(0.26899), at_least(-0.23109)
    ('0.268', '-0.232')
    """
    return _rounded(value, digits, ROUND_FLOOR)


def chances(probability: float, *, upper: bool) -> str:
    """A probability as whole chances in 100, rounded to the safe side and never to 0 or 100.

    Parameters
    ----------
    probability : float
        [0, 1]
    upper : bool
        Whether it is an upper bound (rounded up) or a lower one (rounded down).

    Returns
    -------
    str
        Such as ``"53 in 100"``, ``"fewer than 1 in 100"`` or ``"more than 99 in 100"``; 0 and 100
        only where they are exact.

    Examples
    --------
    >>> from dprisk.explain import chances
    >>> chances(0.5250, upper=True), chances(0.475, upper=False), chances(0.07, upper=True)
    ('53 in 100', '47 in 100', '7 in 100')
    >>> chances(0.0001, upper=True), chances(0.9975, upper=True), chances(1.0, upper=True)
    ('fewer than 1 in 100', 'more than 99 in 100', '100 in 100')
    """
    share = 100 * Decimal(repr(float(probability)))
    if share in (0, 100):
        return f"{int(share)} in 100"
    nearest = share.to_integral_value()
    if nearest < 100 and _same(nearest, share):
        share = nearest
    if share < 1:
        return "fewer than 1 in 100"
    if share > 99:
        return "more than 99 in 100"
    whole = share.to_integral_value(ROUND_CEILING if upper else ROUND_FLOOR)
    return f"{int(whole)} in 100"


def hundredths(share: float | str) -> str:
    """A share in hundredths, to the last digit given: rounded, one near 1 would look certain."""
    exact = (100 * Decimal(str(share))).normalize()
    plain = f"{exact:f}"
    is_short = len(plain) <= LONGEST and not 0 < abs(exact) < SMALLEST
    return plain if is_short else f"{exact:e}"


def _rounded(value: float, digits: int, rounding: str) -> str:
    if not math.isfinite(value) or value == 0.0:
        return f"{value + 0.0:g}"
    exact = Decimal(repr(float(value)))
    step = Decimal(1).scaleb(exact.adjusted() - digits + 1)
    rounded = exact.quantize(step).normalize()
    if abs(rounded) == 1 or digits > FORGIVING or not _same(rounded, exact):
        rounded = exact.quantize(step, rounding=rounding).normalize()
    if rounded == 1 and exact < 1 and digits < 17:  # nearly certain is not certain
        return _rounded(value, digits + 1, rounding)
    plain = 1e-5 <= abs(value) < 1e9
    return f"{rounded:f}" if plain else f"{rounded:e}"


def _same(short: Decimal, exact: Decimal) -> bool:
    return abs(short - exact) <= FORGIVEN * abs(exact)
