"""Certificates: what a small program needs to check an answer about a sum by itself."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Context, Decimal
from typing import Any, Final, Protocol

from dprisk.composition.analysis import Analysis
from dprisk.composition.basis import basis_of
from dprisk.composition.composing import Rule
from dprisk.errors import Meaningless
from dprisk.guarantees import Guarantee, ZeroConcentratedDP
from dprisk.guarantees.orders import line_above
from dprisk.releases.release import Described, Part
from dprisk.theorems import BASIC_COMPOSITION, CLOSED_FORM, RENYI_PROFILE

CERTIFICATE: Final = 1
PROMISES: Final[Mapping[str, str]] = {
    "pure": "pure",
    "approximate": "approximate",
    "gaussian": "gaussian-dp",
    "concentrated": "concentrated",
}
"""Definitions, and what a certificate calls them."""

RUN: Final[Mapping[str, tuple[str, ...]]] = {
    "gaussian": ("sigma", "sensitivity"),
    "laplace": ("scale", "sensitivity"),
    "geometric": ("scale", "sensitivity"),
    "randomized-response": ("epsilon", "categories"),
}
"""Parameters of each kind of mechanism that a certificate describes."""

NORMAL: Final = ("gaussian", "gaussian-dp")
STATED: Final = ("pure", "approximate")
MOST_WORK: Final = 4_000  # of one part: binary digits, and products in tens
MOST_TERMS: Final = 20_000  # of a sum: a second or two of the program that checks it
BESIDE_NORMAL: Final = 10  # as long as so many terms takes each beside normal noise
LARGEST: Final = 10_000
SHORT: Final = 5  # places up to which a number is written without an exponent
EVERY_DIGIT: Final = Context(prec=1100)
SAID_AS_ZERO: Final = Decimal("1e-300")  # below it, exact answers are said to be at least 0
EXACT: Final = Decimal("1e-9")  # how far below an exact answer the lower end is put


class Answered(Protocol):
    """A question about a sum, and the ends between which its answer lies."""

    @property
    def asked(self) -> str:
        """The quantity that was given."""

    @property
    def at(self) -> float:
        """Its value."""

    @property
    def quantity(self) -> str:
        """The quantity that was asked about."""

    @property
    def lower(self) -> float | None:
        """The lower end, where it is known."""

    @property
    def upper(self) -> float:
        """The upper end."""


def certified_parts(parts: Sequence[Part], counts: Sequence[int], rule: str) -> dict[str, Any]:
    """Describe what is composed.

    Parameters
    ----------
    parts : sequence of Part
        What counts of a release.
    counts : sequence of int
        How often each is used. [1, inf)
    rule : {"best", "simple", "advanced", "optimal"}
        How they were composed.

    Returns
    -------
    dict
        The parts in exact decimals, and the theorem.

    Raises
    ------
    Meaningless
        If there is no small certificate: for this kind of part, this rule, or so long a sum.
    """
    if rule == "advanced":
        raise _none("the advanced rule")
    described = _together(
        {**_described(part, promised=rule != "best"), "count": count}
        for part, count in zip(parts, counts, strict=True)
    )
    kinds = {each["kind"] for each in described}
    if "concentrated" in kinds:
        if len(kinds) > 1:
            raise _none("a sum of zCDP and other parts")
        theorem = RENYI_PROFILE
    elif rule == "simple" and kinds <= {*STATED}:
        theorem = BASIC_COMPOSITION
    else:
        _check_length(described)
        theorem = CLOSED_FORM
    neighbors = parts[0].guarantee.neighbors
    return {"neighbors": neighbors, "parts": described, "theorem": str(theorem)}


def check_questions(asked: Iterable[str]) -> None:
    """Refuse questions other than about delta or epsilon.

    Parameters
    ----------
    asked : iterable of str
        What is given: "delta", "epsilon", "level" or "confidence".

    Raises
    ------
    Meaningless
        If there is no small certificate for an answer.
    """
    if {*asked} - {"delta", "epsilon"}:
        raise _none("the power of a test, or for a bound on the shift of the log-odds")


def claims(readings: Sequence[Answered], whole: Guarantee) -> list[dict[str, Any]]:
    """State the brackets of some answers.

    Parameters
    ----------
    readings : sequence
        Answers about delta or epsilon.
    whole : Guarantee
        What holds of the sum.

    Returns
    -------
    list of dict
        Each end in exact decimals: what is printed or the double, whichever is further out. Below
        an exact answer the lower end is 1e-9 of it lower. Under zCDP, a line that shows the upper
        end (dprisk Proposition 21).

    Raises
    ------
    Meaningless
        If another question was asked.
    """
    check_questions(each.asked for each in readings)
    return [
        {
            "asked": each.asked,
            "at": _decimal(each.at, written=each.asked == "delta"),
            "bound": each.quantity,
            **_ends(each),
            **_line(each, whole),
        }
        for each in readings
    ]


def _none(what: str) -> Meaningless:
    return Meaningless(
        f"There is no small certificate for {what}.",
        "Leave the certificate out.",
    )


def _described(part: Part, *, promised: bool) -> dict[str, Any]:
    """A part by its kind and its numbers, in exact decimals."""
    run = None if promised else part.mechanism
    if run is not None:
        kind = str(getattr(type(run), "kind", ""))
        values = {name: getattr(run, name) for name in RUN.get(kind, ())}
    else:
        kind = part.guarantee.definition
        values = dict(part.guarantee.parameters) if kind in PROMISES else {}
        kind = PROMISES.get(kind, kind)
        if kind == "concentrated":
            values = {**values, "delta": values.get("delta", 0.0)}
            if "xi" in values:
                raise _none("zCDP with a ξ")
    if any(value <= 0 for name, value in values.items() if name != "delta"):
        raise _none("a part that reveals nothing")
    if not values:
        raise _none(f"a part of kind {kind}" if kind else "a part of this kind")
    return {"kind": kind, **{n: _decimal(v, written=n == "delta") for n, v in values.items()}}


def _together(described: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Equal parts once."""
    counts: dict[tuple[Any, ...], int] = {}
    for each in described:
        key = tuple(item for item in each.items() if item[0] != "count")
        counts[key] = counts.get(key, 0) + each["count"]
    return [{**dict(key), "count": count} for key, count in counts.items()]


