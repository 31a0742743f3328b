"""A second opinion: what another tool states, held against the certified bracket."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, final

from dprisk._checks import NONNEGATIVE, PROBABILITY, numbers, scalar
from dprisk._lazy import named
from dprisk._values import members, result
from dprisk.composition.analysis import Analysis
from dprisk.composition.composing import by_orders, least_epsilon
from dprisk.errors import DpriskError, InvalidInput, Meaningless
from dprisk.guarantees.gaussian import GaussianDP
from dprisk.losses.base import ULP
from dprisk.mechanisms import Mechanism, SubsampledGaussian
from dprisk.releases.cautions import SMALL
from dprisk.releases.notes import notes_data
from dprisk.releases.release import Part, Release
from dprisk.releases.tools.asked import Missing, Read, Said

SCHEMA: Final = "dprisk/check/1"
Verdict = Literal["agrees", "looser", "below", "undecided"]
BY_ORDERS: Final = 1e-11  # relative: how exact Rényi bounds are (docs/exactness.md)
BY_A_SUM: Final = 4.0 * ULP  # relative: decimals, added up and rounded once
NARROW: Final = 1e-4  # relative: nothing agrees inside wider brackets, no reading explains less
NEAR: Final = 0.02  # relative: how far another reading may be off to explain a statement
LARGEST_ORDER: Final = 63.0  # of Opacus, and of dp_accounting for many runs


@final
@result
@dataclass(frozen=True, repr=False)
class ToolComparison:
    """One statement beside the truth. Made by `check`."""

    said: Said  #: What is stated.
    delta: float  #: Where it is compared. [0, 1]
    lower: float | None  #: No smaller ε holds; None where that is not known. [0, inf]
    upper: float  #: An ε that holds. [0, inf]
    verdict: Verdict  #: ``below``: what is stated does not hold.
    #: The distance from what is stated to the nearer end that is known, in nats. [0, inf]
    by: float
    reasons: tuple[str, ...]  #: What gives about this number, of readings that were tried.

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        said = members(self, "said.epsilon", "said.reached", "said.about")
        return {**said, **members(self, "delta", "lower", "upper", "verdict", "by", "reasons")}


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class SecondOpinion:
    """Statements of a tool about a release, compared. Made by `check`."""

    release: Release  #: What was run.
    tool: str  #: Who stated it; empty where that is not known.
    #: The certified ε at each δ that was asked about or stated: δ in [0, 1], its lower end or None,
    #: and its upper end, in [0, inf].
    certified: tuple[tuple[float, float | None, float], ...]
    comparisons: tuple[ToolComparison, ...]  #: One for each statement.
    missing: tuple[Missing, ...]  #: What the tool does not say.

    @property
    def kept(self) -> bool:
        """Whether no statement is below the truth."""
        return all(each.verdict != "below" for each in self.comparisons)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, the same that ``dprisk check --json`` prints."""
        return {
            "schema": SCHEMA,
            **members(self, "release.name", "tool", "release.neighbors"),
            "certified": [
                {"delta": delta, "lower": low, "upper": high} for delta, low, high in self.certified
            ],
            "comparisons": [each.to_dict() for each in self.comparisons],
            "missing": [each.name for each in self.missing],
            "notes": notes_data(self.release.notes),
            "kept": self.kept,
        }


