"""Design of an allocation: the largest scale at which limits per concern are kept."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final, final

from dprisk._checks import INSIDE, scalar
from dprisk._values import plain, result
from dprisk.allocation.allocations import Allocation
from dprisk.allocation.exposure import Exposure
from dprisk.allocation.finding import assumptions_of, power_at_most, read_as
from dprisk.allocation.queries import Query
from dprisk.allocation.units import as_rho
from dprisk.allocation.vocabulary import folded, guess
from dprisk.errors import InvalidInput, Meaningless
from dprisk.guarantees.base import Guarantee

LIMIT_TEXT: Final = re.compile(r"\s*(.*?)\s*:?\s*power\s*\(\s*([^()]+?)\s*\)\s*=\s*(\S+)\s*")
SCALE_DIGITS: Final = 6  # of a scale that is found
LARGEST_SCALE: Final = 1e6
FIRST_BACK: Final = 1e-5  # relative: how much a scale is lowered, first, that does not keep a limit
MOST_STEPS_BACK: Final = 24  # each but the first ones to a quarter
NEAR_LIMIT: Final = 1e-5  # of a power to its limit: closer, no larger scale is looked for
FIRST_STRIDE: Final = 0.01  # relative: the first step to a larger scale
SCALE_HALVINGS: Final = 60  # of a bisection, to far more than those digits


@final
@dataclass(frozen=True)
class ConcernLimit:
    """The most power that a test about a concern may have. Made by `concern_limit`."""

    concerns: tuple[str, ...]  # a union; empty for everything
    level: float  # probability of a false alarm. (0, 1)
    most: float  # power. (level, 1)

    def __str__(self) -> str:
        return f"{'; '.join(self.concerns) or 'everything'}: power({self.level:g})={self.most:g}"


def concern_limit(text: str) -> ConcernLimit:
    """The limit that a text such as ``"race: power(0.05)=0.3"`` states.

    Raises
    ------
    InvalidInput
        If it is written otherwise, or no release with noise keeps it.
    """
    found = LIMIT_TEXT.fullmatch(text)
    if found is None:
        fix = "Such as 'race: power(0.05)=0.3'; several concerns with ';' between them."
        raise InvalidInput("limit", text, "a concern, and the power at a level", fix)
    concerns, level, most = found.groups()
    at, limit = (_number(text, number) for number in (level, most))
    if not at < limit:
        fix = "Even guessing has a power of as much as the level. Raise the limit."
        raise InvalidInput("limit", text, f"a power above the level {at:g}", fix)
    words = (" ".join(word.split()) for word in concerns.split(";"))
    return ConcernLimit(tuple(word for word in words if word), at, limit)


def _number(text: str, number: str) -> float:
    try:
        value = float(number)
    except ValueError:
        raise InvalidInput("limit", text, "made of numbers, such as 0.3") from None
    return float(scalar(f"limit {text}", value, INSIDE))


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Design:
    """The largest scale of a part of an allocation that keeps all limits. Made by `design`."""

    allocation: Allocation  # with the scale applied
    what: str  # that was scaled: "total", or a level or query by its name
    scale: Fraction | None  # of its amounts; None where not even 0 keeps the limits. [0, 10^6]
    limits: tuple[ConcernLimit, ...]
    powers: tuple[float, ...]  # at that scale, at most; without what is scaled, if it is None
    amounts: tuple[Fraction, ...]  # of each concern, at that scale

    @property
    def slack(self) -> float:
        """How far the powers are below their limits, at least; negative if one is above."""
        return min(one.most - power for one, power in zip(self.limits, self.powers, strict=True))

    @property
    def assumptions(self) -> tuple[str, ...]:
        """Assumptions of the powers, each once."""
        exposures = (self.allocation.exposure(*limit.concerns) for limit in self.limits)
        said = (assumptions_of(each, read_as(each, None)) for each in exposures)
        return tuple(dict.fromkeys(line for lines in said for line in lines))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, the same that ``dprisk allocation --limit ... --json`` prints."""
        rows = zip(self.limits, self.powers, self.amounts, strict=True)
        return {
            "schema": "dprisk/design/1",
            "allocation": self.allocation.name,
            "scaled": self.what,
            "scale": None if self.scale is None else float(self.scale),
            "total": str(self.allocation.total),
            "limits": [
                {
                    "concerns": list(limit.concerns),
                    "level": limit.level,
                    "most": limit.most,
                    "power": plain(power),
                    "amount": str(amount),
                }
                for limit, power, amount in rows
            ],
            **{kind: plain(each) for kind, each in sums(self.allocation).items()},
            "assumptions": list(self.assumptions),
            "queries": [query.to_dict() for query in self.allocation.queries],
        }