def _check_length(described: Collection[dict[str, Any]]) -> None:
    """Refuse what the program that checks certificates would take too long for."""
    normal = any(each["kind"] in NORMAL for each in described)
    noise = sum(each["count"] for each in described if each["kind"] == "laplace")
    terms = (noise + 1) * (BESIDE_NORMAL if normal else 1)
    for each in described:
        if each["kind"] in NORMAL:
            continue
        steps, others = 1, int(each.get("categories", 2)) - 1
        if each["kind"] == "geometric":
            steps = int(each["sensitivity"])
        elif others > 1:
            steps = 2
        terms *= each["count"] * steps + 1
        work = max(steps + others.bit_length(), steps**2 // 10)
        if terms > MOST_TERMS or each["count"] * work > MOST_WORK:
            raise _none("a sum of so many terms")


def _ends(each: Answered) -> dict[str, str]:
    upper = Decimal(each.upper)
    if each.lower is None:
        lower = Decimal(0)
    else:
        lower = Decimal(each.lower)
        if lower == upper and lower.is_finite():
            least = Decimal(1) if each.asked == "delta" else lower
            lower = max(lower - EXACT * max(lower, least), Decimal(0))
            lower = Decimal(0) if lower < SAID_AS_ZERO else lower
        elif lower.is_finite():
            lower = min(lower, Decimal(repr(each.lower)))
    if upper.is_finite():
        upper = max(upper, Decimal(repr(each.upper)))
    return {"lower": _text(lower), "upper": _text(upper)}


def _line(each: Answered, whole: Guarantee) -> dict[str, Any]:
    """The order, above 1, and the ratios of coins of a line above the curve; no lower end."""
    if not isinstance(whole, ZeroConcentratedDP):
        return {}
    t = line_above(whole, each.upper if each.asked == "delta" else each.at)
    numbers = {"above_1": t.extra, "log_r": t.a, "log_t": -t.b}
    line = {name: _text(Decimal(float(x[0]))) for name, x in numbers.items()}
    return {"lower": "0", "line": line}


def _decimal(value: Any, *, written: bool) -> str:
    """A number exactly; a delta as it is written."""
    found = Decimal(repr(float(value))) if written else Decimal(value)
    if found > LARGEST:
        raise _none("numbers so large")
    return _text(found)


def _text(number: Decimal) -> str:
    if number.is_infinite():
        return "inf"
    found = number.normalize(EVERY_DIGIT)
    return f"{found:f}" if abs(found.adjusted()) < SHORT else f"{found}"


def certificate(
    release: Described | Analysis, rule: Rule = "best", asked: Iterable[str] = ()
) -> dict[str, Any]:
    """Begin a certificate of a release, before anything is computed: no claims yet.

    Parameters
    ----------
    release : Release, Guarantee, Mechanism, Composed, Analysis, str or path
        What is composed.
    rule : {"best", "simple", "advanced", "optimal"}
        How.
    asked : iterable of str
        What will be given: "delta", "epsilon", "level" or "confidence".

    Returns
    -------
    dict
        Plain data for JSON.

    Raises
    ------
    Meaningless
        If there is no small certificate.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.composition.certificates import certificate
    >>> certificate(PureDP(0.5, neighbors="add-remove"))["parts"]
    [{'kind': 'pure', 'epsilon': '0.5', 'count': 1}]
    """
    analysis = Analysis.of(release)
    analysis.release.must_be_unconditional()
    check_questions(asked)
    if basis_of(analysis.release).others:
        raise Meaningless(
            "There is no small certificate for a release about which more than one thing is said."
        )
    about = certified_parts(analysis.parts, analysis.counts, rule)
    return {"certificate": CERTIFICATE, **about, "claims": []}