def check(
    what: Any,
    /,
    *,
    epsilon: float | None = None,
    delta: float | Sequence[float] | None = None,
    **given: Any,
) -> SecondOpinion:
    """Hold the ε that another tool states against the certified one.

    Parameters
    ----------
    what : str, path or object
        A file or an object of another tool (`dprisk.releases.read_from`), or a release, mechanism
        or guarantee.
    epsilon : float, optional
        What was stated elsewhere, at `delta`. Left out: what the file states, or what the object
        answers. [0, inf]
    delta : float or sequence of float, optional
        Where to compare. Left out: where the statement holds. [0, 1]
    **given : object
        What a file of a tool does not say, by name, such as ``sampling="poisson"``.

    Returns
    -------
    SecondOpinion
        With a verdict on each statement: ``agrees`` (within the certified bracket, up to the
        rounding of an exact answer), ``looser`` (it holds, and a smaller one does), ``below``
        (no release like this keeps it: the statement is false) or ``undecided`` (it lies below
        the certified upper bound, and no lower one that is near is known).

    Raises
    ------
    Meaningless
        If something needed is missing, or no δ is known.
    InvalidInput
        If a number is outside its range.

    Notes
    -----
    A target or a limit of a tool is compared as well: it is no statement about what was spent, but
    one that is below the truth was not kept.

    Examples
    --------
    >>> import dprisk
    >>> state = {"history": [(1.0, 0.004, 14_062)], "mechanism": "gdp"}
    >>> found = dprisk.check(
    ...     state, epsilon=2.54503, delta=1e-5, sampling="poisson", neighbors="add-remove"
    ... )
    >>> (one,) = found.comparisons
    >>> one.verdict, round(one.by, 4)
    ('below', 0.08)
    """
    at = () if delta is None else tuple(numbers("delta", delta, PROBABILITY).ravel().tolist())
    read = _read(what, at, given)
    if epsilon is not None and len(at) > 1:
        raise InvalidInput("delta", delta, "one number beside epsilon", "Check one at a time.")
    stated = _stated(what, read, epsilon, at)
    analysis = Analysis.of(read.described())
    points = [*at, *(_delta_of(said, read) for said in stated)]
    known = [float(read.known["delta"])] if "delta" in read.known else []
    deltas = tuple(dict.fromkeys(points or known))
    if not deltas:
        raise Meaningless(
            f"{read.name} states no ε, and no δ at which to give one.",
            "Say what was stated, such as --states epsilon=3,delta=1e-5.",
        )
    found = {each: least_epsilon(analysis.composed(), each) for each in deltas}
    certified = {each: (low, float(high)) for each, (low, high) in found.items()}
    return SecondOpinion(
        analysis.release,
        read.tool,
        tuple((each, *certified[each]) for each in deltas),
        tuple(_compared(analysis, said, _delta_of(said, read), certified) for said in stated),
        tuple(each for each in read.missing if not (each.name == "delta" and at)),
    )


def _read(what: Any, at: tuple[float, ...], given: dict[str, Any]) -> Read:
    """A file or object of a tool, read; anything else as a release that states nothing."""
    of_tool = isinstance(what, str | os.PathLike) and _tools("is_of_a_tool")(what)
    own = type(what).__module__.partition(".")[0] == "dprisk"
    if of_tool or not (own or isinstance(what, str | os.PathLike)):
        read: Read = _tools("read")(what, **given)
        return read
    if given:
        name = next(iter(given))
        raise InvalidInput(name, given[name], "in the release itself", "Leave it out here.")
    release = Analysis.of(what).release
    return Read("", release.name, release, (), (), ())


def _tools(name: str) -> Any:
    return named("dprisk.releases.tools", f"reading:{name}")


def _stated(
    what: Any, read: Read, epsilon: float | None, at: tuple[float, ...]
) -> tuple[Said, ...]:
    """The statements: as given, in the file, or by the object itself."""
    if epsilon is not None:
        stated = scalar("epsilon", epsilon, NONNEGATIVE)
        return (Said(stated, at[0] if at else None, "spent", "as given"),)
    if read.said:
        return read.said
    asks: Callable[..., Any] | None = getattr(what, "get_epsilon", None)
    if asks is None or isinstance(what, Release):
        return ()
    points = at or ((read.known["delta"],) if "delta" in read.known else ())
    return tuple(_asked(asks, each, type(what).__name__) for each in points)


def _asked(asks: Callable[..., Any], delta: float, name: str) -> Said:
    """The answer of an object of another library."""
    try:
        try:
            found = asks(delta)
        except TypeError:  # it wants the name
            found = asks(delta=delta)
        return Said(float(found), delta, "spent", f"{name}.get_epsilon")
    except Exception as error:  # whatever another library raises
        raise Meaningless(
            f"{name}.get_epsilon({delta:g}) failed: {error}.", "Give epsilon yourself."
        ) from error


def _delta_of(said: Said, read: Read) -> float:
    if said.delta is not None:
        return said.delta
    return float(read.known.get("delta", 0.0))


def _compared(
    analysis: Analysis,
    said: Said,
    delta: float,
    certified: dict[float, tuple[float | None, float]],
) -> ToolComparison:
    low, high = certified[delta]
    verdict, by = _verdict(said.epsilon, low, high, _rounded(analysis, delta))
    reasons: tuple[str, ...] = ()
    if verdict != "agrees" and by > NARROW * said.epsilon:
        near = min(NEAR * said.epsilon, by / 2.0)  # nearer to what is stated than to the truth
        reasons = tuple(_reasons(analysis, said.epsilon, near, delta))
    if verdict == "below" and not reasons and 0.0 < delta <= SMALL:
        reasons = ("small-delta",)
    return ToolComparison(said, delta, low, high, verdict, by, reasons)


def _rounded(analysis: Analysis, delta: float) -> float:
    """How far, relatively, both ends of an exact answer may be off, for which nobody is blamed."""
    if analysis.composed().guarantee.definition in ("renyi", "concentrated"):
        return BY_ORDERS
    known = (part.mechanism is None and part.guarantee.definition for part in analysis.parts)
    if delta == 0.0 and all(each == "pure" for each in known):
        return BY_A_SUM
    # roundings of answers that are exact (docs/exactness.md)
    return ULP * (100.0 - 40.0 * math.log(delta or 1.0))


