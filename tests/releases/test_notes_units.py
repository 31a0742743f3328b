"""Units in one spelling, and the time in them."""

from __future__ import annotations

import pytest

from dprisk.releases.notes import is_below_person, normalized_unit, period_of_unit


@pytest.mark.parametrize(
    ("written", "unit", "period", "below_person"),
    [
        ("Aggregate Statistics", "aggregate", None, True),
        ("Aggregate-level", "aggregate", None, True),
        ("Birth-level", "birth", None, True),
        ("Bounded contribution-day", "bounded-contribution-day", "day", True),
        ("Business establishment", "establishment", None, False),
        ("Device-day-level", "device-day", "day", True),
        ("Event-Month-level", "event-month", "month", True),
        ("Event-level", "event", None, True),
        ("Individual-level", "person", None, False),
        ("Person-level", "person", None, False),
        ("Person-level; housing-unit-level", "person + housing-unit", None, False),
        ("Tuple-level", "record", None, True),
        ("User account-month-level", "user-account-month", "month", True),
        ("User-account-level", "user-account", None, True),
        ("User-day-level", "user-day", "day", True),
        ("User-device-level", "device", None, True),
        ("User-level", "user", None, False),
        ("User-level\n", "user", None, False),
        ("User-month-country-level", "user-month-country", "month", True),
        ("User-month-level", "user-month", "month", True),
        ("User-quarter-day-level", "user-quarter-day", "6 hours", True),
        ("User-quarter-level", "user-quarter", "quarter", True),
        ("User-trip-level", "user-trip", None, True),
        ("record-level", "record", None, True),
        ("user level", "user", None, False),
        ("USER_DAY", "user-day", "day", True),
        ("households", "household", None, False),
        ("persons and households", "person + household", None, False),
        ("User (meter) per day", "user-(meter)-per-day", "day", True),
        ("holiday", "holiday", None, True),
        ("Level", None, None, False),
        ("", None, None, False),
        (None, None, None, False),
    ],
)
def test_units(written, unit, period, below_person):
    assert normalized_unit(written) == unit
    assert period_of_unit(written) == period
    assert is_below_person(written) is below_person


def test_normalizing_twice_changes_nothing():
    for written in ("User-day-level", "Person-level; housing-unit-level", "Tuple-level"):
        once = normalized_unit(written)
        assert normalized_unit(once) == once
