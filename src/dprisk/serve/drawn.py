"""What is drawn on a page, as lines of SVG: the numbers are those of the answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, inf
from typing import NamedTuple

from dprisk.text.rounding import Chance, Scale, chance, cut_off

LEFT, TOP, SIDE = 34, 14, 250  # of the square in which chances are drawn
STEPS = 80  # of a curve
LARGEST = 700.0  # nats: more cannot be told apart in a drawing
RADIUS = 3.8
LINE = 15.0  # between lines of text
ROOM = 68.0, 140.0, 246.0  # for what is written below the diagonal: leftmost, rightmost, lowest

Pairs = Iterable[tuple[float, float]]


class Icons(NamedTuple):
    """Dots in rows: those that are filled, the others, and what is said of them."""

    words: str
    width: int
    height: int
    filled: str
    empty: str


class Band(NamedTuple):
    """Where the chance can end up for every start, and at one start."""

    area: str
    x: float
    low: float
    high: float


class PowerLine(NamedTuple):
    """Power against level, where it is furthest above guessing, and where that is written."""

    line: str
    x: float
    foot: float
    top: float
    label: tuple[float, float]


def icons(share: float, of: Scale, words: str, *, bounds: bool = True) -> Icons:
    """So many in a hundred or a thousand: an upper bound, rounded up, or what was given."""
    drawn: Scale = 100 if of == 100 else 1000
    across = 10 if drawn == 100 else 40
    found: Chance = chance(share, upper=True, of=drawn)
    if share == 1.0 and bounds:  # it excludes nothing
        found = cut_off("top", drawn)
    whole = int(found.cases) if found.kind != "bottom" else 0
    centers = [(10 * (i % across) + 5, 10 * (i // across) + 5) for i in range(drawn)]
    part = [] if found.kind == "number" else [centers[whole]]
    filled = _dots(centers[:whole], RADIUS) + _halves(part)
    return Icons(words, 10 * across, 10 * drawn // across, filled, _dots(centers[whole:], RADIUS))


def band(least: float, most: float, prior: float, ends: tuple[float, float]) -> Band:
    """The area between two factors of the odds; at the start asked about, the answer itself."""
    corners = [*_curve(most), *reversed(_curve(least))]
    (x, low), (_, high) = at(prior, ends[0]), at(prior, ends[1])
    return Band(line(corners), x, low, high)


def curve(powers: Pairs, gain: float) -> PowerLine:
    """Most power at every level, from some and the advantage."""
    middle = ((1.0 - gain) / 2.0, (1.0 + gain) / 2.0)
    known = {(0.0, 0.0), middle, *powers}
    (x, top), (_, foot) = at(*middle), at(middle[0], middle[0])
    leftmost, rightmost, lowest = ROOM
    left = min(max(x + 6.0, leftmost), rightmost)
    below = at(0.0, (left - LEFT) / SIDE)[1] + LINE
    corners = sorted(known | {(1.0 - power, 1.0 - level) for level, power in known})
    return PowerLine(line(corners), x, foot, top, (left, min(below, lowest)))


def reach(loss: float) -> str:
    """How far a loss of so many nats lets a chance rise."""
    return line(_curve(exp(min(loss, LARGEST))))


def stairs(points: Sequence[tuple[float, float]]) -> str:
    """Limits that hold up to each point: the least of those at or beyond a start."""
    ordered = sorted(points)
    corners = [(0.0, min(limit for _, limit in ordered))]
    for n, (prior, _) in enumerate(ordered):
        least = min(limit for _, limit in ordered[n:])
        corners += [(corners[-1][0], least), (prior, least)]
    return line(corners)


def line(pairs: Pairs) -> str:
    """Points of a polygon."""
    return " ".join("{:.1f},{:.1f}".format(*at(p, q)) for p, q in pairs)


def at(prior: float, posterior: float) -> tuple[float, float]:
    """Where a pair of chances is drawn."""
    return LEFT + SIDE * prior, TOP + SIDE * (1.0 - posterior)


def _curve(factor: float) -> list[tuple[float, float]]:
    """Points close to each other along both axes."""
    steps = [step / STEPS for step in range(STEPS + 1)]
    back = 1.0 / factor if factor else inf
    pairs = [(p, _moved(p, factor)) for p in steps] + [(_moved(q, back), q) for q in steps]
    return sorted(pairs)


def _moved(prior: float, factor: float) -> float:
    """The chance at odds that are so many times those of another."""
    if factor in (0.0, inf):
        return float(prior == 1.0 if factor == 0.0 else prior > 0.0)
    return prior * factor / (1.0 - prior + prior * factor)


def _halves(centers: Pairs) -> str:
    return "".join(
        f"M{x},{y - RADIUS:g}a{RADIUS},{RADIUS} 0 0,0 0,{2 * RADIUS:g}z" for x, y in centers
    )


def _dots(centers: Pairs, radius: float) -> str:
    across = f"a{radius},{radius} 0 1,0"
    return "".join(
        f"M{x - radius:g},{y}{across} {2 * radius:g},0{across} {-2 * radius:g},0"
        for x, y in centers
    )