def _verdict(
    stated: float, low: float | None, high: float, rounded: float
) -> tuple[Verdict, float]:
    if low is not None and stated < low * (1.0 - rounded):
        return "below", low - stated
    if stated > high * (1.0 + rounded):
        return "looser", stated - high
    if stated < high * (1.0 - rounded) and (low is None or low < high * (1.0 - NARROW)):
        return "undecided", high - stated
    return "agrees", 0.0


def _reasons(analysis: Analysis, stated: float, near: float, delta: float) -> Iterator[str]:
    """Other readings of the same run that give about what is stated."""
    for name, ask in READINGS.items():
        with suppress(DpriskError):  # a reading that this run does not have
            other = ask(analysis, delta)
            if math.isfinite(other) and abs(other - stated) < near:
                yield name


def _exactly(analysis: Analysis, delta: float) -> float:
    return float(analysis.composed().guarantee.epsilon(delta).value)


def _by_orders(analysis: Analysis, delta: float) -> float:
    found = by_orders([part.guarantee for part in analysis.parts], analysis.counts)
    return math.nan if found is None else float(found.guarantee.epsilon(delta).value)


def _largest_order(analysis: Analysis, delta: float) -> float:
    """The largest order, for a run that reveals nothing (Canonne, Kamath, Steinke 2020)."""
    order = LARGEST_ORDER
    return math.log1p(-1.0 / order) - math.log(delta * order) / (order - 1.0) if delta else math.nan


Change = Callable[[Any, int], tuple[Any, int]]
Ask = Callable[[Analysis, float], float]


def _changed(change: Change, needs: str, ask: Ask = _exactly) -> Ask:
    """The ε of the run with every mechanism changed, where each has what is changed."""

    def asks(analysis: Analysis, delta: float) -> float:
        runs = [part.mechanism for part in analysis.parts]
        fields = [getattr(type(run), "__dataclass_fields__", {}) for run in runs]
        if not all(needs in each for each in fields):
            return math.nan
        if change is not _poisson and any("cap" in each for each in fields):
            return math.nan  # it takes too long
        changed = map(change, runs, analysis.counts)
        parts = tuple(Part.of(run, count) for run, count in changed)
        same = replace(
            analysis.release, parts=parts, stated_also=(), neighbors=parts[0].guarantee.neighbors
        )
        return ask(Analysis.of(same), delta)

    return asks


def _further(factor: float) -> Change:
    return lambda run, count: (replace(run, sensitivity=run.sensitivity * factor), count)


def _poisson(run: Mechanism, count: int) -> tuple[Mechanism, int]:
    if run.mistaken_for is None:
        raise Meaningless("Nothing is mistaken for this run.", "")
    sampled, steps = run.mistaken_for
    return sampled, count * steps


def _central_limit(analysis: Analysis, delta: float) -> float:
    """The Gaussian that many sampled steps tend to (Bu, Dong, Long, Su 2020)."""
    squares = 0.0
    for part, count in zip(analysis.parts, analysis.counts, strict=True):
        run = part.mechanism
        if not isinstance(run, SubsampledGaussian):
            return math.nan
        mu = run.sensitivity / run.sigma
        squares += count * run.rate**2 * math.expm1(min(mu * mu, 700.0))
    near = GaussianDP(math.sqrt(squares), neighbors=analysis.release.neighbors)
    return float(near.epsilon(delta).value)


def _sum_of_epsilons(analysis: Analysis, delta: float) -> float:
    each = delta / sum(analysis.counts)
    used = zip(analysis.parts, analysis.counts, strict=True)
    return math.fsum(count * float(part.guarantee.epsilon(each).value) for part, count in used)


READINGS: Final[dict[str, Ask]] = {
    "orders": _by_orders,
    "largest-order": _largest_order,
    "central-limit": _central_limit,
    "twice-as-far": _changed(_further(2.0), "sensitivity"),
    "twice-as-far-by-orders": _changed(_further(2.0), "sensitivity", _by_orders),
    "half-as-far": _changed(_further(0.5), "sensitivity"),
    "half-as-far-by-orders": _changed(_further(0.5), "sensitivity", _by_orders),
    "poisson": _changed(_poisson, "sigma"),
    "poisson-by-orders": _changed(_poisson, "sigma", _by_orders),
    "every-record": _changed(lambda run, count: (replace(run, rate=1.0), count), "rate"),
    "sum-of-epsilons": _sum_of_epsilons,
}
"""Other readings of a run, by the name of what makes the difference."""
