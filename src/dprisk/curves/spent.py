"""Bars of what an account has spent of each of its limits."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from dprisk.curves.figure import attach, figure
from dprisk.curves.look import BLUE, FAINT, INK, SMALL, VERMILION, WIDTH, axes_for
from dprisk.ledger.words import bar_in_words, status_in_words
from dprisk.text import fill
from dprisk.text.rounding import at_most
from dprisk.theorems import Theorem

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from dprisk.ledger.state import AccountStatus


NEARLY: Final = 0.9


class Bar(NamedTuple):
    """One limit, and how much of it is reached."""

    said: str
    now: float
    most: float
    theorem: Theorem | None

    @property
    def share(self) -> float:
        """The share of the limit that is reached. [0, 1]"""
        return min(self.now / self.most, 1.0) if 0.0 < self.most < math.inf else 0.0


@figure
def draw_spent(status: AccountStatus, *, ax: Axes | None = None) -> Axes:
    """How far an account has come to each of its limits, and to the end of its budget.

    Parameters
    ----------
    status : AccountStatus
        What `dprisk.ledger.Ledger.status` returned.
    ax : Axes, optional
        Where; left out, a new figure of one column.

    Returns
    -------
    Axes
        A bar for each limit: full where it is reached.

    Examples
    --------
    >>> import tempfile
    >>> from dprisk import PureDP
    >>> from dprisk.budget import EpsilonLimit
    >>> from dprisk.ledger import Account, Ledger
    >>> from dprisk.curves import alt_text, draw_spent
    >>> limits = (EpsilonLimit(1.0, delta=0.0),)
    >>> town = Account("town", "residents", "person", "add-remove", "2026", "pure", limits)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Ledger.create(f"{folder}/a.ledger", origin="Office", by="ann") as ledger:
    ...         opened = ledger.account(town, by="ann")
    ...         charge = ledger.charge(PureDP(0.25, neighbors="add-remove"), "town", by="ann")
    ...         said = alt_text(draw_spent(ledger.status("town")))
    >>> print(said)
    A bar for each limit of the account town; a full bar has reached its limit. All results so \
far (releases: 1) have an epsilon of at most 0.25, at a delta of 0. The limit is 1.
    """
    bars = _bars(status)
    ax = axes_for(ax, WIDTH, 0.8 + 0.5 * len(bars))
    for place, bar in enumerate(bars):
        ax.barh(place, 1.0, height=0.34, color=FAINT)
        ax.barh(place, bar.share, height=0.34, color=VERMILION if bar.share > NEARLY else BLUE)
        number = fill("plots.spent.of", now=at_most(bar.now, 3), most=at_most(bar.most, 3))
        ax.text(0.0, place - 0.24, bar.said, size=SMALL, color=INK, va="bottom")
        ax.text(1.0, place - 0.24, number, size=SMALL, color=INK, ha="right", va="bottom")
    ax.set_xlim(0.0, 1.0)
    ax.set_ylim(len(bars) - 0.4, -0.8)
    ax.axis("off")
    said = status_in_words(status)
    title = fill("plots.spent.title", name=status.account.name, left=_left(status))
    rows = [(bar.said, bar.now, bar.most) for bar in bars]
    seen = fill("plots.spent.seen", name=status.account.name)
    columns = ("limit", "at most", "limit at")
    theorems = [bar.theorem for bar in bars if bar.theorem is not None]
    return attach(ax, title, said[0], seen, columns, rows, theorems)


def _bars(status: AccountStatus) -> list[Bar]:
    """The budget of a filter, and each limit with what is so far."""
    standing = status.standing
    found = [
        Bar(bar_in_words(each), float(each.now), float(each.most), each.now.theorem)
        for each in standing.readings
        if each.now is not None and each.scope != "process"
    ]
    if standing.share is not None:
        said = fill("ledger.bar.budget")
        found.insert(0, Bar(said, float(standing.share), 1.0, standing.theorem))
    return found


def _left(status: AccountStatus) -> str:
    left = status.left
    if left is None:
        return fill("plots.spent.nothing")
    return fill("plots.spent.left" if left < 10**9 else "plots.spent.any", number=left)