def design(
    allocation: Allocation,
    limits: Sequence[ConcernLimit | str],
    *,
    level: str | None = None,
    query: str | None = None,
) -> Design:
    """Find the largest scale of all amounts, of one level or of one query that keeps all limits.

    Parameters
    ----------
    allocation : Allocation
        Amounts of several kinds are each scaled in their own: rho, epsilon, or the square of mu.
    limits : sequence of ConcernLimit or str
        At least one, such as ``"race: power(0.05)=0.3"``.
    level, query : str, optional
        Scale only this level, or this query; the other amounts stay. Left out: scale all.

    Returns
    -------
    Design
        With the scale rounded down to six digits, and the powers there, which keep the limits as
        computed: for the noise that is named, otherwise for every mechanism with the amounts.

    Raises
    ------
    InvalidInput
        If there is no limit, or no such level or query.
    Meaningless
        If no concern with a limit touches what is scaled.

    Examples
    --------
    >>> from dprisk.allocation import census2020, design
    >>> found = design(census2020(), ["race: power(0.05)=0.3"])
    >>> float(found.scale), found.powers[0] <= 0.3
    (0.621314, True)
    """
    if not limits or isinstance(limits, str):
        raise InvalidInput("limits", limits, "a list with at least one limit")
    asked = tuple(concern_limit(one) if isinstance(one, str) else one for one in limits)
    what, chosen = _chosen(allocation, level, query)
    touched = {each for one in asked for each in allocation.exposure(*one.concerns).possible}
    if not touched & chosen:
        raise Meaningless(f"No limit is about a query that is scaled ({what}).")

    def scaled(scale: Fraction) -> Allocation:
        queries = (
            _scaled(one, scale) if one in chosen else one
            for one in allocation.queries
            if scale or one not in chosen
        )
        return replace(allocation, queries=tuple(queries))

    def about(scale: float) -> bool:
        made = scaled(Fraction(scale))
        known: dict[Any, Guarantee] = {}
        return all(_near(made.exposure(*one.concerns), one, known) for one in asked)

    def at(scale: Fraction) -> Design:
        made = scaled(scale)
        exposures = tuple(made.exposure(*one.concerns) for one in asked)
        amounts = tuple(each.amount for each in exposures)
        return Design(made, what, scale, asked, _powers(asked, exposures), amounts)

    found = _largest(about)
    made = at(Fraction(0) if found is None else _rounded_down(found))
    if made.slack < 0.0:
        made = _lowered(made, at) if made.scale else made
        return replace(made, scale=None) if made.slack < 0.0 else made
    return _raised(made, at) if made.scale and made.slack > NEAR_LIMIT else made


def _lowered(made: Design, at: Callable[[Fraction], Design]) -> Design:
    """A smaller scale that keeps the limits, tried as it really is; 0 where none is near."""
    nothing = at(Fraction(0))
    if nothing.slack < 0.0:
        return nothing
    step = FIRST_BACK
    for _ in range(MOST_STEPS_BACK):
        made = at(_rounded_down(float(made.scale or 0) * (1.0 - step)))
        if made.slack >= 0.0:
            return made
        step = min(4.0 * step, 0.75)
    return nothing


