"""Numbers for readers stay true: rounded to the safe side, and never to certainty."""

from __future__ import annotations

import math
import re
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dprisk.text.rounding import at_least, at_most, chance, chances

FINITE = st.floats(allow_nan=False, allow_infinity=False)
DIGITS = st.integers(1, 17)
EDGES = [0.0, -0.0, 5e-324, -5e-324, 1e-310, 2.2250738585072014e-308, 1.7976931348623157e308]
EDGES += [1.0, -1.0, math.nextafter(1.0, 0.0), math.nextafter(1.0, 2.0), 0.1 + 0.2, 1e9, 1e-5]
CLOSE = st.floats(0.99, 1.0, exclude_max=True)


def forgiven(value, digits):
    """How far a text of few digits may lie on the wrong side: what rounding outwards added."""
    return Decimal("1e-13") * abs(Decimal(repr(value))) if digits <= 12 else Decimal(0)


@given(FINITE, DIGITS)
@pytest.mark.parametrize("sign", [1, -1])
def test_on_the_safe_side(sign, value, digits):
    """The text is never below an upper bound and never above a lower one, as a decimal number."""
    for number in (sign * value, *(sign * edge for edge in EDGES)):
        exact, room = Decimal(repr(number)), forgiven(number, digits)
        high, low = Decimal(at_most(number, digits)), Decimal(at_least(number, digits))
        assert low - room <= exact <= high + room
        if digits > 12:
            assert float(low) <= number <= float(high)


@pytest.mark.parametrize("short", ["0.75", "0.0123", "-0.25", "2", "31.5", "1.5e-7", "0.999"])
@pytest.mark.parametrize("units", [1, 12, -1, -12])
def test_rounding_outwards_is_not_shown(short, units):
    """A few units in the last place beyond a short number; more is not forgiven."""
    value = float(short) * (1.0 + units * 2.0**-52)
    assert at_most(value) == at_least(value) == short
    far = float(short) * (1.0 + math.copysign(1e-12, units))
    assert (at_most(far) == short) is (far < float(short))
    assert (at_least(far) == short) is (far > float(short))
    if 0.0 < value <= 1.0 and units > 0:
        whole = f"{100 * Decimal(short):f}".rstrip("0").rstrip(".")
        if whole.isdigit() and whole != "0":
            assert chances(value, upper=True) == f"{whole} in 100"


@given(FINITE, DIGITS)
def test_no_further_than_needed(value, digits):
    """Off by less than one unit in the last digit asked for, and exact where that is possible."""
    exact = Decimal(repr(value))
    step = Decimal(1).scaleb(exact.adjusted() - digits + 1) if value else Decimal(0)
    high, low = Decimal(at_most(value, digits)), Decimal(at_least(value, digits))
    assert high - exact <= step
    assert exact - low <= step
    assert at_most(-value, digits).lstrip("-") == at_least(value, digits).lstrip("-") or value > 0


@given(FINITE, FINITE, DIGITS)
def test_order_is_kept(first, second, digits):
    """The larger bound is never shown as the smaller one."""
    low, high = sorted([first, second])
    assert Decimal(at_least(low, digits)) <= Decimal(at_least(high, digits))
    if not 0.9 < low < 1.0:  # where digits are added so as not to reach 1
        assert Decimal(at_most(low, digits)) <= Decimal(at_most(high, digits))


@given(CLOSE, st.integers(1, 16))
@example(math.nextafter(1.0, 0.0), 3)
@example(0.9999999, 1)
def test_nearly_certain_is_not_certain(value, digits):
    """An upper bound below 1 is never shown as 1."""
    assert Decimal(repr(value)) - forgiven(value, digits) <= Decimal(at_most(value, digits)) < 1
    assert Decimal(at_least(value, digits)) < 1


@pytest.mark.parametrize(
    ("value", "digits", "most", "least"),
    [
        (0.0, 3, "0", "0"),
        (-0.0, 3, "0", "0"),
        (1.0, 3, "1", "1"),
        (0.5, 1, "0.5", "0.5"),
        (0.731058, 3, "0.732", "0.731"),
        (-0.731058, 3, "-0.731", "-0.732"),
        (0.99995, 3, "0.99995", "0.999"),
        (14655.2, 3, "14700", "14600"),
        (1.5e-7, 3, "1.5e-7", "1.5e-7"),
        (1.2345e12, 2, "1.3e+12", "1.2e+12"),
        (5e-324, 3, "5e-324", "5e-324"),
        (math.inf, 3, "inf", "inf"),
        (-math.inf, 3, "-inf", "-inf"),
    ],
)
def test_known_values(value, digits, most, least):
    """Some that can be checked by eye."""
    assert (at_most(value, digits), at_least(value, digits)) == (most, least)


@given(st.floats(0.0, 1.0), st.booleans())
@example(0.07, True)
@example(0.29, False)
@example(0.58, True)
@example(5e-324, True)
@example(math.nextafter(1.0, 0.0), False)
def test_chances(probability, upper):
    """Whole, on the safe side, within one in 100, and 0 and 100 only where they are exact."""
    text = chances(probability, upper=upper)
    share = 100 * Decimal(repr(probability))
    match = re.fullmatch(r"(possibly )?(under |over )?(\d+) in 100", text)
    assert match
    words, whole = match[2], int(match[3])
    assert bool(match[1]) == (words == ("over " if upper else "under "))
    if words:
        assert 0 < share < 1 if words.startswith("under") else 99 < share < 100
        assert whole == (1 if words.startswith("under") else 99)
        return
    assert whole not in (0, 100) or whole == share
    assert -forgiven(100 * probability, 3) <= (whole - share if upper else share - whole) < 1


@given(st.floats(0.0, 1.0), st.booleans())
@example(0.99995, True)
@example(0.9999, True)
@example(0.9999, False)
@example(5e-324, False)
def test_decimals(probability, upper):
    """Three figures on the safe side; near certainty, the edge."""
    found = chance(probability, upper=upper, of=1)
    if found.kind == "top":
        assert 0.9999 < probability < 1.0 and found.shown == "0.9999"
        return
    shown, exact = Decimal(found.shown), Decimal(repr(probability))
    room = forgiven(probability, 3)
    assert -room <= (shown - exact if upper else exact - shown) <= exact / 100 + room
    assert (shown == 1) == (probability == 1.0) and (shown == 0) == (probability == 0.0)


@pytest.mark.parametrize("whole", range(101))
def test_whole_chances_stay(whole):
    """What was given as so many in 100 comes back as that, in both directions."""
    for upper in (True, False):
        assert chances(whole / 100, upper=upper) == f"{whole} in 100"
