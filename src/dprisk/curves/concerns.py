"""How much of several releases is about each concern, and what a test can do with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import chain, repeat
from typing import TYPE_CHECKING, Final

from dprisk._checks import INSIDE, scalar
from dprisk.allocation.combined import together
from dprisk.allocation.finding import power_at_most
from dprisk.allocation.queries import amount_of
from dprisk.curves.figure import attach, figure
from dprisk.curves.look import BLUE, FAINT, GREEN, INK, PURPLE, SMALL, WIDTH, axes_for
from dprisk.errors import InvalidInput
from dprisk.text import fill
from dprisk.text.rounding import at_most, bounded, hundredths

if TYPE_CHECKING:
    from typing import Any

    from matplotlib.axes import Axes

    from dprisk.allocation.allocations import Allocation
    from dprisk.allocation.queries import Query

BAR_COLORS: Final = (BLUE, FAINT, GREEN, PURPLE)
HATCHES: Final = ("", "", "////", "....")  # so that colors are not needed
CONCERN_COLUMNS: Final = ("concern", "power at most")
ALMOST_ONE: Final = 0.9999
BESIDE_BARS: Final = 1.45  # for the power beside the longest bar


@figure
def draw_concerns(
    releases: Mapping[str, Allocation],
    concerns: Sequence[str],
    *,
    level: float = 0.1,
    ax: Axes | None = None,
) -> Axes:
    """How much of one or more releases is about each concern, and the power of a test about it.

    Parameters
    ----------
    releases : mapping of str to Allocation
        What each is called, one to four, which are read as one.
    concerns : sequence of str
        Each by itself; no unions.
    level : float
        Probability of a false alarm. (0, 1)
    ax : Axes, optional
        Where; left out, a new figure of one column.

    Returns
    -------
    Axes
        A bar for each concern, which the releases share: amounts add up. The power beside it is an
        upper bound, for the noise that is named, otherwise for every mechanism with the amounts.

    Raises
    ------
    InvalidInput
        If there are no concerns, no releases or more than four, or a concern is unknown.

    Examples
    --------
    >>> from dprisk.allocation import census2020
    >>> from dprisk.curves import draw_concerns, takeaway
    >>> print(takeaway(draw_concerns({"redistricting": census2020()}, ["race", "ethnicity"])))
    A test about one concern, with a false positive rate of 10 in 100, has a true positive rate \
of at most: race 55.6 in 100, ethnicity 55.4 in 100.
    """
    if not 0 < len(releases) <= len(BAR_COLORS):
        raise InvalidInput("releases", len(releases), f"one to {len(BAR_COLORS)}")
    if not concerns or isinstance(concerns, str):
        raise InvalidInput("concerns", concerns, "a list with at least one, such as ['race']")
    at = float(scalar("level", level, INSIDE))
    whole = together(*releases.values())
    owners = _owners(whole, releases)
    exposures = [whole.exposure(concern) for concern in concerns]
    known: dict[Any, Any] = {}
    powers = [power_at_most(each, (at,), known)[0] for each in exposures]
    bars = {name: [_sum(each.queries, owners, name) for each in exposures] for name in releases}
    ax = axes_for(ax, WIDTH, 1.7 + 0.2 * len(concerns))
    lefts = [Fraction(0)] * len(concerns)
    for (name, amounts), color, hatch in zip(bars.items(), BAR_COLORS, HATCHES, strict=False):
        style: Any = {"color": color, "hatch": hatch, "height": 0.7, "label": name}
        ax.barh(
            range(len(concerns)), list(map(float, amounts)), left=list(map(float, lefts)), **style
        )
        lefts = [left + amount for left, amount in zip(lefts, amounts, strict=True)]
    said = list(map(_in_hundred, powers))
    longest = max(map(float, lefts)) or 1.0
    for place, (end, text) in enumerate(zip(lefts, said, strict=True)):
        ax.text(float(end) + 0.02 * longest, place, text, size=SMALL, color=INK, va="center")
    ax.set_yticks(range(len(concerns)), list(concerns))
    ax.tick_params(axis="y", length=0.0)
    ax.set_ylim(len(concerns) - 0.4, -0.6)
    ax.set_xlim(0.0, BESIDE_BARS * longest)
    unit = whole.symbol
    ax.set_ylabel(fill("plots.concerns.up"))
    ax.set_xlabel(fill("plots.concerns.axis", unit=unit))
    rate = hundredths(at)
    listed = ", ".join(map(" ".join, zip(concerns, said, strict=True)))
    takeaway = fill("plots.concerns.said", level=rate, powers=listed)
    title = fill("plots.concerns.title", level=rate, power=_in_hundred(max(powers)))
    seen = fill("plots.concerns.seen", unit=unit)
    columns = (*CONCERN_COLUMNS[:1], *(f"{name}: {unit}" for name in bars), *CONCERN_COLUMNS[1:])
    each_sum = zip(*bars.values(), strict=True)
    rows = [
        (concern, *(at_most(float(one), 6) for one in some), power)
        for concern, some, power in zip(concerns, each_sum, powers, strict=True)
    ]
    return attach(ax, title, takeaway, seen, columns, rows)


def _owners(whole: Allocation, releases: Mapping[str, Allocation]) -> dict[Query, str]:
    """The release of each query of the whole, in which they stand one after another."""
    names = chain.from_iterable(repeat(name, len(one.queries)) for name, one in releases.items())
    return dict(zip(whole.queries, names, strict=True))


def _sum(queries: Sequence[Query], owners: Mapping[Query, str], name: str) -> Fraction:
    return amount_of(query for query in queries if owners[query] == name)


def _in_hundred(power: float) -> str:
    """An upper bound with three digits; one that excludes nothing is said to."""
    if power > ALMOST_ONE:
        return bounded(power, upper=True)
    return fill("of", count=at_most(100.0 * power), of=100)