def _scaled(query: Query, scale: Fraction) -> Query:
    """The query with that much of its amount, and where it follows from an epsilon, of that."""
    if query.epsilon is None:
        return replace(query, amount=query.amount * scale)
    epsilon = query.epsilon * scale
    amount = as_rho("pure", epsilon, query.moves if query.noise else 1)
    return replace(query, amount=amount, epsilon=epsilon)


def _raised(made: Design, at: Callable[[Fraction], Design]) -> Design:
    """The largest scale, where less noise than normal is enough: tried as it really is."""
    step = FIRST_STRIDE
    low, high = made, None
    while high is None or float((high.scale or 0) / (low.scale or 1)) > 1.0 + FIRST_BACK:
        above = float(low.scale or 0) * (1.0 + step)
        if above > LARGEST_SCALE:
            return low
        if high is not None:
            above = float((low.scale or 0) + (high.scale or 0)) / 2.0
        found = at(_rounded_down(above))
        if found.slack >= 0.0:
            low, step = found, step * 2.0
        else:
            high = found
    return low


def _chosen(
    allocation: Allocation, level: str | None, query: str | None
) -> tuple[str, frozenset[Query]]:
    """The name of what is scaled, and its queries."""
    if level is not None and query is not None:
        raise InvalidInput("query", query, "left out where a level is scaled")
    if level is None and query is None:
        return "total", frozenset(allocation.queries)
    kind, name = ("level", level) if query is None else ("query", query)
    names = {one: one.level if kind == "level" else one.name for one in allocation.queries}
    chosen = frozenset(
        one for one, its in names.items() if its and folded(its) == folded(name or "")
    )
    if not chosen:
        known = dict.fromkeys(its for its in names.values() if its)
        raise InvalidInput(kind, name, f"a {kind} of the table", guess(name or "", known))
    return f"{kind} {name}", chosen


def _near(exposure: Exposure, limit: ConcernLimit, known: dict[Any, Guarantee]) -> bool:
    """Whether a limit is kept, about: by normal noise instead of what is close to it."""
    if read_as(exposure, None) == "exact" and not exposure.has_epsilons:
        return float(exposure.gaussian().power(limit.level)) <= limit.most
    return power_at_most(exposure, (limit.level,), known)[0] <= limit.most


def _powers(limits: Iterable[ConcernLimit], exposures: Iterable[Exposure]) -> tuple[float, ...]:
    """The power at each limit, at most."""
    known: dict[Any, Guarantee] = {}
    pairs = zip(limits, exposures, strict=True)
    return tuple(power_at_most(each, (one.level,), known)[0] for one, each in pairs)


def _largest(keeps: Callable[[float], bool]) -> float | None:
    """The largest scale that keeps what is asked, about; None where none does."""
    low, high = 0.0, 1.0
    if not keeps(low):
        return None
    while keeps(high):
        low, high = high, high * 2.0
        if high > LARGEST_SCALE:
            return LARGEST_SCALE
    for _ in range(SCALE_HALVINGS):
        middle = (low + high) / 2.0
        low, high = (middle, high) if keeps(middle) else (low, middle)
        if low and high - low < 10.0 ** -(SCALE_DIGITS + 3) * low:
            break
    return low


def _rounded_down(scale: float) -> Fraction:
    if not scale:
        return Fraction(0)
    digits = SCALE_DIGITS - 1 - math.floor(math.log10(scale))
    return Fraction(math.floor(Fraction(scale) * Fraction(10) ** digits)) / Fraction(10) ** digits


def sums(allocation: Allocation) -> dict[str, dict[str, float]]:
    """Sums of the amounts: on one record by attribute, and of all queries by level and part."""
    found: dict[str, dict[str, Fraction]] = {"by_level": {}, "by_part": {}}
    for query in allocation.staying.queries:
        for kind, name in (("by_level", query.level), ("by_part", query.part)):
            if name:
                found[kind][name] = found[kind].get(name, Fraction(0)) + query.amount
    by_attribute = {one: float(allocation.exposure(one).amount) for one in allocation.attributes}
    made = {kind: {k: float(v) for k, v in some.items()} for kind, some in found.items()}
    return {"by_attribute": by_attribute, **made}
